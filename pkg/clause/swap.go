package clause

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/plan"
)

// swapped reads a clause by which two events change places: "swap the gym and the stand-up on friday". Each begins when
// the other one did.
func (r *reader) swapped(s state, text string) (state, bool) {
	if day := r.book.forms["dayfirst"].FindStringSubmatch(r.timed(text)); day != nil { // "on friday swap my 9 and my 10"
		if _, rest, _ := r.marker(s, trimmed(r.timed(text)[len(day[0]):])); r.book.is("swap", rest) {
			text = rest + " " + day[1]
		}
	}
	both := r.twoOf(text)
	at := r.book.forms["swap"].FindStringSubmatch(r.timed(text))
	if both == nil && at != nil && !r.book.is("noswap", text) {
		both = r.eachOf(s, at[1:])
	}
	if len(both) != 2 || both[0].ID == both[1].ID {
		return s, false
	}
	for i, one := range both {
		start := both[1-i].Span.Start.In(r.Now.Location())
		to := arguments{"date": interval.DateOf(start).String(), "time": interval.ClockOf(start).String()}
		s.add(step{
			Step:      plan.Step{Tool: "calendar_moveEvents", HumanSummary: r.summary(text)},
			arguments: arguments{"selection": arguments{"ids": []any{one.ID}}, "to": to},
		}, false)
	}
	s.things, s.mail = nil, -1
	return s, true
}

// eachOf are the events that two phrases mean. A day that is said of one of them is that of both, or of the first alone
// if the second has none then: "swap pilates on tuesday with the gym".
func (r *reader) eachOf(s state, phrases []string) (both []ground.Thing) {
	for i, said := range phrases {
		days, dated := r.daysIn(said), true
		if len(days) == 0 {
			days, dated = r.daysIn(phrases[1-i]), false
			said += " " + strings.Join(days, " ")
		}
		if one, ok := r.stands(s, said); ok && (r.isOn(one, days) || i > 0 && !dated) {
			both = append(both, one)
		}
	}
	return both
}

// daysIn are the days that a phrase says, but for the hours: "my 9 o'clock".
func (r *reader) daysIn(said string) []string {
	return slices.DeleteFunc(r.values(said, "t"), func(t string) bool { return len(r.said(t).Dates) == 0 })
}

// isOn reports whether an event is on one of the days that are said, if any are.
func (r *reader) isOn(one ground.Thing, said []string) bool {
	days, on := r.said(said...).Dates, interval.DateOf(one.Span.Start.In(r.Now.Location()))
	return len(days) == 0 || slices.ContainsFunc(days, func(d interval.DateRange) bool { return d.Contains(on) })
}

// twoOf are the events of a day, but for those of whole days, in a clause that swaps the two of that day: "swap my two
// meetings on Tuesday".
func (r *reader) twoOf(text string) []ground.Thing {
	at := r.book.forms["swaptwo"].FindStringSubmatch(r.timed(text))
	if at == nil {
		return nil
	}
	said := r.said(r.values(at[1], "t")...)
	if len(said.Dates) != 1 || said.Dates[0].Start != said.Dates[0].End || said.Exact != nil {
		return nil
	}
	there := slices.DeleteFunc(slices.Clone(r.Things), func(t ground.Thing) bool {
		day := interval.DateOf(t.Span.Start.In(r.Now.Location()))
		return t.Kind != ground.Event || day != said.Dates[0].Start || t.Span.Duration() >= 24*time.Hour
	})
	slices.SortStableFunc(there, func(a, b ground.Thing) int { return a.Span.Start.Compare(b.Span.Start) })
	return there
}

// stands is the one event of the calendar that words mean.
func (r *reader) stands(s state, said string) (thing ground.Thing, ok bool) {
	call, ok := r.ask(s, r.book.say("when", "{what}", strings.TrimSpace(r.original(said))))
	var given struct {
		Selection arguments `json:"selection"`
	}
	if !ok || json.Unmarshal(call.Arguments, &given) != nil {
		return thing, false
	}
	if given.Selection["titleHas"] == nil && given.Selection["ids"] == nil {
		return thing, false // a day is no event
	}
	var ids []string
	list, _ := given.Selection["ids"].([]any)
	for _, id := range list {
		if text, is := id.(string); is {
			ids = append(ids, text)
		}
	}
	all := r.meant(given.Selection, ids)
	if len(all) == 0 {
		return thing, false
	}
	return all[0], true
}
