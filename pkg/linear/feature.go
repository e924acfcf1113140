// Package linear is a linear classifier of short texts in any language: multinomial logistic regression over hashed
// words, pairs of words and pieces of words, with weights of one byte. It is learned by Learn, and the same sentences
// give the same model.
package linear

import (
	"unicode"
	"unicode/utf8"
)

// What a message is looked at by: its words, its pairs of words, and pieces of 3 to 5 letters in its words, by which
// slips of the keys, endings and unseen words of a known stem still say something.
const (
	maxWords          = 60
	maxLetters        = 30
	minPiece          = 3
	maxPiece          = 5
	offset     uint32 = 2166136261 // of FNV-1a
	prime      uint32 = 16777619
	wordMark   uint32 = 1
	pairMark   uint32 = 2
	pieceMark  uint32 = 3
	edge       rune   = '_'
	beginning  uint32 = 4
)

// Features appends the hashes of what a message is looked at by. Letters count without case and accents, all digits as
// one, and marks not at all. A message costs no more than one of maxWords words.
func Features(text string, to []uint32) []uint32 {
	var room [maxLetters + 2]rune
	before := beginning
	words := 0
	for i := 0; i < len(text) && words < maxWords; {
		word, n := next(text[i:], room[:1])
		i += n
		if len(word) == 1 {
			continue
		}
		words++
		whole := mix(offset, wordMark)
		for _, r := range word[1:] {
			whole = mix(whole, uint32(r))
		}
		to = append(to, spread(whole), spread(mix(mix(mix(offset, pairMark), before), whole)))
		before = whole
		room[0] = edge
		to = pieces(append(word, edge), to)
	}
	return to
}

// next reads the first word of a text behind the edge in to, and how many bytes it took with what stands after it.
func next(text string, to []rune) (word []rune, n int) {
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		n += size
		switch {
		case r == '\'' || r == '’' || r == '׳' || r == '"' || r == '״' || unicode.Is(unicode.Mn, r):
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if len(to) > 1 {
				return to, n
			}
		case len(to) <= maxLetters:
			to = append(to, plain(r))
		}
	}
	return to, n
}

// plain is a letter without case and accent; all digits are 0.
func plain(r rune) rune {
	if unicode.IsDigit(r) {
		return '0'
	}
	r = unicode.ToLower(r)
	switch r {
	case 'á', 'à', 'â', 'ä':
		return 'a'
	case 'é', 'è', 'ê', 'ë':
		return 'e'
	case 'í', 'ì', 'î', 'ï':
		return 'i'
	case 'ó', 'ò', 'ô', 'ö':
		return 'o'
	case 'ú', 'ù', 'û', 'ü':
		return 'u'
	case 'ñ':
		return 'n'
	}
	return r
}

// pieces appends the hashes of the pieces of a word with its edges.
func pieces(word []rune, to []uint32) []uint32 {
	for i := range word {
		h := mix(offset, pieceMark)
		for n := 0; n < maxPiece && i+n < len(word); n++ {
			h = mix(h, uint32(word[i+n]))
			if n+1 >= minPiece {
				to = append(to, spread(h))
			}
		}
	}
	return to
}

func mix(h, v uint32) uint32 { return (h ^ v) * prime }

// spread lets all bits of a hash count in its lowest.
func spread(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	return h ^ h>>16
}
