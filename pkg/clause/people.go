package clause

import (
	"slices"

	"convene/pkg/ground"
	"convene/pkg/plan"
)

// whom are people whom words of a clause mean: by their names or addresses, or those who take part in what a step gave.
type whom struct {
	names  []string
	events *source
}

// whom reads such words. It is not ok if they mean nobody whom an earlier clause named.
func (r *reader) whom(s state, text string) (who whom, ok bool) {
	who.names = r.values(text, "pa")
	if who.names == nil {
		who.names = []string{}
	}
	for _, name := range r.book.forms["name"].FindAllString(markForm.ReplaceAllString(text, ""), -1) {
		if r.said(name).Says() {
			return who, false // "Friday"
		}
		if !r.book.is("who", name) && !r.book.is("group", name) && !slices.Contains(who.names, name) {
			who.names = append(who.names, name)
		}
	}
	group, one := r.book.is("group", text), r.book.is("who", text)
	events := s.things != nil && s.things.kind == ground.Event
	switch {
	case !group && !one:
		return who, len(who.names) > 0
	case s.left != nil:
		return who, false // it is not said whether they are meant as the branch means them
	case one && len(s.people) > 0 && (!group || !events || s.lately):
		for _, name := range s.people {
			if !slices.Contains(who.names, name) {
				who.names = append(who.names, name)
			}
		}
		return who, true
	case events:
		who.events = s.things
		return who, true
	}
	return who, false
}

// guests reads a clause that puts people into the event that an earlier one is about, or takes them out of it.
func (r *reader) guests(s state, text string) (state, bool) {
	if s.things == nil || s.things.kind != ground.Event || s.left != nil || r.gone(s) {
		return s, false
	}
	for frame, member := range map[string]string{"joins": "addAttendees", "leaves": "removeAttendees"} {
		for _, f := range r.book.parse(frame, text, true) {
			said := f.all("who")
			who, ok := r.whom(s, said)
			if !ok || who.events != nil || !r.book.is("who", said) && len(r.values(said, "pa")) < len(who.names) {
				continue // a word that is no person's name
			}
			s.name(who.names)
			s.mail = -1
			s.add(step{
				Step: plan.Step{Tool: "calendar_updateEvents", HumanSummary: r.summary(text)},
				arguments: arguments{
					"selection": arguments{"from": from(r.found(&s, s.things)), "one": true}, "set": arguments{member: who.names},
				},
			}, false)
			return s, true
		}
	}
	return s, false
}

// gone reports whether what the last step gave is deleted by it.
func (r *reader) gone(s state) bool { return s.things.tool == "calendar_deleteEvents" }

// attending adds the steps that find who takes part in events, and returns the events and those who do. Events that are
// to be deleted are looked for before.
func (r *reader) attending(s *state, of *source) (events, people string) {
	events = r.found(s, of)
	list := step{
		Step:      plan.Step{Tool: "items_attendees", HumanSummary: r.book.say("people")},
		arguments: arguments{"items": from(events)},
	}
	return events, s.add(list, true)
}
