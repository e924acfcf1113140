package offline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// longest is the longest stretch, in minutes, that "from 9 to 5" names the length of a short event with; a longer one
// names the hours between which it has to lie.
const longest = 4 * 60

// wholeDay is how long something "all day" takes: a working day.
const wholeDay = 8 * time.Hour

// newTemplate is the template of a new event, of the wish that the message is and the words that it was written in.
func newTemplate(d templateData, s *sentence, own ownWords) templateArguments {
	a, named := s.activityOf()
	v := s.venue
	people := s.peopleOf(&v)
	if !named {
		a = s.unnamedActivity(&v)
	}
	v.where = v.where.among(namesOf(people), d.known())
	what := s.titler(a, people, &v, own)
	if own.foreign() {
		name, area := what.housed(a.place != "" && a.kind != "meeting")
		v.name, v.where.area = firstOf(v.name, name), firstOf(v.where.area, area)
	}
	t := templateArguments{
		EventType:           s.eventType(a, !v.empty() || v.spot.to > 0),
		Activity:            a.kind,
		Participants:        namesOf(people),
		UndecidedPeople:     orEmpty(s.undecided(people, &v)),
		SuggestedPlaceTypes: []string{},
		Unhandled:           []string{},
		ActivitySearchQuery: joined(a.query, v.wish()),
		Wishes:              orEmpty(v.features),
		ExcludedPlaces:      orEmpty(v.refused),
		PlaceName:           v.name,
		TravelBuffer:        s.travel(),
		Title:               what.title(),
	}
	t.fillTime(s.time)
	t.chooseFreeTime(s, d)
	t.fillDaytime(s, a)
	if a.minutes > 0 && t.Duration == nil {
		t.Duration = &a.minutes
	}
	if what.held && len(people) == 0 {
		t.keepFree(s.time)
	} else {
		t.fillPlace(s, a, v)
	}
	t.chooseSuggestion(s, d)
	return t
}

// keepFree makes the event a time that is only kept free: with nobody, nowhere, and as long as the part of the day that
// is named, or the working day.
func (t *templateArguments) keepFree(r when.Reading) {
	t.EventType, t.IntentSpecificity = "in-person", "open"
	t.PlaceName, t.ActivitySearchQuery, t.Wishes = "", "", []string{}
	if t.Duration != nil || r.Exact != nil || len(r.Dates) == 0 {
		return
	}
	t.Duration = minutesOf(wholeDay)
	for _, windows := range r.Hours.Week {
		if len(windows) == 1 && windows[0].End-windows[0].Start < interval.Clock(wholeDay.Minutes()) {
			t.Duration = minutesOf(time.Duration(windows[0].End-windows[0].Start) * time.Minute)
		}
	}
}

// unnamedActivity is what is meant where no word says it: leisure where people just want to be together or a place is
// named, otherwise a meeting.
func (s *sentence) unnamedActivity(v *venue) activity {
	switch {
	case v.kind == "cafe":
		return activity{kind: "coffee", place: v.kind, index: -1}
	case v.kind == "bar":
		return activity{kind: "drinks", place: v.kind, index: -1}
	case v.kind == "restaurant" || slices.ContainsFunc(v.features, func(f string) bool { return lexed["diet"][f] != nil }):
		kind, place := s.mealOf(activity{kind: "dinner", place: "restaurant"})
		return activity{kind: kind, place: place, index: -1}
	}
	if s.speaksOf("something") || s.says(leisureWords...) || !v.empty() && !s.says("meeting", "meet") {
		return activity{kind: "custom", index: -1}
	}
	return activity{kind: "meeting", index: -1, remote: true}
}

// orEmpty is the list, never null.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func joined(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// fillTime sets days, hours and length.
func (t *templateArguments) fillTime(r when.Reading) {
	t.PreferredSchedulableDates, t.ExcludedDates = dates(r.Dates), dates(r.ExcludedDates)
	t.ExcludedHours = excluded(r)
	t.Duration = minutesOf(r.Duration)
	if r.AllDay && t.Duration == nil {
		t.Duration = minutesOf(wholeDay)
	}
	if r.Exact != nil && r.Duration.Minutes() >= longest && !lengthSaid(r) && t.Activity != "custom" &&
		t.Activity != "meeting" {
		span := interval.Window{Start: *r.Exact, End: min(*r.Exact+interval.Clock(r.Duration/time.Minute), interval.EndOfDay)}
		r.Hours.Week, t.Duration = interval.EveryDay(span), nil
	}
	minutes := usualMinutes[t.Activity]
	if t.Duration != nil {
		minutes = *t.Duration
	}
	t.PreferredSchedulableHours = wanted(r, minutes)
}

// fillDaytime gives an outing of the day, and anything that lasts all of one, the hours of the day where the message
// names none.
func (t *templateArguments) fillDaytime(s *sentence, a activity) {
	whole := s.time.AllDay && t.Activity == "custom"
	byDay := t.Activity == "custom" && lexed["daytime"][a.place] != nil && len(s.time.Dates) > 0
	if t.PreferredSchedulableHours != nil || !whole && !byDay {
		return
	}
	day := interval.Window{Start: interval.At(10, 0), End: interval.At(19, 0)}
	if whole {
		day = interval.Window{Start: interval.At(8, 0), End: interval.At(20, 0)}
	}
	t.PreferredSchedulableHours = hoursOf(when.Hours{Week: interval.EveryDay(day)})
}

// lengthSaid reports whether the length was said as one ("for 4 hours") rather than as an end ("from 9 to 5").
func lengthSaid(r when.Reading) bool {
	return slices.ContainsFunc(r.Entities, func(e when.Entity) bool { return e.Kind == when.KindDuration })
}

// fillPlace sets what kind of venue is meant and how settled that is. A talk in person without any place is over
// coffee.
func (t *templateArguments) fillPlace(s *sentence, a activity, v venue) {
	if t.EventType != "in-person" {
		t.PlaceName, t.ActivitySearchQuery, t.IntentSpecificity = "", "", "open"
		return
	}
	if v.name == "" && s.private(&v) {
		t.ActivitySearchQuery, t.IntentSpecificity, t.Wishes = "", "open", []string{}
		return
	}
	t.Where = v.where.argument()
	kind := firstOf(v.kind, a.place)
	if kind == "" && v.name == "" && (t.Activity == "meeting" || t.Activity == "call") && s.says(inPersonWords...) {
		kind = usualPlace["coffee"]
	}
	if kind != "" {
		t.SuggestedPlaceTypes = []string{kind}
	}
	if kind == "" && v.name == "" && t.ActivitySearchQuery == "" && s.speaksOf("something") {
		t.SuggestedPlaceTypes, t.IntentSpecificity = s.anyKinds(), "open"
		return
	}
	switch {
	case v.name != "":
		t.IntentSpecificity = "specific_place"
	case len(t.SuggestedPlaceTypes) > 0 || t.ActivitySearchQuery != "":
		t.IntentSpecificity = "activity_type"
	default:
		t.IntentSpecificity = "open"
	}
}

// anyKinds are different kinds of place, where the message leaves open what to do.
func (s *sentence) anyKinds() (kinds []string) {
	key := "open"
	if s.time.Exact != nil && *s.time.Exact >= 17*60 || s.says("tonight", "evening", "night") {
		key = "evening"
	}
	for _, list := range placeBook().other[key] {
		for _, e := range list {
			kinds = append(kinds, strings.Join(e.words, " "))
		}
	}
	slices.Sort(kinds)
	return kinds
}

