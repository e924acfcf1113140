package when

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
