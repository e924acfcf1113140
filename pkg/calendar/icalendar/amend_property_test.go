package icalendar_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// toldOnce is an occurrence as the oracle sees it.
type toldOnce struct {
	Title      string
	Start, End time.Time
}

// instance is an occurrence with what was decided for it alone.
type instance struct {
	toldOnce
	id                 time.Time
	ownTime, ownTitled bool
}

// randomSeries is a random series, and the object that says it.
type randomSeries struct {
	zone   *time.Location
	allDay bool
	object string
	list   []instance
}

var rules = []string{
	"FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,SU",
	"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU", "FREQ=MONTHLY",
	"FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYMONTHDAY=7,14", "FREQ=WEEKLY;BYHOUR=10,14",
}

// horizon bounds what is compared: endless series go on.
func horizon(zone *time.Location) interval.Span {
	return interval.Span{Start: time.Date(2025, 12, 1, 0, 0, 0, 0, zone), End: time.Date(2026, 12, 1, 0, 0, 0, 0, zone)}
}

// makeSeries is a series with some occurrences called off, and some with a time or a title of their own.
func makeSeries(t *testing.T, rng *rand.Rand) randomSeries {
	t.Helper()
	zones := []string{"Europe/Berlin", "America/New_York", "UTC"}
	zone, err := time.LoadLocation(zones[rng.IntN(len(zones))])
	if err != nil {
		t.Fatal(err)
	}
	c := randomSeries{zone: zone, allDay: rng.IntN(5) == 0}
	rule := rules[rng.IntN(len(rules))]
	start := time.Date(2026, time.Month(1+rng.IntN(4)), 1+rng.IntN(20), 10, 0, 0, 0, zone)
	if c.allDay {
		start = start.Add(-10 * time.Hour)
		rule = strings.ReplaceAll(rule, ";BYHOUR=10,14", "")
	}
	switch rng.IntN(3) {
	case 0:
		rule += fmt.Sprintf(";COUNT=%d", 2+rng.IntN(20))
	case 1:
		until := start.AddDate(0, 0, 10+rng.IntN(100))
		rule += ";UNTIL=" + until.UTC().Format("20060102T150405Z")
		if c.allDay {
			rule = rule[:len(rule)-len("T150405Z")]
		}
	}
	end := start.Add(90 * time.Minute)
	if c.allDay {
		end = start.AddDate(0, 0, 1+rng.IntN(2))
	}
	master := []string{
		"BEGIN:VEVENT", "UID:s", "SEQUENCE:3", "SUMMARY:Series", c.at("DTSTART", start), c.at("DTEND", end), "RRULE:" + rule,
		"X-KEEP;X-P=\"a;b\":1",
	}
	c.object = calendarOf(append(master, "END:VEVENT"))
	var overrides []string
	for _, o := range c.occurrences(t, c.object) {
		is := instance{toldOnce: toldOnce{o.Title, o.Span.Start, o.Span.End}, id: o.RecurrenceID}
		switch rng.IntN(8) {
		case 0:
			master = append(master, c.at("EXDATE", is.id))
			continue
		case 1:
			is.ownTime, is.Start, is.End = true, c.onClock(is.Start, 1, 0), c.onClock(is.End, 1, 0)
			if !c.allDay {
				is.End = is.End.Add(time.Hour)
			}
		case 2:
			is.ownTitled, is.Title = true, "Special"
		}
		if is.ownTime || is.ownTitled {
			overrides = append(overrides, "BEGIN:VEVENT", "UID:s", "SEQUENCE:3", "SUMMARY:"+is.Title, "X-KEEP;X-P=\"a;b\":1",
				c.at("RECURRENCE-ID", is.id), c.at("DTSTART", is.Start), c.at("DTEND", is.End), "END:VEVENT")
		}
		c.list = append(c.list, is)
	}
	c.object = calendarOf(append(append(master, "END:VEVENT"), overrides...))
	return c
}

