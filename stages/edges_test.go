package stages_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages/stagestest"
)

// What was just booked stands in the way of another event, and not in the way of its own change.
func TestABookedEventBlocksOthersAndNotItself(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	booked := h.proposed()
	h.book(booked)

	h.script(template(coffee()), first())
	another := event(t, h.say("another coffee with Ada next week"))
	if another.Span().Overlaps(booked.Span()) || another.UID == booked.UID {
		t.Errorf("another coffee at %v, on top of the one that is booked", another.Start)
	}

	h = newHarness(t, h.world)
	h.world.Written = nil
	booked = h.proposed()
	h.book(booked)
	minutes := 45
	h.script(edited(functions.EditArguments{NewDuration: &minutes}), first())
	longer := event(t, h.say("make it 45 minutes"))
	if !longer.Start.Equal(booked.Start) || longer.UID != booked.UID {
		t.Errorf("its own time stands in its way: moved to %v", longer.Start)
	}
}

func auto(turn *meet.Turn) { turn.AutoConfirm = true }

func TestAutoConfirmBooksOnlyAsAskedFor(t *testing.T) {
	t.Parallel()
	tuesday := time.Date(2031, 5, 6, 0, 0, 0, 0, now.Location())
	taken := []interval.Span{interval.From(tuesday, 24*time.Hour)}
	const nextYear = "a day of next year"
	far := &meet.Location{Point: geo.Point{Latitude: 40.71, Longitude: -74}}
	for name, tt := range map[string]struct {
		change func(w *stagestest.World, wish *functions.TemplateArguments)
		want   meet.Status
	}{
		nextYear:     {func(*stagestest.World, *functions.TemplateArguments) {}, meet.Proposed},
		"a free day": {func(*stagestest.World, *functions.TemplateArguments) {}, meet.Confirmed},
		"a day that is all taken": {func(w *stagestest.World, _ *functions.TemplateArguments) { w.Busy["ada"] = taken },
			meet.Proposed},
		"the place that was named": {func(_ *stagestest.World, wish *functions.TemplateArguments) {
			wish.PlaceName, wish.IntentSpecificity = "Bean There", "specific_place"
		}, meet.Confirmed},
		"a place that is closed": {func(w *stagestest.World, wish *functions.TemplateArguments) {
			wish.PlaceName, wish.IntentSpecificity = "Bean There", "specific_place"
			w.Venues[1].OpeningHours, w.Venues[1].Timezone = &interval.Week{}, zone
		}, meet.Proposed},
		"no place at all": {func(w *stagestest.World, _ *functions.TemplateArguments) { w.Venues = nil }, meet.Proposed},
		"a video call from far off": {func(w *stagestest.World, _ *functions.TemplateArguments) {
			w.People[1].Location = far
		}, meet.Proposed},
		"a call, which needs no place": {func(w *stagestest.World, wish *functions.TemplateArguments) {
			w.Venues, w.People[1].Location = nil, far
			wish.EventType, wish.Activity, wish.SuggestedPlaceTypes = "video", "call", []string{}
		}, meet.Confirmed},
	} {
		h := newHarness(t, newWorld())
		wish := coffee()
		tt.change(h.world, &wish)
		if wish.PreferredSchedulableDates = []functions.DateRange{{Start: "2031-05-06",
			End: "2031-05-06"}}; name == nextYear {
			wish.PreferredSchedulableDates = []functions.DateRange{{Start: "2032-05-04", End: "2032-05-04"}}
		}
		h.script(template(wish), first())
		got := h.say("coffee with Ada on Tuesday", auto)
		if e := event(t, got); e.Status != tt.want {
			t.Errorf("%s: status %s at %v, want %s", name, e.Status, e.Start, tt.want)
		}
		if m, _ := find[meet.MessageUpdate](got); tt.want == meet.Confirmed && strings.Contains(m.Text, "When you create") {
			t.Errorf("%s: %q", name, m.Text)
		}
	}
}

