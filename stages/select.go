package stages

import (
	"context"
	"slices"
	"time"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/slot"
	"convene/prompts"
)

// selector is stage 5: one mini call that ranks what code found and writes the message. Neither is believed before it
// was checked, and both have a stand-in made by code, so that a turn never depends on what a model says.
type selector struct {
	asker
	propose      functions.Set[struct{}, meet.Selection]
	alternatives functions.Set[struct{}, meet.Selection]
}

func newSelector(a asker) selector {
	return selector{
		asker:        a,
		propose:      functions.Set[struct{}, meet.Selection]{functions.GenerateEvent()},
		alternatives: functions.Set[struct{}, meet.Selection]{functions.ProvideAlternatives()},
	}
}

// selected is a choice that holds and a message that is true.
type selected struct {
	choice   message.Choice
	text     string
	by       meet.Author
	provider string
}

// run chooses. Preview gets the message while the model writes it, as far as it has been checked.
func (s selector) run(ctx context.Context, on offer, bill *tally, preview func(string) error) (selected, error) {
	set, compose := s.propose, on.facts.Proposal
	if on.path == message.PathAlternatives {
		set, compose = s.alternatives, on.facts.NoMatch
	}
	prompt, err := s.prompts.Select(on.prompt())
	if err != nil {
		return selected{}, err
	}
	reading := &reading{offer: on, bill: bill, preview: preview}
	call, err := s.on(bill).complete(ctx, request(llm.Select, prompt, set.Tools()), reading.write)
	if ctx.Err() != nil {
		return selected{}, ctx.Err()
	}
	chosen := selected{by: meet.ByCode, provider: on.provider("")}
	if err == nil {
		var said meet.Selection
		if said, err = set.Call(struct{}{}, call); err == nil {
			chosen.choice = on.correct(said, bill)
			chosen.provider = on.provider(said.CalendarProvider)
			chosen.text, err = reading.finish(chosen.choice, said.Message)
		}
	}
	if err == nil {
		chosen.by = meet.ByModel
		return chosen, nil
	}
	noteWhy(err, bill)
	if len(chosen.choice.Slots) == 0 {
		chosen.choice = on.correct(meet.Selection{}, newTally())
	}
	chosen.text = compose(chosen.choice)
	return chosen, nil
}

// offer is all that stage 5 may choose from, and the facts that its message may speak of.
type offer struct {
	facts     message.Facts
	found     meet.Candidates
	path      message.Path
	leisure   bool
	providers []string
}

// most is how many of each are ranked: the best and three alternatives.
const most = 4

// correct makes the model's ranks into a choice that holds. What is out of range or repeated is dropped, what is not
// the model's to decide is put right, and the rest is filled up from the code's own ranking.
func (o offer) correct(said meet.Selection, bill *tally) message.Choice {
	slots := valid(said.Slots, len(o.found.Slots), "slot_index", bill)
	slots = o.bestSlotFirst(o.fillSlots(slots), bill)
	choice := message.Choice{Slots: slots[:min(most, len(slots))]}
	if o.path == message.PathAlternatives {
		choice.Slots = choice.Slots[:min(most-1, len(choice.Slots))]
		return choice
	}
	if len(choice.Slots) == 0 {
		return choice
	}
	places := valid(said.Places, len(o.found.Places), "place_index", bill)
	choice.Places = o.placesFor(o.found.Slots[choice.Slots[0]], places, bill)
	return choice
}

// valid drops indices that do not exist or were said before.
func valid(said []int, n int, what string, bill *tally) []int {
	var kept []int
	for _, i := range said {
		if i < 0 || i >= n || slices.Contains(kept, i) {
			bill.removed(what)
			continue
		}
		kept = append(kept, i)
	}
	return kept
}

// fillSlots adds the code's ranking behind what was chosen: first days that are not there yet, then the rest.
func (o offer) fillSlots(chosen []int) []int {
	days := map[interval.Date]bool{}
	for _, i := range chosen {
		days[interval.DateOf(o.found.Slots[i].Start)] = true
	}
	for i, s := range o.found.Slots {
		if day := interval.DateOf(s.Start); !days[day] && !slices.Contains(chosen, i) {
			days[day] = true
			chosen = append(chosen, i)
		}
	}
	return rest(chosen, len(o.found.Slots))
}

