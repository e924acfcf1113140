package ground

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// follows are the ways to go on with the call of the turn before, by the family of its tool. They read messages of so
// few words that these alone say nothing.
var follows = map[string][]func(*reading) (string, arguments){
	"task": {(*reading).retime, (*reading).doThen, (*reading).blockForTask, (*reading).callTask, (*reading).tasksLeft},
	"list": {
		(*reading).itemsLeft, (*reading).callList, (*reading).thatList, (*reading).recount, (*reading).moreItems,
		(*reading).notThat,
	},
	"note": {(*reading).thatNote, (*reading).correctNote}, "preference": {(*reading).thatPreference},
	"schedule": {(*reading).blockThen, (*reading).reblock, (*reading).otherExtreme, (*reading).nextOne},
	"calendar": {
		(*reading).deleteThen, (*reading).seriesThen, (*reading).moveOther, (*reading).otherEnd, (*reading).nextOne,
		(*reading).awayUntil,
	},
}

// follow is the call that goes on with the one of the turn before: "make it 6", "and a loaf of rye", "what's left?".
// What a message only tells behind another time is left out: "make it sunday, saturday i'm running".
func follow(m Message) Reading {
	family, _, _ := strings.Cut(m.Before.Tool, "_")
	read := goOn(m, family)
	if end := form("clause end").FindStringIndex(m.Text); read.Tool == "" && family == "task" && end != nil {
		head, tail := m, m
		head.Text, tail.Text = m.Text[:end[0]], m.Text[end[1]:]
		if again := goOn(head, family); again.Tool == "task_updateTask" && newReading(tail).onlyReason(head) {
			return again
		}
	}
	return read
}

// onlyReason reports whether a clause behind a message with another day only tells why: how things are, or what is on
// some other day.
func (r *reading) onlyReason(of Message) bool {
	first := firstWord(words()["because"].ReplaceAllString(r.Text, ""))
	if Joins(" "+r.Text) || len(conceptsOf(first)) > 0 || r.best().role("asks") >= plainlyKept {
		return false
	}
	own, there := r.setting().Read(r.Text, r.Now), r.setting().Read(of.Text, r.Now)
	otherDay := len(own.Dates) == 1 && len(there.Dates) == 1 && own.Dates[0].Start != there.Dates[0].Start
	return own.Exact == nil && otherDay || r.told() >= LeastTold
}

// goOn is the call of the first way of a family that goes on with the message.
func goOn(m Message, family string) Reading {
	for _, way := range follows[family] {
		r := newReading(m)
		if len(r.words) == 0 || len(r.words) > mostFollowing && !form("to that").MatchString(m.Text) {
			return Reading{}
		}
		if tool, call := way(r); tool != "" {
			read := undoubted(family+"_follow", tool, call)
			read.Reads = strings.HasSuffix(strings.ToLower(tool), "view") || slices.Contains(looks, tool)
			read.Clear, read.Sure = !r.guessed, !r.guessed && !slices.Contains(gone, tool)
			return read
		}
	}
	return Reading{}
}

// gone are the tools that take something away, which is asked for.
var gone = []string{"list_remove", "list_delete", "note_delete", "calendar_deleteEvents"}

// looks are tools that change nothing.
var looks = []string{"task_viewTasks", "calendar_findEvents", "schedule_analyzeUtilization"}

// mostFollowing is how many words such a message has at most, but for what is added to a note.
const mostFollowing = 12

// text is a text among the arguments of a call; empty if there is none.
func (c Call) text(name string) (text string) {
	var all arguments
	if json.Unmarshal(c.Arguments, &all) == nil {
		text, _ = all[name].(string)
	}
	return text
}

// onlySays reports whether every word of a text is among those of one of some names.
func onlySays(text string, names ...string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if !slices.ContainsFunc(names, func(name string) bool { return words()[name].MatchString(w) }) {
			return false
		}
	}
	return true
}

