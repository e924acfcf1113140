package ground

import (
	"encoding/json"
	"slices"
	"strings"
)

// listBefore is the list that the turn before was about: its id or, of one that is not there yet, its name.
func (r *reading) listBefore() string {
	for _, t := range r.Things {
		switch {
		case !slices.Contains(r.Last, t.ID):
		case t.Kind == List:
			return t.ID
		case t.Kind == Item:
			return t.List
		}
	}
	return r.Before.text("list")
}

// itemsLeft shows what is still open on the list that the turn before was about.
func (r *reading) itemsLeft() (string, arguments) {
	list := r.listBefore()
	switch {
	case list == "":
	case r.says("asks for rest"):
		return "list_view", arguments{"list": list, "which": "open"}
	case r.says("asks for list"):
		return "list_view", arguments{"list": list}
	}
	return "", nil
}

// recount says how many there are to be of the one item that the turn before put on a list: "make that 8".
func (r *reading) recount() (string, arguments) {
	var put struct {
		Items []string `json:"items"`
	}
	at := form("recounted").FindStringSubmatch(r.Text)
	if at == nil || json.Unmarshal(r.Before.Arguments, &put) != nil || len(put.Items) != 1 {
		return "", nil
	}
	said, list := strings.Join(at[1:], ""), r.listBefore()
	items := keep(r.Things, func(t Thing) bool {
		return t.Kind == Item && t.List == list && strings.HasSuffix(strings.ToLower(put.Items[0]), strings.ToLower(t.Title))
	})
	if len(items) != 1 || !numeral(word{lower: strings.ToLower(said)}) {
		return "", nil
	}
	return "list_setItem", arguments{"items": []string{said + " " + items[0].Title}, "list": list}
}

// moreItems puts more on the list that the turn before was about: "add rice", or "and a loaf of rye" if that added
// something too. What may be anything else is asked about.
func (r *reading) moreItems() (string, arguments) {
	list := r.listBefore()
	if list == "" || strings.Contains(r.Text, "?") {
		return "", nil
	}
	more, names := "", []string{"add more", "and more", "more too"}
	if r.Before.Tool != "list_add" {
		names = names[:1]
	}
	for _, name := range names {
		if at := form(name).FindStringSubmatch(r.Text); at != nil {
			more = strings.TrimSpace(form("announced").ReplaceAllString(at[1], ""))
			break
		}
	}
	r.readTimes()
	named := slices.ContainsFunc(r.named(), func(m mention) bool { return m.kind != Item && m.covered >= mostOfTitle })
	with := slices.ContainsFunc(r.people, r.isNoTaker) && !form("on it").MatchString(r.Text)
	if more == "" || named || len(r.times) > 0 || with ||
		onlySays(more, "nothing") || words()["kinds"].MatchString(more) ||
		len(conceptsOf(firstWord(more))) > 0 || onlyPoints(more) ||
		words()["clause"].MatchString(more) {
		return "", nil
	}
	first, rest, _ := strings.Cut(strings.ToLower(more), " ")
	switch thing := onlySays(first, "determiner") || numeral(word{lower: first}); {
	case !thing && (slices.ContainsFunc(strings.Fields(rest), isDeterminer) || onlySays(first, "doing")):
		return "", nil // "ring the plumber" is no thing
	case !thing:
		r.guessed = len(strings.Fields(more)) > mostBare
	}
	return "list_add", arguments{"items": []string{more}, "list": list}
}

// isNoTaker reports whether a person is not only the one for whom a thing is: "a bottle of wine for Theo".
func (r *reading) isNoTaker(p said) bool { return !form("for them").MatchString(r.Text[:p.from]) }

// mostBare is how many words a thing has at most that is added without being asked for once more.
const mostBare = 3

func isDeterminer(word string) bool { return onlySays(word, "determiner") }

