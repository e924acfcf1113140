package ground

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/when"
)

// lasts says how long something takes at its new time, if that is said.
func (t *timed) lasts(to arguments) {
	if t != nil {
		to["durationMinutes"] = t.minutes()
	}
}

// moves is the tool that puts events at other times: themselves, or copies.
func (r *reading) moves() string {
	if r.says("copying") {
		return "calendar_copyEvents"
	}
	return "calendar_moveEvents"
}

// moveBy is the move of events by a length.
func (r *reading) moveBy(t timed) (string, arguments) {
	minutes := r.directed(t)
	r.locateAll(0)
	if minutes == 0 {
		return "", nil
	}
	to := arguments{"byMinutes": minutes}
	if minutes%(24*60) == 0 {
		to = arguments{"byDays": minutes / 24 / 60}
	}
	return r.moves(), r.selecting(Event, arguments{"to": to})
}

// destination is where an event moves on a day, or on its own; nothing if the time tells several days, or no hour.
func (t timed) destination(day *interval.Date, thing Thing) arguments {
	to := arguments{}
	if len(t.Dates) > 0 && day == nil || t.Exact == nil && !t.Hours.Empty() {
		return to
	}
	if day != nil {
		to["date"] = day.String()
	}
	if t.Exact != nil {
		to["time"] = t.start(thing)
		if t.Duration > 0 {
			to["durationMinutes"] = int(t.Duration.Minutes())
		}
	}
	return to
}

// directed is a length with its sign, negative for earlier; 0 if the message does not tell the direction, or two.
func (r *reading) directed(t timed) int {
	sooner, later := r.says("sooner"), r.says("later")
	switch {
	case sooner && later:
		return 0
	case t.Shift.Minutes < 0 || t.Shift.Days < 0:
		return -t.minutes()
	case t.Shift != (when.Shift{}):
		return t.minutes()
	case sooner == (later || r.says("postpones")):
		return 0
	case sooner:
		return -t.minutes()
	}
	return t.minutes()
}

// start is the clock time at which an event is to begin. A question mark says that nothing tells the half of the day.
func (t timed) start(thing Thing) string {
	switch {
	case t.until:
		return (*t.Exact - interval.Clock(thing.Span.Duration().Minutes())).String()
	case t.open && t.Duration == 0:
		return t.Exact.String() + "?"
	}
	return t.Exact.String()
}

// meant are the events that are meant, of all that are named.
func (r *reading) meant() (all []Thing) {
	for _, m := range r.of(Event) {
		all = append(all, m.meant...)
	}
	return all
}

// sameDay reports whether events begin on one day.
func (r *reading) sameDay(events []Thing) bool {
	return !slices.ContainsFunc(events, func(t Thing) bool { return r.dayOf(t) != r.dayOf(events[0]) })
}

// sameHour reports whether events are of one series, and begin at one time of day, so that one hour can be that of all.
func (r *reading) sameHour(events []Thing) bool {
	hour := func(t Thing) interval.Clock { return interval.ClockOf(t.Span.Start.In(r.Now.Location())) }
	return !slices.ContainsFunc(events, func(t Thing) bool {
		return t.Series == "" || t.Series != events[0].Series || hour(t) != hour(events[0])
	})
}

// ends is the end of a span of time, if the event stands at its beginning, which is meant then: "from 3 to 4".
func (m *mention) ends(t timed, now time.Time) (to timed, ok bool) {
	switch {
	case len(t.Dates) == 1 && t.Dates[0].Start != t.Dates[0].End && t.Exact == nil && t.Hours.Empty() &&
		!words()["weeks"].MatchString(t.text): // "of tomorrow to next week" names no day
		end, monday := t.Dates[0].End, t.Dates[0].Start.AddDays(-(int(t.Dates[0].Start.Weekday())+6)%7)
		if sooner := end.AddDays(-7); interval.DateOf(now).Before(sooner) && !sooner.Before(monday) {
			end = sooner // "from friday to thursday" is in one week
		}
		to.Dates = []interval.DateRange{{Start: end, End: end}}
		t.Dates = []interval.DateRange{{Start: t.Dates[0].Start, End: t.Dates[0].Start}}
	case t.Exact != nil && t.Duration > 0:
		end := *t.Exact + interval.Clock(t.Duration/time.Minute)
		to.Dates, to.Exact = t.Dates, &end
	default:
		return to, false
	}
	on := m.at(t, now.Location())
	if len(on) > 0 {
		m.meant, m.which = firstOfEach(on), !m.many && len(firstOfEach(on)) > 1
	}
	if m.many {
		m.meant = on
	}
	return to, len(on) > 0
}

