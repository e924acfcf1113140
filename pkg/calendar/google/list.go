package google

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/account"
	"convene/pkg/account/google"
	"convene/pkg/fault"
)

// calendarFields are the requested fields of a list of calendars.
const calendarFields = "kind,nextPageToken,items(id,summary,summaryOverride,timeZone,accessRole,primary,selected," +
	"deleted)"

// List is the address of an account that was just connected, and its calendars, the main one first. The main one blocks
// and is the target; of the others, those block that belong to the account and are shown in Google Calendar.
func (c *Calendar) List(
	ctx context.Context, credential account.Credential,
) (address string, calendars []account.Calendar, err error) {
	again := fault.New(fault.CalendarFailed, "connect the Google calendar once more")
	api, err := c.open(ctx, &google.Bearer{Accounts: google.Fresh{Given: credential, Again: again}, Next: c.http})
	if err != nil {
		return "", nil, err
	}
	call := api.CalendarList.List().MaxResults(250).Fields(calendarFields)
	for range maxPages {
		page, err := call.Context(ctx).Do()
		if err == nil && (page == nil || page.Kind != "calendar#calendarList") {
			err = errNotUnderstood
		}
		if err != nil {
			return "", nil, failed("list calendars", err)
		}
		for _, entry := range page.Items {
			if entry == nil || entry.Id == "" || entry.Deleted {
				continue
			}
			if entry.Primary {
				address, calendars = entry.Id, slices.Insert(calendars, 0, listed(entry))
			} else {
				calendars = append(calendars, listed(entry))
			}
		}
		if page.NextPageToken == "" {
			return address, calendars, nil
		}
		call.PageToken(page.NextPageToken)
	}
	return "", nil, failed("list calendars", fmt.Errorf("more than %d pages: %w", maxPages, errNotUnderstood))
}

func listed(entry *gcal.CalendarListEntry) account.Calendar {
	return account.Calendar{
		ID: entry.Id, Name: cmp.Or(entry.SummaryOverride, entry.Summary, entry.Id), Timezone: entry.TimeZone,
		Blocks: entry.Primary || entry.Selected && entry.AccessRole == "owner",
		Target: entry.Primary,
	}
}
