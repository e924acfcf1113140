package note

import (
	"context"
	_ "embed"
	"slices"
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
		if in.Text = strings.TrimSpace(in.Text); in.Text == "" {
			return answer, tool.BadArgument("text", "is empty")
		}
		if in.AddTo != nil && in.Replace != nil {
			return answer, tool.BadArgument("replace", "must be null if addTo is given")
		}
		for i, tag := range in.Tags {
			in.Tags[i] = meet.Caption(strings.TrimPrefix(strings.TrimSpace(tag), "#"))
		}
		notes, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		answer.Data = Notes{Notes: []Note{}}
		if in.AddTo != nil || in.Replace != nil {
			return answer, bad(in.change(ctx, w, &answer, notes))
		}
		if i := slices.IndexFunc(notes, func(n note.Note) bool { return strings.EqualFold(n.Text, in.Text) }); i >= 0 {
			answer.Data.Notes = append(answer.Data.Notes, dataOf(w, notes[i], false))
			answer.Display, answer.Title = meet.CardDisplay, say(w, "title")
			answer.Description = say(w, "already", "quote", quoted(w, notes[i]))
			return answer, nil
		}
		n := note.Note{ID: w.NewID("note", in.Text), Text: in.Text, Created: w.Now, Tags: in.Tags}
		return answer, bad(keep(ctx, w, &answer, nil, &n))
	})
}

// change adds the text to a note that is there, or puts it in place of its text.
func (in SaveArguments) change(
	ctx context.Context, w *world.World, answer *world.Answer[Notes], notes []note.Note,
) error {
	argument, said, before := "replace", in.Replace, ""
	if in.AddTo != nil {
		argument, said = "addTo", in.AddTo
	}
	old, err := one(w, notes, argument, *said)
	if err != nil {
		return err
	}
	if in.AddTo != nil {
		before = old.Text + "\n"
	}
	n := old
	n.Text = before + in.Text
	if len(in.Tags) > 0 {
		n.Tags = in.Tags
	}
	return keep(ctx, w, answer, &old, &n)
}
