package websearch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/activity"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	maxTitle   = 120
	maxVenue   = 100
	maxAddress = 160
	maxKind    = 20
)

const (
	// usualLength applies to something without an announced end.
	usualLength = 2 * time.Hour
	// longest is the maximum length of something to meet at.
	longest = 12 * time.Hour
)

// Why an activity is not believed.
var (
	errNoTitle    = errors.New("has no title")
	errNoSource   = errors.New("names no page that the search met")
	errNoTime     = errors.New("has no time that exists")
	errBackwards  = errors.New("ends before it begins")
	errTooLong    = errors.New("takes longer than people meet")
	errNotAsked   = errors.New("is not at a time that was asked for")
	errSaidBefore = errors.New("has been said before")
)

// check returns the credible part of an answer, in its order, and why the rest is not; nil if everything is.
func check(a answer, q meet.ActivityQuery) (found []meet.Suggestion, refused error) {
	var reasons []error
	for i, one := range a.activities {
		s, err := a.suggestion(one, q)
		if err == nil && slices.ContainsFunc(found, func(other meet.Suggestion) bool { return same(s, other) }) {
			err = errSaidBefore
		}
		if err != nil {
			reasons = append(reasons, fmt.Errorf("activity %d %w", i+1, err))
			continue
		}
		found = append(found, s)
	}
	return found, errors.Join(reasons...)
}

// same reports whether two suggestions are one thing: the same title, or the same place and time.
func same(a, b meet.Suggestion) bool {
	return strings.EqualFold(a.Title, b.Title) ||
		a.Venue != "" && strings.EqualFold(a.Venue, b.Venue) && a.Start.Equal(b.Start)
}

func (a answer) suggestion(one item, q meet.ActivityQuery) (s meet.Suggestion, err error) {
	s = meet.Suggestion{
		Title: plain(one.Title, maxTitle), Venue: plain(one.Venue, maxVenue), Address: plain(one.Address, maxAddress),
		Kind: strings.ToLower(plain(one.Kind, maxKind)), Free: one.Free,
	}
	if s.Title == "" {
		return s, errNoTitle
	}
	if s.Kind == "other" {
		s.Kind = ""
	}
	if s.URL, err = a.link(one); err != nil {
		return s, err
	}
	when, err := times(one, zoneOf(q))
	if err != nil {
		return s, err
	}
	if !activity.Suits(q, when.Start) {
		return s, errNotAsked
	}
	s.Start, s.End = when.Start.In(zoneOf(q)), when.End.In(zoneOf(q))
	return s, nil
}

// link is the page about an activity, or else its source, which must be a page that the search visited.
func (a answer) link(one item) (string, error) {
	known := func(page string) bool {
		key, ok := pageKey(page)
		return ok && a.met[key]
	}
	if !known(one.Source) && !known(one.URL) {
		return "", errNoSource
	}
	for _, page := range []string{one.URL, one.Source} {
		if shown, ok := shownPage(page); ok && known(page) {
			return shown, nil
		}
	}
	return "", nil // a page without https counts as a source, and is no link
}

// times is when an activity takes place, on the clocks of its venue.
func times(one item, asker *time.Location) (when interval.Span, err error) {
	zone := asker
	if one.Timezone != "" {
		if zone, err = interval.Zone(strings.TrimSpace(one.Timezone)); err != nil {
			return when, errNoTime
		}
	}
	if when.Start, err = clockTime(one.Start, zone); err != nil {
		return when, err
	}
	when.End = when.Start.Add(usualLength)
	if one.End != nil && strings.TrimSpace(*one.End) != "" {
		if when.End, err = clockTime(*one.End, zone); err != nil {
			return when, err
		}
	}
	switch {
	case when.Empty():
		return when, errBackwards
	case when.Duration() > longest:
		return when, errTooLong
	}
	return when, nil
}

// clockForms are how models write a time without an offset.
var clockForms = []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04"}

// clockTime reads a local time. It refuses one skipped by a DST change, and an offset other than the zone's own,
// because either could be wrong.
func clockTime(said string, zone *time.Location) (time.Time, error) {
	said = strings.TrimSpace(said)
	if at, err := time.Parse(time.RFC3339, said); err == nil {
		local := at.In(zone)
		_, meant := at.Zone()
		if _, own := local.Zone(); own != meant {
			return at, errNoTime
		}
		return local, nil
	}
	for _, form := range clockForms {
		if at, err := time.ParseInLocation(form, said, zone); err == nil {
			if at.Format(form) != said {
				return at, errNoTime
			}
			return at, nil
		}
	}
	return time.Time{}, errNoTime
}
