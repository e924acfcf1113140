package offline

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// duty is what a verb needs, and the tools that do it: the first that is offered and whose schema has a place for all
// that was said.
type duty struct {
	changes bool
	// time, text, by, person and span say which parts of the change the verb cannot do without.
	time, text, by, person, span bool
	family                       string
	tools                        []string
	// aspect is what is asked of events, answer the answer to an invitation. Sooner says that a length is
	// taken off, or goes back in time.
	aspect, answer string
	sooner         bool
	// copies says that it means calendars and no events, kept that it needs no time, but a name of one that is kept free.
	copies, kept bool
}

// The verbs that code asks about; all of them are rows of duties.
const (
	verbFree   verb = "free"
	verbGaps   verb = "gaps"
	verbLength verb = "length"
	verbMove   verb = "move"
	// verbLighten looks for what could leave a day.
	verbLighten verb = "lighten"
	verbRename  verb = "rename"
	verbAdd     verb = "add"
	verbRemove  verb = "remove"
	verbPlace   verb = "place"
	verbNote    verb = "note"
	verbDelete  verb = "delete"
	verbCopy    verb = "copy"
	// verbSync copies both ways; open ones leave out what is private.
	verbSync  verb = "sync"
	verbBlock verb = "block"
	verbAvoid verb = "avoid"
	verbFind  verb = "find"
	// verbDid looks at what is over. verbIn asks whether people are there, as events of whole days tell.
	verbDid verb = "did"
	verbIn  verb = "in"
	// verbReport tells others something, verbToo asks more of the events that a look before it means.
	verbReport verb = "report"
	verbToo    verb = "too"
	// verbAgain is the operation before, with a change.
	verbAgain verb = "again"
	// verbAlike is the operation before, for other events.
	verbAlike verb = "alike"
)

const (
	findEvents   = "calendar_findEvents"
	copyMissing  = "calendar_copyMissing"
	createEvents = "calendar_createEvents"
	createBlock  = "schedule_createTimeBlock"
	moveEvents   = "calendar_moveEvents"
	updateEvents = "calendar_updateEvents"
	respond      = "calendar_respond"
	lighter      = "calendar_suggestLighter"
	findGaps     = "schedule_findGaps"
	preferences  = "preference_updatePreferences"
)

var duties = map[verb]duty{
	"view":      {family: "schedule", aspect: "list", tools: []string{"schedule_viewSchedule", findEvents}},
	verbFind:    {family: "calendar", aspect: "list", tools: []string{findEvents}},
	verbDid:     {family: "schedule", aspect: "list", tools: []string{"schedule_viewSchedule", findEvents}},
	verbIn:      {family: "calendar", aspect: "list", tools: []string{findEvents}},
	verbReport:  {family: "email"},
	verbToo:     {family: "calendar"},
	"exists":    {family: "calendar", aspect: "exists", tools: []string{findEvents}},
	"when":      {family: "calendar", aspect: "when", tools: []string{findEvents}},
	"where":     {family: "calendar", aspect: "where", tools: []string{findEvents}},
	"notes":     {family: "calendar", aspect: "notes", tools: []string{findEvents}},
	"count":     {family: "calendar", aspect: "count", tools: []string{findEvents}},
	"who":       {family: "calendar", aspect: "who", tools: []string{findEvents}},
	"long":      {family: "calendar", aspect: "length", tools: []string{findEvents}},
	verbFree:    {family: "calendar", tools: []string{"calendar_checkAvailability", findGaps}},
	verbGaps:    {family: "schedule", tools: []string{findGaps, "calendar_findTimes"}},
	"busy":      {family: "schedule", tools: []string{"schedule_analyzeUtilization", "schedule_viewSchedule"}},
	verbLighten: {family: "calendar", tools: []string{lighter}},
	verbMove:    {family: "calendar", changes: true, time: true, tools: []string{moveEvents}},
	"earlier":   {family: "calendar", changes: true, by: true, sooner: true, tools: []string{moveEvents}},
	"extend":    {family: "calendar", changes: true, by: true, tools: []string{updateEvents, moveEvents}},
	"shorten":   {family: "calendar", changes: true, by: true, sooner: true, tools: []string{updateEvents, moveEvents}},
	verbLength:  {family: "calendar", changes: true, by: true, tools: []string{updateEvents, moveEvents}},
	verbRename:  {family: "calendar", changes: true, text: true, tools: []string{updateEvents}},
	verbAdd:     {family: "calendar", changes: true, person: true, tools: []string{updateEvents}},
	verbRemove:  {family: "calendar", changes: true, person: true, tools: []string{updateEvents}},
	verbPlace:   {family: "calendar", changes: true, text: true, tools: []string{updateEvents}},
	verbNote:    {family: "calendar", changes: true, text: true, tools: []string{updateEvents}},
	verbDelete:  {family: "calendar", changes: true, tools: []string{"calendar_deleteEvents"}},
	"accept":    {family: "calendar", changes: true, answer: "accepted", tools: []string{respond}},
	"decline":   {family: "calendar", changes: true, answer: "declined", tools: []string{respond}},
	"maybe":     {family: "calendar", changes: true, answer: "tentative", tools: []string{respond}},
	"hide":      {family: "calendar", changes: true, tools: []string{updateEvents}},
	"publish":   {family: "calendar", changes: true, tools: []string{updateEvents}},
	"open":      {family: "calendar", changes: true, tools: []string{updateEvents}},
	verbCopy:    {family: "calendar", changes: true, copies: true, tools: []string{copyMissing}},
	verbSync:    {family: "calendar", changes: true, copies: true, tools: []string{copyMissing}},
	"copyopen":  {family: "calendar", changes: true, copies: true, tools: []string{copyMissing}},
	"syncopen":  {family: "calendar", changes: true, copies: true, tools: []string{copyMissing}},
	"double":    {family: "calendar", changes: true, time: true, tools: []string{"calendar_copyEvents"}},
	verbBlock:   {family: "schedule", changes: true, span: true, tools: []string{createBlock, createEvents}},
	verbAgain:   {family: "calendar"},
	verbAlike:   {family: "calendar"},
	verbAvoid:   {family: "preference", changes: true, tools: []string{preferences}},
	"prefer":    {family: "preference", changes: true, tools: []string{preferences}},
	"work":      {family: "preference", changes: true, tools: []string{preferences}},
	verbHours:   {family: "preference", changes: true, span: true, tools: []string{preferences}},
	verbGuard:   {family: "preference", changes: true, kept: true, tools: []string{preferences}},
	verbAsk:     {family: "preference", changes: true, kept: true, tools: []string{preferences}},
	verbOff:     {family: "preference", changes: true, kept: true, tools: []string{preferences}},
	verbOn:      {family: "preference", changes: true, kept: true, tools: []string{preferences}},
}

