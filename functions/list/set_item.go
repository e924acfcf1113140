package list

import (
	"context"
	_ "embed"
	"slices"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/list"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed set_item.md
var setItemWords string

// SetItemArguments say which items change, and how; null stays as it is.
type SetItemArguments struct {
	List     *string  `json:"list" jsonschema:"nullable"`
	Items    []string `json:"items"`
	Which    *Which   `json:"which" jsonschema:"nullable,enum=all,enum=open,enum=done"`
	Done     *bool    `json:"done" jsonschema:"nullable"`
	Quantity *float64 `json:"quantity" jsonschema:"nullable"`
	Unit     *string  `json:"unit" jsonschema:"nullable"`
	Text     *string  `json:"text" jsonschema:"nullable"`
	MoveTo   *string  `json:"moveTo" jsonschema:"nullable"`
}

// setItem ticks items off, moves them to another list, and changes their quantity or text.
func setItem() world.Tool {
	return world.Define("list_setItem", setItemWords, trait(world.Changes, meet.UpdateResource), func(
		ctx context.Context, w *world.World, in SetItemArguments,
	) (answer world.Answer[Lists], err error) {
		in = in.counted(w)
		if err := in.check(); err != nil {
			return answer, err
		}
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
		if in.MoveTo != nil {
			return answer, in.move(ctx, w, &answer, found, lists)
		}
		return answer, in.setAll(ctx, w, &answer, found)
	})
}

// setAll changes the items where they are.
func (in SetItemArguments) setAll(
	ctx context.Context, w *world.World, answer *world.Answer[Lists], found []target,
) error {
	for _, t := range found {
		l, changed := in.set(t)
		if !changed {
			answer.Data.Lists = append(answer.Data.Lists, List{List: l})
			continue
		}
		if err := keep(ctx, w, answer, l); err != nil {
			return err
		}
	}
	if len(answer.Changes) == 0 {
		answer.Description = say(w, "same")
	}
	return nil
}

// changes reports whether anything is to become of the items.
func (in SetItemArguments) changes() bool {
	return in.Done != nil || in.Quantity != nil || in.Unit != nil || in.Text != nil || in.MoveTo != nil
}

// counted takes the quantity from the words for the one item, if nothing else is said of it: "4 milk".
func (in SetItemArguments) counted(w *world.World) SetItemArguments {
	if in.changes() || len(in.Items) != 1 {
		return in
	}
	if item, said := list.Amount(in.Items[0], w.Language); said {
		in.Items, in.Quantity = []string{item.Text}, &item.Quantity
		if item.Unit != "" {
			in.Unit = &item.Unit
		}
	}
	return in
}

func (in SetItemArguments) check() error {
	switch {
	case !in.changes():
		return tool.BadArgument("", "names nothing to change: give done, quantity, unit, text or moveTo")
	case in.Quantity != nil && *in.Quantity <= 0:
		return tool.BadArgument("quantity", "must be more than 0")
	case in.Text != nil && (meet.Caption(*in.Text) == "" || len(in.Items) != 1):
		return tool.BadArgument("text", "must be words, for exactly one item")
	}
	return nil
}

// set is the list of a target with its items changed.
func (in SetItemArguments) set(t target) (l list.List, changed bool) {
	l = t.List
	l.Items = slices.Clone(l.Items)
	for i, item := range l.Items {
		if slices.Contains(t.meant, item.ID) {
			l.Items[i] = in.on(item)
			changed = changed || l.Items[i] != item
		}
	}
	return l, changed
}

// on is an item as it becomes.
func (in SetItemArguments) on(item list.Item) list.Item {
	if in.Done != nil {
		item.Done = *in.Done
	}
	if in.Quantity != nil {
		item.Quantity = *in.Quantity
	}
	if in.Unit != nil {
		item.Unit = meet.Caption(*in.Unit)
	}
	if in.Text != nil {
		item.Text = meet.Caption(*in.Text)
	}
	return item
}

// move puts items on another list, which is made if it is not there, and then takes them from theirs.
func (in SetItemArguments) move(
	ctx context.Context, w *world.World, answer *world.Answer[Lists], found []target, lists []list.List,
) error {
	to, err := one(w, lists, "moveTo", in.MoveTo)
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(t target) bool { return t.ID == to.ID })
	if len(found) == 0 {
		return fault.New(fault.NotFound, "%s", say(w, "thereAlready", "name", w.Voice().Title(to.Name)))
	}
	if to.ID == "" {
		to.ID, to.Items = w.NewID("list", to.Name), []list.Item{}
	}
	before := slices.Clone(to.Items)
	for _, t := range found {
		for _, item := range t.Items {
			if slices.Contains(t.meant, item.ID) {
				to.Add(in.on(item))
			}
		}
	}
	const first = "there" // no item is taken from its list before it is on the other
	after := []string{}
	if !slices.Equal(to.Items, before) {
		if err := keep(ctx, w, answer, to); err != nil {
			return err
		}
		answer.Changes[0].ID, after = first, []string{first}
	}
	for _, t := range found {
		if err := keep(ctx, w, answer, without(t)); err != nil {
			return err
		}
		answer.Changes[len(answer.Changes)-1].DependsOn = after
	}
	return nil
}

// without is the list of a target without its items.
func without(t target) list.List {
	l := t.List
	l.Items = slices.DeleteFunc(slices.Clone(l.Items), func(i list.Item) bool { return slices.Contains(t.meant, i.ID) })
	return l
}
