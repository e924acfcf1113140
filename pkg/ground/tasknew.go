package ground

import (
	"slices"
	"strings"

	"convene/pkg/agenda"
)

// setTold sets of a new task whose title is quoted who has it and on which board it goes, which are told around the
// title in any order: "for noa, garden, backlog". It is false if something is told there that finds no place.
func (r *reading) setTold(all arguments) bool {
	if len(r.quoted) != 1 || !r.quoted[0].used {
		return true
	}
	if free := keep(r.people, unused); all["assignee"] == nil && len(free) == 1 {
		all["assignee"] = free[0].text
		r.names()
	}
	if all["board"] == nil {
		if name := r.looseBoard(); name != "" {
			all["board"] = name
		}
	}
	r.placed(func(_ shelf, at, n int) { r.takeWords(r.words[at].from, r.words[at+n-1].to) })
	plain := func(w word) bool {
		return w.taken || w.timely || r.inPeople(said{from: w.from, to: w.to}) || len(conceptsOf(w.lower)) > 0 ||
			onlySays(w.lower, "titled", "board", "oftask", "has", "it", "newtask")
	}
	for i, w := range r.words {
		if !plain(w) && r.telling(i) {
			return false
		}
	}
	return true
}

// looseBoard is the one board whose name stands alone between marks of punctuation or small words, or before the word
// for a task, and takes its words; empty if there is none, or more than one.
func (r *reading) looseBoard() (name string) {
	var at [2]int
	for _, p := range r.places() {
		n := len(strings.Fields(p.name))
		for i := 0; p.field == "board" && i+n <= len(r.words); i++ {
			from, to := r.words[i].from, r.words[i+n-1].to
			if !strings.EqualFold(r.Text[from:to], p.name) || slices.ContainsFunc(r.words[i:i+n], isTaken) ||
				!form("board alone").MatchString(r.Text[:from]+"{}"+r.Text[to:]) {
				continue
			}
			if name != "" && name != p.name {
				return ""
			}
			name, at = p.name, [2]int{from, to}
		}
	}
	r.takeWords(at[0], at[1])
	return name
}

func isTaken(w word) bool { return w.taken }

// noSuchTask looks for the task whose title a message quotes, to do something to it, if there is none of that title: it
// is told so then, and nothing is made of it.
func noSuchTask(m Message) Reading {
	r := newReading(m)
	first := openIn(form("ordered first"), m.Text)
	if len(r.quoted) != 1 || first == nil || !form("task quoted").MatchString(m.Text) {
		return Reading{}
	}
	verb := word{lower: strings.ToLower(m.Text[first[0]:first[1]])}
	title := strings.TrimSpace(r.quoted[0].text)
	there := func(t Thing) bool { return agenda.Fold(t.Title) == agenda.Fold(title) }
	acts := operates(verb) || slices.Contains(conceptsOf(verb.lower), "done") ||
		words()["marking"].MatchString(verb.lower)
	if !acts || slices.ContainsFunc(m.Things, there) {
		return Reading{}
	}
	read := undoubted("ask_tasks", "task_viewTasks", arguments{"selection": arguments{"titleHas": []string{title}}})
	read.Reads = true
	return read
}

// isPlace reports whether all of the user's own words belong to the name of a board or say no more than that it is one,
// so that they are the title of no task: "the garden board".
func (r *reading) isPlace() bool {
	if len(r.own) == 0 {
		return false
	}
	own, places, last, named := r.own[len(r.own)-1], r.places(), 0, false
	for at, w := range r.words {
		if p, n := r.placeAt(places, at); p.field == "board" {
			last = max(last, at+n)
		}
		if w.from < own.from || own.to < w.to {
			continue
		}
		if named = named || at < last; at >= last && !onlySays(w.lower, "determiner", "board", "small") {
			return false
		}
	}
	return named
}
