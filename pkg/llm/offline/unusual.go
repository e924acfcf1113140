package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// This file reads what stands around an operation: the reason that is given for it, the name of a block, and how
// something is called that the user has already.

// plans reports whether the words before word i may be a wish of their own, and not only the reason for what follows.
func (o *operating) plans(i int) bool {
	end := o.tokens[i].start
	for k := range i {
		if o.activity(k) > 0 {
			return true
		}
	}
	return slices.ContainsFunc(o.sentence.time.Entities, func(e when.Entity) bool { return e.Start < end })
}

// reasonAt is the word with which the reason begins that is given after a request, or its end if none is given. What
// asks for something more is no reason.
func (o *operating) reasonAt(from, to int) int {
	for i := from; i < to; i++ {
		because := o.phraseIn(i, o.book.because) > 0
		if !because && (!o.tokens[i].opens || o.phraseIn(i, o.book.reasons) == 0) {
			continue
		}
		asks := false
		for k := i + 1; k < to && !asks; k++ {
			asks = (o.tokens[k].opens || o.says(k-1) == "and") && o.changesAt(o.skip(k, to))
		}
		if !asks && !o.changesAt(i) {
			return i
		}
	}
	return to
}

// dayOffBefore is the one day of which the words before word i say that much falls away on it, such as a holiday; zero
// if they say it of none.
func (o *operating) dayOffBefore(i int) (day interval.Date) {
	for k := range i {
		if o.phraseIn(k, o.book.offs) > 0 {
			return o.dayIn(o.text[:o.tokens[i].start])
		}
	}
	return day
}

// dayAround is the one day that is named before or after the request, as in its reason: "cancel the gym, I have a guest
// on Wednesday". It is zero if none is to come, or both name one.
func (o *operating) dayAround() interval.Date {
	before, after := o.dayIn(o.text[:o.tokens[o.from].start]), o.dayIn(o.text[o.tokens[o.to-1].end:])
	switch today := interval.DateOf(o.now); {
	case before.IsZero() && !after.Before(today):
		return after
	case after.IsZero() && !before.Before(today):
		return before
	}
	return interval.Date{}
}

// dayIn is the one day that a text names, also if it is one on which the user is away; else zero.
func (o *operating) dayIn(text string) (day interval.Date) {
	r := o.setting.Read(text, o.now)
	if len(r.Dates) == 0 {
		r.Dates = r.ExcludedDates
	}
	first, last, ok := datesOf(r)
	switch today := interval.DateOf(o.now); {
	case ok && first == last:
		return first
	case !ok && len(r.ExcludedWeekdays) == 1:
		return today.AddDays(1 + (int(r.ExcludedWeekdays[0])-int(today.Weekday())+6)%7)
	}
	return day
}

// onDay lets a request that names no day mean the events of one: "Wednesday is a holiday, remove the gym".
func (op *operation) onDay(day interval.Date) {
	s, duty := &op.events, duties[op.verb]
	goes := slices.ContainsFunc(op.time.Dates, func(d interval.DateRange) bool { return d.Contains(day) })
	dated := s.Window != nil || len(s.Weekdays) > 0
	if day.IsZero() || goes || dated || s.pronoun || len(s.From) > 0 || !duty.means() && duty.aspect == "" {
		return
	}
	s.days = interval.DateRange{Start: day, End: day}
	s.Window = windowOf(s.days)
	if op.missing == missesAll {
		op.missing = ""
	}
}

// conditions reports whether words say that something holds only in some case, or order something else.
func (o *operating) conditions(from, to int) bool {
	for i := from; i < to; i++ {
		if o.of("condition", i) > 0 || o.of("order", i) > 0 && o.leads(i) {
			return true
		}
	}
	return false
}

// calledSo is inSomeWay of what stands before the name of a block: "…, call it Focus".
func (o *operating) calledSo() (operation, bool) {
	for i := o.from + 1; i < o.to; i++ {
		n := o.phraseIn(i, o.book.calls)
		if n == 0 || i+n >= o.to {
			continue
		}
		end := o.to
		o.to = i
		op, ok := o.inSomeWay()
		if o.to = end; ok && op.verb == verbBlock {
			op.texts = []string{o.verbatim(bound{slot: slotText, from: i + n, to: end})}
			return op, true
		}
	}
	return o.inSomeWay()
}

// both is a look that asks two things of the same events: "how many do I have, and list them". A list of them tells all
// but their notes.
func (o *operating) both() (op operation, ok bool) {
	end := o.to
	for i := o.from + 1; i < end; i++ {
		if !slices.ContainsFunc(o.waysAt(i), func(w *way) bool { return w.verb == verbToo && o.matches(w, i) }) {
			continue
		}
		o.to = i
		op, ok = o.inSomeWay()
		o.to = end
		if aspect := duties[op.verb].aspect; ok && aspect != "" && aspect != "notes" {
			op.verb, op.sure, op.both = verbFind, true, true
			return op, true
		}
	}
	return operation{}, false
}

// matches reports whether all words from i on are a way without slots.
func (o *operating) matches(w *way, i int) bool {
	_, ok := o.match(w.parts, i, 0, nil)
	return ok
}

