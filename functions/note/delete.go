package note

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/tool"
)

//go:embed delete.md
var deleteWords string

// DeleteArguments name notes.
type DeleteArguments struct {
	Notes []string `json:"notes"`
}

// deleteNotes deletes notes.
func deleteNotes() world.Tool {
	return world.Define("note_delete", deleteWords, trait(world.Changes, meet.DeleteResource), func(
		ctx context.Context, w *world.World, in DeleteArguments,
	) (answer world.Answer[Notes], err error) {
		if len(in.Notes) == 0 {
			return answer, tool.BadArgument("notes", "names no note")
		}
		notes, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		answer.Data = Notes{Notes: []Note{}}
		var gone []note.Note
		for i, words := range in.Notes {
			n, err := one(w, notes, fmt.Sprintf("notes[%d]", i), words)
			if err != nil {
				return answer, err
			}
			if !slices.ContainsFunc(gone, func(g note.Note) bool { return g.ID == n.ID }) {
				gone = append(gone, n)
			}
		}
		for _, n := range gone {
			if err := keep(ctx, w, &answer, &n, nil); err != nil {
				return answer, err
			}
		}
		return answer, nil
	})
}
