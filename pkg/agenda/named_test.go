package agenda_test

import (
	"testing"

	"convene/pkg/agenda"
	"convene/pkg/meet"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	events := []meet.Occurrence{
		{UID: "weekly", Title: "Catch-up", Attendees: []meet.Attendee{{Name: "Omar Reyes"}}},
		{UID: "weekly", Title: "Catch-up"}, {UID: "lunch", Title: "Board lunch"},
		{UID: "sync", Title: "Team sync for the launch"}, {UID: "choir", Title: "Choir call"},
	}
	for words, want := range map[string]string{
		"catch-up with Omar": "weekly", "board lunch": "lunch", "board lunches": "lunch", "catch-up with Omar tomorrow": "",
		"team": "", "call": "", "video call": "", "choir call": "choir", "meeting": "", "Omar": "",
	} {
		got := ""
		for _, o := range agenda.Named(words, events) {
			got += o.UID
		}
		if got != want {
			t.Errorf("%q names %q, want %q", words, got, want)
		}
	}
}
