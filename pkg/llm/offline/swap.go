package offline

import (
	"slices"
	"strings"
)

// people reads who is added, who is left out, and who comes in somebody's place.
func (e *editor) people(v *venue) {
	gone, come := e.swapped(v)
	gone = append(gone, e.listBehind(v, "without", "remove", "drop", "minus", "uninvite", "exclude", "take off", "take out", "leave out", "not with")...)
	gone = append(gone, e.absentees()...)
	for _, name := range e.data.Template.Participants {
		first, _, _ := strings.Cut(strings.ToLower(name), " ")
		if e.says("not "+first, "no "+first, "take "+first+" off", "take "+first+" out", "leave "+first+" out") {
			gone = append(gone, name)
		}
	}
	if all, ok := e.alone(v); ok {
		gone = append(gone, slices.DeleteFunc(slices.Clone(e.data.Template.Participants), func(name string) bool { return stays(name, all) })...)
		come = append(come, all...)
	}
	come = append(come, e.listed(v)...)
	if e.says("add", "invite", "include", "bring", "too", "as well", "along", "also", "join") {
		come = append(come, e.joining(v)...)
	}
	if len(gone) == 0 && len(come) > 0 && e.replacesAll(v) {
		gone = slices.Clone(e.data.Template.Participants)
	}
	e.out.RemoveParticipants = append(e.out.RemoveParticipants, distinctNames(e.asKnown(gone))...)
	for _, name := range distinctNames(come) {
		leaves := slices.ContainsFunc(gone, func(g string) bool { return strings.EqualFold(g, name) })
		if !leaves && !knows(e.data, name) {
			e.out.AddParticipants = append(e.out.AddParticipants, name)
		}
	}
	if len(e.out.AddParticipants)+len(e.out.RemoveParticipants) > 0 {
		e.touch("participants")
	}
}

// swapped reads "swap Al for Dana", "replace Al with Dana" and "Dana instead of Al". Only somebody who takes part can be
// replaced: "tea instead of coffee" is about something else.
func (e *editor) swapped(v *venue) (gone, come []string) {
	partOfIt := func(name string) bool { return knows(e.data, name) }
	for _, verb := range []string{"replace", "swap out", "swap", "switch out", "switch", "exchange"} {
		list := e.nameList(max(e.phraseEnd(verb), 0), true, v)
		if e.phraseEnd(verb) == 0 || !slices.ContainsFunc(namesOf(list), partOfIt) {
			continue
		}
		end := list[len(list)-1].to
		if w := e.at(end).lower; w == "with" || w == "for" || w == "by" {
			return namesOf(list), namesOf(e.nameList(end+1, true, v))
		}
	}
	for _, phrase := range []string{"instead of", "in place of", "rather than"} {
		i := e.phraseEnd(phrase)
		list := namesOf(e.nameList(i, true, v))
		if i == 0 || !slices.ContainsFunc(list, partOfIt) {
			continue
		}
		return list, namesOf(e.namesBefore(i-len(strings.Fields(phrase)), v))
	}
	return nil, nil
}

// namesBefore are the names that end right before word i.
func (e *editor) namesBefore(i int, v *venue) []person {
	for from := max(0, i-2*maxNameWords); from < i; from++ {
		if w := e.at(from); w.mark || leads[w.lower] || stopWords[w.lower] {
			continue
		}
		list := e.nameList(from, true, v)
		if n := len(list); n > 0 && list[n-1].to == i {
			return list
		}
	}
	return nil
}

// stays reports whether one of the names is that of somebody who takes part.
func stays(participant string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return isAmong(name, []string{participant}) })
}

// listed are the people behind "with" and the like, all of each list.
func (e *editor) listed(v *venue) []string {
	var names []string
	end := -1
	for _, p := range e.peopleOf(v) {
		if strongBefore[e.at(p.from-1).lower] || end >= 0 && e.afterJoin(end) == p.from {
			names, end = append(names, p.name), p.to
		}
	}
	return names
}

// replacesAll reports whether whoever the message names comes instead of everybody: "dinner with Dana instead".
func (e *editor) replacesAll(v *venue) bool {
	if !e.says("instead") || e.says("instead of", "add", "also", "too", "as well", "along", "invite", "include", "bring", "join") {
		return false
	}
	return !slices.ContainsFunc(e.peopleOf(v), func(p person) bool { return knows(e.data, p.name) })
}

// joining reads "bring Dana along", "can Dana join too?".
func (e *editor) joining(v *venue) []string {
	found := e.listBehind(v, "add", "adding", "bring", "have")
	for i := range e.words {
		switch e.words[i].lower {
		case "join", "joins", "joining", "come", "coming", "comes":
			from := i - 1
			for from > 0 && (e.at(from).lower == "is" || e.at(from).lower == "should" || e.at(from).lower == "will") {
				from--
			}
			for from > 0 && e.isName(from-1, v) && e.at(from-1).capital() && !leads[e.at(from-1).lower] && !stopWords[e.at(from-1).lower] {
				from--
			}
			if e.at(from).capital() && from >= 0 {
				found = append(found, namesOf(e.nameList(from, false, v))...)
			}
		}
	}
	return found
}

// listBehind are the names behind the first of the phrases.
func (e *editor) listBehind(v *venue, phrases ...string) []string {
	var found []string
	for _, phrase := range phrases {
		if i := e.phraseEnd(phrase); i > 0 {
			found = append(found, namesOf(e.nameList(i, true, v))...)
		}
	}
	return found
}

// asKnown are the names as the template has them: "al" and "Al" are the "Al Chen" who takes part.
func (e *editor) asKnown(names []string) []string {
	out := slices.Clone(names)
	for i, name := range out {
		for _, known := range e.data.Template.Participants {
			if first, _, _ := strings.Cut(known, " "); strings.EqualFold(name, known) || strings.EqualFold(name, first) {
				out[i] = known
			}
		}
	}
	return out
}

func distinctNames(all []string) []string {
	var kept []string
	for _, name := range all {
		if !slices.ContainsFunc(kept, func(k string) bool { return strings.EqualFold(k, name) }) {
			kept = append(kept, name)
		}
	}
	return kept
}

// everyone are the people by name after the change.
func (e *editor) everyone() []string {
	stay := slices.DeleteFunc(slices.Clone(e.data.Template.Participants), func(name string) bool {
		return slices.ContainsFunc(e.out.RemoveParticipants, func(r string) bool { return strings.EqualFold(r, name) })
	})
	return append(stay, e.out.AddParticipants...)
}

// retitle keeps a title that says who comes true to who does.
func (e *editor) retitle() {
	if e.out.NewTitle != nil || len(e.out.AddParticipants)+len(e.out.RemoveParticipants) == 0 {
		return
	}
	if what, ok := e.titleWithout(); ok {
		title := e.titled(what, e.everyone())
		e.out.NewTitle = &title
	}
}

// titleWithout is the template's title without the names, where it is made of an activity and the names of the people.
func (e *editor) titleWithout() (what string, ok bool) {
	what, rest, ok := strings.Cut(e.data.Template.Title, " with ")
	for _, t := range tongues() {
		if !ok {
			what, rest, ok = strings.Cut(e.data.Template.Title, t.With)
		}
	}
	if !ok {
		return "", false
	}
	rest = strings.ToLower(rest)
	for _, name := range e.data.Template.Participants {
		rest = strings.Replace(rest, strings.ToLower(titleName(name)), " ", 1)
	}
	for w := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == ' ' || r == ',' }) {
		if w != "and" && w != "others" && w != "y" && w != "e" && w != "ו־" && w != "ו" {
			return "", false
		}
	}
	return what, true
}
