package offline

import (
	"slices"
	"strings"
)

// people reads who is added, who is left out, and who comes in somebody's place.
func (e *editor) people(v *venue) {
	gone, come := e.swapped(v)
	gone = append(gone, e.namesBehind("leaves before", v)...)
	gone = append(gone, e.absentees()...)
	for _, name := range e.data.Template.Participants {
		first, _, _ := strings.Cut(strings.ToLower(name), " ")
		if e.says("not "+first, "no "+first, "take "+first+" off", "take "+first+" out", "leave "+first+" out") {
			gone = append(gone, name)
		}
	}
	if all, ok := e.alone(v); ok {
		gone = append(gone, slices.DeleteFunc(slices.Clone(e.data.Template.Participants), func(name string) bool {
			return stays(name, all)
		})...)
		come = append(come, all...)
	}
	come = append(come, e.listed(v)...)
	come = append(come, e.joining(v)...)
	if len(come) == 0 {
		come = e.stoodIn(v)
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

// swapped reads "swap Al for Dana", "replace Al with Dana" and "Dana instead of Al". Only somebody who takes part can
// be replaced: "tea instead of coffee" is about something else.
func (e *editor) swapped(v *venue) (gone, come []string) {
	partOfIt := func(name string) bool { return knows(e.data, name) }
	for _, verb := range []string{"swap in", "sub in", "bring in"} {
		list := e.nameList(e.phraseEnd(verb), true, &venue{})
		if e.phraseEnd(verb) == 0 || len(list) == 0 || e.at(list[len(list)-1].to).lower != "for" {
			continue
		}
		if others := namesOf(e.nameList(list[len(list)-1].to+1, true, &venue{})); slices.ContainsFunc(others, partOfIt) {
			return others, namesOf(list)
		}
	}
	for _, verb := range []string{"replace", "swap out", "swap", "switch out", "switch", "exchange", "change"} {
		list := e.nameList(max(e.phraseEnd(verb), 0), true, v)
		if e.phraseEnd(verb) == 0 || !slices.ContainsFunc(namesOf(list), partOfIt) {
			continue
		}
		end := list[len(list)-1].to
		switch e.at(end).lower {
		case "by":
			v.where = whereabouts{} // "replace Al by Dana" is nowhere near her
			fallthrough
		case "with", "for", "to":
			return namesOf(list), namesOf(e.nameList(end+1, true, &venue{}))
		}
	}
	if gone, come = e.corrected(v); len(come) > 0 {
		return gone, come
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

// corrected reads "Dana, not Al" and "not Al but Dana" of an event in which Al takes part and Dana does not.
func (e *editor) corrected(v *venue) (gone, come []string) {
	takesPart := func(name string) bool {
		first, _, _ := strings.Cut(name, " ")
		return isAmong(name, e.data.Template.Participants) ||
			slices.ContainsFunc(e.data.Template.Participants, func(p string) bool { return strings.EqualFold(p, first) })
	}
	for i := range e.words {
		if e.at(i).lower != "not" {
			continue
		}
		p, end := e.nameAt(i+1, true, &venue{}) // not a place, where somebody of the name takes part
		if p.name == "" || !takesPart(p.name) {
			continue
		}
		from := i
		if e.at(i-1).text == "," {
			from--
		}
		come = namesOf(e.namesBefore(from, v))
		if next := e.at(end); len(come) == 0 && (next.text == "," || next.lower == "but") {
			come = namesOf(e.nameList(end+1, false, v))
		}
		came := slices.DeleteFunc(come, func(name string) bool {
			return isAmong(name, e.data.Template.Participants) || strings.EqualFold(name, p.name)
		})
		if len(came) > 0 {
			first, _, _ := strings.Cut(p.name, " ")
			return []string{p.name, first}, came
		}
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

// stoodIn are the names right before "instead" of people who are known, or who come in the stead of somebody who
// cannot.
func (e *editor) stoodIn(v *venue) []string {
	i := e.phraseEnd("instead") - 1
	if i < 1 || e.says("instead of") || !e.at(i-1).capital() {
		return nil
	}
	names := namesOf(e.namesBefore(i, v))
	if len(names) > 0 && e.allKnown(names) && !slices.ContainsFunc(names, func(name string) bool {
		return isAmong(name, e.data.Template.Participants)
	}) {
		return names
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
	if !e.says("instead") || e.says("instead of", "add", "also", "too", "as well", "along", "invite", "include",
		"bring", "join") {
		return false
	}
	return !slices.ContainsFunc(e.peopleOf(v), func(p person) bool { return knows(e.data, p.name) })
}

// joining reads "bring Dana along", "can Dana join too?", "and Dana", "Dana is in".
func (e *editor) joining(v *venue) []string {
	found := e.namesBehind("joins before", v)
	for i := range e.words {
		found = append(found, e.listedAt(i, v)...)
		if n := e.inChange("joins behind", i); n > 0 && !e.at(i+n).timed && e.at(i-1).capital() {
			if names := namesOf(e.namesBefore(i, v)); n > 1 || e.allKnown(names) {
				found = append(found, names...)
			}
		}
		switch e.words[i].lower {
		case "join", "joins", "joining", "come", "coming", "comes", "attend", "attending":
			found = append(found, e.comers(i, v)...)
		}
	}
	return found
}

// listedAt are the names behind an "and" at word i that begins the message, or goes on behind something else: "an hour,
// and Dana".
func (e *editor) listedAt(i int, v *venue) []string {
	if w := e.at(i).lower; w != "and" && w != "plus" || i > 0 && e.at(i-1).text != "," {
		return nil
	}
	if names := namesOf(e.nameList(i+1, false, v)); i == 0 || e.allKnown(names) {
		return names
	}
	return nil
}

// comers are the names before the word i that says that they come: "Dana would like to join".
func (e *editor) comers(i int, v *venue) []string {
	from := i - 1
	for from > 0 && comingWords[e.at(from).lower] {
		from--
	}
	for from > 0 && e.isName(from-1, v) && e.at(from-1).capital() && !leads[e.at(from-1).lower] &&
		!stopWords[e.at(from-1).lower] {
		from--
	}
	if from < 0 || !e.at(from).capital() {
		return nil
	}
	return namesOf(e.nameList(from, false, v))
}

// comingWords stand between a name and that they come: "Dana would like to join".
var comingWords = wordSet(`is are will should would like wants want to can could might also be gets needs`)

// namesBehind are the names behind the phrases of a key in what people say to change an event, but for what is
// somebody's, and for whom the message turns down. Those who leave take part.
func (e *editor) namesBehind(key string, v *venue) []string {
	var found []string
	for i := range e.words {
		n := e.inChange(key, i)
		if n == 0 || key == "joins before" && e.denied(i) {
			continue
		}
		for _, p := range e.nameList(i+n, e.at(i).lower != "plus", v) {
			if last := e.at(p.to - 1).lower; !strings.HasSuffix(last, "'s") &&
				(key == "joins before" || isAmong(p.name, e.data.Template.Participants)) {
				found = append(found, p.name)
			}
		}
	}
	return found
}

// denied reports whether what stands right before word i turns it down: "don't invite".
func (s *sentence) denied(i int) bool {
	switch s.at(i - 1).lower {
	case "not", "don't", "never":
		return true
	case "to":
		return s.at(i-2).lower == "need" && s.at(i-3).lower == "no"
	}
	return false
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
