package note

import (
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/tool"
)

//go:embed search.md
var searchWords string

// SearchArguments say which notes; what is null or empty selects all.
type SearchArguments struct {
	Query  *string        `json:"query" jsonschema:"nullable"`
	Tags   []string       `json:"tags"`
	Window *agenda.Window `json:"window" jsonschema:"nullable"`
	Limit  *int           `json:"limit" jsonschema:"nullable"`
}

// usually is how many notes are shown if no number is named, and mostShown how many at most.
const (
	usually   = 5
	mostShown = 100
)

// search finds notes, and quotes them with their dates.
func search() world.Tool {
	return world.Define("note_search", searchWords, trait(world.Reads, meet.ReadResource), func(
		ctx context.Context, w *world.World, in SearchArguments,
	) (answer world.Answer[Notes], err error) {
		limit := usually
		if in.Limit != nil {
			if limit = *in.Limit; limit < 1 || limit > mostShown {
				return answer, tool.BadArgument("limit", "must be 1 to %d", mostShown)
			}
		}
		notes, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		if notes, err = in.within(w, notes); err != nil {
			return answer, err
		}
		answer.Data = Notes{Notes: []Note{}}
		if in.Query != nil && strings.TrimSpace(*in.Query) != "" {
			var hits []note.Hit
			hits, answer.Data.ByMeaning = about(ctx, w, *in.Query, notes)
			notes = notes[:0:0]
			for _, h := range hits {
				notes = append(notes, h.Note)
			}
		}
		answer.Display, answer.Title = meet.ListDisplay, say(w, "title")
		if len(notes) == 0 {
			answer.Description = in.nothing(w)
			return answer, nil
		}
		show(w, &answer, notes, limit)
		return answer, nil
	})
}

// show quotes the first notes in an answer, and says how many more there are.
func show(w *world.World, answer *world.Answer[Notes], notes []note.Note, limit int) {
	var lines []string
	for _, n := range notes[:min(limit, len(notes))] {
		answer.Data.Notes = append(answer.Data.Notes, dataOf(w, n, false))
		answer.Components = append(answer.Components, world.Part(meet.NoteCardPart, dataOf(w, n, false)))
		lines = append(lines, "- "+quoted(w, n))
	}
	if more := len(notes) - limit; more > 0 {
		lines = append(lines, "… +"+strconv.Itoa(more))
	}
	answer.Description = strings.Join(lines, "\n")
}

// within are the notes of the window that have all tags.
func (in SearchArguments) within(w *world.World, notes []note.Note) ([]note.Note, error) {
	lacks := func(n note.Note) bool {
		return slices.ContainsFunc(in.Tags, func(tag string) bool {
			tag = strings.TrimPrefix(tag, "#")
			return !slices.ContainsFunc(n.Tags, func(has string) bool { return agenda.Fold(has) == agenda.Fold(tag) })
		})
	}
	if in.Window == nil {
		return slices.DeleteFunc(notes, lacks), nil
	}
	span, err := in.Window.In(w.Zone(), "window")
	if f := fault.As(err); err != nil && f.Code == fault.InvalidRequest {
		return nil, tool.BadArgument(f.Field, "%s", f.Message)
	}
	return slices.DeleteFunc(notes, func(n note.Note) bool {
		return lacks(n) || !span.Contains(n.Created.Truncate(time.Second))
	}), err
}

// nothing says that no note fits.
func (in SearchArguments) nothing(w *world.World) string {
	if in.Query == nil || strings.TrimSpace(*in.Query) == "" {
		return say(w, "empty")
	}
	return say(w, "none", "what", w.Voice().Title(*in.Query))
}

// bad is a fault of a value as the caller's mistake.
func bad(err error) error {
	if f := fault.As(err); err != nil && f.Code == fault.InvalidRequest {
		return tool.BadArgument(f.Field, "%s", f.Message)
	}
	return err
}
