package calendartest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/geo"
	"convene/pkg/meet"
)

// Event is an event in a person's calendar, described so that it can be put into any vendor's.
type Event struct {
	UID   string
	Title string
	// Start and End carry the zone in which the event repeats. For an AllDay event their dates count, End excluded.
	Start, End time.Time
	AllDay     bool
	// Floating times are meant in whatever zone the owner is in.
	Floating bool
	Kind     Kind
	// Rule is an RRULE such as FREQ=WEEKLY;COUNT=4; empty for an event that does not repeat.
	Rule string
	// Without are the starts of instances that do not take place.
	Without []time.Time
	// Location is where it is, in words. Private events are their owner's alone. Guests are invited by the owner.
	Location string
	Private  bool
	Guests   []meet.Attendee
	// Organizer invited the owner, who is one of the Guests then. Nil means that the owner organizes.
	Organizer *meet.Attendee
	// Foreign says that other programs have added what Convene does not know: a reminder, an attachment, a property.
	Foreign bool
	// At is where it is; nil where the calendar does not say.
	At *geo.Point
	// Moved are instances that take place at another time, and Cancelled are those called off one by one.
	Moved     []Move
	Cancelled []time.Time
}

// Move is one instance of a series at another time.
type Move struct{ From, Start, End time.Time }

// Kind is what an event means for its owner's time.
type Kind string

// The kinds. All but Transparent, Cancelled and Declined take time.
const (
	Opaque      Kind = ""
	Transparent Kind = "transparent"
	Tentative   Kind = "tentative"
	Cancelled   Kind = "cancelled"
	Declined    Kind = "declined"
	OutOfOffice Kind = "out of office"
)

// ICS is the events as an iCalendar file of the owner's, for providers that read such files.
func ICS(owner meet.Person, events ...Event) []byte {
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Convene//calendartest//EN"}
	for _, e := range events {
		lines = append(lines, e.component(owner, e.Start, e.End, e.series()...)...)
		for _, m := range e.Moved {
			lines = append(lines, e.component(owner, m.Start, m.End, e.at("RECURRENCE-ID", m.From))...)
		}
		for _, from := range e.Cancelled {
			lines = append(lines, e.component(owner, from, from.Add(e.End.Sub(e.Start)),
				e.at("RECURRENCE-ID", from), "STATUS:CANCELLED")...)
		}
	}
	return []byte(strings.Join(append(lines, "END:VCALENDAR"), "\r\n") + "\r\n")
}

func (e Event) component(owner meet.Person, start, end time.Time, more ...string) []string {
	lines := []string{
		"BEGIN:VEVENT", "UID:" + e.UID, "DTSTAMP:20260101T000000Z", "SUMMARY:" + escaped(e.Title),
		e.at("DTSTART", start), e.at("DTEND", end),
	}
	if e.At != nil {
		lines = append(lines, "LOCATION:Somewhere\\, Main Street 1",
			fmt.Sprintf("GEO:%.6f;%.6f", e.At.Latitude, e.At.Longitude))
	}
	if e.Location != "" {
		lines = append(lines, "LOCATION:"+escaped(e.Location))
	}
	if e.Private {
		lines = append(lines, "CLASS:PRIVATE")
	}
	switch {
	case e.Organizer != nil:
		lines = append(lines, fmt.Sprintf("ORGANIZER;CN=%s:mailto:%s", e.Organizer.Name, e.Organizer.Email))
	case len(e.Guests) > 0:
		lines = append(lines, "ORGANIZER;CN=Owner:mailto:"+owner.Email)
	}
	for _, g := range e.Guests {
		partstat := strings.ToUpper(cmp.Or(string(g.Answer), "NEEDS-ACTION"))
		lines = append(lines, fmt.Sprintf("ATTENDEE;CN=%s;PARTSTAT=%s:mailto:%s", g.Name, partstat, g.Email))
	}
	lines = append(append(lines, e.meaning(owner)...), more...)
	if e.Foreign {
		lines = append(lines, foreign...)
	}
	return append(lines, "END:VEVENT")
}

// foreign are lines of other programs: the first is longer than one physical line.
var foreign = []string{
	`X-OTHER-PROGRAM;X-COLOUR="dark; blue":room 1\, and a very long note that must be folded somewhere, ` + "\r\n" +
		` \;as all such lines are`,
	"ATTACH;FMTTYPE=application/pdf:https://example.com/plan.pdf",
	"BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Soon", "TRIGGER:-PT30M", "END:VALARM",
}

// ForeignIn are the lines of an object that only Event.Foreign explains, sorted: for Kept.Foreign.
func ForeignIn(object string) (found []string) {
	object = strings.ReplaceAll(strings.ReplaceAll(object, "\r\n ", ""), "\n ", "")
	for line := range strings.Lines(object) {
		line = strings.TrimSpace(line)
		for _, f := range foreign {
			if f = strings.ReplaceAll(f, "\r\n ", ""); line == f {
				found = append(found, line)
			}
		}
	}
	slices.Sort(found)
	return found
}

// escaped is a TEXT value.
func escaped(text string) string { return strings.ReplaceAll(text, ",", `\,`) }

func (e Event) meaning(owner meet.Person) []string {
	switch e.Kind {
	case Transparent:
		return []string{"TRANSP:TRANSPARENT"}
	case Tentative:
		return []string{"STATUS:TENTATIVE"}
	case Cancelled:
		return []string{"STATUS:CANCELLED"}
	case Declined:
		return []string{"ATTENDEE;CN=Owner;PARTSTAT=DECLINED:mailto:" + owner.Email}
	case OutOfOffice:
		return []string{"X-MICROSOFT-CDO-BUSYSTATUS:OOF"}
	default:
		return nil
	}
}

func (e Event) series() (lines []string) {
	if e.Rule != "" {
		lines = append(lines, "RRULE:"+e.Rule)
	}
	for _, t := range e.Without {
		lines = append(lines, e.at("EXDATE", t))
	}
	return lines
}

func (e Event) at(name string, t time.Time) string {
	const wall = "20060102T150405"
	switch {
	case e.AllDay:
		return name + ";VALUE=DATE:" + t.Format("20060102")
	case e.Floating:
		return name + ":" + t.Format(wall)
	case t.Location() == time.UTC:
		return name + ":" + t.Format(wall) + "Z"
	default:
		return fmt.Sprintf("%s;TZID=%s:%s", name, t.Location(), t.Format(wall))
	}
}
