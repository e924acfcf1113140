package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/preference"
	"convene/prompts"
)

// templater is stage 3: one mini call that turns the message into a template, a change of the cached one, or a link to
// follow. Names become people here.
type templater struct {
	asker
	functions functions.Templates
	reader    secondReader
	// gazetteer may be nil.
	gazetteer Gazetteer
	// anchors is nil if no calendar is to be read.
	anchors *anchors
	unread  Unread
}

// fill reads the wish. If a name fits several people, the draft asks which one is meant.
func (s templater) fill(ctx context.Context, in situation) (meet.Draft, error) {
	data, err := s.data(in)
	if err != nil {
		return meet.Draft{}, err
	}
	c := functions.TemplateContext{
		Turn:         in.turn,
		Search:       in.conversation.Search,
		Now:          in.now,
		Suggestions:  in.conversation.Suggestions,
		BookingLinks: each(data.BookingLinks, func(l prompts.BookingLink) string { return l.URL }),
		Alias:        in.party().alias(),
		Minutes:      in.prefers.Minutes,
	}
	prompt, err := s.prompts.Template(data)
	if err != nil {
		return meet.Draft{}, err
	}
	set := s.functions.For(c)
	req := request(llm.Template, prompt, set.Tools())
	draft, err := ask(ctx, s.on(in.receipt), req, set, c)
	if err != nil || draft.Ending != nil {
		return draft, err
	}
	draft.Heard = s.reader.hear(ctx, in, req, set, c)
	draft = in.heldTo(draft)
	draft.Template.Urgent = draft.Template.Urgent || preference.Urgent(in.turn.Message)
	if draft.Ending == nil && s.anchors != nil {
		draft, err = s.anchors.settle(ctx, in, draft)
	}
	if in.over(draft) {
		draft.Ending = &meet.Question{Text: message.Over(in.understood.Language), Message: in.turn.Message}
	}
	return s.unread.account(in, draft), err
}

// over reports whether all days that are wanted of a new event are over: what the message tells is no wish.
func (in situation) over(draft meet.Draft) bool {
	days, today := draft.Template.Dates, interval.DateOf(in.now)
	ahead := func(d interval.DateRange) bool { return !d.End.Before(today) }
	return draft.Ending == nil && draft.Mode == meet.ModeNew && len(days) > 0 && !slices.ContainsFunc(days, ahead)
}

// data is the turn as the model sees it.
func (s templater) data(in situation) (data prompts.Template, err error) {
	data = prompts.Template{
		Message:      in.turn.Message,
		RecentTurns:  recentTurns(in.conversation),
		Now:          in.now.Format(time.RFC3339),
		Timezone:     in.now.Location().String(),
		Days:         nextDays(in.now),
		Participants: namesOf(append(slices.Clone(in.turn.Participants), in.contacts.joining()...)),
		People:       in.people(),
		BookingLinks: in.bookingLinks(),
	}
	if s.gazetteer != nil {
		data.Places = each(s.gazetteer.Named(in.turn.Message), func(p meet.NamedPlace) prompts.NamedPlace {
			return prompts.NamedPlace{Said: p.Words, Name: p.Name, Kind: string(p.Kind)}
		})
	}
	for i, a := range in.conversation.Suggestions {
		at := in.eventAt(interval.Span{Start: a.Start, End: a.End})
		data.Activities = append(data.Activities, prompts.Activity{
			Number: i + 1, Title: a.Title, Venue: a.Venue, Kind: a.Kind, Free: a.Free, Start: at.Start, End: at.End,
		})
	}
	data.FreeTimes, data.DayAtHand = each(in.offered, in.eventAt), dateOf(in.dayAtHand())
	search := in.conversation.Search
	if search == nil {
		return data, nil
	}
	if data.Template, err = json.Marshal(search.Template); err != nil {
		return data, fmt.Errorf("cached template: %w", err)
	}
	if e := search.Event; e != nil {
		shown := in.eventAt(e.Span())
		shown.Place, shown.Booked = placeName(e), search.Booked
		data.Event = &shown
	}
	data.OfferedSlots = each(search.OfferedSlots, func(s meet.Slot) prompts.Event { return in.eventAt(s.Span()) })
	data.OfferedPlaces = each(search.OfferedPlaces, func(p meet.Place) string { return p.Name })
	return data, nil
}

func (in situation) eventAt(s interval.Span) prompts.Event {
	zone := in.now.Location()
	return prompts.Event{Start: s.Start.In(zone).Format(time.RFC3339), End: s.End.In(zone).Format(time.RFC3339)}
}

// bookingLinks are the only pages that may be opened: those that the user wrote, and those of people who are likely to
// take part.
func (in situation) bookingLinks() []prompts.BookingLink {
	var found []prompts.BookingLink
	for _, word := range strings.Fields(in.turn.Message) {
		if page := strings.Trim(word, "<>()[]\"'.,;!?"); functions.IsPage(page) {
			found = append(found, prompts.BookingLink{URL: page})
		}
	}
	for _, p := range meet.Distinct(in.likely, in.turn.Organizer.ID) {
		if functions.IsPage(p.BookingLink) {
			found = append(found, prompts.BookingLink{Person: p.Name, URL: p.BookingLink})
		}
	}
	return found
}

func placeName(e *meet.Event) string {
	if e.Place == nil {
		return ""
	}
	return e.Place.Name
}
