package message

import (
	"strings"
	"testing"
	"time"

	"convene/pkg/meet"
)

func TestActivities(t *testing.T) {
	t.Parallel()
	la := zone(t, "America/Los_Angeles")
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, la)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, la) }
	list := []meet.Suggestion{
		{Title: "Alemany Farmers Market", Venue: "Alemany Market", Start: at(21, 8, 0), End: at(21, 14, 0), Free: true},
		{Title: "Trivia [night]", Start: at(21, 19, 0).UTC(), End: at(21, 20, 30).UTC()},
		{Title: "Lights\nFestival", Venue: "The Pier", Start: at(21, 18, 0), End: at(22, 1, 0)},
	}
	want := lines(
		"Here is what I found:", "",
		"1. **Alemany Farmers Market** at Alemany Market, Saturday, November 21 at 8:00 AM until 2:00 PM, free",
		`2. **Trivia \[night\]**, Saturday, November 21 at 7:00 PM`,
		"3. **Lights Festival** at The Pier, Saturday, November 21 at 6:00 PM until Sunday, November 22 at 1:00 AM",
		"", "Tell me which one you like, and I'll set it up.")
	if got := Activities("en", list, now); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := Activities("en", nil, now), "I found nothing to suggest for that. Would another day or something "+
		"else do?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBegun(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	left := []meet.Suggestion{{Title: "Quiz", Start: now.Add(10 * time.Hour), End: now.Add(11 * time.Hour)}}
	for _, c := range []struct {
		language string
		left     []meet.Suggestion
		want     string
	}{
		{"en", left, lines(`**A \[day\] out** has already begun. These are still ahead:`, "",
			"1. **Quiz**, Saturday, November 21 at 7:00 PM", "", "Tell me which one you like, and I'll set it up.")},
		{"en", nil, `**A \[day\] out** has already begun. Shall I look for something else? Tell me what and when.`},
		{"es", nil, `**A \[day\] out** ya ha empezado. ¿Busco otra cosa? Dime qué y cuándo.`},
	} {
		if got := Begun(c.language, "A [day] out", c.left, now); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.language, got, c.want)
		}
	}
	for _, language := range []string{"en", "es", "he"} {
		if Forgotten(language) == "" {
			t.Errorf("%s has no words for what is forgotten", language)
		}
	}
}

func TestNothing(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	got := f.Nothing([]meet.Reason{
		{Text: "any day instead of Tuesday gives 6 times"}, {Text: "meeting without <b>Al</b> gives 1 time"},
	})
	want := lines("I could not find any time for Coffee with Al.",
		"- any day instead of Tuesday gives 6 times", `- meeting without \<b\>Al\<\/b\> gives 1 time`,
		"", "Tell me what you would like to change, and I'll look again.")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := (&Facts{}).Nothing(nil); !strings.HasPrefix(got, "I could not find any time for your event.\n\nTell me") {
		t.Errorf("got %q", got)
	}
}
