package when

// relocating is the token of the verb by which something is moved, with nothing between it and token i that says where
// to: "move it from 3", "change the meeting at 3". It is -1 where there is none.
func (p *parser) relocating(i int) int {
	for j := i - 1; j >= 0 && i-j <= maxMoving && !p.is(j, "to", ".", "!", "?"); j-- {
		if p.relocates(j) {
			return j
		}
	}
	return -1
}

// relocates reports whether token i is a verb of moving, rather than the thing in "oil change" or "my shift".
func (p *parser) relocates(i int) bool {
	if !p.has("relocatingVerbs", i) {
		return false
	}
	return (i == 0 || p.at(i-1).kind == mark || p.has("beforeRelocating", i-1)) &&
		!p.is(i+1, "of", "in")
}

// origin reports whether the phrase at token i, whose second half token link leads on to, tells from where to where
// something is moved: "move it from 3 to 5".
func (p *parser) origin(i, link int) bool {
	v := p.relocating(i)
	return v >= 0 && p.is(link, "to") && p.is(v+1, "it", "this", "that", "the", "my", "our", "from", "lunch", "dinner",
		"coffee", "breakfast", "drinks")
}

// instead is the hour that something is moved to from another: in the same half of the day where only that one's was
// said, or past noon where the hours of the morning run on.
func (c clock) instead(of clock) clock {
	if c.half != open || of.half == open || of.half == fixed {
		return c
	}
	c.half = of.half
	if of.half == am && c.minutes%(12*60) < of.minutes%(12*60) {
		c.half = pm
	}
	return c
}

// movedTo reports whether the mere number at token i, after a "to", is the hour that something is moved to: "move my
// call with Al to 4". The size of a party, or a name, may be changed too.
func (p *parser) movedTo(i int) bool {
	_, end := p.cardinal(i)
	v := p.relocating(i - 1)
	if v < 0 || end == i || !p.ends(end) || !p.is(i-1, "to") {
		return false
	}
	for j := v; j < i; j++ {
		if p.has("countedThings", j) {
			return false
		}
	}
	return true
}

// markOrigins marks when something was that is moved to another time: the Tuesday in "move Tuesday's call to Friday".
func (p *parser) markOrigins(items []item) {
	for n, it := range items {
		v := p.target(it)
		if v < 0 {
			continue
		}
		for m := n - 1; m >= 0 && items[m].from > v; m-- {
			items[m].origin = items[m].kind == dateItem || items[m].kind == timeItem || items[m].kind == linkItem
		}
		return
	}
}

// target is the token of the verb that moves something to the day or time of the item; -1 where none does.
func (p *parser) target(it item) int {
	to := it.from
	if !p.is(to, "to") {
		to--
	}
	if it.kind != dateItem && it.kind != timeItem || !p.is(to, "to") {
		return -1
	}
	return p.relocating(to)
}

// lastsAway makes what takes people away last all day where its first and its last day are named and no time: "vacation
// from Sunday to Tuesday".
func (a *assembler) lastsAway(said []resolved) {
	if a.reading.AllDay || a.span > 0 || len(a.lengths) > 0 || len(a.wishes) != 1 || len(said[0].windows) > 0 {
		return
	}
	all := a.wishes[0].days
	if len(all) == 0 || len(all) == 1 && !all[0].run {
		return
	}
	days := merged(said[0].ranges)
	if len(days) != 1 || days[0].Start == days[0].End || days[0].Start.DaysUntil(days[0].End) > openDays {
		return
	}
	away := false
	for i, t := range a.p.tokens {
		if t.kind == word && t.text == "or" || t.text == "/" {
			return // of several days one is meant
		}
		away = away || a.p.has("awayWords", i) && !a.p.is(i+1, "of") &&
			!a.p.is(i-1, "drop", "dropping", "kick", "kicking", "turn", "show", "call", "sign", "cut")
	}
	a.reading.AllDay = away
}
