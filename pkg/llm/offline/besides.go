package offline

import (
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// This file reads what is said besides a move of events that find their own times: what they must leave free, which of
// them stay, and that the times must suit everyone, as all that are found do. data/*/besides.txt has the words.

// provisos are what is said besides.
type provisos struct {
	// avoid is what must stay free, in the user's words. Stay are events that do not move, or days on which none may lie.
	avoid []string
	stay  []selection
	// text is the first of it.
	text string
}

var besidesBooks = sync.OnceValue(func() map[string]map[string]phrases {
	books := map[string]map[string]phrases{}
	for _, language := range languages() {
		books[language] = embeddedPhrases(language, "besides.txt").other
	}
	return books
})

// apart is the message without what is said besides. It is not ok if nothing is, or if it is not understood.
func (o *operating) apart() (rest *operating, said provisos, ok bool) {
	book, left := besidesBooks()[o.setting.Language], *o.account
	rest = new(operating)
	*rest = *o
	rest.account, rest.read, left.tokens = &left, map[bound]timed{}, nil
	masked := []byte(o.masked)
	for i := 0; i < len(o.tokens); {
		to := i
		if c, found := o.clauseAt(i, book); found {
			if to = c.end; !o.clause(c, book, &said) {
				return o, said, false
			}
		} else if n := max(o.suits(i, book), o.phraseIn(i, book["polite"])); n > 0 {
			to = i + n
			left.tokens = append(left.tokens, o.towards(i, to, book)...)
		}
		if to == i {
			left.tokens = append(left.tokens, o.tokens[i])
			i++
			continue
		}
		from, end := o.tokens[i].start, o.tokens[to-1].end
		copy(masked[from:end], strings.Repeat(" ", end-from))
		if o.phraseIn(i, book["polite"]) == 0 {
			said.text = firstOf(said.text, o.text[from:end])
		}
		i = to
	}
	rest.masked = string(masked)
	return rest, said, len(left.tokens) > 0 && len(left.tokens) < len(o.tokens)
}

// suits is how many words at word i say that the times must suit everyone: "any time that works for everyone".
func (o *operating) suits(i int, book map[string]phrases) int {
	at := i + o.phraseIn(i, book["times"])
	if at < len(o.tokens) {
		if n := o.phraseIn(at, book["everyone"]); n > 0 {
			return at - i + n
		}
	}
	return o.phraseIn(i, book["everyone"])
}

// towards is the word for "to" in place of the words from one to another, if these have it and something follows: "to a
// time when everyone is free next week".
func (o *operating) towards(i, to int, book map[string]phrases) []accounted {
	goesOn := to < len(o.tokens) && !o.tokens[to].opens
	if _, another := o.clauseAt(to, book); !goesOn || another || o.phraseIn(i, book["towards"]) == 0 {
		return nil
	}
	word := o.tokens[i]
	word.lower = anyOf(book["to"])
	return []accounted{word}
}

// anyOf is the first word of a phrase of a list.
func anyOf(list phrases) string {
	for word := range list {
		return word
	}
	return ""
}

// proviso are the words of a clause that say what stays or what is left free, and where the clause ends.
type proviso struct{ from, to, end int }

// clauseAt is the clause that begins at word i: "and leave time for lunch", or "the Monday ones stay where they are". A
// single word begins or ends one only after a comma or an "and".
func (o *operating) clauseAt(i int, book map[string]phrases) (c proviso, found bool) {
	if i == 0 || i >= len(o.tokens) {
		return c, false
	}
	at, joined := i, o.tokens[i].opens
	for at < len(o.tokens) {
		n := o.phraseIn(at, book["and"])
		if n == 0 {
			break
		}
		at, joined = at+n, true
	}
	if at == len(o.tokens) {
		return c, false
	}
	joined = joined || o.joinedAnd(at)
	n := o.phraseIn(at, book["leave"])
	if at+n >= len(o.tokens) || n == 0 || n == 1 && !joined && o.phraseIn(at, book["without"]) == 0 {
		return o.staying(at, joined, book)
	}
	end := o.clauseEnd(at+n, book)
	return proviso{at + n, end, end}, true
}

// staying is the clause from word i that ends with what its subject does: "the gym stays".
func (o *operating) staying(i int, joined bool, book map[string]phrases) (c proviso, found bool) {
	for at := i + 1; joined && at < len(o.tokens) && !o.tokens[at].opens; at++ {
		end := at + o.phraseIn(at, book["stays"])
		if end == at {
			continue
		}
		_, another := o.clauseAt(end, book)
		if end == len(o.tokens) || o.tokens[end].opens || another || o.phraseIn(end, book["polite"]) > 0 {
			return proviso{i, at, end}, true
		}
	}
	return c, false
}

// clauseEnd is where a clause ends.
func (o *operating) clauseEnd(from int, book map[string]phrases) int {
	for to := from + 1; to < len(o.tokens); to++ {
		if _, another := o.clauseAt(to, book); o.tokens[to].opens || another || o.suits(to, book) > 0 {
			return to
		}
	}
	return len(o.tokens)
}

// clause reads what stays, or what is left free.
func (o *operating) clause(c proviso, book map[string]phrases, said *provisos) bool {
	from, to := c.from, c.to
	for n := min(4, to-from-1); n > 0; n-- {
		if o.phraseIn(to-n, book["ends"]) == n {
			to -= n
			break
		}
	}
	b := bound{slot: slotWhich, from: from, to: to}
	if n := o.phraseIn(from, book["free"]); n == to-from || o.keptIn(b) != "" {
		for _, form := range o.bare(o.tokens[from].lower) {
			if len(book["free"][form])+len(o.book.kept[form]) > 0 {
				b.cut = len(o.tokens[from].lower) - len(form)
				break
			}
		}
		said.avoid = append(said.avoid, o.verbatim(b))
		return true
	}
	within := *o
	within.from, within.to = from, to
	e := naming{operating: &within}
	if !e.read(b) {
		return false
	}
	e.conclude()
	if day := o.weekdayIn(b, e.days); day != "" {
		e.Window, e.Weekdays = nil, []string{day}
	}
	switch s := e.selection; {
	case s.Window != nil || s.TimeOfDay != nil || len(s.Weekdays)+len(s.With) > 0:
		said.stay = append(said.stay, s)
	case len(s.TitleHas) > 0:
		said.avoid = append(said.avoid, s.TitleHas...)
	default:
		return false // "leave it" says nothing of which
	}
	return true
}

// weekdayIn is the weekday that words name, if they name the days of one, and no date; empty otherwise. A weekday stays
// what it is on another day, and not in another week.
func (o *operating) weekdayIn(b bound, days interval.DateRange) string {
	if days.Start.IsZero() || days.Start != days.End {
		return ""
	}
	text := o.masked[o.tokens[b.from].start:o.tokens[b.to-1].end]
	before, week := o.setting.Read(text, o.now.AddDate(0, 0, -1)), o.setting.Read(text, o.now.AddDate(0, 0, 7))
	first, _, ok := datesOf(before)
	other, _, again := datesOf(week)
	if !ok || !again || first.Weekday() != days.Start.Weekday() || other != days.Start.AddDays(7) {
		return ""
	}
	return strings.ToLower(days.Start.Weekday().String())
}

// roaming is the move that a message asks for, whose events find their own times, with what is said besides.
func (o *operating) roaming() (operation, bool) {
	rest, said, ok := o.apart()
	if !ok {
		return operation{}, false
	}
	all := rest.inSentences()
	if len(all) != 1 || all[0].verb != verbMove || all[0].aside != "" || all[0].missing != "" {
		return operation{}, false
	}
	op := all[0]
	if !op.roams() {
		op.aside = said.text // a time that is named is not chosen by it
		return op, true
	}
	op.avoid, op.provided = said.avoid, true
	op.sure, op.definite = true, true // nobody says that of something new
	for _, s := range said.stay {
		if days := op.daysWithout(s); days != nil {
			op.days = days
			continue
		}
		op.events.leaveOut(s)
	}
	return op, true
}

// roams reports whether the events find their own times: no single time is said, but days, or a part of the day. One
// event finds none on days that come every week ("move the gym to Tuesdays"): a series is meant.
func (op *operation) roams() bool {
	if op.events.One != nil && *op.events.One && eachWeek(op.time.Dates) {
		return false
	}
	day := len(op.time.Dates) == 1 && op.time.Dates[0].Start == op.time.Dates[0].End
	return op.verb == verbMove && op.by == 0 && op.time.Exact == nil &&
		(len(hoursNamed(op.time)) > 0 || len(op.time.Dates) > 0 && !day || !op.from.IsZero())
}

// eachWeek reports whether days are some of every week: more than one of the same weekday.
func eachWeek(days []interval.DateRange) bool {
	seen := map[time.Weekday]bool{}
	for _, d := range days {
		if d.Start == d.End && seen[d.Start.Weekday()] {
			return true
		}
		seen[d.Start.Weekday()] = true
	}
	return false
}

// lighten makes a move that names no time, or "only the gym", one from the day that is to be lighter, if there is one,
// to days that stay so.
func (op *operation) lighten(day interval.Date) {
	moves := op.verb == verbMove && op.by == 0 || op.verb == verbAgain && op.events.named()
	if !moves || op.time.Says() || day.IsZero() {
		return
	}
	op.verb, op.from = verbMove, day
	if len(op.events.From) == 0 && op.events.Window == nil {
		op.events.Window = windowOf(interval.DateRange{Start: day, End: day})
	}
}

// daysWithout are the weekdays but for those of a selection, if these say on which days nothing may lie: no event that
// moves is on one of them.
func (op *operation) daysWithout(s selection) (days []string) {
	if len(s.Weekdays) == 0 || s.TimeOfDay != nil || len(s.With)+len(s.TitleHas) > 0 {
		return nil
	}
	first, last := op.events.days.Start, op.events.days.End
	for day := time.Monday; day <= time.Saturday+1; day++ {
		name := strings.ToLower((day % 7).String())
		if !slices.Contains(s.Weekdays, name) {
			days = append(days, name)
			continue
		}
		moves := first.IsZero() && len(op.events.Weekdays) == 0 || slices.Contains(op.events.Weekdays, name)
		if moves || !first.IsZero() && isOn(interval.DateRange{Start: first, End: last}, day%7) {
			return nil
		}
	}
	return days
}

// roomFor are the facts of where the events find their own times.
func (op *operation) roomFor(f *facts) {
	if first, last, ok := datesOf(op.time); ok {
		f.need(windowOf(interval.DateRange{Start: first, End: last}), "window")
	}
	if windows := hoursNamed(op.time); len(windows) > 0 {
		f.need(window{windows[0].Start.String(), windows[len(windows)-1].End.String()}, "timeOfDay")
	}
	if !op.from.IsZero() {
		f.need(op.from.String(), "lighterThan")
	}
	if len(op.days) > 0 {
		f.need(op.days, "weekdays")
	}
	if len(op.avoid) > 0 {
		f.need(op.avoid, "avoid")
	}
}

// datesOf is the first and the last of the days that are named; ok is false if none is.
func datesOf(r when.Reading) (first, last interval.Date, ok bool) {
	if len(r.Dates) == 0 {
		return first, last, false
	}
	return r.Dates[0].Start, r.Dates[len(r.Dates)-1].End, true
}
