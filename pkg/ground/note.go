package ground

import (
	"slices"
	"strings"
)

// saveNote keeps the user's own words as a note, or adds them to one that is there.
func (r *reading) saveNote() (string, arguments) {
	text, ok := r.ownWords().(string)
	frame := strings.TrimSpace(Plain(r.delexicalized()))
	if !ok || frame == "" || slices.Contains(meanings(frame), "cancel") {
		return "", nil // nothing says that it is a note, or it is to go
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

// meanings are what the words of a text mean.
func meanings(text string) (all []string) {
	for w := range strings.FieldsSeq(text) {
		all = append(all, conceptsOf(w)...)
	}
	return all
}

func (r *reading) deleteNote() (string, arguments) {
	_, query := r.searchNotes()
	if query == nil {
		return "", nil
	}
	return "note_delete", arguments{"notes": []any{query["query"]}}
}

// searchNotes looks for the words that are not of the question itself.
func (r *reading) searchNotes() (string, arguments) {
	about := r.unusual()
	if about == "" {
		return "", nil
	}
	for i := range r.people {
		r.people[i].used = true
	}
	for i := range r.found {
		r.found[i].used = true
	}
	return "note_search", arguments{"query": about, "tags": []string{}}
}

// unusual are the words that are none by which people ask for things, outside those that are in the call.
func (r *reading) unusual() string {
	var about []string
	for _, w := range r.words {
		if slices.Contains(conceptsOf(w.lower), "note") {
			continue // it is of the question
		}
		inOwn := slices.ContainsFunc(r.own, func(s said) bool { return s.from <= w.from && w.to <= s.to })
		if often := learned().Usual[w.lower]; !inOwn && (often < 1 || w.taken) {
			about = append(about, r.Text[w.from:w.to])
		}
	}
	return strings.Join(about, " ")
}
