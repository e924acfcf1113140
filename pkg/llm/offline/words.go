package offline

import (
	"slices"
	"strconv"
	"strings"

	"convene/pkg/when"
)

// lexicon is the words of a language by class, each with its value: what it means in the class, or nothing where it is
// enough that it is in it.
type lexicon map[string]phrases

// lexed is the lexicon of English. Other languages come to its words by what their own mean in it.
var lexed = readLexicon(english)

// valued are the classes whose words have a value.
var valued = []string{"meal", "dish", "talk", "outing", "errand", "venue", "minutes", "short"}

// readLexicon reads the embedded words.txt of a language. A test reads it too, so that it cannot be broken here.
func readLexicon(language string) lexicon {
	l := lexicon{}
	for head, list := range embeddedPhrases(language, "words.txt").other {
		class, value, more := strings.Cut(head, " ")
		if !more || !slices.Contains(valued, class) {
			class, value = head, ""
		}
		if l[class] == nil {
			l[class] = phrases{}
		}
		for _, expressions := range list {
			for _, e := range expressions {
				l[class].add(expression{value, e.words})
			}
		}
	}
	for _, list := range l {
		list.sort()
	}
	return l
}

// values are the first words of a class with the value that each has.
func (l lexicon) values(class string) map[string]string {
	values := map[string]string{}
	for first, list := range l[class] {
		values[first] = list[len(list)-1].name
	}
	return values
}

// set are the first words of a class.
func (l lexicon) set(class string) map[string]bool {
	set := map[string]bool{}
	for first := range l[class] {
		set[first] = true
	}
	return set
}

// list are the phrases of a class, in order.
func (l lexicon) list(class string) []string {
	var list []string
	for _, expressions := range l[class] {
		for _, e := range expressions {
			list = append(list, strings.Join(e.words, " "))
		}
	}
	slices.Sort(list)
	return list
}

// numbers are the values of a class as numbers.
func (l lexicon) numbers(class string) map[string]int {
	numbers := map[string]int{}
	for w, value := range l.values(class) {
		numbers[w], _ = strconv.Atoi(value) // which a test does too
	}
	return numbers
}

// lexed reports what the class says of the words at word i: the value, and how many words that takes, 0 for none.
func (s *sentence) lexed(class string, i int) (value string, n int) {
	return s.phraseAt(i, lexed[class])
}

// What the rules ask of a single word.
var (
	meals, talks, outings = lexed.values("meal"), lexed.values("talk"), lexed.values("outing")
	// errands have the minutes that they usually take, and so do the kinds of activities.
	errands, usualMinutes = lexed.numbers("errand"), lexed.numbers("minutes")
	usualPlace            = lexed.values("venue")
	dishes, dishNames     = lexed.set("dish"), lexed.values("dish")
	neverNames, stopWords = lexed.set("nobody"), lexed.set("small")
	leads                 = lexed.set("lead")
	videoWords            = lexed.list("video")
	noVideoWords          = lexed.list("no video")
	phoneWords            = lexed.list("phone")
	inPersonWords         = lexed.list("in person")
	leisureWords          = lexed.list("leisure")
	travelWords           = lexed.list("travel")
	noTravelWords         = lexed.list("no travel")
	renameWords           = lexed.list("rename")
	shorthand             = lexed.values("short")
	spelling              = when.NewLexicon(lexed.list("spelled"), lexed.list("spelled so"))
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
