package offline

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// judge says which of the unread words matter.
func (a *account) judge(e Expressed) {
	for i := range a.tokens {
		t := &a.tokens[i]
		if a.recurs && a.of("recurs", i) > 0 {
			t.use, t.matters = unread, true // "weekly sync on Tuesdays": it is in the title, and the event is a single one
			continue
		}
		if t.use != unread || t.timed && t.matters {
			continue
		}
		switch first, _ := utf8.DecodeRuneInString(t.lower); {
		case a.of("negation", i) > 0 && t.opens && (i+1 == len(a.tokens) || a.tokens[i+1].opens):
			t.use = idle // an answer
		case a.courtesy(i) > 0:
			a.mark(i, a.courtesy(i), idle)
		case a.shift(i) > 0 && (e.Moves || len(e.Hours) > 0):
			a.mark(i, a.shift(i), expressed) // "not so early, after 4"
		case a.of("negation", i) > 1 && a.tokens[i+1].use == expressed:
			t.use = idle // the "but" of "but not too expensive"
		case a.of("negation", i) > 0:
			if t.matters = !a.settled(i, e); !t.matters {
				t.use = expressed
			}
		case a.of("travel", i) > 0:
			a.judgeTravel(i, e)
		case a.of("condition", i) > 0 && a.asksCalendars(i):
			t.use = idle
		case t.lower == strconv.Itoa(e.Minutes):
			t.use = expressed // "make it 40"
		case a.of("condition", i) > 0, a.of("time", i) > 0, a.of("number", i) > 0, unicode.IsDigit(first):
			t.matters = true
		case t.capital && !t.begins, a.absent[singular(t.lower)]:
			t.matters = true
		}
	}
}

// shift is how many words at word i say that the event is to be earlier or later.
func (a *account) shift(i int) int {
	_, n := a.phraseAt(i, a.changes["earlier"])
	_, later := a.phraseAt(i, a.changes["later"])
	return max(n, later)
}

// findOtherDays finds on which other day there is to be an event, of several that are asked for at once: "interviews on
// Monday and Tuesday", "Tuesday and Thursday at 7", which is no choice as "I can do Tuesday and Thursday" is. One event
// is arranged at a time.
func (a *account) findOtherDays(r when.Reading) {
	var last when.Entity
	several, may := false, r.Exact == nil || len(r.Dates) > 2 // of many weeks
	for i := range a.tokens {
		several = several || a.of("several", i) > 0
		may = may || a.of("free", i) > 0 || a.of("may", i) > 0
	}
	for _, e := range r.Entities {
		if e.Kind != when.KindDate {
			continue
		}
		between, end := "", last.End
		if last.Kind == when.KindDate {
			between = strings.ToLower(strings.TrimSpace(a.text[end:e.Start]))
		}
		if (several || !may) && a.isAnd(between) && a.besides == "" {
			a.besides = strings.TrimSpace(a.text[end:e.End])
		}
		last = e
	}
}

// isAnd reports whether a text is "and", before a preposition or not.
func (a *account) isAnd(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word != "" && (len(a.book.other["joining"][word]) > 0 || strings.HasPrefix(word, hebrewAndLetter))
}

// mostCourtesy bounds how far a condition or a negation stands before the polite word that it leads to.
const mostCourtesy = 8

// courtesy is how many words the condition or the negation at word i takes if it is about asking, and not about what is
// asked for: "if it's not too much trouble", "there's no rush"; 0 if it is not.
func (a *account) courtesy(i int) int {
	if a.of("condition", i)+a.of("negation", i) == 0 {
		return 0
	}
	for j := i + 1; j < min(len(a.tokens), i+mostCourtesy) && !a.tokens[j].opens; j++ {
		if n := a.of("courtesy", j); n > 0 {
			return j + n - i
		}
		if a.tokens[j].use != idle && a.of("condition", j)+a.of("negation", j) == 0 {
			return 0
		}
	}
	return 0
}

// judgeTravel judges the time on the way at word i, with the length in front of it.
func (a *account) judgeTravel(i int, e Expressed) {
	if e.Travels {
		a.mark(i, 1, expressed)
		return
	}
	a.tokens[i].matters = true
	for j := i - 1; j >= 0 && (a.tokens[j].timed || a.tokens[j].use == idle && a.tokens[i-1].use == idle); j-- {
		if a.tokens[j].timed && (j == 0 || !a.tokens[j-1].timed || a.tokens[j].opens) {
			for ; j < i && a.tokens[j].timed; j++ {
				a.tokens[j].use, a.tokens[j].matters = unread, true
			}
			return
		}
	}
}

// asksCalendars reports whether the condition at word i is that people are free.
func (a *account) asksCalendars(i int) bool {
	for j := i + 1; j < len(a.tokens) && !a.tokens[j].opens; j++ {
		if a.tokens[j].use == unread {
			return false
		}
		if a.of("free", j) > 0 {
			return true
		}
	}
	return false
}

