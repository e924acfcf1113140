package email

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

//go:embed categorize_email.md
var categorizeEmailWords string

// CategorizeEmailArguments say which mail.
type CategorizeEmailArguments struct {
	EmailID string `json:"emailId"`
}

// categorizeEmail tells what one mail asks for.
func categorizeEmail() world.Tool {
	return world.Define("email_categorizeEmail", categorizeEmailWords, reads(), func(
		ctx context.Context, w *world.World, in CategorizeEmailArguments,
	) (answer world.Answer[Categorized], err error) {
		all, _, err := judge(ctx, w, mail.Selection{IDs: &[]string{in.EmailID}})
		if err != nil {
			return answer, err
		}
		if len(all) == 0 {
			return answer, fault.New(fault.NotFound, "%s", w.Say("noMail"))
		}
		j := all[0]
		answer.Data, answer.Display = j.data(w), meet.CardDisplay
		answer.Title = say(w, string(j.verdict.Category))
		answer.Description = w.MailLine(j.mail) + "\n\n" + answer.Title + " (" + j.why(w) + "). " +
			answer.Data.SuggestedAction
		answer.Components = []meet.Component{j.card(w)}
		return answer, nil
	})
}
