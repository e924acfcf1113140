package slot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// search is a prepared query: everything that depends on the query alone is computed once.
type search struct {
	Query
	zones   *zones
	clock   *clock
	days    []int
	lengths lengths
	// now is the first moment that is not past, today its day. earliest is the first start that leaves the notice and the
	// time to get there.
	now, earliest int64
	today         int
	// leisure says that evenings and weekends suit the event better than working hours.
	leisure bool
	// anyHour keeps wide windows from being narrowed to usual hours.
	anyHour bool
	// working is, for each attendee bound by working hours, the starts within them.
	working []starts
	// waking is, for each attendee on another clock, the starts outside their night.
	waking []starts
}

func newSearch(q Query) *search {
	if q.Zone == nil {
		q.Zone = time.UTC
	}
	q.Attendees, q.Kept = slices.Clone(q.Attendees), q.Kept.Normal()
	for i, a := range q.Attendees {
		a.Availability.Busy, a.Availability.Unknown = a.Availability.Busy.Normal(), a.Availability.Unknown.Normal()
		q.Attendees[i] = a
	}
	// Clocks everywhere are within a day of UTC, and a window may run into the day after its own.
	today := interval.DateOf(q.Now.In(q.Zone)).Number()
	days := requestedDays(q.Template, today)
	begin, end := around(days, today)
	return searching(q, days, &zones{span: interval.Span{
		Start: time.Unix(int64(begin-3)*day, 0),
		End:   time.Unix(int64(end+5)*day+min(lengthsOf(q.Template).all(), longest), 0),
	}})
}

// also is the search for another query of the same people, or fewer, on the same days or those around them.
func (s *search) also(q Query) *search {
	return searching(q, requestedDays(q.Template, s.today), s.zones)
}

// searching is the search for a query with normalized calendars.
func searching(q Query, days []int, z *zones) *search {
	s := &search{Query: q, days: days, zones: z, clock: z.in(q.Zone), lengths: lengthsOf(q.Template), now: ceil(q.Now)}
	s.today = s.clock.show(q.Now.Unix()).day
	s.earliest = max(s.now+s.lengths.before, ceil(q.Now.Add(max(0, q.Notice))))
	s.leisure = q.Template.Activity == meet.Custom && len(q.Attendees) > 0 && !q.Attendees[0].Person.OnWorkCalendar()
	s.working = make([]starts, len(q.Attendees))
	for i, a := range q.Attendees {
		if len(s.days) > 0 && keepsWorkingHours(a.Person, q.Template.Activity, s.lengths.event) {
			s.readWorking(i)
		}
	}
	s.readWaking()
	return s
}

// readWorking computes the starts within the i-th attendee's working hours, or reuses those of an earlier attendee with
// the same hours.
func (s *search) readWorking(i int) {
	p := s.Attendees[i].Person
	for j, other := range s.Attendees[:i] {
		same := other.Person.Timezone == p.Timezone && other.Person.WorkingHours == p.WorkingHours
		if same && s.working[j] != nil {
			s.working[i] = s.working[j]
			return
		}
	}
	s.working[i] = s.workingHours(p)
}

// workingHours is the starts at which the event lies inside the person's working hours, in the person's own zone. It is
// never nil.
func (s *search) workingHours(p meet.Person) starts {
	week := p.WorkingWeek()
	c := s.clockOf(p)
	first, last := around(s.days, s.today)
	list := make([]stretch, 0, last-first+6+int(s.lengths.event/day))
	for n := first - 2; n <= last+3+int(s.lengths.event/day); n++ {
		for _, w := range week[interval.WeekdayOf(n)] {
			list = append(list, c.window(n, w))
		}
	}
	hours := merged(list)
	for i := range hours {
		hours[i].to -= s.lengths.event - 1
	}
	return slices.DeleteFunc(hours, func(h stretch) bool { return h.from >= h.to })
}

// suiting is the part of the set at which nobody is busy, outside working hours or, in a remote event, asleep.
func (s *search) suiting(set starts) starts {
	for i := range s.Attendees {
		if len(set) == 0 {
			return nil
		}
		set = s.suitingOne(set, i)
	}
	return set
}

// suitingOne is suiting for one attendee. Hours go first: they are few, and leave less to compare with busy times.
func (s *search) suitingOne(set starts, i int) starts {
	if s.working[i] != nil {
		set = set.and(s.working[i])
	}
	if s.waking[i] != nil && s.Template.Remote() {
		set = set.and(s.waking[i])
	}
	return set.free(s.Attendees[i].Availability.Busy, s.lengths.before, s.lengths.event+s.lengths.after)
}

// suitable is the requested candidates that suit everyone or could not be checked, in order, each graded.
func (s *search) suitable(w request) []candidate {
	found := s.reached(s.candidates(s.suiting(w.grid), s.suiting(w.named.between(s.earliest, s.earliest+forever))))
	for i := range found {
		found[i].suits = true
	}
	return found
}

// forever is longer than any search.
const forever = 10_000 * 366 * day

