package message

import (
	"strings"
	"testing"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Why no time is as asked: whose calendar is in the way, if that is known, and nothing of everyone where nobody else
// takes part.
func TestWhoIsInTheWay(t *testing.T) {
	t.Parallel()
	busy := func(name string) meet.Conflict { return meet.Conflict{Name: name, Kind: meet.ConflictBusy} }
	for _, test := range []struct {
		name, language string
		alone          bool
		inTheWay       []meet.Conflict
		want           string
	}{
		{"nobody alone", "en", false, nil, "No time that fits your request suits everyone"},
		{"one person's event", "en", true, nil, "No time that fits your request is possible"},
		{"the reader", "en", true, []meet.Conflict{busy("Robin Park")}, "conflicts with an existing event in your calendar"},
		{"another", "en", false, []meet.Conflict{busy("Al Rivera")}, "conflicts with an existing event in Al's calendar"},
		{"both", "en", false, []meet.Conflict{busy("Robin Park"), busy("Al Rivera")}, "in your and Al's calendars"},
		{"hours of work", "en", false, []meet.Conflict{{Name: "Al Rivera", Kind: meet.ConflictWorkingHours}},
			"is outside Al's working hours"},
		{"several reasons", "en", false, []meet.Conflict{{Name: "Al Rivera"}}, "does not suit Al"},
		{"in Spanish", "es", false, []meet.Conflict{busy("Al Rivera")},
			"Todo horario que encaja con lo que pediste coincide"},
		{"in Hebrew", "he", false, []meet.Conflict{busy("Al Rivera")}, "כל מועד שמתאים לבקשה מתנגש"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := withLanguage(coffee(t), test.language)
			f.NoCommonTime, f.InTheWay = true, test.inTheWay
			if test.alone {
				f.People = nil
			}
			got := f.Proposal(four())
			if !strings.Contains(got, test.want) {
				t.Errorf("got\n%s\nwant %q", got, test.want)
			}
			if everyone := strings.Contains(got, "everyone"); everyone != (test.name == "nobody alone") {
				t.Errorf("it speaks of everyone:\n%s", got)
			}
		})
	}
}

// That other times are free is no contradiction: they are not as the user asked.
func TestAnEventThatStaysDoesNotSayThatNothingElseIsFree(t *testing.T) {
	t.Parallel()
	f := edit(t, coffee(t))
	if got := f.NoMatch(four()); strings.Contains(got, "suits every") || !strings.Contains(got, "still stands") {
		t.Errorf("got\n%s", got)
	}
	f.InTheWay = []meet.Conflict{{Name: "Al Rivera", Kind: meet.ConflictBusy}}
	if got := f.NoMatch(four()); !strings.Contains(got, "in Al's calendar") {
		t.Errorf("got\n%s", got)
	}
}

func TestTheKindOfCallIsNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		title string
		kind  meet.EventType
		alone bool
		apart bool
		want  string
	}{
		{"Meeting with Al", meet.Video, false, false, "It would be a video call."},
		{"Call with Al", meet.Video, false, false, "It would be a video call."},
		{"Video call with Al", meet.Video, false, false, ""},
		{"Catch-up with Al", meet.Phone, false, false, "It would be a phone call."},
		{"Call with Al", meet.Phone, false, false, ""},
		{"Coffee with Al", meet.InPerson, false, false, ""},
		{"Deep work", meet.Video, true, false, ""},
		{"Coffee with Al", meet.Video, false, true, ""},
	} {
		f := coffee(t)
		f.Template.Title, f.Template.EventType = test.title, test.kind
		if test.alone {
			f.People = nil
		}
		if test.apart {
			f.Apart = &meet.Apart{Names: []string{"Robin Park", "Al Rivera"}, Video: true}
		}
		if got := f.Prepared().Sentences(four()).Medium; got != test.want {
			t.Errorf("%s, %s: got %q, want %q", test.title, test.kind, got, test.want)
		}
	}
}

// If no calendar could be read for an event, none is said to have been.
func TestNoCalendarIsSaidToBeCheckedThatWasNot(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	f.People = []meet.Person{{Name: "Zed"}}
	f.Unknown, f.Unread = []string{"Zed"}, []string{"Robin Park"}
	if got := f.Prepared().Sentences(four()).Unread; strings.Contains(got, "only your calendar") ||
		!strings.Contains(got, "I don't know Zed.") {
		t.Errorf("got %q", got)
	}
}

func TestWhichEventATimeWasFoundBy(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	dentist := interval.Span{Start: f.Slots[0].Start, End: f.Slots[0].End}
	trip := interval.Date{Year: 2026, Month: 11, Day: 27}
	for _, test := range []struct {
		language string
		event    meet.AnchorEvent
		want     string
	}{
		{"en", meet.AnchorEvent{Title: "Dentist *now*", Span: dentist},
			`I went by **Dentist \*now\*** (Tuesday, November 24 at 2:00 PM – 2:30 PM) in your calendar.`},
		{"en", meet.AnchorEvent{Title: "Trip", AllDay: true, Span: interval.Span{
			Start: trip.Start(f.Zone), End: trip.AddDays(2).Start(f.Zone),
		}}, "I went by **Trip** (2026-11-27 – 2026-11-28) in your calendar."},
		{"es", meet.AnchorEvent{Title: "Dentista", Span: dentist},
			"Me guié por **Dentista** (martes 24 de noviembre a las 14:00 – 14:30) en tu calendario."},
	} {
		here := withLanguage(f, test.language)
		if got := here.Anchored([]meet.AnchorEvent{test.event}); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	if got := f.Anchored(nil); got != "" {
		t.Errorf("without any event: %s", got)
	}
}
