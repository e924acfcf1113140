package slot

import (
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// soon is how many days after today a request without dates extends.
	soon = 14
	// nearby is how many days around the request the fallback searches.
	nearby = 7
	// mostDays is the most that the days of a request may span; later days are ignored.
	mostDays = 366
	// longest is the maximum length of an event with its travel; no slot fits a longer one.
	longest = 31 * day
	// wide is the length above which a window is a part of the day ("in the morning", "after three") rather than a time.
	// The usual hours of the activity still narrow it, if that leaves any time.
	wide = 3 * 60 * minute
	// usualLength applies to an event without a duration.
	usualLength = 30 * minute
	// finalDay is 9998-12-31: no slot is later, so that a year has four digits.
	finalDay = 2932531
)

// request is the starts that a query asks for, before calendars are considered.
type request struct {
	// Every grid start within grid is requested. named are starts that the user named to the minute; they may be too soon,
	// but not past.
	grid, named starts
	// exact says that the user named only starts to the minute, and missing that a DST change skips all of them.
	exact, missing bool
}

// requestedDays are the day numbers on which an event may start, in order, from today on.
func requestedDays(t meet.Template, today int) []int {
	ranges := t.Dates
	if len(ranges) == 0 {
		first := interval.DateNumber(today)
		ranges = []interval.DateRange{{Start: first, End: first.AddDays(soon)}}
	}
	first := finalDay + 1
	for _, r := range ranges {
		if begin := max(today, r.Start.Number()); begin <= r.End.Number() {
			first = min(first, begin)
		}
	}
	var requested [mostDays]bool
	count := 0
	for _, r := range ranges {
		end := min(r.End.Number(), finalDay, first+mostDays-1)
		for n := max(first, r.Start.Number()); n <= end; n++ {
			if !requested[n-first] {
				requested[n-first] = true
				count++
			}
		}
	}
	days := make([]int, 0, count)
	for i := 0; len(days) < count; i++ {
		if requested[i] {
			days = append(days, first+i)
		}
	}
	return days
}

// around is the first and the last day searched for a request of these days, fallback included.
func around(days []int, today int) (first, last int) {
	if len(days) == 0 {
		return today, today + soon + nearby
	}
	return max(today, days[0]-nearby), days[len(days)-1] + nearby
}

// Horizon is the time for which calendars must be read before Find: it covers every slot, travel included, that Find,
// All or a granted reason can return. Without dates it is the three weeks from today.
func Horizon(t meet.Template, zone *time.Location, now time.Time) interval.Span {
	if zone == nil {
		zone = time.UTC
	}
	today := interval.DateOf(now.In(zone)).Number()
	first, last := around(requestedDays(t, today), today)
	lengths := lengthsOf(t)
	// A window may run past the midnight after its day, and the event out of the window.
	return interval.Span{
		Start: interval.DateNumber(first).Start(zone),
		End:   interval.DateNumber(last + 2).Start(zone),
	}.Widen(time.Duration(min(lengths.before, longest))*time.Second,
		time.Duration(min(lengths.event+lengths.after, longest))*time.Second)
}

// lengths of the event and of the travel around it, in seconds.
type lengths struct{ before, event, after int64 }

func lengthsOf(t meet.Template) lengths {
	seconds := func(minutes int) int64 { return min(max(0, int64(minutes)), longest) * minute }
	l := lengths{seconds(t.TravelBuffer.BeforeMinutes), seconds(t.Duration), seconds(t.TravelBuffer.AfterMinutes)}
	if l.event == 0 {
		l.event = usualLength
	}
	return l
}

func (l lengths) all() int64 { return l.before + l.event + l.after }

// request works out the requested starts: the days, the hours, the usual hours of the activity, without excluded ones,
// those that the organizer keeps free, and those too soon, and on the preferred side of the previous event.
func (s *search) request() request {
	var w request
	if s.lengths.all() > longest || len(s.days) == 0 {
		return w
	}
	if s.Template.Hours == nil {
		w.grid = s.usual()
	} else {
		w = s.hours()
	}
	first, last := s.preferred()
	out := s.excluded()
	w.grid = w.grid.between(max(first, s.earliest), last).without(out).free(s.Kept, 0, s.lengths.event)
	w.named = w.named.between(first, last).without(out)
	return w
}

// preferred is the range of starts on the preferred side of the previous event.
func (s *search) preferred() (first, last int64) {
	first, last = s.now, s.clock.edge(finalDay+2, 0)
	switch s.Preference {
	case meet.Earlier:
		last = ceil(s.Previous)
	case meet.Later:
		first = max(first, s.Previous.Unix()+1)
	case meet.NoPreference:
	}
	return first, last
}

// hours are the starts within the hours that the user named.
func (s *search) hours() request {
	w := request{exact: true}
	var narrower []starts
	windows, skipped := 0, 0
	list := make([]stretch, 0, len(s.days))
	for _, n := range s.days {
		for _, window := range s.Template.Hours.For(interval.DateNumber(n)) {
			windows++
			if window.Exact() {
				if at, ok := s.clock.at(n, window.Start); ok {
					w.named = append(w.named, stretch{at, at + 1})
				} else {
					skipped++
				}
				continue
			}
			w.exact = false
			if narrower == nil {
				narrower = s.narrower()
			}
			list = append(list, s.narrowed(n, window, narrower)...)
		}
	}
	w.named, w.grid, w.exact = merged(w.named), merged(list), w.exact && windows > 0
	w.missing = w.exact && skipped == windows
	return w
}

