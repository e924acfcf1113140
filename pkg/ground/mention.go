package ground

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/agenda"
)

// mention is what words of the message name: a thing or, in meant, the occurrences of a series that are meant.
type mention struct {
	kind Kind
	// things are all things of that name, in order.
	things, meant []Thing
	words         []int
	// covered is how much of the title is named, from 0 to 1; weight is how much that tells it from other things.
	covered, weight float64
	// doubt says that another thing may be meant as well, which that it is one of several that have nothing but the title
	// in common; used, that the call has it.
	doubt, which, used bool
	// described says that no title is named, many that all are meant that fit, and nth which one of them in order, -1 for
	// the last one.
	described, many bool
	nth             int
	// told says that a person tells it from others, missed that it has none at the time at which it is meant.
	told, missed bool
	// group selects tasks that are meant by what they have in common; nil for things that are named. Events says that
	// events may be meant as well.
	group  arguments
	events bool
	// entire says that these are all tasks.
	entire bool
	// others are other mails that the same words name.
	others []Thing
}

func (m mention) score() float64 { return m.covered + m.weight/2 }

// How much of a title has to be named: most of it or, by a word of its own, some of it.
const (
	mostOfTitle = 0.6
	someOfTitle = 0.3
	// asGood is how much less a name may fit that is as good as another, and farthest how many words may stand between
	// those of a name.
	asGood   = 0.15
	farthest = 3
	// slipped is what a word counts with another ending, or with a slip of the keys, and telling how much a word has to
	// tell that names a thing by itself.
	slipped = 0.7
	telling = 0.75
)

// usual are stems of words by which people ask for things, with how many of a thousand messages have them.
var usual = sync.OnceValue(func() map[string]float64 {
	stems := map[string]float64{}
	for w, often := range learned().Usual {
		for _, s := range agenda.Stems(w) {
			stems[s] = max(stems[s], often)
		}
	}
	return stems
})

// tells is how much a stem tells a thing from what else people say, up to 1.
func tells(stem string) float64 { return 1 / (1 + usual()[stem]/2) }

// named are the things that may be meant, the best first.
func (r *reading) named() (all []mention) {
	r.markTimes()
	groups, titles, often := r.byTitle()
	for i, g := range groups {
		name := r.mentionOf
		if g[0].Kind == Mail {
			name = r.mailMention
		}
		m := name(g, titles[i], often[g[0].Kind])
		if m.covered == 0 && g[0].Kind == List {
			m = r.shopping(g)
		}
		nameless := func(at int) bool { return r.words[at].nameless }
		if m.covered > 0 && !slices.ContainsFunc(m.words, nameless) && !r.asVerb(m) && !r.isReason(m) &&
			!r.ofAnother(m) {
			all = append(all, m)
		}
	}
	if m := r.oneOfTasks(all); m.covered > 0 {
		all = append(all, m)
	}
	if words()["oftask"].MatchString(r.Text) { // "the passport task" is not the passport on a list
		all = slices.DeleteFunc(all, func(m mention) bool {
			task := func(o mention) bool { return o.kind == Task && sharesWord(o, m) }
			return m.kind == Item && slices.ContainsFunc(all, task)
		})
	}
	all = slices.DeleteFunc(slices.Clone(all), func(m mention) bool { return slices.ContainsFunc(all, r.rather(m)) })
	slices.SortStableFunc(all, func(a, b mention) int { return cmp.Compare(b.score(), a.score()) })
	return all
}

// byTitle are the things by title, the stems of each title, and in how many titles of a kind a stem stands.
func (r *reading) byTitle() (groups [][]Thing, titles [][]string, often map[Kind]map[string]int) {
	groups = grouped(r.Things, r.Now)
	titles = make([][]string, len(groups))
	often = map[Kind]map[string]int{Event: {}, Task: {}, Item: {}, List: {}, Mail: {}}
	for i, g := range groups {
		titles[i] = r.stemsOf(g[0].Title)
		for _, s := range titles[i] {
			often[g[0].Kind][s]++
		}
	}
	return groups, titles, often
}

// stemsOf are the stems by which a title is named.
func (r *reading) stemsOf(title string) []string {
	stems, known := r.stems[title]
	if !known {
		stems = namesIn(title)
		r.stems[title] = stems
	}
	return stems
}

