// Package foursquare finds places with Foursquare's Places API, version 2025-06-17.
//
// Foursquare rates from 0 to 10, and sends the rating on request only; 8.0 is 4.0 stars. Its opening hours have no
// zone, which therefore follows from the country, the region and the coordinates, and is unknown if these are
// ambiguous. Some fields cost more than others: see Tier.
//
// Wished features are searched by their words in addition to all else, and compared with Foursquare's attributes,
// prices and tastes of a place. Other features are unknown.
//
// Its terms allow no copy of its data beyond the ids, on no server; see the package cached. They demand credit (see
// Attribution), and for each place shown a link to its page (see PageURL), which each place has.
package foursquare

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/outbound"
	"convene/pkg/place"
)

// Tier decides which fields are requested.
type Tier int

const (
	// Premium requests ratings, prices, hours and features, for which Foursquare charges credits.
	Premium Tier = iota
	// Pro requests only the other fields. Places then have neither ratings nor hours.
	Pro
)

// Config is how Foursquare is asked. Key is required.
type Config struct {
	// Key is a service key of the project.
	Key string
	// Tier is Premium unless set.
	Tier Tier
	// Around is the centre of searches without a location; nil finds nothing then, since Foursquare would look around this
	// server.
	Around *geo.Point
	// Deadline bounds one search with all its calls. Defaults to 5 s.
	Deadline time.Duration
	// Endpoint is the root of the API. Defaults to Foursquare's own.
	Endpoint string
	// Base makes the connections. Defaults to a transport of the client's own.
	Base http.RoundTripper
}

// Finder is a place.Finder that asks Foursquare. It is safe for concurrent use.
type Finder struct {
	cfg   Config
	http  *http.Client
	kinds place.Kinds
	zones zones
	// tastes maps Foursquare's words for what visitors praise to features.
	tastes map[string]string
}

var _ place.Finder = (*Finder)(nil)

// New makes a finder without any call.
func New(cfg Config) (*Finder, error) {
	if strings.TrimSpace(cfg.Key) == "" {
		return nil, fault.Invalid("key", "Foursquare needs a service key.")
	}
	cfg.Deadline = cmp.Or(cfg.Deadline, 5*time.Second)
	cfg.Endpoint = strings.TrimSuffix(cmp.Or(cfg.Endpoint, "https://places-api.foursquare.com"), "/")
	k, err := place.ReadKinds(kindsFile)
	if err != nil {
		return nil, err
	}
	z, err := readZones(zonesFile)
	if err != nil {
		return nil, err
	}
	praised, err := readTastes(tastesFile)
	if err != nil {
		return nil, err
	}
	client := outbound.Client(outbound.Config{
		Name: "foursquare", Base: cfg.Base, Deadline: cfg.Deadline,
		Retryable: func(res *http.Response) bool { return res.StatusCode == http.StatusInternalServerError },
	})
	// A redirect could take the key elsewhere.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Finder{cfg: cfg, http: client, kinds: k, zones: z, tastes: praised}, nil
}

// Attribution is the credit that Foursquare's visual crediting policy demands.
func (*Finder) Attribution() place.Attribution {
	return place.Attribution{Text: "Powered by Foursquare", URL: "https://foursquare.com/"}
}

// PageURL is Foursquare's own page of the place, to which its policy demands a link.
func PageURL(id string) string { return "https://foursquare.com/v/" + url.PathEscape(id) }

const (
	// vicinityMeters is the radius of the first search; a full page ends the search.
	vicinityMeters = 3_000
	reachMeters    = place.ReachKm * 1000
	// widestMeters is Foursquare's maximum radius, used for named venues.
	widestMeters = 100_000
)

// Search answers as place.Finder promises. Foursquare looks up the neighbourhood or town in the text; one far from the
// midpoint counts only if its places are in a town of that name.
func (f *Finder) Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error) {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Deadline)
	defer cancel()
	s := search{Finder: f, query: q, criteria: place.CriteriaFor(q)}
	if s.from = q.Near; s.from == nil {
		s.from = f.cfg.Around
	}
	if s.from == nil && s.criteria.Area == "" {
		return []meet.Place{}, nil
	}
	if there, err := s.goToLandmark(ctx); err != nil || !there {
		return []meet.Place{}, err
	}
	named, err := s.named(ctx)
	if err != nil {
		return nil, err
	}
	others, err := s.others(ctx, named)
	if err != nil {
		return nil, err
	}
	return place.Answer(q, named, others), nil
}
