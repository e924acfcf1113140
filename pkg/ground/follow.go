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
	"list": {(*reading).itemsLeft, (*reading).callList, (*reading).thatList, (*reading).moreItems, (*reading).notThat},
	"note": {(*reading).thatNote}, "preference": {(*reading).thatPreference},
	"schedule": {(*reading).reblock, (*reading).otherExtreme, (*reading).nextOne},
	"calendar": {(*reading).deleteThen, (*reading).otherEnd, (*reading).nextOne},
}

// follow is the call that goes on with the one of the turn before: "make it 6", "and a loaf of rye", "what's left?".
func follow(m Message) Reading {
	family, _, _ := strings.Cut(m.Before.Tool, "_")
	for _, goOn := range follows[family] {
		r := newReading(m)
		if len(r.words) == 0 || len(r.words) > mostFollowing {
			return Reading{}
		}
		tool, call := goOn(r)
		if encoded, err := json.Marshal(call); tool != "" && err == nil {
			return Reading{
				Deed: family + "_follow", Probability: 1, Other: 1, Tool: tool, Arguments: encoded, Names: true, Plain: true,
				Reads: strings.HasSuffix(strings.ToLower(tool), "view") || slices.Contains(looks, tool),
				Clear: !r.guessed, Sure: !r.guessed && !slices.Contains(gone, tool),
			}
		}
	}
	return Reading{}
}

// gone are the tools that take something away, which is asked for.
var gone = []string{"list_remove", "list_delete", "note_delete", "calendar_deleteEvents"}

// looks are tools that change nothing.
var looks = []string{"task_viewTasks", "calendar_findEvents", "schedule_analyzeUtilization"}

// mostFollowing is how many words such a message has at most.
const mostFollowing = 12

// text is a text among the arguments of a call; empty if there is none.
func (c Call) text(name string) (text string) {
	var all arguments
	if json.Unmarshal(c.Arguments, &all) == nil {
		text, _ = all[name].(string)
	}
	return text
}

// onlySays reports whether every word of a text is of one of the names in words.txt.
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
	for _, w := range r.words {
		moves := slices.ContainsFunc(conceptsOf(w.lower), func(c string) bool { return c == "move" || c == "later" })
		sign := moves || onlySays(w.lower, "retiming") || onlySays(w.lower, "it")
		inside := said.from <= w.from && w.to <= said.to
		if retimes = retimes || sign; !sign && !inside &&
			!onlySays(w.lower, "amending", "again", "small", "idle", "to", "until", "sooner", "later") {
			return false
		}
	}
	return retimes && !onlySays(r.words[0].lower, "asks")
}

