package calendar_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/calendar"
	"convene/functions/world"
	"convene/pkg/meet"
)

func day() *world.World {
	return worldOf(
		at(0, "08:00", "Breakfast"), at(0, "10:00", "Budget review", guests(ada)),
		at(1, "09:00", "Dentist", func(o *meet.Occurrence) {
			o.Location = "12 High Street"
			o.Description = "Bring the card.\nhttps://evil.example/x"
		}),
		at(1, "14:00", "Budget call", invitedBy(ada), func(o *meet.Occurrence) {
			o.Attendees[0].Answer = meet.Declined
		}),
		at(8, "16:00", "Yoga"),
	)
}

func TestFindEvents(t *testing.T) {
	t.Parallel()
	const tomorrow = `"window":{"start":"2027-03-10","end":"2027-03-11"}`
	const friday = `"window":{"start":"2027-03-12","end":"2027-03-13"}`
	for _, test := range []struct {
		name, arguments string
		events          []string
		count           int
		says            []string
	}{
		{
			"today, from its start", `{"selection":{"window":{"start":"2027-03-09","end":"2027-03-10"}}}`,
			[]string{"Breakfast", "Budget review"}, 2, []string{"2 events", "Breakfast", "Budget review"},
		},
		{
			"counted without declined ones", `{"selection":{` + tomorrow + `},"aspect":"count"}`,
			[]string{"Dentist", "Budget call"}, 1, []string{"1 event", "1 more is declined"},
		},
		{
			"when", `{"selection":{"titleHas":["dentist"],"one":true},"aspect":"when"}`, []string{"Dentist"}, 1,
			[]string{"Dentist: ", "9:00"},
		},
		{
			"who", `{"selection":{"titleHas":["budget review"]},"aspect":"who"}`, []string{"Budget review"}, 1,
			[]string{"Ada Byron (accepted)"},
		},
		{
			"all of it", `{"selection":{"titleHas":["dentist"]},"aspect":"details"}`, []string{"Dentist"}, 1,
			[]string{"Dentist: ", "9:00", "- Place: 12 High Street", "Bring the card."},
		},
		{"nobody", `{"selection":{"titleHas":["yoga"]},"aspect":"who"}`, []string{"Yoga"}, 1, []string{"no one else"}},
		{
			"where", `{"selection":{"titleHas":["dentist"]},"aspect":"where"}`, []string{"Dentist"}, 1,
			[]string{"12 High Street"},
		},
		{"nowhere", `{"selection":{"titleHas":["yoga"]},"aspect":"where"}`, []string{"Yoga"}, 1, []string{"no place"}},
		{
			"how long", `{"selection":{"titleHas":["yoga"]},"aspect":"length"}`, []string{"Yoga"}, 1,
			[]string{"Yoga takes "},
		},
		{
			"how long together", `{"selection":{"titleHas":["budget"]},"aspect":"length"}`,
			[]string{"Budget review", "Budget call"}, 1, []string{"2 events take"},
		},
		{
			"notes are quoted, their links inert", `{"selection":{"titleHas":["dentist"]},"aspect":"notes"}`,
			[]string{"Dentist"}, 1, []string{"> Bring the card.", "`https://evil.example/x`"},
		},
		{
			"yes", `{"selection":{` + tomorrow + `},"aspect":"exists"}`, []string{"Dentist", "Budget call"}, 1,
			[]string{"Yes"},
		},
		{
			"no", `{"selection":{` + friday + `},"aspect":"exists"}`, nil, 0,
			[]string{"No. Nothing is planned for Friday"},
		},
		{"nothing on a day", `{"selection":{` + friday + `}}`, nil, 0, []string{"Nothing is planned for Friday"}},
		{
			"not then, but later", `{"selection":{"titleHas":["yoga"],` + friday + `},"aspect":"when"}`, nil, 0,
			[]string{"no yoga", "The next one is Yoga", "Wednesday"},
		},
		{
			"not at that hour", `{"selection":{"titleHas":["yoga"],"timeOfDay":{"start":"09:30","end":"09:30"}}}`, nil, 0,
			[]string{"no yoga in your calendar for 9:30 AM."},
		},
		{
			"never yet", `{"selection":{"titleHas":["yoga"],"order":"-start","first":1},"aspect":"when"}`, nil, 0,
			[]string{"There was no yoga", "in the past year", "The next one is Yoga"},
		},
		{
			"one of several: all are shown",
			`{"selection":{"titleHas":["budget"],"one":true,"window":{"start":"2027-03-09","end":"2027-03-12"}}}`,
			[]string{"Budget review"}, 1, nil,
		},
		{
			"nothing with a person",
			`{"selection":{"with":["Sam Poe"],` + tomorrow + `},"aspect":"exists"}`, nil, 0,
			[]string{"No. There is nothing with Sam Poe"},
		},
		{"the next with a person", `{"selection":{"with":["Ada"],"first":1}}`, []string{"Budget review"}, 1, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result := call(t, day(), "calendar_findEvents", test.arguments)
			got := data[calendar.FoundEvents](t, result)
			if diff := cmp.Diff(test.events, titles(got.Events)); diff != "" || got.Count != test.count {
				t.Errorf("count %d, want %d\n%s", got.Count, test.count, diff)
			}
			for _, text := range test.says {
				if !strings.Contains(result.Response.Display.Description, text) {
					t.Errorf("%q does not say %q", result.Response.Display.Description, text)
				}
			}
			if len(result.Changes) > 0 || result.Response.UI.Suggestions == nil {
				t.Errorf("changes %v, suggestions %v", result.Changes, result.Response.UI.Suggestions)
			}
		})
	}
}

