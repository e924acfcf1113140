package place

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/meet"
)

// Criteria are the text of a query, taken apart for a source that searches by words. The zero value accepts any place.
type Criteria struct {
	// Text is what to look for, without the parts below.
	Text string
	// Area is the town or the part of town to look in, Landmark what to be near to. At most one of each is read, without
	// "the", which PartOfTown records: nobody says "in the Berlin".
	Area, Landmark string
	PartOfTown     bool
	// Refused are names and kinds to leave out.
	Refused []string
	// Close says that the query's midpoint is a landmark too.
	Close bool
}

// CriteriaFor combines a query's text with its other fields, which take precedence.
func CriteriaFor(q meet.PlaceQuery) Criteria {
	w := ParseCriteria(q.Text)
	if area := strings.Fields(q.Area); len(area) > 0 {
		w.PartOfTown = isThe(area[0])
		w.Area = withoutThe(q.Area)
	}
	if q.Landmark != "" {
		w.Landmark = withoutThe(q.Landmark)
	}
	w.Close = q.Close && q.Near != nil && w.Landmark == ""
	w.Refused = append(w.Refused, q.Excluded...)
	return w
}

func withoutThe(name string) string {
	words := strings.Fields(name)
	if len(words) > 1 && isThe(words[0]) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// maxWish bounds how much of a text is read, in bytes and in words. Nobody asks for a place in more.
const (
	maxText  = 4096
	maxWords = 64
)

// ParseCriteria reads a text: "quiet, in the Mission, not Zuni" looks for "quiet", there, and not for that venue. A
// town or a landmark is recognised by its capital.
func ParseCriteria(text string) Criteria {
	words := strings.Fields(strings.ToValidUTF8(text[:min(len(text), maxText)], ""))
	words = words[:min(len(words), maxWords)]
	var w Criteria
	var left []string
	for len(words) > 0 {
		n := w.take(words)
		if n == 0 {
			left, n = append(left, words[0]), 1
		}
		words = words[n:]
	}
	w.Text = strings.Trim(strings.Join(left, " "), " ,;.!?")
	return w
}

// Somewhere reports whether the criteria say where to look.
func (w Criteria) Somewhere() bool { return w.Area != "" || w.Landmark != "" || w.Close }

// Settled reports whether a query names a venue or an area.
func Settled(q meet.PlaceQuery) bool { return q.Name != "" || ParseCriteria(q.Text).Somewhere() }

// take reads a leading area, landmark or refusal, and returns its number of words; 0 for a word to look for.
func (w *Criteria) take(words []string) int {
	switch strings.ToLower(words[0]) {
	case "in":
		name, n := properName(words[1:])
		if n == 0 || w.Area != "" {
			return 0
		}
		w.Area, w.PartOfTown = name, isThe(words[1])
		return 1 + n
	case "near", "by", "around", "beside":
		name, n := properName(words[1:])
		if n == 0 || w.Landmark != "" {
			return 0
		}
		w.Landmark = name
		return 1 + n
	case "not", "no", "without", "except", "avoid":
		return 1 + w.refuse(words[1:])
	default:
		return 0
	}
}

// refuse reads names and kinds to leave out, up to a comma or a word that begins something else.
func (w *Criteria) refuse(words []string) int {
	var refused []string
	keep := func() {
		if len(refused) > 0 {
			w.Refused = append(w.Refused, strings.Join(refused, " "))
		}
		refused = nil
	}
	defer keep()
	for i, word := range words {
		bare := strings.TrimRight(word, ",;.!?")
		switch strings.ToLower(bare) {
		case "at", "to", "the", "a", "an", "too":
		case "or", "nor":
			keep()
		case "in", "near", "but", "not", "with", "and":
			return i
		default:
			refused = append(refused, bare)
		}
		if bare != word {
			return i + 1
		}
	}
	return len(words)
}

// properName is the leading name, without "the", and its number of words; none if its first word has no capital.
func properName(words []string) (name string, n int) {
	var parts []string
	if len(words) > 0 && isThe(words[0]) {
		n = 1
	}
	for ; n < len(words); n++ {
		first, _ := utf8.DecodeRuneInString(words[n])
		if !unicode.IsUpper(first) && (!unicode.IsDigit(first) || len(parts) == 0) {
			break
		}
		bare := strings.TrimRight(words[n], ",;.!?")
		parts = append(parts, bare)
		if bare != words[n] {
			n++
			break
		}
	}
	if len(parts) == 0 {
		return "", 0
	}
	return strings.Join(parts, " "), n
}

func isThe(word string) bool { return strings.EqualFold(word, "the") }

// Refuses reports whether the criteria leave out this venue, one of its kinds or a feature of it.
func (w Criteria) Refuses(name Name, has []string) bool {
	return slices.ContainsFunc(w.Refused, func(refused string) bool {
		words := Words(refused)
		return NameOf(refused).Likeness(name) >= SureLikeness || slices.ContainsFunc(has, func(one string) bool {
			return slices.Equal(Words(one), words)
		})
	})
}

// SureLikeness is the Likeness from which a venue counts as meant, even where no name was asked for.
const SureLikeness = 0.85
