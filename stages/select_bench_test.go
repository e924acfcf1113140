package stages

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// scribe is a model that ranks the candidates in their order and writes one message, a few letters at a time.
type scribe struct {
	arguments string
	piece     int
}

func (s scribe) Complete(_ context.Context, _ llm.Request, onDelta func(string) error) (llm.Reply, error) {
	for from := 0; from < len(s.arguments); from += s.piece {
		if err := onDelta(s.arguments[from:min(from+s.piece, len(s.arguments))]); err != nil {
			return llm.Reply{}, err
		}
	}
	return llm.Reply{Calls: []llm.Call{{Name: "generateEvent", Arguments: s.arguments}}}, nil
}

// week is a search that came to 24 times and 16 cafés, as one for a coffee next week does.
func week(tb testing.TB) *run {
	tb.Helper()
	home, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		tb.Fatal(err)
	}
	r := &run{}
	r.now = time.Date(2031, time.May, 2, 9, 0, 0, 0, home)
	r.turn.Organizer = meet.Person{ID: "me", Name: "Mia Moss", Email: "mia@example.com", Timezone: home.String()}
	r.understood.Language = "en"
	return r
}

func coffeeNextWeek(r *run) (meet.Draft, meet.Candidates) {
	draft := meet.Draft{
		Mode:   meet.ModeNew,
		People: []meet.Person{{ID: "ada", Name: "Ada Byron", Email: "ada@example.com", Timezone: r.now.Location().String()}},
		Template: meet.Template{
			Title: "Coffee with Ada", EventType: meet.InPerson, Activity: meet.Coffee, Duration: 30,
			Participants: []string{"Ada"}, SuggestedPlaceTypes: []string{"cafe"},
		},
	}
	found := meet.Candidates{Shown: meet.Shown{Places: true, Times: true}, Providers: []string{"local"}}
	for i := range 24 {
		start := time.Date(2031, time.May, 5+i/4, 9+2*(i%4), 0, 0, 0, r.now.Location())
		found.Slots = append(found.Slots, meet.Slot{Start: start, End: start.Add(30 * time.Minute), State: meet.SlotFree})
	}
	hours := interval.EveryDay(interval.Window{Start: interval.At(7, 0), End: interval.At(18, 0)})
	for i := range 16 {
		p := meet.Place{
			Name:    string(rune('A'+i)) + "lder Coffee",
			Address: string(rune('1'+i%9)) + "40 Valencia St, San Francisco", Types: []string{"cafe"},
			Location: geo.Point{Latitude: 37.76, Longitude: -122.42}, Rating: 3.8 + float64(i%10)/10,
			DistanceFromMidpointKm: 0.4 + float64(i)/5, Features: []string{"outdoor seating", "quiet"},
			OpeningHours: &hours, Timezone: r.now.Location().String(),
		}
		p.MapsURL = p.MapLink()
		found.Places = append(found.Places, p)
	}
	return draft, found
}

// BenchmarkSelect is all of stage 5 beside the model: what is on offer, the prompt, the message as it is checked and
// shown while it is written, and the last check of the whole.
func BenchmarkSelect(b *testing.B) {
	r := week(b)
	draft, found := coffeeNextWeek(r)
	on := newOffer(r.situation, draft, found, message.PathProposal)
	ranks := meet.Selection{Slots: []int{0, 4, 8, 12}, Places: []int{7, 8, 9, 6}}
	arguments, err := json.Marshal(functions.GenerateEventArguments{
		RankedSlotIndices: ranks.Slots, RankedPlaceIndices: ranks.Places, CalendarProvider: "local",
		Message: on.facts.Proposal(on.correct(ranks, new(tally))),
	})
	if err != nil {
		b.Fatal(err)
	}
	a, err := newAsker(scribe{string(arguments), 5})
	if err != nil {
		b.Fatal(err)
	}
	stage := newSelector(a)
	b.ReportAllocs()
	for b.Loop() {
		shown := 0
		got, err := stage.choose(b.Context(), newOffer(r.situation, draft, found, message.PathProposal), new(tally),
			func(text string) error {
				shown += len(text)
				return nil
			})
		if err != nil || got.By != meet.ByModel || shown == 0 {
			b.Fatalf("got %+v, %d bytes shown, %v", got, shown, err)
		}
	}
}

// BenchmarkOffer is the work of code on the candidates before, during and after the last model call.
func BenchmarkOffer(b *testing.B) {
	_, found := coffeeNextWeek(week(b))
	said := meet.Selection{Slots: []int{0, 3, 6, 9}, Places: []int{0, 1, 2, 3}}
	b.ReportAllocs()
	for b.Loop() {
		on := offer{found: found, path: message.PathProposal}
		on.correct(meet.Selection{}, new(tally))
		for i := range found.Places {
			on.unfitAt(i)
		}
		on.correct(said, new(tally))
		on.correct(said, new(tally))
	}
}
