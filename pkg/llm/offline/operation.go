package offline

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// operation is one thing that a message asks of the user's own day: a verb, the events that it means, and the change.
type operation struct {
	verb verb
	// sure says that the words alone decide that it is one.
	sure bool
	// events are those that are meant. It says nothing for a verb that means none.
	events selection
	// time is what the slots of time say, and by how far something moves; negative for earlier, or for shorter.
	time when.Reading
	by   time.Duration
	who  []string
	// strangers says that nobody of them is known, leads that nothing stands before the operation.
	strangers, leads bool
	// texts are taken as they stand. Points says that what a block is for is only pointed at: "an hour for it".
	texts  []string
	points bool
	// kept is the preference that keeps the time free that is named; empty if none is.
	kept string
	// avoid is what times that are found must leave free, and days are the weekdays on which they are.
	avoid, days []string
	// from is the day that is to be lighter, which the events leave; zero if none is.
	from interval.Date
	// provided says that something is said besides, and understood; see besides.go.
	provided bool
	// scope is the part of a series that changes; empty if nothing was said of it. Every says that a block recurs, bounded
	// that its days are those of a week or a month. Fallback is what a block is called without a name.
	scope          string
	every, bounded bool
	fallback       string
	// calendar is the one in which the events are, or a new one goes; empty if none is named.
	calendar string
	// missing is what the verb needs and the message does not say; empty if it says everything.
	missing missing
	// both says that two things are asked of the same events.
	both bool
	// aside is what stands besides, and is not read.
	aside string
	// plain says that the message begins with it.
	plain bool
	// open says that the clock time was said without its half of the day.
	open bool
	// definite says that something is named that the user has already: "the …", "my …".
	definite bool
}

// missing is something that a verb needs.
type missing string

const (
	missesWhich missing = "which"
	missesWhen  missing = "when"
	missesText  missing = "text"
	missesSpan  missing = "span"
	missesAll   missing = "all"
	// missesOften says that hours are not wanted on a day, and not whether that is always so.
	missesOften missing = "often"
	// missesForm says that something is to be changed in a way that is not read.
	missesForm missing = "none"
)

// operating is a message while its operation is read.
type operating struct {
	*account
	sentence *sentence
	book     operationBook
	setting  when.Setting
	now      time.Time
	about    pointing
	// masked is the text without names. The words from and to are read.
	masked   string
	from, to int
	steps    int
	read     map[bound]timed
}

// timed is what words say of time. Covers says that all of them do.
type timed struct {
	when.Reading
	marks  []bool
	covers bool
}

// longestOperation is how many words a message has at most that is read as an operation.
const longestOperation = 60

// inSomeWay reads the words in the first way in which all of them can be read.
func (o *operating) inSomeWay() (operation, bool) {
	for _, w := range o.waysAt(o.from) {
		if follows(w.verb) && !o.about.again || w.verb == verbToo {
			continue
		}
		if bounds, ok := o.match(w.parts, o.from, 0, nil); ok {
			if op, ok := o.fill(w, bounds); ok {
				return op, true
			}
		}
	}
	return operation{}, false
}

// fits reports whether words can stand in a slot, as far as it is quick to see.
func (o *operating) fits(b bound) bool {
	switch b.slot {
	case slotWhen:
		return o.nthIn(b) == 0 && !o.clashes(b) && (o.timeIn(b).covers || o.timely(b))
	case slotBy:
		t := o.timeIn(b)
		return t.covers && (t.Duration > 0 || t.Shift != (when.Shift{})) && len(t.Dates) == 0 && t.Exact == nil &&
			len(hoursNamed(t.Reading)) == 0
	case slotWho:
		return len(o.peopleIn(b)) > 0
	case slotIt:
		key, n := o.phraseAt(b.from, o.book.says)
		return n == b.to-b.from && (key == "it" || key == "them" || key == "that")
	case slotMine:
		return o.isDefinite(b) && o.tokens[b.from].lower != "the" // "make the call at 5"
	case slotOwn:
		return o.isOwnTime(b)
	case slotSpot:
		return o.isSpot(b)
	case slotSince:
		t := o.timeIn(b)
		return t.covers && len(t.Dates) > 0
	case slotOld:
		return o.timeIn(b).covers
	case slotKept:
		return o.keptIn(b) != ""
	case slotWhich, slotText:
	}
	return true
}

// fill reads the slots.
func (o *operating) fill(w *way, bounds []bound) (op operation, ok bool) {
	op = operation{verb: w.verb, sure: w.sure}
	which, since, ok := o.fillSlots(w, bounds, &op)
	if !ok || duties[w.verb].copies && slices.ContainsFunc(op.texts, isNoCalendar) {
		return op, false
	}
	if len(which) > 0 {
		if op.events, ok = o.which(reads(w.verb), which); !ok {
			return op, false
		}
		if op.by != 0 && op.events.onlyADate() {
			return op, false // "starting in january, 45 minutes each" moves nothing of january
		}
		op.scope, op.definite = op.events.scope, slices.ContainsFunc(which, o.isDefinite)
	}
	if !o.pointsAt(&op, len(which) > 0) {
		return op, false
	}
	op.lighten(o.about.lighter)
	op.open = op.time.Exact != nil && (duties[w.verb].time || w.verb == verbAgain) && o.leavesHalf(bounds)
	op.fallback = tongueOf(o.setting.Language).Nouns["blocked"]
	op.bounded = ends(op.time)
	op.ask(interval.DateOf(o.now))
	if op.verb == verbBlock {
		op.aside = firstOf(op.aside, o.swallowed(bounds))
	}
	op.goOn(o.now, since)
	op.settle(len(which) > 0)
	always := recurring(op.time.Dates) || o.saysWithin("always", 0, len(o.tokens))
	if op.verb == verbAvoid && op.missing == "" && len(op.time.Dates) > 0 && !always {
		op.missing = missesOften
	}
	return op, true
}

