package list

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/list"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

func say(w *world.World, name string, pairs ...string) string {
	return w.Voice().Say(phrases, name, pairs...)
}

// Lists are the data of the family's tools: as they stand or, of a tool that changes them, those that change, as they
// would be.
type Lists struct {
	Lists []List `json:"lists"`
	// Already are the texts of items that were there before, and stay as they are.
	Already []string `json:"already"`
}

// List is a list.
type List struct {
	list.List
	// Pending marks one that is not written yet.
	Pending bool `json:"pending"`
}

// Which are items by what has become of them.
type Which string

// The items: all of them, those that are not done, and those that are.
const (
	allItems  Which = "all"
	openItems Which = "open"
	doneItems Which = "done"
)

func (which Which) has(item list.Item) bool {
	return which == allItems || item.Done == (which == doneItems)
}

func own(ctx context.Context, w *world.World) ([]list.List, error) {
	values, err := w.Own[meet.ListThing].All(ctx)
	if err != nil {
		return nil, err
	}
	return list.All(values)
}

// one is the list that the name in an argument means, or that is meant if none is named. A new one has the name, and no
// id.
func one(w *world.World, lists []list.List, argument string, name *string) (list.List, error) {
	if name == nil || strings.TrimSpace(*name) == "" {
		switch usual := list.Usual(lists); len(usual) {
		case 0:
			return list.List{Name: say(w, "shopping")}, nil
		case 1:
			return usual[0], nil
		default:
			return list.List{}, which(w, usual, argument)
		}
	}
	switch found := list.Called(lists, *name); len(found) {
	case 0:
		return list.List{Name: list.Name(*name)}, nil
	case 1:
		return found[0], nil
	default:
		return list.List{}, which(w, found, argument)
	}
}

// which asks which of several lists is meant in an argument.
func which(w *world.World, lists []list.List, argument string) error {
	asked := &world.AmbiguousError{Question: say(w, "which"), Argument: argument}
	for _, l := range lists {
		asked.Options = append(asked.Options, meet.Option{ID: l.ID, Label: l.Name})
	}
	return asked
}

// there is the list that a name means, which must be there.
func there(w *world.World, lists []list.List, argument string, name *string) (list.List, error) {
	l, err := one(w, lists, argument, name)
	if err == nil && l.ID == "" {
		err = fault.New(fault.NotFound, "%s", missing(w, lists, l.Name))
	}
	return l, err
}

// missing says that there is no list of that name, and which there are.
func missing(w *world.World, lists []list.List, name string) string {
	var names []string
	for _, l := range lists {
		names = append(names, w.Voice().Title(l.Name))
	}
	if len(names) == 0 {
		return say(w, "none")
	}
	return say(w, "noList", "name", w.Voice().Title(name), "list", w.Voice().List(names))
}

// target is a list with items of it that are meant.
type target struct {
	list.List
	meant []string
}

// targets are the items that were said, list by list: of the named list, or of whatever list has them. Without items,
// those that which says.
func targets(
	w *world.World, lists []list.List, name *string, said []string, which *Which,
) (all []target, err error) {
	if len(said) == 0 && which == nil {
		return nil, tool.BadArgument("items", "names nothing; name items, or say which")
	}
	within := lists
	if name != nil || len(said) == 0 {
		l, err := there(w, lists, "list", name)
		if err != nil {
			return nil, err
		}
		within = []list.List{l}
	}
	for _, l := range within {
		all = append(all, target{List: l})
	}
	if len(said) == 0 {
		for _, item := range within[0].Items {
			if which.has(item) {
				all[0].meant = append(all[0].meant, item.ID)
			}
		}
		if len(all[0].meant) == 0 {
			return nil, fault.New(fault.NotFound, "%s", nothing(w, *which, within[0].Name))
		}
		return all, nil
	}
	for n, words := range said {
		i, id, err := item(w, within, fmt.Sprintf("items[%d]", n), words)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all[i].meant, id) {
			all[i].meant = append(all[i].meant, id)
		}
	}
	return slices.DeleteFunc(all, func(t target) bool { return len(t.meant) == 0 }), nil
}

// nothing says that a list has no such items.
func nothing(w *world.World, which Which, name string) string {
	phrases := map[Which]string{allItems: "empty", openItems: "nothingOpen", doneItems: "nothingDone"}
	return say(w, phrases[which], "name", w.Voice().Title(name))
}

// item is the one item that words mean, and the index of its list.
func item(w *world.World, lists []list.List, argument, words string) (at int, id string, err error) {
	asked := &world.AmbiguousError{
		Question: say(w, "whichItem", "what", w.Voice().Title(words)), Argument: argument,
	}
	var there []string
	for i, l := range lists {
		for _, found := range l.Find(words) {
			at, id = i, found.ID
			asked.Options = append(asked.Options, meet.Option{ID: found.ID, Label: found.Text, Detail: l.Name})
		}
		for _, have := range l.Items {
			there = append(there, w.Voice().Title(have.Text))
		}
	}
	switch len(asked.Options) {
	case 1:
		return at, id, nil
	case 0:
		const most = 8
		text := say(w, "noItem", "what", w.Voice().Title(words))
		if len(there) > 0 {
			text += " " + say(w, "there", "items", w.Voice().List(there[:min(most, len(there))]))
		}
		return 0, "", fault.New(fault.NotFound, "%s", text)
	}
	return 0, "", asked
}

// keep adds the change of a list to an answer.
func keep(ctx context.Context, w *world.World, answer *world.Answer[Lists], l list.List) error {
	value, err := l.Encode()
	if err != nil {
		return err
	}
	answer.Data.Lists = append(answer.Data.Lists, List{l, true})
	c, err := w.Keep(ctx, meet.ListThing, l.ID, value, l.Name)
	answer.Changes = append(answer.Changes, c)
	return err
}
