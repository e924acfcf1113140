package ground

import (
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strings"

	"convene/pkg/linear"
)

//go:embed spans.gz
var spans []byte

// boundaries tell between which words the user's own words begin and end, in a message of a known deed.
var boundaries = linear.Embedded[string](spans)

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
			for _, c := range meaningsOf(at(k - 1)) {
				f.add("c1", d, c)
			}
			for _, c := range meaningsOf(at(k - 2)) {
				f.add("c2", d, c, at(k-1))
			}
			for _, c := range meaningsOf(at(k)) {
				f.add("cr", d, c)
			}
		}
		all = append(all, f)
	}
	return all
}

// leastSpan is how probable the bounds of the user's own words have to be among all bounds, and leftOut how much less
// probable a word outside makes them by which nobody asks for things.
const (
	leastSpan = 0.3
	// leastKept is the same for what is kept: a word too many does little harm.
	leastKept = 0.12
	leftOut   = 0.4
	// allOfNote is how much more that counts in a note, which has all that is said.
	allOfNote = 3
)

// letters are the deeds that write a mail. Their words mostly go on to the end, which is probable by atEnd at least;
// there may be none, if no bounds are probable by leastText.
var letters = []string{"mail_reply", "mail_forward", "mail_compose"}

const (
	atEnd     = 0.3
	leastText = 0.03
)

// inside are the deeds with what may be said within the user's own words: no time in the title of a task ("call Noa on
// friday"), and anything in a note.
var inside = map[string]*regexp.Regexp{
	"note_save": anything, "mail_reply": anything, "mail_forward": anything, "mail_compose": anything,
	"task_create": regexp.MustCompile(`^\{(?:event|task|item|list|note|person)\}$`),
	"item_add":    regexp.MustCompile(`^\{(?:event|task|item|note|person)\}$`),
	"list_create": people, "task_note": people, "task_rename": people, "item_change": people, "event_note": people,
}

var people, anything = regexp.MustCompile(`^\{person\}$`), regexp.MustCompile(`.`)

// closed reports for each token whether the user's own words have it not: a placeholder of what they cannot say, or a
// word of where they go ("to my tasks").
func closed(deed, message string, tokens [][]int) []bool {
	all, place := make([]bool, len(tokens)), words()["onto"].FindStringIndex(message)
	for i, t := range tokens {
		said, may := message[t[0]:t[1]], inside[deed]
		all[i] = said[0] == '{' && (may == nil || !may.MatchString(said)) ||
			deed == "task_create" && place != nil && place[0] <= t[0] && t[1] <= place[1]
	}
	return all
}

// Own is where the user's own words stand in a message of a deed, as tokens from and to; to is 0 if that is not plain.
func Own(deed, message string) (from, to int) { return OwnBy(boundaries(), deed, message) }

// OwnBy is Own by a model.
func OwnBy(m *linear.Model[string], deed, message string) (from, to int) {
	tokens := Tokens(message)
	var begins, ends []float64
	for _, g := range Gaps(deed, message) {
		p := m.Probabilities(g)
		if len(p) < 3 {
			return 0, 0
		}
		begins, ends = append(begins, p[Begins]), append(ends, p[Ends])
	}
	letter := slices.Contains(letters, deed)
	if n := len(ends) - 1; letter {
		ends[n] = max(ends[n], atEnd)
	}
	strange := strangeness(deed, message, tokens)
	shut := closed(deed, message, tokens)
	best, sum := 0.0, 0.0
	for i := range tokens {
		for j := i + 1; j <= len(tokens); j++ {
			if shut[j-1] {
				break
			}
			outside := strange[i] + strange[len(tokens)] - strange[j]
			p := begins[i] * ends[j] * math.Pow(leftOut, outside)
			if sum += p; p > best {
				best, from, to = p, i, j
			}
		}
	}
	least := leastSpan
	if slices.Contains(keeping, deed) {
		least = leastKept
	}
	if best < least*sum || letter && best < leastText {
		return 0, 0
	}
	for to < len(tokens) && to > 0 && !letter && !shut[to] && goesOn(message, tokens[to-1], tokens[to]) {
		to++
	}
	return from, to
}

// strangeness is how much the words before each token are none by which people ask for things. In a mail nothing is.
func strangeness(deed, message string, tokens [][]int) []float64 {
	strange, counts := make([]float64, len(tokens)+1), 1.0
	switch {
	case slices.Contains(letters, deed):
		return strange
	case deed == "note_save":
		counts = allOfNote
	}
	for i, t := range tokens {
		w := strings.ToLower(message[t[0]:t[1]])
		if strange[i+1] = strange[i]; w[0] != '{' {
			strange[i+1] += counts * tells(w)
		}
	}
	return strange
}

// goesOn reports whether a word after the user's own words is one of them: it tells something, and nothing parts them.
func goesOn(message string, last, next []int) bool {
	w := strings.ToLower(message[next[0]:next[1]])
	return w[0] != '{' && strings.TrimSpace(message[last[1]:next[0]]) == "" && tells(w) > telling
}
