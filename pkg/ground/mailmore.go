package ground

import (
	"encoding/json"
	"slices"
	"strings"
)

// whatTheyWant reads a mail instead of listing it, if the message asks what one person wants or wrote: the only one, or
// the newest of several if it asks what they want.
func (r *reading) whatTheyWant(call arguments) (string, arguments) {
	selection, _ := call["selection"].(arguments)
	ids, _ := selection["ids"].([]string)
	if len(r.people) != 1 || len(ids) == 0 || len(ids) > 1 && !r.says("asks wish") {
		return "email_search", call
	}
	return "email_readEmail", arguments{"emailId": nil, "selection": arguments{"ids": ids[:1]}}
}

// countMails asks for the number of mails that would be listed, which are those of the inbox unless it is said.
func countMails(call arguments) (string, arguments) {
	selection, _ := call["selection"].(arguments)
	if ids, _ := selection["ids"].([]string); selection != nil && len(ids) == 0 && selection["folder"] == nil {
		selection["folder"] = "inbox"
	}
	return "email_search", arguments{"query": call["query"], "selection": selection, "limit": 0}
}

// moreMails lists the mails behind those that the turn before showed.
func moreMails(m Message) (read Reading) {
	var before struct{ Selection arguments }
	listed := m.Before.Tool == "email_search" || m.Before.Tool == "email_viewEmails"
	if !listed || len(m.Listed) == 0 || m.Mails == nil || !words()["more mails"].MatchString(m.Text) ||
		json.Unmarshal(m.Before.Arguments, &before) != nil {
		return read
	}
	ids := m.Before.mails()
	if len(ids) == 0 && onlyInbox(before.Selection) {
		for _, t := range m.Mails() {
			if t.Letter.Folder == "inbox" {
				ids = append(ids, t.ID)
			}
		}
	}
	at := slices.Index(ids, m.Listed[len(m.Listed)-1])
	if at < 0 || at+1 == len(ids) {
		return read
	}
	read = undoubted("mail_ask", "email_search", arguments{
		"query": nil, "selection": arguments{"ids": ids[at+1:]}, "limit": nil,
	})
	read.Reads = true
	return read
}

// onlyInbox reports whether a selection is of all mails of the inbox.
func onlyInbox(selection arguments) bool {
	for name, value := range selection {
		if value != nil && (name != "folder" || value != "inbox") {
			return false
		}
	}
	return true
}

// beside reports whether mails of a mark are meant besides those that are named: "the newsletters and the job alerts".
func (p *pick) beside(mark string) bool {
	at := words()[mark].FindStringIndex(p.Text)
	joined := func(from, to int) bool {
		if from > to {
			return false
		}
		between := p.Text[from:to]
		joins := words()["and"].MatchString(between) || strings.HasPrefix(p.Text[to:], "ו")
		return joins && form("joining").MatchString(between)
	}
	var others []said
	for _, m := range p.of(Mail) {
		if len(m.words) > 0 {
			others = append(others, said{from: p.words[m.words[0]].from, to: p.words[m.words[len(m.words)-1]].to})
		}
	}
	for _, who := range p.outside() {
		others = append(others, *who)
	}
	return at != nil && slices.ContainsFunc(others, func(o said) bool {
		return joined(at[1], o.from) || joined(o.to, at[0])
	})
}
