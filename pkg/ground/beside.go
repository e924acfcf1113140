package ground

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// spelledOut is the message with the title of the event that is being talked about in place of the word for it by which
// a time is told: "an hour before it". Other occurrences of the event are not meant then.
func spelledOut(m Message) Message {
	i := slices.IndexFunc(m.Things, func(t Thing) bool { return t.Kind == Event && t.ID == m.AtHand })
	if i < 0 {
		return m
	}
	event, said := m.Things[i], m.Text
	m.Text = besideNamed(m.Text, event.Title)
	at := form("eve unsaid").FindStringSubmatchIndex(m.Text)
	if at != nil && words()["asking to remind"].MatchString(m.Text) {
		before := [...]string{"before", "antes de", "לפני"}[slices.IndexFunc([]int{at[2], at[4], at[6]}, isFound)]
		m.Text = m.Text[:max(at[2], at[4], at[6])] + before + " " + event.Title
	}
	if m.Text != said {
		m.Things = keep(m.Things, func(t Thing) bool {
			return t.Kind != Event || t.ID == event.ID || !strings.EqualFold(t.Title, event.Title)
		})
	}
	return m
}

// besideNamed is a text with a name in place of the word for an event by which a time is told.
func besideNamed(text, name string) string {
	at := form("beside it").FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	relation, from, to := " ", at[6], at[7] // the end of "an hour before"
	switch {
	case at[2] >= 0:
		relation, from, to = "", at[2], at[3]
	case at[4] >= 0: // Hebrew writes both as one word
		relation, from, to = besideHebrew[text[at[4]:at[5]]]+" ", at[4], at[5]
	case strings.HasSuffix(strings.ToLower(text[:from]), "antes"):
		relation = " de "
	}
	return text[:from] + relation + name + text[to:]
}

// timeFor is the message with the title of the one thing that was seen last in place of the word for it, if time is
// kept for that: "block an hour for it". The thing itself is not meant then. It is not ok if that may be one of
// several.
func timeFor(m Message) (named Message, ok bool) {
	at := form("for it").FindStringSubmatchIndex(m.Text)
	if at == nil || m.Before.Tool == createBlock || len(m.Offered) > 0 || len(m.Last) == 0 {
		return m, true
	}
	i := slices.IndexFunc(m.Things, func(t Thing) bool { return slices.Contains(m.Last, t.ID) })
	if i < 0 || len(m.Last) != 1 {
		return m, false
	}
	title := m.Things[i].Title
	m.Text = m.Text[:at[2]] + `"` + title + `"` + m.Text[at[3]:]
	m.Things = keep(m.Things, func(t Thing) bool { return t.Kind == Event && !strings.EqualFold(t.Title, title) })
	return m, true
}

func isFound(at int) bool { return at >= 0 }

// Beside are the words of a message that tell a time by the event that is being talked about: "right after that". After
// says on which side of it, close that nothing is to be between; the words are empty if there are none.
func Beside(text string) (words string, after, close bool) {
	for _, name := range []string{"beside it", "beside unsaid"} {
		if at := form(name).FindStringIndex(text); at != nil {
			words = strings.Trim(text[at[0]:at[1]], around)
			return words, form("beside after").MatchString(words), form("closely").MatchString(text)
		}
	}
	return "", false, false
}

var besideHebrew = map[string]string{"לפניו": "לפני", "לפניה": "לפני", "אחריו": "אחרי", "אחריה": "אחרי"}

// remindBeside makes a task of which the user is reminded some time before an event that is named, or after it: "remind
// me an hour before the vet to bring the papers". Without other words it is called as the event is.
func remindBeside(m Message) Reading {
	text, lead := remindFirst(m.Text)
	unknown := Reading{Deed: "task_create", Probability: 1, Denied: true}
	if !m.tells(lead) {
		unknown = Reading{}
	}
	m.Text = text
	ask := words()["asking to remind"].FindStringIndex(m.Text)
	if ask != nil && ask[0] == 0 && form("unsaid event").MatchString(m.Text[ask[1]:]) {
		return Reading{Deed: "task_create", Probability: 1, Denied: true} // an hour before what?
	}
	if ask == nil || ask[0] > 0 || len(m.People) > 0 && words()["dictating"].MatchString(m.Text[ask[1]:]) {
		return Reading{}
	}
	r := newReading(m)
	all := r.named()
	i := slices.IndexFunc(all, func(n mention) bool { return n.kind == Event && r.isRelated(n) })
	if i < 0 || len(r.quoted) > 0 {
		return unknown // after what?
	}
	r.take(all[i], all[i:i+1])
	r.readTimes()
	return r.reminder(ask[1])
}

