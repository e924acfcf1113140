package offline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// facts are what an operation says, each under the names that arguments have for it. What is needed must have a place
// in a tool's schema, under one of its names; the rest may.
type facts struct {
	values map[string]any
	needed [][]string
}

func (f *facts) may(value any, name string) { f.values[name] = value }

// need is a value under a name, or under one of other names with values of their own.
func (f *facts) need(value any, name string, or ...string) {
	f.values[name] = value
	f.needed = append(f.needed, append(or, name))
}

// facts are what the operation says.
func (op *operation) facts(now time.Time) *facts {
	f, duty := &facts{values: map[string]any{}}, duties[op.verb]
	sel := op.events
	if sel.named() || sel.TimeOfDay != nil || sel.all && duty.changes ||
		len(sel.From)+len(sel.Weekdays)+len(sel.Except) > 0 {
		f.need(sel, "selection")
	} else {
		f.may(sel, "selection")
	}
	if duty.aspect != "" {
		f.may(duty.aspect, "aspect")
	}
	if duty.answer != "" {
		f.need(duty.answer, "answer")
	}
	if op.scope != "" && !op.roams() { // each occurrence finds its own time
		f.need(op.scope, "scope")
	}
	switch {
	case duty.family == "preference":
		op.preference(f)
	case op.verb == verbBlock:
		op.block(f, now)
	case !duty.changes:
		op.asked(f, now)
	default:
		op.changed(f)
	}
	return f
}

// asked are the facts of a question about days and times.
func (op *operation) asked(f *facts, now time.Time) {
	first, last, ok := datesOf(op.time)
	if days := op.events.days; !ok && !days.Start.IsZero() {
		first, last, ok = days.Start, days.End, true
	}
	at := op.time.Exact
	switch {
	case ok && first == last && at != nil:
		f.may(first.String(), "date")
	case ok && first == last:
		f.need(first.String(), "date", "window", "selection")
	case ok:
		f.need(first.String(), "from", "window", "selection")
		f.need(last.String(), "to", "window", "selection")
	}
	if ok {
		f.values["window"] = windowOf(interval.DateRange{Start: first, End: last})
	}
	length := int(op.time.Duration / time.Minute)
	if windows := hoursNamed(op.time); len(windows) == 1 && op.time.Exact == nil {
		between := window{windows[0].Start.String(), windows[0].End.String()}
		f.need(between, "between", "timeOfDay", "start")
		f.may(between, "timeOfDay")
		if ok && first == last && len(op.who) > 0 {
			f.may(first.String()+"T"+between.Start, "start")
			f.may(first.String()+"T"+between.End, "end")
			delete(f.values, "window")
			f.needed = f.needed[1:]
		}
	}
	if at != nil {
		if !ok {
			first = interval.DateOf(now)
		}
		end := *at + interval.Clock(max(length, defaultLook))
		f.need(first.String()+"T"+at.String(), "start", "between")
		f.may(first.String()+"T"+end.String(), "end")
		f.may(window{at.String(), end.String()}, "between")
		delete(f.values, "window")
	} else if length > 0 {
		f.need(length, "minDuration", "durationMinutes")
		f.may(length, "durationMinutes")
	}
	if len(op.who) > 0 {
		f.need(op.who, "people")
	}
}

// defaultLook is how many minutes someone wants to be free who asks for one time.
const defaultLook = 30

// changed are the facts of a change of events.
func (op *operation) changed(f *facts) {
	minutes := int(op.by / time.Minute)
	switch {
	case minutes == 0:
	case op.verb == verbLength:
		f.need(minutes, "durationMinutes")
	case op.verb == "extend" || op.verb == "shorten":
		f.need(minutes, "longerByMinutes")
	case minutes%(24*60) == 0:
		f.need(minutes/(24*60), "byDays")
	default:
		f.need(minutes, "byMinutes")
	}
	if op.roams() {
		op.roomFor(f)
	} else if duties[op.verb].time {
		op.moment(f)
	}
	if len(op.who) > 0 && op.verb == verbAdd {
		f.need(op.who, "addAttendees")
	} else if op.verb == verbRemove {
		f.need(op.who, "removeAttendees")
	}
	for i, text := range op.texts {
		switch {
		case op.verb == verbRename:
			f.need(text, "title")
		case op.verb == verbPlace:
			f.need(text, "location")
		case op.verb == verbNote:
			f.need(text, "addNotes")
		case duties[op.verb].copies && i == 0 && len(op.texts) > 1:
			f.need(calendarName(text), "from")
		case duties[op.verb].copies:
			f.need(calendarName(text), "to")
		}
	}
	if duties[op.verb].copies {
		op.copied(f)
	}
	if mark, marks := markings[op.verb]; marks {
		f.need(mark.value, mark.name)
	}
}

