package foursquare

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
)

//go:embed kinds.txt
var kindsFile string

//go:embed zones.txt
var zonesFile string

//go:embed tastes.txt
var tastesFile string

// readTastes maps tastes to features.
func readTastes(file string) (map[string]string, error) {
	tastes := map[string]string{}
	for line := range place.TableLines(file) {
		feature, list, found := strings.Cut(line, ":")
		if !found || !slices.Contains(meet.Features(), meet.Feature(feature)) {
			return nil, fmt.Errorf("tastes: %q names no feature", line)
		}
		for taste := range strings.SplitSeq(list, ",") {
			tastes[strings.TrimSpace(taste)] = feature
		}
	}
	return tastes, nil
}

// categoriesOf are Foursquare's categories of these kinds, and the kinds without one, which need a search by words.
func categoriesOf(k place.Kinds, kinds []string) (ids, words []string) {
	for _, kind := range kinds {
		found, said := k.Of(kind)
		if len(found) == 0 && said != "" {
			words = append(words, said)
		}
		ids = append(ids, found...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), words
}

// called are the kinds of a place of these categories: our own names, or else Foursquare's.
func called(k place.Kinds, list []category) (kinds []string) {
	for _, c := range list {
		name, known := k.Called(c.ID)
		if !known {
			name = strings.ToLower(strings.TrimSpace(string(c.Name)))
		}
		if name != "" && !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	return kinds
}

// zones are rules for a place's time zone by country, and by region.
type zones map[string][]zoneRule

// zoneRule is a zone with the bounds within which it holds.
type zoneRule struct {
	zone   string
	bounds []bound
}

// bound is a limit of a coordinate: "lon>-87".
type bound struct {
	longitude, above bool
	limit            float64
}

func readZones(file string) (zones, error) {
	z := zones{}
	for line := range place.TableLines(file) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return z, fmt.Errorf("line %q has no zone", line)
		}
		rule := zoneRule{zone: fields[1]}
		if _, err := interval.Zone(rule.zone); err != nil {
			return z, err
		}
		for _, text := range fields[2:] {
			b, err := readBound(text)
			if err != nil {
				return z, err
			}
			rule.bounds = append(rule.bounds, b)
		}
		z[fields[0]] = append(z[fields[0]], rule)
	}
	return z, nil
}

func readBound(text string) (b bound, err error) {
	const name = len("lon")
	if len(text) <= name+1 {
		return b, fmt.Errorf("%q is no bound", text)
	}
	b.longitude, b.above = text[:name] == "lon", text[name] == '>'
	if b.limit, err = strconv.ParseFloat(text[name+1:], 64); err != nil {
		return b, fmt.Errorf("bound %q: %w", text, err)
	}
	return b, nil
}

func (b bound) holds(at geo.Point) bool {
	value := at.Latitude
	if b.longitude {
		value = at.Longitude
	}
	return value > b.limit == b.above && value != b.limit
}

// of is the zone of a place, "" if it is ambiguous.
func (z zones) of(l location, at geo.Point) string {
	country, region := strings.ToUpper(string(l.Country)), strings.ToUpper(string(l.Region))
	for _, key := range []string{country + "/" + region, country} {
		for _, rule := range z[key] {
			if !slices.ContainsFunc(rule.bounds, func(b bound) bool { return !b.holds(at) }) {
				return rule.zone
			}
		}
	}
	return ""
}
