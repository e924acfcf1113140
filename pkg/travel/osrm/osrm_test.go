package osrm_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/travel"
	"convene/pkg/travel/osrm"
)

func from() []geo.Point {
	return []geo.Point{{Latitude: 52.37, Longitude: 4.89}, {Latitude: 52.36, Longitude: 4.91}}
}

// to has three points far enough to ride to from both.
func to() []geo.Point {
	return []geo.Point{
		{Latitude: 52.38, Longitude: 4.9}, {Latitude: 52.35, Longitude: 4.88}, {Latitude: 52.3, Longitude: 4.8},
	}
}

func router(t *testing.T, source http.HandlerFunc, cfg osrm.Config) *osrm.Router {
	t.Helper()
	server := httptest.NewServer(source)
	t.Cleanup(server.Close)
	cfg.URL, cfg.Deadline = server.URL+"/", cmp.Or(cfg.Deadline, 5*time.Second)
	r, err := osrm.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func saying(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}
}

func estimates(t *testing.T) [][]time.Duration {
	t.Helper()
	times, err := travel.Model{}.Times(t.Context(), from(), to())
	if err != nil {
		t.Fatal(err)
	}
	return times
}

const (
	minute  = time.Minute
	parking = 5 * minute
)

func TestTimes(t *testing.T) {
	t.Parallel()
	var asked atomic.Pointer[string]
	r := router(t, func(w http.ResponseWriter, req *http.Request) {
		uri := req.URL.RequestURI()
		asked.Store(&uri)
		saying(http.StatusOK, `{"code":"Ok","durations":[[600,1200.4,null],[0,61,-5]],"sources":[],"destinations":[]}`)(w,
			req)
	}, osrm.Config{})
	got, err := r.Times(t.Context(), from(), to())
	estimate := estimates(t)
	want := [][]time.Duration{
		{10*minute + parking, 20*minute + parking, estimate[0][2]}, {parking, minute + parking, estimate[1][2]},
	}
	if diff := gocmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, (-want +got):\n%s", err, diff)
	}
	const path = "/table/v1/driving/4.8900,52.3700;4.9100,52.3600;4.9000,52.3800;4.8800,52.3500;4.8000,52.3000" +
		"?annotations=duration&sources=0;1&destinations=2;3;4"
	if *asked.Load() != path {
		t.Errorf("asked %s, want %s", *asked.Load(), path)
	}
}

// TestRoundTheCorner checks that walking replaces a slower drive.
func TestRoundTheCorner(t *testing.T) {
	t.Parallel()
	r := router(t, saying(http.StatusOK, `{"code":"Ok","durations":[[60]]}`), osrm.Config{})
	home, corner := geo.Point{Latitude: 52.37, Longitude: 4.89}, geo.Point{Latitude: 52.372, Longitude: 4.89}
	got, err := r.Times(t.Context(), []geo.Point{home}, []geo.Point{corner})
	if want, _ := (travel.Model{}).Between(home, corner); err != nil || got[0][0] != want {
		t.Errorf("round the corner takes %v, want %v; error %v", got, want, err)
	}
}

func TestManyPointsAreAskedInParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, calls int }{{1, 99, 1}, {1, 120, 2}, {84, 16, 1}, {160, 16, 2}, {300, 60, 8}} {
		var calls atomic.Int32
		r := router(t, func(w http.ResponseWriter, req *http.Request) {
			calls.Add(1)
			if n := strings.Count(req.URL.Path, ";") + 1; n > 100 {
				w.WriteHeader(http.StatusRequestEntityTooLarge)
				return
			}
			sources, destinations, _ := strings.Cut(req.URL.RawQuery, "&destinations=")
			rows, columns := strings.Count(sources, ";")+1, strings.Count(destinations, ";")+1
			row := "[" + strings.TrimSuffix(strings.Repeat("300,", columns), ",") + "]"
			saying(http.StatusOK, `{"code":"Ok","durations":[`+strings.TrimSuffix(strings.Repeat(row+",", rows), ",")+`]}`)(w,
				req)
		}, osrm.Config{})
		starts, ends := make([]geo.Point, c.from), make([]geo.Point, c.to)
		for i := range ends {
			ends[i].Latitude = 1
		}
		got, err := r.Times(t.Context(), starts, ends)
		if err != nil || len(got) != c.from || len(got[0]) != c.to || got[0][0] != 10*minute || int(calls.Load()) != c.calls {
			t.Errorf("%d by %d: %d calls, want %d; error %v", c.from, c.to, calls.Load(), c.calls, err)
		}
		if last := got[c.from-1][c.to-1]; c.calls < 8 && last != 10*minute {
			t.Errorf("%d by %d: the last way takes %v", c.from, c.to, last)
		}
	}
}

// TestEstimates holds that whatever the router does, there are times, and an error that does not tell where people are.
func TestEstimates(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]http.HandlerFunc{
		"no way":             saying(http.StatusBadRequest, `{"code":"NoTable","message":"no"}`),
		"another profile":    saying(http.StatusBadRequest, `{"code":"InvalidUrl"}`),
		"404":                saying(http.StatusNotFound, `{}`),
		"500":                saying(http.StatusInternalServerError, `{}`),
		"a page":             saying(http.StatusOK, `<html>`),
		"cut off":            saying(http.StatusOK, `{"code":"Ok","durations":[[1,`),
		"too few rows":       saying(http.StatusOK, `{"code":"Ok","durations":[[1,2,3]]}`),
		"too few columns":    saying(http.StatusOK, `{"code":"Ok","durations":[[1,2],[3,4]]}`),
		"durations in words": saying(http.StatusOK, `{"code":"Ok","durations":[["a","b","c"],[1,2,3]]}`),
		"slow":               func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := router(t, source, osrm.Config{Deadline: 300 * time.Millisecond})
			got, err := r.Times(t.Context(), from(), to())
			if diff := gocmp.Diff(estimates(t), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if err == nil || strings.Contains(err.Error(), "52.3") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestNobodyIsAskedAboutNothing(t *testing.T) {
	t.Parallel()
	r := router(t, func(http.ResponseWriter, *http.Request) { t.Error("the router was asked") }, osrm.Config{})
	for _, points := range [][2][]geo.Point{{nil, to()}, {from(), nil}} {
		if got, err := r.Times(t.Context(), points[0], points[1]); err != nil || len(got) != len(points[0]) {
			t.Errorf("got %v, error %v", got, err)
		}
	}
}

// TestARouterThatIsDownIsLeftAlone checks that a router that is down is not asked again and again.
func TestARouterThatIsDownIsLeftAlone(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	r := router(t, func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	}, osrm.Config{})
	for range 40 {
		if _, err := r.Times(t.Context(), from(), to()); err == nil {
			t.Fatal("a failure gave no error")
		}
	}
	if n := calls.Load(); n > 30 {
		t.Errorf("%d calls reached a router that fails each", n)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "localhost:5000", "ftp://router", "http://", "http://a b"} {
		if _, err := osrm.New(osrm.Config{URL: address}); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("address %q gives %v", address, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := router(t, saying(http.StatusOK, `{}`), osrm.Config{}).Times(ctx, from(), to())
	if len(got) != 2 || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, error %v", got, err)
	}
}
