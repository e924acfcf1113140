package foursquare_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
	"convene/pkg/place/foursquare"
)

const key = "fsq-service-key-4711"

// centre is what the contract's suite searches around.
func centre() *geo.Point { return &geo.Point{Latitude: 52.3702, Longitude: 4.8952} }

// asking opens a finder that asks this source.
func asking(t *testing.T, source http.Handler) place.Finder {
	t.Helper()
	return finder(t, source, foursquare.Config{Deadline: 500 * time.Millisecond})
}

// failing opens a finder whose source has nothing where it should be.
func failing(t *testing.T) place.Finder {
	t.Helper()
	return asking(t, http.NotFoundHandler())
}

func finder(t *testing.T, source http.Handler, cfg foursquare.Config) *foursquare.Finder {
	t.Helper()
	server := httptest.NewServer(source)
	t.Cleanup(server.Close)
	cfg.Key, cfg.Endpoint = key, server.URL
	cfg.Deadline = cmp.Or(cfg.Deadline, 5*time.Second)
	f, err := foursquare.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// holding opens a finder over a source that has these places.
func holding(t *testing.T, places []meet.Place) place.Finder {
	t.Helper()
	return finder(t, &fake{places: places}, foursquare.Config{Around: centre()})
}

// fake behaves as Foursquare documents: it wants the key and the version, filters by radius, category and words, sorts,
// and gives no field that was not asked for. In areas it knows, "near" finds what lies within 5 km.
type fake struct {
	places []meet.Place
	areas  map[string]geo.Point

	mu    sync.Mutex
	asked []url.Values
}

// ServeHTTP answers a search.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f.mu.Lock()
	f.asked = append(f.asked, q)
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	switch {
	case r.Header.Get("Authorization") != "Bearer "+key:
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method != http.MethodGet || r.URL.Path != "/places/search" ||
		r.Header.Get("X-Places-Api-Version") != "2025-06-17":
		w.WriteHeader(http.StatusNotFound)
	default:
		f.search(w, q)
	}
}

func (f *fake) search(w http.ResponseWriter, q url.Values) {
	at, radius, err := f.where(q)
	limit, err2 := strconv.Atoi(q.Get("limit"))
	if err != nil || err2 != nil || limit < 1 || limit > 50 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var found []meet.Place
	for _, p := range f.places {
		if geo.Distance(at, p.Location) <= radius && matches(p, q) {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b meet.Place) int {
		if q.Get("sort") == "RATING" {
			return cmp.Compare(b.Rating, a.Rating)
		}
		return cmp.Compare(geo.Distance(at, a.Location), geo.Distance(at, b.Location))
	})
	results := []map[string]any{}
	for _, p := range found[:min(len(found), limit)] {
		results = append(results, described(p, strings.Split(q.Get("fields"), ",")))
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results, "context": map[string]any{}})
}

func (f *fake) where(q url.Values) (at geo.Point, km float64, err error) {
	if near := q.Get("near"); near != "" {
		at, known := f.areas[near]
		if !known {
			err = fmt.Errorf("no area %q", near)
		}
		return at, 5, err
	}
	if _, err = fmt.Sscanf(q.Get("ll"), "%f,%f", &at.Latitude, &at.Longitude); err != nil {
		return at, 0, err
	}
	meters, err := strconv.Atoi(q.Get("radius"))
	if meters > 100_000 {
		err = fmt.Errorf("radius %d", meters)
	}
	return at, float64(meters) / 1000, err
}

// categoryIDs are those of the kinds that the tests use.
var categoryIDs = map[string]string{
	"cafe": "4bf58dd8d48988d1e0931735", "restaurant": "4d4b7105d754a06374d81259", "park": "4bf58dd8d48988d163941735",
}

func matches(p meet.Place, q url.Values) bool {
	if ids := q.Get("fsq_category_ids"); ids != "" && !slices.ContainsFunc(p.Types, func(kind string) bool {
		return slices.Contains(strings.Split(ids, ","), categoryIDs[kind])
	}) {
		return false
	}
	if most, err := strconv.Atoi(q.Get("max_price")); err == nil && (p.Price == 0 || p.Price > most) {
		return false
	}
	has := place.Words(p.Name + " " + strings.Join(p.Types, " ") + " " + strings.Join(p.Features, " "))
	for _, word := range place.Words(q.Get("query")) {
		if !slices.Contains(has, word) {
			return false
		}
	}
	return true
}

func described(p meet.Place, fields []string) map[string]any {
	categories := []map[string]any{}
	for _, kind := range p.Types {
		categories = append(categories, map[string]any{"fsq_category_id": categoryIDs[kind], "short_name": kind})
	}
	all := map[string]any{
		"fsq_place_id": p.ID, "name": p.Name, "latitude": p.Location.Latitude, "longitude": p.Location.Longitude,
		"location":   map[string]any{"formatted_address": p.Address, "country": "NL"},
		"categories": categories, "attributes": attributes(p), "tastes": p.Features,
	}
	if p.Price > 0 {
		all["price"] = p.Price
	}
	if p.Rating > 0 {
		all["rating"] = p.Rating * 2
	}
	if p.OpeningHours != nil {
		all["hours"] = map[string]any{"regular": regular(*p.OpeningHours), "open_now": true}
	}
	for field := range all {
		if !slices.Contains(fields, field) {
			delete(all, field)
		}
	}
	return all
}

// attributes says of outdoor seating what is known of it.
func attributes(p meet.Place) map[string]any {
	said := map[string]any{}
	switch {
	case slices.Contains(p.Features, "outdoor seating"):
		said["outdoor_seating"] = true
	case slices.Contains(p.Lacks, meet.OutdoorSeating):
		said["outdoor_seating"] = false
	}
	return said
}

func regular(week interval.Week) []map[string]any {
	list := []map[string]any{}
	for day, windows := range week {
		for _, w := range windows {
			list = append(list, map[string]any{
				"day": cmp.Or(day, 7), "open": strings.ReplaceAll(w.Start.String(), ":", ""),
				"close": strings.ReplaceAll(w.End.String(), ":", ""),
			})
		}
	}
	return list
}
