package slot_test

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"

	"github.com/google/go-cmp/cmp"
)

// zoneNames lists every zone of the database that Go embeds: the entries of lib/time/zoneinfo.zip.
//
//go:embed testdata/zones.txt
var zoneNames string

// TestMain asks the time zone database of the Go release, which is the one that time/tzdata embeds, rather than that of
// the machine: so the tests see the same transitions everywhere.
func TestMain(m *testing.M) {
	if root, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
		os.Setenv("ZONEINFO", filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	}
	m.Run()
}

// transition is a change of the clocks.
type transition struct {
	zone          *time.Location
	at            time.Time
	before, after int
}

// rule is what makes two transitions alike: the same clocks going from the same time to the same time on the same
// day of the week. Zones that share all of it differ in nothing that slots could depend on.
func (t transition) rule() string {
	return fmt.Sprint(t.before, t.after, t.at.UTC().Weekday(), t.at.UTC().Hour(), t.at.UTC().Minute())
}

// everyTransition is all changes of all zones' clocks from 2020 to 2035.
func everyTransition(t *testing.T) (zones []*time.Location, all []transition) {
	t.Helper()
	end := time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)
	for name := range strings.Lines(zoneNames) {
		zone, err := time.LoadLocation(strings.TrimSpace(name))
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
		for at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).In(zone); ; {
			_, next := at.ZoneBounds()
			if !next.IsZero() && !next.After(at) {
				next = at.Add(time.Hour) // the last day of a leap year
			}
			if next.IsZero() || next.After(end) {
				break
			}
			_, before := next.Add(-time.Second).Zone()
			_, after := next.Zone()
			if before != after {
				all = append(all, transition{zone, next, before, after})
			}
			at = next
		}
	}
	return zones, all
}

// firstOfEach keeps the first transition of each kind.
func firstOfEach(all []transition, kind func(transition) string) (kept []transition) {
	seen := map[string]bool{}
	for _, t := range all {
		if k := kind(t); !seen[k] {
			seen[k] = true
			kept = append(kept, t)
		}
	}
	return kept
}

// TestEveryTransition asks for all of the hours around every change of the clocks that any zone has made or will make
// between 2020 and 2035, and expects each quarter of an hour that the clock there shows, once.
func TestEveryTransition(t *testing.T) {
	t.Parallel()
	_, all := everyTransition(t)
	changes := firstOfEach(all, func(c transition) string { return fmt.Sprint(c.at.Unix(), c.before, c.after) })
	if len(changes) < 500 {
		t.Fatalf("found %d different transitions, which cannot be all", len(changes))
	}
	t.Logf("%d transitions, %d of them different", len(all), len(changes))
	for i, c := range changes {
		if testing.Short() && i%10 != 0 {
			continue
		}
		noon := c.at.In(c.zone).Add(-24 * time.Hour)
		day := interval.DateOf(noon)
		q := slot.Query{
			Zone: c.zone, Now: day.AddDays(-2).Start(c.zone),
			Template: meet.Template{
				Activity: meet.Custom, Duration: 15, Hours: wholeDay(),
				Dates: []interval.DateRange{{Start: day, End: day.AddDays(2)}},
			},
		}
		var got, want []string
		for _, s := range slot.All(q) {
			got = append(got, s.Start.Format("2006-01-02 15:04"))
		}
		seen := map[string]bool{}
		for at := day.Start(c.zone).UTC().Add(-3 * time.Hour).In(c.zone); !day.AddDays(2).
			Before(interval.DateOf(at)); at = at.Add(15 * time.Minute) {
			shown := at.Format("2006-01-02 15:04")
			if !interval.DateOf(at).Before(day) && !seen[shown] {
				want = append(want, shown)
			}
			seen[shown] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s at %s (-want +got):\n%s", c.zone, c.at, diff)
		}
	}
}

