package stages_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages"
	"convene/stages/stagestest"
)

// now is a Friday morning in San Francisco.
var now = time.Date(2031, 5, 2, 9, 0, 0, 0, time.FixedZone("PDT", -7*3600))

const zone = "America/Los_Angeles"

// newWorld has an organizer, a friend who is busy on Monday morning, and three cafés.
func newWorld() *stagestest.World {
	monday := time.Date(2031, 5, 5, 8, 0, 0, 0, now.Location())
	home := &meet.Location{Point: geo.Point{Latitude: 37.77, Longitude: -122.42}}
	return &stagestest.World{
		People: []meet.Person{
			{ID: "me", Name: "Mia Moss", Timezone: zone, Location: home},
			{ID: "ada", Name: "Ada Byron", Email: "ada@example.com", Timezone: zone, Location: home},
			{ID: "sam1", Name: "Sam Poe", Timezone: zone}, {ID: "sam2", Name: "Sam Roe", Timezone: zone},
		},
		Busy:   map[meet.PersonID][]interval.Span{"ada": {interval.From(monday, 4*time.Hour)}},
		Unread: map[meet.PersonID]bool{},
		Venues: []meet.Place{
			{ID: "1", Name: "Corner Cup", Types: []string{"cafe"}, Rating: 4.6, MapsURL: "https://maps.example/1"},
			{ID: "2", Name: "Bean There", Types: []string{"cafe"}, Rating: 4.5, MapsURL: "https://maps.example/2"},
			{ID: "3", Name: "Noodle House", Types: []string{"restaurant"}, Rating: 4.4, MapsURL: "https://maps.example/3"},
		},
	}
}

// harness runs the turns of one conversation.
type harness struct {
	t        testing.TB
	world    *stagestest.World
	model    *stagestest.Model
	pipeline *stages.Pipeline
	journal  stages.Journal
	turns    int
}

