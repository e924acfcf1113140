package google_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
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
	"convene/pkg/place/google"
)

const key = "AIza-places-key-4711"

// centre is what the contract's suite searches around.
func centre() *geo.Point { return &geo.Point{Latitude: 52.3702, Longitude: 4.8952} }

// asking opens a finder that asks this source.
func asking(t *testing.T, source http.Handler) place.Finder {
	t.Helper()
	return finder(t, source, google.Config{Deadline: 500 * time.Millisecond})
}

// failing opens a finder whose source has nothing where it should be.
func failing(t *testing.T) place.Finder {
	t.Helper()
	return asking(t, http.NotFoundHandler())
}

func finder(t *testing.T, source http.Handler, cfg google.Config) *google.Finder {
	t.Helper()
	server := httptest.NewServer(source)
	t.Cleanup(server.Close)
	cfg.Key, cfg.Endpoint = key, server.URL
	cfg.Deadline = cmp.Or(cfg.Deadline, 5*time.Second)
	f, err := google.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// holding opens a finder over a source that has these places.
func holding(t *testing.T, places []meet.Place) place.Finder {
	t.Helper()
	return finder(t, &fake{places: places}, google.Config{Around: centre()})
}

type point struct{ Latitude, Longitude float64 }

// asked is what both searches may have in their body.
type asked struct {
	Path                              string `json:"-"`
	TextQuery                         string
	IncludedTypes                     []string
	PageToken                         string
	PageSize                          int
	MaxResultCount                    int
	PriceLevels                       []string
	Mask                              []string `json:"-"`
	LocationRestriction, LocationBias struct {
		Circle *struct {
			Center point
			Radius float64
		}
		Rectangle *struct{ Low, High point }
	}
}

// fake behaves as Google documents: it wants the key and the field mask in headers, filters by circle, box, type and
// words, gives 20 places at most, text searches page by page, and no field that was not asked for.
type fake struct {
	places []meet.Place

	mu    sync.Mutex
	asked []asked
}

// ServeHTTP answers a search.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := asked{Path: r.URL.Path, Mask: strings.Split(r.Header.Get("X-Goog-FieldMask"), ",")}
	err := json.NewDecoder(r.Body).Decode(&a)
	f.mu.Lock()
	f.asked = append(f.asked, a)
	f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	mask := r.Header.Get("X-Goog-FieldMask")
	switch {
	case r.Header.Get("X-Goog-Api-Key") != key || strings.Contains(r.URL.String(), key):
		w.WriteHeader(http.StatusForbidden)
	case err != nil || mask == "" || strings.Contains(mask, " "):
		w.WriteHeader(http.StatusBadRequest)
	case r.URL.Path == "/v1/places:searchNearby" && a.MaxResultCount <= 20 && a.LocationRestriction.Circle != nil:
		f.answer(w, a, 20, mask)
	case r.URL.Path == "/v1/places:searchText" && a.PageSize <= 20 && a.TextQuery != "":
		f.answer(w, a, a.PageSize, mask)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (f *fake) answer(w http.ResponseWriter, a asked, size int, mask string) {
	var found []meet.Place
	for _, p := range f.places {
		if a.holds(p) {
			found = append(found, p)
		}
	}
	from, _ := strconv.Atoi(a.PageToken)
	to := min(from+size, len(found))
	answer := map[string]any{}
	if from < to {
		list := []map[string]any{}
		for _, p := range found[from:to] {
			list = append(list, described(p, strings.Split(mask, ",")))
		}
		answer["places"] = list
	}
	if to < len(found) && strings.Contains(mask, "nextPageToken") {
		answer["nextPageToken"] = strconv.Itoa(to)
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (a asked) holds(p meet.Place) bool {
	if c := a.LocationRestriction.Circle; c != nil && geo.Distance(geo.Point(c.Center), p.Location)*1000 > c.Radius {
		return false
	}
	if box := a.LocationRestriction.Rectangle; box != nil && (p.Location.Latitude < box.Low.Latitude ||
		p.Location.Latitude > box.High.Latitude || p.Location.Longitude < box.Low.Longitude ||
		p.Location.Longitude > box.High.Longitude) {
		return false
	}
	if len(a.IncludedTypes) > 0 {
		return slices.ContainsFunc(a.IncludedTypes, func(one string) bool { return slices.Contains(p.Types, one) })
	}
	if len(a.PriceLevels) > 0 && !slices.Contains(a.PriceLevels, levels()[p.Price]) {
		return false
	}
	has := place.Words(p.Name + " " + p.Address + " " + strings.Join(p.Types, " ") + " " + strings.Join(p.Features, " "))
	for _, word := range place.Words(a.TextQuery) {
		if word != "in" && word != "the" && word != "or" && !slices.Contains(has, word) {
			return false
		}
	}
	return true
}

func levels() []string {
	return []string{
		"", "PRICE_LEVEL_INEXPENSIVE", "PRICE_LEVEL_MODERATE", "PRICE_LEVEL_EXPENSIVE", "PRICE_LEVEL_VERY_EXPENSIVE",
	}
}

func described(p meet.Place, mask []string) map[string]any {
	all := map[string]any{
		"id": p.ID, "displayName": map[string]any{"text": p.Name, "languageCode": "en"}, "formattedAddress": p.Address,
		"location": map[string]any{"latitude": p.Location.Latitude, "longitude": p.Location.Longitude},
		"types":    append(slices.Clone(p.Types), "point_of_interest", "establishment"),
		"timeZone": map[string]any{"id": p.Timezone}, "businessStatus": "OPERATIONAL", "nationalPhoneNumber": "1234",
		"addressComponents": []any{map[string]any{"longText": p.Address, "types": []string{"neighborhood"}}},
	}
	if len(p.Types) > 0 {
		all["primaryType"] = p.Types[0]
	}
	if p.Price > 0 {
		all["priceLevel"] = levels()[p.Price]
	}
	for feature, field := range map[string]string{
		"outdoor seating": "outdoorSeating", "vegetarian": "servesVegetarianFood", "dog friendly": "allowsDogs",
	} {
		all[field] = slices.Contains(p.Features, feature)
	}
	if p.Rating > 0 {
		all["rating"] = p.Rating
	}
	if p.OpeningHours != nil {
		all["regularOpeningHours"] = map[string]any{"periods": periods(*p.OpeningHours)}
	}
	for field := range all {
		if !slices.Contains(mask, "places."+field) {
			delete(all, field)
		}
	}
	return all
}

func periods(week interval.Week) []any {
	list := []any{}
	for day, windows := range week {
		for _, w := range windows {
			list = append(list, map[string]any{
				"open":  map[string]any{"day": day, "hour": int(w.Start) / 60, "minute": int(w.Start) % 60},
				"close": map[string]any{"day": day, "hour": int(w.End) / 60, "minute": int(w.End) % 60},
			})
		}
	}
	return list
}
