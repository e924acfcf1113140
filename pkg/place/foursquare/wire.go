package foursquare

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// answer is the body of a search. Each result is decoded on its own, so that a malformed one does not affect the
// others.
type answer struct {
	Results []json.RawMessage `json:"results"`
}

// result is a place with the requested fields.
type result struct {
	ID         text              `json:"fsq_place_id"`
	Name       text              `json:"name"`
	Latitude   *float64          `json:"latitude"`
	Longitude  *float64          `json:"longitude"`
	Location   location          `json:"location"`
	Categories []category        `json:"categories"`
	Closed     text              `json:"date_closed"`
	Rating     lenient[float64]  `json:"rating"`
	Price      lenient[float64]  `json:"price"`
	Hours      lenient[hours]    `json:"hours"`
	Attributes attributes        `json:"attributes"`
	Tastes     lenient[[]string] `json:"tastes"`
	Photos     lenient[photos]   `json:"photos"`
}

type location struct {
	Address   text `json:"address"`
	Locality  text `json:"locality"`
	Region    text `json:"region"`
	Postcode  text `json:"postcode"`
	Country   text `json:"country"`
	Formatted text `json:"formatted_address"`
}

type category struct {
	ID   string `json:"fsq_category_id"`
	Name text   `json:"short_name"`
}

type attributes struct {
	OutdoorSeating flag `json:"outdoor_seating"`
	Wifi           flag `json:"wifi"`
	Parking        flag `json:"has_parking"`
	Reservations   flag `json:"reservations"`
}

// text is a trimmed string; any other JSON value counts as missing.
type text string

// UnmarshalJSON never fails.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(strings.TrimSpace(s))
	}
	return nil
}

// lenient is a member that counts as missing if it has another form than documented.
type lenient[T any] struct{ value T }

// UnmarshalJSON never fails.
func (l *lenient[T]) UnmarshalJSON(b []byte) error {
	var value T
	if json.Unmarshal(b, &value) == nil {
		l.value = value
	}
	return nil
}

// flag is true, false, or a word; "n", "no" and "none" mean no. A missing value is unknown.
type flag int

const (
	unknown flag = iota
	yes
	no
)

// UnmarshalJSON never fails.
func (f *flag) UnmarshalJSON(b []byte) error {
	switch said := string(bytes.ToLower(b)); {
	case said == "null" || said == `""`:
	case said == "false" || said == `"n"` || said == `"no"` || said == `"none"` || said == `"false"`:
		*f = no
	case said == "true" || b[0] == '"':
		*f = yes
	}
	return nil
}

// photos are pictures of a place, each an address in two parts with the size between them.
type photos []struct {
	Prefix text `json:"prefix"`
	Suffix text `json:"suffix"`
}

const (
	mostPhotos  = 3
	longestLink = 2048
)

// shown are the first pictures, in their original size.
func (p photos) shown() (list []meet.Photo) {
	for _, one := range p {
		url := string(one.Prefix) + "original" + string(one.Suffix)
		if len(list) < mostPhotos && strings.HasPrefix(url, "https://") && one.Suffix != "" && len(url) <= longestLink {
			list = append(list, meet.Photo{URL: url})
		}
	}
	return list
}

// hours are those of an ordinary week.
type hours struct {
	Regular []regular `json:"regular"`
}

// regular is a stretch of a day: 1 is Monday, the times are HHMM, and a plus means the next day.
type regular struct {
	Day   int    `json:"day"`
	Open  string `json:"open"`
	Close string `json:"close"`
}

// week is nil if the hours are unknown or one of them makes no sense, since showing an open place as closed is as wrong
// as the reverse.
func (h hours) week() *interval.Week {
	var openings []place.Opening
	for _, r := range h.Regular {
		o, err := r.opening()
		if err != nil {
			return nil
		}
		openings = append(openings, o)
	}
	return place.WeekOf(openings)
}

var errHours = errors.New("hours of another form")

// opening converts one stretch. An end at or before the start is on the next day; 23:59 means the end of the day.
func (r regular) opening() (o place.Opening, err error) {
	from, fromNext, err1 := clock(r.Open)
	to, toNext, err2 := clock(r.Close)
	if r.Day < 1 || r.Day > 7 || err1 != nil || err2 != nil {
		return o, errHours
	}
	const day = int(interval.EndOfDay)
	if to == day-1 {
		to = day
	}
	if toNext || to <= from {
		to += day
	}
	if fromNext {
		from += day
	}
	if to <= from {
		return o, errHours
	}
	midnight := place.MinuteOfWeek(time.Weekday(r.Day%7), 0)
	return place.Opening{From: midnight + from, To: midnight + to}, nil
}

