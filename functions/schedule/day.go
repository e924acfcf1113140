package schedule

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

// day is some of the owner's time as the calendars show it.
type day struct {
	*world.World
	span   interval.Span
	events []meet.Occurrence
	// found says whether a calendar could not be read, so that there may be more events.
	found world.Found
}

// read reads the events of a span.
func read(ctx context.Context, w *world.World, span interval.Span) (day, error) {
	w.ReadTasks(ctx)
	found, err := w.Read(ctx, span)
	if ctx.Err() != nil {
		return day{}, err
	}
	return day{World: w, span: span, events: found.Events, found: found}, nil
}

// readDate reads the date of the argument "date", or today if it is nil.
func readDate(ctx context.Context, w *world.World, date *string) (day, interval.Date, error) {
	d, err := dateOf(w, "date", date)
	if err != nil {
		return day{}, d, err
	}
	of, err := read(ctx, w, d.Span(w.Zone()))
	return of, d, err
}

func dateOf(w *world.World, field string, date *string) (interval.Date, error) {
	if date == nil {
		return interval.DateOf(w.Now), nil
	}
	d, err := interval.ParseDate(*date)
	if err != nil {
		return d, tool.BadArgument(field, "%q is no date; write YYYY-MM-DD", *date)
	}
	return d, nil
}

// clockAt is a time of day on a date.
func clockAt(w *world.World, field string, d interval.Date, clock string) (time.Time, error) {
	c, err := interval.ParseClock(clock)
	if err != nil {
		return time.Time{}, tool.BadArgument(field, "%q is no time of day; write HH:MM", clock)
	}
	t, ok := d.At(c, w.Zone())
	if !ok {
		return t, tool.BadArgument(field, "the clocks skip %s on %s", clock, d)
	}
	return t, nil
}

// longestNight is the most that a span may last that ends on the next day: a longer one is a slip.
const longestNight = 12 * time.Hour

// stretch is the time between two times of day. An end before the start is on the next day.
func stretch(w *world.World, d interval.Date, start, end [2]string) (interval.Span, error) {
	from, err := clockAt(w, start[0], d, start[1])
	if err != nil {
		return interval.Span{}, err
	}
	to, err := clockAt(w, end[0], d, end[1])
	if err != nil {
		return interval.Span{}, err
	}
	if to.Before(from) {
		if to, err = clockAt(w, end[0], d.AddDays(1), end[1]); err != nil {
			return interval.Span{}, err
		}
	}
	span := interval.Span{Start: from, End: to}
	if span.Empty() || to.After(d.AddDays(1).Start(w.Zone())) && span.Duration() > longestNight {
		return span, tool.BadArgument(end[0], "the end %s must be later than the start %s", end[1], start[1])
	}
	return span, nil
}

// say fills in one of the family's phrases.
func (d day) say(name string, pairs ...string) string { return d.Voice().Say(phrases, name, pairs...) }

// takes reports whether an event takes its owner's time.
func takes(o meet.Occurrence) bool { return !o.Transparent && !o.Declined() }

// busy is the time that events take, of those that count.
func (d day) busy(counts func(meet.Occurrence) bool) interval.Set {
	var spans []interval.Span
	for _, o := range d.events {
		if counts(o) {
			spans = append(spans, o.Span.Intersect(d.span))
		}
	}
	return interval.NewSet(spans...)
}

// noted is a text, and after it what could not be seen.
func (d day) noted(text string) string {
	return strings.Join(append([]string{text}, d.Notes(d.found)...), "\n\n")
}

// minutes is the length of a set in whole minutes.
func minutes(set interval.Set) int {
	var sum time.Duration
	for _, s := range set {
		sum += s.Duration()
	}
	return int(sum / time.Minute)
}

// titles are the titles of events, each once.
func (d day) titles(events []meet.Occurrence) string {
	var list []string
	seen := map[string]bool{}
	for _, o := range events {
		if !seen[o.Title] {
			list, seen[o.Title] = append(list, d.Voice().Title(o.Title)), true
		}
	}
	return d.Voice().List(list)
}
