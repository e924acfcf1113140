package stages_test

import (
	"fmt"
	"strings"
	"testing"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
)

// wishing is a conversation about coffee on Tuesday at 15:00, in a town where the one café with vegan food closes at
// 14:00.
func wishing(t *testing.T) *harness {
	t.Helper()
	h := newHarness(t, newWorld())
	open := func(until interval.Clock) *interval.Week {
		week := interval.EveryDay(interval.Window{Start: interval.At(7, 0), End: until})
		return &week
	}
	h.world.Venues = []meet.Place{
		{ID: "1", Name: "Leaf", Types: []string{"cafe"}, Features: []string{"vegan"}, Timezone: zone,
			OpeningHours: open(interval.At(14, 0))},
		{ID: "2", Name: "Corner Cup", Types: []string{"cafe"}, Features: []string{"quiet"}, Timezone: zone,
			OpeningHours: open(interval.At(22, 0))},
	}
	wish := coffee()
	at := []functions.Window{{Start: "15:00", End: "15:00"}}
	wish.PreferredSchedulableDates = []functions.DateRange{{Start: "2031-05-06", End: "2031-05-06"}}
	wish.PreferredSchedulableHours = &functions.Hours{
		Mon: at, Tue: at, Wed: at, Thu: at, Fri: at, Sat: at, Sun: at, On: []functions.DateHours{},
	}
	h.script(template(wish), first())
	if e := event(t, h.say("coffee with Ada on Tuesday at 3")); e.Place == nil || e.Place.Name != "Corner Cup" {
		t.Fatalf("place %+v, want the one that is open", e.Place)
	}
	return h
}

// What the newest message wishes for is not given up: it is said why there is no place then.
func TestTheNewestWishStands(t *testing.T) {
	t.Parallel()
	h := wishing(t)
	h.script(edited(functions.EditArguments{AddWishes: []functions.Wish{"vegan"}}), first())
	got := h.say("vegan, please")
	if e := event(t, got); e.Place != nil {
		t.Errorf("at %s, want no place", e.Place.Name)
	}
	if m, _ := find[meet.MessageUpdate](got); !strings.Contains(m.Text, "The places that fit are closed at that time") {
		t.Errorf("message = %q", m.Text)
	}
}

// Where no place with all wishes is open, an older wish is given up for one that is, and the message says which.
func TestAnOlderWishIsGivenUpForAPlaceThatIsOpen(t *testing.T) {
	t.Parallel()
	h := wishing(t)
	h.script(edited(functions.EditArguments{AddWishes: []functions.Wish{"vegan"}}), first())
	h.say("vegan, please")
	searches := h.world.PlaceSearches()
	h.script(edited(functions.EditArguments{AddWishes: []functions.Wish{"quiet"}}), first())
	got := h.say("somewhere quiet")
	e := event(t, got)
	if e.Place == nil || e.Place.Name != "Corner Cup" {
		t.Fatalf("place %+v, want the one that is open", e.Place)
	}
	if m, _ := find[meet.MessageUpdate](got); !strings.Contains(m.Text, "at that time, so I gave up vegan food") {
		t.Errorf("message = %q", m.Text)
	}
	if n := h.world.PlaceSearches() - searches; n != 2 {
		t.Errorf("places were searched %d times, want once with all wishes and once without the older one", n)
	}
}

