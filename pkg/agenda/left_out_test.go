package agenda_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/meet"
)

func TestACalendarGoesByItsNameToo(t *testing.T) {
	t.Parallel()
	of := func(id, name string) func(*meet.Occurrence) {
		return func(o *meet.Occurrence) { o.Calendar, o.CalendarName = id, name }
	}
	events := []meet.Occurrence{
		at(1, 9, "Review", of("c-1@group.example", "Work")), at(1, 10, "Dentist", of("personal", "")),
	}
	for said, want := range map[string][]string{
		"work": {"Review"}, "c-1@group.example": {"Review"}, "Personal": {"Dentist"}, "other": nil,
	} {
		got, err := agenda.Selection{Calendars: []string{said}}.Select(events, scene)
		if diff := cmp.Diff(want, titles(got)); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", said, err, diff)
		}
	}
	if got := agenda.EventOf(events[0], now.Location()).Calendar; got != "Work" {
		t.Errorf("its owner sees the calendar as %q", got)
	}
}

func TestWhatAChangeOfASpanOfTimeLeavesOut(t *testing.T) {
	t.Parallel()
	free := func(o *meet.Occurrence) { o.Transparent = true }
	events := []meet.Occurrence{
		at(0, 9, "Gym"), at(0, 10, "Birthday", free), at(0, 14, "Review"), at(1, 9, "Dentist"), at(1, 10, "Parade", free),
	}
	window := func(start, end string) *agenda.Window { return &agenda.Window{Start: start, End: end} }
	one, first := true, 1
	for name, test := range map[string]struct {
		sel               agenda.Selection
		want, free, shown []string
		over              bool
	}{
		"a week that has begun": {
			agenda.Selection{Window: window("2026-11-23", "2026-11-29")}, []string{"Review", "Dentist"},
			[]string{"Birthday", "Parade"}, []string{"Gym", "Birthday", "Review", "Dentist", "Parade"}, true,
		},
		"all of it is over": {
			agenda.Selection{Window: window("2026-11-23T00:00", "2026-11-23T11:00")}, []string{"Gym"}, []string{"Birthday"},
			[]string{"Gym", "Birthday"}, false,
		},
		"the first of today": {
			agenda.Selection{Window: window("2026-11-23", "2026-11-23"), First: &first}, []string{"Review"},
			[]string{"Birthday"}, []string{"Gym"}, true,
		},
		"free ones by name": {
			agenda.Selection{Window: window("2026-11-23", "2026-11-29"), TitleHas: []string{"parade", "birthday"}},
			[]string{"Parade"}, nil, []string{"Birthday", "Parade"}, true,
		},
		"only a free one": {
			agenda.Selection{Window: window("2026-11-24T10:00", "2026-11-24T11:00")}, nil, []string{"Parade"},
			[]string{"Parade"}, false,
		},
		"a single one at a time": {
			agenda.Selection{Window: window("2026-11-23T09:00", "2026-11-23T10:00"), One: &one}, []string{"Gym"}, nil,
			[]string{"Gym"}, false,
		},
		"by id": {
			agenda.Selection{Window: window("2026-11-23", "2026-11-29"), IDs: []string{"gym", "parade"}},
			[]string{"Gym", "Parade"}, nil, []string{"Gym", "Parade"}, false,
		},
		"except free ones": {
			agenda.Selection{
				Window: window("2026-11-24", "2026-11-24"), Except: []agenda.Exception{{TitleHas: []string{"parade"}}},
			}, []string{"Dentist"}, nil, []string{"Dentist"}, false,
		},
	} {
		change := scene
		change.Change = true
		got, err := test.sel.Choose(events, change)
		if err != nil || got.Over != test.over || len(got.Missed) > 0 {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if diff := cmp.Diff([][]string{test.want, test.free}, [][]string{titles(got.Events), titles(got.Free)}); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		shown, err := test.sel.Select(events, scene)
		if diff := cmp.Diff(test.shown, titles(shown)); diff != "" || err != nil {
			t.Errorf("%s, shown: %v\n%s", name, err, diff)
		}
	}
}
