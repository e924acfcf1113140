package offline

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// naming is a selection while it is read.
type naming struct {
	*operating
	selection
	past bool
	// plural says that several are meant, single that one is, both that one is for each of two titles.
	plural, single, both bool
	with, without        bool
	// that says that something is only pointed at, if nothing else is said of it.
	that bool
	// hollow says that something would be a title that is none.
	hollow          bool
	longer, shorter bool
	title           []int
	length          time.Duration
}

// read reads the words of a slot. It is not ok if one of them cannot be part of what names events.
func (w *naming) read(b bound) bool {
	if n := w.nthIn(b); n != 0 {
		w.nth, w.single = n, true
		return true
	}
	if w.clashes(b) {
		return false // which events overlap is not looked for
	}
	text := w.text[w.tokens[b.from].start:w.tokens[b.to-1].end]
	if _, rest := anchored(text, w.setting.Language, w.now); rest != text {
		return false // "anything after my dentist" is another event than the one it names
	}
	t := w.timeIn(b)
	marks := slices.Clone(t.marks)
	r := t.Reading
	w.hourAlone(b, marks, &r)
	if negated := slices.ContainsFunc(w.tokens[b.from:b.to], func(t accounted) bool {
		return len(w.account.book.other["negation"][t.lower]) > 0
	}); !negated && len(r.Dates) == 0 {
		r.Dates, r.ExcludedDates = r.ExcludedDates, nil // "the meeting I have tomorrow" keeps nobody from anything
	}
	for i := b.from; i < b.to; {
		switch m, name, n := w.personAt(i), "", 0; {
		case marks[i-b.from]:
			w.flush()
			i++
			continue
		case m != nil:
			i = w.person(m, i)
			continue
		default:
			if name, n = w.phraseAt(i, w.book.says); i+n > b.to {
				name, n = "", 0
			}
			if !w.take(name, i, n) {
				return false
			}
			i += max(n, 1)
		}
	}
	if w.flush(); w.hollow {
		return false
	}
	excepts := len(r.ExcludedDates)+len(r.ExcludedWeekdays) > 0
	for i := b.from; i < b.to && excepts; i++ {
		if w.phraseIn(i, w.book.offs) > 0 {
			return false // "the gym, I'm away on Wednesday" leaves nothing out
		}
	}
	return w.times(r)
}

// hourAlone reads a number that says nothing else as an hour: "my 4", "the one of 2".
func (w *naming) hourAlone(b bound, marks []bool, r *when.Reading) {
	if r.Exact != nil || !r.Hours.Empty() {
		return
	}
	for i := b.from; i < b.to; i++ {
		follows := i > b.from && (w.says(i-1) == "next" || strings.HasSuffix(w.tokens[i-1].lower, "'s")) // "today's one"
		if marks[i-b.from] || !w.isHour(i) || follows || w.counts(i, b.to) {
			continue
		}
		hour := w.timeIn(bound{slot: slotWhen, from: i, to: i + 1})
		if !hour.covers {
			hour = w.timeIn(bound{slot: slotWhen, from: i, to: i + 1, cut: w.particleOf(i)})
		}
		if hour.Exact != nil && len(hour.Dates) == 0 {
			marks[i-b.from], r.Exact, r.Hours = true, hour.Exact, hour.Hours
			return
		}
	}
}

// counts reports whether a number says how many there are of what follows: "the two calls".
func (w *naming) counts(i, to int) bool {
	return i+1 < to && w.says(i+1) == "" && (w.of("number", i) > 0 || strings.HasSuffix(w.tokens[i+1].lower, "s"))
}

// particleOf is how many bytes of letters may stand in front of word i.
func (w *naming) particleOf(i int) int {
	forms := w.bare(w.tokens[i].lower)
	return len(w.tokens[i].lower) - len(forms[min(1, len(forms)-1)])
}

// person takes a person in; the next word is the result. What is theirs may be the title: "Dana's birthday".
func (w *naming) person(m *mention, i int) int {
	end := w.sentence.words[m.to-1].end
	next := i + 1
	for next < len(w.tokens) && w.tokens[next].start < end {
		next++
	}
	if m.owner && next < w.to && w.says(next) == "" {
		for ; i < next; i++ {
			w.title = append(w.title, i)
		}
		return next
	}
	w.flush()
	if w.without {
		w.Without = append(w.Without, m.name)
	} else {
		w.With = append(w.With, m.name)
	}
	w.single = true
	return next
}

