package stages

import (
	"context"
	"slices"

	"convene/pkg/meet"
)

// mostFresh is how many times are offered in place of one that has gone.
const mostFresh = 5

// Fresh finds times for an event whose own has gone, as the calendars are now: such as suit everybody, as far as was
// known of the one that has gone. It uses no model.
func (p *Pipeline) Fresh(ctx context.Context, turn meet.Turn, e meet.Event) ([]meet.Slot, error) {
	talk, err := p.ports.Memory.Load(ctx, memoryOf(turn))
	if err != nil {
		return nil, err
	}
	draft := draftOf(e)
	if s := talk.Search; s != nil && s.Event != nil && s.Event.ID == e.ID {
		draft = meet.Draft{Mode: meet.ModeNew, Template: s.Template, People: s.People, OnlyThen: s.OnlyThen}
	}
	if draft.OnlyThen {
		return nil, nil
	}
	draft.Previous = &e // what is being booked does not stand in its own way
	c := circumstances{turn: turn, now: p.ports.Now().In(turn.Zone())}
	c.schedules = p.candidates.read(ctx, turn, meet.BusyQuery{
		People: everybody(turn.Organizer, draft.People), Span: soon(c.now), Except: e.UID, Fresh: true,
	})
	defer c.schedules.close()
	found, err := p.candidates.findSlots(ctx, c, draft, venuesOf(&e))
	if err != nil {
		return nil, err
	}
	var free []meet.Slot
	for _, s := range found.Slots {
		if suits(s, e.Unknown) && len(free) < mostFresh {
			free = append(free, s)
		}
	}
	return free, nil
}

// suits reports whether nothing stands against a slot but that nobody knows of those whether they are free of whom that
// was said before.
func suits(s meet.Slot, unknown []string) bool {
	news := func(name string) bool { return !slices.Contains(unknown, name) }
	return s.State == meet.SlotFree || s.State == meet.SlotUnknown && !slices.ContainsFunc(s.Unknown, news)
}

// draftOf is the wish behind an event whose conversation is forgotten: the same people, for as long, on any day soon.
func draftOf(e meet.Event) meet.Draft {
	draft := meet.Draft{Mode: meet.ModeNew, Template: meet.Template{
		Title: e.Title, EventType: e.EventType, Activity: meet.Meeting,
		Duration: int(e.End.Sub(e.Start).Minutes()), TravelBuffer: e.TravelBuffer.Shared(),
	}}
	for _, p := range e.Participants[min(1, len(e.Participants)):] {
		draft.People = append(draft.People, meet.Person{ID: p.ID, Name: p.Name, Email: p.Email, Timezone: p.Timezone})
	}
	return draft
}