// timeIn is what words say of time.
func (o *operating) timeIn(b bound) timed {
	if t, found := o.read[b]; found {
		return t
	}
	from, to := o.tokens[b.from].start, o.tokens[b.to-1].end
	if b.slot == slotBy {
		from += b.cut // the Hebrew "by" is also "in"
	}
	said := o.masked[from:to]
	for wrong, right := range tongueOf(o.setting.Language).Meant {
		said = strings.ReplaceAll(said, wrong, strings.Repeat(" ", len(wrong)-len(right))+right)
	}
	said = strings.NewReplacer("'s ", "   ", "’s ", "     ").Replace(said + " ")[:len(said)] // "Tuesday morning's events"
	t := o.readTime("", said, b)
	if at := o.tokens[b.from].start + b.cut; !t.covers && (b.cut > 0 || o.isHour(b.from)) {
		for _, before := range o.book.at {
			if again := o.readTime(before, o.masked[at:to], b); again.covers {
				t = again
				break
			}
		}
	}
	if !t.covers && o.saysWithin("every", b.from, b.to) {
		text := []byte(o.masked[from:to])
		for i := b.from; i < b.to; i++ {
			if o.says(i) == "every" {
				copy(text[o.tokens[i].start-from:], strings.Repeat(" ", o.tokens[i].end-o.tokens[i].start))
			}
		}
		if again := o.readTime("", string(text), b); again.covers {
			t = again
		}
	}
	o.read[b] = t
	return t
}

// isHour reports whether a word is, or begins, an hour that is said without anything before it.
func (o *operating) isHour(i int) bool {
	if t := o.tokens[i]; strings.Contains(o.text[max(t.start-1, 0):min(t.end+1, len(o.text))], ":") {
		return false // "1:1"
	}
	if figure := strings.TrimSuffix(strings.TrimSuffix(o.tokens[i].lower, "pm"), "am"); isFigure(figure) {
		return len(figure) <= 2
	}
	return o.of("number", i) > 0 || o.says(i) == "hour"
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// says is the key of the phrase at word i; empty for none.
func (o *operating) says(i int) string {
	name, _ := o.phraseAt(i, o.book.says)
	return name
}

// readTime reads a text that stands for words, with something put before it.
func (o *operating) readTime(before, text string, b bound) timed {
	t := timed{Reading: o.setting.Read(before+text, o.now), marks: make([]bool, b.to-b.from), covers: true}
	shift := o.tokens[b.to-1].end - len(text) - len(before)
	some := false
	for k := range t.marks {
		token := o.tokens[b.from+k]
		t.marks[k] = slices.ContainsFunc(t.Entities, func(e when.Entity) bool {
			return e.Start+shift < token.end && e.End+shift > token.start
		})
		some = some || t.marks[k]
		if !t.marks[k] {
			t.covers = t.covers && o.besidesTime(b.from+k)
		}
	}
	t.covers = t.covers && some
	return t
}

// timely reports whether the message as a whole speaks of time with the words of a slot.
func (o *operating) timely(b bound) bool {
	for i := b.from; i < b.to; i++ {
		token := o.tokens[i]
		timed := slices.ContainsFunc(o.sentence.time.Entities, func(e when.Entity) bool {
			return e.Start < token.end && e.End > token.start
		})
		if !timed && !o.besidesTime(i) {
			return false
		}
	}
	return true
}

// besidesTime reports whether a word may stand among those of a time.
func (o *operating) besidesTime(i int) bool {
	key := o.says(i)
	return key == "small" || key == "and" || key == "every" || key == "new" || key == "idle"
}

// together is what the slots of time say, read as one text.
func (o *operating) together(bounds []bound) (when.Reading, bool) {
	var texts []string
	var last bound
	for _, b := range bounds {
		if b.slot == slotWhen {
			texts, last = append(texts, o.masked[o.tokens[b.from].start:o.tokens[b.to-1].end]), b
		}
	}
	if len(texts) == 1 {
		t := o.timeIn(last)
		return t.Reading, t.covers
	}
	said := strings.Join(texts, " ")
	for wrong, right := range tongueOf(o.setting.Language).Meant {
		said = strings.ReplaceAll(said, wrong, right)
	}
	return o.setting.Read(said, o.now), true
}

// leavesHalf reports whether the clock time in the slots would be another one for a thing of the morning than for one
// of the evening.
func (o *operating) leavesHalf(bounds []bound) bool {
	at := func(occasion when.Occasion) interval.Clock {
		other := *o
		other.setting.Occasion, other.read = occasion, map[bound]timed{}
		if r, ok := other.together(bounds); ok && r.Exact != nil {
			return *r.Exact
		}
		return 0
	}
	return at(when.Morning) != at(when.Evening)
}

// saysWithin reports whether one of some words says it: "every" that something happens on every day or week that they
// name, "always" that it holds on every such day.
func (o *operating) saysWithin(what string, from, to int) bool {
	for i := from; i < to; i++ {
		if o.says(i) == what {
			return true
		}
	}
	return false
}

// recurring reports whether days are those of several weeks.
func recurring(days []interval.DateRange) bool {
	return len(days) > 1 && days[0].Start.Weekday() == days[len(days)-1].Start.Weekday()
}

// verbatim is what stands in a slot, without quotation marks.
func (o *operating) verbatim(b bound) string {
	text := o.text[o.tokens[b.from].start+b.cut : o.tokens[b.to-1].end]
	return strings.Trim(strings.Join(strings.Fields(text), " "), " \"“”'‘’«».,:")
}
