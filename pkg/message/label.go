package message

import (
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// When is the long label of candidate slot i: "Tuesday, October 24 at 2:00 PM", with the other participants' local
// times if they differ. It is empty if there is no such slot.
func (f *Facts) When(i int) string {
	f = f.Prepared()
	return f.when(i, f.says().labels)
}

// Short is the label of candidate slot i for lists: "Wednesday at 10:00 AM", with the date if the weekday alone is
// ambiguous.
func (f *Facts) Short(i int) string {
	f = f.Prepared()
	return f.short(i, f.says().labels)
}

// PreviousLabel is the time of the event being changed; empty if there is none.
func (f *Facts) PreviousLabel() string { return f.previous(f.says().labels) }

// Title is the event's title in Markdown: one line, all special characters escaped.
func (f *Facts) Title() string { return escape(oneLine(f.Template.Title, titleLimit)) }

// Name is a person's name in a message: the first name if it is unique in the event, otherwise the full one, and
// "someone" for an empty one. In a right-to-left language, isolates keep a name of the other direction together.
func (f *Facts) Name(full string) string {
	if name := f.marked(f.called(full)); name != "" {
		return f.apart(name)
	}
	return f.phrases().Someone
}

// marked escapes a text that others chose, unless the output is plain.
func (f *Facts) marked(s string) string {
	if f.plain {
		return s
	}
	return escape(s)
}

func (f *Facts) when(i int, t tongue) string {
	if label, ok := nth(f.labels.long, i); ok && f.labels.tag == t.tag {
		return label
	}
	s, ok := f.slot(i)
	if !ok {
		return ""
	}
	return f.local(s.Start, t)
}

func (f *Facts) short(i int, t tongue) string {
	if label, ok := nth(f.labels.short, i); ok && f.labels.tag == t.tag {
		return label
	}
	s, ok := f.slot(i)
	if !ok {
		return ""
	}
	at := f.at(s.Start)
	return t.moment(at, f.shortForm(at), f.ownZone(at, f.otherClocks(at)))
}

func (f *Facts) previous(t tongue) string {
	if f.Previous == nil {
		return ""
	}
	at := f.at(f.Previous.Start)
	return t.moment(at, f.form(at), f.ownZone(at, f.otherClocks(at)))
}

// at is the moment on the reader's clock.
func (f *Facts) at(moment time.Time) time.Time {
	if f.Zone == nil {
		return moment
	}
	return moment.In(f.Zone)
}

// local is the long label of a moment, with the others' clocks if they differ.
func (f *Facts) local(moment time.Time, t tongue) string {
	at := f.at(moment)
	groups := f.otherClocks(at)
	label := t.moment(at, f.form(at), f.ownZone(at, groups))
	var others []string
	for _, group := range groups {
		others = append(others, f.elsewhere(group, at, t))
	}
	if len(others) == 0 {
		return label
	}
	return label + " (" + strings.Join(others, ", ") + ")"
}

// elsewhere is the time on one group's clock: "6:00 PM CEST for Ana", with the weekday if it is another day there.
func (f *Facts) elsewhere(g clockGroup, at time.Time, t tongue) string {
	text := t.clock(g.at) + " " + f.zoneName(g.at)
	if interval.DateOf(g.at) != interval.DateOf(at) {
		text = t.moment(g.at, weekdayForm, f.zoneName(g.at))
	}
	if t.tag == english {
		return text + " for " + f.list(g.names, phrasesOf(english))
	}
	return f.list(g.names, &wording{And: ","}) + ": " + text
}

// clockGroup is people whose clocks agree.
type clockGroup struct {
	at    time.Time
	names []string
}

// otherClocks groups the others whose clock differs from the reader's at that moment, in the order of People.
func (f *Facts) otherClocks(at time.Time) []clockGroup {
	if f.Apart != nil && !f.Apart.Video {
		return nil // who comes from far is here then
	}
	_, own := at.Zone()
	var groups []clockGroup
	index := map[int]int{}
	for i := range f.People {
		p := &f.People[i]
		there, known := f.localTime(p.Timezone, at)
		_, offset := there.Zone()
		if !known || offset == own {
			continue
		}
		i, seen := index[offset]
		if !seen {
			i = len(groups)
			index[offset] = i
			groups = append(groups, clockGroup{at: there})
		}
		groups[i].names = append(groups[i].names, p.Name)
	}
	return groups
}

// localTime is the moment on the clock of that zone; known is false if the zone is unknown.
func (f *Facts) localTime(timezone string, at time.Time) (there time.Time, known bool) {
	loc, loaded := f.zones[timezone]
	if !loaded {
		loc = location(timezone)
	}
	if loc == nil {
		return at, false
	}
	return at.In(loc), true
}

// location is the zone of that name; nil if it is unknown.
func location(name string) *time.Location {
	if name == "" {
		return nil
	}
	loc, err := interval.Zone(name)
	if err != nil {
		return nil
	}
	return loc
}

// labels are the candidates' labels in the user's language, by index.
type labels struct {
	tag               string
	long, short, hint []string
	link, placeHint   []string
	placeHints        [][]string
}

// labelled writes the labels of all candidates: prompts show them all, and messages are checked against all.
func (f *Facts) labelled() labels {
	t := f.says().labels
	l := labels{
		tag: t.tag, long: make([]string, len(f.Slots)),
		short: make([]string, len(f.Slots)), hint: make([]string, len(f.Slots)),
		link: make([]string, len(f.Places)), placeHint: make([]string, len(f.Places)),
		placeHints: make([][]string, len(f.Places)),
	}
	for i := range f.Slots {
		l.long[i], l.short[i], l.hint[i] = f.when(i, t), f.short(i, t), f.SlotHint(i)
	}
	for i := range f.Places {
		l.link[i], l.placeHints[i] = f.PlaceLink(i), f.placeHints(i)
		l.placeHint[i] = strings.Join(l.placeHints[i], ", ")
	}
	return l
}

// nth is the element at index i; ok is false if there is none.
func nth[T any](all []T, i int) (one T, ok bool) {
	if i < 0 || i >= len(all) {
		return one, false
	}
	return all[i], true
}

// Prepared caches the language, zones, names and candidates' labels. The copy describes the facts as they were when it
// was made.
func (f *Facts) Prepared() *Facts {
	if f.zones != nil {
		return f
	}
	prepared := *f
	f = &prepared
	f.speech = speechOf(f.Language)
	zones, calls := map[string]*time.Location{}, map[string]string{}
	for _, p := range append([]meet.Person{f.Organizer}, f.People...) {
		if _, read := zones[p.Timezone]; !read {
			zones[p.Timezone] = location(p.Timezone)
		}
	}
	for _, name := range f.everyName() {
		calls[name] = f.called(name)
	}
	f.zones, f.calls = zones, calls
	if f.Zone != nil {
		f.view = f.outlook(f.Zone)
	}
	f.features = map[string]bool{}
	f.labels = f.labelled()
	f.features = nil
	return f
}

// ownZone is the name of the reader's zone if any clock differs from it; empty if all clocks agree.
func (f *Facts) ownZone(at time.Time, others []clockGroup) string {
	_, own := at.Zone()
	home, known := f.localTime(f.Organizer.Timezone, at)
	_, offset := home.Zone()
	if len(others) == 0 && (!known || offset == own) {
		return ""
	}
	return f.zoneName(at)
}

// zoneName is the zone's abbreviation, or its distance from UTC if it has none, or if another person's zone shares the
// abbreviation and not the time.
func (f *Facts) zoneName(at time.Time) string {
	name, offset := at.Zone()
	if !isAbbreviation(name) {
		return offsetName(at)
	}
	misleads := func(clock time.Time) bool {
		other, elsewhere := clock.Zone()
		return other == name && elsewhere != offset
	}
	home, _ := f.localTime(f.Organizer.Timezone, at)
	if misleads(f.at(at)) || misleads(home) {
		return offsetName(at)
	}
	for i := range f.People {
		if there, _ := f.localTime(f.People[i].Timezone, at); misleads(there) {
			return offsetName(at)
		}
	}
	return name
}

// isAbbreviation reports whether a zone's name is letters; zones without an abbreviation are called "-03" or "+0530".
func isAbbreviation(name string) bool {
	return name != "" && name != "LMT" && !strings.ContainsFunc(name, func(r rune) bool { return r < 'A' || r > 'Z' })
}
