package stages

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/slot"
	"convene/stages/candidates"
)

// visit is an event of a person's, in minutes of the day. One that is nowhere known has spot -1.
type visit struct{ from, to, spot int }

// town is a small world: a wish for a time of one day, people with events before, after and in it, and places that are
// open at some times. Ways are whatever the router says, and need not make sense.
type town struct {
	rng      *rand.Rand
	day      time.Time
	from, to int
	length   int
	visits   [][]visit
	open     [][][2]int // by place; nil where nobody knows
	named    int        // -1 where any place will do
	ways     [][]int    // from each spot to each place, in minutes
	fails    bool
}

const (
	spots    = 4
	dayLong  = 24 * 60
	directly = 120
)

func newTown(rng *rand.Rand) *town {
	w := &town{
		rng: rng, day: time.Date(2031, time.May, 6, 0, 0, 0, 0, time.UTC),
		length: 15 * (1 + rng.IntN(4)), named: -1, fails: rng.IntN(8) == 0,
	}
	if w.from, w.to = 9*60, 12*60; rng.IntN(4) == 0 {
		w.from, w.to = 0, 165
	}
	for range 1 + rng.IntN(3) {
		var visits []visit
		for range rng.IntN(4) {
			at := w.from - 180 + 5*rng.IntN(110)
			visits = append(visits, visit{at, at + 5*(1+rng.IntN(16)), rng.IntN(spots+1) - 1})
		}
		w.visits = append(w.visits, visits)
	}
	hours := [][][2]int{
		nil, {{0, dayLong}}, {{9 * 60, 10*60 + 30}, {11 * 60, 22 * 60}},
		{{20 * 60, 2 * 60}}, {{8 * 60, 10 * 60}, {18 * 60, 60}}, {{13 * 60, 14 * 60}},
	}
	for range 1 + rng.IntN(4) {
		w.open = append(w.open, hours[rng.IntN(len(hours))])
	}
	if rng.IntN(3) == 0 {
		w.named = rng.IntN(len(w.open))
	}
	for range spots {
		row := make([]int, len(w.open))
		for i := range row {
			row[i] = rng.IntN(75)
		}
		w.ways = append(w.ways, row)
	}
	return w
}

func spotAt(i int) geo.Point  { return geo.Point{Latitude: 10 + float64(i), Longitude: 10} }
func placeAt(i int) geo.Point { return geo.Point{Latitude: 30 + float64(i), Longitude: 30} }

var errNoRouter = errors.New("the router is away")

// Times is the town's router.
func (w *town) Times(_ context.Context, from, to []geo.Point) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(from))
	for i, f := range from {
		for _, t := range to {
			times[i] = append(times[i], time.Duration(w.ways[int(f.Latitude)-10][int(t.Latitude)-30])*time.Minute)
		}
	}
	if w.fails {
		return times, errNoRouter
	}
	return times, nil
}

func (w *town) at(minute int) time.Time { return w.day.Add(time.Duration(minute) * time.Minute) }

func (w *town) draft() meet.Draft {
	window := interval.Window{Start: interval.Clock(w.from), End: interval.Clock(w.to)}
	day := interval.DateOf(w.day)
	draft := meet.Draft{Template: meet.Template{
		EventType: meet.InPerson, Activity: meet.Meeting, Duration: w.length,
		Dates: []interval.DateRange{{Start: day, End: day}}, Hours: &meet.Hours{Week: interval.EveryDay(window)},
	}}
	for i := range w.visits[1:] {
		draft.People = append(draft.People, w.person(i+1))
	}
	return draft
}

func (w *town) person(i int) meet.Person {
	id := fmt.Sprint("p", i)
	p := meet.Person{ID: meet.PersonID(id), Name: id}
	if i != 1 {
		p.Location = &meet.Location{Point: spotAt(i % spots)}
	}
	return p
}

func (w *town) readings() []meet.Schedule {
	var all []meet.Schedule
	for _, visits := range w.visits {
		r := meet.Schedule{Status: meet.CalendarStatus{State: meet.Checked}}
		var busy []interval.Span
		for _, v := range visits {
			span := interval.Span{Start: w.at(v.from), End: w.at(v.to)}
			busy = append(busy, span)
			if v.spot >= 0 {
				r.Stays = append(r.Stays, meet.Stay{Span: span, At: spotAt(v.spot)})
			}
		}
		r.Availability.Busy = interval.NewSet(busy...)
		all = append(all, r)
	}
	return all
}

func (w *town) places() []meet.Place {
	var places []meet.Place
	for i, open := range w.open {
		p := meet.Place{
			ID: fmt.Sprint(i), Name: fmt.Sprint("Place ", i),
			Location: placeAt(i), Rating: 4 + float64(i)/10, Named: i == w.named, Timezone: "UTC",
		}
		if open != nil {
			var windows []interval.Window
			for _, o := range open {
				windows = append(windows, interval.Window{Start: interval.Clock(o[0]), End: interval.Clock(o[1])})
			}
			week := interval.EveryDay(windows...)
			p.OpeningHours = &week
		}
		places = append(places, p)
	}
	return places
}

