package workflow

import (
	"embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Deed is what is asked for of workflows and runs.
type Deed string

// The deeds. What is saved as something else, as a note, is none.
const (
	none    Deed = "none"
	Save    Deed = "save"
	Start   Deed = "run"
	List    Deed = "list"
	Show    Deed = "show"
	Rename  Deed = "rename"
	Delete  Deed = "delete"
	History Deed = "history"
	Resume  Deed = "resume"
)

// Wish is what a message asks for of workflows and runs.
type Wish struct {
	Deed Deed `json:"deed"`
	// Name is the workflow's as the user says it, To the new one, and Words are the request that is to be saved; empty for
	// what was asked for last.
	Name  string `json:"name,omitempty"`
	To    string `json:"to,omitempty"`
	Words string `json:"words,omitempty"`
	// Plain says that the words can mean nothing else. Otherwise the name must be that of a workflow.
	Plain    bool   `json:"plain,omitempty"`
	Language string `json:"language"`
}

//go:embed data/*.txt
var data embed.FS

// way is a way to ask for a deed.
type way struct {
	deed     Deed
	plain    bool
	language string
	form     *regexp.Regexp
	// before is what may stand before it, in all ways of the language, and openings are the words that it can begin with.
	before   string
	openings []string
}

// ways are read once. Plain ones go first.
var ways = sync.OnceValue(func() (all []way) {
	var others []way
	for _, language := range []string{"en", "es", "he"} {
		text, err := data.ReadFile("data/" + language + ".txt")
		if err != nil {
			panic(err) // it is part of the program
		}
		for _, w := range waysIn(language, string(text)) {
			if w.plain {
				all = append(all, w)
			} else {
				others = append(others, w)
			}
		}
	}
	return append(all, others...)
})

// openings are how the ways of a language begin, in one expression: most messages begin otherwise, and are compared
// with none of them.
var openings = sync.OnceValue(func() map[string]*regexp.Regexp {
	before, all := map[string]string{}, map[string][]string{}
	for _, w := range ways() {
		before[w.language] = w.before
		all[w.language] = append(all[w.language], w.openings...)
	}
	forms := map[string]*regexp.Regexp{}
	for language, list := range all {
		slices.Sort(list)
		forms[language] = regexp.MustCompile(before[language] + apart + "(?:" + strings.Join(slices.Compact(list), "|") + ")")
	}
	return forms
})

var class = regexp.MustCompile(`\b[A-Z]{2,}\b`)

// waysIn reads a file of data; en.txt says in which form.
func waysIn(language, text string) (list []way) {
	classes := map[string]string{}
	for line := range strings.Lines(text) {
		head, phrases, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || head[0] == '#' {
			continue
		}
		if name, isClass := strings.CutPrefix(head, "= "); isClass {
			classes[name] = "(?:" + strings.ReplaceAll(strings.ReplaceAll(phrases, " | ", "|"), " ", `\s+`) + ")"
			continue
		}
		for phrase := range strings.SplitSeq(phrases, " | ") {
			named, plain := strings.CutPrefix(phrase, "~")
			w := way{deed: Deed(head), plain: !plain, language: language, before: `(?i)^(?:[\s,¿¡]+` + classes["BEFORE"] + `)*`}
			w.form, w.openings = formOf(w.before, named, classes)
			list = append(list, w)
		}
	}
	return list
}

// apart is what stands between words.
const apart = `[\s,:¿¡"“”«»״]+`

// formOf is a phrase as an expression for whole messages, and the words that it can begin with after what may stand
// before it.
func formOf(before, phrase string, classes map[string]string) (whole *regexp.Regexp, openings []string) {
	var form strings.Builder
	begins := true
	for i, token := range strings.Fields(phrase) {
		token, optional := strings.CutSuffix(token, "?")
		token = class.ReplaceAllStringFunc(token, func(name string) string { return classes[name] })
		for _, slot := range []string{"name", "to", "words"} {
			token = strings.ReplaceAll(token, "{"+slot+"}", `(?P<`+slot+`>\S.*?)`)
		}
		token = strings.ReplaceAll(token, "{quoted}", `["“«״](?P<words>[^"”»״]+)["”»״]`)
		if begins {
			openings, begins = append(openings, token), optional
		}
		if token = "(?:" + apart + token + ")"; optional {
			token += "?"
		}
		form.WriteString(token)
		if i == 0 { // "save please that plan"
			form.WriteString(`(?:[\s,]+` + classes["AFTER"] + `)?`)
		}
	}
	return regexp.MustCompile(before + form.String() +
		`(?:[\s,]+` + classes["AFTER"] + `)*[\s.!?"“”«»״]*$`), openings
}

// longest is how many characters a message has at most that is read as a wish for a workflow.
const longest = 300

// Read is what a message asks for of workflows and runs. It is false for a message about anything else. Whether a wish
// that is not plain is one, fits tells.
func Read(message string, fits func(Wish) bool) (w Wish, ok bool) {
	if len(message) > longest {
		return w, false
	}
	text := " " + strings.Join(strings.Fields(message), " ")
	begins := map[string]bool{}
	for language, form := range openings() {
		begins[language] = form.MatchString(text)
	}
	for _, way := range ways() {
		if !begins[way.language] {
			continue
		}
		got := way.form.FindStringSubmatch(text)
		if got == nil {
			continue
		}
		w = Wish{Deed: way.deed, Plain: way.plain, Language: way.language}
		for i, name := range way.form.SubexpNames() {
			switch said := strings.Trim(got[i], " \"“”«»״.,:;!?"); name {
			case "name":
				w.Name = said
			case "to":
				w.To = said
			case "words":
				w.Words = strings.Trim(got[i], " \"“”«»״")
			}
		}
		if way.deed == none {
			return Wish{}, false
		}
		if way.plain || fits(w) {
			return w, true
		}
	}
	return Wish{}, false
}
