package message

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Changes tells what a set of changes would do, or what came of it if applied is not nil: each change in words, with
// its number if there are several. None is left out. Of an undone set, applied is what came of the undo.
func (v Voice) Changes(set meet.ChangeSet, applied *meet.Applied) string {
	changes, undone := set.Changes, set.Status == meet.ChangesUndone
	if undone && applied != nil { // what was left out before is no part of it
		changes = slices.DeleteFunc(slices.Clone(changes), func(c meet.Change) bool { return resultOf(c, *applied) == nil })
	}
	lines := make([]string, 0, len(changes))
	for i, c := range changes {
		line := v.Change(c)
		if applied != nil {
			line = v.outcome(c, *applied, undone)
		}
		if len(changes) > 1 {
			line = strconv.Itoa(i+1) + ". " + line
		}
		lines = append(lines, line)
	}
	text := strings.Join(lines, "\n")
	switch {
	case undone:
		return v.say("head.undone") + "\n\n" + text
	case applied != nil && len(lines) > 1:
		return v.say("head."+string(applied.Outcome)) + "\n\n" + text
	default:
		return text
	}
}

// Ask asks for the confirmation of a set that was shown.
func (v Voice) Ask(set meet.ChangeSet) string {
	if len(set.Changes) == 1 {
		return v.say("ask1")
	}
	return v.say("ask")
}

// Undo offers to take back what was done of a set, but for what cannot be: a mail that was sent.
func (v Voice) Undo(set meet.ChangeSet) string {
	if slices.ContainsFunc(set.Changes, func(c meet.Change) bool { return !c.Undoable }) {
		return v.say("undoRest")
	}
	return v.say("undo")
}

// NothingToUndo answers an undo without anything to take back.
func (v Voice) NothingToUndo() string { return v.say("nothingToUndo") }

// Book asks whether the proposed event is to be booked, since something else came between.
func (v Voice) Book(title string, start time.Time) string {
	return v.say("book", "title", v.Title(title), "when", v.When(start))
}

// StillOpen says that something waits, though the conversation goes on to something else.
func (v Voice) StillOpen(left meet.Left) string {
	what := "**" + v.Title(left.Title()) + "**"
	switch {
	case left.Set != nil && len(left.Set.Changes) == 1:
		what = v.deed(left.Set.Changes[0], "")
	case left.Set != nil:
		what = v.Title(v.Caption(*left.Set))
	case left.Event != nil:
		what += ", " + v.When(left.Event.Event.Start)
	}
	return v.say("stillOpen", "what", what)
}

// AskAgain asks about it once more.
func (v Voice) AskAgain(left meet.Left) string {
	switch {
	case left.Set != nil:
		return v.Changes(*left.Set, nil) + "\n\n" + v.Ask(*left.Set)
	case left.Event != nil:
		return v.Book(left.Event.Event.Title, left.Event.Event.Start)
	}
	return v.say("goOn", "words", v.Title(left.Words))
}

// Gone says that the time of a proposed event is no longer free, and which times are.
func (v Voice) Gone(title string, start time.Time, others []string) string {
	text := v.say("gone", "title", v.Title(title), "when", v.When(start))
	if len(others) > 0 {
		text += " " + v.say("freeNow") + "\n\n- " + strings.Join(others, "\n- ")
	}
	return text
}

// Expired says that the time for confirming a set is over.
func (v Voice) Expired() string { return v.say("expired") }

// Cancelled says that a set was withdrawn.
func (v Voice) Cancelled() string { return v.say("cancelled") }

// Meanwhile says that what a set changes has changed, and comes before the fresh set.
func (v Voice) Meanwhile() string { return v.say("meanwhile") }

// Caption is what a set would do, in one line without any markup.
func (v Voice) Caption(set meet.ChangeSet) string {
	const longest = 200
	lines := make([]string, len(set.Changes))
	for i, c := range set.Changes {
		lines[i] = v.deed(c, "")
	}
	return oneLine(plain(strings.Join(lines, "; ")), longest)
}

// WhichChanges asks which of several sets is to be applied.
func (v Voice) WhichChanges() string { return v.say("whichChanges") }

// WhichReading asks which of several readings of a message is meant, and Neither is the answer that none is.
func (v Voice) WhichReading() string { return v.say("whichReading") }

// Neither is the answer that no reading is meant.
func (v Voice) Neither() string { return v.say("neither") }

