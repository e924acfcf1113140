package ground

import (
	"regexp"
	"slices"
	"strings"
)

// keeping are the deeds that keep the user's own words.
var keeping = []string{"task_create", "note_save"}

// forgetting are the deeds after which something is not there any more, or nobody comes to it.
var forgetting = regexp.MustCompile(`_(?:cancel|clear|delete|remove|forget|decline|uninvite|archive)$`)

// anew is the message as one that has something kept in the user's own words, although some of these name something
// that there is: "remind me to ask for another dentist". It is meant if the best call of what is named leaves out words
// that tell something, or cannot be made, or if what is named only makes the message hard to read. Nil if it is not.
func anew(m Message, best *reading, call Reading) *reading {
	vague := best.probability < leastUnnamed || slices.Contains(adding, best.deed)
	if call.Tool == "" && vague && !call.Denied && !best.pointed {
		if r := namingNothing(m); r != nil {
			return r
		}
	}
	whole := IsOneTask(m.Text)
	if !whole && slices.Contains(plainDeeds, best.deed) && best.says("plainly "+best.deed) {
		return nil
	}
	if !whole && (len(best.found) == 0 || best.pointed || best.grouped() || deeds[best.deed].reads ||
		!best.strange(call.Tool == "") || slices.Contains(keeping, best.deed) && call.Tool != "") {
		return nil
	}
	r := newReading(m)
	if whole {
		r.people = nil // who is named in it is a part of it
	}
	r.readTimes()
	r.judge()
	kept := slices.Contains(keeping, r.deed) || r.deed == "contact_save"
	if !kept || r.probability < plainlyKept || r.alone < leastAllowed {
		return nil
	}
	return r
}

// namingNothing reads a message again as if it named nobody and nothing but lists. It is nil unless the message then
// plainly asks to keep something.
func namingNothing(m Message) *reading {
	m.Things, m.Mails = keep(m.Things, func(t Thing) bool { return t.Kind == List || t.Kind == Task }), nil
	for i, t := range m.Things {
		if t.Kind == Task { // only where tasks stand is known then
			m.Things[i] = Thing{Kind: Task, Board: t.Board, Column: t.Column, Done: t.Done}
		}
	}
	r := bestOf(newReading(m).ways())
	if r.at("board") != nil && len(r.quoted) == 0 {
		return nil // where a task goes is told, and not what it is
	}
	apart := func(p said) bool {
		return len(r.quoted) == 1 && (p.from < r.quoted[0].from || r.quoted[0].to < p.to)
	}
	r.people = keep(r.people, apart) // who is told beside a title is no part of it
	r.judge()
	own := r.deed != "task_create" || r.recalls() || !slices.ContainsFunc(r.words, operates)
	if !own || !slices.Contains(adding, r.deed) || r.probability < plainlyKept || r.alone < plainlyKept {
		return nil
	}
	return r
}

// operates reports whether a word is a verb for what is done to things that there are, which is an order unless one
// asks to be reminded of it: "I need to cancel my next meeting with Aisha".
func operates(w word) bool {
	return slices.ContainsFunc(conceptsOf(w.lower), func(c string) bool { return slices.Contains(operations, c) })
}

// operations are such verbs, by their meaning.
var operations = []string{
	"accept", "archive", "assign", "cancel", "decline", "flag", "forward", "free", "invite", "later", "length", "longer",
	"mail", "move", "rename", "repeat", "reply", "shorter", "sooner", "undo", "undone", "uninvite",
}

// plainlyKept is how probable it has to be that something is kept, among what can be asked for without things.
const plainlyKept = 0.85

// ontoNothing has words like "to my tasks", "go shopping", "a quick note", "older than a month" and "to sign it" name
// nothing else.
func (r *reading) ontoNothing() {
	_, from, to := r.age()
	all := [][]int{{from, to}}
	for _, name := range []string{"onto", "idiom", "new mail", "done to it"} {
		all = append(all, words()[name].FindAllStringIndex(r.Text, -1)...)
	}
	for _, at := range all {
		for i := range r.words {
			if w := &r.words[i]; at[0] <= w.from && w.to <= at[1] {
				w.stems, w.nameless = nil, true
			}
		}
	}
}

// ofAny is how probable it is that one of some deeds is asked for.
func ofAny(deeds []string, p []float64) (sum float64) {
	for i, name := range learned().Classes {
		if slices.Contains(deeds, name) {
			sum += p[i]
		}
	}
	return sum
}

// ofLooks are the deeds that only look at mails.
var ofLooks = []string{"mail_ask", "mail_read"}

// probable is how probable the deed is or, of the user's own words and of mails, that they are kept or looked at in one
// way or another.
func (r *reading) probable() float64 {
	switch {
	case slices.Contains(keeping, r.deed):
		return max(r.probability, r.kept)
	case slices.Contains(ofLooks, r.deed):
		return max(r.probability, r.looks)
	}
	return r.probability
}

// strange reports whether words outside of what is known tell something; also the user's own, if no call has them.
func (r *reading) strange(own bool) bool {
	for i, w := range r.words {
		at := said{from: w.from, to: w.to}
		free := !w.taken || own && slices.ContainsFunc(r.own, func(o said) bool { return o.from <= w.from && w.to <= o.to })
		if free && !w.timely && !r.inPeople(at) && r.telling(i) {
			return true
		}
	}
	return false
}

// recalls reports whether the message asks to put something among the tasks or, by words before which nothing is said,
// to be reminded of it. No new event comes of that.
func (r *reading) recalls() bool {
	text := r.delexicalized()
	first := func(name string) bool {
		at := words()[name].FindStringIndex(text)
		return at != nil && !tellsAny(text[:at[0]]) && !slices.ContainsFunc(split(text[:at[0]]), operates)
	}
	return words()["onto"].MatchString(text) || first("recalling") || first("unforgotten")
}

// framed is how many bytes at the beginning of what is kept only ask to keep it: "to self:".
func (r *reading) framed(text string) int {
	if !slices.Contains(keeping, r.deed) {
		return 0
	}
	n := 0
	for _, name := range []string{"opener", "opener", "opener", "recalling", "unforgotten", "toself"} {
		if at := words()[name].FindStringIndex(text[n:]); at != nil && at[0] == 0 && n+at[1] < len(text) {
			n = len(text) - len(strings.TrimLeft(text[n+at[1]:], " :,"))
		}
	}
	return n
}

// tellsAny reports whether a text names something, or has a word that tells something.
func tellsAny(text string) bool {
	if strings.Contains(text, "{") {
		return true
	}
	for w := range strings.FieldsSeq(Plain(text)) {
		if tells(w) > telling {
			return true
		}
	}
	return false
}
