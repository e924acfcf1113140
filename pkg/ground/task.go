package ground

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// newTask makes a task of the user's own words, with all else that is said of it.
func (r *reading) newTask() (string, arguments) {
	title, ok := r.remindedOf()
	if !ok {
		title, ok = r.ownWords().(string)
	}
	if !ok {
		title, ok = r.afterColon()
	}
	rule, first := r.recurring()
	more := form("another one").MatchString(r.Text) || words()["ordering mails"].MatchString(title)
	if !ok || more || r.isPlace() || r.ordersMore() || onlySelf(title) || r.says("every") && rule == "" ||
		r.renames(title) || r.dropsReminder(title) || r.says("unsettled") ||
		words()["pointing"].MatchString(title) || form("on it").MatchString(r.Text) ||
		changesTasks(title) || onlyAmends(title) || onlyAsks(title) || onlySays(title, "once more", "again", "nothing") {
		return "", nil
	}
	title, rank := r.withoutRank(title)
	all := arguments{"title": title, "tags": []string{}, "dependencies": []string{}}
	if rank != nil {
		all["priority"] = rank
	}
	r.setRhythm(all, rule, first)
	if !r.setTime(all) {
		return "", nil
	}
	r.setFields(all, true)
	if !r.setTold(all) {
		return "", nil
	}
	if titles := pieces(title); len(titles) > 1 && r.says("many") {
		all["title"], all["more"] = titles[0], titles[1:]
	}
	return "task_createTask", all
}

// changesTasks reports whether a text asks to change tasks, so that it is the title of none: "mark all tasks as done".
func changesTasks(text string) bool {
	of := conceptsOf(firstWord(text))
	changes := slices.Contains(of, "done") || slices.Contains(of, "cancel") || slices.Contains(of, "move")
	return changes && words()["tasks"].MatchString(text)
}

// dropsReminder reports whether the message rather asks to do away with the reminder that is in a title: "borra el
// recordatorio de llamar".
func (r *reading) dropsReminder(title string) bool {
	return slices.Contains(conceptsOf(firstWord(r.Text)), "cancel") && form("of reminder").MatchString(title)
}

// onlyAsks reports whether a text asks to be reminded, and not of what ("remind me the"), or before what.
func onlyAsks(text string) bool {
	if form("before what").MatchString(text) {
		return true
	}
	at := words()["asking to remind"].FindStringIndex(text)
	return at != nil && at[0] == 0 && onlySays(text[at[1]:], "determiner", "it", "idle")
}

// pieces are what is listed in a text, one by one.
func pieces(text string) (all []string) {
	if !comma.MatchString(text) {
		return []string{text}
	}
	for _, piece := range comma.Split(text, -1) {
		for _, one := range form("last join").Split(piece, -1) {
			if one = strings.TrimSpace(one); one != "" {
				all = append(all, one)
			}
		}
	}
	return all
}

// reopen opens tasks again that are done.
func (r *reading) reopen() (string, arguments) {
	for _, m := range r.of(Task) {
		if slices.ContainsFunc(m.meant, func(t Thing) bool { return !t.Done }) {
			return "", nil
		}
	}
	return setTasks("status", func(*reading) any { return "backlog" })(r)
}

// changeTasks sets several fields of tasks at once: "make it low priority and due friday". It does so only if it
// understands every word.
func (r *reading) changeTasks() (string, arguments) {
	updates := arguments{}
	r.setFields(updates, false)
	if slices.Contains(meanings(Plain(r.delexicalized())), "move") && updates["dueDate"] == nil && !r.ofEvents() {
		if at := r.deadline(); at != nil {
			updates["dueDate"] = at
		}
	}
	if r.says("onto") || len(r.of(Task)) == 0 || len(r.of(Task)) != len(r.found) || len(updates) < 2 || !r.understood() {
		return "", nil
	}
	return "task_updateTask", r.selecting(Task, arguments{"updates": updates})
}

