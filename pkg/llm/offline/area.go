package offline

import "strings"

// middleAt reads "downtown Oakland".
func (s *sentence) middleAt(i int, v *venue) {
	end := i + 1
	if s.at(end).capital() && !s.at(end).timed {
		end = s.nameEnd(end)
	}
	v.where.area = s.spoken(i, end)
	v.used.add(i, end)
}

// areaAt reads "near the Ferry Building", "in Hayes Valley", "closer to the Mission". What stands after
// "not" is where it must not be, and says nothing of where it should be.
func (s *sentence) areaAt(i int, v *venue) {
	j, near := i+1, s.words[i].lower
	switch near {
	case "close", "closer", "next":
		if s.at(j).lower != "to" {
			return
		}
		j++
		near = "near"
	case "from", "nearby":
		return
	case "in":
		if s.inChange("adds", i-1)+s.inChange("swaps in", i-1) > 1 {
			return // "loop in Grace"
		}
		if s.endsHere("whereabouts", i) {
			return // "he's in London"
		}
	}
	article := ""
	if s.at(j).lower == "the" {
		j, article = j+1, "the "
	}
	if s.at(j).mark || s.at(j).timed || s.isOption(j) {
		return
	}
	if (!s.at(j).capital() || s.shouted) && s.namesNowhere(j, near) {
		return
	}
	end := max(s.nameEnd(j), j+s.of("area", j))
	if end == j || end-j > 4 {
		return
	}
	name := s.spoken(j, end)
	switch strings.ToLower(name) {
	case "sf", "san francisco", "town", "me", "person", "city", "meeting":
		return
	}
	v.used.add(i, end)
	switch denied := s.at(i-1).lower == "not"; {
	case denied && v.where.area == "":
		v.where.anywhere = true
	case denied:
	case near == "in":
		v.where.area, v.where.anywhere = article+name, false
	default:
		v.where.landmark, v.where.anywhere = article+name, false
	}
}

// namesNowhere reports whether the small letters at word j, after the word near, are of no place.
func (s *sentence) namesNowhere(j int, near string) bool {
	return near == "by" || near == "around" || stopWords[s.at(j).lower] && s.of("area", j) == 0 ||
		near == "in" && s.at(j-1).lower != "the" && !s.smallArea(j) || noVenue[s.at(j).lower]
}

// smallArea reports whether the words from j on are an area in small letters: "in hayes valley".
func (s *sentence) smallArea(j int) bool {
	if n := s.of("area", j); n > 0 {
		return s.spotEnds(j + n)
	}
	if s.of("nowhere", j) > 0 || s.at(j).known() || len(s.at(j).text) < 3 || !onlyLetters(s.at(j).text) {
		return false
	}
	end := s.nameEnd(j)
	return end > j && end-j <= 3 && s.spotEnds(end)
}

// partOfTown makes an area of the name that ends before a word, where that is one of those that areas end with.
func (s *sentence) partOfTown(end int, v *venue) {
	if v.name != "" && s.of("part of town", end-1) > 0 {
		v.where.area, v.name = v.name, ""
	}
}
