package icalendar

import (
	"cmp"
	"context"
	"slices"
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
	owner.Zone = cmp.Or(owner.Zone, s.fallback, time.UTC)
	r := reader{span: span, owner: owner, traces: true, lists: true}
	self := func(a string) bool {
		return slices.ContainsFunc(append(addresses, owner.Email), func(own string) bool {
			return own != "" && address(own) == a
		})
	}
	for _, one := range s.series {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		r.readSeries(one)
		for i, when := range r.busy {
			list = append(list, r.origins[i].occurrence(one.uid, when, self))
		}
		r.busy, r.origins = r.busy[:0], r.origins[:0]
	}
	return list, interval.NewSet(r.unknown...).Intersect(interval.NewSet(span)), nil
}

// occurrence is what the file says of an instance.
func (o origin) occurrence(uid string, when interval.Span, self func(address string) bool) meet.Occurrence {
	c := o.event.text
	is := meet.Occurrence{
		ID: uid, UID: uid, RecurrenceID: o.instance, Title: c.prose("SUMMARY"), Location: c.prose("LOCATION"),
		Span: when, AllDay: o.event.start.date, Tentative: c.text("STATUS") == "TENTATIVE", Transparent: !blocks(c),
		Visibility: meet.Visibility(strings.ToLower(c.text("CLASS"))),
	}
	for _, p := range c.props {
		who := meet.Attendee{
			Name: p.params["CN"], Email: address(cmp.Or(p.params["EMAIL"], p.value)),
			Answer: answers[strings.ToUpper(p.params["PARTSTAT"])],
		}
		who.Self = self(who.Email)
		switch kind := strings.ToUpper(p.params["CUTYPE"]); {
		case p.name == "ORGANIZER":
			is.Organizer = &who
		case p.name == "ATTENDEE" && kind != "ROOM" && kind != "RESOURCE":
			is.Attendees = append(is.Attendees, who)
		}
	}
	return is
}

// answers are the meanings of PARTSTAT; others are no answer.
var answers = map[string]meet.Answer{
	"ACCEPTED": meet.Accepted, "DECLINED": meet.Declined, "TENTATIVE": meet.Undecided,
}

// prose is the text of the first property of that name, without its escapes.
func (c *component) prose(name string) string {
	if p := c.first(name); p != nil {
		return strings.TrimSpace(unescape(p.value))
	}
	return ""
}
