// Package icalendar reads iCalendar files (RFC 5545) into busy times, and writes a proposal as one.
//
// Reading never makes anybody free by mistake. A file that is not iCalendar is refused with the line; an event that
// cannot be understood makes the time at which it may take place unknown; a rule that is too much work to follow
// does the same.
package icalendar

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// Schedule is what a calendar file says. It does not change and may be shared.
type Schedule struct {
	// Problems are the events, or parts of them, that could not be understood, each a *SyntaxError or several
	// joined. Where they matter, the time is unknown.
	Problems []error

	series   []series
	reported []period
	fallback *time.Location
}

// Owner is whose calendar it is.
type Owner struct {
	// Zone gives floating times and whole days their meaning. Defaults to the calendar's own zone, then to UTC.
	Zone *time.Location
	// Email tells which attendee is the owner: what that attendee declined takes no time.
	Email string
}

// series is all that carries one UID: masters, of which there is one unless the file repeats itself, and overrides.
type series struct {
	uid       string
	masters   []*event
	overrides []*event
}

// Parse reads a file with one calendar or several. The error is a *SyntaxError.
func Parse(data []byte) (*Schedule, error) {
	calendars, err := parseComponents(data)
	if err != nil {
		return nil, err
	}
	s := &Schedule{}
	var events []*event
	for _, calendar := range calendars {
		zones := newZones(calendar)
		if s.fallback == nil {
			s.fallback = zones.fallback
		}
		withdrawn := calendar.text("METHOD") == "CANCEL"
		for _, c := range calendar.children {
			switch c.name {
			case "VEVENT":
				e, err := parseEvent(c, zones)
				s.note(err)
				e.blocks = e.blocks && !withdrawn
				events = append(events, e)
			case "VFREEBUSY":
				s.note(s.readReport(c, zones))
			}
		}
	}
	s.series = append(s.series, group(events)...)
	return s, nil
}

func (s *Schedule) note(err error) {
	if err != nil {
		s.Problems = append(s.Problems, err)
	}
}

// readReport takes over the busy times of a VFREEBUSY. One that cannot be read may be at any time.
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

// group sorts events by UID. Of two versions of one event only the newer counts; events without a UID are each their
// own series.
func group(events []*event) []series {
	var all []series
	at := map[string]int{}
	for _, e := range events {
		i, known := at[e.uid]
		if !known || e.uid == "" {
			i = len(all)
			at[e.uid] = i
			all = append(all, series{uid: e.uid})
		}
		if e.replaces == nil {
			all[i].masters = newest(all[i].masters, e, func(*event) bool { return true })
			continue
		}
		all[i].overrides = newest(all[i].overrides, e, func(o *event) bool {
			return o.replaces.stamp == e.replaces.stamp && o.replaces.zone.loc == e.replaces.zone.loc
		})
	}
	return all
}

// newest adds e to list in place of the older ones that are the same thing. Two of the same age both stay.
func newest(list []*event, e *event, same func(*event) bool) []*event {
	older := func(a, b *event) bool {
		return a.sequence < b.sequence || a.sequence == b.sequence && a.stamped < b.stamped
	}
	if slices.ContainsFunc(list, func(o *event) bool { return same(o) && older(e, o) }) {
		return list
	}
	list = slices.DeleteFunc(list, func(o *event) bool { return same(o) && older(o, e) })
	return append(list, e)
}

// Busy is the owner's time within span. The event with the UID except does not count. The error is ctx's own.
func (s *Schedule) Busy(
	ctx context.Context, span interval.Span, owner Owner, except string,
) (interval.Availability, error) {
	if owner.Zone == nil {
		owner.Zone = s.fallback
	}
	if owner.Zone == nil {
		owner.Zone = time.UTC
	}
	r := reader{span: span, owner: owner}
	for _, one := range s.series {
		if err := ctx.Err(); err != nil {
			return interval.Availability{}, err
		}
		if except == "" || one.uid != except {
			r.readSeries(one)
		}
	}
	for _, p := range s.reported {
		r.report(p)
	}
	asked := interval.NewSet(span)
	return interval.Availability{
		Busy:    interval.NewSet(r.busy...).Intersect(asked),
		Unknown: interval.NewSet(r.unknown...).Intersect(asked),
	}, nil
}
