package stages

import (
	"slices"
	"strings"
)

// recital is how many words in a row of the instructions give away that they are repeated. Fewer may be said by chance:
// that Convene finds a time and a place for people to meet.
const recital = 12

// instructions are what the models are told beside the data, by their words in lower case.
type instructions struct {
	words []string
	// at is where each word stands.
	at map[string][]int
}

func instructionsOf(text string) instructions {
	told := instructions{words: words(text), at: map[string][]int{}}
	for i, word := range told.words {
		told.at[word] = append(told.at[word], i)
	}
	return told
}

// recitedIn reports whether a model repeats them in its arguments, which nobody but somebody else wants it to.
func (told instructions) recitedIn(arguments string) bool {
	said := words(unescaped(arguments))
	for start := range len(said) - recital + 1 {
		run := said[start : start+recital]
		for _, i := range told.at[run[0]] {
			if i+recital <= len(told.words) && slices.Equal(run, told.words[i:i+recital]) {
				return true
			}
		}
	}
	return false
}

// unescaped has spaces in place of what stands for them in JSON.
func unescaped(arguments string) string {
	for _, escape := range [...]string{`\n`, `\t`, `\"`} {
		arguments = strings.ReplaceAll(arguments, escape, " ")
	}
	return arguments
}
