package note

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"convene/pkg/agenda"
	"convene/pkg/embedding"
)

// Hit is a note that fits what was asked for.
type Hit struct {
	Note
	// Share is how much of the question's weight the note has words for: 1 for all of them, and 0 if it is near in meaning
	// alone.
	Share float64
}

// Search are the notes that fit a question, the best first. Those near in meaning are given, the nearest first, by
// their indices. Both orders are joined by reciprocal rank fusion.
func Search(question string, notes []Note, near []embedding.Near) []Hit {
	scores := map[int]float64{}
	worded, shares := ranked(question, notes)
	for rank, i := range worded {
		scores[i] += 1 / float64(fusion+rank+1)
	}
	for rank, n := range near {
		scores[n.Index] += 1 / float64(fusion+rank+1)
	}
	hits := make([]Hit, 0, len(scores))
	order := make([]int, 0, len(scores))
	for i := range scores {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), notes[b].Created.Compare(notes[a].Created), cmp.Compare(a, b))
	})
	for _, i := range order {
		hits = append(hits, Hit{notes[i], shares[i]})
	}
	return hits
}

// fusion is the constant of reciprocal rank fusion: how little the first ranks count more than the next.
const fusion = 60

// The constants of BM25: how soon repetition stops counting, and how much the length of a note counts.
const (
	saturation = 1.2
	lengthens  = 0.75
)

// leastShare is how much of a question's weight a note must have words for. A word that no note has weighs unknown.
const (
	leastShare = 0.4
	unknown    = 1
)

// ranked are the indices of the notes that have words of a question, the best first by BM25. Words are compared as
// those of titles are: without accents, endings and Hebrew prefixes, and with a slip of the keys if no note has them
// without. Shares are those of the notes in order; of others they are 0.
func ranked(question string, notes []Note) (order []int, shares []float64) {
	terms := termsOf(question)
	shares = make([]float64, len(notes))
	if len(terms) == 0 {
		return nil, shares
	}
	in := newIndex(notes)
	scores, whole := make([]float64, len(notes)), 0.0
	for _, term := range terms {
		counts, having := in.count(term)
		if having == 0 {
			whole += unknown
			continue
		}
		weight := math.Log(1 + (float64(len(notes)-having)+0.5)/(float64(having)+0.5))
		whole += weight
		for i, n := range counts {
			if n > 0 {
				long := 1 - lengthens + lengthens*float64(len(in.notes[i]))/in.average
				scores[i] += weight * n * (saturation + 1) / (n + saturation*long)
				shares[i] += weight
			}
		}
	}
	for i := range notes {
		if shares[i] = share(shares[i], whole); scores[i] > 0 && shares[i] >= leastShare {
			order = append(order, i)
		} else {
			shares[i] = 0
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order, shares
}

//go:embed idle.txt
var idleTxt string

// idle are the stems of words that say nothing about what a note is about.
var idle = sync.OnceValue(func() map[string]bool {
	_, words, _ := strings.Cut(idleTxt, "\n") // after the comment
	all := map[string]bool{}
	for _, w := range agenda.Stems(words) {
		all[w] = true
	}
	return all
})

// Subject is a question without the words that say nothing about what a note is about; all of it if none does.
func Subject(question string) string {
	terms := termsOf(question)
	said := slices.DeleteFunc(strings.Fields(question), func(w string) bool {
		return !slices.ContainsFunc(agenda.Stems(w), func(stem string) bool { return slices.Contains(terms, stem) })
	})
	return strings.Join(said, " ")
}

// termsOf are the stems of a question that say what it is about; all of them if none does.
func termsOf(question string) []string {
	said := agenda.CallingOf(question)
	all := slices.Concat(said.Names, said.Kinds)
	terms := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return idle()[w] })
	if len(terms) == 0 {
		return all
	}
	return terms
}

// index has the words of notes, each by its number in the vocabulary.
type index struct {
	notes      [][]int
	vocabulary map[string]int
	// average is the mean number of words of a note, at least 1.
	average float64
}

// lettersOfWord is about how many bytes a word of a note has, with what stands after it.
const lettersOfWord = 5

// newIndex stems each word once, however many notes have it.
func newIndex(notes []Note) index {
	in, total := index{notes: make([][]int, len(notes)), vocabulary: map[string]int{}}, 0
	written := map[string][]int{}
	for i, n := range notes {
		in.notes[i] = make([]int, 0, len(n.Text)/lettersOfWord)
		for _, text := range append([]string{n.Text}, n.Tags...) {
			for word := range strings.FieldsSeq(text) {
				numbers, known := written[word]
				if !known {
					numbers = in.numbers(agenda.Stems(word))
					written[word] = numbers
				}
				in.notes[i] = append(in.notes[i], numbers...)
			}
		}
		total += len(in.notes[i])
	}
	in.average = max(1, float64(total)/float64(max(1, len(notes))))
	return in
}

func (in index) numbers(stems []string) (all []int) {
	for _, w := range stems {
		if _, known := in.vocabulary[w]; !known {
			in.vocabulary[w] = len(in.vocabulary)
		}
		all = append(all, in.vocabulary[w])
	}
	return all
}

// count is how often each note has a term, and how many have it.
func (in index) count(term string) (counts []float64, having int) {
	counts = make([]float64, len(in.notes))
	for _, same := range []func(a, b string) bool{agenda.SameThing, agenda.Similar} {
		meant, some := make([]bool, len(in.vocabulary)), false
		for w, number := range in.vocabulary {
			meant[number] = same(term, w)
			some = some || meant[number]
		}
		if !some {
			continue
		}
		for i, words := range in.notes {
			for _, w := range words {
				if meant[w] {
					counts[i]++
				}
			}
			if counts[i] > 0 {
				having++
			}
		}
		return counts, having
	}
	return counts, 0
}

// share is a part of a whole, which is 1 for all of it.
func share(part, whole float64) float64 {
	const rounding = 1e-9
	if whole-part < rounding*whole {
		return 1
	}
	return part / whole
}
