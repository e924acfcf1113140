package ground

import (
	"slices"
	"strings"

	"convene/pkg/agenda"
)

// onMails calls a tool for the mails that are meant.
func onMails(tool string, more arguments) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		selection, ok := r.pick(r.senders(), "unread", "starred", "newsletter", "hasAttachment").which()
		if !ok || r.unsaid() {
			return "", nil
		}
		all := arguments{"emailIds": []string{}, "selection": selection}
		for name, value := range more {
			all[name] = value
		}
		return tool, all
	}
}

// senders are the people outside the user's own words, but for those to whom something goes.
func (r *reading) senders() []*said {
	if r.says("sent") || r.says("drafts") {
		return r.outside()
	}
	return keep(r.outside(), func(p *said) bool { return r.isSender(*p) || !r.isRecipient(*p) })
}

// unsaid reports whether the message says what mails are about in words that name none, and that the subjects of those
// that were picked do not have. What is only "on" a mail says nothing of that.
func (r *reading) unsaid() bool {
	message := r.delexicalized()
	for _, at := range words()["concerning"].FindAllStringIndex(message, -1) {
		rest := strings.TrimSpace(message[at[1]:])
		if i, _ := r.original(at[1], at[1]); r.inSubjects(i) {
			continue
		}
		if rest != "" && !form("about known").MatchString(rest) && !words()["mail"].MatchString(firstWord(rest)) {
			return true
		}
	}
	return false
}

// inSubjects reports whether the words from a byte on, up to the text to write, are in the subjects of the mails that
// were picked by them.
func (r *reading) inSubjects(from int) bool {
	said := keep(r.words, func(w word) bool { return w.from >= from && !w.timely && distinct(w) && !r.inBody(w.from) })
	return r.guessed && len(said) > 0 && !slices.ContainsFunc(said, func(w word) bool { return !r.subjects[w.from] })
}

// flagMails marks mails as the message says: as read or unread, with or without a star or a label.
func (r *reading) flagMails() (string, arguments) {
	set := arguments{
		"emailIds": []string{}, "read": nil, "starred": nil, "addLabels": []string{}, "removeLabels": []string{},
		"moveTo": nil,
	}
	of := []string{"newsletter", "hasAttachment"}
	switch folder := form("in folder").FindStringSubmatchIndex(r.Text); {
	case folder != nil:
		set["moveTo"] = r.folderIn(folder)
	case r.says("label"):
		r.found = keep(r.found, r.notLabel)
		label := r.label()
		if label == "" || r.says("as unread") || r.says("as read") {
			return "", nil
		}
		kind := "addLabels"
		if r.says("without") {
			kind = "removeLabels"
		}
		set[kind] = []string{label}
	case r.says("as unread"):
		set["read"] = false
	case r.says("as read"):
		set["read"], of = true, append(of, "unread")
	case r.says("starred"):
		set["starred"], of = !r.says("without"), append(of, "unread")
	default:
		return "", nil
	}
	p := r.pick(r.senders(), of...)
	if set["read"] == true && !p.named && p.plural() { // "mark everything as read" is of what is not
		p.selection["unread"] = true
		p.keep(func(t Thing) bool { return t.Letter.Unread })
	}
	selection, ok := p.which()
	if !ok || r.unsaid() {
		return "", nil
	}
	set["selection"] = selection
	return "email_flag", set
}

// folderIn takes the name of the folder to which mails go from the rest of the message.
func (r *reading) folderIn(at []int) string {
	name := ""
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 {
			name = r.Text[at[i]:at[i+1]]
		}
	}
	r.useWithin(at[0], len(r.Text))
	r.only(0, at[0])
	return name
}

// label is what mails are to be labelled; empty if the user's own words have some of the request in them.
func (r *reading) label() string {
	label, _ := r.ownWords().(string)
	if at := form("label goes").FindStringIndex(label); at != nil {
		own := &r.own[len(r.own)-1]
		label, own.to = label[:at[0]], own.from+at[0]
		for i := range r.words {
			w := &r.words[i]
			w.taken = w.taken && w.to <= own.to
		}
	}
	if words()["mail"].MatchString(label) {
		return ""
	}
	return form("labelled").ReplaceAllString(label, "")
}

