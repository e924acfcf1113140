package offline

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// editor fills in a change, one part after the other.
type editor struct {
	sentence
	data templateData
	now  time.Time
	out  editArguments
	// start and end are those of the proposed event; known says that there is one.
	start, end time.Time
	known      bool
	// touched are the parts that changed, in the words of editType.
	touched []string
}

// newEdit reads a change of the cached template.
func newEdit(d templateData, now time.Time) editArguments {
	e := &editor{data: d, now: now, out: editArguments{
		TimePreference: "none",
		NewDates:       []dateRange{}, NewExcludedDates: []dateRange{}, AddParticipants: []string{}, RemoveParticipants: []string{},
	}}
	e.readEvent()
	e.sentence = parse(d.Message, now, e.setting())
	v := e.placeOf()
	e.title()
	if e.out.NewTitle == nil {
		e.people(v)
		e.activity(v)
		e.where(v)
	}
	e.option()
	e.when()
	e.out.IsConditional = e.conditional()
	e.out.NewTravelBuffer = e.travel()
	e.out.EditType = e.editType()
	return e.out
}

func (e *editor) readEvent() {
	if e.data.Template == nil {
		e.data.Template = &knownTemplate{}
	}
	if e.data.Event == nil {
		return
	}
	start, err := parseTime(e.data.Event.Start)
	if err != nil {
		return
	}
	e.start, e.known = start.In(e.now.Location()), true
	if e.end, err = parseTime(e.data.Event.End); err != nil || !e.end.After(e.start) {
		e.end = e.start.Add(time.Duration(e.data.Template.Duration) * time.Minute)
	}
}

// setting is what is known of the event at hand: its half of the day, for "make it 8", and its week, for "Thursday".
func (e *editor) setting() when.Setting {
	var s when.Setting
	if e.known {
		s.Week = interval.DateOf(e.start)
	}
	switch activity := e.data.Template.Activity; {
	case activity == "dinner" || activity == "drinks", e.known && activity != "breakfast" && e.start.Hour() >= 16:
		s.Occasion = when.Evening
	case activity == "breakfast":
		s.Occasion = when.Morning
	}
	return s
}

func (e *editor) touch(part string) {
	if !slices.Contains(e.touched, part) {
		e.touched = append(e.touched, part)
	}
}

func (e *editor) editType() string {
	switch len(e.touched) {
	case 0:
		return "multiple"
	case 1:
		return e.touched[0]
	default:
		return "multiple"
	}
}

func (e *editor) title() {
	if t := e.explicitTitle(true); t != "" {
		e.out.NewTitle = &t
		e.touch("title")
	}
}

// people reads who is added and who is left out.
func (e *editor) people(v venue) {
	leaving := e.listBehind(v, "without", "remove", "drop", "minus", "uninvite", "exclude", "take off", "take out", "leave out")
	e.out.RemoveParticipants = append(e.out.RemoveParticipants, leaving...)
	for _, name := range e.data.Template.Participants {
		first, _, _ := strings.Cut(strings.ToLower(name), " ")
		if e.says(first+" can't make it", first+" can't come", first+" cannot make it", first+" cannot come", first+" isn't coming", first+" won't make it", "not "+first, "take "+first+" off", "take "+first+" out", "leave "+first+" out") {
			e.out.RemoveParticipants = append(e.out.RemoveParticipants, name)
		}
	}
	adding := e.says("add", "invite", "include", "bring", "too", "as well", "along", "also", "join")
	for _, p := range e.peopleOf(v) {
		gone := slices.ContainsFunc(e.out.RemoveParticipants, func(r string) bool { return strings.EqualFold(r, p.name) })
		if gone || knows(e.data, p.name) {
			continue
		}
		if strongBefore[e.at(p.from-1).lower] {
			e.out.AddParticipants = append(e.out.AddParticipants, p.name)
		}
	}
	if adding {
		e.addBehind(v)
	}
	if len(e.out.AddParticipants)+len(e.out.RemoveParticipants) > 0 {
		e.touch("participants")
	}
}

// addBehind reads "bring Dana along", "can Dana join too?".
func (e *editor) addBehind(v venue) {
	found := e.listBehind(v, "add", "adding", "bring", "have")
	for i := range e.words {
		switch e.words[i].lower {
		case "join", "joins", "joining", "come", "coming", "comes":
			from := i - 1
			for from > 0 && (e.at(from).lower == "is" || e.at(from).lower == "should" || e.at(from).lower == "will") {
				from--
			}
			for from > 0 && e.isName(from-1, v) && e.at(from-1).capital() && !leads[e.at(from-1).lower] && !stopWords[e.at(from-1).lower] {
				from--
			}
			if e.at(from).capital() && from >= 0 {
				found = append(found, namesOf(e.nameList(from, false, v))...)
			}
		}
	}
	for _, name := range found {
		if !knows(e.data, name) && !slices.Contains(e.out.AddParticipants, name) {
			e.out.AddParticipants = append(e.out.AddParticipants, name)
		}
	}
}

