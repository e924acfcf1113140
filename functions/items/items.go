package items

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

// Items are the events of an earlier result.
type Items struct {
	Items []agenda.Event `json:"items"`
}

// List is the data of a tool that gives some of the events.
type List struct {
	Events []agenda.Event `json:"events"`
	Count  int            `json:"count"`
}

// trait is that of a tool that reads its arguments alone.
func trait(gives world.Type) world.Trait {
	return world.Trait{
		Family: Family, Effect: world.Reads, Gives: gives, Operation: meet.Execute, Resource: meet.EventResource,
	}
}

// mostItems is how many events a call may have.
const mostItems = 2000

// occurrences are the items as events of the owner. An error names the item that is none.
func occurrences(w *world.World, field string, items []agenda.Event) ([]meet.Occurrence, error) {
	if len(items) > mostItems {
		return nil, tool.BadArgument(field, "%d items; there may be %d", len(items), mostItems)
	}
	list := make([]meet.Occurrence, len(items))
	for i, item := range items {
		o, err := item.Occurrence(w.Owner, w.Zone())
		if err != nil {
			f := fault.As(err)
			return nil, tool.BadArgument(fmt.Sprintf("%s[%d].%s", field, i, f.Field), "%s", f.Message)
		}
		list[i] = o
	}
	return list, nil
}

// chosen are the items that a selection means, in its order.
func chosen(w *world.World, items []agenda.Event, s agenda.Selection) ([]agenda.Event, error) {
	list, err := occurrences(w, "items", items)
	if err != nil {
		return nil, err
	}
	by := make(map[[2]string]agenda.Event, len(items))
	for i, o := range list {
		by[identity(o)] = items[i]
	}
	found, err := s.Select(list, w.Scene())
	if several, ok := errors.AsType[*agenda.AmbiguousError](err); ok {
		return nil, which(w, several.Options)
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == fault.InvalidRequest {
		return nil, tool.BadArgument("selection."+f.Field, "%s", f.Message)
	}
	events := make([]agenda.Event, len(found))
	for i, o := range found {
		events[i] = by[identity(o)]
	}
	return events, err
}

// identity tells occurrences of several calendars apart.
func identity(o meet.Occurrence) [2]string { return [2]string{o.Calendar, o.Key()} }

// which asks for one of several events.
func which(w *world.World, options []meet.Occurrence) error {
	ask := &world.AmbiguousError{Question: w.Voice().Say(phrases, "which")}
	for _, o := range options {
		ask.Options = append(ask.Options, meet.Option{
			ID: o.Key(), Label: o.Title, Detail: w.Voice().Span(o.Span, o.AllDay),
		})
	}
	return ask
}

// listed is the answer that shows some of the events.
func listed(w *world.World, events []agenda.Event) (world.Answer[List], error) {
	list, err := occurrences(w, "items", events)
	if err != nil {
		return world.Answer[List]{}, err
	}
	answer := world.Answer[List]{
		Data: List{Events: events, Count: len(events)}, Display: meet.ListDisplay, Title: counted(w, len(events)),
		Description: w.Voice().Agenda(list),
	}
	if len(events) == 0 {
		answer.Description = answer.Title
	}
	answer.Components = w.Blocks(list)
	return answer, nil
}

// counted is a number of events in words.
func counted(w *world.World, n int) string {
	names := []string{"none", "one", "two", "many"}
	return w.Voice().Say(phrases, names[min(n, len(names)-1)], "count", strconv.Itoa(n))
}
