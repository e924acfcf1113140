package list

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed remove.md
var removeWords string

// RemoveArguments say which items are taken from a list.
type RemoveArguments struct {
	List  *string  `json:"list" jsonschema:"nullable"`
	Items []string `json:"items"`
	Which *Which   `json:"which" jsonschema:"nullable,enum=all,enum=open,enum=done"`
}

// remove takes items from lists. Many that are not named one by one are asked about.
func remove() world.Tool {
	return world.Define("list_remove", removeWords, trait(world.Changes, meet.DeleteResource), func(
		ctx context.Context, w *world.World, in RemoveArguments,
	) (answer world.Answer[Lists], err error) {
		lists, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		found, err := targets(w, lists, in.List, in.Items, in.Which)
		if err != nil {
			return answer, err
		}
		answer.Data = Lists{Lists: []List{}, Already: []string{}}
		answer.Display, answer.Title = meet.ListDisplay, say(w, "title")
		for _, t := range found {
			if err := keep(ctx, w, &answer, without(t)); err != nil {
				return answer, err
			}
			if len(in.Items) == 0 && len(t.meant) > meet.MostAtOnce {
				answer.Changes[len(answer.Changes)-1].Class = meet.R2
			}
		}
		return answer, nil
	})
}
