package email

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/tool"
)

//go:embed search.md
var searchWords string

// SearchArguments say what to look for.
type SearchArguments struct {
	Query     *string         `json:"query" jsonschema:"nullable"`
	Selection *mail.Selection `json:"selection" jsonschema:"nullable"`
	Limit     *int            `json:"limit" jsonschema:"nullable"`
}

// search looks for mails everywhere but in the trash and the junk.
func search() world.Tool {
	return world.Define("email_search", world.WithMailSelection(searchWords), reads(), func(
		ctx context.Context, w *world.World, in SearchArguments,
	) (answer world.Answer[List], err error) {
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
		return list(w, found), nil
	})
}
