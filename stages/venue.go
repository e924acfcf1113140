package stages

import (
	"context"
	"strings"
	"unicode"

	"convene/pkg/geo"
	"convene/pkg/meet"
)

// locate finds a venue that a suggestion named without saying where on the map it is. It must be the same venue: of that
// name, near the people, and at the same number of a street where both say one. Otherwise the event keeps the name and the
// address as they were suggested.
func (f finder) locate(ctx context.Context, venue meet.Place, near *geo.Point) meet.Place {
	if venue.Location != (geo.Point{}) || near == nil {
		return venue
	}
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	var list []meet.Place
	err := guarded(func() (err error) {
		list, err = f.places.Search(ctx, meet.PlaceQuery{Name: venue.Name, Near: near, Limit: 1})
		return err
	})
	if err != nil || len(list) == 0 {
		return venue
	}
	known := list[0]
	if !known.Named || geo.Distance(known.Location, *near) > outingKm || !sameNumber(known.Address, venue.Address) {
		return venue
	}
	venue.Location = known.Location
	if venue.Address == "" {
		venue.Address = known.Address
	}
	return venue
}

// sameNumber reports whether two addresses have the same number of a house, as far as both have one.
func sameNumber(a, b string) bool {
	x, y := houseNumber(a), houseNumber(b)
	return x == "" || y == "" || x == y
}

// houseNumber is the first number in the street part of an address.
func houseNumber(address string) string {
	street, _, _ := strings.Cut(address, ",")
	notDigit := func(r rune) bool { return !unicode.IsDigit(r) }
	numbers := strings.FieldsFunc(street, notDigit)
	if len(numbers) == 0 {
		return ""
	}
	return numbers[0]
}
