package place

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"convene/pkg/meet"
)

// Words normalizes s for comparisons: lower case, without accents and apostrophes, "&" as "and", split at everything
// that is neither a letter nor a digit.
func Words(s string) []string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’', r == '‘', r == '`':
		case r == '&':
			b.WriteString(" and ")
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteString(plain(unicode.ToLower(r)))
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// plain replaces letters with strokes and ligatures, which have no accent to remove.
func plain(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'ł':
		return "l"
	case 'đ':
		return "d"
	default:
		return string(r)
	}
}

// Name is the name of a venue, prepared for many comparisons. The zero value is like no other.
type Name struct {
	// words tell venues apart; kinds, as "café", do not. A name of kinds only ("The Café") has them as its words.
	words, kinds []string
	// where are the words of its address and neighbourhood, which people add to a name.
	where []string
	// whole is all words joined, joined only those that tell venues apart.
	whole, joined string
}

// NameOf prepares a name. where is what people may add to it, for example the address or the neighbourhood: "the Philz
// on 24th Street".
func NameOf(name string, where ...string) Name {
	all := Words(name)
	n := Name{whole: strings.Join(all, ""), where: Words(strings.Join(where, " "))}
	for _, w := range all {
		switch {
		case filler(w):
		case kind(w):
			n.kinds = append(n.kinds, w)
		default:
			n.words = append(n.words, w)
		}
	}
	if len(n.words) == 0 {
		n.words, n.kinds = n.kinds, nil
	}
	n.joined = strings.Join(n.words, "")
	return n
}

// Telling are those of a name's words that tell venues apart.
func Telling(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return filler(w) || kind(w) })
}

// Words are the words that tell the venue apart, normalized as by the function Words.
func (n Name) Words() []string { return n.words }

// Joined is those words joined, since "Blue Bottle" is often written "Bluebottle".
func (n Name) Joined() string { return n.joined }

// Whole is all words joined: equal for names that differ in case, accents and spaces only.
func (n Name) Whole() string { return n.whole }

// Likeness is how well a written name fits a venue's: 1 for the same name, 0 for another, and between them the more,
// the larger the written part of the name and the fewer letters are wrong. Every written word must be in the venue's
// name, or else in its address.
func (n Name) Likeness(venue Name) float64 {
	if len(n.words) == 0 || len(venue.words) == 0 {
		return 0
	}
	if n.whole == venue.whole {
		return 1
	}
	if written, name := n.joined, venue.joined; !strings.HasPrefix(name, written) || written == name {
		if like := wordLikeness(written, name); like > 0 {
			return like * 0.97
		}
	}
	found, sum := n.match(venue)
	if found == 0 || found < len(venue.words) && n.namesOtherKind(venue) {
		return 0
	}
	return sum / float64(found) * (0.7 + 0.25*float64(min(found, len(venue.words)))/float64(len(venue.words)))
}

// match counts the words in the venue's name, and sums up how well they fit. Both are 0 if a word is neither there nor
// in the address.
func (n Name) match(venue Name) (found int, sum float64) {
	for _, w := range n.words {
		best := 0.0
		for _, v := range venue.words {
			best = max(best, wordLikeness(w, v))
		}
		switch {
		case best > 0:
			found++
			sum += best
		case !slices.Contains(venue.where, w) && !likeAny(w, venue.kinds):
			return 0, 0
		}
	}
	return found, sum
}

func likeAny(w string, words []string) bool {
	return slices.ContainsFunc(words, func(v string) bool { return wordLikeness(w, v) > 0 })
}

// namesOtherKind reports whether the written name has a kind that the venue's lacks: "Golden Gate Bakery" is not the
// Golden Gate Park, though "Zuni Restaurant" is the Zuni Café, whose other words all match.
func (n Name) namesOtherKind(venue Name) bool {
	return slices.ContainsFunc(n.kinds, func(k string) bool { return !slices.Contains(venue.kinds, k) })
}

// wordLikeness compares two words: 1 for equal ones, less for a prefix or a misspelling, 0 for different ones.
func wordLikeness(written, word string) float64 {
	switch {
	case written == word:
		return 1
	case len(written) >= 4 && strings.HasPrefix(word, written):
		return 0.9
	case Misspelt(written, word):
		return 0.8
	default:
		return 0
	}
}

// Misspelt reports whether written is probably the word with one letter wrong, or two in a long one. Words of up to
// three letters must be exact: "Bix" and "Bit" differ in one letter.
func Misspelt(written, word string) bool {
	allowed := misspellings(written, word)
	return allowed > 0 && Typos(written, word, allowed) <= allowed
}

// misspellings is how many wrong letters words of that length may have.
func misspellings(a, b string) int {
	switch n := min(len(a), len(b)); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	default:
		return 2
	}
}

// Typos counts the letters to insert, delete, replace or swap with their neighbour to turn a into b (optimal string
// alignment). Anything above limit, and any difference between words of 48 letters and more, is reported as limit+1.
func Typos(a, b string, limit int) int {
	if a == b {
		return 0
	}
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	var space [3][48]int16
	if len(b) >= len(space[0]) {
		return limit + 1
	}
	rows := [3][]int16{space[0][:len(b)+1], space[1][:len(b)+1], space[2][:len(b)+1]}
	for j := range rows[1] {
		rows[1][j] = int16(j)
	}
	for i := 1; i <= len(a); i++ {
		older, above, row := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		row[0] = int16(i)
		least := row[0]
		for j := 1; j <= len(b); j++ {
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
			least = min(least, row[j])
		}
		if int(least) > limit {
			return limit + 1
		}
	}
	return min(int(rows[(len(a)+1)%3][len(b)]), limit+1)
}

func differ(a, b byte) int16 {
	if a == b {
		return 0
	}
	return 1
}

// FirstNamed is the first of the places whose name or address fits the name; ok is false if none does.
func FirstNamed(found []meet.Place, name string) (p meet.Place, ok bool) {
	wanted := NameOf(name)
	fits := func(p meet.Place) bool { return wanted.Likeness(NameOf(p.Name, p.Address)) > 0 }
	if i := slices.IndexFunc(found, fits); i >= 0 {
		return found[i], true
	}
	return p, false
}

// filler reports whether a word means nothing in a name.
func filler(w string) bool {
	switch w {
	case "the", "a", "an", "and", "of", "at", "in", "on", "by":
		return true
	default:
		return false
	}
}

// kind reports whether a word describes the sort of venue.
func kind(w string) bool {
	switch w {
	case "cafe", "caffe", "coffee", "coffeehouse", "roasters", "restaurant", "bar", "pub", "bistro", "kitchen", "grill",
		"eatery", "bakery", "company", "co", "inc", "shop", "house", "street", "st", "avenue", "ave", "sf":
		return true
	default:
		return false
	}
}
