package icalendar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// stamp is a DATE or DATE-TIME value as written: a wall time, which is midnight for a date.
type stamp struct {
	wall time.Time
	date bool
	utc  bool
}

// parseStamp parses 20260131, 20260131T153000 and 20260131T153000Z. A date needs no VALUE=DATE, which many calendars
// leave out. The end of a day may be written as 240000, and a leap second is the first of the next minute.
func parseStamp(s string) (stamp, error) {
	s = strings.TrimSpace(s)
	written, utc := strings.CutSuffix(s, "Z")
	var (
		at  = stamp{date: len(s) == len("20060102"), utc: utc}
		err error
	)
	if at.date {
		at.wall, err = time.Parse("20060102", s)
	} else if eve, midnight := strings.CutSuffix(written, "T240000"); midnight {
		at.wall, err = time.Parse("20060102", eve)
		at.wall = at.wall.Add(day)
	} else {
		minute, leap := strings.CutSuffix(written, "60")
		if leap = leap && len(written) == len("20060102T150405"); leap {
			written = minute + "59"
		}
		if at.wall, err = time.Parse("20060102T150405", written); leap {
			at.wall = at.wall.Add(time.Second)
		}
	}
	if err != nil {
		return stamp{}, fmt.Errorf("%q is not a date or a time", clip(s))
	}
	return at, nil
}

// anchor is a stamp in its zone, as of DTSTART. A date has no zone until its owner's is known.
type anchor struct {
	stamp
	zone zone
	// floating times are written without a zone.
	floating bool
}

// parseAnchor parses one value of a property whose parameters name the zone.
func parseAnchor(p property, value string, zones *zones) (anchor, error) {
	if date, _, timed := strings.Cut(strings.TrimSpace(value), "T"); timed &&
		strings.EqualFold(p.params["VALUE"], "DATE") {
		// The parameter is right, and the midnight is noise.
		value = date
	}
	s, err := parseStamp(value)
	if err != nil {
		return anchor{}, fmt.Errorf("%s %w", p.name, err)
	}
	a := anchor{stamp: s}
	switch {
	case s.date:
	case s.utc:
		a.zone = zone{loc: time.UTC}
	case p.params["TZID"] != "":
		a.zone = zones.named(p.params["TZID"])
	default:
		// A time without a zone is in the calendar's, otherwise in the owner's.
		a.zone, a.floating = zone{loc: zones.fallback}, true
	}
	return a, nil
}

// moment is the anchor's moment, for an owner in that zone.
func (a anchor) moment(owner *time.Location) time.Time { return a.zone.moment(a.wall, owner) }

// wallIn is the anchor's wall time in z. A date is the same in every zone.
func (a anchor) wallIn(z zone, owner *time.Location) time.Time {
	if a.date {
		return a.wall
	}
	return z.wall(a.moment(owner), owner)
}

// length is an event's length. Its days are calendar days of 23 to 25 hours; the rest is exact.
type length struct {
	days  int
	exact time.Duration
}

// longest bounds a length; an event that lasts longer than ten years is a mistake in the file.
const longest = 3660

// parseLength parses an RFC 5545 duration, as P1D or PT1H30M. It may be negative, though no event's may.
func parseLength(s string) (length, error) {
	wrong := fmt.Errorf("%q is not a duration", clip(s))
	unsigned, negative := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(s)), "-")
	rest, isDuration := strings.CutPrefix(strings.TrimPrefix(unsigned, "+"), "P")
	if !isDuration || rest == "" {
		return length{}, wrong
	}
	var l length
	days, clock, _ := strings.Cut(rest, "T")
	for _, unit := range []struct {
		letter string
		days   int
	}{{"W", 7}, {"D", 1}} {
		n, after, err := leading(days, unit.letter)
		if err != nil {
			return length{}, wrong
		}
		days = after
		l.days += n * unit.days
	}
	for _, unit := range []struct {
		letter string
		each   time.Duration
	}{{"H", time.Hour}, {"M", time.Minute}, {"S", time.Second}} {
		n, after, err := leading(clock, unit.letter)
		if err != nil {
			return length{}, wrong
		}
		clock = after
		l.exact += time.Duration(n) * unit.each
	}
	if days != "" || clock != "" || l.days > longest || l.exact > longest*24*time.Hour {
		return length{}, wrong
	}
	if negative {
		l = length{-l.days, -l.exact}
	}
	return l, nil
}

// leading cuts a number followed by that letter off the front of s, if there is one.
func leading(s, letter string) (n int, rest string, err error) {
	digits, after, found := strings.Cut(s, letter)
	if !found {
		return 0, s, nil
	}
	if n, err = strconv.Atoi(digits); err != nil || n < 0 || len(digits) > 9 {
		return 0, s, errors.New("not a number")
	}
	return n, after, nil
}

// clip shortens a file's text for an error.
func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
