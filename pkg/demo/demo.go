// Package demo is a small world to try things in: the user, called me, with things to do, friends near and far, and
// their calendars around the present day.
//
// Most live in San Francisco; Lena is nine hours ahead of it. Al keeps a work and a personal calendar. There are two
// Sams, so that "Sam" alone leads to a question. Dana has a booking page. Theo has no calendar at all, and the file of
// Inês is damaged on purpose: both are unknown, and never treated as free.
package demo

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"regexp"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

//go:embed people.json
var peopleJSON []byte

//go:embed calendars/*.ics
var calendars embed.FS

//go:embed tasks.ics
var tasks []byte

// Me is the id of the demo's user.
const Me meet.PersonID = "me"

// home is the zone whose Mondays begin the week of the demo.
const home = "America/Los_Angeles"

//go:embed lists.json
var listsJSON []byte

//go:embed notes.json
var notesJSON []byte

// Contacts are everyone in the demo with what is known of them, Me first.
func Contacts() ([]meet.Contact, error) {
	return LoadPeople(bytes.NewReader(peopleJSON))
}

// People are everyone in the demo, Me first.
func People() ([]meet.Person, error) {
	contacts, err := Contacts()
	people := make([]meet.Person, len(contacts))
	for i, c := range contacts {
		people[i] = c.Person
	}
	return people, err
}

// Lists are the lists of Me, as clients get them.
func Lists() []byte { return listsJSON }

// Notes are the notes of Me, as clients get them. They are written before the week of the calendars, and moved with it.
func Notes(now time.Time) ([]byte, error) {
	days, err := daysSince(now)
	if err != nil {
		return nil, err
	}
	written := regexp.MustCompile(`("created": ")(\d{4}-\d{2}-\d{2})`)
	return written.ReplaceAllFunc(notesJSON, func(found []byte) []byte {
		m := written.FindSubmatch(found)
		day, err := interval.ParseDate(string(m[2]))
		if err != nil {
			return found
		}
		return fmt.Appendf(nil, "%s%s", m[1], day.AddDays(days))
	}), nil
}

// firstMonday begins the week for which the demo is written.
var firstMonday = interval.Date{Year: 2026, Month: time.January, Day: 5}

// daysSince is how many days the week of now is after the one for which the demo is written.
func daysSince(now time.Time) (int, error) {
	loc, err := time.LoadLocation(home)
	if err != nil {
		return 0, fmt.Errorf("demo: %w", err)
	}
	return firstMonday.DaysUntil(mondayOf(interval.DateOf(now.In(loc)))), nil
}

// Calendars are the .ics files of the demo by name. They are written for one week and the three after it, and moved by
// whole weeks so that the first is the week of now; clock times stay. Weekly events continue forever.
func Calendars(now time.Time) (map[string][]byte, error) {
	days, err := daysSince(now)
	if err != nil {
		return nil, err
	}
	entries, err := calendars.ReadDir("calendars")
	if err != nil {
		return nil, fmt.Errorf("demo calendars: %w", err)
	}
	files := make(map[string][]byte, len(entries))
	for _, entry := range entries {
		data, err := calendars.ReadFile(path.Join("calendars", entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("demo calendars: %w", err)
		}
		files[entry.Name()] = shift(data, days)
	}
	return files, nil
}

// Tasks are those of Me as an .ics file, moved as the calendars are.
func Tasks(now time.Time) ([]byte, error) {
	days, err := daysSince(now)
	if err != nil {
		return nil, fmt.Errorf("demo tasks: %w", err)
	}
	return shift(tasks, days), nil
}

func mondayOf(d interval.Date) interval.Date {
	return d.AddDays(-(int(d.Weekday()) + 6) % 7)
}

// shift moves all dates of events and tasks by that many days, but not those of time zone definitions.
func shift(data []byte, days int) []byte {
	dated := regexp.MustCompile(`^(DTSTART|DTEND|DUE|CREATED|COMPLETED|TRIGGER|EXDATE|RDATE|RECURRENCE-ID|RRULE)[;:]`)
	date := regexp.MustCompile(`\b\d{8}(T\d{6}Z?)?\b`)
	inZone := false
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i, line := range lines {
		switch {
		case bytes.HasPrefix(line, []byte("BEGIN:VTIMEZONE")):
			inZone = true
		case bytes.HasPrefix(line, []byte("END:VTIMEZONE")):
			inZone = false
		case !inZone && dated.Match(line):
			lines[i] = date.ReplaceAllFunc(line, func(old []byte) []byte { return later(old, days) })
		}
	}
	return bytes.Join(lines, nil)
}

// later moves the date at the front of old.
func later(old []byte, days int) []byte {
	const layout = "20060102"
	t, err := time.Parse(layout, string(old[:len(layout)]))
	if err != nil {
		return old
	}
	return append(t.AddDate(0, 0, days).AppendFormat(nil, layout), old[len(layout):]...)
}
