package place

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/meet"
)

// Wish is the text of a query, taken apart for a source that only knows words to look for. The zero value wishes for
// nothing in particular.
type Wish struct {
	// Text is what to look for: the text without what follows.
	Text string
	// Area is the town or the part of town that the text says to look in, Landmark what it says to be near to. At most
	// one of each is read, and "the" before it is left out, which PartOfTown remembers: nobody says "in the Berlin".
	Area, Landmark string
	PartOfTown     bool
	// Refused are the names and kinds that must not be.
	Refused []string
	// Close says that the query's midpoint is a landmark too.
	Close bool
}

// WishFor is the wish of a query: what its text says, and what its other fields say, which go before it.
func WishFor(q meet.PlaceQuery) Wish {
	w := WishOf(q.Text)
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
	maxWish      = 4096
	maxWishWords = 64
)

// WishOf reads a text: "quiet, in the Mission, not Zuni" looks for "quiet", there, and not for that one. A town or a
// landmark is recognised by its capital.
func WishOf(text string) Wish {
	words := strings.Fields(strings.ToValidUTF8(text[:min(len(text), maxWish)], ""))
	words = words[:min(len(words), maxWishWords)]
	var w Wish
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

// Somewhere reports whether the wish says where to look.
func (w Wish) Somewhere() bool { return w.Area != "" || w.Landmark != "" || w.Close }

// Settled reports whether a search says where people meet: it names a venue, or an area to look in.
func Settled(q meet.PlaceQuery) bool { return q.Name != "" || WishOf(q.Text).Somewhere() }

// take reads what the words begin with, if that is more than something to look for, and gives how many words it was.
func (w *Wish) take(words []string) int {
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

// refuse reads what must not be, up to a comma or something else that begins.
func (w *Wish) refuse(words []string) int {
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

// properName is the name that the words begin with, without "the", and how many words it takes; none where the first
// has no capital.
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

// Refuses reports whether the wish names this venue, one of its kinds or something it has as what must not be.
func (w Wish) Refuses(name Name, has []string) bool {
	return slices.ContainsFunc(w.Refused, func(refused string) bool {
		words := Words(refused)
		return NameOf(refused).Likeness(name) >= sureLikeness || slices.ContainsFunc(has, func(one string) bool {
			return slices.Equal(Words(one), words)
		})
	})
}

// sureLikeness is how much alike two names must be to be taken for the same without having been given as a name.
const sureLikeness = 0.85
