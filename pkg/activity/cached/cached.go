// Package cached wraps a finder that is slow and costs money: it keeps what was found for a while, for all users who
// ask the same from the same town. Failures and empty answers are never kept.
package cached

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"convene/pkg/activity"
	"convene/pkg/answers"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Config is what a Finder works with. Source and Answers are required.
type Config struct {
	// Source finds activities, and Name separates its answers from others in the same store.
	Source activity.Finder
	Name   string
	// Answers stores answers for Life. Without a Life none are kept.
	Answers answers.Store
	Life    time.Duration
	// Notify, if set, receives each failure of the store. It must not block.
	Notify func(ctx context.Context, err error)
}

// Finder is a caching activity.Finder. It is safe for concurrent use.
type Finder struct {
	cfg  Config
	kept answers.Kept[[]meet.Suggestion]
}

var _ activity.Finder = (*Finder)(nil)

// New makes a finder.
func New(cfg Config) *Finder {
	return &Finder{cfg, answers.Kept[[]meet.Suggestion]{Store: cfg.Answers, Life: cfg.Life, Notify: cfg.Notify}}
}

// Suggest answers as activity.Finder promises, with an answer that is at most Config.Life old. What has begun since is
// left out; if nothing remains, the source is asked again.
func (f *Finder) Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	key, err := answers.Key(f.cfg.Name, keyVersion, question(q))
	if err != nil {
		return nil, activity.Unavailable(err)
	}
	found, _ := f.kept.Load(ctx, key)
	if found = coming(found, q); len(found) > 0 {
		return found, nil
	}
	found, err = f.cfg.Source.Suggest(ctx, q)
	if err == nil && len(found) > 0 {
		f.kept.Save(ctx, key, found)
	}
	return found, err
}

// coming are the kept suggestions that the query wants, in its zone.
func coming(kept []meet.Suggestion, q meet.ActivityQuery) []meet.Suggestion {
	kept = slices.DeleteFunc(kept, func(s meet.Suggestion) bool { return !q.Span.Contains(s.Start) })
	kept = kept[:min(len(kept), activity.Limit(q))]
	for i := range kept {
		kept[i].Start, kept[i].End = kept[i].Start.In(zoneOf(q)), kept[i].End.In(zoneOf(q))
	}
	return kept
}

func zoneOf(q meet.ActivityQuery) *time.Location { return cmp.Or(q.Zone, time.UTC) }

// keyVersion is part of every key. Raise it whenever a change of the stored form would make old answers misread.
const keyVersion = 1

// asked is what makes two queries equal: the words, the town and the days, but not the minute of asking.
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

func question(q meet.ActivityQuery) asked {
	zone := zoneOf(q)
	a := asked{
		Text: strings.ToLower(strings.Join(strings.Fields(q.Text), " ")), Area: q.Area,
		From: q.Span.Start.In(zone).Format(time.DateOnly), To: q.Span.End.In(zone).Format(time.DateOnly),
		Dates: q.Dates, Hours: q.Hours, Zone: zone.String(), Limit: activity.Limit(q),
	}
	if q.Near != nil { // says it without the names of quarters
		near := q.Near.Rounded(10)
		a.Area, a.Near = "", [2]float64{near.Latitude, near.Longitude}
	}
	return a
}
