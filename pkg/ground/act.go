package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
)

// deed is what a message may ask for. On is the kind of thing that it needs. Call makes the call of a tool, and names no
// tool if the message does not say what it needs; nil for deeds that are left to others.
type deed struct {
	on Kind
	// reads says that it changes nothing, invited that it is of an invitation.
	reads, invited bool
	call           func(r *reading) (tool string, arguments map[string]any)
}

type arguments = map[string]any

// deeds are by name. What is asked for in several steps, of no thing that stands or of mails is left to others.
var deeds = map[string]deed{
	"event_move":     {on: Event, call: (*reading).move},
	"event_cancel":   {on: Event, call: onEvents("calendar_deleteEvents", nil)},
	"event_rename":   {on: Event, call: setEvents("title", (*reading).ownWords)},
	"event_length":   {on: Event, call: (*reading).resize},
	"event_invite":   {on: Event, call: setEvents("addAttendees", (*reading).guests)},
	"event_uninvite": {on: Event, call: setEvents("removeAttendees", (*reading).guests)},
	"event_place":    {on: Event, call: setEvents("location", (*reading).ownWords)},
	"event_note":     {on: Event, call: setEvents("addNotes", (*reading).ownWords)},
	"event_accept":   {on: Event, invited: true, call: onEvents("calendar_respond", arguments{"answer": "accepted"})},
	"event_decline":  {on: Event, invited: true, call: onEvents("calendar_respond", arguments{"answer": "declined"})},
	"event_maybe":    {on: Event, invited: true, call: onEvents("calendar_respond", arguments{"answer": "tentative"})},
	"event_repeat":   {on: Event}, "event_protect": {on: Event}, "day_clear": {}, "block_create": {}, "event_create": {},
	"ask_agenda": {reads: true, call: (*reading).showDays}, "ask_free": {reads: true, call: (*reading).findGaps},
	"ask_count":  {reads: true, call: (*reading).howBusy},
	"ask_when":   {on: Event, reads: true, call: onEvents("calendar_findEvents", arguments{"aspect": "when"})},
	"ask_where":  {on: Event, reads: true, call: onEvents("calendar_findEvents", arguments{"aspect": "where"})},
	"ask_who":    {on: Event, reads: true, call: onEvents("calendar_findEvents", arguments{"aspect": "who"})},
	"ask_length": {on: Event, reads: true, call: onEvents("calendar_findEvents", arguments{"aspect": "length"})},

	"task_create":   {call: (*reading).newTask},
	"task_done":     {on: Task, call: onTasks("task_completeTask")},
	"task_reopen":   {on: Task, call: setTasks("status", func(*reading) any { return "backlog" })},
	"task_delete":   {on: Task, call: onTasks("task_deleteTask")},
	"task_due":      {on: Task, call: setTasks("dueDate", (*reading).deadline)},
	"task_priority": {on: Task, call: setTasks("priority", (*reading).priority)},
	"task_rename":   {on: Task, call: setTasks("title", (*reading).ownWords)},
	"task_assign":   {on: Task, call: setTasks("assignee", (*reading).somebody)},
	"task_status":   {on: Task, call: setTasks("column", (*reading).column)},
	"task_estimate": {on: Task, call: setTasks("estimatedMinutes", (*reading).minutes)},
	"task_note":     {on: Task, call: setTasks("addNotes", (*reading).ownWords)},
	"task_remind":   {on: Task, call: setTasks("reminder", (*reading).moment)},
	"ask_tasks":     {reads: true, call: (*reading).showTasks},

	"item_add": {call: (*reading).addItems}, "list_create": {call: (*reading).newList},
	"item_change": {on: Item, call: (*reading).countItems}, "list_rename": {on: List, call: (*reading).renameList},
	"item_done":   {on: Item, call: onItems("list_setItem", arguments{"done": true})},
	"item_remove": {on: Item, call: onItems("list_remove", nil)},
	"item_move":   {on: Item, call: (*reading).moveItems},
	"ask_list":    {on: List, reads: true, call: onList("list_view", nil)},
	"list_clear":  {on: List, call: onList("list_remove", arguments{"items": []string{}, "which": "all"})},
	"list_delete": {on: List, call: onList("list_delete", nil)},

	"note_save": {call: (*reading).saveNote}, "note_delete": {call: (*reading).deleteNote},
	"ask_note":     {reads: true, call: (*reading).searchNotes},
	"contact_save": {}, "contact_delete": {call: (*reading).deleteContact},
	"ask_contact":    {reads: true, call: (*reading).findContact},
	"preference_set": {}, "preference_forget": {}, "ask_preference": {},
	"mail_ask": {}, "mail_read": {}, "mail_archive": {}, "mail_delete": {}, "mail_flag": {}, "mail_reply": {},
	"mail_forward": {}, "mail_compose": {}, "mail_task": {}, "undo": {}, "several": {}, "none": {},
}

