package ground

import (
	"regexp"
	"slices"
	"strings"
)

// Reports reports whether a message only tells what the user has done with events that stand in the calendar: "I
// cancelled the dentist and moved the gym to nine". Nothing is to be done then. What is kept besides events is told so
// when it is done ("I sent the invoice"), and that is a request.
func Reports(m Message) bool { return onlyTells(m.Text) && newReading(m).reports() }

// reports likewise, of a reading.
func (r *reading) reports() bool {
	if !onlyTells(r.Text) {
		return false
	}
	best := r.best()
	kept := ofKept(best.deed) && best.result().Tool != ""
	return !kept && len(best.of(Event)) > 0
}

// onlyTells reports whether every part of a text says that the user has done something, and none asks for anything.
func onlyTells(text string) bool {
	if words()["asking"].MatchString(text) {
		return false
	}
	text = words()["remark"].ReplaceAllString(text, " ")
	wordless := func(part string) bool { return !wordForm.MatchString(part) }
	parts := slices.DeleteFunc(form("parting").Split(text, -1), wordless)
	for i, part := range parts {
		first := i == 0 && words()["has done"].MatchString(part)
		if !first && (i == 0 || !words()["did"].MatchString(part)) {
			return false
		}
	}
	return len(parts) > 0
}

// justThat is the call of a message that says first what is not to be done, and says what it is of only there: "don't
// answer kim's mail, just archive it" asks to archive kim's mail. It is asked for, because it is put in other words.
func justThat(m Message) (read Reading) {
	at := form("not but just").FindStringSubmatch(m.Text)
	if at == nil {
		return read
	}
	of, does := strings.TrimSpace(at[1]), strings.TrimRight(at[2], " .!")
	if it := form("itself").FindStringIndex(does); it != nil {
		m.Text = strings.TrimSpace(does[:it[0]] + " " + of + does[it[1]:])
	} else if verb := enclitic.FindStringSubmatch(does); verb != nil {
		m.Text = strings.TrimSpace(verb[1] + " " + of + verb[2])
	} else {
		return read
	}
	read = readAll(m)
	read.Sure = false
	return read
}

// enclitic is a Spanish verb with a pronoun for what it is of at its end.
var enclitic = regexp.MustCompile(`(?i)^(\p{L}+)l[oa]s?((?:\s.*)?)$`)

// Hearsay reports whether a text only tells what someone else says or wants.
func Hearsay(m Message) bool { return hearsay(newReading(m).delexicalized()) }

// hearsay reports whether a message only tells what someone else says.
func hearsay(text string) bool {
	said := words()["hearsay"].FindString(text)
	return said != "" && !wordForm.MatchString(text[len(said):])
}

// tickOff is what the user has done, if the message then says that it may be taken off: "I paid the rent, so you can
// take that one off". If no task or item fits, it is asked which one is meant.
func tickOff(m Message) Reading {
	at := form("taken off").FindStringIndex(m.Text)
	if at == nil || !words()["told as done"].MatchString(m.Text[:at[0]]) {
		return Reading{}
	}
	m.Text = m.Text[:at[0]]
	read := readAll(m)
	switch {
	case read.Tool == "task_completeTask", read.Tool == "list_setItem":
		return read
	case read.Tool != "":
		return Reading{}
	}
	all := newReading(m).named()
	tasks := keep(all, func(n mention) bool { return n.kind == Task })
	if len(tasks) == 1 && len(tasks[0].things) == 1 && !tasks[0].things[0].Done && len(all) == 1 {
		return undoubted("task_done", "task_completeTask", arguments{"selection": idsOf(tasks[0].things)}).doubted(true)
	}
	return Reading{Deed: "task_done", Probability: 1, Other: 1, Denied: true, Tasks: true}
}
