package clause

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/plan"
	"convene/pkg/when"
)

// reads are the tools that change nothing.
var reads = map[string]bool{
	"calendar_findEvents": true, "schedule_viewSchedule": true, "schedule_findGaps": true, "calendar_findTimes": true,
	"schedule_analyzeUtilization": true, "calendar_checkAvailability": true, "calendar_suggestLighter": true,
	"task_viewTasks": true, "task_getBacklogWithScores": true, "task_suggestForDuration": true, "list_view": true,
	"note_search": true, "contact_find": true, "preference_view": true, "email_viewEmails": true, "email_search": true,
	"email_readEmail": true, "email_getBacklog": true, "email_categorizeEmail": true, "email_batchCategorize": true,
	"email_groupBySender": true,
}

// gives are the kinds of things that tools give which later clauses may mean.
var gives = map[string]ground.Kind{
	"calendar_findEvents": ground.Event, "calendar_deleteEvents": ground.Event, "calendar_moveEvents": ground.Event,
	"calendar_updateEvents": ground.Event, "calendar_createEvents": ground.Event, "calendar_scheduleMeeting": ground.Event,
	"calendar_respond": ground.Event, "task_viewTasks": ground.Task, "task_createTask": ground.Task,
	"task_updateTask": ground.Task, "email_viewEmails": ground.Mail, "email_search": ground.Mail,
	"email_createTaskFromEmail": ground.Mail, "email_archiveBatch": ground.Mail, "email_deleteBatch": ground.Mail,
	"email_flag": ground.Mail,
}

// kinds are the kinds of things that families of tools are about.
var kinds = map[string]ground.Kind{"calendar": ground.Event, "task": ground.Task, "email": ground.Mail}

// family is that of a tool.
func family(tool string) string {
	name, _, _ := strings.Cut(tool, "_")
	return name
}

// ownWords are the tools that take words of the user over as they stand, so that a small word after them ends nothing.
var ownWords = []string{"task_createTask", "note_save", "list_add"}

// single reads a clause as the one operation that it is by itself, or that the clause before it makes of it.
func (r *reader) single(s state, c clause) (state, bool) {
	if _, n := r.book.opening(c.text, "unless", "if"); n > 0 && !r.book.is("whether", c.text) ||
		r.book.is("keeping", c.text) {
		return s, false // a condition is never only looked at, nor what somebody goes to all the same
	}
	s, c.text = r.ofThatDay(s, c.text)
	call, ok := r.ending(s, c.text)
	if !ok {
		call, ok = r.askNaming(s, c.text)
	}
	if !ok {
		call, ok = r.askThen(s, c.text)
	}
	named := s.deedsIn() > 0 && r.book.is("named", r.timed(c.text))
	only := named && reads[call.Tool]
	for _, way := range []func(state, string) (ground.Call, bool){r.again, r.another, r.listed} {
		if !ok || only {
			if call, ok = way(s, c.text); ok {
				only = false
			}
		}
	}
	if ok {
		call, ok = r.onFirstDay(s, c.text, named, call)
	}
	if !ok || r.isNewMail(call) || len(r.waysAhead(c.text)) > 0 {
		return s, false
	}
	if r.refuses(s, call, c.text) || r.saysMore(s, c.text) || r.swallows(s, c, call) || r.tellsOnly(call, c.text) {
		return s, false
	}
	if c.elsewhen {
		call.Arguments = s.asLong(call)
	}
	after, ok := r.does(s, c, call)
	after.deed = c.text
	return after, ok
}

// tellsOnly reports whether a clause of several that is read as a change only tells something: "grace wrote that she's
// running late" sends nothing to grace.
func (r *reader) tellsOnly(call ground.Call, text string) bool {
	return !reads[call.Tool] && len(r.pieces) > 1 && r.onlyTells(text, surelyTold)
}

// surelyTold is how probable it has to be that a clause only tells something, so that it is no operation.
const surelyTold = 0.9

// onFirstDay is a call on the day with which the message begins, or which a remark before it is about, or, of what is
// only named, on the one of the clause before. It is not ok if the message begins with a day on which that is not.
func (r *reader) onFirstDay(s state, text string, named bool, call ground.Call) (ground.Call, bool) {
	first := cmp.Or(r.dayFirst(), r.remarkedDay(s)) // "I'm out on Friday. Cancel the gym"
	if r.isDated(text) || first == "" && !named {
		return call, true
	}
	given, there := r.onDay(cmp.Or(first, s.day(r)), call)
	call.Arguments = given
	return call, there || first == "" || reads[call.Tool]
}