// wholeDay is every hour of every day, in windows of three, which no activity narrows.
func wholeDay() *meet.Hours {
	var windows []interval.Window
	for h := 0; h < 24; h += 3 {
		windows = append(windows, interval.Window{Start: interval.At(h, 0), End: interval.At(h+3, 0)})
	}
	return &meet.Hours{Week: interval.EveryDay(windows...)}
}

// TestAllAgainstOracle makes wishes at random around each kind of transition there is, and compares All with the
// oracle: no slot that does not exist, none twice, none outside the request, none over a busy time, none missing.
func TestAllAgainstOracle(t *testing.T) {
	t.Parallel()
	zones, all := everyTransition(t)
	rules := firstOfEach(all, transition.rule)
	seed := rand.Uint64()
	t.Logf("seed %d, %d kinds of transition", seed, len(rules))
	slots := 0
	for i := range 4 * len(rules) {
		if testing.Short() && i%10 != 0 {
			continue
		}
		c := rules[i%len(rules)]
		q := around(c, zones, rand.New(rand.NewPCG(seed, uint64(i))))
		got, want := slot.All(q), newOracle(q).answer()
		if diff := cmp.Diff(want, got, cmpTimes()); diff != "" {
			t.Fatalf("seed %d, case %d, %s at %s (-want +got):\n%s\n%s", seed, i, c.zone, c.at, diff, describe(q))
		}
		slots += len(got)
	}
	if slots < 2*len(rules)/10 {
		t.Errorf("only %d slots in %d cases: the wishes are too narrow to prove anything", slots, 4*len(rules))
	}
}

func cmpTimes() cmp.Option {
	return cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })
}

func describe(q slot.Query) string {
	var b strings.Builder
	fmt.Fprintf(&b, "now %s notice %s zone %s preference %q %s\n", q.Now, q.Notice, q.Zone, q.Preference, q.Previous)
	fmt.Fprintf(&b, "template %+v\nhours %+v\nexcluded hours %+v\n", q.Template, q.Template.Hours,
		q.Template.ExcludedHours)
	for _, a := range q.Attendees {
		fmt.Fprintf(&b, "%+v hours %+v\n", a.Person, a.Person.WorkingHours)
	}
	return b.String()
}

// around is a request at random for the days around a transition.
func around(c transition, zones []*time.Location, r *rand.Rand) slot.Query {
	activities := []meet.Activity{
		meet.Coffee, meet.Breakfast, meet.Brunch, meet.Lunch, meet.Dinner, meet.Drinks, meet.Meeting, meet.Call, meet.Custom,
	}
	day := interval.DateOf(c.at.In(c.zone))
	q := slot.Query{
		Zone: c.zone,
		Now:  c.at.Add(-time.Duration(r.IntN(60*60*60)) * time.Second),
		Template: meet.Template{
			Activity:  pick(r, activities),
			EventType: pick(r, []meet.EventType{meet.InPerson, meet.Video, meet.Phone}),
			Duration:  pick(r, []int{15, 25, 30, 45, 50, 60, 60, 90, 120, 180}),
			TravelBuffer: meet.TravelBuffer{
				BeforeMinutes: pick(r, []int{0, 0, 10, 30}), AfterMinutes: pick(r, []int{0, 0, 15, 45}),
			},
		},
		Notice: pick(r, []time.Duration{0, 0, time.Hour, 90 * time.Minute}),
	}
	if r.IntN(12) > 0 {
		for range 1 + r.IntN(2) {
			start := day.AddDays(r.IntN(4) - 2)
			q.Template.Dates = append(q.Template.Dates, interval.DateRange{Start: start, End: start.AddDays(r.IntN(3))})
		}
	}
	change := int(interval.ClockOf(c.at.In(c.zone)))
	switch n := r.IntN(10); {
	case n < 2:
		at := interval.Clock((change + r.IntN(60)*5) % (24 * 60))
		q.Template.Hours = &meet.Hours{Week: interval.EveryDay(interval.Window{Start: at, End: at})}
	case n < 7:
		q.Template.Hours = hours(r, day, change)
	}
	if r.IntN(4) == 0 {
		q.Template.ExcludedHours = hours(r, day, change)
	}
	if r.IntN(5) == 0 {
		q.Template.ExcludedDates = []interval.DateRange{{Start: day, End: day.AddDays(r.IntN(2))}}
	}
	if r.IntN(6) == 0 {
		q.Preference = pick(r, []meet.TimePreference{meet.Earlier, meet.Later})
		q.Previous = c.at.Add(time.Duration(r.IntN(48*4)-96) * 15 * time.Minute)
	}
	for i := range 1 + r.IntN(3) {
		q.Attendees = append(q.Attendees, attendee(r, i, c, zones))
	}
	if r.IntN(5) == 0 {
		for _, s := range slot.All(q) {
			if r.IntN(3) == 0 {
				q.Offered = append(q.Offered, s.Start)
			}
		}
	}
	return q
}

