package stages

import (
	"cmp"
	"strings"
	"time"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// event makes the proposal of a choice. An edit keeps the identity of the event that it changes.
func (r *run) event(draft meet.Draft, on *offer, chosen selected) meet.Event {
	slots, places := on.slots(chosen.Choice.Slots), on.places(chosen.Choice.Places)
	best := slots[0]
	id := proposalOf(r.turn)
	e := meet.Event{
		ID: id, Conversation: r.turn.Conversation, Status: meet.Proposed,
		Title: draft.Template.Title, EventType: draft.Template.EventType,
		Start: best.Start, End: best.End, Timezone: r.now.Location().String(), Language: r.understood.Language,
		Participants:     participants(everybody(r.turn.Organizer, draft.People), best.Start.In(r.now.Location())),
		TravelBuffer:     draft.Template.TravelBuffer,
		CalendarProvider: chosen.Provider, CalendarType: calendarType(r.turn.Organizer),
		Conflicts: orEmpty(best.Conflicts), Unknown: best.Unknown,
		Alternatives: meet.AlternativeOffer{Slots: slots[1:], Places: []meet.Place{}},
		UID:          string(id) + "@convene",
	}
	if len(places) > 0 {
		if e.TravelBuffer == (meet.TravelBuffer{}) {
			e.TravelBuffer = on.found.Pair(chosen.Choice.Slots[0], chosen.Choice.Places[0]).Travel
		}
		e.Place = &places[0]
		e.Alternatives.Places = places[1:]
	}
	if draft.Previous != nil {
		e.UID, e.Sequence, e.Replaces = draft.Previous.UID, draft.Previous.Sequence+1, draft.Previous.ID
	}
	e.Links = Links(e)
	return e
}

// Settled is what is to be said of an event as it stands, once it is confirmed, cancelled or replaced, with its HTML as
// render makes it. It is empty while the event is only proposed.
func Settled(e meet.Event, now time.Time, render func(markdown string) (html string)) meet.MessageUpdate {
	text := message.Settled(e, now)
	return meet.MessageUpdate{Text: text, HTML: render(text), ComposedBy: meet.ByCode}
}

func participants(people []meet.Person, start time.Time) []meet.Participant {
	list := make([]meet.Participant, len(people))
	for i, p := range people {
		zone := start.Location()
		if p.Timezone != "" {
			zone = p.Zone()
		}
		list[i] = meet.Participant{
			ID: p.ID, Name: cmp.Or(meet.Caption(p.Name), string(p.ID)), Email: p.Email, Timezone: zone.String(), LocalStart: start.In(zone),
		}
	}
	return list
}

func calendarType(p meet.Person) meet.CalendarType {
	if p.CalendarType == "" {
		return meet.Personal
	}
	return p.CalendarType
}

// proposalOf names the one proposal that a turn can make, so that a turn that is run again makes the same.
func proposalOf(turn meet.Turn) meet.ProposalID {
	return meet.ProposalID("p_" + strings.TrimPrefix(string(turn.ID), "t_"))
}
