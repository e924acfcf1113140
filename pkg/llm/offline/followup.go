package offline

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
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
	Shown list     `json:"shown"`
	Tasks []string `json:"tasks"`
	Event bool     `json:"event"`
}

// list is what was shown last.
type list struct {
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// pointing is what a message can point at without a name: so many things that were shown last, the event that was
// arranged, and the operation before, which "again" changes.
type pointing struct {
	shown        int
	event, again bool
}

func (d planData) pointing() pointing {
	about := pointing{shown: d.Shown.Count, event: d.Event, again: d.Previous != nil}
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
		return pointing{shown: manyShown, event: d.HasEvent, again: true}
	}
	return pointing{event: d.HasEvent}
}

// isOwnDay reports whether the turn before was about the user's own day: the conversation keeps nothing of its answer
// but what kind of thing it was, in brackets.
func isOwnDay(turns []exchange) bool {
	if len(turns) == 0 {
		return false
	}
	said := turns[len(turns)-1].Assistant
	return strings.HasPrefix(said, "(") && strings.HasSuffix(said, ")")
}

// before is what the conversation asked of the user's own day last.
func (r *reading) before(now time.Time) (intent string, families []string) {
	for _, turn := range slices.Backward(r.data.RecentTurns) {
		language := languageIn(readable(turn.User), nil)
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
	case s.nth == 1 || s.nth == -1:
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
	"schedule_analyzeUtilization": "busy", "calendar_deleteEvents": verbDelete, moveEvents: "move", createBlock: verbBlock,
}

// again is the call before with what the message changes of it. It is not ok if the call has no place for that.
func (d planData) again(op operation, now time.Time, offered []tool) (call operationCall, ok bool) {
	if d.Previous == nil {
		return call, false
	}
	name := d.Previous.Tool
	i := slices.IndexFunc(offered, func(t tool) bool { return t.Function.Name == name })
	op.verb = changeable[name]
	if i < 0 || op.verb == "" {
		return call, false
	}
	old := d.Previous.Arguments
	var f *facts
	switch op.verb {
	case "move":
		op.events = selection{}
		f = op.facts(now)
		toTime(old)
	case verbBlock:
		f = op.otherBlock(old)
	case verbFree:
		f = op.otherTime(old)
	default:
		if op.verb == "view" && op.events.named() {
			name, op.verb, op.events.From, old = findEvents, "find", []string{"shown"}, map[string]any{"aspect": "list"}
			if i = slices.IndexFunc(offered, func(t tool) bool { return t.Function.Name == name }); i < 0 {
				return call, false
			}
		}
		f = op.facts(now)
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

// toTime leaves nothing of where events move but a day and a time: they move by no length any longer.
func toTime(arguments map[string]any) {
	to, _ := arguments["to"].(map[string]any)
	for name := range to {
		if name != "date" && name != "time" {
			to[name] = nil
		}
	}
}

// otherBlock are the facts of another day or time for a block.
func (op *operation) otherBlock(old map[string]any) *facts {
	f := &facts{values: map[string]any{}}
	if first, _, dated := datesOf(op.time); dated {
		f.need(first.String(), "date")
	}
	if op.time.Exact != nil && op.time.Duration == 0 {
		start, err := clockOf(old["startTime"])
		end, wrong := clockOf(old["endTime"])
		if err == nil && wrong == nil {
			op.time.Duration = end.Sub(start)
		}
	}
	if start, end, ok := op.span(); ok {
		f.need(start.String(), "startTime")
		f.need(end.String(), "endTime")
	}
	return f
}

// otherTime are the facts of another day or time at which people may be free.
func (op *operation) otherTime(old map[string]any) *facts {
	f := &facts{values: map[string]any{}}
	start, _ := old["start"].(string)
	date, clock, _ := strings.Cut(start, "T")
	if first, _, dated := datesOf(op.time); dated {
		date = first.String()
	}
	if op.time.Exact != nil {
		clock = op.time.Exact.String()
		delete(old, "end")
	}
	if end, ok := old["end"].(string); ok {
		_, until, _ := strings.Cut(end, "T")
		f.may(date+"T"+until, "end")
	}
	f.need(date+"T"+clock, "start")
	return f
}

func clockOf(value any) (time.Time, error) {
	text, _ := value.(string)
	return time.Parse("15:04", text)
}

// overlaid is a value with the members of another that are not empty. Spans of time replace each other whole.
func overlaid(old map[string]any, changed map[string]any) map[string]any {
	for name, value := range changed {
		inner, isObject := value.(map[string]any)
		before, both := old[name].(map[string]any)
		switch {
		case isObject && both && inner["end"] == nil:
			old[name] = overlaid(before, inner)
		case !isEmpty(value):
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
