package email

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"convene/functions/world"
	"convene/pkg/mail"
)

//go:embed get_backlog.md
var getBacklogWords string

// GetBacklogArguments say what of the inbox is shown; all of it if Status is empty.
type GetBacklogArguments struct {
	Status []string `json:"status" jsonschema:"enum=unread,enum=backlog"`
	Limit  *int     `json:"limit" jsonschema:"nullable"`
}

// Backlog are the mails of the inbox that are still to be dealt with.
type Backlog struct {
	Emails []BacklogItem `json:"emails"`
	// Total counts all of them; -1 if that is not known. More says that there are others than these.
	Total int  `json:"total"`
	More  bool `json:"more"`
}

// BacklogItem is a mail with its status: unread, or backlog if it was read and has stayed in the inbox.
type BacklogItem struct {
	ID             string           `json:"id"`
	From           string           `json:"from"`
	FromEmail      string           `json:"fromEmail"`
	Subject        string           `json:"subject"`
	ReceivedAt     time.Time        `json:"receivedAt"`
	Status         string           `json:"status"`
	HasAttachments bool             `json:"hasAttachments"`
	Provenance     world.Provenance `json:"provenance"`
}

// getBacklog shows what lies in the inbox.
func getBacklog() world.Tool {
	return world.Define("email_getBacklog", getBacklogWords, reads(), func(
		ctx context.Context, w *world.World, in GetBacklogArguments,
	) (answer world.Answer[Backlog], err error) {
		limit, err := limitOf(in.Limit)
		if err != nil {
			return answer, err
		}
		s := Which{}.inFolder(mail.Selection{}, mail.Inbox)
		if unread := slices.Contains(in.Status, "unread"); unread != slices.Contains(in.Status, "backlog") {
			s.Unread = &unread
		}
		found, err := w.FindMails(ctx, s, limit)
		if err != nil {
			return answer, err
		}
		shown := list(w, found)
		answer = world.Answer[Backlog]{
			Data:    Backlog{Emails: []BacklogItem{}, Total: found.Total, More: found.More},
			Display: shown.Display, Title: shown.Title, Description: shown.Description, Components: shown.Components,
			Suggestions: shown.Suggestions,
		}
		for _, m := range found.Mails {
			item := BacklogItem{
				ID: m.ID, From: m.From.Name, FromEmail: m.From.Email, Subject: m.Subject, ReceivedAt: m.Date.In(w.Zone()),
				Status: "unread", HasAttachments: m.HasAttachments, Provenance: world.Provenance{Foreign: true},
			}
			if m.Read {
				item.Status = "backlog"
			}
			answer.Data.Emails = append(answer.Data.Emails, item)
		}
		return answer, nil
	})
}
