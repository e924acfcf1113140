package list

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/list"
	"convene/pkg/meet"
)

//go:embed view.md
var viewWords string

// ViewArguments say which list, and which of its items; null is all.
type ViewArguments struct {
	List  *string `json:"list" jsonschema:"nullable"`
	Which *Which  `json:"which" jsonschema:"nullable,enum=all,enum=open,enum=done"`
	// Has are words for items: only these are shown, and it is told which of them are not there.
	Has []string `json:"has"`
}

// view shows lists.
func view() world.Tool {
	return world.Define("list_view", viewWords, trait(world.Reads, meet.ReadResource), func(
		ctx context.Context, w *world.World, in ViewArguments,
	) (answer world.Answer[Lists], err error) {
		lists, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		if in.List != nil {
			found := list.Called(lists, *in.List)
			if len(found) == 0 {
				return answer, fault.New(fault.NotFound, "%s", missing(w, lists, *in.List))
			}
			lists = found
		}
		answer.Data = Lists{Lists: []List{}, Already: []string{}}
		var texts []string
		for _, l := range lists {
			shown, missing := in.of(w, l)
			answer.Data.Lists = append(answer.Data.Lists, List{List: shown})
			if texts = append(texts, missing...); len(shown.Items) > 0 || len(missing) == 0 {
				texts = append(texts, told(w, shown))
			}
		}
		answer.Display, answer.Title = meet.ListDisplay, say(w, "title")
		if answer.Description = strings.Join(texts, "\n\n"); len(texts) == 0 {
			answer.Description = say(w, "none")
		}
		return answer, nil
	})
}

// of is what is shown of a list, and what is told of that which is not on it.
func (in ViewArguments) of(w *world.World, l list.List) (shown list.List, missing []string) {
	shown = list.List{ID: l.ID, Name: l.Name, Items: []list.Item{}}
	asked, missing := in.asked(w, l)
	for _, item := range asked {
		if in.Which == nil || in.Which.has(item) {
			shown.Items = append(shown.Items, item)
		}
	}
	return shown, missing
}

// asked are the items of a list that are asked for, and what is told of those that are not on it.
func (in ViewArguments) asked(w *world.World, l list.List) (items []list.Item, missing []string) {
	if len(in.Has) == 0 {
		return l.Items, nil
	}
	for _, words := range in.Has {
		found := l.Find(words)
		if len(found) == 0 {
			missing = append(missing, say(w, "notOn", "what", w.Voice().Title(words), "name", w.Voice().Title(l.Name)))
		}
		items = append(items, found...)
	}
	return items, missing
}

// told is a list with its items, a line each.
func told(w *world.World, l list.List) string {
	if len(l.Items) == 0 {
		return say(w, "empty", "name", w.Voice().Title(l.Name))
	}
	lines := []string{say(w, "head", "name", w.Voice().Title(l.Name))}
	for _, item := range l.Items {
		line := w.Voice().Item(item.Text, item.Quantity, item.Unit)
		if item.Done {
			line = say(w, "done", "item", line)
		}
		lines = append(lines, "- "+line)
	}
	return strings.Join(lines, "\n")
}
