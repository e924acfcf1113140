package stages

import (
	"cmp"
	"context"
	"slices"
	"time"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
	"convene/prompts"
)

// selector is stage 5: one mini call that ranks the candidates and writes the message. Code checks both, and has its
// own if they fail, so that a turn never depends on a model.
type selector struct {
	asker
	propose      tool.Set[struct{}, meet.Selection]
	alternatives tool.Set[struct{}, meet.Selection]
}

func newSelector(a asker) selector {
	return selector{
		asker:        a,
		propose:      tool.Set[struct{}, meet.Selection]{functions.GenerateEvent()},
		alternatives: tool.Set[struct{}, meet.Selection]{functions.ProvideAlternatives()},
	}
}

// selected is a choice that holds and a message that is true.
type selected struct {
	Choice   message.Choice `json:"choice"`
	Text     string         `json:"text"`
	By       meet.Author    `json:"by"`
	Provider string         `json:"provider"`
}

// choose ranks the candidates. Show gets the checked part of the message while the model writes it; its error ends the
// turn.
func (s selector) choose(ctx context.Context, on *offer, bill *tally, show func(string) error) (selected, error) {
	set, compose := s.propose, on.facts.Proposal
	if on.path == message.PathAlternatives {
		set, compose = s.alternatives, on.facts.NoMatch
	}
	prompt, err := s.prompts.Select(on.prompt())
	if err != nil {
		return selected{}, err
	}
	seen := &preview{offer: on, show: show}
	call, err := s.on(bill).complete(ctx, request(llm.Select, prompt, set.Tools()), seen.write)
	if failed := cmp.Or(seen.undelivered, ctx.Err()); failed != nil {
		return selected{}, failed
	}
	chosen := selected{By: meet.ByCode, Provider: on.provider("")}
	if err == nil {
		var said meet.Selection
		if said, err = set.Call(ctx, struct{}{}, call); err == nil {
			chosen.Choice = on.correct(said, bill)
			chosen.Provider = on.provider(said.CalendarProvider)
			chosen.Text, err = seen.finish(chosen.Choice, said.Message)
		}
	}
	switch {
	case err == nil && on.path == message.PathProposal && on.facts.Unchanged(chosen.Choice):
		chosen.Text = compose(chosen.Choice) // a model claims the change that it was asked for
		return chosen, nil
	case err == nil:
		chosen.By = meet.ByModel
		for range seen.leftOut {
			bill.removed("message_" + message.KindClaim)
		}
		return chosen, nil
	}
	noteWhy(err, bill)
	if len(chosen.Choice.Slots) == 0 {
		chosen.Choice = on.correct(meet.Selection{}, new(tally))
	}
	chosen.Text = compose(chosen.Choice)
	return chosen, nil
}

// provider is the calendar to write to: the one that the model named, if the organizer has it.
func (o *offer) provider(said string) string {
	if slices.Contains(o.providers, said) {
		return said
	}
	if len(o.providers) > 0 {
		return o.providers[0]
	}
	return ""
}

// prompt is the offer as the model sees it. Every fact has its final wording, because the message must copy it.
func (o *offer) prompt() prompts.Select {
	f := o.facts
	standing := o.correct(meet.Selection{}, new(tally))
	sentences := f.Sentences(standing)
	data := prompts.Select{
		Language: f.Language, Title: f.Title(), Mode: string(f.Mode), Activity: string(f.Template.Activity),
		Previous: f.PreviousLabel(), People: each(f.People, func(p meet.Person) string { return f.Name(p.Name) }),
		SlotFixed: o.found.PinnedSlot, PlaceFixed: o.found.PinnedPlace || o.ownPlaces && len(o.found.Places) > 0,
		ShowAlternativePlaces: f.Shown.Places, ShowAlternativeTimes: f.Shown.Times,
		IncludeConflictWarning: f.Shown.ConflictWarning,
		CalendarProviders:      orEmpty(o.providers), CalendarType: string(f.CalendarType),
		Slots: make([]prompts.Slot, 0, len(f.Slots)), Places: make([]prompts.Place, 0, len(f.Places)),
		Sentences: prompts.Sentences{
			Buffer: sentences.Buffer, Medium: sentences.Medium, Length: sentences.Length, Conflict: sentences.Conflict,
			Unread:  sentences.Unread,
			NoPlace: sentences.NoPlace, NoCommonTime: sentences.NoCommon, Closing: sentences.Closing,
		},
	}
	if o.path == message.PathAlternatives {
		data.Sentences.Standing = f.Standing()
	}
	if f.Previous != nil && len(f.Slots) > 0 && f.Slots[0].Start.Equal(f.Previous.Start) {
		data.Previous = f.When(0) // the same words, so that the model sees that it is the same time
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
			DistanceKm: p.DistanceFromMidpointKm, ClosedAt: o.unfitAt(i), Hint: f.PlaceHint(i), Wishes: f.PlaceWishes(i),
		})
	}
	return data
}

// unfitAt are the slots with which a place does not go.
func (o *offer) unfitAt(place int) (slots []int) {
	for i := range o.found.Slots {
		if !o.fits(i, place) {
			slots = append(slots, i)
		}
	}
	return slots
}
