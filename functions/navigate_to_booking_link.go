package functions

import (
	"context"
	_ "embed"
	"net/url"
	"slices"

	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed navigate_to_booking_link.md
var navigateToBookingLinkWords string

// NavigateArguments name the page.
type NavigateArguments struct {
	URL string `json:"url"`
}

// NavigateToBookingLink opens a booking page from the message or from a participant's profile.
func NavigateToBookingLink() tool.Tool[TemplateContext, meet.Draft] {
	return tool.Define("navigateToBookingLink", navigateToBookingLinkWords, navigateToBookingLink)
}

// IsPage reports whether s is the address of a page that may be opened: https, a host, and no password in it.
func IsPage(s string) bool {
	page, err := url.Parse(s)
	return err == nil && page.Scheme == "https" && page.Host != "" && page.User == nil
}

func navigateToBookingLink(_ context.Context, c TemplateContext, in NavigateArguments) (meet.Draft, error) {
	if !slices.Contains(c.BookingLinks, in.URL) {
		return meet.Draft{}, tool.BadArgument("url", "must be one of the booking links that you were given, unchanged")
	}
	if !IsPage(in.URL) {
		return meet.Draft{}, tool.BadArgument("url", "must be an https address")
	}
	return meet.Draft{Mode: meet.ModeNew, Ending: meet.Navigate(in.URL)}, nil
}