// selecting are arguments with a selection of things by their ids.
func selecting(ids []string, more arguments) arguments {
	all := arguments{"selection": arguments{"ids": ids}}
	for name, value := range more {
		all[name] = value
	}
	return all
}

// locateAll finds which occurrences of the events are meant, by the times that are said but for the last ones to keep.
func (r *reading) locateAll(keep int) {
	for _, m := range r.of(Event) {
		r.locate(m, keep)
	}
}

func onEvents(tool string, more arguments) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		r.locateAll(0)
		return tool, selecting(r.ids(Event), more)
	}
}

// setEvents sets a field of events to what the message says; nothing if it does not say it.
func setEvents(field string, value func(*reading) any) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		r.locateAll(0)
		v := value(r)
		if v == nil {
			return "", nil
		}
		return "calendar_updateEvents", selecting(r.ids(Event), arguments{"set": arguments{field: v}})
	}
}

func onTasks(tool string) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) { return tool, selecting(r.ids(Task), nil) }
}

func setTasks(field string, value func(*reading) any) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		v := value(r)
		if v == nil {
			return "", nil
		}
		return "task_updateTask", selecting(r.ids(Task), arguments{"updates": arguments{field: v}})
	}
}

// onItems calls a tool for items of one list, or of several if their ids tell the lists.
func onItems(tool string, more arguments) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		all := arguments{"items": r.ids(Item)}
		if lists := r.ids(List); len(lists) == 1 {
			all["list"] = lists[0]
		}
		for name, value := range more {
			all[name] = value
		}
		return tool, all
	}
}

func onList(tool string, more arguments) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		lists := r.ids(List)
		if len(lists) != 1 {
			return "", nil
		}
		all := arguments{"list": lists[0]}
		for name, value := range more {
			all[name] = value
		}
		return tool, all
	}
}

// moveItems moves items to the list that is named last.
func (r *reading) moveItems() (string, arguments) {
	lists := r.ids(List)
	if len(lists) == 0 || len(lists) > 2 {
		return "", nil
	}
	return "list_setItem", arguments{"items": r.ids(Item), "moveTo": lists[len(lists)-1]}
}

// move is the move of events to the time that is said last, or by a length.
func (r *reading) move() (string, arguments) {
	to := arguments{}
	if minutes := r.length(); minutes > 0 {
		r.locateAll(0)
		if r.says(sooner) {
			minutes = -minutes
		}
		if to["byMinutes"] = minutes; minutes%(24*60) == 0 {
			to = arguments{"byDays": minutes / 24 / 60}
		}
		return "calendar_moveEvents", selecting(r.ids(Event), arguments{"to": to})
	}
	r.locateAll(1)
	points := r.points()
	events := r.of(Event)
	if len(points) != 1 || len(events) != 1 {
		return "", nil
	}
	t := points[0]
	day := t.day()
	if ends, ok := events[0].ends(*t, r.Now.Location()); ok { // "from tuesday to wednesday"
		t.Reading, day = ends.Reading, ends.day()
	}
	if len(t.Dates) > 0 && day == nil || t.Exact == nil && !t.Hours.Empty() {
		return "", nil
	}
	if day != nil {
		to["date"] = day.String()
		events[0].near(*day, r)
	}
	if t.Exact != nil {
		to["time"] = t.Exact.String()
		if t.Duration > 0 {
			to["durationMinutes"] = int(t.Duration.Minutes())
		}
	}
	if t.used = len(to) > 0; !t.used {
		return "", nil
	}
	return "calendar_moveEvents", selecting(r.ids(Event), arguments{"to": to})
}

// ends is the end of a span of time, if the event stands at its beginning, which is meant then: "from 3 to 4".
func (m *mention) ends(t timed, zone *time.Location) (to timed, ok bool) {
	switch {
	case len(t.Dates) == 1 && t.Dates[0].Start != t.Dates[0].End && t.Exact == nil && t.Hours.Empty():
		to.Dates = []interval.DateRange{{Start: t.Dates[0].End, End: t.Dates[0].End}}
		t.Dates = []interval.DateRange{{Start: t.Dates[0].Start, End: t.Dates[0].Start}}
	case t.Exact != nil && t.Duration > 0:
		end := *t.Exact + interval.Clock(t.Duration/time.Minute)
		to.Dates, to.Exact = t.Dates, &end
	default:
		return to, false
	}
	on := m.at(t, zone)
	if len(on) > 0 {
		m.meant = on[:1]
	}
	return to, len(on) > 0
}

