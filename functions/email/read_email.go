package email

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/message"
)

//go:embed read_email.md
var readEmailWords string

// ReadEmailArguments say which mail is to be read.
type ReadEmailArguments struct {
	EmailID   *string         `json:"emailId" jsonschema:"nullable"`
	Selection *mail.Selection `json:"selection" jsonschema:"nullable"`
}

// Whole is the data of a tool that reads a mail.
type Whole struct {
	world.MailItem
	// Text is what the mail itself says, and Quoted what it repeats of others.
	Text        string      `json:"text"`
	Quoted      string      `json:"quoted"`
	Links       []mail.Link `json:"links"`
	Attachments []mail.Part `json:"attachments"`
	// Cut says that the mail is larger than what was read of it.
	Cut bool `json:"cut"`
}

// readEmail reads one mail, and marks nothing.
func readEmail() world.Tool {
	return world.Define("email_readEmail", world.WithMailSelection(readEmailWords), reads(), func(
		ctx context.Context, w *world.World, in ReadEmailArguments,
	) (answer world.Answer[Whole], err error) {
		m, err := in.read(ctx, w)
		if err != nil {
			return answer, err
		}
		answer.Data = Whole{
			MailItem: w.MailItems([]mail.Mail{m.Mail}, false)[0], Text: m.Text, Quoted: m.Quoted, Links: m.Links,
			Attachments: m.Attachments, Cut: m.Cut,
		}
		answer.Display, answer.Title = meet.CardDisplay, w.Voice().Title(m.Subject)
		answer.Components = w.MailCards([]mail.Mail{m.Mail})
		answer.Description = told(w, m)
		answer.Suggestions = []string{say(w, "askArchive"), say(w, "askTask")}
		return answer, nil
	})
}

// read is the mail that is meant.
func (in ReadEmailArguments) read(ctx context.Context, w *world.World) (m mail.Message, err error) {
	if in.EmailID != nil && in.Selection == nil {
		return w.ReadMail(ctx, *in.EmailID)
	}
	which := Which{Selection: in.Selection}
	s, err := which.selection("")
	if err != nil {
		return m, err
	}
	if s.First == nil {
		s.One = new(true)
	}
	found, err := w.MailTargets(ctx, s)
	if err != nil {
		return m, err
	}
	return w.ReadMail(ctx, found.Mails[0].ID)
}

// told is a mail in words. What others wrote is quoted, with inert links.
func told(w *world.World, m mail.Message) string {
	v := w.Voice()
	parts := []string{w.MailLine(m.Mail)}
	text := m.Text
	if text == "" {
		text = m.Quoted
	}
	if quoted := message.Quote(text); quoted != "" {
		parts = append(parts, quoted)
	} else {
		parts = append(parts, say(w, "noText"))
	}
	if len(m.Attachments) > 0 {
		var names []string
		for _, a := range m.Attachments {
			names = append(names, v.Quote(a.Name))
		}
		parts = append(parts, say(w, "attachments", "names", v.List(names)))
	}
	for _, l := range m.Links {
		if l.Deceives {
			parts = append(parts, say(w, "deceives", "url", v.Quote(l.URL)))
			break
		}
	}
	if m.Cut {
		parts = append(parts, say(w, "cut"))
	}
	return strings.Join(parts, "\n\n")
}
