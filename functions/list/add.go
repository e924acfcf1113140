package list

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/list"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed add.md
var addWords string

// AddArguments are words that name things, and the list to which they are added.
type AddArguments struct {
	List  *string  `json:"list" jsonschema:"nullable"`
	Items []string `json:"items"`
}

// add puts things on a list, and makes the list if it is not there. What is on it already is not doubled.
func add() world.Tool {
	return world.Define("list_add", addWords, trait(world.Changes, meet.CreateResource), func(
		ctx context.Context, w *world.World, in AddArguments,
	) (answer world.Answer[Lists], err error) {
		lists, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		l, items, err := in.read(w, lists)
		if err != nil {
			return answer, err
		}
		answer.Data = Lists{Lists: []List{}, Already: []string{}}
		answer.Display, answer.Title = meet.ListDisplay, l.Name
		changed := l.ID == ""
		if l.ID == "" {
			l.ID, l.Items = w.NewID("list", l.Name), []list.Item{}
		}
		var already []string
		for _, item := range items {
			item.ID = w.NewID(l.Name, item.Text)
			after, before := l.Add(item)
			if before == nil || *before != after {
				changed = true
				continue
			}
			answer.Data.Already = append(answer.Data.Already, after.Text)
			already = append(already, w.Voice().Item(after.Text, after.Quantity, after.Unit))
		}
		if len(already) > 0 {
			answer.Description = say(w, "already", "items", w.Voice().List(already), "name", w.Voice().Title(l.Name))
		}
		if changed {
			return answer, keep(ctx, w, &answer, l)
		}
		answer.Data.Lists = append(answer.Data.Lists, List{List: l})
		return answer, nil
	})
}

// read is the list that is meant, and the items that are named.
func (in AddArguments) read(w *world.World, lists []list.List) (l list.List, items []list.Item, err error) {
	for _, words := range in.Items {
		if list.Repairs(words, w.Language) {
			items = items[:max(0, len(items)-1)]
			continue
		}
		items = append(items, list.Items(words, w.Language)...)
	}
	if l, err = one(w, lists, "list", in.List); err != nil {
		return l, nil, err
	}
	switch {
	case len(items) == 0 && (in.List == nil || l.ID != ""):
		err = tool.BadArgument("items", "names nothing")
	case l.Name == "":
		err = tool.BadArgument("list", "is no name")
	case len(l.Items)+len(items) > list.MostItems:
		err = fault.New(fault.TooLarge, "%s", say(w, "full", "name", w.Voice().Title(l.Name)))
	}
	return l, items, err
}
