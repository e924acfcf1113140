package meet_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	hours := func(day time.Weekday, from, until int, more ...int) func(*meet.Person) {
		windows := []interval.Window{{Start: interval.At(from, 0), End: interval.At(until, 0)}}
		if len(more) == 2 {
			windows = append(windows, interval.Window{Start: interval.At(more[0], 0), End: interval.At(more[1], 0)})
		}
		return func(p *meet.Person) {
			p.WorkingHours = &interval.Week{}
			p.WorkingHours[day] = windows
		}
	}
	at := func(latitude, longitude float64) func(*meet.Person) {
		return func(p *meet.Person) {
			p.Location = &meet.Location{Point: geo.Point{Latitude: latitude, Longitude: longitude}}
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*meet.Person)
		field  string
	}{
		{"just a name", func(*meet.Person) {}, ""},
		{"everything", func(p *meet.Person) {
			p.ID, p.Email, p.Timezone, p.CalendarType = "al@x.org", "al@example.com", "Asia/Tokyo", meet.Work
			p.BookingLink = "https://book.example.org/al"
		}, ""},
		{"an id with a space", func(p *meet.Person) { p.ID = "a b" }, "id"},
		{"an id that begins with a dot", func(p *meet.Person) { p.ID = ".a" }, "id"},
		{"an endless id", func(p *meet.Person) { p.ID = meet.PersonID(strings.Repeat("a", 129)) }, "id"},
		{"a blank name", func(p *meet.Person) { p.Name = " " }, "name"},
		{"a name that nobody sees", func(p *meet.Person) { p.Name = "\u200f" }, "name"},
		{"a name with something in it that nobody sees", func(p *meet.Person) { p.Name = "דנה\u200f  Levi" }, ""},
		{"a name of two lines", func(p *meet.Person) { p.Name = "A\nB" }, "name"},
		{"a name with an address in it", func(p *meet.Person) { p.Name = "Al https://evil.example" }, "name"},
		{"a name that is read backwards", func(p *meet.Person) { p.Name = "Al \u202enehC" }, "name"},
		{"a label with an address in it", func(p *meet.Person) {
			p.Location = &meet.Location{Label: "x javascript:y"}
		}, "location.label"},
		{"a name beside an address", func(p *meet.Person) { p.Email = "Al <al@example.com>" }, "email"},
		{"the machine's zone", func(p *meet.Person) { p.Timezone = "Local" }, "timezone"},
		{"a kind of calendar", func(p *meet.Person) { p.CalendarType = "school" }, "calendarType"},
		{"plain http", func(p *meet.Person) { p.BookingLink = "http://example.com" }, "bookingLink"},
		{"a password in a link", func(p *meet.Person) { p.BookingLink = "https://a:b@example.com" }, "bookingLink"},
		{"a link to nowhere", func(p *meet.Person) { p.BookingLink = "https:///x" }, "bookingLink"},
		{"the pole", at(90, 180), ""},
		{"beyond the pole", at(90.1, 0), "location.latitude"},
		{"no number", at(math.NaN(), 0), "location.latitude"},
		{"beyond the date line", at(0, -180.1), "location.longitude"},
		{"an office beyond the pole", func(p *meet.Person) {
			p.Office = &meet.Location{Point: geo.Point{Latitude: 91}}
		}, "office.latitude"},
		{"a day", hours(time.Friday, 9, 17), ""},
		{"until midnight", hours(time.Friday, 0, 24), ""},
		{"with a break", hours(time.Friday, 13, 17, 9, 12), ""},
		{"one after the other", hours(time.Friday, 9, 12, 12, 17), ""},
		{"backwards", hours(time.Friday, 17, 9), "workingHours.fri[0]"},
		{"no time at all", hours(time.Sunday, 9, 9), "workingHours.sun[0]"},
		{"overlapping", hours(time.Monday, 9, 13, 12, 17), "workingHours.mon[1]"},
		{"one in another", hours(time.Monday, 9, 17, 10, 11), "workingHours.mon[1]"},
		{"too many", func(p *meet.Person) {
			p.WorkingHours = &interval.Week{time.Tuesday: make([]interval.Window, 9)}
		}, "workingHours.tue"},
	} {
		p := meet.Person{Name: "Al"}
		tt.change(&p)
		field, problem := p.Check()
		if field != tt.field || (problem == "") != (tt.field == "") {
			t.Errorf("%s: %q %q, want field %q", tt.name, field, problem, tt.field)
		}
	}
}