// WhatWith asks what to do with an event that the user named so. Standing are the answers: "show", "delete", "new".
func (v Voice) WhatWith(title string) string { return v.say("whatWith", "title", v.Title(title)) }

// Standing is one of the answers to WhatWith.
func (v Voice) Standing(answer string) string { return v.say("whatWith." + answer) }

// OtherKey says that the caller's key cannot confirm, and that what was shown still waits.
func (v Voice) OtherKey() string { return v.say("otherKey") }

// Lost says which words were not understood, so that nothing was done.
func (v Voice) Lost(words string) string { return v.say("lost", "words", v.Title(words)) }

// Reported says that nothing was changed because the user has only told what was done.
func (v Voice) Reported() string { return v.say("reported") }

// OneByOne says that not all steps of a message could be read and nothing was done, and asks for the first.
func (v Voice) OneByOne() string { return v.say("oneByOne") }

// Change is what a change would do, which part of a series it concerns, who will hear of it, and whether it is final.
func (v Voice) Change(c meet.Change) string {
	line := v.deed(c, "")
	if c.Scope != "" {
		line = v.say("listed", "a", line, "b", v.say("scope."+string(c.Scope)))
	}
	if len(c.Affects) > 0 && c.Kind != meet.SendThing {
		names := make([]string, len(c.Affects))
		for i, a := range c.Affects {
			names[i] = v.Person(a.Name, a.Email)
		}
		line = v.say("listed", "a", line, "b", v.say("hear", "people", v.List(names)))
	}
	if !c.Undoable {
		line = v.say("listed", "a", line, "b", v.say("final"))
	}
	return line + v.wholeMail(c)
}

// resultOf is what came of a change; nil if it was left out.
func resultOf(c meet.Change, applied meet.Applied) *meet.ChangeResult {
	i := slices.IndexFunc(applied.Changes, func(r meet.ChangeResult) bool { return r.ID == c.ID })
	if i < 0 {
		return nil
	}
	return &applied.Changes[i]
}

// outcome is what came of a change, or of undoing it. One that the result does not name was left out.
func (v Voice) outcome(c meet.Change, applied meet.Applied, undone bool) string {
	result := meet.ChangeResult{Outcome: meet.ChangeSkipped}
	if is := resultOf(c, applied); is != nil {
		result = *is
	}
	name := string(result.Outcome)
	if undone && result.Outcome == meet.ChangeFailed {
		name = "kept"
	}
	if result.Outcome == meet.ChangeDone {
		done := ".done"
		if undone {
			done = "" // the head says what has become of it
		}
		line := v.deed(c, done)
		if c.Scope != "" {
			line = v.say("listed", "a", line, "b", v.say("scope."+string(c.Scope)))
		}
		return line
	}
	reason := v.inert(result.Reason)
	if reason == "" && result.Outcome == meet.ChangeUnknown {
		reason = v.say("unknownReason")
	}
	return strings.TrimSpace(v.say(name, "line", v.deed(c, ""), "reason", reason))
}

// thing is an event as a change shows it, with its time: what a message tells of an agenda.Event.
type thing struct {
	Title, Start, End, Location, Description, Status string
	Visibility, Calendar, Recurrence                 string

	AllDay, Transparent   bool
	Attendees, Categories []string
	Response              meet.Answer
	Kind                  meet.BlockKind
	span                  interval.Span
}

// thing reads one side of a change; nil if there is none, or it is not an event.
func (v Voice) thing(raw json.RawMessage) *thing {
	var t thing
	if json.Unmarshal(raw, &t) != nil || t.Start == "" {
		return nil
	}
	layout := time.RFC3339
	if t.AllDay {
		layout = time.DateOnly
	}
	t.span.Start, _ = time.ParseInLocation(layout, t.Start, v.now.Location())
	t.span.End, _ = time.ParseInLocation(layout, t.End, v.now.Location())
	return &t
}

// deed is the change itself. Done is ".done" for what has been done.
func (v Voice) deed(c meet.Change, done string) string {
	if tell := tellers[c.What]; tell != nil {
		return tell(v, c, done)
	}
	if c.What != meet.EventThing && c.What != meet.BlockThing {
		return v.setting(c, done)
	}
	before, after := v.thing(c.Before), v.thing(c.After)
	switch {
	case before == nil && after == nil:
		return v.setting(c, done)
	case before == nil:
		return v.created(c, *after, done)
	case after == nil:
		return v.about("delete"+done, *before)
	case c.Kind == meet.RespondThing:
		answers := map[meet.Answer]string{meet.Accepted: "accept", meet.Declined: "decline"}
		return v.about(cmp.Or(answers[after.Response], "maybe")+done, *before)
	default:
		return v.updated(c, *before, *after, done)
	}
}