// Once it is booked the person is told, whatever happens to the turn.
func TestABookingIsShownAlthoughItsTurnWasCancelled(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.script(template(coffee()), first())
	ctx, cancel := context.WithCancel(t.Context())
	var seen []meet.Update
	in := meet.Turn{
		Conversation: "c", Message: "coffee with Ada", Organizer: h.world.People[0], Timezone: zone, AutoConfirm: true,
	}
	h.world.OnConfirm = cancel
	outcome, err := h.pipeline.Run(ctx, in, h.journal, func(ctx context.Context, told ...meet.Update) error {
		seen = append(seen, told...)
		return ctx.Err()
	})
	if err != nil || outcome.Kind != meet.OutcomeConfirmed {
		t.Fatalf("outcome %s, error %v", outcome.Kind, err)
	}
	if _, ok := find[meet.EventUpdate](turn{updates: seen}); !ok {
		t.Error("nobody was told of the event")
	}
	if talk, err := h.world.Load(t.Context(), "me/c"); err != nil || talk.Search == nil {
		t.Errorf("the event is forgotten: %v", err)
	}
}

// No time at all, not even a bad one, is an answer and no failure.
func TestNoTimeAtAll(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	wish := coffee()
	wish.ExcludedDates = []functions.DateRange{{Start: "2031-01-01", End: "2031-12-31"}}
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(wish))
	got := h.say("coffee with Ada next week, but not this year")
	if got.err != nil || got.outcome.Kind != meet.OutcomeAnswered {
		t.Errorf("outcome %s, error %v", got.outcome.Kind, got.err)
	}
	if m, _ := find[meet.MessageUpdate](got); m.Text == "" {
		t.Error("no message")
	}
}

func TestAPersonWithTheOrganizersFirstNameIsAnother(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.world.People = append(h.world.People, meet.Person{ID: "mia2", Name: "Mia Lund", Timezone: zone})
	wish := coffee()
	wish.Participants = []string{"Mia"}
	h.script(template(wish), first())
	if e := event(t, h.say("coffee with Mia")); len(e.Participants) != 2 || e.Participants[1].ID != "mia2" {
		t.Errorf("participants %+v, want Mia Lund", e.Participants)
	}
}

// Answers to "Which Sam do you mean?", and messages that are none.
func TestAnswersToAQuestion(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]meet.PersonID{
		"Roe": "sam2", "sam poe": "sam1", "the second one": "sam2", "1": "sam1", "Sam P": "sam1",
		"I mean Roe, please": "sam2",
		"not Poe":            "sam2", "Never mind Roe, lunch with Ada": "", "not Sam": "", "the seventh one": "", "Sam": "",
	} {
		h := newHarness(t, newWorld())
		wish := coffee()
		wish.Title, wish.Participants = "samosas with Sam", []string{"Sam"}
		h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(wish))
		if got := h.say("samosas with Sam"); got.outcome.Kind != meet.OutcomeQuestion {
			t.Fatalf("no question: %s, %v", got.outcome.Kind, got.err)
		}
		if want == "" {
			h.model.Say(llm.Classify, classified("converse"))
			h.say(answer)
			if last := h.model.Requests(); !strings.Contains(last[len(last)-1].Data, answer) {
				t.Errorf("%q was not taken as it stands: %s", answer, last[len(last)-1].Data)
			}
			continue
		}
		h.script(template(wish), first())
		e := event(t, h.say(answer))
		if e.Participants[1].ID != want || e.Title != "Samosas with Sam" {
			t.Errorf("%q: %s with %s, want %s", answer, e.Title, e.Participants[1].ID, want)
		}
	}
}

// An answer adds the person to the event that was being changed.
func TestAnAnswerContinuesAnEdit(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.proposed()
	add := edited(functions.EditArguments{AddParticipants: []string{"Sam"}})
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, add)
	h.say("add sam too")
	h.script(add, first())
	var ids []meet.PersonID
	for _, p := range event(t, h.say("Roe")).Participants {
		ids = append(ids, p.ID)
	}
	if want := []meet.PersonID{"me", "ada", "sam2"}; !slices.Equal(ids, want) {
		t.Errorf("participants %v, want %v", ids, want)
	}
}

// An order that cannot be followed does not move the event the other way.
func TestEarlierNeverMovesLater(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	before := h.proposed()
	h.world.Busy["me"] = []interval.Span{{Start: now.AddDate(0, 0, -1), End: before.Start}}
	h.model.Say(llm.Classify, classified("handle_event")).
		Say(llm.Template, edited(functions.EditArguments{TimePreference: "earlier"})).
		Say(llm.Select, stagestest.Answer{
			Function: "provideAlternatives", Arguments: functions.AlternativesArguments{RankedSlotIndices: []int{0}},
		})
	got := h.say("earlier, please")
	if got.err != nil || got.outcome.Kind != meet.OutcomeAlternatives {
		t.Errorf("outcome %s, error %v", got.outcome.Kind, got.err)
	}
}

