package icalendar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"convene/pkg/geo"
)

// event is a VEVENT: a single one, the master of a series, or an override of one instance of it.
type event struct {
	uid  string
	line int
	// sequence and stamped order two versions.
	sequence int
	stamped  string
	// text is the component that the event was read from, and cancelled says that it does not take place.
	text      *component
	cancelled bool
	// blocks says that the event takes its owner's time, unless the owner declined it.
	blocks     bool
	declinedBy []string
	// at is where the event is; nil without coordinates.
	at    *geo.Point
	start anchor
	// end is set if the file gives one; otherwise lasts is the event's length.
	end   *anchor
	lasts length
	// rules is nil for an event that does not repeat.
	rules []rule
	extra []period
	// without are the EXDATEs, withoutRules the EXRULEs.
	without      []anchor
	withoutRules []rule
	// replaces is the RECURRENCE-ID of an override; andLater says that it applies to all later instances too.
	replaces *anchor
	andLater bool
	// lost says which part of the event could not be parsed.
	lost loss
}

// loss is the unknown part of an event's time.
type loss int

const (
	nothingLost loss = iota
	// repeatsLost: the first instance is known, the later ones are not.
	repeatsLost
	// endLost: the start is known, the length is not.
	endLost
	// allLost: it may be at any time.
	allLost
)

// period is one RDATE or FREEBUSY: a start and, if given, an end or a length.
type period struct {
	start anchor
	end   *anchor
	lasts length
	// bare periods have neither: the RDATE is as long as its event.
	bare bool
}

// parseEvent parses as much of the component as it can. With errors it returns the event with its loss.
func parseEvent(c *component, zones *zones) (*event, error) {
	e := &event{line: c.line, text: c, blocks: blocks(c), cancelled: c.text("STATUS") == "CANCELLED"}
	if p := c.first("UID"); p != nil {
		e.uid = strings.TrimSpace(p.value)
	}
	e.sequence, _ = strconv.Atoi(c.text("SEQUENCE"))
	e.stamped = c.text("DTSTAMP")
	e.declinedBy, e.at = declinedBy(c), coordinates(c)
	problems := errors.Join(e.parseStart(c, zones), e.parseEnd(c, zones), e.parseRepeats(c, zones))
	for i := range e.rules {
		e.rules[i] = e.rules[i].completed(e.start.wall)
	}
	return e, problems
}

// blocks reports whether the event takes time. Outlook's own property is more exact than TRANSP: an absence may be
// transparent and still block.
func blocks(c *component) bool {
	if c.text("STATUS") == "CANCELLED" {
		return false
	}
	switch c.text("X-MICROSOFT-CDO-BUSYSTATUS") {
	case "FREE", "WORKINGELSEWHERE":
		return false
	case "OOF", "BUSY", "TENTATIVE":
		return true
	default:
		return c.text("TRANSP") != "TRANSPARENT"
	}
}

// declinedBy lists the addresses of the attendees who declined.
func declinedBy(c *component) (addresses []string) {
	for _, p := range c.props {
		if p.name == "ATTENDEE" && strings.EqualFold(p.params["PARTSTAT"], "DECLINED") {
			addresses = append(addresses, address(p.value))
		}
	}
	return addresses
}

// coordinates are the event's GEO, or the geo URI (RFC 5870) that Apple's calendars write beside its LOCATION; nil if
// invalid.
func coordinates(c *component) *geo.Point {
	for _, from := range []struct{ name, before, between string }{
		{"GEO", "", ";"}, {"X-APPLE-STRUCTURED-LOCATION", "geo:", ","},
	} {
		p := c.first(from.name)
		if p == nil {
			continue
		}
		value := strings.TrimSpace(p.value)
		if len(value) < len(from.before) || !strings.EqualFold(value[:len(from.before)], from.before) {
			continue
		}
		latitude, longitude, _ := strings.Cut(value[len(from.before):], from.between)
		longitude, _, _ = strings.Cut(longitude, ";") // a geo URI may have parameters
		lat, errLat := strconv.ParseFloat(strings.TrimSpace(latitude), 64)
		lon, errLon := strconv.ParseFloat(strings.TrimSpace(longitude), 64)
		if at, ok := geo.About(lat, lon); ok && errLat == nil && errLon == nil {
			return &at
		}
	}
	return nil
}

func address(uri string) string {
	uri = strings.ToLower(strings.TrimSpace(uri))
	return strings.TrimPrefix(uri, "mailto:")
}

