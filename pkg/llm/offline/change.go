package offline

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/when"
)

// inChange is how many words the phrase of the key has that stands at word i in what people say to change an event; 0
// where none does.
func (s *sentence) inChange(key string, i int) int {
	for _, e := range changeBook().other[key][s.at(i).lower] {
		n := 0
		for n < len(e.words) && s.at(i+n).lower == e.words[n] {
			n++
		}
		if n == len(e.words) {
			return n
		}
	}
	return 0
}

// changes reports whether a phrase of the key stands anywhere in the message.
func (s *sentence) changes(key string) bool {
	for i := range s.words {
		if s.inChange(key, i) > 0 {
			return true
		}
	}
	return false
}

// takesBack reports whether the message wants the event as it was: "go back to the first one".
func (s *sentence) takesBack() bool {
	for i := range s.words {
		if s.at(i).lower == "back" && s.at(i+1).lower == "to" && s.inChange("undo", i+2) > 0 {
			return true
		}
	}
	return false
}

// speaksOfChange reports whether the message makes the event longer or shorter in proportion, or says who comes or does
// not.
func (s *sentence) speaksOfChange() bool {
	for i := range s.words {
		if s.inChange("doubled", i)+s.inChange("halved", i)+s.inChange("lengthened", i)+s.inChange("shortened", i) > 0 ||
			s.tellsOf(i) || s.tellsWho(i) {
			return true
		}
	}
	return false
}

// tellsOf reports whether word i begins what is said of the person named before it: that they come, or do not.
func (s *sentence) tellsOf(i int) bool {
	if i > 0 && s.inChange("leaves", i)+s.inChange("absent", i) > 0 {
		return true
	}
	n := s.inChange("joins behind", i)
	return s.at(i-1).capital() && (n > 0 && s.at(i+n).mark || s.at(i).lower == "only" && s.at(i+1).mark)
}

// tellsWho reports whether word i begins a phrase with a name behind it that says who comes, or who does not.
func (s *sentence) tellsWho(i int) bool {
	for _, key := range []string{"leaves before", "joins before", "alone"} {
		n := s.inChange(key, i)
		if n > 0 && s.at(i+n).capital() && !s.at(i+n).timed && !s.shouted || n > 0 && key == "alone" && s.self(i+n) > i+n {
			return true
		}
	}
	return false
}

// namesNothing reports whether a message that would change the event at hand says nothing that could be changed: "I
// don't like it". A name may be that of a person or a place.
func (r *reading) namesNothing() bool {
	s := &r.wish
	a, named := s.activityOf()
	if r.Language != english || named && a.kind != "" || s.time.Says() || !s.venue.empty() || s.choice(8) > 0 ||
		s.pointsAtOne() || len(s.peopleOf(&s.venue)) > 0 || s.speaksOfChange() {
		return false
	}
	if s.says(inPersonWords...) || s.says(videoWords...) || s.says(phoneWords...) || r.linksWord() {
		return false
	}
	for i, w := range s.words {
		if figure(w) > 0 || s.inChange("leaves before", i) > 0 || s.inChange("joins before", i) > 0 {
			return false
		}
		if w.capital() && !s.shouted && !neverNames[w.lower] && (i > 0 || !stopWords[w.lower] && !leads[w.lower]) {
			return false
		}
	}
	day := someDay.AddDate(0, 0, 1)
	e := edited(templateData{
		Message: r.data.Message, RecentTurns: r.data.RecentTurns,
		Template: &knownTemplate{
			Title: "Coffee", EventType: "in-person", Activity: "coffee",
			Duration: 30, SuggestedPlaceTypes: []string{usualPlace["coffee"]},
		},
		Event: &offeredEvent{Start: day.Format(time.RFC3339), Place: "-"},
	}, someDay)
	return len(e.touched) == 0 && e.out.NewTravelBuffer == nil
}

// linksWord reports whether the message has a word of what the last turn linked to, which are places.
func (r *reading) linksWord() bool {
	n := len(r.data.RecentTurns)
	if n == 0 {
		return false
	}
	for i, part := range strings.Split(strings.ToLower(r.data.RecentTurns[n-1].Assistant), "[") {
		name, _, link := strings.Cut(part, "]")
		if i > 0 && link && r.wish.shares(name) > 0 {
			return true
		}
	}
	return false
}

