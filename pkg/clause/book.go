package clause

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed data
var data embed.FS

// book is how a language joins clauses, and the frames of those that are read here. See data/en.txt for the form.
type book struct {
	forms map[string]*regexp.Regexp
	// frames are the parts of a frame, in the order in which they are tried; "head" begins it.
	frames  map[string][]part
	phrases map[string]string
	numbers map[string]int
	// joins are what stands between clauses, listed what does so in a list with numbers.
	joins, listed *regexp.Regexp
}

// part is a part of a frame. Open says that words of any kind follow it, whole that these are all the rest.
type part struct {
	name        string
	form        *regexp.Regexp
	open, whole bool
}

var books = sync.OnceValue(func() map[string]*book {
	all := map[string]*book{}
	entries, _ := data.ReadDir("data")
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		if b, err := readBook(name); err == nil { // a test rules errors out
			all[name] = b
		}
	}
	return all
})

// slots are what stands for a mark of each kind in the forms of a book.
var slots = strings.NewReplacer(
	"{q}", `‹q\d+›`, "{p}", `‹p\d+›`, "{a}", `‹a\d+›`, "{t}", `‹t\d+›`, "{l}", `‹l\d+›`, "{s}", `‹s\d+›`, "{d}", `‹d\d+›`,
	"{name}", `(?-i:\p{Lu}\p{Ll}+)`, " ?", `\s*`, " ", `\s+`,
)

func readBook(language string) (*book, error) {
	text, err := data.ReadFile("data/" + language + ".txt")
	if err != nil {
		return nil, fmt.Errorf("language %s: %w", language, err)
	}
	b := &book{
		forms: map[string]*regexp.Regexp{}, frames: map[string][]part{}, phrases: map[string]string{},
		numbers: map[string]int{},
	}
	classes := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := b.readLine(line, classes); err != nil {
			return nil, fmt.Errorf("language %s: %w", language, err)
		}
	}
	return b, b.join(classes)
}

// readLine reads a class, a phrase, a list of numbers, a part of a frame, or a form.
func (b *book) readLine(line string, classes map[string]string) error {
	name, rest, ok := strings.Cut(line, ": ")
	if !ok {
		return fmt.Errorf("%q has no colon", line)
	}
	kind, called, _ := strings.Cut(name, " ")
	switch kind {
	case "=":
		classes[called] = "(?:" + withClasses(rest, classes) + ")"
	case "say":
		b.phrases[called] = rest
	case "number":
		for i, words := range strings.Split(rest, " ") {
			for w := range strings.SplitSeq(words, "/") {
				b.numbers[w] = i + 1
			}
		}
	default:
		return b.readForm(name, rest, classes)
	}
	return nil
}

func (b *book) readForm(name, rest string, classes map[string]string) error {
	rest, open := strings.CutSuffix(rest, "{…}")
	rest, whole := strings.CutSuffix(rest, "{rest}")
	rest, within := strings.CutSuffix(strings.TrimRight(rest, " "), "~") // the words go on
	expression := slots.Replace("(?:" + withClasses(rest, classes) + ")")
	frame, called, of := strings.Cut(name, ".")
	switch {
	case of && within:
		expression = "^" + expression
	case of && rest != "":
		expression = "^" + expression + `(?:[\s,.:;?!]+|$)`
	}
	form, err := regexp.Compile("(?i)" + expression)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if of {
		b.frames[frame] = append(b.frames[frame], part{called, form, open || whole, whole})
	} else {
		b.forms[name] = form
	}
	return nil
}

var className = regexp.MustCompile(`\b[A-Z]{2,}\b`)

func withClasses(text string, classes map[string]string) string {
	return className.ReplaceAllStringFunc(text, func(name string) string {
		if form, known := classes[name]; known {
			return form
		}
		return name
	})
}

// join makes the expression of what stands between clauses: marks with words that join, or such words alone; what
// numbers the items of a list; and the space before a condition.
func (b *book) join(classes map[string]string) (err error) {
	for _, name := range []string{"JOIN", "IF", "LETTER"} {
		if _, known := classes[name]; !known {
			return fmt.Errorf("there is no class %s", name)
		}
	}
	plain := strings.ReplaceAll(`(?:`+classes["JOIN"]+`(?:,?\s+|$))`, " ", `\s+`)
	letter := `(?:` + classes["LETTER"] + `)?`
	marks := `[.?!;,:]+(?:\s+|$)(?:` + item + `)?` + plain + `*` + letter +
		`|\s*\n\s*(?:` + item + `)?` + plain + `*` + letter + `|\s+` + plain + `+` + letter + `|\s+` + classes["LETTER"]
	if b.joins, err = regexp.Compile(`(?i)` + marks); err != nil {
		return fmt.Errorf("words that join: %w", err)
	}
	b.listed, err = regexp.Compile(`(?i)(?:^|\s+)` + item + plain + `*|` + marks)
	return err
}

// item is what begins an item of a list.
const item = `(?:\d{1,2}[.)]|[-*•])\s+`

var list = regexp.MustCompile(`(?s)(?:^|\s)1[.)]\s.*\s2[.)]\s`)

// is reports whether a text has words of a form.
func (b *book) is(name, text string) bool {
	return b.forms[name] != nil && b.forms[name].MatchString(text)
}

// opening is the first of some forms that a text begins with, and how many bytes it has.
func (b *book) opening(text string, names ...string) (name string, n int) {
	for _, name := range names {
		if form := b.forms[name]; form != nil {
			at := form.FindStringIndex(text)
			if at != nil && at[0] == 0 && at[1] > 0 && !insideWord(text, at[1]) {
				return name, at[1]
			}
		}
	}
	return "", 0
}

// insideWord reports whether a word goes on at a byte of a text.
func insideWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return isLetter(before) && isLetter(after)
}

func isLetter(c rune) bool { return c == '\'' || unicode.In(c, unicode.L, unicode.M, unicode.N) }

// number is the number that a word names.
func (b *book) number(word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return b.numbers[strings.ToLower(word)]
}

// unfolded is a question for all that there is to do, as one for events and one for tasks: "what's on my plate?".
func (b *book) unfolded(text string) string {
	at := b.forms["plate"].FindStringSubmatch(text)
	if at == nil {
		return text
	}
	when := strings.TrimSpace(at[1])
	if when == "" {
		when = b.say("today")
	}
	return b.say("plate", "when", when)
}

// say is a phrase with values in it.
func (b *book) say(name string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(b.phrases[name])
}