// renames reports whether words are the name of a thing and nothing else, so that they make no new one.
func (r *reading) renames(title string) bool {
	stems := namesIn(title)
	for _, m := range r.found {
		same := len(stems) > 0 && len(m.words) >= len(stems)
		for _, i := range m.words {
			same = same && r.own[0].from <= r.words[i].from && r.words[i].to <= r.own[0].to
		}
		if same {
			return true
		}
	}
	return false
}

func onTasks(tool string) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		all := slices.ContainsFunc(r.found, func(m mention) bool { return m.entire }) // which nobody shall lose
		if tool == "task_deleteTask" && (all || r.ofEvents()) {
			return "", nil
		}
		return tool, r.selecting(Task, nil)
	}
}

// setTasks sets a field of tasks to what the message says, and others that it names; nothing if it does not say it.
func setTasks(field string, value func(*reading) any) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		v := value(r)
		if v == nil {
			return "", nil
		}
		updates := arguments{field: v}
		r.setFields(updates, false)
		return "task_updateTask", r.selecting(Task, arguments{"updates": updates})
	}
}

// ofEvents reports whether a group may be one of events, so that "cancel" and "move" are not said of tasks.
func (r *reading) ofEvents() bool {
	return slices.ContainsFunc(r.found, func(m mention) bool { return m.events })
}

// due is a new deadline, or by how many days it moves.
func (r *reading) due() (string, arguments) {
	if (r.ofEvents() || r.hardlyDue() || r.says("time for")) && !r.says("due") {
		return "", nil
	}
	if r.says("plainly task_due") && len(r.points()) == 0 {
		return "task_updateTask", r.selecting(Task, arguments{"updates": arguments{"dueDate": ""}})
	}
	r.granted()
	if minutes := r.lengthAlone(); minutes > 0 {
		days := minutes / 24 / 60
		if days*24*60 != minutes {
			return "", nil
		}
		if r.says("sooner") {
			days = -days
		}
		return "task_updateTask", r.selecting(Task, arguments{"updates": arguments{"laterByDays": days}})
	}
	if days := cmp.Or(r.weeksOn(), r.byOne()); days != 0 {
		return "task_updateTask", r.selecting(Task, arguments{"updates": arguments{"laterByDays": days}})
	}
	if r.pointed && !r.says("due") { // what was said before, be it a reminder
		return setTasks("when", (*reading).deadline)(r)
	}
	return setTasks("dueDate", (*reading).deadline)(r)
}

// byOne is by how many days something moves that goes on by one day or week, or two in Hebrew: "by a week". It is 0 if
// nothing says so, or if another time is said.
func (r *reading) byOne() int {
	at := form("by one unit").FindStringSubmatch(r.Text)
	if at == nil || slices.ContainsFunc(r.times, func(t timed) bool { return !strings.Contains(at[0], t.text) }) {
		return 0
	}
	r.useTimes()
	days := daysOf[strings.ToLower(strings.Join(at[1:], ""))]
	if r.says("sooner") {
		return -days
	}
	return days
}

// daysOf is how many days a unit is by which something moves.
var daysOf = map[string]int{
	"week": 7, "semana": 7, "שבוע": 7, "שבועיים": 14, "day": 1, "día": 1, "יום": 1, "יומיים": 2,
}

// hardlyDue reports whether a time and a few words of a task's title are all that the message has: "Wednesday is a
// party".
func (r *reading) hardlyDue() bool {
	moved := slices.ContainsFunc(meanings(Plain(r.delexicalized())), func(meaning string) bool {
		return slices.Contains([]string{"move", "due", "later", "sooner", "remind", "priority"}, meaning)
	})
	return !moved && !r.pointed && !slices.ContainsFunc(r.of(Task), func(m *mention) bool { return !m.weak() })
}

// lengthAlone is the length that is said, if no time is.
func (r *reading) lengthAlone() int {
	if len(r.points()) > 0 {
		return 0
	}
	return r.length()
}

