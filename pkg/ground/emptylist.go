package ground

// removeItems takes items off a list, or all but those that are named.
func (r *reading) removeItems() (string, arguments) {
	if at := words()["sparing"].FindStringIndex(r.Text); at != nil && r.says("everything") && len(r.of(List)) == 1 {
		return r.removeBut(at[1] - 1)
	}
	return onItems("list_remove", nil)(r)
}

// emptyList takes from a list what is on it, or what is ticked off.
func (r *reading) emptyList() (string, arguments) {
	which := "all"
	if r.says("ticked") {
		which = "done"
	}
	if at := words()["sparing"].FindStringIndex(r.Text); at != nil && which == "all" {
		return r.removeBut(at[1] - 1)
	}
	if r.says("leftout") {
		return "", nil
	}
	return onList("list_remove", arguments{"items": []string{}, "which": which})(r)
}

// removeBut takes from a list all but what is named from a byte on: "…, except the paint". It does nothing if anything
// else is named there.
func (r *reading) removeBut(from int) (string, arguments) {
	lists, ids, spared := r.ids(List), []string{}, map[int]bool{}
	for _, t := range r.Things {
		if t.Kind != Item || len(lists) != 1 || t.List != lists[0] {
			continue
		}
		stays := false
		for i, w := range r.words {
			if named := w.from >= from && r.telling(i) && r.titled(t, i); named {
				stays, spared[i] = true, true
			}
		}
		if !stays {
			ids = append(ids, t.ID)
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
	return "list_remove", arguments{"items": ids, "list": lists[0]}
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
