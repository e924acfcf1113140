package ground

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// saveNote keeps the user's own words as a note, or adds them to one that is there.
func (r *reading) saveNote() (string, arguments) {
	if to, text := r.noteMore(); text != "" {
		return "note_save", arguments{"text": text, "tags": []string{}, "addTo": to}
	}
	if words()["correcting"].MatchString(r.Text) {
		return "", nil // what stands in a note is another one's to change
	}
	text, ok := r.ownWords().(string)
	frame := strings.TrimSpace(Plain(r.delexicalized()))
	if !ok || frame == "" || slices.Contains(meanings(frame), "cancel") || ordersMore(text) {
		return "", nil // nothing says that it is a note, it is to go, or something else is asked for besides
	}
	if words()["forgotten"].MatchString(text) && !words()["noting"].MatchString(frame) {
		return "", nil // "the plumber is coming and I can't remember the year" is only told
	}
	all := arguments{"text": text, "tags": []string{}}
	if r.Language == "he" { // "that the key …"
		if rest, ok := strings.CutPrefix(text, "שה"); ok {
			all["text"] = "ה" + rest
		}
	}
	if adds := words()["addto"]; adds.MatchString(r.Text) && !adds.MatchString(r.delexicalized()) {
		return "", nil // its own words name the note
	} else if adds.MatchString(r.delexicalized()) {
		about := r.unusual()
		if about == "" {
			return "", nil
		}
		all["addTo"] = about
	}
	return "note_save", all
}

// noteMore is what is added to a note, and what that is about: "add to the note about the boiler that …".
func (r *reading) noteMore() (about, text string) {
	for form, order := range map[*regexp.Regexp][2]int{form("more that"): {1, 2}, form("more to"): {2, 1}} {
		at := form.FindStringSubmatchIndex(r.Text)
		if at == nil {
			continue
		}
		about, text := 2*order[0], 2*order[1]
		r.useWithin(0, at[3])
		return strings.TrimSpace(r.Text[at[about]:at[about+1]]), r.takeOwn(at[text : text+2])
	}
	return "", ""
}

// meanings are what the words of a text mean.
func meanings(text string) (all []string) {
	for w := range strings.FieldsSeq(text) {
		all = append(all, conceptsOf(w)...)
	}
	return all
}

func (r *reading) deleteNote() (string, arguments) {
	_, query := r.searchNotes()
	if about, _ := query["query"].(string); about == "" || form("besides it").MatchString(about) {
		return "", nil
	}
	return "note_delete", arguments{"notes": []any{query["query"]}}
}

// searchNotes looks for the words that are not of the question itself.
func (r *reading) searchNotes() (string, arguments) {
	tags := r.tags()
	all := arguments{"tags": tags}
	if window := r.past(); window != nil {
		at := r.points()[0]
		if at.used = true; at.from < r.asked() {
			all["window"] = window
		}
	}
	about := cmp.Or(r.noteTopic(), r.unusual())
	if about == "" && len(tags) == 0 && !slices.Contains(meanings(r.Text), "note") {
		return "", nil
	}
	for i := range r.people {
		r.people[i].used = true
	}
	r.takeNames()
	if all["query"] = any(nil); about != "" {
		all["query"] = about
	}
	return "note_search", all
}

// noteTopic is what the notes are about that are asked for, whatever words that is: "my notes about work".
func (r *reading) noteTopic() string {
	if at := captured("perhaps noted", r.Text); at != nil {
		return r.Text[at[0]:at[1]]
	}
	at := form("notes about").FindStringSubmatchIndex(r.Text)
	if at == nil || slices.ContainsFunc(r.times, func(t timed) bool { return t.to == at[3] && t.from > at[2] }) {
		return ""
	}
	r.useWithin(at[2], at[3]) // "halloween candy" says nothing of when
	return r.Text[at[2]:at[3]]
}

// asked is where the first question of the message ends, behind which something may be told: "where did I write down
// the code? Bob needs it". It is the end of a message without one.
func (r *reading) asked() int {
	if end := strings.Index(r.Text, "?"); end >= 0 {
		return end
	}
	return len(r.Text)
}

// unusual are the words that are none by which people ask for things, outside those that are in the call.
func (r *reading) unusual() string {
	var about []string
	for _, w := range r.words {
		if w.from > r.asked() && len(about) > 0 {
			break
		}
		if slices.Contains(conceptsOf(w.lower), "note") || words()["noted"].MatchString(w.lower) {
			continue // it is of the question
		}
		if slices.ContainsFunc(r.times, func(t timed) bool { return t.used && t.from <= w.from && w.to <= t.to }) {
			continue // it says from when the notes are
		}
		inOwn := slices.ContainsFunc(r.own, func(s said) bool { return s.from <= w.from && w.to <= s.to })
		if often := learned().Usual[w.lower]; !inOwn && (often < 1 || w.taken) {
			about = append(about, r.Text[w.from:w.to])
		}
	}
	return strings.Join(about, " ")
}

// notes reports whether a word that asks to note something stands before the user's own words, or a mark, and no name
// may only be of what is to be noted.
func (r *reading) notes() bool {
	if slices.ContainsFunc(r.found, r.perhapsNoted) || len(r.own) == 0 {
		return len(r.own) == 0
	}
	before := r.Text[:r.own[len(r.own)-1].from]
	return words()["noting"].MatchString(before) || strings.ContainsAny(before, ":,;")
}
