package ground

import (
	"encoding/json"
	"slices"

	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/when"
)

// span is the time that a message is about: days, and hours of them if it names any.
type span struct {
	days  interval.DateRange
	hours *agenda.TimeOfDay
	exact bool
}

// span is the time of a point: today if it names no day. Ok is false if it names several times.
func (r *reading) span(t *timed) (s span, ok bool) {
	today := r.today()
	s.days = interval.DateRange{Start: today, End: today}
	if t == nil {
		return s, true
	}
	if len(t.Dates) > 0 {
		s.days = t.Dates[0]
	}
	windows := t.windows(s.days.Start)
	switch {
	case len(t.Dates) > 1 || len(windows) > 1 || t.EndsAt != nil || len(t.Dates) == 0 && len(windows) == 0:
		return s, false
	case t.Exact != nil:
		s.exact = true
		end := t.Exact.String()
		if t.Duration > 0 {
			end = (*t.Exact + interval.Clock(t.Duration.Minutes())).String()
		}
		s.hours = &agenda.TimeOfDay{Start: t.Exact.String(), End: end}
	case len(windows) == 1:
		s.hours = &agenda.TimeOfDay{Start: windows[0].Start.String(), End: windows[0].End.String()}
	}
	t.used = true
	return s, true
}

// today is the day of a time that names none: the one that was shown, if the message goes on with it ("and at 2?").
func (r *reading) today() interval.Date {
	if !r.Day.IsZero() && form("and then").MatchString(r.Text) {
		return r.Day
	}
	return interval.DateOf(r.Now)
}

// about is the one time that a question is about; ok is false if it names several.
func (r *reading) about() (s span, ok bool) {
	switch points := r.points(); len(points) {
	case 0:
		return r.span(nil)
	case 1:
		return r.span(points[0])
	}
	return s, false
}

// oneDay is the day of the span; nil if it has several.
func (s span) oneDay() *interval.Date {
	if s.days.Start != s.days.End {
		return nil
	}
	return &s.days.Start
}

// window is the span's days as an argument.
func (s span) window() agenda.Window {
	return agenda.Window{Start: s.days.Start.String(), End: s.days.End.AddDays(1).String()}
}

// within is a selection of the events of the span, with the people and titles that are named.
func (r *reading) within(s span) arguments {
	selection := arguments{"window": s.window()}
	if s.hours != nil {
		selection["timeOfDay"] = *s.hours
	}
	if with := r.company(); len(with) > 0 {
		selection["with"] = with
	}
	if titles := r.titles(); len(titles) > 0 {
		selection["titleHas"] = titles
	}
	return selection
}

// inWeeksToCome limits a selection of events with somebody to the next weeks, if the message says no time.
func (r *reading) inWeeksToCome(selection arguments) arguments {
	const weeks = 4
	dated := slices.ContainsFunc(r.times, func(t timed) bool { return !t.isLength() })
	if today := interval.DateOf(r.Now); selection["with"] != nil && !dated && r.today() == today {
		selection["window"] = agenda.Window{Start: today.String(), End: today.AddDays(weeks * 7).String()}
	}
	return selection
}

// company are the people who are named as those who take part, who are used then.
func (r *reading) company() (names []string) {
	joined := false
	for i := range r.people {
		p := &r.people[i]
		joined = r.stands(p.from, "with") || joined && r.stands(p.from, "and")
		if joined && !p.used {
			p.used, names = true, append(names, p.text)
		}
	}
	return names
}

// titles are those of the events that are named, which are used then.
func (r *reading) titles() (titles []string) {
	for _, m := range r.of(Event) {
		if m.used = true; !m.described {
			titles = append(titles, m.things[0].Title)
		}
	}
	return titles
}

