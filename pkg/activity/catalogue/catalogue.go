// Package catalogue suggests things to do from a file: the built-in one, with weekly and seasonal events in San
// Francisco, or any other in the same form. It needs no network and no key.
//
// The form is a JSON object. "timezone" is the IANA zone of all times. "area" lists names of the region and its
// quarters; a text that names one is about it, wherever the user is. "elsewhere" lists places without entries here.
// "words" lists synonyms for each tag, in any language; "particles" are the letters that a language writes in front of
// a word without a space. "unsaid" lists phrases in which such a word means something else. "binding" are the tags that
// a thing must have if the text has them; of the others, one is enough. "activities" are the things to do, each with
// "title", "venue", "address", "location" (longitude, latitude, as in GeoJSON), "url" (https), "tags" (the first is its
// kind; "free entry" means free admission), and "when": rules of "days" (mon … sun), "start" and "end" (HH:MM, an end
// before the start is on the next day), and unless it is all year and every week "months" (1 to 12) and "weeks" (1 for
// the first such day of a month, -1 for the last). If people come and go between start and end, as to a market or a
// museum, "visit" is how many minutes they stay.
//
// The built-in file is written from general knowledge and approximate: dates and hours change, some need a ticket. It
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

	"convene/pkg/activity"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

//go:embed sanfrancisco.json
var sanFrancisco string

const (
	// reachKm is the maximum distance, unless the text names the area.
	reachKm = 100.0
	// maxDays bounds the search from the span's start: every season recurs within a year.
	maxDays = 366
	// maxWords bounds how much of a text is read.
	maxWords = 64
)

// Catalogue is an activity.Finder over a file in memory. It never changes after Load and is safe for concurrent use.
type Catalogue struct {
	zone       *time.Location
	activities []thing
	// meanings maps phrases to tags; longest is the number of words of the longest phrase.
	meanings  map[string]string
	longest   int
	particles string
	binding   []string
	// areas and elsewhere are names, split into words.
	areas, elsewhere [][]string
	// known are the words of titles, venues and addresses: no other town is called so.
	known map[string]bool
}

// thing is something to do, and when.
type thing struct {
	meet.Suggestion
	tags  []string
	rules []rule
	// visit is the length of a stay at something with opening hours; 0 if people stay from the start to the end.
	visit time.Duration
}

// rule is when a thing recurs. No months means all, no weeks every week.
type rule struct {
	days   []time.Weekday
	window interval.Window
	months []time.Month
	weeks  []int
}

// Embedded is the catalogue of San Francisco that is built in.
func Embedded() (*Catalogue, error) { return Load(strings.NewReader(sanFrancisco)) }

// Load reads a file in the form described in the package. An error names the activity and the member that are wrong.
func Load(r io.Reader) (*Catalogue, error) {
	c, err := readFile(r)
	if err != nil {
		return nil, fmt.Errorf("activities file: %w", err)
	}
	return c, nil
}

// freeTag says that admission is free.
const freeTag = "free entry"

// Suggest answers as activity.Finder promises. Each thing is suggested once, at its first start; a visit begins when
// the doors open, but not before ten in the morning unless they close too early for that, and later if the query begins
// later. Of equal matches, different kinds alternate, and then different days and times of day; the best match comes
// first, and then the soonest. A text about another place finds nothing.
func (c *Catalogue) Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	if err := ctx.Err(); err != nil {
		return nil, activity.Unavailable(fmt.Errorf("suggest from the catalogue: %w", err))
	}
	text := words(q.Text)
	text = text[:min(len(text), maxWords)]
	near := q.Near
	switch {
	case c.names(c.areas, text):
		near = nil
	case c.names(c.elsewhere, text) || c.namesTown(q.Text):
		return []meet.Suggestion{}, nil
	}
	wanted := c.wanted(text)
	var found []candidate
	for _, t := range c.activities {
		fits := c.fits(t, wanted)
		if len(wanted) > 0 && fits == 0 || near != nil && t.Point != nil && geo.Distance(*near, *t.Point) > reachKm {
			continue
		}
		if span, ok := c.first(t, q); ok {
			found = append(found, candidate{t.at(span, cmp.Or(q.Zone, c.zone)), fits, part(span.Start)})
		}
	}
	return varied(found, activity.Limit(q)), nil
}

