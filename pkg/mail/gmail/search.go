package gmail

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/mail"
)

// archived is what has none of the labels of another folder.
const archived = "-in:inbox -in:sent -in:drafts -in:chats"

// listings are those in which a query's mails are, one for each folder. What Gmail cannot tell apart is left to
// mail.Query.
func (s *session) listings(q mail.Query) (all []listing) {
	base := listing{search: searchOf(q)}
	if q.Label != "" {
		label := s.labelled(q.Label)
		if label == "" {
			return nil
		}
		base.labels = []string{label}
	}
	if len(q.Folders) == 0 {
		base.search = join("-in:chats", base.search)
		return []listing{base}
	}
	for _, f := range q.Folders {
		l := base
		label, purpose := labelOf[f]
		if f == mail.Archive {
			l.search = join(archived, base.search)
			all = append(all, l)
			continue
		}
		if !purpose {
			label = s.labelled(string(f))
		}
		if label == "" || !purpose && slices.Contains(q.Folders, mail.Archive) && slices.Contains(q.Folders, mail.Inbox) {
			continue // no such label, or all of its mails are in the other folders
		}
		l.labels = append(slices.Clone(base.labels), label)
		l.buried = f == mail.Trash || f == mail.Junk
		all = append(all, l)
	}
	return all
}

// searchOf is a query in Gmail's language, as far as it has words for it: at least the mails that are meant, but that
// Gmail finds whole words, in the forms that it knows of them.
func searchOf(q mail.Query) string {
	terms := []string{
		flag(q.Unread, "is:unread"), flag(q.Starred, "is:starred"), either(q.From, "from"), either(q.To, "to", "cc", "bcc"),
		every(q.Subject, "subject"), every(q.Named, "subject", "from"),
	}
	if q.Attachment != nil && *q.Attachment {
		terms = append(terms, "has:attachment")
	}
	for _, phrase := range q.Words {
		terms = append(terms, words(phrase)...)
	}
	at := func(name string, t time.Time, margin int64) {
		if !t.IsZero() {
			terms = append(terms, fmt.Sprintf("%s:%d", name, t.Unix()+margin))
		}
	}
	at("after", q.Since, -1)
	at("before", q.Until, 2)
	if q.After != nil {
		at("before", q.After.Date, 2)
	}
	return join(terms...)
}

func join(terms ...string) string {
	return strings.Join(slices.DeleteFunc(terms, func(t string) bool { return t == "" }), " ")
}

func flag(asked *bool, term string) string {
	switch {
	case asked == nil:
		return ""
	case *asked:
		return term
	}
	return "-" + term
}

// words are those of a text, in lower case: Gmail's operators are in upper case, or have signs in them.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

// either are mails with one of the names or addresses in one of the fields.
func either(who []string, fields ...string) string {
	var terms []string
	for _, one := range who {
		for _, field := range fields {
			if all := words(one); len(all) > 0 {
				terms = append(terms, field+":("+strings.Join(all, " ")+")")
			}
		}
	}
	return group(terms)
}

// every are mails with all words, each in one of the fields.
func every(phrases []string, fields ...string) string {
	var all []string
	for _, phrase := range phrases {
		for _, word := range words(phrase) {
			var terms []string
			for _, field := range fields {
				terms = append(terms, field+":"+word)
			}
			all = append(all, group(terms))
		}
	}
	return join(all...)
}

// group are mails that fit one of the terms.
func group(terms []string) string {
	if len(terms) > 1 {
		return "{" + strings.Join(terms, " ") + "}"
	}
	return strings.Join(terms, "")
}

// mostCalled bounds the identifiers for which one search looks, and mostOwn the own mails that are looked through for
// one.
const (
	mostCalled = 30
	mostOwn    = 50
)

// byMessageID finds mails with one of the identifiers.
func byMessageID(ids ...string) listing {
	var terms []string
	for _, id := range ids[:min(len(ids), mostCalled)] {
		if !strings.ContainsAny(id, " \t\r\n\"(){}") && id != "" {
			terms = append(terms, "rfc822msgid:"+id)
		}
	}
	return listing{search: group(terms), buried: true}
}

// called are the mails with one of a query's identifiers. One that Convene made may have another by now: it is looked
// for among the newest of its folder.
func (s *session) called(ctx context.Context, q mail.Query) (ids []string, err error) {
	if l := byMessageID(q.MessageIDs...); l.search != "" {
		if ids, _, err = s.ids(ctx, l, 2*mostCalled); err != nil {
			return nil, err
		}
	}
	for _, f := range []mail.Folder{mail.Sent, mail.Drafts} {
		if len(ids) > 0 || !slices.Contains(q.Folders, f) {
			continue
		}
		if ids, err = s.sentAs(ctx, q.MessageIDs, listing{labels: []string{labelOf[f]}}); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// sentAs are the first mails of a listing that Convene made under one of the identifiers, from what is known of them if
// that has them.
func (s *session) sentAs(ctx context.Context, messageIDs []string, in listing) (ids []string, err error) {
	s.mu.Lock()
	for id, h := range s.heads {
		if h.sentAs != "" && h.own() && slices.Contains(messageIDs, h.sentAs) && slices.Contains(h.labels, in.labels[0]) {
			ids = append(ids, id)
		}
	}
	s.mu.Unlock()
	if len(ids) > 0 {
		return ids, nil
	}
	newest, _, err := s.ids(ctx, in, mostOwn)
	if err == nil {
		err = s.eachHead(ctx, newest, asked{}, func(h head, _ string) error {
			if h.own() && slices.Contains(messageIDs, h.sentAs) {
				ids = append(ids, h.ID)
			}
			return nil
		})
	}
	return ids, err
}

// thread are the mails of Gmail's conversation in which the mail with an identifier is; none if that is not known.
func (s *session) thread(ctx context.Context, messageID string) (ids []string, err error) {
	conversation, err := s.conversation(ctx, messageID)
	if conversation == "" || err != nil {
		return nil, err
	}
	all, err := s.api.Threads.Get(me, conversation).Format("minimal").Fields("messages(id)").Context(ctx).Do()
	if err != nil {
		return nil, err
	}
	for _, m := range all.Messages {
		ids = append(ids, m.Id)
	}
	return ids, nil
}

// conversation is Gmail's id of the conversation of a mail with one of the identifiers, or of one that is known to
// belong to it; empty if there is none.
func (s *session) conversation(ctx context.Context, messageIDs ...string) (string, error) {
	if l := byMessageID(messageIDs...); l.search != "" {
		if _, threads, err := s.ids(ctx, l, 1); err != nil || len(threads) > 0 {
			return strings.Join(threads, ""), err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.heads {
		if slices.Contains(messageIDs, h.Thread) {
			return h.conversation, nil
		}
	}
	return "", nil
}
