package offline

import (
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// leaning reads "earlier", "later", "not that early": a move without a measure. It gives the preference, none where the
// message has none, and forgets the time that the phrase alone seems to name.
func (e *editor) leaning() string {
	for _, preference := range []string{"later", "earlier"} {
		for _, in := range []*sentence{&e.sentence, e.written()} {
			for i := range in.words {
				n := in.inChange(preference, i)
				if n > 0 && !in.measured(i, i+n) && in.inChange("some other time", i-1) == 0 {
					e.forgetTimes(in, in.words[i].start, in.words[i+n-1].end)
					return preference
				}
			}
		}
	}
	return "none"
}

// measured reports whether a phrase of time stands partly within the words from i to end: "an hour later".
func (s *sentence) measured(i, end int) bool {
	from, to := s.words[i].start, s.words[end-1].end
	return slices.ContainsFunc(s.time.Entities, func(t when.Entity) bool {
		return t.Start < to && from < t.End && (t.Start < from || to < t.End)
	})
}

// forgetTimes drops what the message says of when, if it says so only within a part of a text.
func (e *editor) forgetTimes(in *sentence, from, to int) {
	outside := func(t when.Entity) bool { return t.End <= from || t.Start >= to }
	if len(in.time.Entities) > 0 && !slices.ContainsFunc(in.time.Entities, outside) {
		e.time = when.Reading{}
	}
}

// bareLength is the number of minutes of "make that 50", which no clock shows; 0 where the message says anything else.
func (e *editor) bareLength() (minutes int) {
	own := e.written()
	if len(own.time.Entities) > 0 || len(e.touched) > 0 {
		return 0
	}
	for i := 0; i < len(own.words); i++ {
		n, said := own.inChange("so long", i), figure(own.at(i))
		switch {
		case n > 0:
			i += n - 1
		case minutes > 0 || said < 15 || said%5 > 0:
			return 0
		default:
			minutes = said
		}
	}
	return minutes
}

// busy reports whether the message says that someone has something else at some time, which the event then avoids.
// What it says beside that is wished for.
func (e *editor) busy() bool {
	in, at := e.changeAt("busy")
	if at.to == 0 || !e.known || e.changes("not busy") || at.from > 0 && in.inChange("asks", at.from-1) > 0 {
		return false
	}
	from, to := in.clause(at.from)
	setting := e.setting()
	setting.Language = in.language
	busy := setting.Read(in.text[from:to], e.now)
	if busy.Hours.Empty() && len(busy.Dates) == 0 && !excludes(busy) {
		return false
	}
	e.time = setting.Read(in.text[:from]+in.text[to:], e.now)
	switch {
	case len(busy.ExcludedDates)+len(busy.ExcludedWeekdays) > 0:
		e.time.ExcludedDates, e.time.ExcludedWeekdays = busy.ExcludedDates, busy.ExcludedWeekdays
	case !busy.ExcludedHours.Empty():
		e.time.ExcludedHours = e.taken(busy.ExcludedHours, busy)
	case busy.Hours.Empty():
		e.time.ExcludedDates = busy.Dates
	default:
		e.time.ExcludedHours = e.taken(busy.Hours, busy)
	}
	return true
}

// excludes reports whether a reading says when something must not be.
func excludes(r when.Reading) bool {
	return len(r.ExcludedDates)+len(r.ExcludedWeekdays) > 0 || !r.ExcludedHours.Empty()
}

// taken are hours of a reading on its days, or on the day of the event where it names none. What begins at a time and
// has no end takes an hour.
func (e *editor) taken(h when.Hours, r when.Reading) (taken when.Hours) {
	days := r.Dates
	if day := interval.DateOf(e.start); len(days) == 0 {
		days = []interval.DateRange{{Start: day, End: day}}
	}
	length := interval.Clock(max(r.Duration, time.Hour) / time.Minute)
	for _, day := range days {
		on := when.DateHours{Date: day.Start}
		for _, w := range h.Week[day.Start.Weekday()] {
			if w.Exact() {
				w.End = min(w.Start+length, interval.EndOfDay)
			}
			on.Windows = append(on.Windows, w)
		}
		if len(on.Windows) == 0 {
			return h // they say themselves on which days
		}
		taken.On = append(taken.On, on)
	}
	return taken
}

// clause is where the part of the sentence between two marks begins and ends that has word i, in bytes.
func (s *sentence) clause(i int) (from, to int) {
	to = len(s.text)
	for j, w := range s.words {
		switch {
		case !w.mark || w.text != "," && w.text != "." && w.text != ";" && w.text != "!":
		case j < i:
			from = w.end
		default:
			return from, w.start
		}
	}
	return from, to
}
