package ground

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"convene/pkg/agenda"
	"convene/pkg/linear"
)

//go:generate go run ./train --from train --out .
//go:embed weights.gz
var weights []byte

// learned tells deeds, and Usual has the words of its sentences; it knows nothing if the weights were broken, which a
// test rules out.
var learned = sync.OnceValue(func() *linear.Model[string] {
	m, err := linear.Decode[string](bytes.NewReader(weights))
	if err != nil {
		return &linear.Model[string]{}
	}
	return m
})

// Deeds are what messages ask for, by name.
func Deeds() []string { return slices.Sorted(maps.Keys(deeds)) }

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// Features are those of a message in which placeholders stand for what code knows: besides what is in its words, which
// words follow each other with one between, three in a row, which is first and which last, and the order of the
// placeholders.
func Features(message string) []uint32 {
	marked := strings.ReplaceAll(placeholder.ReplaceAllString(strings.ToLower(message), " q${1}q "), "?", " qaskq ")
	features := linear.Features(marked, nil)
	words := strings.Fields(Plain2(marked))
	add := func(kind string, list ...string) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(kind + strings.Join(list, " ")))
		features = append(features, h.Sum32())
	}
	var order, meanings []string
	for i, w := range words {
		for _, c := range conceptsOf(w) {
			add("means", c)
			for _, other := range []int{i - 1, i + 1} {
				if other >= 0 && other < len(words) {
					add("beside", c, words[other])
				}
			}
			meanings = append(meanings, c)
		}
		if len(w) > 2 && w[0] == 'q' && w[len(w)-1] == 'q' {
			order = append(order, w)
			add("has", w)
		}
		if i+2 < len(words) {
			add("skip", w, words[i+2])
			add("three", w, words[i+1], words[i+2])
		}
	}
	kinds := slices.Compact(slices.Sorted(slices.Values(order)))
	slices.Sort(meanings)
	meanings = slices.Compact(meanings)
	for i, c := range meanings {
		for _, k := range kinds {
			add("of", c, k)
		}
		for _, other := range meanings[i+1:] {
			add("both", c, other)
		}
	}
	if n := len(words); n > 0 {
		add("first", words[0])
		add("last", words[n-1])
		add("order", order...)
		if n > 1 {
			add("begins", words[:2]...)
		}
	}
	return features
}

// Plain2 is TODO
func Plain2(message string) string {
	return strings.Join(wordForm.FindAllString(message, -1), " ")
}

// Plain are the words of such a message, without placeholders.
func Plain(message string) string {
	var words []string
	for _, w := range wordForm.FindAllString(placeholder.ReplaceAllString(strings.ToLower(message), " "), -1) {
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

var quotation = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]`)

// newReading finds the words of a message, the people who are named, and what is quoted.
func newReading(m Message) *reading {
	r := &reading{Message: m, words: split(m.Text)}
	for _, at := range quotation.FindAllStringIndex(m.Text, -1) {
		inner := strings.Trim(m.Text[at[0]:at[1]], `"“”«»„`)
		r.quoted = append(r.quoted, said{text: inner, from: at[0], to: at[1]})
	}
	for _, p := range m.People {
		if from, to := r.find(p.Said); to > from && !isWord(m.Text[from:to]) {
			r.people = append(r.people, said{text: p.Name, from: from, to: to})
		}
	}
	slices.SortFunc(r.people, func(a, b said) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	r.people = slices.CompactFunc(r.people, func(a, b said) bool { return b.from < a.to })
	return r
}

// isWord reports whether a name is written as a word is that people often use: "al" in Spanish.
func isWord(name string) bool {
	const often = 5
	return name == strings.ToLower(name) && learned().Usual[name] > often && !strings.ContainsRune(name, ' ')
}

// find is where the words of a name stand in the message.
func (r *reading) find(name string) (from, to int) {
	sought := split(name)
	for i := range r.words {
		for k := range sought {
			if i+k >= len(r.words) || strings.TrimSuffix(r.words[i+k].lower, "'s") != sought[k].lower {
				break
			}
			if k+1 == len(sought) {
				return r.words[i].from, r.words[i+k].from + len(r.Text[r.words[i+k].from:r.words[i+k].to]) - possessive(r.words[i+k].lower)
			}
		}
	}
	return 0, 0
}

// possessive is how many bytes the ending of a possessive has.
func possessive(w string) int { return len(w) - len(strings.TrimSuffix(w, "'s")) }

// part is what stands from byte from to byte to of the message, and the placeholder in its place.
type part struct {
	from, to int
	mark     string
}

