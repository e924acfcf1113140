package stages

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// propose is stage 5 where something suits: the message, the event, and what the next turn needs to know of them.
func (r *run) propose(ctx context.Context, p *Pipeline, draft meet.Draft, found meet.Candidates) (meet.Outcome, error) {
	on := r.offer(p, draft, found, message.PathProposal)
	if len(found.Slots) == 0 {
		return r.say(meet.OutcomeAnswered, on.facts.Nothing(found.Reasons))
	}
	chosen, err := r.choose(ctx, p.selection, on)
	if err != nil {
		return meet.Outcome{}, err
	}
	event := r.event(draft, on, chosen)
	if err := p.ports.Proposals.SaveProposal(ctx, event, r.turn); err != nil {
		return meet.Outcome{}, err
	}
	kind := meet.OutcomeProposed
	if confirmed, ok := r.autoConfirm(ctx, p.ports.Confirmer, event); ok {
		event, kind = confirmed, meet.OutcomeConfirmed
	}
	r.conversation.Search = r.search(draft, found, chosen, event)
	if err := r.emit(meet.MessageUpdate{Text: chosen.text, ComposedBy: chosen.by}); err != nil {
		return meet.Outcome{}, err
	}
	return meet.Outcome{Kind: kind, Event: &event, Message: chosen.text}, r.emit(meet.EventUpdate{Event: event})
}

// keep is stage 5 where a question is answered with no: other times, and the event as it was.
func (r *run) keep(ctx context.Context, p *Pipeline, draft meet.Draft, found meet.Candidates) (meet.Outcome, error) {
	slices.SortStableFunc(found.Slots, func(a, b meet.Slot) int { return stateRank(a) - stateRank(b) })
	found.PinnedSlot = false
	on := r.offer(p, draft, found, message.PathAlternatives)
	chosen, err := r.choose(ctx, p.selection, on)
	if err != nil {
		return meet.Outcome{}, err
	}
	if err := r.emit(meet.MessageUpdate{Text: chosen.text, ComposedBy: chosen.by}); err != nil {
		return meet.Outcome{}, err
	}
	others := on.slots(chosen.choice.Slots)
	r.conversation.Search.OfferedSlots = others
	err = r.emit(meet.AlternativesUpdate{Slots: others, Reasons: orEmpty(found.Reasons)})
	return meet.Outcome{Kind: meet.OutcomeAlternatives, Message: chosen.text}, err
}

func (r *run) choose(ctx context.Context, stage selector, on offer) (selected, error) {
	defer r.receipt.stage("select")()
	if err := r.progress(5, "select", "Selecting best time and place..."); err != nil {
		return selected{}, err
	}
	return stage.run(ctx, on, r.receipt, func(text string) error {
		return r.emit(meet.MessageDeltaUpdate{Text: text})
	})
}

// offer gathers what may be chosen and said.
func (r *run) offer(p *Pipeline, draft meet.Draft, found meet.Candidates, path message.Path) offer {
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
	return offer{
		found:     found,
		path:      path,
		leisure:   draft.Template.Activity == meet.Custom && !organizer.OnWorkCalendar(),
		providers: p.ports.Calendars.Providers(organizer),
		facts: message.Facts{
			Language: r.understood.Language, Mode: draft.Mode, Template: draft.Template,
			Organizer: organizer, People: draft.People, Zone: r.now.Location(), Now: r.now,
			Slots: found.Slots, Places: found.Places, Shown: found.Shown, Previous: draft.Previous,
			CalendarType: calendarType(organizer), Unread: unread, Unknown: unknown,
			NoCommonTime: found.HasNoCommonTime, PlacesFailed: found.PlacesFailed,
			WantsPlace: !draft.Template.Remote(),
		},
	}
}

func (o offer) slots(indices []int) []meet.Slot {
	slots := make([]meet.Slot, 0, len(indices))
	for _, i := range indices {
		slots = append(slots, o.found.Slots[i])
	}
	return slots
}

func (o offer) places(indices []int) []meet.Place {
	places := make([]meet.Place, 0, len(indices))
	for _, i := range indices {
		places = append(places, o.found.Places[i])
	}
	return places
}

// event makes the proposal of the choice. An edit keeps the identity of the event that it changes.
func (r *run) event(draft meet.Draft, on offer, chosen selected) meet.Event {
	slots, places := on.slots(chosen.choice.Slots), on.places(chosen.choice.Places)
	best := slots[0]
	id := meet.ProposalID(newID("p"))
	e := meet.Event{
		ID: id, Conversation: r.turn.Conversation, Status: meet.Proposed,
		Title: draft.Template.Title, EventType: draft.Template.EventType,
		Start: best.Start, End: best.End, Timezone: r.now.Location().String(),
		Participants: participants(everybody(r.turn.Organizer, draft.People), best.Start),
		TravelBuffer: draft.Template.TravelBuffer,
		// What the organizer's calendar is called and which rules it follows.
		CalendarProvider: chosen.provider, CalendarType: calendarType(r.turn.Organizer),
		Conflicts: orEmpty(best.Conflicts), Unknown: best.Unknown,
		Alternatives: meet.AlternativeOffer{Slots: slots[1:], Places: []meet.Place{}},
		UID:          string(id) + "@convene",
	}
	if len(places) > 0 {
		e.Place = &places[0]
		e.Alternatives.Places = places[1:]
	}
	if draft.Previous != nil {
		e.UID, e.Sequence, e.Replaces = draft.Previous.UID, draft.Previous.Sequence+1, draft.Previous.ID
	}
	e.Links = Links(e)
	return e
}

func participants(people []meet.Person, start time.Time) []meet.Participant {
	list := make([]meet.Participant, len(people))
	for i, p := range people {
		zone := start.Location()
		if p.Timezone != "" {
			zone = p.Zone()
		}
		list[i] = meet.Participant{
			ID: p.ID, Name: p.Name, Email: p.Email, Timezone: zone.String(), LocalStart: start.In(zone),
		}
	}
	return list
}

// autoConfirm books at once where the request said so and nothing is in doubt.
func (r *run) autoConfirm(ctx context.Context, c Confirmer, e meet.Event) (meet.Event, bool) {
	if !r.turn.AutoConfirm || len(e.Conflicts) > 0 || len(e.Unknown) > 0 {
		return e, false
	}
	confirmed, err := c.ConfirmProposal(ctx, e.ID)
	if err != nil {
		r.receipt.degraded("the event could not be confirmed by itself; please confirm it")
		return e, false
	}
	return confirmed, true
}

// search is what an edit or "show more" starts from.
func (r *run) search(draft meet.Draft, found meet.Candidates, chosen selected, e meet.Event) *meet.Search {
	s := &meet.Search{
		Template: draft.Template, People: draft.People, Places: found.Places, Slots: found.Slots,
		Event: &e, Organizer: r.turn.Organizer.ID, At: r.now, OfferedSlots: e.Alternatives.Slots,
		OfferedPlaces: e.Alternatives.Places, NoCommonTime: found.HasNoCommonTime,
	}
	for _, i := range chosen.choice.Slots {
		s.ShownSlots = append(s.ShownSlots, found.Slots[i].Start)
	}
	for _, i := range chosen.choice.Places {
		s.ShownPlaces = append(s.ShownPlaces, found.Places[i].Name)
	}
	return s
}

func calendarType(p meet.Person) meet.CalendarType {
	if p.CalendarType == "" {
		return meet.Personal
	}
	return p.CalendarType
}

// newID is an identifier that cannot be guessed, with a letter for what it names.
func newID(kind string) string { return kind + "_" + strings.ToLower(rand.Text()) }