// retime gives the one task that was made or changed another time, of which the message says no more: "make it 6",
// "tomorrow instead", "push that back an hour". What is not said of the time stays.
func (r *reading) retime() (string, arguments) {
	made := r.Before.Tool == "task_createTask"
	if !made && r.Before.Tool != "task_updateTask" || len(r.Last) != 1 || strings.Contains(r.Text, "?") {
		return "", nil
	}
	if m := r.Message; len(r.words) == 2 && onlySays(r.words[0].lower, "better") { // "mejor tres"
		leads := map[string]string{"es": "mejor a las ", "he": "עדיף בשעה "}
		m.Text = cmp.Or(leads[strings.Split(r.Language, "-")[0]], "make it ") + r.words[1].lower
		*r = *newReading(m)
	}
	r.hourly = true
	r.readTimes()
	r.timeToLength()
	r.readMinutes() // after "in 20 minutes"
	another := func(m mention) bool { return m.kind == Task && m.things[0].ID != r.Last[0] }
	if len(r.times) != 1 || !r.onlyRetimes() || slices.ContainsFunc(r.named(), another) {
		return "", nil
	}
	if !r.times[0].Says() { // a number alone is an hour only beside the rest
		r.times[0].Reading = r.setting().Read(r.Text, r.Now)
	}
	i := slices.IndexFunc(r.Things, func(t Thing) bool { return t.Kind == Task && t.ID == r.Last[0] })
	was, field := cmp.Or(r.Before.text("reminder"), r.Before.text("dueDate")), "when"
	var changed struct{ Updates struct{ Reminder string } }
	if i >= 0 {
		was = r.Things[i].At
	}
	if json.Unmarshal(r.Before.Arguments, &changed) == nil && changed.Updates.Reminder != "" {
		was, field = changed.Updates.Reminder, "reminder"
	}
	if at, err := time.Parse(time.RFC3339, was); err == nil {
		was = at.In(r.Now.Location()).Format(localTime)
	}
	at := r.when(was)
	switch {
	case at == "":
		return "", nil
	case i >= 0:
		return "task_updateTask", arguments{"selection": arguments{"ids": r.Last}, "updates": arguments{field: at}}
	case !made:
		return "", nil
	}
	var call arguments // it is not made yet
	if json.Unmarshal(r.Before.Arguments, &call) != nil {
		return "", nil
	}
	if field = "reminder"; r.Before.text(field) == "" {
		field = "dueDate"
	}
	call[field] = at
	return r.Before.Tool, call
}

// readMinutes takes a number that is no hour, at the end of a message that says no other time, for one of minutes.
func (r *reading) readMinutes() {
	if m := r.Message; len(r.times) == 0 && minutesAlone.MatchString(m.Text) {
		m.Text = strings.TrimRight(m.Text, around) + " min"
		*r = *newReading(m)
		r.readTimes()
	}
}

// minutesAlone ends a message with a number that is no hour.
var minutesAlone = regexp.MustCompile(`(?:^|\s)(?:1[3-9]|[2-9]\d)[\s.!]*$`)

// doThen reminds the user of a task that was shown when it is to be done: "do that one at 3 today".
func (r *reading) doThen() (string, arguments) {
	if r.point(); len(r.found) == 0 {
		r.found = keep(r.named(), func(m mention) bool { // "do the announcement tomorrow at 10", which was shown
			return m.kind == Task && len(m.things) == 1 && slices.Contains(r.Last, m.things[0].ID)
		})
	}
	for i := range r.found {
		m := &r.found[i]
		m.meant = m.things
		for _, at := range m.words {
			r.words[at].taken = true
		}
	}
	for i := range r.words { // "the first one tomorrow" is at no hour
		r.words[i].taken = r.words[i].taken || onlySays(r.words[i].lower, "event")
	}
	r.readTimes()
	r.markTimes()
	other := func(w word) bool {
		return !w.taken && !w.timely && !onlySays(w.lower, "doing then", "again", "it", "event", "determiner", "small")
	}
	at := r.moment(false)
	if len(r.found) != 1 || at == nil || !onlySays(r.words[0].lower, "doing then") || slices.ContainsFunc(r.words, other) {
		return "", nil
	}
	return "task_updateTask", r.selecting(Task, arguments{"updates": arguments{"reminder": at}})
}