// remindFirst is a wish to be reminded with the event that tells when behind the words that ask, and after it if it is
// to be over: "when the dentist is over remind me to pay" is "remind me after the dentist to pay". Lead is what stood
// before these words; empty if nothing did.
func remindFirst(text string) (plain, lead string) {
	for _, way := range ways("over") {
		text = way.form.ReplaceAllString(text, way.becomes)
	}
	if !form("beside lead").MatchString(text) {
		return text, ""
	}
	for _, blank := range blanks.FindAllStringIndex(text, -1) {
		if ask := words()["asking to remind"].FindStringIndex(text[blank[1]:]); ask != nil {
			lead, rest := strings.Trim(text[:blank[0]], around), text[blank[1]:]
			return strings.TrimRight(rest[:ask[1]], " ") + " " + lead + " " + strings.TrimLeft(rest[ask[1]:], " "), lead
		}
	}
	return text, ""
}

var blanks = regexp.MustCompile(`[\s,]+`)

// tells reports whether words tell a time by something that is no time itself: "after the dentist", not "after lunch".
func (m Message) tells(lead string) bool {
	m.Text = lead
	r := newReading(m)
	r.readTimes()
	r.markTimes()
	return slices.ContainsFunc(r.words, func(w word) bool {
		return !w.timely && !w.taken && !onlySays(w.lower, "beside event", "determiner", "until")
	})
}

// reminder is the task, of which the message says more from a byte on.
func (r *reading) reminder(from int) Reading {
	r.locateAll(0)
	event := &r.found[0]
	first, last := r.words[event.words[0]].from, r.words[event.words[len(event.words)-1]].to
	side := form("relation").FindStringSubmatchIndex(r.Text[:first])
	begin, ahead := side[0], shortly
	told := slices.IndexFunc(r.times, func(t timed) bool {
		return t.isLength() && t.from < first && r.adjoins(min(t.to, side[0]), side[0])
	})
	if told >= 0 {
		begin, ahead = r.times[told].from, time.Duration(r.times[told].minutes())*time.Minute
	}
	once := moment{ahead: ahead}
	if at := form("days beside").FindStringIndex(r.Text[:side[0]]); at != nil {
		begin = max(from, at[0])
		if told < 0 {
			days := r.setting().Read(r.Text[at[0]:side[0]], r.Now).Days // none of "the day"
			once.ahead = time.Duration(max(1, days)) * 24 * time.Hour
		}
	} else if at := form("eve beside").FindStringIndex(r.Text[:side[0]]); at != nil {
		begin = max(from, at[0])
		once.ahead, once.onEve = 24*time.Hour, r.Now.Location()
	}
	once.after, once.told = side[2] >= 0 || side[6] >= 0, begin < side[0]
	begin, from, last, things, ok := r.besideDay(event, begin, from, last)
	if !ok {
		return Reading{Deed: "task_create", Probability: 1, Denied: true} // it is not on that day
	}
	other := func(t timed) bool { return t.from < begin && t.to > from || t.to > last }
	before := strings.Trim(form("linked").ReplaceAllString(r.Text[from:max(from, begin)], ""), around)
	behind := strings.Trim(form("linked").ReplaceAllString(r.Text[last:], ""), around)
	if addsMore(before + behind) {
		return Reading{Deed: "several", Probability: 1, Denied: true}
	}
	if begin < from || before != "" && behind != "" || slices.ContainsFunc(r.times, other) {
		return Reading{}
	}
	i := slices.IndexFunc(things, func(t Thing) bool { return once.of(t).After(r.Now) })
	if i < 0 {
		return Reading{Deed: "task_create", Probability: 1, Denied: true} // there is none then
	}
	made := undoubted("task_create", "task_createTask", arguments{
		"title": cmp.Or(before, behind, things[i].Title), "tags": []string{}, "dependencies": []string{},
		"reminder": once.of(things[i]).In(r.Now.Location()).Format(localTime),
	}).doubted(event.doubt || len(firstOfEach(things)) != 1)
	made.Sure = made.Sure && once.told
	return made
}

