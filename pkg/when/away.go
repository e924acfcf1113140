package when

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