// notThat takes off again what the turn before has put on a list: "no, not the honey".
func (r *reading) notThat() (string, arguments) {
	at := words()["not on it"].FindStringIndex(r.Text)
	if at == nil || at[0] > 0 || r.Before.Tool != "list_add" {
		return "", nil
	}
	list, ids := r.listBefore(), []string{}
	for _, m := range r.named() {
		if m.kind == Item && m.things[0].List == list && len(m.words) > 0 && r.words[m.words[0]].to >= at[1]-1 {
			ids = append(ids, m.things[0].ID)
			r.takeWords(r.words[m.words[0]].from, r.words[m.words[len(m.words)-1]].to)
		}
	}
	other := func(w word) bool {
		return w.from >= at[1]-1 && !w.taken && !onlySays(w.lower, "determiner", "joins", "small")
	}
	if len(ids) == 0 || slices.ContainsFunc(r.words, other) {
		return "", nil
	}
	return "list_remove", arguments{"items": ids, "list": list}
}

// callTask gives the one task that was made or changed another name, whatever its words say elsewhere: "call it feed
// the cat".
func (r *reading) callTask() (string, arguments) {
	name := r.newlyCalled()
	if i := slices.IndexFunc(r.Things, func(t Thing) bool { return slices.Contains(r.Last, t.ID) }); name == "" || i < 0 ||
		len(r.Last) != 1 || r.Things[i].Kind != Task {
		return "", nil
	}
	return "task_updateTask", arguments{"selection": arguments{"ids": r.Last}, "updates": arguments{"title": name}}
}

// callList likewise, of a list.
func (r *reading) callList() (string, arguments) {
	name, list := r.newlyCalled(), r.listBefore()
	if name == "" || list == "" {
		return "", nil
	}
	return "list_rename", arguments{"list": list, "name": name}
}

// newlyCalled is the name that what was seen last gets; empty if the message says none.
func (r *reading) newlyCalled() string {
	at := form("call it").FindStringSubmatch(r.Text)
	if at == nil {
		return ""
	}
	return strings.Trim(at[1], `"“”«»'`)
}

// thatList deletes the one list that was made or looked at, or takes from it what is on it.
func (r *reading) thatList() (string, arguments) {
	list := r.listBefore()
	if list == "" || !r.onlyCancels() || r.Before.Tool == "list_remove" {
		return "", nil
	}
	if r.says("emptying") {
		return "list_remove", arguments{"items": []string{}, "list": list, "which": "all"}
	}
	return "list_delete", arguments{"list": list}
}

// onlyCancels reports whether the message says nothing but that what was seen last is to go.
func (r *reading) onlyCancels() bool {
	cancels := func(w word) bool {
		return slices.Contains(conceptsOf(w.lower), "cancel") || onlySays(w.lower, "emptying")
	}
	other := func(w word) bool {
		return !cancels(w) && !onlySays(w.lower, "it", "small", "kinds", "again", "determiner", "list") &&
			!slices.Contains(conceptsOf(w.lower), "note")
	}
	waved := func(w word) bool { return onlySays(w.lower, "waved") } // "forget it" deletes nothing
	return slices.ContainsFunc(r.words, cancels) && !slices.ContainsFunc(r.words, other) &&
		!slices.ContainsFunc(r.words, waved)
}

// thatNote deletes the one note that was saved or found, or that a word like "second" tells, or adds to it.
func (r *reading) thatNote() (string, arguments) {
	if i := slices.IndexFunc([]string{"first", "second", "third", "fourth"}, r.says); i >= 0 && i < len(r.Listed) {
		r.Last = r.Listed[i : i+1]
	}
	if len(r.Last) != 1 || strings.HasPrefix(r.Last[0], newThing) {
		return "", nil
	}
	if at := form("to that").FindStringSubmatchIndex(r.Text); at != nil {
		return "note_save", arguments{"text": strings.TrimSpace(r.Text[at[2]:]), "tags": []string{}, "addTo": r.Last[0]}
	}
	if !r.onlyCancels() {
		return "", nil
	}
	return "note_delete", arguments{"notes": r.Last}
}

// newThing begins what stands for the id of a thing that is not there yet.
const newThing = "new "
