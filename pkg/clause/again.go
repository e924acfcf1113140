package clause

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/plan"
)

// again is the call of a clause that only names things, for the deed of the clause before: "archive al's mails and the
// ones from noam". It is not ok if the clause cannot be read as one for the same tool.
func (r *reader) again(s state, text string) (call ground.Call, ok bool) {
	if len(s.steps) == 0 || r.book.is("puts on", text) {
		return call, false
	}
	last := s.steps[len(s.steps)-1]
	dated := r.isDated(text)
	if last.Tool == "calendar_deleteEvents" && (!dated || r.book.is("others", text) || r.book.is("keeps", text)) {
		return call, false
	}
	sender := family(last.Tool) == "email" && r.isSender(r.original(text))
	plainly := sender || last.Tool == "calendar_moveEvents" || family(last.Tool) == "list" // with where to, or from
	if !plainly && !r.book.is("named", r.timed(text)) && !r.onlyDates(text) {
		return call, false // "… and water the plants" may ask for something
	}
	list, _ := last.arguments["list"].(string)
	what := r.spokenOf(s, text, sender)
	if title := r.titleIn(last.arguments); title != "" && r.onlyDates(text) {
		if what = title + " " + what; last.Tool == "calendar_moveEvents" {
			return call, false
		}
	}
	words := r.book.say("again "+last.Tool, "{what}", what, "{list}", list)
	if words == "" || strings.HasPrefix(last.Tool, "list_") && list == "" {
		return call, false
	}
	if call, ok = r.ask(s, words); !dated {
		call.Arguments, _ = r.onDay(s.day(r), call)
	}
	if last.Tool == "calendar_deleteEvents" && r.titleIn(last.arguments) != "" && r.titlesIn(call) == "" {
		return call, false // of what has a name before, a day is not all of that day
	}
	return call, ok && call.Tool == last.Tool
}

// spokenOf are the words of a clause as the user would say them alone; a sender's are all mails from there.
func (r *reader) spokenOf(s state, text string, sender bool) string {
	if sender {
		return r.book.say("all from", "{people}", r.original(text))
	}
	return r.spoken(s, text)
}

// isSender reports whether a text is the name of someone who wrote a mail.
func (r *reader) isSender(text string) bool {
	return r.Mails != nil && slices.ContainsFunc(r.Mails(), func(t ground.Thing) bool {
		return strings.EqualFold(strings.TrimRight(t.Letter.Sender, "."), trimmed(text))
	})
}

// titlesIn is what titleIn is of a call.
func (r *reader) titlesIn(call ground.Call) string {
	var given arguments
	if json.Unmarshal(call.Arguments, &given) != nil {
		return ""
	}
	return r.titleIn(given)
}

// onlyDates reports whether a clause says nothing but a time: then what the clause before names is meant.
func (r *reader) onlyDates(text string) bool {
	rest := r.book.joins.ReplaceAllString(markForm.ReplaceAllString(r.timed(text), ""), "")
	return r.book.is("dayalone", r.timed(text)) || !strings.ContainsFunc(rest, unicode.IsLetter)
}

// titleIn is how the event is called that a call selects; empty if it selects others.
func (r *reader) titleIn(call arguments) string {
	var of struct {
		Selection struct{ IDs, TitleHas []string }
	}
	if raw, err := json.Marshal(call); err != nil || json.Unmarshal(raw, &of) != nil {
		return ""
	}
	for _, t := range r.Things {
		if t.Kind == ground.Event && slices.Contains(of.Selection.IDs, t.ID) {
			return t.Title
		}
	}
	return strings.Join(of.Selection.TitleHas, " ")
}

// another is the call for one more task after one that the clause before makes: "and another one to call the bank".
func (r *reader) another(s state, text string) (call ground.Call, ok bool) {
	at := r.book.forms["another"].FindStringSubmatch(text)
	if len(s.steps) == 0 || s.steps[len(s.steps)-1].Tool != "task_createTask" || at == nil {
		return call, false
	}
	return r.ask(s, r.original(r.book.say("another", "{what}", at[1])))
}

// ending is the call of a clause for the first or the last of the events that an earlier one has looked for: "if i have
// more than three meetings tomorrow, cancel the last one".
func (r *reader) ending(s state, text string) (call ground.Call, ok bool) {
	for name, order := range map[string]string{"first of them": "start", "last of them": "-start"} {
		at := r.book.forms[name].FindStringIndex(text)
		if at == nil || s.things == nil || s.things.tool != "calendar_findEvents" || s.left != nil {
			continue
		}
		them := " " + r.book.say("those") + " "
		var given arguments
		call, ok = r.ask(s, strings.TrimSpace(r.original(text[:at[0]])+them+r.original(text[at[1]:])))
		selection, _ := s.things.arguments["selection"].(arguments)
		if !ok || reads[call.Tool] || selection["window"] == nil || json.Unmarshal(call.Arguments, &given) != nil {
			return call, false
		}
		selection = maps.Clone(selection)
		selection["order"], selection["first"] = order, 1
		given["selection"] = selection
		encoded, err := json.Marshal(given)
		call.Arguments = encoded
		return call, err == nil && family(call.Tool) == "calendar"
	}
	return call, false
}

