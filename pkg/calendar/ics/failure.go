package ics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/outbound"
)

// refused is the fault for an unsuccessful status.
func refused(res *http.Response) error {
	status := fmt.Errorf("status %d", res.StatusCode)
	switch res.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return fault.New(fault.CalendarFailed, "the feed may not be read any more; add its new address").Because(status)
	case http.StatusNotFound, http.StatusGone:
		return fault.New(fault.CalendarFailed, "the feed is gone; add its new address").Because(status)
	case http.StatusTooManyRequests:
		return fault.New(fault.CalendarFailed, "the feed's server wants to be asked less often; try again in a moment").
			Later(outbound.RetryAfter(res.Header)).Because(status)
	}
	if res.StatusCode >= http.StatusInternalServerError {
		return unreachable().Later(outbound.RetryAfter(res.Header)).Because(status)
	}
	return fault.New(fault.CalendarFailed, "the feed could not be read; check its address").Because(status)
}

// failure is the fault for a feed that could not be fetched. Cancellation stays what it is.
func failure(ctx context.Context, err error, address *url.URL) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("read feed: %w", ctx.Err())
	}
	err = outbound.Cause(err)
	hidden := hide(err, address)
	if open, ok := errors.AsType[*outbound.OpenError](err); ok {
		return unreachable().Later(open.After).Because(hidden)
	}
	switch {
	case errors.Is(err, errTooLarge), errors.As(err, new(*outbound.TooLargeError)):
		return tooLarge()
	case errors.As(err, new(*outbound.NotPublicError)):
		return fault.New(fault.CalendarFailed,
			"the feed's address leads into a private network; add an address that can be reached from everywhere").
			Because(hidden)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fault.New(fault.CalendarFailed, "the feed came cut short; try again in a moment").Later(0).Because(hidden)
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		return fault.New(fault.CalendarFailed, "the feed did not answer in time; try again in a moment").
			Later(0).Because(hidden)
	default:
		return unreachable().Later(0).Because(hidden)
	}
}

func unreachable() *fault.Error {
	return fault.New(fault.CalendarFailed, "the feed could not be reached; try again in a moment")
}

func tooLarge() error {
	return fault.New(fault.CalendarFailed,
		"the feed is larger than %d MB; add one with fewer events", MaxFeed>>20)
}

// hiddenError is an error whose text does not show the feed's address. It supports errors.Is, but not unwrapping.
type hiddenError struct {
	err  error
	text string
}

// hide removes all URLs, and all parts of this address, from the text of err.
func hide(err error, address *url.URL) error {
	words := strings.Fields(err.Error())
	for i, word := range words {
		if strings.Contains(word, "://") || reveals(word, address) {
			words[i] = "[address]"
		}
	}
	return &hiddenError{err: err, text: strings.Join(words, " ")}
}

// reveals reports whether the word contains a part of the address that is too long to be there by chance.
func reveals(word string, address *url.URL) bool {
	const chance = 4
	written := []string{address.Host, address.Path, address.EscapedPath(), address.RawQuery}
	if address.User != nil {
		written = append(written, address.User.String())
	}
	parts := strings.FieldsFunc(strings.Join(written, "/"), func(r rune) bool { return strings.ContainsRune("/?&=:", r) })
	return slices.ContainsFunc(parts, func(part string) bool { return len(part) > chance && strings.Contains(word, part) })
}

func (e *hiddenError) Error() string { return e.text }

// Is reports whether the hidden error is target.
func (e *hiddenError) Is(target error) bool { return errors.Is(e.err, target) }