// askNaming is the call that a clause asks for. The user's own words have names in place of pronouns, if that can be
// read.
func (r *reader) askNaming(s state, text string) (ground.Call, bool) {
	call, ok := r.ask(s, r.spoken(s, text))
	if own := ok && slices.Contains(ownWords, call.Tool); !own && s.kept == "" {
		return call, ok
	}
	named, known := r.ask(s, r.original(r.withNames(s, text)))
	if !known && s.kept != "" {
		return call, ok
	}
	return named, known
}

// askThen is the call that a clause asks for at the time of what it hangs on: "if i'm free at 2 block an hour for it".
func (r *reader) askThen(s state, text string) (ground.Call, bool) {
	if s.branch == nil || s.condition.moment == "" {
		return ground.Call{}, false
	}
	text = r.book.forms["atthen"].ReplaceAllString(text, "")
	return r.ask(s, r.original(text+" "+s.condition.moment))
}

// leavesMail forgets who wrote the mail that was shown before, if a call is of something that has nothing to do with
// it.
func (s *state) leavesMail(call ground.Call) {
	if of := family(call.Tool); s.wrote && (of == "task" || of == "list" || of == "note") {
		s.people, s.address, s.wrote = nil, nil, false
	}
}

// does adds the step of the call that a clause asks for.
func (r *reader) does(s state, c clause, call ground.Call) (state, bool) {
	var given arguments
	if json.Unmarshal(call.Arguments, &given) != nil {
		return s, false
	}
	ends := c.parted || c.cleared && call.Tool == "list_add"
	if !ends && slices.Contains(ownWords, call.Tool) && !r.closed(given, c.text) && !namesAnything(call) {
		return s, false
	}
	s.leavesMail(call)
	call.Tool = s.alike(call.Tool, given)
	linked, ok := r.link(&s, given)
	if !ok || linked && (s.left != nil || kinds[family(call.Tool)] != s.things.kind) {
		return s, false
	}
	r.onItsDay(s, given)
	if call.Tool == "schedule_createTimeBlock" {
		r.onThatDay(s, given, c.text)
	}
	said := r.values(r.timed(c.text), "t")
	r.remindBefore(s, given, said)
	id := s.add(step{
		Step: plan.Step{Tool: call.Tool, HumanSummary: r.summary(c.text)}, arguments: bare(given),
	}, false)
	s.mail = -1
	if s.kept = ""; call.Tool == "list_add" {
		s.kept = r.onlyItem(given)
	}
	s.name(r.values(c.text, "p"))
	if kind, ok := gives[call.Tool]; ok {
		s.give(r.source(id, call.Tool, kind, given))
	} else if call.Tool == "email_compose" && given["selection"] != nil { // "reply …, and archive it"
		s.give(r.source(id, call.Tool, ground.Mail, given))
		if given["kind"] == "forward" && given["body"] == nil { // "forward it to al and tell him that …"
			s.mail, s.heard = len(s.steps)-1, true
		}
	}
	if len(said) > 0 {
		s.moment = strings.Join(said, " ")
	}
	return s, true
}

// refuses reports whether a clause means more than its call, or something else: what a mail goes on to tell ("and I'll
// drop it off"), a change that hangs on what nobody watches for, or is of the rest of something, what a move must leave
// free and is not kept for all times, and a deletion that loses a day.
func (r *reader) refuses(s state, call ground.Call, text string) bool {
	return !reads[call.Tool] && (r.book.is("later", text) || len(s.steps) > 0 && r.book.is("others", text)) ||
		s.moves() && family(call.Tool) == "preference" && !r.book.is("lasting", text) ||
		s.mail >= 0 && !reads[call.Tool] && r.book.is("told", text) ||
		call.Tool == "calendar_deleteEvents" && r.losesDay(string(call.Arguments), text)
}

// saysMore reports whether a clause goes on with what the mail before it says: "responde que sí, que me guarden sitio".
func (r *reader) saysMore(s state, text string) bool {
	return len(s.steps) > 0 && s.steps[len(s.steps)-1].Tool == "email_compose" && r.book.is("says more", text)
}

// losesDay reports whether a clause names a day, and the days in the arguments of its call are others.
func (r *reader) losesDay(call, text string) bool {
	if !strings.Contains(call, `"window":{`) {
		return false
	}
	return slices.ContainsFunc(r.values(r.timed(text), "t"), func(said string) bool {
		at := r.said(said)
		if len(at.Dates) != 1 || at.Dates[0].Start != at.Dates[0].End {
			return false
		}
		day := at.Dates[0].Start
		return !strings.Contains(call, day.String()) && !strings.Contains(call, strings.ToLower(day.Weekday().String()))
	})
}

