package list

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/list"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed rename.md
var renameWords string

// RenameArguments name a list, and say how it is called from now on.
type RenameArguments struct {
	List string `json:"list"`
	Name string `json:"name"`
}

// rename gives a list another name, which no other list has.
func rename() world.Tool {
	return world.Define("list_rename", renameWords, trait(world.Changes, meet.UpdateResource), func(
		ctx context.Context, w *world.World, in RenameArguments,
	) (answer world.Answer[Lists], err error) {
		lists, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		switch {
		case in.List == "":
			return answer, tool.BadArgument("list", "names no list")
		case meet.Caption(in.Name) == "":
			return answer, tool.BadArgument("name", "is no name")
		}
		in.Name = list.Name(in.Name)
		l, err := there(w, lists, "list", &in.List)
		if err != nil {
			return answer, err
		}
		for _, other := range lists {
			if other.ID != l.ID && strings.EqualFold(other.Name, in.Name) {
				return answer, fault.New(fault.Conflict, "%s", say(w, "nameTaken", "name", w.Voice().Title(other.Name)))
			}
		}
		answer.Data = Lists{Lists: []List{}, Already: []string{}}
		answer.Display, answer.Title = meet.ListDisplay, in.Name
		if l.Name == in.Name {
			answer.Description = say(w, "same")
			return answer, nil
		}
		l.Name = in.Name
		return answer, keep(ctx, w, &answer, l)
	})
}
