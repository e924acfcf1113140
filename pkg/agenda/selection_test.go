package agenda_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// now is Monday, 23 November 2026, noon in Jerusalem.
var now = time.Date(2026, 11, 23, 12, 0, 0, 0, jerusalem())

func jerusalem() *time.Location {
	zone, err := interval.Zone("Asia/Jerusalem")
	if err != nil {
		panic(err)
	}
	return zone
}

// at is an event of an hour: day 0 is today.
func at(day, hour int, title string, change ...func(*meet.Occurrence)) meet.Occurrence {
	start := time.Date(now.Year(), now.Month(), now.Day()+day, hour, 0, 0, 0, now.Location())
	o := meet.Occurrence{
		UID: strings.ReplaceAll(strings.ToLower(title), " ", "-"), Title: title, Span: interval.From(start, time.Hour),
	}
	for _, c := range change {
		c(&o)
	}
	return o
}

func with(names ...string) func(*meet.Occurrence) {
	return func(o *meet.Occurrence) {
		o.Attendees = append(o.Attendees, meet.Attendee{Email: "me@example.com", Self: true, Answer: meet.Accepted})
		for _, n := range names {
			name, email, _ := strings.Cut(n, "|")
			o.Attendees = append(o.Attendees, meet.Attendee{Name: name, Email: email})
		}
	}
}

func lasting(minutes int) func(*meet.Occurrence) {
	return func(o *meet.Occurrence) { o.Span.End = o.Span.Start.Add(time.Duration(minutes) * time.Minute) }
}

func series(o *meet.Occurrence) { o.RecurrenceID, o.Recurrence = o.Span.Start, "FREQ=WEEKLY" }

func uid(id string) func(*meet.Occurrence) { return func(o *meet.Occurrence) { o.UID = id } }

var scene = agenda.Scene{Now: now, People: func(name string) []meet.Person {
	if strings.EqualFold(name, "liz") || name == "u_liz" {
		return []meet.Person{{ID: "u_liz", Name: "Elizabeth Okoye", Email: "liz@example.com"}}
	}
	return nil
}}

func ptr[T any](v T) *T { return &v }

func titles(events []meet.Occurrence) (all []string) {
	for _, o := range events {
		all = append(all, o.Title)
	}
	return all
}

