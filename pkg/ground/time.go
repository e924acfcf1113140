package ground

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// timed is a phrase of time outside the names of things.
type timed struct {
	when.Reading
	said
}

// leading are small words before a phrase of time, which are no part of it.
var leading = regexp.MustCompile(`(?i)^(?:(?:on|at|by|for|to|until|till|from|before|after|in|el|la|las|los|al|a|de|del|por|` +
	`para|hasta|desde|en|antes|después)\s+)*(?:[בלמכ]-?)?`)

// joins is what stands between a day and a time of day that are said together.
var joins = regexp.MustCompile(`(?i)^[\s,]*(?:at|@|on|in|a|a las|a la|por|en|de|el|ב)?[\s-]*$`)

// readTimes reads what is said of time outside the names of things.
func (r *reading) readTimes() {
	text := []byte(r.Text)
	blank := func(from, to int) { copy(text[from:to], strings.Repeat(" ", to-from)) }
	for _, w := range r.words {
		if w.taken {
			blank(w.from, w.to)
		}
	}
	for _, q := range r.quoted {
		blank(q.from, q.to)
	}
	setting := when.Setting{Language: r.Language}
	var all []when.Entity
	for _, e := range setting.Read(string(text), r.Now).Entities {
		if e.Kind == when.KindTravel || e.Kind == when.KindUnexpressed {
			continue
		}
		if n := len(all) - 1; n >= 0 && together(all[n].Kind, e.Kind) && joins.Match(text[all[n].End:e.Start]) {
			all[n].End, all[n].Kind = e.End, when.KindShift
			continue
		}
		all = append(all, e)
	}
	r.times = nil
	for _, e := range all {
		from := e.Start + len(leading.FindString(string(text[e.Start:e.End])))
		if from >= e.End {
			from = e.Start
		}
		read := setting.Read(string(text[e.Start:e.End]), r.Now)
		if !read.Says() && len(read.Entities) > 0 {
			read.Entities[0].Days = e.Days
		}
		r.times = append(r.times, timed{read, said{text: string(text[from:e.End]), from: from, to: e.End}})
	}
}

// together reports whether two phrases are a day and a time of day.
func together(a, b when.Kind) bool {
	return a == when.KindDate && b == when.KindTime || a == when.KindTime && b == when.KindDate
}

// mark is the placeholder of a phrase of time.
func (t timed) mark() string {
	switch {
	case t.Shift != (when.Shift{}):
		words := strings.Fields(t.text)
		return "{length} " + words[len(words)-1]
	case t.Duration > 0 && len(t.Dates) == 0 && t.Exact == nil && t.Hours.Empty():
		return "{length}"
	}
	return "{time}"
}

// isLength reports whether it says how long, or how much later.
func (t timed) isLength() bool { return strings.HasPrefix(t.mark(), "{length}") }

// day is the single day that it names.
func (t timed) day() *interval.Date {
	if len(t.Dates) != 1 || t.Dates[0].Start != t.Dates[0].End {
		return nil
	}
	return &t.Dates[0].Start
}

// points are the times that are no lengths and not used yet.
func (r *reading) points() (all []*timed) {
	for i := range r.times {
		if t := &r.times[i]; !t.used && !t.isLength() {
			all = append(all, t)
		}
	}
	return all
}

// length is the length that is said, in minutes, and used then; 0 if there is none.
func (r *reading) length() int {
	for i := range r.times {
		if t := &r.times[i]; !t.used && t.isLength() {
			t.used = true
			if t.Shift.Minutes != 0 || t.Shift.Days != 0 {
				return max(t.Shift.Minutes, -t.Shift.Minutes) + 24*60*max(t.Shift.Days, -t.Shift.Days)
			}
			return int(t.Duration / time.Minute)
		}
	}
	return 0
}

// locate uses the times that say which occurrences of an event are meant, or when it is. Keep says how many times at
// the end of the message are for something else.
func (r *reading) locate(m *mention, keep int) {
	for _, t := range r.points() {
		if keep > 0 && len(r.points()) <= keep {
			return
		}
		if on := m.at(*t, r.Now.Location()); len(on) > 0 {
			m.meant, t.used = on, true
		}
	}
}

// at are the things that are at a time.
func (m *mention) at(t timed, zone *time.Location) []Thing {
	return keep(m.things, func(thing Thing) bool {
		start := thing.Span.Start.In(zone)
		day, clock := interval.DateOf(start), interval.ClockOf(start)
		if thing.Span.Start.IsZero() || len(t.Dates) == 0 && t.Exact == nil || t.EndsAt != nil {
			return false
		}
		within := func(d interval.DateRange) bool { return d.Contains(day) }
		return (len(t.Dates) == 0 || slices.ContainsFunc(t.Dates, within)) && (t.Exact == nil || *t.Exact == clock)
	})
}

func keep[T any](list []T, is func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !is(t) })
}
