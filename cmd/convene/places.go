package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
	"convene/pkg/place/cached"
	"convene/pkg/place/catalogue"
	"convene/pkg/place/foursquare"
	"convene/pkg/place/google"
	"convene/pkg/redisstore"
	"convene/stages"
)

// placeSettings choose the source of places.
type placeSettings struct {
	Places string `help:"Places as GeoJSON in place of the built-in ones." placeholder:"FILE"`

	PlaceFinder string        `default:"catalogue" enum:"catalogue,foursquare,google" help:"Where places come from: ${enum}."`
	Foursquare  string        `name:"foursquare-api-key" env:"FOURSQUARE_API_KEY" help:"Service key of a Foursquare project." placeholder:"KEY"`
	Tier        string        `name:"foursquare-tier" default:"premium" enum:"premium,pro" help:"Tier of Foursquare's API: ${enum}; pro has no ratings, prices and opening hours."`
	Google      string        `name:"google-places-api-key" env:"GOOGLE_PLACES_API_KEY" help:"API key that may use the Places API (New)." placeholder:"KEY"`
	Around      *coordinates  `name:"places-around" help:"Where to look if no person's location is known. Without it no place is proposed then, unless all places of --places are in one town." placeholder:"LAT,LON"`
	Keep        time.Duration `name:"places-keep" help:"How long answers of a finder are kept, as 24h. Not at all by default: neither Google's terms nor Foursquare's usual ones allow it."`
	Maps        string        `default:"google" enum:"google,apple,openstreetmap" help:"Whose map the links of places open: ${enum}."`
	// elsewhere says that a world is served in place of the demo, whose places are none of it.
	elsewhere bool
}

// coordinates are "37.77,-122.42" on the command line.
type coordinates geo.Point

// UnmarshalText says what is wrong in words for the command line.
func (c *coordinates) UnmarshalText(b []byte) error {
	latitude, longitude, ok := strings.Cut(string(b), ",")
	var errLatitude, errLongitude error
	c.Latitude, errLatitude = strconv.ParseFloat(strings.TrimSpace(latitude), 64)
	c.Longitude, errLongitude = strconv.ParseFloat(strings.TrimSpace(longitude), 64)
	inRange := c.Latitude >= -90 && c.Latitude <= 90 && c.Longitude >= -180 && c.Longitude <= 180
	if !ok || errors.Join(errLatitude, errLongitude) != nil || !inRange {
		return fmt.Errorf("%q is not a point as 37.77,-122.42", b)
	}
	return nil
}

// finder makes the chosen finder. end may be called more than once.
func (s placeSettings) finder(store *redisstore.Store, logger zerolog.Logger) (f linked, end func(), err error) {
	if s.PlaceFinder == "catalogue" {
		found, err := s.catalogue()
		return linked{Finder: found, maps: meet.MapService(s.Maps)}, func() {}, err
	}
	source, err := s.source()
	if err != nil {
		return linked{}, nil, misuse{fmt.Errorf("--place-finder %s: %w", s.PlaceFinder, err)}
	}
	sampled := logger.Sample(&zerolog.BurstSampler{Burst: 1, Period: time.Minute})
	kept := cached.New(cached.Config{
		Source: source, Name: s.PlaceFinder, Answers: store.PlaceAnswers(), Life: s.Keep,
		Notify: func(_ context.Context, err error) { sampled.Warn().Err(err).Msg("places cannot be kept") },
	})
	return linked{kept, meet.MapService(s.Maps), source.Attribution().Text}, kept.Close, nil
}

// credited is a finder whose places need attribution.
type credited interface {
	place.Finder
	Attribution() place.Attribution
}

// around is where to look if no person's location is known; nil if it is not set.
func (s placeSettings) around() *geo.Point { return (*geo.Point)(s.Around) }

func (s placeSettings) source() (credited, error) {
	if s.PlaceFinder == "google" {
		return google.New(google.Config{Key: s.Google, Around: s.around()})
	}
	tier := foursquare.Premium
	if s.Tier == "pro" {
		tier = foursquare.Pro
	}
	return foursquare.New(foursquare.Config{Key: s.Foursquare, Tier: tier, Around: s.around()})
}

func (s placeSettings) catalogue() (*catalogue.Catalogue, error) {
	if s.Places == "" && s.elsewhere {
		return catalogue.Load(strings.NewReader(`{"type":"FeatureCollection","features":[]}`))
	}
	if s.Places == "" {
		found, err := catalogue.Embedded()
		if err != nil {
			return nil, err
		}
		return found.Around(s.around()), nil
	}
	file, err := os.Open(s.Places)
	if err != nil {
		return nil, misuse{fmt.Errorf("--places: %w", err)}
	}
	defer file.Close()
	found, err := catalogue.Load(file)
	if err != nil {
		return nil, misuse{fmt.Errorf("--places %s: %w", s.Places, err)}
	}
	return found.Around(cmp.Or(s.around(), found.Town())), nil
}

// linked adds links to the chosen map and the source's credit to places.
type linked struct {
	place.Finder
	maps   meet.MapService
	credit string
}

// Named lists the places that a text names, as far as the finder knows names.
func (l linked) Named(text string) []meet.NamedPlace {
	if known, ok := l.Finder.(stages.Gazetteer); ok {
		return known.Named(text)
	}
	return nil
}

// Search asks the finder.
func (l linked) Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error) {
	found, err := l.Finder.Search(ctx, q)
	for i := range found {
		found[i].Credit = l.credit
		if l.maps != meet.GoogleMaps {
			found[i].MapsURL = found[i].MapLinkOn(l.maps)
		}
	}
	return found, err
}
