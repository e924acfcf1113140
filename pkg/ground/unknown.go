package ground

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// unknownTask is the call for a task that the message calls one and that is not there, so that it is told which there
// are. Without it, the message would be of an event.
func (r *reading) unknownTask() Reading {
	tool, about, due := "", r.unknownName(), r.deadline()
	for meaning, does := range map[string]string{
		"cancel": "task_deleteTask", "done": "task_completeTask", "move": "task_updateTask",
	} {
		if slices.Contains(conceptsOf(firstWord(form("courtesy").ReplaceAllString(r.Text, ""))), meaning) {
			tool = does
		}
	}
	called := (r.says("oftask") || r.says("as done")) && len(r.of(List)) == 0 // "take the milk off the shopping list"
	if tool == "" || !called || r.says("onto") || len(r.of(Task)) > 0 || r.namesEvent() || about == "" {
		return Reading{}
	}
	all := arguments{"selection": arguments{"titleHas": []string{about}, "one": true}}
	if tool == "task_updateTask" && due != nil {
		all["updates"] = arguments{"dueDate": due}
	} else if tool == "task_updateTask" {
		return Reading{}
	}
	encoded, err := json.Marshal(all)
	if err != nil {
		return Reading{}
	}
	return Reading{Deed: r.deed, Probability: Surely, Tool: tool, Arguments: encoded, Names: true, Plain: true, Other: 1}
}

// meansOther reports whether a message adds something, which moves nothing of that name, or calls off what was seen
// last and only says of another event why: "cancel that, i'll take the 5pm one".
func (r *reading) meansOther() bool {
	described := func(m mention) bool { return m.described }
	switch r.deed {
	case "event_move", "event_repeat":
		return form("adds").MatchString(r.Text)
	case "event_cancel":
		return form("cancels that").MatchString(r.Text) && slices.ContainsFunc(r.found, described)
	}
	return false
}

// isAnother reports whether what is to be done stands at the beginning of the message, and a task that it names is of
// something else: "translate the note" is of none to translate a text, and "buy a present" of none to find one.
func (r *reading) isAnother(m *mention) bool {
	if len(m.things) == 0 || len(m.words) == 0 || deeds[r.deed].on != Task || r.deed == "task_done" {
		return false
	}
	first, _, more := strings.Cut(strings.ToLower(m.things[0].Title), " ")
	begins := m.words[0] == 0
	buys := !begins && form("buying").MatchString(r.words[0].lower) && first != r.words[0].lower
	return more && (buys || begins && len(m.words) == 1 && r.words[0].lower == first)
}

// unknownItem is the call that takes something off a list on which it is not, so that it is told what there is.
func (r *reading) unknownItem() Reading {
	first := firstWord(form("courtesy").ReplaceAllString(r.Text, ""))
	about := r.unknownName()
	if !slices.Contains(conceptsOf(first), "cancel") || len(r.of(Item)) > 0 || r.namesEvent() || about == "" ||
		len(r.of(List)) == 0 && !r.says("the list") || len(r.of(Task)) > 0 || comma.MatchString(r.Text) ||
		r.says("sparing") || r.says("leftout") {
		return Reading{}
	}
	all := arguments{"items": []string{about}, "list": nil}
	if lists := r.ids(List); len(lists) == 1 {
		all["list"] = lists[0]
	}
	encoded, err := json.Marshal(all)
	if err != nil {
		return Reading{}
	}
	return Reading{
		Deed: r.deed, Probability: Surely, Tool: "list_remove", Arguments: encoded, Names: true, Plain: true, Other: 1,
	}
}

// otherItem is what an item is called of which the message names only a part, with a word before it or, but in English,
// behind it that is not of its name: "the plain milk" is no oat milk. It is empty for any other one.
func (r *reading) otherItem(m *mention) string {
	if len(m.words) == 0 {
		return ""
	}
	for i := range r.words { // "I already got oat milk. Take the plain milk off"
		if m.covered >= 1 && i > 0 && r.titled(m.things[0], i) && !slices.Contains(m.words, i) && r.qualifies(i-1, i) {
			return r.Text[r.words[i-1].from:r.words[i].to]
		}
	}
	first, last := m.words[0], m.words[len(m.words)-1]
	switch {
	case m.covered >= 1:
	case r.qualifies(first-1, first):
		return r.Text[r.words[first-1].from:r.words[last].to]
	case !strings.HasPrefix(r.Language, "en") && last+1 < len(r.words) && r.qualifies(last+1, last):
		return r.Text[r.words[first].from:r.words[last+1].to]
	}
	return ""
}

// qualifies reports whether a word stands right beside the one with which it names something, and tells more of that.
func (r *reading) qualifies(i, beside int) bool {
	if i < 0 {
		return false
	}
	w, from := r.words[i], min(r.words[i].to, r.words[beside].to)
	between := r.Text[from:max(r.words[i].from, r.words[beside].from)]
	small := onlySays(w.lower, "determiner", "small", "joins", "list")
	named := slices.ContainsFunc(r.found, func(m mention) bool { return slices.Contains(m.words, i) })
	return strings.TrimSpace(between) == "" && !w.taken && !w.timely && !small && !named && r.telling(i) &&
		len(conceptsOf(w.lower)) == 0 && !numeral(w) && !r.inPeople(said{from: w.from, to: w.to})
}

// unknownName are the words that tell which task is meant, of which there is none.
func (r *reading) unknownName() string {
	var said []string
	for i, w := range r.words {
		within := func(t timed) bool { return t.from <= w.from && w.to <= t.to }
		if !w.taken && !w.timely && !slices.ContainsFunc(r.times, within) && r.telling(i) &&
			!words()["oftask"].MatchString(w.lower) && len(conceptsOf(w.lower)) == 0 {
			name := lettersBefore.ReplaceAllString(w.lower, "")
			if i > 0 && onlySays(r.words[i-1].lower, "definite") {
				name = strings.TrimPrefix(name, "ה")
			}
			said = append(said, name)
		}
	}
	return strings.Join(said, " ")
}

// lettersBefore are Hebrew letters that a hyphen parts from what they stand before: of other words nothing tells them.
var lettersBefore = regexp.MustCompile(`^[ולבמשהכ]+[-־]`)

// namesEvent reports whether the message names an event by its title.
func (r *reading) namesEvent() bool {
	return slices.ContainsFunc(r.found, func(m mention) bool { return m.kind == Event && !m.described })
}
