package when

// refusedItems tells which items a refusal behind them turns down: the days and times right before it, as in "Monday or
// Friday afternoon is out". A whole week or month before them is not part of it.
func (p *parser) refusedItems(items []item) map[int]bool {
	refused := map[int]bool{}
	for n, it := range items {
		if it.kind != refusalItem {
			continue
		}
		end := it.from
		if n > 0 && items[n-1].to == end-1 && p.subject(end-1) {
			end-- // "Tuesday I can't"
		}
		for m := n - 1; m >= 0 && n-m <= maxParts && items[m].to == end && refusable(items[m]); m-- {
			refused[m] = items[m].kind != linkItem
			end = items[m].from
		}
	}
	return refused
}

func refusable(it item) bool {
	switch it.kind {
	case dateItem:
		return len(it.days.weekdays) > 0 || one(it.days)
	case timeItem:
		return true
	case linkItem:
		return it.link == andLink || it.link == orLink
	default:
		return false
	}
}

// refuseHours notes unwanted hours: of the unwanted day right before ("Friday afternoon"), or of every day. A refused
// bound is the opposite bound: "not after 6".
func (a *assembler) refuseHours(it item) {
	if len(a.refused) >= maxParts {
		return
	}
	if n := len(a.refused); n > 0 && a.sawAny && a.sawKind == dateItem && a.link == noLink {
		for _, h := range it.times {
			a.refused[n-1].times = append(a.refused[n-1].times, []hours{h})
		}
		return
	}
	w := wish{}
	if !it.days.empty() {
		w.days = []days{it.days}
	}
	for _, h := range it.times {
		w.times = append(w.times, []hours{h})
	}
	a.refused = append(a.refused, w)
}
