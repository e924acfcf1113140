package ground

import (
	"embed"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"convene/pkg/agenda"
)

//go:embed concepts.txt words/*.txt amend.txt written.txt asking.txt
var data embed.FS

// lines calls for each line of a file, with its name and what follows the colon.
func lines(file string, each func(name, rest string)) {
	text, _ := data.ReadFile(file) // it is embedded
	for line := range strings.Lines(string(text)) {
		if name, rest, ok := strings.Cut(line, ": "); ok && line[0] != '#' {
			each(name, strings.TrimSpace(rest))
		}
	}
}

// wordLines are the lines of all files of words.
func wordLines(each func(name, rest string)) {
	files, _ := fs.Glob(data, "words/*.txt") // the pattern is well formed
	for _, file := range files {
		lines(file, each)
	}
}

// words are the expressions of the files of words, by name.
var words = sync.OnceValue(func() map[string]*regexp.Regexp {
	lists := map[string][]string{}
	wordLines(func(name, rest string) { lists[name] = append(lists[name], strings.Split(rest, " | ")...) })
	all := map[string]*regexp.Regexp{}
	for name, list := range lists {
		all[name] = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:` + strings.Join(list, "|") + `)(?:$|[^\p{L}])`)
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