// notLabel reports whether words are no label that stands at the end: "tag it as holiday" names no mail of that name.
func (r *reading) notLabel(m mention) bool {
	if len(m.words) == 0 {
		return true
	}
	before, end := r.Text[:r.words[m.words[0]].from], r.words[m.words[len(m.words)-1]].to
	return wordForm.MatchString(r.Text[end:]) || !form("label ends").MatchString(before)
}

// taskOfMail makes a task of a mail, with the time at which it is due.
func (r *reading) taskOfMail() (string, arguments) {
	selection, ok := r.pick(r.senders(), "future", "unread", "starred").one()
	if !ok || r.unsaid() {
		return "", nil
	}
	due := r.deadline()
	return "email_createTaskFromEmail", arguments{
		"emailId": nil, "selection": selection, "customTitle": nil, "dueDate": due,
	}
}

// readMail shows one mail whole, or lists several.
func (r *reading) readMail() (string, arguments) {
	p := r.pick(r.senders(), "unread", "starred", "newsletter", "hasAttachment")
	if p.named && !p.exact && !p.plural() && len(p.left) > 1 && r.count() == 0 && !r.says("oldest") {
		p.left = p.left[:1] // the newest: to look at another one costs nothing
	}
	selection, ok := p.which()
	if !ok || r.unsaid() {
		if !r.says("mail") {
			return "", nil
		}
		return r.askMails() // what they are about may stand elsewhere than in their subjects
	}
	if ids, _ := selection["ids"].([]string); len(ids) == 1 || selection["one"] != nil {
		return "email_readEmail", arguments{"emailId": nil, "selection": selection}
	}
	return "email_search", arguments{"query": nil, "selection": selection, "limit": nil}
}

// askMails lists mails: those that are asked for by subject, sender, time and marks, or that wait for an answer.
func (r *reading) askMails() (string, arguments) {
	if at := InMail(r.Text); at != nil {
		return r.findFact(at[0], at[1])
	}
	for side, who := range map[string]string{"from": r.stranger(), "to": r.strangeName(form("to stranger"))} {
		if who != "" && len(r.people) == 0 {
			return r.ofStranger(side, who)
		}
	}
	tool, call := r.askWhich()
	switch {
	case tool == "email_search" && r.says("asks what"):
		return r.whatTheyWant(call)
	case (tool == "email_search" || tool == "email_viewEmails") && r.says("counting"):
		return countMails(call)
	}
	return tool, call
}

// askWhich lists the mails that fit what is said of them.
func (r *reading) askWhich() (string, arguments) {
	p := r.pick(r.senders(), "unread", "starred", "newsletter", "hasAttachment")
	topic := ""
	if !p.exact {
		topic = r.subjectWords()
	}
	switch {
	case p.lost, r.says("awaits"), p.sparing && (r.says("urgent") || r.says("answer")):
		return "", nil
	case r.says("triaging"):
		return p.triage()
	case r.says("mails most"):
		return "email_groupBySender", arguments{
			"emailIds": []string{}, "selection": p.selection, "minGroupSize": nil, "by": "sender",
		}
	case p.exact && p.pointed && len(p.left) == 1:
		return "email_readEmail", arguments{"emailId": nil, "selection": idsOf(p.left)}
	case r.says("newest") && len(p.left) > 0:
		selection, ok := p.which()
		if !ok {
			return "", nil
		}
		return "email_search", arguments{"query": nil, "selection": selection, "limit": nil}
	case p.exact && len(p.left) > 0:
		return "email_search", arguments{"query": nil, "selection": idsOf(p.left), "limit": nil}
	case len(p.left) > 0 && p.named && len(p.mails) < MostMails && !r.says("urgent") && !r.says("answer") &&
		topic == "":
		return "email_search", arguments{"query": nil, "selection": idsOf(p.left), "limit": r.limit()}
	case r.says("answer"):
		if p.selection["folder"] == nil {
			p.selection["folder"] = "inbox"
		}
		return "email_batchCategorize", arguments{"emailIds": []string{}, "selection": p.selection, "category": "needs_reply"}
	case !r.saysMails(p, topic):
		return "", nil // nothing says that mails are meant: "just this one or all of them?"
	}
	urgency := any(nil)
	if r.says("urgent") {
		urgency = "urgent"
	}
	if topic == "" && p.selection["from"] == nil || urgency != nil {
		return "email_viewEmails", arguments{"selection": p.selection, "urgency": urgency, "limit": r.limit()}
	}
	query := any(nil)
	if topic != "" {
		query = topic
	}
	return "email_search", arguments{"query": query, "selection": p.selection, "limit": r.limit()}
}