func (e *event) parseStart(c *component, zones *zones) (err error) {
	p := c.first("DTSTART")
	if p == nil {
		e.lost = allLost
		return problem(c.line, "event without DTSTART")
	}
	if e.start, err = parseAnchor(*p, p.value, zones); err != nil {
		e.lost = allLost
		return problem(p.line, "%v", err)
	}
	if e.start.zone.lost {
		return problem(p.line, "unknown time zone %q", clip(p.params["TZID"]))
	}
	return nil
}

// parseEnd prefers DTEND. Without an end a date lasts that day, and a time has no length.
func (e *event) parseEnd(c *component, zones *zones) error {
	if p := c.first("DTEND"); p != nil {
		end, err := parseAnchor(*p, p.value, zones)
		if err != nil || end.date != e.start.date && e.lost == nothingLost {
			e.lost = max(e.lost, endLost)
			return problem(p.line, "DTEND cannot be read")
		}
		if !end.date || end.wall != e.start.wall {
			e.end = &end
			if end.floating == e.start.floating && end.moment(time.UTC).Before(e.start.moment(time.UTC)) {
				return problem(p.line, "DTEND lies before DTSTART")
			}
			return nil
		}
		// Some calendars write a whole day itself as its end, and mean the day after.
		e.lasts.days = 1
		return nil
	}
	if p := c.first("DURATION"); p != nil {
		lasts, err := parseLength(p.value)
		if err != nil {
			e.lost = max(e.lost, endLost)
			return problem(p.line, "DURATION %v", err)
		}
		if e.lasts = lasts; lasts.days < 0 || lasts.exact < 0 {
			return problem(p.line, "DURATION is negative")
		}
		return nil
	}
	if e.start.date {
		e.lasts.days = 1
	}
	return nil
}

func (e *event) parseRepeats(c *component, zones *zones) error {
	var problems []error
	for _, p := range c.props {
		if err := e.parseRepeat(p, zones); err != nil {
			e.lost = max(e.lost, repeatsLost)
			problems = append(problems, problem(p.line, "%v", err))
		}
		if err := e.parseException(p, zones); err != nil {
			// An exception that is ignored leaves busy time, which is safe.
			problems = append(problems, problem(p.line, "%v; what it takes out stays busy", err))
		}
	}
	if e.replaces != nil && !e.andLater && (len(e.rules) > 0 || len(e.extra) > 0) {
		e.lost = max(e.lost, repeatsLost)
		problems = append(problems, problem(c.line, "one instance of a series repeats by itself"))
	}
	return errors.Join(problems...)
}

// parseRepeat parses a property that adds instances.
func (e *event) parseRepeat(p property, zones *zones) error {
	switch p.name {
	case "RRULE":
		r, err := parseRule(p.value)
		if err != nil {
			return err
		}
		e.rules = append(e.rules, r)
	case "RDATE":
		more, err := parsePeriods(p, zones)
		e.extra = append(e.extra, more...)
		return err
	case "RECURRENCE-ID":
		id, err := parseAnchor(p, p.value, zones)
		if err != nil {
			return err
		}
		e.replaces = &id
		e.andLater = strings.EqualFold(p.params["RANGE"], "THISANDFUTURE")
	}
	return nil
}

// parseException parses a property that removes instances.
func (e *event) parseException(p property, zones *zones) (err error) {
	switch p.name {
	case "EXDATE":
		e.without, err = appendAnchors(e.without, p, zones)
	case "EXRULE":
		var r rule
		if r, err = parseRule(p.value); err == nil {
			e.withoutRules = append(e.withoutRules, r)
		}
	}
	return err
}

func appendAnchors(list []anchor, p property, zones *zones) ([]anchor, error) {
	for value := range strings.SplitSeq(p.value, ",") {
		a, err := parseAnchor(p, value, zones)
		if err != nil {
			return list, err
		}
		list = append(list, a)
	}
	return list, nil
}

// parsePeriods parses a list of dates, times or periods (start/end or start/duration).
func parsePeriods(p property, zones *zones) ([]period, error) {
	var list []period
	for value := range strings.SplitSeq(p.value, ",") {
		from, to, isPeriod := strings.Cut(value, "/")
		start, err := parseAnchor(p, from, zones)
		if err != nil {
			return list, err
		}
		next := period{start: start, bare: !isPeriod}
		switch {
		case !isPeriod:
		case strings.HasPrefix(strings.ToUpper(to), "P"):
			next.lasts, err = parseLength(to)
		default:
			var end anchor
			end, err = parseAnchor(p, to, zones)
			next.end = &end
		}
		if err != nil {
			return list, err
		}
		list = append(list, next)
	}
	return list, nil
}

func problem(line int, format string, args ...any) error {
	return &SyntaxError{Line: line, Reason: fmt.Sprintf(format, args...)}
}