// besideDay are the bounds of what tells the time, and of the rest, with the day of the event among the former, and
// the occurrences that may be meant: without a day, the first one for which it is not too late. It is not ok if none is
// on the day that stands behind the event.
func (r *reading) besideDay(event *mention, begin, from, last int) (_, _, _ int, of []Thing, ok bool) {
	of = event.things
	for _, t := range r.times {
		lead := form("day lead").FindStringIndex(r.Text[:t.from])[0]
		switch behind := last <= t.from && form("on day").MatchString(r.Text[last:t.from]); {
		case behind && !t.used && len(t.Dates) > 0:
			return begin, from, last, nil, false
		case !t.used:
			continue
		case behind:
			last = t.to
		case r.adjoins(from, lead):
			from = t.to
		case r.adjoins(t.to, begin):
			begin = lead
		}
		of = event.meant
	}
	return begin, from, last, of, true
}

// adjoins reports whether nothing but blanks and marks stands between two bytes of the message, the first one in front.
func (r *reading) adjoins(from, to int) bool {
	return from <= to && strings.Trim(r.Text[from:to], around) == ""
}

// moment is a time that an event tells: so long before it begins or, if that is told, after it ends.
type moment struct {
	ahead       time.Duration
	after, told bool
	// onEve is the zone in whose evening of that day it is; nil if another hour is meant.
	onEve *time.Location
}

// evening is when one is reminded of what is on the next day.
const evening = interval.Clock(20 * 60)

// of is the time beside an event.
func (m moment) of(event Thing) time.Time {
	n := event.Span.Duration()
	switch {
	case m.onEve != nil:
		at, _ := interval.DateOf(event.Span.Start.Add(-m.ahead).In(m.onEve)).At(evening, m.onEve)
		return at
	case !m.after && n > 0 && n%(24*time.Hour) == 0: // which has no hour
		return event.Span.Start.Add(morning - m.ahead)
	case !m.after:
		return event.Span.Start.Add(-m.ahead)
	case m.told:
		return event.Span.End.Add(m.ahead)
	}
	return event.Span.End
}

// morning is when the user is reminded of what has no hour.
const morning = 9 * time.Hour

// shortly is how long before an event one is reminded of what has to be done before it.
const shortly = 15 * time.Minute

// setTime says when a new task is due, or when the user is reminded of it. It is not ok if nobody knows before what.
func (r *reading) setTime(all arguments) (ok bool) {
	if len(r.points()) == 0 {
		minutes := r.lengthBefore()
		if minutes > 0 {
			all["reminder"] = r.ahead(time.Duration(minutes) * time.Minute)
		}
		return minutes == 0 || all["reminder"] != nil
	}
	field := "dueDate"
	if r.says("remind") {
		field = "reminder"
	}
	by := len(r.points()) == 1 && r.points()[0].Before != nil
	if at := r.moment(field == "dueDate"); at != nil {
		if all[field] = at; by {
			all["dueDate"] = at // "remind me by Friday": it is due then
		}
	}
	return true
}

// remindedOf is the event that the user is to be reminded of, and nothing else.
func (r *reading) remindedOf() (title string, ok bool) {
	events := r.of(Event)
	if len(events) != 1 || len(r.found) != 1 || len(events[0].meant) != 1 || !r.says("reminder of event") {
		return "", false
	}
	events[0].used, r.own = true, append(r.own, said{})
	return events[0].meant[0].Title, true
}

// lengthBefore is the length that is said before "before".
func (r *reading) lengthBefore() int {
	if !r.says("remind") || !r.says("before") {
		return 0
	}
	return r.length()
}

// ahead is so long before the one event that is named begins or, without one, before the one task is due.
func (r *reading) ahead(length time.Duration) any {
	events, tasks := r.of(Event), r.of(Task)
	if len(events) == 1 && len(events[0].meant) == 1 {
		events[0].used = true
		return events[0].meant[0].Span.Start.Add(-length).In(r.Now.Location()).Format(localTime)
	}
	if len(events) > 0 || len(tasks) != 1 || len(tasks[0].meant) != 1 || !r.says("due") {
		return nil
	}
	due := tasks[0].meant[0].Due
	if day, err := interval.ParseDate(due); err == nil {
		if days := int(length / (24 * time.Hour)); length%(24*time.Hour) == 0 {
			return day.AddDays(-days).String()
		}
	} else if at, err := time.Parse(time.RFC3339, due); err == nil {
		return at.Add(-length).In(r.Now.Location()).Format(localTime)
	}
	return nil
}