// listBehind are the names behind the first of the phrases.
func (e *editor) listBehind(v venue, phrases ...string) []string {
	var found []string
	for _, phrase := range phrases {
		if i := e.phraseEnd(phrase); i > 0 {
			found = append(found, namesOf(e.nameList(i, true, v))...)
		}
	}
	return found
}

// activity reads "lunch instead", with all that another activity brings along, and "over zoom".
func (e *editor) activity(v venue) {
	t := e.data.Template
	a, named := e.activityOf()
	another := a.kind != t.Activity || a.kind == "custom" || a.place != "" && !slices.Contains(t.SuggestedPlaceTypes, a.place)
	changed := named && another && !strings.Contains(strings.ToLower(t.Title), a.name) && !a.remote
	if changed {
		if a.kind != t.Activity {
			e.out.NewActivity = &a.kind
		}
		if e.time.Duration == 0 && a.kind != t.Activity {
			minutes := usualMinutes[a.kind]
			e.out.NewDuration = &minutes
			e.touch("duration")
		}
		title := titled(fallbackTitle(a), t.Participants)
		e.out.NewTitle = &title
		e.touch("title")
		if a.place != "" {
			e.out.NewPlaceType = &a.place
			e.touch("place")
		}
		if a.query != "" {
			e.out.NewActivitySearchQuery = &a.query
		}
	} else if named && a.query != "" && v.query == "" {
		e.out.NewActivitySearchQuery = &a.query
		e.touch("place")
	}
	kind := ""
	switch {
	case e.says(videoWords...):
		kind = "video"
	case e.says("in person", "in-person", "face to face", "meet up in real life"):
		kind = "in-person"
	case e.says(phoneWords...) || e.says("a call", "on a call", "by call", "call instead"):
		kind = "phone"
	case changed && !a.remote && t.EventType != "in-person":
		kind = "in-person"
	}
	if kind != "" && kind != t.EventType {
		e.out.NewEventType = &kind
		e.touch("place")
	}
}

// where reads another venue or other wishes for one.
func (e *editor) where(v venue) {
	if e.says("same place", "same spot", "same venue", "same location") {
		return
	}
	if name := e.offeredPlaceNamed(); name != "" {
		e.out.NewPlaceName = &name
		e.touch("place")
		return
	}
	if v.name == "" {
		v.name = e.proposedPlace()
	}
	kind := v.kind
	if v.name != "" {
		e.out.NewPlaceName = &v.name
		e.touch("place")
		return
	}
	query := v.query
	elsewhere := e.says("somewhere else", "another place", "different place", "a different spot", "another spot", "other place", "different venue",
		"another venue", "change the place", "change the venue", "different location", "new place")
	if query == "" && kind == "" && !elsewhere {
		return
	}
	if kind == "" && len(e.data.Template.SuggestedPlaceTypes) > 0 && e.out.NewPlaceType == nil {
		kind = e.data.Template.SuggestedPlaceTypes[0]
	}
	if kind != "" {
		e.out.NewPlaceType = &kind
	}
	if query != "" {
		e.out.NewActivitySearchQuery = &query
	}
	e.touch("place")
}

// proposedPlace is the venue of "what about Tartine?", where people meet in person and nobody of that name takes part.
func (e *editor) proposedPlace() string {
	if e.data.Template.EventType != "in-person" {
		return ""
	}
	for _, phrase := range []string{"what about", "how about", "let's try", "try"} {
		i := e.phraseEnd(phrase)
		if i == 0 || !e.at(i).capital() || e.at(i).timed || e.at(i).known() || e.shouted {
			continue
		}
		if name := e.spoken(i, e.nameEnd(i)); name != "" && !knows(e.data, name) {
			return name
		}
	}
	return ""
}

// offeredPlaceNamed is the offered place whose name the message says.
func (e *editor) offeredPlaceNamed() string {
	best, most := "", 0
	for _, name := range e.data.OfferedPlaces {
		if n := e.shares(name); n > most {
			best, most = name, n
		}
	}
	return best
}

// option reads the choice of an offered slot or place: "the second one", "the Wednesday one".
func (e *editor) option() {
	slots, places := e.data.OfferedSlots, e.data.OfferedPlaces
	if e.says("place", "places", "spot", "venue", "cafe", "restaurant", "bar") && len(places) > 0 {
		slots = nil
	} else if len(slots) > 0 {
		places = nil
	}
	if n := e.choice(len(slots)); n > 0 {
		e.slot(slots[n-1])
		return
	}
	if n := e.choice(len(places)); n > 0 {
		e.out.NewPlaceName = &places[n-1]
		e.out.NewActivitySearchQuery, e.out.NewPlaceType = nil, nil
		e.touch("place")
		return
	}
	if i := e.slotOnDay(slots); i >= 0 {
		e.slot(slots[i])
	}
}

