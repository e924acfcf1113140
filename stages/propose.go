package stages

import (
	"context"
	"slices"

	"github.com/rs/zerolog"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// propose is stage 5 where something suits: the message, the event, and what the next turn needs to know of them.
func (p *Pipeline) propose(ctx context.Context, r *run, draft meet.Draft, found meet.Candidates) (meet.Outcome, error) {
	on := p.offer(r, draft, found, message.PathProposal)
	chosen, err := r.choose(ctx, p.selection, on)
	if err != nil {
		return meet.Outcome{}, err
	}
	event := r.event(draft, on, chosen)
	event.Doubts = r.doubts(draft, found, event)
	raw, err := meet.MarshalLine(event)
	if err != nil {
		return meet.Outcome{}, err
	}
	// What the event is made of is kept first: a process that takes the turn over makes the same one, which is there already.
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	if err := p.ports.Proposals.SaveProposal(ctx, event, raw, r.turn); err != nil {
		return meet.Outcome{}, err
	}
	kind := meet.OutcomeProposed
	booked := false
	question := draft.Edit != nil && draft.Edit.Conditional
	asked := on.asAsked(chosen.Choice) && !question && len(event.Doubts) == 0
	if asked && event.Start.Before(r.now.AddDate(0, autoMonths, 0)) {
		event, booked = p.autoConfirm(ctx, r, event)
	}
	if booked {
		// Whatever becomes of the turn now, the person must be told.
		ctx, kind, raw = context.WithoutCancel(ctx), meet.OutcomeConfirmed, nil
		on.facts.Undelivered, on.facts.Copied = event.Undelivered()
		chosen.Text, chosen.By = on.facts.Confirmed(chosen.Choice), meet.ByCode
	}
	chosen.Text = message.Doubted(r.understood.Language, chosen.Text, event.Doubts, r.turn.AutoConfirm)
	r.conversation.Search = r.searchOf(draft, found, chosen, &event)
	if err := r.emit(ctx, r.message(chosen.Text, chosen.By), meet.EventUpdate{Event: event, JSON: raw}); err != nil {
		return meet.Outcome{}, err
	}
	return meet.Outcome{Kind: kind, Event: &event, Message: chosen.Text}, nil
}

// autoMonths is how far ahead an event is booked without asking. A day that was yesterday is understood as the one of next
// year: whoever meant that can confirm it.
const autoMonths = 9

// asAsked reports whether a choice is at a time and a place as they were asked for.
func (o *offer) asAsked(c message.Choice) bool {
	missed := o.found.HasNoCommonTime || o.found.HasExplicitTimeConflict || o.found.Past || o.found.Skipped
	return !missed && o.facts.PlaceAsAsked(c)
}

// doubts are what of an event the user's own words do not bear out: all of it if the event is to be booked without a
// confirmation, otherwise what is plain.
func (r *run) doubts(draft meet.Draft, found meet.Candidates, e meet.Event) (doubts []meet.Doubt) {
	if draft.Heard == nil {
		return nil
	}
	c := comparison{
		heard: *draft.Heard, draft: draft, start: e.Start.In(r.now.Location()), venue: e.Place,
		astray: found.HasNoCommonTime || found.Past || found.Skipped,
	}
	add := func(d meet.Doubt) {
		doubts = append(doubts, d)
		if r.turn.AutoConfirm {
			r.receipt.degraded("the event was not booked by itself: the message does not bear out the " + string(d.Kind))
		}
	}
	for _, d := range c.doubts() {
		if d.plain || r.turn.AutoConfirm {
			add(message.Doubt(r.understood.Language, d.kind, d.said))
		}
	}
	if was := draft.Previous; was != nil {
		for _, d := range was.Doubts {
			again := func(o meet.Doubt) bool { return o.Kind == d.Kind }
			if !slices.ContainsFunc(doubts, again) && !c.settles(d.Kind) {
				add(d)
			}
		}
	}
	return doubts
}

// autoConfirm books at once where the request said so and nothing is in doubt.
func (p *Pipeline) autoConfirm(ctx context.Context, r *run, e meet.Event) (confirmed meet.Event, booked bool) {
	if !r.turn.AutoConfirm || len(e.Conflicts) > 0 || len(e.Unknown) > 0 {
		return e, false
	}
	confirmed, err := p.ports.Confirmer.ConfirmProposal(ctx, e.ID)
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("the event could not be confirmed by itself")
		r.receipt.degraded("the event was not booked by itself: " + fault.As(err).Message)
		return e, false
	}
	return confirmed, true
}

