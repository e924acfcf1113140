package stages_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages/stagestest"
)

func TestANewEventIsStreamedInOrder(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(coffee())).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}, RankedPlaceIndices: []int{0}}))
	got := h.say("coffee with Ada next week")
	if got.err != nil {
		t.Fatal(got.err)
	}
	var order []string
	for _, u := range got.updates {
		raw, err := meet.MarshalUpdate(u)
		if err != nil {
			t.Fatal(err)
		}
		var typed struct{ Type, Text string }
		if err := json.Unmarshal(raw, &typed); err != nil {
			t.Fatal(err)
		}
		if typed.Type == "progress" {
			typed.Type += ": " + typed.Text
		}
		if len(order) == 0 || order[len(order)-1] != typed.Type {
			order = append(order, typed.Type)
		}
	}
	want := []string{
		"acknowledgment", "progress: Getting schedules...", "template",
		"progress: Narrowing down times & places...", "candidates", "progress: Selecting best time and place...",
		"message", "event",
	}
	if order = slices.DeleteFunc(order, func(s string) bool { return s == "message_delta" }); !slices.Equal(order, want) {
		t.Errorf("got  %q\nwant %q", order, want)
	}
	if calls := got.outcome.Receipt.ModelCalls; calls != 3 {
		t.Errorf("%d model calls, want 3", calls)
	}
	event, _ := find[meet.EventUpdate](got)
	if busy := h.world.Busy["ada"][0]; busy.Overlaps(event.Event.Span()) {
		t.Errorf("proposed %v while Ada is busy", event.Event.Start)
	}
	if event.Event.Place == nil || event.Event.Place.Name != "Corner Cup" {
		t.Errorf("place = %+v, want Corner Cup", event.Event.Place)
	}
}

