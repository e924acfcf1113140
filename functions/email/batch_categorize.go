package email

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

//go:embed batch_categorize.md
var batchCategorizeWords string

// BatchCategorizeArguments say which mails; those of the inbox if nothing does.
type BatchCategorizeArguments struct {
	Which
	Category *mail.Category `json:"category" jsonschema:"nullable,enum=needs_reply,enum=potential_task,enum=important_info,enum=can_archive,enum=unknown"`
}

// Batch are mails with what each asks for, the most urgent first.
type Batch struct {
	Categorized []Categorized    `json:"categorized"`
	Emails      []world.MailItem `json:"emails"`
	// More says that there are mails that were not looked at.
	More bool `json:"more"`
}

// categories are in the order in which they are told.
func categories() []mail.Category {
	return []mail.Category{mail.NeedsReply, mail.PotentialTask, mail.ImportantInfo, mail.Unknown, mail.CanArchive}
}

// batchCategorize sorts mails by what they ask for.
func batchCategorize() world.Tool {
	return world.Define("email_batchCategorize", world.WithMailSelection(batchCategorizeWords), reads(), func(
		ctx context.Context, w *world.World, in BatchCategorizeArguments,
	) (answer world.Answer[Batch], err error) {
		if in.Selection == nil && len(in.EmailIDs) == 0 {
			in.Selection = &mail.Selection{}
		}
		s, err := in.selection(mail.Inbox)
		if err != nil {
			return answer, err
		}
		all, found, err := judge(ctx, w, s)
		if err != nil {
			return answer, err
		}
		return sorted(w, all, found, in.Category), nil
	})
}

// sorted is the answer that shows mails by their categories; those of one category, if it is named.
func sorted(
	w *world.World, all []judged, found world.FoundMails, only *mail.Category,
) (answer world.Answer[Batch]) {
	answer.Data = Batch{Categorized: []Categorized{}, Emails: []world.MailItem{}, More: found.More}
	answer.Display = meet.ListDisplay
	var parts []string
	for _, c := range categories() {
		if only != nil && *only != c {
			continue
		}
		if said := answer.Data.add(w, c, all); said != "" {
			parts = append(parts, said)
		}
	}
	if answer.Title = w.Voice().Count(phrases, "mails", len(answer.Data.Emails)); len(parts) == 0 {
		answer.Title = w.Say("noMail")
	}
	if found.More {
		parts = append(parts, say(w, "onlyNewest"))
	}
	if found.Unread {
		parts = append(parts, w.Say("mailUnread"))
	}
	answer.Description = strings.Join(append([]string{answer.Title}, parts...), "\n\n")
	for _, j := range all {
		if only == nil || j.verdict.Category == *only {
			answer.Components = append(answer.Components, j.card(w))
		}
	}
	return answer
}

// add adds the mails of a category, and tells them; empty if there are none.
func (b *Batch) add(w *world.World, c mail.Category, all []judged) string {
	var mails []mail.Mail
	var of []judged
	for _, j := range all {
		if j.verdict.Category == c {
			mails, of = append(mails, j.mail), append(of, j)
			b.Categorized = append(b.Categorized, j.data(w))
		}
	}
	if len(mails) == 0 {
		return ""
	}
	b.Emails = append(b.Emails, w.MailItems(mails, false)...)
	const most = 10
	text := "**" + say(w, string(c)) + "**\n\n" + lines(w, mails[:min(most, len(mails))], func(i int) []string {
		return []string{of[i].why(w)}
	})
	if rest := len(mails) - most; rest > 0 {
		text += "\n\n" + w.Voice().Count(phrases, "more", rest)
	}
	return text
}
