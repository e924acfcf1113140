package ground

import (
	"cmp"
	"embed"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"convene/pkg/agenda"
)

//go:embed concepts.txt parts.txt words/*.txt forms/*.txt amend.txt written.txt
var data embed.FS

// linesOf calls for each line of a file, with its name and what follows the colon.
func linesOf(file string, each func(name, rest string)) {
	text, _ := data.ReadFile(file) // it is embedded
	for line := range strings.Lines(string(text)) {
		if name, rest, ok := strings.Cut(line, ": "); ok && line[0] != '#' {
			each(name, strings.TrimSpace(rest))
		}
	}
}

// lines calls for each line of the files of a pattern.
func lines(pattern string, each func(name, rest string)) {
	files, _ := fs.Glob(data, pattern) // it is well formed
	for _, file := range files {
		linesOf(file, each)
	}
}

// parts are the expressions of parts.txt, by the words that stand for them. The lines of one word are one.
var parts = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	linesOf("parts.txt", func(word, rest string) {
		rest = "(?:" + strings.ReplaceAll(withParts(rest, all), " | ", "|") + ")"
		if before := all[word]; before != "" {
			rest = before[:len(before)-1] + "|" + rest + ")"
		}
		all[word] = rest
	})
	return all
})

// withParts is an expression with those that words in it stand for.
func withParts(expression string, all map[string]string) string {
	return partForm.ReplaceAllStringFunc(expression, func(word string) string { return cmp.Or(all[word], word) })
}

var partForm = regexp.MustCompile(`[A-Z]{2,}`)

// compiled is an expression of the files.
func compiled(expression string) *regexp.Regexp {
	return regexp.MustCompile("(?i)" + withParts(expression, parts()))
}

// oneOf is the expression of several. Those that begin with the same part have it once, so that a message is held
// against it once.
func oneOf(list []string) string {
	var all []string
	at := map[string]int{}
	for _, one := range list {
		part := beginning.FindString(one)
		i, known := at[part]
		switch {
		case part == "":
			all = append(all, one)
		case known:
			all[i] = strings.TrimSuffix(all[i], ")") + "|" + one[len(part):] + ")"
		default:
			at[part] = len(all)
			all = append(all, part+"(?:"+one[len(part):]+")")
		}
	}
	return strings.Join(all, "|")
}

var beginning = regexp.MustCompile(`^[A-Z]{2,}`)

// rewording is a form of messages, and what one of that form becomes.
type rewording struct {
	form    *regexp.Regexp
	becomes string
}

// expressions are those of the files of forms, by name: the lines of one name are one, unless they say what a message
// becomes.
var expressions = sync.OnceValue(func() (all struct {
	whole map[string]*regexp.Regexp
	ways  map[string][]rewording
}) {
	all.whole, all.ways = map[string]*regexp.Regexp{}, map[string][]rewording{}
	lists := map[string][]string{}
	lines("forms/*.txt", func(name, rest string) {
		if expression, becomes, is := strings.Cut(rest, " => "); is {
			all.ways[name] = append(all.ways[name], rewording{compiled(expression), becomes})
		} else {
			lists[name] = append(lists[name], strings.Split(rest, " | ")...)
		}
	})
	for name, list := range lists {
		all.whole[name] = compiled(oneOf(list))
	}
	return all
})

// form is the expression of a name in the files of forms.
func form(name string) *regexp.Regexp { return expressions().whole[name] }

// ways are the lines of a name in the files of forms that say what a message becomes, in their order.
func ways(name string) []rewording { return expressions().ways[name] }

// betweenLetters is an expression that has to stand between other letters.
func betweenLetters(expression string) *regexp.Regexp {
	return compiled(`(?:^|[^\p{L}])(?:` + expression + `)(?:$|[^\p{L}])`)
}

// words are the expressions of the files of words, by name.
var words = sync.OnceValue(func() map[string]*regexp.Regexp {
	lists := map[string][]string{}
	lines("words/*.txt", func(name, rest string) { lists[name] = append(lists[name], strings.Split(rest, " | ")...) })
	all := map[string]*regexp.Regexp{}
	for name, list := range lists {
		all[name] = betweenLetters(oneOf(list))
	}
	return all
})

// concepts are meanings by word, and by the beginnings of words.
var concepts = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	lines("concepts.txt", func(name, rest string) {
		for w := range strings.FieldsSeq(rest) {
			if w = agenda.Fold(w); !slices.Contains(all[w], name) {
				all[w] = append(all[w], name)
			}
		}
	})
	return all
})

// meaningsOf are the meanings of a word, and that it says what is to be done: a verb as it stands after "to".
func meaningsOf(w string) []string {
	all := conceptsOf(w)
	if words()["doing"].MatchString(w) {
		all = append(all, "doing")
	}
	return all
}

// conceptsOf are the meanings of a word.
func conceptsOf(w string) []string {
	w = agenda.Fold(w)
	all := slices.Clone(concepts()[w])
	if short := strings.TrimLeft(w, "ושהכלבמ"); short != w && len(short) > 4 {
		if first, n := utf8.DecodeRuneInString(w); first >= 'א' {
			all = append(all, conceptsOf(w[n:])...)
		}
	}
	for i := range w {
		if i > 0 {
			all = append(all, concepts()[w[:i]+"*"]...)
		}
	}
	all = append(all, concepts()[w+"*"]...)
	slices.Sort(all)
	return slices.Compact(all)
}
