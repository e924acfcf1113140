package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// editor fills in a change, one part after the other.
type editor struct {
	sentence
	own  ownWords
	data templateData
	now  time.Time
	out  editArguments
	// start and end are those of the proposed event; known says that there is one.
	start, end time.Time
	known      bool
	// touched are the parts that changed, in the words of editType.
	touched []string
}

// What an edit is about that takes back another: the last one, or all of them.
const (
	undoLast = "undo"
	undoAll  = "original"
)

// newEdit reads a change of the cached template.
func newEdit(d templateData, now time.Time) editArguments { return edited(d, now).out }

func edited(d templateData, now time.Time) *editor {
	e := &editor{data: d, now: now, out: editArguments{
		TimePreference: "none",
		NewDates:       []dateRange{}, NewExcludedDates: []dateRange{},
		AddParticipants: []string{}, RemoveParticipants: []string{},
		AddWishes: []string{}, RemoveWishes: []string{}, ExcludePlaces: []string{}, AllowPlaces: []string{},
		Unhandled: []string{},
	}}
	e.readEvent()
	e.sentence, e.own = d.wish(now, e.setting())
	if _, after, more := strings.Cut(strings.TrimSpace(d.Message), " "); more && e.own.foreign() && e.begins("more") {
		// "Another half an hour" of an event is no time in half an hour.
		if by := lengthOf(after, when.Setting{Language: Language(readable(d.Message), d.RecentTurns)}, now); by > 0 {
			e.time = when.Reading{Duration: by}
		}
	}
	if e.out.EditType = e.undoes(); e.out.EditType != "" {
		return e
	}
	v := e.venue
	if area, ok := e.bareArea(); ok {
		v.where.area = e.spoken(area.from, area.to)
		v.used.add(area.from, area.to)
	}
	if e.title(); e.out.NewTitle == nil && !e.busy() {
		e.people(&v)
		e.activity(v)
		e.where(v)
		e.retitle()
	}
	e.option()
	e.when()
	e.out.IsConditional = e.conditional()
	e.out.NewTravelBuffer = e.travel()
	e.out.EditType = e.editType()
	return e
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
		s.Week, s.Day, s.Start = interval.DateOf(e.start), interval.DateOf(e.start), e.start
	}
	switch activity := e.data.Template.Activity; {
	case activity == "dinner" || activity == "drinks", e.known && activity != "breakfast" && e.start.Hour() >= 17:
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
	if len(e.touched) == 1 {
		return e.touched[0]
	}
	return "multiple"
}

func (e *editor) title() {
	t := e.explicitTitle(true, nil)
	if e.own.foreign() {
		said := parse(e.data.Message, e.now, when.Setting{Language: Language(readable(e.data.Message), e.data.RecentTurns)})
		t = said.renamedTo(e.own.Renaming)
	}
	if t != "" {
		e.out.NewTitle = &t
		e.touch("title")
		e.forgetTimesIn(t)
	}
}

// forgetTimesIn drops what a title seems to say about when: "call it Q4 planning".
func (e *editor) forgetTimesIn(title string) {
	for _, w := range e.words { // "Al" is not in "half"
		to := w.start + len(title)
		if to <= len(e.text) && strings.EqualFold(e.text[w.start:to], title) &&
			slices.ContainsFunc(e.words, func(last word) bool { return last.end == to }) {
			e.forgetTimes(&e.sentence, w.start, to)
			return
		}
	}
}

// titled is a title in the language of the one that the event has.
func (e *editor) titled(what string, names []string) string {
	for _, t := range tongues() {
		if strings.Contains(e.data.Template.Title, t.With) {
			return t.titled(what, names)
		}
	}
	return titled(what, names)
}

// activity reads "lunch instead", with all that another activity brings along, and "over zoom".
func (e *editor) activity(v venue) {
	a, named := e.activityOf()
	if (v.name != "" || !v.where.empty()) && v.covers(a.index) {
		named = false // "Foreign Cinema" and "near the park" are where, and not what for
	}
	changed := named && e.isAnother(a)
	switch {
	case changed:
		e.become(a)
	case named && a.query != "" && v.query == "":
		e.out.NewActivitySearchQuery = &a.query
		e.touch("place")
	}
	e.manner(v, changed, named && a.kind == "call")
}

// isAnother reports whether an activity is another one than that of the event. What to eat changes the place, and not
// the meal.
func (e *editor) isAnother(a activity) bool {
	t := e.data.Template
	if a.remote || strings.Contains(strings.ToLower(t.Title), a.name) {
		return false
	}
	if dishes[a.name] && meals[t.Activity] != "" && t.Activity != "coffee" && t.Activity != "drinks" {
		return false
	}
	return a.kind != t.Activity || a.kind == "custom" || a.place != "" && !slices.Contains(t.SuggestedPlaceTypes, a.place)
}