// showDays shows what is on: all of some days, or what a question says more of.
func (r *reading) showDays() (string, arguments) {
	if events := r.of(Event); len(events) == 1 && events[0].described && !events[0].many {
		r.locateAll(0)
		return "calendar_findEvents", r.selecting(Event, arguments{"aspect": "list"})
	}
	if slices.ContainsFunc(r.found, r.isRelated) {
		return r.nextTo()
	}
	if r.says("plainly ask_agenda") && r.says("last met") && len(r.people) == 1 {
		r.people[0].used = true
		r.useWithin(0, len(r.Text))
		selection := arguments{"with": r.names(), "order": "-start", "first": 1} // back from now
		return "calendar_findEvents", arguments{"aspect": "when", "selection": selection}
	}
	s, ok := r.about()
	if !ok {
		return "", nil
	}
	s.days = when.JustBeen(r.Text, s.days, interval.DateOf(r.Now))
	if r.says("met most") {
		return r.showMost(s)
	}
	if r.says("plainly ask_agenda") {
		return r.showOverlaps(s)
	}
	selection := r.inWeeksToCome(r.within(s))
	if today := s.oneDay(); today != nil && *today == interval.DateOf(r.Now) && r.says("to come") {
		window := agenda.Window{Start: r.Now.Format(localTime), End: today.AddDays(1).String()}
		return "calendar_findEvents", arguments{"aspect": "list", "selection": arguments{"window": window}}
	}
	if said := r.setAside(); said != "" {
		selection["except"] = []arguments{{"titleHas": []string{said}}}
	}
	for end, order := range map[string]string{"firstofday": "start", "lastofday": "-start"} {
		if s.oneDay() != nil && r.says(end) {
			selection["order"], selection["first"] = order, 1
		}
	}
	if len(selection) == 1 {
		return "schedule_viewSchedule", arguments{"from": s.days.Start.String(), "to": s.days.End.String()}
	}
	return "calendar_findEvents", arguments{"aspect": "list", "selection": selection}
}

// setAside is what a question leaves out that is no event which there is: "what do i have besides work tomorrow?".
func (r *reading) setAside() string {
	said := form("leaving out").FindStringSubmatch(r.Text)
	if said == nil || len(r.found)+len(r.people) > 0 {
		return ""
	}
	return said[1]
}

// showOverlaps shows which events of a time are at the same time; of none that is named, and at no hour: then it is
// asked whether something has room.
func (r *reading) showOverlaps(s span) (string, arguments) {
	if len(r.found)+len(r.people) > 0 || s.exact {
		return "", nil
	}
	if len(r.times) == 0 {
		s.days.End = s.days.End.AddDays(daysAhead)
	}
	return "calendar_findEvents", arguments{"aspect": "overlaps", "selection": r.within(s)}
}

// showMost shows with whom the user meets most often at a time, or has in the last days.
func (r *reading) showMost(s span) (string, arguments) {
	if len(r.found)+len(r.people) > 0 {
		return "", nil
	}
	today, of := interval.DateOf(r.Now), func(name string) bool { return words()[name].MatchString(r.Text) }
	begun := s.days.Start == today && of("have met") // the part of it is meant that has been
	switch {
	case len(r.times) == 0:
		s.days.Start = today.AddDays(-daysBack)
	case begun && of("unit week"):
		s.days.Start = today.AddDays(-int(r.Now.Weekday()+6) % 7)
	case begun && of("unit month"):
		s.days.Start = today.AddDays(1 - r.Now.Day())
	case begun && of("unit year"):
		s.days.Start = today.AddDays(1 - r.Now.YearDay())
	}
	return "calendar_findEvents", arguments{"aspect": "most", "selection": r.within(s)}
}

// daysBack is how many days before today are looked at if the message names no time.
const daysBack = 30

// daysAhead is how many days after today are looked at if the message names no time.
const daysAhead = 7

// nextTo shows what stands on the day of an event after it or before it, or only what stands next to it.
func (r *reading) nextTo() (string, arguments) {
	event, after := r.relatedTo()
	if event == nil {
		return "", nil
	}
	order := "start"
	if !after {
		order = "-start"
	}
	selection := arguments{"window": r.besideOnDay(*event, after)}
	if r.says("next to") {
		selection["order"], selection["first"] = order, 1
	}
	return "calendar_findEvents", arguments{"aspect": "list", "selection": selection}
}