// hours are windows at random, many of them near the change: wide and narrow, to the minute, and past midnight.
func hours(r *rand.Rand, day interval.Date, change int) *meet.Hours {
	window := func() interval.Window {
		start := r.IntN(24*4) * 15
		if r.IntN(2) == 0 {
			start = (change + r.IntN(17)*15 - 120 + 24*60) % (24 * 60)
		}
		length := pick(r, []int{0, 0, 20, 30, 60, 60, 120, 180, 240, 420, 600})
		if r.IntN(5) == 0 {
			start = (start + r.IntN(15)) % (24 * 60)
		}
		end := start + length
		if end > 24*60 {
			end = pick(r, []int{24 * 60, end - 24*60})
		}
		return interval.Window{Start: interval.Clock(start), End: interval.Clock(end)}
	}
	windows := func() (list []interval.Window) {
		for range r.IntN(3) + r.IntN(2) {
			list = append(list, window())
		}
		return list
	}
	h := &meet.Hours{Week: interval.EveryDay(windows()...)}
	if r.IntN(2) == 0 {
		for weekday := range h.Week {
			h.Week[weekday] = windows()
		}
	}
	if r.IntN(3) == 0 {
		h.On = []meet.DateHours{{Date: day, Windows: windows()}}
	}
	return h
}

func attendee(r *rand.Rand, n int, c transition, zones []*time.Location) slot.Attendee {
	p := meet.Person{Name: fmt.Sprintf("Person %d", n), Timezone: c.zone.String()}
	if r.IntN(2) == 0 {
		p.Timezone = pick(r, zones).String()
	}
	if r.IntN(3) == 0 {
		p.CalendarType = meet.Work
		switch r.IntN(3) {
		case 0:
			p.WorkingHours = &interval.Week{}
			for weekday := range 7 {
				start := r.IntN(24*2) * 30
				end := min(start+pick(r, []int{120, 300, 480}), 24*60)
				p.WorkingHours[weekday] = []interval.Window{{Start: interval.Clock(start), End: interval.Clock(end)}}
			}
		case 1:
			week := interval.EveryDay(
				interval.Window{Start: interval.At(8, 0), End: interval.At(12, 0)},
				interval.Window{Start: interval.At(pick(r, []int{12, 13}), 0), End: interval.At(18, 30)},
				interval.Window{Start: interval.At(22, 0), End: interval.At(3, 30)},
			)
			p.WorkingHours = &week
		}
	}
	spans := func(most int) interval.Set {
		list := make([]interval.Span, r.IntN(most))
		for i := range list {
			start := c.at.Add(time.Duration(r.IntN(6*24*60)-3*24*60) * time.Minute)
			if r.IntN(4) == 0 {
				start = start.Add(time.Duration(r.Int64N(int64(time.Minute))))
			}
			list[i] = interval.From(start, time.Duration(r.IntN(180*60))*time.Second)
		}
		return interval.NewSet(list...)
	}
	return slot.Attendee{Person: p, Availability: interval.Availability{Busy: spans(25), Unknown: spans(3)}}
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }
