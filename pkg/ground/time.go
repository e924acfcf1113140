package ground

import (
	"bytes"
	"cmp"
	"reflect"
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
	// open says that nothing tells the half of the day of its hour, until that something ends then.
	open, until bool
	// rest says that all of the day behind it is meant: "everything after lunch".
	rest bool
}

// areOne reports whether two phrases that stand together are one, and the second one is no exception.
func areOne(read func(from, to int) when.Reading, text []byte, a, b when.Entity) bool {
	excepted := words()["excepted"].Match(text[b.End:min(len(text), b.End+excepting)])
	if excepted || !form("joins").Match(text[a.End:b.Start]) || form("to hour").Match(text[b.Start:b.End]) {
		return false
	}
	both := read(a.Start, b.End)
	return together(a.Kind, b.Kind) || oneMoment(both) || oneDay(both) || anHour(read(a.Start, a.End), both)
}

// setting is how phrases of time are read.
func (r *reading) setting() when.Setting {
	s := when.Setting{Language: r.Language, Standing: true, Day: r.Day, Past: when.AsksOfPast(r.Text)}
	if r.hourly {
		s.Start = r.Now
	}
	return s
}

// weekdayOf is the day of the week that a time names, in whichever week: one of it, or all of several.
func (r *reading) weekdayOf(t timed) (day time.Weekday, ok bool) {
	if same := t.weekly(interval.DateOf(r.Now)); same != nil && len(t.Dates) > 1 {
		return same.Weekday(), true
	}
	return r.setting().Weekday(t.text, r.Now)
}

// readTimes reads what is said of time outside the names of things. Whether it is denied is for the deed to say.
func (r *reading) readTimes() {
	text := r.unnamed()
	setting := r.setting()
	read := func(from, to int) when.Reading { return setting.Read(string(text[from:to]), r.Now) }
	var all []when.Entity
	two := r.twoOfThem(text)
	for _, e := range entities(read, string(text), 0, len(text), mostDenied) {
		if said := read(e.Start, e.End); said.Soonest && !said.Says() {
			continue // "urgent" is no time at which anything is
		}
		if n := len(all) - 1; n >= 0 && areOne(read, text, all[n], e) {
			all[n].End, all[n].Kind = e.End, when.KindShift
			continue
		}
		all = append(all, e)
	}
	r.times = slices.Clone(r.related)
	for _, e := range all {
		e.End += len(form("onwards").Find(text[e.End:]))
		reading := read(e.Start, e.End)
		from := begins(read, text, e)
		from += r.led(string(text[from:e.End]))
		if form("street").Match(text[e.End:]) || e.Start < two && two <= e.End {
			continue // "at 12 Station Road", "las dos"
		}
		if whole := string(text[e.Start:e.End]); form("before end").MatchString(whole) {
			reading = setting.Read(form("before end").ReplaceAllString(whole, "by $1"), r.Now)
		}
		t := timed{Reading: reading, said: said{text: string(text[from:e.End]), from: from, to: e.End}}
		if n := len(form("another").FindString(t.text)); n > 0 && t.Moment != nil && len(r.of(Event)) > 0 {
			t.from, t.text = t.from+n, t.text[n:]
			t.Reading = when.Reading{Duration: t.Moment.Sub(r.Now).Round(time.Minute)}
		}
		t.open = leavesHalf(setting, string(text[e.Start:e.End]), r.Now)
		t.rest = r.says("everything") && form("behind").MatchString(t.text)
		r.times = append(r.times, t)
	}
	slices.SortFunc(r.times, func(a, b timed) int { return a.from - b.from })
	r.withoutDenied()
}

// begins is where the words of a phrase begin without which it would say something else.
func begins(read func(from, to int) when.Reading, text []byte, e when.Entity) (from int) {
	from = e.Start
	for next := afterWord(text, from); next < e.End; next = afterWord(text, from) {
		if form("article").Match(text[from:next]) || !same(read(e.Start, e.End), read(next, e.End)) {
			break // "an hour and a half"
		}
		from = next
	}
	return from
}

// led is how many bytes at the beginning of a phrase of time are no part of it.
func (r *reading) led(phrase string) int {
	n, letters := len(form("leading").FindString(phrase)), len(form("small").FindString(phrase))
	if words()["lettered"].MatchString(firstWord(phrase[letters:])) {
		n = letters
	}
	if n == len(phrase) {
		return 0
	}
	return n
}

