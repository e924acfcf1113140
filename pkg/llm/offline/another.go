package offline

import "strings"

// otherBlock are the facts of another day or time for a block.
func (op *operation) otherBlock(old map[string]any) *facts {
	f := &facts{values: map[string]any{}}
	if first, _, dated := datesOf(op.time); dated {
		f.need(first.String(), "date")
	}
	if op.time.Exact != nil && op.time.Duration == 0 {
		start, err := clockOf(old["startTime"])
		end, wrong := clockOf(old["endTime"])
		if err == nil && wrong == nil {
			op.time.Duration = end.Sub(start)
		}
	}
	if start, end, ok := op.span(); ok && start > 0 { // "until one" is no time of its own
		f.need(start.String(), "startTime")
		f.need(end.String(), "endTime")
	}
	return f
}

// otherTime are the facts of another day or time at which people may be free.
func (op *operation) otherTime(old map[string]any) *facts {
	f := &facts{values: map[string]any{}}
	if len(op.who) > 0 {
		f.need(op.who, "people") // "and Marcus?"
	}
	start, _ := old["start"].(string)
	date, clock, _ := strings.Cut(start, "T")
	if first, _, dated := datesOf(op.time); dated {
		date = first.String()
	}
	if op.time.Exact != nil {
		clock = op.time.Exact.String()
		delete(old, "end")
	}
	if end, ok := old["end"].(string); ok {
		_, until, _ := strings.Cut(end, "T")
		f.may(date+"T"+until, "end")
	}
	f.need(date+"T"+clock, "start")
	return f
}
