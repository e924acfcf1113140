package stages

import (
	"slices"
	"testing"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/calendar/local"
	"convene/pkg/calendar/local/localtest"
	"convene/pkg/demo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/place/catalogue"
	"convene/pkg/travel"
)

// demoTurn is a turn of the demo, "Let's grab coffee with Al next week", as far as stage 4 knows it.
type demoTurn struct {
	finder
	circumstances
	draft meet.Draft
}

func newDemoTurn(tb testing.TB) *demoTurn {
	tb.Helper()
	zone, err := interval.Zone("America/Los_Angeles")
	if err != nil {
		tb.Fatal(err)
	}
	now := time.Date(2026, time.November, 20, 9, 0, 0, 0, zone)
	people, err := demo.People()
	if err != nil {
		tb.Fatal(err)
	}
	files, err := demo.Calendars(now)
	if err != nil {
		tb.Fatal(err)
	}
	venues, err := catalogue.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	me, al := personOf(tb, people, "me"), personOf(tb, people, "al")
	monday := interval.Date{Year: 2026, Month: time.November, Day: 23}
	return &demoTurn{
		finder: finder{
			calendars: &calendar.Directory{
				Sources: []calendar.Provider{local.New(&localtest.Memory{}, files)}, Now: func() time.Time { return now },
			},
			places: captionedPlaces{venues}, router: travel.Model{},
			cfg: Config{Notice: 30 * time.Minute, Patience: 5 * time.Second, Grace: time.Second},
		},
		circumstances: circumstances{turn: meet.Turn{ID: "t_1", Organizer: me}, now: now},
		draft: meet.Draft{
			Mode: meet.ModeNew, People: []meet.Person{al}, PlaceQuery: &meet.PlaceQuery{Types: []string{"cafe"}},
			Template: meet.Template{
				Title: "Coffee with Al", EventType: meet.InPerson, Activity: meet.Coffee, Duration: 30,
				Dates:        []interval.DateRange{{Start: monday, End: monday.AddDays(6)}},
				Participants: []string{"Al"}, SuggestedPlaceTypes: []string{"cafe"}, Specificity: meet.ActivityType,
			},
		},
	}
}

func personOf(tb testing.TB, people []meet.Person, id meet.PersonID) meet.Person {
	tb.Helper()
	i := slices.IndexFunc(people, func(p meet.Person) bool { return p.ID == id })
	if i < 0 {
		tb.Fatalf("the demo has no %s", id)
	}
	return people[i]
}

// read asks the calendars, a little later each time: no two turns of a day ask for the same stretch of it.
func (d *demoTurn) read(b *testing.B) {
	b.Helper()
	d.now = d.now.Add(time.Second)
	people := everybody(d.turn.Organizer, d.draft.People)
	d.schedules = d.finder.read(b.Context(), d.turn, meet.BusyQuery{People: people, Span: soon(d.now)})
	if _, err := d.schedules.wait(); err != nil {
		b.Fatal(err)
	}
}

func (d *demoTurn) find(b *testing.B) meet.Candidates {
	b.Helper()
	found, err := d.run(b.Context(), d.circumstances, d.draft, nil)
	if err != nil || len(found.Slots) == 0 || len(found.Places) == 0 {
		b.Fatalf("found %d slots and %d places: %v", len(found.Slots), len(found.Places), err)
	}
	return found
}

// BenchmarkDemoTurn is what a turn of the demo spends on finding a time and a place, part by part: reading the calendars,
// stage 4 on what they say, and what code makes of its candidates for the last model call, while that writes and after it.
func BenchmarkDemoTurn(b *testing.B) {
	b.Run("calendars", func(b *testing.B) {
		d := newDemoTurn(b)
		b.ReportAllocs()
		for b.Loop() {
			d.read(b)
		}
	})
	b.Run("candidates", func(b *testing.B) {
		d := newDemoTurn(b)
		d.read(b)
		b.ReportAllocs()
		for b.Loop() {
			d.find(b)
		}
	})
	b.Run("offer", func(b *testing.B) {
		d := newDemoTurn(b)
		d.read(b)
		found := d.find(b)
		said := meet.Selection{Slots: []int{0, 3, 6, 9}, Places: []int{0, 1, 2, 3}}
		b.ReportAllocs()
		for b.Loop() {
			on := offer{found: found, path: message.PathProposal}
			on.correct(meet.Selection{}, newTally())
			for i := range found.Places {
				on.unfitAt(i)
			}
			on.correct(said, newTally())
			on.correct(said, newTally())
		}
	})
}