// moment are the facts of the time to which events move.
func (op *operation) moment(f *facts) {
	if first, _, ok := datesOf(op.time); ok {
		f.need(first.String(), "date")
	}
	if at := op.time.Exact; at != nil && op.open {
		f.need(at.String()+"?", "time")
	} else if at != nil {
		f.need(at.String(), "time")
	}
	if length := int(op.time.Duration / time.Minute); length > 0 {
		f.need(length, "durationMinutes")
	}
}

// copied are the facts of what one calendar gets of another.
func (op *operation) copied(f *facts) {
	if first, last, ok := datesOf(op.time); ok {
		f.need(window{first.String(), last.AddDays(1).String()}, "window")
	}
	if strings.HasPrefix(string(op.verb), string(verbSync)) {
		f.need(true, "both")
	}
	if strings.HasSuffix(string(op.verb), "open") {
		f.need(true, "withoutPrivate")
	}
}

// markings are the values that a verb names by itself.
var markings = map[verb]struct{ name, value string }{
	"hide": {"visibility", "private"}, "publish": {"visibility", "public"}, "open": {"showAs", "free"},
}

// isNoCalendar reports whether words are too many for the name of a calendar.
func isNoCalendar(text string) bool {
	const most = 3
	return strings.Contains(text, ",") || len(strings.Fields(calendarName(text))) > most
}

// calendarName is how a calendar is called in "my work calendar".
func calendarName(text string) string {
	words := strings.Fields(text)
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return calendarWords[strings.ToLower(w)] })
	return strings.Join(kept, " ")
}

// calendarWords are in no name of a calendar.
var calendarWords = wordSet("my the one calendar calendars mi mis el los al calendario calendarios de del personal? " +
	"היומן היומנים יומן יומני של שלי ה את")

// block are the facts of a time that is kept free: one block, or a series of events.
func (op *operation) block(f *facts, now time.Time) {
	start, end, ok := op.span()
	w, length, some := op.within()
	if !ok && !some {
		return
	}
	first, last, dated := datesOf(op.time)
	if !dated {
		first, last = interval.DateOf(now), interval.DateOf(now)
	}
	title := strings.Join(op.texts, " ")
	if !op.every && first == last {
		f.need(first.String(), "date")
		if some {
			f.need(length, "durationMinutes")
			start, end = w.Start, w.End
		}
		if start < end {
			f.need(start.String(), "startTime")
			f.need(end.String(), "endTime")
		}
		f.may(upperFirst(firstOf(title, op.fallback)), "title")
		f.may(blockType(title), "type")
		if op.calendar != "" {
			f.need(op.calendar, "calendar")
		}
		return
	}
	at := func(c interval.Clock) string { return first.String() + "T" + c.String() }
	event := map[string]any{
		"title": upperFirst(firstOf(title, op.fallback)), "start": at(start), "end": at(end), "recurrence": op.recurrence(),
	}
	if op.calendar != "" {
		event["calendar"] = op.calendar
	}
	f.need([]any{event}, "events")
}

// blockType is the kind of a block that is called so.
func blockType(title string) string {
	for kind, words := range blockTypes {
		for w := range strings.FieldsSeq(strings.ToLower(title)) {
			if words[w] {
				return kind
			}
		}
	}
	return "blocked"
}

var blockTypes = map[string]map[string]bool{
	"break": wordSet("lunch break nap rest almuerzo comida descanso pausa צהריים הפסקה מנוחה"),
	"email": wordSet("email emails inbox mail correo correos מייל מיילים דואר"),
	"work":  wordSet("work focus deep writing coding study reading research trabajo foco concentración עבודה ריכוז כתיבה"),
}

