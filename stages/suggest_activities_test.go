package stages_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
)

// meant is the template of a model that takes the message for a suggestion.
func meant(number int) functions.TemplateArguments {
	in := coffee()
	in.SuggestedActivity = &number
	return in
}

func idea(title string, in time.Duration) meet.Suggestion {
	return meet.Suggestion{
		Title: title, Venue: title + " Hall", Address: "1 Main Street", Start: now.Add(in), End: now.Add(in + time.Hour),
		Point: &geo.Point{Latitude: 37.77, Longitude: -122.42},
	}
}

// ideas runs a turn that lists the world's ideas.
func (h *harness) ideas() {
	h.t.Helper()
	h.model.Say(llm.Classify, classified("suggest_activities"))
	got := h.say("what's on this week?")
	if got.err != nil || got.outcome.Kind != meet.OutcomeActivities {
		h.t.Fatalf("outcome %s, error %v", got.outcome.Kind, got.err)
	}
}

func TestProgressComesBeforeTheSearch(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.world.Ideas = []meet.Suggestion{idea("Quiz", time.Hour)}
	h.world.OnSuggest = func(q meet.ActivityQuery) { q.Degraded("another finder answered") }
	h.model.Say(llm.Classify, classified("suggest_activities"))
	got := h.say("what's on this week?")
	want := meet.ProgressUpdate{Text: "Looking up what's on...", Stage: "activities", Step: 3, Of: 3}
	if progress, _ := find[meet.ProgressUpdate](got); progress != want {
		t.Errorf("progress = %+v, want %+v", progress, want)
	}
	if diff := cmp.Diff([]string{"another finder answered"}, got.outcome.Receipt.Degraded); diff != "" {
		t.Errorf("degraded (-want +got):\n%s", diff)
	}
}

func TestWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	at := func(latitude, longitude float64, label string) *meet.Location {
		return &meet.Location{Point: geo.Point{Latitude: latitude, Longitude: longitude}, Label: label}
	}
	for _, c := range []struct {
		name      string
		mine, his *meet.Location
		area      string
		near      *geo.Point
	}{
		{"nobody's place is known", nil, nil, "", nil},
		{"mine", at(37.7, -122.4, "Hayes Valley, San Francisco, CA"), nil, "San Francisco", &geo.Point{
			Latitude: 37.7, Longitude: -122.4,
		}},
		{"a friend's in the same town", at(37.7, -122.4, "12 Elm Street, Oakland"), at(37.7, -122.4, "x"), "Oakland",
			&geo.Point{Latitude: 37.7, Longitude: -122.4}},
		{"a friend's in another", at(37.7, -122.4, "12 Elm Street"), at(52.5, 13.4, "Berlin"), "", &geo.Point{
			Latitude: 37.7, Longitude: -122.4,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, newWorld())
			var asked meet.ActivityQuery
			h.world.OnSuggest = func(q meet.ActivityQuery) { asked = q }
			h.world.People[0].Location, h.world.People[1].Location = c.mine, c.his
			h.model.Say(llm.Classify, classified("suggest_activities"))
			if got := h.say("anything on today with " + h.world.People[1].Name + "?"); got.err != nil {
				t.Fatal(got.err)
			}
			near := cmp.Equal(asked.Near, c.near) || asked.Near != nil && c.near != nil &&
				geo.Distance(*asked.Near, *c.near) < 0.1
			if asked.Area != c.area || !near || asked.Limit != 5 {
				t.Errorf("asked for %+v near %v, want near %v in %q", asked, asked.Near, c.near, c.area)
			}
			if want := now.Add(30 * time.Minute); !asked.Span.Start.Equal(want) {
				t.Errorf("asked from %v on, want what can still be proposed, from %v", asked.Span.Start, want)
			}
		})
	}
}

func TestAForgottenSuggestion(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(meant(2)))
	got := h.say("let's do the second one")
	if got.err != nil || got.outcome.Kind != meet.OutcomeQuestion ||
		!strings.Contains(got.outcome.Message, "no longer know what I suggested") {
		t.Errorf("outcome %+v, error %v", got.outcome, got.err)
	}
	if _, told := find[meet.TemplateUpdate](got); told {
		t.Error("a template was shown of something that nobody knows")
	}
}

// What has begun is said to have, and the rest is listed with new numbers, by which it is meant from then on.
func TestASuggestionThatHasBegun(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.world.Ideas = []meet.Suggestion{idea("Parade", -10*time.Minute), idea("Quiz", 50*time.Hour)}
	h.ideas()
	h.model.Say(llm.Classify, classified("handle_event"), classified("handle_event")).
		Say(llm.Template, template(meant(1)), template(meant(1))).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
	got := h.say("the parade")
	listed, _ := find[meet.ActivitiesUpdate](got)
	if got.err != nil || got.outcome.Kind != meet.OutcomeQuestion ||
		!strings.Contains(got.outcome.Message, "Parade** has already begun") ||
		len(listed.Activities) != 1 || listed.Activities[0].Title != "Quiz" {
		t.Errorf("outcome %+v with %+v, error %v", got.outcome, listed.Activities, got.err)
	}
	got = h.say("the first one then")
	event, ok := find[meet.EventUpdate](got)
	if got.err != nil || !ok || event.Event.Title != "Quiz" || !event.Event.Start.Equal(now.Add(50*time.Hour)) ||
		event.Event.Place == nil || event.Event.Place.Name != "Quiz Hall" {
		t.Errorf("event %+v, error %v", event.Event, got.err)
	}
}

