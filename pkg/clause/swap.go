package clause

import (
	"encoding/json"
	"strings"

	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/plan"
)

// swapped reads a clause by which two events change places: "swap the gym and the stand-up on friday". Each begins when
// the other one did. A day that is said of one of them is that of both.
func (r *reader) swapped(s state, text string) (state, bool) {
	at := r.book.forms["swap"].FindStringSubmatch(r.timed(text))
	if at == nil || r.book.is("noswap", text) {
		return s, false
	}
	var both [2]ground.Thing
	for i := range both {
		said := at[1+i]
		if !markForm.MatchString(said) {
			said += " " + strings.Join(r.values(at[2-i], "t"), " ")
		}
		one, ok := r.stands(s, said)
		if !ok {
			return s, false
		}
		both[i] = one
	}
	if both[0].ID == both[1].ID {
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
