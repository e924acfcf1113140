package icalendar_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ical "github.com/emersion/go-ical"
	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/geo"
	"convene/pkg/meet"
)

var update = flag.Bool("update", false, "write the golden files")

var stamp = time.Date(2026, time.March, 1, 12, 30, 15, 0, time.UTC)

// coffee is a proposal in San Francisco on the Tuesday after the clocks changed.
func coffee(t *testing.T) meet.Event {
	t.Helper()
	loc := location(t, "America/Los_Angeles")
	return meet.Event{
		ID: "p1", UID: "p1@convene.example.com", Sequence: 2, Status: meet.Proposed, Title: "Coffee with Al",
		Start: time.Date(2026, time.March, 10, 14, 0, 0, 0, loc), End: time.Date(2026, time.March, 10, 15, 0, 0, 0, loc),
		Timezone: "America/Los_Angeles",
		Participants: []meet.Participant{
			{ID: "me", Name: "Morgan Ellis", Email: "morgan@example.com"},
			{ID: "al", Name: `Al "Ace" Chen; friend, neighbour`, Email: "al@example.com"},
			{Name: "Zoë"},
		},
		Place: &meet.Place{
			Name: "Blue Bottle Coffee", Address: "66 Mint St, San Francisco, CA",
			Location: geo.Point{Latitude: 37.782501, Longitude: -122.407654},
			MapsURL:  "https://maps.example.com/?q=Blue+Bottle+Coffee,66+Mint+St",
		},
		TravelBuffer: meet.TravelBuffer{BeforeMinutes: 30, AfterMinutes: 30},
	}
}

