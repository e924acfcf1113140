package world

import (
	"context"
	"slices"
	"sync"
	"time"

	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/list"
	"convene/pkg/meet"
)

// How far back and ahead events are things that a message may name.
const (
	thingsBehind = 7 * 24 * time.Hour
	thingsAhead  = 26 * 7 * 24 * time.Hour
)

// Things are what the owner has, as far as it can be read: events, tasks, lists and what is on them.
func (w *World) Things(ctx context.Context) []ground.Thing {
	var events, tasks, lists []ground.Thing
	var readers sync.WaitGroup
	readers.Go(func() { events = w.eventThings(ctx) })
	readers.Go(func() { tasks = w.taskThings(ctx) })
	readers.Go(func() { lists = w.listThings(ctx) })
	readers.Wait()
	return slices.Concat(events, tasks, lists)
}

func (w *World) eventThings(ctx context.Context) (things []ground.Thing) {
	events, _ := w.Agenda.Events(ctx, interval.Span{Start: w.Now.Add(-thingsBehind), End: w.Now.Add(thingsAhead)})
	for _, o := range events {
		things = append(things, ground.Thing{
			Kind: ground.Event, ID: o.Key(), Series: o.UID, Title: o.Title, Span: o.Span,
			Invited: o.Organizer != nil && !o.Organizer.Self,
		})
	}
	return things
}

func (w *World) taskThings(ctx context.Context) (things []ground.Thing) {
	if w.Tasks == nil {
		return nil
	}
	tasks, _ := w.Tasks.All(ctx)
	for _, t := range tasks {
		things = append(things, ground.Thing{Kind: ground.Task, ID: t.ID, Title: t.Title})
	}
	return things
}

func (w *World) listThings(ctx context.Context) (things []ground.Thing) {
	if w.Own[meet.ListThing] == nil {
		return nil
	}
	values, _ := w.Own[meet.ListThing].All(ctx)
	lists, _ := list.All(values)
	for _, l := range lists {
		things = append(things, ground.Thing{Kind: ground.List, ID: l.ID, Title: l.Name})
		for _, i := range l.Items {
			things = append(things, ground.Thing{Kind: ground.Item, ID: i.ID, Title: i.Text, List: l.ID})
		}
	}
	return things
}