// onItsDay puts the day that a condition is about into a selection of one event, if of several with its title one is on
// that day: "if there are more than two meetings on monday, cancel the interview".
func (r *reader) onItsDay(s state, given arguments) {
	selection, _ := given["selection"].(arguments)
	day, err := interval.ParseDate(s.dateOf(nil))
	if err != nil || s.branch == nil || selection["one"] != true || selection["window"] != nil {
		return
	}
	all := len(r.meant(selection, nil))
	then := maps.Clone(selection)
	then["window"] = window(day.String(), day.AddDays(1).String())
	if all > 1 && len(r.meant(then, nil)) == 1 {
		given["selection"] = then
	}
}

// remindBefore puts a reminder before the event of an earlier clause if only its hour is said, and not of which half of
// the day: "move it to 8 in the evening and remind me at 7".
func (r *reader) remindBefore(s state, given arguments, said []string) {
	if given["reminder"] == nil || s.things == nil || s.things.kind != ground.Event {
		return
	}
	of, at := r.said(s.moment), r.said(said...)
	if of.Exact == nil || at.Exact == nil || of.Confidence < 1 || at.Confidence == 1 || len(at.Dates) > 0 ||
		len(of.Dates) > 1 {
		return
	}
	day, clock := interval.DateOf(r.Now), *at.Exact
	if len(of.Dates) == 1 {
		day = of.Dates[0].Start
	}
	if later := clock + halfDay; later < *of.Exact {
		clock = later
	}
	if clock < *of.Exact && day.Start(r.Now.Location()).Add(time.Duration(clock)*time.Minute).After(r.Now) {
		given["reminder"] = day.String() + "T" + clock.String()
	}
}

// halfDay are the minutes of half a day.
const halfDay = 12 * 60

// closed reports whether the words of the user that a call takes over cannot go on after a clause: they stand in
// quotes, or the list that they are for is named after them.
func (r *reader) closed(given arguments, text string) bool {
	for _, name := range []string{"title", "text"} {
		if words, said := given[name].(string); said {
			return slices.Contains(r.values(text, "q"), words)
		}
	}
	items, _ := given["items"].([]any)
	if len(items) == 0 || given["list"] == nil {
		return false
	}
	last, _ := items[len(items)-1].(string)
	return last != "" && !strings.HasSuffix(strings.ToLower(r.original(text)), strings.ToLower(last))
}

// onlyItem is the one thing that is put onto a list; empty if there are more.
func (r *reader) onlyItem(given arguments) (item string) {
	if items, _ := given["items"].([]any); len(items) == 1 {
		item, _ = items[0].(string)
	}
	if strings.ContainsAny(item, ",;&") || r.book.joins.MatchString(item) {
		return ""
	}
	return item
}

// withNames are words of the user with the name of the one whom "him" means in them.
func (r *reader) withNames(s state, text string) string {
	it := s.kept
	if s.things != nil {
		it = cmp.Or(it, s.things.title)
	}
	if s.left == nil && it != "" {
		text = r.book.forms["pronoun"].ReplaceAllString(text, "${1}"+it+"${2}")
	}
	if form := r.book.forms["verbit"]; form != nil && s.kept != "" && s.left == nil {
		text = form.ReplaceAllString(text, "${1} "+s.kept) // "comprarlo"
	}
	if len(s.people) != 1 || s.left != nil {
		return text
	}
	return r.book.forms["who"].ReplaceAllStringFunc(text, func(said string) string {
		return strings.Replace(said, strings.Trim(said, " '"), s.people[0], 1)
	})
}

// isNewMail reports whether a call writes a new mail, which has a frame of its own.
func (r *reader) isNewMail(call ground.Call) bool {
	var given struct{ Kind string }
	return call.Tool == "email_compose" && (json.Unmarshal(call.Arguments, &given) != nil || given.Kind == "new")
}

// sources are the tools that find the things which a tool changes: what later clauses mean are the things themselves.
var sources = map[string]string{
	"calendar_deleteEvents": "calendar_findEvents", "email_createTaskFromEmail": "email_search",
	"email_archiveBatch": "email_search", "email_deleteBatch": "email_search", "email_flag": "email_search",
	"email_compose": "email_search",
}

// alike is the tool for things of the kind that "delete them" means.
func (s state) alike(tool string, given arguments) string {
	selection, _ := given["selection"].(arguments)
	if from, _ := selection["from"].([]any); len(from) == 0 || s.things == nil || tool != "calendar_deleteEvents" {
		return tool
	}
	return map[ground.Kind]string{ground.Event: tool, ground.Task: "task_deleteTask"}[s.things.kind]
}

