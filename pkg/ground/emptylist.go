package ground

import (
	"maps"
	"slices"
	"strings"
)

// removeItems takes items off a list, or all but those that are named.
func (r *reading) removeItems() (string, arguments) {
	return r.itemsBut("list_remove", nil)
}

// itemsBut does something to the items that are named, or to all but those: "I got everything except the tomatoes".
func (r *reading) itemsBut(tool string, more arguments) (string, arguments) {
	if at := butWhich(r.Text); at > 0 && r.says("everything") {
		return r.allBut(at, tool, more)
	}
	return onItems(tool, more)(r)
}

// butWhich is the byte behind the words that leave something out; 0 if there are none.
func butWhich(text string) int {
	for _, name := range []string{"sparing", "except"} {
		if at := words()[name].FindStringIndex(text); at != nil {
			return at[1] - 1
		}
	}
	return 0
}

// IsAllBut reports whether a message ends with what it leaves out of everything, so that "and" in that begins nothing
// new: "tick off everything except the oil and the eggs".
func IsAllBut(text string) bool {
	at := butWhich(text)
	rest := strings.TrimRight(text[at:], " .!")
	if at == 0 || !words()["everything"].MatchString(text[:at]) || strings.ContainsAny(rest, ",.;:") {
		return false
	}
	return !slices.ContainsFunc(split(rest), func(w word) bool {
		return slices.ContainsFunc(conceptsOf(w.lower), func(c string) bool { return c != "and" })
	})
}

// emptyList takes from a list what is on it, or what is ticked off.
func (r *reading) emptyList() (string, arguments) {
	which := "all"
	if r.says("ticked") {
		which = "done"
	}
	if at := words()["sparing"].FindStringIndex(r.Text); at != nil && which == "all" {
		return r.allBut(at[1]-1, "list_remove", nil)
	}
	if r.says("leftout") {
		return "", nil
	}
	return onList("list_remove", arguments{"items": []string{}, "which": which})(r)
}

// allBut does something to all items of a list but what is named from a byte on: "…, except the paint". It does nothing
// if anything else is named there. A list that is not named is the one of what is.
func (r *reading) allBut(from int, tool string, more arguments) (string, arguments) {
	lists, ids := r.ids(List), []string{}
	if items := r.of(Item); len(lists) == 0 && len(items) > 0 {
		lists = []string{items[0].things[0].List}
	}
	if len(lists) != 1 {
		return "", nil
	}
	ofList := keep(r.Things, func(t Thing) bool { return t.Kind == Item && t.List == lists[0] })
	spared := map[int]bool{}
	for _, t := range ofList {
		named := r.namedFrom(from, t)
		if len(named) == 0 {
			ids = append(ids, t.ID)
		}
		for _, i := range named {
			spared[i] = true
		}
	}
	other := func(i int, w word) bool {
		return w.from >= from && !spared[i] && !onlySays(w.lower, "determiner", "joins", "small")
	}
	for i, w := range r.words {
		if other(i, w) || len(spared) == 0 {
			return "", nil
		}
	}
	if len(ids) == 0 {
		return "", nil
	}
	for _, m := range r.of(Item) {
		m.used = true
	}
	all := arguments{"items": ids, "list": lists[0]}
	maps.Copy(all, more)
	return tool, all
}

// namedFrom are the words from a byte on that name a thing.
func (r *reading) namedFrom(from int, t Thing) (at []int) {
	for i, w := range r.words {
		if w.from >= from && r.telling(i) && r.titled(t, i) {
			at = append(at, i)
		}
	}
	return at
}

func onList(tool string, more arguments) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		lists := r.ids(List)
		if len(lists) != 1 {
			return "", nil
		}
		all := arguments{"list": lists[0]}
		for name, value := range more {
			all[name] = value
		}
		return tool, all
	}
}
