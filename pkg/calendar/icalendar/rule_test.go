package icalendar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/teambition/rrule-go"
)

// walls is what the rule yields from start up to limit.
func walls(t *testing.T, text string, start, from, limit time.Time) []time.Time {
	t.Helper()
	r, err := parseRule(text)
	if err != nil {
		t.Fatalf("parseRule(%q): %v", text, err)
	}
	var got []time.Time
	var spent int
	if !r.each(start, from, limit, &spent, func(wall time.Time) { got = append(got, wall) }) {
		t.Fatalf("%q was too much work", text)
	}
	return got
}

func date(y, m, d, hour int) time.Time {
	return time.Date(y, time.Month(m), d, hour, 0, 0, 0, time.UTC)
}

// TestRuleAgainstAnotherImplementation compares with rrule-go, which has no way to stop and is therefore not used for
// files that strangers wrote, on random rules that it understands.
func TestRuleAgainstAnotherImplementation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5545, 1))
	for range 300 {
		text := randomRule(random)
		start := date(2019+random.IntN(3), 1+random.IntN(12), 1+random.IntN(28), random.IntN(24))
		from := start.AddDate(0, 0, random.IntN(900))
		limit := from.AddDate(0, 0, 1+random.IntN(500))
		option, err := rrule.StrToROption(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		option.Dtstart = start
		oracle, err := rrule.NewRRule(*option)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := oracle.Between(from, limit.Add(-time.Second), true)
		if got := walls(t, text, start, from, limit); !slices.Equal(want, got) {
			t.Fatalf("%s from %v, asked from %v to %v (-rrule-go +got):\n%s",
				text, start, from, limit, cmp.Diff(want, got))
		}
	}
}

// randomRule makes a rule in which every BY part means the same to everyone.
func randomRule(random *rand.Rand) string {
	freq := []string{"YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY"}[random.IntN(5)]
	parts := []string{"FREQ=" + freq}
	maybe := func(part string, values ...string) {
		if random.IntN(4) == 0 {
			random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			parts = append(parts, part+"="+strings.Join(values[:1+random.IntN(min(3, len(values)))], ","))
		}
	}
	if random.IntN(2) == 0 {
		// The other implementation never ends on an hourly rule that steps over all of its hours.
		parts = append(parts, fmt.Sprintf("INTERVAL=%d", 1+random.IntN(3)))
	} else if freq != "HOURLY" {
		maybe("BYHOUR", "0", "9", "17")
	}
	maybe("BYMONTH", "1", "2", "6", "12")
	maybe("BYMONTHDAY", "1", "15", "31", "-1", "-2")
	maybe("WKST", []string{"MO", "SU", "WE"}[random.IntN(3)])
	switch freq {
	case "YEARLY":
		// Plain and numbered weekdays together are "and" to the other implementation, where RFC 5545 has "or".
		maybe("BYDAY", "1MO", "-1FR", "2TU", "-3SU")
		maybe("BYYEARDAY", "1", "60", "366", "-1", "-200")
	case "MONTHLY":
		maybe("BYDAY", "1MO", "-1FR", "-2TU", "5WE")
	default:
		maybe("BYDAY", "MO", "WE", "SU")
	}
	if freq != "HOURLY" && slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, "BYDAY") }) {
		maybe("BYSETPOS", "1", "-1", "2")
	}
	if random.IntN(3) == 0 {
		parts = append(parts, fmt.Sprintf("COUNT=%d", 1+random.IntN([]int{20, 1000}[random.IntN(2)])))
	} else if random.IntN(3) == 0 {
		parts = append(parts, fmt.Sprintf("UNTIL=%d0301T090000Z", 2020+random.IntN(4)))
	}
	return strings.Join(parts, ";")
}

func TestRule(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, rule string
		start      time.Time
		want       []time.Time
	}{
		{"weekly on the start's weekday", "FREQ=WEEKLY;COUNT=2", date(2026, 3, 3, 9),
			[]time.Time{date(2026, 3, 3, 9), date(2026, 3, 10, 9)}},
		{"every other week by its first day", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;COUNT=4", date(1997, 8, 5, 9),
			[]time.Time{date(1997, 8, 5, 9), date(1997, 8, 17, 9), date(1997, 8, 19, 9), date(1997, 8, 31, 9)}},
		{"31st skips short months", "FREQ=MONTHLY;COUNT=3", date(2026, 1, 31, 9),
			[]time.Time{date(2026, 1, 31, 9), date(2026, 3, 31, 9), date(2026, 5, 31, 9)}},
		{"leap day comes every four years", "FREQ=YEARLY;COUNT=2", date(2024, 2, 29, 9),
			[]time.Time{date(2024, 2, 29, 9), date(2028, 2, 29, 9)}},
		{"last working day", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2", date(2026, 1, 30, 9),
			[]time.Time{date(2026, 1, 30, 9), date(2026, 2, 27, 9)}},
		{"week 20 on Monday", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=2", date(1997, 5, 12, 9),
			[]time.Time{date(1997, 5, 12, 9), date(1998, 5, 11, 9)}},
		{"until a date includes it", "FREQ=DAILY;UNTIL=20260304", date(2026, 3, 3, 9),
			[]time.Time{date(2026, 3, 3, 9), date(2026, 3, 4, 9)}},
		{"until before the start", "FREQ=DAILY;UNTIL=20260301", date(2026, 3, 3, 9), nil},
		{"lower case and a semicolon at the end", "freq=daily;count=1;", date(2026, 3, 3, 9),
			[]time.Time{date(2026, 3, 3, 9)}},
		{"a day that never comes", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1", date(2026, 3, 3, 9), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, walls(t, test.rule, test.start, test.start, date(2100, 1, 1, 0))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRuleRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "FREQ=FORTNIGHTLY", "COUNT=3", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=-1", "FREQ=DAILY;COUNT=many",
		"FREQ=WEEKLY;BYDAY=1MO", "FREQ=WEEKLY;BYDAY=XX", "FREQ=MONTHLY;BYDAY=0MO", "FREQ=MONTHLY;BYMONTHDAY=0",
		"FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=MONTHLY;BYWEEKNO=1", "FREQ=DAILY;UNTIL=soon", "FREQ=DAILY;BYEASTER=1",
		"FREQ=DAILY;COUNT=99999999999999999999", "FREQ=YEARLY;BYDAY=", "FREQ",
	} {
		if r, err := parseRule(text); err == nil {
			t.Errorf("parseRule(%q) = %+v, want an error", text, r)
		}
	}
}

// TestHostileRulesEnd is about rules that hold up a library without bounds for seconds, or for ever.
func TestHostileRulesEnd(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"FREQ=SECONDLY", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=HOURLY;INTERVAL=2;BYHOUR=3",
		"FREQ=MINUTELY;BYDAY=MO;BYMONTHDAY=31;BYMONTH=2", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31",
		"FREQ=SECONDLY;INTERVAL=1000000", "FREQ=YEARLY;INTERVAL=1000000", "FREQ=DAILY;COUNT=1000000",
		"FREQ=YEARLY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYMINUTE=" +
			"0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYDAY=MO,TU,WE,TH,FR,SA,SU",
	} {
		r, err := parseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		r.each(date(1990, 1, 1, 0), date(2026, 1, 1, 0), date(2026, 3, 1, 0), new(int), func(time.Time) {})
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s took %v", text, took)
		}
	}
}
