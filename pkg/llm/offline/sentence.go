package offline

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/when"
)

// word is one word of a message, or one mark between words.
type word struct {
	// text is as written, lower as the rules look at it: without capitals, with slips of spelling mended.
	text, lower string
	start, end  int
	// timed words belong to a phrase of time; marks are no words; an address is that of a mailbox, as one word.
	timed, mark, address bool
}

// capital reports whether the word begins with a capital letter.
func (w word) capital() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r)
}

// sentence is a message taken apart.
type sentence struct {
	text  string
	words []word
	// size is how many of the words are no marks; quoted, what stands between two quotation marks; invited, how many words
	// end with the last one for an invitation.
	size    int
	quoted  spanOf
	invited int
	// mailboxes are where addresses stand, which the text itself does not have any more.
	mailboxes []mailbox
	time      when.Reading
	// known are the contacts and the kin whom it mentions; around is what the words around names say in its language.
	known  []mention
	around phraseBook
	// sites are the known places that it names.
	sites []site
	// venue is where, as the message says it.
	venue venue
	// plain is all words in lower case between single spaces, rest those that speak of no time.
	plain, rest string
	// shouted says that the message is written in capitals, which then say nothing.
	shouted bool
	// steps counts the looks at a word, which tests hold to be linear in the length of the message.
	steps int
	// glossed says that the text is the English of another language's, so that nothing can be repeated from it.
	glossed bool
	// language is that of the text: English where it is empty. Said is the message itself in the language whose
	// sentence is the English; nil for any other sentence.
	language string
	said     *sentence
}

// maxText and tailText bound how much of a message is read, in bytes: its beginning, and where it is longer also its
// end. A wish is not longer; what is, is something pasted with the wish before or after it.
const (
	maxText  = 6 << 10
	tailText = 2 << 10
)

// readable is the part of a message that is read.
func readable(text string) string {
	if len(text) <= maxText {
		return text
	}
	head, tail := boundary(text, maxText-tailText), boundary(text, len(text)-tailText)
	return text[:head] + "\n" + text[tail:]
}

func parse(text string, now time.Time, setting when.Setting) sentence {
	return parseAmong(text, now, setting, known{})
}

// known is what a message may mean by some of its words.
type known struct {
	contacts []zoned
	places   []namedPlace
}

// parseAmong is parse of a message with what is known besides.
func parseAmong(text string, now time.Time, setting when.Setting, of known) sentence {
	text = readable(text)
	s := sentence{text: doublyQuoted(withoutLinks(text)), mailboxes: mailboxesIn(text), language: setting.Language}
	s.split()
	s.shouted = s.isShouted()
	s.findPeople(of.contacts, firstOf(setting.Language, english))
	s.findPlaces(of.places)
	s.time = setting.Read(s.masked(setting, now), now)
	s.markTimes()
	s.takeRoles()
	var plain, rest strings.Builder
	for i, w := range s.words {
		if invitations[w.lower] {
			s.invited = i + 1
		}
		if w.mark {
			continue
		}
		s.size++
		plain.WriteString(" " + w.lower)
		if !w.timed {
			rest.WriteString(" " + w.lower)
		}
	}
	s.plain, s.rest = plain.String()+" ", rest.String()+" "
	s.quoted = s.quotation()
	s.venue = s.placeOf()
	return s
}

// singly is what stands in single quotation marks, which are apostrophes between letters.
var singly = regexp.MustCompile(`(^|[\s(:,;])'((?:\p{L}'\p{L}|[^'\n])+)'`)

// doublyQuoted is a text with double quotation marks in the place of single ones.
func doublyQuoted(text string) string {
	if strings.Count(text, "'") < 2 {
		return text
	}
	return singly.ReplaceAllString(text, `$1"$2"`)
}

// isShouted reports whether all words are in capitals, and more than one.
func (s *sentence) isShouted() bool {
	upper := 0
	for _, w := range s.words {
		switch {
		case w.mark:
		case w.text != strings.ToUpper(w.text):
			return false
		case len(w.text) > 1 && unicode.IsUpper(rune(w.text[0])):
			upper++
		}
	}
	return upper > 1
}