func rest(chosen []int, n int) []int {
	for i := range n {
		if !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// bestSlotFirst puts right what the model may not decide: a pinned time stays first; nobody is booked on an assumption
// while a checked time exists; and leisure on a personal calendar belongs in the evening or at the weekend.
func (o offer) bestSlotFirst(ranked []int, bill *tally) []int {
	if len(ranked) == 0 {
		return ranked
	}
	if o.found.PinnedSlot {
		return toFront(ranked, 0)
	}
	best := slices.MinFunc(ranked, func(a, b int) int { return o.worse(a) - o.worse(b) })
	if o.worse(best) < o.worse(ranked[0]) {
		bill.removed("unsuitable_slot")
		ranked = toFront(ranked, best)
	}
	// The stable order keeps the model's ranking among equals.
	alternatives := slices.Clone(ranked[1:])
	slices.SortStableFunc(alternatives, func(a, b int) int { return stateRank(o.slot(a)) - stateRank(o.slot(b)) })
	return append(ranked[:1:1], alternatives...)
}

func (o offer) slot(i int) meet.Slot { return o.found.Slots[i] }

// worse grades a slot: checked before unknown before taken, and among those suitable before unsuitable leisure.
func (o offer) worse(i int) int {
	grade := 2 * stateRank(o.slot(i))
	if o.leisure && !slot.SuitsLeisure(o.slot(i)) {
		grade++
	}
	return grade
}

func stateRank(s meet.Slot) int {
	return slices.Index([]meet.SlotState{meet.SlotFree, meet.SlotUnknown, meet.SlotConflict}, s.State)
}

func toFront(ranked []int, i int) []int {
	others := slices.DeleteFunc(slices.Clone(ranked), func(j int) bool { return j == i })
	return append([]int{i}, others...)
}

// placesFor ranks the places for one time: none that is closed then, a pinned one first.
func (o offer) placesFor(at meet.Slot, ranked []int, bill *tally) []int {
	closed := func(i int) bool {
		open, known := o.found.Places[i].OpenDuring(at.Span())
		return known && !open
	}
	for _, i := range ranked {
		if closed(i) {
			bill.removed("closed_place")
		}
	}
	ranked = slices.DeleteFunc(rest(o.nearFirst(ranked), len(o.found.Places)), closed)
	if o.found.PinnedPlace && slices.Contains(ranked, 0) {
		ranked = toFront(ranked, 0)
	}
	return ranked[:min(most, len(ranked))]
}

// near is how far from the midpoint a place may be to be preferred, in kilometres.
const near = 3.0

// nearFirst adds the near places of the code's ranking behind those that the model chose.
func (o offer) nearFirst(ranked []int) []int {
	for i, p := range o.found.Places {
		if p.DistanceFromMidpointKm <= near && !slices.Contains(ranked, i) {
			ranked = append(ranked, i)
		}
	}
	return ranked
}

// provider is the calendar to write to: the one that the model named where the organizer has it.
func (o offer) provider(said string) string {
	if slices.Contains(o.providers, said) {
		return said
	}
	if len(o.providers) > 0 {
		return o.providers[0]
	}
	return ""
}

// prompt is what the model is shown of the offer. Every fact is ready-made, because the message must copy it.
func (o offer) prompt() prompts.Select {
	f := o.facts
	standing := o.correct(meet.Selection{}, newTally())
	sentences := f.Sentences(standing)
	data := prompts.Select{
		Language: f.Language, Title: f.Title(), Mode: string(f.Mode), Activity: string(f.Template.Activity),
		Previous: f.PreviousLabel(), People: labels(f),
		ShowAlternativePlaces: f.Shown.Places, ShowAlternativeTimes: f.Shown.Times,
		IncludeConflictWarning: f.Shown.ConflictWarning,
		CalendarProviders:      orEmpty(o.providers), CalendarType: string(f.CalendarType),
		Slots: []prompts.Slot{}, Places: []prompts.Place{},
		Sentences: prompts.Sentences{
			Buffer: sentences.Buffer, Length: sentences.Length, Conflict: sentences.Conflict, Unread: sentences.Unread,
			NoPlace: sentences.NoPlace, NoCommonTime: sentences.NoCommon, Closing: sentences.Closing,
		},
	}
	for i, s := range f.Slots {
		weekday := s.Start.Weekday()
		data.Slots = append(data.Slots, prompts.Slot{
			Index: i, When: f.When(i), Short: f.Short(i), State: string(s.State), Hint: f.SlotHint(i),
			Weekend: weekday == time.Saturday || weekday == time.Sunday, Evening: s.Start.Hour() >= 17,
		})
	}
	for i, p := range f.Places {
		data.Places = append(data.Places, prompts.Place{
			Index: i, Name: p.Name, Link: f.PlaceLink(i), Rating: p.Rating,
			DistanceKm: p.DistanceFromMidpointKm, ClosedAt: o.closedAt(p), Hint: f.PlaceHint(i),
		})
	}
	return data
}

// labels are the names as the message may write them.
func labels(f message.Facts) []string {
	names := make([]string, len(f.People))
	for i, p := range f.People {
		names[i] = f.Name(p.Name)
	}
	return names
}

func (o offer) closedAt(p meet.Place) []int {
	var closed []int
	for i, s := range o.found.Slots {
		if open, known := p.OpenDuring(s.Span()); known && !open {
			closed = append(closed, i)
		}
	}
	return closed
}
