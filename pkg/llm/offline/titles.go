package offline

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file tells which tasks are meant that stand already: by their titles, told otherwise than they stand, or by what
// was shown last.

// keeping is what is known of the user's tasks while a message is read.
type keeping struct {
	// tasks are words of the message that name some; shown is how many were shown last.
	tasks []string
	shown int
	// changed says that these were made or changed.
	changed bool
	// mails is how many mails were shown last.
	mails int
}

// names reports whether a phrase has the words that name some task.
func (k keeping) names(phrase string) bool {
	padded := " " + strings.ToLower(phrase) + " "
	return slices.ContainsFunc(k.tasks, func(words string) bool {
		return strings.Contains(padded, " "+strings.ToLower(words)+" ")
	})
}

func keepingOf(tasks []string, shown list, turns []exchange) keeping {
	about := keeping{tasks: tasks}
	switch {
	case !isOwnDay(turns):
	case shown.Type == "mails":
		about.mails = shown.Count
	case shown.Type == "tasks":
		about.shown, about.changed = shown.Count, strings.HasSuffix(turns[len(turns)-1].Assistant, "changes)")
	}
	return about
}

// commandsIn are a text without its first clause, and without its last one.
func commandsIn(text string) (parts []string) {
	for _, mark := range []string{", ", ". ", "; ", " - ", " – "} {
		if before, after, ok := strings.Cut(text, mark); ok {
			parts = append(parts, " "+after)
			if i := strings.LastIndex(text, mark); i > len(before) {
				before = text[:i]
			}
			parts = append(parts, before)
		}
	}
	return parts
}

// isReason reports whether what a text says beside a part of it asks for nothing, and changes nothing in what the part
// means.
func isReason(text, part, language string, now time.Time) bool {
	rest := strings.Replace(text, strings.TrimSpace(part), "", 1)
	o := operating{account: newAccount(rest, idleBooks()[language]), book: operationBooks()[language]}
	return !o.matters(0, len(o.tokens)) && !isRequest(rest, language, now)
}

// pointed takes in which of the tasks that were shown last are meant, if the words only point: "it", "the second one".
func (t *thinging) pointed(said string) bool {
	is := func(name string) bool { return t.saysOnly(name, said) }
	from := "shown"
	if n := t.nthOf(is, t.stands.shown); n != 0 && n <= t.stands.shown {
		from = shownAs(n)
	} else if !is("it") {
		return false
	}
	if t.stands.shown == 0 {
		return false
	}
	t.set("selection", map[string]any{"from": []string{from}})
	t.sure = true
	return true
}

// nthOf is which one of a list of so many words mean, from 1; 0 for none.
func (t *thinging) nthOf(is func(name string) bool, count int) int {
	for n := 1; n <= 5; n++ {
		if is("nth=" + strconv.Itoa(n)) {
			return n
		}
	}
	if is("nth=last") {
		return count
	}
	return 0
}

// phrases are a title, or what it has between words that join, if these name tasks and the whole does not.
func (t *thinging) phrases(title string) []string {
	joined := joinedItem.ReplaceAllString(t.book.words["and"].ReplaceAllString(title, ", "), ", $1")
	var parts []string
	for part := range strings.SplitSeq(joined, ",") {
		if part = t.bare(part); part != "" && joined != title { // a comma alone joins no titles
			parts = append(parts, part)
		}
	}
	whole := slices.ContainsFunc(t.stands.tasks, func(words string) bool { return strings.EqualFold(words, title) })
	if len(parts) > 1 && !whole && slices.ContainsFunc(parts, t.stands.names) {
		t.sure = true
		return parts
	}
	t.sure = t.sure || t.stands.names(title)
	return []string{title}
}

// column reads the column of a board into which tasks go.
func (t *thinging) column(key, said string) bool {
	for _, name := range []string{"Backlog", "In Progress", "In Review", "Completed"} {
		if at := t.book.words["into="+name].FindStringIndex(said); at != nil && at[0] == 0 && at[1] == len(said) {
			t.set(key, name)
			return true
		}
	}
	return false
}

// event reads what an event of the calendar is called; without other words it is what the user is reminded of.
func (t *thinging) event(key, said string) bool {
	if said = t.bare(said); t.facts.values["title"] == nil {
		t.set("title", said)
	}
	t.set(key, said)
	return said != "" && !t.covered(said, t.setting.Read(said, t.now))
}
