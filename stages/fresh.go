package stages

import (
	"context"
	"slices"

	"convene/pkg/meet"
	"convene/stages/candidates"
)

// mostFresh is how many times are offered instead of one that is no longer free.
const mostFresh = 5

// Fresh finds times for an event whose own is no longer free, by the calendars as they are now. No more people's
// calendars are unknown at them than at the event's. It uses no model.
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
	draft.Previous = &e           // the event that is being booked does not block itself
	draft.Template.Urgent = false // nobody is asked about these times
	prefers, err := p.notebook.prefers(ctx, turn.Organizer.ID)
	if err != nil {
		return nil, err
	}
	turn.Organizer = prefers.For(turn.Organizer)
	q := preferring(candidates.Query{Turn: turn, Draft: draft, Now: p.ports.Now().In(turn.Zone())}, prefers)
	q.Schedules = p.candidates.finder.Read(ctx, turn, meet.BusyQuery{
		People: draft.Everyone(turn.Organizer), Span: candidates.Soon(q.Now), Except: e.UID, Fresh: true,
	})
	defer q.Schedules.Close()
	found, err := p.candidates.finder.Slots(ctx, q, candidates.VenuesOf(&e))
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

// suits reports whether a slot is free, but for people whose calendars were unknown before.
func suits(s meet.Slot, unknown []string) bool {
	isNew := func(name string) bool { return !slices.Contains(unknown, name) }
	return s.State == meet.SlotFree || s.State == meet.SlotUnknown && !slices.ContainsFunc(s.Unknown, isNew)
}

// draftOf is the wish for an event whose conversation is forgotten: the same people and length, on any day soon.
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
