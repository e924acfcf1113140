package ground

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
)

// point finds what words point to among what the user saw last.
func (r *reading) point() {
	for _, t := range r.pointsTo() {
		r.found, r.pointed = append(r.found, mention{kind: t.Kind, things: []Thing{t}, meant: []Thing{t}, covered: 1}), true
	}
}

// pointsTo are the things that words like "it" or "the second one" mean.
func (r *reading) pointsTo() []Thing {
	byID := map[string]Thing{}
	for _, t := range r.Things {
		byID[t.ID] = t
	}
	known := func(ids []string) (things []Thing) {
		for _, id := range ids {
			if t, known := byID[id]; known {
				things = append(things, t)
			}
		}
		return things
	}
	last, listed := known(r.Last), known(r.Listed)
	if len(listed) == 0 {
		listed = last
	}
	rest := keep(listed, func(t Thing) bool { return !slices.Contains(r.Last, t.ID) })
	says := func(key string) bool {
		pronoun := key == "it" || key == "them"
		return slices.ContainsFunc(r.words, func(w word) bool {
			return (!pronoun || !w.timely) && words()[key].MatchString(w.lower) // "a las 5"
		})
	}
	if numbered := r.numbered(listed); len(numbered) > 0 {
		return numbered
	}
	if few, said := r.firstOrLast(listed); said {
		return few
	}
	nth := slices.IndexFunc([]string{"first", "second", "third", "fourth"}, says)
	switch {
	case len(last) == 0 && len(listed) == 0:
		return nil
	case len(listed) > 1 && nth >= 0 && nth < len(listed):
		last = listed[nth : nth+1]
	case len(listed) > 1 && says("last"):
		last = listed[len(listed)-1:]
	case len(rest) == 1 && says("other"):
		last = rest
	case len(last) == 1 && (says("it") || says("last")), len(last) > 0 && says("them"):
	default:
		return nil
	}
	return last
}

// numbered are the things of a list whose numbers the message names and nothing else: "archive 3 and 5".
func (r *reading) numbered(listed []Thing) (things []Thing) {
	if !form("by number").MatchString(r.Text) {
		return nil
	}
	for i := range r.words {
		w := &r.words[i]
		n, err := strconv.Atoi(w.lower)
		if err != nil {
			continue
		}
		if n < 1 || n > len(listed) {
			return nil
		}
		w.taken = true
		if !slices.ContainsFunc(things, func(t Thing) bool { return t.ID == listed[n-1].ID }) {
			things = append(things, listed[n-1])
		}
	}
	return things
}

// firstOrLast are the first or the last ones of a list, as many as the message says; false if it does not say that.
func (r *reading) firstOrLast(listed []Thing) (things []Thing, said bool) {
	n, last := r.few()
	switch {
	case n > len(listed):
		return nil, true
	case last:
		return listed[len(listed)-n:], n > 0
	}
	return listed[:n], n > 0
}

// few is how many of those that were listed are meant, the first or the last ones: "the first two". 0 if it is not
// said.
func (r *reading) few() (n int, last bool) {
	at := form("first few").FindStringSubmatch(r.Text)
	if at == nil {
		return 0, false
	}
	for i := range r.words {
		w := &r.words[i]
		w.taken = w.taken || w.lower == at[4]
	}
	said := strings.ToLower(at[1] + at[2] + at[3] + at[4])
	if n, _ = strconv.Atoi(said); n == 0 {
		n = max(slices.Index(spelling, said)%mostSpelt, counted[said])
	}
	return n, words()["last"].MatchString(at[0]) || strings.Contains(at[0], "אחרונ")
}

// counted are numbers in the form in which Hebrew has them before what they count.
var counted = map[string]int{"שני": 2, "שתי": 2, "שלושת": 3, "ארבעת": 4}

// countsNothing reports whether a message means the first or both of those that were listed, and none were: it names
// nothing that they could be of.
func (r *reading) countsNothing() bool {
	n, _ := r.few()
	named := len(r.found)+len(r.people)+len(r.times) > 0
	return (n > 0 || r.says("both")) && !r.pointed && !named && !r.says("mail") && !r.says("events") && !r.says("many")
}

// ordinals are words for one of several, by their place.
var ordinals = []struct {
	name string
	nth  int
}{{"first", 1}, {"second", 2}, {"third", 3}, {"fourth", 4}, {"next", 1}, {"last", -1}}

