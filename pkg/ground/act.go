package ground

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// deed is what a message may ask for. On is the kind of thing that it needs. Call makes the call of a tool, and names
// none if the message does not say what it needs; nil for deeds that are left to others.
type deed struct {
	on Kind
	// reads says that it changes nothing, invited that it is of an invitation, and whole that it is of all that a thing
	// has: then every word must be understood.
	reads, invited, whole bool
	// dictated says that it writes a mail in the user's own words.
	dictated bool
	call     func(r *reading) (tool string, arguments map[string]any)
}

type arguments = map[string]any

// deeds are by name. What is asked for in several steps, of no thing that stands or of mails is left to others.
var deeds = map[string]deed{
	"event_move":     {on: Event, call: (*reading).move},
	"event_cancel":   {on: Event, call: (*reading).clear},
	"event_rename":   {on: Event, call: setEvents("title", (*reading).newTitle)},
	"event_length":   {on: Event, call: (*reading).resize},
	"event_invite":   {on: Event, call: attend("addAttendees", "removeAttendees")},
	"event_uninvite": {on: Event, call: attend("removeAttendees", "addAttendees")},
	"event_place":    {on: Event, call: (*reading).place},
	"event_note":     {on: Event, call: (*reading).note},
	"event_accept":   {on: Event, invited: true, call: answer("accepted")},
	"event_decline":  {on: Event, invited: true, call: answer("declined")},
	"event_maybe":    {on: Event, invited: true, call: answer("tentative")},
	"event_protect":  {on: Event, reads: true, call: (*reading).protect},
	"event_repeat":   {on: Event, call: (*reading).repeat}, "event_create": {},
	"day_clear": {call: (*reading).clear}, "block_create": {call: (*reading).block},
	"day_lighten": {reads: true, call: (*reading).lighten},
	"ask_agenda":  {reads: true, call: (*reading).showDays}, "ask_free": {reads: true, call: (*reading).findGaps},
	"ask_count":  {reads: true, call: (*reading).loadOf},
	"ask_when":   {on: Event, reads: true, call: tell("when")},
	"ask_where":  {on: Event, reads: true, call: tell("where")},
	"ask_who":    {on: Event, reads: true, call: tell("who")},
	"ask_length": {on: Event, reads: true, call: tell("length")},

	"task_create":   {call: (*reading).newTask},
	"task_done":     {on: Task, call: onTasks("task_completeTask")},
	"task_reopen":   {on: Task, call: (*reading).reopen},
	"task_delete":   {on: Task, call: onTasks("task_deleteTask")},
	"task_due":      {on: Task, call: (*reading).due},
	"task_priority": {on: Task, call: setTasks("priority", (*reading).priority)},
	"task_rename":   {on: Task, call: setTasks("title", (*reading).newName)},
	"task_assign":   {on: Task, call: setTasks("assignee", (*reading).somebody)},
	"task_status":   {on: Task, call: (*reading).moveTasks},
	"task_estimate": {on: Task, call: (*reading).estimate},
	"task_note":     {on: Task, call: setTasks("addNotes", (*reading).ownWords)},
	"task_remind":   {on: Task, call: (*reading).remind},
	"ask_tasks":     {reads: true, call: (*reading).showTasks},

	"item_add": {call: (*reading).addItems}, "list_create": {call: (*reading).newList},
	"item_change": {on: Item, call: (*reading).changeItem}, "list_rename": {on: List, call: (*reading).renameList},
	"item_done":   {on: Item, call: (*reading).tickItems},
	"item_remove": {on: Item, call: (*reading).removeItems},
	"item_move":   {on: Item, call: (*reading).moveItems},
	"ask_list":    {on: List, reads: true, call: (*reading).showList},
	"list_clear":  {on: List, whole: true, call: (*reading).emptyList},
	"list_delete": {on: List, whole: true, call: onList("list_delete", nil)},

	"note_save": {call: (*reading).saveNote}, "note_delete": {call: (*reading).deleteNote},
	"ask_note":     {reads: true, call: (*reading).searchNotes},
	"contact_save": {call: (*reading).saveContact}, "contact_delete": {call: (*reading).deleteContact},
	"ask_contact":       {reads: true, call: (*reading).findContact},
	"preference_set":    {call: (*reading).setPreference},
	"preference_forget": {call: (*reading).forgetPreference},
	"ask_preference":    {reads: true, call: (*reading).showPreferences},

	"mail_ask": {reads: true, call: (*reading).askMails}, "mail_read": {reads: true, call: (*reading).readMail},
	"mail_archive": {call: onMails("email_archiveBatch", arguments{"reason": nil})},
	"mail_delete":  {call: onMails("email_deleteBatch", nil)},
	"mail_flag":    {call: (*reading).flagMails}, "mail_task": {call: (*reading).taskOfMail},
	"mail_reply":   {dictated: true, call: (*reading).reply},
	"mail_forward": {dictated: true, call: (*reading).forward},
	"mail_compose": {dictated: true, call: (*reading).compose},
	"undo":         {}, "several": {call: (*reading).changeTasks}, "none": {},
}

// selecting are arguments with a selection of the things of a kind that are named. Of several with one title, the user
// is asked which one is meant.
func (r *reading) selecting(kind Kind, more arguments) arguments {
	selection := arguments{"ids": r.ids(kind)}
	for _, m := range r.of(kind) {
		if m.group != nil {
			selection = m.group
		}
	}
	if slices.ContainsFunc(r.found, func(m mention) bool { return m.which && m.kind == kind }) {
		selection["one"] = true
	}
	all := arguments{"selection": selection}
	for name, value := range more {
		all[name] = value
	}
	return all
}

