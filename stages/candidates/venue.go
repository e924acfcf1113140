package candidates

import (
	"cmp"
	"context"
	"strings"
	"unicode"

	"convene/pkg/geo"
	"convene/pkg/meet"
)

// sameSpotKm is how far apart two entries of one venue may lie; branches of a chain lie farther.
const sameSpotKm = 0.3

// look completes the venue of a suggestion with its hours and its map from the search.
func (s *search) look(ctx context.Context, venue meet.Place) meet.Place {
	venue.Named, venue.MapsURL = true, venue.MapLink()
	if venue.Location == (geo.Point{}) {
		return venue
	}
	if s.middle != nil {
		venue.DistanceFromMidpointKm = geo.Distance(*s.middle, venue.Location)
	}
	known, ok := s.named(ctx, venue.Name, venue.Location, sameSpotKm)
	if !ok {
		return venue // only its hours are lost
	}
	known.DistanceFromMidpointKm = venue.DistanceFromMidpointKm
	return known
}

// named is the venue of that name within so many kilometres of a point.
func (s *search) named(ctx context.Context, name string, near geo.Point, km float64) (venue meet.Place, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Patience)
	defer cancel()
	list, err := s.ask(ctx, meet.PlaceQuery{Name: name, Near: &near, Limit: 1})
	if err != nil || len(list) == 0 || !list[0].Named || geo.Distance(list[0].Location, near) > km {
		return venue, false
	}
	return list[0], true
}

// OutingKm is how far people go for an outing.
const OutingKm = 100

// locate finds the location of a suggestion's venue. It must be the same venue: of that name, near the people, and at
// the same house number if both have one. Otherwise the event keeps the name and the address of the suggestion.
func (s *search) locate(ctx context.Context, venue meet.Place) meet.Place {
	if venue.Location != (geo.Point{}) || s.middle == nil {
		return venue
	}
	known, ok := s.named(ctx, venue.Name, *s.middle, OutingKm)
	if !ok || !sameNumber(known.Address, venue.Address) {
		return venue
	}
	venue.Location = known.Location
	venue.Address = cmp.Or(venue.Address, known.Address)
	return venue
}

// sameNumber reports whether two addresses have the same house number, or at least one has none.
func sameNumber(a, b string) bool {
	x, y := houseNumber(a), houseNumber(b)
	return x == "" || y == "" || x == y
}

// houseNumber is the first number in the street part of an address.
func houseNumber(address string) string {
	street, _, _ := strings.Cut(address, ",")
	for number := range strings.FieldsFuncSeq(street, func(r rune) bool { return !unicode.IsDigit(r) }) {
		return number
	}
	return ""
}
