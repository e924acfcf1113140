package note

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/tool"
)

//go:embed save.md
var saveWords string

// SaveArguments are a new note, or what becomes of one that is there.
type SaveArguments struct {
	Text    string   `json:"text"`
	Tags    []string `json:"tags"`
	AddTo   *string  `json:"addTo" jsonschema:"nullable"`
	Replace *string  `json:"replace" jsonschema:"nullable"`
}

// save keeps a note. The same text is kept once.
func save() world.Tool {
	return world.Define("note_save", saveWords, trait(world.Changes, meet.CreateResource), func(
		ctx context.Context, w *world.World, in SaveArguments,
	) (answer world.Answer[Notes], err error) {
		text := strings.TrimSpace(in.Text)
		if text == "" {
			return answer, tool.BadArgument("text", "is empty")
		}
		if in.AddTo != nil && in.Replace != nil {
			return answer, tool.BadArgument("replace", "must be null if addTo is given")
		}
		tags := make([]string, 0, len(in.Tags))
		for _, tag := range in.Tags {
			tags = append(tags, meet.Caption(strings.TrimPrefix(strings.TrimSpace(tag), "#")))
		}
		notes, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		answer.Data = Notes{Notes: []Note{}}
		for _, n := range notes {
			if in.AddTo == nil && in.Replace == nil && strings.EqualFold(n.Text, text) {
				answer.Data.Notes = append(answer.Data.Notes, dataOf(w, n, false))
				answer.Display, answer.Title = meet.CardDisplay, say(w, "title")
				answer.Description = say(w, "already", "quote", quoted(w, n))
				return answer, nil
			}
		}
		if in.AddTo == nil && in.Replace == nil {
			n := note.Note{ID: w.NewID("note", text), Text: text, Created: w.Now, Tags: tags}
			return answer, bad(keep(ctx, w, &answer, nil, &n))
		}
		said := in.Replace
		if in.AddTo != nil {
			said = in.AddTo
		}
		old, err := one(w, notes, *said)
		if err != nil {
			return answer, err
		}
		n := old
		n.Text = text
		if in.AddTo != nil {
			n.Text = old.Text + "\n" + text
		}
		if len(tags) > 0 {
			n.Tags = tags
		}
		return answer, bad(keep(ctx, w, &answer, &old, &n))
	})
}
