package when_test

import (
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// Of an event on Tuesday, 10 March at three.
func TestReadChangesOfAnEventAtHand(t *testing.T) {
	t.Parallel()
	now := wednesday(t)
	start := time.Date(2026, time.March, 10, 15, 0, 0, 0, now.Location())
	setting := when.Setting{Start: start, Week: interval.DateOf(start)}
	for _, c := range [][2]string{
		{"not Tuesday, Thursday", "Mar 12, not Mar 10"},
		{"not Tuesday or Thursday", "no Tuesday, no Thursday"},
		{"not Monday, Tuesday", "no Monday, no Tuesday"},
		{"not the 10th, the 12th", "Mar 12, not Mar 10"},
		{"not 3, 4", "at 16:00, not 15:00-16:00"},
		{"not 3pm, 4pm", "at 16:00, not 15:00-16:00"},
		{"not 2pm, 4pm", "not 14:00-15:00 or 16:00-17:00"},
		{"4, not 3", "at 16:00, not 15:00-16:00"},
		{"3 isn't good, 5?", "at 17:00, not 15:00-16:00"},
		{"can't do 3, can do 2 or 4", "at 14:00 or at 16:00, not 15:00-16:00"},
		{"not 3 people, 4", ""},
		{"no, 5", "at 17:00"},
		{"sorry, 5 people", ""},
		{"not in the afternoon, morning", "08:00-12:00, not 12:00-17:00"},
		{"2 or 4", "at 14:00 or at 16:00"},
		{"change 3 to 4", "at 16:00"},
		{"move it from Tuesday to Thursday", "Mar 12"},
		{"Tuesday I can't, Thursday?", "Mar 12, not Mar 10"},
		{"Tuesday's no good. Thursday?", "Mar 12, not Mar 10"},
		{"it doesn't work for me on Tuesday", "no Tuesday"},
		{"not this Tuesday, the next one", "Mar 17, not Mar 10"},
		{"the Friday after", "Mar 13"},
		{"earlier by 20 minutes", "shift -20m 0d 0w"},
		{"earlier in the week", "Mar 9"},
		{"later that week", "Mar 11-Mar 15"},
		{"an hour before that", "shift -60m 0d 0w"},
		{"half an hour before", "shift -30m 0d 0w"},
		{"keep half an hour before it", "for 30m"},
	} {
		if got := described(setting.Read(c[0], now)); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
}

func TestReadADayOfTheMonthBesideTheEvent(t *testing.T) {
	t.Parallel()
	now := wednesday(t)
	start := time.Date(2026, time.April, 24, 18, 0, 0, 0, now.Location())
	setting := when.Setting{Start: start, Week: interval.DateOf(start)}
	for _, c := range [][2]string{
		{"do the 23rd", "Apr 23"},
		{"the 2nd", "May 2"},
		{"the 23rd of this month", "Mar 23"},
	} {
		if got := described(setting.Read(c[0], now)); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
}

// Where nothing is proposed yet, one day is wanted rather than both refused where a time goes with it.
func TestReadACorrectionBeforeAnythingIsProposed(t *testing.T) {
	t.Parallel()
	readAll(t, [][2]string{
		{"not Monday, Tuesday with Mia at 10", "Mar 10, at 10:00, not Mar 9"},
		{"not Monday, Tuesday", "no Monday, no Tuesday"},
	})
}