// slotOnDay is the offered slot on the day that the message names, where only one is and no other hours are said.
func (e *editor) slotOnDay(slots []offeredEvent) int {
	if len(e.time.Dates) != 1 || !e.time.Hours.Empty() || !e.says("one", "option", "works", "work", "slot", "that", "good", "take") {
		return -1
	}
	found := -1
	for i, s := range slots {
		start, err := parseTime(s.Start)
		if err != nil || start.In(e.now.Location()).Weekday() != e.time.Dates[0].Start.Weekday() {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// slot moves the event to an offered time.
func (e *editor) slot(s offeredEvent) {
	start, err := parseTime(s.Start)
	if err != nil {
		return
	}
	e.start, e.known = start.In(e.now.Location()), true
	e.time.Dates = nil
	e.time.Hours = when.Hours{}
	e.time.Exact = nil
	e.pin(e.start)
}

// pin names one start on one day.
func (e *editor) pin(start time.Time) {
	e.out.NewDates, e.out.NewHours = oneDay(start), exactly(start)
	e.touch("time")
}

// when reads days, hours, length and moves.
func (e *editor) when() {
	r := e.time
	if r.AllDay && r.Duration == 0 {
		r.Duration = wholeDay
	}
	if r.Duration > 0 {
		e.out.NewDuration = minutesOf(r.Duration)
		e.touch("duration")
	}
	e.relativeLength(r)
	e.shift(r.Shift)
	if len(r.Dates) > 0 {
		e.out.NewDates = dates(r.Dates)
		e.touch("date")
	}
	if r.EndsAt != nil && e.known && e.endAt(*r.EndsAt) {
		return
	}
	if !r.Hours.Empty() {
		e.out.NewHours = wanted(r, e.minutes())
		e.touch("time")
		if r.Exact != nil && len(r.Dates) == 0 && e.known {
			// "At 4" of an event that has a day is that day.
			e.out.NewDates = oneDay(e.start)
		}
	}
	e.out.NewExcludedDates = dates(r.ExcludedDates)
	e.out.NewExcludedHours = excluded(r)
	if len(r.ExcludedDates) > 0 || e.out.NewExcludedHours != nil {
		e.touch("date")
	}
	if e.out.NewHours == nil && r.Shift == (when.Shift{}) {
		e.preference()
	}
}

// relativeLength reads "shorter" and "longer" without a measure: half as long, or half as long again.
func (e *editor) relativeLength(r when.Reading) {
	minutes := e.data.Template.Duration
	if r.Duration > 0 || minutes == 0 {
		return
	}
	switch {
	case e.saysAside("shorter"):
		minutes = max(minutes/10*5, 15)
	case e.saysAside("longer"):
		minutes = (minutes*3/2 + 14) / 15 * 15
	default:
		return
	}
	e.out.NewDuration = &minutes
	e.touch("duration")
}

// minutes is how long the event will be.
func (e *editor) minutes() int {
	switch {
	case e.out.NewDuration != nil:
		return *e.out.NewDuration
	default:
		return e.data.Template.Duration
	}
}

// endAt changes the length so that the event ends at a clock time, and reports whether it could.
func (e *editor) endAt(c interval.Clock) bool {
	length := int(c) - int(interval.ClockOf(e.start))
	if length < 0 && length+12*60 > 0 {
		length += 12 * 60
	}
	if length < 5 {
		return false
	}
	e.out.NewDuration = &length
	e.pin(e.start)
	e.touch("duration")
	return true
}

// shift moves the proposed event by so much.
func (e *editor) shift(by when.Shift) {
	if by == (when.Shift{}) {
		return
	}
	if !e.known {
		e.out.TimePreference = "later"
		if by.Minutes < 0 || by.Days < 0 || by.Weeks < 0 {
			e.out.TimePreference = "earlier"
		}
		e.touch("time")
		return
	}
	switch {
	case by.Minutes != 0:
		e.pin(e.start.Add(time.Duration(by.Minutes) * time.Minute))
	case by.Days != 0:
		e.out.NewDates = oneDay(e.start.AddDate(0, 0, by.Days))
		e.touch("date")
	default:
		monday := interval.DateOf(e.start.AddDate(0, 0, 7*by.Weeks))
		monday = monday.AddDays(-(int(monday.Weekday()) + 6) % 7)
		e.out.NewDates = dates([]interval.DateRange{{Start: monday, End: monday.AddDays(6)}})
		e.touch("date")
	}
}

// preference reads "earlier" and "later" without a measure.
func (e *editor) preference() {
	switch {
	case e.saysAside("earlier", "sooner", "not so late", "too late"):
		e.out.TimePreference = "earlier"
	case e.saysAside("later", "not so early", "too early"):
		e.out.TimePreference = "later"
	default:
		return
	}
	e.touch("time")
}

// wondering are beginnings of a question that may be answered with no.
var wondering = []string{"any", "anything", "is there", "are there", "do i have", "do we have", "does it work", "is it possible", "would it be possible",
	"are we", "are you", "am i", "is everyone", "is everybody", "are they", "free at", "available", "what if", "have you got", "do you have", "got anything",
	"could there be", "possible", "something earlier", "something later", "would", "free"}

// conditional reports whether the message asks rather than orders.
func (e *editor) conditional() bool {
	if e.saysAside("please") && !e.asks() {
		return false
	}
	if e.saysAside("any earlier", "any later", "anything earlier", "anything later", "any other", "is there", "are there", "are we both free", "are we free", "if possible") {
		return true
	}
	return e.asks() && (e.saysAside(wondering...) || e.size() <= 2)
}