// A change of the time gives up wishes for the place too: all of them are older.
func TestAnotherTimeIsAnotherReasonToGiveUpAWish(t *testing.T) {
	t.Parallel()
	h := wishing(t)
	morning := []functions.Window{{Start: "10:00", End: "10:00"}}
	h.script(edited(functions.EditArguments{AddWishes: []functions.Wish{"vegan"}, NewHours: &functions.Hours{
		Mon: morning, Tue: morning, Wed: morning, Thu: morning,
		Fri: morning, Sat: morning, Sun: morning, On: []functions.DateHours{},
	}}), first())
	if e := event(t, h.say("vegan, at 10 in the morning")); e.Place == nil || e.Place.Name != "Leaf" {
		t.Fatalf("place %+v, want the vegan one", e.Place)
	}
	evening := []functions.Window{{Start: "17:00", End: "17:00"}}
	h.script(edited(functions.EditArguments{NewHours: &functions.Hours{
		Mon: evening, Tue: evening, Wed: evening, Thu: evening,
		Fri: evening, Sat: evening, Sun: evening, On: []functions.DateHours{},
	}}), first())
	got := h.say("rather at 5")
	if e := event(t, got); e.Place == nil || e.Place.Name != "Corner Cup" {
		t.Fatalf("place %+v, want the one that is open", e.Place)
	}
	if m, _ := find[meet.MessageUpdate](got); !strings.Contains(m.Text, "Leaf isn't open at that time") ||
		!strings.Contains(m.Text, "I gave up vegan food") {
		t.Errorf("message = %q", m.Text)
	}
}

// An unknown venue is named in the message, and the event has no place.
func TestAnUnknownVenue(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	wish := coffee()
	wish.PlaceName, wish.IntentSpecificity = "Nowhere Diner", "specific_place"
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(wish)).
		Say(llm.Select, chosen(first()))
	got := h.say("coffee with Ada at Nowhere Diner")
	if e := event(t, got); e.Place != nil {
		t.Errorf("place %+v, want none", e.Place)
	}
	if m, _ := find[meet.MessageUpdate](got); !strings.Contains(m.Text,
		"I couldn't find Nowhere Diner, so the event goes on without a place.") {
		t.Errorf("message = %q", m.Text)
	}
}

// A search gives some places only. Where all of them are closed, others of the same kind are looked at before it is
// said that those that fit are closed, and before any wish is given up.
func TestFartherPlacesIfTheNearOnesAreClosed(t *testing.T) {
	t.Parallel()
	h := wishing(t)
	late := h.world.Venues[1]
	h.world.Venues = nil
	for i := range 40 {
		early := late
		morning := interval.EveryDay(interval.Window{Start: interval.At(7, 0), End: interval.At(14, 0)})
		early.ID, early.Name, early.OpeningHours = fmt.Sprint("early", i), fmt.Sprint("Early Cup ", i), &morning
		h.world.Venues = append(h.world.Venues, early)
	}
	h.world.Venues = append(h.world.Venues, late)
	searches := h.world.PlaceSearches()
	h.script(edited(functions.EditArguments{AddWishes: []functions.Wish{"quiet"}}), first())
	got := h.say("somewhere quiet")
	if e := event(t, got); e.Place == nil || e.Place.ID != late.ID {
		t.Errorf("place %+v, want the one that is open", e.Place)
	}
	if n := h.world.PlaceSearches() - searches; n != 3 {
		t.Errorf("places were searched %d times, want three times for 41 of them", n)
	}
}

// All branches of a venue that was asked for are found each time. Where all of them are closed, it is asked no further.
func TestAChainWhoseBranchesAreAllClosed(t *testing.T) {
	t.Parallel()
	h := wishing(t)
	h.world.Venues = nil
	morning := interval.EveryDay(interval.Window{Start: interval.At(7, 0), End: interval.At(14, 0)})
	for i := range 20 {
		h.world.Venues = append(h.world.Venues, meet.Place{
			ID: fmt.Sprint("branch", i), Name: "Bean House", Named: true, Timezone: zone, OpeningHours: &morning,
		})
	}
	searches, name := h.world.PlaceSearches(), "Bean House"
	h.script(edited(functions.EditArguments{NewPlaceName: &name}), first())
	if e := event(t, h.say("at Bean House")); e.Place != nil {
		t.Errorf("at %s, want no place", e.Place.Name)
	}
	if n := h.world.PlaceSearches() - searches; n != 1 {
		t.Errorf("places were searched %d times, want once", n)
	}
}
