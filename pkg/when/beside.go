package when

import "convene/pkg/interval"

// begins is a start in the half of the day that is hinted, or after midnight where a night is meant.
func (a *assembler) begins(c clock, together []hours, hint half, today bool) interval.Clock {
	if smallHours(together) {
		return c.in(am)
	}
	return a.notPast(c, hint, today)
}

// smallHours reports whether a start said without am or pm of a night is after midnight, on the day behind: "tonight at
// 1", "Friday night at 12".
func smallHours(together []hours) bool {
	night, early := false, false
	for _, h := range together {
		switch h.kind {
		case during:
			night = night || h.part.Start >= interval.At(18, 0)
		case exactly, around:
			early = early || h.from.half == open && (h.from.minutes < 4*60 || h.from.minutes >= 12*60 && h.from.minutes < 13*60)
		default:
		}
	}
	return night && early
}
