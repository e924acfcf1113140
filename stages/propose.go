package stages

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// proposer turns the candidates into what the user gets: an event, other times than those that were asked for, or the
// reason why there is nothing.
type proposer struct {
	selection selector
	proposals Proposals
	confirmer Confirmer
}

// propose is stage 5 if there are candidates: the message, the event, and what the next turn needs to know of them.
func (p proposer) propose(ctx context.Context, r *run, draft meet.Draft, found meet.Candidates) (meet.Outcome, error) {
	on := newOffer(r.situation, draft, found, message.PathProposal)
	chosen, err := p.choose(ctx, r, on)
	if err != nil {
		return meet.Outcome{}, err
	}
	event := newEvent(r.situation, draft, on, chosen)
	event.Doubts = doubtsOf(r.situation, draft, found, event)
	raw, err := meet.MarshalLine(event)
	if err != nil {
		return meet.Outcome{}, err
	}
	// The steps are kept first: a process that takes the turn over makes the same event, which exists then.
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	if err := p.proposals.SaveProposal(ctx, event, raw, r.turn); err != nil {
		return meet.Outcome{}, err
	}
	kind, booked := meet.OutcomeProposed, false
	question := draft.Edit != nil && draft.Edit.Conditional
	asked := on.asAsked(chosen.Choice) && !question && len(event.Doubts) == 0
	if asked && event.Start.Before(r.now.AddDate(0, autoMonths, 0)) {
		event, booked = p.autoConfirm(ctx, r, event)
	}
	if booked {
		// The user must learn of it, even if the turn fails now.
		ctx, kind, raw = context.WithoutCancel(ctx), meet.OutcomeConfirmed, nil
		on.facts.Undelivered, on.facts.Copied = event.Undelivered()
		chosen.Text, chosen.By = on.facts.Confirmed(chosen.Choice), meet.ByCode
	}
	chosen.Text = message.Doubted(r.understood.Language, chosen.Text, event.Doubts, r.turn.AutoConfirm)
	r.conversation.Search = searchOf(r.situation, draft, found, chosen.Choice, &event)
	if err := r.emit(ctx, r.message(chosen.Text, chosen.By), meet.EventUpdate{Event: event, JSON: raw}); err != nil {
		return meet.Outcome{}, err
	}
	return meet.Outcome{Kind: kind, Event: &event, Message: chosen.Text}, nil
}

// autoMonths is how far ahead an event is booked without asking. Yesterday's date is understood as next year's; a user
// who means that can confirm it.
const autoMonths = 9

// asAsked reports whether the time and the place of a choice are as asked for.
func (o *offer) asAsked(c message.Choice) bool {
	missed := o.found.HasNoCommonTime || o.found.HasExplicitTimeConflict || o.found.Past || o.found.Skipped
	return !missed && o.facts.PlaceAsAsked(c)
}

// doubtsOf an event are about what the user's own words do not support: all doubts if the event is to be booked without
// a confirmation, otherwise the plain ones.
func doubtsOf(in situation, draft meet.Draft, found meet.Candidates, e meet.Event) (doubts []meet.Doubt) {
	doubts = in.unhandled(draft)
	if len(doubts) > 0 && in.turn.AutoConfirm {
		in.receipt.degraded("the event was not booked by itself: it does not have all that the message says")
	}
	doubts = append(doubts, in.taken(draft, e)...)
	if draft.Heard == nil {
		return doubts
	}
	c := comparison{
		heard: *draft.Heard, draft: draft, start: e.Start.In(in.now.Location()), venue: e.Place,
		astray: found.HasNoCommonTime || found.Past || found.Skipped,
	}
	add := func(d meet.Doubt) {
		doubts = append(doubts, d)
		if in.turn.AutoConfirm {
			in.receipt.degraded("the event was not booked by itself: the message does not bear out the " + string(d.Kind))
		}
	}
	for _, d := range c.doubts() {
		if d.plain || in.turn.AutoConfirm {
			add(message.Doubt(in.understood.Language, d.kind, d.said))
		}
	}
	if was := draft.Previous; was != nil {
		for _, d := range was.Doubts {
			again := func(o meet.Doubt) bool { return o.Kind == d.Kind }
			fresh := d.Kind == meet.DoubtUnhandled || d.Kind == meet.DoubtKept
			if !fresh && !slices.ContainsFunc(doubts, again) && !c.settles(d.Kind) {
				add(d)
			}
		}
	}
	return doubts
}

// autoConfirm books at once if the request says so and the slot is free for everyone.
func (p proposer) autoConfirm(ctx context.Context, r *run, e meet.Event) (confirmed meet.Event, booked bool) {
	if !r.turn.AutoConfirm || len(e.Conflicts) > 0 || len(e.Unknown) > 0 {
		return e, false
	}
	confirmed, err := p.confirmer.ConfirmProposal(ctx, e.ID)
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("the event could not be confirmed by itself")
		r.receipt.degraded("the event was not booked by itself: " + fault.As(err).Message)
		return e, false
	}
	return confirmed, true
}

