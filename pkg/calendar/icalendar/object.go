package icalendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Instance is the time of one event, or of one occurrence of a series.
type Instance struct {
	// UID is the event's; empty for a published free-busy time and for an event without one.
	UID  string
	Span interval.Span
	// At is where it is, to some hundred metres, by its GEO or Apple's geo URI; nil without both. A LOCATION is text only.
	At *geo.Point
}

// Instances are the owner's busy times that overlap span, by event: unordered, not merged and not clipped. Unknown time
// is clipped to the span. The error is ctx's own.
func (s *Schedule) Instances(
	ctx context.Context, span interval.Span, owner Owner,
) (taken []Instance, unknown interval.Set, err error) {
	owner.Zone = cmp.Or(owner.Zone, s.fallback, time.UTC)
	r := reader{span: span, owner: owner}
	take := func(uid string) {
		for i, busy := range r.busy {
			one := Instance{UID: uid, Span: busy}
			if from := r.origins[i].event; from != nil {
				one.At = from.at
			}
			taken = append(taken, one)
		}
		r.busy, r.origins = r.busy[:0], r.origins[:0]
	}
	for _, one := range s.series {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		r.readSeries(one)
		take(one.uid)
	}
	for _, p := range s.reported {
		r.report(p)
	}
	take("")
	return taken, interval.NewSet(r.unknown...).Intersect(interval.NewSet(span)), nil
}

// Without is the schedule without the event with the UID; an empty UID means none.
func (s *Schedule) Without(uid string) *Schedule {
	if uid == "" {
		return s
	}
	others := *s
	others.series = slices.DeleteFunc(slices.Clone(s.series), func(one series) bool { return one.uid == uid })
	return &others
}

// Has reports whether there is an event with the UID; false for an empty UID.
func (s *Schedule) Has(uid string) bool {
	return uid != "" && slices.ContainsFunc(s.series, func(one series) bool { return one.uid == uid })
}