func TestCalendarGolden(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		golden  string
		options icalendar.Options
		change  func(*meet.Event)
	}{
		{"publish.ics", icalendar.Options{
			Stamp: stamp, URL: "https://convene.example.com/v1/proposals/p1",
		}, func(*meet.Event) {}},
		{"request.ics", icalendar.Options{Stamp: stamp, Method: icalendar.Request, Description: "See you there."},
			func(e *meet.Event) { e.Status = meet.Confirmed }},
		{"cancel.ics", icalendar.Options{Stamp: stamp, Method: icalendar.Cancel}, func(e *meet.Event) { e.Timezone = "UTC" }},
		{"cancel.ics", icalendar.Options{Stamp: stamp}, func(e *meet.Event) { e.Status, e.Timezone = meet.Cancelled, "UTC" }},
	} {
		t.Run(fmt.Sprint(test.golden, test.options.Method), func(t *testing.T) {
			t.Parallel()
			e := coffee(t)
			test.change(&e)
			got, err := icalendar.Calendar(e, test.options)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", test.golden)
			if *update {
				if err := os.WriteFile(path, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMethodFollowsTheStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[meet.Status][2]string{
		meet.Proposed: {"METHOD:PUBLISH", "STATUS:TENTATIVE"}, meet.Confirmed: {"METHOD:PUBLISH", "STATUS:CONFIRMED"},
		meet.Cancelled: {"METHOD:CANCEL", "STATUS:CANCELLED"},
	} {
		e := coffee(t)
		e.Status = status
		got, err := icalendar.Calendar(e, icalendar.Options{Stamp: stamp})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range append(want[:], "SEQUENCE:2") {
			if !strings.Contains(string(got), "\r\n"+line+"\r\n") {
				t.Errorf("the file of a %s event has no line %s", status, line)
			}
		}
		if has := strings.Contains(string(got), "ATTENDEE"); has != (status == meet.Cancelled) {
			t.Errorf("the file of a %s event names attendees: %v", status, has)
		}
	}
}

// TestAnotherParserReadsTheSame reads a file back with go-ical.
func TestAnotherParserReadsTheSame(t *testing.T) {
	t.Parallel()
	e := coffee(t)
	data, err := icalendar.Calendar(e, icalendar.Options{Stamp: stamp, Method: icalendar.Request})
	if err != nil {
		t.Fatal(err)
	}
	calendar, err := ical.NewDecoder(bytes.NewReader(data)).Decode()
	if err != nil {
		t.Fatal(err)
	}
	if len(calendar.Events()) != 1 {
		t.Fatalf("got %d events, want 1", len(calendar.Events()))
	}
	got := calendar.Events()[0]
	start, err := got.DateTimeStart(nil)
	if err != nil {
		t.Fatal(err)
	}
	end, err := got.DateTimeEnd(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !start.Equal(e.Start) || !end.Equal(e.End) {
		t.Errorf("got %v to %v, want %v to %v", start, end, e.Start, e.End)
	}
	text := func(name string) string {
		s, err := got.Props.Text(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return s
	}
	for name, want := range map[string]string{
		"UID": e.UID, "SUMMARY": e.Title, "STATUS": "TENTATIVE",
		"LOCATION": "Blue Bottle Coffee, 66 Mint St, San Francisco, CA",
		"DESCRIPTION": "With Morgan Ellis, Al \"Ace\" Chen; friend, neighbour, Zoë.\n" +
			"Travel time to keep free: 30 minutes before, 30 minutes after.\n" +
			"Map: https://maps.example.com/?q=Blue+Bottle+Coffee,66+Mint+St",
	} {
		if diff := cmp.Diff(want, text(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	attendee := got.Props.Get("ATTENDEE")
	if attendee.Value != "mailto:al@example.com" || attendee.Params.Get("CN") != "Al 'Ace' Chen; friend, neighbour" {
		t.Errorf("attendee: got %q, CN %q", attendee.Value, attendee.Params.Get("CN"))
	}
	if organizer := got.Props.Get("ORGANIZER"); organizer.Value != "mailto:morgan@example.com" {
		t.Errorf("organizer: got %q", organizer.Value)
	}
}

// TestTimeZoneDefinitions reads the file with a zone of another name, so that only the VTIMEZONE in it can tell when
// the event is.
func TestTimeZoneDefinitions(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{
		"America/Los_Angeles", "America/New_York", "America/St_Johns", "America/Phoenix", "America/Sao_Paulo",
		"Europe/Berlin",
		"Europe/London", "Europe/Dublin", "Africa/Casablanca", "Africa/Cairo", "Asia/Jerusalem", "Asia/Tokyo", "Asia/Kolkata",
		"Asia/Kathmandu", "Asia/Gaza", "Australia/Lord_Howe", "Australia/Sydney", "Pacific/Apia", "Pacific/Chatham",
		"Etc/GMT-14",
	} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			loc := location(t, zone)
			for start := stamp; start.Before(stamp.AddDate(2, 0, 0)); start = start.Add(101*time.Hour + 30*time.Minute) {
				e := meet.Event{UID: "u", Start: start.In(loc), End: start.Add(90 * time.Minute).In(loc), Timezone: zone}
				data, err := icalendar.Calendar(e, icalendar.Options{Stamp: stamp})
				if err != nil {
					t.Fatal(err)
				}
				s, err := icalendar.Parse(bytes.ReplaceAll(data, []byte(zone), []byte("Another Name")))
				if err != nil {
					t.Fatal(err)
				}
				a, err := busyOf(t.Context(), s, e.Span().Widen(time.Hour, time.Hour), icalendar.Owner{})
				if err != nil {
					t.Fatal(err)
				}
				if len(a.Unknown) > 0 || len(a.Busy) != 1 || !a.Busy[0].Start.Equal(e.Start) || !a.Busy[0].End.Equal(e.End) {
					t.Fatalf("got %v, want %v in\n%s", a, e.Span(), data)
				}
			}
		})
	}
}

func TestRepeatedHourIsWrittenInUTC(t *testing.T) {
	t.Parallel()
	// 1:30 comes twice on this night; the event is at the second.
	start := time.Date(2026, time.November, 1, 9, 30, 0, 0, time.UTC)
	e := meet.Event{UID: "u", Start: start, End: start.Add(time.Hour), Timezone: "America/Los_Angeles"}
	data, err := icalendar.Calendar(e, icalendar.Options{Stamp: stamp})
	if err != nil {
		t.Fatal(err)
	}
	if want := "DTSTART:20261101T093000Z\r\n"; !strings.Contains(string(data), want) {
		t.Errorf("no %q in\n%s", want, data)
	}
}

// TestNothingBreaksOut puts line breaks, delimiters and broken UTF-8 into everything that a person may write.
func TestNothingBreaksOut(t *testing.T) {
	t.Parallel()
	const evil = "x\r\nATTENDEE:mailto:evil@example.com\nBEGIN:VALARM\r\x00\x85;,:\\\" \xff\u2028ü"
	e := coffee(t)
	e.UID, e.Title, e.Place.Name, e.Place.Address, e.Place.MapsURL = evil, evil, evil, evil, "https://x/"+evil
	for i := range e.Participants {
		e.Participants[i].Name = evil
	}
	e.Participants[0].Email = "a@example.com\r\nATTENDEE:mailto:evil@example.com"
	data, err := icalendar.Calendar(e, icalendar.Options{
		Stamp: stamp, Method: icalendar.Request, URL: "https://example.com/" + evil, Description: evil,
	})
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, data)
	text := string(data)
	for _, forbidden := range []string{"\nATTENDEE:mailto:evil", "\nBEGIN:VALARM", "\nURL", "\nORGANIZER"} {
		if strings.Contains(text, forbidden) {
			t.Errorf("%q got into\n%s", forbidden, text)
		}
	}
	if _, err := ical.NewDecoder(bytes.NewReader(data)).Decode(); err != nil {
		t.Errorf("go-ical: %v", err)
	}
}

func TestLongLinesAreFolded(t *testing.T) {
	t.Parallel()
	for length := range 80 {
		e := coffee(t)
		e.Title = strings.Repeat("a", length) + strings.Repeat("שלום 👋🏽 ", 30)
		data, err := icalendar.Calendar(e, icalendar.Options{Stamp: stamp})
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, data)
		calendar, err := ical.NewDecoder(bytes.NewReader(data)).Decode()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := calendar.Events()[0].Props.Text("SUMMARY"); err != nil || got != strings.TrimSpace(e.Title) {
			t.Fatalf("title after reading: got %q, %v, want %q", got, err, e.Title)
		}
	}
}

// wellFormed checks what RFC 5545 says of lines: CRLF, no other control character, 75 octets, whole characters.
func wellFormed(t *testing.T, data []byte) {
	t.Helper()
	for line := range bytes.SplitSeq(bytes.TrimSuffix(data, []byte("\r\n")), []byte("\r\n")) {
		if len(line) > 75 || len(line) == 0 {
			t.Errorf("line of %d octets: %q", len(line), line)
		}
		if !bytes.Equal(line, bytes.ToValidUTF8(line, nil)) {
			t.Errorf("a character is cut: %q", line)
		}
		if bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x85 }) {
			t.Errorf("control character in %q", line)
		}
	}
}

func TestCalendarRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		change  func(*meet.Event)
		options icalendar.Options
	}{
		{"no UID", func(e *meet.Event) { e.UID = "" }, icalendar.Options{Stamp: stamp}},
		{"no duration", func(e *meet.Event) { e.End = e.Start }, icalendar.Options{Stamp: stamp}},
		{"no time stamp", func(*meet.Event) {}, icalendar.Options{}},
	} {
		e := coffee(t)
		test.change(&e)
		if _, err := icalendar.Calendar(e, test.options); err == nil {
			t.Errorf("%s: no error", test.name)
		}
	}
}