// left are the unread phrases that matter.
func (a *account) left() (u Unread) {
	content, missing := a.count()
	u.Words = missing
	u.Aside = true
	for i, t := range a.tokens {
		if t.use == expressed {
			u.Said++
			u.Aside = u.Aside && a.remarked(i)
		}
	}
	u.Aside = u.Aside && u.Said > 0
	const least = 3
	u.Most = missing >= least && missing*4 > content*3
	longest := ""
	u.Condition = a.besides
	for i := 0; i < len(a.tokens); {
		from, to, matters := a.stretch(i)
		i = max(to, i+1)
		if from >= to {
			continue
		}
		phrase := strings.Join(strings.Fields(a.text[a.tokens[from].start:a.tokens[to-1].end]), " ")
		if matters {
			u.Phrases = append(u.Phrases, phrase)
		}
		if a.tokens[from].matters && (a.of("condition", from) > 0 || a.deniesAll(from, to)) {
			u.Condition = firstOf(u.Condition, phrase)
		}
		if len(phrase) > len(longest) {
			longest = phrase
		}
	}
	if len(u.Phrases) == 0 && missing > least && missing*2 > content {
		u.Phrases = []string{longest}
	}
	return u
}

// findPhrases marks idle words, and wishes as far as the template has them.
func (a *account) findPhrases(e Expressed) {
	for i := 0; i < len(a.tokens); {
		name, wished := a.phraseAt(i, a.book.wishes)
		quiet := a.of("idle", i)
		meaning, known := a.phraseAt(i, a.book.known)
		n := max(wished, quiet, known, 1)
		if meaning == "" {
			meaning = a.tokens[i].lower
		}
		kind := meals[meaning]
		from := a.refused(i)
		switch {
		case from < i && e.refuses(meaning):
			a.mark(from, i+n-from, expressed) // "nothing thai"
		case wished == n && wished > quiet:
			lost := e.Remote && len(e.Before) > 0 // a call gets no place by a wish for one
			if !lost && (e.Remote || slices.Contains(e.Dropped, name) || slices.Contains(e.Features, name) != (from < i)) {
				a.mark(from, i+n-from, expressed)
			}
			a.heed(i, n)
		case e.Near && a.of("not far", i) > 0:
			n = a.of("not far", i)
			a.mark(i, n, expressed)
		case known == n && (slices.Contains(e.Texts, meaning) || slices.Contains(e.Texts, "right "+meaning)):
			a.mark(i, n, expressed) // "after" an event
		case quiet == n && (n > 1 || a.of("negation", i) == 0):
			a.mark(i, n, idle)
		case a.tokens[i].use == unread && kind != "" && !slices.Contains(e.Texts, kind) && !a.ofKitchen(i+1):
			a.tokens[i].matters = a.refused(i) == i
		case known == n && a.of("negation", i) == 0 && a.of("number", i) == 0 && a.of("time", i) == 0:
			a.mark(i, n, expressed)
		}
		i += n
	}
}

// heed says that so many words matter, as far as nothing expresses them.
func (a *account) heed(i, n int) {
	for j := i; j < i+n; j++ {
		a.tokens[j].matters = a.tokens[j].matters || a.tokens[j].use == unread
	}
}

// refuses reports whether the template rules out what a word means.
func (e Expressed) refuses(meaning string) bool {
	return slices.ContainsFunc(e.Texts, func(t string) bool { return strings.Contains(t, "not "+meaning) })
}

// remarked reports whether a word stands in a clause that tells something else, as what stands before its times says,
// and wishes for nothing: "my back is killing me today".
func (a *account) remarked(i int) bool {
	from := i
	for from > 0 && !a.tokens[from].opens {
		from--
	}
	told, timed := false, false
	for at := from; at < len(a.tokens) && (at == from || !a.tokens[at].opens); at++ {
		t := a.tokens[at]
		told = told || t.use == unread && !timed && !t.timed
		timed = timed || t.timed && t.use == expressed
		if a.of("wanting", at) > 0 || a.of("negation", at) > 0 {
			return false
		}
	}
	return told && timed
}

// nameless reports whether no word of a title is in the message and names something.
func (a *account) nameless(title string) bool {
	said, words := wordsIn([]string{a.text}), strings.Fields(strings.ToLower(title))
	same := func(e expression) bool { return slices.Equal(e.words, words) }
	if len(words) > 1 && slices.ContainsFunc(a.book.other["naming"][words[0]], same) {
		return false // "work out"
	}
	for w := range wordsIn([]string{title}) {
		if said[w] && (!a.book.has("idle", w) || a.book.has("naming", w)) {
			return false
		}
	}
	return title != ""
}

