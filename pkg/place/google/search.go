package google

import (
	"context"
	"math"
	"slices"
	"strings"

	places "google.golang.org/api/places/v1"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

const (
	// vicinityMeters is the radius of the first search; a full page ends the search.
	vicinityMeters = 3_000
	reachMeters    = place.ReachKm * 1000
	// landmarkMeters is how far from a landmark a place may be.
	landmarkMeters = place.WalkKm * 1000
	// pageSize and maxPages are Google's maxima.
	pageSize = 20
	maxPages = 3
	// kmPerDegree is the length of a degree of latitude.
	kmPerDegree = 111.195
)

// fields are requested of every place.
const fields = "places.id,places.displayName,places.formattedAddress,places.addressComponents,places.location," +
	"places.types," +
	"places.primaryType,places.rating,places.priceLevel,places.regularOpeningHours,places.timeZone," +
	"places.businessStatus," +
	"places.attributions,places.googleMapsUri"

// fieldOf is the field for a feature, "" if Google has none.
func fieldOf(f meet.Feature) string {
	switch f {
	case meet.OutdoorSeating:
		return "places.outdoorSeating"
	case meet.Vegetarian:
		return "places.servesVegetarianFood"
	case meet.KidFriendly:
		return "places.goodForChildren"
	case meet.DogFriendly:
		return "places.allowsDogs"
	case meet.Groups:
		return "places.goodForGroups"
	case meet.LiveMusic:
		return "places.liveMusic"
	case meet.Parking:
		return "places.parkingOptions"
	case meet.Wheelchair:
		return "places.accessibilityOptions"
	default:
		return ""
	}
}

// mask lists the requested fields.
func (s *search) mask() string {
	mask := fields
	for _, feature := range s.query.Features {
		if field := fieldOf(feature); field != "" {
			mask += "," + field
		}
	}
	return mask
}

// search is the state of one search.
type search struct {
	*Finder
	query    meet.PlaceQuery
	criteria place.Criteria
	// from is the centre of the search.
	from *geo.Point
}

// goToLandmark centres the search on the landmark in the criteria; false if there is none of the name.
func (s *search) goToLandmark(ctx context.Context) (there bool, err error) {
	if s.criteria.Landmark == "" || s.from == nil {
		return true, nil
	}
	found, err := s.words(ctx, ask{text: s.criteria.Landmark, pages: 1})
	if err != nil {
		return false, err
	}
	found = slices.DeleteFunc(found, func(p meet.Place) bool {
		return place.DistanceKm(s.from, p.Location) > place.ReachKm
	})
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
	return s.words(ctx, ask{text: s.query.Name + s.area(), pages: 1})
}

// others are the places that fit the rest of the query. If it has only a name, places like that venue fit.
func (s *search) others(ctx context.Context, named []meet.Place) ([]meet.Place, error) {
	kinds := s.query.Types
	if s.query.Name != "" && len(kinds) == 0 && s.criteria.Text == "" {
		if kinds = s.like(named); len(kinds) == 0 {
			return nil, nil
		}
	}
	found, err := s.fitting(ctx, kinds)
	if err != nil || len(s.query.Features) == 0 {
		return found, err
	}
	wished, err := s.wished(ctx, kinds)
	return append(wished, found...), err
}

// fitting are the places of these kinds that fit the text.
func (s *search) fitting(ctx context.Context, kinds []string) ([]meet.Place, error) {
	list, words, known := typesOf(s.kinds, kinds)
	if known && s.criteria.Text == "" && (s.criteria.Close || !s.criteria.Somewhere()) {
		return s.nearby(ctx, list, words)
	}
	found, err := s.words(ctx, ask{text: s.sentence(words), pages: s.pages()})
	return s.where(found), err
}

// wished are places found by the words for the wished features.
func (s *search) wished(ctx context.Context, kinds []string) ([]meet.Place, error) {
	var words, prices []string
	for _, feature := range s.query.Features {
		switch feature {
		case meet.Cheap:
			prices = append(prices, inexpensive)
		case meet.Upscale:
			prices = append(prices, veryExpensive)
		default:
			words = append(words, string(feature))
		}
	}
	_, named, _ := typesOf(s.kinds, kinds)
	text := strings.TrimSpace(strings.Join(words, " ") + " " + s.sentence(named))
	found, err := s.words(ctx, ask{text: text, pages: 1, prices: prices})
	return s.where(found), err
}

// where keeps the places in the requested area.
func (s *search) where(found []meet.Place) []meet.Place {
	if s.criteria.Landmark != "" {
		found = slices.DeleteFunc(found, func(p meet.Place) bool { return !p.InArea })
	}
	return slices.DeleteFunc(found, s.elsewhere)
}

// like are the kinds of the first place with the name, none if there is none.
func (s *search) like(named []meet.Place) []string {
	p, _ := place.FirstNamed(named, s.query.Name)
	return p.Types[:min(len(p.Types), 1)]
}

// sentence is the query as a user would type it into a map.
func (s *search) sentence(kinds []string) string {
	text := strings.TrimSpace(s.criteria.Text + " " + strings.Join(kinds, " or "))
	if text == "" {
		text = "places to meet"
	}
	return text + s.area()
}

// area is the requested area in words, "" if there is none.
func (s *search) area() string {
	switch {
	case s.criteria.Area == "":
		return ""
	case s.criteria.PartOfTown:
		return " in the " + s.criteria.Area
	default:
		return " in " + s.criteria.Area
	}
}

func (s *search) pages() int { return min(maxPages, (place.Limit(s.query)+pageSize-1)/pageSize) }

// nearby searches the vicinity, and then farther out if that does not fill a page. More than a page is found by words
// only.
func (s *search) nearby(ctx context.Context, list, words []string) (found []meet.Place, err error) {
	circles := []float64{vicinityMeters, reachMeters}
	if s.criteria.Close {
		circles = circles[:1]
	}
	for _, meters := range circles {
		page, err := s.circle(ctx, list, meters)
		if err != nil && len(found) == 0 {
			return nil, err
		}
		found = append(found, page...)
		if full := len(page) >= pageSize; full {
			break
		}
	}
	if place.Limit(s.query) > pageSize && len(found) >= pageSize && len(words) > 0 {
		more, err := s.words(ctx, ask{text: strings.Join(words, " or "), pages: maxPages})
		return append(found, more...), err
	}
	return found, nil
}

// circle is a page of the most popular places of these types around the centre.
func (s *search) circle(ctx context.Context, list []string, meters float64) ([]meet.Place, error) {
	call := s.api.Places.SearchNearby(&places.GoogleMapsPlacesV1SearchNearbyRequest{
		IncludedTypes: list, LanguageCode: s.cfg.Language, MaxResultCount: pageSize, RankPreference: "POPULARITY",
		LocationRestriction: &places.GoogleMapsPlacesV1SearchNearbyRequestLocationRestriction{
			Circle: &places.GoogleMapsPlacesV1Circle{Center: center(*s.from), Radius: meters},
		},
	}).Context(ctx)
	call.Header().Set("X-Goog-FieldMask", s.mask())
	answer, err := call.Do()
	if err != nil {
		return nil, err
	}
	return s.read(answer.Places), nil
}

// ask is a search by words: the number of pages, and the price levels, if not all.
type ask struct {
	text   string
	pages  int
	prices []string
}

// words are the places that Google finds for a text, page by page. Without an area they lie around the centre.
func (s *search) words(ctx context.Context, what ask) (found []meet.Place, err error) {
	req := &places.GoogleMapsPlacesV1SearchTextRequest{
		TextQuery: what.text, LanguageCode: s.cfg.Language, PageSize: pageSize, PriceLevels: what.prices,
	}
	switch {
	case s.from == nil:
	case s.criteria.Area != "":
		req.LocationBias = &places.GoogleMapsPlacesV1SearchTextRequestLocationBias{
			Circle: &places.GoogleMapsPlacesV1Circle{Center: center(*s.from), Radius: reachMeters},
		}
	default:
		req.LocationRestriction = &places.GoogleMapsPlacesV1SearchTextRequestLocationRestriction{Rectangle: around(*s.from)}
	}
	for range what.pages {
		call := s.api.Places.SearchText(req).Context(ctx)
		call.Header().Set("X-Goog-FieldMask", s.mask()+",nextPageToken")
		answer, err := call.Do()
		if err != nil && len(found) > 0 {
			return found, nil // what is there will do
		}
		if err != nil {
			return nil, err
		}
		found = append(found, s.read(answer.Places)...)
		if req.PageToken = answer.NextPageToken; req.PageToken == "" {
			break
		}
	}
	return found, nil
}

// elsewhere reports whether a place is in another area of the same name: out of reach, and not in a town of that name.
// A part of town, written with "the", is always within reach.
func (s *search) elsewhere(p meet.Place) bool {
	if s.criteria.Area == "" || s.from == nil || place.DistanceKm(s.from, p.Location) <= place.ReachKm {
		return false
	}
	return s.criteria.PartOfTown || !p.InArea
}

// center is a point rounded to some hundred metres, so that no address is revealed.
func center(at geo.Point) *places.GoogleTypeLatLng {
	at = at.Rounded(1000)
	return &places.GoogleTypeLatLng{
		Latitude: at.Latitude, Longitude: at.Longitude, ForceSendFields: []string{"Latitude", "Longitude"},
	}
}

// around is a box that contains everything within reach of the point. One across the date line becomes a belt around
// the globe, since the answer is cut to what is within reach anyway.
func around(at geo.Point) *places.GoogleGeoTypeViewport {
	up := place.ReachKm / kmPerDegree
	aside := up / max(math.Cos(at.Latitude*math.Pi/180), 0.01)
	west, east := at.Longitude-aside, at.Longitude+aside
	if west < -180 || east > 180 {
		west, east = -180, 180
	}
	corner := func(lat, lon float64) *places.GoogleTypeLatLng {
		return center(geo.Point{Latitude: max(-90, min(90, lat)), Longitude: lon})
	}
	return &places.GoogleGeoTypeViewport{
		Low: corner(at.Latitude-up, west), High: corner(at.Latitude+up, east),
	}
}