// attribute takes in a phrase whose key names a member and its value; it reports false for any other.
func (w *naming) attribute(key string, i, n int) bool {
	member, value, _ := strings.Cut(key, " ")
	switch member {
	case "kind":
		w.Kinds, w.single = append(w.Kinds, value), true
		w.plural = w.plural || strings.HasSuffix(w.tokens[i+n-1].lower, "s")
	case "status":
		w.Status = &value
	case "visibility":
		w.Visibility = &value
	case "scope":
		w.scope = value
	case "whom":
		w.whom(i, value == "all")
	case "nth":
		return w.ordinal(value, i, n)
	case "span":
		if value == "day" && w.that && w.about.day.IsZero() {
			w.pronoun = true // "that day", of which nothing was said
			return true
		}
		r := w.setting.Read(tongueOf(w.setting.Language).Spans[value], w.now)
		if other, last, ok := datesOf(w.sentence.time); value == "day" && ok && other == last {
			r = w.sentence.time // "I travel on Friday, so clear the day"
		}
		if first, last, ok := datesOf(r); ok && w.Window == nil {
			w.window(r, first, last)
		}
	default:
		return false
	}
	return true
}

// take takes in a phrase of n words at word i by its key; without a key the word is one of a title.
func (w *naming) take(key string, i, n int) bool {
	switch {
	case w.attribute(key, i, n):
		w.flush()
		return true
	case key == "idle" && w.past:
		return true
	case w.calendar(key, i):
		return true
	case key == "", key == "title", key == "idle", key == "part", key == "hollow",
		key == "called" && len(w.title) == 0 && (i+n == w.to || !w.dated()):
		for k := range max(n, 1) {
			w.title = append(w.title, i+k)
		}
		w.single = w.single || key == "title"
		return true
	case key == "that":
		w.that = true
		return true
	case key == "small", key == "with" && len(w.title) > 0, key == "new" && (w.past || len(w.title) > 0):
		return true // they may stand within a title
	}
	w.flush()
	return w.mark(key, i)
}

// mark takes in a phrase that stands for itself; it reports false for one with which nothing is named.
func (w *naming) mark(key string, i int) bool {
	switch key {
	case "person":
		w.whom(i, false)
		return w.past || len(w.With) > 0 // no event is a person
	case "both":
		w.that, w.both = true, true
	case "doubt", "always", "except", "new", "clausal":
		return false // what is new does not stand in the calendar
	case "it":
		w.pronoun, w.single = true, true
	case "them":
		w.pronoun, w.plural = true, true
	case "all", "every":
		w.all, w.plural = true, true
	case "some": // of what is changed it is one, and the user is asked which
		w.all, w.plural, w.single = w.all || w.past, w.plural || w.past, w.single || !w.past
	case "called":
		w.event = true
	case "many":
		w.plural, w.event = true, true
	case "thing":
		w.single, w.event = true, true
	case "with", "without":
		w.with, w.without = key == "with", key == "without"
	case "longer", "shorter":
		w.longer, w.shorter = key == "longer", key == "shorter"
	case "recurring", "once":
		w.Recurring = pointer(key == "recurring")
	case "mine":
		w.Organizer = pointer("me")
	case "next", "first", "last", "longest", "shortest":
		if i+1 < len(w.tokens) && w.of("number", i+1) > 0 || i > 1 && w.says(i-2) == "few" {
			return false // "the next two" are not one
		}
		w.inOrder(key)
	}
	return true
}

var orders = map[string]string{
	"next": "start", "first": "start", "last": "-start", "longest": "-duration", "shortest": "duration",
}

// inOrder says which one of several is meant.
func (w *naming) inOrder(key string) {
	w.Order = pointer(orders[key])
	w.First, w.single = pointer(1), true
}

// flush ends a title.
func (w *naming) flush() {
	if len(w.title) == 0 {
		return
	}
	first, last := w.title[0], w.title[len(w.title)-1]
	w.title = nil
	if name, n := w.phraseAt(first, w.book.says); name == "part" && first+n > last {
		w.pronoun = true // "the end time" is that of what is being talked about
		return
	}
	if w.hollowIn(first, last) {
		w.hollow = true // "the morning after" is of nothing that is called so
		return
	}
	text := strings.Join(strings.Fields(w.text[w.tokens[first].start:w.tokens[last].end]), " ")
	if cut := w.cutOf(first); cut > 0 && cut < len(text) {
		text = text[cut:]
	}
	if head, rest, ok := strings.Cut(text, "-"); ok && w.book.particles() && isParticle(head) {
		text = rest // an article before a name in other letters
	}
	if quoted := strings.TrimSuffix(strings.Trim(text, "\"“”'‘’«»"), "'s"); quoted != "" {
		w.TitleHas = append(w.TitleHas, quoted)
	}
}

