package calendar_test

import (
	"strings"
	"testing"
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
