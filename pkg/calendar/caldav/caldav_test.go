package caldav_test

import (
	"testing"

	"convene/pkg/calendar"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/meet"
)

// Whatever a server lacks, free and busy are the same.
func TestContractOnServersThatLackThings(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]caldavtest.Options{
		"full":                   {},
		"refuses time ranges":    {NoTimeRange: true},
		"refuses queries":        {NoQuery: true},
		"names events only":      {NoData: true},
		"invites":                {Schedules: true, Addresses: []string{"mailto:ola@example.com"}},
		"without ETags":          {NoETag: true},
		"home on another host":   {HomeHost: "p07-caldav.example.com"},
		"without a sync report":  {NoSync: true},
		"without anything to go": {NoSync: true, NoCTag: true, NoETag: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calendartest.TestLocatingProvider(t, func(t *testing.T, _ meet.Person,
				events ...calendartest.Event) calendar.Provider {
				t.Helper()
				w := connect(t, o, "work")
				w.fill("work", events...)
				return w.Calendar
			})
		})
	}
}