func (c randomSeries) at(name string, t time.Time) string {
	switch {
	case c.allDay:
		return name + ";VALUE=DATE:" + t.In(c.zone).Format("20060102")
	case c.zone == time.UTC:
		return name + ":" + t.UTC().Format("20060102T150405Z")
	default:
		return name + ";TZID=" + c.zone.String() + ":" + t.In(c.zone).Format("20060102T150405")
	}
}

func calendarOf(lines []string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VCALENDAR\r\n"
}

func (c randomSeries) owner() icalendar.Owner {
	return icalendar.Owner{Zone: c.zone, Email: "me@example.com"}
}

// occurrences are those of the objects until the horizon.
func (c randomSeries) occurrences(t *testing.T, objects ...string) []meet.Occurrence {
	t.Helper()
	var all []meet.Occurrence
	for _, object := range objects {
		if object == "" {
			continue
		}
		schedule, err := icalendar.Parse([]byte(object))
		if err != nil || len(schedule.Problems) > 0 {
			t.Fatalf("%v %v in\n%s", err, schedule.Problems, object)
		}
		list, unknown, err := schedule.Occurrences(t.Context(), horizon(c.zone), c.owner())
		if err != nil || len(unknown) > 0 {
			t.Fatalf("%v, unknown %v in\n%s", err, unknown, object)
		}
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b meet.Occurrence) int { return a.RecurrenceID.Compare(b.RecurrenceID) })
	return all
}

// compared are occurrences well before the horizon, in order.
func (c randomSeries) compared(list []toldOnce) []toldOnce {
	edge := horizon(c.zone).End.AddDate(0, 0, -20)
	kept := []toldOnce{}
	for _, s := range list {
		if s.Start.Before(edge) {
			kept = append(kept, toldOnce{s.Title, s.Start.UTC(), s.End.UTC()})
		}
	}
	slices.SortFunc(kept, func(a, b toldOnce) int {
		return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), cmp.Compare(a.Title, b.Title))
	})
	return kept
}

func (c randomSeries) shows(t *testing.T, objects ...string) []toldOnce {
	t.Helper()
	var list []toldOnce
	for _, o := range c.occurrences(t, objects...) {
		list = append(list, toldOnce{o.Title, o.Span.Start, o.Span.End})
	}
	return c.compared(list)
}

// onClock is t moved by days and by time on the clock of the zone.
func (c randomSeries) onClock(t time.Time, days int, by time.Duration) time.Time {
	t = t.In(c.zone)
	return time.Date(t.Year(), t.Month(), t.Day()+days, t.Hour(), t.Minute()+int(by/time.Minute), 0, 0, c.zone)
}

// plan is what a change does: an empty title deletes.
type plan struct {
	title string
	// moved says that a time is set: so many days, and so long on the clock, later than before.
	moved      bool
	days       int
	by, longer time.Duration
}

// randomPlan is a plan for an occurrence of the series, and its fields.
func (c randomSeries) randomPlan(rng *rand.Rand, named instance) (p plan, set agenda.Fields) {
	if rng.IntN(3) == 0 {
		return p, set
	}
	p.title = "New"
	set.Title = &p.title
	if p.moved = rng.IntN(2) == 0; !p.moved {
		return p, set
	}
	p.days = rng.IntN(5) - 2
	if !c.allDay {
		p.by = time.Duration(rng.IntN(9)-4) * 30 * time.Minute
		p.longer = time.Duration(rng.IntN(3)) * 15 * time.Minute
	}
	set.Span = &interval.Span{
		Start: c.onClock(named.Start, p.days, p.by), End: c.onClock(named.End, p.days, p.by+p.longer),
	}
	return p, set
}

// want is what must stand after the amendment of the named occurrence: one by one, without a rule.
func (c randomSeries) want(named instance, scope meet.Scope, p plan) []toldOnce {
	var list []toldOnce
	for _, is := range c.list {
		self := is.id.Equal(named.id)
		if self && p.title == "" || p.title == "" && concerned(scope, is, named) {
			continue
		}
		if concerned(scope, is, named) || self {
			if !is.ownTitled || self {
				is.Title = p.title
			}
			switch {
			case self:
				is.End = c.onClock(named.End, p.days, p.by+p.longer)
				is.Start = c.onClock(named.Start, p.days, p.by)
			case !is.ownTime && p.moved:
				is.Start = c.onClock(is.Start, p.days, p.by)
				// All get the length of the one that was named.
				is.End = c.onClock(is.Start, 0, 0).Add(named.End.Sub(named.Start) + p.longer)
				if c.allDay {
					lasts := int(named.End.Sub(named.Start).Hours()+12) / 24
					is.End = c.onClock(is.Start, lasts, 0)
				}
			}
		}
		list = append(list, is.toldOnce)
	}
	return c.compared(list)
}

