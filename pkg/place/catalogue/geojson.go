package catalogue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// collection is a FeatureCollection with the members that the package describes.
type collection struct {
	Type      string              `json:"type"`
	Timezone  string              `json:"timezone"`
	Aliases   map[string][]string `json:"aliases"`
	Landmarks map[string]position `json:"landmarks"`
	Features  []json.RawMessage   `json:"features"`
}

// position is a GeoJSON position: longitude, latitude and perhaps an altitude.
type position []float64

// rawFeature is a Feature whose properties are decoded one by one, so that an error can name the wrong one.
type rawFeature struct {
	Type     string `json:"type"`
	ID       any    `json:"id"`
	Geometry struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	} `json:"geometry"`
	Properties map[string]json.RawMessage `json:"properties"`
}

// feature is a place of the file.
type feature struct {
	place         meet.Place
	neighbourhood string
	types         []string
	cuisines      []string
}

// placesFile is a validated file.
type placesFile struct {
	aliases   map[string][]string
	landmarks map[string]geo.Point
	features  []feature
}

func readFile(r io.Reader) (*placesFile, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	var raw collection
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &raw); err != nil {
		return nil, fmt.Errorf("not valid GeoJSON: %w", err)
	}
	if raw.Type != "FeatureCollection" {
		return nil, fmt.Errorf("type is %q, but must be FeatureCollection", raw.Type)
	}
	file := &placesFile{aliases: raw.Aliases, landmarks: map[string]geo.Point{}}
	for name, at := range raw.Landmarks {
		if file.landmarks[name], err = at.point(); err != nil {
			return nil, fmt.Errorf("landmark %q: %w", name, err)
		}
	}
	seen := map[string]int{}
	for i, one := range raw.Features {
		f, err := readFeature(one, raw.Timezone)
		if err != nil {
			return nil, fmt.Errorf("feature %d%s: %w", i, label(f.place), err)
		}
		if first, taken := seen[f.place.ID]; taken {
			return nil, fmt.Errorf("feature %d%s: id %q is also that of feature %d", i, label(f.place), f.place.ID, first)
		}
		seen[f.place.ID] = i
		file.features = append(file.features, f)
	}
	return file, nil
}

// label names a feature in an error, if its name could be read.
func label(p meet.Place) string {
	if p.Name == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", p.Name)
}

func readFeature(one json.RawMessage, timezone string) (f feature, err error) {
	var raw rawFeature
	if err := json.Unmarshal(one, &raw); err != nil {
		return f, fmt.Errorf("not a GeoJSON Feature: %w", err)
	}
	if raw.Type != "Feature" {
		return f, fmt.Errorf("type is %q, but must be Feature", raw.Type)
	}
	p := properties{raw: raw.Properties}
	f.place = meet.Place{
		Name: p.text("name"), Address: p.text("address"), Features: p.list("features"),
		Rating: p.number("rating"), Timezone: p.text("timezone"), Price: p.whole("price"), PageURL: p.text("url"),
	}
	for _, lacking := range p.list("lacks") {
		f.place.Lacks = append(f.place.Lacks, meet.Feature(lacking))
	}
	for _, picture := range p.list("photos") {
		f.place.Photos = append(f.place.Photos, meet.Photo{URL: picture})
	}
	f.neighbourhood, f.types, f.cuisines = p.text("neighbourhood"), p.list("types"), p.list("cuisines")
	f.place.Types = append(append([]string{}, f.types...), f.cuisines...)
	if f.place.Timezone == "" {
		f.place.Timezone = timezone
	}
	f.place.OpeningHours = p.hours("openingHours")
	if p.err != nil {
		return f, p.err
	}
	if err := check(f.place); err != nil {
		return f, err
	}
	if raw.Geometry.Type != "Point" {
		return f, fmt.Errorf("geometry is %q, but must be a Point", raw.Geometry.Type)
	}
	if f.place.Location, err = readPosition(raw.Geometry.Coordinates); err != nil {
		return f, fmt.Errorf("geometry: %w", err)
	}
	f.place.ID, err = idOf(raw.ID, f.place)
	f.place.MapsURL = f.place.MapLink()
	return f, err
}