// setFields sets what is said of a task beside its main field, by words that can mean nothing else. Of a new task, the
// one time that is left is when it is due.
func (r *reading) setFields(all arguments, isNew bool) {
	set := func(field string, value any) {
		if _, has := all[field]; !has && value != nil {
			all[field] = value
		}
	}
	if _, has := all["priority"]; !has && (r.says("ranked") || r.says("ranking")) {
		set("priority", r.priority())
	}
	if _, has := all["estimatedMinutes"]; !has && (isNew || r.says("takes")) {
		set("estimatedMinutes", r.minutes())
	}
	if _, has := all["assignee"]; !has && form("assigning").MatchString(r.delexicalized()) {
		set("assignee", r.somebody())
	}
	set("board", r.at("board"))
	if isNew {
		set("column", r.at("column"))
	}
	if _, has := all["dueDate"]; !has && (isNew || r.says("due")) {
		set("dueDate", r.deadline())
	}
	if tags := r.tags(); len(tags) > 0 {
		all[map[bool]string{true: "tags", false: "addTags"}[isNew]] = tags
	}
}

// remind is when the user is told of tasks: at a time, or some time before they are due or an event begins.
func (r *reading) remind() (string, arguments) {
	var at any
	switch minutes := r.length(); {
	case minutes == 0:
		at = r.moment(false)
	case r.says("before"):
		at = r.ahead(time.Duration(minutes) * time.Minute)
	}
	if at == nil {
		return "", nil
	}
	return "task_updateTask", r.selecting(Task, arguments{"updates": arguments{"reminder": at}})
}

// doesElse reports whether something else is to be done than a task says that only shares some words: "remind me to
// clean the bicycle" is not the task to fix its light.
func (r *reading) doesElse() bool {
	if !slices.ContainsFunc(r.found, func(m mention) bool { return m.kind == Task && m.covered < 1 && !m.described }) {
		return false
	}
	verbs := form("infinitive " + strings.Split(r.Language, "-")[0])
	return verbs != nil && slices.ContainsFunc(verbs.FindAllStringSubmatchIndex(r.Text, -1), func(at []int) bool {
		i := slices.IndexFunc(r.words, func(w word) bool { return w.from >= at[2] })
		return i >= 0 && !r.words[i].taken && !r.words[i].timely && !form("any deed").MatchString(r.words[i].lower)
	})
}

// localTime is a time without an offset, which tools read in the user's zone.
const localTime = "2006-01-02T15:04"

// textOf is an argument that is a text; empty for any other.
func textOf(argument any) string {
	said, _ := argument.(string)
	return said
}

// ofOwnDay reports whether it is asked what the user has to do by a time, or what is due or late, and not what anybody
// has.
func (r *reading) ofOwnDay() bool {
	timely := len(r.points()) > 0 && (r.says("for me to do") || words()["due"].MatchString(r.Text))
	return (timely || words()["overdue"].MatchString(r.Text)) && !r.says("reminders") &&
		!words()["anybody's"].MatchString(r.Text) && len(r.people) == 0 && r.at("board") == nil && r.at("column") == nil
}

// toDo reports whether it is asked what there is to do by a time, and not only what is due in it, or how much.
func (r *reading) toDo() bool {
	return words()["for me to do"].MatchString(r.Text) && !words()["due"].MatchString(r.Text) && !r.says("how many")
}

// ofThose is the selection of the tasks that were shown if the message is about some of them, and else an empty one:
// "which of those are due this week".
func (r *reading) ofThose() arguments {
	var before struct{ Selection arguments }
	if r.Before.Tool == "task_viewTasks" && words()["of those"].MatchString(r.Text) &&
		json.Unmarshal(r.Before.Arguments, &before) == nil && before.Selection != nil {
		return before.Selection
	}
	return arguments{}
}