// narrower lists what may narrow a part of the day, best first: the usual hours of all attendees; while nobody sleeps,
// those of the event's zone, its waking hours and any hours; and the usual hours of the event's zone alone.
func (s *search) narrower() []starts {
	days := s.dayRun(1, 1)
	here := s.usualOn(days)
	everywhere := here.and(s.usualElsewhere())
	if !s.anyoneSleeps() {
		return []starts{everywhere, here}
	}
	waking := s.within(wakingHours(), s.clock, days)
	return []starts{everywhere, s.awake(here), s.awake(waking), s.awake(s.always()), here}
}

// usual is the starts at the usual hours, for a request without hours. If those of all attendees do not overlap, it is
// the usual or else the waking hours of the event's zone while nobody sleeps, if that leaves any.
func (s *search) usual() starts {
	here := s.usualOn(s.days)
	everywhere := here.and(s.usualElsewhere())
	if !s.anyoneSleeps() {
		return everywhere
	}
	for _, set := range []starts{everywhere, s.awake(here), s.awake(s.within(wakingHours(), s.clock, s.days))} {
		if s.hasStart(set.between(s.earliest, s.earliest+forever)) {
			return set
		}
	}
	return here
}

// narrowed is the starts that a window allows on a day. The event lies inside the window; if the window is shorter than
// the event, its start does. In a wide window the first of the narrower sets that leaves any start applies.
func (s *search) narrowed(dayNumber int, w interval.Window, narrower []starts) starts {
	in := s.clock.window(dayNumber, w)
	long := in.to - in.from
	if long <= 0 {
		return nil
	}
	switch {
	case long >= s.lengths.event:
		in.to += 1 - s.lengths.event
	case s.clock.show(in.to).minute == int(w.End%interval.EndOfDay):
		in.to++ // unless a change skips the end
	}
	named := starts{in}.between(s.earliest, in.to)
	if !isWide(w) || s.anyHour {
		return named
	}
	for _, n := range narrower {
		if some := named.and(n); s.hasStart(some) {
			return some
		}
	}
	return named
}

// isWide reports whether a window is a part of the day rather than a time, by the wall clock.
func isWide(w interval.Window) bool {
	if w.End < w.Start {
		w.End += interval.EndOfDay
	}
	return int64(w.End-w.Start)*minute > wide
}

// hasStart reports whether the set contains a start of the grid.
func (s *search) hasStart(set starts) (found bool) {
	s.clock.grid(set, func(candidate) bool {
		found = true
		return false
	})
	return found
}

// usualOn is the starts within the activity's hours on the days.
func (s *search) usualOn(days []int) starts { return s.usualBy(s.clock, days) }

func (s *search) usualBy(c *clock, days []int) starts {
	return s.within(usualHours(s.Template.Activity), c, days)
}

// within is the starts in the hours at which at least half of the event is inside them.
func (s *search) within(hours interval.Window, c *clock, days []int) starts {
	list := make([]stretch, 0, len(days))
	for _, n := range days {
		in := c.window(n, hours)
		list = append(list, stretch{in.from, in.to - (s.lengths.event+1)/2 + 1})
	}
	return merged(list)
}

// usualElsewhere is the starts within the activity's hours in the zones of all attendees of a remote event. People who
// meet in one place are all in the event's zone.
func (s *search) usualElsewhere() starts {
	everything := s.always()
	if !s.Template.Remote() {
		return everything
	}
	var days []int
	done := []*clock{s.clock}
	for _, a := range s.Attendees {
		c := s.clockOf(a.Person)
		if slices.Contains(done, c) {
			continue
		}
		done = append(done, c)
		if days == nil {
			days = s.dayRun(2, 4)
		}
		everything = everything.and(s.usualBy(c, days))
	}
	return everything
}

// always is every start on the requested days.
func (s *search) always() starts {
	return starts{{s.clock.edge(s.days[0]-2, 0), s.clock.edge(s.days[len(s.days)-1]+4, 0)}}
}

// isPast reports whether the request has starts, and all of them have passed.
func (s *search) isPast() bool {
	if len(s.Template.Dates) == 0 || s.Preference != meet.NoPreference {
		return false
	}
	q := s.Query
	q.Notice, q.Template.TravelBuffer = 0, meet.TravelBuffer{}
	if s.also(q).hasAny() {
		return false
	}
	first := s.Template.Dates[0].Start
	for _, r := range s.Template.Dates {
		if r.Start.Before(first) {
			first = r.Start
		}
	}
	if first = first.AddDays(-1); first.Number() >= s.today {
		return false
	}
	q.Now = first.Start(s.Zone)
	return newSearch(q).hasAny()
}

// hasAny reports whether the request has any start.
func (s *search) hasAny() bool {
	w := s.request()
	return len(w.named) > 0 || s.hasStart(w.grid)
}

// excluded is the starts at which the event would overlap excluded hours. An exact excluded hour excludes that start.
// Excluded days are checked start by start.
func (s *search) excluded() []stretch {
	if s.Template.ExcludedHours == nil {
		return nil
	}
	var out []stretch
	for _, n := range s.dayRun(1, 2+int(s.lengths.event/day)) {
		for _, w := range s.Template.ExcludedHours.For(interval.DateNumber(n)) {
			if at, ok := s.clock.at(n, w.Start); w.Exact() {
				if ok {
					out = append(out, stretch{at, at + 1})
				}
				continue
			}
			if in := s.clock.window(n, w); in.from < in.to {
				out = append(out, stretch{in.from - s.lengths.event + 1, in.to})
			}
		}
	}
	return merged(out)
}

// dayRun lists all days, from before days ahead of the first requested one to after days past the last.
func (s *search) dayRun(before, after int) []int {
	first, last := s.days[0]-before, s.days[len(s.days)-1]+after
	days := make([]int, 0, last-first+1)
	for n := first; n <= last; n++ {
		days = append(days, n)
	}
	return days
}
