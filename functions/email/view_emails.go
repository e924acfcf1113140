package email

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/mail"
)

//go:embed view_emails.md
var viewEmailsWords string

// ViewEmailsArguments say which mails of the inbox, or of another folder.
type ViewEmailsArguments struct {
	Selection *mail.Selection `json:"selection" jsonschema:"nullable"`
	Urgency   *string         `json:"urgency" jsonschema:"nullable,enum=urgent,enum=important,enum=normal"`
	Limit     *int            `json:"limit" jsonschema:"nullable"`
}

// viewEmails shows mails, the newest first.
func viewEmails() world.Tool {
	return world.Define("email_viewEmails", world.WithMailSelection(viewEmailsWords), reads(), func(
		ctx context.Context, w *world.World, in ViewEmailsArguments,
	) (answer world.Answer[List], err error) {
		limit, err := limitOf(in.Limit)
		if err != nil {
			return answer, err
		}
		var s mail.Selection
		if in.Selection != nil {
			s = *in.Selection
		}
		s = Which{}.inFolder(s, mail.Inbox)
		if in.Urgency == nil {
			found, err := w.FindMails(ctx, s, limit)
			if err != nil {
				return answer, err
			}
			return list(w, found), nil
		}
		judged, found, err := judge(ctx, w, s)
		if err != nil {
			return answer, err
		}
		found.Mails = nil
		for _, j := range judged {
			if j.level() == *in.Urgency && len(found.Mails) < limit {
				found.Mails = append(found.Mails, j.mail)
			}
		}
		found.Total = -1
		return list(w, found), nil
	})
}