// Of a series that is asked for without a time, the next one is told, and how many there are besides.
func TestTheNextOfASeries(t *testing.T) {
	t.Parallel()
	result := call(t, week(), "calendar_findEvents", `{"selection":{"titleHas":["standup"]},"aspect":"when"}`)
	if got := len(data[calendar.FoundEvents](t, result).Events); got != 1 {
		t.Errorf("%d events are shown", got)
	}
	if got := result.Response.Display.Description; !strings.Contains(got, "9:30") || !strings.Contains(got, "1 more") {
		t.Errorf("got %q", got)
	}
}

func TestFindEventsInOtherLanguages(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"he": "יש לך 2 אירועים", "es": "Tienes 2 eventos"} {
		w := day()
		w.Language = language
		result := call(t, w, "calendar_findEvents", `{"selection":{"window":{"start":"2027-03-09","end":"2027-03-10"}}}`)
		if got := result.Response.Display.Description; !strings.Contains(got, want) {
			t.Errorf("%s: got %q", language, got)
		}
	}
}

func TestFindEventsTellsOfCalendarsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := worldOn(base{events: []meet.Occurrence{at(0, "10:00", "Budget review")}, broken: true})
	result := call(t, w, "calendar_findEvents", `{"selection":{}}`)
	if got := data[calendar.FoundEvents](t, result); !got.Unread || got.Count != 1 {
		t.Errorf("got %+v", got)
	}
	if text := result.Response.Display.Description; !strings.Contains(text, "could not be read") {
		t.Errorf("got %q", text)
	}
	nothing := call(t, worldOn(base{broken: true}), "calendar_findEvents", `{"selection":{}}`)
	if e := nothing.Response.Error; e == nil || e.Code != "calendar_failed" || !e.Recoverable {
		t.Errorf("got %+v", e)
	}
}

func TestFindEventsRefusesWrongArguments(t *testing.T) {
	t.Parallel()
	const find = "calendar_findEvents"
	refuses(t, day(), find, `{"selection":{"window":{"start":"soon","end":"2027-03-12"}}}`, "selection.window.start")
	refuses(t, day(), find, `{"selection":{"weekdays":["caturday"]}}`, "selection.weekdays")
}

func BenchmarkFindEvents(b *testing.B) {
	var events []meet.Occurrence
	for i := range 2000 {
		events = append(events, at(i/67, "09:00", "Budget review", guests(ada), func(o *meet.Occurrence) {
			o.UID = fmt.Sprint(i)
			o.Span.Start = o.Span.Start.Add(time.Duration(i%67) * 10 * time.Minute)
			o.Span.End = o.Span.Start.Add(30 * time.Minute)
		}))
	}
	find := calendar.FindEvents()
	arguments := []byte(`{"selection":{"window":{"start":"2027-03-09","end":"2027-04-08"},"titleHas":["budget"]}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := find.Call(b.Context(), worldOf(events...), arguments); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDeleteOne(b *testing.B) {
	remove, arguments := calendar.DeleteEvents(), []byte(`{"selection":{"titleHas":["dentist"],"one":true}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := remove.Call(b.Context(), day(), arguments); err != nil {
			b.Fatal(err)
		}
	}
}
