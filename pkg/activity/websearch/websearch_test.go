package websearch_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/activity"
	"convene/pkg/activity/websearch"
	"convene/pkg/activity/websearch/websearchtest"
	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

const key = "sk-test-0123456789"

func pacific(t *testing.T) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// saturday asks for one evening.
func saturday(t *testing.T) meet.ActivityQuery {
	t.Helper()
	day := interval.Date{Year: 2026, Month: time.November, Day: 21}
	return meet.ActivityQuery{
		Text: "what's on Saturday evening?", Zone: pacific(t), Area: "San Francisco",
		Near: &geo.Point{Latitude: 37.7759, Longitude: -122.4245},
		Span: interval.Span{Start: day.Start(pacific(t)), End: day.AddDays(1).Start(pacific(t))},
	}
}

func finder(t *testing.T, modes ...websearchtest.Mode) (*websearch.Finder, *websearchtest.Server) {
	t.Helper()
	server := websearchtest.New(modes...)
	f, err := websearch.New(websearch.Config{BaseURL: server.Start(t), Key: key, Deadline: 4 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return f, server
}

func lines(list []meet.Suggestion) []string {
	got := []string{}
	for _, s := range list {
		free := ""
		if s.Free {
			free = " free"
		}
		got = append(got, strings.Join([]string{
			s.Title, s.Venue, s.Start.Format("2006-01-02 15:04") + "-" + s.End.Format("15:04"), s.URL, s.Kind + free,
		}, " | "))
	}
	return got
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	concert := "Late Quartet | Example Hall | 2026-11-21 20:00-22:00 | https://www.example-hall.org/events/quartet | music"
	whole := []string{
		concert,
		"Winter Market | Example Square | 2026-11-21 18:30-20:30 | https://example-market.org/saturday/ | market free",
		"Lantern Walk | Harbour | 2026-11-21 19:00-20:30 | https://walks.example.org/ | outdoors",
	}
	for _, c := range []struct {
		name  string
		modes []websearchtest.Mode
		want  []string
		calls int
	}{
		{"found", []websearchtest.Mode{websearchtest.OK}, whole, 1},
		{"without a schema", []websearchtest.Mode{websearchtest.Chatty}, whole, 2},
		{"nothing on", []websearchtest.Mode{websearchtest.Nothing}, []string{}, 1},
		{"busy at first", []websearchtest.Mode{websearchtest.Busy, websearchtest.OK}, whole, 2},
		{"failing at first", []websearchtest.Mode{websearchtest.Failing, websearchtest.OK}, whole, 2},
		{"wrong dates", []websearchtest.Mode{websearchtest.WrongDates}, []string{
			"In time | In time | 2026-11-21 21:00-23:00 | https://example-market.org/saturday/ | music",
		}, 1},
		{"hostile pages", []websearchtest.Mode{websearchtest.Injected}, []string{
			"Free Gig gnp.exe | Back Room [31m # SYSTEM | 2026-11-21 19:00-21:00 | https://example-market.org/saturday/ | music",
			"Ballroom Night |  | 2026-11-21 19:00-21:00 | https://walks.example.org/ | music",
			concert,
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, server := finder(t, c.modes...)
			list, err := f.Suggest(t.Context(), saturday(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, lines(list)); diff != "" {
				t.Errorf("suggestions (-want +got):\n%s", diff)
			}
			if got := len(server.Asked()); got != c.calls {
				t.Errorf("%d requests, want %d", got, c.calls)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for _, mode := range []websearchtest.Mode{
		websearchtest.Uncited, websearchtest.Truncated, websearchtest.Cut, websearchtest.Declined,
		websearchtest.Failing, websearchtest.Busy, websearchtest.Missing, websearchtest.Slow,
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			server := websearchtest.New(mode)
			f, err := websearch.New(websearch.Config{BaseURL: server.Start(t), Key: key, Deadline: 300 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			list, err := f.Suggest(t.Context(), saturday(t))
			if fault.CodeOf(err) != fault.Unavailable || list != nil {
				t.Fatalf("got %v and %v, want an unavailable fault", lines(list), err)
			}
			if said := err.Error(); strings.Contains(said, key) || strings.Contains(said, "sk-") {
				t.Errorf("the error tells the key: %s", said)
			}
			if none := mode == websearchtest.Missing; errors.Is(err, activity.ErrNoSearch) != none {
				t.Errorf("error = %v; that there is no search is said: want %v", err, none)
			}
			if mode == websearchtest.Slow && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error = %v, want the deadline as its cause", err)
			}
		})
	}
}

// What the provider has to know, and nothing that it need not.
func TestRequest(t *testing.T) {
	t.Parallel()
	f, server := finder(t, websearchtest.OK)
	if _, err := f.Suggest(t.Context(), saturday(t)); err != nil {
		t.Fatal(err)
	}
	r := server.Asked()[0]
	if r.Key != key || r.Model != websearch.DefaultModel || r.ToolChoice != "required" || r.Store == nil || *r.Store ||
		r.Reasoning == nil || r.Reasoning.Effort != "low" || r.MaxToolCalls == 0 || r.MaxOutputTokens == 0 {
		t.Errorf("request = %+v", r)
	}
	want := `{"message":"what's on Saturday ` +
		`evening?","from":"2026-11-21T00:00:00-08:00","to":"2026-11-22T00:00:00-08:00",` +
		`"today":"Saturday, 2026-11-21","timezone":"America/Los_Angeles","area":"San Francisco",` +
		`"near":{"latitude":37.8,"longitude":-122.4},"limit":8}`
	if diff := cmp.Diff(want, r.Input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	if strings.Contains(r.Instructions, "Saturday") {
		t.Error("the instructions are not the same for all")
	}
}

// A provider that takes no schema beside a search is asked with one only once.
func TestTheSchemaIsLeftOutFromThenOn(t *testing.T) {
	t.Parallel()
	f, server := finder(t, websearchtest.Chatty)
	for range 3 {
		if _, err := f.Suggest(t.Context(), saturday(t)); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(server.Asked()); got != 4 {
		t.Errorf("%d requests, want 4", got)
	}
}

// Times are those of the venue's clocks, wherever the question comes from.
func TestTheZoneIsTheVenues(t *testing.T) {
	t.Parallel()
	f, server := finder(t, websearchtest.OK)
	q := saturday(t)
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	q.Zone = tokyo
	list, err := f.Suggest(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if got := list[0].Start.Location(); got != tokyo {
		t.Errorf("zone %s, want the asker's; asked %s", got, server.Asked()[0].Input)
	}
}

func TestOnlyAtTheTimesAskedFor(t *testing.T) {
	t.Parallel()
	f, _ := finder(t, websearchtest.OK)
	q := saturday(t)
	q.Hours = &meet.Hours{Week: interval.EveryDay(interval.Window{Start: interval.At(19, 30), End: interval.At(23, 0)})}
	list, err := f.Suggest(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Title != "Late Quartet" {
		t.Errorf("got %q", lines(list))
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		cfg  websearch.Config
		ok   bool
	}{
		{"nothing", websearch.Config{}, false},
		{"a key", websearch.Config{Key: key}, true},
		{"another server", websearch.Config{BaseURL: "http://127.0.0.1:1/v1"}, true},
		{"OpenAI by name, without a key", websearch.Config{BaseURL: "https://API.openai.com/v1"}, false},
		{"no address", websearch.Config{BaseURL: "localhost", Key: key}, false},
	} {
		if _, err := websearch.New(c.cfg); (err == nil) != c.ok {
			t.Errorf("%s: error = %v", c.name, err)
		}
	}
}
