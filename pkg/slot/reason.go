package slot

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// mostReasons is the maximum number of changes named.
	mostReasons = 4
	// shortest is the length below which an event is not made shorter.
	shortest = 15
)

// Grant applies a reason's change to the query: All then has as many slots as the reason says. Nothing else changes. A
// change that does not apply leaves the query as it is.
//
// Any day means those that Horizon covers for the query; a weekday without hours gets those of the requested days. Any
// time means the usual hours of the activity, if there are such.
func Grant(q Query, r meet.Reason) Query {
	switch t := &q.Template; r.Change {
	case meet.AnyDay:
		q.Template = anyDay(q)
	case meet.AnyTime:
		t.Hours = wholeDays()
	case meet.AnyDayAndTime:
		q.Template = anyDay(q)
		t.Hours = wholeDays()
	case meet.Shorter:
		t.Duration = shorter(t.Duration)
	case meet.NoTravelBuffer:
		t.TravelBuffer = meet.TravelBuffer{}
	case meet.OutsideWorkingHours:
		q.Attendees = slices.Clone(q.Attendees)
		for i := range q.Attendees {
			if keepsWorkingHours(q.Attendees[i].Person, t.Activity, lengthsOf(*t).event) {
				q.Attendees[i].Person.WorkingHours = &wholeDays().Week
			}
		}
	case meet.AllowExcluded:
		t.ExcludedDates, t.ExcludedHours = nil, nil
	case meet.UseKeptTime:
		q.Kept = nil
	case meet.WithoutPerson:
		q = without(q, r)
	}
	return q
}

// without leaves out the attendee whom the reason names, who is never the organizer.
func without(q Query, r meet.Reason) Query {
	for i, a := range q.Attendees {
		if i > 0 && a.Person.ID == r.Person && name(a.Person) == r.Name {
			q.Attendees, q.absent = slices.Concat(q.Attendees[:i], q.Attendees[i+1:]), Absent{i}
			return q
		}
	}
	return q
}

// anyDay is the template with all days around the requested ones.
func anyDay(q Query) meet.Template {
	zone := q.Zone
	if zone == nil {
		zone = time.UTC
	}
	t, today := q.Template, interval.DateOf(q.Now.In(zone)).Number()
	days := requestedDays(t, today)
	t.Dates = aroundDates(days, today)
	if t.Hours == nil {
		return t
	}
	hours := *t.Hours
	named := namedWindows(t, days)
	for weekday, windows := range hours.Week {
		if len(windows) == 0 {
			hours.Week[weekday] = named
		}
	}
	t.Hours = &hours
	return t
}

// aroundDates are the days searched for a request of these days.
func aroundDates(days []int, today int) []interval.DateRange {
	first, last := around(days, today)
	return []interval.DateRange{{Start: interval.DateNumber(first), End: interval.DateNumber(last)}}
}

// wholeDays are hours that bound nothing.
func wholeDays() *meet.Hours {
	return &meet.Hours{Week: interval.EveryDay(interval.Window{Start: 0, End: interval.EndOfDay})}
}

// shorter is the length to propose instead of one in minutes: half of it in quarters of an hour, but at least half an
// hour for anything longer than that.
func shorter(minutes int) int {
	if minutes <= 0 {
		minutes = int(usualLength / minute)
	}
	half := (minutes/2 + shortest - 1) / shortest * shortest
	if minutes > 2*shortest {
		half = max(half, 2*shortest)
	}
	return min(half, minutes)
}

// reasons are the single changes that would help, the most helpful first. Giving up both the day and the time is one
// only if no other helps.
func (s *search) reasons() []meet.Reason {
	var helpful []meet.Reason
	for _, r := range s.changes() {
		if s.helps(&r) {
			helpful = append(helpful, r)
		}
	}
	if r := (meet.Reason{Change: meet.AnyDayAndTime}); len(helpful) == 0 && s.helps(&r) {
		helpful = append(helpful, r)
	}
	// Leaving a person out is the last resort.
	slices.SortStableFunc(helpful, func(a, b meet.Reason) int {
		return cmp.Or(
			cmp.Compare(bit(a.Change == meet.WithoutPerson), bit(b.Change == meet.WithoutPerson)),
			cmp.Compare(b.Times, a.Times),
		)
	})
	return first(helpful, mostReasons)
}

// inTheWay are the attendees whom no requested start suits although nobody else takes part.
func (s *search) inTheWay() (list []meet.Conflict) {
	for _, a := range s.Attendees {
		q := s.Query
		q.Attendees, q.Reach = []Attendee{a}, nil
		alone := s.also(q)
		if w := alone.request(); len(alone.suitable(w)) == 0 && len(alone.candidates(w.grid, w.named)) > 0 {
			list = append(list, meet.Conflict{Person: a.Person.ID, Name: name(a.Person), Kind: alone.why(w)})
		}
	}
	return list
}

// why is the one kind of conflict that the only attendee has with all requested starts; empty if there are several.
func (s *search) why(w request) meet.ConflictKind {
	leaves := func(part func(starts) starts) bool { return len(s.candidates(part(w.grid), part(w.named))) > 0 }
	switch {
	case s.working[0] != nil && !leaves(func(set starts) starts { return set.and(s.working[0]) }):
		return meet.ConflictWorkingHours
	case s.waking[0] != nil && s.Template.Remote() && !leaves(func(set starts) starts { return set.and(s.waking[0]) }):
		return meet.ConflictUsualHours
	case !leaves(func(set starts) starts { return set.free(s.Attendees[0].Availability.Busy, 0, s.lengths.event) }):
		return meet.ConflictBusy
	}
	return ""
}

