// Package google finds places with Google's Places API (New).
//
// Kinds with a Google type are searched by it (searchNearby), others by their words (searchText), and wished features
// by both. Only the used fields are requested, because Google charges by them; those for features, only if they are
// wished for. Google says which features a place has and never which it lacks, so the others are unknown. Each place
// has a link to its page; its pictures would cost a call each, and are not fetched.
//
// Google's terms allow no copy of its data but of the ids; see the package cached. They demand its name beside its
// places (see Attribution), and the names of other sources that it lists for a place: answers have no field for these,
// so a place with one is left out.
package google

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"

	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
	places "google.golang.org/api/places/v1"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/outbound"
	"convene/pkg/place"
)

// Config is how Google is asked. Key is required.
type Config struct {
	// Key is an API key for the Places API (New).
	Key string
	// Around is the centre of searches without a location; nil finds nothing then, since Google would look around this
	// server.
	Around *geo.Point
	// Language of names with several, as "en". Defaults to Google's choice.
	Language string
	// Deadline bounds one search with all its calls. Defaults to 5 s.
	Deadline time.Duration
	// Endpoint is the root of the API. Defaults to Google's own.
	Endpoint string
	// Base makes the connections. Defaults to a transport of the client's own.
	Base http.RoundTripper
}

// Finder is a place.Finder that asks Google. It is safe for concurrent use.
type Finder struct {
	cfg   Config
	api   *places.Service
	kinds place.Kinds
}

var _ place.Finder = (*Finder)(nil)

// New makes a finder without any call.
func New(cfg Config) (*Finder, error) {
	if strings.TrimSpace(cfg.Key) == "" {
		return nil, fault.Invalid("key", "Google's places need an API key.")
	}
	cfg.Deadline = cmp.Or(cfg.Deadline, 5*time.Second)
	endpoint := strings.TrimSuffix(cmp.Or(cfg.Endpoint, "https://places.googleapis.com"), "/") + "/"
	k, err := place.ReadKinds(typesFile)
	if err != nil {
		return nil, err
	}
	client := outbound.Client(outbound.Config{
		Name: "google places", Base: cfg.Base, Deadline: cfg.Deadline,
		Retryable: func(res *http.Response) bool { return res.StatusCode == http.StatusInternalServerError },
	})
	// Google's own options for keys put them into the address, and what it logs would hold what people look for.
	api, err := places.NewService(context.Background(),
		option.WithHTTPClient(&http.Client{
			Transport: signing{cfg.Key, client.Transport},
			// A redirect could take the key elsewhere.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}),
		option.WithEndpoint(endpoint),
		option.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, fmt.Errorf("google places: %w", err)
	}
	return &Finder{cfg: cfg, api: api, kinds: k}, nil
}

// Attribution is the credit that Google's policies demand where its places are shown without its map.
func (*Finder) Attribution() place.Attribution {
	return place.Attribution{Text: "Google Maps", URL: "https://www.google.com/maps"}
}

// signing adds the key as a header, which no log contains, and refuses a successful answer that is not JSON.
type signing struct {
	key  string
	next http.RoundTripper
}

var errNotJSON = errors.New("the answer is not JSON")

// RoundTrip makes the call.
func (s signing) RoundTrip(req *http.Request) (*http.Response, error) {
	signed := req.Clone(req.Context())
	signed.Header.Set("X-Goog-Api-Key", s.key)
	res, err := s.next.RoundTrip(signed)
	if err != nil || res.StatusCode != http.StatusOK {
		return res, err
	}
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		_, _ = io.CopyN(io.Discard, res.Body, 64<<10)
		return nil, errors.Join(errNotJSON, res.Body.Close())
	}
	return res, nil
}

// Search answers as place.Finder promises.
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
		return []meet.Place{}, failed(err)
	}
	named, err := s.named(ctx)
	if err != nil {
		return nil, failed(err)
	}
	others, err := s.others(ctx, named)
	if err != nil {
		return nil, failed(err)
	}
	return place.Answer(q, named, others), nil
}

// failed converts err to a fault. It omits Google's own words, which may name the key.
func failed(err error) error {
	if err == nil {
		return nil
	}
	if refused, ok := errors.AsType[*googleapi.Error](err); ok {
		status, why := refused.Code, fmt.Errorf("google places: status %d", refused.Code)
		if status == http.StatusBadRequest && strings.Contains(refused.Body, "API_KEY_INVALID") {
			status = http.StatusForbidden
		}
		return place.Refused(status, outbound.RetryAfter(refused.Header), why)
	}
	cause := fmt.Errorf("google places: %w", outbound.Cause(err))
	if open, ok := errors.AsType[*outbound.OpenError](err); ok {
		return place.Refused(http.StatusServiceUnavailable, open.After, cause)
	}
	return place.Unavailable(cause)
}
