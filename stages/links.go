package stages

import (
	"net/url"
	"time"

	"convene/pkg/meet"
)

// Links are the ways to take a proposal into a calendar by hand: the file, and the prefilled forms of Google
// Calendar (render?action=TEMPLATE) and Outlook (deeplink/compose). Times in the forms are UTC.
func Links(e meet.Event) meet.Links {
	const compact = "20060102T150405Z"
	where := ""
	if e.Place != nil {
		where = e.Place.Name
		if e.Place.Address != "" {
			where += ", " + e.Place.Address
		}
	}
	google := url.Values{
		"action":   {"TEMPLATE"},
		"text":     {e.Title},
		"dates":    {e.Start.UTC().Format(compact) + "/" + e.End.UTC().Format(compact)},
		"ctz":      {e.Timezone},
		"location": {where},
	}
	outlook := url.Values{
		"path":     {"/calendar/action/compose"},
		"rru":      {"addevent"},
		"subject":  {e.Title},
		"startdt":  {e.Start.UTC().Format(time.RFC3339)},
		"enddt":    {e.End.UTC().Format(time.RFC3339)},
		"location": {where},
	}
	return meet.Links{
		ICS:     "/v1/proposals/" + string(e.ID) + ".ics",
		Google:  "https://calendar.google.com/calendar/render?" + google.Encode(),
		Outlook: "https://outlook.live.com/calendar/0/deeplink/compose?" + outlook.Encode(),
	}
}
