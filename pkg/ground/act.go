package ground

import (
	"slices"

	"convene/pkg/interval"
)

// deed is what a message may ask for. On is the kind of thing that it needs. Call makes the call of a tool, and names
// none if the message does not say what it needs; nil for deeds that are left to others.
type deed struct {
	on Kind
	// reads says that it changes nothing, invited that it is of an invitation, and whole that it is of all that a thing
	// has: then every word must be understood.
	reads, invited, whole bool
	call                  func(r *reading) (tool string, arguments map[string]any)
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
	"list_clear":  {on: List, whole: true, call: onList("list_remove", arguments{"items": []string{}, "which": "all"})},
	"list_delete": {on: List, whole: true, call: onList("list_delete", nil)},

	"note_save": {call: (*reading).saveNote}, "note_delete": {call: (*reading).deleteNote},
	"ask_note":     {reads: true, call: (*reading).searchNotes},
	"contact_save": {}, "contact_delete": {call: (*reading).deleteContact},
	"ask_contact":    {reads: true, call: (*reading).findContact},
	"preference_set": {}, "preference_forget": {}, "ask_preference": {},
	"mail_ask": {}, "mail_read": {}, "mail_archive": {}, "mail_delete": {}, "mail_flag": {}, "mail_reply": {},
	"mail_forward": {}, "mail_compose": {}, "mail_task": {}, "undo": {}, "several": {}, "none": {},
}

// selecting are arguments with a selection of the things of a kind that are named. Of several with one title, the user
// is asked which one is meant.
func (r *reading) selecting(kind Kind, more arguments) arguments {
	selection := arguments{"ids": r.ids(kind)}
	if slices.ContainsFunc(r.found, func(m mention) bool { return m.which && m.kind == kind }) {
		selection["one"] = true
	}
	all := arguments{"selection": selection}
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
		return tool, r.selecting(Event, more)
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
		return "calendar_updateEvents", r.selecting(Event, arguments{"set": arguments{field: v}})
	}
}

func onTasks(tool string) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) { return tool, r.selecting(Task, nil) }
}

func setTasks(field string, value func(*reading) any) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		v := value(r)
		if v == nil {
			return "", nil
		}
		return "task_updateTask", r.selecting(Task, arguments{"updates": arguments{field: v}})
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

// says reports whether the message says words of that name in words.txt, outside the names of things.
func (r *reading) says(name string) bool { return words()[name].MatchString(r.delexicalized()) }

func (r *reading) priority() any { return r.oneOf("low", "medium", "high") }

// oneOf is the first of some names in words.txt that the message says; nil if it says none.
func (r *reading) oneOf(names ...string) any {
	for _, name := range names {
		if r.says(name) {
			return name
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
func (r *reading) column() any { return r.oneOf("Backlog", "In Progress", "In Review") }