// parts are those that stand for what is known, in order.
func (r *reading) parts() (parts []part) {
	for _, m := range r.found {
		for i, k := range m.words {
			w, mark := r.words[k], ""
			if i == 0 {
				mark = w.lower[:len(w.lower)-len(bare(w.lower))] + "{" + string(m.kind) + "}"
			} else if between := r.words[m.words[i-1]+1 : k]; !slices.ContainsFunc(between, distinct) {
				parts = append(parts, part{r.words[m.words[i-1]].to, w.from, ""})
			}
			parts = append(parts, part{w.from, w.to, mark})
		}
	}
	for _, p := range r.people {
		parts = append(parts, part{p.from, p.to, "{person}"})
	}
	for _, t := range r.times {
		parts = append(parts, part{t.from, t.to, t.mark()})
	}
	for _, q := range r.quoted {
		parts = append(parts, part{q.from, q.to, "{text}"})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.from - b.from })
	last := 0
	return slices.DeleteFunc(parts, func(p part) bool {
		covered := p.from < last
		last = max(last, p.to)
		return covered
	})
}

// delexicalized is the message with placeholders for what is known.
func (r *reading) delexicalized() string {
	var b strings.Builder
	at := 0
	for _, p := range r.parts() {
		b.WriteString(r.Text[at:p.from] + p.mark)
		at = p.to
	}
	return b.String() + r.Text[at:]
}

// original is where the bytes of the delexicalized message stand in the message itself.
func (r *reading) original(from, to int) (int, int) {
	shift := 0 // how much further they stand
	begin, end := -1, -1
	for _, p := range r.parts() {
		at := p.from - shift // where the placeholder stands
		if begin < 0 && from < at+len(p.mark) {
			begin = min(from+shift, p.from)
		}
		if end < 0 && to <= at {
			end = to + shift
		} else if end < 0 && to <= at+len(p.mark) {
			end = p.to
		}
		shift += p.to - p.from - len(p.mark)
	}
	if begin < 0 {
		begin = from + shift
	}
	if end < 0 {
		end = to + shift
	}
	return begin, end
}

// distinct reports whether a word tells a thing from others.
func distinct(w word) bool {
	return slices.ContainsFunc(w.stems, func(s string) bool { return !agenda.Idle(s) })
}

// bare is a Hebrew word without the letters that are written before it.
func bare(w string) string {
	letters := []rune(w)
	for len(letters) > 3 && strings.ContainsRune("ולבמשהכ", letters[0]) {
		letters = letters[1:]
	}
	return string(letters)
}

// judge tells the deed. Deeds for things that are not there are ruled out.
func (r *reading) judge() {
	m := learned()
	p := m.Probabilities(Features(r.delexicalized()))
	sum, best := 0.0, -1
	for i, name := range m.Classes {
		if !r.can(deeds[name]) {
			continue
		}
		if sum += p[i]; best < 0 || p[i] > p[best] {
			best = i
		}
	}
	if best >= 0 && sum > leastAllowed {
		r.deed, r.probability = m.Classes[best], p[best]/sum
	}
}

// leastAllowed is how probable the deeds have to be together that are not ruled out.
const leastAllowed = 0.2

// can reports whether there is what a deed needs.
func (r *reading) can(d deed) bool {
	if d.invited && !slices.ContainsFunc(r.of(Event), func(m *mention) bool { return m.things[0].Invited }) {
		return false
	}
	return d.on == Nothing || len(r.of(d.on)) > 0 || d.on == List && len(r.of(Item)) == 0
}

// On is the kind of thing that a deed needs.
func On(name string) Kind { return deeds[name].on }

//go:embed concepts.txt
var conceptsTxt string

// concepts are meanings by word, and by the beginnings of words.
var concepts = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(conceptsTxt) {
		name, list, ok := strings.Cut(line, ":")
		if !ok || name[0] == '#' {
			continue
		}
		for w := range strings.FieldsSeq(list) {
			if w = agenda.Fold(w); !slices.Contains(all[w], name) {
				all[w] = append(all[w], name)
			}
		}
	}
	return all
})

// conceptsOf are the meanings of a word.
func conceptsOf(w string) []string {
	w = agenda.Fold(w)
	all := slices.Clone(concepts()[w])
	if short := strings.TrimLeft(w, "ושהכלבמ"); short != w && len(short) > 4 {
		if first, n := utf8.DecodeRuneInString(w); first >= 'א' {
			all = append(all, conceptsOf(w[n:])...)
		}
	}
	for i := range w {
		if i > 0 {
			all = append(all, concepts()[w[:i]+"*"]...)
		}
	}
	all = append(all, concepts()[w+"*"]...)
	slices.Sort(all)
	return slices.Compact(all)
}

func Top(message string) string {
	m := learned()
	p := m.Probabilities(Features(message))
	type one struct {
		p float64
		d string
	}
	var all []one
	for i, d := range m.Classes {
		all = append(all, one{p[i], d})
	}
	slices.SortFunc(all, func(a, b one) int { return cmp.Compare(b.p, a.p) })
	return fmt.Sprintf("%.2v", all[:4])
}
