package stages

import "strings"

// recital is how many words in a row of the instructions give away that they are repeated. Fewer may be said by chance:
// that Convene finds a time and a place for people to meet.
const recital = 12

// instructions are what the models are told beside the data, as words in lower case with a space between them.
type instructions string

func instructionsOf(text string) instructions {
	return instructions(" " + strings.Join(words(text), " ") + " ")
}

// recitedIn reports whether a model repeats them in its arguments, which nobody but somebody else wants it to.
func (i instructions) recitedIn(arguments string) bool {
	said := words(strings.NewReplacer(`\n`, " ", `\t`, " ", `\"`, " ").Replace(arguments))
	for start := range len(said) - recital + 1 {
		if strings.Contains(string(i), " "+strings.Join(said[start:start+recital], " ")+" ") {
			return true
		}
	}
	return false
}
