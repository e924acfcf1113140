package foursquare

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// search is one search with what it has found out.
type search struct {
	*Finder
	query meet.PlaceQuery
	wish  place.Wish
	// from is what to look around.
	from *geo.Point
}

// landmarkMeters is how far from a landmark a place may be.
const (
	landmarkMeters = place.WalkKm * 1000
	closeMeters    = place.CloseKm * 1000
)

// goToLandmark has the search look around the landmark that the wish names; false where there is none of the name.
func (s *search) goToLandmark(ctx context.Context) (there bool, err error) {
	if s.wish.Landmark == "" || s.from == nil {
		return true, nil
	}
	q := s.around(reachMeters)
	q.Set("query", s.wish.Landmark)
	q.Set("fields", "fsq_place_id,name,latitude,longitude")
	found, err := s.ask(ctx, q)
	if err != nil {
		return false, err
	}
	wanted := place.NameOf(s.wish.Landmark)
	for _, p := range found {
		if wanted.Likeness(place.NameOf(p.Name, p.Address)) > 0 {
			s.from = &p.Location
			return true, nil
		}
	}
	return false, nil
}

// named are the venues that the query may mean by its name.
func (s *search) named(ctx context.Context) ([]meet.Place, error) {
	if s.query.Name == "" {
		return nil, nil
	}
	q := s.around(widestMeters)
	q.Set("query", s.query.Name)
	return s.ask(ctx, q)
}

// others are the places that fit the rest of the query. Where it says no more than a name, those like the venue of that
// name fit.
func (s *search) others(ctx context.Context, named []meet.Place) ([]meet.Place, error) {
	ids, words := categoriesOf(s.kinds, s.query.Types)
	switch {
	case len(ids) > 0:
		words = nil // the categories say it
	case s.query.Name != "" && len(s.query.Types) == 0 && s.wish.Text == "":
		if ids = s.like(named); len(ids) == 0 {
			return nil, nil
		}
	}
	what := url.Values{}
	if len(ids) > 0 {
		what.Set("fsq_category_ids", strings.Join(ids, ","))
	}
	if words = append(words, s.wish.Text); strings.TrimSpace(strings.Join(words, " ")) != "" {
		what.Set("query", strings.TrimSpace(strings.Join(words, " ")))
	}
	found, err := s.there(ctx, what)
	if err != nil || len(s.query.Features) == 0 {
		return found, err
	}
	wished, err := s.there(ctx, s.wishing(what))
	return slices.Concat(wished, found), err
}

// there looks where the wish says.
func (s *search) there(ctx context.Context, what url.Values) ([]meet.Place, error) {
	if s.wish.Area != "" {
		return s.inArea(ctx, what)
	}
	return s.nearby(ctx, what)
}

// wishing are the parameters with the features that are wished for: a price as such, the others by their words.
func (s *search) wishing(what url.Values) url.Values {
	q := url.Values{}
	for key, values := range what {
		q[key] = values
	}
	words := []string{what.Get("query")}
	for _, feature := range s.query.Features {
		switch {
		case feature == meet.Cheap && s.cfg.Tier == Premium:
			q.Set("max_price", strconv.Itoa(cheapest))
		case feature == meet.Upscale && s.cfg.Tier == Premium:
			q.Set("min_price", strconv.Itoa(dearest))
		default:
			words = append(words, string(feature))
		}
	}
	if text := strings.TrimSpace(strings.Join(words, " ")); text != "" {
		q.Set("query", text)
	}
	return q
}

// like are the categories of the first that has the name, none where nothing has it.
func (s *search) like(named []meet.Place) []string {
	wanted := place.NameOf(s.query.Name)
	for _, p := range named {
		if wanted.Likeness(place.NameOf(p.Name, p.Address)) > 0 {
			ids, _ := categoriesOf(s.kinds, p.Types[:min(len(p.Types), 1)])
			return ids
		}
	}
	return nil
}

// nearby looks in the vicinity, and farther where that does not fill a page. Near a landmark there is no farther.
func (s *search) nearby(ctx context.Context, what url.Values) ([]meet.Place, error) {
	if s.wish.Close {
		return s.within(ctx, closeMeters, what)
	}
	if s.wish.Landmark != "" {
		found, err := s.within(ctx, landmarkMeters, what)
		for i := range found {
			found[i].InArea = true
		}
		return found, err
	}
	found, err := s.within(ctx, vicinityMeters, what)
	if err != nil || len(found) >= place.MaxLimit {
		return found, err
	}
	farther, err := s.within(ctx, reachMeters, what)
	if len(found) > 0 {
		return slices.Concat(found, farther), nil // what is near will do
	}
	return farther, err
}

func (s *search) within(ctx context.Context, meters int, what url.Values) ([]meet.Place, error) {
	q := s.around(meters)
	for key, values := range what {
		q[key] = values
	}
	if what.Get("query") == "" && s.cfg.Tier == Premium {
		q.Set("sort", "RATING")
	}
	return s.ask(ctx, q)
}

// inArea looks in the part of town, or the town, that the wish names.
func (s *search) inArea(ctx context.Context, what url.Values) ([]meet.Place, error) {
	q := s.fields()
	for key, values := range what {
		q[key] = values
	}
	q.Set("near", s.wish.Area)
	found, err := s.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(p meet.Place) bool { return s.elsewhere(p) })
	for i := range found {
		found[i].InArea = true
	}
	return found, nil
}

// elsewhere reports whether a place is in another area of the name than the one meant: out of reach, and not in a town
// that is called so. Parts of towns, which people say with "the", are never out of reach.
func (s *search) elsewhere(p meet.Place) bool {
	if s.from == nil || place.DistanceKm(s.from, p.Location) <= place.ReachKm {
		return false
	}
	town := " " + strings.Join(place.Words(s.wish.Area), " ") + " "
	return s.wish.PartOfTown || !strings.Contains(" "+strings.Join(place.Words(p.Address), " ")+" ", town)
}

// around begins the parameters of a call: near to the middle, or in the area where there is none.
func (s *search) around(meters int) url.Values {
	q := s.fields()
	if s.from == nil {
		q.Set("near", s.wish.Area)
		return q
	}
	q.Set("ll", degrees(s.from.Latitude)+","+degrees(s.from.Longitude))
	q.Set("radius", strconv.Itoa(meters))
	return q
}

const (
	proFields     = "fsq_place_id,name,latitude,longitude,location,categories,date_closed"
	premiumFields = proFields + ",rating,price,hours,attributes,tastes,photos"
)

func (s *search) fields() url.Values {
	fields := premiumFields
	if s.cfg.Tier == Pro {
		fields = proFields
	}
	return url.Values{"fields": {fields}, "limit": {strconv.Itoa(place.MaxLimit)}}
}

// degrees writes a coordinate to some hundred metres: nobody's address need be told.
func degrees(d float64) string { return strconv.FormatFloat(d, 'f', 3, 64) }
