// Package activity is the contract of finders of things to do: markets, concerts, late museum nights. The finders are
// adapters in folders below this one.
package activity

import (
	"context"
	"errors"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// DefaultLimit is how many suggestions an answer has where the query does not say; MaxLimit bounds what it may say.
const (
	DefaultLimit = 5
	MaxLimit     = 50
)

// Finder suggests something to do.
//
// Suggest answers with at most q.Limit things (DefaultLimit if that is not positive) that begin at one of the times of
// Times, in the order in which to show them. Starts and ends are in q.Zone. If q.Text has meaningful words ("jazz",
// "with the kids"), only matching things are suggested; other words are ignored. Nothing found is an empty list and no
// error. An error is a fault.Unavailable; a context that ended is its cause.
type Finder interface {
	Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error)
}

// Limit is the number of suggestions that a query wants.
func Limit(q meet.ActivityQuery) int {
	if q.Limit <= 0 {
		return DefaultLimit
	}
	return min(q.Limit, MaxLimit)
}

// Times are the stretches of a day, in zone, within which a query wants things to begin; none if it excludes the day.
func Times(q meet.ActivityQuery, day interval.Date, zone *time.Location) []interval.Span {
	named := func(r interval.DateRange) bool { return r.Contains(day) }
	if len(q.Dates) > 0 && !slices.ContainsFunc(q.Dates, named) {
		return nil
	}
	windows := []interval.Window{{End: interval.EndOfDay}}
	if q.Hours != nil {
		windows = q.Hours.For(day)
	}
	var times []interval.Span
	for _, w := range windows {
		if s := w.On(day, zone).Intersect(q.Span); !s.Empty() {
			times = append(times, s)
		}
	}
	return times
}

// Suits reports whether a query wants something that begins at start, in its venue's zone.
func Suits(q meet.ActivityQuery, start time.Time) bool {
	begins := func(s interval.Span) bool { return s.Contains(start) }
	return slices.ContainsFunc(Times(q, interval.DateOf(start), start.Location()), begins)
}

// ErrNoSearch is in the fault of a finder whose provider has no search at all, so that asking again later is of no use.
var ErrNoSearch = errors.New("the provider has no search")

// Unavailable is the fault of a failed search, with its cause.
func Unavailable(cause error) error {
	return fault.New(fault.Unavailable, "I can't look up what's on just now.").Later(0).Because(cause)
}
