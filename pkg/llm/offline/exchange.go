package offline

import "slices"

// This file says who comes in the place of whom.

// them are those who take part, if a word at i that ends a clause means them: "Theo instead of her".
func (g *guests) them(i int) (names []string) {
	n := max(g.inChange("one of them", i), g.inChange("all of them", i))
	switch end := i + n; {
	case n == 0, end < len(g.words) && !g.at(end).mark && !g.at(end).timed && g.inChange("taking part", end) == 0 &&
		g.inChange("apart", end) == 0:
		return nil
	case g.taking == 1 || g.inChange("all of them", i) > 0:
		for _, p := range g.names[:g.taking] {
			names = append(names, p.name)
		}
	case g.latest != "":
		names = []string{g.latest}
	default:
		g.unclear = g.spoken(i, end)
	}
	return names
}

// dropsApart reports whether word i leaves out whom a pronoun between its two parts means: "leave him out again".
func (g *guests) dropsApart(i int) bool {
	n := max(g.inChange("one of them", i+1), g.inChange("all of them", i+1))
	out := g.inChange("apart", i+1+n)
	end := i + 1 + n + out
	return g.inChange("drops apart", i) == 1 && n > 0 && out > 0 &&
		(end >= len(g.words) || g.at(end).mark || g.at(end).timed || g.inChange("and", end) > 0)
}

// lately is the one participant whom the user's message before named; empty if it named none, or several.
func (g *guests) lately(turns []exchange) (name string) {
	if len(turns) == 0 {
		return ""
	}
	said := wordsIn([]string{turns[len(turns)-1].User})
	for _, p := range g.names[:g.taking] {
		if !said[singular(p.words[0])] {
			continue
		}
		if name != "" {
			return ""
		}
		name = p.name
	}
	return name
}

// replaced are those who take part, if others come in their place. Of several nobody goes for one who is not named.
func (e *editor) replaced(g *guests, gone, come []string) []string {
	place := e.changes("in their place")
	if place && g.taking > 1 {
		g.unclear = e.data.Message
	}
	if g.unclear != "" {
		e.out.Unhandled = append(e.out.Unhandled, g.unclear)
		return nil
	}
	place = place || len(g.told("instead")) > 0 || e.changes("instead") && !e.changes("adding")
	if !place || len(gone) > 0 || len(come) == 0 || len(g.partOf(come)) > 0 {
		return nil
	}
	return slices.Clone(e.data.Template.Participants)
}

// exchanged reads "swap Al for Dana" and "swap in Dana for Al": those who go are added to gone. Only someone who takes
// part can be replaced: "change coffee to tea" is about something else.
func (g *guests) exchanged(gone *[]string) []string {
	for i := range g.words {
		for _, key := range []string{"swaps in", "swaps"} {
			n := g.inChange(key, i)
			if n == 0 {
				continue
			}
			first, _, end := g.list(i+n, true)
			link := g.inChange("for", end)
			if len(first) == 0 || link == 0 && key == "swaps" {
				continue
			}
			second, _, _ := g.list(end+link, true)
			switch {
			case link == 0:
				return first
			case key == "swaps in":
				first, second = second, first
			}
			if taking := g.partOf(first); len(taking) > 0 {
				*gone = append(*gone, taking...)
				return second
			}
		}
	}
	return nil
}

// corrected reads "Dana, not Al", "not Al but Dana", "I meant Dana" and "the other Al". Those who go are added to gone;
// anew says that others come anyway.
func (g *guests) corrected(gone *[]string, anew bool) (come []string) {
	if others := g.after("other", false); len(others) > 0 {
		return g.namesake(others[0], gone)
	}
	for i := range g.words {
		n := g.inChange("not", i)
		if n == 0 || anew {
			continue
		}
		names, _, end := g.list(i+n, false)
		if len(g.partOf(names)) == 0 {
			continue
		}
		if but := max(g.inChange("but", end), g.inChange("and", end)); but > 0 {
			others, _, last := g.list(end+but, true)
			if g.at(last).mark && g.inChange("keeping", end+but) == 0 {
				come = others
			}
		}
		if g.at(i-1).text == "," {
			i--
		}
		names = slices.DeleteFunc(names, func(name string) bool { return g.participant(name) != "" }) // "not Al, Dana"
		return slices.Concat(names, come, g.before(i), g.after("meant", false))
	}
	come = g.after("meant", false)
	if len(come) > 0 && len(*gone) == 0 && len(g.told("joins too")) == 0 { // "no, with Grace as well" leaves nobody out
		if was := firstOf(g.sharing(come[0]), g.only()); was != "" {
			*gone = append(*gone, was)
		}
	}
	return come
}
