package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// languages are those that the rules read, each a folder of data: cues.txt, sentences.json and deeds.txt, and
// beside English also words.txt. Another language is a folder, and its name here.
func languages() []string { return []string{english, "es", "he"} }

// tongue is another language than English: what its words mean, and how it says what the rules say.
type tongue struct {
	Acknowledge acknowledgments `json:"acknowledge"`
	Compose     composer        `json:"compose"`
	// With and And join names, each with the spaces around it.
	With string `json:"with"`
	And  string `json:"and"`
	// Nouns are what people meet for in a title, by the kind of activity. Leaning are nouns that mean something only with
	// the word after them.
	Nouns   map[string]string `json:"nouns"`
	Leaning string            `json:"leaning"`
	// Particles are letters that the language writes in front of a word without a space.
	Particles string `json:"particles"`
	// Telling are words by which the language is told from English.
	Telling string `json:"telling"`
	// Repeating ask for a series, Renaming for another title.
	Repeating []string `json:"repeating"`
	Renaming  []string `json:"renaming"`
	// Not are words that turn down what they stand beside.
	Not []string `json:"not"`
	// Drawn are expressions that stand for longer ones, unless one of the words of DrawnNot stands before them.
	Drawn    map[string]string `json:"drawn"`
	DrawnNot []string          `json:"drawnNot"`
	// Which begins the question for whom of several people a name means.
	Which string `json:"which"`
	// Mine are the words of who speaks as they are said to them, Breaks those that begin another clause, and Joining those
	// that nothing ends with.
	// Clauses join another clause, and Tells begin what someone tells rather than wishes.
	Clauses words             `json:"clauses"`
	Tells   []string          `json:"tells"`
	Mine    map[string]string `json:"mine"`
	Breaks  words             `json:"breaks"`
	Joining words             `json:"joining"`
	// Mischief are words to a machine, which are English in all languages.
	Mischief   []string           `json:"mischief"`
	Courtesies map[topic][]string `json:"courtesies"`
	// At are what may stand before an hour, with the space after it.
	At []string `json:"at"`
	// Spans are how the days are named that "my week" means.
	Spans map[string]string `json:"spans"`
	// Meant are phrases of time that mean something shorter where they stand after an event.
	Meant map[string]string `json:"meant"`
	// Clarify asks for what an operation needs; {words} are the user's that were not understood.
	Clarify map[missing]string `json:"clarify"`

	// words are what the language's expressions mean in English.
	words map[string]string
	// deeds are what follows "I can't", by the words of an order.
	deeds            map[string]string
	leaning, telling map[string]bool
	callings         callings
}

// words is a set of words, written as one text.
type words map[string]bool

// UnmarshalText reads words between spaces.
func (w *words) UnmarshalText(text []byte) error {
	*w = wordSet(string(text))
	return nil
}

// acknowledgments are what is said at once. {what}, {with} and {when} are holes of the promise, each empty or with the
// space in front of it.
type acknowledgments struct {
	Promise string `json:"promise"`
	// What is what to meet for, with its preposition, by the kind of activity.
	What    map[string]string     `json:"what"`
	Changes map[changeKind]string `json:"changes"`
	Topics  map[topic]string      `json:"topics"`
	// Answer goes on after a question, Page opens a booking page, Single says that what others take part in is
	// arranged once.
	Answer string `json:"answer"`
	Page   string `json:"page"`
	Single string `json:"single"`
	Ideas  string `json:"ideas"`
	// Refusals are by the family of what is refused.
	Refusals map[string]refusal `json:"refusals"`
}

// refusal is what is said to an order that belongs to another service: with the hole {deed} for the user's own words,
// or plain where these cannot be repeated.
type refusal struct {
	Named string `json:"named"`
	Plain string `json:"plain"`
}

// hebrewAnd is the And of Hebrew, with the dash that it takes before letters of another script.
const hebrewAnd = " ו־"

// tongues are the languages beside English, read once. A test reads the embedded files, so that they cannot be broken
// here.
var tongues = sync.OnceValue(func() map[string]tongue {
	all := map[string]tongue{}
	for _, language := range languages()[1:] {
		if t, err := readTongue(language); err == nil {
			all[language] = t
		}
	}
	return all
})

// englishTongue is how the rules speak English, read once.
var englishTongue = sync.OnceValue(func() tongue {
	t, _ := readSentences(english)
	return t
})

// tongueOf is how the rules speak a language; English for one that they do not.
func tongueOf(language string) tongue {
	if own, foreign := tongues()[language]; foreign {
		return own
	}
	return englishTongue()
}

// readSentences reads what the rules say in a language, and the orders that they refuse by name.
func readSentences(language string) (t tongue, err error) {
	sentences, err := data.ReadFile("data/" + language + "/sentences.json")
	if err != nil {
		return t, fmt.Errorf("language %s: %w", language, err)
	}
	if err := json.Unmarshal(sentences, &t); err != nil {
		return t, fmt.Errorf("sentences of %s: %w", language, err)
	}
	deeds, err := data.ReadFile("data/" + language + "/deeds.txt")
	if err != nil {
		return t, fmt.Errorf("language %s: %w", language, err)
	}
	t.deeds = meanings(string(deeds))
	return t, nil
}

func readTongue(language string) (t tongue, err error) {
	if t, err = readSentences(language); err != nil {
		return t, err
	}
	words, err := data.ReadFile("data/" + language + "/words.txt")
	if err != nil {
		return t, fmt.Errorf("language %s: %w", language, err)
	}
	t.words, t.leaning, t.telling = meanings(string(words)), wordSet(t.Leaning), wordSet(t.Telling)
	t.callings = readCallings(language)
	return t, nil
}

// meanings are what expressions mean, of a file with a line for each meaning.
func meanings(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		meaning, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for expression := range strings.SplitSeq(list, "|") {
			all[strings.TrimSpace(expression)] = meaning
		}
	}
	return all
}

// inFull is the text with what people draw together written in full: the Hebrew "noon with" is a lunch, unless
// something before it makes it a time of day.
func (t tongue) inFull(text string) string {
	for short, full := range t.Drawn {
		before, after, found := strings.Cut(" "+text+" ", " "+short+" ")
		if last := strings.Fields(before); found &&
			(len(last) == 0 || !t.leaning[last[len(last)-1]] && !slices.Contains(t.DrawnNot, last[len(last)-1])) {
			text = strings.TrimSpace(before + " " + full + " " + after)
		}
	}
	return text
}
