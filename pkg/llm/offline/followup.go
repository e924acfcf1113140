package offline

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// This file reads messages that only make sense after what went before: "the second one", "cancel that", "and on
// Friday?".

// planData is the document of a message about the user's own day.
type planData struct {
	Message     string     `json:"message"`
	RecentTurns []exchange `json:"recentTurns"`
	Now         string     `json:"now"`
	People      []zoned    `json:"people"`
	// Previous is the call before, Shown the list that was shown last. Event says that an event was arranged.
	Previous *struct {
		Tool      string         `json:"tool"`
		Arguments map[string]any `json:"arguments"`
	} `json:"previous"`
	Shown list `json:"shown"`
	// DayAtHand is the date that "that day" means.
	DayAtHand interval.Date `json:"dayAtHand"`
	Event     bool          `json:"event"`
}

// list is what was shown last.
type list struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// pointing is what a message can point at without a name: so many things that were shown last, the event that was
// arranged, and the operation before or what it made, which "again" changes.
type pointing struct {
	shown        int
	event, again bool
	// day is the one that is being talked about, and lighter the one that the turn before was to make lighter; zero if
	// there is none.
	day, lighter interval.Date
}

func (d planData) pointing() pointing {
	about := pointing{
		day: d.DayAtHand, shown: d.Shown.Count, event: d.Event, again: d.Previous != nil || d.Shown.Count > 0,
	}
	if d.Previous != nil && d.Previous.Tool == lighter {
		about.lighter = datesIn(d.Previous.Arguments).Start
	}
	if d.Event && !isOwnDay(d.RecentTurns) {
		about.shown, about.again = 0, false
	}
	return about
}

// manyShown stands for the unknown length of a list that was shown.
const manyShown = 20

// pointing is what stage 1 knows of it.
func (d classifyData) pointing() pointing {
	if isOwnDay(d.RecentTurns) {
		return pointing{shown: manyShown, event: d.HasEvent, again: true, day: d.DayAtHand, lighter: d.lighter()}
	}
	return pointing{event: d.HasEvent, day: d.DayAtHand}
}

// lighter is the day that the turn before was to make lighter; zero if it was about anything else.
func (d classifyData) lighter() (day interval.Date) {
	if op := d.last(); op.verb == verbLighten {
		day, _, _ = datesOf(op.time)
	}
	return day
}

// isOwnDay reports whether the last turn that was more than a courtesy was about the user's own day.
func isOwnDay(turns []exchange) bool { return memo(turns) != "" }

// memo is what the conversation keeps of the last turn that was more than a courtesy, if it was about the user's own
// day: what kind of thing was answered, in brackets; empty for any other.
func memo(turns []exchange) string {
	for _, turn := range slices.Backward(turns) {
		if said := turn.Assistant; strings.HasPrefix(said, "(") && strings.HasSuffix(said, ")") {
			return said
		}
		if !isCourtesy(turn.User) {
			return ""
		}
	}
	return ""
}

// afterKept reports whether things that have no time were looked at while an event was arranged: "make it 45 minutes"
// is not said of them.
func (d classifyData) afterKept() bool {
	return d.HasEvent && slices.Contains([]string{"(mails)", "(lists)", "(notes)", "(people)", "(preferences)", "(tasks)"},
		memo(d.RecentTurns))
}

// before is what the conversation asked of the user's own day last.
func (r *reading) before(now time.Time) (intent string, families []string) {
	for _, turn := range slices.Backward(r.data.RecentTurns) {
		language := Language(readable(turn.User), nil)
		if all := operations(turn.User, language, now, known{}, pointing{}); len(all) > 0 {
			if intent = look; !reads(all[0].verb) {
				intent = act
			}
			return intent, []string{duties[all[0].verb].family}
		}
	}
	return look, []string{"calendar"}
}

