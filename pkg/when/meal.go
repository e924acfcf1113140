package when

// mealHint is the half of the day that the occasion suggests for a bare hour: dinner is in the evening.
func (p *parser) mealHint() half {
	for i := range p.tokens {
		if p.is(i, "table") && p.is(i+1, "for") {
			return fed
		}
		switch m := p.meal(i); m {
		case fed:
			return open
		case open:
		default:
			return m
		}
	}
	switch p.setting.Occasion {
	case Morning:
		return am
	case Meal:
		return fed
	case Evening:
		return pm
	default:
		return open
	}
}

// meal is the half of the day in which the occasion at token i takes place, open where there is none.
func (p *parser) meal(i int) half {
	meaning, _ := p.means("meals", i)
	return map[string]half{"am": am, "pm": pm, "fed": fed}[meaning]
}

// mealBefore is the half of the day of the last occasion in tokens from to to.
func (p *parser) mealBefore(from, to int) half {
	for i := to - 1; i >= from; i-- {
		if m := p.meal(i); m != open {
			return m
		}
	}
	return open
}