// check refuses values out of range.
func check(p meet.Place) error {
	if len(place.Words(p.Name)) == 0 {
		return errors.New("property name: a place needs a name")
	}
	if p.Rating < 0 || p.Rating > 5 {
		return fmt.Errorf("property rating: %v is not between 0 and 5 stars", p.Rating)
	}
	if p.Price < 0 || p.Price > 4 {
		return fmt.Errorf("property price: %v is not between 1 and 4", p.Price)
	}
	for _, lacking := range p.Lacks {
		if !slices.Contains(meet.Features(), lacking) {
			return fmt.Errorf("property lacks: %q is no feature that can be wished for", lacking)
		}
	}
	for _, link := range append([]meet.Photo{{URL: p.PageURL}}, p.Photos...) {
		if link.URL != "" && !strings.HasPrefix(link.URL, "https://") {
			return fmt.Errorf("properties url and photos: %q does not begin with https://", link.URL)
		}
	}
	if _, err := time.LoadLocation(p.Timezone); err != nil || p.Timezone == "Local" {
		return fmt.Errorf("property timezone: %q is not an IANA zone", p.Timezone)
	}
	if p.OpeningHours != nil && p.Timezone == "" {
		return errors.New("property openingHours: hours need a timezone, here or for the whole file")
	}
	return nil
}

// idOf is the feature's id, or else one made of name and address, which stays the same when the file is
// put in another order.
func idOf(id any, p meet.Place) (string, error) {
	switch id := id.(type) {
	case nil:
		return strings.Join(place.Words(p.Name+" "+p.Address), "-"), nil
	case string:
		if id != "" {
			return id, nil
		}
	case float64:
		return fmt.Sprint(id), nil
	}
	return "", fmt.Errorf("id: %v is neither a string nor a number", id)
}

func readPosition(raw json.RawMessage) (geo.Point, error) {
	var at position
	if err := json.Unmarshal(raw, &at); err != nil {
		return geo.Point{}, errors.New("coordinates are not [longitude, latitude]")
	}
	return at.point()
}

// point refuses coordinates off the globe; a latitude beyond 90 degrees is mostly a longitude in the wrong place.
func (p position) point() (geo.Point, error) {
	if len(p) < 2 {
		return geo.Point{}, errors.New("coordinates are not [longitude, latitude]")
	}
	if math.Abs(p[0]) > 180 || math.Abs(p[1]) > 90 {
		return geo.Point{}, fmt.Errorf("coordinates %v are not on the globe: the longitude comes first", []float64(p[:2]))
	}
	return geo.Point{Latitude: p[1], Longitude: p[0]}, nil
}

// properties decodes a feature's properties and keeps the first error.
type properties struct {
	raw map[string]json.RawMessage
	err error
}

// maxShown bounds a value in an error, in characters.
const maxShown = 40

// into decodes one property; one that is missing or null leaves the zero value.
func (p *properties) into(name, form string, to any) {
	if raw, ok := p.raw[name]; ok && p.err == nil && json.Unmarshal(raw, to) != nil {
		p.err = fmt.Errorf("property %s: %s is not %s", name, meet.Shorten(string(raw), maxShown), form)
	}
}

func (p *properties) text(name string) (s string) {
	p.into(name, "a string", &s)
	return strings.TrimSpace(s)
}

func (p *properties) number(name string) (n float64) {
	p.into(name, "a number", &n)
	return n
}

func (p *properties) whole(name string) (n int) {
	p.into(name, "a whole number", &n)
	return n
}

func (p *properties) list(name string) (s []string) {
	p.into(name, "a list of strings", &s)
	return s
}

func (p *properties) hours(name string) *interval.Week {
	s := p.text(name)
	if s == "" || p.err != nil {
		return nil
	}
	week, err := parseHours(s)
	if err != nil {
		p.err = fmt.Errorf("property %s: %w", name, err)
	}
	return week
}