// point says which of the things that were shown, or that the conversation arranged, a selection points at.
func (o *operating) point(s *selection) {
	if s.First != nil && *s.First == 1 && !s.event && s.tellsNothing() {
		s.nth = 1
		if s.Order != nil && strings.HasPrefix(*s.Order, "-") {
			s.nth = -1
		}
		s.First, s.Order = nil, nil
	}
	switch about := o.about; {
	case s.nth != 0 && about.shown > 0:
		n := s.nth
		if n < 0 {
			n += about.shown + 1
		}
		if n > about.shown {
			s.pronoun = true
			return
		}
		s.From = []string{shownAs(n)}
	case (s.nth == 1 || s.nth == -1) && !s.tellsNothing():
		s.Order, s.First = pointer(map[int]string{1: orders["first"], -1: orders["last"]}[s.nth]), pointer(1)
		return
	case s.nth != 0:
		s.pronoun = true
		return
	case s.pronoun && about.shown > 0:
		s.From = []string{"shown"}
	case s.pronoun && about.event:
		s.From = []string{"event"}
	default:
		return
	}
	s.pronoun = false
}

// tellsNothing reports whether nothing tells the events from others but their place in some list.
func (s *selection) tellsNothing() bool {
	unordered := *s
	unordered.Order = nil
	return !unordered.named() && s.Window == nil && s.TimeOfDay == nil && len(s.Weekdays) == 0
}

func shownAs(n int) string { return "shown:" + strconv.Itoa(n) }

// withoutShown takes one of the things that were shown out of the others.
func (o *operating) withoutShown(s *selection, one string) {
	s.From = nil
	for n := 1; n <= o.about.shown; n++ {
		if shownAs(n) != one {
			s.From = append(s.From, shownAs(n))
		}
	}
}

// namedBefore are the people who were named before word i.
func (o *operating) namedBefore(i int) (names []string) {
	for _, m := range o.sentence.known {
		if o.sentence.words[m.from].start < o.tokens[i].start {
			names = append(names, m.name)
		}
	}
	return names
}

// changeable are the calls that a later message may change, each with a verb that has the same arguments.
var changeable = map[string]verb{
	"schedule_viewSchedule": "view", findEvents: "find", findGaps: verbGaps, "calendar_checkAvailability": verbFree,
	"schedule_analyzeUtilization": "busy", "calendar_deleteEvents": verbDelete, moveEvents: verbMove,
	createBlock: verbBlock, lighter: verbLighten,
}

// again is the call before with what the message changes of it. It is not ok if the call has no place for that.
func (d planData) again(op operation, now time.Time, offered []tool) (call operationCall, ok bool) {
	name, old := "", map[string]any{}
	if d.Previous != nil {
		name, old = d.Previous.Tool, d.Previous.Arguments
	}
	alike := op.verb == verbAlike
	op.verb = changeable[name]
	if op.verb == verbMove && narrows(d.Message) {
		return call, false // another one was meant, and what moved has moved
	}
	switch shift := op.time.Shift; {
	case alike, op.verb == verbMove && !op.moves() && shift == (when.Shift{}):
		if op.time = (when.Reading{}); isPointed(old) {
			return call, false // it is not known what the others are called
		}
		return op.overlay(name, old, op.facts(now), offered)
	case op.by == 0 && len(op.time.Dates) == 0:
		op.shifted(old)
	}
	if op.moves() && d.Shown.Count > 0 && (op.verb == verbBlock || op.verb == "" && isOfEvents(name)) {
		name, old, op.verb = moveEvents, map[string]any{}, verbMove
	}
	f := op.facts(now)
	switch {
	case op.verb == verbMove: // what was shown, or moved before, wherever it stands by now
		op.events, old = selection{From: []string{"shown"}}, toTime(old)
		f = op.facts(now)
	case op.verb == verbBlock:
		f = op.otherBlock(old)
	case op.verb == verbFree:
		f = op.otherTime(old)
	case op.verb == "view" && op.events.named():
		name, op.verb, op.events.From, old = findEvents, verbFind, []string{"shown"}, map[string]any{"aspect": "list"}
		f = op.facts(now)
	}
	return op.overlay(name, old, f, offered)
}

