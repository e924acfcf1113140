package place

import (
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

// Refused is the fault of a source that answered with an HTTP error status. after is its Retry-After, 0 if it sent
// none; it counts only if a retry may help, unlike for a rejected key.
func Refused(status int, after time.Duration, cause error) error {
	switch {
	case status == statusUnauthorized, status == statusPaymentRequired, status == statusForbidden:
		return fault.New(fault.PlacesUnavailable, "The search for places is not set up correctly.").Because(cause)
	case status == statusTooMany:
		return fault.New(fault.PlacesUnavailable, "The search for places is too busy just now.").Later(after).Because(cause)
	case status >= statusServerError:
		return fault.New(fault.PlacesUnavailable, "The search for places does not answer just now.").Later(after).
			Because(cause)
	default:
		return fault.New(fault.PlacesUnavailable, "The search for places did not take the question.").Because(cause)
	}
}
