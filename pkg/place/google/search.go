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
	// vicinityMeters is how far is looked first, and where a full page is found, only.
	vicinityMeters = 3_000
	reachMeters    = place.ReachKm * 1000
	// landmarkMeters is how far from a landmark a place may be.
	landmarkMeters = place.WalkKm * 1000
	// pageSize and maxPages are what Google gives at most.
	pageSize = 20
	maxPages = 3
	// kmPerDegree is the length of a degree of latitude.
	kmPerDegree = 111.195
)

// fields are all that is asked for of a place.
const fields = "places.id,places.displayName,places.formattedAddress,places.addressComponents,places.location," +
	"places.types," +
	"places.primaryType,places.rating,places.priceLevel,places.regularOpeningHours,places.timeZone," +
	"places.businessStatus," +
	"places.attributions,places.googleMapsUri"

// fieldOf is what says whether a place has a feature, "" where Google does not tell.
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

// mask is all that is asked for here.
func (s *search) mask() string {
	mask := fields
	for _, feature := range s.query.Features {
		if field := fieldOf(feature); field != "" {
			mask += "," + field
		}
	}
	return mask
}

// search is one search with what it has found out.
type search struct {
	*Finder
	query meet.PlaceQuery
	wish  place.Wish
	// from is what to look around.
	from *geo.Point
}

// goToLandmark has the search look around the landmark that the wish names; false where there is none of the name.
func (s *search) goToLandmark(ctx context.Context) (there bool, err error) {
	if s.wish.Landmark == "" || s.from == nil {
		return true, nil
	}
	found, err := s.words(ctx, ask{text: s.wish.Landmark, pages: 1})
	if err != nil {
		return false, err
	}
	wanted := place.NameOf(s.wish.Landmark)
	for _, p := range found {
		if wanted.Likeness(place.NameOf(p.Name, p.Address)) > 0 && place.DistanceKm(s.from, p.Location) <= place.ReachKm {
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
	return s.words(ctx, ask{text: s.query.Name + s.area(), pages: 1})
}

// others are the places that fit the rest of the query. Where it says no more than a name, those like the venue of that
// name fit.
func (s *search) others(ctx context.Context, named []meet.Place) ([]meet.Place, error) {
	kinds := s.query.Types
	if s.query.Name != "" && len(kinds) == 0 && s.wish.Text == "" {
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
	if known && s.wish.Text == "" && (s.wish.Close || !s.wish.Somewhere()) {
		return s.nearby(ctx, list, words)
	}
	found, err := s.words(ctx, ask{text: s.sentence(words), pages: s.pages()})
	return s.where(found), err
}

// wished are those that Google finds by the words for what is wished for.
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

// where leaves those that lie where the wish says.
func (s *search) where(found []meet.Place) []meet.Place {
	if s.wish.Landmark != "" {
		found = slices.DeleteFunc(found, func(p meet.Place) bool { return !p.InArea })
	}
	return slices.DeleteFunc(found, s.elsewhere)
}

// like are the kinds of the first that has the name, none where nothing has it.
func (s *search) like(named []meet.Place) []string {
	wanted := place.NameOf(s.query.Name)
	for _, p := range named {
		if wanted.Likeness(place.NameOf(p.Name, p.Address)) > 0 {
			return p.Types[:min(len(p.Types), 1)]
		}
	}
	return nil
}

// sentence is the wish as somebody would type it into a map.
func (s *search) sentence(kinds []string) string {
	text := strings.TrimSpace(s.wish.Text + " " + strings.Join(kinds, " or "))
	if text == "" {
		text = "places to meet"
	}
	return text + s.area()
}

// area is how the area is said, "" where the wish names none.
func (s *search) area() string {
	switch {
	case s.wish.Area == "":
		return ""
	case s.wish.PartOfTown:
		return " in the " + s.wish.Area
	default:
		return " in " + s.wish.Area
	}
}

func (s *search) pages() int { return min(maxPages, (place.Limit(s.query)+pageSize-1)/pageSize) }

// nearby looks in the vicinity, and farther where that does not fill a page. More than that is found by words only.
func (s *search) nearby(ctx context.Context, list, words []string) (found []meet.Place, err error) {
	circles := []float64{vicinityMeters, reachMeters}
	if s.wish.Close {
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

// circle is a page of the places of these types around the middle, the best known ones.
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

// ask is a search by words: how many pages of it, and of which prices where not of all.
type ask struct {
	text   string
	pages  int
	prices []string
}

// words are the places that Google finds for a text, page by page. Without an area they lie around the middle.
func (s *search) words(ctx context.Context, what ask) (found []meet.Place, err error) {
	req := &places.GoogleMapsPlacesV1SearchTextRequest{
		TextQuery: what.text, LanguageCode: s.cfg.Language, PageSize: pageSize, PriceLevels: what.prices,
	}
	switch {
	case s.from == nil:
	case s.wish.Area != "":
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

// elsewhere reports whether a place is in another area of the name than the one meant: out of reach, and not in a town
// that is called so. Parts of towns, which people say with "the", are never out of reach.
func (s *search) elsewhere(p meet.Place) bool {
	if s.wish.Area == "" || s.from == nil || place.DistanceKm(s.from, p.Location) <= place.ReachKm {
		return false
	}
	return s.wish.PartOfTown || !p.InArea
}

// center is a point to some hundred metres: nobody's address need be told.
func center(at geo.Point) *places.GoogleTypeLatLng {
	round := func(d float64) float64 { return math.Round(d*1000) / 1000 }
	return &places.GoogleTypeLatLng{
		Latitude: round(at.Latitude), Longitude: round(at.Longitude), ForceSendFields: []string{"Latitude", "Longitude"},
	}
}

// around is a box that has all within reach of the point. One that would go over the date line is all around the globe,
// since an answer is cut to what is within reach anyway.
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