// asVerb reports whether the one word of a title that the message has is what is to be done with something else: "order
// the cake" names no "bus order", and "remind me to pay before noon" no bill.
func (r *reading) asVerb(m mention) bool {
	first := r.words[m.words[0]]
	weakly := m.kind == Task && m.weak() && len(m.words) == 1
	if before := r.Text[:first.from]; weakly && form("reminding").MatchString(before) {
		return strings.HasSuffix(before, "me to ") || firstWord(m.things[0].Title) == first.lower
	}
	is := func(i int) bool { return i >= 0 && words()["determiner"].MatchString(r.words[i].lower) }
	if m.covered >= mostOfTitle || slices.ContainsFunc(m.words[1:], func(i int) bool { return !is(i) }) ||
		m.words[0]+1 >= len(r.words) {
		return false
	}
	i := m.words[0]
	apart := r.Text[r.words[i].to:r.words[i+1].from]
	return is(i+1) && !is(i-1) && !r.words[i+1].timely && strings.TrimSpace(apart) == ""
}

// isReason reports whether what is named is only why something is asked: "because of the strike".
func (r *reading) isReason(m mention) bool {
	return m.kind == Event && form("due to").MatchString(r.Text[:r.words[m.words[0]].from])
}

// shopping is how the message names the list for shopping by another word for it: "la compra", "groceries".
func (r *reading) shopping(things []Thing) mention {
	if !words()["shopping"].MatchString(things[0].Title) {
		return mention{}
	}
	for i, w := range r.words {
		beside := i > 0 && words()["determiner"].MatchString(r.words[i-1].lower) ||
			i+1 < len(r.words) && words()["list"].MatchString(r.words[i+1].lower) || w.lower != bare(w.lower)
		if words()["shopping"].MatchString(bare(w.lower)) && beside {
			return mention{kind: List, things: things, words: []int{i}, covered: 1, weight: 1}
		}
	}
	return mention{}
}

// mentionOf is how the message names things by the stems of their title, which so many titles have; zero if it does
// not.
func (r *reading) mentionOf(things []Thing, stems []string, often map[string]int) mention {
	m := mention{kind: things[0].Kind, things: things}
	total, own, tellsIt := 0.0, false, false
	where := map[int]float64{}
	var slips []int
	for _, s := range stems {
		weight := tells(s) / float64(often[s])
		total += weight
		k, whole := r.wordOf(s)
		if whole = whole && !r.words[k].timely; !whole {
			weight *= slipped
		}
		if k >= 0 {
			where[k] += weight
		}
		if k >= 0 && !whole {
			slips = append(slips, k)
		}
		alone := whole && len([]rune(s)) > 2
		own = own || alone && often[s] == 1 && tells(s) > telling
		tellsIt = tellsIt || alone && tells(s) > leastSubject // enough for what was shown last
	}
	m.gather(where, func(k int) bool { return slices.Contains(slips, k) })
	if at := r.verbatim(things[0].Title); len(at) > 0 {
		m.words, m.weight, m.covered = at, total, 1
		return m
	}
	seen := slices.ContainsFunc(things, func(t Thing) bool { return slices.Contains(r.Last, t.ID) })
	if m.covered = m.weight / max(total, m.weight, 1e-9); m.covered >= mostOfTitle ||
		own && m.covered >= someOfTitle || seen && tellsIt {
		return m
	}
	return mention{}
}

// verbatim are the words of the message that are a title as it stands; none if it does not stand there.
func (r *reading) verbatim(title string) (at []int) {
	if !r.begins[initial(title)] {
		return nil
	}
	sought := lowered(title)
	for i := 0; i+len(sought) <= len(r.words) && len(sought) > 0; i++ {
		same := func(a, b word) bool { return a.lower == b.lower }
		if slices.EqualFunc(r.words[i:i+len(sought)], sought, same) {
			for k := range sought {
				at = append(at, i+k)
			}
			return at
		}
	}
	return nil
}