// withoutDenied says of times that the message has nothing of them beside others: "on the 2nd, not the 1st".
func (r *reading) withoutDenied() {
	denied := func(t timed) bool {
		before := r.Text[:t.from]
		return form("not this").MatchString(before) || len(r.of(Task)) > 0 && form("rather than").MatchString(before)
	}
	if !slices.ContainsFunc(r.times, func(t timed) bool { return !denied(t) }) {
		return
	}
	for i := range r.times {
		r.times[i].used = r.times[i].used || denied(r.times[i])
	}
}

// twoOfThem is where words of a Spanish message end that say that both things are meant, and no hour; 0 if none do.
func (r *reading) twoOfThem(text []byte) (end int) {
	at := form("los dos").FindSubmatchIndex(text)
	if at == nil || len(r.found) != 2 || form("leading").FindString(string(text[at[2]:at[4]])) != "" {
		return 0 // "a las dos"
	}
	r.takeWords(at[4], at[5])
	return at[5]
}

// excepting is how many bytes after a time tell that it is excepted.
const excepting = 10

// unnamed is the message with a word that says nothing in the place of each name and of what is quoted, and with blanks
// in the place of the "'s" of a time.
func (r *reading) unnamed() []byte {
	text := []byte(r.Text)
	blank := func(from, to int) { copy(text[from:to], strings.Repeat("q", to-from)) }
	for _, w := range r.words {
		if w.taken {
			blank(w.from, w.to)
		}
	}
	for _, s := range slices.Concat(r.quoted, r.people) {
		blank(s.from, s.to)
	}
	for _, at := range form("owning").FindAllSubmatchIndex(text, -1) {
		if !strings.HasPrefix(string(text[at[4]:at[5]]), "time") {
			copy(text[at[2]:at[3]], strings.Repeat(" ", at[3]-at[2]))
		}
	}
	r.placed(func(p shelf, at, n int) {
		if p.field == "board" {
			blank(r.words[at].from, r.words[at+n-1].to)
		}
	})
	return text
}

// leavesHalf reports whether nothing in a phrase tells the half of the day.
func leavesHalf(setting when.Setting, text string, now time.Time) bool {
	at := func(o when.Occasion) interval.Clock {
		setting.Occasion = o
		r := setting.Read(text, now)
		if end := cmp.Or(r.Exact, r.EndsAt); end != nil {
			return *end
		}
		return 0
	}
	return at(when.Morning) != at(when.Evening)
}

