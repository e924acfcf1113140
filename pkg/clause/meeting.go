package clause

import (
	"maps"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/plan"
	"convene/pkg/when"
)

// meeting reads a clause that asks for something new in the calendar.
func (r *reader) meeting(s state, text string) (state, bool) {
	ways := r.book.parse("meeting", r.timed(text), true)
	if s.things != nil && r.gone(s) { // what is new takes its place
		slices.SortStableFunc(ways, func(a, b filled) int { return b.count("again") - a.count("again") })
	}
	for _, f := range ways {
		if after, ok := r.arranged(s, f, text); ok {
			after.deed = text
			return after, true
		}
	}
	return s, false
}

// isOne reports whether a clause says once what the new event is, and at most once where it finds its time.
func (f filled) isOne() bool {
	what := f.count("again") + f.count("object")
	return (what == 1 || what == 0 && f.has("title")) && f.count("first") < 2
}

// arranged makes the steps of a new event: at the time that is named, at the first free one, or at the best one.
func (r *reader) arranged(s state, f filled, text string) (state, bool) {
	if !f.isOne() {
		return s, false
	}
	who := whom{names: []string{}}
	var ok bool
	if with := f.all("with"); with != "" {
		if who, ok = r.whom(s, with); !ok || who.events != nil {
			return s, false
		}
	} else if s.holds() && !slices.ContainsFunc([]string{"title", "topic", "again"}, f.has) {
		who.names = append(who.names, s.condition.with...) // "if i haven't met al …, schedule 30 minutes"
	}
	points := r.pointsOf(s, f)
	at := r.said(append(points, r.values(f.all("object", "length"), "l")...)...)
	if f.has("hour") && s.moment == "" && s.things != nil {
		at.Exact = s.things.clock // that of the event before
	}
	e := arguments{"title": r.called(s, f, who.names)}
	if e["title"] == "" || f.has("hour") && at.Exact == nil {
		return s, false
	}
	if q := r.quotes(f, "notes"); len(q) == 1 {
		e["description"] = q[0]
	} else if rest, is := f.open("notes"); is && rest != "" {
		e["description"] = capital(r.original(rest))
	}
	if q := r.quotes(f, "place"); len(q) == 1 {
		e["location"] = q[0]
	}
	s.name(who.names)
	s.mail = -1
	before := s.day(r)
	if len(points) > 0 {
		s.moment = strings.Join(points, " ")
	}
	return r.placed(s, f, event{e, who.names, at, before, r.summary(text), f.has("first") || s.seeks(points)})
}

// seeks reports whether a new event without a time of its own takes the one that the step before it looks for: "find my
// first free hour tomorrow and book a call with al".
func (s state) seeks(points []string) bool {
	if len(points) == 0 || len(s.steps) == 0 || s.branch != nil {
		return false
	}
	tool := s.steps[len(s.steps)-1].Tool
	return points[0] == s.moment && (tool == "schedule_findGaps" || tool == "calendar_findTimes")
}

// pointsOf are the times of a new event, also those that an earlier clause says.
func (r *reader) pointsOf(s state, f filled) []string {
	points := r.values(f.all("time"), "t")
	switch {
	case len(points) == 0 && s.seeks([]string{s.moment}):
		points = []string{s.moment}
	case f.has("then"):
		points = append([]string{s.moment}, points...)
	case len(points) == 0 && !f.has("first") && s.branch != nil && s.condition.moment != "":
		points = []string{s.condition.moment} // "if i'm free at noon, create a lunch"
	case s.branch != nil && len(points) > 0 && r.said(s.condition.moment).Exact == nil:
		points = append([]string{s.condition.moment}, points...) // "if the evening is free, set up a dinner at 7"
	}
	if f.has("hour") {
		points = append([]string{s.moment}, points...)
	}
	return points
}

// invite makes a meeting of the sentence that names nobody one with those whom its condition is about.
func (r *reader) invite(s *state) {
	for i := s.first; i < len(s.steps); i++ {
		events, _ := s.steps[i].arguments["events"].([]arguments)
		if len(events) != 1 {
			continue
		}
		e := maps.Clone(events[0])
		noun, _ := e["title"].(string)
		named, _ := e["attendees"].([]string)
		if len(named) > 0 || r.book.forms["noun"].FindString(noun) != noun {
			continue // it is with others, or has a title of its own
		}
		e["attendees"] = s.condition.with
		e["title"] = r.book.say("with", "{noun}", noun, "{people}", strings.Join(s.condition.with, ", "))
		if s.change(i, arguments{"events": []arguments{e}}); s.steps[i].ForEach != nil {
			find := slices.IndexFunc(s.steps, func(t step) bool { return t.ID == s.steps[i].ForEach.From })
			s.change(find, arguments{"people": s.condition.with})
		}
	}
}

