package ground

import (
	"bytes"
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"convene/pkg/linear"
)

//go:embed spans.gz
var spans []byte

// boundaries tell between which words the user's own words begin and end, in a message of a known deed.
var boundaries = sync.OnceValue(func() *linear.Model[string] {
	m, err := linear.Decode[string](bytes.NewReader(spans))
	if err != nil {
		return &linear.Model[string]{}
	}
	return m
})

// The classes of a gap between two words, by their indices.
const (
	Within = iota
	Begins
	Ends
)

// Boundaries are the names of the classes of a gap.
func Boundaries() []string { return []string{"within", "begins", "ends"} }

var tokenForm = regexp.MustCompile(`\{\w+\}|` + wordForm.String())

// Tokens are the words and placeholders of a message, by their bytes.
func Tokens(message string) [][]int { return tokenForm.FindAllStringIndex(message, -1) }

// Gaps are the features of the gaps of a message: before each of its words and placeholders, and after the last.
func Gaps(deed, message string) (all [][]uint32) {
	tokens := Tokens(message)
	at := func(i int) string {
		switch {
		case i < 0:
			return "^"
		case i >= len(tokens):
			return "$"
		}
		return strings.ToLower(message[tokens[i][0]:tokens[i][1]])
	}
	for k := 0; k <= len(tokens); k++ {
		from, to := 0, len(message)
		if k > 0 {
			from = tokens[k-1][1]
		}
		if k < len(tokens) {
			to = tokens[k][0]
		}
		mark := strings.TrimSpace(message[from:to])
		var f features
		for _, d := range []string{"", deed} {
			f.add("1", d, at(k-1))
			f.add("2", d, at(k-2), at(k-1))
			f.add("3", d, at(k-3), at(k-2), at(k-1))
			f.add("r", d, at(k))
			f.add("rr", d, at(k), at(k+1))
			f.add("lr", d, at(k-1), at(k))
			f.add("mark", d, mark)
			for _, c := range conceptsOf(at(k - 1)) {
				f.add("c1", d, c)
			}
			for _, c := range conceptsOf(at(k - 2)) {
				f.add("c2", d, c, at(k-1))
			}
			for _, c := range conceptsOf(at(k)) {
				f.add("cr", d, c)
			}
		}
		all = append(all, f)
	}
	return all
}

// leastSpan is how probable the bounds of the user's own words have to be together.
const leastSpan = 0.03

// Own is where the user's own words stand in a message of a deed, as tokens from and to; to is 0 if that is not plain.
// Open says that placeholders may be among them.
func Own(deed, message string, open bool) (from, to int) {
	return OwnBy(boundaries(), deed, message, open)
}

// OwnBy is Own by a model.
func OwnBy(m *linear.Model[string], deed, message string, open bool) (from, to int) {
	tokens := Tokens(message)
	var begins, ends []float64
	for _, g := range Gaps(deed, message) {
		p := m.Probabilities(g)
		if len(p) < 3 {
			return 0, 0
		}
		begins, ends = append(begins, p[Begins]), append(ends, p[Ends])
	}
	best := leastSpan
	for i := range tokens {
		for j := i + 1; j <= len(tokens); j++ {
			if !open && message[tokens[j-1][0]] == '{' {
				break
			}
			if p := begins[i] * ends[j]; p > best {
				best, from, to = p, i, j
			}
		}
	}
	return from, to
}
