package offline

import "convene/pkg/interval"

// ask settles what a question about the day means by its time and its people.
func (op *operation) ask(today interval.Date) {
	switch op.verb { //nolint:exhaustive // the others need nothing more
	case verbIn:
		op.events.With, op.who, op.strangers = op.who, nil, false
		if first, last, ok := datesOf(op.time); ok {
			op.events.days = interval.DateRange{Start: first, End: last}
			op.events.Window = windowOf(op.events.days)
		}
	case verbDid:
		first, last, ok := datesOf(op.time)
		if weeks := 7; ok && today.Before(first) && len(op.time.Dates) == 1 {
			first, last = first.AddDays(-weeks), last.AddDays(-weeks) // "on Friday", said of what was
			op.time.Dates = []interval.DateRange{{Start: first, End: last}}
		}
	case "where":
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