// near means, of several occurrences, the one of a day or else of its week, unless the message says which one is meant.
func (m *mention) near(day interval.Date, r *reading) {
	if len(m.meant) > 1 || len(m.things) == 1 || m.meant[0].ID != m.things[0].ID {
		return
	}
	monday := func(d interval.Date) interval.Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }
	for _, same := range []func(d interval.Date) bool{
		func(d interval.Date) bool { return d == day },
		func(d interval.Date) bool { return monday(d) == monday(day) },
	} {
		for _, t := range m.things {
			if same(interval.DateOf(t.Span.Start.In(r.Now.Location()))) {
				m.meant = []Thing{t}
				return
			}
		}
	}
}

// resize is the new length of an event: until a time, by a length, or a length.
func (r *reading) resize() (string, arguments) {
	set := arguments{}
	if minutes := r.length(); minutes > 0 {
		r.locateAll(0)
		switch {
		case r.says(less) && r.says(by):
			set["longerByMinutes"] = -minutes
		case r.says(by):
			set["longerByMinutes"] = minutes
		default:
			set["durationMinutes"] = minutes
		}
		return "calendar_updateEvents", selecting(r.ids(Event), arguments{"set": set})
	}
	r.locateAll(1)
	events, points := r.of(Event), r.points()
	if len(events) != 1 || len(points) != 1 || len(events[0].meant) != 1 || len(points[0].Dates) > 0 {
		return "", nil
	}
	end := points[0].EndsAt
	if end == nil {
		end = points[0].Exact
	}
	if end == nil {
		return "", nil
	}
	start := events[0].meant[0].Span.Start.In(r.Now.Location())
	minutes := int(*end - interval.ClockOf(start))
	if points[0].used = minutes > 0; !points[0].used {
		return "", nil
	}
	set["durationMinutes"] = minutes
	return "calendar_updateEvents", selecting(r.ids(Event), arguments{"set": set})
}

// Words that tell a direction, where the deed leaves it open.
var (
	sooner = words(`forward|earlier|sooner|ahead|prepone|up|adelant\S*|antes|temprano|ל?ה?קדי\S*|ת?קדי\S*|מוקדם|קודם`)
	less   = words(`short\S*|less|trim|cut|off|shave|reduc\S*|drop|acort\S*|recort\S*|menos|quit\S*|reduc\S*|\S*קצר\S*|פחות|\S*וריד\S*`)
	by     = words(`by|longer|shorter|another|extra|more|additional|less|off|over|add|más|menos|extra|otr[oa]s?|añad\S*|agreg\S*|` +
		`עוד|ב|\S*ארי[כך]\S*|פחות|יותר`)
	high = words(`urgent\S*|important\S*|high\S*|critical|asap|top|bump|up|crucial|priorit\S+|alta|urge|primero|first|matters|` +
		`דחו[ףפ]\S*|חשוב\S*|גבוה\S*|בוער\S*`)
	low = words(`low\S*|can wait|not \S*\s?(?:urgent|important|critical)\S*|(?:is|are)n['’]?t (?:\S+ )?(?:urgent|important)\S*|no rush|whenever|` +
		`back burner|deprioriti\S+|baja|sin prisa|no (?:es|corre) \S*|puede esperar|ל?א (?:דחוף|חשוב)\S*|נמוכ\S*|יכול\S* לחכות`)
	remind  = words(`remind|ping|nudge|alert|tell|recu[eé]rd\S*|avís\S*|תזכיר\S*|הזכר\S*|להזכיר`)
	overdue = words(`overdue|late|behind|atrasad\S*|vencid\S*|באיחור`)
	medium  = words(`medium|normal|media|בינוני\S*|רגיל\S*`)
)

