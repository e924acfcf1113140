package when

// travel reads what makes a length travel time, and on which side of the event: "30 minutes of travel", "20 min to get
// there", "a 15 minute buffer afterwards".
func (p *parser) travel(i int) (Side, int) {
	if side, end := p.travelSide(i); end > i && p.is(end, "for", "to") {
		j := p.skip(p.skip(end, "for"), "the")
		if e := p.past("travelWords", j); e > j {
			return side, e // "20 minutes before for travel"
		}
	}
	j := p.skip(i, "of", "for", "-")
	j = p.skip(j, "the")
	if end := p.past("travelWords", j); end > j {
		if e := p.past("bothWays", end); e > end {
			return BothSides, e
		}
		side, e := p.travelSide(end)
		if e == end && p.is(end-1, "back", "home") {
			side = AfterIt
		}
		return side, e
	}
	return BothSides, i
}

// travelSide reads the side on which time is kept free, where no day or time stands behind that it would bound.
func (p *parser) travelSide(i int) (Side, int) {
	meaning, end := p.means("travelSides", i)
	side := map[string]Side{"BeforeIt": BeforeIt, "AfterIt": AfterIt}[meaning]
	if end == i {
		return BothSides, i
	}
	if _, e := p.articleDate(end, 1); e > end {
		return BothSides, i
	}
	if _, e := p.clock(end, true); e > end {
		return BothSides, i
	}
	return side, end
}
