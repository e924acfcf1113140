package offline

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// phraseBook is what a file of phrases about places says, by what each means. Those of features stand apart.
type phraseBook struct {
	features phrases
	// words are the features that are a single word.
	words map[string]bool
	other map[string]phrases
}

// phrases are expressions by their first word, the longest first.
type phrases map[string][]expression

func (p phrases) add(e expression) { p[e.words[0]] = append(p[e.words[0]], e) }

func (p phrases) sort() {
	for _, list := range p {
		slices.SortStableFunc(list, func(a, b expression) int { return len(b.words) - len(a.words) })
	}
}

// expression is a phrase with what it means.
type expression struct {
	name  string
	words []string
}

// The embedded ones, each read once. A test reads the embedded files, so that they cannot be broken here.
var (
	placeBook = sync.OnceValue(func() phraseBook { return embeddedPhrases(english, "places.txt") })
	titleBook = sync.OnceValue(func() callings { return readCallings(english) })
	// changeBooks are what people say to change an event, by language; "" is English too.
	changeBooks = sync.OnceValue(func() map[string]phraseBook {
		books := map[string]phraseBook{}
		for _, language := range languages() {
			books[language] = embeddedPhrases(language, "changes.txt")
		}
		books[""] = books[english]
		return books
	})
)

// embeddedPhrases are those of a language's file; none if it has no such file.
func embeddedPhrases(language, name string) phraseBook {
	text, err := data.ReadFile("data/" + language + "/" + name)
	if err != nil {
		return phraseBook{}
	}
	book, err := readPhrases(string(text))
	if err != nil {
		return phraseBook{}
	}
	return book
}

// readPhrases reads the form that the file describes. In a line without bars each word is a phrase.
func readPhrases(text string) (phraseBook, error) {
	book := phraseBook{features: phrases{}, words: map[string]bool{}, other: map[string]phrases{}}
	classes := map[string][]string{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		head, list, found := strings.Cut(line, ":")
		if !found {
			return book, fmt.Errorf("phrases: no colon in %q", line)
		}
		if class, ok := strings.CutPrefix(head, "= "); ok {
			classes[class] = strings.Fields(list)
			continue
		}
		if book.other[head] == nil {
			book.other[head] = phrases{}
		}
		separate := strings.Fields
		if strings.Contains(list, "|") {
			separate = func(list string) []string { return strings.Split(list, "|") }
		}
		for _, phrase := range separate(list) {
			for _, words := range spelledOut(strings.Fields(phrase), classes) {
				book.add(head, words)
			}
		}
	}
	book.features.sort()
	for _, list := range book.other {
		list.sort()
	}
	return book, nil
}

// add takes a phrase in under what it means.
func (b phraseBook) add(head string, words []string) {
	name, isFeature := strings.CutPrefix(head, "feature ")
	switch {
	case len(words) == 0: // after the last bar of a line
	case isFeature:
		b.features.add(expression{name, words})
		b.words[words[0]] = b.words[words[0]] || len(words) == 1
	default:
		b.other[head].add(expression{head, words})
	}
}

// spelledOut is a phrase with each word of the classes that it has, where it has any.
func spelledOut(words []string, classes map[string][]string) [][]string {
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "<") })
	if i < 0 {
		return [][]string{words}
	}
	var all [][]string
	for _, word := range classes[strings.Trim(words[i], "<>")] {
		all = append(all, spelledOut(slices.Concat(words[:i], []string{word}, words[i+1:]), classes)...)
	}
	return all
}

// featureWord reports whether a word alone wishes for a feature.
func featureWord(w string) bool { return placeBook().words[w] }

// phraseAt is the longest of the phrases at word i, and how many words it has; 0 for none. A single word that speaks of
// time is none.
func (s *sentence) phraseAt(i int, list phrases) (name string, n int) {
	for _, e := range list[s.at(i).lower] {
		n := 0
		for n < len(e.words) && s.at(i+n).lower == e.words[n] && (!s.at(i+n).timed || len(e.words) > 1) {
			n++
		}
		if n == len(e.words) {
			return e.name, n
		}
	}
	return "", 0
}

// of is phraseAt for the phrases of one key.
func (s *sentence) of(key string, i int) int {
	_, n := s.phraseAt(i, placeBook().other[key])
	return n
}

// speaksOf reports whether a phrase of the key stands anywhere in the message.
func (s *sentence) speaksOf(key string) bool {
	for i := range s.words {
		if s.of(key, i) > 0 {
			return true
		}
	}
	return false
}

// readFeatures reads what a place should have, and what it need not have any more.
func (s *sentence) readFeatures(v *venue) {
	for i := 0; i < len(s.words); i++ {
		name, n := s.phraseAt(i, placeBook().features)
		if n == 0 {
			continue
		}
		switch {
		case s.endsHere("drop", i):
			v.dropped = append(v.dropped, name)
		case s.endsHere("denied", i):
		case !slices.Contains(v.features, name):
			v.features = append(v.features, name)
		}
		v.wished.add(i, i+n)
		i += n - 1
	}
	v.features = slices.DeleteFunc(v.features, func(f string) bool { return slices.Contains(v.dropped, f) })
}

