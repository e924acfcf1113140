package embedding

import (
	"context"
	"hash/fnv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Hashed is the built-in model: the words of a text and their pieces of three to five letters, each at a dimension that
// its hash chooses. Texts with words of common origin are near each other, in any language. It needs nothing and never
// fails. The zero value is ready for use.
type Hashed struct{}

// Name has the version of the rules: raise it when the same text gets another vector.
func (Hashed) Name() string { return "hashed-1" }

// Near is above what texts without a common word have by chance.
func (Hashed) Near() float64 { return 0.3 }

// Embed makes the vectors.
func (Hashed) Embed(_ context.Context, texts []string) ([]Vector, error) {
	vectors := make([]Vector, len(texts))
	for i, text := range texts {
		vectors[i] = hashed(text)
	}
	return vectors, nil
}

// Pieces are substrings of a word with its edges marked. All of a word's pieces together weigh as much as the word.
const shortestPiece, longestPiece = 3, 5

func hashed(text string) Vector {
	full := make([]float32, Dimensions)
	bare := strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(text)))
	for word := range strings.FieldsFuncSeq(bare, apart) {
		letters := []rune("^" + word + "$")
		weight := weightOf(len(letters) - 2)
		add(full, word, weight)
		var pieces []string
		for size := shortestPiece; size <= min(longestPiece, len(letters)-1); size++ {
			for i := 0; i+size <= len(letters); i++ {
				pieces = append(pieces, string(letters[i:i+size]))
			}
		}
		for _, piece := range pieces {
			add(full, piece, weight/float32(len(pieces))*2)
		}
	}
	return Quantize(full)
}

// weightOf is how much a word of that many letters says: the shortest words of most languages join others.
func weightOf(letters int) float32 { return min(1, float32(letters*letters)/16) }

// add adds a feature at the dimension of its hash, whose last bit is its sign.
func add(full []float32, feature string, weight float32) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(feature)) // never fails
	sum := h.Sum64()
	sum ^= sum >> 29 // the low bits of FNV alone are uneven
	if sum>>32&1 == 1 {
		weight = -weight
	}
	full[sum%Dimensions] += weight
}

func apart(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
