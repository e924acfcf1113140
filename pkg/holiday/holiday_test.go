package holiday_test

import (
	"testing"
	"time"

	"convene/pkg/holiday"
	"convene/pkg/interval"
)

func at(t *testing.T, zone, day string) time.Time {
	t.Helper()
	loc, err := interval.Zone(zone)
	if err != nil {
		t.Fatal(err)
	}
	noon, err := time.ParseInLocation("2006-01-02 15:04", day+" 12:00", loc)
	if err != nil {
		t.Fatal(err)
	}
	return noon
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		zone, day string
		want      bool
	}{
		"Thanksgiving":                                  {"America/Los_Angeles", "2026-11-26", true},
		"the day behind it":                             {"America/Los_Angeles", "2026-11-27", false},
		"Thanksgiving is none elsewhere":                {"Europe/Berlin", "2026-11-26", false},
		"by another name of the zone":                   {"US/Pacific", "2026-11-26", true},
		"the Fourth of July on a Saturday":              {"America/New_York", "2026-07-04", true},
		"the Friday on which it is kept":                {"America/New_York", "2026-07-03", true},
		"next year's New Year's Day, kept this year":    {"America/Chicago", "2027-12-31", true},
		"Boxing Day":                                    {"Europe/London", "2027-12-27", true},
		"Easter Monday":                                 {"Europe/Madrid", "2027-03-29", false},
		"Good Friday":                                   {"Europe/Madrid", "2027-03-26", true},
		"Ascension Day":                                 {"Europe/Berlin", "2027-05-06", true},
		"Yom Kippur":                                    {"Asia/Jerusalem", "2026-09-21", true},
		"Independence Day, moved to Thursday":           {"Asia/Jerusalem", "2025-05-01", true},
		"the days between the first and last of Sukkot": {"Asia/Jerusalem", "2026-09-28", false},
		"Simchat Torah":                                 {"Asia/Tel_Aviv", "2026-10-03", true},
		"a holiday of Victoria":                         {"Australia/Melbourne", "2026-11-03", true},
		"and of no other state":                         {"Australia/Sydney", "2026-11-03", false},
		"a country that is not known":                   {"Asia/Kolkata", "2026-01-26", false},
		"no country":                                    {"UTC", "2026-12-25", false},
	} {
		if got := holiday.Public(at(t, c.zone, c.day)); got != c.want {
			t.Errorf("%s: %s in %s = %v, want %v", name, c.day, c.zone, got, c.want)
		}
	}
}

// Every country of the table keeps at least one day in a year, or its zones or days have gone missing.
func TestEveryCountryKeepsSomething(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{
		"America/Argentina/Buenos_Aires", "Europe/Vienna", "Europe/Brussels", "Europe/Sofia", "America/Sao_Paulo",
		"America/Toronto",
		"Europe/Zurich", "Europe/Prague", "Europe/Copenhagen", "Europe/Paris", "Europe/Athens", "Europe/Zagreb",
		"Europe/Dublin",
		"Europe/Rome", "Asia/Tokyo", "Europe/Vilnius", "Europe/Riga", "Africa/Blantyre", "Pacific/Noumea", "Europe/Amsterdam",
		"Europe/Oslo", "Pacific/Auckland", "Europe/Warsaw", "Europe/Bucharest", "Europe/Moscow", "Europe/Stockholm",
		"Europe/Ljubljana", "Europe/Bratislava", "Europe/Kyiv", "Africa/Johannesburg", "Australia/Perth",
	} {
		days := 0
		for day := at(t, zone, "2027-01-01"); day.Year() == 2027; day = day.AddDate(0, 0, 1) {
			if holiday.Public(day) {
				days++
			}
		}
		if days < 5 || days > 25 {
			t.Errorf("%s keeps %d public holidays in 2027", zone, days)
		}
	}
}

// What was worked out for a day of one year is not that of the same day in another.
func TestPublicOfOneDayInSeveralYears(t *testing.T) {
	t.Parallel()
	for range 2 {
		for day, want := range map[string]bool{"2026-11-26": true, "2027-11-26": false, "2028-11-25": false,
			"2032-11-25": true} {
			if got := holiday.Public(at(t, "America/Denver", day)); got != want {
				t.Errorf("%s = %v, want %v", day, got, want)
			}
		}
	}
}

func BenchmarkPublic(b *testing.B) {
	loc, err := interval.Zone("America/Los_Angeles")
	if err != nil {
		b.Fatal(err)
	}
	day := time.Date(2026, time.November, 24, 10, 0, 0, 0, loc)
	for b.Loop() {
		holiday.Public(day)
	}
}