// follows reports whether a verb is the operation before once more.
func follows(v verb) bool { return v == verbAgain || v == verbAlike }

// dates reports whether a time that is said with the verb is that of the events that it changes.
func (d duty) dates() bool { return d.changes && d.family == "calendar" && !d.time }

// means reports whether the verb changes events, which are pointed at if they are not named.
func (d duty) means() bool {
	return d.changes && d.family == "calendar" && len(d.tools) > 0 && !d.copies
}

// reads reports whether a verb only reads.
func reads(v verb) bool { return !duties[v].changes }

// ofOne are the aspects that are asked of an event, and never of all that there is.
var ofOne = map[string]bool{"when": true, "where": true, "who": true, "notes": true}

// settle says what the verb still needs.
func (op *operation) settle(meansEvents bool) {
	if op.verb == verbFree && op.time.Exact == nil && len(op.who) == 0 {
		op.verb = verbGaps
	}
	duty := duties[op.verb]
	if duty.sooner {
		op.by = -op.by
	}
	switch {
	case op.points, meansEvents && op.events.pronoun,
		meansEvents && (duty.changes || ofOne[duty.aspect]) && op.events.empty():
		op.missing = missesWhich
	case duty.time && !op.moves(), duty.span && !op.spans(), duty.family == "preference" && !duty.kept && !op.time.Says():
		op.missing = missesWhen
	case duty.text && len(op.texts) == 0:
		op.missing = missesText
	case duty.by && op.by == 0:
		op.missing = missesSpan
	case op.verb == verbDelete && op.events.unbounded():
		op.missing = missesAll
	}
}

// moves reports whether it is said to which time something goes.
func (op *operation) moves() bool {
	if op.roams() {
		return true
	}
	day := len(op.time.Dates) == 1 && op.time.Dates[0].Start == op.time.Dates[0].End
	if op.time.Exact == nil && len(hoursNamed(op.time)) > 0 || len(op.time.Dates) > 0 && !day {
		return false
	}
	return op.by != 0 || op.time.Exact != nil || day
}

// spans reports whether it is said from when to when a block is.
func (op *operation) spans() bool {
	_, _, ok := op.span()
	_, _, some := op.within()
	return ok || some
}

// within are the hours that have a block somewhere, none if only the day is said, and how many minutes it takes.
func (op *operation) within() (w interval.Window, length int, ok bool) {
	first, last, dated := datesOf(op.time)
	length = int(op.time.Duration / time.Minute)
	windows := hoursNamed(op.time)
	switch {
	case length == 0 || op.every || op.time.Exact != nil || op.time.AllDay || dated && first != last:
		return w, 0, false
	case len(windows) == 0:
		return w, length, dated
	}
	w = windows[0]
	return w, length, len(windows) == 1 && w.End < interval.EndOfDay && int(w.End-w.Start) > length
}

// span is from when to when a block is on the clock: as long as was said, or else an hour.
func (op *operation) span() (start, end interval.Clock, ok bool) {
	windows := hoursNamed(op.time)
	switch {
	case op.time.AllDay, len(op.time.Dates) > 0 && len(windows) == 0 && op.time.Duration == 0:
		return 0, 0, false
	case len(windows) != 1:
		return 0, 0, false
	}
	window, length := windows[0], interval.Clock(op.time.Duration/time.Minute)
	switch {
	case op.time.Exact != nil && length == 0:
		length = 60
	case op.time.Exact == nil && length > 0 && window.End < interval.EndOfDay && window.End-window.Start != length:
		return 0, 0, false // some of the hours are meant, and it is not said which
	case op.time.Exact == nil && length == 0:
		return window.Start, window.End, true
	}
	return window.Start, min(window.Start+length, interval.EndOfDay), true
}

// hoursNamed are the windows of the clock that a text names, the same for all its days.
func hoursNamed(r when.Reading) []interval.Window {
	for _, windows := range r.Hours.Week {
		if len(windows) > 0 {
			return windows
		}
	}
	if len(r.Hours.On) > 0 {
		return r.Hours.On[0].Windows
	}
	return nil
}