// found is the step that gives what a call meant, which is looked for before the call if that does not give it.
func (r *reader) found(s *state, of *source) string {
	finder, needed := sources[of.tool]
	if !needed {
		return of.id
	}
	at := slices.IndexFunc(s.steps, func(t step) bool { return t.ID == of.id })
	look := step{
		Step:      plan.Step{Tool: finder, HumanSummary: r.book.say("find")},
		arguments: arguments{"selection": bare(of.arguments)["selection"]},
	}
	id := s.add(look, true)
	last := s.steps[len(s.steps)-1]
	s.steps = slices.Insert(slices.Clone(s.steps[:len(s.steps)-1]), at, last)
	if s.mail >= at {
		s.mail++
	}
	return id
}

// link puts references in place of the words that mean what an earlier step gave.
func (r *reader) link(s *state, given arguments) (linked, ok bool) {
	selection, _ := given["selection"].(arguments)
	for _, name := range []string{"from", "ids"} {
		list, _ := selection[name].([]any)
		if len(list) == 0 {
			continue
		}
		word, _ := list[0].(string)
		if !strings.HasPrefix(word, "shown") && word != "event" {
			continue
		}
		if s.things == nil || word != "shown" || len(list) > 1 {
			return true, false
		}
		selection[name], linked = from(r.found(s, s.things)), true
	}
	return linked, true
}

// bare are arguments without members that say nothing.
func bare(given arguments) arguments {
	out := arguments{}
	for name, value := range given {
		switch v := value.(type) {
		case nil:
			continue
		case []any:
			if len(v) == 0 {
				continue
			}
			for i := range v {
				if inner, ok := v[i].(arguments); ok {
					v[i] = bare(inner)
				}
			}
		case arguments:
			if value = bare(v); len(bare(v)) == 0 && name != "selection" {
				continue
			}
		}
		out[name] = value
	}
	return out
}

// source is what a call gives, with what is known of it if it is one event.
func (r *reader) source(id, tool string, kind ground.Kind, given arguments) *source {
	of := &source{id: id, tool: tool, kind: kind, arguments: given}
	selection, _ := given["selection"].(arguments)
	list, _ := selection["ids"].([]any)
	for _, one := range list {
		if text, ok := one.(string); ok {
			of.ids = append(of.ids, text)
		}
	}
	meant := r.meant(selection, of.ids)
	if titles, _ := selection["titleHas"].([]any); len(titles) == 1 {
		of.title, _ = titles[0].(string)
	}
	if len(meant) == 1 {
		start := meant[0].Span.Start.In(r.Now.Location())
		clock := interval.ClockOf(start)
		of.title, of.date, of.clock = meant[0].Title, interval.DateOf(start).String(), &clock
	}
	return of
}

// sameTitle reports whether all that is said of a title is in it.
func sameTitle(said any, title string) bool {
	text, _ := said.(string)
	has := agenda.Stems(title)
	return text != "" && !slices.ContainsFunc(agenda.Stems(text), func(stem string) bool {
		return !slices.ContainsFunc(has, func(o string) bool { return agenda.SameThing(stem, o) })
	})
}

// meant are the events that a selection means by their ids or title, within its days, or, on one day, by one clock time
// or as the first one.
func (r *reader) meant(selection arguments, ids []string) (all []ground.Thing) {
	window, _ := selection["window"].(arguments)
	clock, _ := selection["timeOfDay"].(arguments)
	titles, _ := selection["titleHas"].([]any)
	day, _ := window["start"].(string)
	at, _ := clock["start"].(string)
	first := selection["order"] == "start" && selection["first"] == float64(1)
	end, _ := window["end"].(string)
	for _, t := range r.Things {
		start := t.Span.Start.In(r.Now.Location())
		there := day != "" && strings.HasPrefix(day, interval.DateOf(start).String()) &&
			(at != "" && interval.ClockOf(start).String() == at || at == "" && first)
		local := start.Format("2006-01-02T15:04")
		within := window == nil || clock == nil && day <= local && (end == "" || local < end)
		named := within && len(titles) == 1 && start.After(r.Now) && sameTitle(titles[0], t.Title)
		if t.Kind == ground.Event && (slices.Contains(ids, t.ID) || len(ids) == 0 && (there || named)) {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b ground.Thing) int { return a.Span.Start.Compare(b.Span.Start) })
	if first && len(all) > 1 && all[0].Span.Start.Before(all[1].Span.Start) {
		all = all[:1]
	}
	return all
}

// summary says what a step is for, in the user's own words.
func (r *reader) summary(text string) string {
	words := []rune(strings.TrimSpace(r.original(text)))
	if len(words) > 0 {
		words[0] = []rune(strings.ToUpper(string(words[0])))[0]
	}
	return string(words)
}

// said reads what some phrases say of time, together.
func (r *reader) said(phrases ...string) when.Reading {
	return when.Setting{Language: r.Language}.Read(strings.Join(phrases, " "), r.Now)
}
