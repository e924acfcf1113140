package place

import (
	"strconv"
	"time"

	"convene/pkg/fault"
)

// The statuses of HTTP that mean more than "not now".
const (
	statusUnauthorized    = 401
	statusPaymentRequired = 402
	statusForbidden       = 403
	statusTooMany         = 429
	statusServerError     = 500
)

// Refused is the fault of a source that answered with an HTTP status instead of places. retryAfter is what it said of
// that, in seconds; it counts only where asking again may help, which it does not for a key that is not accepted.
func Refused(status int, retryAfter string, cause error) error {
	seconds, err := strconv.Atoi(retryAfter)
	if err != nil {
		seconds = 0
	}
	after := time.Duration(min(max(seconds, 0), maxRetryAfter)) * time.Second
	switch {
	case status == statusUnauthorized, status == statusPaymentRequired, status == statusForbidden:
		return fault.New(fault.PlacesUnavailable, "The search for places is not set up correctly.").Because(cause)
	case status == statusTooMany:
		return fault.New(fault.PlacesUnavailable, "The search for places is too busy just now.").Later(after).Because(cause)
	case status >= statusServerError:
		return fault.New(fault.PlacesUnavailable, "The search for places does not answer just now.").Later(after).Because(cause)
	default:
		return fault.New(fault.PlacesUnavailable, "The search for places did not take the question.").Because(cause)
	}
}

// maxRetryAfter is the longest wait that is believed, in seconds.
const maxRetryAfter = 24 * 60 * 60