// described are the message and, in front, the way in which its words describe events without naming one: "my 3pm",
// "the first thing on friday", "everything with yara". One event is always meant so; that all are, only may be.
func (r *reading) described() []*reading {
	if len(r.found) > 0 {
		return []*reading{r}
	}
	m := mention{kind: Event, described: true, covered: 1}
	m.things = keep(r.Things, func(t Thing) bool { return t.Kind == Event && t.Span.End.After(r.Now) })
	slices.SortStableFunc(m.things, func(a, b Thing) int { return a.Span.Start.Compare(b.Span.Start) })
	if m.words, m.nth, m.many = r.description(); len(m.words) == 0 || len(m.things) == 0 {
		return append([]*reading{r}, r.goingOn()...)
	}
	way := *r
	way.words, way.people, way.found = slices.Clone(r.words), slices.Clone(r.people), []mention{m}
	for _, i := range m.words {
		way.words[i].taken = true
	}
	if way.readTimes(); m.many {
		return []*reading{&way, r}
	}
	return []*reading{&way}
}

// goingOn is the message as one that says more of the one event or task that the user saw last, without a word for it:
// "tom comes too", "actually high priority".
func (r *reading) goingOn() []*reading {
	const short = 8
	says := len(r.people)+len(r.times)+len(r.quoted) > 0
	ofTask := r.onlyAmends() && !slices.Contains(r.Last, Shown)
	if len(r.Last) != 1 || len(r.words) > short || !says && !ofTask || r.namesAnother() ||
		form("asks what else").MatchString(r.Text) {
		return nil
	}
	i := slices.IndexFunc(r.Things, func(t Thing) bool {
		return t.ID == r.Last[0] && (t.Kind == Event && says || t.Kind == Task && ofTask)
	})
	if i < 0 {
		return nil
	}
	way, t := *r, r.Things[i:i+1]
	way.found, way.pointed, way.implied = []mention{{kind: t[0].Kind, things: t, meant: t, covered: 1}}, true, true
	return []*reading{&way}
}

// namesAnother reports whether a word names something else than what was seen: "move the offsite to 11", "piano on
// monday at 5". A verb is known, or has a determiner before it where it is a noun.
func (r *reading) namesAnother() bool {
	for i, w := range r.words {
		definite := i > 0 && isDeterminer(r.words[i-1].lower)
		if !w.taken && !w.timely && r.personAt(i) == "" && r.telling(i) && (definite || len(conceptsOf(w.lower)) == 0) {
			return true
		}
	}
	return false
}

// Shown is the id of what an earlier clause of the message finds: what it says more of is in that clause.
const Shown = "shown"

// onlyAmends reports whether the message only says how much something matters, how long it takes or when it is due.
func (r *reading) onlyAmends() bool { return onlyAmends(Plain(r.delexicalized())) }

func onlyAmends(text string) (amends bool) {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		is := func(name string) bool { return words()[name].MatchString(w) }
		field := slices.ContainsFunc([]string{"ranked", "low", "medium", "high", "due", "takes"}, is)
		if amends = amends || field; !field && !is("amending") && !is("again") && !is("small") && !is("it") {
			return false
		}
	}
	return amends
}

// description are the words that stand for events, which one of them is meant, and whether all are.
func (r *reading) description() (at []int, nth int, many bool) {
	for i := range r.words {
		if at, nth := r.nounAt(i); len(at) > 0 {
			return at, nth, false
		}
	}
	for _, t := range r.times {
		before := form("that of").FindStringIndex(r.Text[:t.from])
		if t.Exact == nil || before == nil {
			continue
		}
		i := slices.IndexFunc(r.words, func(w word) bool { return w.from >= before[0] && w.to <= t.from && !w.taken })
		if i >= 0 {
			return []int{i}, 0, false
		}
	}
	i := slices.IndexFunc(r.words, func(w word) bool { return !w.taken && words()["events"].MatchString(w.lower) })
	if i < 0 {
		return nil, 0, false
	}
	return []int{i}, 0, true
}