// absentees are those who take part and of whom the message says that they do not: "Marcus won't be joining". Who
// cannot come at a time may come at another, where the message names one.
func (e *editor) absentees() []string {
	var gone []string
	for _, name := range e.data.Template.Participants {
		words := strings.Fields(strings.ToLower(name))
		for i := range e.words {
			if len(words) > 0 && e.staysAway(i, words) {
				gone = append(gone, name)
				break
			}
		}
	}
	return gone
}

// staysAway reports whether word i is the first of a name, of which the message says there that they do not take part.
func (e *editor) staysAway(i int, name []string) bool {
	first, possessive := strings.CutSuffix(strings.ReplaceAll(e.at(i).lower, "’", "'"), "'s")
	if first != name[0] || e.at(i).mark {
		return false
	}
	j := i + 1
	if len(name) > 1 && e.at(j).lower == name[1] {
		j++
	}
	if possessive {
		// "Al's out" is "Al is out".
		return contains(e.plain, []string{
			e.at(i).lower + " out", e.at(i).lower + " not coming", e.at(i).lower + " not joining",
		}) && !e.at(j+1).timed && e.at(j+1).lower != "of"
	}
	if n := e.inChange("leaves", j); n > 0 && !e.at(j+n).timed && !further[e.at(j+n).lower] {
		return true
	}
	if e.at(j).lower == "can't" && e.at(j+1).mark {
		return !e.aboutTime()
	}
	n := e.inChange("absent", j)
	return n > 0 && !e.aboutTime()
}

// further are words behind which it is said when or where somebody is not.
var further = wordSet("of on at until till from for this next before after in")

// aboutTime reports whether the message says when, or when not.
func (e *editor) aboutTime() bool {
	r := e.time
	return len(r.Dates)+len(r.ExcludedDates)+len(r.ExcludedWeekdays) > 0 || !r.Hours.Empty() || !r.ExcludedHours.Empty() ||
		r.Shift != (when.Shift{})
}

// alone are all who take part from now on, by "only Al" and "just me and Lena"; ok tells whether the message says so.
func (e *editor) alone(v *venue) (names []string, ok bool) {
	if e.says("too", "also", "as well", "add", "invite", "include", "bring", "along", "another", "more") {
		return nil, false
	}
	for i := range e.words {
		n := e.inChange("alone", i)
		if n == 0 {
			continue
		}
		if names := namesOf(e.namesBefore(i, v)); n == 1 && e.at(i).lower == "only" && e.at(i+1).mark && len(names) > 0 &&
			e.allKnown(names) {
			return names, true
		}
		names, myself, end := e.company(i+n, v)
		if len(names) == 0 || n == 1 && !myself && !e.allKnown(names) {
			continue
		}
		if e.at(end).mark && e.at(end).text != "'" || e.inChange("taking part", end) > 0 {
			return names, true
		}
	}
	return nil, false
}

// company reads a list of people and the user's own part in it at word i, and where that ends. A name in small letters
// is one only of somebody who takes part.
func (e *editor) company(i int, v *venue) (names []string, myself bool, end int) {
	end = i
	for range maxPeople {
		if own := e.self(i); own > i {
			myself, end = true, own
		} else {
			p, behind := e.nameAt(i, false, v)
			if p.name == "" && isAmong(e.at(i).lower, e.data.Template.Participants) && e.isName(i, v) &&
				!stopWords[e.at(i).lower] {
				p, behind = person{e.at(i).text, i, i + 1}, i+1
			}
			if p.name == "" {
				return names, myself, end
			}
			names, end = append(names, p.name), behind
		}
		next := e.afterJoin(end)
		if next == end {
			break
		}
		i = next
	}
	return names, myself, end
}

func (e *editor) allKnown(names []string) bool {
	known := e.data.known()
	return !slices.ContainsFunc(names, func(name string) bool { return !isAmong(name, known) })
}

func isAmong(name string, people []string) bool {
	return slices.ContainsFunc(people, func(known string) bool {
		return strings.Contains(" "+strings.ToLower(known)+" ", " "+strings.ToLower(name)+" ")
	})
}