// markTimes says which words speak of time.
func (s *sentence) markTimes() {
	i := 0
	for _, e := range s.time.Entities {
		for ; i < len(s.words) && s.words[i].start < e.End; i++ {
			s.words[i].timed = s.words[i].end > e.Start
		}
	}
}

// split finds the words.
func (s *sentence) split() {
	boxes := s.mailboxes
	for i := 0; i < len(s.text); {
		if len(boxes) > 0 && boxes[0].start <= i {
			b := boxes[0]
			boxes = boxes[1:]
			s.words = append(s.words, word{
				text: b.text, lower: strings.ToLower(b.text), start: b.start, end: b.end, address: true,
			})
			i = b.end
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[i:])
		end := i + size
		w := word{start: i, mark: true}
		switch {
		case inWord(r):
			end = s.wordEnd(end)
			w.mark = false
		case shorthand[string(r)] != "":
			w.mark = false
		case unicode.IsSpace(r) || !unicode.IsGraphic(r):
			i = end
			continue
		}
		w.text, w.end = s.text[i:end], end
		w.lower = s.lowered(w, r)
		s.words = append(s.words, w)
		i = end
	}
}

// wordEnd is the end of the word that goes on at byte i.
func (s *sentence) wordEnd(i int) int {
	for i < len(s.text) {
		next, n := utf8.DecodeRuneInString(s.text[i:])
		if !inWord(next) && (!strings.ContainsRune(`-־"`, next) || !joins(s.text[i+n:], next)) {
			break
		}
		i += n
	}
	return i
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) && r != '\uFE0F' && r != '\u20E3' || unicode.IsDigit(r) || r == '\'' ||
		r == '’'
}

// joins reports whether a hyphen goes on as a word: "Smith-Jones"; or a quotation mark, in an abbreviation of Hebrew.
func joins(after string, mark rune) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(r) && (mark != '"' || unicode.Is(unicode.Hebrew, r))
}

func (s *sentence) lowered(w word, first rune) string {
	if p := shorthand[string(first)]; w.mark || p != "" && !unicode.IsLetter(first) {
		return firstOf(p, w.text)
	}
	lower := strings.Trim(strings.ReplaceAll(strings.ToLower(w.text), "’", "'"), "'")
	if len(lower) > 24 || s.language != "" && s.language != english {
		return lower
	}
	if full, ok := shorthand[lower]; ok {
		return full
	}
	return spelling.Correct(lower)
}

// says reports whether one of the phrases stands in the message, as whole words.
func (s *sentence) says(phrases ...string) bool { return contains(s.plain, phrases) }

// saysAside is says of the words that speak of no time.
func (s *sentence) saysAside(phrases ...string) bool { return contains(s.rest, phrases) }

// contains reports whether one of the phrases stands between spaces in a text that begins and ends with one.
func contains(padded string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool {
		for i := 1; i < len(padded); i++ {
			next := strings.Index(padded[i:], p)
			if next < 0 {
				return false
			}
			i += next
			if end := i + len(p); padded[i-1] == ' ' && end < len(padded) && padded[end] == ' ' {
				return true
			}
		}
		return false
	})
}

// begins reports whether the message begins with one of the phrases.
func (s *sentence) begins(phrases ...string) bool {
	for _, p := range phrases {
		if strings.HasPrefix(s.plain, " "+p+" ") {
			return true
		}
	}
	return false
}

// asks reports whether the message ends as a question.
func (s *sentence) asks() bool { return strings.HasSuffix(strings.TrimRight(s.text, " \t\n!"), "?") }

// at is word i, or a mark after either end.
func (s *sentence) at(i int) word {
	s.steps++
	if i < 0 || i >= len(s.words) {
		return word{mark: true}
	}
	return s.words[i]
}

// find is the index of the first word from i on that is one of the words, -1 where there is none.
func (s *sentence) find(i int, words ...string) int {
	for ; i < len(s.words); i++ {
		s.steps++
		for _, w := range words {
			if s.words[i].lower == w {
				return i
			}
		}
	}
	return -1
}