// inNoWay is a change of something that the user has already, in a way that is not read: it has to be asked.
func (o *operating) inNoWay() (op operation, ok bool) {
	for _, w := range o.waysAt(o.from) {
		if reads(w.verb) || len(w.parts) != 2 || w.parts[1].slot != slotWhich {
			continue
		}
		for _, words := range w.parts[0].words {
			if n := o.said(words, o.from); n > 0 && o.from+n < o.to && o.phraseIn(o.from+n, o.book.definite) > 0 {
				return operation{verb: w.verb, missing: missesForm, definite: true}, true
			}
		}
	}
	return op, false
}

// isDefinite reports whether a slot names something that the user has already.
func (o *operating) isDefinite(b bound) bool {
	letters, cut := tongueOf(o.setting.Language).callings, b.cut
	for i := b.from; i < min(b.from+2, b.to); i++ {
		word := o.tokens[i].lower[cut:]
		if letters.definite(word) && o.book.verbs.Named(word) == word {
			return true
		}
		if i+1 < b.to && strings.HasSuffix(word, "'s") && o.timeIn(bound{slot: slotWhen, from: i, to: i + 1}).covers {
			return true // "friday's call"
		}
		cut = 0
	}
	for i := max(b.from-1, 0); i < b.to; i++ {
		if (i <= b.from || i == b.to-1) && o.phraseIn(i, o.book.definite) > 0 {
			return true
		}
	}
	return false
}

// isText reports whether words can be taken as they stand. A block is called by words of one clause that say nothing of
// time, and a place is no time.
func (o *operating) isText(v verb, b bound) bool {
	if v == verbPlace {
		at := b.from > 0 && o.says(b.from-1) == "small" || b.cut > 0
		return !at || !o.timeIn(bound{slot: slotWhen, from: b.from, to: b.to, cut: b.cut}).covers
	}
	if v != verbBlock {
		return true
	}
	for i := b.from; i < b.to; i++ {
		key := o.says(i)
		if o.isHour(i) && i == b.from || i > b.from && o.tokens[i].opens || key == "hour" || key == "doubt" {
			return false
		}
	}
	return true
}

// pointers are the names of words that only point to what was said before.
var pointers = map[string]bool{"it": true, "them": true, "that": true}

// clashes reports whether words speak of events that overlap.
func (o *operating) clashes(b bound) bool {
	for i := b.from; i < b.to; i++ {
		if o.says(i) == "clash" {
			return true
		}
	}
	return false
}

// isOwnTime reports whether words are a kind of time that someone keeps for themselves, as a block is called.
func (o *operating) isOwnTime(b bound) bool {
	for i := b.from; i < b.to; i++ {
		if o.personAt(i) != nil || o.says(i) == "with" {
			return false
		}
	}
	for n := min(b.to-b.from, maxGloss); n > 0; n-- {
		if o.phraseIn(b.to-n, o.book.own) == n {
			return b.to-b.from <= maxGloss
		}
	}
	return false
}

// longestSpot is how many words name a room at most.
const longestSpot = 5

// isSpot reports whether words name a room or a part of a building: a noun for one, and its number or name before or
// after it.
func (o *operating) isSpot(b bound) bool {
	b = o.withoutSmall(b)
	named := slices.ContainsFunc(o.tokens[b.from:b.to], func(t accounted) bool { return len(o.book.spots[t.lower]) > 0 })
	timed := slices.ContainsFunc(o.tokens[b.from:b.to], func(t accounted) bool {
		return !isFigure(t.lower) && slices.ContainsFunc(o.sentence.time.Entities, func(e when.Entity) bool {
			return e.Start < t.end && e.End > t.start
		})
	})
	return !timed && b.to-b.from > 1 && b.to-b.from <= longestSpot && (named || o.phraseIn(b.from, o.book.spots) > 0) &&
		(b.to == o.to || !isFigure(o.tokens[b.to].lower))
}

// withoutSmall is a slot without the small words that it begins with.
func (o *operating) withoutSmall(b bound) bound {
	for b.from+1 < b.to && o.says(b.from) == "small" {
		b.from, b.cut = b.from+1, 0
	}
	return b
}

// phraseIn is how many words of a list of phrases stand at word i.
func (o *operating) phraseIn(i int, list phrases) int {
	_, n := o.phraseAt(i, list)
	return n
}

// maskTitles takes what is always a title out of what is read as a time, "1:1", and what says which part of a series is
// not meant alone: "not just this week".
func (o *operating) maskTitles() {
	text := []byte(o.masked)
	for i := range o.tokens {
		if name, n := o.phraseAt(i, o.book.says); name == "title" || name == "scope all" {
			from, to := o.tokens[i].start, o.tokens[i+n-1].end
			copy(text[from:to], strings.Repeat(" ", to-from))
		}
	}
	o.masked = string(text)
}