// become makes the event one of another activity: with its length, its title and its kind of place.
func (e *editor) become(a activity) {
	if a.kind != e.data.Template.Activity {
		e.out.NewActivity = &a.kind
	}
	if e.time.Duration == 0 && a.kind != e.data.Template.Activity {
		minutes := usualMinutes[a.kind]
		if a.minutes > 0 {
			minutes = a.minutes
		}
		e.out.NewDuration = &minutes
		e.touch("duration")
	}
	title := e.titled(fallbackTitle(a), e.everyone())
	if e.own.foreign() {
		title = e.own.titled(e.own.called(a), e.everyone())
	}
	e.out.NewTitle = &title
	e.touch("title")
	if a.place != "" {
		e.out.NewPlaceType = &a.place
		e.touch("place")
	}
	if a.query != "" {
		e.out.NewActivitySearchQuery = &a.query
	}
}

// manner reads how people meet: "over zoom", "in person". In person without any place is over coffee; another activity
// that has a place takes the event there.
func (e *editor) manner(v venue, elsewhere, call bool) {
	t, kind := e.data.Template, ""
	switch {
	case e.says(videoWords...) && !e.says(noVideoWords...):
		kind = "video"
	case e.says(inPersonWords...) || e.changes("in person"):
		kind = "in-person"
	case e.says(phoneWords...) || e.changes("phone") || call && e.own.foreign() && e.size <= shortMessage:
		kind = "phone"
	case elsewhere:
		kind = "in-person"
	}
	if kind != "" && kind != t.EventType {
		e.out.NewEventType = &kind
		e.touch("place")
	}
	if kind == "in-person" && len(t.SuggestedPlaceTypes) == 0 && t.PlaceName == "" && e.out.NewPlaceType == nil &&
		v.empty() && !elsewhere {
		cafe := usualPlace["coffee"]
		e.out.NewPlaceType = &cafe
	}
}

// everyone are the people by name after the change.
func (e *editor) everyone() []string {
	stay := slices.DeleteFunc(slices.Clone(e.data.Template.Participants), func(name string) bool {
		return slices.ContainsFunc(e.out.RemoveParticipants, func(r string) bool { return strings.EqualFold(r, name) })
	})
	return append(stay, e.out.AddParticipants...)
}

// retitle keeps a title that says who comes true to who does, and that of a meal to the call that it becomes.
func (e *editor) retitle() {
	what, rest, ok := e.titleWithout()
	if e.out.NewTitle != nil || !ok {
		return
	}
	a, named := e.activityOf()
	called := named && a.kind == "call" && e.out.NewEventType != nil && *e.out.NewEventType != "in-person" &&
		meals[firstOf(e.own.words[strings.ToLower(what)], strings.ToLower(what))] != ""
	switch {
	case called && e.own.foreign():
		what = e.own.called(a)
	case called:
		what = fallbackTitle(a)
	case len(e.out.AddParticipants)+len(e.out.RemoveParticipants) == 0:
		return
	}
	title := joined(e.titled(what, e.everyone()), rest)
	e.out.NewTitle = &title
}

// titleWithout is the template's title without the names, where it is made of what people meet for, the names of the
// people, and perhaps the rest that follows them: "about the plan".
func (e *editor) titleWithout() (what, rest string, ok bool) {
	what, rest, ok = strings.Cut(e.data.Template.Title, " with ")
	for _, t := range tongues() {
		if !ok {
			what, rest, ok = strings.Cut(e.data.Template.Title, t.With)
		}
	}
	for joins := false; ok; {
		rest = strings.TrimLeft(rest, " ,")
		n, join := e.namedAt(rest)
		if n == 0 {
			return what, rest, !joins
		}
		rest, joins = rest[n:], join
	}
	return "", "", false
}

// namedAt is how long the name of someone who takes part is at the head of a text, or a word that joins two of them.
func (e *editor) namedAt(text string) (n int, join bool) {
	for _, name := range e.data.Template.Participants {
		name = titleName(name)
		if len(name) > n && len(text) >= len(name) && strings.EqualFold(text[:len(name)], name) {
			n = len(name)
		}
	}
	if next, _ := utf8.DecodeRuneInString(text[n:]); n > 0 && !unicode.IsLetter(next) {
		return n, false
	}
	if strings.HasPrefix(text, "others") {
		return len("others"), false
	}
	for _, and := range []string{"and ", "y ", "e ", "ו־", "ו"} {
		if strings.HasPrefix(text, and) {
			return len(and), true
		}
	}
	return 0, false
}
