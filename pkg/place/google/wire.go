package google

import (
	"math"
	"slices"
	"strings"
	"time"

	places "google.golang.org/api/places/v1"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// read keeps the places of an answer that people can go to.
func (s *search) read(list []*places.GoogleMapsPlacesV1Place) []meet.Place {
	found := make([]meet.Place, 0, len(list))
	for _, p := range list {
		if p != nil && operating(p) && locatable(p) && p.DisplayName != nil && p.DisplayName.Text != "" &&
			len(p.Attributions) == 0 {
			found = append(found, s.place(p))
		}
	}
	return found
}

// operating reports whether the place is open for business: neither closed, for a time or for good, nor still to open.
func operating(p *places.GoogleMapsPlacesV1Place) bool {
	return p.BusinessStatus == "" || p.BusinessStatus == "OPERATIONAL" || p.BusinessStatus == "BUSINESS_STATUS_UNSPECIFIED"
}

// locatable reports whether the place has coordinates. A service that visits homes has none.
func locatable(p *places.GoogleMapsPlacesV1Place) bool {
	at := p.Location
	return at != nil && (at.Latitude != 0 || at.Longitude != 0) && math.Abs(at.Latitude) <= 90 &&
		math.Abs(at.Longitude) <= 180
}

func (s *search) place(p *places.GoogleMapsPlacesV1Place) meet.Place {
	at := geo.Point{Latitude: p.Location.Latitude, Longitude: p.Location.Longitude}
	return meet.Place{
		ID: p.Id, Name: p.DisplayName.Text, Address: p.FormattedAddress, Location: at,
		Types:  called(s.kinds, p.PrimaryType, p.Types),
		Rating: stars(p.Rating), Features: features(p), Price: price(p.PriceLevel),
		PageURL: secure(p.GoogleMapsUri), OpeningHours: week(p.RegularOpeningHours),
		Timezone: zone(p.TimeZone), InArea: s.there(p, at),
	}
}

// there reports whether the place is in the requested area or by the landmark.
func (s *search) there(p *places.GoogleMapsPlacesV1Place, at geo.Point) bool {
	if s.criteria.Landmark != "" {
		return s.from != nil && place.DistanceKm(s.from, at) <= landmarkMeters/1000.0
	}
	if s.criteria.Area == "" {
		return false
	}
	area := " " + strings.Join(place.Words(s.criteria.Area), " ") + " "
	for _, c := range p.AddressComponents {
		if c != nil && strings.Contains(" "+strings.Join(place.Words(c.LongText), " ")+" ", area) {
			return true
		}
	}
	return false
}

// stars is the rating, 0 if it is not between 0 and 5.
func stars(rating float64) float64 {
	if rating < 0 || rating > 5 || math.IsNaN(rating) {
		return 0
	}
	return rating
}

// Google's names for the ends of its prices.
const (
	inexpensive   = "PRICE_LEVEL_INEXPENSIVE"
	veryExpensive = "PRICE_LEVEL_VERY_EXPENSIVE"
)

// price is 1 to 4; 0 if it is unknown, or the place is free.
func price(level string) int {
	levels := []string{inexpensive, "PRICE_LEVEL_MODERATE", "PRICE_LEVEL_EXPENSIVE", veryExpensive}
	return slices.Index(levels, level) + 1
}

// features are those that Google lists for the place.
func features(p *places.GoogleMapsPlacesV1Place) (list []string) {
	parking, access := p.ParkingOptions, p.AccessibilityOptions
	for _, f := range []struct {
		name meet.Feature
		has  bool
	}{
		{"free entry", p.PriceLevel == "PRICE_LEVEL_FREE"}, {meet.Cheap, p.PriceLevel == inexpensive},
		{meet.Upscale, p.PriceLevel == veryExpensive}, {meet.OutdoorSeating, p.OutdoorSeating},
		{meet.Vegetarian, p.ServesVegetarianFood}, {meet.KidFriendly, p.GoodForChildren}, {meet.DogFriendly, p.AllowsDogs},
		{meet.Groups, p.GoodForGroups}, {meet.LiveMusic, p.LiveMusic},
		{meet.Parking, parking != nil && (parking.FreeParkingLot || parking.PaidParkingLot || parking.FreeGarageParking ||
			parking.PaidGarageParking)},
		{meet.Wheelchair, access != nil && access.WheelchairAccessibleEntrance},
	} {
		if f.has {
			list = append(list, string(f.name))
		}
	}
	return list
}

// secure is the link, "" if it is not an https address.
func secure(link string) string {
	if !strings.HasPrefix(link, "https://") {
		return ""
	}
	return link
}

// zone is the zone's name, "" if it is missing or unknown: then the hours are unknown, because an offset from UTC would
// be wrong for half of the year.
func zone(z *places.GoogleTypeTimeZone) string {
	if z == nil || z.Id == "" {
		return ""
	}
	if _, err := interval.Zone(z.Id); err != nil {
		return ""
	}
	return z.Id
}

// week is nil if the hours are unknown or one of them makes no sense, since showing an open place as closed is as wrong
// as the reverse. A period without an end means "always".
func week(hours *places.GoogleMapsPlacesV1PlaceOpeningHours) *interval.Week {
	if hours == nil {
		return nil
	}
	var openings []place.Opening
	for _, p := range hours.Periods {
		if p == nil || !sound(p.Open) || p.Close != nil && !sound(p.Close) {
			return nil
		}
		from := minute(p.Open)
		to := from
		if p.Close != nil {
			if to = minute(p.Close); to == from {
				return nil
			}
		}
		openings = append(openings, place.Opening{From: from, To: to})
	}
	return place.WeekOf(openings)
}

func sound(p *places.GoogleMapsPlacesV1PlaceOpeningHoursPeriodPoint) bool {
	return p != nil && p.Day >= 0 && p.Day <= 6 && p.Hour >= 0 && p.Hour <= 23 && p.Minute >= 0 && p.Minute <= 59
}

func minute(p *places.GoogleMapsPlacesV1PlaceOpeningHoursPeriodPoint) int {
	return place.MinuteOfWeek(time.Weekday(p.Day), interval.At(int(p.Hour), int(p.Minute)))
}
