package ground

import (
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/when"
)

// grouping are words that mean tasks by what these have in common, and not by name: "all overdue tasks", "what noa
// has", "everything for the offsite".
type grouping struct {
	*reading
	from, to int
	filter   arguments
	// all and plural say that there is a word for all and one for tasks, and has that somebody has them.
	all, plural, has bool
	// entire says that nothing tells the tasks from others.
	entire bool
}

// group is a way to read the message in which words mean a group of tasks; nil if no words do. A group of which nothing
// is said is none, so that nobody loses "my tasks".
func (r *reading) group(all []mention) *reading {
	var best *grouping
	for i := range r.words {
		g := &grouping{reading: r, from: i, to: i, filter: arguments{}}
		for at := i; at < len(r.words); {
			n := g.take(at)
			if at += n; n == 0 || at < len(r.words) && r.parted(at) {
				break
			}
		}
		if g.whole() && (best == nil || g.to-g.from > best.to-best.from) {
			best = g
		}
	}
	if best == nil {
		return nil
	}
	best.owned()
	way := *r
	way.words, way.found, way.people = slices.Clone(r.words), nil, slices.Clone(r.people)
	way.unspared = !way.spareTasks(best, all)
	m := mention{kind: Task, covered: 1, doubt: true, group: best.filter, entire: best.entire}
	m.events = !best.plural && best.ofEvents()
	for i := best.from; i < best.to; i++ {
		m.words = append(m.words, i)
		way.words[i].taken = true
	}
	way.found = []mention{m}
	way.people = slices.DeleteFunc(way.people, func(p said) bool {
		return r.words[best.from].from <= p.from && p.to <= r.words[best.to-1].to
	})
	way.readTimes()
	return &way
}

// spareTasks takes from the message the tasks that it leaves out of a group, by what it calls them: "…, except the
// slides". False if none of the tasks that are named is called so.
func (r *reading) spareTasks(g *grouping, all []mention) bool {
	end := r.words[g.to-1].to
	at := words()["sparing"].FindStringIndex(r.Text[end:])
	if at == nil {
		return true
	}
	from := end + at[0]
	var titles []string
	for _, m := range all {
		if m.kind == Task && len(m.words) > 0 && r.words[m.words[0]].from >= from && m.things[0].Title != "" {
			titles = append(titles, m.things[0].Title)
		}
	}
	if len(titles) == 0 {
		return false
	}
	g.filter["titleLacks"] = titles
	r.only(0, from)
	return true
}

// owned says of a group that is called the user's own that it is.
func (g *grouping) owned() {
	from, to := max(g.from-1, 0), min(g.to+1, len(g.words))
	said := g.Text[g.words[from].from:g.words[to-1].to]
	if _, theirs := g.filter["assignee"]; !theirs && words()["mine"].MatchString(said) {
		g.filter["assignee"] = "me"
	}
}

// grouped reports whether the message means a group of tasks.
func (r *reading) grouped() bool {
	return slices.ContainsFunc(r.found, func(m mention) bool { return m.group != nil })
}

// parted reports whether a comma or the like stands before a word.
func (r *reading) parted(at int) bool {
	return strings.ContainsAny(r.Text[r.words[at-1].to:r.words[at].from], ",.;:!?\n")
}

// whole reports whether the words mean a group.
func (g *grouping) whole() bool {
	_, theirs := g.filter["assignee"]
	all := g.plural && g.from <= mostBefore && !g.unsaid() && !onlySays(g.words[0].lower, "asks")
	if len(g.filter) == 0 && g.all && (all || g.says("plainly task_done")) {
		g.filter["status"], g.filter["assignee"], g.entire = "open", "me", true
		return true
	}
	return len(g.filter) > 0 && (g.all || g.plural) && (!theirs || g.plural || g.has || len(g.filter) > 1)
}

// mostBefore is how many words stand at most before words for all tasks, so that these are no words of something else.
const mostBefore = 2

// unsaid reports whether more is said right after the words for tasks, so that not all of them are meant: "all the
// tasks about the boiler".
func (g *grouping) unsaid() bool {
	for i := g.to; i < len(g.words); i++ {
		if !g.words[i].timely && len(conceptsOf(g.words[i].lower)) == 0 && g.telling(i) {
			return true
		}
	}
	return false
}

// take adds the words from one on, and returns how many; 0 if it is no part of the group. Small words are a part of it
// only between others.
func (g *grouping) take(at int) int {
	is := func(name string) bool { return words()[name].MatchString(g.words[at].lower) }
	small := is("small") || is("about") || is("are") && (g.isAt(at-1, "which") || g.isAt(at+1, "overdue")) ||
		(is("does") || is("are") && g.isAt(at-1, "everything")) && g.placed() || is("stands") ||
		is("joins") && g.isAt(at+1, "stands", "are", "which", "due", "overdue")
	place, wide := g.placeAt(g.places(), at)
	switch who, n := g.personAt(at), g.dueAt(at); {
	case at == g.from && is("everything"):
		g.all = true
	case is("tasks"):
		g.plural = true
	case is("overdue"):
		g.filter["overdue"] = true
	case n > 0:
		g.to = at + n
		return n
	case wide > 0 && g.filter[place.field] == nil && (place.field == "board" || g.beside(at, wide) || g.boardAt(at+wide)):
		g.filter[place.field] = place.name
		g.to = at + wide
		return wide
	case is("completed") && (g.isAt(at+1, "tasks") || g.isAt(at-1, "are") && g.isAt(at-2, "which")):
		g.filter["status"] = "completed"
	case is("unfinished"):
		g.filter["status"] = "open"
	case who != "" && g.filter["assignee"] == nil:
		g.filter["assignee"] = who
	case is("has") && g.filter["assignee"] != nil:
		g.has = true
	case is("ranked"):
		g.filter["priority"] = g.rankAt(at)
	case g.plural && g.isAt(at+1, "tagging") && !small:
		g.filter["tags"] = []string{g.words[at].lower}
		g.to = at + 2
		return 2
	case at > g.from && small:
		return 1
	case at > g.from && g.filter["titleHas"] == nil && g.inTitles(at, Task) && !g.plainly(at):
		g.filter["titleHas"] = []string{bare(g.words[at].lower)}
	default:
		return 0
	}
	g.to = at + 1
	return 1
}