// namesIn are the stems of a title that tell it from others, each once; all of them if none does.
func namesIn(title string) []string {
	all := agenda.Stems(title)
	if names := slices.DeleteFunc(slices.Clone(all), agenda.Idle); len(names) > 0 {
		all = names
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// gather takes the words that stand together, with the most weight. A word with a slip stands beside the others.
func (m *mention) gather(where map[int]float64, slip func(at int) bool) {
	var at []int
	for k := range where {
		at = append(at, k)
	}
	slices.Sort(at)
	for from := 0; from < len(at); {
		to, weight := from, where[at[from]]
		near := func() int {
			if slip(at[to]) || slip(at[to+1]) {
				return 2
			}
			return farthest
		}
		for to+1 < len(at) && at[to+1]-at[to] <= near() {
			to++
			weight += where[at[to]]
		}
		if weight > m.weight {
			m.words, m.weight = at[from:to+1], weight
		}
		from = to + 1
	}
}

// wordOf is the word of the message that is a stem of a title, -1 if there is none. Whole is false for another form of
// it, or one with a slip.
func (r *reading) wordOf(stem string) (at int, whole bool) {
	if f, known := r.where[stem]; known {
		return f.at, f.whole
	}
	at, whole = r.findWord(stem)
	r.where[stem] = spot{at, whole}
	return at, whole
}

// spot is where a stem stands among the words of a message.
type spot struct {
	at    int
	whole bool
}

func (r *reading) findWord(stem string) (at int, whole bool) {
	for n, same := range []func(a, b string) bool{agenda.SameThing, alike} {
		for i, w := range r.words {
			if n > 0 && learned().Usual[w.lower] >= oftenSaid {
				continue // what people often say is no slip
			}
			if slices.ContainsFunc(w.stems, func(s string) bool { return same(s, stem) }) {
				return i, n == 0
			}
		}
	}
	return -1, false
}

// oftenSaid is in how many of a thousand messages a word stands that people often say.
const oftenSaid = 0.5

// alike reports whether two stems are of one word, up to its ending or one slip of the keys after its first letter.
func alike(a, b string) bool {
	return a != "" && b != "" && a[0] == b[0] && (agenda.Similar(a, b) || agenda.Akin(a, b))
}

// grouped are things by title: the occurrences that are not over, or else those that are, in order.
func grouped(things []Thing, now time.Time) (groups [][]Thing) {
	type key struct {
		Kind
		title, list string
	}
	at := map[key]int{}
	for _, t := range things {
		k := key{t.Kind, strings.ToLower(t.Title), t.List}
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], t)
	}
	for i, g := range groups {
		if len(g) == 1 {
			continue
		}
		slices.SortStableFunc(g, func(a, b Thing) int { return a.Span.Start.Compare(b.Span.Start) })
		ahead := slices.DeleteFunc(slices.Clone(g), func(t Thing) bool {
			return !t.Span.End.IsZero() && !t.Span.End.After(now)
		})
		if len(ahead) > 0 {
			groups[i] = ahead
		}
	}
	return groups
}

// firstOfEach are things with the first occurrence of each series.
func firstOfEach(things []Thing) (first []Thing) {
	for _, t := range things {
		if t.Series == "" && len(first) > 0 && t.Kind != Event {
			continue
		}
		if !slices.ContainsFunc(first, func(f Thing) bool { return f.Series != "" && f.Series == t.Series }) {
			first = append(first, t)
		}
	}
	return first
}

func sharesWord(a, b mention) bool {
	return slices.ContainsFunc(a.words, func(i int) bool { return slices.Contains(b.words, i) })
}

// ways are the message with its names: one way, or several if the best name may be that of things of several kinds.
func (r *reading) ways() (ways []*reading) {
	all := r.named()
	if len(all) == 0 {
		r.point()
		r.readTimes()
		ways = r.described()
	}
	if own := r.ownTime(all); own != nil {
		return []*reading{own}
	}
	group := r.group(all)
	switch {
	case group != nil && group.found[0].entire:
		return []*reading{group}
	case group != nil:
		ways = append(ways, group)
	}
	taken := map[Kind]bool{}
	for _, first := range all {
		if taken[first.kind] || !sharesWord(first, all[0]) {
			continue
		}
		taken[first.kind] = true
		way := *r
		way.words, way.found, way.people = slices.Clone(r.words), nil, slices.Clone(r.people)
		way.take(first, all)
		way.readTimes()
		ways = append(ways, &way)
	}
	if len(all) > 0 && r.allPeople(all[0]) {
		way := *r
		way.words, way.people = slices.Clone(r.words), slices.Clone(r.people)
		if others := keep(all, func(m mention) bool { return !r.allPeople(m) }); len(others) > 0 {
			way.take(others[0], others)
		}
		way.readTimes()
		ways = append(ways, &way)
	}
	if len(all) > 0 && !slices.ContainsFunc(ways, func(w *reading) bool { return len(w.of(Event)) > 0 }) {
		r.readTimes()
		other := func(w *reading) bool { return w != r && !w.isInside(all[0]) }
		ways = append(ways, keep(r.described(), other)...)
	}
	return ways
}