// recurrence is the RRULE of the days: as often as they were named, or without an end.
func (op *operation) recurrence() string {
	var days []string
	n := 0
	for _, d := range op.time.Dates {
		for day := d.Start; !d.End.Before(day); day = day.AddDays(1) {
			if op.leavesOut(day.Weekday()) {
				continue
			}
			if name := strings.ToUpper(day.Weekday().String()[:2]); !slices.Contains(days, name) {
				days = append(days, name)
			}
			n++
		}
	}
	for day := time.Sunday; day <= time.Saturday && len(op.time.Dates) == 0 && op.leavesAnyOut(); day++ {
		if !op.leavesOut(day) { // "every day except friday"
			days = append(days, strings.ToUpper(day.String()[:2]))
		}
	}
	rule := "FREQ=DAILY"
	if len(days) > 0 && len(days) < 7 {
		rule = "FREQ=WEEKLY;BYDAY=" + strings.Join(days, ",")
	}
	if op.bounded {
		rule += fmt.Sprintf(";COUNT=%d", n)
	}
	return rule
}

// leavesOut reports whether what is said of time rules out a day of the week: "every weekday but not wednesday".
func (op *operation) leavesOut(day time.Weekday) bool {
	return slices.Contains(op.time.ExcludedWeekdays, day) ||
		slices.ContainsFunc(op.time.ExcludedDates, func(d interval.DateRange) bool { return isOn(d, day) })
}

func (op *operation) leavesAnyOut() bool {
	return len(op.time.ExcludedWeekdays)+len(op.time.ExcludedDates) > 0
}

// preference are the facts of the hours in which the user works, or has meetings. Only what is said is told, so that
// what stands otherwise is kept: a beginning and an end, or what is taken out.
func (op *operation) preference(f *facts) {
	if duties[op.verb].kept || op.verb == verbHours {
		f.need(op.keeps(), "updates")
		return
	}
	said := op.hours()
	days, others := []string{}, []string{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		name := strings.ToLower(day.String())
		if slices.ContainsFunc(op.time.Dates, func(d interval.DateRange) bool { return isOn(d, day) }) {
			days = append(days, name)
		} else {
			others = append(others, name)
		}
	}
	update := map[string]any{"key": "meeting_hours", "days": days, "without": []window{}}
	switch {
	case op.verb == verbAvoid && len(said) > 0:
		update["without"] = windowsOf(said)
	case op.verb == verbAvoid:
		update["without"] = []window{allDay}
	case len(said) == 0:
		update["days"], update["without"] = others, []window{allDay}
	case op.verb == "prefer" && len(days) > 0:
		update["value"] = fmt.Sprintf(`{"days":["%s"],"start":"%s","end":"%s"}`,
			strings.Join(days, `","`), said[0].Start, said[len(said)-1].End)
	default:
		if said[0].Start > 0 {
			update["earliest"] = said[0].Start.String()
		}
		if end := said[len(said)-1].End; end < interval.EndOfDay {
			update["latest"] = end.String()
		}
	}
	if op.verb == "work" {
		update["key"] = "working_hours"
	}
	f.need([]map[string]any{update}, "updates")
}

var allDay = window{"00:00", interval.EndOfDay.String()}

// hours are the windows of the clock that are named. "10 to 6" is one, and no start.
func (op *operation) hours() []interval.Window {
	if start, end, ok := op.span(); ok && op.time.Duration > 0 {
		return []interval.Window{{Start: start, End: end}}
	}
	return hoursNamed(op.time)
}

// isOn reports whether a weekday is one of the days.
func isOn(d interval.DateRange, weekday time.Weekday) bool {
	first := int(d.Start.Weekday())
	return (int(weekday)-first+7)%7 <= d.Start.DaysUntil(d.End)
}

// openDays is how many days package when gives to days without an end.
const openDays = 28

// goOn means the rest of a series since a day, or if the days that were named have no end: "cancel the gym from
// Thursday on".
func (op *operation) goOn(now time.Time, since bool) {
	days := op.events.days
	if since {
		days.End = days.Start.AddDays(openDays - 1)
		op.events.days, op.events.Window, op.events.Weekdays = days, windowOf(days), nil
		op.scope, op.events.One = "following", pointer(true)
	}
	open := days.Start.DaysUntil(days.End) == openDays-1 && interval.DateOf(now).Before(days.Start)
	if open && op.scope == "" && !reads(op.verb) && len(op.events.TitleHas) > 0 {
		op.scope = "following"
	}
}