// isOpen looks at each minute of a place's hours.
func (w *town) isOpen(place, start int) bool {
	if w.open[place] == nil {
		return true
	}
	for minute := start; minute < start+w.length; minute++ {
		of := ((minute % dayLong) + dayLong) % dayLong
		if !slices.ContainsFunc(w.open[place], func(o [2]int) bool {
			return o[0] <= of && of < o[1] || o[1] <= o[0] && (of >= o[0] || of < o[1])
		}) {
			return false
		}
	}
	return true
}

// canCome looks at each minute of the ways that a person has.
func (w *town) canCome(visits []visit, place, start int) bool {
	end := start + w.length
	before, after := -1<<30, 1<<30
	for _, v := range visits {
		if v.spot >= 0 && v.to <= start {
			before = max(before, v.to)
		}
		if v.spot >= 0 && v.from >= end {
			after = min(after, v.from)
		}
	}
	taken := func(minute int) bool {
		return slices.ContainsFunc(visits, func(v visit) bool { return v.from <= minute && minute < v.to })
	}
	for _, v := range visits {
		if v.spot < 0 {
			continue
		}
		way := 0
		if raw := w.ways[v.spot][place]; raw >= 3 {
			way = (raw + 4) / 5 * 5
		}
		if v.to == before && v.to <= start {
			if way > start-before {
				return false
			}
			for minute := start - way; start-before < directly && minute < start; minute++ {
				if taken(minute) {
					return false
				}
			}
		}
		if v.from == after && v.from >= end {
			if way > after-end {
				return false
			}
			for minute := end; after-end < directly && minute < end+way; minute++ {
				if taken(minute) {
					return false
				}
			}
		}
	}
	return true
}

func (w *town) allCome(place, start int) bool {
	return !slices.ContainsFunc(w.visits, func(v []visit) bool { return !w.canCome(v, place, start) })
}

func (w *town) fits(place, start int) bool { return w.isOpen(place, start) && w.allCome(place, start) }

func (w *town) minute(t time.Time) int { return int(t.Sub(w.day).Minutes()) }

func index(p meet.Place) int { return int(p.Location.Latitude) - 30 }

// Busy is the town's calendars.
func (w *town) Busy(context.Context, meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error) {
	readings := map[meet.PersonID]meet.Schedule{}
	for i, r := range w.readings() {
		readings[w.person(i).ID] = r
	}
	return readings, nil
}

// Search finds nothing: the town's places are those of an earlier search.
func (*town) Search(context.Context, meet.PlaceQuery) ([]meet.Place, error) { return nil, nil }

// offering is what a town offers: its candidates, and the event that is made of a random model's choice.
func (w *town) offering(t *testing.T) (f *candidates.Finder, q candidates.Query, found meet.Candidates, e meet.Event) {
	t.Helper()
	f = candidates.New(candidates.Ports{Calendars: w, Booked: w, Places: w, Router: w}, candidates.Config{
		Notice: time.Minute, Grace: time.Minute,
	})
	in := situation{turn: meet.Turn{ID: "t_1", Organizer: w.person(0)}, now: w.at(-2 * dayLong)}
	draft := w.draft()
	in.schedules = f.Read(t.Context(), in.turn, meet.BusyQuery{
		People: draft.Everyone(in.turn.Organizer), Span: candidates.Soon(in.now),
	})
	t.Cleanup(in.schedules.Close)
	draft.CachedPlaces = w.places()
	q = in.query(draft)
	found, err := f.Find(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	on := &offer{found: found, path: message.PathProposal}
	said := meet.Selection{}
	for range w.rng.IntN(5) {
		said.Slots = append(said.Slots, w.rng.IntN(26)-1)
		said.Places = append(said.Places, w.rng.IntN(6)-1)
	}
	choice := on.correct(said, new(tally))
	if len(choice.Slots) > 0 {
		e = newEvent(in, draft, on, selected{Choice: choice})
	}
	return f, q, found, e
}

// TestNoInfeasiblePairIsOffered makes ten thousand small towns. Whatever a model says, nothing that is offered pairs a
// time with a place that is closed for any of it, or that a person cannot come to or go on from; and wherever there is
// a pair, by a slow and obvious look at all times and places, one is proposed.
func TestNoInfeasiblePairIsOffered(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 34))
	proposed, refused := 0, 0
	for range 10_000 {
		w := newTown(rng)
		f, q, found, e := w.offering(t)
		w.checkOffer(t, found, e)
		if w.checkNotVacuous(t, q.Now, found, e) {
			proposed++
		} else {
			refused++
		}
		w.checkFresh(t, f, q, found)
		if t.Failed() {
			t.Fatalf("town %+v", *w)
		}
	}
	if proposed < 2000 || refused < 1000 {
		t.Errorf("%d towns have a pair and %d have none: they are not worth much", proposed, refused)
	}
}

