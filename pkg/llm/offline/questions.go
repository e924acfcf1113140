package offline

import "convene/pkg/interval"

// ask settles what a question about the day means by its time and its people.
func (op *operation) ask(today interval.Date) {
	const week = 7
	first, last, dated := datesOf(op.time)
	switch {
	case op.verb == verbIn:
		op.events.With, op.who, op.strangers = op.who, nil, false
		if dated {
			op.events.days = interval.DateRange{Start: first, End: last}
			op.events.Window = windowOf(op.events.days)
		}
	case op.verb == verbDid && dated && today.Before(first) && len(op.time.Dates) == 1: // "on Friday", of what was
		op.time.Dates = []interval.DateRange{{Start: first.AddDays(-week), End: last.AddDays(-week)}}
	case op.verb == "where":
		op.events.goingOn()
	}
}

// aMoment is how many minutes an hour that is asked about stands for.
const aMoment = 15

// goingOn makes an hour of one day, if nothing else is said, mean the events that last at that time.
func (s *selection) goingOn() {
	if s.named() || s.TimeOfDay == nil || s.TimeOfDay.Start != s.TimeOfDay.End || s.days.Start.IsZero() ||
		s.days.Start != s.days.End {
		return
	}
	at, err := interval.ParseClock(s.TimeOfDay.Start)
	if err != nil {
		return
	}
	day := s.days.Start.String() + "T"
	s.Window, s.TimeOfDay = &window{day + at.String(), day + (at + aMoment).String()}, nil
}
