package icalendar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// What is written of a place is its name, its address and where it is; what is read of one is where it is.
func TestAPlaceIsWrittenAndRead(t *testing.T) {
	t.Parallel()
	e := objectEvent()
	e.Place = &meet.Place{
		Name: "Zuni; Café", Address: "1658 Market St, San Francisco", Location: geo.Point{
			Latitude: 37.773623, Longitude: -122.42157,
		},
	}
	for _, file := range []string{writeObject(t, e), published(t, e)} {
		lines := strings.Split(strings.ReplaceAll(file, "\r\n ", ""), "\r\n")
		var got []string
		for _, line := range lines {
			if strings.HasPrefix(line, "LOCATION") || strings.HasPrefix(line, "GEO") {
				got = append(got, line)
			}
		}
		want := []string{`LOCATION:Zuni\; Café\, 1658 Market St\, San Francisco`, "GEO:37.773623;-122.421570"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]*geo.Point{{Latitude: 37.774, Longitude: -122.422}}, whereOf(t, file)); diff != "" {
			t.Errorf("read again (-want +got):\n%s", diff)
		}
	}
	e.Place.Location = geo.Point{}
	if file := published(t, e); strings.Contains(file, "GEO") {
		t.Errorf("a place that is nowhere is at %s", file)
	}
}

func published(t *testing.T, e meet.Event) string {
	t.Helper()
	data, err := icalendar.Calendar(e, icalendar.Options{Stamp: time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// whereOf is where a file's events are, in no order.
func whereOf(t *testing.T, file string) (at []*geo.Point) {
	t.Helper()
	schedule, err := icalendar.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	month := interval.From(time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC), 30*24*time.Hour)
	taken, _, err := schedule.Instances(t.Context(), month, icalendar.Owner{})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range taken {
		at = append(at, one.At)
	}
	return at
}

func TestWhereEventsAre(t *testing.T) {
	t.Parallel()
	berlin, paris := &geo.Point{Latitude: 52.52, Longitude: 13.405}, &geo.Point{Latitude: 48.857, Longitude: 2.352}
	const alarm = "BEGIN:VALARM\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:1,1\nEND:VALARM"
	for _, c := range []struct {
		name, lines string
		want        []*geo.Point
	}{
		{"words only", "LOCATION:Main Street 1", []*geo.Point{nil}},
		{"degrees", "GEO:52.520008;13.404954", []*geo.Point{berlin}},
		{"with spaces", "GEO: 52.520008 ; 13.404954 ", []*geo.Point{berlin}},
		{"as Apple's calendars write it", `X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Here":geo:48.8566,2.3522`,
			[]*geo.Point{paris}},
		{"with an uncertainty", "X-APPLE-STRUCTURED-LOCATION;VALUE=URI:GEO:48.8566,2.3522;u=35", []*geo.Point{paris}},
		{"GEO comes first", "GEO:52.520008;13.404954\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:1,2", []*geo.Point{berlin}},
		{"one that cannot be read, and one that can", "GEO:here\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:48.8566,2.3522",
			[]*geo.Point{paris}},
		{"another address", "X-APPLE-STRUCTURED-LOCATION;VALUE=URI:https://maps.example.com", []*geo.Point{nil}},
		{"nowhere", "GEO:0;0", []*geo.Point{nil}},
		{"beyond the pole", "GEO:91;0", []*geo.Point{nil}},
		{"no number", "GEO:NaN;13", []*geo.Point{nil}},
		{"half of it", "GEO:52.5", []*geo.Point{nil}},
		{"an alarm's place", alarm, []*geo.Point{nil}},
	} {
		file := strings.ReplaceAll("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260303T090000Z\nDTEND:20260303T100000Z\n"+
			c.lines+
			"\nEND:VEVENT\nEND:VCALENDAR\n", "\n", "\r\n")
		if diff := cmp.Diff(c.want, whereOf(t, file)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	moved := "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260303T090000Z\nDTEND:20260303T100000Z\n" +
		"RRULE:FREQ=DAILY;COUNT=2\nGEO:52.520008;13.404954\nEND:VEVENT\n" +
		"BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20260304T090000Z\nDTSTART:20260304T110000Z\nDTEND:20260304T120000Z\n" +
		"GEO:48.8566;2.3522\nEND:VEVENT\nEND:VCALENDAR\n"
	if diff := cmp.Diff([]*geo.Point{berlin, paris}, whereOf(t, strings.ReplaceAll(moved, "\n", "\r\n"))); diff != "" {
		t.Errorf("an instance that is elsewhere (-want +got):\n%s", diff)
	}
}
