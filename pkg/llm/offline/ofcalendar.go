package offline

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/calendarname"
	"convene/pkg/when"
)

// operations are those that a message asks for.
func operations(message, language string, now time.Time, meant known, about pointing) []operation {
	named := calendarname.In(message)
	read := func(text string) []operation {
		s := parseAmong(text, now, when.Setting{Language: language}, meant)
		return s.operations(now, about)
	}
	all := read(named.Rest)
	if named.Name != "" && slices.ContainsFunc(all, func(op operation) bool { return op.verb == verbBlock }) {
		all = read(named.Without) // no words of it are the block's name
	}
	for i := range all {
		all[i].in(named.Name)
	}
	return all
}

// in says in which calendar the events are, or a new one goes.
func (op *operation) in(calendar string) {
	if calendar == "" || duties[op.verb].copies {
		return
	}
	op.calendar = calendar
	if op.verb != verbBlock {
		op.events.Calendars = append(op.events.Calendars, calendar)
	}
}

// setCalendarAside finds which of several calendars the message names, which no template can say.
func (a *account) setCalendarAside() {
	named := calendarname.In(a.text)
	from := strings.Index(a.text, named.Phrase)
	for i, t := range a.tokens {
		if named.Name != "" && t.start >= from && t.end <= from+len(named.Phrase) && t.use != expressed {
			a.tokens[i].use, a.tokens[i].matters = order, true
		}
	}
}

// setCompanionAside finds a pronoun of somebody who is to take part, if nothing says who that is.
func (a *account) setCompanionAside(e Expressed) {
	for i := range a.tokens {
		for k := range a.of("companion", i) {
			if e.Alone {
				a.tokens[i+k].use, a.tokens[i+k].matters = order, true
			}
		}
	}
}