// endsHere reports whether a phrase of the key ends right before word i, but for an article.
func (s *sentence) endsHere(key string, i int) bool {
	for {
		for from := max(0, i-maxPlaceWords); from < i; from++ {
			if n := s.of(key, from); n > 0 && from+n == i {
				return true
			}
		}
		if article := s.at(i - 1).lower; article != "a" && article != "the" && article != "so" && article != "that" {
			return false
		}
		i--
	}
}

// private reports whether people meet where nobody has to look for a venue: at an office, and not near it.
func (s *sentence) private(v *venue) bool {
	if v.spot.to > 0 {
		return true
	}
	for i := range s.words {
		if s.of("private", i) > 0 && !v.covers(i) {
			return true
		}
	}
	return false
}

// whereabouts is where a place should be, as a message says it.
type whereabouts struct {
	area, landmark, person, anchor string
	// anywhere says that it need be nowhere in particular any more.
	anywhere bool
}

func (w whereabouts) empty() bool { return w == whereabouts{} }

// Who is meant by "me", and by "their office" before it is known whose that is.
const (
	organizer = "me"
	somebody  = "them"
)

// readWhere reads "near my office", "close to Al's place", "between us".
func (s *sentence) readWhere(v *venue) {
	for i := 0; i < len(s.words); i++ {
		if v.covers(i) || s.at(i).timed {
			continue
		}
		n := s.of("between", i) + s.of("anywhere", i)
		if n > 0 {
			v.where.anywhere = true
		} else if n = s.of("mine", i); n > 0 {
			v.where.person, v.where.anchor = organizer, "location"
		} else {
			n = s.nearWhom(i, v)
		}
		if n > 0 {
			v.used.add(i, i+n)
			i += n - 1
		}
	}
}

// nearWhom reads whom a place should be close to, at word i, and gives how many words that takes; 0 where it is nobody.
func (s *sentence) nearWhom(i int, v *venue) int {
	near := s.of("near", i)
	if near == 0 || s.at(i-1).lower == "not" && s.at(i).lower != "far" {
		return 0
	}
	j := i + near
	person, anchor, n := "", "location", 0
	switch {
	case s.of("office", j) > 0:
		person, anchor, n = organizer, "office", s.of("office", j)
	case s.of("myself", j) > 0 && !s.at(j+s.of("myself", j)).capital():
		person, n = organizer, s.of("myself", j)
	case s.of("somebody", j) > 0 && (s.at(j+1).mark || s.at(j+1).timed):
		person, n = somebody, 1
	default:
		person, anchor, n = s.whosePlace(j)
	}
	if n == 0 || s.at(i).lower == "from" && anchor != "office" {
		return 0
	}
	v.where.person, v.where.anchor = person, anchor
	return near + n
}

// whosePlace reads "Al's office", "their place" at word j.
func (s *sentence) whosePlace(j int) (person, anchor string, n int) {
	name, possessive := strings.CutSuffix(s.at(j).text, "'s")
	if !possessive {
		name, possessive = strings.CutSuffix(s.at(j).text, "’s")
	}
	if s.of("whose", j) > 0 {
		name, possessive = somebody, true
	}
	switch {
	case !possessive || name == "":
		return "", "", 0
	case s.of("workplace", j+1) > 0:
		return name, "office", 1 + s.of("workplace", j+1)
	case s.of("residence", j+1) > 0:
		return name, "location", 1 + s.of("residence", j+1)
	default:
		return "", "", 0
	}
}

// among makes someone of a landmark who is among the people that a conversation knows, and of "their office" that of
// the only one who takes part.
func (w whereabouts) among(taking, known []string) whereabouts {
	if w.person == somebody {
		w.person = ""
		if len(taking) == 1 {
			w.person = taking[0]
		} else {
			w.anchor = ""
		}
	}
	for _, name := range slices.Concat(taking, known) {
		first, _, _ := strings.Cut(name, " ")
		for _, called := range []string{name, first} {
			if w.landmark != "" && strings.EqualFold(strings.TrimSuffix(w.landmark, "'s"), called) {
				w.person, w.anchor, w.landmark = called, "location", ""
			}
		}
	}
	return w
}

// argument is the whereabouts as a function takes them, nil where there are none.
func (w whereabouts) argument() *whereArguments {
	if w.empty() {
		return nil
	}
	anchor := w.anchor
	if w.person == "" {
		anchor = "none"
	}
	return &whereArguments{Area: w.area, Landmark: w.landmark, Person: w.person, Anchor: firstOf(anchor, "none")}
}