// about is a phrase about an event with its title and time.
func (v Voice) about(name string, t thing, more ...string) string {
	return v.say(name, append(more, "title", v.Title(t.Title), "when", v.Span(t.span, t.AllDay))...)
}

func (v Voice) created(c meet.Change, t thing, done string) string {
	line := v.about("create"+done, t)
	if place := v.inert(t.Location); place != "" {
		line = v.say("place", "line", line, "place", place)
	}
	if people := v.guests(c, thing{}, t); people != "" {
		line = v.say("with", "line", line, "people", people)
	}
	var marks []string
	if t.Kind != "" {
		marks = append(marks, v.say("kind."+string(t.Kind)))
	}
	if t.Recurrence != "" {
		marks = append(marks, v.say("repeat", "rule", v.Repetition(t.Recurrence)))
	}
	for _, f := range v.rows(thing{}, t) {
		if f.besides && f.from != f.to {
			marks = append(marks, v.say("field."+f.name)+": "+f.show(f.to))
		}
	}
	if len(marks) > 0 {
		line = v.say("marked", "line", line, "marks", strings.Join(marks, ", "))
	}
	return line
}

// guests are the people who take part in one event and not in the other, with the addresses by which they are invited.
func (v Voice) guests(c meet.Change, without, with thing) string {
	var people []string
	for _, address := range with.Attendees {
		i := slices.IndexFunc(c.Affects, func(a meet.Affected) bool {
			return strings.EqualFold(cmp.Or(a.Email, a.Name), address)
		})
		if i < 0 || slices.ContainsFunc(without.Attendees, func(a string) bool { return strings.EqualFold(a, address) }) {
			continue // the owner, or one who stays
		}
		person := v.Person(c.Affects[i].Name, c.Affects[i].Email)
		if mail := v.inert(c.Affects[i].Email); mail != "" && mail != person {
			person += " (" + mail + ")"
		}
		people = append(people, person)
	}
	return v.List(people)
}

// updated says an update by its own verb if it changes one thing, otherwise by a list of fields.
func (v Voice) updated(c meet.Change, before, after thing, done string) string {
	invited, gone := v.guests(c, before, after), v.guests(c, after, before)
	fields := v.fields(before, after)
	only := len(fields)+min(len(invited), 1)+min(len(gone), 1) == 1
	from, to := v.moved(before, after)
	switch {
	case only && invited != "":
		return v.about("invite"+done, before, "people", invited)
	case only && gone != "":
		return v.about("uninvite"+done, before, "people", gone)
	case only && from != to:
		return v.say("move"+done, "title", v.Title(before.Title), "from", from, "to", to)
	case only && before.Title != after.Title:
		return v.say("rename"+done, "from", v.Title(before.Title), "to", v.Title(after.Title))
	case len(fields) == 0 && invited == "" && gone == "":
		return v.about("bring"+done, after)
	}
	if invited != "" {
		fields = append(fields, v.say("field.invited", "people", invited))
	}
	if gone != "" {
		fields = append(fields, v.say("field.uninvited", "people", gone))
	}
	return v.about("change"+done, before, "fields", strings.Join(fields, "; "))
}

// moved are the times before and after, the second without its day if that stays. They are equal if the time stays.
func (v Voice) moved(before, after thing) (from, to string) {
	from, to = v.Span(before.span, before.AllDay), v.Span(after.span, after.AllDay)
	if from != to && !before.AllDay && !after.AllDay && v.isShort(before.span) && v.isShort(after.span) &&
		v.Day(before.span.Start) == v.Day(after.span.Start) {
		to = v.Times(after.span)
	}
	return from, to
}

// fields are the members of an event that change, each with both values, without its guests.
func (v Voice) fields(before, after thing) (changed []string) {
	for _, f := range v.rows(before, after) {
		if f.from != f.to {
			none := v.say("none")
			changed = append(changed, v.say("field", "field", v.say("field."+f.name),
				"from", cmp.Or(f.show(f.from), none), "to", cmp.Or(f.show(f.to), none)))
		}
	}
	return changed
}

