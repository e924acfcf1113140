package catalogue_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/activity"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func TestEmbedded(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	year := suggest(t, c, meet.ActivityQuery{Span: days(t, "2026-11-20", "2027-11-19"), Limit: activity.MaxLimit})
	if len(year) < 25 {
		t.Errorf("a year has %d things to do, want 25 or more", len(year))
	}
	for _, s := range year {
		if s.Venue == "" || !strings.Contains(s.Address, ", San Francisco, CA 941") || !s.End.After(s.Start) ||
			s.End.Sub(s.Start) > 12*time.Hour {
			t.Errorf("%q: venue %q, address %q, from %v to %v", s.Title, s.Venue, s.Address, s.Start, s.End)
		}
		if p := s.Point; p == nil || p.Latitude < 37.70 || p.Latitude > 37.84 || p.Longitude < -122.53 ||
			p.Longitude > -122.35 {
			t.Errorf("%q lies at %v, outside San Francisco", s.Title, p)
		}
		if u, err := url.Parse(s.URL); s.URL != "" && (err != nil || u.Scheme != "https" || u.RawQuery != "") {
			t.Errorf("%q has the URL %q", s.Title, s.URL)
		}
	}
}

// TestTitlesFitTheirTimes goes through every day of a year, so that each time of each thing is seen.
func TestTitlesFitTheirTimes(t *testing.T) {
	t.Parallel()
	c, seen := embedded(t), map[string]bool{}
	for day := (interval.Date{Year: 2026, Month: 11, Day: 20}); day.Year < 2027 || day.Month < 11; day = day.AddDays(1) {
		span := interval.Span{Start: day.Start(pacific(t)), End: day.AddDays(1).Start(pacific(t))}
		for _, s := range suggest(t, c, meet.ActivityQuery{Span: span, Limit: activity.MaxLimit}) {
			seen[s.Title] = true
			if wrong := misfit(s); wrong != "" {
				t.Errorf("%q on %s until %s: %s", s.Title, s.Start.Format("Monday 15:04"), s.End.Format("15:04"), wrong)
			}
		}
	}
	if len(seen) != 55 {
		t.Errorf("%d things came round within a year, want all 55", len(seen))
	}
}

// misfit says what a suggestion's title, kind or venue promises and its time does not keep.
func misfit(s meet.Suggestion) string {
	title, hour := strings.ToLower(s.Title), s.Start.Hour()
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(title, w) })
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if says(strings.ToLower(d.String())) && s.Start.Weekday() != d {
			return "another day"
		}
	}
	length := s.End.Sub(s.Start)
	switch {
	case says("morning", "breakfast") && hour >= 12:
		return "not in the morning"
	case says("afternoon") && (hour < 12 || hour >= 17):
		return "not in the afternoon"
	case says("evening", "night", "after dark", "disco") && hour < 17:
		return "not in the evening"
	case says("late") && hour < 21:
		return "not late"
	case hour < 9:
		return "before anybody is up"
	case says("market", "museum", "moma", "de young", "exploratorium", "academy", "gallery") && length > 2*time.Hour:
		return "too long for a visit"
	case length > 4*time.Hour:
		return "too long for anything"
	}
	return ""
}

func TestEveryWeekHasEnoughToDo(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for monday := (interval.Date{Year: 2026, Month: 11, Day: 23}); monday.Year < 2028; monday = monday.AddDays(7) {
		saturday := interval.Span{Start: monday.AddDays(5).Start(pacific(t)), End: monday.AddDays(7).Start(pacific(t))}
		if got := suggest(t, c, meet.ActivityQuery{Span: saturday}); len(got) != activity.DefaultLimit {
			t.Errorf("the weekend after %v has %d suggestions, want %d", monday, len(got), activity.DefaultLimit)
		}
		week := interval.Span{Start: monday.Start(pacific(t)), End: saturday.End}
		for _, text := range []string{"live music", "jazz", "with the kids", "outdoors", "a farmers market", "art",
			"comedy", "trivia", "climbing"} {
			if got := suggest(t, c, meet.ActivityQuery{Text: text, Span: week}); len(got) == 0 {
				t.Errorf("%q has nothing in the week of %v", text, monday)
			}
		}
	}
}

func TestThisWeekendIsVaried(t *testing.T) {
	t.Parallel()
	got := suggest(t, embedded(t), meet.ActivityQuery{
		Text: "What's happening in SF this weekend? I'm free all day, let's do something fun",
		Span: days(t, "2026-11-21", "2026-11-22"),
	})
	if !slices.IsSortedFunc(got, func(a, b meet.Suggestion) int { return a.Start.Compare(b.Start) }) {
		t.Errorf("not the soonest first: %q", titles(got))
	}
	markets := 0
	for _, s := range got {
		if strings.Contains(s.Title, "Market") {
			markets++
		}
	}
	if len(got) != activity.DefaultLimit || markets != 1 {
		t.Errorf("%d suggestions with %d markets: %q", len(got), markets, titles(got))
	}
}
