package when

// trailingClock reads a mere number behind a day: "Thursday 3", "tonight 730".
func trailingClock(p *parser, i int) (item, int) {
	if !p.dated(i) || p.at(i).kind == mark {
		return item{}, i
	}
	c, end := p.clock(i, true)
	if p.at(i).kind == word && !p.ends(end) {
		return item{}, i
	}
	if end == i {
		return item{}, i
	}
	kind := exactly
	if c.about {
		kind = around
	}
	return item{kind: timeItem, times: []hours{{kind: kind, from: c}}}, end
}

// otherClocks reads further starts that share the preposition of the first: "at 3 or 4", "3, 4 or 5pm".
func (p *parser) otherClocks(first hours, i int) ([]hours, int) {
	all := []hours{first}
	if first.kind != exactly {
		return all, i
	}
	for len(all) < 8 {
		j := p.skip(i, ",")
		j = p.skip(p.skip(j, "or", "/"), "maybe", "at")
		if j == i {
			break
		}
		c, end := p.clock(j, true)
		if end == j || p.at(j).digits > 2 && c.half == open || c.about {
			break
		}
		// "3 or 4pm": the half belongs to both.
		for k := range all {
			if all[k].from.half == open && c.half != fixed {
				all[k].from.half = c.half
			}
		}
		all, i = append(all, hours{kind: exactly, from: c}), end
	}
	return all, i
}