// words are an expression for any of some words as they stand in a message.
func words(list string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:` + list + `)(?:$|[^\p{L}])`)
}

// says reports whether the message says one of some words outside the names of things.
func (r *reading) says(list *regexp.Regexp) bool { return list.MatchString(r.delexicalized()) }

func (r *reading) priority() any {
	for _, level := range []struct {
		words *regexp.Regexp
		value string
	}{{low, "low"}, {medium, "medium"}, {high, "high"}} {
		if r.says(level.words) {
			return level.value
		}
	}
	return nil
}

// moment is the one time that is said, as a day or a local time.
func (r *reading) moment() any {
	points := r.points()
	if len(points) != 1 || len(points[0].Dates) != 1 {
		return nil
	}
	t := points[0]
	if t.used = true; t.Exact != nil {
		return t.Dates[0].End.String() + "T" + t.Exact.String()
	}
	return t.Dates[0].End.String()
}

// deadline is the one time that is said, which is not past.
func (r *reading) deadline() any {
	points := r.points()
	if len(points) != 1 || points[0].Exact == nil && !points[0].Hours.Empty() || len(points[0].Dates) != 1 ||
		points[0].Dates[0].End.Before(interval.DateOf(r.Now)) {
		return nil
	}
	return r.moment()
}

func (r *reading) minutes() any {
	if n := r.length(); n > 0 {
		return n
	}
	return nil
}

func (r *reading) guests() any {
	if names := r.names(); len(names) > 0 {
		return names
	}
	return nil
}

// somebody is the one person who is named.
func (r *reading) somebody() any {
	if len(r.people) != 1 {
		return nil
	}
	return r.names()[0]
}

// column is the column of a board that is named.
func (r *reading) column() any {
	for name, list := range columns {
		if r.says(list) {
			return name
		}
	}
	return nil
}

var columns = map[string]*regexp.Regexp{
	"Backlog":     words(`backlog|on hold|pausa|בהמתנה|בקלוג`),
	"In Progress": words(`in progress|started|start|working on|begun|empez\S*|en curso|en progreso|בעבודה|התחלתי`),
	"In Review":   words(`in review|review|revisión|בבדיקה`),
}

// ownWords are the user's own words that the deed needs: what is quoted, or what stands at their place.
func (r *reading) ownWords() any {
	if len(r.quoted) == 1 {
		r.quoted[0].used = true
		return strings.TrimSpace(r.quoted[0].text)
	}
	message := r.delexicalized()
	i, j := Own(r.deed, message, r.deed == "note_save")
	if j == 0 {
		return nil
	}
	tokens := Tokens(message)
	from, to := r.original(tokens[i][0], tokens[j-1][1])
	inside := func(s *said) {
		s.used = s.used || from <= s.from && s.to <= to
	}
	for k := range r.people {
		inside(&r.people[k])
	}
	for k := range r.times {
		inside(&r.times[k].said)
	}
	for k := range r.found {
		m := &r.found[k]
		m.used = m.used || len(m.words) > 0 && from <= r.words[m.words[0]].from && r.words[m.words[len(m.words)-1]].to <= to
	}
	return strings.TrimSpace(r.Text[from:to])
}

// saveNote keeps the user's own words as a note.
func (r *reading) saveNote() (string, arguments) {
	text := r.ownWords()
	if text == nil {
		return "", nil
	}
	return "note_save", arguments{"text": text, "tags": []string{}}
}

// addItems puts what is named, and the user's own words, on a list.
func (r *reading) addItems() (string, arguments) {
	items := []string{}
	for _, m := range r.of(Item) {
		m.used = true
		items = append(items, m.things[0].Title)
	}
	if text, ok := r.ownWords().(string); ok {
		items = append(items, text)
	}
	lists := r.ids(List)
	if len(items) == 0 || len(lists) > 1 {
		return "", nil
	}
	all := arguments{"items": items}
	if len(lists) == 1 {
		all["list"] = lists[0]
	}
	return "list_add", all
}

func (r *reading) newList() (string, arguments) {
	name := r.ownWords()
	if name == nil {
		return "", nil
	}
	return "list_add", arguments{"list": name, "items": []string{}}
}

var digits = regexp.MustCompile(`\d+`)

// countItems changes how many of an item there are to be.
func (r *reading) countItems() (string, arguments) {
	var numbers []float64
	for i, w := range r.words {
		n, err := strconv.ParseFloat(digits.FindString(w.lower), 64)
		if spelt := slices.Index(spelling, w.lower) % mostSpelt; err != nil && spelt > 0 {
			n, err = float64(spelt), nil
		}
		if err == nil && !r.words[i].taken {
			numbers = append(numbers, n)
		}
	}
	ids := r.ids(Item)
	if len(ids) != 1 || len(numbers) != 1 || numbers[0] <= 0 {
		return "", nil
	}
	return "list_setItem", arguments{"items": ids, "quantity": numbers[0]}
}

// spelling are the numbers to mostSpelt, less one, in words: a language after the other, from 0.
var spelling = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve " +
	"cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce " +
	"אפס אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע עשר אחתעשרה תריסר " +
	"אפס אחד שניים שלושה ארבעה חמישה שישה שבעה שמונה תשעה עשרה אחדעשר תריסר")

const mostSpelt = 13

func (r *reading) renameList() (string, arguments) {
	name, lists := r.ownWords(), r.ids(List)
	if name == nil || len(lists) != 1 {
		return "", nil
	}
	return "list_rename", arguments{"list": lists[0], "name": name}
}

// newTask makes a task of the user's own words, with the time at which it is due or told of.
func (r *reading) newTask() (string, arguments) {
	title := r.ownWords()
	if title == nil {
		return "", nil
	}
	all := arguments{"title": title, "tags": []string{}, "dependencies": []string{}}
	if at := r.moment(); at != nil && r.says(remind) {
		all["reminder"] = at
	} else if at != nil {
		all["dueDate"] = at
	}
	return "task_createTask", all
}

// showTasks shows what there is to do, or what fits into a length.
func (r *reading) showTasks() (string, arguments) {
	if n := r.length(); n > 0 {
		return "task_suggestForDuration", arguments{"duration": n}
	}
	selection := arguments{}
	if points := r.points(); len(points) == 1 && len(points[0].Dates) == 1 {
		points[0].used = true
		selection["dueFrom"], selection["dueTo"] = points[0].Dates[0].Start.String(), points[0].Dates[0].End.String()
	}
	if r.says(overdue) {
		selection["overdue"] = true
	}
	return "task_viewTasks", arguments{"selection": selection}
}

// days are the days that a question is about: today, if it names none. Ok is false if it names several.
func (r *reading) days() (d interval.DateRange, ok bool) {
	points := r.points()
	switch {
	case len(points) == 0:
		today := interval.DateOf(r.Now)
		return interval.DateRange{Start: today, End: today}, true
	case len(points) > 1 || len(points[0].Dates) != 1:
		return d, false
	}
	points[0].used = true
	return points[0].Dates[0], true
}

func (r *reading) showDays() (string, arguments) {
	d, ok := r.days()
	if !ok {
		return "", nil
	}
	return "schedule_viewSchedule", arguments{"from": d.Start.String(), "to": d.End.String()}
}

func (r *reading) findGaps() (string, arguments) {
	length := r.length()
	d, ok := r.days()
	if !ok || d.Start != d.End || len(r.people) > 0 {
		return "", nil
	}
	all := arguments{"date": d.Start.String()}
	if length > 0 {
		all["minDuration"] = length
	}
	return "schedule_findGaps", all
}

func (r *reading) howBusy() (string, arguments) {
	d, ok := r.days()
	if !ok || d.Start != d.End || len(r.found) > 0 {
		return "", nil
	}
	return "schedule_analyzeUtilization", arguments{"date": d.Start.String()}
}

func (r *reading) deleteNote() (string, arguments) {
	_, query := r.searchNotes()
	if query == nil {
		return "", nil
	}
	for i := range r.found {
		r.found[i].used = true
	}
	return "note_delete", arguments{"notes": []any{query["query"]}}
}

// searchNotes looks for the words that are not of the question itself.
func (r *reading) searchNotes() (string, arguments) {
	var about []string
	for _, w := range r.words {
		if often := learned().Usual[w.lower]; often < 1 || w.taken {
			about = append(about, r.Text[w.from:w.to])
		}
	}
	if len(about) == 0 {
		return "", nil
	}
	for i := range r.people {
		r.people[i].used = true
	}
	return "note_search", arguments{"query": strings.Join(about, " "), "tags": []string{}}
}

// Words that tell what is asked of a contact.
var aspects = map[string]*regexp.Regexp{
	"phone": words(`number|phone|mobile|cell|call|teléfono|número|móvil|טלפון|מספר|נייד`),
	"email": words(`e?-?mail|address|correo|מייל|אימייל`), "birthday": words(`birthday|born|cumple\S*|יומולדת|יום הולדת`),
	"role":  words(`job|do for|role|work|profession|trabaja|dedica|profesión|עובד\S*|תפקיד|מקצוע`),
	"notes": words(`notes?|notas?|הער\S*`),
}

func (r *reading) findContact() (string, arguments) {
	who := r.somebody()
	if who == nil {
		return "", nil
	}
	all := arguments{"query": who}
	for name, list := range aspects {
		if r.says(list) {
			all["aspect"] = name
		}
	}
	return "contact_find", all
}

func (r *reading) deleteContact() (string, arguments) {
	who := r.somebody()
	if who == nil {
		return "", nil
	}
	return "contact_delete", arguments{"contact": who}
}