// blockForTask keeps time free for the one task that was made or shown, when the user is reminded of it if the message
// says no other time: "schedule it", "find time for it on friday".
func (r *reading) blockForTask() (string, arguments) {
	i := slices.IndexFunc(r.Things, func(t Thing) bool { return t.Kind == Task && slices.Contains(r.Last, t.ID) })
	at := words()["scheduling it"].FindStringIndex(r.Text)
	if i < 0 || at == nil || len(r.Last) != 1 {
		return "", nil
	}
	r.takeWords(at[0], at[1])
	r.readTimes()
	r.markTimes()
	points := r.points()
	if len(points) > 1 || len(r.times) != len(points) || slices.ContainsFunc(r.words, func(w word) bool {
		return !w.taken && !w.timely && !onlySays(w.lower, "small", "again", "amending", "it", "until", "to")
	}) {
		return "", nil
	}
	task := r.Things[i]
	block := arguments{"type": "work", "title": task.Title}
	reminded, err := time.Parse(time.RFC3339, task.At)
	var start *interval.Clock
	switch {
	case len(points) == 1 && points[0].Exact == nil && (points[0].day() == nil || !points[0].Hours.Empty()):
		return "", nil
	case len(points) == 1:
		start = points[0].Exact
		if day := points[0].day(); day != nil {
			block["date"] = day.String()
		}
	case err == nil && task.At != task.Due && reminded.After(r.Now):
		reminded = reminded.In(r.Now.Location())
		clock := interval.ClockOf(reminded)
		start, block["date"] = &clock, interval.DateOf(reminded).String()
	}
	if start != nil {
		block["startTime"], block["endTime"] = start.String(), (*start + interval.Clock(task.Minutes)).String()
	} else {
		block["durationMinutes"] = task.Minutes
	}
	return createBlock, block
}

// onlyRetimes reports whether the message says nothing but that another time is meant.
func (r *reading) onlyRetimes() (retimes bool) {
	said := r.times[0]
	retimes = r.Before.Tool == "task_createTask" && len(r.words) <= mostAlone // "8 ish", of a reminder
	for _, w := range r.words {
		moves := slices.ContainsFunc(conceptsOf(w.lower), func(c string) bool { return c == "move" || c == "later" })
		sign := moves || onlySays(w.lower, "retiming") || onlySays(w.lower, "it")
		inside := said.from < w.to && w.from < said.to || onlySays(w.lower, "begins at") // "בתשע" has a letter before it
		if retimes = retimes || sign; !sign && !inside &&
			!onlySays(w.lower, "amending", "again", "small", "idle", "to", "until", "sooner", "later") {
			return false
		}
	}
	return retimes && !onlySays(r.words[0].lower, "asks")
}

// mostAlone is how many words are no more than a time.
const mostAlone = 3

// reblock changes the length, the day or the hours of the block that waits: "make it 3 hours", "wednesday instead", and
// the hours of one that was made: "3 to 5 instead".
func (r *reading) reblock() (string, arguments) {
	var call arguments
	if r.Before.Tool != createBlock || len(r.Last) != 1 || json.Unmarshal(r.Before.Arguments, &call) != nil {
		return "", nil
	}
	made := !strings.HasPrefix(r.Last[0], newThing)
	r.hourly = true
	r.readTimes()
	r.readMinutes()
	if len(r.times) != 1 || !r.onlyRetimes() || strings.Contains(r.Text, "?") {
		return "", nil
	}
	t := r.times[0]
	start, errStart := interval.ParseClock(r.Before.text("startTime"))
	end, errEnd := interval.ParseClock(r.Before.text("endTime"))
	_, within := call["durationMinutes"].(float64)
	n := t.minutes()
	hours := t.Exact != nil && t.Duration > 0 && len(t.Dates) == 0
	at := cmp.Or(t.Exact, new(interval.Clock)).String()
	if t.open && errStart == nil {
		at = nearest(at, start.String())
	}
	switch day := t.day(); {
	case made && !hours:
		return "", nil // who reads events changes it
	case made:
		return "calendar_moveEvents", arguments{
			"selection": arguments{"ids": r.Last}, "to": arguments{"time": at, "durationMinutes": n},
		}
	case hours && !within:
		from, _ := interval.ParseClock(at) // it is one
		call["startTime"], call["endTime"] = at, (from + interval.Clock(n)).String()
	case t.Shift != (when.Shift{}):
		return "", nil // who reads events moves it
	case t.isLength() && within && n <= int(end-start):
		call["durationMinutes"] = n
	case t.isLength() && errStart == nil && errEnd == nil && !within:
		call["endTime"] = (start + interval.Clock(n)).String()
	case day != nil && t.Exact == nil && t.Hours.Empty() && !t.isLength():
		call["date"] = day.String()
	default:
		return "", nil
	}
	return createBlock, call
}