// near means, of several occurrences, the one of a day or else of its week, unless the message says which one is meant.
func (m *mention) near(day interval.Date, r *reading) {
	if m.described || m.which || len(m.meant) > 1 || len(m.things) == 1 || m.meant[0].ID != m.things[0].ID {
		return
	}
	for _, same := range []func(d interval.Date) bool{
		func(d interval.Date) bool { return d == day },
		func(d interval.Date) bool { return monday(d) == monday(day) },
	} {
		for _, t := range m.things {
			if same(interval.DateOf(t.Span.Start.In(r.Now.Location()))) {
				m.meant = []Thing{t}
				return
			}
		}
	}
}

// monday is that of the week of a day.
func monday(d interval.Date) interval.Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }

// resize is the new length of an event: until a time, by a length, or a length.
func (r *reading) resize() (string, arguments) {
	set := arguments{}
	r.timeToLength()
	if t := r.lasting(); t != nil {
		if t.Shift != (when.Shift{}) && !r.says("ends") && !r.says("starts") {
			t.used = false
			return r.move() // "an hour later" is no length
		}
		r.locateAll(0)
		switch minutes := t.minutes(); {
		case r.says("starts") && (t.Shift != (when.Shift{}) || r.says("ends")):
			return "", nil
		case t.Shift != (when.Shift{}):
			set["longerByMinutes"] = r.directed(*t)
		case r.says("less") && (r.says("by") || !r.stands(t.from, "to")):
			set["longerByMinutes"] = -minutes
		case r.says("by") || words()["by"].MatchString(t.text) || r.says("extends") && !r.stands(t.from, "to"):
			set["longerByMinutes"] = minutes
		default:
			set["durationMinutes"] = minutes
			r.useOldLength()
		}
		return "calendar_updateEvents", r.selecting(Event, arguments{"set": set})
	}
	r.locateAll(1)
	meant, points := r.meant(), r.points()
	if len(meant) != 1 || len(points) != 1 || len(points[0].Dates) > 0 {
		return "", nil
	}
	start := interval.ClockOf(meant[0].Span.Start.In(r.Now.Location()))
	minutes := points[0].after(start)
	if points[0].used = minutes > 0; !points[0].used {
		return "", nil
	}
	set["durationMinutes"] = minutes
	return "calendar_updateEvents", r.selecting(Event, arguments{"set": set})
}

// useOldLength uses a number that denies how long the event is now: "30 minutes, not 45".
func (r *reading) useOldLength() {
	meant := r.meant()
	if len(meant) != 1 {
		return
	}
	r.useOld(int(meant[0].Span.Duration().Minutes()))
}

// useOld uses a number that denies how something is now.
func (r *reading) useOld(now int) {
	for i := range r.words {
		w := &r.words[i]
		w.taken = w.taken || w.lower == strconv.Itoa(now) && r.stands(w.from, "not")
	}
}

// after is how many minutes after a start an event ends that ends then, in the half of the day that comes next, or
// by night if it begins in the evening; 0 if it tells no end.
func (t timed) after(start interval.Clock) int {
	const half, day, evening = 12 * 60, 24 * 60, 17 * 60
	switch end := cmp.Or(t.EndsAt, t.Exact, t.by()); {
	case end == nil, t.Duration > 0 && t.Exact != nil && !t.has(time.Date(1, 1, 1, 0, int(start), 0, 0, time.UTC)):
		return 0
	case t.Duration > 0 && t.Exact != nil:
		return int(t.Duration.Minutes())
	case t.open:
		return int(*end-start+day) % half
	case *end > start:
		return int(*end - start)
	case words()["morning"].MatchString(t.text):
		return 0
	case *end+half > start:
		return int(*end - start + half)
	case start >= evening && int(*end-start)+day <= half:
		return int(*end-start) + day
	}
	return 0
}

// by is the hour by which something ends, if the time is just that; nil if it is not.
func (t timed) by() *interval.Clock {
	all := t.Hours.Week[time.Monday]
	if len(t.Dates) > 0 || len(t.Hours.On) > 0 || len(all) != 1 || all[0].Start != 0 {
		return nil
	}
	return &all[0].End
}