// called is what the event is called: what the user says, what the one was called that it takes the place of, or what
// kind of thing it is.
func (r *reader) called(s state, f filled, names []string) string {
	switch q := r.quotes(f, "title"); {
	case len(q) == 1:
		return q[0]
	case len(q) > 1:
		return ""
	case f.has("again"):
		if s.things == nil {
			return ""
		}
		return s.things.title
	}
	if topic, is := f.open("topic"); is {
		return r.topic(topic)
	}
	noun := r.book.forms["noun"].FindString(f.all("object"))
	if noun == "" || r.book.is("meetings", noun) {
		noun = r.book.say("meeting")
	}
	if len(names) == 0 {
		return capital(noun)
	}
	return r.book.say("with", "{noun}", capital(noun), "{people}", strings.Join(names, ", "))
}

// topic is what an event is about, as its title: a few words, with no mark and nothing in them that another part says.
func (r *reader) topic(words string) string {
	const most = 5
	if words == "" || len(strings.Fields(words)) > most || markForm.MatchString(words) ||
		r.book.is("swallowed", words) || r.book.is("vague", words) {
		return ""
	}
	return capital(words)
}

// event is a new event, as far as the user says what it is.
type event struct {
	arguments
	names []string
	at    when.Reading
	// before is the day that the clause before was about; empty if it was about none.
	before  string
	summary string
	// first says that it gets the first free time.
	first bool
}

// placed adds the steps once it is known what the event is.
func (r *reader) placed(s state, f filled, wanted event) (state, bool) {
	e, names, at := wanted.arguments, wanted.names, wanted.at
	minutes := int(at.Duration / time.Minute)
	t := step{Step: plan.Step{Tool: "calendar_createEvents", HumanSummary: wanted.summary}}
	day := interval.DateOf(r.Now)
	if len(at.Dates) > 1 {
		return s, false
	}
	before := s.dateOf(f)
	if before == "" && at.Exact != nil && !f.has("again") {
		before = wanted.before // "move my 10 tomorrow to 11 and book lunch at 12"
	}
	if len(at.Dates) == 1 {
		day = at.Dates[0].Start
	} else if old, err := interval.ParseDate(before); err == nil {
		day, at.Dates = old, []interval.DateRange{{Start: old, End: old}}
	} else if f.has("again") {
		return s, false // it would be on the day of one that is not known
	}
	switch {
	case wanted.first:
		find := step{Step: plan.Step{Tool: "calendar_findTimes", HumanSummary: r.book.say("times")}}
		find.arguments = arguments{"people": names, "limit": 1}
		if r.book.is("mine", f.all("first")) {
			find.arguments["people"] = []string{}
		}
		wish(find.arguments, at, minutes)
		id := s.add(find, true)
		e["start"], e["end"], e["attendees"] = arguments{"$item": "start"}, arguments{"$item": "end"}, names
		t.ForEach, t.arguments = &plan.Reference{From: id}, arguments{"events": []arguments{e}}
	case at.Exact != nil:
		if len(at.Dates) == 0 && *at.Exact <= interval.ClockOf(r.Now) {
			return s, false // that is over today, and no other day is named
		}
		e["start"], e["attendees"] = day.String()+"T"+at.Exact.String(), names
		if minutes > 0 {
			e["durationMinutes"] = minutes
			s.lastsThen(day, *at.Exact, minutes)
		}
		t.arguments = arguments{"events": []arguments{e}}
	case len(names) > 0:
		t.Tool, t.arguments = "calendar_scheduleMeeting", e
		e["people"] = names
		wish(e, at, minutes)
	default:
		return s, false
	}
	id := s.add(t, false)
	made := r.source(id, t.Tool, gives[t.Tool], arguments{})
	made.title, _ = e["title"].(string)
	made.date = day.String()
	s.things = made
	return s, true
}

// lastsThen makes a time that is looked for as long as the event that hangs on its being free: "if I'm free at 1, book
// half an hour with Al".
func (s *state) lastsThen(day interval.Date, start interval.Clock, minutes int) {
	end := start + interval.Clock(minutes)
	if s.branch == nil || end >= interval.EndOfDay {
		return
	}
	from := day.String() + "T" + start.String()
	for i, t := range s.steps {
		within, _ := t.arguments["window"].(arguments)
		if t.ID != s.branch.From || !t.anyHour || within["start"] != from {
			continue
		}
		s.steps = slices.Clone(s.steps)
		s.steps[i].arguments = maps.Clone(t.arguments)
		s.steps[i].arguments["durationMinutes"] = minutes
		s.steps[i].arguments["window"] = window(from, day.String()+"T"+end.String())
	}
}