// candidates are the grid starts in one set and all of the other, in order, each once, without excluded days and
// offered starts.
func (s *search) candidates(grid, named starts) []candidate {
	room := len(named)
	for _, g := range grid {
		room += int((g.to-g.from)/step) + 1
	}
	found := make([]candidate, 0, room)
	offered := make([]int64, len(s.Offered))
	for i, t := range s.Offered {
		offered[i] = t.Unix()
	}
	keep := func(c candidate) bool {
		if !slices.Contains(offered, c.at) && !s.excludesDay(c.day) {
			found = append(found, c)
		}
		return true
	}
	s.clock.grid(grid, keep)
	for _, n := range named {
		keep(s.clock.show(n.from))
	}
	if len(named) > 0 {
		slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(a.at, b.at) })
		found = slices.CompactFunc(found, func(a, b candidate) bool { return a.at == b.at })
	}
	s.markUnknown(found)
	return found
}

func (s *search) excludesDay(n int) bool {
	if len(s.Template.ExcludedDates) == 0 {
		return false
	}
	d := interval.DateNumber(n)
	return slices.ContainsFunc(s.Template.ExcludedDates, func(r interval.DateRange) bool { return r.Contains(d) })
}

// markUnknown marks the candidates at which a calendar could not be read.
func (s *search) markUnknown(found []candidate) {
	for _, a := range s.Attendees {
		for _, span := range a.Availability.Unknown {
			out := blocked(span, s.lengths.before, s.lengths.event+s.lengths.after)
			i, _ := slices.BinarySearchFunc(found, out.from, func(c candidate, at int64) int { return cmp.Compare(c.at, at) })
			for ; i < len(found) && found[i].at < out.to; i++ {
				found[i].unknown = true
			}
		}
	}
}

func (s *search) slots(found []candidate) []meet.Slot {
	slots := make([]meet.Slot, len(found))
	for i, c := range found {
		slots[i] = s.slot(c)
	}
	return slots
}

// slot is the candidate with each attendee's conflict or unknown calendar.
func (s *search) slot(c candidate) meet.Slot {
	start := time.Unix(c.at, 0).In(s.Zone)
	event := interval.From(start, time.Duration(s.lengths.event)*time.Second)
	block := event.Widen(time.Duration(s.lengths.before)*time.Second, time.Duration(s.lengths.after)*time.Second)
	slot := meet.Slot{Start: event.Start, End: event.End, State: meet.SlotFree}
	if c.suits && !c.unknown {
		return slot
	}
	if c.at < s.earliest {
		slot.Conflicts = append(slot.Conflicts, s.tooSoon(c.at))
	}
	late := s.reach(c.at).Late
	for i, a := range s.Attendees {
		kind, open := taken(a.Availability, event, block)
		if open {
			slot.Unknown = append(slot.Unknown, name(a.Person))
		}
		if kind == "" && slices.Contains(late, i) {
			kind = meet.ConflictTravel
		}
		if kind == "" && s.working[i] != nil && !s.working[i].contain(c.at) {
			kind = meet.ConflictWorkingHours
		}
		if kind == "" && s.Template.Remote() && s.sleeps(i, c.at) {
			kind = meet.ConflictUsualHours
		}
		if kind != "" {
			slot.Conflicts = append(slot.Conflicts, s.conflict(i, kind))
		}
	}
	switch {
	case len(slot.Conflicts) > 0:
		slot.State = meet.SlotConflict
	case len(slot.Unknown) > 0:
		slot.State = meet.SlotUnknown
	}
	return slot
}

// taken is the kind of conflict that a calendar has with an event in its block, and whether its unread parts may hold
// another.
func taken(a interval.Availability, event, block interval.Span) (kind meet.ConflictKind, open bool) {
	switch {
	case a.Busy.Overlaps(event):
		return meet.ConflictBusy, false
	case a.Busy.Overlaps(block):
		kind = meet.ConflictTravel
	}
	return kind, a.Unknown.Overlaps(block)
}

// conflict says that a time does not suit the i-th attendee, without their other plans. Its text is English;
// pkg/message translates it.
func (s *search) conflict(i int, kind meet.ConflictKind) meet.Conflict {
	p := s.Attendees[i].Person
	who, verb, has, whose := s.called(i), "s", "has", s.called(i)+"'s"
	if i == 0 {
		who, verb, has, whose = "you", "", "have", "your"
	}
	c := meet.Conflict{Person: p.ID, Name: name(p), Kind: kind}
	switch kind {
	case meet.ConflictTravel:
		c.Text = fmt.Sprintf("%s need%s that time for travel", who, verb)
	case meet.ConflictWorkingHours:
		c.Text = fmt.Sprintf("outside %s working hours", whose)
	case meet.ConflictUsualHours:
		c.Text = fmt.Sprintf("outside %s usual hours", whose)
	default:
		c.Text = who + " " + has + " another event"
	}
	return c
}

// called is the first name of the i-th attendee, or the full one if another attendee has the same first name.
func (s *search) called(i int) string {
	whole := name(s.Attendees[i].Person)
	first, _, _ := strings.Cut(whole, " ")
	for j, other := range s.Attendees {
		if j != i && other.Person.Called(first) {
			return whole
		}
	}
	return first
}

// tooSoon is the conflict of a start that leaves too little time from now.
func (s *search) tooSoon(at int64) meet.Conflict {
	c := meet.Conflict{Kind: meet.ConflictNotice, Text: "there is too little notice"}
	if at >= ceil(s.Now.Add(max(0, s.Notice))) {
		c.Text = "there is too little time to get there"
	}
	if len(s.Attendees) > 0 {
		c.Person, c.Name = s.Attendees[0].Person.ID, name(s.Attendees[0].Person)
	}
	return c
}

func name(p meet.Person) string { return cmp.Or(p.Name, "someone") }
