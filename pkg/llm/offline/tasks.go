package offline

import (
	"maps"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// newTask reads what is to be done, with when it is due, how long it takes, how much it matters and how often it is.
// What stands in the middle of it is part of its title.
func (t *thinging) newTask(_, said string) bool {
	said = t.effort(said)
	for _, level := range []string{"high", "low", "medium"} {
		form := t.book.words["priority="+level]
		if at := form.FindStringIndex(said); at != nil && (at[0] == 0 || at[1] == len(said) || said[at[0]] == ',') {
			said = trimmed(said[:at[0]] + " " + said[at[1]:])
			t.set("priority", level)
		}
	}
	title, timed := t.withoutTime(said)
	if timed != "" && !t.time("", timed) {
		title = said
	}
	if asks := t.book.words["asks"].FindStringIndex(title); title == "" || asks != nil && asks[0] == 0 || t.points(title) {
		return false
	}
	t.set("title", title)
	return true
}

// points reports whether small words and a pronoun are all that a text has: "of it".
func (t *thinging) points(said string) bool {
	small := t.book.words["small"].FindStringIndex(said)
	for ; small != nil && small[0] == 0; small = t.book.words["small"].FindStringIndex(said) {
		said = said[small[1]:]
	}
	return t.saysOnly("pronoun", said)
}

// effort takes "it takes an hour" out of a text.
func (t *thinging) effort(said string) string {
	at := t.book.words["takes"].FindStringIndex(said)
	if at == nil {
		return said
	}
	rest := said[at[1]:]
	r := t.setting.Read(rest, t.now)
	for _, e := range r.Entities {
		if r.Duration > 0 && e.Start == 0 {
			t.set("estimatedMinutes", int(r.Duration/time.Minute))
			return trimmed(said[:at[0]]) + rest[e.End:]
		}
	}
	return said
}

// withoutTime takes the phrases of time at the beginning and at the end out of a text.
func (t *thinging) withoutTime(said string) (title, timed string) {
	entities := t.setting.Read(said, t.now).Entities
	from, to := 0, len(said)
	small := t.book.words["small"]
	for cut := true; cut && len(entities) > 0; {
		first, last := entities[0], entities[len(entities)-1]
		head, tail := said[from:max(from, first.Start)], said[min(last.End, to):to]
		switch empty := func(s string) bool { return trimmed(small.ReplaceAllString(s, " ")) == "" }; {
		case empty(tail) && last.Start > from:
			to, entities = last.Start, entities[:len(entities)-1]
		case empty(head) && first.End < to:
			from, entities = first.End, entities[1:]
		default:
			cut = false
		}
	}
	// What joins the title to its time is part of neither.
	for _, form := range []string{"every", "joins"} {
		if at := t.book.words[form].FindAllStringIndex(said[from:to], -1); len(at) > 0 {
			if end := at[len(at)-1]; from+end[1] == to {
				to = from + end[0]
			} else if from > 0 && at[0][0] == 0 && form == "joins" {
				from += at[0][1]
			}
		}
	}
	return trimmed(said[from:to]), trimmed(said[:from] + " " + said[to:])
}

// time reads when something is due, or when the user is reminded of it. What is said in two places is read as one.
func (t *thinging) time(_, said string) bool {
	said = trimmed(t.timed + " " + said)
	t.timed = said
	every := t.book.words["every"].MatchString(said)
	plain := trimmed(t.book.words["every"].ReplaceAllString(said, " "))
	r := t.setting.Read(firstOf(plain, said), t.now)
	if rule := t.rule(said, r, every); rule != "" {
		t.set("recurrence", rule)
	} else if every || !t.covered(plain, r) || len(r.NoSuchDays) > 0 {
		return false
	}
	day, clock, ok := t.moment(r)
	if !ok {
		return t.facts.values["recurrence"] != nil
	}
	at := day.String()
	if clock != nil {
		at += "T" + clock.String()
	}
	by := t.book.words["by"].MatchString(said)
	if t.values["remind"] == true {
		t.set("reminder", at)
	}
	if t.values["remind"] != true || by || every {
		t.set("dueDate", at)
	}
	return true
}

// rule is the RRULE of what is said to happen again and again; empty for what happens once.
func (t *thinging) rule(said string, r when.Reading, every bool) string {
	if every && len(r.Dates) > 0 && len(r.Dates) <= 7 {
		return (&operation{time: r}).recurrence()
	}
	for name, form := range t.book.words {
		if often, is := strings.CutPrefix(name, "freq="); is && form.MatchString(said) {
			return "FREQ=" + often
		}
	}
	return ""
}

// covered reports whether all words of a text are of its time.
func (t *thinging) covered(said string, r when.Reading) bool {
	rest := []byte(said)
	for _, e := range r.Entities {
		copy(rest[e.Start:e.End], strings.Repeat(" ", e.End-e.Start))
	}
	left := t.book.words["small"].ReplaceAllString(string(rest), " ")
	return len(r.Entities) > 0 && trimmed(t.book.words["joins"].ReplaceAllString(" "+left+" ", " ")) == ""
}

// moment is the day that a reading means, and the time if one was said; an hour that has passed is tomorrow's.
func (t *thinging) moment(r when.Reading) (day interval.Date, clock *interval.Clock, ok bool) {
	if r.Moment != nil {
		at := interval.ClockOf(*r.Moment)
		return interval.DateOf(*r.Moment), &at, true
	}
	if clock = r.Exact; clock == nil && r.EndsAt != nil {
		clock = r.EndsAt
	}
	if windows := hoursNamed(r); clock == nil && len(windows) == 1 {
		if clock = &windows[0].Start; t.values["remind"] != true || *clock == 0 {
			clock = &windows[0].End
		}
	}
	first, day, ok := datesOf(r)
	if t.facts.values["recurrence"] != nil {
		day = first
	}
	if r.Shift.Days > 0 && !ok {
		day, ok = interval.DateOf(t.now).AddDays(r.Shift.Days), true
	}
	if !ok && clock != nil {
		if day, ok = interval.DateOf(t.now), true; *clock <= interval.ClockOf(t.now) {
			day = day.AddDays(1)
		}
	}
	return day, clock, ok
}

// due reads the new date of a task.
func (t *thinging) due(key, said string) bool {
	r := t.setting.Read(said, t.now)
	day, clock, ok := t.moment(r)
	if !ok || !t.covered(said, r) || len(r.NoSuchDays) > 0 {
		return false
	}
	at := day.String()
	if _, _, dated := datesOf(r); clock != nil && key == "when" && !dated && r.Moment == nil && r.Shift.Days == 0 {
		at = clock.String()
	} else if clock != nil {
		at += "T" + clock.String()
	}
	t.set(key, at)
	return true
}

// days reads by how many days something moves; the key says in which direction.
func (t *thinging) days(key, said string) bool {
	r := t.setting.Read(said, t.now)
	n := int(r.Duration / (24 * time.Hour))
	if n = max(n, r.Days, r.Shift.Days); n == 0 {
		return false
	}
	if key == "sooner" {
		n = -n
	}
	t.set("laterByDays", n)
	return true
}

// minutes reads a length.
func (t *thinging) minutes(key, said string) bool {
	r := t.setting.Read(strings.ReplaceAll(said, " ה", " "), t.now) // "the 20 minutes": the unit has the article
	if r.Duration < time.Minute {
		return false
	}
	t.set(key, int(r.Duration/time.Minute))
	return true
}

// priority reads how much something matters.
func (t *thinging) priority(key, said string) bool {
	for _, level := range []string{"high", "low", "medium"} {
		if t.book.words["level="+level].MatchString(said) {
			t.set(key, level)
			return true
		}
	}
	return false
}

// block reads the name of a time block.
func (t *thinging) block(key, said string) bool {
	t.set(key, map[string]any{"titleHas": []string{t.bare(said)}, "one": true})
	return true
}

// tasks reads which tasks are meant: those that were shown, or by their attributes, or by what they are called.
func (t *thinging) tasks(_, said string) bool {
	looks := t.intent() == look
	pronoun := t.book.words["pronoun"].MatchString(said) && len(strings.Fields(said)) == 1
	switch {
	case !looks && t.pointed(said):
		return true
	case !looks && pronoun, t.book.words["theirs"].MatchString(said), !looks && t.book.words["except"].MatchString(said):
		return false
	}
	many := t.book.words["tasks"].MatchString(t.text)
	noun := many || t.book.words["task"].MatchString(t.text)
	several := many || looks || t.book.words["all"].MatchString(said)
	t.sure = t.sure || t.endsWith("task", said) || t.endsWith("tasks", said)
	sel := map[string]any{}
	if several {
		said = t.several(sel, said, looks)
	}
	if title := t.bare(t.withoutNouns(said, several, noun || looks)); title != "" {
		sel["titleHas"] = t.phrases(title)
	}
	if before := t.selected(); before != nil {
		maps.Copy(before, sel)
		return true
	}
	if !several {
		sel["one"] = true
	}
	if len(sel) == 0 || len(sel) == 1 && (sel["one"] == true || sel["assignee"] == "me" && !looks) {
		return looks
	}
	t.set("selection", sel)
	return true
}

// several takes out of a text what it says of tasks and when they are due. Of what changes, the user's own are meant if
// neither a person nor a column of a board is named.
func (t *thinging) several(sel map[string]any, said string, looks bool) (rest string) {
	rest = t.attributes(sel, said)
	t.sure = t.sure || rest != said
	if !looks && sel["column"] == nil && sel["assignee"] == nil && t.selected()["assignee"] == nil {
		sel["assignee"] = "me"
	}
	return t.dated(sel, rest)
}

// selected are the members of the selection so far; nil if there is none.
func (t *thinging) selected() map[string]any {
	selection, _ := t.facts.values["selection"].(map[string]any)
	return selection
}

// endsWith reports whether a text ends with a word of a kind.
func (t *thinging) endsWith(kind, said string) bool {
	all := t.book.words[kind].FindAllStringIndex(said, -1)
	return len(all) > 0 && all[len(all)-1][1] == len(said)
}

// withoutNouns takes out of a text what only says that tasks are meant: of several, or of one.
func (t *thinging) withoutNouns(said string, several, one bool) string {
	if several {
		for _, kind := range []string{"about", "tasks", "all", "mine"} {
			said = t.book.words[kind].ReplaceAllString(said, " ")
		}
	}
	if one {
		said = t.book.words["task"].ReplaceAllString(said, " ")
		if at := t.book.words["about"].FindStringIndex(said); at != nil && at[0] == 0 {
			said = said[at[1]:]
		}
	}
	return said
}

// attributes takes out of a text what it says of tasks.
func (t *thinging) attributes(sel map[string]any, said string) string {
	for _, attribute := range []string{
		"overdue=true", "status=in_progress", "status=backlog", "status=completed", "priority=high", "priority=low",
		"column=in review", "assignee=none", "assignee=me",
	} {
		if form := t.book.words[attribute]; form != nil && form.MatchString(said) {
			name, value, _ := strings.Cut(attribute, "=")
			if sel[name] = value; value == "true" {
				sel[name] = true
			}
			said = form.ReplaceAllString(said, " ")
		}
	}
	at := t.book.words["owner"].FindStringSubmatchIndex(said)
	if at == nil {
		return said
	}
	for i := 2; i+1 < len(at); i += 2 {
		if name := trimmed(said[max(at[i], 0):max(at[i+1], 0)]); name != "" {
			sel["assignee"] = name
		}
	}
	return said[:at[0]] + " " + said[at[1]:]
}

// dated takes the days out of a text on which tasks are due.
func (t *thinging) dated(sel map[string]any, said string) string {
	r := t.setting.Read(said, t.now)
	first, last, ok := datesOf(r)
	if !ok {
		return said
	}
	if interval.DateOf(t.now).Before(first) {
		sel["dueFrom"] = first.String()
	}
	sel["dueTo"] = last.String()
	for _, e := range slices.Backward(r.Entities) {
		said = said[:e.Start] + " " + said[e.End:]
	}
	return t.book.words["joins"].ReplaceAllString(" "+said+" ", " ")
}

// bare is a text without articles and small words at its ends.
func (t *thinging) bare(said string) string {
	for {
		short := trimmed(said)
		if at := t.book.words["article"].FindStringIndex(short); at != nil && at[0] == 0 {
			short = short[at[1]:]
		}
		if at := t.book.words["small"].FindAllStringIndex(short, -1); len(at) > 0 && at[len(at)-1][1] == len(short) {
			short = short[:at[len(at)-1][0]]
		}
		if short = trimmed(short); short == said {
			return short
		}
		said = short
	}
}

// settle reports whether the call has what it needs: a weak task says more than what is to be done, and what changes
// tasks says which.
func (t *thinging) settle() bool {
	values := t.facts.values
	if t.values["selection.from"] != nil {
		t.sure = true // as goesOn has seen
		return true
	}
	if t.family() == "email" {
		return t.settleMail()
	}
	switch t.tool {
	case "task_viewTasks":
		if t.book.words["own"].MatchString(t.text) && t.selected()["assignee"] == nil {
			t.set("selection.assignee", "me")
		}
	case "task_createTask":
		return values["title"] != nil && (!t.weak || values["priority"] != nil || values["estimatedMinutes"] != nil)
	case "task_updateTask", "task_completeTask", "task_deleteTask", "task_assignToTimeBlock":
		return values["selection"] != nil
	case preferences:
		return t.prefers()
	}
	return true
}