func TestUnknownZoneIsWrittenInUTC(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"", "Local", "Nowhere/Land", "UTC"} {
		e := coffee(t)
		e.Timezone = zone
		data, err := icalendar.Calendar(e, icalendar.Options{Stamp: stamp})
		if err != nil {
			t.Fatal(err)
		}
		if text := string(data); !strings.Contains(text, "DTSTART:20260310T210000Z\r\n") || strings.Contains(text, "TZID") {
			t.Errorf("zone %q: got\n%s", zone, text)
		}
	}
}

// An online meeting says where it is (RFC 7986, 5.11), and once more in words, for calendars that do not know the
// property.
func TestWhereToJoin(t *testing.T) {
	t.Parallel()
	e := meet.Event{
		UID: "u", Title: "Call", Timezone: "UTC", JoinURL: "https://meet.example.com/abc",
		Start: time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC),
		End:   time.Date(2026, time.March, 3, 10, 0, 0, 0, time.UTC),
	}
	raw, err := icalendar.Calendar(e, icalendar.Options{Stamp: e.Start})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://meet.example.com/abc\r\n",
		"DESCRIPTION:Join: https://meet.example.com/abc\r\n",
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%q is not in\n%s", want, raw)
		}
	}
	e.JoinURL = "javascript:alert(1)"
	if raw, err = icalendar.Calendar(e, icalendar.Options{Stamp: e.Start}); err != nil ||
		strings.Contains(string(raw), "javascript") {
		t.Errorf("%v, %s: want no link that is none", err, raw)
	}
}
