package microsoft

import (
	"encoding/json"
	"testing"
	"time"

	"convene/pkg/interval"
)

// Each rule is written in Graph's form, and read from it as the second one.
func TestRules(t *testing.T) {
	t.Parallel()
	berlin, err := interval.Zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, time.March, 24, 9, 0, 0, 0, berlin) // a Tuesday
	for rule, want := range map[string]string{
		"FREQ=DAILY":                              "FREQ=DAILY",
		"FREQ=DAILY;INTERVAL=3;COUNT=4":           "FREQ=DAILY;INTERVAL=3;COUNT=4",
		"FREQ=DAILY;BYDAY=MO,TU":                  "FREQ=WEEKLY;BYDAY=MO,TU",
		"FREQ=WEEKLY":                             "FREQ=WEEKLY;BYDAY=TU",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU",
		"FREQ=MONTHLY":                            "FREQ=MONTHLY;BYMONTHDAY=24",
		"FREQ=MONTHLY;BYDAY=4TU":                  "FREQ=MONTHLY;BYDAY=4TU",
		"FREQ=MONTHLY;BYDAY=TU;BYSETPOS=-1":       "FREQ=MONTHLY;BYDAY=-1TU",
		"FREQ=YEARLY":                             "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=24",
		"FREQ=YEARLY;BYMONTH=3;BYDAY=-1TU":        "FREQ=YEARLY;BYMONTH=3;BYDAY=-1TU",
		// The last occurrence is on the 31st, an hour earlier in UTC; and before it.
		"FREQ=DAILY;UNTIL=20260331T070000Z": "FREQ=DAILY;UNTIL=20260331T215959Z",
		"FREQ=DAILY;UNTIL=20260331T065959Z": "FREQ=DAILY;UNTIL=20260330T215959Z",
		"FREQ=DAILY;UNTIL=20260331":         "FREQ=DAILY;UNTIL=20260331T215959Z",
		// Graph has no form for these.
		"FREQ=HOURLY": "", "FREQ=MONTHLY;BYMONTHDAY=1,15": "", "FREQ=MONTHLY;BYMONTHDAY=-1": "", "FREQ=YEARLY;BYWEEKNO=3": "",
		"FREQ=MONTHLY;BYDAY=1MO,2TU": "", "FREQ=MONTHLY;BYDAY=TU": "", "FREQ=DAILY;INTERVAL=2;BYDAY=MO": "",
		"FREQ=MONTHLY;BYDAY=5TU": "", "FREQ=MONTHLY;BYMONTH=3": "", "FREQ=DAILY;BYMONTHDAY=24": "",
		"FREQ=WEEKLY;BYMONTH=3":     "",
		"FREQ=YEARLY;BYMONTHDAY=24": "", "FREQ=YEARLY;BYDAY=4TU": "", "FREQ=MONTHLY;BYDAY=4TU;BYMONTHDAY=24": "",
		"FREQ=YEARLY;RSCALE=HEBREW": "", "FREQ=MONTHLY;BYMONTHDAY=24;BYSETPOS=1": "",
		"FREQ=WEEKLY;BYDAY=TU,WE;BYSETPOS=1": "",
	} {
		written, err := patterned(rule, start)
		if want == "" {
			if err == nil {
				t.Errorf("%s is %v, want an error", rule, written)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", rule, err)
			continue
		}
		text, err := json.Marshal(written)
		if err != nil {
			t.Fatal(err)
		}
		var r recurrence
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if got := r.rule(); got != want {
			t.Errorf("%s: got %q, want %q", rule, got, want)
		}
	}
}
