package offline

// streetEnd takes in the street on which a venue stands, after its name: "the Anchor on 9th street".
func (s *sentence) streetEnd(i int) int {
	if s.at(i).lower != "on" || s.at(i).timed {
		return i
	}
	for k := i + 2; k < i+4 && !s.at(k).mark && !s.at(k-1).timed; k++ {
		if s.of("street", k) > 0 {
			return k + 1
		}
	}
	return i
}

// isHouse reports whether word i is the number of a house, with its street after it: "45 Oak Avenue".
func (s *sentence) isHouse(i int) bool {
	if !isFigure(s.at(i).text) || s.at(i).timed || !s.at(i+1).capital() || s.at(i+1).timed {
		return false
	}
	for k := i + 2; k < i+5 && !s.at(k).mark && !s.at(k).timed; k++ {
		if s.of("street", k) > 0 {
			return true
		}
	}
	return false
}
