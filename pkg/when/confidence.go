package when

// What a guess leaves of the confidence in a reading.
const (
	afterSlip  = 0.85
	afterHalf  = 0.9
	afterOrder = 0.7
	// least is what many guesses leave.
	least = 0.1
)

// doubt takes from the confidence what the item had to guess.
func (a *assembler) doubt(it item) {
	if _, counts := entityKinds[it.kind]; !counts {
		return
	}
	if a.sure == 0 {
		a.sure = 1
	}
	for i := it.from; i < it.to; i++ {
		if a.p.at(i).slip {
			a.sure *= afterSlip
		}
	}
	for _, h := range it.times {
		if a.guessed(h) {
			a.sure *= afterHalf
		}
	}
	if it.kind == dateItem && a.p.eitherOrder(it.from, it.to) {
		a.sure *= afterOrder
	}
	a.sure = max(a.sure, least)
}

// guessed reports whether nothing tells the half of the day of an hour but the habit of people to be awake: an hour
// from eight to five is hardly a guess.
func (a *assembler) guessed(h hours) bool {
	if h.kind == during || h.kind == before || h.kind == until || h.from.half != open || a.hint != open || h.hint != open {
		return false
	}
	m := h.from.minutes
	return m >= 5*60 && m < 8*60
}

// eitherOrder reports whether a day is written in tokens from to to with a number that may also be its month.
func (p *parser) eitherOrder(from, to int) bool {
	for i := from; i+2 < to; i++ {
		first, second := p.at(i), p.at(i+2)
		if first.kind == number && p.is(i+1, "/") && second.kind == number && first.digits <= 2 && second.digits <= 2 {
			return first.value <= 12 && second.value <= 12 && first.value != second.value
		}
	}
	return false
}
