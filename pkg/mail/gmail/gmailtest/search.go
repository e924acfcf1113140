package gmailtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/mail"
)

// means reports whether a search means a message.
type means func(*message) bool

// parse reads a search: terms that all fit, {terms of which one fits}, (terms), -term, field:term and words.
func parse(q string) (means, error) {
	p := &parser{rest: q}
	all, err := p.terms("")
	return every(all), err
}

type parser struct{ rest string }

func every(list []means) means {
	return func(m *message) bool { return !slices.ContainsFunc(list, func(f means) bool { return !f(m) }) }
}

func some(list []means) means {
	return func(m *message) bool { return slices.ContainsFunc(list, func(f means) bool { return f(m) }) }
}

// terms are those up to a closing sign, each about a field.
func (p *parser) terms(field string) (list []means, err error) {
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		if p.rest == "" || p.rest[0] == ')' || p.rest[0] == '}' {
			return list, nil
		}
		one, err := p.term(field)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
}

func (p *parser) group(field string, closing byte, join func([]means) means) (means, error) {
	p.rest = p.rest[1:]
	list, err := p.terms(field)
	if err == nil && (p.rest == "" || p.rest[0] != closing) {
		err = errors.New("a group is not closed")
	}
	if err != nil {
		return nil, err
	}
	p.rest = p.rest[1:]
	return join(list), nil
}

func (p *parser) term(field string) (means, error) {
	switch p.rest[0] {
	case '-':
		p.rest = p.rest[1:]
		one, err := p.term(field)
		return func(m *message) bool { return !one(m) }, err
	case '(':
		return p.group(field, ')', every)
	case '{':
		return p.group(field, '}', some)
	}
	end := strings.IndexAny(p.rest, " (){}")
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	name, value, named := strings.Cut(word, ":")
	switch {
	case named && value == "" && strings.HasPrefix(p.rest, "("):
		return p.group(name, ')', every)
	case named:
		return about(name, value)
	case field != "":
		return about(field, word)
	}
	return about("text", word)
}

// about is one term.
func about(field, value string) (means, error) {
	labelled := func(label string) (means, error) {
		return func(m *message) bool { return slices.Contains(m.labels, label) }, nil
	}
	switch field {
	case "in":
		return labelled(map[string]string{
			"inbox": "INBOX", "sent": "SENT", "drafts": "DRAFT", "trash": "TRASH", "spam": "SPAM", "chats": "CHAT",
		}[value])
	case "is":
		return labelled(map[string]string{"unread": "UNREAD", "starred": "STARRED"}[value])
	case "has":
		return func(m *message) bool { return m.is.HasAttachments }, nil
	case "rfc822msgid":
		return func(m *message) bool { return m.is.MessageID == value }, nil
	case "after", "before":
		var seconds int64
		if _, err := fmt.Sscan(value, &seconds); err != nil {
			return nil, err
		}
		at := time.Unix(seconds, 0)
		if field == "after" {
			return func(m *message) bool { return m.at.After(at) }, nil
		}
		return func(m *message) bool { return m.at.Before(at) }, nil
	}
	if texts[field] == nil {
		return nil, fmt.Errorf("%s: is not known", field)
	}
	return func(m *message) bool { return slices.Contains(wordsOf(texts[field](m)), strings.ToLower(value)) }, nil
}

// texts are where words are looked for.
var texts = map[string]func(*message) string{
	"subject": func(m *message) string { return m.is.Subject },
	"from":    func(m *message) string { return names(m.is.From) },
	"to":      func(m *message) string { return names(m.is.To...) },
	"cc":      func(m *message) string { return names(m.is.CC...) },
	"bcc":     func(m *message) string { return names(m.is.BCC...) },
	"text": func(m *message) string {
		return m.is.Subject + " " + names(m.is.People()...) + " " + m.is.Text + " " + m.is.Quoted
	},
}

func names(list ...mail.Address) (all string) {
	for _, a := range list {
		all += a.Name + " " + a.Email + " "
	}
	return all
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}
