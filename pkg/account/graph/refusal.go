package graph

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/outbound"
)

// Refusal is an error answer of Graph. Its text is dropped, because it may name mailboxes.
type Refusal struct {
	Status int
	// Code is Graph's error code, as ErrorAccessDenied; empty if the answer was not Graph's.
	Code   string
	header http.Header
}

// refusal is the error of an answer: a proxy's page has its status alone.
func refusal(res *http.Response) error {
	var answer struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = json.NewDecoder(res.Body).Decode(&answer)
	return &Refusal{Status: res.StatusCode, Code: answer.Error.Code, header: res.Header}
}

func (e *Refusal) Error() string {
	return strings.TrimSpace(fmt.Sprintf("graph answered %d %s", e.Status, e.Code))
}

// IsStatus reports whether err is an answer of Graph with one of the status codes.
func IsStatus(err error, codes ...int) bool { return slices.Contains(codes, StatusOf(err)) }

// StatusOf is the status of an error answer; 0 for other errors.
func StatusOf(err error) int {
	if answer, ok := errors.AsType[*Refusal](err); ok {
		return answer.Status
	}
	return 0
}

// Unanswered reports whether Graph may have carried out the request: there is no answer, or one of a proxy that got
// none.
func Unanswered(err error) bool {
	_, said := errors.AsType[*fault.Error](err)
	return err != nil && !said && (StatusOf(err) == 0 || StatusOf(err) >= http.StatusInternalServerError)
}

// HasCode reports whether err is an answer of Graph with one of the error codes.
func HasCode(err error, codes ...string) bool {
	answer, ok := errors.AsType[*Refusal](err)
	return ok && slices.ContainsFunc(codes, func(code string) bool { return strings.EqualFold(answer.Code, code) })
}

// RetryAfter is how long Graph asks to wait; 0 if it does not say.
func RetryAfter(err error) time.Duration {
	answer, ok := errors.AsType[*Refusal](err)
	if !ok {
		return 0
	}
	return outbound.RetryAfter(answer.header)
}