// isDated reports whether a clause names a day.
func (r *reader) isDated(text string) bool {
	return len(r.said(r.values(r.timed(text), "t")...).Dates) > 0
}

// dayFirst is the day with which the message begins, and which is that of all its clauses: "on Friday, cancel the gym
// and the stand-up". It is empty if there is none.
func (r *reader) dayFirst() string {
	at := r.book.forms["dayfirst"].FindStringSubmatch(r.timed(r.text))
	if at == nil {
		return ""
	}
	said := r.said(r.values(at[1], "t")...)
	if len(said.Dates) != 1 || said.Dates[0].Start != said.Dates[0].End {
		return ""
	}
	return said.Dates[0].Start.String()
}

// onDay are the arguments of a call with the occurrence of a day, if the call is of another one of its series: "move
// planning tomorrow to 11 and the stand-up to 9:30". It is not there if what the call names has none on that day.
func (r *reader) onDay(day string, call ground.Call) (given json.RawMessage, there bool) {
	var of struct {
		Selection struct {
			IDs, TitleHas []string
			Window        any
		}
	}
	if family(call.Tool) != "calendar" || json.Unmarshal(call.Arguments, &of) != nil {
		return call.Arguments, true
	}
	if s := of.Selection; len(s.TitleHas) > 0 && len(s.IDs) == 0 && s.Window == nil {
		return within(day, call.Arguments), true
	}
	if len(of.Selection.IDs) != 1 {
		return call.Arguments, true
	}
	id := of.Selection.IDs[0]
	at := slices.IndexFunc(r.Things, func(t ground.Thing) bool { return t.ID == id })
	on := slices.IndexFunc(r.Things, func(t ground.Thing) bool {
		same := at >= 0 && (t.ID == id || t.Series != "" && t.Series == r.Things[at].Series)
		return same && interval.DateOf(t.Span.Start.In(r.Now.Location())).String() == day
	})
	if on < 0 {
		return call.Arguments, false
	}
	moved := strings.Replace(string(call.Arguments), strconv.Quote(id), strconv.Quote(r.Things[on].ID), 1)
	return json.RawMessage(moved), true
}

// within are the arguments of a call with a day as the window of its selection.
func within(day string, given json.RawMessage) json.RawMessage {
	var all map[string]any
	date, err := interval.ParseDate(day)
	if json.Unmarshal(given, &all) != nil || err != nil {
		return given
	}
	selection, _ := all["selection"].(map[string]any)
	selection["window"] = arguments{"start": day, "end": date.AddDays(1).String()}
	changed, err := json.Marshal(all)
	if err != nil {
		return given
	}
	return changed
}

// listed is the call of a clause that leaves out on which list the things are that it names: that of the clause before.
func (r *reader) listed(s state, text string) (call ground.Call, ok bool) {
	if len(s.steps) == 0 {
		return call, false
	}
	list, _ := s.steps[len(s.steps)-1].arguments["list"].(string)
	if list == "" {
		return call, false
	}
	way := "listed"
	if r.book.is("puts on", text) {
		way = "added"
	}
	call, ok = r.ask(s, r.book.say(way, "{what}", r.spoken(s, text), "{list}", list))
	return call, ok && family(call.Tool) == "list" && !reads[call.Tool]
}

// onto reads a clause that puts things onto the list of the clause before: "and put candles and a cake on it".
func (r *reader) onto(s state, text string) (state, bool) {
	if len(s.steps) == 0 || s.left != nil {
		return s, false
	}
	at := len(s.steps) - 1
	list, _ := s.steps[at].arguments["list"].(string)
	for _, f := range r.book.parse("onto", text, true) {
		what, is := f.open("what")
		if !is || f.count("list") != 1 || list == "" {
			continue
		}
		var items []string
		for _, item := range r.book.joins.Split(what, -1) {
			items = append(items, r.original(item))
		}
		if s.steps[at].arguments["items"] == nil { // the list is new
			s.change(at, arguments{"items": items})
			s.deeds++
			return s, true
		}
		s.add(step{
			Step:      plan.Step{Tool: "list_add", HumanSummary: r.summary(text)},
			arguments: arguments{"list": list, "items": items},
		}, false)
		return s, true
	}
	return s, false
}

// spared reads a clause that keeps something of a day and deletes the rest of it, or deletes a series but for what is
// said to stay of it.
func (r *reader) spared(s state, text string) (state, bool) {
	if at := r.book.forms["stays"].FindStringSubmatch(text); at != nil {
		words := r.book.say("stays", "{what}", r.original(at[1]), "{kept}", r.original(at[2]))
		if call, ok := r.ask(s, words); ok && call.Tool == "calendar_deleteEvents" {
			s.heard = true
			return r.does(s, clause{text: text, parted: true}, call)
		}
	}
	for _, f := range r.book.parse("spare", r.timed(text), true) {
		what, is := f.open("what")
		days := r.values(what+f.all("day"), "t")
		if !is || !f.has("rest") || len(days) != 1 {
			continue
		}
		kept := strings.TrimSpace(r.book.forms["atday"].ReplaceAllString(what, ""))
		words := r.book.say("spare", "{when}", days[0], "{what}", r.original(kept))
		call, ok := r.ask(s, words)
		if ok && call.Tool == "calendar_deleteEvents" && !r.losesDay(string(call.Arguments), days[0]) {
			s.heard = true
			return r.does(s, clause{text: text, parted: true}, call)
		}
	}
	return s, false
}