// A further time comes with a place that was shown: the user cannot choose another one.
func TestFurtherTimesGoWithAPlaceOnOffer(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Venues = nil
	day := []interval.Window{{Start: interval.At(8, 0), End: interval.At(20, 0)}}
	for i := range 9 {
		open := interval.Week{time.Monday: day}
		if i > 6 {
			open = interval.EveryDay(day...)
		}
		w.Venues = append(w.Venues, meet.Place{
			ID: fmt.Sprint(i), Name: fmt.Sprint("Cup ", i),
			Types: []string{"cafe"}, Rating: 4.9 - 0.1*float64(i), Timezone: zone, OpeningHours: &open,
		})
	}
	h := newHarness(t, w)
	before := h.proposed()
	h.model.Say(llm.Classify, classified("show_more"))
	more, ok := find[meet.AlternativesUpdate](h.say("what else?"))
	if !ok || len(more.Slots) == 0 || len(more.Places) == 0 {
		t.Fatalf("nothing more: %+v", more)
	}
	onOffer := slices.Concat([]meet.Place{*before.Place}, before.Alternatives.Places, more.Places)
	for _, s := range more.Slots {
		if !slices.ContainsFunc(onOffer, func(p meet.Place) bool { open, _ := p.OpenDuring(s.Span()); return open }) {
			t.Errorf("no place on offer is open at %v", s.Start)
		}
	}
}

