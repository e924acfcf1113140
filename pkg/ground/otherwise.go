package ground

import (
	"strings"
)

// withoutOtherName is a message that gives something a name, without the end that says how it is not to be called. It
// is false if the message says nothing of that.
func withoutOtherName(m Message, best *reading) (Message, bool) {
	at := form("other name").FindStringIndex(m.Text)
	if at == nil || !strings.HasSuffix(best.deed, "_rename") {
		return m, false
	}
	m.Text = strings.TrimRight(m.Text[:at[0]+1], ",; ")
	return m, true
}

// otherwise reads a message of which the best reading makes no call: perhaps it points to nothing that was shown, gives
// a reason, or is of a task that is not there.
func otherwise(m Message, best *reading, read Reading) Reading {
	if at := form("only looks").FindStringIndex(m.Text); at != nil {
		rest := m
		rest.Text = m.Text[at[1]:]
		if look := Read(rest); look.Reads {
			return look // "don't archive anything, just show me …"
		}
	}
	if !read.Denied && best.pointed {
		m.Last, m.Listed = nil, nil
		return readAll(m)
	}
	if !read.Denied && captured("perhaps noted", m.Text) != nil {
		best.deed, best.probability, best.other = "ask_note", plainlyNew, 1
		read = best.result()
	}
	if note := keptInMind(m, best); note.Tool != "" {
		return note
	}
	if form("to the note").MatchString(m.Text) {
		return Reading{Deed: "note_save", Probability: 1, Denied: true, Other: 1} // which one is not known
	}
	read.Other, read.Denied = best.other, read.Denied || best.denied() || best.countsNothing()
	if hearsay(best.delexicalized()) && best.says("reported") {
		read.Other = 1 // and what is told is no event to be arranged: "sam said he'd bring the tent on saturday"
	}
	if !read.Denied {
		return firstOf(best.unknownTask(), best.unknownItem(), read)
	}
	return read
}

// firstOf is the first reading with a call, or else the last one.
func firstOf(all ...Reading) Reading {
	for _, one := range all {
		if one.Tool != "" {
			return one
		}
	}
	return all[len(all)-1]
}

// keptInMind is the note of what the user says of himself, for which there is no other place.
func keptInMind(m Message, best *reading) Reading {
	at := form("in mind").FindStringSubmatch(m.Text)
	if at == nil || len(best.times) > 0 {
		return Reading{}
	}
	m.Text = "note: " + at[1]
	return Read(m)
}

// oneOfTasks denies what is to be done to one task, after several were shown: it is asked which one.
func oneOfTasks(m Message) (read Reading) {
	if m.Before.Tool == "task_viewTasks" && len(m.Last) > 1 && words()["to one task"].MatchString(m.Text) {
		return Reading{Deed: "task_due", Probability: 1, Other: 1, Denied: true, Tasks: true}
	}
	return read
}
