package workflow

import (
	"embed"
	"regexp"
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
	// Name is the workflow's as the user says it, and To the new one.
	Name string `json:"name,omitempty"`
	To   string `json:"to,omitempty"`
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
			list = append(list, way{Deed(head), !plain, language, formOf(named, classes)})
		}
	}
	return list
}

// formOf is a phrase as an expression for whole messages.
func formOf(phrase string, classes map[string]string) *regexp.Regexp {
	var form strings.Builder
	for i, token := range strings.Fields(phrase) {
		token, optional := strings.CutSuffix(token, "?")
		token = class.ReplaceAllStringFunc(token, func(name string) string { return classes[name] })
		for _, slot := range []string{"name", "to"} {
			token = strings.ReplaceAll(token, "{"+slot+"}", `(?P<`+slot+`>\S.*?)`)
		}
		if token = `(?:[\s,:¿¡"“”«»״]+` + token + ")"; optional {
			token += "?"
		}
		if form.WriteString(token); i == 0 { // "save please that plan"
			form.WriteString(`(?:[\s,]+` + classes["AFTER"] + `)?`)
		}
	}
	return regexp.MustCompile(`(?i)^(?:[\s,¿¡]+` + classes["BEFORE"] + `)*` + form.String() +
		`(?:[\s,]+` + classes["AFTER"] + `)*[\s.!?"“”«»״]*$`)
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
	for _, way := range ways() {
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
