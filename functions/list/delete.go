package list

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed delete.md
var deleteWords string

// DeleteArguments name a list.
type DeleteArguments struct {
	List string `json:"list"`
}

// deleteList deletes a list with its items. One that has any is asked about.
func deleteList() world.Tool {
	return world.Define("list_delete", deleteWords, trait(world.Changes, meet.DeleteResource), func(
		ctx context.Context, w *world.World, in DeleteArguments,
	) (answer world.Answer[Lists], err error) {
		lists, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		if in.List == "" {
			return answer, tool.BadArgument("list", "names no list")
		}
		l, err := there(w, lists, "list", &in.List)
		if err != nil {
			return answer, err
		}
		answer.Data = Lists{Lists: []List{{l, true}}, Already: []string{}}
		answer.Display, answer.Title = meet.ListDisplay, l.Name
		c, err := w.Keep(ctx, meet.ListThing, l.ID, nil, l.Name)
		if len(l.Items) > 0 {
			c.Class = meet.R2
		}
		answer.Changes = []meet.Change{c}
		return answer, err
	})
}