// spoken is a clause in which words such as "that day", "the same time" and "their mails" are replaced by what they
// mean.
func (r *reader) spoken(s state, text string) string {
	if s.left != nil {
		return r.original(text)
	}
	day := s.day(r)
	put := func(form, words string) {
		if form := r.book.forms[form]; form != nil {
			text = form.ReplaceAllLiteralString(text, words)
		}
	}
	if meant := r.meantBy(s); len(meant) == 1 {
		at := meant[0].Span
		zone := r.Now.Location()
		put("sametime", r.book.say("during", "{day}", interval.DateOf(at.Start.In(zone)).String(),
			"{start}", interval.ClockOf(at.Start.In(zone)).String(), "{end}", interval.ClockOf(at.End.In(zone)).String()))
	}
	if day != "" {
		put("thatday", r.book.say("on", "{day}", day))
	}
	if len(s.people) > 0 {
		put("with them", r.book.say("with them", "{people}", strings.Join(s.people, ", ")))
	}
	put("tail", "")
	switch {
	case s.things != nil && s.things.kind == ground.Mail && !s.lately:
		put("theirs mail", r.book.say("those"))
	case len(s.people) == 1:
		put("theirs mail", r.book.say("from", "{people}", s.people[0]))
	}
	return r.original(text)
}

// meantBy are the events that the step means which gave things last.
func (r *reader) meantBy(s state) []ground.Thing {
	if s.things == nil || s.things.kind != ground.Event {
		return nil
	}
	selection, _ := s.things.arguments["selection"].(arguments)
	return r.meant(selection, s.things.ids)
}

// day is the one day that was said last, or on which what stands before is; empty if there is none.
func (s state) day(r *reader) string {
	switch at := r.said(s.moment); {
	case len(at.Dates) == 1 && at.Dates[0].Start == at.Dates[0].End:
		return at.Dates[0].Start.String()
	case s.condition != nil && s.condition.date != "":
		return s.condition.date
	}
	return ""
}

// onThatDay puts a block of which no day is said onto the day of the clause before, and its hours into the part of that
// day which a condition is about: "am i free on friday night? if so block 7 to 10".
func (r *reader) onThatDay(s state, given arguments, text string) {
	day := s.day(r)
	said := r.said(r.values(r.timed(text), "tl")...)
	if day == "" || len(said.Dates) > 0 || s.left != nil {
		return
	}
	given["date"] = day
	if s.condition == nil {
		return
	}
	part := r.said(s.condition.moment).Hours
	start, _ := given["startTime"].(string)
	end, _ := given["endTime"].(string)
	from, err := interval.ParseClock(start)
	to, other := interval.ParseClock(end)
	if err != nil || other != nil || to+halfDay > interval.EndOfDay {
		return
	}
	date, _ := interval.ParseDate(day)
	windows := slices.Clone(part.Week[date.Weekday()])
	for _, on := range part.On {
		if on.Date == date {
			windows = append(windows, on.Windows...)
		}
	}
	for _, within := range windows {
		if from < within.Start && within.Start <= from+halfDay {
			given["startTime"], given["endTime"] = (from + halfDay).String(), (to + halfDay).String()
		}
	}
}

// elsewhen is a clause that only says when else the operation before it is done, as that operation with the other time:
// "…, otherwise do it friday morning".
func (r *reader) elsewhen(s state, text string) string {
	timely := r.timed(text)
	if s.branch == nil || s.deed == "" || !r.book.is("elsewhen", timely) {
		return text
	}
	when := r.book.forms["elsewhen"].FindStringSubmatch(timely)[1]
	deed := r.book.forms["itstime"].ReplaceAllString(r.timed(s.deed), "")
	return trimmed(r.book.forms["atthen"].ReplaceAllString(deed, "")) + " " + when
}

// asLong are the arguments of a block that is as long as the one before it, which is made in its place.
func (s state) asLong(call ground.Call) json.RawMessage {
	var given arguments
	last := s.steps[len(s.steps)-1]
	if last.Tool != call.Tool || json.Unmarshal(call.Arguments, &given) != nil {
		return call.Arguments
	}
	was, is := minutesOf(last.arguments), minutesOf(given)
	if was <= 0 || is <= was {
		return call.Arguments
	}
	given["durationMinutes"] = was
	encoded, err := json.Marshal(given)
	if err != nil {
		return call.Arguments
	}
	return encoded
}

// minutesOf is how long a block is by its two times; 0 if it has none.
func minutesOf(block arguments) int {
	start, _ := block["startTime"].(string)
	end, _ := block["endTime"].(string)
	from, err := interval.ParseClock(start)
	to, other := interval.ParseClock(end)
	if err != nil || other != nil {
		return 0
	}
	return int(to - from)
}