// at is a copy of the thing as a suggestion for one time.
func (t thing) at(span interval.Span, zone *time.Location) meet.Suggestion {
	s := t.Suggestion
	s.Start, s.End = span.Start.In(zone), span.End.In(zone)
	if s.Point != nil {
		point := *s.Point
		s.Point = &point
	}
	return s
}

// fits counts the wanted tags of the thing; 0 if it lacks a binding one.
func (c *Catalogue) fits(t thing, wanted []string) (n int) {
	for _, tag := range wanted {
		switch {
		case slices.Contains(t.tags, tag):
			n++
		case slices.Contains(c.binding, tag):
			return 0
		}
	}
	return n
}

// first is the first time at which the thing begins within the query.
func (c *Catalogue) first(t thing, q meet.ActivityQuery) (first interval.Span, ok bool) {
	if q.Span.Empty() {
		return first, false
	}
	last := interval.DateOf(q.Span.End.In(c.zone))
	day := interval.DateOf(q.Span.Start.In(c.zone))
	for range maxDays {
		if last.Before(day) || ok {
			break
		}
		for _, r := range t.rules {
			if !r.on(day) {
				continue
			}
			at, begins := t.begins(r.window.On(day, c.zone), activity.Times(q, day, c.zone))
			if begins && (!ok || at.Start.Before(first.Start)) {
				first, ok = at, true
			}
		}
		day = day.AddDays(1)
	}
	return first, ok
}

// begins is the attendance of a person who can begin at one of the times only.
func (t thing) begins(hours interval.Span, times []interval.Span) (at interval.Span, ok bool) {
	for _, wanted := range times {
		at = t.attended(hours, wanted.Start)
		if !at.Empty() && wanted.Contains(at.Start) {
			return at, true
		}
	}
	return at, false
}

// goingOut is the hour at which people begin to go out.
const goingOut = 10

// attended is the part of the opening hours that a person who comes no earlier than notBefore stays; empty if too
// little time is left.
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

// roundUp rounds t up to the half hour.
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

// candidate is a suggestion with what its rank depends on.
type candidate struct {
	suggestion meet.Suggestion
	fits       int
	part       string
}

// part is the day and the part of it in which something begins.
func part(start time.Time) string {
	parts := []string{"morning", "afternoon", "evening"}
	i := 0
	switch {
	case start.Hour() >= evening:
		i = 2
	case start.Hour() >= noon:
		i = 1
	}
	return start.Format(time.DateOnly) + parts[i]
}

// The hours at which the parts of a day begin.
const (
	noon    = 12
	evening = 17
)

// varied takes the best candidates one by one, preferring the kind, and then the part of a day, taken least often so
// far. The result is ordered by fit and time.
func varied(found []candidate, limit int) []meet.Suggestion {
	kinds, parts := map[string]int{}, map[string]int{}
	better := func(a, b candidate) int {
		return cmp.Or(
			cmp.Compare(b.fits, a.fits),
			cmp.Compare(kinds[a.suggestion.Kind], kinds[b.suggestion.Kind]),
			cmp.Compare(parts[a.part], parts[b.part]),
			inOrder(a, b))
	}
	var taken []candidate
	for len(found) > 0 && len(taken) < limit {
		best := 0
		for i := range found {
			if better(found[i], found[best]) < 0 {
				best = i
			}
		}
		kinds[found[best].suggestion.Kind]++
		parts[found[best].part]++
		taken = append(taken, found[best])
		found = slices.Delete(found, best, best+1)
	}
	slices.SortFunc(taken, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.fits, a.fits), inOrder(a, b)) })
	list := []meet.Suggestion{}
	for _, c := range taken {
		list = append(list, c.suggestion)
	}
	return list
}

func inOrder(a, b candidate) int {
	return cmp.Or(a.suggestion.Start.Compare(b.suggestion.Start), cmp.Compare(a.suggestion.Title, b.suggestion.Title))
}
