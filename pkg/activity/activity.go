// Package activity is the contract of whatever knows what is going on: markets, concerts, late museum nights. Its
// finders are adapters in folders below this one.
package activity

import (
	"context"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// DefaultLimit is how many suggestions an answer has where the query does not say; MaxLimit bounds what it may say.
const (
	DefaultLimit = 5
	MaxLimit     = 50
)

// Finder suggests something to do.
//
// Suggest answers with at most q.Limit things (DefaultLimit where that is not positive) that begin within q.Span, in
// the order in which they should be shown. Starts and ends are in q.Zone. Where q.Text has words that mean something
// ("jazz", "with the kids"), only what fits them is suggested; other words are passed over. Nothing found is an empty
// list and no error. An error is a fault.Unavailable; a context that ended is its cause.
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

// Unavailable is the fault of a search that could not be made, with its cause.
func Unavailable(cause error) error {
	return fault.New(fault.Unavailable, "I can't look up what's on just now.").Later(0).Because(cause)
}
