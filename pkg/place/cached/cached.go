// Package cached wraps a finder: simultaneous searches share one call, and answers are kept for as long as the source's
// terms allow.
//
// Searches from about the same place are equal: a midpoint is rounded to a hundredth of a degree, about a kilometre,
// before the source is asked, and the answer is ranked by the exact midpoint. So the source does not learn people's
// locations, either. Failures are never kept.
//
// The source's terms decide how long an answer may be kept, which is why Config.Life keeps nothing unless it is set:
//
//   - Google allows no copy of anything but the ids of places (Places API policies, "Exceptions from caching
//     restrictions", and section 3.2.3 of the Maps Platform terms).
//   - Foursquare's usage guidelines allow none to those who pay as they go, and to enterprise customers one of 24 hours
//     on the user's own device, but none on a server. Only another agreement allows it here.
//   - A file of one's own may be kept for any time, and needs it least.
package cached

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"convene/pkg/answers"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// Config is what a Finder works with. Source is required.
type Config struct {
	// Source finds places, and Name separates its answers from others in the same store.
	Source place.Finder
	Name   string
	// Answers stores answers. Without it, or without a Life, none are kept.
	Answers answers.Store
	// Life is how long an answer is kept. Defaults to zero; see the package.
	Life time.Duration
	// Deadline bounds one call of the source, which continues even if its caller has gone. Defaults to 10 s.
	Deadline time.Duration
	// Notify, if set, receives each failure of the store. It must not block.
	Notify func(ctx context.Context, err error)
}

// Finder is a caching place.Finder. It is safe for concurrent use.
type Finder struct {
	cfg     Config
	kept    answers.Kept[[]meet.Place]
	flights singleflight.Group

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

var _ place.Finder = (*Finder)(nil)

// New makes a finder. The caller must close it.
func New(cfg Config) *Finder {
	cfg.Deadline = cmp.Or(cfg.Deadline, 10*time.Second)
	return &Finder{cfg: cfg, kept: answers.Kept[[]meet.Place]{Store: cfg.Answers, Life: cfg.Life, Notify: cfg.Notify}}
}

// Close waits for pending calls of the source. Later searches fail.
func (f *Finder) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.running.Wait()
}

var errClosed = errors.New("the finder is closed")

// Search answers as place.Finder promises, with an answer that is at most Config.Life old.
func (f *Finder) Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error) {
	if err := ctx.Err(); err != nil {
		return nil, place.Unavailable(err)
	}
	asked := rounded(q)
	key, err := f.key(asked)
	if err != nil {
		return nil, place.Unavailable(err)
	}
	if places, kept := f.kept.Load(ctx, key); kept {
		return place.Answer(q, places, places), nil
	}
	places, err := f.join(ctx, key, asked)
	if err != nil {
		return nil, err
	}
	return place.Answer(q, places, places), nil
}

// rounded is the query shared by all similar ones. The answer handles Excluded and Without.
func rounded(q meet.PlaceQuery) meet.PlaceQuery {
	all := meet.PlaceQuery{
		Name: strings.Join(strings.Fields(q.Name), " "),
		Text: strings.Join(strings.Fields(q.Text), " "), Limit: place.MaxLimit,
		Features: q.Features, Area: strings.Join(strings.Fields(q.Area), " "),
		Landmark: strings.Join(strings.Fields(q.Landmark), " "),
		Close:    q.Close,
	}
	for _, kind := range q.Types {
		all.Types = append(all.Types, strings.ToLower(strings.TrimSpace(kind)))
	}
	slices.Sort(all.Types)
	all.Types = slices.Compact(all.Types)
	if q.Near != nil {
		near := q.Near.Rounded(100)
		all.Near = &near
	}
	return all
}

// keyVersion is part of every key. Raise it whenever a change of the stored form would make old answers misread.
const keyVersion = 2

func (f *Finder) key(q meet.PlaceQuery) (string, error) {
	q.Name = strings.Join(place.Words(q.Name), " ")
	return answers.Key(f.cfg.Name, keyVersion, q)
}

// join waits for the one call of the source that serves all equal queries of the moment. Each caller gets its own copy.
func (f *Finder) join(ctx context.Context, key string, q meet.PlaceQuery) ([]meet.Place, error) {
	landed := f.flights.DoChan(key, func() (any, error) { return f.fetch(ctx, key, q) })
	select {
	case <-ctx.Done():
		return nil, place.Unavailable(context.Cause(ctx))
	case r := <-landed:
		if r.Err != nil {
			return nil, r.Err
		}
		var places []meet.Place
		if err := json.Unmarshal(r.Val.([]byte), &places); err != nil { //nolint:forcetypeassert // fetch gives nothing else
			return nil, place.Unavailable(fmt.Errorf("read places: %w", err))
		}
		return places, nil
	}
}

// fetch asks the source and stores the answer. It continues for the other callers if the first has gone.
func (f *Finder) fetch(ctx context.Context, key string, q meet.PlaceQuery) ([]byte, error) {
	if !f.begin() {
		return nil, place.Unavailable(errClosed)
	}
	defer f.running.Done()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), f.cfg.Deadline)
	defer cancel()
	places, err := f.cfg.Source.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(places)
	if err != nil {
		return nil, place.Unavailable(fmt.Errorf("keep places: %w", err))
	}
	f.kept.SaveJSON(ctx, key, raw)
	return raw, nil
}

func (f *Finder) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.running.Add(1)
	}
	return !f.closed
}