// saysMails reports whether a question says that it is of mails, or which ones.
func (r *reading) saysMails(p *pick, topic string) bool {
	return len(p.selection) > 0 || topic != "" || r.says("urgent") || r.says("mail") || r.says("plainly mail_ask")
}

// triage sorts mails by what they ask for: those that are meant, or all of the inbox.
func (p *pick) triage() (string, arguments) {
	selection := p.selection
	if selection["folder"] == nil {
		selection["folder"] = "inbox"
	}
	if (p.exact || p.sparing) && len(p.left) > 0 {
		selection = idsOf(p.left)
	}
	return "email_batchCategorize", arguments{"emailIds": []string{}, "selection": selection, "category": nil}
}

// limit is how many mails are asked for; nil if the message does not say that.
func (r *reading) limit() any {
	if n := r.count(); n > 0 {
		return n
	}
	return nil
}

// subjectWords are the words that say what mails are about and that are no words of the question itself.
func (r *reading) subjectWords() string {
	var about []string
	for i := range r.words {
		w := &r.words[i]
		at := said{from: w.from, to: w.to}
		timed := slices.ContainsFunc(r.times, func(t timed) bool { return t.from <= w.from && w.to <= t.to })
		asked := slices.ContainsFunc(criteria, func(name string) bool {
			phrases := words()[name].FindAllStringIndex(r.Text, -1)
			return words()[name].MatchString(w.lower) || slices.ContainsFunc(phrases, func(in []int) bool {
				return in[0] <= w.from && w.to <= in[1]
			})
		})
		if !w.taken && !timed && !r.inPeople(at) && learned().Usual[w.lower] < rare && !asked &&
			!words()["searching"].MatchString(w.lower) {
			w.taken = true
			about = append(about, r.Text[w.from:w.to])
		}
	}
	return strings.Join(about, " ")
}

// criteria are names of words for what a selection says otherwise.
var criteria = []string{
	"mail", "plural", "newest", "unread", "starred", "newsletter", "hasAttachment", "newer", "answer", "urgent",
}

// rare is how many of a thousand messages have a word at most that says what a mail is about.
const rare = 0.3

// letter are the arguments of a mail in the user's own words.
func (r *reading) letter(kind string, selection arguments, to []string) (string, arguments) {
	body, subject, do := any(nil), any(nil), "send"
	if r.body != "" {
		body = r.body
	}
	if r.held || r.says("draft") {
		do = "draft"
	}
	of := any(nil)
	if selection != nil {
		of = selection
	}
	if to == nil {
		to = []string{}
	}
	return "email_compose", arguments{
		"kind": kind, "emailId": nil, "selection": of, "replyAll": r.says("everyone") && kind == "reply", "to": to,
		"cc": []string{}, "subject": subject, "body": body, "do": do,
	}
}

// reply answers the mail that is meant. Who is asked to be answered and sent none gets a new mail.
func (r *reading) reply() (string, arguments) {
	bare := r.body == "" && !r.says("draft") && !r.says("bare reply")
	bound := r.body != "" && form("conditional").MatchString(r.Text[:max(0, strings.Index(r.Text, r.body))])
	if bare || bound || r.unclear() {
		return "", nil
	}
	people := r.outside()
	p := r.pick(people, "unread", "newsletter", "hasAttachment")
	if !p.named { // one of those that were seen last
		p.among(keep(p.mails, func(t Thing) bool { return slices.Contains(p.Last, t.ID) }))
	}
	only := len(people) == 1 && people[0].address != "" && !p.exact && r.body != ""
	if only && (len(p.left) == 0 || len(p.left) > 1 && !r.says("answering")) && !r.left() {
		return r.letter("new", nil, []string{r.called(*people[0])})
	}
	selection, ok := p.one()
	if !ok || r.unsaid() {
		return "", nil
	}
	return r.letter("reply", selection, nil)
}

