package offline

import "slices"

// site is a venue, a landmark or an area that the message may name, as the stages know.
type site struct {
	namedPlace
	spanOf
	// near says that it is where to look around, denied that it must not be there.
	near, denied bool
}

// findPlaces finds the places that the sentence names.
func (s *sentence) findPlaces(places []namedPlace) {
	for i := 0; i < len(s.words) && len(places) > 0; i++ {
		for _, p := range places {
			if found, to := s.placeFound(p, i); to > i {
				s.sites = append(s.sites, found)
				i = to - 1
				break
			}
		}
	}
}

// placeFound is a place if word i begins its name, and where that ends; i if it does not. A single word may mean
// something else: it is a place after a preposition, or alone between marks.
func (s *sentence) placeFound(p namedPlace, i int) (found site, to int) {
	to, before, _ := s.spans(p.Said, i)
	if to == i || s.knownAt(i) != nil || s.knownAt(to-1) != nil || s.goesOn(to) {
		return found, i
	}
	g := group{from: i, before: before}
	for g.before == "" && g.from > 0 && s.expect("of the place", g.from-1) > 0 {
		g.from--
	}
	p.Said = s.spoken(g.from, to)
	found = site{namedPlace: p, spanOf: spanOf{i, to}, denied: s.leads("not at", g), near: s.leads("near", g)}
	alone := (s.at(i-1).mark || before != "") && s.at(to).mark
	if to == i+1 && !found.denied && !found.near && !alone && !s.leads("at", g) {
		return found, i
	}
	for _, key := range []string{"not at", "near", "at"} {
		found.from = min(found.from, s.begin(key, g))
	}
	return found, to
}

// goesOn reports whether a name goes on with word i: "downtown Oakland" is not downtown.
func (s *sentence) goesOn(i int) bool {
	w := s.at(i)
	return w.capital() && !s.shouted && !neverNames[w.lower] && s.knownAt(i) == nil
}

// begin is where the longest phrase of the key begins that stands right before word i of a place, with what is between.
func (s *sentence) begin(key string, g group) int {
	for from := max(0, g.from-maxBefore); from < g.from; from++ {
		if n := s.expect(key, from); from+n == g.from && n > 0 || g.before != "" && from+n == g.from {
			return from
		}
	}
	return g.from
}

// standAt is where the message wants it, of the places that it names.
func (s *sentence) standAt(v *venue) {
	for _, p := range s.sites {
		switch {
		case p.denied:
			v.refused = append(v.refused, firstOf(p.Name, p.Said))
		case p.Kind == "area":
			v.where.area = p.Said
		case p.near, p.Kind == "landmark":
			v.where.landmark = p.Said
		case v.name == "":
			v.name = p.Name
		}
		if !s.glossed {
			v.used.add(p.from, p.to)
		}
	}
}

// siteAt reports whether word i belongs to a place that the sentence names.
func (s *sentence) siteAt(i int) bool {
	return slices.ContainsFunc(s.sites, func(p site) bool { return p.from <= i && i < p.to })
}