// narrows reports whether a message begins as "only tomorrow's" does: with a word by which others are left out.
func narrows(message string) bool {
	return slices.ContainsFunc(languages(), func(language string) bool {
		r := replying{account: newAccount(readable(message), idleBooks()[language]), words: replyBooks()[language]}
		if len(r.tokens) == 0 {
			return false
		}
		key, _ := r.phraseAt(0, r.words)
		return key == "only"
	})
}

// overlay is a call with facts in the place of what it says.
func (op *operation) overlay(
	name string, old map[string]any, f *facts, offered []tool,
) (call operationCall, ok bool) {
	i := slices.IndexFunc(offered, func(t tool) bool { return t.Function.Name == name })
	if i < 0 || op.verb == "" {
		return call, false
	}
	delete(f.values, "aspect")
	changed, ok := f.in(offered[i].Function.Parameters)
	if !ok || len(f.values) == 0 {
		return call, false
	}
	if changed["date"] != nil && changed["startTime"] == nil {
		delete(old, "from")
		delete(old, "to")
	} else if changed["from"] != nil {
		delete(old, "date")
	}
	return operationCall{name, overlaid(old, changed)}, true
}

// isPointed reports whether a call's selection only points at things.
func isPointed(call map[string]any) bool {
	selection, _ := call["selection"].(map[string]any)
	return isEmpty(selection["titleHas"]) && isEmpty(selection["with"]) && isEmpty(selection["timeOfDay"])
}

// isOfEvents reports whether a tool is one of calendars; without a call before, what was shown is.
func isOfEvents(tool string) bool {
	family := strings.Split(tool, "_")[0]
	return tool == "" || family == "calendar" || family == "schedule"
}

// shifted makes "the day after" a day or a week after that of the call before, or a length by which something moves.
func (op *operation) shifted(old map[string]any) {
	shift, days := op.time.Shift, datesIn(old)
	switch {
	case reads(op.verb) && !days.Start.IsZero() && shift.Weeks != 0:
		days.Start, days.End = days.Start.AddDays(7*shift.Weeks), days.End.AddDays(7*shift.Weeks)
	case reads(op.verb) && !days.Start.IsZero() && shift.Days > 0:
		days.Start, days.End = days.End.AddDays(shift.Days), days.End.AddDays(shift.Days)
	case reads(op.verb) && !days.Start.IsZero() && shift.Days < 0:
		days.Start, days.End = days.Start.AddDays(shift.Days), days.Start.AddDays(shift.Days)
	default:
		op.by = time.Duration(shift.Minutes)*time.Minute + time.Duration(shift.Days+7*shift.Weeks)*24*time.Hour
		return
	}
	op.time.Dates, op.events.days = []interval.DateRange{days}, days
}

// datesIn are the days that a call names; zero if it names none.
func datesIn(call map[string]any) (days interval.DateRange) {
	at := func(in map[string]any, names ...string) (day interval.Date) {
		for _, name := range names {
			text, _ := in[name].(string)
			text, _, _ = strings.Cut(text, "T")
			if date, err := interval.ParseDate(text); err == nil {
				return date
			}
		}
		return day
	}
	if selection, ok := call["selection"].(map[string]any); ok {
		if window, ok := selection["window"].(map[string]any); ok {
			return interval.DateRange{Start: at(window, "start"), End: at(window, "end").AddDays(-1)}
		}
	}
	return interval.DateRange{Start: at(call, "date", "from", "start"), End: at(call, "date", "to", "start")}
}

// toTime is the day and the time to which a call moves events.
func toTime(call map[string]any) map[string]any {
	to, _ := call["to"].(map[string]any)
	if to["date"] == nil && to["time"] == nil {
		return map[string]any{}
	}
	return map[string]any{"to": map[string]any{"date": to["date"], "time": to["time"]}}
}

func clockOf(value any) (time.Time, error) {
	text, _ := value.(string)
	return time.Parse("15:04", text)
}