// reblock changes the length, the day or the hour of the block that waits: "make it 3 hours", "wednesday instead".
func (r *reading) reblock() (string, arguments) {
	var call arguments
	waits := len(r.Last) == 1 && strings.HasPrefix(r.Last[0], newThing)
	if r.Before.Tool != createBlock || !waits || json.Unmarshal(r.Before.Arguments, &call) != nil {
		return "", nil
	}
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
	switch day := t.day(); {
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
	if both && timed && leavesHalf(r.setting(), r.Text, r.Now) {
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
		return on + "T" + clock
	}
	return said
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

// listBefore is the list that the turn before was about: its id or, of one that is not there yet, its name.
func (r *reading) listBefore() string {
	for _, t := range r.Things {
		switch {
		case !slices.Contains(r.Last, t.ID):
		case t.Kind == List:
			return t.ID
		case t.Kind == Item:
			return t.List
		}
	}
	return r.Before.text("list")
}

// itemsLeft shows what is still open on the list that the turn before was about.
func (r *reading) itemsLeft() (string, arguments) {
	list := r.listBefore()
	switch {
	case list == "":
	case r.says("asks for rest"):
		return "list_view", arguments{"list": list, "which": "open"}
	case r.says("asks for list"):
		return "list_view", arguments{"list": list}
	}
	return "", nil
}

// moreItems puts more on the list that the turn before was about: "add rice", or "and a loaf of rye" if that added
// something too. What may be anything else is asked about.
func (r *reading) moreItems() (string, arguments) {
	list := r.listBefore()
	if list == "" || strings.Contains(r.Text, "?") {
		return "", nil
	}
	more, forms := "", []*regexp.Regexp{addMore, andMore, moreToo}
	if r.Before.Tool != "list_add" {
		forms = forms[:1]
	}
	for _, form := range forms {
		if at := form.FindStringSubmatch(r.Text); at != nil {
			more = strings.TrimSpace(announced.ReplaceAllString(at[1], ""))
			break
		}
	}
	r.readTimes()
	named := slices.ContainsFunc(r.named(), func(m mention) bool { return m.kind != Item && m.covered >= mostOfTitle })
	if more == "" || named || len(r.times) > 0 || len(r.people) > 0 && !onIt.MatchString(r.Text) ||
		onlySays(more, "nothing") || words()["kinds"].MatchString(more) ||
		len(conceptsOf(firstWord(more))) > 0 || onlyPoints(more) ||
		words()["clause"].MatchString(more) {
		return "", nil
	}
	first, rest, _ := strings.Cut(strings.ToLower(more), " ")
	switch thing := onlySays(first, "determiner") || numeral(word{lower: first}); {
	case !thing && (slices.ContainsFunc(strings.Fields(rest), isDeterminer) || onlySays(first, "doing")):
		return "", nil // "ring the plumber" is no thing
	case !thing:
		r.guessed = len(strings.Fields(more)) > mostBare
	}
	return "list_add", arguments{"items": []string{more}, "list": list}
}

// mostBare is how many words a thing has at most that is added without being asked for once more.
const mostBare = 3

func isDeterminer(word string) bool { return onlySays(word, "determiner") }

// addMore, andMore and moreToo are what goes on with a list, and onIt says that it is the list that is meant.
var (
	addMore = regexp.MustCompile(`(?i)^\s*(?:(?:oh|and|also|please|ok|y|también|por favor|בבקשה|ו?גם)[, ]+)*` +
		`(?:add|put|stick|añade|agrega|pon|apunta|תוסי[ףפ]י?|הוס(?:ף|יפי)|תרשו?[םמ]י?)\s+(.+?)` +
		`(?:\s+(?:(?:to|on|onto) (?:it|there|that)|(?:a|en) ella))?` +
		`(?:[, ]+(?:too|as well|please|también|por favor|בבקשה|גם כן))*[\s.!]*$`)
	onIt    = regexp.MustCompile(`(?i)\s(?:(?:to|on|onto) (?:it|there|that)|(?:a|en) ella)(?:\s|$)`)
	andMore = regexp.MustCompile(`(?i)^\s*(?:(?:(?:oh|and|also|plus|ah|ok|y|e|además|también|גם|וגם|ועוד)[, ]+)+|ו)` +
		`(.+?)(?:[, ]+(?:too|as well|please|también|por favor|בבקשה|גם כן))*[\s.!]*$`)
	// announced is what only says that more comes: "two more things: …".
	announced = regexp.MustCompile(`(?i)^(?:[\p{L}\d]+ )*(?:these|things|items|cosas|דברים)(?: más)?:\s+`)
	moreToo   = regexp.MustCompile(`(?i)^\s*(.+?)[, ]+(?:too|as well|también|גם כן|גם)[\s.!]*$`)
)

// notThat takes off again what the turn before has put on a list: "no, not the honey".
func (r *reading) notThat() (string, arguments) {
	at := words()["not on it"].FindStringIndex(r.Text)
	if at == nil || at[0] > 0 || r.Before.Tool != "list_add" {
		return "", nil
	}
	list, ids := r.listBefore(), []string{}
	for _, m := range r.named() {
		if m.kind == Item && m.things[0].List == list && len(m.words) > 0 && r.words[m.words[0]].to >= at[1]-1 {
			ids = append(ids, m.things[0].ID)
			r.takeWords(r.words[m.words[0]].from, r.words[m.words[len(m.words)-1]].to)
		}
	}
	other := func(w word) bool {
		return w.from >= at[1]-1 && !w.taken && !onlySays(w.lower, "determiner", "joins", "small")
	}
	if len(ids) == 0 || slices.ContainsFunc(r.words, other) {
		return "", nil
	}
	return "list_remove", arguments{"items": ids, "list": list}
}

// callTask gives the one task that was made or changed another name, whatever its words say elsewhere: "call it feed
// the cat".
func (r *reading) callTask() (string, arguments) {
	name := r.newlyCalled()
	if i := slices.IndexFunc(r.Things, func(t Thing) bool { return slices.Contains(r.Last, t.ID) }); name == "" || i < 0 ||
		len(r.Last) != 1 || r.Things[i].Kind != Task {
		return "", nil
	}
	return "task_updateTask", arguments{"selection": arguments{"ids": r.Last}, "updates": arguments{"title": name}}
}

// callList likewise, of a list.
func (r *reading) callList() (string, arguments) {
	name, list := r.newlyCalled(), r.listBefore()
	if name == "" || list == "" {
		return "", nil
	}
	return "list_rename", arguments{"list": list, "name": name}
}

// newlyCalled is the name that what was seen last gets; empty if the message says none.
func (r *reading) newlyCalled() string {
	at := callIt.FindStringSubmatch(r.Text)
	if at == nil {
		return ""
	}
	return strings.Trim(at[1], `"“”«»'`)
}

var callIt = regexp.MustCompile(`(?i)^\s*(?:(?:and|oh|also|please|actually|no|y|por favor|בבקשה)[, ]+)*` +
	`(?:(?:call|name|rename|title) (?:it|that|this)(?: to| as)?|(?:llámal[oa]|renómbral[oa])(?: como| a)?|` +
	`ו?(?:תקראי?|קראי?) ל(?:זה|ה|ו)) ([^,;?]+?)[\s.!]*$`)

// thatList deletes the one list that was made or looked at, or takes from it what is on it.
func (r *reading) thatList() (string, arguments) {
	list := r.listBefore()
	if list == "" || !r.onlyCancels() || r.Before.Tool == "list_remove" {
		return "", nil
	}
	if r.says("emptying") {
		return "list_remove", arguments{"items": []string{}, "list": list, "which": "all"}
	}
	return "list_delete", arguments{"list": list}
}

// onlyCancels reports whether the message says nothing but that what was seen last is to go.
func (r *reading) onlyCancels() bool {
	cancels := func(w word) bool {
		return slices.Contains(conceptsOf(w.lower), "cancel") || onlySays(w.lower, "emptying")
	}
	other := func(w word) bool {
		return !cancels(w) && !onlySays(w.lower, "it", "small", "kinds", "again", "determiner", "list") &&
			!slices.Contains(conceptsOf(w.lower), "note")
	}
	waved := func(w word) bool { return onlySays(w.lower, "waved") } // "forget it" deletes nothing
	return slices.ContainsFunc(r.words, cancels) && !slices.ContainsFunc(r.words, other) &&
		!slices.ContainsFunc(r.words, waved)
}

// thatNote deletes the one note that was saved or found, or that a word like "second" tells, or adds to it.
func (r *reading) thatNote() (string, arguments) {
	if i := slices.IndexFunc([]string{"first", "second", "third", "fourth"}, r.says); i >= 0 && i < len(r.Listed) {
		r.Last = r.Listed[i : i+1]
	}
	if len(r.Last) != 1 || strings.HasPrefix(r.Last[0], newThing) {
		return "", nil
	}
	if at := toThat.FindStringSubmatchIndex(r.Text); at != nil {
		return "note_save", arguments{"text": strings.TrimSpace(r.Text[at[2]:]), "tags": []string{}, "addTo": r.Last[0]}
	}
	if !r.onlyCancels() {
		return "", nil
	}
	return "note_delete", arguments{"notes": r.Last}
}

// newThing begins what stands for the id of a thing that is not there yet.
const newThing = "new "

// toThat is what stands before what is added to what was seen last.
var toThat = regexp.MustCompile(`(?i)^\s*(?:(?:and|also|please|y|por favor|בבקשה)[, ]+)*` +
	`(?:add|append|put|write|añade|agrega|apunta|anota|תוסי[ףפ]י?|הוס(?:ף|יפי)|תרשו?[םמ]י?)\s+` +
	`(?:(?:to|on|in|into|a|en)\s+(?:it|that|this|that note|the note|` +
	`eso|ella|esa nota|la nota)(?:\s+que|\s+that)?|ל(?:זה|פתק|פתק הזה|הערה|הערה הזאת))\s*[:,]?\s*()\S`)

// known is whom a word like "his" means after a look at a contact or, where a detail of a contact is meant, beside the
// one person with whom something is arranged.
func (m Message) known() []Person {
	family, _, _ := strings.Cut(m.Before.Tool, "_")
	name := m.Before.text("query")
	if name == "" {
		name = m.Before.text("contact")
	}
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