// dateOf is the day of the event whose place a new one takes, or of what it hangs on; empty if there is none.
func (s state) dateOf(f filled) string {
	switch {
	case (f.has("again") || f.has("hour") && s.moment == "") && s.things != nil:
		return s.things.date
	case s.branch != nil:
		return s.condition.date
	}
	return ""
}

// wish puts into arguments within which days and hours a time is wished, and how long it is.
func wish(a arguments, at when.Reading, minutes int) {
	if minutes > 0 {
		a["durationMinutes"] = minutes
	}
	if len(at.Dates) == 0 {
		return
	}
	days := at.Dates[0]
	a["window"] = window(days.Start.String(), days.End.AddDays(1).String())
	if hours := at.Hours.Week[days.Start.Weekday()]; len(hours) == 1 {
		a["timeOfDay"] = window(hours[0].Start.String(), hours[0].End.String())
	}
	for _, on := range at.Hours.On {
		if on.Date == days.Start && len(on.Windows) == 1 {
			a["timeOfDay"] = window(on.Windows[0].Start.String(), on.Windows[0].End.String())
		}
	}
}

func window(start, end string) arguments { return arguments{"start": start, "end": end} }

// emptied reads a clause that empties days for something: what they are for takes their place.
func (r *reader) emptied(s state, text string) (state, bool) {
	at := r.book.forms["purpose"].FindStringSubmatchIndex(text)
	if at == nil || r.said(text[at[0]:]).Says() || r.book.is("swallowed", text[at[0]:]) {
		return s, false // "por la tarde" is no purpose
	}
	after, ok := r.single(s, clause{text: trimmed(text[:at[0]]), parted: true})
	what := ""
	for k := 2; k < len(at); k += 2 {
		if at[k] >= 0 {
			what = strings.TrimSpace(text[at[k]:at[k+1]])
		}
	}
	const most = 5
	timely := r.said(text[at[0]:]).Says() // "friday in the afternoon" names no purpose
	if !ok || timely || len(strings.Fields(what)) > most || markForm.MatchString(what) {
		return s, false
	}
	last := after.steps[len(after.steps)-1]
	selection, _ := last.arguments["selection"].(arguments)
	if last.Tool != "calendar_deleteEvents" || len(selection) != 1 {
		return s, false
	}
	return r.keeps(after, last.ID, selection, what)
}

// kept reads a clause that keeps hours for something: "and block it for writing". An earlier clause has emptied them,
// or has asked whether they are empty.
func (r *reader) kept(s state, text string) (state, bool) {
	if s.things == nil || s.left != nil {
		return s, false
	}
	if empty := s.holds() && s.condition.yes == (plan.Condition{From: s.things.id, Is: plan.Empty}); !empty && !r.gone(s) {
		return s, false
	}
	selection, _ := s.things.arguments["selection"].(arguments)
	for name := range selection {
		if name != "window" && name != "timeOfDay" {
			return s, false // only some of what is there is deleted
		}
	}
	for _, f := range r.book.parse("kept", text, true) {
		rest, _ := f.open("what")
		if what := r.topic(rest); what != "" {
			return r.keeps(s, s.things.id, selection, what)
		}
	}
	return s, false
}

// keeps adds the step that keeps the hours of a selection, on one day, after the step that empties them.
func (r *reader) keeps(s state, after string, selection arguments, what string) (state, bool) {
	days, _ := selection["window"].(arguments)
	day, _ := days["start"].(string)
	end, _ := days["end"].(string)
	first, err := interval.ParseDate(strings.TrimSuffix(day, "T00:00"))
	if err != nil || first.AddDays(1).String() != strings.TrimSuffix(end, "T00:00") {
		return s, false
	}
	from, to := any(dayBegins), any(dayEnds)
	if hours, _ := selection["timeOfDay"].(arguments); hours != nil {
		if from, to = hours["start"], hours["end"]; from == to || to == "24:00" {
			return s, false
		}
	}
	s.add(step{
		Step: plan.Step{
			Tool: "schedule_createTimeBlock", HumanSummary: r.book.say("block", "{what}", capital(what)),
			DependsOn: []string{after},
		},
		arguments: arguments{
			"type": "blocked", "title": capital(what), "date": first.String(), "startTime": from, "endTime": to,
		},
	}, false)
	s.mail = -1
	return s, true
}

// The hours of a day that is kept for something.
const (
	dayBegins = "09:00"
	dayEnds   = "18:00"
)
