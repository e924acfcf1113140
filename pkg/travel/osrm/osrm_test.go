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
func to() []geo.Point {
	return []geo.Point{{Latitude: 52.38, Longitude: 4.9}, {Latitude: 52.35, Longitude: 4.88}, {Latitude: 52.3, Longitude: 4.8}}
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

const minute = time.Minute

func TestTimes(t *testing.T) {
	t.Parallel()
	var asked atomic.Pointer[string]
	r := router(t, func(w http.ResponseWriter, req *http.Request) {
		uri := req.URL.RequestURI()
		asked.Store(&uri)
		saying(http.StatusOK, `{"code":"Ok","durations":[[600,1200.4,null],[0,61,-5]],"sources":[],"destinations":[]}`)(w, req)
	}, osrm.Config{})
	got := r.Times(t.Context(), travel.Drive, from(), to())
	estimate := travel.Model{}.Times(t.Context(), travel.Drive, from(), to())
	want := [][]time.Duration{{10 * minute, 20 * minute, estimate[0][2]}, {0, minute, estimate[1][2]}}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const path = "/table/v1/driving/4.8900,52.3700;4.9100,52.3600;4.9000,52.3800;4.8800,52.3500;4.8000,52.3000" +
		"?annotations=duration&sources=0;1&destinations=2;3;4"
	if *asked.Load() != path {
		t.Errorf("asked %s, want %s", *asked.Load(), path)
	}
}

func TestManyPlacesAreAskedInParts(t *testing.T) {
	t.Parallel()
	var calls, points atomic.Int32
	r := router(t, func(w http.ResponseWriter, req *http.Request) {
		calls.Add(1)
		n := strings.Count(req.URL.Path, ";") + 1
		points.Add(int32(n - 1))
		if n > 100 {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		row := strings.TrimSuffix(strings.Repeat("300,", n-1), ",")
		saying(http.StatusOK, `{"code":"Ok","durations":[[`+row+`]]}`)(w, req)
	}, osrm.Config{})
	many := make([]geo.Point, 250)
	got := r.Times(t.Context(), travel.Walk, from()[:1], many)
	if len(got) != 1 || len(got[0]) != 250 || got[0][0] != 5*minute || got[0][249] != 5*minute || calls.Load() != 3 || points.Load() != 250 {
		t.Errorf("%d calls for %d places", calls.Load(), points.Load())
	}
}

// TestEstimates holds that whatever the router does, there are times, and that somebody is told.
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
			var told atomic.Int32
			r := router(t, source, osrm.Config{Deadline: 300 * time.Millisecond, Notify: func(_ context.Context, err error) {
				told.Add(1)
				if strings.Contains(err.Error(), "52.3") {
					t.Errorf("the error tells where people are: %v", err)
				}
			}})
			want := travel.Model{}.Times(t.Context(), travel.Drive, from(), to())
			if diff := gocmp.Diff(want, r.Times(t.Context(), travel.Drive, from(), to())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if told.Load() != 1 {
				t.Errorf("told of %d failures, want one", told.Load())
			}
		})
	}
}

func TestTransitIsEstimated(t *testing.T) {
	t.Parallel()
	r := router(t, func(http.ResponseWriter, *http.Request) { t.Error("the router was asked") }, osrm.Config{})
	want := travel.Model{}.Times(t.Context(), travel.Transit, from(), to())
	if diff := gocmp.Diff(want, r.Times(t.Context(), travel.Transit, from(), to())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r.Times(t.Context(), travel.Drive, nil, to())
	r.Times(t.Context(), travel.Drive, from(), nil)
	r.Route(t.Context(), travel.Transit, from()[0], to()[0])
}

func TestRoute(t *testing.T) {
	t.Parallel()
	estimate := travel.Model{}.Between(travel.Walk, from()[0], to()[0])
	for body, want := range map[string]time.Duration{
		`{"code":"Ok","routes":[{"duration":754.2}]}`: 13 * minute,
		`{"code":"Ok","routes":[]}`:                   estimate,
		`{"code":"Ok","routes":[{}]}`:                 estimate,
		`{"code":"Ok","routes":[{"duration":1e300}]}`: estimate,
		`{"code":"NoRoute"}`:                          estimate,
		`nonsense`:                                    estimate,
	} {
		r := router(t, func(w http.ResponseWriter, req *http.Request) {
			if got := req.URL.RequestURI(); got != "/route/v1/foot/4.8900,52.3700;4.9000,52.3800?overview=false" {
				t.Errorf("asked %s", got)
			}
			saying(http.StatusOK, body)(w, req)
		}, osrm.Config{})
		if got := r.Route(t.Context(), travel.Walk, from()[0], to()[0]); got != want {
			t.Errorf("%s is %v, want %v", body, got, want)
		}
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
	var told error
	r := router(t, saying(http.StatusOK, `{}`), osrm.Config{Notify: func(_ context.Context, err error) { told = err }})
	if got := r.Times(ctx, travel.Drive, from(), to()); len(got) != 2 || !errors.Is(told, context.Canceled) {
		t.Errorf("got %v, told of %v", got, told)
	}
}
