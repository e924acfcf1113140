package ground

import (
	"regexp"
	"slices"
)

// withoutReason is the call of a message without its first or its last clause, if that clause only states why: "marcus
// is swamped". It is read only if nothing else in the message is, and is always asked for.
func withoutReason(m Message) Reading {
	ends := clauseEnd.FindAllStringIndex(m.Text, -1)
	if len(ends) == 0 {
		return Reading{}
	}
	first, last := ends[0], ends[len(ends)-1]
	for _, parts := range [][2]string{
		{m.Text[:first[0]], m.Text[first[1]:]}, {m.Text[last[1]:], m.Text[:last[0]]},
	} {
		said, rest := m, m
		said.Text, rest.Text = parts[0], parts[1]
		reason := newReading(said)
		if !reason.states() {
			continue
		}
		if len(reason.people) == 1 { // "so reassign their tasks"
			who := said.Text[reason.people[0].from:reason.people[0].to]
			rest.Text = theirTasks.ReplaceAllString(rest.Text, who+"'s$1")
		}
		read := Read(rest)
		if when := reason.setting().Read(said.Text, m.Now); len(when.Dates)+len(when.ExcludedDates) > 0 && cancels(read) {
			continue // the day of the reason is the one of the event
		}
		likely := read.Clear && read.Probability >= plainlyKept || read.Probability >= Surely
		if read.Tool != "" && likely {
			read.Plain, read.Sure = false, false
			return read
		}
	}
	return Reading{}
}

// cancels reports whether a reading takes an event away.
func cancels(read Reading) bool { return On(read.Deed) == Event && forgetting.MatchString(read.Deed) }

// clauseEnd is what parts a statement from a request.
var clauseEnd = regexp.MustCompile(`(?i)(?:[,.;!]|\s+[–—-]|\s)\s*\b(?:so|así que)\s+|[,.;!]\s+(?:אז\s+)?|\s+[–—-]\s+`)

// theirTasks are tasks of somebody who is named before.
var theirTasks = regexp.MustCompile(`(?i)\b(?:their|his|her)((?:\s\S+){0,3}?\s(?:tasks?|to-?dos?))\b`)

// states reports whether a clause tells how someone is or what they have, and neither forbids nor asks anything.
func (r *reading) states() bool {
	text := r.delexicalized()
	thing := func(m mention) bool { return !r.allPeople(m) }
	return words()["stating"].MatchString(text) && !r.denied() && !words()["except"].MatchString(text) &&
		!slices.ContainsFunc(r.named(), thing)
}
