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

// onStreet reads the street on which a place should be that is wished for: "that thai place on valencia", "an italian
// restaurant on columbus".
func (s *sentence) onStreet(i int, v *venue) {
	kind, j := s.at(i-1).lower, i+1
	if plainKinds[kind] == "" && s.of("placed", i-1) == 0 || v.name != "" || v.where.area != "" ||
		s.at(j).mark || s.at(j).timed || s.knownAt(j) != nil || videoTools[s.at(j).lower] != "" {
		return
	}
	end := s.streetEnd(i)
	if end == i && (s.at(j).capital() && !s.shouted || s.smallArea(j)) {
		end = s.nameEnd(j)
	}
	if end > j && end-j <= maxPlaceWords/2 {
		v.where.area = s.spoken(j, end)
		v.used.add(i, end)
	}
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