// overlaid is a value with the members of another that are not empty, and those that it lacks. Spans of time replace
// each other whole.
func overlaid(old map[string]any, changed map[string]any) map[string]any {
	for name, value := range changed {
		inner, isObject := value.(map[string]any)
		before, both := old[name].(map[string]any)
		_, known := old[name]
		switch {
		case isObject && both && inner["end"] == nil:
			old[name] = overlaid(before, inner)
		case !known || !isEmpty(value):
			old[name] = value
		}
	}
	return old
}

func isEmpty(value any) bool {
	raw, err := json.Marshal(value)
	text := string(raw)
	return err != nil || text == "null" || text == "[]" || text == `""` || text == "{}"
}

// nthIn is which one of the things that were shown a slot means by nothing but its number, which in Hebrew may also
// name a day; 0 if it says anything else.
func (o *operating) nthIn(b bound) int {
	value, noun := "", false
	for i := b.from; i < b.to && o.about.shown > 0; {
		name, n := o.phraseAt(i, o.book.says)
		number, isNth := strings.CutPrefix(name, "nth ")
		if end := outermost[name]; end != "" {
			number, isNth, noun = end, true, true
		}
		if i += n; i > b.to || isNth && value != "" || !isNth && name != "small" && name != "thing" {
			return 0
		}
		if isNth {
			value = number
		}
	}
	nth, _ := strconv.Atoi(value)
	if noun && b.to-b.from > 1 && o.ofThing(b) {
		return 0 // "my first meeting" is of the calendar
	}
	return nth
}

// outermost are the words for the first and the last one that also stand before a noun.
var outermost = map[string]string{"first": "1", "last": "-1"}

// ofThing reports whether a word for any event stands in a slot.
func (o *operating) ofThing(b bound) bool {
	for i := b.from; i < b.to; i++ {
		if o.says(i) == "thing" {
			return true
		}
	}
	return false
}

// ordinal takes in which one of a list is meant. A word like "second" may also be one of a title.
func (w *naming) ordinal(value string, i, n int) bool {
	next := ""
	if i+n < w.to {
		next = w.says(i + n)
	}
	if n == 1 && (w.about.shown == 0 || len(w.title) > 0 || i+n < w.to && next != "thing") {
		return false
	}
	w.nth, _ = strconv.Atoi(value)
	w.single = true
	return true
}

// whom are the people that a pronoun means: those named before, or the last of them.
func (w *naming) whom(i int, all bool) {
	names := w.namedBefore(i)
	if !all {
		names = names[max(0, len(names)-1):]
	}
	w.With, w.reasoned = append(w.With, names...), true
	w.pronoun = w.pronoun || len(names) == 0
}

// calendar takes in the name of a calendar, which stands before its word or after it.
func (w *naming) calendar(key string, i int) bool {
	last := len(w.title) - 1
	switch {
	case key == "calendar" && last >= 0 && w.title[last] == i-1 && !w.book.particles():
		w.Calendars, w.title = append(w.Calendars, w.tokens[i-1].lower), w.title[:last]
	case key == "" && w.afterCalendar(i):
		w.Calendars = append(w.Calendars, w.tokens[i].lower)
	default:
		return false
	}
	return true
}

// afterCalendar reports whether a word names the calendar whose word stands before it, as in Spanish and Hebrew.
func (w *naming) afterCalendar(i int) bool {
	if w.setting.Language == english || i == w.from {
		return false
	}
	k := i - 1
	letters := tongueOf(w.setting.Language).callings
	if hebrew := w.book.particles(); hebrew && !letters.definite(w.tokens[i].lower) {
		return false
	} else if !hebrew && k > w.from && w.says(k) == "small" {
		k-- // "calendario de trabajo"
	}
	return slices.ContainsFunc(w.bare(w.tokens[k].lower), func(form string) bool {
		return slices.ContainsFunc(w.book.says[form], func(e expression) bool {
			return e.name == "calendar" && len(e.words) == 1
		})
	})
}