// checkOffer looks at the pairs on offer.
func (w *town) checkOffer(t *testing.T, found meet.Candidates, e meet.Event) {
	t.Helper()
	if len(found.Slots) == 0 || e.Place == nil {
		return
	}
	start := w.minute(e.Start)
	onOffer := append([]meet.Place{*e.Place}, e.Alternatives.Places...)
	if len(e.Conflicts) == 0 {
		for _, p := range onOffer {
			if !w.fits(index(p), start) {
				t.Errorf("%s is offered at minute %d: open %v, all come %v", p.Name, start, w.isOpen(index(p), start),
					w.allCome(index(p), start))
			}
		}
	}
	for _, s := range e.Alternatives.Slots {
		if s.State != meet.SlotFree {
			continue
		}
		if !slices.ContainsFunc(onOffer, func(p meet.Place) bool { return w.fits(index(p), w.minute(s.Start)) }) {
			t.Errorf("minute %d is offered, and no place on offer goes with it", w.minute(s.Start))
		}
	}
}

// checkNotVacuous compares with all times at which nobody is busy, and all places; it reports whether any pair fits.
func (w *town) checkNotVacuous(t *testing.T, now time.Time, found meet.Candidates, e meet.Event) bool {
	t.Helper()
	query := slot.Query{Template: w.draft().Template, Zone: time.UTC, Now: now, Notice: time.Minute}
	for i, r := range w.readings() {
		query.Attendees = append(query.Attendees, slot.Attendee{Person: w.person(i), Availability: r.Availability})
	}
	var pairs, withNamed, comes int
	for _, s := range slot.All(query) {
		some := false
		for p := range w.open {
			start := w.minute(s.Start)
			some = some || w.allCome(p, start)
			if w.fits(p, start) {
				pairs++
				if p == w.named {
					withNamed++
				}
			}
		}
		if some {
			comes++
		}
	}
	switch {
	case pairs > 0 && (found.HasNoCommonTime || e.Place == nil):
		t.Errorf("%d pairs fit, and the offer has place %v, no common time %v", pairs, e.Place, found.HasNoCommonTime)
	case withNamed > 0 && index(*e.Place) != w.named:
		t.Errorf("%d times go with the place that was named, and %s is proposed", withNamed, e.Place.Name)
	case comes == 0 && !found.HasNoCommonTime:
		t.Errorf("there is no time at which everybody can come, and %v is proposed", e.Start)
	}
	return pairs > 0
}

// checkFresh looks at what is offered when the time has gone: each with a place that the event has.
func (w *town) checkFresh(t *testing.T, f *candidates.Finder, q candidates.Query, found meet.Candidates) {
	t.Helper()
	if len(found.Slots) == 0 || w.rng.IntN(8) > 0 {
		return
	}
	venues := w.places()[:1+w.rng.IntN(len(w.open))]
	q.Draft.CachedPlaces = nil
	again, err := f.Slots(t.Context(), q, venues)
	if err != nil {
		t.Fatal(err)
	}
	asked := meet.Search{Places: venues}
	for _, s := range again.Slots {
		start := w.minute(s.Start)
		fits := slices.ContainsFunc(venues, func(p meet.Place) bool { return w.fits(index(p), start) })
		shut := !slices.ContainsFunc(venues, func(p meet.Place) bool { return w.isOpen(index(p), start) })
		if s.State == meet.SlotFree && !fits && !shut {
			t.Errorf("minute %d is offered afresh, and no place goes with it", start)
		}
		s.State = meet.SlotFree // show more looks for itself
		asked.Slots = append(asked.Slots, s)
	}
	more, err := f.More(t.Context(), q, asked, func(meet.Draft) (meet.Candidates, error) {
		return meet.Candidates{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	onOffer := venues[:min(candidates.MoreAtOnce, len(venues))]
	for _, s := range again.Slots {
		start := w.minute(s.Start)
		want := !w.busy(start) && slices.ContainsFunc(onOffer, func(p meet.Place) bool { return w.fits(index(p), start) })
		if got := slices.ContainsFunc(more.Found.Slots, func(o meet.Slot) bool {
			return o.Start.Equal(s.Start)
		}); got != want {
			t.Errorf("at minute %d, show more offers the time: %v, want %v", start, got, want)
		}
	}
}

// busy reports whether anyone has an event at the time.
func (w *town) busy(start int) bool {
	return slices.ContainsFunc(w.visits, func(visits []visit) bool {
		return slices.ContainsFunc(visits, func(v visit) bool { return v.from < start+w.length && start < v.to })
	})
}