func concerned(scope meet.Scope, is, named instance) bool {
	return scope == meet.AllOfThem || scope == meet.Following && !is.id.Before(named.id)
}

// A change of a random occurrence of a random series leaves what an oracle says that looks at each occurrence by
// itself, and its undo leaves what was before.
func TestAmendedSeriesAreWhatEachOccurrenceSays(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 14))
	var made, refused int
	for range 1000 {
		c := makeSeries(t, rng)
		if len(c.list) == 0 {
			continue
		}
		if diff := gocmp.Diff(c.compared(toldOf(c.list)), c.shows(t, c.object)); diff != "" {
			t.Fatalf("the series itself (-want +got):\n%s\n%s", diff, c.object)
		}
		named := c.list[rng.IntN(len(c.list))]
		scope := []meet.Scope{meet.ThisOne, meet.Following, meet.AllOfThem}[rng.IntN(3)]
		occurrences := c.occurrences(t, c.object)
		i := slices.IndexFunc(occurrences, func(o meet.Occurrence) bool { return o.RecurrenceID.Equal(named.id) })
		if i < 0 {
			continue // it was moved over the horizon
		}
		a := agenda.Amendment{Key: "k", Kind: agenda.Delete, Event: occurrences[i], Scope: scope}
		p, set := c.randomPlan(rng, named)
		if a.Set = set; p.title != "" {
			a.Kind = agenda.Update
		}
		ed := icalendar.Editor{Owner: c.owner(), Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		r, err := ed.Amend([]byte(c.object), a)
		if errors.Is(err, icalendar.ErrInexpressible) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("Amend: %v\n%+v\n%s", err, a, c.object)
		}
		made++
		story := fmt.Sprintf("%s %s of %v: %+v\n%s\n->\n%s\n%s", a.Kind, scope, named.id, p, c.object, r.Object, r.Split)
		if diff := gocmp.Diff(c.want(named, scope, p), c.shows(t, string(r.Object), string(r.Split))); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, story)
		}
		c.comesBack(t, ed, a, r, story)
	}
	if refused > made/4 {
		t.Errorf("%d changes were made, and %d refused", made, refused)
	}
}

// comesBack takes the change back.
func (c randomSeries) comesBack(
	t *testing.T, ed icalendar.Editor, a agenda.Amendment, r icalendar.Revision, story string,
) {
	t.Helper()
	undo := agenda.Amendment{Key: "u", Kind: agenda.Restore, Event: r.Event, Former: r.Former}
	if a.Kind == agenda.Delete {
		undo.Event = a.Event
	} else if r.Event.Title != "New" {
		t.Fatalf("the event after the change: %+v\n%s", r.Event, story)
	}
	if r.Split != nil && !ed.Unsplit(r.Split, r.Former) {
		t.Fatalf("the series that was split off is not as it was left\n%s", story)
	}
	back, err := ed.Amend(r.Object, undo)
	if err != nil {
		t.Fatalf("undo: %v\n%s", err, story)
	}
	if diff := gocmp.Diff(c.compared(toldOf(c.list)), c.shows(t, string(back.Object))); diff != "" {
		t.Fatalf("after the undo (-want +got):\n%s\n%s", diff, story)
	}
	if again, err := ed.Amend(r.Object, a); a.Kind == agenda.Update && (err != nil || !again.Done) {
		t.Fatalf("the same change again: %+v, %v\n%s", again, err, story)
	}
}

func toldOf(list []instance) []toldOnce {
	var all []toldOnce
	for _, is := range list {
		all = append(all, is.toldOnce)
	}
	return all
}