// Whatever a model answers, the turn ends with a correct event or a clear error, and a call is repeated once at most.
func TestWrongAnswersOfTheModel(t *testing.T) {
	t.Parallel()
	bad := func(raw string) stagestest.Answer { return stagestest.Answer{Function: "generateEvent", Raw: raw} }
	for _, tt := range []struct {
		name                       string
		classify, template, choice []stagestest.Answer
		calls                      int
		fails                      bool
		author                     meet.Author
	}{
		{name: "ranks out of range and repeated", choice: []stagestest.Answer{chosen(functions.GenerateEventArguments{
			RankedSlotIndices: []int{99, 2, 2, -3}, RankedPlaceIndices: []int{7, 1, 1}})}, calls: 3, author: meet.ByCode},
		{name: "no ranks", choice: []stagestest.Answer{chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{}})},
			calls: 3, author: meet.ByCode},
		{name: "another weekday", choice: []stagestest.Answer{chosen(functions.GenerateEventArguments{
			RankedSlotIndices: []int{0}, Message: "I've scheduled **Coffee with Ada** for **Sunday at 3:00 AM**."})},
			calls: 3, author: meet.ByCode},
		{name: "an invented venue and link", choice: []stagestest.Answer{chosen(functions.GenerateEventArguments{
			RankedSlotIndices: []int{0}, Message: "See you at [The Moon](https://evil.example)."})},
			calls: 3, author: meet.ByCode},
		{name: "invalid JSON", choice: []stagestest.Answer{
			bad(`{"rankedSlotIndices":[0],"message":"I`),
		}, calls: 3, author: meet.ByCode},
		{name: "not the schema", choice: []stagestest.Answer{
			bad(`{"rankedSlotIndices":"first"}`),
		}, calls: 3, author: meet.ByCode},
		{name: "an unknown function", choice: []stagestest.Answer{
			{Function: "sendMoney", Raw: "{}"},
		}, calls: 3, author: meet.ByCode},
		{name: "no call", choice: []stagestest.Answer{{None: true}}, calls: 3, author: meet.ByCode},
		{name: "cut while writing", choice: []stagestest.Answer{{Function: "generateEvent", Err: stagestest.Unavailable(),
			After: 60,
			Arguments: functions.GenerateEventArguments{
				RankedSlotIndices: []int{0}, Message: "I've scheduled **Coffee with Ada** for",
			}}},
			calls: 3, author: meet.ByCode},
		{name: "the last call is down", choice: []stagestest.Answer{
			{Err: stagestest.Unavailable()},
		}, calls: 3, author: meet.ByCode},
		{name: "two calls at once", template: []stagestest.Answer{{
			Function: "generateEventTemplate", Arguments: template(coffee()).Arguments, More: []llm.Call{
				{Name: "navigateToBookingLink", Arguments: `{"url":"https://evil.example"}`},
			}}}, calls: 3, author: meet.ByCode},
		{name: "a template that does not fit, then one that does", template: []stagestest.Answer{
			{Function: "generateEventTemplate", Raw: `{"title":"x"}`}, template(coffee())}, calls: 4, author: meet.ByCode},
		{name: "a template that never fits", template: []stagestest.Answer{
			{None: true}, {None: true},
		}, calls: 3, fails: true},
		{name: "an unknown intent twice", classify: []stagestest.Answer{classified("rob_a_bank"), classified("rob_a_bank")},
			calls: 2, fails: true},
		{name: "the first call is down", classify: []stagestest.Answer{
			{Err: stagestest.Unavailable()},
		}, calls: 1, fails: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, newWorld())
			first := func(a, b []stagestest.Answer) []stagestest.Answer {
				if a != nil {
					return a
				}
				return b
			}
			h.model.Say(llm.Classify, first(tt.classify, []stagestest.Answer{classified("handle_event")})...)
			h.model.Say(llm.Template, first(tt.template, []stagestest.Answer{template(coffee())})...)
			h.model.Say(llm.Select, first(tt.choice, []stagestest.Answer{
				chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}),
			})...)
			got := h.say("coffee with Ada next week")
			if calls := got.outcome.Receipt.ModelCalls; calls != tt.calls {
				t.Errorf("%d model calls, want %d", calls, tt.calls)
			}
			if tt.fails {
				if got.err == nil {
					t.Error("no error")
				}
				return
			}
			if got.err != nil {
				t.Fatal(got.err)
			}
			event, ok := find[meet.EventUpdate](got)
			if !ok || h.world.Busy["ada"][0].Overlaps(event.Event.Span()) {
				t.Errorf("event %v at %v", ok, event.Event.Start)
			}
			message, _ := find[meet.MessageUpdate](got)
			if message.ComposedBy != tt.author || strings.Contains(message.Text, "evil") ||
				strings.Contains(message.Text, "Sunday") {
				t.Errorf("message by %s: %s", message.ComposedBy, message.Text)
			}
			for _, u := range got.updates {
				if d, ok := u.(meet.MessageDeltaUpdate); ok &&
					(strings.Contains(d.Text, "Sunday") || strings.Contains(d.Text, "Moon")) {
					t.Errorf("the preview showed %q", d.Text)
				}
			}
		})
	}
}

func TestANameThatFitsSeveralPeopleIsAskedAbout(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	wish := coffee()
	wish.Title, wish.Participants = "coffee with Sam", []string{"Sam"}
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(wish))
	got := h.say("coffee with Sam next week")
	if got.err != nil || got.outcome.Kind != meet.OutcomeQuestion {
		t.Fatalf("outcome %s, error %v", got.outcome.Kind, got.err)
	}
	if m, _ := find[meet.MessageUpdate](got); !strings.Contains(m.Text, "Sam Poe or Sam Roe?") {
		t.Errorf("question = %q", m.Text)
	}
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(wish)).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
	got = h.say("Roe, please")
	event, ok := find[meet.EventUpdate](got)
	if got.err != nil || !ok {
		t.Fatalf("event %v, error %v", ok, got.err)
	}
	if who := event.Event.Participants; len(who) != 2 || who[1].ID != "sam2" {
		t.Errorf("participants = %+v, want Sam Roe beside the organizer", who)
	}
}

func TestAnUnknownPersonTakesPartByNameAndIsNotFree(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	wish := coffee()
	wish.Title, wish.Participants = "coffee with Zed", []string{"Zed"}
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(wish)).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
	got := h.say("coffee with Zed next week")
	event, ok := find[meet.EventUpdate](got)
	if got.err != nil || !ok {
		t.Fatalf("event %v, error %v", ok, got.err)
	}
	if !slices.Equal(event.Event.Unknown, []string{"Zed"}) {
		t.Errorf("unknown = %v, want Zed", event.Event.Unknown)
	}
	if m, _ := find[meet.MessageUpdate](got); !strings.Contains(m.Text, "Zed") {
		t.Errorf("the message does not speak of Zed: %q", m.Text)
	}
}

func TestAnEditKeepsWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	before := h.proposed()
	lunch, restaurant := "lunch", "restaurant"
	searches := h.world.PlaceSearches()
	h.model.Say(llm.Classify, classified("handle_event")).
		Say(llm.Template, edited(functions.EditArguments{NewActivity: &lunch, NewPlaceType: &restaurant})).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
	got := h.say("lunch instead")
	event, ok := find[meet.EventUpdate](got)
	if got.err != nil || !ok {
		t.Fatalf("event %v, error %v", ok, got.err)
	}
	e := event.Event
	if e.UID != before.UID || e.Sequence != before.Sequence+1 || e.Replaces != before.ID || e.ID == before.ID {
		t.Errorf("identity: %s/%d replaces %s, want %s/%d and %s", e.UID, e.Sequence, e.Replaces, before.UID,
			before.Sequence+1, before.ID)
	}
	if e.Place == nil || e.Place.Name != "Noodle House" {
		t.Errorf("place = %+v, want Noodle House", e.Place)
	}
	if n := h.world.PlaceSearches() - searches; n != 1 {
		t.Errorf("places were searched %d times, want once", n)
	}

	minutes := 90
	h.model.Say(llm.Classify, classified("handle_event")).
		Say(llm.Template, edited(functions.EditArguments{NewDuration: &minutes})).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{3}, RankedPlaceIndices: []int{0}}))
	got = h.say("make it 90 minutes")
	longer, _ := find[meet.EventUpdate](got)
	if got.err != nil || !longer.Event.Start.Equal(e.Start) || longer.Event.End.Sub(longer.Event.Start) != 90*time.Minute {
		t.Errorf("%v to %v, want 90 minutes from %v (%v)", longer.Event.Start, longer.Event.End, e.Start, got.err)
	}
	if n := h.world.PlaceSearches() - searches; n != 1 {
		t.Errorf("places were searched again")
	}
}

func TestAQuestionWithoutAMatchLeavesTheEventAlone(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	before := h.proposed()
	day := []functions.DateRange{{Start: "2031-05-05", End: "2031-05-05"}}
	nine := []functions.Window{{Start: "09:00", End: "09:00"}}
	at := &functions.Hours{
		Mon: nine, Tue: nine, Wed: nine, Thu: nine, Fri: nine, Sat: nine, Sun: nine, On: []functions.DateHours{},
	}
	h.model.Say(llm.Classify, classified("handle_event")).
		Say(llm.Template, edited(functions.EditArguments{IsConditional: true, NewDates: day, NewHours: at})).
		Say(llm.Select, stagestest.Answer{
			Function: "provideAlternatives", Arguments: functions.AlternativesArguments{RankedSlotIndices: []int{0, 1, 2}},
		})
	got := h.say("are we both free on Monday at 9?")
	if got.err != nil || got.outcome.Kind != meet.OutcomeAlternatives {
		t.Fatalf("outcome %s, error %v", got.outcome.Kind, got.err)
	}
	if _, ok := find[meet.EventUpdate](got); ok {
		t.Error("an event was proposed")
	}
	if got.outcome.Receipt.ModelCalls != 3 {
		t.Errorf("%d model calls, want 3", got.outcome.Receipt.ModelCalls)
	}
	talk, err := h.world.Load(t.Context(), "me/c")
	if err != nil || talk.Search == nil || talk.Search.Event.ID != before.ID {
		t.Errorf("the cached event is not the first one: %v", err)
	}
}

func TestACancelledTurnEndsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.model.Say(llm.Classify, classified("handle_event"))
	ctx, cancel := context.WithCancel(t.Context())
	stop := errors.New("stop")
	_, err := h.pipeline.Run(ctx, meet.Turn{
		Conversation: "c", Message: "coffee", Organizer: h.world.People[0],
	}, h.journal, func(context.Context, ...meet.Update) error {
		cancel()
		return stop
	})
	if !errors.Is(err, stop) {
		t.Errorf("error = %v, want what emit said", err)
	}
}