// helps counts the times that a change would give, and completes the reason.
func (s *search) helps(r *meet.Reason) bool {
	granted := s.also(Grant(s.Query, *r))
	r.Times = len(granted.suitable(granted.request()))
	r.Text = s.text(*r)
	return r.Times > 0
}

// changes are those that the request allows: only what it has can be given up, and of two people neither can be left
// out.
func (s *search) changes() []meet.Reason {
	t := s.Template
	list := []meet.Reason{{Change: meet.AnyDay}, {Change: meet.AnyTime}}
	if minutes := int(s.lengths.event / minute); shorter(minutes) < minutes {
		list = append(list, meet.Reason{Change: meet.Shorter})
	}
	if s.lengths.before+s.lengths.after > 0 {
		list = append(list, meet.Reason{Change: meet.NoTravelBuffer})
	}
	if slices.ContainsFunc(s.working, func(w starts) bool { return w != nil }) {
		list = append(list, meet.Reason{Change: meet.OutsideWorkingHours})
	}
	if len(t.ExcludedDates) > 0 || t.ExcludedHours != nil {
		list = append(list, meet.Reason{Change: meet.AllowExcluded})
	}
	if len(s.Kept) > 0 {
		list = append(list, meet.Reason{Change: meet.UseKeptTime})
	}
	if len(s.Attendees) > 2 {
		for _, a := range s.Attendees[1:] {
			r := meet.Reason{Change: meet.WithoutPerson, Person: a.Person.ID, Name: name(a.Person)}
			if !slices.Contains(list, r) {
				list = append(list, r)
			}
		}
	}
	return list
}

// text is the reason in English: "any day instead of Tuesday gives 6 times". pkg/message translates it.
func (s *search) text(r meet.Reason) string {
	return fmt.Sprintf("%s gives %d %s", s.instead(r), r.Times, plural(r.Times, "time"))
}

// instead describes the change: "any day instead of Tuesday".
func (s *search) instead(r meet.Reason) string {
	switch r.Change {
	case meet.AnyDay:
		return s.insteadOfDays()
	case meet.AnyTime:
		return "any time of day instead of " + s.hoursInWords()
	case meet.AnyDayAndTime:
		return "any day at any time"
	case meet.Shorter:
		minutes := int(s.lengths.event / minute)
		return fmt.Sprintf("%d %s instead of %d", shorter(minutes), plural(shorter(minutes), "minute"), minutes)
	case meet.NoTravelBuffer:
		return "leaving no time for travel"
	case meet.OutsideWorkingHours:
		return "meeting outside working hours"
	case meet.AllowExcluded:
		return "allowing what you ruled out"
	case meet.UseKeptTime:
		return "using time that you keep free"
	case meet.WithoutPerson:
		return "meeting without " + r.Name
	default:
		return string(r.Change)
	}
}

func (s *search) insteadOfDays() string {
	dates := s.Template.Dates
	switch {
	case len(dates) == 0:
		return fmt.Sprintf("looking %d weeks ahead", (soon+nearby)/7)
	case len(dates) == 1 && dates[0].Start == dates[0].End:
		return "any day instead of " + s.dayInWords(dates[0].Start)
	case len(dates) == 1:
		return "any day instead of " + s.rangeInWords(dates[0])
	default:
		return "any day instead of the days you named"
	}
}

// dayInWords is a weekday in the coming week, and a weekday with its date otherwise.
func (s *search) dayInWords(d interval.Date) string {
	if away := d.Number() - s.today; away >= 0 && away < 7 {
		return d.Weekday().String()
	}
	return fmt.Sprintf("%s, %s %d", d.Weekday(), d.Month, d.Day)
}

// rangeInWords is the name of a week or weekend, as "next week", "Monday to Wednesday" in the coming week, and dates
// otherwise: "November 23 to 29". Weeks begin on Monday.
func (s *search) rangeInWords(r interval.DateRange) string {
	monday := s.today - (int(interval.WeekdayOf(s.today))+6)%7
	first, last := max(r.Start.Number(), s.today), r.End.Number()
	switch {
	case last == monday+6 && first == max(monday+5, s.today):
		return "this weekend"
	case last == monday+6 && first == s.today:
		return "this week"
	case last == monday+13 && first == monday+7:
		return "next week"
	case last-s.today < 7:
		return s.dayInWords(interval.DateNumber(first)) + " to " + s.dayInWords(r.End)
	}
	start := interval.DateNumber(first)
	if start.Month == r.End.Month && start.Year == r.End.Year {
		return fmt.Sprintf("%s %d to %d", start.Month, start.Day, r.End.Day)
	}
	return fmt.Sprintf("%s %d to %s %d", start.Month, start.Day, r.End.Month, r.End.Day)
}

func (s *search) hoursInWords() string {
	named := namedWindows(s.Template, s.days)
	switch {
	case s.Template.Hours == nil:
		return "the usual hours"
	case len(named) == 1 && named[0].Exact():
		return timeInWords(named[0].Start)
	case len(named) == 1:
		return timeInWords(named[0].Start) + " to " + timeInWords(named[0].End)
	default:
		return "the hours you named"
	}
}

// timeInWords is "3:00 PM".
func timeInWords(c interval.Clock) string {
	return time.Unix(int64(c)*minute, 0).UTC().Format("3:04 PM")
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