// keep is stage 5 if the event stays as it is: other times, and a message that says so.
func (p proposer) keep(ctx context.Context, r *run, draft meet.Draft, found meet.Candidates) (meet.Outcome, error) {
	slices.SortStableFunc(found.Slots, func(a, b meet.Slot) int { return stateRank(a) - stateRank(b) })
	found.Pairs = nil // these times come without a place
	on := newOffer(r.situation, draft, found, message.PathAlternatives)
	chosen, err := p.choose(ctx, r, on)
	if err != nil {
		return meet.Outcome{}, err
	}
	others := picked(found.Slots, chosen.Choice.Slots)
	search := r.conversation.Search
	search.OfferedSlots, search.OfferedPlaces = others, nil
	search.ShowSlots(others)
	chosen.Text = message.Doubted(r.understood.Language, chosen.Text, r.unhandled(draft), false)
	err = r.emit(ctx, r.message(chosen.Text, chosen.By), meet.AlternativesUpdate{
		Slots: others, Reasons: orEmpty(found.Reasons),
	})
	return meet.Outcome{Kind: meet.OutcomeAlternatives, Message: chosen.Text}, err
}

// nothing ends the turn if there is no time at all, not even a bad one. The wish is remembered, so that the next
// message can change it.
func (p proposer) nothing(ctx context.Context, r *run, draft meet.Draft, found meet.Candidates) (meet.Outcome, error) {
	if draft.Mode == meet.ModeNew {
		r.conversation.Search = searchOf(r.situation, draft, found, message.Choice{}, nil)
	}
	facts := factsOf(r.situation, draft, found)
	text := message.Doubted(r.understood.Language, facts.Nothing(found.Reasons), r.unhandled(draft), false)
	return r.say(ctx, meet.OutcomeAnswered, text)
}

// choose is stage 5 itself; the message is shown while the model writes it.
func (p proposer) choose(ctx context.Context, r *run, on *offer) (selected, error) {
	if err := r.progress(ctx, "select", "Selecting best time and place..."); err != nil {
		return selected{}, err
	}
	return perform(ctx, r, "select", func(ctx context.Context) (selected, error) {
		return p.selection.choose(ctx, on, r.receipt, func(text string) error {
			return r.emit(ctx, meet.MessageDeltaUpdate{Text: text})
		})
	})
}

// newEvent makes the proposal of a choice. An edit keeps the UID of the event that it changes.
func newEvent(in situation, draft meet.Draft, on *offer, chosen selected) meet.Event {
	slots, places := picked(on.found.Slots, chosen.Choice.Slots), picked(on.found.Places, chosen.Choice.Places)
	best := slots[0]
	id := in.turn.ID.Proposal()
	e := meet.Event{
		ID: id, Conversation: in.turn.Conversation, Status: meet.Proposed,
		Title: draft.Template.Title, EventType: draft.Template.EventType,
		Start: best.Start, End: best.End, Timezone: in.now.Location().String(), Language: in.understood.Language,
		Participants:     participants(draft.Everyone(in.turn.Organizer), best.Start.In(in.now.Location())),
		TravelBuffer:     draft.Template.TravelBuffer,
		CalendarProvider: chosen.Provider, CalendarType: cmp.Or(in.turn.Organizer.CalendarType, meet.Personal),
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

// Settled is the message for an event that is confirmed, cancelled or replaced, with HTML by render. Its text is empty
// while the event is only proposed.
func Settled(e meet.Event, now time.Time, render func(markdown string) (html string)) meet.MessageUpdate {
	text := message.Settled(e, now)
	return meet.MessageUpdate{Text: text, HTML: render(text), ComposedBy: meet.ByCode}
}

func participants(people []meet.Person, start time.Time) []meet.Participant {
	return each(people, func(p meet.Person) meet.Participant {
		zone := start.Location()
		if p.Timezone != "" {
			zone = p.Zone()
		}
		return meet.Participant{
			ID: p.ID, Name: cmp.Or(meet.Caption(p.Name), string(p.ID)),
			Email: p.Email, Timezone: zone.String(), LocalStart: start.In(zone),
		}
	})
}

// Links are the ways to take a proposal into a calendar by hand: the file, and the prefilled forms of Google
// Calendar (render?action=TEMPLATE) and Outlook (deeplink/compose). Times in the forms are UTC.
func Links(e meet.Event) meet.Links {
	const compact = "20060102T150405Z"
	where := placeName(&e)
	if e.Place != nil && e.Place.Address != "" {
		where += ", " + e.Place.Address
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
