package items

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed sort.md
var sortWords string

// SortArguments are events, their order, and how many of them are wanted; null is all.
type SortArguments struct {
	Items
	Order string `json:"order" jsonschema:"enum=start,enum=-start,enum=duration,enum=-duration,enum=title,enum=-title"`
	First *int   `json:"first" jsonschema:"nullable"`
}

// sort puts events in order. Equal ones stay as they are.
func sort() world.Tool {
	return world.Define("items_sort", sortWords, trait(world.Events), func(
		_ context.Context, w *world.World, in SortArguments,
	) (answer world.Answer[List], err error) {
		list, err := occurrences(w, "items", in.Items.Items)
		if err != nil {
			return answer, err
		}
		order := make([]int, len(list))
		for i := range order {
			order[i] = i
		}
		by, descending := strings.CutPrefix(in.Order, "-")
		slices.SortStableFunc(order, func(i, j int) int {
			c := comparing[by](list[i], list[j])
			if descending {
				return -c
			}
			return c
		})
		if in.First != nil {
			if *in.First < 1 {
				return answer, tool.BadArgument("first", "%d; it must be at least 1", *in.First)
			}
			order = order[:min(*in.First, len(order))]
		}
		events := make([]agenda.Event, len(order))
		for i, from := range order {
			events[i] = in.Items.Items[from]
		}
		return listed(w, events)
	})
}

// comparing has the orders by name.
var comparing = map[string]func(a, b meet.Occurrence) int{
	"start":    func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) },
	"duration": func(a, b meet.Occurrence) int { return cmp.Compare(a.Span.Duration(), b.Span.Duration()) },
	"title":    func(a, b meet.Occurrence) int { return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) },
}