// row is a member of an event, before and after a change.
type row struct {
	name, from, to string
	show           func(string) string
	// besides says that a new event shows it after what its line has.
	besides bool
}

// rows are all members of an event but its guests.
func (v Voice) rows(before, after thing) []row {
	title := func(s string) string { return v.caption(s, titleLimit) }
	from, to := v.moved(before, after)
	return []row{
		{"title", before.Title, after.Title, title, false},
		{"time", from, to, func(s string) string { return s }, false},
		{"place", before.Location, after.Location, v.inert, false},
		{"notes", before.Description, after.Description, v.inert, true},
		{"status", before.Status, after.Status, v.value, false},
		{"response", string(before.Response), string(after.Response), v.value, false},
		{"visibility", before.Visibility, after.Visibility, v.value, true},
		{"categories", strings.Join(before.Categories, ", "), strings.Join(after.Categories, ", "), v.inert, true},
		{"shown", before.shownAs(), after.shownAs(), v.value, true},
		{"recurrence", before.Recurrence, after.Recurrence, v.Repetition, false},
		{"kind", string(before.Kind), string(after.Kind), v.kind, false},
		{"calendar", before.Calendar, after.Calendar, v.inert, true},
	}
}

// shownAs is whether the event takes its owner's time.
func (t thing) shownAs() string {
	if t.Transparent {
		return "free"
	}
	return "busy"
}

func (v Voice) kind(kind string) string { return v.say("kind." + kind) }

// value is a word of a closed list in the person's language, or a text as it is.
func (v Voice) value(s string) string {
	for day := range time.Weekday(len(v.tongue.names.Weekdays)) {
		if strings.EqualFold(s, day.String()) {
			return v.tongue.names.Weekdays[day]
		}
	}
	return cmp.Or(v.say("value."+s), v.inert(s))
}

// setting is a change of a preference, or of any other thing that is no event.
func (v Voice) setting(c meet.Change, done string) string {
	if isNull(c.After) {
		return v.say("unset"+done, "title", v.Title(c.Title))
	}
	value := c.After
	var named struct {
		Value json.RawMessage
		Off   bool
	}
	if c.What == meet.PreferenceThing && json.Unmarshal(value, &named) == nil && named.Value != nil {
		value = named.Value
	}
	if named.Off {
		return v.say("set"+done, "title", v.Title(c.Title), "to", v.say("switchedOff"))
	}
	return v.say("set"+done, "title", v.Title(c.Title), "to", v.words(value))
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// words are a JSON value as text: an object as "key value, key value" in its own order.
func (v Voice) words(raw json.RawMessage) string {
	var text string
	var list []json.RawMessage
	var week interval.Week
	var daily struct{ DefaultStart, DefaultEnd interval.Clock } // hours of lunch
	switch {
	case isNull(raw):
		return v.say("none")
	case json.Unmarshal(raw, &text) == nil:
		return v.value(text)
	case json.Unmarshal(raw, &list) == nil:
		items := make([]string, len(list))
		for i, item := range list {
			items[i] = v.words(item)
		}
		return cmp.Or(v.List(items), v.say("none"))
	case raw[0] != '{':
		return v.value(string(raw))
	case json.Unmarshal(raw, &week) == nil && !week.Empty():
		return v.Week(week)
	case json.Unmarshal(raw, &daily) == nil && daily.DefaultStart < daily.DefaultEnd:
		return v.Week(interval.EveryDay(interval.Window{Start: daily.DefaultStart, End: daily.DefaultEnd}))
	}
	var members []string
	object := json.NewDecoder(bytes.NewReader(raw))
	for _, _ = object.Token(); object.More(); {
		var member json.RawMessage
		key, _ := object.Token()
		name, _ := key.(string)
		if object.Decode(&member) != nil {
			break
		}
		members = append(members, v.caption(spaced(name), titleLimit)+" "+v.words(member))
	}
	return strings.Join(members, ", ")
}

// hump is a place within a camelCase or snake_case name that separates words.
var hump = regexp.MustCompile(`_|([a-z])([A-Z])`)

// spaced writes a member's name in words: "startTime" is "start time".
func spaced(name string) string { return strings.ToLower(hump.ReplaceAllString(name, "$1 $2")) }