// nounAt are the words from i on, or from the one before, that stand for one event, and for which one.
func (r *reading) nounAt(i int) (at []int, nth int) {
	if !r.is(i, "event") || r.words[i].taken {
		return nil, 0
	}
	for _, o := range ordinals {
		if r.is(i-1, o.name) {
			return []int{i - 1, i}, o.nth
		}
		if r.is(i+1, o.name) && r.is(i, "theevent") {
			return []int{i, i + 1}, o.nth
		}
	}
	if r.is(i-1, "the") || r.is(i, "theevent") {
		return []int{i}, 0
	}
	return nil, 0
}

// is reports whether a word of the message is one of that name.
func (r *reading) is(i int, name string) bool {
	return i >= 0 && i < len(r.words) && words()[name].MatchString(r.words[i].lower)
}

// joined keeps, of what an event may be, what people take part in who are named with it: "the call with yara".
func (r *reading) joined(m *mention) {
	for i := range r.people {
		p := &r.people[i]
		if p.used || !r.stands(p.from, "with") && !r.pronounMeans(*p) {
			continue
		}
		on := keep(m.things, func(t Thing) bool { return t.has(p.text) })
		if len(on) > 0 {
			m.meant, m.which = firstOfEach(on), len(firstOfEach(on)) > 1
		}
		if len(on) > 0 || m.described {
			p.used, m.things, m.told = true, on, true
		}
	}
}

// pronounMeans reports whether "with them" means a person: the only one who is named, before it.
func (r *reading) pronounMeans(p said) bool {
	at := words()["withpronoun"].FindStringIndex(r.Text)
	return at != nil && len(r.people) == 1 && p.to <= at[0]
}

// nextFew are the next or the first ones of the events that a name or a description may mean, as many as the message
// says: "my next two meetings with lena", "the first two on friday".
func (r *reading) nextFew(m *mention) {
	at := form("next some").FindStringSubmatch(r.Text)
	if at == nil {
		return
	}
	said := strings.ToLower(strings.Join(at[1:], ""))
	n, _ := strconv.Atoi(said)
	n = max(n, slices.Index(spelling, said)%mostSpelt, counted[said])
	ahead := m.meant
	if !r.located() {
		ahead = keep(m.things, func(t Thing) bool { return !t.Span.Start.Before(r.Now) })
	}
	if n < 2 || n > len(ahead) {
		return // it is told that so many are not there
	}
	ahead = slices.Clone(ahead)
	slices.SortStableFunc(ahead, func(a, b Thing) int { return a.Span.Start.Compare(b.Span.Start) })
	m.meant, m.which = ahead[:n], false
	for i := range r.words {
		r.words[i].taken = r.words[i].taken || r.words[i].lower == said
	}
}

// narrow finds the events that a description means: by the times that are said but for the last ones to keep, and by
// their order. It finds none if the message does not tell them from others.
func (r *reading) narrow(m *mention, kept int) {
	located := r.locate(m, kept)
	switch {
	case located:
	case m.nth != 0 && r.says("today"):
		m.meant = keep(m.things, func(t Thing) bool { return r.dayOf(t) == interval.DateOf(r.Now) })
	case m.told || m.nth == 1 && (!r.is(m.words[0], "first") || !words()["pointing"].MatchString(r.Text)):
		m.meant = m.things
	default:
		m.meant = nil
	}
	if m.nth != 0 {
		m.meant = keep(m.meant, func(t Thing) bool { return t.Span.Duration() < 24*time.Hour })
	}
	switch n := len(m.meant); {
	case n == 0 || m.nth > n:
		m.meant = nil
	case m.nth > 0:
		m.meant = m.meant[m.nth-1 : m.nth]
	case m.nth < 0:
		m.meant = m.meant[n-1:]
	}
	if !m.many && !slices.ContainsFunc(r.times, func(t timed) bool { return t.used && len(t.Dates) > 0 }) {
		today := keep(m.meant, func(t Thing) bool { return r.dayOf(t) == interval.DateOf(r.Now) })
		if m.meant = firstOfEach(m.meant); len(today) > 0 {
			m.meant = today // "my 3pm"
		}
	}
	m.which = len(m.meant) > 1 && !m.many
}

// dayOf is the day on which an event begins.
func (r *reading) dayOf(t Thing) interval.Date {
	return interval.DateOf(t.Span.Start.In(r.Now.Location()))
}

// stands reports whether a word of that name stands right before a byte of the message.
func (r *reading) stands(at int, name string) bool {
	fields := strings.Fields(r.Text[:at])
	return len(fields) > 0 && words()[name].MatchString(fields[len(fields)-1])
}

