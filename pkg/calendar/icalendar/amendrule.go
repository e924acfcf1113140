package icalendar

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/agenda"
)

// ruleParts are the parts of an RRULE in order, as NAME=value.
type ruleParts []string

func partsOf(rule string) ruleParts {
	return strings.Split(strings.Trim(strings.TrimSpace(rule), ";"), ";")
}

func (r ruleParts) String() string { return strings.Join(r, ";") }

// has reports whether the rule has one of these parts.
func (r ruleParts) has(names ...string) bool {
	return slices.ContainsFunc(r, func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		return slices.Contains(names, strings.ToUpper(name))
	})
}

// with is the rule with a part set to the value, or without it if the value is empty.
func (r ruleParts) with(name, value string) ruleParts {
	rest := slices.DeleteFunc(slices.Clone(r), func(part string) bool {
		is, _, _ := strings.Cut(part, "=")
		return strings.EqualFold(is, name)
	})
	if value == "" {
		return rest
	}
	return append(rest, name+"="+value)
}

// splitRules are the rules of the series before and from a wall time: the first ends, and the second has as many
// occurrences less as the first has.
func (e *edition) splitRules(as form, cut time.Time) (before, after string, err error) {
	parsed, err := parseEvent(e.master, e.zones)
	if err != nil || len(parsed.rules) != 1 || len(parsed.withoutRules) > 0 {
		return "", "", ErrInexpressible
	}
	rule, count, found, spent := parsed.rules[0], 0, false, 0
	whole := rule.each(as.wall, as.wall, cut.Add(time.Second), &spent, func(wall time.Time) {
		if wall.Before(cut) {
			count++
		}
		found = found || wall.Equal(cut)
	})
	if !whole || !found {
		return "", "", ErrInexpressible // an RDATE, from which no rule goes on
	}
	written := partsOf(e.master.first("RRULE").value)
	last := as.value(cut.AddDate(0, 0, -1))
	if !as.date {
		last = utc(as.zone.moment(cut, as.owner).Add(-time.Second))
		if as.floating {
			last = as.value(cut.Add(-time.Second))
		}
	}
	if rule.count > 0 {
		written = written.with("COUNT", strconv.Itoa(rule.count-count))
	}
	return written.with("COUNT", "").with("UNTIL", last).String(), written.String(), nil
}

// keepDates keeps those of a series' RDATEs and EXDATEs whose wall times fit.
func (e *edition) keepDates(c *component, as form, fits func(wall time.Time) bool) {
	e.mapDates(c, func(a anchor) (string, bool) { return "", fits(as.shifted(a, as, 0)) })
}

// mapDates replaces each value of the RDATEs and EXDATEs of a component, or drops it. An empty replacement is the value
// itself.
func (e *edition) mapDates(c *component, to func(a anchor) (value string, keep bool)) {
	var props []property
	for _, p := range c.props {
		if p.name != "RDATE" && p.name != "EXDATE" {
			props = append(props, p)
			continue
		}
		var values []string
		for written := range strings.SplitSeq(p.value, ",") {
			from, _, _ := strings.Cut(written, "/")
			a, err := parseAnchor(p, from, e.zones)
			if err != nil {
				values = append(values, written)
				continue
			}
			value, keep := to(a)
			if value == "" {
				value = written
			}
			if keep {
				values = append(values, value)
			}
		}
		line := strings.TrimSuffix(p.text, p.value) + strings.Join(values, ",")
		if kept, err := parseProperty(line, p.line); err == nil && len(values) > 0 {
			props = append(props, kept)
		}
	}
	c.props = props
}

// shift moves a series as far as the amendment moves its occurrence, on the clock, and gives it that length. An
// occurrence with a time of its own keeps it.
func (e *edition) shift(a agenda.Amendment) error {
	from, err := e.form(e.master)
	if err != nil {
		return err
	}
	as, err := e.formAs(e.master, a)
	if err != nil {
		return err
	}
	span := a.After().Span
	start, lasts := as.wallAt(span.Start), as.wallAt(span.End).Sub(as.wallAt(span.Start))
	old := from.wallAt(a.Event.Span.Start)
	if as.date {
		old = old.Truncate(day)
	}
	by := start.Sub(old)
	rule, err := e.shiftedRule(as, from, by)
	if err != nil {
		return err
	}
	named, former := e.overrideOf(a.Event), e.extentOf(e.master)
	for _, c := range e.overrides {
		id := e.wallOf(c, from)
		at, own := from.shifted(e.start(c), from, 0), e.extentOf(c)
		to := as.shifted(e.replaced(c), from, by)
		switch {
		case c == named:
			e.putSpan(c, as, span)
		case at.Equal(id) && own == former:
			e.putWall(c, as, to, lasts)
		}
		c.put(as.on("RECURRENCE-ID", to))
		e.moved(c)
	}
	e.putWall(e.master, as, as.shifted(from.anchor, from, by), lasts)
	if e.restampDates(as, from, by) != nil {
		return ErrInexpressible
	}
	if rule != "" {
		e.master.put("RRULE:" + rule)
	}
	e.moved(e.master)
	return nil
}

