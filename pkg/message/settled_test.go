package message

import (
	"strings"
	"testing"

	"convene/pkg/meet"
)

// settledEvent is coffee on Tuesday at two, confirmed.
func settledEvent(tb testing.TB) meet.Event {
	tb.Helper()
	f := coffee(tb)
	return meet.Event{
		ID: "p1", Status: meet.Confirmed, Title: "Coffee with Al", EventType: meet.InPerson, Language: "en",
		Start: f.Slots[0].Start, End: f.Slots[0].End,
		Timezone: "America/Los_Angeles", Place: &f.Places[1], CalendarType: meet.Personal,
		Participants: []meet.Participant{
			{ID: "me", Name: "Robin Park", Timezone: "America/Los_Angeles"},
			{ID: "al", Name: "Al Rivera", Email: "al@example.com", Timezone: "Europe/Berlin"},
		},
	}
}

func TestSettled(t *testing.T) {
	t.Parallel()
	now := coffee(t).Now
	const when = "Tuesday, November 24 at 2:00 PM PST (11:00 PM CET for Al)"
	philz := coffee(t)
	link := philz.PlaceLink(1)
	for _, test := range []struct {
		name   string
		change func(*meet.Event)
		want   string
	}{
		{"only proposed", func(e *meet.Event) { e.Status = meet.Proposed }, ""},
		{"confirmed", func(*meet.Event) {}, "I've scheduled **Coffee with Al** for **" + when + "** at " + link + ".\n\n" +
			"It's in your personal calendar now, and Al will get an invite. Let me know if you'd like to make any changes!"},
		{"without a place, and nobody to invite", func(e *meet.Event) { e.Place, e.Participants[1].Email = nil, "" },
			"I've scheduled **Coffee with Al** for **" + when +
				"**.\n\nIt's in your personal calendar now. Let me know if you'd like to make any changes!"},
		{"with a conflict that was accepted", func(e *meet.Event) {
			e.Conflicts = []meet.Conflict{{Person: "al", Name: "Al Rivera", Kind: meet.ConflictBusy}}
		}, "I've scheduled **Coffee with Al** for **" + when + "** at " + link + ".\n\n" +
			"⚠️ **IMPORTANT**: This time conflicts with an existing event in Al's calendar, but I've kept it as you asked.\n\n" +
			"It's in your personal calendar now, and Al will get an invite. Let me know if you'd like to make any changes!"},
		{"with a calendar that nobody could read", func(e *meet.Event) { e.Unknown = []string{"Al Rivera"} },
			"I've scheduled **Coffee with Al** for **" + when + "** at " + link + ".\n\n" +
				"I couldn't check Al's calendar, so please make sure that this time suits Al.\n\n" +
				"It's in your personal calendar now, and Al will get an invite. Let me know if you'd like to make any changes!"},
		{"cancelled", func(e *meet.Event) { e.Status = meet.Cancelled },
			"Cancelled: **Coffee with Al** on **" + when + "** at " + link + "."},
		{"replaced", func(e *meet.Event) { e.Status, e.ReplacedBy = meet.Cancelled, "p2" },
			"A later change has taken the place of **Coffee with Al** on **" + when + "** at " + link + "."},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := settledEvent(t)
			test.change(&e)
			if got := Settled(e, now); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			for tag, begins := range map[string]string{"es": "He programado **", "he": "קבעתי **"} {
				e.Language = tag
				got := Settled(e, now)
				if e.Status == meet.Confirmed && !strings.HasPrefix(got, begins) || got == "" != (e.Status == meet.Proposed) ||
					strings.ContainsAny(got, "{}") {
					t.Errorf("%s: %q", tag, got)
				}
			}
		})
	}
}