// before are the last words before a byte of the message.
func (r *reading) before(at int) string {
	const most = 3
	fields := strings.Fields(r.Text[:at])
	return strings.Join(fields[max(0, len(fields)-most):], " ")
}

// repeats reports whether the one event that is named is one of a series.
func (r *reading) repeats() bool {
	events := r.of(Event)
	return len(events) == 1 && len(events[0].meant) == 1 && len(events[0].things) > 1 && events[0].things[0].Series != ""
}

// scope is the part of a series that a deed changes; empty if the message says nothing of it.
func (r *reading) scope(d deed) string {
	switch {
	case d.on != Event || d.reads || d.invited || !r.repeats():
		return ""
	case r.says("series") || r.eachOf():
		return "all"
	case r.says("following"), r.says("always") && !r.located():
		return "following"
	}
	return ""
}

// located reports whether a day tells which occurrence is meant.
func (r *reading) located() bool {
	return slices.ContainsFunc(r.times, func(t timed) bool { return t.used && !t.isLength() && len(t.Dates) > 0 })
}

// eachOf reports whether a word before the name of a series says that all of it is meant, and no time which part of it.
func (r *reading) eachOf() bool {
	m := r.of(Event)[0]
	return !r.located() && len(m.words) > 0 && words()["eachof"].MatchString(r.before(r.words[m.words[0]].from))
}

// has reports whether a person takes part in an event.
func (t Thing) has(name string) bool {
	return slices.ContainsFunc(t.Guests, func(g string) bool { return strings.EqualFold(g, name) })
}

// leaveOut drops the events that the message says are not meant beside others that are: "the haircut, not the vet".
func (r *reading) leaveOut() {
	if kept := keep(r.found, func(m mention) bool { return !r.isLeftOut(m) }); len(kept) > 0 {
		r.found = kept
	}
}

// isLeftOut reports whether the message says that a thing is not meant.
func (r *reading) isLeftOut(m mention) bool {
	return len(m.words) > 0 && form("not this").MatchString(r.Text[:r.words[m.words[0]].from])
}

// leavesOut reports whether the message says of all that it names that it is not meant, and of nothing that it is: "not
// the milk". In English "no gym tomorrow" calls it off.
func (r *reading) leavesOut() bool {
	return len(r.found) > 0 && !slices.ContainsFunc(r.found, func(m mention) bool {
		return !r.isLeftOut(m) || strings.HasPrefix(r.Language, "en") && r.stands(r.words[m.words[0]].from, "none")
	})
}

// relate makes times of the events by which a message tells when another one is to be: "after the dentist".
func (r *reading) relate() {
	for i := len(r.found) - 1; i > 0; i-- {
		m := r.found[i]
		at := form("relation").FindStringSubmatchIndex(r.Text[:r.words[m.words[0]].from])
		if at == nil || m.kind != Event || r.found[0].kind != Event || len(m.meant) != 1 {
			continue
		}
		span, t := r.onThatDay(m).Span, timed{until: at[4] >= 0 || at[8] >= 0}
		start := span.Start.In(r.Now.Location())
		if at[2] >= 0 || at[6] >= 0 {
			start = span.End.In(r.Now.Location())
		}
		day, clock := interval.DateOf(start), interval.ClockOf(start)
		t.Dates, t.Exact = []interval.DateRange{{Start: day, End: day}}, &clock
		t.from, t.to = at[0], r.words[m.words[len(m.words)-1]].to
		t.text = r.Text[t.from:t.to]
		r.related, r.found = append(r.related, t), slices.Delete(r.found, i, i+1)
	}
}

// onThatDay is the occurrence of an event on the day that the message names last, or else on that of the event which it
// tells of; the first one if there is none.
func (r *reading) onThatDay(m mention) Thing {
	var day interval.Date
	if dates := r.setting().Read(r.Text, r.Now).Dates; len(dates) > 0 {
		day = dates[len(dates)-1].Start
	} else if of := r.found[0].meant; len(of) > 0 {
		day = r.dayOf(of[0])
	}
	for _, t := range m.things {
		if r.dayOf(t) == day {
			return t
		}
	}
	return m.meant[0]
}

// isRelated reports whether something is told by an event.
func (r *reading) isRelated(m mention) bool {
	return len(m.words) > 0 && form("relation").MatchString(r.Text[:r.words[m.words[0]].from])
}
