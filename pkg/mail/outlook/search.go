package outlook

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/account/graph"
	"convene/pkg/mail"
)

// filterOf are the parameters for the mails of a query, the newest first: those of its time, and whole asks for more.
// What is sorted by must be filtered by first (https://learn.microsoft.com/graph/api/user-list-messages). What Graph is
// not asked for is left to mail.Query.
func filterOf(q mail.Query, whole bool) graph.Query {
	from, until := time.Unix(0, 0), q.Until
	if !q.Since.IsZero() {
		from = q.Since.Add(-time.Second)
	}
	if q.After != nil && (until.IsZero() || q.After.Date.Before(until)) {
		until = q.After.Date
	}
	terms := []string{"receivedDateTime ge " + from.UTC().Format(time.RFC3339)}
	add := func(wanted bool, term string) {
		if wanted {
			terms = append(terms, term)
		}
	}
	add(!until.IsZero(), "receivedDateTime le "+until.Add(time.Second).UTC().Format(time.RFC3339))
	add(whole && q.Unread != nil && *q.Unread, "isRead eq false")
	add(whole && q.Starred != nil && *q.Starred, "flag/flagStatus eq '"+flagged+"'")
	add(whole && q.Label != "", "categories/any(c:c eq "+graph.Quoted(q.Label)+")")
	return graph.Query{}.With("$filter", strings.Join(terms, " and ")).With("$orderby", "receivedDateTime desc")
}

// searchOf is a query in Exchange's language (KQL); empty if it asks for nothing that has to be searched for. Its words
// are in lower case: operators are in upper case.
func searchOf(q mail.Query) string {
	terms := []string{
		either(q.From, "from"), either(q.To, "to", "cc", "bcc"), every(q.Subject, "subject:"),
		every(q.Named, "subject:", "from:"), every(q.Words, "", "participants:"),
	}
	if q.Attachment != nil && *q.Attachment {
		terms = append(terms, "hasAttachments:true")
	}
	if join(terms, " AND ") == "" {
		return ""
	}
	// Days are those of the mailbox's zone.
	const day = 24 * time.Hour
	at := func(sign string, t time.Time, margin time.Duration) {
		if !t.IsZero() {
			terms = append(terms, "received"+sign+t.Add(margin).UTC().Format(time.DateOnly))
		}
	}
	at(">=", q.Since, -day)
	at("<=", q.Until, day)
	if q.After != nil {
		at("<=", q.After.Date, day)
	}
	return `"` + join(terms, " AND ") + `"`
}

func join(terms []string, sign string) string {
	return strings.Join(slices.DeleteFunc(terms, func(t string) bool { return t == "" }), sign)
}

// group are mails that fit one of the terms.
func group(terms []string) string {
	if len(terms) > 1 {
		return "(" + strings.Join(terms, " OR ") + ")"
	}
	return strings.Join(terms, "")
}

// words are those of a text, in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

// every are mails with all words, each as the beginning of one in one of the fields.
func every(phrases []string, fields ...string) string {
	var all []string
	for _, phrase := range phrases {
		for _, word := range words(phrase) {
			var terms []string
			for _, field := range fields {
				terms = append(terms, field+word+"*")
			}
			all = append(all, group(terms))
		}
	}
	return join(all, " AND ")
}

// either are mails with one of the names or addresses in one of the fields.
func either(who []string, fields ...string) string {
	var terms []string
	for _, one := range who {
		for _, field := range fields {
			if all := every([]string{one}, field+":"); all != "" {
				terms = append(terms, "("+all+")")
			}
		}
	}
	return group(terms)
}

// atATime bounds the identifiers for which one request looks.
const atATime = 10

// called are the mails with one of a query's identifiers. One that Convene made may have another by now.
func (s *session) called(ctx context.Context, q mail.Query) (mails []mail.Mail, err error) {
	for some := range slices.Chunk(q.MessageIDs, atATime) {
		var terms []string
		for _, id := range some {
			terms = append(terms, "internetMessageId eq "+graph.Quoted("<"+id+">"))
		}
		found, err := s.filtered(ctx, q, strings.Join(terms, " or "))
		if err != nil {
			return nil, err
		}
		mails = append(mails, found...)
	}
	if len(mails) > 0 || !q.In(mail.Sent) && !q.In(mail.Drafts) {
		return mails, nil
	}
	of := q
	of.MessageIDs = nil
	for _, id := range q.MessageIDs {
		found, err := s.filtered(ctx, of, graph.WithProperty(ownProperty, id))
		if err != nil {
			return nil, err
		}
		mails = append(mails, found...)
	}
	return mails, nil
}

// filtered are the mails that a filter finds and a query means.
func (s *session) filtered(ctx context.Context, q mail.Query, filter string) (mails []mail.Mail, err error) {
	found, err := s.messages(ctx, filter)
	if err != nil {
		return nil, err
	}
	return s.fitting(ctx, q, found)
}

// messages are those that a filter finds, in any folder.
func (s *session) messages(ctx context.Context, filter string) (found []*message, err error) {
	how := graph.Query{}.With("$filter", filter).With("$top", "100")
	all := graph.Get("/me/messages", slices.Concat(how, selected, expanded))
	_, err = graph.Walk(ctx, s.graph, graph.By(s.account.ID), all, func(m *message) error {
		found = append(found, m)
		return nil
	})
	return found, err
}

// thread are the mails of a conversation. It is the one of the mail that began it or, if that is not here, of one that
// refers to it.
func (s *session) thread(ctx context.Context, q mail.Query) ([]mail.Mail, error) {
	first := "<" + q.Thread + ">"
	for _, filter := range []string{
		"internetMessageId eq " + graph.Quoted(first),
		"singleValueExtendedProperties/Any(ep: ep/id eq " + graph.Quoted(referencesProperty) + " and startswith(ep/value, " +
			graph.Quoted(first) + "))",
		graph.WithProperty(replyProperty, first),
	} {
		found, err := s.messages(ctx, filter)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			return s.filtered(ctx, q, "conversationId eq "+graph.Quoted(found[0].Conversation))
		}
	}
	return nil, nil
}
