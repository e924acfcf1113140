package ground

import (
	"bytes"
	"reflect"
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
var leading = regexp.MustCompile(`(?i)^(?:(?:on|at|by|for|to|until|till|from|before|after|in|el|la|las|los|al|a|de|` +
	`del|por|para|hasta|desde|en|antes|después)\s+)*(?:[בלמכ]-?)?`)

// joins is what stands between a day and a time of day that are said together.
var joins = regexp.MustCompile(`(?i)^[\s,]*(?:at|@|on|in|a|a las|a la|por|en|de|el|ב)?[\s-]*$`)

// readTimes reads what is said of time outside the names of things. Whether it is denied is for the deed to say.
func (r *reading) readTimes() {
	text := []byte(r.Text)
	blank := func(from, to int) { copy(text[from:to], strings.Repeat("q", to-from)) } // a word that says nothing
	for _, w := range r.words {
		if w.taken {
			blank(w.from, w.to)
		}
	}
	for _, q := range r.quoted {
		blank(q.from, q.to)
	}
	for _, p := range r.people {
		blank(p.from, p.to)
	}
	setting := when.Setting{Language: r.Language}
	read := func(from, to int) when.Reading { return setting.Read(string(text[from:to]), r.Now) }
	var all []when.Entity
	for _, e := range entities(read, string(text), 0, len(text), mostDenied) {
		if n := len(all) - 1; n >= 0 && together(all[n].Kind, e.Kind) && joins.Match(text[all[n].End:e.Start]) {
			all[n].End, all[n].Kind = e.End, when.KindShift
			continue
		}
		all = append(all, e)
	}
	r.times = nil
	for _, e := range all {
		from, reading := e.Start, read(e.Start, e.End)
		for next := afterWord(text, from); next < e.End && same(reading, read(next, e.End)); next = afterWord(text, from) {
			from = next
		}
		if n := from + len(leading.FindString(string(text[from:e.End]))); n < e.End {
			from = n
		}
		r.times = append(r.times, timed{reading, said{text: string(text[from:e.End]), from: from, to: e.End}})
	}
}

// markTimes marks the words that are said of time, which hardly name a thing: "this weekend".
func (r *reading) markTimes() {
	for _, e := range (when.Setting{Language: r.Language}).Read(r.Text, r.Now).Entities {
		for i := range r.words {
			w := &r.words[i]
			w.timely = w.timely || e.Start <= w.from && w.to <= e.End && e.Kind != when.KindExclusion
		}
	}
}

// mostDenied is how many words at the beginning of a phrase are looked past for what it denies.
const mostDenied = 5

// entities are the phrases of time from byte from to byte to, also those within what denies them or takes them back.
func entities(read func(from, to int) when.Reading, text string, from, to, deep int) (all []when.Entity) {
	for _, e := range read(from, to).Entities {
		e.Start, e.End = e.Start+from, e.End+from
		switch e.Kind {
		case when.KindDate, when.KindTime, when.KindDuration, when.KindShift:
			all = append(all, e)
		case when.KindExclusion, when.KindWithdrawn:
			if next := afterWord([]byte(text), e.Start); next < e.End && deep > 0 {
				all = append(all, entities(read, text, next, e.End, deep-1)...)
			}
		case when.KindTravel, when.KindUnexpressed, when.KindNoDay: // no deed has a place for them
		}
	}
	return all
}

// afterWord is where the second word of a text from a byte on begins.
func afterWord(text []byte, from int) int {
	rest := text[from:]
	i := bytes.IndexAny(rest, " \t\n")
	if i < 0 {
		return len(text)
	}
	return from + i + len(rest[i:]) - len(bytes.TrimLeft(rest[i:], " \t\n,"))
}

// same reports whether two phrases say the same of time.
func same(a, b when.Reading) bool {
	a.Entities, b.Entities, a.Confidence, b.Confidence = nil, nil, 0, 0
	return reflect.DeepEqual(a, b)
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
			m.meant, m.which, t.used = on, false, true
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