// forward passes a mail on to those who are named and did not send it.
func (r *reading) forward() (string, arguments) {
	var senders []*said
	var to []string
	for _, p := range r.outside() {
		if r.isSender(*p) || p.address == "" && !r.isRecipient(*p) && slices.ContainsFunc(r.mails, p.wrote) {
			senders = append(senders, p)
			continue
		}
		p.used = true
		to = append(to, r.called(*p))
	}
	selection, ok := r.pick(senders, "unread", "newsletter", "hasAttachment").which()
	ids, _ := selection["ids"].([]string)
	own := func(t Thing) bool { return slices.Contains(ids, t.ID) && slices.Contains(to, t.Letter.Sender) }
	if !ok || len(ids) == 0 || len(to) == 0 || r.unsaid() || r.missed() || slices.ContainsFunc(r.mails, own) {
		return "", nil // nobody is sent what they wrote
	}
	return r.letter("forward", selection, to)
}

// compose writes a new mail to those who are named as the ones to whom it goes. To someone of whom only a mail is
// known, it is an answer to that.
func (r *reading) compose() (string, arguments) {
	people := r.outside()
	asks := r.says("new mail") && !words()["ordering"].MatchString(r.Text) // the tool asks for the text
	if len(people) == 0 || r.body == "" && !asks || r.missed() || r.tellsMore() {
		return "", nil
	}
	var to []string
	for _, p := range people {
		if !r.isRecipient(*p) {
			return "", nil
		}
		p.used = true
		to = append(to, r.called(*p))
	}
	if strangers := keep(people, func(p *said) bool { return p.address == "" }); len(strangers) > 0 {
		p := r.pick(people)
		if selection, ok := p.one(); ok && len(people) == 1 {
			return r.letter("reply", selection, nil)
		}
	}
	tool, all := r.letter("new", nil, to)
	r.entitle(all)
	return tool, all
}

// tellsMore reports whether what is to be written begins with someone else who is to be told: "tell al and dana that".
func (r *reading) tellsMore() bool {
	at := slices.IndexFunc(r.words, func(w word) bool { return w.from >= r.bodyFrom })
	if at < 0 || at+1 >= len(r.words) || !words()["joins"].MatchString(r.words[at].lower) {
		return false
	}
	return r.personAt(at) != "" || r.personAt(at+1) != ""
}

// entitle sets the subject, if the message says it. What is only said to be written about makes a draft.
func (r *reading) entitle(all arguments) {
	before := strings.TrimSpace(r.Text[:r.bodyFrom])
	if r.subject != "" {
		all["subject"] = r.subject
	} else if i := strings.LastIndex(before, " "); words()["concerning"].MatchString(" " + before[i+1:] + " ") {
		all["subject"], all["body"], all["do"] = r.body, nil, "draft"
	}
}

// called is a person as the tools are told: by name or, if several have what was said, in the user's words.
func (r *reading) called(p said) string {
	for _, o := range r.People {
		if from, to := r.find(o.Said); to > from && from == p.from && o.Name != p.text {
			return r.Text[p.from:p.to]
		}
	}
	return p.text
}

// missed reports whether someone else stands beside a person to whom a mail goes: "to omar and the builder".
func (r *reading) missed() bool {
	for _, p := range r.outside() {
		at := form("further").FindStringSubmatchIndex(r.Text[p.to:])
		if at == nil || r.inBody(p.to+at[2]) || r.inPeople(said{from: p.to + at[2], to: p.to + at[3]}) {
			continue
		}
		next := strings.ToLower(r.Text[p.to+at[2] : p.to+at[3]])
		if tells(agenda.Fold(next)) > leastSubject && !words()["toward"].MatchString(next) {
			return true
		}
	}
	return false
}

// unclear reports whether a mail goes to "him" while someone else is said to have said something.
func (r *reading) unclear() bool {
	return r.says("pronoun") && slices.ContainsFunc(r.outside(), func(p *said) bool {
		_, after := r.neighbours(*p)
		return words()["saying"].MatchString(after)
	})
}