func TestSelectByTitle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		said string
		of   []string
		want []string
	}{
		{
			"in any case and with any accents", "reunión de PRESUPUESTO", []string{"Reunion presupuesto Q4", "Yoga"},
			[]string{"Reunion presupuesto Q4"},
		},
		{
			"words in any order, without small ones", "the review of the budget", []string{"Budget Review", "Budget"},
			[]string{"Budget Review"},
		},
		{
			"one of several is enough of a plural", "classes", []string{"Yoga class", "Dance classes", "Lunch"},
			[]string{"Yoga class", "Dance classes"},
		},
		{"Hebrew prefixes", "לאולטרסאונד", []string{"אולטרסאונד", "ישיבה"}, []string{"אולטרסאונד"}},
		{"the Hebrew article", "פגישת התקציב", []string{"תקציב 2027", "יוגה"}, []string{"תקציב 2027"}},
		{"a slip of the keys", "ultrasuond", []string{"Ultrasound", "Lunch"}, []string{"Ultrasound"}},
		{"no slip if a title fits without", "planing", []string{"Planing", "Planning"}, []string{"Planing"}},
		{"no slip in short words", "gum", []string{"Gym"}, nil},
		{
			"words for one thing only if no title has the word", "dentist", []string{"Dentist", "Dental cleaning"},
			[]string{"Dentist"},
		},
		{
			"words for one thing in another language", "dentista", []string{"Dental cleaning"},
			[]string{"Dental cleaning"},
		},
		{"part of a word is not the word", "art", []string{"Party", "Start"}, nil},
		{"any event, if no title says so", "meetings", []string{"Yoga", "Lunch"}, []string{"Yoga", "Lunch"}},
		{"any event, by its own word first", "meetings", []string{"Team meeting", "Lunch"}, []string{"Team meeting"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var events []meet.Occurrence
			for i, title := range test.of {
				events = append(events, at(1, 8+i, title))
			}
			got, err := agenda.Selection{TitleHas: []string{test.said}}.Select(events, scene)
			if diff := cmp.Diff(test.want, titles(got)); diff != "" || err != nil {
				t.Errorf("%q: %v\n%s", test.said, err, diff)
			}
		})
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	events := []meet.Occurrence{
		at(-1, 10, "Yesterday"),
		at(0, 9, "Standup", uid("standup"), series, with("Ana Núñez|ana@example.com")),
		at(0, 11, "Going on", lasting(90)),
		at(0, 14, "Budget review", with("Carlos Ruiz|carlos@example.com", "Elizabeth O.|liz@example.com")),
		at(1, 9, "Standup", uid("standup"), series, with("Ana Núñez|ana@example.com")),
		at(1, 14, "Lunch with Carlos"),
		at(1, 16, "Class", func(o *meet.Occurrence) { o.Calendar, o.Categories = "Family", []string{"Kids"} }),
		at(2, 15, "Focus", func(o *meet.Occurrence) { o.Kind, o.Visibility = meet.WorkBlock, meet.Private }, lasting(120)),
		at(7, 16, "Class", uid("class-2")),
	}
	day := func(from, to string) *agenda.Window { return &agenda.Window{Start: from, End: to} }
	for _, test := range []struct {
		name string
		sel  agenda.Selection
		want []string
	}{
		{
			"nothing said: all that is still to come", agenda.Selection{},
			[]string{"Budget review", "Standup", "Lunch with Carlos", "Class", "Focus", "Class"},
		},
		{
			"a day", agenda.Selection{Window: day("2026-11-24", "2026-11-24")},
			[]string{"Standup", "Lunch with Carlos", "Class"},
		},
		{
			"a local window", agenda.Selection{Window: day("2026-11-24T10:00", "2026-11-24T15:30")},
			[]string{"Lunch with Carlos"},
		},
		{
			"a window with an offset", agenda.Selection{Window: day("2026-11-24T12:00:00Z", "2026-11-24T12:30:00Z")},
			[]string{"Lunch with Carlos"},
		},
		{
			"before 2 starts before 14:00",
			agenda.Selection{
				Window: day("2026-11-23", "2026-11-25"), TimeOfDay: &agenda.TimeOfDay{Start: "00:00", End: "14:00"},
			},
			[]string{"Standup", "Going on", "Standup"},
		},
		{
			"exactly then", agenda.Selection{TimeOfDay: &agenda.TimeOfDay{Start: "14:00", End: "14:00"}},
			[]string{"Budget review", "Lunch with Carlos"},
		},
		{
			"past midnight",
			agenda.Selection{
				Window: day("2026-11-22", "2026-11-25"), TimeOfDay: &agenda.TimeOfDay{Start: "16:00", End: "10:00"},
			},
			[]string{"Standup", "Standup", "Class"},
		},
		{"weekdays", agenda.Selection{Weekdays: []string{"Monday"}, TitleHas: []string{"class"}}, []string{"Class"}},
		{
			"all but those of a weekday",
			agenda.Selection{TitleHas: []string{"classes"}, Except: []agenda.Exception{{Weekdays: []string{"monday"}}}},
			[]string{"Class"},
		},
		{
			"all but a title",
			agenda.Selection{
				Window: day("2026-11-24", "2026-11-25"),
				Except: []agenda.Exception{{TitleHas: []string{"the lunch"}}, {TitleHas: []string{"standup"}}},
			},
			[]string{"Class"},
		},
		{
			"an exception fits by all its members",
			agenda.Selection{
				TitleHas: []string{"standup", "class"},
				Except:   []agenda.Exception{{TitleHas: []string{"class"}, Weekdays: []string{"tuesday"}}},
			},
			[]string{"Standup", "Class"},
		},
		{
			"without a word",
			agenda.Selection{Window: day("2026-11-24", "2026-11-25"), TitleLacks: []string{"standup"}},
			[]string{"Lunch with Carlos", "Class"},
		},
		{
			"a first name, as the event has it or in a title without guests",
			agenda.Selection{With: []string{"carlos"}}, []string{"Budget review", "Lunch with Carlos"},
		},
		{"a name without its accents", agenda.Selection{With: []string{"ana nunez"}}, []string{"Standup"}},
		{"a short form that the directory knows", agenda.Selection{With: []string{"Liz"}}, []string{"Budget review"}},
		{"an id", agenda.Selection{With: []string{"u_liz"}}, []string{"Budget review"}},
		{"an address", agenda.Selection{With: []string{"Carlos@example.com"}}, []string{"Budget review"}},
		{"the owner beside others", agenda.Selection{With: []string{"me", "Liz"}}, []string{"Budget review"}},
		{"each of the people", agenda.Selection{With: []string{"Carlos", "Ana"}}, nil},
		{
			"without a person",
			agenda.Selection{Window: day("2026-11-23T13:00", "2026-11-25"), Without: []string{"Carlos"}},
			[]string{"Standup", "Class"},
		},
		{"a calendar", agenda.Selection{Calendars: []string{"family"}}, []string{"Class"}},
		{"a tag", agenda.Selection{Categories: []string{"kids"}}, []string{"Class"}},
		{"tagged private", agenda.Selection{Categories: []string{"private"}}, []string{"Focus"}},
		{"private", agenda.Selection{Visibility: ptr("private")}, []string{"Focus"}},
		{"blocks", agenda.Selection{Kinds: []string{"block"}}, []string{"Focus"}},
		{
			"no blocks", agenda.Selection{Kinds: []string{"event"}, Window: day("2026-11-25", "2026-12-01")},
			[]string{"Class"},
		},
		{"recurring", agenda.Selection{Recurring: ptr(true)}, []string{"Standup"}},
		{"longer", agenda.Selection{LongerThan: ptr(60)}, []string{"Focus"}},
		{"mine", agenda.Selection{Organizer: ptr("me"), First: ptr(1)}, []string{"Budget review"}},
		{"the next one begins after now", agenda.Selection{First: ptr(1)}, []string{"Budget review"}},
		{"the last one has begun", agenda.Selection{Order: ptr("-start"), First: ptr(1)}, []string{"Going on"}},
		{"the longest", agenda.Selection{Order: ptr("-duration"), First: ptr(1)}, []string{"Focus"}},
		{"an id of an event", agenda.Selection{IDs: []string{"budget-review"}}, []string{"Budget review"}},
		{"nothing of an empty result", agenda.Selection{From: &[]string{}}, nil},
		{
			"one of a series is the next one", agenda.Selection{TitleHas: []string{"standup"}, One: ptr(true)},
			[]string{"Standup"},
		},
		{"one that goes on", agenda.Selection{TitleHas: []string{"going"}, One: ptr(true)}, []string{"Going on"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := test.sel.Select(events, scene)
			if diff := cmp.Diff(test.want, titles(got)); diff != "" || err != nil {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestOfAnEarlierResultPastEventsAreMeantToo(t *testing.T) {
	t.Parallel()
	listed := scene
	listed.Listed = true
	events := []meet.Occurrence{at(-2, 9, "Standup"), at(-1, 9, "Review"), at(1, 9, "Standup", uid("next"))}
	got, err := agenda.Selection{TitleHas: []string{"standup"}}.Select(events, listed)
	if len(got) != 2 || err != nil {
		t.Errorf("got %v, %v", titles(got), err)
	}
	last, err := agenda.Selection{Order: ptr("-start"), First: ptr(1)}.Select(events, listed)
	if len(last) != 1 || last[0].UID != "next" || err != nil {
		t.Errorf("the last of them: got %v, %v", titles(last), err)
	}
}

func TestOneOfSeriesIsNotOver(t *testing.T) {
	t.Parallel()
	events := []meet.Occurrence{at(0, 9, "Standup", uid("s"), series), at(1, 9, "Standup", uid("s"), series)}
	sel := agenda.Selection{
		TitleHas: []string{"standup"}, One: ptr(true), Window: &agenda.Window{Start: "2026-11-23", End: "2026-11-30"},
	}
	got, err := sel.Select(events, scene)
	if err != nil || len(got) != 1 || got[0].Key() != events[1].Key() {
		t.Errorf("got %v, %v", titles(got), err)
	}
}

func TestOneForEachOfSeveralTitles(t *testing.T) {
	t.Parallel()
	events := []meet.Occurrence{
		at(0, 9, "Standup", uid("s"), series), at(1, 9, "Standup", uid("s"), series), at(2, 9, "Dentist"), at(3, 9, "Review"),
	}
	got, err := agenda.Selection{TitleHas: []string{"dentist", "standup"}, One: ptr(true)}.Select(events, scene)
	if diff := cmp.Diff([]string{"Standup", "Dentist"}, titles(got)); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestSeveralWhereOneWasMeant(t *testing.T) {
	t.Parallel()
	one := agenda.Selection{TitleHas: []string{"dentist"}, One: ptr(true)}
	_, err := one.Select([]meet.Occurrence{
		at(1, 9, "Dentist with Dana"), at(2, 9, "Dentist with Tom"), at(3, 9, "Dentist with Tom", uid("dentist-with-tom")),
	}, scene)
	ambiguous, ok := errors.AsType[*agenda.AmbiguousError](err)
	if !ok || len(ambiguous.Options) != 2 {
		t.Fatalf("got %v", err)
	}
	exact, err := one.Select([]meet.Occurrence{at(1, 9, "Dentist with Dana"), at(2, 9, "Dentist")}, scene)
	if diff := cmp.Diff([]string{"Dentist"}, titles(exact)); diff != "" || err != nil {
		t.Errorf("an exact title: %v\n%s", err, diff)
	}
	declined := at(1, 9, "Dentist with Dana")
	declined.Attendees = []meet.Attendee{{Self: true, Answer: meet.Declined}}
	rest, err := one.Select([]meet.Occurrence{declined, at(2, 9, "Dentist with Tom")}, scene)
	if diff := cmp.Diff([]string{"Dentist with Tom"}, titles(rest)); diff != "" || err != nil {
		t.Errorf("one is declined: %v\n%s", err, diff)
	}
}

func TestExceptionThatFitsNothingIsTold(t *testing.T) {
	t.Parallel()
	sel := agenda.Selection{Except: []agenda.Exception{{TitleHas: []string{"ultrasound"}}}, TitleLacks: []string{"lunch"}}
	chosen, err := sel.Choose([]meet.Occurrence{at(1, 9, "Sonography"), at(1, 12, "Lunch")}, scene)
	if len(chosen.Events) != 1 || len(chosen.Missed) != 1 || chosen.Missed[0] != "ultrasound" || err != nil {
		t.Errorf("got %v, %v, %v", titles(chosen.Events), chosen.Missed, err)
	}
}

func TestWrongSelectionsNameTheMember(t *testing.T) {
	t.Parallel()
	for field, sel := range map[string]agenda.Selection{
		"window.start":           {Window: &agenda.Window{Start: "tomorrow", End: "2026-11-24"}},
		"window.end":             {Window: &agenda.Window{Start: "2026-11-24", End: "2026-11-23"}},
		"timeOfDay.end":          {TimeOfDay: &agenda.TimeOfDay{Start: "09:00", End: "25:00"}},
		"weekdays":               {Weekdays: []string{"someday"}},
		"except[0].window.start": {Except: []agenda.Exception{{Window: &agenda.Window{Start: "x", End: "y"}}}},
	} {
		_, err := sel.Select([]meet.Occurrence{at(1, 9, "Lunch")}, scene)
		if f := fault.As(err); f.Field != field || f.Code != fault.InvalidRequest {
			t.Errorf("%s: got %v", field, err)
		}
	}
}

func TestSpanToRead(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 11, 23, 0, 0, 0, 0, now.Location())
	for _, test := range []struct {
		name  string
		sel   agenda.Selection
		today bool
		has   time.Time
		lacks time.Time
	}{
		{"from now on", agenda.Selection{}, false, now.AddDate(0, 6, 0), now.Add(-time.Minute)},
		{"shown from the start of today", agenda.Selection{}, true, midnight, midnight.Add(-time.Minute)},
		{
			"the last ones lie back", agenda.Selection{Order: ptr("-start")}, false, now.AddDate(0, -6, 0),
			now.Add(time.Minute),
		},
		{"ids lie anywhere", agenda.Selection{IDs: []string{"a"}}, false, now.AddDate(0, -6, 0), now.AddDate(3, 0, 0)},
	} {
		s := scene
		s.Today = test.today
		span, err := test.sel.Span(s)
		if err != nil || !span.Contains(test.has) || span.Contains(test.lacks) {
			t.Errorf("%s: got %v, %v", test.name, span, err)
		}
	}
}

// A title of small words alone is no title that fits everything.
func TestSelectByATitleOfSmallWords(t *testing.T) {
	t.Parallel()
	list := []meet.Occurrence{{UID: "1", Title: "One on one with Priya"}, {UID: "2", Title: "Hiring panel"}}
	for i := range list {
		start := time.Date(2026, 11, 25, 9+i, 0, 0, 0, time.UTC)
		list[i].Span = interval.From(start, time.Hour)
	}
	scene := agenda.Scene{Now: time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)}
	found, err := agenda.Selection{TitleHas: []string{"one on one"}}.Select(list, scene)
	if err != nil || len(found) != 1 || found[0].UID != "1" {
		t.Errorf("got %v, %v", found, err)
	}
}

func BenchmarkSelect(b *testing.B) {
	var events []meet.Occurrence
	for i := range 2000 {
		title := []string{"Budget review", "Standup", "Lunch with Ana"}[i%3]
		events = append(events, at(i/67, 8+i%10, title, uid(string(rune('a'+i)))))
	}
	sel := agenda.Selection{TitleHas: []string{"budjet"}, Except: []agenda.Exception{{Weekdays: []string{"monday"}}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sel.Select(events, scene); err != nil {
			b.Fatal(err)
		}
	}
}

// The next event with a person is that, however it is called, and an hour alone is that of today.
// If one of several titles is that of nothing, nothing is changed.
func TestWhatAChangeMeans(t *testing.T) {
	t.Parallel()
	events := []meet.Occurrence{
		at(1, 9, "Launch plan", with("Elizabeth Okoye|liz@example.com")),
		at(2, 9, "Hiring meeting", with("Elizabeth Okoye|liz@example.com")), at(0, 15, "Piano"), at(4, 15, "Dentist"),
	}
	three := &agenda.TimeOfDay{Start: "15:00", End: "15:00"}
	for _, test := range []struct {
		name      string
		selection agenda.Selection
		want      []string
	}{
		{"the next meeting with her", agenda.Selection{
			TitleHas: []string{"meeting"}, With: []string{"liz"}, Order: ptr("start"), First: ptr(1),
		}, []string{"Launch plan"}},
		{"my 3 o'clock", agenda.Selection{TimeOfDay: three, One: ptr(true)}, []string{"Piano"}},
		{"all at 3", agenda.Selection{TimeOfDay: three}, []string{"Piano", "Dentist"}},
		{"piano and what is not there", agenda.Selection{TitleHas: []string{"piano", "excursion"}}, nil},
	} {
		change := scene
		change.Change = true
		got, err := test.selection.Select(events, change)
		if diff := cmp.Diff(test.want, titles(got)); err != nil || diff != "" {
			t.Errorf("%s: %v %s", test.name, err, diff)
		}
	}
	nine := agenda.Selection{TimeOfDay: &agenda.TimeOfDay{Start: "09:00", End: "09:00"}, One: ptr(true)}
	if got, err := nine.Select(events, scene); err == nil {
		t.Errorf("an hour that two other days have is that of %v", titles(got))
	}
}
