package icalendar

import (
	"cmp"
	"context"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Occurrences are the events that overlap span, in no order, with what the file says of them; those that
// take no time too, but none that is cancelled. Addresses are the owner's. Unknown is the time of events that could not
// be parsed, clipped to the span. The error is ctx's own.
func (s *Schedule) Occurrences(
	ctx context.Context, span interval.Span, owner Owner, addresses ...string,
) (list []meet.Occurrence, unknown interval.Set, err error) {
	return s.occurrences(ctx.Err, span, owner, addresses...)
}

// occurrences are Occurrences, until stop gives an error.
func (s *Schedule) occurrences(
	stop func() error, span interval.Span, owner Owner, addresses ...string,
) (list []meet.Occurrence, unknown interval.Set, err error) {
	owner.Zone = cmp.Or(owner.Zone, s.fallback, time.UTC)
	r := reader{span: span, owner: owner, lists: true}
	self := func(a string) bool {
		return slices.ContainsFunc(append(addresses, owner.Email), func(own string) bool {
			return own != "" && address(own) == a
		})
	}
	var told *event // the occurrences of one come one after the other
	var is meet.Occurrence
	for _, one := range s.series {
		if err := stop(); err != nil {
			return nil, nil, err
		}
		r.readSeries(one)
		for i, when := range r.busy {
			from := r.origins[i]
			if told != from.event {
				is, told = from.event.text.occurrence(self), from.event
				is.ID, is.UID, is.Recurrence, is.AllDay = one.uid, one.uid, one.recurrence(), from.event.start.date
			}
			is.RecurrenceID, is.Span = from.instance, when
			list = append(list, is)
		}
		r.busy, r.origins = r.busy[:0], r.origins[:0]
	}
	return list, interval.NewSet(r.unknown...).Intersect(interval.NewSet(span)), nil
}

func (s series) recurrence() string {
	for _, master := range s.masters {
		if p := master.text.first("RRULE"); p != nil {
			return strings.TrimSpace(p.value)
		}
	}
	return ""
}

// The properties that Convene adds to events.
const (
	// kindProperty is what a time block is for: work, meeting, email, break or blocked.
	kindProperty = "X-CONVENE-KIND"
	// changesProperty names the latest changes that were made; see marked.
	changesProperty = "X-CONVENE-CHANGES"
)

// occurrence is what the file says of an event, without its identity and its time.
func (c *component) occurrence(self func(address string) bool) meet.Occurrence {
	told := c.told.Load()
	if told == nil {
		is := c.described()
		told = &is
		c.told.Store(told)
	}
	is := *told
	if is.Organizer != nil {
		organizer := *is.Organizer
		organizer.Self = self(organizer.Email)
		is.Organizer = &organizer
	}
	is.Attendees, is.Categories = slices.Clone(is.Attendees), slices.Clone(is.Categories)
	for i := range is.Attendees {
		is.Attendees[i].Self = self(is.Attendees[i].Email)
	}
	// Occurrences of a series share them: who appends to those of one must not write into another's.
	is.Attendees, is.Categories = slices.Clip(is.Attendees), slices.Clip(is.Categories)
	return is
}

// described is what the component says to anyone.
func (c *component) described() meet.Occurrence {
	is := meet.Occurrence{
		Version: c.version(), Title: strings.TrimSpace(c.prose("SUMMARY")),
		Location:    strings.TrimSpace(c.prose("LOCATION")),
		Description: c.prose("DESCRIPTION"), Kind: meet.BlockKind(strings.ToLower(c.text(kindProperty))),
		Categories: c.categories(), Tentative: c.text("STATUS") == "TENTATIVE", Transparent: !blocks(c),
		Visibility: meet.Visibility(strings.ToLower(c.text("CLASS"))),
	}
	for _, p := range c.props {
		if p.name != "ORGANIZER" && p.name != "ATTENDEE" {
			continue
		}
		who := p.attendee()
		switch kind := strings.ToUpper(p.params["CUTYPE"]); {
		case p.name == "ORGANIZER":
			is.Organizer = &who
		case kind != "ROOM" && kind != "RESOURCE":
			is.Attendees = append(is.Attendees, who)
		}
	}
	return is
}

// noAddress stands for the address of a guest who is known by name only, as in other programs.
const noAddress = "invalid:nomail"

// attendee is the person of an ORGANIZER or ATTENDEE.
func (p property) attendee() meet.Attendee {
	who := meet.Attendee{
		Name: p.params["CN"], Email: address(cmp.Or(p.params["EMAIL"], p.value)),
		Answer: answers[strings.ToUpper(p.params["PARTSTAT"])],
	}
	if who.Email == noAddress {
		who.Email = ""
	}
	return who
}

// categories are the values of all CATEGORIES.
func (c *component) categories() (list []string) {
	for _, p := range c.props {
		if p.name != "CATEGORIES" {
			continue
		}
		// A comma in a value has a backslash.
		rest := strings.ReplaceAll(p.value, `\\`, "\x00")
		for one := range strings.SplitSeq(strings.ReplaceAll(rest, `\,`, "\x01"), ",") {
			one = strings.NewReplacer("\x00", `\\`, "\x01", `\,`).Replace(one)
			if one = strings.TrimSpace(unescape(one)); one != "" {
				list = append(list, one)
			}
		}
	}
	return list
}

// unversioned are the properties that may differ in two readings of one version: a server sets them, or a change of
// another occurrence.
var unversioned = []string{"DTSTAMP", "LAST-MODIFIED", "CREATED", "SEQUENCE", "EXDATE", changesProperty}

// version changes with the content of the component. It does not depend on how a server writes it.
func (c *component) version() string {
	var lines []string
	for _, p := range c.props {
		if slices.Contains(unversioned, p.name) {
			continue
		}
		line := p.name + ":" + p.value
		for _, name := range slices.Sorted(maps.Keys(p.params)) {
			if name != "SCHEDULE-STATUS" {
				line += ";" + name + "=" + p.params[name]
			}
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	sum := fnv.New64a()
	for _, line := range lines {
		_, _ = sum.Write([]byte(line + "\n")) // a hash takes everything
	}
	for _, child := range c.children {
		_, _ = sum.Write([]byte(child.name + child.version()))
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}

// answers are the meanings of PARTSTAT; others are no answer.
var answers = map[string]meet.Answer{
	"ACCEPTED": meet.Accepted, "DECLINED": meet.Declined, "TENTATIVE": meet.Undecided,
}

// prose is the text of the first property of that name, without its escapes.
func (c *component) prose(name string) string {
	if p := c.first(name); p != nil {
		return unescape(p.value)
	}
	return ""
}
