// Package activity is the contract of whatever knows what is going on: markets, concerts, late museum nights. Its
// finders are adapters in folders below this one.
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
// Suggest answers with at most q.Limit things (DefaultLimit where that is not positive) that begin at one of the times
// that Times gives, in the order in which they should be shown. Starts and ends are in q.Zone. Where q.Text has words
// that mean something ("jazz", "with the kids"), only what fits them is suggested; other words are passed over. Nothing
// found is an empty list and no error. An error is a fault.Unavailable; a context that ended is its cause.
type Finder interface {
	Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error)
}

// Limit is how many suggestions a query wants.
func Limit(q meet.ActivityQuery) int {
	if q.Limit <= 0 {
		return DefaultLimit
	}
	return min(q.Limit, MaxLimit)
}

// Times are the stretches of a day within which things may begin that a query asks for, in zone; none where it does not
// ask for that day.
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

// Suits reports whether something that begins at start, in the zone of where it is, is what a query asks for.
func Suits(q meet.ActivityQuery, start time.Time) bool {
	begins := func(s interval.Span) bool { return s.Contains(start) }
	return slices.ContainsFunc(Times(q, interval.DateOf(start), start.Location()), begins)
}

// ErrNoSearch is in the fault of a finder whose provider has no search at all, so that asking again later is of no use.
var ErrNoSearch = errors.New("the provider has no search")

// Unavailable is the fault of a search that could not be made, with its cause.
func Unavailable(cause error) error {
	return fault.New(fault.Unavailable, "I can't look up what's on just now.").Later(0).Because(cause)
}