// clock reads "0930", "09:30" or "+0130", which is on the next day.
func clock(s string) (minutes int, next bool, err error) {
	s, next = strings.CutPrefix(strings.ReplaceAll(s, ":", ""), "+")
	if len(s) != len("hhmm") || strings.Trim(s, "0123456789") != "" {
		return 0, next, errHours
	}
	hour, _ := strconv.Atoi(s[:2])
	minute, _ := strconv.Atoi(s[2:])
	minutes = int(interval.At(hour, minute))
	if minute > 59 || minutes > int(interval.EndOfDay) {
		return 0, next, errHours
	}
	return minutes, next, nil
}

// A price is 1 to 4.
const cheapest, dearest = 1, 4

// Longer names and addresses are mistakes.
const (
	longestName    = 200
	longestAddress = 400
)

// place converts the result; ok is false if the place is closed for good, or has no name or coordinates.
func (f *Finder) place(r result) (p meet.Place, ok bool) {
	if r.Name == "" || len(r.Name) > longestName || r.Closed != "" || r.Latitude == nil || r.Longitude == nil {
		return p, false
	}
	at := geo.Point{Latitude: *r.Latitude, Longitude: *r.Longitude}
	if math.Abs(at.Latitude) > 90 || math.Abs(at.Longitude) > 180 || at == (geo.Point{}) {
		return p, false
	}
	p = meet.Place{
		ID: string(r.ID), Name: string(r.Name), Address: r.Location.line(), Location: at,
		Types: called(f.kinds, r.Categories), Rating: stars(r.Rating.value), Price: price(r.Price.value),
		OpeningHours: r.Hours.value.week(), Timezone: f.zones.of(r.Location, at), Photos: r.Photos.value.shown(),
	}
	if p.ID != "" {
		p.PageURL = PageURL(p.ID)
	}
	p.Features, p.Lacks = f.features(r)
	return p, true
}

// price is 1 to 4, or 0 for unknown.
func price(n float64) int {
	if p := int(n); float64(p) == n && p >= cheapest && p <= dearest {
		return p
	}
	return 0
}

// stars converts a rating of ten to five stars; 0 if it is out of range.
func stars(ofTen float64) float64 {
	if ofTen < 0 || ofTen > 10 {
		return 0
	}
	return math.Round(ofTen*50) / 100
}

// line is the address on one line.
func (l location) line() string {
	if l.Formatted != "" && len(l.Formatted) <= longestAddress {
		return string(l.Formatted)
	}
	if l.Address == "" && l.Locality == "" {
		return ""
	}
	var parts []string
	region := strings.TrimSpace(string(l.Region) + " " + string(l.Postcode))
	for _, part := range []string{string(l.Address), string(l.Locality), region} {
		if part != "" && len(part) <= longestAddress {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// features are those that the place is known to have, and to lack.
func (f *Finder) features(r result) (has []string, lacks []meet.Feature) {
	add := func(feature string) {
		if !slices.Contains(has, feature) {
			has = append(has, feature)
		}
	}
	for _, attribute := range []struct {
		name meet.Feature
		said flag
	}{
		{meet.OutdoorSeating, r.Attributes.OutdoorSeating}, {meet.Wifi, r.Attributes.Wifi},
		{meet.Parking, r.Attributes.Parking},
	} {
		switch attribute.said {
		case yes:
			add(string(attribute.name))
		case no:
			lacks = append(lacks, attribute.name)
		case unknown:
		}
	}
	if r.Attributes.Reservations == yes {
		add("reservations")
	}
	switch price(r.Price.value) {
	case cheapest:
		add(string(meet.Cheap))
	case dearest:
		add(string(meet.Upscale))
	}
	for _, taste := range r.Tastes.value {
		feature := f.tastes[strings.ToLower(strings.TrimSpace(taste))]
		if feature != "" && !slices.Contains(lacks, meet.Feature(feature)) {
			add(feature)
		}
	}
	return has, lacks
}
