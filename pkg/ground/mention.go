package ground

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/agenda"
)

// word is a word of a message.
type word struct {
	lower    string
	stems    []string
	from, to int
	// taken says that the call has it, or that it belongs to a name; timely, that it is said of time.
	taken, timely bool
}

var wordForm = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+(?:['’.:״"\-][\p{L}\p{M}\p{N}]+)*`)

// split are the words of a text. In Hebrew what stands before a hyphen is a word: "ה-Dentist".
func split(text string) (words []word) {
	for _, at := range wordForm.FindAllStringIndex(text, -1) {
		from := at[0]
		for i := from; i < at[1]; i++ {
			if text[i] == '-' {
				words, from = append(words, newWord(text, from, i)), i+1
			}
		}
		words = append(words, newWord(text, from, at[1]))
	}
	return words
}

func newWord(text string, from, to int) word {
	lower := strings.ReplaceAll(strings.ToLower(text[from:to]), "’", "'")
	return word{lower: lower, stems: agenda.Stems(lower), from: from, to: to}
}

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
	groups := grouped(r.Things, r.Now)
	titles, often := make([][]string, len(groups)), map[string]int{}
	for i, g := range groups {
		titles[i] = namesIn(g[0].Title)
		for _, s := range titles[i] {
			often[s]++
		}
	}
	for i, g := range groups {
		if m := r.mentionOf(g, titles[i], often); m.covered > 0 {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int { return cmp.Compare(b.score(), a.score()) })
	return all
}

// mentionOf is how the message names things by the stems of their title, which so many titles have; zero if it does
// not.
func (r *reading) mentionOf(things []Thing, stems []string, often map[string]int) mention {
	m := mention{kind: things[0].Kind, things: things}
	total, own := 0.0, false
	where := map[int]float64{}
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
		own = own || whole && often[s] == 1 && len([]rune(s)) > 2 && tells(s) > telling
	}
	m.gather(where)
	if at := r.verbatim(things[0].Title); len(at) > 0 {
		m.words, m.weight, m.covered = at, total, 1
		return m
	}
	if m.covered = m.weight / max(total, m.weight, 1e-9); m.covered >= mostOfTitle || own && m.covered >= someOfTitle {
		return m
	}
	return mention{}
}

// verbatim are the words of the message that are a title as it stands; none if it does not stand there.
func (r *reading) verbatim(title string) (at []int) {
	sought := split(title)
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

// gather takes the words that stand together, with the most weight.
func (m *mention) gather(where map[int]float64) {
	var at []int
	for k := range where {
		at = append(at, k)
	}
	slices.Sort(at)
	for from := 0; from < len(at); {
		to, weight := from, where[at[from]]
		for to+1 < len(at) && at[to+1]-at[to] <= farthest {
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
	for n, same := range []func(a, b string) bool{agenda.SameThing, alike} {
		for i, w := range r.words {
			if slices.ContainsFunc(w.stems, func(s string) bool { return same(s, stem) }) {
				return i, n == 0
			}
		}
	}
	return -1, false
}

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
		return []*reading{r}
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
	return ways
}

// take takes the first name, and others that share no word with those that were taken.
func (r *reading) take(first mention, all []mention) {
	rest := slices.Clone(all)
	for m, ok := first, true; ok; {
		m.meant = firstOfEach(m.things)
		m.which = len(m.meant) > 1
		for _, o := range rest {
			same := o.kind == m.kind && o.things[0].ID != m.things[0].ID
			m.doubt = m.doubt || same && sharesWord(o, m) && o.score() > m.score()-asGood
		}
		if m.kind == List {
			m.words = r.withList(m.words)
		}
		for _, i := range m.words {
			r.words[i].taken = true
		}
		r.found = append(r.found, m)
		rest = slices.DeleteFunc(rest, func(o mention) bool {
			return sharesWord(o, m) || (o.kind == Event || o.kind == Task || o.kind == Item && first.kind != Item) &&
				o.covered < mostOfTitle
		})
		if ok = len(rest) > 0; ok {
			m = rest[0]
		}
	}
	slices.SortFunc(r.found, func(a, b mention) int { return cmp.Compare(a.words[0], b.words[0]) })
	r.quoted = slices.DeleteFunc(slices.Clone(r.quoted), func(q said) bool {
		return slices.ContainsFunc(r.found, func(m mention) bool {
			return m.covered == 1 && q.from < r.words[m.words[len(m.words)-1]].to && r.words[m.words[0]].from < q.to
		})
	})
	r.people = slices.DeleteFunc(r.people, func(p said) bool {
		return slices.ContainsFunc(r.words, func(w word) bool { return w.taken && w.from < p.to && p.from < w.to })
	})
}

// withList are the words of a list's name with the word for a list that stands beside them.
func (r *reading) withList(at []int) []int {
	if n := at[len(at)-1] + 1; n < len(r.words) && words()["list"].MatchString(r.words[n].lower) {
		return append(slices.Clone(at), n)
	}
	if n := at[0] - 1; n >= 0 && words()["list"].MatchString(r.words[n].lower) {
		return append([]int{n}, at...)
	}
	return at
}

// point finds what words point to among what the user saw last.
func (r *reading) point() {
	byID := map[string]Thing{}
	for _, t := range r.Things {
		byID[t.ID] = t
	}
	var last []Thing
	for _, id := range r.Last {
		if t, known := byID[id]; known {
			last = append(last, t)
		}
	}
	says := func(key string) bool {
		return slices.ContainsFunc(r.words, func(w word) bool { return words()[key].MatchString(w.lower) })
	}
	nth := slices.IndexFunc([]string{"first", "second", "third", "fourth"}, says)
	switch {
	case len(last) == 0:
	case len(last) > 1 && nth >= 0 && nth < len(last):
		last = last[nth : nth+1]
	case len(last) > 1 && says("last"):
		last = last[len(last)-1:]
	case len(last) == 1 && (says("it") || says("last") || says("them")), len(last) > 1 && says("them"):
	default:
		return
	}
	for _, t := range last {
		r.found, r.pointed = append(r.found, mention{kind: t.Kind, things: []Thing{t}, meant: []Thing{t}, covered: 1}), true
	}
}
