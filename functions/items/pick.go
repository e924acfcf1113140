package items

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/tool"
)

//go:embed pick.md
var pickWords string

// PickArguments are events, and which one is meant: by what the user says of it, by its place in the list, or both.
type PickArguments struct {
	Items
	Selection *agenda.Selection `json:"selection" jsonschema:"nullable"`
	// Number counts from 1; -1 is the last one.
	Number *int `json:"number" jsonschema:"nullable"`
}

// pick picks one event. Several that fit are asked about.
func pick() world.Tool {
	return world.Define("items_pick", world.WithSelection(pickWords), trait(world.Events), func(
		_ context.Context, w *world.World, in PickArguments,
	) (answer world.Answer[List], err error) {
		if in.Number != nil && *in.Number == 0 {
			return answer, tool.BadArgument("number", "0; the first is 1, and the last is -1")
		}
		events, one := in.Items.Items, in.Number == nil
		s := agenda.Selection{One: &one}
		if in.Selection != nil {
			s = *in.Selection
			s.One = &one
		}
		if in.Selection != nil || one {
			if events, err = chosen(w, events, s); err != nil {
				return answer, err
			}
		}
		number := 1
		if in.Number != nil {
			number = *in.Number
		}
		i := number - 1
		if number < 0 {
			i = len(events) + number
		}
		if i < 0 || i >= len(events) {
			return answer, none(w, in.Items.Items)
		}
		return listed(w, events[i:i+1])
	})
}

// mostNear is how many events are named if none fits.
const mostNear = 5

// none is the fault that no event fits, with those that there are.
func none(w *world.World, items []agenda.Event) error {
	v := w.Voice()
	text := v.Say(phrases, "nowhere")
	var titles []string
	for _, e := range items[:min(mostNear, len(items))] {
		titles = append(titles, v.Title(e.Title))
	}
	if len(titles) > 0 {
		text += " " + v.Say(phrases, "near", "list", v.List(titles))
	}
	return fault.New(fault.NotFound, "%s", text)
}