// pointsAt completes an operation that names no events: it points at what was shown. It is false if a change of the
// operation before names something else.
func (o *operating) pointsAt(op *operation, named bool) bool {
	if follows(op.verb) {
		return op.definite || len(op.events.TitleHas) == 0 && !op.events.empty()
	}
	if !named && duties[op.verb].means() {
		op.events.pronoun, op.events.One = true, pointer(true)
		o.point(&op.events)
	}
	return true
}

// peopleIn are the people in a slot, as they are written; none if anything else is in it.
func (o *operating) peopleIn(b bound) (names []string) {
	for i := b.from; i < b.to; {
		m, key := o.personAt(i), o.says(i)
		first := firstRune(o.text[o.tokens[i].start:])
		switch {
		case m != nil:
			names = append(names, m.name)
			for end := o.sentence.words[m.to-1].end; i < b.to && o.tokens[i].start < end; {
				i++
			}
			continue
		case key == "and" || (key == "small" || key == "new") && len(names) == 0 && o.tokens[i].lower == "a":
		case (key == "person" || key == "them") && len(o.namedBefore(i)) > 0:
			before := o.namedBefore(i)
			if key == "person" {
				before = before[len(before)-1:]
			}
			names = append(names, before...)
		case unicode.IsUpper(first) && !o.sentence.shouted && key == "":
			names = append(names, o.text[o.tokens[i].start:o.tokens[i].end])
			for i+1 < b.to && o.tokens[i+1].capital && o.says(i+1) == "" && !o.tokens[i+1].opens {
				i++
				names[len(names)-1] += " " + o.text[o.tokens[i].start:o.tokens[i].end]
			}
		default:
			return nil
		}
		i++
	}
	return names
}

// personAt is the person whose name begins in word i.
func (o *operating) personAt(i int) *mention {
	for k := range o.sentence.known {
		m := &o.sentence.known[k]
		if start := o.sentence.words[m.from].start; start >= o.tokens[i].start && start < o.tokens[i].end {
			return m
		}
	}
	return nil
}

// knows reports whether a name is that of someone whom the message may mean.
func (o *operating) knows(name string) bool {
	return slices.ContainsFunc(o.sentence.known, func(m mention) bool { return m.name == name })
}

// lengthens is the verb of a move that only says how long something takes, and not by how much later it is: "make it 45
// minutes".
func (o *operating) lengthens(of verb, t timed) verb {
	if of == verbMove && t.Shift == (when.Shift{}) && o.tokens[o.from].lower == "make" {
		return verbLength
	}
	return of
}

// onlyPoints reports whether a text only points to what was said before, or is the end of a verb: "apúntalo de 9 a 12".
func (o *operating) onlyPoints(b bound) bool {
	key, n := o.phraseAt(b.from, o.book.says)
	attached := b.from > 0 && o.tokens[b.from].start == o.tokens[b.from-1].end
	return attached || n == b.to-b.from && pointers[key]
}

// fillSlots reads the slots but for the events that are meant, whose slots are which. Since says that one of them is
// the day from which on they change.
func (o *operating) fillSlots(w *way, bounds []bound, op *operation) (which []bound, since, ok bool) {
	dates := w.verb == verbAgain || duties[w.verb].dates()
	for _, b := range bounds {
		switch b.slot {
		case slotWhich, slotIt, slotMine, slotOld, slotSince:
			which = append(which, b)
			since = since || b.slot == slotSince
		case slotWhen:
			if op.time, ok = o.together(bounds); !ok || duties[w.verb].time && vague(op.time) {
				return which, since, false
			}
			one := len(op.time.Dates) == 1 && op.time.Dates[0].Start == op.time.Dates[0].End // "all of next friday"
			op.every = op.every || o.saysWithin("every", b.from, b.to) && !one
			if dates {
				which = append(which, b)
			}
		case slotBy:
			t := o.timeIn(b)
			op.by = t.Duration + time.Duration(t.Shift.Minutes)*time.Minute + time.Duration(t.Shift.Days)*24*time.Hour
			op.verb = o.lengthens(op.verb, t)
		case slotWho:
			op.who = o.peopleIn(b)
			op.strangers = !slices.ContainsFunc(op.who, o.knows)
		case slotKept:
			op.kept = o.keptIn(b)
		case slotSpot:
			op.texts = append(op.texts, o.verbatim(o.withoutSmall(b)))
		case slotText, slotOwn:
			if !o.isText(w.verb, b) {
				return which, since, false
			}
			op.texts = append(op.texts, o.verbatim(b))
			op.points = w.verb == verbBlock && o.onlyPoints(b)
		}
	}
	return which, since, true
}

// vague reports whether a time is a length on some day or within some hours: "by half an hour on Monday" and "in the
// morning, half an hour" are none to which something moves.
func vague(r when.Reading) bool { return r.Duration > 0 && r.Exact == nil }

// ends reports whether the days of a series end: with a day that is said, or with those of a week or a month.
func ends(r when.Reading) bool {
	dates := 0
	for _, e := range r.Entities {
		if e.Kind == when.KindDate {
			dates++
		}
		if !e.Days.Start.IsZero() {
			return true
		}
	}
	return r.Before != nil || len(r.Dates) > 1 && dates > 1
}
