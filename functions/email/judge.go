package email

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// Categorized is what a mail most probably asks for.
type Categorized struct {
	EmailID  string        `json:"emailId"`
	Category mail.Category `json:"category" jsonschema:"enum=needs_reply,enum=potential_task,enum=important_info,enum=can_archive,enum=unknown"`
	// Confidence is the probability that the category is right; of unknown it is 0.
	Confidence float64 `json:"confidence"`
	// UrgencyScore is from 0 to 100.
	UrgencyScore int `json:"urgencyScore"`
	// Reasons are codes, and SuggestedAction is in words for the owner.
	Reasons         []mail.Reason `json:"reasons"`
	SuggestedAction string        `json:"suggestedAction"`
}

// judged is a mail with what it asks for.
type judged struct {
	mail    mail.Mail
	verdict mail.Verdict
}

// Bounds of the urgencies that are shown as urgent and important.
const (
	urgentFrom    = 70
	importantFrom = 40
)

// level is how urgent the mail is, in a word.
func (j judged) level() string {
	switch u := j.verdict.Urgency; {
	case u >= urgentFrom:
		return "urgent"
	case u >= importantFrom:
		return "important"
	}
	return "normal"
}

// judge are the mails of a selection with what each asks for, the most urgent first.
func judge(ctx context.Context, w *world.World, s mail.Selection) ([]judged, world.FoundMails, error) {
	found, err := w.FindMails(ctx, s, world.MostMails)
	if err != nil {
		return nil, found, err
	}
	reader, err := w.Reader(ctx)
	if err != nil {
		return nil, found, err
	}
	var all []judged
	for _, m := range found.Mails {
		whole, err := w.ReadMail(ctx, m.ID)
		if err != nil {
			return nil, found, err
		}
		all = append(all, judged{m, reader.Judge(whole)})
	}
	slices.SortStableFunc(all, func(a, b judged) int { return cmp.Compare(b.verdict.Urgency, a.verdict.Urgency) })
	return all, found, nil
}

// data are the data of a judged mail.
func (j judged) data(w *world.World) Categorized {
	return Categorized{
		EmailID: j.mail.ID, Category: j.verdict.Category, Confidence: j.verdict.Confidence,
		UrgencyScore: j.verdict.Urgency, Reasons: j.verdict.Reasons,
		SuggestedAction: say(w, "do."+string(j.verdict.Category)),
	}
}

// why are the reasons of a verdict in words.
func (j judged) why(w *world.World) string {
	var list []string
	for _, reason := range j.verdict.Reasons {
		list = append(list, say(w, "why."+string(reason)))
	}
	return strings.Join(list, ", ")
}

// card shows a judged mail.
func (j judged) card(w *world.World) meet.Component { return w.MailCard(j.mail, j.level()) }
