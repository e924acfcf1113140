package place_test

import (
	"errors"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

func TestOffered(t *testing.T) {
	t.Parallel()
	for rating, want := range map[float64]bool{0: true, 1: false, 3.9: false, 4: true, 4.01: true, 5: true} {
		if got := place.Offered(rating); got != want {
			t.Errorf("Offered(%v) = %v, want %v", rating, got, want)
		}
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		better, than [2]float64
		why          string
	}{
		{[2]float64{4.5, 1}, [2]float64{4.2, 1}, "more stars at the same distance"},
		{[2]float64{4.5, 1}, [2]float64{4.5, 2}, "nearer with the same stars"},
		{[2]float64{4.3, 0.5}, [2]float64{4.6, 4}, "some kilometres outweigh a few tenths"},
		{[2]float64{4.1, 1}, [2]float64{0, 1}, "rated ahead of unrated"},
	} {
		if place.Score(c.better[0], c.better[1]) <= place.Score(c.than[0], c.than[1]) {
			t.Errorf("%s: %v is not ahead of %v", c.why, c.better, c.than)
		}
	}
	if got, want := place.Score(0, 2), place.Score(meet.MinRating, 2); got != want {
		t.Errorf("an unrated place scores %v, want %v as one of the lowest rating offered", got, want)
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]int{-3: 10, 0: 10, 1: 1, 50: 50, 51: 50} {
		if got := place.Limit(meet.PlaceQuery{Limit: limit}); got != want {
			t.Errorf("limit %d gives %d, want %d", limit, got, want)
		}
	}
}

func TestDistanceKm(t *testing.T) {
	t.Parallel()
	ferry, zuni := geo.Point{Latitude: 37.7955, Longitude: -122.3937}, geo.Point{Latitude: 37.7736, Longitude: -122.4216}
	if got := place.DistanceKm(&ferry, zuni); math.Abs(got-3.46) > 0.02 || got != math.Round(got*1000)/1000 {
		t.Errorf("distance is %v, want 3.46 to the metre", got)
	}
	if got := place.DistanceKm(nil, zuni); got != 0 {
		t.Errorf("without a midpoint the distance is %v, want 0", got)
	}
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	cause := errors.New("dial tcp 10.0.0.7: refused")
	err := place.Unavailable(cause)
	f := fault.As(err)
	if f.Code != fault.PlacesUnavailable || !f.Retryable || !errors.Is(err, cause) {
		t.Errorf("got %+v, want a retryable fault with its cause", f)
	}
	if strings.Contains(f.Message, "10.0.0.7") {
		t.Errorf("the message tells something internal: %q", f.Message)
	}
}

func TestMapLink(t *testing.T) {
	t.Parallel()
	here := geo.Point{Latitude: 37.7736, Longitude: -122.42160004}
	for _, c := range []struct {
		name string
		in   meet.Place
		want string
	}{
		{"name and address", meet.Place{Name: "Zuni Café", Address: "1658 Market St, San Francisco", Location: here},
			"https://www.google.com/maps/search/?api=1&query=Zuni+Caf%C3%A9%2C+1658+Market+St%2C+San+Francisco"},
		{"what could break out", meet.Place{Name: "A&B=C #1?", Address: "x y", Location: here},
			"https://www.google.com/maps/search/?api=1&query=A%26B%3DC+%231%3F%2C+x+y"},
		{"no address", meet.Place{Name: "Zuni", Location: here},
			"https://www.google.com/maps/search/?api=1&query=37.7736%2C-122.4216"},
		{"too long for a link", meet.Place{Name: strings.Repeat("é", 1000), Address: "x", Location: here},
			"https://www.google.com/maps/search/?api=1&query=37.7736%2C-122.4216"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := c.in.MapLink()
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if u, err := url.Parse(got); err != nil || u.Query().Get("api") != "1" || len(u.Query()) != 2 {
				t.Errorf("%q does not parse into its two parameters: %v", got, err)
			}
		})
	}
}

func TestSettled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query meet.PlaceQuery
		want  bool
	}{
		{meet.PlaceQuery{}, false},
		{meet.PlaceQuery{Text: "quiet", Types: []string{"cafe"}}, false},
		{meet.PlaceQuery{Name: "Zuni"}, true},
		{meet.PlaceQuery{Text: "lunch in Berlin"}, true},
	} {
		if got := place.Settled(c.query); got != c.want {
			t.Errorf("%+v: %v, want %v", c.query, got, c.want)
		}
	}
}
