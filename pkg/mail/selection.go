package mail

import (
	"fmt"
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/interval"
)

// Selection says which mails are meant. It is an argument of every tool that reads or changes mails, so that what is
// found can also be changed. Null and empty members select everything; all members must fit. The trash and the junk are
// meant only if the selection says so.
type Selection struct {
	// From and To are ids, addresses or names, as the user said them: one of them must be the sender's, or a recipient's.
	From []string `json:"from"`
	To   []string `json:"to"`
	// Subject are words that the subject has, and Words words that the mail has anywhere.
	Subject []string `json:"subject"`
	Words   []string `json:"words"`
	// Named are words that the subject or the sender's name has: "the parcel mails".
	Named []string `json:"named"`
	// Since and Until are dates, both included, or times.
	Since         *string `json:"since" jsonschema:"nullable"`
	Until         *string `json:"until" jsonschema:"nullable"`
	Unread        *bool   `json:"unread" jsonschema:"nullable"`
	Starred       *bool   `json:"starred" jsonschema:"nullable"`
	HasAttachment *bool   `json:"hasAttachment" jsonschema:"nullable"`
	// Newsletter is true of mails to many from which their owner can unsubscribe.
	Newsletter *bool `json:"newsletter" jsonschema:"nullable"`
	// Invitation is true of mails that ask their owner to an event.
	Invitation *bool   `json:"invitation" jsonschema:"nullable"`
	Label      *string `json:"label" jsonschema:"nullable"`
	Thread     *string `json:"thread" jsonschema:"nullable"`
	Folder     *string `json:"folder" jsonschema:"nullable"`
	// First is how many of the newest are meant.
	First *int `json:"first" jsonschema:"nullable"`
	// One says that the user means a single mail: if several fit, the tool asks.
	One *bool `json:"one" jsonschema:"nullable"`
	// IDs are those of an earlier result, and null if there is none: no mail is one of an empty result.
	IDs *[]string `json:"ids" jsonschema:"nullable"`
}

// AmbiguousError says that one mail was meant, and that several fit.
type AmbiguousError struct{ Options []Mail }

func (e *AmbiguousError) Error() string { return fmt.Sprintf("%d mails fit", len(e.Options)) }

// Query is what the selection asks of a mailbox. Today is that of the scene; people are found by their names too. An
// error is a fault that names the wrong member.
func (s Selection) Query(scene agenda.Scene) (q Query, err error) {
	q = Query{
		From: who(s.From, scene), To: who(s.To, scene), Subject: wordsOf(s.Subject), Words: wordsOf(s.Words),
		Named: wordsOf(s.Named), Newsletter: s.Newsletter, Invitation: s.Invitation,
		Unread: s.Unread, Starred: s.Starred, Attachment: s.HasAttachment, Label: value(s.Label), Thread: value(s.Thread),
	}
	if s.IDs != nil {
		q.IDs = append([]string{}, *s.IDs...)
	}
	if f := value(s.Folder); f != "" {
		q.Folders = []Folder{FolderCalled(f)}
	}
	zone := scene.Now.Location()
	if since := value(s.Since); since != "" {
		if q.Since, err = agenda.Moment(since, zone, "since"); err != nil {
			return q, err
		}
	}
	if until := value(s.Until); until != "" {
		if q.Until, err = agenda.Moment(until, zone, "until"); err != nil {
			return q, err
		}
		if day, err := interval.ParseDate(until); err == nil {
			q.Until = day.AddDays(1).Start(zone)
		}
	}
	return q, nil
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

func wordsOf(phrases []string) (words []string) {
	for _, phrase := range phrases {
		for _, word := range strings.Fields(phrase) {
			words = append(words, singular(word))
		}
	}
	return words
}

// singular is the beginning that a word has in common with its singular: "taxes" looks for "tax documents" too.
func singular(word string) string {
	const short = 4
	if len([]rune(word)) <= short || strings.HasSuffix(word, "ss") {
		return word
	}
	for _, ending := range []string{"xes", "ses", "zes", "ches", "shes"} {
		if strings.HasSuffix(word, ending) {
			return strings.TrimSuffix(word, "es")
		}
	}
	return strings.TrimSuffix(word, "s")
}

// who are names with the addresses of the people whom they mean.
func who(names []string, scene agenda.Scene) (all []string) {
	for _, name := range names {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		all = append(all, name)
		if scene.People == nil {
			continue
		}
		for _, p := range scene.People(name) {
			if p.Email != "" && !slices.Contains(all, p.Email) {
				all = append(all, p.Email)
			}
		}
	}
	return all
}