// narrowTasks selects the tasks of a priority, of tags, of a place on a board or about something, as it is said.
func (r *reading) narrowTasks(selection arguments) {
	if r.says("ranked") {
		selection["priority"] = r.priority()
	}
	if tags := r.tags(); len(tags) > 0 {
		selection["tags"] = tags
	}
	for _, field := range []string{"board", "column"} {
		if name := r.at(field); name != nil {
			selection[field] = name
		}
	}
	if about := r.topic(); about != "" {
		selection["titleHas"] = []string{about}
	}
}

// spareMinutes are those for which tasks are asked that fit into them: a length, or the time until then; 0 if there are
// none.
func (r *reading) spareMinutes() int {
	n, points := r.length(), r.points()
	if n > 0 && len(points) == 1 && len(points[0].Dates) == 0 && words()["until"].MatchString(r.Text) {
		points[0].used = true // "20 minutes before the end of the day" are no less
	}
	if n == 0 && len(points) == 1 && points[0].ahead(r.Now) > 0 && r.says("within") {
		n, points[0].used = points[0].ahead(r.Now), true
	}
	return n
}

// ahead is in how many minutes a time ends that is told from now on: "in half an hour", "in the next 20 minutes"; 0 for
// any other.
func (t *timed) ahead(now time.Time) int {
	if t.Moment != nil {
		return int(t.Moment.Sub(now).Round(time.Minute).Minutes())
	}
	if on := t.windows(interval.DateOf(now)); len(on) == 1 && on[0].Start == interval.ClockOf(now) {
		return int(on[0].End - on[0].Start)
	}
	return 0
}

// timeTasks says which tasks are shown by time: when they are reminded of, were finished, or are due.
func (r *reading) timeTasks(all, selection arguments) bool {
	switch {
	case r.says("reminders"):
		all["reminded"] = r.comingUp()
	case r.says("finished") && !r.says("unfinished"):
		selection["status"] = "completed"
		all["finished"] = r.past()
		r.useTimes() // nothing is due then
	case r.says("overdue"):
		selection["overdue"] = true
	default:
		return r.dueWithin(selection)
	}
	return true
}

// useTimes uses all times that are said.
func (r *reading) useTimes() {
	for i := range r.times {
		r.times[i].used = true
	}
}

// dueWithin puts the one time that is said into a selection; false if it says several, or an hour.
func (r *reading) dueWithin(selection arguments) bool {
	points := r.points()
	if len(points) == 0 {
		return true
	}
	if len(points) > 1 || len(points[0].Dates) != 1 || points[0].Exact != nil {
		return false
	}
	t, today := points[0], interval.DateOf(r.Now)
	late := !today.Before(t.Dates[0].Start) && !t.Dates[0].End.Before(today) && r.toDo()
	if t.used = true; t.Before == nil && !r.says("until") && !late { // what is overdue is to be done as well
		selection["dueFrom"] = t.Dates[0].Start.String()
	}
	selection["dueTo"] = t.Dates[0].End.String()
	return true
}

// topic are the words that say what the tasks are for: those of their titles, or else unusual ones, after such a word
// as "for".
func (r *reading) topic() string {
	for i := range r.words {
		if r.words[i].taken || i == 0 || r.personAt(i) != "" || !words()["about"].MatchString(r.words[i-1].lower) {
			continue
		}
		at := i
		for at < len(r.words) && !distinct(r.words[at]) {
			at++
		}
		to := at
		for to < len(r.words) && !r.words[to].taken && !r.words[to].timely && r.telling(to) {
			r.words[to].taken = true
			to++
		}
		if to > at {
			return strings.TrimSpace(r.Text[r.words[at].from:r.words[to-1].to])
		}
	}
	return ""
}

// telling reports whether a word tells a thing from what else people say.
func (r *reading) telling(i int) bool {
	for _, s := range r.words[i].stems {
		if tells(s) > telling {
			return true
		}
	}
	return false
}