// allPeople reports whether the words of a name are those of people, who may be meant alone: "Lucía" of "dinner with
// Lucía".
func (r *reading) allPeople(m mention) bool {
	return len(r.people) > 0 && !slices.ContainsFunc(m.words, func(i int) bool { return r.personAt(i) == "" })
}

// take takes the first name, and others that share no word with those that were taken.
func (r *reading) take(first mention, all []mention) {
	rest := slices.Clone(all)
	for m, ok := first, true; ok; {
		if m.meant = firstOfEach(m.things); m.kind == Task {
			r.ofPerson(&m)
		}
		m.which = len(m.meant) > 1
		for _, o := range rest {
			same := o.kind == m.kind && o.things[0].ID != m.things[0].ID
			m.doubt = m.doubt || same && sharesWord(o, m) && o.score() > m.score()-asGood
		}
		if m.kind == Mail {
			m.meant, m.which, m.others = m.things, false, m.rivals(all)
		}
		m.words = r.withKind(m)
		rest = slices.DeleteFunc(rest, func(o mention) bool { return r.measures(o, m) || o.kind == Event && r.allPeople(o) })
		for _, i := range m.words {
			r.words[i].taken = true
		}
		r.found = append(r.found, m)
		rest = slices.DeleteFunc(rest, func(o mention) bool { return sharesWord(o, m) })
		i := slices.IndexFunc(rest, func(o mention) bool {
			loose := o.kind == Event || o.kind == Task || o.kind == Item && first.kind != Item
			beside := func(f mention) bool { return r.beside(f, o) }
			return !loose || o.covered >= mostOfTitle || r.remindsOf(o) || slices.ContainsFunc(r.found, beside)
		})
		if ok = i >= 0; ok {
			m = rest[i]
		}
	}
	slices.SortFunc(r.found, func(a, b mention) int { return cmp.Compare(a.words[0], b.words[0]) })
	r.leaveOut()
	r.relate()
	r.dropNamed()
}

// dropNamed leaves out of what is quoted and of the people what names a thing.
func (r *reading) dropNamed() {
	r.quoted = slices.DeleteFunc(slices.Clone(r.quoted), func(q said) bool {
		return slices.ContainsFunc(r.found, func(m mention) bool {
			return m.covered == 1 && q.from < r.words[m.words[len(m.words)-1]].to && r.words[m.words[0]].from < q.to
		})
	})
	r.people = slices.DeleteFunc(r.people, func(p said) bool {
		return slices.ContainsFunc(r.words, func(w word) bool { return w.taken && w.from < p.to && p.from < w.to })
	})
}

// beside reports whether two names of a kind stand in one list: "the osteopath and the panel".
func (r *reading) beside(a, b mention) bool {
	if a.words[0] > b.words[0] {
		a, b = b, a
	}
	from, to := r.words[a.words[len(a.words)-1]].to, r.words[b.words[0]].from
	if from < to && strings.TrimSpace(r.Text[from:to]) == "" && !strings.HasPrefix(r.words[b.words[0]].lower, "ו") {
		return false // "the risk assessment" is no list of a risk forum and an assessment
	}
	return a.kind == b.kind && from <= to && form("listing").MatchString(r.Text[from:to])
}

// measures reports whether a word is what an item is counted in, and names no other: "four bags of coffee".
func (r *reading) measures(o, m mention) bool {
	last := o.words[len(o.words)-1]
	return o.kind == Item && m.kind == Item && o.covered < 1 && last+2 == m.words[0] &&
		words()["measured"].MatchString(r.words[last+1].lower)
}

// remindsOf reports whether a task is what the user asks to be reminded of, before an event that is named too.
func (r *reading) remindsOf(m mention) bool {
	return m.kind == Task && words()["remind"].MatchString(r.Text) && words()["before"].MatchString(r.Text)
}
