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
