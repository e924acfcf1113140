package when

import (
	"convene/pkg/interval"
)

// weekendBy is the weekend of the anchor, or the closest after or before it.
func (p *parser) weekendBy(anchor days, sign int) days {
	start := p.weekendOf(anchor.first())
	switch {
	case sign > 0:
		start = p.weekdayBy(p.tongue.weekend, anchor, 1)
	case sign < 0:
		start = p.weekdayBy(p.tongue.weekend, days{
			ranges: []interval.DateRange{{Start: anchor.first().AddDays(-1), End: anchor.last()}},
		}, -1)
	}
	return stretch(start, start.AddDays(1))
}
