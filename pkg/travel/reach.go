package travel

import (
	"context"
	"slices"
	"sort"
	"sync"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Guest is a participant with their calendars.
type Guest struct {
	// Home is the usual starting point; nil if it is unknown, which counts as near the others.
	Home *geo.Point
	// Availability is the guest's time. Stays are the events with a known location; others require no way.
	Availability interval.Availability
	Stays        []meet.Stay
}

// Direct is the gap between two events from which no way has to be kept free: in the meantime people may be anywhere.
const Direct = 2 * time.Hour

// Ways are rounded up to five minutes, so that nobody has to run and no time reveals a home. Shorter ones than
// shortestWay count as 0.
const (
	wayStep     = 5 * time.Minute
	shortestWay = 3 * time.Minute
)

// counted is a way rounded up to wayStep; 0 if it is negligible.
func counted(way time.Duration) time.Duration {
	if way < shortestWay {
		return 0
	}
	if rest := way % wayStep; rest > 0 {
		way += wayStep - rest
	}
	return way
}

// Map is how long everyone takes to each of some places, from home and from their events. It does not change and may be
// shared.
type Map struct {
	places []meet.Place
	guests []guest
	// named is the name of the first venue that the user named.
	named string
	// within is the span for which hours has each place's opening times, computed on first use.
	within interval.Span
	hours  []func() (times interval.Set, known bool)
}

// guest is a Guest with their ways.
type guest struct {
	availability interval.Availability
	// home is the way to each place; nil if the home is unknown.
	home []time.Duration
	// byEnd and byStart are the same stays.
	byEnd, byStart []stay
}

// stay is a Stay with the way from it to each place, as counted. The way back takes as long.
type stay struct {
	meet.Stay
	ways []time.Duration
}

// Survey asks the router once for all ways to all places. The map is complete even with an error, which is the
// router's. A place without a known location is near everyone.
func Survey(ctx context.Context, router Router, guests []Guest, places []meet.Place) (*Map, error) {
	m := &Map{places: places, guests: make([]guest, len(guests))}
	if i := slices.IndexFunc(places, func(p meet.Place) bool { return p.Named }); i >= 0 {
		m.named = places[i].Name
	}
	var from points
	for _, g := range guests {
		if g.Home != nil {
			from.add(*g.Home)
		}
		for _, s := range g.Stays {
			from.add(s.At)
		}
	}
	ways, err := from.ways(ctx, router, places)
	for i, g := range guests {
		m.guests[i] = guest{availability: interval.Availability{
			Busy: g.Availability.Busy.Normal(), Unknown: g.Availability.Unknown.Normal(),
		}}
		if g.Home != nil {
			m.guests[i].home = ways[from.index[*g.Home]]
		}
		for _, s := range g.Stays {
			row := slices.Clone(ways[from.index[s.At]])
			for j, way := range row {
				row[j] = counted(way)
			}
			m.guests[i].byEnd = append(m.guests[i].byEnd, stay{s, row})
		}
		m.guests[i].sort()
	}
	return m, err
}

func (g *guest) sort() {
	g.byStart = slices.Clone(g.byEnd)
	slices.SortStableFunc(g.byEnd, func(a, b stay) int { return a.Span.End.Compare(b.Span.End) })
	slices.SortStableFunc(g.byStart, func(a, b stay) int { return a.Span.Start.Compare(b.Span.Start) })
}

// points are distinct.
type points struct {
	list  []geo.Point
	index map[geo.Point]int
}

func (p *points) add(at geo.Point) {
	if p.index == nil {
		p.index = map[geo.Point]int{}
	}
	if _, known := p.index[at]; !known {
		p.index[at] = len(p.list)
		p.list = append(p.list, at)
	}
}

// ways are the router's, and zero for a place without a known location.
func (p *points) ways(ctx context.Context, router Router, places []meet.Place) ([][]time.Duration, error) {
	var to []geo.Point
	var which []int
	for i, place := range places {
		if !nowhere(place) {
			to, which = append(to, place.Location), append(which, i)
		}
	}
	rows := make([][]time.Duration, len(p.list))
	for i := range rows {
		rows[i] = make([]time.Duration, len(places))
	}
	if len(p.list) == 0 || len(to) == 0 {
		return rows, nil
	}
	times, err := router.Times(ctx, p.list, to)
	for i, row := range times {
		for j, way := range row {
			rows[i][which[j]] = way
		}
	}
	return rows, err
}

// nowhere reports whether the place's location is unknown.
func nowhere(p meet.Place) bool { return p.Location == (geo.Point{}) }

// Arranged is the map with only the places at these indexes, in this order.
func (m *Map) Arranged(order []int) *Map {
	pick := func(row []time.Duration) []time.Duration {
		if row == nil {
			return nil
		}
		picked := make([]time.Duration, len(order))
		for to, from := range order {
			picked[to] = row[from]
		}
		return picked
	}
	arranged := &Map{places: make([]meet.Place, len(order)), guests: make([]guest, len(m.guests)), named: m.named}
	for to, from := range order {
		arranged.places[to] = m.places[from]
	}
	for i, g := range m.guests {
		one := guest{availability: g.availability, home: pick(g.home), byEnd: make([]stay, len(g.byEnd))}
		for j, s := range g.byEnd {
			one.byEnd[j] = stay{s.Stay, pick(s.ways)}
		}
		one.sort()
		arranged.guests[i] = one
	}
	return arranged
}

// Over is the map optimized for times within a span: each place's opening times in it are computed at most once.
func (m *Map) Over(span interval.Span) *Map {
	quick := *m
	quick.within = span
	quick.hours = make([]func() (interval.Set, bool), len(m.places))
	for i := range m.places {
		quick.hours[i] = sync.OnceValues(func() (interval.Set, bool) { return m.places[i].OpenTimes(span) })
	}
	return &quick
}

// Without is the map for all guests but one.
func (m *Map) Without(guest int) *Map {
	others := *m
	others.guests = slices.Concat(m.guests[:guest], m.guests[guest+1:])
	return &others
}

// Located reports whether any guest has events with a known location.
func (m *Map) Located() bool {
	return slices.ContainsFunc(m.guests, func(g guest) bool { return len(g.byEnd) > 0 })
}

// Places are the map's, in its order.
func (m *Map) Places() []meet.Place { return m.places }

// FromHome is a guest's way from home to a place, as counted; ok is false if the home is unknown.
func (m *Map) FromHome(guest, place int) (way time.Duration, ok bool) {
	home := m.guests[guest].home
	if home == nil {
		return 0, false
	}
	return counted(home[place]), true
}

// Moment is the map around an event at one time: the guests' ways from their events before, and to those after.
type Moment struct {
	m  *Map
	at interval.Span
	// to and from are each guest's ways there and on; nil if there are none.
	to, from [][]approach
}

// approach is the way from the stay before, or to the one after.
type approach struct {
	ways []time.Duration
	// gap is the time between the stay and the event; room is the part of it, next to the event, without another event,
	// and due the part that the stay itself does not keep busy.
	gap, room, due time.Duration
}

// At is the map around an event at that time.
func (m *Map) At(at interval.Span) Moment {
	if !m.Located() {
		return Moment{m: m, at: at}
	}
	both, all := make([][]approach, 2*len(m.guests)), make([]approach, 0, 2*len(m.guests))
	moment := Moment{m: m, at: at, to: both[:len(m.guests)], from: both[len(m.guests):]}
	for i := range m.guests {
		begin := len(all)
		all = m.guests[i].approaches(all, at)
		then := len(all)
		all = m.guests[i].departures(all, at)
		moment.to[i], moment.from[i] = all[begin:then:then], all[then:len(all):len(all)]
	}
	return moment
}

// Open reports whether a place may be open for all of the time, as it may with unknown hours.
func (w Moment) Open(place int) bool {
	if w.m.within.Covers(w.at) && w.m.hours != nil {
		times, known := w.m.hours[place]()
		return !known || times.Covers(w.at)
	}
	open, known := w.m.places[place].OpenDuring(w.at)
	return open || !known
}

// Fits reports whether the place is open for all of the time, as far as its hours are known, and everyone can be there.
func (w Moment) Fits(place int) bool { return !w.AnyLate(place) && w.Open(place) }

// AnyLate reports whether a guest cannot be at the place for all of the time.
func (w Moment) AnyLate(place int) bool {
	for i := range w.to {
		if _, ok := w.Legs(i, place); !ok {
			return true
		}
	}
	return false
}

// Late are the guests who cannot be at the place for all of the time.
func (w Moment) Late(place int) []int {
	var late []int
	for i := range w.to {
		if _, ok := w.Legs(i, place); !ok {
			late = append(late, i)
		}
	}
	return late
}

// Legs are the guest's travel times to the place from the event before and on to the one after, if these are near in
// time; see Direct. ok is false if the guest has less time than that: not enough between the events, or, on a direct
// way, another event in the meantime. Busy time that an event keeps around itself is available for the same way. An
// event at the same time requires no way: a guest who is there is not here.
func (w Moment) Legs(guest, place int) (b meet.TravelBuffer, ok bool) {
	if w.to == nil {
		return b, true
	}
	var before, after time.Duration
	for _, a := range w.to[guest] {
		if before = max(before, a.direct(place)); a.late(place) {
			return b, false
		}
	}
	for _, a := range w.from[guest] {
		if after = max(after, a.direct(place)); a.late(place) {
			return b, false
		}
	}
	return meet.TravelBuffer{BeforeMinutes: int(before.Minutes()), AfterMinutes: int(after.Minutes())}, true
}

// Kept are the legs of a guest beyond what the events before and after keep busy themselves.
func (w Moment) Kept(guest, place int) meet.TravelBuffer {
	if w.to == nil {
		return meet.TravelBuffer{}
	}
	var before, after time.Duration
	for _, a := range w.to[guest] {
		before = max(before, min(a.direct(place), a.due))
	}
	for _, a := range w.from[guest] {
		after = max(after, min(a.direct(place), a.due))
	}
	return meet.TravelBuffer{BeforeMinutes: int(before.Minutes()), AfterMinutes: int(after.Minutes())}
}

func (a approach) late(place int) bool {
	way := a.ways[place]
	return way > a.gap || a.gap < Direct && way > a.room
}

// direct is the way if it is taken directly, otherwise 0.
func (a approach) direct(place int) time.Duration {
	if a.gap >= Direct {
		return 0
	}
	return a.ways[place]
}

// approaches appends the ways from the last stays that end by then: one, unless several end together.
func (g *guest) approaches(list []approach, at interval.Span) []approach {
	end := sort.Search(len(g.byEnd), func(i int) bool { return g.byEnd[i].Span.End.After(at.Start) })
	first := end
	var over time.Time
	for first > 0 && g.byEnd[first-1].Span.End.Equal(g.byEnd[end-1].Span.End) {
		first--
		if end := g.byEnd[first].taken().End; over.Before(end) {
			over = end
		}
	}
	for i := first; i < end; i++ {
		s := &g.byEnd[i]
		a := approach{ways: s.ways, gap: at.Start.Sub(s.Span.End), room: Direct, due: max(0, at.Start.Sub(over))}
		if a.gap < Direct {
			a.room = g.roomBefore(at, over)
		}
		list = append(list, a)
	}
	return list
}

// departures appends the ways to the first stays that begin from then on.
func (g *guest) departures(list []approach, at interval.Span) []approach {
	first := sort.Search(len(g.byStart), func(i int) bool { return !g.byStart[i].Span.Start.Before(at.End) })
	last := first
	var begins time.Time
	for last < len(g.byStart) && g.byStart[last].Span.Start.Equal(g.byStart[first].Span.Start) {
		if taken := g.byStart[last].taken().Start; last == first || taken.Before(begins) {
			begins = taken
		}
		last++
	}
	for i := first; i < last; i++ {
		s := &g.byStart[i]
		a := approach{ways: s.ways, gap: s.Span.Start.Sub(at.End), room: Direct, due: max(0, begins.Sub(at.End))}
		if a.gap < Direct {
			a.room = g.roomAfter(at, begins)
		}
		list = append(list, a)
	}
	return list
}

// roomBefore is the guest's free time directly before the event, Direct if nothing is busy back to since. Unknown time
// counts as busy, unless the event's own time is unknown too.
func (g *guest) roomBefore(at interval.Span, since time.Time) time.Duration {
	room := Direct
	for _, set := range g.taken(at) {
		i := sort.Search(len(set), func(i int) bool { return !set[i].Start.Before(at.Start) })
		if i > 0 && since.Before(at.Start) && set[i-1].End.After(since) {
			room = min(room, max(0, at.Start.Sub(set[i-1].End)))
		}
	}
	return room
}

// roomAfter is the guest's free time directly after the event, up to until.
func (g *guest) roomAfter(at interval.Span, until time.Time) time.Duration {
	room := Direct
	for _, set := range g.taken(at) {
		i := sort.Search(len(set), func(i int) bool { return set[i].End.After(at.End) })
		if i < len(set) && at.End.Before(until) && set[i].Start.Before(until) {
			room = min(room, max(0, set[i].Start.Sub(at.End)))
		}
	}
	return room
}

// taken is the time in which the guest cannot travel.
func (g *guest) taken(at interval.Span) [2]interval.Set {
	if g.availability.Unknown.Overlaps(at) {
		return [2]interval.Set{g.availability.Busy}
	}
	return [2]interval.Set{g.availability.Busy, g.availability.Unknown}
}

// taken is the time that the stay keeps busy: at least itself.
func (s *stay) taken() interval.Span {
	if s.Taken.Empty() {
		return s.Span
	}
	return s.Span.Hull(s.Taken)
}