func newHarness(t *testing.T, w *stagestest.World) *harness {
	t.Helper()
	m := stagestest.NewModel(t)
	p, err := stages.New(stages.Ports{
		Model: m, Calendars: stagestest.Calendars{World: w}, Agenda: w,
		Booked: stagestest.Booked{World: w}, Places: w, Activities: w, Contacts: w, Memory: w,
		Proposals: w, Confirmer: w, Now: func() time.Time { return now },
	}, stages.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return &harness{t, w, m, p, forgetful{}, 0}
}

// forgetful is a journal that keeps nothing.
type forgetful struct{}

func (forgetful) Begin(string) ([]byte, bool) { return nil, false }
func (forgetful) Finish(string, []byte)       {}
func (forgetful) Settle() error               { return nil }

// turn is the result of one message.
type turn struct {
	updates []meet.Update
	outcome meet.Outcome
	err     error
}

func (h *harness) say(message string, with ...func(*meet.Turn)) turn {
	h.t.Helper()
	var got turn
	h.turns++
	in := meet.Turn{
		ID:           meet.TurnID(fmt.Sprint("t_", h.turns)),
		Conversation: "c", Message: message, Organizer: h.world.People[0], Timezone: zone, ReceivedAt: now,
	}
	for _, change := range with {
		change(&in)
	}
	got.outcome, got.err = h.pipeline.Run(h.t.Context(), in, h.journal,
		func(_ context.Context, told ...meet.Update) error {
			got.updates = append(got.updates, told...)
			return nil
		})
	if e, ok := find[meet.EventUpdate](got); ok && e.JSON != nil {
		if raw, err := meet.MarshalLine(e.Event); err != nil || !bytes.Equal(raw, e.JSON) {
			h.t.Errorf("%v; the event is emitted as\n%s, want\n%s", err, e.JSON, raw)
		}
	}
	for _, u := range got.updates {
		if p, ok := u.(meet.ProgressUpdate); ok && (p.Step < 1 || p.Step > p.Of) {
			h.t.Errorf("%+v: the path's row in route.go lacks the step", p)
		}
	}
	return got
}

// find is the first update of a type.
func find[U meet.Update](got turn) (u U, ok bool) {
	for _, update := range got.updates {
		if u, ok := update.(U); ok {
			return u, true
		}
	}
	return u, false
}

func classified(intent string) stagestest.Answer {
	return stagestest.Answer{Function: "classifyIntent", Arguments: functions.ClassifyArguments{Families: []string{},
		Intent: intent, Acknowledgment: "Let me have a look.", Language: "en",
	}}
}

func coffee() functions.TemplateArguments {
	return functions.TemplateArguments{
		Title: "coffee with ada", EventType: "in-person", Activity: "coffee",
		PreferredSchedulableDates: []functions.DateRange{{Start: "2031-05-05", End: "2031-05-09"}},
		ExcludedDates:             []functions.DateRange{}, Participants: []string{"Ada"},
		SuggestedPlaceTypes: []string{"cafe"}, IntentSpecificity: "activity_type",
		Wishes: []functions.Wish{}, ExcludedPlaces: []string{}, UndecidedPeople: []string{},
	}
}

func template(in functions.TemplateArguments) stagestest.Answer {
	in.Wishes, in.ExcludedPlaces, in.Unhandled = orEmpty(in.Wishes), orEmpty(in.ExcludedPlaces), orEmpty(in.Unhandled)
	in.UndecidedPeople = orEmpty(in.UndecidedPeople)
	return stagestest.Answer{Function: "generateEventTemplate", Arguments: in}
}

func chosen(in functions.GenerateEventArguments) stagestest.Answer {
	if in.RankedPlaceIndices == nil {
		in.RankedPlaceIndices = []int{}
	}
	if in.CalendarProvider == "" {
		in.CalendarProvider = "local"
	}
	return stagestest.Answer{Function: "generateEvent", Arguments: in}
}

// edited fills in what strict mode requires of an edit.
func edited(in functions.EditArguments) stagestest.Answer {
	if in.EditType == "" {
		in.EditType = "multiple"
	}
	if in.TimePreference == "" {
		in.TimePreference = "none"
	}
	in.NewDates, in.NewExcludedDates = orEmpty(in.NewDates), orEmpty(in.NewExcludedDates)
	in.AddParticipants, in.RemoveParticipants = orEmpty(in.AddParticipants), orEmpty(in.RemoveParticipants)
	in.AddWishes, in.RemoveWishes = orEmpty(in.AddWishes), orEmpty(in.RemoveWishes)
	in.ExcludePlaces, in.AllowPlaces = orEmpty(in.ExcludePlaces), orEmpty(in.AllowPlaces)
	in.Unhandled = orEmpty(in.Unhandled)
	return stagestest.Answer{Function: "editEventTemplate", Arguments: in}
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// proposed runs a first turn that proposes coffee with Ada, and checks that it did.
func (h *harness) proposed() meet.Event {
	h.t.Helper()
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(coffee())).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
	got := h.say("coffee with Ada next week")
	event, ok := find[meet.EventUpdate](got)
	if got.err != nil || !ok {
		h.t.Fatalf("first turn: event %v, error %v", ok, got.err)
	}
	return event.Event
}

// script is for a turn that takes all three calls.
func (h *harness) script(draft stagestest.Answer, choice functions.GenerateEventArguments) {
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, draft).Say(llm.Select, chosen(choice))
}

func first() functions.GenerateEventArguments {
	return functions.GenerateEventArguments{RankedSlotIndices: []int{0}, RankedPlaceIndices: []int{0}}
}

func event(t *testing.T, got turn) meet.Event {
	t.Helper()
	update, ok := find[meet.EventUpdate](got)
	if got.err != nil || !ok {
		t.Fatalf("event %v, error %v", ok, got.err)
	}
	return update.Event
}

// book writes the proposal into the organizer's calendar, as a confirmation does.
func (h *harness) book(e meet.Event) {
	h.world.Written = map[string]stagestest.Written{e.UID: {Person: "me", Span: e.Span()}}
	if _, err := h.world.ConfirmProposal(h.t.Context(), e.ID); err != nil {
		h.t.Fatal(err)
	}
}
