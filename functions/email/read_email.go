package email

import (
	"context"
	_ "embed"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
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
	// Invites is the invitation that it carries. Offers are the times that it proposes, held against the calendar, and
	// Actions what it asks for, in its own words.
	Invites *world.InvitationItem `json:"invites" jsonschema:"nullable"`
	Offers  []world.Offered       `json:"offers"`
	Actions []mail.Action         `json:"actions"`
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
			Attachments: m.Attachments, Cut: m.Cut, Offers: []world.Offered{}, Actions: []mail.Action{},
		}
		answer.Display, answer.Title = meet.CardDisplay, w.Voice().Title(m.Subject)
		answer.Components = w.MailCards([]mail.Mail{m.Mail})
		parts := []string{told(w, m)}
		invitation, invites, err := w.TellInvitation(ctx, m)
		if err != nil {
			return answer, err
		}
		if answer.Data.Invites = invites; invites == nil {
			offers, list, err := w.TellOffers(ctx, m)
			if err != nil {
				return answer, err
			}
			invitation, answer.Data.Offers = offers, append(answer.Data.Offers, list...)
		}
		if invitation != "" {
			parts = append(parts, invitation)
		}
		answer.Description = strings.Join(parts, "\n\n")
		if reader, err := w.Reader(ctx); err == nil {
			answer.Data.Actions = append(answer.Data.Actions, reader.Judge(m).Actions...)
		}
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

// mostForwarded is how many mails are passed on at once.
const mostForwarded = 10

// each are the mails that are meant: several only if a list of ids says which, or how many of the newest.
func (in ReadEmailArguments) each(ctx context.Context, w *world.World) (mails []mail.Message, err error) {
	s := in.Selection
	if in.EmailID != nil || s == nil || s.One != nil && *s.One || s.First == nil && (s.IDs == nil || len(*s.IDs) < 2) {
		m, err := in.read(ctx, w)
		return []mail.Message{m}, err
	}
	found, err := w.MailTargets(ctx, *s)
	if err != nil {
		return nil, err
	}
	if len(found.Mails) > mostForwarded {
		return nil, fault.New(fault.TooLarge, "%s", w.Say("mailTooMany", "n", strconv.Itoa(mostForwarded)))
	}
	for _, f := range found.Mails {
		m, err := w.ReadMail(ctx, f.ID)
		if err != nil {
			return nil, err
		}
		mails = append(mails, m)
	}
	return mails, nil
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
