package icalendar_test

import (
	"testing"
	"time"

	"convene/pkg/calendar/icalendar"
)

func TestWindowsNames(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC)
	for _, name := range []string{
		"Europe/Berlin", "Europe/Vienna", "Europe/Kyiv", "America/Los_Angeles", "America/Phoenix", "Asia/Kolkata",
		"Asia/Kathmandu", "Australia/Melbourne", "Africa/Lagos", "UTC",
	} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		windows, known := icalendar.WindowsName(loc, at)
		iana, back := icalendar.WindowsZone(windows)
		if !known || !back {
			t.Errorf("%s: Windows calls it %q, which is %q", name, windows, iana)
			continue
		}
		same, err := time.LoadLocation(iana)
		if err != nil {
			t.Fatal(err)
		}
		for month := range 12 {
			moment := at.AddDate(0, month-6, 0)
			if got, want := moment.In(same).Format(time.DateTime), moment.In(loc).Format(time.DateTime); got != want {
				t.Errorf("%s as %s: at %v its clocks show %s, want %s", name, windows, moment, got, want)
			}
		}
	}
	for name, want := range map[string]string{"Europe/Berlin": "W. Europe Standard Time", "UTC": "UTC",
		"America/Los_Angeles": "Pacific Standard Time"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := icalendar.WindowsName(loc, at); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if name, known := icalendar.WindowsName(time.FixedZone("odd", 17*60), at); known {
		t.Errorf("a zone 17 minutes ahead is %q", name)
	}
	for _, name := range []string{"Customized Time Zone", "Europe/Berlin", ""} {
		if iana, known := icalendar.WindowsZone(name); known {
			t.Errorf("WindowsZone(%q): got %q, want none", name, iana)
		}
	}
}
