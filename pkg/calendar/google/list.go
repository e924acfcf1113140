package google

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// calendarFields are all that is asked for of a list of calendars.
const calendarFields = "kind,nextPageToken,items(id,summary,summaryOverride,timeZone,accessRole,primary,selected," +
	"deleted)"

// List is what an account that was just connected holds: the address that it is known by, and its calendars, the main
// one first. The main one takes time and is written to; of the others, those take time that belong to the account and
// are shown in Google Calendar.
func (c *Calendar) List(
	ctx context.Context, credential account.Credential,
) (address string, calendars []account.Calendar, err error) {
	api, err := c.open(ctx, &bearer{accounts: fresh{credential}, next: c.http})
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
				address = entry.Id
			}
			calendars = append(calendars, listed(entry))
		}
		if page.NextPageToken == "" {
			mainFirst(calendars)
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

func mainFirst(calendars []account.Calendar) {
	slices.SortStableFunc(calendars, func(a, b account.Calendar) int {
		switch {
		case a.Target == b.Target:
			return 0
		case a.Target:
			return -1
		default:
			return 1
		}
	})
}

// fresh is an account that is not stored yet, and has one credential.
type fresh struct{ credential account.Credential }

func (fresh) Accounts(context.Context, meet.PersonID, account.Provider) ([]account.Account, error) {
	return nil, nil
}

func (f fresh) Credential(context.Context, account.ID) (account.Credential, error) {
	return f.credential, nil
}

func (fresh) Refused(context.Context, account.ID, account.Credential) error {
	return fault.New(fault.CalendarFailed, "connect the Google calendar once more")
}
