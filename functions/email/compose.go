package email

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed compose.md
var composeWords string

// ComposeArguments say what is written to whom.
type ComposeArguments struct {
	Kind string `json:"kind" jsonschema:"enum=new,enum=reply,enum=forward"`
	ReadEmailArguments
	ReplyAll *bool    `json:"replyAll" jsonschema:"nullable"`
	To       []string `json:"to"`
	CC       []string `json:"cc"`
	Subject  *string  `json:"subject" jsonschema:"nullable"`
	Body     *string  `json:"body" jsonschema:"nullable"`
	Do       *string  `json:"do" jsonschema:"nullable,enum=draft,enum=send"`
}

// Composed is the data of a tool that writes a mail.
type Composed struct {
	// Email is the mail as it will stand among the sent ones or the drafts.
	Email       world.MailItem `json:"email"`
	Body        string         `json:"body"`
	Attachments []mail.Part    `json:"attachments"`
	// Notes are what the user should know before it is sent.
	Notes []string `json:"notes"`
	// Others are the other mails, if several are forwarded.
	Others []world.MailItem `json:"others"`
}

// compose writes a mail.
func compose() world.Tool {
	return world.Define("email_compose", world.WithMailSelection(composeWords), changes(meet.CreateResource), composed)
}

func composed(ctx context.Context, w *world.World, in ComposeArguments) (answer world.Answer[Composed], err error) {
	if in.Kind == "forward" {
		return in.forwarded(ctx, w)
	}
	var l mail.Letter
	var of *mail.Message
	if in.Kind != "new" || in.EmailID != nil || in.Selection != nil {
		m, err := in.read(ctx, w)
		if err != nil {
			return answer, err
		}
		of = &m
	}
	switch {
	case in.Kind == "reply":
		l, err = in.reply(w, *of)
	case of == nil:
		l, err = in.blank(w)
	case of.Folder == mail.Drafts:
		l, err = in.draft(ctx, w, *of)
	default:
		err = tool.BadArgument("emailId", "%s", say(w, "noDraft"))
	}
	if err != nil {
		return answer, err
	}
	return in.written(ctx, w, l)
}

// forwarded is the answer with the mails that are passed on: several only if each of them is chosen.
func (in ComposeArguments) forwarded(ctx context.Context, w *world.World) (answer world.Answer[Composed], err error) {
	mails, err := in.each(ctx, w)
	if err != nil {
		return answer, err
	}
	letters := make([]mail.Letter, len(mails))
	for i, m := range mails {
		if letters[i], err = in.forward(ctx, w, m); err != nil {
			return answer, err
		}
	}
	return in.written(ctx, w, letters...)
}

// written is the answer with letters, at least one, once it is known to whom they go.
func (in ComposeArguments) written(
	ctx context.Context, w *world.World, letters ...mail.Letter,
) (answer world.Answer[Composed], err error) {
	var all []mail.Mail
	for _, l := range letters {
		if l.Folder = mail.Sent; in.Do != nil && *in.Do == "draft" {
			l.Folder = mail.Drafts
		} else if len(l.Recipients()) == 0 {
			return answer, missing(w, "askTo")
		}
		c, l, err := w.Letter(ctx, l)
		if err != nil {
			return answer, err
		}
		if all = append(all, l.Mail()); len(all) == 1 {
			answer.Data = Composed{Body: l.Text, Attachments: []mail.Part{}, Notes: []string{}}
			for _, e := range l.Enclosures {
				answer.Data.Attachments = append(answer.Data.Attachments, e.Part)
			}
		}
		answer.Changes = append(answer.Changes, c)
		for _, note := range l.Notes {
			if !slices.Contains(answer.Data.Notes, note) {
				answer.Data.Notes = append(answer.Data.Notes, note)
			}
		}
	}
	answer.Description = strings.Join(answer.Data.Notes, "\n\n")
	items := w.MailItems(all, true)
	answer.Data.Email, answer.Data.Others = items[0], items[1:]
	answer.Display, answer.Title = meet.ConfirmationDisplay, w.Voice().Count(phrases, "changes", len(all))
	answer.Components = w.MailCards(all)
	return answer, nil
}

// missing asks for what has to be known.
func missing(w *world.World, what string) error { return fault.New("missing", "%s", say(w, what)) }

// recipients fills in those whom the user named. Known are those of the mail that is answered.
func (in ComposeArguments) recipients(w *world.World, l *mail.Letter, known []mail.Address) error {
	to, err := w.Recipients("to", in.To, known)
	if err != nil {
		return err
	}
	cc, err := w.Recipients("cc", in.CC, known)
	if err != nil {
		return err
	}
	if len(to) > 0 {
		l.To = to
	}
	l.CC = slices.DeleteFunc(append(slices.Clone(l.CC), cc...), func(a mail.Address) bool {
		return slices.ContainsFunc(l.To, func(o mail.Address) bool { return o.Is(a.Email) })
	})
	return nil
}

