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
		if len(found.Mails) == 0 && !counts {
			return answer, besides(ctx, w, s, &answer)
		}
		return answer, excerpts(ctx, w, s.Words, found, &answer)
	})
}

// besides tells what else those who are named have written, if none of it has the words that are looked for. It is told
// alone: these mails are no result, with which something could be done.
func besides(ctx context.Context, w *world.World, s mail.Selection, answer *world.Answer[List]) error {
	const few = 5
	if len(s.Words) == 0 || len(s.From) == 0 {
		return nil
	}
	said := strings.Join(s.Words, " ")
	s.Words = nil
	found, err := w.FindMails(ctx, s, few)
	if err != nil || len(found.Mails) == 0 {
		return err
	}
	answer.Description += "\n\n" + say(w, "others", "words", w.Voice().Title(said))
	for _, m := range found.Mails {
		answer.Description += "\n- " + w.MailLine(m)
	}
	return nil
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
