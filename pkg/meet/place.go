package meet

import (
	"math"
	"net/url"
	"strconv"
	"time"

	"convene/pkg/interval"
)

// OpenDuring reports whether the place is open for all of span, without a break. If the hours or their zone are
// unknown, both results are false; that does not mean closed.
func (p Place) OpenDuring(span interval.Span) (open, known bool) {
	times, known := p.OpenTimes(span)
	return known && times.Covers(span), known
}

// OpenTimes lists the stretches of the opening hours that overlap span, uncut. The hours are read on the place's own
// clock; a window that runs past midnight belongs to the day on which it began. known is false if the hours or their
// zone are unknown.
func (p Place) OpenTimes(span interval.Span) (times interval.Set, known bool) {
	loc, ok := p.zone(span.Start)
	if p.OpeningHours == nil || !ok {
		return nil, false
	}
	return p.OpeningHours.Around(span, loc), true
}

// HasHours reports whether the opening hours at t are known, without working them out.
func (p Place) HasHours(t time.Time) bool {
	_, ok := p.zone(t)
	return ok && p.OpeningHours != nil
}

// zone is the place's own zone. It reuses t's if the name matches, because loading a zone costs more than everything
// else here.
func (p Place) zone(t time.Time) (*time.Location, bool) {
	if p.Timezone == "" {
		return nil, false
	}
	if loc := t.Location(); loc.String() == p.Timezone {
		return loc, true
	}
	loc, err := interval.Zone(p.Timezone)
	return loc, err == nil
}

// mapsQueryURL and maxURL are from Google's description of Maps URLs, which need no key and open on every device.
const (
	mapsQueryURL = "https://www.google.com/maps/search/?api=1&query="
	maxURL       = 2048
)

// MapLink links to Google Maps by name and address, or by coordinates if one of them is missing or too long.
func (p Place) MapLink() string {
	if p.Name != "" && p.Address != "" {
		if link := mapsQueryURL + url.QueryEscape(p.Name+", "+p.Address); len(link) <= maxURL {
			return link
		}
	}
	return mapsQueryURL + url.QueryEscape(degrees(p.Location.Latitude)+","+degrees(p.Location.Longitude))
}

// degrees writes a coordinate to a tenth of a metre.
func degrees(d float64) string {
	return strconv.FormatFloat(math.Round(d*1e6)/1e6, 'f', -1, 64)
}

// NamedPlace is a venue, a landmark or a part of town that words of a text may mean. Words are as written; Name is that
// of the venue or landmark.
type NamedPlace struct {
	Name  string
	Kind  PlaceKind
	Words string
}

// PlaceKind is what a NamedPlace is.
type PlaceKind string

// The kinds.
const (
	NamedVenue    PlaceKind = "venue"
	NamedLandmark PlaceKind = "landmark"
	NamedArea     PlaceKind = "area"
)