// blank is a new mail.
func (in ComposeArguments) blank(w *world.World) (l mail.Letter, err error) {
	subject, body := said(in.Subject), said(in.Body)
	switch {
	case body == "" && subject == "":
		return l, missing(w, "askBody")
	case body == "":
		body = say(w, "new.body", "subject", subject)
	case subject == "":
		subject = mail.SubjectOf(body)
	}
	l.Subject, l.Text = subject, body
	return l, in.recipients(w, &l, nil)
}

// draft is a draft that goes on: what the user says replaces what it has.
func (in ComposeArguments) draft(ctx context.Context, w *world.World, m mail.Message) (l mail.Letter, err error) {
	l = mail.Letter{
		To: m.To, CC: m.CC, Subject: cmp.Or(said(in.Subject), m.Subject), InReplyTo: m.InReplyTo, References: m.References,
		ForwardOf: m.ForwardOf, Draft: m.ID,
		Text: strings.TrimSpace(cmp.Or(said(in.Body), m.Text) + "\n\n" + m.Quoted),
	}
	if l.Enclosures, err = w.Mail.Enclosures(ctx, m.ID); err != nil {
		return l, err
	}
	return l, in.recipients(w, &l, nil)
}

// reply is an answer to a mail.
func (in ComposeArguments) reply(w *world.World, m mail.Message) (l mail.Letter, err error) {
	all := in.ReplyAll != nil && *in.ReplyAll
	l.To, l.CC = m.Answers(w.IsOwn, all)
	if err := in.recipients(w, &l, m.People()); err != nil {
		return l, err
	}
	l = l.InThread(m.Mail)
	l.Subject = cmp.Or(said(in.Subject), "Re: "+mail.Topic(m.Subject))
	l.Text = cmp.Or(said(in.Body), say(w, "reply.body")) + "\n\n" +
		say(w, "wrote", "date", dateOf(w, m), "sender", named(m.From)) + "\n" + mail.Quoted(cmp.Or(m.Text, m.Quoted))
	sender := slices.ContainsFunc(l.To, func(a mail.Address) bool { return a.Is(m.From.Email) })
	if elsewhere := m.ElsewhereReplies(); len(elsewhere) > 0 && sender {
		var list []string
		for _, a := range elsewhere {
			list = append(list, w.Sender(a))
		}
		l.Notes = append(l.Notes, say(w, "replyElsewhere", "address", w.Voice().List(list)))
	}
	if m.Signs.Automatic || m.Signs.Report {
		if w.Unattended {
			return l, fault.New(world.NeverWritten, "%s", say(w, "loop", "title", w.Voice().Title(m.Subject)))
		}
		l.Notes = append(l.Notes, say(w, "automatic", "title", w.Voice().Title(m.Subject)))
	}
	if sender && w.Disguised(m.From) {
		l.Notes = append(l.Notes, say(w, "disguised", "sender", w.Sender(m.From)))
	}
	if n := len(l.Recipients()); all && n > 1 {
		l.Notes = append(l.Notes, say(w, "toAll", "n", strconv.Itoa(n)))
	}
	return l, nil
}

// forward passes a mail on, with its text and its attachments.
func (in ComposeArguments) forward(ctx context.Context, w *world.World, m mail.Message) (l mail.Letter, err error) {
	if err := in.recipients(w, &l, nil); err != nil {
		return l, err
	}
	if l.ForwardOf = m.MessageID; m.MessageID != "" {
		l.References = []string{m.MessageID}
	}
	l.Subject = cmp.Or(said(in.Subject), "Fwd: "+mail.Topic(m.Subject))
	var to []string
	for _, a := range m.To {
		to = append(to, named(a))
	}
	l.Text = cmp.Or(said(in.Body), say(w, "forward.body")) + "\n\n" + say(w, "forwarded",
		"sender", named(m.From), "date", dateOf(w, m), "subject", m.Subject, "to", strings.Join(to, ", ")) +
		"\n\n" + strings.TrimSpace(m.Whole())
	if l.Enclosures, err = w.Mail.Enclosures(ctx, m.ID); err != nil {
		return l, err
	}
	if m.Cut {
		l.Notes = append(l.Notes, say(w, "cut"))
	}
	return l, nil
}

func said(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

// named is an address as mail programs write it into a text.
func named(a mail.Address) string {
	if a.Name == "" {
		return a.Email
	}
	return a.Name + " <" + a.Email + ">"
}

func dateOf(w *world.World, m mail.Message) string {
	return m.Date.In(w.Zone()).Format("2006-01-02 15:04")
}