// locateAll finds which occurrences of the events are meant, by who takes part, and by the times that are said but for
// the last ones to keep.
func (r *reading) locateAll(keep int) {
	for _, m := range r.of(Event) {
		if r.joined(m); m.described {
			r.narrow(m, keep)
		} else if !r.share(m) {
			r.locate(m, keep)
		}
		r.nextFew(m)
	}
}

// share uses the times behind several names, or before all that is said, that already tell which occurrences of one of
// them are meant. What has none at the time that is said first is missed.
func (r *reading) share(m *mention) (shared bool) {
	for _, t := range r.times {
		if len(m.words) == 0 || !t.used || t.isLength() || t.from < r.words[m.words[0]].to && !r.isFirst(t) {
			continue
		}
		if on := m.at(t, r.Now.Location()); len(on) > 0 || r.isFirst(t) {
			m.meant, m.which, m.missed, shared = on, false, len(on) == 0, true
		}
	}
	return shared
}

// isFirst reports whether nothing is said before a time but words that lead to it.
func (r *reading) isFirst(t timed) bool {
	tells := func(w word) bool { return w.to <= t.from && !onlySays(w.lower, "small", "determiner") }
	return !slices.ContainsFunc(r.words, tells)
}

// answer answers an invitation. Who takes part hears of it: "tell noa that i am coming".
func answer(said string) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		for _, m := range r.of(Event) { // another event may be the reason
			if m.things = keep(m.things, func(t Thing) bool { return t.Invited }); len(m.things) > 0 && !m.described {
				m.meant = firstOfEach(m.things)
			} else if !m.described {
				m.meant = nil
			}
		}
		r.locateAll(0)
		r.useGuests(false)
		return "calendar_respond", r.selecting(Event, arguments{"answer": said})
	}
}

// useGuests uses the people who take part in all events that are meant; or all, if it is asked who does.
func (r *reading) useGuests(all bool) {
	for i := range r.people {
		p := &r.people[i]
		p.used = p.used || all || !slices.ContainsFunc(r.meant(), func(t Thing) bool { return !t.has(p.text) })
	}
}

// tell tells something of events.
func tell(aspect string) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		r.locateAll(0)
		r.useGuests(aspect == "who")
		if titles := r.titles(); aspect == "when" && r.says("last time") && len(titles) == 1 && len(r.points()) == 0 {
			latest := arguments{"titleHas": titles, "order": "-start", "first": 1} // back from now
			return "calendar_findEvents", arguments{"aspect": aspect, "selection": latest}
		}
		return "calendar_findEvents", r.selecting(Event, arguments{"aspect": aspect})
	}
}

// protect tells when an event is that is to stay as it is. What says nothing of staying asks for something that is not
// read: "shift the gym".
func (r *reading) protect() (string, arguments) {
	text := r.delexicalized()
	if !words()["denying"].MatchString(text) && !slices.Contains(meanings(Plain(text)), "protect") {
		return "", nil
	}
	return tell("when")(r)
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

// says reports whether the message says words of that name, outside the names of things.
func (r *reading) says(name string) bool {
	h := r.heard
	if h == nil {
		h = r.hear()
	}
	says, known := h.said[name]
	if known {
		return says
	}
	text := h.bare
	if withPlaceholders()[name] {
		text = h.text
	}
	h.said[name] = words()[name].MatchString(text)
	return h.said[name]
}

// hearing is the message with placeholders for what is known, and bare of their names, which are no words; and what it
// says, as far as that was asked for.
type hearing struct {
	text, bare string
	said       map[string]bool
}

func (r *reading) hear() *hearing {
	text := r.delexicalized()
	return &hearing{text: text, bare: placeholder.ReplaceAllString(text, "{}"), said: map[string]bool{}}
}

// withPlaceholders are the names of words with placeholders among them.
var withPlaceholders = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for name, form := range words() {
		names[name] = ofPlaceholders.MatchString(form.String())
	}
	return names
})

// ofPlaceholders tells an expression that has one from others.
var ofPlaceholders = regexp.MustCompile(`\{[a-z\\]`)

func (r *reading) priority() any { return r.oneOf("low", "medium", "high") }

// oneOf is the first of some names of words that the message says; nil if it says none.
func (r *reading) oneOf(names ...string) any {
	for _, name := range names {
		if r.says(name) {
			return name
		}
	}
	return nil
}

// minutes are how long something takes, which is not what it took.
func (r *reading) minutes() any {
	before := func(t timed) bool {
		return t.isLength() && form("after it").MatchString(t.text[max(0, strings.LastIndexByte(t.text, ' ')):])
	}
	beside := func(t timed) bool { return t.isLength() && words()["before"].MatchString(firstWord(r.Text[t.to:])) }
	if slices.ContainsFunc(r.times, before) || slices.ContainsFunc(r.times, beside) {
		return nil // "the day before", "20 minutes before the show"
	}
	if n := r.length(); n > 0 && n <= mostEffort && !r.says("took") && !words()["postpones"].MatchString(r.Text) {
		return n
	}
	return nil
}

// mostEffort is how many minutes anything takes that is a task: a week's.
const mostEffort = 7 * 24 * 60

// somebody is the one person who is named.
func (r *reading) somebody() any {
	if len(r.people) != 1 {
		return nil
	}
	return r.names()[0]
}

// moveTasks puts tasks into the column that is named, or on a board.
func (r *reading) moveTasks() (string, arguments) {
	if tool, call := setTasks("column", (*reading).column)(r); tool != "" {
		return tool, call
	}
	return setTasks("board", func(r *reading) any { return r.at("board") })(r)
}

// column is the one column of a board that is named.
func (r *reading) column() any { return r.at("column") }
