package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"convene/pkg/mail"
)

// example is a mail of a file, with what it asks for. A line of a file is
//
//	category language facts | Name <address> | subject | beginning of the text
//
// The facts, separated by commas, are what the header and the reader's history say of it; - if they say nothing.
type example struct {
	line     string
	language string
	category mail.Category
	reader   mail.Reader
	message  mail.Message
}

// owner is the reader's address.
const owner = "alex@lumenworks.example"

// now is when the mails are judged.
var now = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

// readExamples reads a file.
func readExamples(file string) (all []example, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		one, err := exampleOf(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", file, line, err)
		}
		all = append(all, one)
	}
	return all, nil
}

func exampleOf(line string) (e example, err error) {
	parts := strings.SplitN(line, " | ", 4)
	head := strings.Fields(parts[0])
	name, address, ok := strings.Cut(parts[min(1, len(parts)-1)], " <")
	if len(parts) != 4 || len(head) != 3 || !ok {
		return e, fmt.Errorf("it is not of the form of a mail")
	}
	e = example{line: line, category: mail.Category(head[0]), language: head[1]}
	m := &e.message
	m.From, m.To = mail.Address{Name: name, Email: strings.TrimSuffix(address, ">")}, []mail.Address{{Email: owner}}
	m.Subject, m.Text, m.MessageID, m.Date = parts[2], parts[3], "this@x", now.Add(-time.Hour)
	facts := strings.Split(head[2], ",")
	is := func(fact string) bool { return slices.Contains(facts, fact) }
	m.Signs = mail.SignsOf(m.From)
	m.Signs.Unsubscribe = is("unsub")
	m.Signs.List = is("unsub") || is("list")
	m.Signs.Automatic = m.Signs.Automatic || is("auto")
	m.Signs.Report = is("report")
	if is("cc") {
		m.To, m.CC = []mail.Address{{Email: "tom@lumenworks.example"}}, m.To
	}
	for i := range 9 {
		if is("many") {
			m.To = append(m.To, mail.Address{Email: fmt.Sprintf("p%d@lumenworks.example", i)})
		}
	}
	for _, method := range []string{"request", "cancel"} {
		if is(method) {
			m.Invitation = method
		}
	}
	if is("deceives") {
		m.Links = []mail.Link{{Text: "bank.example", URL: "https://evil.example", Deceives: true}}
	}
	e.reader = readerOf(m, is)
	return e, nil
}

// readerOf is a reader of whose history the facts are true.
func readerOf(m *mail.Message, is func(string) bool) mail.Reader {
	var sent, filed []mail.Mail
	if is("wrote") || is("reply") {
		sent = append(sent, mail.Mail{From: mail.Address{Email: owner}, To: []mail.Address{m.From}, MessageID: "mine@x"})
	}
	if is("reply") {
		m.InReplyTo = "mine@x"
	}
	if is("answered") {
		sent = append(sent, mail.Mail{To: []mail.Address{m.From}, InReplyTo: m.MessageID})
	}
	for range 3 {
		if is("filed") {
			filed = append(filed, mail.Mail{From: m.From, State: mail.State{Folder: mail.Archive}})
		}
	}
	return mail.Reader{
		Addresses: []string{owner}, Names: []string{"Alex", "אלכס"}, Now: now, History: mail.HistoryOf(sent, filed),
		Known: func(email string) bool { return is("known") && strings.EqualFold(email, m.From.Email) },
		Named: func(name string) bool { return is("named") && name == m.From.Name },
	}
}