// count is how many words are not idle, and how many of them are unread. Those that order more matter.
func (a *account) count() (content, missing int) {
	for i, t := range a.tokens {
		if t.use == idle {
			continue
		}
		content++
		if t.use == unread {
			missing++
		}
		if t.use == unread && !t.matters && a.ordersMore(i) {
			a.tokens[i].matters = true
		}
	}
	return content, missing
}

// mostClause bounds how many words of a clause are looked at.
const mostClause = 24

// ordersMore reports whether the unread word at i begins one more clause whose time alone was read: "and water the
// plants on Friday".
func (a *account) ordersMore(i int) bool {
	from := i
	for from > 0 && !a.tokens[from].opens && a.tokens[from-1].use == idle && a.endsAt("also", from) == 0 {
		from--
	}
	if from == 0 || a.endsAt("also", from) == 0 && (a.tokens[from].opens || !a.leads(from)) {
		return false
	}
	for end := min(len(a.tokens), i+mostClause); i+1 < end && !a.tokens[i+1].opens; {
		i, a.steps = i+1, a.steps+1
		if t := a.tokens[i]; t.use == expressed && !t.timed || t.use == order {
			return false
		}
	}
	return true
}

// stretch is the phrase of unread words at word i or after it, in one clause: from its first word that is not idle to
// the last. A negation takes what it negates with it.
func (a *account) stretch(i int) (from, to int, matters bool) {
	open := func(t accounted) bool { return t.use == unread || t.use == order }
	for i < len(a.tokens) && !open(a.tokens[i]) {
		i++
	}
	if i == len(a.tokens) {
		return i, i, false
	}
	kind := a.tokens[i].use
	from, to = i, i
	turned := false
	for ; i < len(a.tokens) && (i == from || !a.tokens[i].opens); i++ {
		t := a.tokens[i]
		if t.use != kind && t.use != idle && (!turned || i > from+2*reach) {
			break
		}
		if t.use == kind {
			to, matters = i+1, matters || t.matters
			turned = turned || t.matters && (a.of("negation", i) > 0 || a.of("condition", i) > 0)
		}
		if turned {
			to = i + 1
		}
	}
	return from, to, matters
}

// follows reports whether the days and hours that a reading rules out are not wanted.
func (e Expressed) follows(r when.Reading) bool {
	wanted := slices.ContainsFunc(r.ExcludedDates, func(d interval.DateRange) bool { return overlaps(e.Days, d) }) ||
		slices.ContainsFunc(e.Days, func(w interval.DateRange) bool {
			return slices.Contains(r.ExcludedWeekdays, w.Start.Weekday()) || slices.Contains(r.ExcludedWeekdays, w.End.Weekday())
		})
	days := len(r.ExcludedDates)+len(r.ExcludedWeekdays) == 0 || len(e.Days) > 0 && !wanted
	return e.Excludes || days && (r.ExcludedHours.Empty() || len(e.Hours) > 0)
}

func overlaps(days []interval.DateRange, d interval.DateRange) bool {
	return slices.ContainsFunc(days, func(w interval.DateRange) bool {
		return !w.End.Before(d.Start) && !d.End.Before(w.Start)
	})
}

// isAnotherEvent reports whether an event with someone begins at word i: "…, and then a call with Noam".
func (a *account) isAnotherEvent(i int) bool {
	n := a.activity(i)
	return n > 0 && i+n < len(a.tokens) && a.of("with", i+n) > 0 && a.leads(i-a.endsAt("article", i))
}

// activity is how many words at i say what to meet for; 0 for none.
func (a *account) activity(i int) int {
	meaning, n := a.phraseAt(i, a.book.known)
	if n == 0 {
		meaning, n = a.tokens[i].lower, 1
	}
	if _, outing := outings[meaning]; outing || meals[meaning] != "" || talks[meaning] != "" || dishes[meaning] {
		return n
	}
	return 0
}

// guestsEnd is the end of the number of guests at word i.
func (a *account) guestsEnd(i int) int {
	end := i
	for i < len(a.tokens) && !a.tokens[i].opens {
		n := max(a.of("guests", i), a.of("number", i))
		if n == 0 && isFigure(a.tokens[i].lower) {
			n = 1
		}
		if n == 0 {
			break
		}
		i += n
		if a.of("guests link", i-1) == 0 {
			end = i
		}
	}
	return end
}

// withoutOrders blanks out the orders in a message that Convene does not follow, so that none is read as a wish: the
// hour of "and remind me an hour before" is no length. An order at the beginning of the message stays: it may be the
// wish.
func withoutOrders(message, language string) string {
	book, known := idleBooks()[language]
	if !known {
		return message
	}
	a := newAccount(readable(message), book)
	a.setOrdersAside()
	out := []byte(a.text)
	for _, t := range a.tokens {
		if t.besides {
			copy(out[t.start:t.end], strings.Repeat(" ", t.end-t.start))
		}
	}
	return string(out)
}