// besideOnDay is what is left of the day of an event after it, or what comes before it.
func (r *reading) besideOnDay(event Thing, after bool) agenda.Window {
	const minute = "2006-01-02T15:04"
	zone := r.Now.Location()
	day := r.dayOf(event).Span(zone)
	if after {
		return agenda.Window{Start: event.Span.End.In(zone).Format(minute), End: day.End.Format(minute)}
	}
	return agenda.Window{Start: day.Start.Format(minute), End: event.Span.Start.In(zone).Format(minute)}
}

// relatedTo is the one event that is named, which tells when something is: after it, or before it. Nil if there is
// none.
func (r *reading) relatedTo() (event *Thing, after bool) {
	events := r.of(Event)
	if len(r.found) != 1 || len(events) != 1 || events[0].described {
		return nil, false
	}
	r.locateAll(0)
	said := form("relation").FindStringSubmatch(r.Text[:r.words[events[0].words[0]].from])
	if after = said[1]+said[3] != ""; len(events[0].meant) != 1 || !after && said[2]+said[4] == "" {
		return nil, false
	}
	events[0].used = true
	return &events[0].meant[0], after
}

// findGaps finds free time on a day or, of several days or with others, times that suit all.
func (r *reading) findGaps() (string, arguments) {
	length, people := r.lasting(), r.names()
	if r.says("clash") || length != nil && length.minutes() > int(interval.EndOfDay) {
		return "", nil // nothing is free that overlaps, and no gap is longer than a day
	}
	s, ok := r.about()
	r.found = keep(r.found, func(m mention) bool { return !m.many }) // gaps may lie "between meetings"
	if !ok || len(r.found) > 0 {
		return "", nil
	}
	r.widen(&s, length != nil)
	day, all := s.oneDay(), arguments{}
	if len(people) > 0 && !r.says("self") && !s.exact && s.hours == nil && length == nil {
		return "calendar_checkAvailability", arguments{"people": people, "window": s.window()}
	}
	if s.exact && day != nil {
		all["people"], all["start"] = append([]string{}, people...), day.String()+"T"+s.hours.Start
		if s.hours.End > s.hours.Start {
			all["end"] = day.String() + "T" + s.hours.End
		}
		return "calendar_checkAvailability", all
	}
	if day != nil && len(people) == 0 {
		all["date"] = day.String()
		if s.hours != nil {
			all["between"] = *s.hours
		}
		if length != nil {
			all["minDuration"] = length.minutes()
		}
		return "schedule_findGaps", all
	}
	all["people"], all["window"] = append([]string{}, people...), s.window()
	if s.hours != nil {
		all["timeOfDay"] = *s.hours
	}
	if length != nil {
		all["durationMinutes"] = length.minutes()
	}
	return "calendar_findTimes", all
}

// widen makes a span for free time what is meant: at noon if it is for lunch, and of the days to come if the next free
// hours are asked for: "when am I next free for three hours?".
func (r *reading) widen(s *span, long bool) {
	if r.says("soonest") && long && len(r.points()) == 0 && s.days.End == interval.DateOf(r.Now) {
		s.days.End = s.days.End.AddDays(daysAhead)
	}
	if s.hours == nil && r.says("for lunch") {
		s.hours = &agenda.TimeOfDay{Start: "12:00", End: "14:00"}
	}
}

// loadOf counts events, or tells how full a day is.
func (r *reading) loadOf() (string, arguments) {
	if r.says("count") && r.says("tasks") && len(r.of(Event)) == 0 {
		return r.showTasks()
	}
	s, ok := r.about()
	if !ok {
		return "", nil
	}
	s.days = when.JustBeen(r.Text, s.days, interval.DateOf(r.Now))
	if which := r.oneOf("lightest", "fullest"); which != nil {
		return r.extremeDay(s, which)
	}
	if r.says("count") && !r.says("howlong") {
		return "calendar_findEvents", arguments{"aspect": "count", "selection": r.inWeeksToCome(r.within(s))}
	}
	if r.says("howlong") && (s.oneDay() == nil || len(r.found) > 0) {
		return "calendar_findEvents", arguments{"aspect": "length", "selection": r.within(s)}
	}
	if day := s.oneDay(); day != nil && s.hours == nil && len(r.found) == 0 {
		return "schedule_analyzeUtilization", arguments{"date": day.String()}
	}
	return "", nil
}