// attend invites people, or takes them off; those who stand behind "instead of" the other way round.
func attend(field, other string) func(*reading) (string, arguments) {
	return func(r *reading) (string, arguments) {
		r.locateAll(0)
		set, last := map[string][]string{}, field
		for i := range r.people {
			p := &r.people[i]
			switch before := r.before(p.from); {
			case p.used:
				continue
			case words()["insteadof"].MatchString(before):
				last = other
			case r.stands(p.from, "not"):
				return "", nil
			case !r.stands(p.from, "and"):
				last = field
			}
			p.used, set[last] = true, append(set[last], p.text)
		}
		if len(set[field]) == 0 || len(set[other]) == 0 && r.says("replacing") {
			return "", nil
		}
		if len(set[other]) > 0 {
			set = map[string][]string{"addAttendees": set[field], "removeAttendees": set[other]}
		}
		all := arguments{}
		for name, people := range set {
			all[name] = people
		}
		return "calendar_updateEvents", r.selecting(Event, arguments{"set": all})
	}
}

// place is where an event is: in the user's own words. An address of the web is no place, and goes into its notes.
func (r *reading) place() (string, arguments) {
	r.locateAll(0)
	denied := form("instead of").FindStringIndex(r.Text)
	where, ok := r.ownWords().(string)
	if !ok || denied != nil {
		where = r.endsWith(form("place"))
	}
	if denied != nil {
		r.useWithin(denied[0], denied[1]) // it is no longer there
	}
	set, link := arguments{}, form("address").FindStringIndex(r.Text)
	if link != nil {
		set["addNotes"] = r.Text[link[0]:link[1]]
		r.takeWords(link[0], link[1])
		where = strings.Trim(strings.Replace(where, r.Text[link[0]:link[1]], "", 1), " ,.:;")
	}
	if where != "" {
		set["location"] = where
	}
	names := func(m *mention) bool { // the event, and no place: "חדר הכושר"
		return slices.ContainsFunc(m.words, func(i int) bool {
			w := r.words[i]
			return slices.ContainsFunc(r.own, func(o said) bool { return o.from <= w.from && w.to <= o.to })
		})
	}
	if len(set) == 0 || slices.ContainsFunc(r.of(Event), names) {
		return "", nil
	}
	return "calendar_updateEvents", r.selecting(Event, arguments{"set": set})
}

// endsWith are the words at the end of a message, after an expression that is found last, if nothing else is in them.
func (r *reading) endsWith(after *regexp.Regexp) string {
	const most = 6
	message := form("instead of").ReplaceAllString(r.delexicalized(), "")
	all := after.FindAllStringIndex(message, -1)
	if len(all) == 0 {
		return ""
	}
	at := all[len(all)-1][1]
	if rest := message[at:]; strings.ContainsAny(rest, "{,;:?") || len(strings.Fields(rest)) > most {
		return ""
	}
	from, to := r.original(at, len(message))
	r.takeWords(from, to)
	return strings.Trim(r.Text[from:to], " .!")
}

// newTitle are the user's own words that an event is called from now on. If an event is named after them, they are less
// than that: "rename planning to gym" has a gym in it.
func (r *reading) newTitle() any {
	title := r.ownWords()
	if title == nil || len(r.quoted) > 0 {
		return title
	}
	from := r.own[len(r.own)-1].from
	if said, _ := title.(string); slices.Contains(conceptsOf(strings.ToLower(said)), "rename") &&
		!slices.Contains(meanings(r.Text[:from]), "rename") {
		return nil // "the dentist called"
	}
	for _, m := range r.of(Event) {
		if len(m.words) > 0 && r.words[m.words[0]].from >= from {
			return nil
		}
	}
	return title
}

// note is a note on an event. What "at" stands before, in a message that says nothing of notes, is where it is.
func (r *reading) note() (string, arguments) {
	r.locateAll(0)
	said := r.ownWords()
	if said == nil {
		return "", nil
	}
	field, before := "addNotes", r.Text[:r.own[len(r.own)-1].from]
	switch noted := slices.Contains(meanings(Plain(r.delexicalized())), "note"); {
	case noted, len(r.quoted) > 0, strings.HasSuffix(strings.TrimSpace(before), ":"):
	case form("at place").MatchString(before):
		field = "location"
	case form("in place").MatchString(before), strings.TrimSpace(before) == "":
		return "", nil // this is not all of its name, or only opens the message
	}
	return "calendar_updateEvents", r.selecting(Event, arguments{"set": arguments{field: said}})
}

// withNoun are the words of an event's name with the word for any event right after it: "the budget meeting".
func (r *reading) withNoun(at []int) []int {
	last := at[len(at)-1]
	if next := last + 1; next < len(r.words) && strings.TrimSpace(r.Text[r.words[last].to:r.words[next].from]) == "" &&
		slices.ContainsFunc(r.words[next].stems, agenda.AnyEvent) {
		return append(slices.Clone(at), next)
	}
	return at
}
