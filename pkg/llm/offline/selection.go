package offline

import (
	"strings"

	"convene/pkg/interval"
)

// selection says which events are meant: the argument that all tools share which read or change events.
type selection struct {
	Window      *window     `json:"window"`
	TimeOfDay   *window     `json:"timeOfDay"`
	Weekdays    []string    `json:"weekdays"`
	TitleHas    []string    `json:"titleHas"`
	TitleLacks  []string    `json:"titleLacks"`
	With        []string    `json:"with"`
	Without     []string    `json:"without"`
	Organizer   *string     `json:"organizer"`
	Calendars   []string    `json:"calendars"`
	Status      *string     `json:"status"`
	Visibility  *string     `json:"visibility"`
	Categories  []string    `json:"categories"`
	Kinds       []string    `json:"kinds"`
	Recurring   *bool       `json:"recurring"`
	LongerThan  *int        `json:"longerThan"`
	ShorterThan *int        `json:"shorterThan"`
	Except      []exception `json:"except"`
	Order       *string     `json:"order"`
	First       *int        `json:"first"`
	One         *bool       `json:"one"`
	IDs         []string    `json:"ids"`
	From        []string    `json:"from"`

	// pronoun says that the events are only pointed at: "it". All says that everything is meant that fits, event that a
	// word for events is among them.
	pronoun, all, event bool
	// reasoned says that its people were named before the request, in what gives the reason for it.
	reasoned bool
	// nth says which one of a list is meant, from its end if it is negative.
	nth int
	// scope is the part of a series that is meant.
	scope string
	// days are those of the window; zero if no day was named.
	days interval.DateRange
}

// exception is what a selection leaves out.
type exception struct {
	Window    *window  `json:"window"`
	TimeOfDay *window  `json:"timeOfDay"`
	Weekdays  []string `json:"weekdays"`
	TitleHas  []string `json:"titleHas"`
	With      []string `json:"with"`
}

// named reports whether the events are told from others by more than their time.
func (s *selection) named() bool {
	return len(s.TitleHas)+len(s.With)+len(s.Without)+len(s.Calendars)+len(s.Kinds)+len(s.Categories) > 0 ||
		s.Organizer != nil || s.Status != nil || s.Visibility != nil || s.Recurring != nil || s.LongerThan != nil ||
		s.ShorterThan != nil || s.Order != nil
}

// dated reports whether something in it is of calendars: a time, a person, a word for events.
func (s *selection) dated() bool {
	return s.event || s.all || s.Window != nil || s.TimeOfDay != nil || len(s.With)+len(s.Kinds)+len(s.Calendars) > 0 ||
		s.Recurring != nil || s.Order != nil
}

func (s *selection) empty() bool {
	return !s.named() && s.Window == nil && s.TimeOfDay == nil && len(s.Weekdays) == 0 && !s.all && len(s.From) == 0
}

// unbounded reports whether everything in the calendar is meant, or all that recurs, whenever it is.
func (s *selection) unbounded() bool {
	if s.Recurring != nil {
		rest := *s
		rest.Recurring = nil
		return rest.unbounded()
	}
	return s.Window == nil && s.TimeOfDay == nil && !s.named() && len(s.From) == 0
}

// onlyADate reports whether the events are told by days alone, and no word for events, or for all of them, is among the
// words.
func (s *selection) onlyADate() bool {
	return !s.event && !s.all && !s.named() && s.TimeOfDay == nil && len(s.Weekdays)+len(s.From) == 0 &&
		s.Window != nil && s.days.Start != s.days.End
}

// which reads the events that words mean. It is not ok if any of them is not understood. Past days count if the events
// are only read.
func (o *operating) which(past bool, slots []bound) (selection, bool) {
	w := naming{operating: o, past: past}
	var left []bound
	for _, b := range slots {
		main, except := o.exceptions(b)
		left = append(left, except...)
		if main.from < main.to && !w.read(main) {
			return w.selection, false
		}
	}
	w.conclude()
	sel := w.selection
	o.point(&sel)
	for _, b := range left {
		e := naming{operating: o, past: past}
		if !e.read(b) {
			return sel, false
		}
		e.anyWeek(b)
		e.conclude()
		o.point(&e.selection)
		if len(e.From) > 0 && len(sel.From) > 0 {
			o.withoutShown(&sel, e.From[0])
			continue
		} else if e.empty() || len(e.From) > 0 || !sel.leaveOut(e.selection) {
			return sel, false // "leave it" leaves nothing out
		}
	}
	return sel, true
}

// anyWeek makes of a day of the week that is left out the one of each week.
func (w *naming) anyWeek(b bound) {
	text := w.masked[w.tokens[b.from].start:w.tokens[b.to-1].end]
	if day, mere := w.setting.Weekday(text, w.now); mere {
		w.Weekdays, w.Window = []string{strings.ToLower(day.String())}, nil
	}
}

// leaveOut adds an exception. Without a day of its own the selection has that of the exception: "everything except yoga
// on Friday". It is not ok if an exception cannot say what is meant by it.
func (s *selection) leaveOut(e selection) (ok bool) {
	if len(e.Kinds)+len(e.Calendars)+len(e.Categories)+len(e.Without) > 0 || e.Visibility != nil || e.Recurring != nil ||
		e.First != nil || e.Order != nil { // "the next one"
		return false
	}
	if s.Window == nil && e.Window != nil && e.named() {
		s.Window, s.days, e.Window = e.Window, e.days, nil
	}
	if len(e.Weekdays) > 0 {
		e.Window = nil // they hold for all weeks of the selection
	}
	s.all, s.One = true, nil
	s.Except = append(s.Except, exception{e.Window, e.TimeOfDay, e.Weekdays, e.TitleHas, e.With})
	return true
}

// exceptions are the words of a slot before "except", and the parts of the list after it.
func (o *operating) exceptions(b bound) (main bound, except []bound) {
	if main = b; o.says(b.to-1) == "excepted" {
		return o.exceptedBefore(b, b.to-1)
	}
	for i := b.from; i < b.to; i++ {
		name, n := o.phraseAt(i, o.book.says)
		if name != "except" || i+n >= b.to {
			continue
		}
		main.to = i
		from := i + n
		for k := from; k <= b.to; k++ {
			joined := k < b.to && k > from && (o.says(k) == "and" || o.tokens[k].opens || o.joinedAnd(k))
			if k < b.to && !joined {
				continue
			}
			if k > from {
				except = append(except, bound{slot: slotWhich, from: from, to: k})
			}
			from = k
			if k < b.to && o.says(k) == "and" {
				from++
			}
		}
		return main, except
	}
	return main, nil
}

// exceptedBefore are the words of a slot up to a comma, and those after it that end in "excepted".
func (o *operating) exceptedBefore(b bound, to int) (main bound, except []bound) {
	main = b
	for i := to - 1; i > b.from; i-- {
		if o.tokens[i].opens {
			main.to = i
			return main, []bound{{slot: slotWhich, from: i, to: to}}
		}
	}
	return main, nil
}

// joinedAnd reports whether "and" is written in front of a word.
func (o *operating) joinedAnd(i int) bool {
	rest, ok := strings.CutPrefix(o.tokens[i].lower, hebrewAndLetter)
	return ok && o.book.particles() && len([]rune(rest)) > 2
}

func (b operationBook) particles() bool { return len(b.at) > 0 && b.at[0] == "ב" }
