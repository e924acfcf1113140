package demo_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/calendar/local"
	"convene/pkg/calendar/local/localtest"
	"convene/pkg/demo"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/list"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/people"
)

func everybody(t *testing.T) []meet.Person {
	t.Helper()
	all, err := demo.People()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// world is the demo's calendars at that moment, as the service would read them.
func world(t *testing.T, now time.Time) (*local.Calendar, *calendar.Directory) {
	t.Helper()
	files, err := demo.Calendars(now)
	if err != nil {
		t.Fatal(err)
	}
	c := local.New(&localtest.Memory{}, files)
	return c, &calendar.Directory{Sources: []calendar.Provider{c}}
}

func losAngeles(t *testing.T) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func TestPeople(t *testing.T) {
	t.Parallel()
	all := everybody(t)
	if all[0].ID != "me" {
		t.Errorf("first: got %q, want me", all[0].ID)
	}
	downtown := geo.Point{Latitude: 37.7749, Longitude: -122.4194}
	zones, near := map[string]bool{}, 0
	for _, p := range all {
		zones[p.Timezone] = true
		if p.Location != nil && geo.Distance(p.Location.Point, downtown) < 10 {
			near++
		}
		if !strings.HasSuffix(p.Email, "@example.com") && !strings.HasSuffix(p.Email, "@example.org") {
			t.Errorf("%s: %q may be somebody's real address", p.ID, p.Email)
		}
	}
	if len(all) < 11 || near*2 < len(all) || len(zones) < 4 {
		t.Errorf("%d people, %d of them in San Francisco, in %d zones", len(all), near, len(zones))
	}
	for name, want := range map[string]int{"Al": 1, "Sam": 2, "Sam Rivera": 1, "Ines": 1, "Zoltan": 0} {
		if got := people.Of(all).Find(name); len(got) != want {
			t.Errorf("%d people are %q, want %d", len(got), name, want)
		}
	}
}

func TestWhoCanBeRead(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.May, 6, 12, 0, 0, 0, time.UTC)
	c, d := world(t, now)
	all := everybody(t)
	readings, err := d.Busy(t.Context(), meet.BusyQuery{People: all, Span: interval.From(now, 14*24*time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	unknown := map[meet.PersonID]string{}
	for id, r := range readings {
		if r.Status.State != meet.Checked {
			unknown[id] = r.Status.Reason
		} else if len(r.Availability.Busy) == 0 {
			t.Errorf("%s has nothing to do for two weeks", id)
		}
	}
	want := map[meet.PersonID]string{
		"theo": "no calendar is connected", "ines": "the calendar file is damaged; export it again",
	}
	if diff := cmp.Diff(want, unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	if problems := c.Problems(); len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), "ines.ics: line ") {
		t.Errorf("problems: got %v, want the one of ines.ics", problems)
	}
}

// TestEveryWeekHasTimeForCoffeeAndConflicts asks in every week of a year, changes of the clocks included.
func TestEveryWeekHasTimeForCoffeeAndConflicts(t *testing.T) {
	t.Parallel()
	loc := losAngeles(t)
	start := time.Date(2026, time.January, 7, 15, 0, 0, 0, loc)
	for now := start; now.Before(start.AddDate(1, 0, 0)); now = now.AddDate(0, 0, 7) {
		_, d := world(t, now)
		monday := interval.DateOf(now).AddDays(5)
		span := interval.Span{Start: monday.Start(loc), End: monday.AddDays(7).Start(loc)}
		readings, err := d.Busy(t.Context(), meet.BusyQuery{People: everybody(t), Span: span})
		if err != nil {
			t.Fatal(err)
		}
		me, al := readings["me"].Availability, readings["al"].Availability
		free := 0
		for day := range 5 {
			for hour := 9; hour < 17; hour++ {
				coffee := interval.Window{Start: interval.At(hour, 0), End: interval.At(hour+1, 0)}.On(monday.AddDays(day), loc)
				// Half an hour of travel on both sides has to be free too.
				if me.Merge(al).State(coffee.Widen(30*time.Minute, 30*time.Minute)) == interval.Free {
					free++
				}
			}
		}
		if free < 3 {
			t.Errorf("week of %v: %d common hours for coffee, want at least 3", monday, free)
		}
		tuesday := interval.Window{Start: interval.At(10, 0), End: interval.At(11, 0)}.On(monday.AddDays(1), loc)
		if me.State(tuesday) != interval.Busy {
			t.Errorf("week of %v: me is free on Tuesday at 10", monday)
		}
		if al.State(interval.Window{Start: interval.At(9, 0), End: interval.At(12, 0)}.On(monday, loc)) != interval.Busy {
			t.Errorf("week of %v: Al is free on Monday morning", monday)
		}
	}
}

// TestCalendarsStayWithTheWeek compares two moments of one week, and the same clock time in the next.
func TestCalendarsStayWithTheWeek(t *testing.T) {
	t.Parallel()
	loc := losAngeles(t)
	read := func(now time.Time) map[string][]byte {
		files, err := demo.Calendars(now)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	monday := read(time.Date(2026, time.March, 2, 0, 0, 0, 0, loc))
	sunday := read(time.Date(2026, time.March, 8, 23, 59, 0, 0, loc))
	if diff := cmp.Diff(monday, sunday); diff != "" {
		t.Errorf("the week differs (-Monday +Sunday):\n%s", diff)
	}
	if text := string(monday["me.ics"]); !strings.Contains(text, "DTSTART;TZID=America/Los_Angeles:20260303T100000") {
		t.Errorf("planning is not on Tuesday, March 3:\n%s", text)
	}
	if next := read(time.Date(2026, time.March, 9, 0, 0, 0, 0, loc)); cmp.Equal(monday, next) {
		t.Error("the next week has the same dates")
	}
	if text := string(monday["me.ics"]); !strings.Contains(text, "DTSTART:19701101T020000") {
		t.Error("the definition of the time zone was moved")
	}
}

func TestLoadPeopleNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, json, want string }{
		{"not JSON", "people", "not a JSON array"},
		{"not an array", "{}", "not a JSON array"},
		{"unknown field", `[{"id":"a","name":"A","colour":"1"}]`, `entry 1: json: unknown field "colour"`},
		{"no id", `[{"id":"a","name":"A"},{"name":"B"}]`, "entry 2: id"},
		{"id with a slash", `[{"id":"a/b","name":"A"}]`, "entry 1: id"},
		{"id taken", `[{"id":"a","name":"A"},{"id":"a","name":"B"}]`, `entry 2: id: "a" is taken`},
		{"no name", `[{"id":"a","name":" "}]`, "entry 1: name"},
		{"zone", `[{"id":"a","name":"A","timezone":"Berlin"}]`, "entry 1: timezone"},
		{"email", `[{"id":"a","name":"A","email":"a at example"}]`, "entry 1: email"},
		{"calendar type", `[{"id":"a","name":"A","calendarType":"school"}]`, "entry 1: calendarType"},
		{"location", `[{"id":"a","name":"A","location":{"latitude":100,"longitude":0}}]`, "entry 1: location"},
		{"weekday", `[{"id":"a","name":"A  B ","workingHours":{"monday":[]}}]`, "entry 1: "},
		{"hours", `[{"id":"a","name":"A  B ","workingHours":{"mon":[{"start":"17:00","end":"09:00"}]}}]`,
			"entry 1: workingHours.mon[0]"},
		{"overlapping hours", `[{"id":"a","name":"A  B ` +
			`","workingHours":{"tue":[{"start":"09:00","end":"13:00"},{"start":"12:00","end":"17:00"}]}}]`,
			"entry 1: workingHours.tue[1]"},
		{"a name of two lines", `[{"id":"a","name":"A\nB"}]`, "entry 1: name"},
		{"birthday", `[{"id":"a","name":"A","birthday":"May 3"}]`, "entry 1: birthday"},
		{"phone", `[{"id":"a","name":"A","phone":"call me"}]`, "entry 1: phone"},
		{"emails", `[{"id":"a","name":"A","emails":["nowhere"]}]`, "entry 1: emails"},
		{"link", `[{"id":"a","name":"A","bookingLink":"http://example.com"}]`, "entry 1: bookingLink"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := demo.LoadPeople(strings.NewReader(test.json))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestLoadPeople(t *testing.T) {
	t.Parallel()
	got, err := demo.LoadPeople(strings.NewReader(
		`[{"id":"a","name":"A  B ` +
			`","workingHours":{"mon":[{"start":"09:00","end":"17:00"}]},"bookingLink":"https://example.com/a",` +
			`"phone":"555","birthday":"--05-03"}]`))
	if err != nil {
		t.Fatal(err)
	}
	week := interval.Week{time.Monday: {{Start: interval.At(9, 0), End: interval.At(17, 0)}}}
	want := []meet.Contact{{
		Person: meet.Person{ID: "a", Name: "A B", WorkingHours: &week, BookingLink: "https://example.com/a"},
		Phone:  "555", Birthday: "--05-03",
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	ids := func(p meet.Person) bool { return p.BookingLink != "" }
	if !slices.ContainsFunc(everybody(t), ids) {
		t.Error("nobody in the demo has a booking link")
	}
}

// The backlog is believable on any day: some of it is overdue, most is open, and it moves with the week.
func TestTasks(t *testing.T) {
	t.Parallel()
	zone := losAngeles(t)
	for _, now := range []time.Time{
		time.Date(2026, 11, 23, 8, 0, 0, 0, zone), time.Date(2027, 7, 4, 22, 0, 0, 0, zone),
	} {
		file, err := demo.Tasks(now)
		if err != nil {
			t.Fatal(err)
		}
		tasks, problems, err := icalendar.ReadTasks(file, zone)
		if err != nil || len(problems) > 0 || len(tasks) != 25 {
			t.Fatalf("%d tasks, %v, %v", len(tasks), problems, err)
		}
		var open, overdue, mine int
		for _, one := range tasks {
			if made, err := time.Parse(time.RFC3339, one.Created); err != nil || made.After(now) {
				t.Errorf("%s was created on %s", one.Title, one.Created)
			}
			if one.Open() {
				open++
			}
			if one.Overdue(now) {
				overdue++
			}
			if one.OwnedBy(everybody(t)[0]) {
				mine++
			}
		}
		if open < 20 || overdue < 3 || mine < 15 {
			t.Errorf("%s: %d open, %d overdue, %d of the user's own", now, open, overdue, mine)
		}
	}
}

// There are three lists and forty notes, all written before the week of now.
func TestListsAndNotes(t *testing.T) {
	t.Parallel()
	lists, err := list.Read(demo.Lists())
	if err != nil || len(lists) != 3 {
		t.Errorf("%d lists, %v", len(lists), err)
	}
	now := time.Date(2027, time.March, 10, 12, 0, 0, 0, time.UTC)
	written, err := demo.Notes(now)
	if err != nil {
		t.Fatal(err)
	}
	notes, err := note.Read(written, now)
	if err != nil || len(notes) != 40 {
		t.Fatalf("%d notes, %v", len(notes), err)
	}
	for _, n := range notes {
		if age := now.Sub(n.Created); age < 0 || age > 120*24*time.Hour {
			t.Errorf("%q was written %v ago", n.Text, age)
		}
	}
}
