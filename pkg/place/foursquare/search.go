package foursquare

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// search is the state of one search.
type search struct {
	*Finder
	query    meet.PlaceQuery
	criteria place.Criteria
	// from is the centre of the search.
	from *geo.Point
}

// landmarkMeters and closeMeters are how far from a landmark a place may be.
const (
	landmarkMeters = place.WalkKm * 1000
	closeMeters    = place.CloseKm * 1000
)

// goToLandmark centres the search on the landmark in the criteria; false if there is none of the name.
func (s *search) goToLandmark(ctx context.Context) (there bool, err error) {
	if s.criteria.Landmark == "" || s.from == nil {
		return true, nil
	}
	q := s.around(reachMeters)
	q.Set("query", s.criteria.Landmark)
	q.Set("fields", "fsq_place_id,name,latitude,longitude")
	found, err := s.ask(ctx, q)
	if err != nil {
		return false, err
	}
	p, there := place.FirstNamed(found, s.criteria.Landmark)
	if there {
		s.from = &p.Location
	}
	return there, nil
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

// others are the places that fit the rest of the query. If it has only a name, places like that venue fit.
func (s *search) others(ctx context.Context, named []meet.Place) ([]meet.Place, error) {
	ids, words := categoriesOf(s.kinds, s.query.Types)
	switch {
	case len(ids) > 0:
		words = nil // the categories say it
	case s.query.Name != "" && len(s.query.Types) == 0 && s.criteria.Text == "":
		if ids = s.like(named); len(ids) == 0 {
			return nil, nil
		}
	}
	what := url.Values{}
	if len(ids) > 0 {
		what.Set("fsq_category_ids", strings.Join(ids, ","))
	}
	if words = append(words, s.criteria.Text); strings.TrimSpace(strings.Join(words, " ")) != "" {
		what.Set("query", strings.TrimSpace(strings.Join(words, " ")))
	}
	found, err := s.there(ctx, what)
	if err != nil || len(s.query.Features) == 0 {
		return found, err
	}
	wished, err := s.there(ctx, s.wishing(what))
	return slices.Concat(wished, found), err
}

// there searches the requested area, or around the centre.
func (s *search) there(ctx context.Context, what url.Values) ([]meet.Place, error) {
	if s.criteria.Area != "" {
		return s.inArea(ctx, what)
	}
	return s.nearby(ctx, what)
}

// wishing adds the wished features to the parameters: a price as such, the others by their words.
func (s *search) wishing(what url.Values) url.Values {
	q := maps.Clone(what)
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

// like are the categories of the first place with the name, none if there is none.
func (s *search) like(named []meet.Place) []string {
	p, _ := place.FirstNamed(named, s.query.Name)
	ids, _ := categoriesOf(s.kinds, p.Types[:min(len(p.Types), 1)])
	return ids
}

// nearby searches the vicinity, and then farther out if that does not fill a page, but not near a landmark.
func (s *search) nearby(ctx context.Context, what url.Values) ([]meet.Place, error) {
	if s.criteria.Close {
		return s.within(ctx, closeMeters, what)
	}
	if s.criteria.Landmark != "" {
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
	maps.Copy(q, what)
	if what.Get("query") == "" && s.cfg.Tier == Premium {
		q.Set("sort", "RATING")
	}
	return s.ask(ctx, q)
}

// inArea searches the requested part of town, or town.
func (s *search) inArea(ctx context.Context, what url.Values) ([]meet.Place, error) {
	q := s.fields()
	maps.Copy(q, what)
	q.Set("near", s.criteria.Area)
	found, err := s.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, s.elsewhere)
	for i := range found {
		found[i].InArea = true
	}
	return found, nil
}

// elsewhere reports whether a place is in another area of the same name: out of reach, and not in a town of that name.
// A part of town, written with "the", is always within reach.
func (s *search) elsewhere(p meet.Place) bool {
	if s.from == nil || place.DistanceKm(s.from, p.Location) <= place.ReachKm {
		return false
	}
	town := " " + strings.Join(place.Words(s.criteria.Area), " ") + " "
	return s.criteria.PartOfTown || !strings.Contains(" "+strings.Join(place.Words(p.Address), " ")+" ", town)
}

// around are the parameters of a search around the centre, or in the area if there is no centre.
func (s *search) around(meters int) url.Values {
	q := s.fields()
	if s.from == nil {
		q.Set("near", s.criteria.Area)
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

// degrees rounds a coordinate to some hundred metres, so that no address is revealed.
func degrees(d float64) string { return strconv.FormatFloat(d, 'f', 3, 64) }
