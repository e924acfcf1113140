package offline

import (
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

// newTemplate reads a wish for a new event.
func newTemplate(d templateData, now time.Time) templateArguments {
	s := parse(d.Message, now, when.Setting{})
	a, named := s.activityOf()
	v := s.placeOf()
	people := s.peopleOf(v)
	if !named {
		a = s.unnamedActivity(v)
	}
	t := templateArguments{
		EventType:           s.eventType(a, v.name != "" || v.kind != "" || v.query != ""),
		Activity:            a.kind,
		Participants:        namesOf(people),
		SuggestedPlaceTypes: []string{},
		ActivitySearchQuery: joined(a.query, v.query),
		PlaceName:           v.name,
		TravelBuffer:        s.travel(),
		Title:               s.titleOf(a, people, v),
	}
	t.fillTime(s.time)
	t.fillPlace(a, v)
	t.chooseSuggestion(s, d)
	return t
}

// unnamedActivity is what is meant where no word says it: leisure where people just want to be together or a place is
// named, otherwise a meeting.
func (s sentence) unnamedActivity(v venue) activity {
	if s.says("hang out", "hang", "get together", "fun", "date night", "celebrate", "birthday", "trip", "visit", "chill", "play", "date") ||
		!v.empty() && !s.says("meeting", "meet") {
		return activity{kind: "custom", index: -1}
	}
	return activity{kind: "meeting", index: -1, remote: true}
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
	if r.Exact != nil && r.Duration.Minutes() >= longest && t.Activity != "custom" && t.Activity != "meeting" {
		span := interval.Window{Start: *r.Exact, End: min(*r.Exact+interval.Clock(r.Duration/time.Minute), interval.EndOfDay)}
		r.Hours.Week, t.Duration = interval.EveryDay(span), nil
	}
	minutes := usualMinutes[t.Activity]
	if t.Duration != nil {
		minutes = *t.Duration
	}
	t.PreferredSchedulableHours = wanted(r, minutes)
}

// fillPlace sets what kind of venue is meant and how settled that is.
func (t *templateArguments) fillPlace(a activity, v venue) {
	if t.EventType != "in-person" {
		t.PlaceName, t.ActivitySearchQuery, t.IntentSpecificity = "", "", "open"
		return
	}
	if kind := firstOf(v.kind, a.place); kind != "" {
		t.SuggestedPlaceTypes = []string{kind}
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

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// travel is the travel time that the message asks for; nil where it does not.
func (s sentence) travel() *bufferMinutes {
	minutes := int(s.time.Travel / time.Minute)
	switch {
	case minutes > 0:
	case s.says("no travel time", "no travel buffer", "without travel time", "without travel", "no buffer", "without a buffer"):
		return &bufferMinutes{}
	case s.says("time to get there", "travel time", "travel buffer", "time to travel", "time to drive", "time to commute", "buffer time"):
		minutes = 30
	default:
		return nil
	}
	return &bufferMinutes{minutes, minutes}
}

// chooseSuggestion makes the template of one of the suggested activities where the message means one.
func (t *templateArguments) chooseSuggestion(s sentence, d templateData) {
	i := s.suggestionMeant(d.Activities)
	if i < 0 {
		return
	}
	chosen := d.Activities[i]
	number := chosen.Number
	t.SuggestedActivity = &number
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

// suggestionMeant is the index of the suggestion that the message means by its number or its words; -1 for none.
func (s sentence) suggestionMeant(all []knownActivity) int {
	if len(all) == 0 {
		return -1
	}
	if n := s.choice(len(all)); n > 0 {
		for i, a := range all {
			if a.Number == n {
				return i
			}
		}
	}
	best, most, tie := -1, 0, false
	for i, a := range all {
		score := s.shares(a.Title + " " + a.Venue)
		switch {
		case score > most:
			best, most, tie = i, score, false
		case score == most && score > 0:
			tie = true
		}
	}
	if tie || most == 0 {
		return -1
	}
	return best
}

// shares is how many words of substance the message and a text have in common.
func (s sentence) shares(text string) int {
	n := 0
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		w = strings.Trim(w, ".,:;!?()'\"")
		if len(w) > 3 && !stopWords[w] && !leads[w] && (s.saysAside(w) || s.saysAside(strings.TrimSuffix(w, "s")) || s.saysAside(w+"s")) {
			n++
		}
	}
	return n
}

// choice is the number of an option that the message names, of n shown: "the second one", "option 2", "#3", "the last
// one". It is 0 where none is named.
func (s sentence) choice(n int) int {
	numbers := []struct{ words []string }{
		{[]string{"first", "1st"}}, {[]string{"second", "2nd"}}, {[]string{"third", "3rd"}}, {[]string{"fourth", "4th"}},
		{[]string{"fifth", "5th"}}, {[]string{"sixth", "6th"}}, {[]string{"seventh", "7th"}}, {[]string{"eighth", "8th"}},
	}
	digits := []string{"1", "2", "3", "4", "5", "6", "7", "8"}
	spelled := []string{"one", "two", "three", "four", "five", "six", "seven", "eight"}
	for i := range numbers {
		for _, w := range numbers[i].words {
			if s.says(w+" one", w+" option", w+" choice", w+" slot", w+" time", w+" place", w+" suggestion", w+" event", "the "+w, w+" idea") ||
				strings.TrimSpace(s.plain) == w {
				return within(i+1, n)
			}
		}
		for _, w := range []string{digits[i], spelled[i]} {
			if s.says("option "+w, "number "+w, "choice "+w, "no "+w) || s.text == w || s.text == "#"+w || strings.Contains(s.text, "#"+w) {
				return within(i+1, n)
			}
		}
	}
	if s.says("last one", "the last", "last option") {
		return n
	}
	if n == 2 && s.says("other one", "the other") {
		return 2
	}
	return 0
}

func within(i, n int) int {
	if i > n {
		return 0
	}
	return i
}
