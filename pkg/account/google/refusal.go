package google

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/api/googleapi"
)

// Refusal is an error of Google's with its status and documented reasons only: the body may hold addresses, or be a
// page of HTML.
type Refusal struct {
	Status  int
	Reasons []string
}

// RefusalOf is what an answer says.
func RefusalOf(answer *googleapi.Error) *Refusal {
	r := &Refusal{Status: answer.Code}
	for _, item := range answer.Errors {
		r.Reasons = append(r.Reasons, item.Reason)
	}
	return r
}

func (r *Refusal) Error() string {
	if len(r.Reasons) == 0 {
		return fmt.Sprintf("status %d", r.Status)
	}
	return fmt.Sprintf("status %d (%s)", r.Status, strings.Join(r.Reasons, ", "))
}

// Limits reports whether it is a rate limit, which has status 403 or 429.
func (r *Refusal) Limits() bool {
	return r.Status == http.StatusTooManyRequests || slices.ContainsFunc(r.Reasons, func(reason string) bool {
		return reason == "rateLimitExceeded" || reason == "userRateLimitExceeded"
	})
}

// WorthAnotherTry reports whether the status is 500, or 403 for a rate limit.
func WorthAnotherTry(answer *http.Response) bool {
	if answer.StatusCode != http.StatusForbidden {
		return answer.StatusCode == http.StatusInternalServerError
	}
	refused, ok := errors.AsType[*googleapi.Error](googleapi.CheckResponse(answer))
	return ok && RefusalOf(refused).Limits()
}