// rankAt is the priority that a word says together with those beside it: "low priority", "prioridad baja", "urgent".
func (g *grouping) rankAt(at int) string {
	var said []string
	for _, w := range g.words[max(0, at-2):min(len(g.words), at+2)] {
		said = append(said, w.lower)
	}
	for _, rank := range []string{"low", "medium"} {
		if words()[rank].MatchString(strings.Join(said, " ")) {
			return rank
		}
	}
	return "high"
}

// plainly reports whether a word is said of time, or belongs to what was taken.
func (g *grouping) plainly(at int) bool { return g.words[at].timely || g.words[at].taken }

// beside reports whether so many words stand before or after the word for tasks, or after words that say which ones:
// "in progress tasks", "tasks that are done".
func (g *grouping) beside(at, n int) bool {
	before := at - 1
	for g.isAt(before, "small") && !g.isAt(before, "which", "has") {
		before--
	}
	return g.isAt(before, "are", "which", "tasks", "has", "stands") || g.isAt(at+n, "tasks")
}

// isAt reports whether a word that may belong to the group is among the words under one of the names.
func (g *grouping) isAt(at int, names ...string) bool {
	return at >= g.from && at < len(g.words) && slices.ContainsFunc(names, func(name string) bool {
		return words()[name].MatchString(g.words[at].lower)
	})
}

// boardAt reports whether the words from one on name a board.
func (g *grouping) boardAt(at int) bool {
	for g.isAt(at, "small") {
		at++
	}
	p, n := g.placeAt(g.places(), at)
	return n > 0 && p.field == "board"
}

// placed reports whether the message names a board or a column.
func (g *grouping) placed() (says bool) {
	g.reading.placed(func(shelf, int, int) { says = true })
	return says
}

// dueAt reads "due this week" from a word on, "for today" after the word for tasks, or "today's" before it, into the
// filter, and returns how many words that are.
func (g *grouping) dueAt(at int) (n int) {
	from := at
	if words()["due"].MatchString(g.words[at].lower) || g.isAt(at, "about") && g.isAt(at-1, "tasks") {
		from++
	}
	to := from
	for to < len(g.words) && g.words[to].timely && !words()["to"].MatchString(g.words[to].lower) {
		to++
	}
	if to == from || from == at && !g.isAt(to, "tasks") {
		return 0
	}
	said := when.Setting{Language: g.Language}.Read(g.Text[g.words[from].from:g.words[to-1].to], g.Now)
	if len(said.Dates) != 1 || said.Exact != nil {
		return 0
	}
	if g.filter["dueTo"] = said.Dates[0].End.String(); said.Before == nil {
		g.filter["dueFrom"] = said.Dates[0].Start.String()
	}
	return to - at
}

// personAt is who is named by a word.
func (r *reading) personAt(i int) string {
	for _, p := range r.people {
		if p.from < r.words[i].to && r.words[i].from < p.to {
			return p.text
		}
	}
	return ""
}

// inTitles reports whether titles of things of a kind have a word that people rarely say.
func (r *reading) inTitles(i int, kind Kind) bool {
	return r.telling(i) && slices.ContainsFunc(r.Things, func(t Thing) bool { return t.Kind == kind && r.titled(t, i) })
}

// oneOfTasks are several tasks whose titles have a word that stands beside the word for a task, if none is named
// better: "the announcement task". Which one is meant is asked.
func (r *reading) oneOfTasks(all []mention) mention {
	if slices.ContainsFunc(all, func(m mention) bool { return m.kind == Task }) {
		return mention{}
	}
	for i, w := range r.words {
		if !words()["oftask"].MatchString(w.lower) {
			continue
		}
		for _, k := range []int{i - 1, i + 1, i + 2} {
			if k < 0 || k >= len(r.words) || !r.inTitles(k, Task) {
				continue
			}
			things := keep(r.Things, func(t Thing) bool { return t.Kind == Task && !t.Done && r.titled(t, k) })
			if len(things) > 1 {
				of := arguments{"titleHas": []string{bare(r.words[k].lower)}, "one": true}
				return mention{kind: Task, things: things, words: []int{k}, covered: 1, weight: 1, doubt: true, group: of}
			}
		}
	}
	return mention{}
}

// titled reports whether the title of a thing has a word of the message.
func (r *reading) titled(t Thing, i int) bool {
	return slices.ContainsFunc(agenda.Stems(t.Title), func(s string) bool {
		return slices.ContainsFunc(r.words[i].stems, func(o string) bool { return agenda.SameThing(s, o) })
	})
}

// ofEvents reports whether titles of events have the words that tell the group as well.
func (g *grouping) ofEvents() bool {
	for i := g.from; i < g.to; i++ {
		if g.inTitles(i, Event) {
			return true
		}
	}
	return false
}
