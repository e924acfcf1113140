package stages

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// words are the words of a text, in lower case and without punctuation.
func words(s string) []string {
	return strings.FieldsFunc(fold(s), betweenWords)
}

func betweenWords(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// says reports whether a word is among those said. Hebrew writes small words as a prefix of it.
func says(said []string, word string) bool {
	return slices.ContainsFunc(said, func(w string) bool {
		before, ok := strings.CutSuffix(w, word)
		return ok && (before == "" || len([]rune(before)) <= 2 && strings.Trim(before, "ולבמשהכ") == "")
	})
}

// together reports whether one list of words is a run in the other, and not empty.
func together(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) > 0 && strings.Contains(" "+strings.Join(b, " ")+" ", " "+strings.Join(a, " ")+" ")
}

// sayings are the words of an answer without filler: a name, say, perhaps in another script than the choices.
func sayings(answer string) []string {
	return slices.DeleteFunc(words(answer), func(w string) bool { return filler[w] })
}

// filler are words around the name in an answer.
var filler = map[string]bool{
	"the": true, "one": true, "i": true, "mean": true, "meant": true, "please": true, "it": true, "s": true, "is": true,
	"with": true, "option": true, "number": true, "that": true, "would": true, "be": true, "oh": true, "sorry": true,
	"el": true, "la": true, "con": true, "me": true, "refiero": true, "a": true, "quiero": true, "decir": true,
	"עם": true, "את": true, "של": true, "התכוונתי": true, "אני": true, "מתכוון": true, "מתכוונת": true, "בבקשה": true,
}

// ordinals are the positions in a list, by language and gender.
var ordinals = [][]string{
	{"first", "second", "third", "fourth", "fifth", "sixth"},
	{"primero", "segundo", "tercero", "cuarto", "quinto", "sexto"},
	{"primera", "segunda", "tercera", "cuarta", "quinta", "sexta"},
	{"הראשון", "השני", "השלישי", "הרביעי", "החמישי", "השישי"},
	{"הראשונה", "השנייה", "השלישית", "הרביעית", "החמישית", "השישית"},
}

// position reads "second", "2" or "2nd".
func position(said []string) (n int, ok bool) {
	if len(said) != 1 {
		return 0, false
	}
	for _, names := range ordinals {
		if i := slices.Index(names, said[0]); i >= 0 {
			return i + 1, true
		}
	}
	n, err := strconv.Atoi(strings.TrimRight(said[0], "stndrh"))
	return n, err == nil
}

// recital is how many words of the instructions in a row count as a repetition. Fewer may be chance: that Convene finds
// a time and a place for people to meet.
const recital = 12

// instructions are the words of the models' prompts without the data, in lower case.
type instructions struct {
	words []string
	// at is the positions of each word.
	at map[string][]int
}

func instructionsOf(text string) instructions {
	in := instructions{words: words(text), at: map[string][]int{}}
	for i, word := range in.words {
		in.at[word] = append(in.at[word], i)
	}
	return in
}

// recitedIn reports whether a model repeats them in its arguments; only an injected instruction would ask for this.
func (in instructions) recitedIn(arguments string) bool {
	// row is the latest run of words that all occur in the instructions.
	var row []string
	for word := range strings.FieldsFuncSeq(fold(unescaped(arguments)), betweenWords) {
		if in.at[word] == nil {
			row = row[:0]
			continue
		}
		row = append(row, word)
		if len(row) >= recital && in.have(row[len(row)-recital:]) {
			return true
		}
	}
	return false
}

// have reports whether the words are a run in the instructions.
func (in instructions) have(row []string) bool {
	return slices.ContainsFunc(in.at[row[0]], func(i int) bool {
		return i+len(row) <= len(in.words) && slices.Equal(row, in.words[i:i+len(row)])
	})
}

// unescaped replaces JSON's escapes for white space by spaces.
func unescaped(text string) string { return strings.NewReplacer(`\n`, " ", `\t`, " ").Replace(text) }
