package ground

import (
	"time"

	"convene/pkg/interval"
)

// olderThanDay keeps those that came before the day that is said: "older than friday", "from before last week". False
// if none is. Future says that what only has to be before a day is something else.
func (p *pick) olderThanDay(future bool) bool {
	for i := range p.times {
		t := &p.times[i]
		older := t.Before != nil && !future || words()["older"].MatchString(p.Text[:t.from])
		span, ok := came(*t, p.Now, false)
		if !older || !ok || t.used || p.inBody(t.from) {
			continue
		}
		t.used, p.aged = true, true
		p.selection["until"] = span.Start.Format(localTime)
		p.keep(func(t Thing) bool { return t.Letter.At.Before(span.Start) })
		return true
	}
	return false
}

// byTime keeps those that came at the times that are said. Future says that times to come are of something else.
func (p *pick) byTime(future bool) {
	for i := range p.times {
		t := &p.times[i]
		if t.used || t.isLength() || p.inBody(t.from) {
			continue
		}
		span, ok := came(*t, p.Now, future)
		if !ok {
			continue
		}
		if p.says("newer") {
			span.End = p.Now.AddDate(0, 0, 1)
		}
		t.used = true
		p.selection["since"] = span.Start.Format("2006-01-02T15:04")
		if !p.says("newer") {
			p.selection["until"] = span.End.Format("2006-01-02T15:04")
		}
		p.keep(func(t Thing) bool { return !t.Letter.At.Before(span.Start) && t.Letter.At.Before(span.End) })
	}
}

// came is when a mail came "on friday" or "this morning": the last time before now. Due says that today and later are
// when something is due.
func came(t timed, now time.Time, due bool) (s interval.Span, ok bool) {
	today := interval.DateOf(now)
	days := interval.DateRange{Start: today, End: today}
	if len(t.Dates) > 1 || len(t.Dates) == 0 && t.Exact == nil && t.Hours.Empty() {
		return s, false
	}
	if len(t.Dates) == 1 {
		days = t.Dates[0]
	}
	if due && !days.End.Before(today) {
		return s, false
	}
	if unit := running(t.text, today, days); unit != nil {
		days = *unit
	}
	const week = 7
	if days.Start == days.End && today.Before(days.Start) && days.Start.Before(today.AddDays(week+1)) {
		days = interval.DateRange{Start: days.Start.AddDays(-week), End: days.End.AddDays(-week)}
	}
	if today.Before(days.Start) && words()["months"].MatchString(t.text) {
		days.Start.Year, days.End.Year = days.Start.Year-1, days.End.Year-1 // a year ago
	}
	if today.Before(days.Start) {
		return s, false
	}
	s = interval.Span{Start: days.Start.Start(now.Location()), End: days.End.AddDays(1).Start(now.Location())}
	if days.Start != days.End {
		return s, true
	}
	for _, w := range windowsOn(t, days.Start) {
		const early = 9 * 60 // what came before people are up came in the morning
		if s.End = w.On(days.Start, now.Location()).End; w.Start > early {
			s.Start = w.On(days.Start, now.Location()).Start
		}
	}
	return s, t.Exact == nil
}

// running is the week or the month that is still on, from its beginning, if a phrase that means some days means it.
func running(phrase string, today interval.Date, days interval.DateRange) *interval.DateRange {
	const week = 7
	from := today
	switch {
	case words()["this week"].MatchString(phrase):
		from = today.AddDays(-(int(today.Weekday()) + week - 1) % week)
	case words()["this month"].MatchString(phrase),
		days.Start == today && days.End.AddDays(1).Day == 1 && words()["months"].MatchString(phrase): // "in November"
		from.Day = 1
	default:
		return nil
	}
	return &interval.DateRange{Start: from, End: today}
}

// windowsOn are the hours of a time on a day.
func windowsOn(t timed, d interval.Date) []interval.Window {
	for _, on := range t.Hours.On {
		if on.Date == d {
			return on.Windows[:min(1, len(on.Windows))]
		}
	}
	all := t.Hours.Week[d.Weekday()]
	return all[:min(1, len(all))]
}