func TestAWithdrawnEventIsGone(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	before := h.proposed()
	if _, err := h.world.UpdateProposal(t.Context(), before.ID, func(e *meet.Event) error {
		e.Status = meet.Cancelled
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	minutes := 60
	h.script(edited(functions.EditArguments{NewDuration: &minutes}), first())
	if e := event(t, h.say("make it an hour")); e.UID == before.UID || e.Replaces != "" {
		t.Errorf("the new event goes on as %s, replacing %s", e.UID, e.Replaces)
	}
}

// A change that was withdrawn leaves the event booked: the next change is one of that, and no second event.
func TestAWithdrawnChangeLeavesTheEventToBeChanged(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	become := func(id meet.ProposalID, status meet.Status) {
		t.Helper()
		if _, err := h.world.UpdateProposal(t.Context(), id, func(e *meet.Event) error {
			e.Status = status
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	booked := h.proposed()
	become(booked.ID, meet.Confirmed)
	longer := func(minutes int, message string) meet.Event {
		t.Helper()
		h.script(edited(functions.EditArguments{NewDuration: &minutes}), first())
		return event(t, h.say(message))
	}
	withdrawn := longer(60, "make it an hour")
	become(withdrawn.ID, meet.Cancelled)
	again := longer(45, "make it 45 minutes")
	if again.UID != booked.UID || again.Replaces != booked.ID || !again.Start.Equal(booked.Start) {
		t.Errorf("the next change is %s at %v, replacing %q; want one of %s at %v", again.UID, again.Start, again.Replaces,
			booked.UID, booked.Start)
	}
	become(again.ID, meet.Cancelled)
	become(booked.ID, meet.Cancelled)
	if e := longer(30, "make it half an hour"); e.Replaces != "" {
		t.Errorf("%s replaces %s, and nothing stands any more", e.UID, e.Replaces)
	}
}

// What a withdrawn change wished for is withdrawn too: the next change is one of the event as it is booked.
func TestAWithdrawnChangeTakesItsWishesWithIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	become := func(id meet.ProposalID, status meet.Status) {
		t.Helper()
		if _, err := h.world.UpdateProposal(t.Context(), id, func(e *meet.Event) error {
			e.Status = status
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	booked := h.proposed()
	become(booked.ID, meet.Confirmed)
	five, title, later := []functions.Window{{Start: "17:00", End: "17:00"}}, "Tea", "Planning"
	h.script(edited(functions.EditArguments{NewTitle: &title, RemoveParticipants: []string{"Ada"},
		NewHours: &functions.Hours{
			Mon: five, Tue: five, Wed: five, Thu: five, Fri: five, Sat: five, Sun: five, On: []functions.DateHours{},
		}}), first())
	moved := event(t, h.say("tea at 5, without Ada"))
	minutes := 90
	h.script(edited(functions.EditArguments{NewDuration: &minutes}), first())
	longer := event(t, h.say("make it 90 minutes"))
	if moved.Start.Equal(booked.Start) || len(longer.Participants) == len(booked.Participants) {
		t.Fatalf("the change changes nothing: %v with %v", moved.Start, longer.Participants)
	}
	become(longer.ID, meet.Cancelled)
	h.script(edited(functions.EditArguments{NewTitle: &later}), first())
	got := event(t, h.say("call it planning"))
	if got.Replaces != booked.ID || !got.Start.Equal(booked.Start) || !got.End.Equal(booked.End) ||
		!cmp.Equal(got.Place, booked.Place) || !cmp.Equal(got.Participants, booked.Participants) {
		t.Errorf("%q at %v until %v with %v, replacing %q; want the booked event %v until %v with %v",
			got.Title, got.Start, got.End, got.Participants, got.Replaces, booked.Start, booked.End, booked.Participants)
	}
}

func TestAConversationIsTheOrganizersOwn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.proposed()
	h.model.Say(llm.Classify, classified("show_more"))
	got := h.say("show more", func(turn *meet.Turn) { turn.Organizer = h.world.People[1] })
	if got.outcome.Kind != meet.OutcomeAnswered {
		t.Errorf("a stranger got %s", got.outcome.Kind)
	}
	if talk, err := h.world.Load(t.Context(), "me/c"); err != nil || talk.Search == nil {
		t.Errorf("the owner's search is gone: %v", err)
	}
}

// A search for places that failed is not remembered as one that found nothing.
func TestPlacesAreSearchedAgainAfterAFailure(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.world.PlacesDown = true
	if e := h.proposed(); e.Place != nil {
		t.Fatalf("place %v though the search is down", e.Place)
	}
	h.world.PlacesDown = false
	minutes := 45
	h.script(edited(functions.EditArguments{NewDuration: &minutes}), first())
	if e := event(t, h.say("make it 45 minutes")); e.Place == nil {
		t.Error("no place, though the search works again")
	}
}

// Busy times in the request are believed, but Convene's own bookings count too.
func TestBookedTimesCountBesideGivenAvailability(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	free := []meet.GivenAvailability{{Person: "me"}, {Person: "ada"}}
	given := func(turn *meet.Turn) { turn.Availability = free }
	h.script(template(coffee()), first())
	got := h.say("coffee with Ada next week", given)
	if p, _ := find[meet.ProgressUpdate](got); p.Text != "Thinking..." {
		t.Errorf("progress %q", p.Text)
	}
	booked := event(t, got)
	h.book(booked)
	h.script(template(coffee()), first())
	if e := event(t, h.say("one more", given)); e.Span().Overlaps(booked.Span()) {
		t.Errorf("offered %v again", e.Start)
	}
}

// A preview that cannot be delivered ends the turn before anything is proposed.
func TestAnUndeliveredPreviewEndsTheTurn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	choice := first()
	choice.Message = "I've scheduled"
	h.script(template(coffee()), choice)
	gone := errors.New("the log is gone")
	in := meet.Turn{Conversation: "c", Message: "coffee with Ada", Organizer: h.world.People[0], Timezone: zone}
	_, err := h.pipeline.Run(t.Context(), in, h.journal, func(_ context.Context, told ...meet.Update) error {
		if _, ok := told[0].(meet.MessageDeltaUpdate); ok {
			return gone
		}
		return nil
	})
	if !errors.Is(err, gone) || len(h.world.Proposals()) > 0 {
		t.Errorf("error %v, %d proposals", err, len(h.world.Proposals()))
	}
}

func TestOnlyOneRepairATurn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.model.Say(llm.Classify, stagestest.Answer{None: true}, classified("handle_event")).
		Say(llm.Template, stagestest.Answer{None: true})
	if got := h.say("coffee"); got.err == nil || got.outcome.Receipt.ModelCalls != 3 {
		t.Errorf("%d calls, error %v", got.outcome.Receipt.ModelCalls, got.err)
	}
}
