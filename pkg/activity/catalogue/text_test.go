package catalogue_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Asked in any of the languages, only what is meant is suggested.
func TestWhatIsMeant(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	weekend := days(t, "2026-11-20", "2026-11-22")
	music := func(s meet.Suggestion) bool {
		return s.Kind == "music" || s.Kind == "jazz" ||
			says(s, "karaoke", "jazz", "opera", "symphony", "lindy", "nightlife", "first fridays")
	}
	free := func(s meet.Suggestion) bool { return s.Free }
	anything := func(meet.Suggestion) bool { return true }
	for _, q := range []struct {
		text string
		fits func(meet.Suggestion) bool
	}{
		{"any concerts this weekend?", music},
		{"¿algún concierto este fin de semana?", music},
		{"יש הופעות בסוף השבוע?", music},
		{"אני רוצה ללכת להופעה", music},
		{"something free", free},
		{"free concerts?", free},
		{"anything cheap to do?", free},
		{"¿algo gratis con los niños?", free},
		{"משהו בחינם", free},
		{"I'm free all day, anything on?", anything},
		{"what's on in November", anything},
		{"what's on in SF?", anything},
		{"what's happening in the Mission?", anything},
		{"what's on around Golden Gate Park", anything},
	} {
		got := suggest(t, c, meet.ActivityQuery{Text: q.text, Span: weekend})
		if len(got) == 0 {
			t.Errorf("%q finds nothing", q.text)
		}
		for _, s := range got {
			if !q.fits(s) {
				t.Errorf("%q finds %q", q.text, s.Title)
			}
		}
	}
	if got := suggest(t, c, meet.ActivityQuery{Text: "I'm free all day", Span: weekend}); !slices.ContainsFunc(got,
		func(s meet.Suggestion) bool { return !s.Free }) {
		t.Errorf("somebody who is free is shown only what costs nothing: %q", titles(got))
	}
}

func says(s meet.Suggestion, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(s.Title), w) })
}

func TestNothingIsKnownOfOtherTowns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"what's happening in Berlin this weekend?", "anything on in boise? no, in Boise", "concerts in new york",
		"¿qué hay en Sevilla este fin de semana?",
		"מה קורה בתל אביב בסוף השבוע?", "מה קורה בברלין?",
	} {
		if got := suggest(t, embedded(t), meet.ActivityQuery{Text: text,
			Span: days(t, "2026-11-20", "2026-11-22")}); got == nil || len(got) > 0 {
			t.Errorf("%q finds %q, want an empty list", text, titles(got))
		}
	}
}

func TestOnlyAtTheTimesOfDayAskedFor(t *testing.T) {
	t.Parallel()
	hours := func(from, to int) *meet.Hours {
		return &meet.Hours{Week: interval.EveryDay(interval.Window{Start: interval.At(from, 0), End: interval.At(to, 0)})}
	}
	saturday, sunday := interval.Date{Year: 2026, Month: 11, Day: 21}, interval.Date{Year: 2026, Month: 11, Day: 22}
	for _, q := range []struct {
		hours *meet.Hours
		dates []interval.DateRange
		want  func(time.Time) bool
	}{
		{hours(18, 23), nil, func(at time.Time) bool { return at.Hour() >= 18 }},
		{hours(12, 17), nil, func(at time.Time) bool { return at.Hour() >= 12 && at.Hour() < 17 }},
		{nil, []interval.DateRange{{Start: sunday, End: sunday}}, func(at time.Time) bool { return at.Day() == 22 }},
		{hours(8, 12), []interval.DateRange{{Start: saturday, End: saturday}}, func(at time.Time) bool {
			return at.Day() == 21 && at.Hour() < 12
		}},
	} {
		got := suggest(t, embedded(t), meet.ActivityQuery{
			Span: days(t, "2026-11-20", "2026-11-22"), Dates: q.dates, Hours: q.hours,
		})
		if len(got) < 3 {
			t.Errorf("%v %v finds only %q", q.dates, q.hours, titles(got))
		}
		for _, s := range got {
			if !q.want(s.Start) {
				t.Errorf("%v %v finds %q at %v", q.dates, q.hours, s.Title, s.Start)
			}
		}
	}
}
