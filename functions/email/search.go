package email

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/message"
	"convene/pkg/tool"
)

//go:embed search.md
var searchWords string

// SearchArguments say what to look for.
type SearchArguments struct {
	Query     *string         `json:"query" jsonschema:"nullable"`
	Selection *mail.Selection `json:"selection" jsonschema:"nullable"`
	// Limit is 0 if only the number of mails is asked for.
	Limit *int `json:"limit" jsonschema:"nullable"`
}

// search looks for mails everywhere but in the trash and the junk.
func search() world.Tool {
	return world.Define("email_search", world.WithMailSelection(searchWords), reads(), func(
		ctx context.Context, w *world.World, in SearchArguments,
	) (answer world.Answer[List], err error) {
		counts := in.Limit != nil && *in.Limit == 0
		if counts {
			in.Limit = nil
		}
		limit, err := limitOf(in.Limit)
		if err != nil {
			return answer, err
		}
		var s mail.Selection
		if in.Selection != nil {
			s = *in.Selection
		}
		if in.Query != nil && strings.TrimSpace(*in.Query) != "" {
			s.Words = append(slices.Clone(s.Words), *in.Query)
		} else if in.Selection == nil {
			return answer, tool.BadArgument("query", "say what to look for")
		}
		found, err := w.FindMails(ctx, s, limit)
		if err != nil {
			return answer, err
		}
		if counts && found.Total >= 0 {
			found.Mails = nil
		}
		answer = list(w, found)
		return answer, excerpts(ctx, w, s.Words, found, &answer)
	})
}

// excerpts adds what a few mails say about the words that they were found by. Others wrote it: it is quoted.
func excerpts(
	ctx context.Context, w *world.World, phrases []string, found world.FoundMails, answer *world.Answer[List],
) error {
	const few, most = 5, 3
	if len(phrases) == 0 || len(found.Mails) > few {
		return nil
	}
	words := strings.Fields(strings.Join(phrases, " "))
	for i, m := range found.Mails {
		whole, err := w.ReadMail(ctx, m.ID)
		if err != nil {
			return err
		}
		if quoted := message.Quote(mail.Excerpt(whole.Whole(), words, most)); quoted != "" {
			line := lines(w, found.Mails[i:i+1], i, nil)
			answer.Description = strings.Replace(answer.Description, line,
				line+"\n"+indented(quoted), 1)
		}
	}
	return nil
}

// indented puts a text into an item of a list.
func indented(text string) string { return "   " + strings.ReplaceAll(text, "\n", "\n   ") }