// when is the one time that is said, or the length by which something moves, of what was at a time; empty if it is not
// plain.
func (r *reading) when(was string) string {
	day, clock, timed := strings.Cut(was, "T")
	if n := r.length(); n > 0 {
		if days := n / 24 / 60; !timed && day != "" && days*24*60 == n && !r.says("sooner") {
			return laterBy(day, days)
		}
		at, err := time.ParseInLocation(localTime, was, r.Now.Location())
		if !timed || err != nil {
			return ""
		}
		moves := func(w word) bool { return slices.Contains(conceptsOf(w.lower), "move") }
		switch {
		case r.says("sooner"):
			n = -n
		case !r.says("later") && !r.says("by") && !slices.ContainsFunc(r.words, moves):
			at = r.Now // "make it 30 minutes" from now
		}
		return at.Add(time.Duration(n) * time.Minute).Format(localTime)
	}
	points := r.points()
	if len(points) != 1 {
		return ""
	}
	said, isText := r.moment(false).(string)
	on, hour, both := strings.Cut(said, "T")
	roughly := points[0].About && !form("half said").MatchString(r.Text) // "8 ish"
	if both && timed && (roughly || leavesHalf(r.setting(), r.Text, r.Now)) {
		hour = nearest(hour, clock)
	}
	switch {
	case !isText:
		return ""
	case both && len(points[0].Dates) == 0 && day+"T"+hour > r.Now.Format(localTime):
		return day + "T" + hour // it stays on its day
	case both:
		return on + "T" + hour
	case !both && timed:
		return r.near(points[0], day, on) + "T" + clock
	case !both:
		return r.near(points[0], day, on)
	}
	return said
}

// near is the day of the week that is said, of those around the day that it corrects: "wednesday" of what is due on the
// third is the second. A day that is told in any other way stays.
func (r *reading) near(said *timed, was, on string) string {
	before, err := time.Parse(time.DateOnly, was)
	at, errAt := time.Parse(time.DateOnly, on)
	if err != nil || errAt != nil || !form("weekday alone").MatchString(r.Text[said.from:said.to]) {
		return on
	}
	const week = 7 * 24 * time.Hour
	for before.Sub(at) > week/2 {
		at = at.Add(week)
	}
	return at.Format(time.DateOnly)
}

// laterBy is a date that is so many days later; empty if it is none.
func laterBy(date string, days int) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return ""
	}
	return at.AddDate(0, 0, days).Format(time.DateOnly)
}

// tasksLeft shows the tasks that are still to be done, of those that were asked for or of a time: "what's left?".
func (r *reading) tasksLeft() (string, arguments) {
	r.readTimes()
	if !r.says("asks for rest") {
		return "", nil
	}
	selection := arguments{"status": "open"}
	var before struct{ Selection arguments }
	if r.Before.Tool == "task_viewTasks" && json.Unmarshal(r.Before.Arguments, &before) == nil && len(r.times) == 0 {
		selection = before.Selection
	} else if who, mine := before.Selection["assignee"]; mine {
		selection["assignee"] = who
	}
	if len(r.times) > 0 && !r.dueWithin(selection) {
		return "", nil
	}
	return "task_viewTasks", arguments{"selection": selection}
}

// known is whom a word like "his" means after a look at a contact or, where a detail of a contact is meant, beside the
// one person with whom something is arranged.
func (m Message) known() []Person {
	family, _, _ := strings.Cut(m.Before.Tool, "_")
	name := cmp.Or(m.Before.text("query"), m.Before.text("contact"), m.Before.text("name"))
	at := words()["possessive"].FindString(m.Text)
	if family != "contact" || name == "" {
		name = ""
		if words()["their detail"].MatchString(m.Text) {
			name = m.Company
		}
	}
	if name == "" || at == "" || len(m.People) > 0 {
		return m.People
	}
	return []Person{{Name: name, Said: strings.Trim(at, " ,.?!'’¿¡")}}
}