// keep is stage 5 where the event stays as it is: other times, and a message that says so.
func (p *Pipeline) keep(ctx context.Context, r *run, draft meet.Draft, found meet.Candidates) (meet.Outcome, error) {
	slices.SortStableFunc(found.Slots, func(a, b meet.Slot) int { return stateRank(a) - stateRank(b) })
	found.Pairs = nil // no place goes with a time that is only told of
	on := p.offer(r, draft, found, message.PathAlternatives)
	chosen, err := r.choose(ctx, p.selection, on)
	if err != nil {
		return meet.Outcome{}, err
	}
	others := on.slots(chosen.Choice.Slots)
	search := r.conversation.Search
	search.OfferedSlots, search.OfferedPlaces = others, nil
	search.ShownSlots = withTimes(search.ShownSlots, others)
	err = r.emit(ctx, r.message(chosen.Text, chosen.By), meet.AlternativesUpdate{Slots: others, Reasons: orEmpty(found.Reasons)})
	return meet.Outcome{Kind: meet.OutcomeAlternatives, Message: chosen.Text}, err
}

// nothing ends the turn where there is no time at all, not even a bad one. What was wished for is remembered, so that the
// next message can change it.
func (p *Pipeline) nothing(ctx context.Context, r *run, draft meet.Draft, found meet.Candidates) (meet.Outcome, error) {
	if draft.Mode == meet.ModeNew {
		r.conversation.Search = r.searchOf(draft, found, selected{}, nil)
	}
	facts := p.offer(r, draft, found, message.PathProposal).facts
	return r.say(ctx, meet.OutcomeAnswered, facts.Nothing(found.Reasons))
}

func (r *run) choose(ctx context.Context, stage selector, on *offer) (selected, error) {
	if err := r.progress(ctx, 5, "select", "Selecting best time and place..."); err != nil {
		return selected{}, err
	}
	return perform(ctx, r, "select", func(ctx context.Context) (selected, error) {
		return stage.run(ctx, on, r.receipt, func(text string) error {
			return r.emit(ctx, meet.MessageDeltaUpdate{Text: text})
		})
	})
}

// offer gathers what may be chosen and said.
func (p *Pipeline) offer(r *run, draft meet.Draft, found meet.Candidates, path message.Path) *offer {
	var unread, unknown []string
	for _, c := range found.Calendars {
		switch {
		case c.State == meet.Checked:
		case c.Person == "":
			unknown = append(unknown, c.Name)
		default:
			unread = append(unread, c.Name)
		}
	}
	organizer := r.turn.Organizer
	return &offer{
		found:     found,
		path:      path,
		leisure:   draft.Template.Activity == meet.Custom && !organizer.OnWorkCalendar(),
		open:      leavesOpen(draft.Template),
		providers: found.Providers,
		ownPlaces: r.turn.AutoConfirm && draft.Heard != nil,
		facts: (&message.Facts{
			Language: r.understood.Language, Mode: draft.Mode, Template: draft.Template,
			Organizer: organizer, People: draft.People, Zone: r.now.Location(), Now: r.now,
			Slots: found.Slots, Places: found.Places, Shown: found.Shown, Previous: draft.Previous,
			CalendarType: calendarType(organizer), Unread: unread, Unknown: unknown,
			NoCommonTime: found.HasNoCommonTime, Past: found.Past, Skipped: found.Skipped,
			ExplicitTime: found.HasExplicitTimeConflict, PlacesFailed: found.PlacesFailed, Search: found.Search,
			Apart: found.Apart, Pairs: found.Pairs,
			WantsPlace: functions.SeeksPlace(draft.Template) || draft.FixedPlace != nil, KeepsPlace: keepsPlace(draft),
			Moves: draft.Mode == meet.ModeEdit && r.conversation.Search.Booked,
		}).Prepared(),
	}
}

func (o *offer) slots(indices []int) []meet.Slot {
	slots := make([]meet.Slot, 0, len(indices))
	for _, i := range indices {
		slots = append(slots, o.found.Slots[i])
	}
	return slots
}

func (o *offer) places(indices []int) []meet.Place {
	places := make([]meet.Place, 0, len(indices))
	for _, i := range indices {
		places = append(places, o.found.Places[i])
	}
	return places
}
