package calendar_test

import (
	"encoding/json"
	"strings"
	"testing"

	"convene/pkg/agenda"
	"convene/pkg/meet"
)

// Of a series, the occurrence of the day that is named may be meant, and its owner is asked.
func TestMoveASeriesToADayThatHasOne(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		arguments, want string
		asks            bool
	}{
		{`{"selection":{"titleHas":["standup"],"one":true},"to":{"date":"2027-03-16","time":"10:30"}}`,
			"update Standup 2027-03-16T09:30 → 2027-03-16T10:30 this", true},
		{`{"selection":{"titleHas":["standup"],"one":true},"to":{"date":"2027-03-16"}}`,
			"update Standup 2027-03-09T09:30 → 2027-03-16T09:30 this", true},
		{`{"selection":{"titleHas":["standup"],"one":true},"to":{"date":"2027-03-10","time":"10:30"}}`,
			"update Standup 2027-03-09T09:30 → 2027-03-10T10:30 this", false},
		{`{"selection":{"titleHas":["standup"],"window":{"start":"2027-03-09","end":"2027-03-10"}},` +
			`"to":{"date":"2027-03-16","time":"10:30"}}`, "update Standup 2027-03-09T09:30 → 2027-03-16T10:30 this", false},
	} {
		result := call(t, week(), "calendar_moveEvents", test.arguments)
		if got := strings.Join(lines(t, result), "; "); got != test.want || result.Unsure != test.asks {
			t.Errorf("%s: got %s, asks %v", test.arguments, got, result.Unsure)
		}
	}
}

// A series of every week moves to other days of the week from the first occurrence that is meant on, in the same week
// where that is not over; today is Tuesday.
func TestMoveASeriesToOtherDays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ arguments, want, rule string }{
		{`{"selection":{"titleHas":["standup"]},"to":{"repeatsOn":["wednesday"]}}`,
			"update Standup 2027-03-09T09:30 → 2027-03-10T09:30 following", "FREQ=WEEKLY;BYDAY=WE"},
		{`{"selection":{"titleHas":["standup"]},"to":{"repeatsOn":["monday"],"time":"08:00"}}`,
			"update Standup 2027-03-09T09:30 → 2027-03-15T08:00 following", "FREQ=WEEKLY;BYDAY=MO"},
		{`{"selection":{"titleHas":["standup"],"window":{"start":"2027-03-15","end":"2027-05-01"}},` +
			`"to":{"repeatsOn":["monday","friday"]}}`,
			"update Standup 2027-03-16T09:30 → 2027-03-15T09:30 following", "FREQ=WEEKLY;BYDAY=MO,FR"},
		{`{"selection":{"titleHas":["standup"],"weekdays":["tuesday"]},"to":{"repeatsOn":["tuesday","thursday"]}}`,
			"update Standup 2027-03-09T09:30 → 2027-03-09T09:30 following", "FREQ=WEEKLY;BYDAY=TU,TH"},
	} {
		result := call(t, week(), "calendar_moveEvents", test.arguments)
		if got := strings.Join(lines(t, result), "; "); got != test.want {
			t.Errorf("%s: got %s", test.arguments, got)
			continue
		}
		var after agenda.Event
		if err := json.Unmarshal(result.Changes[0].After, &after); err != nil || after.Recurrence != test.rule {
			t.Errorf("%s: got the rule %q, %v", test.arguments, after.Recurrence, err)
		}
	}
	for arguments, want := range map[string]string{
		`{"selection":{"titleHas":["standup"]},"to":{"repeatsOn":["monday"],"byDays":1}}`: "goes with time alone",
		`{"selection":{"titleHas":["budget"]},"to":{"repeatsOn":["monday"]}}`:             "no single series",
	} {
		_, err := try(t, week(), "calendar_moveEvents", arguments)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", arguments, err, want)
		}
	}
}

// Only plain rules of weeks can be on other days.
func TestOnlySeriesOfWeeksMoveToOtherDays(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"FREQ=WEEKLY;INTERVAL=2;UNTIL=20270601T000000Z": "FREQ=WEEKLY;BYDAY=SA;INTERVAL=2;UNTIL=20270601T035959Z",
		"FREQ=WEEKLY;BYDAY=TU,WE;WKST=SU":               "FREQ=WEEKLY;BYDAY=WE,SA;WKST=SU",
		"FREQ=WEEKLY;UNTIL=20270310T000000Z":            "", // Saturday comes later
		"FREQ=WEEKLY;BYDAY=WE":                          "", // its days are those of another zone
		"FREQ=WEEKLY;COUNT=5":                           "",
		"FREQ=DAILY":                                    "",
		"FREQ=MONTHLY;BYDAY=1MO":                        "",
		"FREQ=WEEKLY;BYDAY=TU;BYSETPOS=1":               "",
	} {
		w := worldOf(at(0, "09:30", "Standup", weekly, func(o *meet.Occurrence) { o.Recurrence = rule }))
		result := call(t, w, "calendar_moveEvents",
			`{"selection":{"titleHas":["standup"],"weekdays":["tuesday"]},"to":{"repeatsOn":["saturday"]}}`)
		if want == "" {
			if len(result.Changes) > 0 || result.Response.Error == nil {
				t.Errorf("%s: got %v", rule, lines(t, result))
			}
			continue
		}
		var after agenda.Event
		if err := json.Unmarshal(result.Changes[0].After, &after); err != nil || after.Recurrence != want {
			t.Errorf("%s: got the rule %q, %v", rule, after.Recurrence, err)
		}
	}
}