// A suggested activity has one time: if a participant is busy then, no other time is offered.
func TestASuggestionIsAtItsOwnTimeOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.world.Ideas = []meet.Suggestion{idea("Quiz", 50*time.Hour)}
	h.world.Busy["ada"] = []interval.Span{interval.From(now.Add(49*time.Hour), 4*time.Hour)}
	h.ideas()
	wish := meant(1)
	wish.Participants = []string{"Ada"}
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(wish)).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
	e := event(t, h.say("the quiz with Ada"))
	if !e.Start.Equal(now.Add(50*time.Hour)) || len(e.Conflicts) == 0 {
		t.Errorf("at %v with %v, want it as asked for, with a warning", e.Start, e.Conflicts)
	}
	if others := e.Alternatives.Slots; len(others) > 0 {
		t.Errorf("%d other times are offered, the first at %v", len(others), others[0].Start)
	}
	in := meet.Turn{Conversation: "c", Organizer: h.world.People[0], Timezone: zone}
	if fresh, err := h.pipeline.Fresh(t.Context(), in, e); err != nil || len(fresh) > 0 {
		t.Errorf("where it has gone %d others are offered, error %v", len(fresh), err)
	}
	h.model.Say(llm.Classify, classified("show_more"))
	if more, _ := find[meet.AlternativesUpdate](h.say("what else?")); len(more.Slots) > 0 {
		t.Errorf("%d other times are shown", len(more.Slots))
	}
	day := []functions.DateRange{{Start: "2031-05-06", End: "2031-05-06"}}
	h.script(edited(functions.EditArguments{NewDates: day}), first())
	if moved := event(t, h.say("on Tuesday then")); moved.Start.Equal(e.Start) {
		t.Error("who asks for another day does not get it")
	}
}

func TestNoSuggestionIsLeft(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.world.Ideas = []meet.Suggestion{idea("Parade", -10*time.Minute)}
	h.ideas()
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(meant(1)))
	got := h.say("the parade")
	if _, listed := find[meet.ActivitiesUpdate](got); listed || got.outcome.Kind != meet.OutcomeQuestion ||
		!strings.Contains(got.outcome.Message, "Shall I look for something else?") {
		t.Errorf("outcome %+v, listed %t", got.outcome, listed)
	}
}

// A venue that came without coordinates gets those of the place that it is, and of no other.
func TestAVenueIsLocated(t *testing.T) {
	t.Parallel()
	hall := geo.Point{Latitude: 37.78, Longitude: -122.41}
	for _, c := range []struct {
		name, venue, address string
		known                meet.Place
		want                 geo.Point
	}{
		{"the same", "Blue Hall", "12 Main St, San Francisco", meet.Place{
			Name: "Blue Hall", Address: "12 Main Street, San Francisco", Location: hall, Named: true,
		}, hall},
		{"without an address", "Blue Hall", "", meet.Place{
			Name: "Blue Hall", Address: "12 Main Street", Location: hall, Named: true,
		}, hall},
		{"another branch", "Blue Hall", "7 Main St", meet.Place{
			Name: "Blue Hall", Address: "12 Main Street", Location: hall, Named: true,
		}, geo.Point{}},
		{"not of that name", "Blue Hall", "", meet.Place{Name: "Blue Hall Parking", Location: hall}, geo.Point{}},
		{"in another town", "Blue Hall", "", meet.Place{
			Name: "Blue Hall", Location: geo.Point{Latitude: 52.5, Longitude: 13.4}, Named: true,
		}, geo.Point{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, newWorld())
			for i := range h.world.People {
				h.world.People[i].Location = &meet.Location{Point: geo.Point{Latitude: 37.77, Longitude: -122.42}}
			}
			concert := idea("Concert", 50*time.Hour)
			concert.Venue, concert.Address, concert.Point = c.venue, c.address, nil
			h.world.Ideas, h.world.Venues = []meet.Suggestion{concert}, []meet.Place{c.known}
			h.ideas()
			h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(meant(1))).
				Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
			event, _ := find[meet.EventUpdate](h.say("the concert"))
			if event.Event.Place == nil || event.Event.Place.Location != c.want {
				t.Errorf("place = %+v, want it at %v", event.Event.Place, c.want)
			}
		})
	}
}