// Declined are the addresses of all attendees who declined an event or an instance, in lower case and without
// "mailto:".
func (s *Schedule) Declined() []string {
	var all []string
	for _, one := range s.series {
		for _, e := range slices.Concat(one.masters, one.overrides) {
			all = append(all, e.declinedBy...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Attending is the schedule of an owner with all of these addresses: events that any of them declined take no time. An
// address is an email address or another URI of the owner.
func (s *Schedule) Attending(addresses ...string) *Schedule {
	own := make([]string, len(addresses))
	for i, a := range addresses {
		own[i] = address(a)
	}
	excuse := func(events []*event) []*event {
		events = slices.Clone(events)
		for i, e := range events {
			if slices.ContainsFunc(e.declinedBy, func(a string) bool { return a != "" && slices.Contains(own, a) }) {
				excused := *e
				excused.blocks = false
				events[i] = &excused
			}
		}
		return events
	}
	attended := *s
	attended.series = slices.Clone(s.series)
	for i := range attended.series {
		attended.series[i].masters = excuse(attended.series[i].masters)
		attended.series[i].overrides = excuse(attended.series[i].overrides)
	}
	return &attended
}

// WriteObject is the event as a calendar object resource (RFC 4791, 4.1): without a METHOD, and with the organizer and
// the guests as attendees, who are asked to answer. Without guests it contains no addresses, so that no server takes
// the copy for an invitation. Other participants are named in the description only.
func WriteObject(e meet.Event, stamp time.Time, organizer meet.Participant, guests []meet.Participant) ([]byte, error) {
	if _, ok := mailto(organizer.Email); !ok && len(guests) > 0 {
		return nil, errors.New("write calendar object: guests, but an organizer without an address")
	}
	e.Participants = named(e.Participants, organizer, guests)
	return file(e, Options{Method: Request, Stamp: stamp})
}

// named are the people of an object: the organizer and the guests with their addresses, the others without.
func named(all []meet.Participant, organizer meet.Participant, guests []meet.Participant) []meet.Participant {
	var people []meet.Participant
	if len(guests) > 0 {
		people = append([]meet.Participant{organizer}, guests...)
	}
	invited := slices.Clone(people)
	for _, p := range all {
		if !slices.ContainsFunc(invited, func(q meet.Participant) bool { return samePerson(p, q) }) {
			p.Email = ""
			people = append(people, p)
		}
	}
	return people
}

func samePerson(a, b meet.Participant) bool {
	return a.ID != "" && a.ID == b.ID || a.Email != "" && strings.EqualFold(a.Email, b.Email) || a.Name == b.Name
}

// Object is one event in a calendar, in a form that can be compared.
type Object struct {
	UID      string
	Sequence int
	// Invitations are the states of the attendees' invitations at the server, by their addresses in lower case.
	Invitations map[string]meet.Invitation
	said        []string
}

// ReadObject parses an object of a server. An object without an event is an error.
func ReadObject(data []byte) (Object, error) {
	calendars, err := parseComponents(data)
	if err != nil {
		return Object{}, err
	}
	o := Object{Invitations: map[string]meet.Invitation{}}
	for _, calendar := range calendars {
		zones := newZones(calendar)
		for _, c := range calendar.children {
			if c.name != "VEVENT" {
				continue
			}
			if p := c.first("UID"); p != nil {
				o.UID = strings.TrimSpace(unescape(p.value))
			}
			sequence, _ := strconv.Atoi(c.text("SEQUENCE"))
			o.Sequence = max(o.Sequence, sequence)
			o.said = append(o.said, said(c, zones)...)
			o.track(c)
		}
	}
	if o.UID == "" {
		return Object{}, &SyntaxError{Line: 1, Reason: "there is no event with a UID"}
	}
	slices.Sort(o.said)
	return o, nil
}

// track reads the SCHEDULE-STATUS of each attendee. Some servers replace an attendee's address with another of the same
// person, and write the invited one beside it.
func (o *Object) track(c *component) {
	for _, p := range c.props {
		if p.name != "ATTENDEE" {
			continue
		}
		if state := invitation(p.params["SCHEDULE-STATUS"]); state != "" {
			o.Invitations[address(cmp.Or(p.params["EMAIL"], p.value))] = state
		}
	}
}

// invitation is the meaning of a SCHEDULE-STATUS (RFC 6638, 3.2.9 and 7.3): of several codes the worst counts; empty if
// there is none. 1.0 is pending, and 1.1 sent without a report of delivery; 1.2 is delivered, as are answers of success
// (2) or of a conflict at the receiver (4). 3 and 5 are failures.
func invitation(status string) (state meet.Invitation) {
	for code := range strings.SplitSeq(status, ",") {
		code = strings.TrimSpace(code)
		switch kind, detail, _ := strings.Cut(code, "."); {
		case kind == "3" || kind == "5":
			return meet.InvitationFailed
		case kind == "1" && !strings.HasPrefix(detail, "2"):
			state = meet.InvitationUnknown
		case kind == "1", kind == "2", kind == "4":
			state = cmp.Or(state, meet.InvitationDelivered)
		}
	}
	return state
}

// Same reports whether both objects have the same time, title, place, description, status and people. A server's
// formatting, time stamps and answers make no difference.
func (o Object) Same(other Object) bool { return slices.Equal(o.said, other.said) }

// said lists an event's content in a normal form, which is equal for two servers' versions of it.
func said(c *component, zones *zones) []string {
	var list []string
	for _, p := range c.props {
		value := p.value
		switch p.name {
		case "DTSTART", "DTEND":
			if a, err := parseAnchor(p, p.value, zones); err == nil && !a.date && !a.zone.lost {
				value = utc(a.moment(time.UTC))
			}
		case "UID", "SUMMARY", "LOCATION", "DESCRIPTION":
			value = strings.TrimSpace(unescape(value))
		case "ORGANIZER", "ATTENDEE":
			value = address(value)
		case "SEQUENCE", "STATUS", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID":
			value = strings.ToUpper(strings.TrimSpace(value))
		case "TRANSP":
			if value = strings.ToUpper(strings.TrimSpace(value)); value == "OPAQUE" {
				continue // the default
			}
		default:
			continue
		}
		list = append(list, fmt.Sprintf("%s:%s", p.name, value))
	}
	return list
}

// unescape decodes a TEXT value.
func unescape(value string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";").Replace(value)
}
