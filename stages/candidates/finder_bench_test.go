package candidates

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
	"convene/pkg/place/catalogue"
)

// demoTurn is a turn of the demo, "Let's grab coffee with Al next week", as far as stage 4 knows it.
type demoTurn struct {
	*Finder
	Query
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
		Finder: New(Ports{
			Calendars: &calendar.Directory{
				Sources: []calendar.Provider{local.New(&localtest.Memory{}, files)}, Now: func() time.Time { return now },
			},
			Places: venues,
		}, Config{Grace: time.Second}),
		Query: Query{Turn: meet.Turn{ID: "t_1", Organizer: me}, Now: now, Draft: meet.Draft{
			Mode: meet.ModeNew, People: []meet.Person{al}, PlaceQuery: &meet.PlaceQuery{Types: []string{"cafe"}},
			Template: meet.Template{
				Title: "Coffee with Al", EventType: meet.InPerson, Activity: meet.Coffee, Duration: 30,
				Dates:        []interval.DateRange{{Start: monday, End: monday.AddDays(6)}},
				Participants: []string{"Al"}, SuggestedPlaceTypes: []string{"cafe"}, Specificity: meet.ActivityType,
			},
		}},
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

// ask reads the calendars, a little later each time: no two turns of a day ask for the same stretch of it.
func (d *demoTurn) ask(b *testing.B) {
	b.Helper()
	d.Now = d.Now.Add(time.Second)
	people := d.Draft.Everyone(d.Turn.Organizer)
	d.Schedules = d.Read(b.Context(), d.Turn, meet.BusyQuery{People: people, Span: Soon(d.Now)})
	if _, err := d.Schedules.Wait(); err != nil {
		b.Fatal(err)
	}
}

func (d *demoTurn) find(b *testing.B) meet.Candidates {
	b.Helper()
	found, err := d.Find(b.Context(), d.Query, nil)
	if err != nil || len(found.Slots) == 0 || len(found.Places) == 0 {
		b.Fatalf("found %d slots and %d places: %v", len(found.Slots), len(found.Places), err)
	}
	return found
}

// BenchmarkDemoTurn measures how a turn of the demo finds a time and a place: the reading of calendars, and stage 4.
func BenchmarkDemoTurn(b *testing.B) {
	b.Run("calendars", func(b *testing.B) {
		d := newDemoTurn(b)
		b.ReportAllocs()
		for b.Loop() {
			d.ask(b)
		}
	})
	b.Run("candidates", func(b *testing.B) {
		d := newDemoTurn(b)
		d.ask(b)
		b.ReportAllocs()
		for b.Loop() {
			d.find(b)
		}
	})
}
