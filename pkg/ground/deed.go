package ground

import (
	"bytes"
	"cmp"
	_ "embed"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"convene/pkg/agenda"
	"convene/pkg/linear"
)

//go:generate go run ./train --from train --out weights.gz
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
	var order []string
	for i, w := range words {
		if len(w) > 2 && w[0] == 'q' && w[len(w)-1] == 'q' {
			order = append(order, w)
			add("has", w)
		}
		if i+2 < len(words) {
			add("skip", w, words[i+2])
			add("three", w, words[i+1], words[i+2])
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
		if from, to := r.find(p.Said); to > from {
			r.people = append(r.people, said{text: p.Name, from: from, to: to})
		}
	}
	slices.SortFunc(r.people, func(a, b said) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	r.people = slices.CompactFunc(r.people, func(a, b said) bool { return b.from < a.to })
	return r
}

// find is where the words of a name stand in the message.
func (r *reading) find(name string) (from, to int) {
	sought := split(name)
	for i := range r.words {
		for k := range sought {
			if i+k >= len(r.words) || r.words[i+k].lower != sought[k].lower {
				break
			}
			if k+1 == len(sought) {
				return r.words[i].from, r.words[i+k].to
			}
		}
	}
	return 0, 0
}

// delexicalized is the message with placeholders for what is known.
func (r *reading) delexicalized() string {
	type part struct {
		from, to int
		mark     string
	}
	var parts []part
	for _, m := range r.found {
		for i, k := range m.words {
			w, mark := r.words[k], ""
			if i == 0 {
				mark = w.lower[:len(w.lower)-len(bare(w.lower))] + "{" + string(m.kind) + "}"
			} else if before := r.words[m.words[i-1]]; !slices.ContainsFunc(r.words[m.words[i-1]+1:k], func(w word) bool {
				return !idle(w)
			}) {
				parts = append(parts, part{before.to, w.from, ""})
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
	var b strings.Builder
	at := 0
	for _, p := range parts {
		if p.from >= at {
			b.WriteString(r.Text[at:p.from] + p.mark)
			at = p.to
		}
	}
	return b.String() + r.Text[at:]
}

// idle reports whether a word tells no thing from others.
func idle(w word) bool {
	return !slices.ContainsFunc(w.stems, func(s string) bool { return !agenda.Idle(s) })
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
	return d.on == Nothing || len(r.of(d.on)) > 0 || d.on == List && len(r.of(Item)) == 0
}

// On is the kind of thing that a deed needs.
func On(name string) Kind { return deeds[name].on }