// extremeDay tells which day is the fullest or the lightest, from today on: of the next ones if none are named.
func (r *reading) extremeDay(s span, which any) (string, arguments) {
	today := interval.DateOf(r.Now)
	if day := s.oneDay(); day != nil && *day == today {
		s.days.End = today.AddDays(daysAhead - 1)
	}
	if s.days.Start.Before(today) {
		s.days.Start = today
	}
	if s.hours != nil || len(r.found) > 0 || !s.days.Start.Before(s.days.End) {
		return "", nil
	}
	return "schedule_analyzeUtilization", arguments{
		"date": s.days.Start.String(), "until": s.days.End.String(), "which": which,
	}
}

// otherExtreme asks the same of the day at the other end: "and the busiest?".
func (r *reading) otherExtreme() (string, arguments) {
	const most = 5 // words that say no more
	call, which := arguments{}, r.oneOf("lightest", "fullest")
	if which == nil || len(r.words) > most || len(r.points()) > 0 ||
		json.Unmarshal(r.Before.Arguments, &call) != nil || call["until"] == nil {
		return "", nil
	}
	call["which"] = which
	return r.Before.Tool, call
}

// otherEnd shows the last event where the first one of some time was shown, or the first one where the last one was:
// "and the last one?".
func (r *reading) otherEnd() (string, arguments) {
	var call struct{ Selection arguments }
	which, orders := r.oneOf("earliest", "latest"), map[any]string{"earliest": "start", "latest": "-start"}
	another := func(w word) bool { return !onlySays(w.lower, "earliest", "latest", "small", "again", "event") }
	if which == nil || json.Unmarshal(r.Before.Arguments, &call) != nil || call.Selection["first"] != 1.0 ||
		call.Selection["order"] == orders[which] || slices.ContainsFunc(r.words, another) {
		return "", nil
	}
	call.Selection["order"] = orders[which]
	return r.Before.Tool, arguments{"aspect": r.Before.text("aspect"), "selection": call.Selection}
}

// lighten finds what can move from a day that has too much.
func (r *reading) lighten() (string, arguments) {
	s, ok := r.about()
	day := s.oneDay()
	if !ok || day == nil || s.hours != nil || len(r.found) > 0 {
		return "", nil
	}
	return "calendar_suggestLighter", arguments{"date": day.String()}
}

// comingUp is the window of the one time that is said, and else what is to come.
func (r *reading) comingUp() any {
	if points := r.points(); len(points) == 1 {
		if s, ok := r.span(points[0]); ok {
			return s.window()
		}
	}
	today := interval.DateOf(r.Now)
	return agenda.Window{Start: today.String(), End: today.AddDays(farAhead).String()}
}

// farAhead is how many days are looked at for what is to come.
const farAhead = 365

// past is the window of the one time that is said in which something was done; nil if none is.
func (r *reading) past() any {
	points := r.points()
	if len(points) != 1 {
		return nil
	}
	span, ok := came(*points[0], r.Now, false)
	if !ok {
		return nil
	}
	return agenda.Window{Start: span.Start.Format(localTime), End: span.End.Format(localTime)}
}

// askBeside makes a question of what stands beside an event one about the agenda: "what's after the stand-up?".
func (r *reading) askBeside() {
	if slices.ContainsFunc(r.found, r.isRelated) && words()["asks what"].MatchString(r.delexicalized()) {
		r.deed, r.probability = "ask_agenda", max(r.probability, plainlyNew)
	}
}