// putWall sets the time of a component by the clock.
func (e *edition) putWall(c *component, as form, start time.Time, lasts time.Duration) {
	c.drop("DURATION")
	c.put(as.on("DTSTART", start))
	c.put(as.on("DTEND", start.Add(lasts)))
}

// restampDates moves the EXDATEs with their series. RDATEs that are no plain dates of the series are not moved: whose
// times they are is unknown.
func (e *edition) restampDates(as, from form, by time.Duration) error {
	var exceptions []string
	for _, p := range e.master.props {
		switch p.name {
		case "RDATE", "EXRULE":
			return ErrInexpressible
		case "EXDATE":
			list, err := appendAnchors(nil, p, e.zones)
			if err != nil {
				return err
			}
			for _, x := range list {
				exceptions = append(exceptions, as.value(as.shifted(x, from, by)))
			}
		}
	}
	if e.master.drop("EXDATE"); len(exceptions) > 0 {
		e.master.put("EXDATE" + as.params + ":" + strings.Join(exceptions, ","))
	}
	return nil
}

// shortestMonth has as many days as every month has.
const shortestMonth = 28

// everyMonth reports whether both are days of one month that every month has.
func everyMonth(a, b time.Time) bool {
	return a.Month() == b.Month() && max(a.Day(), b.Day()) <= shortestMonth
}

// shiftedRule is the rule of the series, moved by so much on the clock; empty if there is none. Rules that name days of
// the month or of the year cannot be moved to other days, nor rules that name hours to other hours.
func (e *edition) shiftedRule(as, from form, by time.Duration) (string, error) {
	p := e.master.first("RRULE")
	if p == nil {
		return "", nil
	}
	rule, err := parseRule(p.value)
	if err != nil {
		return "", ErrInexpressible
	}
	to := as.shifted(from.anchor, from, by)
	days := int(to.Truncate(day).Sub(from.wall.Truncate(day)) / day)
	parts := partsOf(p.value)
	switch {
	case parts.has("BYHOUR", "BYMINUTE", "BYSECOND") && (by%day != 0 || as.date),
		days != 0 && parts.has("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS"),
		days != 0 && rule.freq <= monthly && !everyMonth(from.wall, to),
		days != 0 && slices.ContainsFunc(rule.byDay, func(d ordinalDay) bool { return d.n != 0 }):
		return "", ErrInexpressible
	case days != 0 && rule.byDay != nil:
		var names []string
		for _, d := range rule.byDay {
			names = append(names, weekdays[(int(d.day)+days%7+7)%7])
		}
		parts = parts.with("BYDAY", strings.Join(names, ","))
		if rule.freq == weekly && rule.interval > 1 {
			parts = parts.with("WKST", weekdays[(int(rule.weekStart)+days%7+7)%7])
		}
	}
	if !rule.until.wall.IsZero() {
		parts = parts.with("UNTIL", shiftedUntil(rule.until, as, from, by, days))
	}
	return parts.String(), nil
}

// shiftedUntil is the end of a rule, moved by so much on the clock. The last day on which an occurrence may begin is
// moved by so many days.
func shiftedUntil(until stamp, as, from form, by time.Duration, days int) string {
	wall := until.wall
	if until.utc && !from.date {
		wall = from.zone.wall(until.wall, from.owner)
	}
	wall = wall.Add(by)
	switch {
	case until.date, as.date:
		return until.wall.AddDate(0, 0, days).Format("20060102")
	case as.floating:
		return wall.Format(wallLayout)
	default:
		return utc(as.zone.moment(wall, as.owner))
	}
}

// weekdays are the names of BYDAY.
var weekdays = [...]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}
