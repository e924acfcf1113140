package place_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
)

func TestWishOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]place.Criteria{
		"":                                 {},
		"outdoor seating":                  {Text: "outdoor seating"},
		"ramen in the Mission":             {Text: "ramen", Area: "Mission", PartOfTown: true},
		"in the Mission, quiet":            {Text: "quiet", Area: "Mission", PartOfTown: true},
		"quiet in San Francisco with wifi": {Text: "quiet with wifi", Area: "San Francisco"},
		"in Berlin in the Mitte":           {Text: "in the Mitte", Area: "Berlin"},
		"in the sun":                       {Text: "in the sun"},
		"coffee near Oracle Park":          {Text: "coffee", Landmark: "Oracle Park"},
		"near my office":                   {Text: "near my office"},
		"by Pier 39, lively":               {Text: "lively", Landmark: "Pier 39"},
		"not Zuni":                         {Refused: []string{"Zuni"}},
		"quiet, not at Zuni or the Mill":   {Text: "quiet", Refused: []string{"Zuni", "Mill"}},
		"no sushi in the Mission":          {Area: "Mission", PartOfTown: true, Refused: []string{"sushi"}},
		"without a view, outdoor seating":  {Text: "outdoor seating", Refused: []string{"view"}},
		"not too loud":                     {Refused: []string{"loud"}},
		"in":                               {Text: "in"},
		"not":                              {},
		"near the":                         {Text: "near the"},
		"שקט ליד הים":                      {Text: "שקט ליד הים"},
		"caf\xe9 in the Mission":           {Text: "caf", Area: "Mission", PartOfTown: true},
	} {
		if diff := cmp.Diff(want, place.ParseCriteria(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	if got := place.ParseCriteria(strings.Repeat("x ", 10_000)); len(got.Text) > 200 {
		t.Errorf("a text without end gives %d bytes", len(got.Text))
	}
}

func FuzzWishOf(f *testing.F) {
	f.Add("quiet, not at Zuni or the Mill, in the Mission near Oracle Park")
	f.Add("in the")
	f.Fuzz(func(t *testing.T, text string) {
		w := place.ParseCriteria(text)
		if w.Area != strings.TrimSpace(w.Area) || w.PartOfTown && w.Area == "" || len(w.Text) > len(text) {
			t.Errorf("%q gives %+v", text, w)
		}
	})
}

func at(km float64) geo.Point { return geo.Point{Latitude: 52.37 + km/111.2, Longitude: 4.9} }

func TestAnswer(t *testing.T) {
	t.Parallel()
	centre := at(0)
	tulp := meet.Place{ID: "tulp", Name: "Tulp", Rating: 4.5, Location: at(1), Types: []string{"cafe"}}
	iris := meet.Place{
		ID: "iris", Name: "Iris", Rating: 4.4, Location: at(1),
		Types: []string{"cafe"}, Features: []string{"outdoor seating"},
	}
	poor := meet.Place{ID: "poor", Name: "Roos", Rating: 3.2, Location: at(1), Types: []string{"cafe"}}
	far := meet.Place{ID: "far", Name: "Aster", Rating: 5, Location: at(80), Types: []string{"cafe"}}
	twin := meet.Place{Name: "Lelie", Address: "Kade 1", Rating: 4.1, Location: at(2)}
	all := []meet.Place{tulp, iris, poor, far, twin, twin, tulp}
	for _, c := range []struct {
		name           string
		query          meet.PlaceQuery
		byName, byKind []meet.Place
		want           string
	}{
		{"each once, the best first", meet.PlaceQuery{Near: &centre}, nil, all, "Tulp Iris Lelie"},
		{"what fits the text first", meet.PlaceQuery{Near: &centre, Text: "outdoor seating"}, nil, all, "Iris Tulp Lelie"},
		{"not what is refused", meet.PlaceQuery{Near: &centre, Text: "not Tulp"}, nil, all, "Iris Lelie"},
		{"nor what has it", meet.PlaceQuery{Near: &centre, Text: "no outdoor seating"}, nil, all, "Tulp Lelie"},
		{"out of reach where the text says so", meet.PlaceQuery{
			Near: &centre, Text: "in Utrecht",
		}, nil, all, "Tulp Iris Lelie Aster"},
		{"a name, whatever its rating and distance", meet.PlaceQuery{Near: &centre, Name: "Roos"}, all, nil, "Roos"},
		{"a name, and those like it", meet.PlaceQuery{Near: &centre, Name: "aster"}, all, []meet.Place{tulp}, "Aster Tulp"},
		{"a refused name", meet.PlaceQuery{Near: &centre, Name: "Tulp", Text: "not Tulp"}, all, nil, ""},
		{"no more than wanted", meet.PlaceQuery{Near: &centre, Limit: 1}, nil, all, "Tulp"},
		{"from nowhere", meet.PlaceQuery{}, nil, all, "Aster Tulp Iris Lelie"},
		{"nothing", meet.PlaceQuery{}, nil, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var names []string
			for _, p := range place.Answer(c.query, c.byName, c.byKind) {
				names = append(names, p.Name)
				if p.MapsURL != p.MapLink() || p.DistanceFromMidpointKm != place.DistanceKm(c.query.Near, p.Location) {
					t.Errorf("%s has link %q and distance %v", p.Name, p.MapsURL, p.DistanceFromMidpointKm)
				}
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestWeekOf holds that a place is open in its openings and at no other time, whatever they are.
func TestWeekOf(t *testing.T) {
	t.Parallel()
	if place.WeekOf(nil) != nil {
		t.Error("no openings are hours")
	}
	sunday := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, o := range []place.Opening{
		{540, 1020}, {0, 1440}, {0, 0}, {700, 700},
		{1080, 1440 + 120}, {1080, 1440 + 1080}, {1080, 1440 + 1081}, {10_000, 100}, {10_079, 0}, {9000, 5},
		{1440 * 2, 1440 * 5}, {-60, 60},
	} {
		p := meet.Place{OpeningHours: place.WeekOf([]place.Opening{o}), Timezone: "UTC"}
		for minute := range 7 * 1440 {
			span := interval.Span{
				Start: sunday.Add(time.Duration(minute) * time.Minute), End: sunday.Add(time.Duration(minute+1) * time.Minute),
			}
			got, _ := p.OpenDuring(span)
			from, length := ((o.From%10_080)+10_080)%10_080, ((o.To-o.From-1)%10_080+10_080)%10_080+1
			if want := (minute-from+10_080)%10_080 < length; got != want {
				t.Fatalf("%+v is %+v: open at minute %d: %v, want %v", o, *p.OpeningHours, minute, got, want)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	cause := errors.New("status")
	for _, c := range []struct {
		status int
		asked  time.Duration
		again  bool
		after  time.Duration
	}{
		{401, time.Second, false, 0}, {402, 0, false, 0}, {403, 0, false, 0}, {404, time.Second, false, 0},
		{429, time.Second, true, time.Second}, {500, 0, true, 0},
	} {
		err := place.Refused(c.status, c.asked, cause)
		said := fault.As(err)
		if said.Code != fault.PlacesUnavailable || said.Retryable != c.again || said.RetryAfter != c.after ||
			!errors.Is(err, cause) {
			t.Errorf("%d gives %+v", c.status, said)
		}
	}
	if err := place.Unavailable(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
