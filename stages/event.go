package stages

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// newEvent makes the proposal of a choice. An edit keeps the identity of the event that it changes.
func newEvent(in situation, draft meet.Draft, on *offer, chosen selected) meet.Event {
	slots, places := picked(on.found.Slots, chosen.Choice.Slots), picked(on.found.Places, chosen.Choice.Places)
	best := slots[0]
	id := proposalOf(in.turn)
	e := meet.Event{
		ID: id, Conversation: in.turn.Conversation, Status: meet.Proposed,
		Title: draft.Template.Title, EventType: draft.Template.EventType,
		Start: best.Start, End: best.End, Timezone: in.now.Location().String(), Language: in.understood.Language,
		Participants:     participants(draft.Everyone(in.turn.Organizer), best.Start.In(in.now.Location())),
		TravelBuffer:     draft.Template.TravelBuffer,
		CalendarProvider: chosen.Provider, CalendarType: calendarType(in.turn.Organizer),
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

// Links are the ways to take a proposal into a calendar by hand: the file, and the prefilled forms of Google
// Calendar (render?action=TEMPLATE) and Outlook (deeplink/compose). Times in the forms are UTC.
func Links(e meet.Event) meet.Links {
	const compact = "20060102T150405Z"
	where := ""
	if e.Place != nil {
		where = e.Place.Name
		if e.Place.Address != "" {
			where += ", " + e.Place.Address
		}
	}
	google := url.Values{
		"action":   {"TEMPLATE"},
		"text":     {e.Title},
		"dates":    {e.Start.UTC().Format(compact) + "/" + e.End.UTC().Format(compact)},
		"ctz":      {e.Timezone},
		"location": {where},
	}
	outlook := url.Values{
		"path":     {"/calendar/action/compose"},
		"rru":      {"addevent"},
		"subject":  {e.Title},
		"startdt":  {e.Start.UTC().Format(time.RFC3339)},
		"enddt":    {e.End.UTC().Format(time.RFC3339)},
		"location": {where},
	}
	return meet.Links{
		ICS:     "/v1/proposals/" + string(e.ID) + ".ics",
		Google:  "https://calendar.google.com/calendar/render?" + google.Encode(),
		Outlook: "https://outlook.live.com/calendar/0/deeplink/compose?" + outlook.Encode(),
	}
}
