// Package catalogue suggests things to do from a file: the one that is built in, with what comes round every week or
// season in San Francisco, or any other in the same form. It needs no network and no key.
//
// The form is a JSON object. "timezone" is the IANA zone of all times. "area" lists what people call the region; a text
// that names it is meant for it, wherever its author is. "words" lists for each tag what else people say for it.
// "activities" are the things to do, each with "title", "venue", "address", "location" (longitude, latitude, as in
// GeoJSON), "url" (https), "tags" (the first is its main kind), and "when": rules of "days" (mon … sun), "start" and
// "end" (HH:MM, an end before the start is on the next day), and where it is not all year or every week "months" (1 to
// 12) and "weeks" (1 for the first such day of a month, -1 for the last). Where people come and go between start and end,
// as to a market or a museum, "visit" is how many minutes they stay.
//
// What is built in is written from general knowledge and approximate: dates and hours change, some need a ticket. It
// serves demonstrations, tests and runs without a key; it is no events guide.
package catalogue

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/activity"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

//go:embed sanfrancisco.json
var sanFrancisco string

const (
	// reachKm is how far from the person a thing may be, unless the text names the area.
	reachKm = 100.0
	// maxDays bounds how far ahead of the span's start is looked: what is seasonal comes round within a year.
	maxDays = 366
	// maxWords bounds how much of a text is read.
	maxWords = 64
)

// Catalogue is an activity.Finder over a file in memory. It never changes after Load, so that any number of searches
// may run at the same time.
type Catalogue struct {
	zone       *time.Location
	activities []thing
	// meanings leads from a phrase to the tag that it means; longest is the number of words of the longest phrase.
	meanings map[string]string
	longest  int
	areas    []string
}

// thing is something to do, and when.
type thing struct {
	meet.Suggestion
	tags  []string
	rules []rule
	// visit is how long people stay who come and go as they like; 0 where they come at the start and stay to the end.
	visit time.Duration
}

// rule is when a thing comes round. No months are all of them, no weeks every one.
type rule struct {
	days   []time.Weekday
	window interval.Window
	months []time.Month
	weeks  []int
}

// Embedded is the catalogue of San Francisco that is built in.
func Embedded() (*Catalogue, error) { return Load(strings.NewReader(sanFrancisco)) }

// Load reads a file in the form that the package describes. An error names the activity and the member that are wrong.
func Load(r io.Reader) (*Catalogue, error) {
	c, err := readFile(r)
	if err != nil {
		return nil, fmt.Errorf("activities file: %w", err)
	}
	return c, nil
}

// Suggest is as activity.Finder promises. Each thing is suggested once, at the first time within the span at which it
// begins; a visit begins when the doors open, but not before ten in the morning unless they close too early for that,
// and later where the span begins later. What fits more of the text comes first; of what fits alike, one of each kind before a second one of any, the
// soonest ahead.
func (c *Catalogue) Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	if err := ctx.Err(); err != nil {
		return nil, activity.Unavailable(fmt.Errorf("suggest from the catalogue: %w", err))
	}
	text := words(q.Text)
	text = text[:min(len(text), maxWords)]
	wanted := c.wanted(text)
	near := q.Near
	if c.namesArea(text) {
		near = nil
	}
	var found []candidate
	for _, t := range c.activities {
		fits := t.fits(wanted)
		if len(wanted) > 0 && fits == 0 || near != nil && t.Point != nil && geo.Distance(*near, *t.Point) > reachKm {
			continue
		}
		if span, ok := c.first(t, q.Span); ok {
			found = append(found, candidate{t.at(span, cmp.Or(q.Zone, c.zone)), t.tags[0], fits})
		}
	}
	return varied(found, activity.Limit(q)), nil
}

// at is the thing as a suggestion for one time, the receiver's own to change.
func (t thing) at(span interval.Span, zone *time.Location) meet.Suggestion {
	s := t.Suggestion
	s.Start, s.End = span.Start.In(zone), span.End.In(zone)
	if s.Point != nil {
		point := *s.Point
		s.Point = &point
	}
	return s
}