// known are the names of everybody whom the conversation knows.
func (d templateData) known() []string {
	names := slices.Clone(d.Participants)
	for _, p := range d.People {
		names = append(names, p.Name)
	}
	if d.Template != nil {
		names = append(names, d.Template.Participants...)
	}
	return names
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// travel is the travel time that the message asks for; nil where it does not.
func (s *sentence) travel() *bufferMinutes {
	minutes := int(s.time.Travel / time.Minute)
	switch {
	case minutes > 0:
	case s.says(noTravelWords...):
		return &bufferMinutes{}
	case s.says(travelWords...):
		minutes = 30
	default:
		return nil
	}
	switch s.time.TravelSide {
	case when.BeforeIt:
		return &bufferMinutes{minutes, 0}
	case when.AfterIt:
		return &bufferMinutes{0, minutes}
	default:
		return &bufferMinutes{minutes, minutes}
	}
}

// chooseSuggestion makes the template of one of the suggested activities where the message means one.
func (t *templateArguments) chooseSuggestion(s *sentence, d templateData) {
	i := s.suggestionMeant(d.Activities)
	if i < 0 {
		return
	}
	chosen := d.Activities[i]
	number := chosen.Number
	t.SuggestedActivity = &number
	if len(t.Participants) == 0 {
		t.Participants = d.companions()
	}
	t.Title = titled(chosen.Title, t.Participants)
	t.Activity, t.EventType = "custom", "in-person"
	if chosen.Venue != "" {
		t.PlaceName, t.IntentSpecificity = chosen.Venue, "specific_place"
	}
	start, err := parseTime(chosen.Start)
	if err != nil {
		return
	}
	t.PreferredSchedulableDates, t.PreferredSchedulableHours = oneDay(start), exactly(start)
	if end, err := parseTime(chosen.End); err == nil && end.After(start) {
		t.Duration = minutesOf(end.Sub(start))
	}
}

// chooseFreeTime takes the day and the hours of the free time that the message means by its place in the list, or by
// "then" if it is the only one, all of their hours for "then" if there are several on one day, and the day at hand for
// a clock time without a day. What the message says of time itself goes before.
func (t *templateArguments) chooseFreeTime(s *sentence, d templateData) {
	n, then := s.choice(len(d.FreeTimes)), pointsToTime.MatchString(d.Message)
	if d.takesFreeTime(s) {
		n = 1
	}
	looked := d.Template == nil || isOwnDay(d.RecentTurns)
	switch {
	case len(t.PreferredSchedulableDates) > 0 || s.time.Shift != (when.Shift{}):
	case n > 0:
		t.chooseTime(d.FreeTimes[n-1])
	case then && len(d.FreeTimes) > 1 && !d.DayAtHand.IsZero():
		t.chooseTime(offeredEvent{Start: d.FreeTimes[0].Start, End: d.FreeTimes[len(d.FreeTimes)-1].End})
	case !d.DayAtHand.IsZero() && (then || looked && s.time.Exact != nil):
		t.PreferredSchedulableDates = dates([]interval.DateRange{{Start: d.DayAtHand, End: d.DayAtHand}})
	}
}

// takesFreeTime reports whether something is to be in the one free time that was shown: "lunch with Al then".
func (d templateData) takesFreeTime(s *sentence) bool {
	_, named := s.activityOf()
	return named && len(d.FreeTimes) == 1 && pointsToTime.MatchString(d.Message)
}

// pointsToTime matches a message that ends with a word for the time that was shown.
var pointsToTime = regexp.MustCompile(`(?i)(?:\bthen|\bat that time|\bentonces|\ba esa hora|` +
	`(?:^|\s)(?:אז|בשעה הזאת|בשעה הזו|באותה שעה))[\s.!?]*$`)

// chooseTime takes the day of a free time, and its hours: a short one is when the event begins.
func (t *templateArguments) chooseTime(free offeredEvent) {
	start, startErr := parseTime(free.Start)
	end, endErr := parseTime(free.End)
	if startErr != nil || endErr != nil {
		return
	}
	t.PreferredSchedulableDates = oneDay(start)
	if t.PreferredSchedulableHours != nil {
		return
	}
	hours := interval.Window{Start: interval.ClockOf(start), End: interval.ClockOf(end)}
	if end.Sub(start) <= defaultLook*time.Minute {
		hours.End = hours.Start
	}
	t.PreferredSchedulableHours = hoursOf(when.Hours{Week: interval.EveryDay(hours)})
}

// companions are the people named with the question that the suggestions answered: "something fun with Al?".
func (d templateData) companions() []string {
	for i, turn := range slices.Backward(d.RecentTurns) {
		s, _ := templateData{Message: turn.User, RecentTurns: d.RecentTurns[:i]}.wish(someDay, when.Setting{})
		if people := s.peopleOf(&s.venue); len(people) > 0 {
			return namesOf(people)
		}
		if Understand(turn.User, Talk{}).Intent == Suggest {
			break
		}
	}
	return []string{}
}

// choice is the number of an option that the message names, of n shown: "the second one", "option 2", "#3", "the last
// one". It is 0 where none is named, or one that was not shown.
func (s *sentence) choice(n int) int {
	switch {
	case s.says("last one", "the last", "last option"):
		return n
	default:
		return within(s.picked(), n)
	}
}

// orderedThings are what people call one of several things by its number.
var orderedThings = wordSet("one option choice slot gap window opening hole time place suggestion event idea")

// isOption reports whether a word means one of several things by its place among them: "second one", "last gap".
func (s *sentence) isOption(i int) bool {
	w, next := s.at(i), s.at(i+1)
	ordered := w.lower == "last" || slices.ContainsFunc(ordinals, func(names []string) bool {
		return slices.Contains(names, w.lower)
	})
	return ordered && (orderedThings[next.lower] || !w.capital() && (next.mark || next.lower == ""))
}

// ordinals are the words for 1, 2 and so on in a row.
var ordinals = [][]string{
	{"first", "1st"}, {"second", "2nd"}, {"third", "3rd"},
	{"fourth", "4th"}, {"fifth", "5th"}, {"sixth", "6th"}, {"seventh", "7th"},
	{"eighth", "8th"}, {"ninth", "9th"}, {"tenth", "10th"},
}

// picked is the number that the message picks, however many there are to pick from; 0 where it picks none.
func (s *sentence) picked() int {
	for i, w := range s.words {
		n := slices.IndexFunc(ordinals, func(names []string) bool { return slices.Contains(names, w.lower) })
		if n < 0 {
			continue
		}
		// "The 1st of December" is a day, and "the second Monday" too.
		if next := s.at(i + 1); next.timed && strings.HasSuffix(next.lower, "day") {
			continue
		}
		if orderedThings[s.at(i+1).lower] || !w.timed && (s.at(i-1).lower == "the" || strings.TrimSpace(s.plain) == w.lower) {
			return n + 1
		}
	}
	for i, w := range s.words {
		if n := figure(w); n > 0 && s.picks(i) {
			return n
		}
	}
	return 0
}

// figure is the whole number up to 99 that a word writes, 0 where it writes none.
func figure(w word) int {
	if n := slices.Index([]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"},
		w.lower); n >= 0 {
		return n + 1
	}
	n, err := strconv.Atoi(w.lower)
	if err != nil || len(w.lower) > 2 || n < 1 {
		return 0
	}
	return n
}

// picks reports whether the number at word i picks an option: by the word before it, or because nothing else is said.
func (s *sentence) picks(i int) bool {
	switch s.at(i - 1).lower {
	case "option", "number", "choice", "no", "#":
		return !s.at(i).timed
	case "do", "take", "pick", "choose", "try":
		next := s.at(i + 1)
		return !s.at(i).timed && next.text != ":" && (next.mark || next.lower == "please" || next.lower == "with")
	}
	if s.glossed && !s.time.Hours.Empty() {
		return false // the Hebrew "at two" is one word
	}
	return !s.at(i).timed && s.size == 1 || s.size == 2 && s.at(1).lower == "please"
}

func within(i, n int) int {
	if i > n {
		return 0
	}
	return i
}
