// Package icalendar reads iCalendar files (RFC 5545) into busy times, and writes a proposal as one.
//
// Reading never makes a person free by mistake. A file that is not iCalendar is refused with the line; an event that
// cannot be parsed, or a rule that is too expensive to expand, makes all its possible time unknown.
//
// Changing an object keeps what is not changed; see Editor. Convene adds two properties to events: X-CONVENE-KIND, what
// a time block is for (work, meeting, email, break or blocked), and X-CONVENE-CHANGES, marks of the latest changes, by
// which a repeated one is recognised.
package icalendar

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"convene/pkg/meet"
)

// Schedule is a parsed calendar file. It is immutable and may be shared.
type Schedule struct {
	// Name is the calendar's X-WR-CALNAME or NAME; empty without both.
	Name string
	// Problems are the events, or parts of them, that could not be parsed, each a *SyntaxError or several joined. If they
	// matter, the time is unknown.
	Problems []error

	series   []series
	reported []period
	fallback *time.Location
}

// Owner is a calendar's owner.
type Owner struct {
	// Zone is the zone of whole days, and of floating times if the calendar has no zone. Defaults to the calendar's zone,
	// then to UTC.
	Zone *time.Location
	// Email identifies the owner among the attendees: events that the owner declined take no time.
	Email string
}

// OwnedBy is the owner of a person's calendar.
func OwnedBy(person meet.Person) Owner {
	owner := Owner{Email: person.Email}
	if person.Timezone != "" {
		owner.Zone = person.Zone()
	}
	return owner
}

// series has all events with one UID: masters, one unless the file repeats itself, and overrides.
type series struct {
	uid       string
	masters   []*event
	overrides []*event
}

// Parse parses a file with one or more calendars. The error is a *SyntaxError.
func Parse(data []byte) (*Schedule, error) {
	calendars, err := parseComponents(data)
	if err != nil {
		return nil, err
	}
	return scheduleOf(calendars), nil
}

// scheduleOf is the schedule of parsed calendars.
func scheduleOf(calendars []*component) *Schedule {
	s := &Schedule{}
	var events []*event
	for _, calendar := range calendars {
		zones := newZones(calendar)
		s.fallback = cmp.Or(s.fallback, zones.fallback)
		s.Name = cmp.Or(s.Name, calendarName(calendar))
		withdrawn := calendar.text("METHOD") == "CANCEL"
		for _, c := range calendar.children {
			switch c.name {
			case "VEVENT":
				e, err := parseEvent(c, zones)
				s.note(err)
				e.blocks, e.cancelled = e.blocks && !withdrawn, e.cancelled || withdrawn
				events = append(events, e)
			case "VFREEBUSY":
				s.note(s.readReport(c, zones))
			}
		}
	}
	s.series = append(s.series, group(events)...)
	return s
}

func calendarName(calendar *component) string {
	p := cmp.Or(calendar.first("X-WR-CALNAME"), calendar.first("NAME"))
	if p == nil {
		return ""
	}
	text := strings.NewReplacer(`\n`, " ", `\N`, " ", `\,`, ",", `\;`, ";", `\\`, `\`).Replace(p.value)
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
}

func (s *Schedule) note(err error) {
	if err != nil {
		s.Problems = append(s.Problems, err)
	}
}

// readReport adds the busy times of a VFREEBUSY. One that cannot be parsed may be at any time.
func (s *Schedule) readReport(c *component, zones *zones) error {
	for _, p := range c.props {
		if p.name != "FREEBUSY" || strings.EqualFold(p.params["FBTYPE"], "FREE") {
			continue
		}
		periods, err := parsePeriods(p, zones)
		if slices.ContainsFunc(periods, func(p period) bool { return p.bare }) {
			periods, err = nil, errors.New("FREEBUSY without an end")
		}
		s.reported = append(s.reported, periods...)
		if err != nil {
			s.series = append(s.series, series{masters: []*event{{blocks: true, lost: allLost}}})
			return problem(p.line, "%v", err)
		}
	}
	return nil
}

// identity is equal for two versions of one event.
type identity struct {
	uid string
	// nameless distinguishes events without a UID.
	nameless *event
	// instance is the RECURRENCE-ID of an override.
	instance stamp
	zone     *time.Location
	override bool
	andLater bool
}

func (e *event) identity() identity {
	id := identity{uid: e.uid, override: e.replaces != nil, andLater: e.andLater}
	if e.uid == "" {
		id.nameless = e
	}
	if e.replaces != nil {
		id.instance, id.zone = e.replaces.stamp, e.replaces.zone.loc
	}
	return id
}

// group groups events by UID. Only the newer of two versions of an event counts, and both if they are equally old; each
// event without a UID is its own series.
func group(events []*event) []series {
	versions := make(map[identity][]*event, len(events))
	for _, e := range events {
		id := e.identity()
		known := versions[id]
		switch {
		case len(known) == 0 || e.age(known[0]) > 0:
			versions[id] = []*event{e}
		case e.age(known[0]) == 0:
			versions[id] = append(known, e)
		}
	}
	var all []series
	at := make(map[string]int, len(events))
	for _, e := range events {
		id := e.identity()
		newest := versions[id]
		if len(newest) == 0 {
			continue
		}
		delete(versions, id)
		i, known := at[e.uid]
		if !known || e.uid == "" {
			i = len(all)
			at[e.uid] = i
			all = append(all, series{uid: e.uid})
		}
		if id.override {
			all[i].overrides = append(all[i].overrides, newest...)
		} else {
			all[i].masters = append(all[i].masters, newest...)
		}
	}
	return all
}

// age is positive if e is newer than o, and zero if they are equally old.
func (e *event) age(o *event) int {
	return cmp.Or(cmp.Compare(e.sequence, o.sequence), cmp.Compare(e.stamped, o.stamped))
}