// fits counts the wanted tags that the thing has.
func (t thing) fits(wanted []string) (n int) {
	for _, tag := range wanted {
		if slices.Contains(t.tags, tag) {
			n++
		}
	}
	return n
}

// first is the first time that the thing begins within span.
func (c *Catalogue) first(t thing, span interval.Span) (first interval.Span, ok bool) {
	if span.Empty() {
		return first, false
	}
	last := interval.DateOf(span.End.In(c.zone))
	day := interval.DateOf(span.Start.In(c.zone))
	for range maxDays {
		if last.Before(day) {
			break
		}
		for _, r := range t.rules {
			if !r.on(day) {
				continue
			}
			at := t.attended(r.window.On(day, c.zone), span.Start)
			if !at.Empty() && span.Contains(at.Start) && (!ok || at.Start.Before(first.Start)) {
				first, ok = at, true
			}
		}
		if ok {
			break
		}
		day = day.AddDays(1)
	}
	return first, ok
}

// goingOut is the hour at which people begin to go out.
const goingOut = 10

// attended is the part of the opening hours that somebody spends there who cannot come before then; empty where the
// time is too short for it.
func (t thing) attended(hours interval.Span, notBefore time.Time) interval.Span {
	if t.visit == 0 {
		return hours
	}
	length := min(t.visit, hours.Duration())
	latest := hours.End.Add(-length)
	year, month, day := hours.Start.Date()
	start := time.Date(year, month, day, goingOut, 0, 0, 0, hours.Start.Location())
	if start.Before(hours.Start) {
		start = hours.Start
	}
	if start.After(latest) {
		start = latest
	}
	if start.Before(notBefore) {
		start = roundUp(notBefore)
	}
	if start.After(latest) {
		return interval.Span{}
	}
	return interval.From(start, length)
}

// roundUp is t or else the next half hour.
func roundUp(t time.Time) time.Time {
	const step = 30 * time.Minute
	if rounded := t.Truncate(step); rounded.Before(t) {
		return rounded.Add(step)
	}
	return t
}

// on reports whether the rule holds on that day.
func (r rule) on(d interval.Date) bool {
	if !slices.Contains(r.days, d.Weekday()) || len(r.months) > 0 && !slices.Contains(r.months, d.Month) {
		return false
	}
	last := d.AddDays(7).Month != d.Month
	return len(r.weeks) == 0 || slices.Contains(r.weeks, (d.Day-1)/7+1) || last && slices.Contains(r.weeks, -1)
}

// candidate is a suggestion with what its place in the list depends on.
type candidate struct {
	suggestion meet.Suggestion
	kind       string
	fits       int
}

// varied takes the best candidates one by one, each time of the kind that was taken the fewest times.
func varied(found []candidate, limit int) []meet.Suggestion {
	taken := map[string]int{}
	better := func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(b.fits, a.fits),
			cmp.Compare(taken[a.kind], taken[b.kind]),
			a.suggestion.Start.Compare(b.suggestion.Start),
			cmp.Compare(a.suggestion.Title, b.suggestion.Title))
	}
	list := []meet.Suggestion{}
	for len(found) > 0 && len(list) < limit {
		best := 0
		for i := range found {
			if better(found[i], found[best]) < 0 {
				best = i
			}
		}
		taken[found[best].kind]++
		list = append(list, found[best].suggestion)
		found = slices.Delete(found, best, best+1)
	}
	return list
}

// wanted are the tags that a text means, each once; words that mean nothing here are passed over.
func (c *Catalogue) wanted(text []string) (tags []string) {
	for len(text) > 0 {
		n := min(c.longest, len(text))
		for ; n > 1 && c.meanings[strings.Join(text[:n], " ")] == ""; n-- {
		}
		if tag := c.meanings[strings.Join(text[:n], " ")]; tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
		text = text[n:]
	}
	return tags
}

// namesArea reports whether a text says the region's name.
func (c *Catalogue) namesArea(text []string) bool {
	whole := " " + strings.Join(text, " ") + " "
	return slices.ContainsFunc(c.areas, func(area string) bool { return strings.Contains(whole, " "+area+" ") })
}

// words are the words of a text in lower case, without what stands between them.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
