package google

import (
	"strings"
	"testing"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/meet"
)

func TestEventID(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, uid := range []string{"p", "p1@convene.example.com", "P1@convene.example.com",
		"späť", strings.Repeat("u", 600)} {
		for _, owner := range []meet.PersonID{"", "ola", "al"} {
			id, err := eventID(uid, owner)
			if err != nil {
				t.Fatal(err)
			}
			if seen[id] {
				t.Errorf("%s of %s has the id of another event", uid, owner)
			}
			seen[id] = true
			if len(id) < 5 || len(id) > 1024 || strings.Trim(id, "0123456789abcdefghijklmnopqrstuv") != "" {
				t.Errorf("Google does not allow the id %s", id)
			}
			for _, e := range []*gcal.Event{{Id: id, ICalUID: id + "@google.com"}, {Id: "_other", ICalUID: id + "@google.com"}} {
				if got := uidOf(e); got != uid {
					t.Errorf("UID = %q, want %q", got, uid)
				}
			}
		}
	}
}

// Guests who keep their calendar elsewhere have the event under the name that Google gave it.
func TestUIDInGuestsCalendars(t *testing.T) {
	t.Parallel()
	id, err := eventID("p1@convene", "ola")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		id + "@google.com": "p1@convene", id: id, "x" + id + "@google.com": "x" + id + "@google.com",
		"u@google.com": "u@google.com", "": "",
	} {
		if got := UID(name); got != want {
			t.Errorf("UID(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestUIDsOfOthers(t *testing.T) {
	t.Parallel()
	for _, e := range []*gcal.Event{
		{Id: "2p5ko7ltqsg2u1e6kf6l4o6ui0", ICalUID: "u"},
		{Id: "convene", ICalUID: "u"}, {Id: "convener0123456789abcdef", ICalUID: "u"},
		{Id: "CONVENE0123456789abcdefg", ICalUID: "u"}, {Id: "convene0123456789abcdefvvvv", ICalUID: "u"},
	} {
		if got := uidOf(e); got != "u" {
			t.Errorf("%s: UID = %q, want the iCalUID", e.Id, got)
		}
	}
}

func TestSeriesOf(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"a_20260303T090000Z": "a", "a_20260303": "a", "a_R20260303T090000_20260310T090000Z": "a_R20260303T090000",
		"a": "", "": "", "_6tlnaqrle5p6cpb4": "", "a_b": "", "a_20269999": "", "_20260303": "",
	} {
		got, ok := seriesOf(id)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q, %v, want %q", id, got, ok, want)
		}
	}
}