// markTimes marks the words that are said of time, which hardly name a thing: "this weekend".
func (r *reading) markTimes() {
	for _, e := range (when.Setting{Language: r.Language, Day: r.Day}).Read(r.Text, r.Now).Entities {
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

// oneMoment reports whether two phrases that stand together are a part of a day and its hour: "tonight at 8".
func oneMoment(r when.Reading) bool { return r.Exact != nil && len(r.Dates) == 1 && r.Duration == 0 }

// anHour reports whether the second of two phrases names an hour of the part of a day that the first one names: "in the
// morning at 9".
func anHour(first, both when.Reading) bool {
	return first.Exact == nil && !first.Hours.Empty() && len(first.Dates) == 0 && both.Exact != nil && both.Duration == 0
}

// oneDay reports whether two phrases that stand together are a day: "wednesday next week".
func oneDay(r when.Reading) bool {
	return r.Exact == nil && r.Duration == 0 && r.Shift == (when.Shift{}) && len(r.Entities) > 1 &&
		len(r.Dates) == 1 && r.Dates[0].Start == r.Dates[0].End
}

// mark is the placeholder of a phrase of time.
func (t timed) mark() string {
	switch {
	case t.Shift != (when.Shift{}):
		words := strings.Fields(t.text)
		return "{length} " + words[len(words)-1]
	case (t.Duration > 0 || t.Days > 0) && len(t.Dates) == 0 && t.Exact == nil && t.Hours.Empty():
		return "{length}"
	}
	return "{time}"
}

// isName reports whether it is the name of hours, and no time: "my working hours".
func (t timed) isName() bool {
	return t.Exact == nil && len(t.Dates) == 0 && words()["hours"].MatchString(t.text)
}

// isLength reports whether it says how long, or how much later.
func (t timed) isLength() bool { return strings.HasPrefix(t.mark(), "{length}") }

// isUntil reports whether something ends then.
func (t timed) isUntil() bool { return t.until }

// day is the single day that it names.
func (t timed) day() *interval.Date {
	if len(t.Dates) != 1 || t.Dates[0].Start != t.Dates[0].End {
		return nil
	}
	return &t.Dates[0].Start
}

// weekly is the day that it names of the week of another, if all of its days are of one weekday: "thursdays".
func (t timed) weekly(of interval.Date) *interval.Date {
	if len(t.Dates) == 0 || slices.ContainsFunc(t.Dates, func(d interval.DateRange) bool {
		return d.Start != d.End || d.Start.Weekday() != t.Dates[0].Start.Weekday()
	}) {
		return nil
	}
	return new(monday(of).AddDays(monday(t.Dates[0].Start).DaysUntil(t.Dates[0].Start)))
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
	if t := r.lasting(); t != nil {
		return t.minutes()
	}
	return 0
}

// lasting is the length that is said, which is used then; nil if there is none.
func (r *reading) lasting() *timed {
	for i := range r.times {
		if t := &r.times[i]; !t.used && t.isLength() {
			t.used = true
			return t
		}
	}
	return nil
}

// timeToLength makes a length of a time that is counted from now, if the message says which way: in Hebrew "in half an
// hour" is by it, too.
func (r *reading) timeToLength() {
	for _, t := range r.points() {
		by := r.says("sooner") || r.says("later") || r.says("postpones") || r.says("extends") || r.says("less")
		if t.Moment != nil && by {
			t.Reading = when.Reading{Duration: t.Moment.Sub(r.Now).Round(time.Minute)}
		}
	}
}

// minutes are those of a length.
func (t timed) minutes() int {
	if t.Shift != (when.Shift{}) {
		days := t.Shift.Days + 7*t.Shift.Weeks
		return max(t.Shift.Minutes, -t.Shift.Minutes) + 24*60*max(days, -days)
	}
	return max(int(t.Duration/time.Minute), 24*60*t.Days)
}

// locate uses the times that say which occurrences of an event are meant, or when it is. Kept says how many times at
// the end of the message are for something else; a time behind "to" is one of these, and never says where a thing is. A
// day and hours that stand apart are said of the same: "everything after 8 by an hour today". All events of a time at
// which there are none are none.
func (r *reading) locate(m *mention, kept int) (located bool) {
	points := r.points()
	goal := func(t *timed) bool { return r.stands(t.from, "goal") }
	last := len(points) - 1
	for last >= 0 && !goal(points[last]) {
		last--
	}
	for i, t := range points {
		switch {
		case kept == 0:
		case len(r.points()) <= kept:
			return located
		case i == last:
			continue
		}
		on := m.at(*t, r.Now.Location())
		if both := keep(on, m.means); located && (m.many || len(both) > 0) {
			on = both
		} else if located {
			continue // it is not then as well: "next week's review, as I'm off that friday"
		}
		if len(on) > 0 || m.many {
			m.meant, m.which, t.used, located = on, false, true, true
		}
	}
	return located
}

// means reports whether a thing is among those that are meant.
func (m *mention) means(t Thing) bool {
	return slices.ContainsFunc(m.meant, func(other Thing) bool { return other.ID == t.ID })
}

// at are the things that are at a time.
func (m *mention) at(t timed, zone *time.Location) []Thing {
	return keep(m.things, func(thing Thing) bool {
		return !thing.Span.Start.IsZero() && t.EndsAt == nil && t.has(thing.Span.Start.In(zone))
	})
}

// has reports whether an event that begins then is at the time. An hour of no half of the day is in either.
func (t timed) has(start time.Time) bool {
	const half = 12 * 60
	day, clock := interval.DateOf(start), interval.ClockOf(start)
	if len(t.Dates) > 0 && !slices.ContainsFunc(t.Dates, func(d interval.DateRange) bool { return d.Contains(day) }) {
		return false
	}
	windows := t.windows(day)
	switch {
	case t.Exact != nil:
		return clock == *t.Exact || t.open && clock%half == *t.Exact%half
	case len(windows) > 0:
		return slices.ContainsFunc(windows, func(w interval.Window) bool { return w.Start <= clock && clock < w.End })
	}
	return len(t.Dates) > 0
}

// windows are its hours on a day.
func (t timed) windows(day interval.Date) []interval.Window {
	hours := t.Hours.Week[day.Weekday()]
	for _, on := range t.Hours.On {
		if on.Date == day {
			hours = on.Windows
		}
	}
	if t.rest && len(hours) == 1 {
		return []interval.Window{{Start: hours[0].Start, End: interval.EndOfDay}}
	}
	return hours
}

func keep[T any](list []T, is func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !is(t) })
}