// hollowIn reports whether all words of a title are such that alone are none.
func (w *naming) hollowIn(first, last int) bool {
	for first <= last {
		name, n := w.phraseAt(first, w.book.says)
		if name != "hollow" {
			return false
		}
		first += n
	}
	return true
}

// isParticle reports whether a text is nothing but Hebrew letters that stand in front of a word.
func isParticle(s string) bool { return s != "" && strings.Trim(s, "הבלמכשו") == "" }

// cutOf is how many bytes in front of a word are no part of it.
func (w *naming) cutOf(i int) int {
	for b := range w.operating.read {
		if b.slot == slotWhich && b.from == i && b.cut > 0 {
			return b.cut
		}
	}
	if i > 0 && w.says(i-1) == "except" {
		if rest, ok := strings.CutPrefix(w.tokens[i].lower, "מ"); ok && w.book.particles() {
			return len(w.tokens[i].lower) - len(strings.TrimLeft(rest, "-־"))
		}
	}
	return 0
}

// times takes in what was said of time.
func (w *naming) times(r when.Reading) bool {
	if len(r.NoSuchDays) > 0 {
		return false
	}
	if r.Duration > 0 && (r.Exact == nil || w.longer || w.shorter) {
		w.length = r.Duration
	}
	if w.length > 0 && w.all && !w.event && !w.longer && !w.shorter {
		return false // a length beside "everything" is by how much
	}
	if first, last, ok := datesOf(r); ok {
		w.window(r, first, last)
	}
	for _, day := range r.ExcludedWeekdays {
		w.Except = append(w.Except, exception{Weekdays: []string{strings.ToLower(day.String())}})
	}
	for _, d := range r.ExcludedDates {
		w.Except = append(w.Except, exception{Window: windowOf(d)})
	}
	windows := hoursNamed(r)
	switch {
	case len(windows) > 1:
		return false
	case len(windows) == 1:
		at := window{windows[0].Start.String(), windows[0].End.String()}
		if r.Exact != nil && r.Duration > 0 && w.length == 0 {
			at.End = min(windows[0].Start+interval.Clock(r.Duration/time.Minute), interval.EndOfDay).String()
		} else if r.Exact != nil {
			w.single = true
		}
		w.TimeOfDay = &at
	}
	return true
}

// window is the span of the days that were named; weekdays that are not side by side are told one by one.
func (w *naming) window(r when.Reading, first, last interval.Date) {
	if w.past {
		for _, e := range r.Entities {
			if !e.Days.Start.IsZero() && len(r.Dates) == 1 {
				first, last = e.Days.Start, e.Days.End
			}
		}
	}
	w.days = interval.DateRange{Start: first, End: last}
	if w.past && len(r.Dates) == 1 {
		w.days = when.JustBeen(w.text, w.days, interval.DateOf(w.now))
	}
	w.Window = windowOf(w.days)
	if len(r.Dates) < 2 {
		return
	}
	for _, d := range r.Dates {
		for day := d.Start; !d.End.Before(day) && day.DaysUntil(d.End) < 7; day = day.AddDays(1) {
			if name := strings.ToLower(day.Weekday().String()); !slices.Contains(w.Weekdays, name) {
				w.Weekdays = append(w.Weekdays, name)
			}
		}
	}
}

func windowOf(d interval.DateRange) *window {
	return &window{d.Start.String() + "T00:00", d.End.AddDays(1).String() + "T00:00"}
}

// conclude says how many are meant.
func (w *naming) conclude() {
	minutes := int(w.length / time.Minute)
	w.plural = w.plural || w.both && len(w.TitleHas) < 2
	w.pronoun = w.pronoun || w.that && w.empty() && w.nth == 0
	switch {
	case w.longer:
		w.LongerThan = &minutes
	case w.shorter:
		w.ShorterThan = &minutes
	case minutes > 0:
		w.LongerThan, w.ShorterThan = pointer(minutes-1), pointer(minutes+1)
	}
	for i, title := range w.TitleHas {
		if one := singularTitle(title); one != title && !w.single {
			w.TitleHas[i], w.plural = one, true
		}
		w.plural = w.plural || !w.single && isHebrewPlural(title)
	}
	if (w.single || len(w.TitleHas) > 0) && !w.plural && !w.all && len(w.Weekdays) == 0 {
		w.One = pointer(true)
	}
	if w.past || len(w.Weekdays) > 0 {
		w.One = nil
	}
	// All of what recurs is its series, unless days, an order or an exception count its events.
	counted := w.Window != nil || w.First != nil || len(w.Weekdays)+len(w.Except) > 0 || w.longer || w.shorter
	if w.scope == "" && !w.past && w.One == nil && w.plural && len(w.TitleHas) > 0 && !counted && w.nth == 0 {
		w.scope = "all"
	}
}
