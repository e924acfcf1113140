// Package cached stands in front of a finder that is slow and costs something: what it found is kept for a while, for
// everybody who asks the same from the same town. Failures, and that nothing was found, are never kept.
package cached

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"convene/pkg/activity"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Answers keeps answers for all processes that share the store. What is lost there is asked for again.
type Answers interface {
	// Load is what was saved under the key, nil where that is nothing any more.
	Load(ctx context.Context, key string) ([]byte, error)
	// Save keeps an answer for so long.
	Save(ctx context.Context, key string, answer []byte, life time.Duration) error
}

// Config is what a Finder works with. Source and Answers are required.
type Config struct {
	// Source is asked, and Name tells its answers from those of others in the same store.
	Source activity.Finder
	Name   string
	// Answers is where answers are kept, and Life for how long. Without a Life none are.
	Answers Answers
	Life    time.Duration
	// Notify, where set, is told of each look at the store that failed. It must not block.
	Notify func(ctx context.Context, err error)
}

// Finder is an activity.Finder with a memory. It is safe for concurrent use.
type Finder struct{ cfg Config }

var _ activity.Finder = (*Finder)(nil)

// New makes a finder.
func New(cfg Config) *Finder {
	if cfg.Notify == nil {
		cfg.Notify = func(context.Context, error) {}
	}
	return &Finder{cfg}
}

// storeTime bounds each look at the store: it must not take what the search itself needs.
const storeTime = time.Second

// Suggest is as activity.Finder promises, by an answer that is Config.Life old at most. What has begun since is left out;
// where that is all of it, the source is asked again.
func (f *Finder) Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	key := f.key(q)
	if kept := coming(f.load(ctx, key), q); len(kept) > 0 {
		return kept, nil
	}
	found, err := f.cfg.Source.Suggest(ctx, q)
	if err == nil && len(found) > 0 {
		f.save(ctx, key, found)
	}
	return found, err
}

// coming are those of the suggestions that the query asks for, in its zone.
func coming(kept []meet.Suggestion, q meet.ActivityQuery) []meet.Suggestion {
	kept = slices.DeleteFunc(kept, func(s meet.Suggestion) bool { return !q.Span.Contains(s.Start) })
	kept = kept[:min(len(kept), activity.Limit(q))]
	for i := range kept {
		kept[i].Start, kept[i].End = kept[i].Start.In(zoneOf(q)), kept[i].End.In(zoneOf(q))
	}
	return kept
}

func zoneOf(q meet.ActivityQuery) *time.Location { return cmp.Or(q.Zone, time.UTC) }

// keyVersion is part of every key. Raise it when a stored form changes so that old answers would be misread.
const keyVersion = 1

// asked is what makes two questions the same: the words, the town and the days, and not the minute at which they are asked.
type asked struct {
	Text  string               `json:"text"`
	Area  string               `json:"area"`
	Near  [2]float64           `json:"near"`
	From  string               `json:"from"`
	To    string               `json:"to"`
	Dates []interval.DateRange `json:"dates,omitempty"`
	Hours *meet.Hours          `json:"hours,omitempty"`
	Zone  string               `json:"zone"`
	Limit int                  `json:"limit"`
}

// key is a name for the question that tells nobody what people asked.
func (f *Finder) key(q meet.ActivityQuery) string {
	zone := zoneOf(q)
	a := asked{
		Text: strings.ToLower(strings.Join(strings.Fields(q.Text), " ")), Area: q.Area,
		From: q.Span.Start.In(zone).Format(time.DateOnly), To: q.Span.End.In(zone).Format(time.DateOnly),
		Dates: q.Dates, Hours: q.Hours, Zone: zone.String(), Limit: activity.Limit(q),
	}
	if q.Near != nil { // says it without the names of quarters
		a.Area, a.Near = "", [2]float64{tenth(q.Near.Latitude), tenth(q.Near.Longitude)}
	}
	raw, err := json.Marshal(a)
	if err != nil {
		raw = fmt.Appendf(nil, "%+v", a)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", keyVersion, f.cfg.Name, raw))
	return hex.EncodeToString(sum[:])
}

// tenth of a degree is some ten kilometres.
func tenth(degrees float64) float64 { return math.Round(degrees*10) / 10 }

// load is the answer that is kept. A store that cannot be reached, or read, has none.
func (f *Finder) load(ctx context.Context, key string) (found []meet.Suggestion) {
	if f.cfg.Life <= 0 {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	raw, err := f.cfg.Answers.Load(bounded, key)
	if err == nil && raw != nil {
		err = json.Unmarshal(raw, &found)
	}
	if err != nil {
		f.cfg.Notify(ctx, fmt.Errorf("load activities: %w", err))
		return nil
	}
	return found
}

func (f *Finder) save(ctx context.Context, key string, found []meet.Suggestion) {
	if f.cfg.Life <= 0 {
		return
	}
	raw, err := json.Marshal(found)
	if err == nil {
		bounded, cancel := context.WithTimeout(ctx, storeTime)
		defer cancel()
		err = f.cfg.Answers.Save(bounded, key, raw, f.cfg.Life)
	}
	if err != nil {
		f.cfg.Notify(ctx, fmt.Errorf("save activities: %w", err))
	}
}
