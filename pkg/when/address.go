package when

// addressed reports whether the number at token i is of a house: a street is named behind it, or a name with another
// time behind that. What may be an hour is one, unless the street is written as a name.
func (p *parser) addressed(i int) bool {
	t := p.at(i)
	hour := t.digits < 3
	if t.kind != number || !p.nameAt(i+1) || hour && !p.at(i+1).capital {
		return false
	}
	for j := i + 2; j < i+5; j++ {
		switch {
		case p.has("streets", j):
			return !hour || p.at(j).capital
		case p.at(j).kind == mark || p.opens(j):
			return !hour && p.is(j, "at", "@", "from") && p.at(i+1).capital &&
				(p.is(j+2, ":", "am", "pm") || p.is(j+4, "am", "pm"))
		}
	}
	return false
}

// nameAt reports whether token i is a word that speaks of no time, such as the name of a street.
func (p *parser) nameAt(i int) bool {
	t := p.at(i)
	return t.kind == word && t.text != "" && !p.opens(i) && t.text[0] != zoneMark[0] &&
		!p.is(i, "with", "at", "in", "for", "and", "or", "on", "am", "pm", "o'clock", "hours", "h", "tonight")
}

// crossroads reports whether the ordinal that ends before token i is a street by the one that crosses it: "5th and
// Main".
func (p *parser) crossroads(i int) bool {
	return p.is(i, "and", "&") && p.nameAt(i+1) && p.at(i+1).capital
}
