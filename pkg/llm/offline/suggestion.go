package offline

import (
	"slices"
	"strings"

	"convene/pkg/interval"
)

// suggestionMeant is the index of the suggestion that the message means: by its number, by its words, or, where the
// message points at one of them ("the free one", "the one on Saturday"), by its day, its hour or its price. It is -1
// for none. Of several that fit alike the first is meant by who points, and none by who does not.
func (s *sentence) suggestionMeant(all []knownActivity) int {
	if n := s.choice(len(all)); n > 0 && len(all) > 0 {
		if i := slices.IndexFunc(all, func(a knownActivity) bool { return a.Number == n }); i >= 0 {
			return i
		}
	}
	points := s.pointsAtOne()
	best, most, tie := -1, 0, false
	for i, a := range all {
		score := s.likeness(a, points)
		switch {
		case score > most:
			best, most, tie = i, score, false
		case score == most && score > 0:
			tie = true
		}
	}
	if tie && !points && !s.says("the") {
		return -1
	}
	return best
}

// likeness is how much of what the message says is so of a suggestion; 0 where it says anything that is not. Without
// words of the suggestion's own, only a message that points speaks of it.
func (s *sentence) likeness(a knownActivity, points bool) int {
	const word, trait = 4, 1
	score := word * s.shares(a.Title+" "+a.Venue+" "+calledKind(a.Kind))
	if score == 0 && !points {
		return 0
	}
	if free := s.saysAside("free", "cheap", "free one", "cheap one"); free && points && !a.Free {
		return 0
	} else if free && points {
		score += word
	}
	on, at := s.covers(a)
	if !on || !at && points {
		return 0
	}
	if len(s.time.Dates) > 0 || !s.time.Hours.Empty() {
		score += trait
	}
	return score
}

// covers reports whether a suggestion begins on a day and at an hour that the message names, where it names any.
func (s *sentence) covers(a knownActivity) (on, at bool) {
	start, err := parseTime(a.Start)
	if err != nil {
		return true, true
	}
	day, clock := interval.DateOf(start), interval.ClockOf(start)
	named := func(r interval.DateRange) bool {
		// "The one on Saturday" is the one that is on a Saturday, though the next Saturday may be another day.
		return r.Contains(day) || r.Start == r.End && r.Start.Weekday() == day.Weekday()
	}
	on = len(s.time.Dates) == 0 || slices.ContainsFunc(s.time.Dates, named)
	if s.time.Hours.Empty() {
		return on, true
	}
	hours := s.time.Hours.Week[day.Weekday()]
	for _, other := range s.time.Hours.On {
		if other.Date == day {
			hours = other.Windows
		}
	}
	return on, slices.ContainsFunc(hours, func(w interval.Window) bool {
		return w.Exact() && w.Start == clock || w.Start <= clock && (clock < w.End || w.End < w.Start)
	})
}

// pointsAtOne reports whether the message points at one of several things that were shown: "the jazz thing", "the one
// on Saturday".
func (s *sentence) pointsAtOne() bool {
	const reach = 4
	for i, w := range s.words {
		if !pointed[w.lower] {
			continue
		}
		for j := max(0, i-reach); j < i; j++ {
			if s.words[j].lower == "the" || s.words[j].lower == "that" {
				return true
			}
		}
	}
	return false
}

// pointed are the words for one of several things.
var pointed = wordSet("one thing idea suggestion option")

// kindWords are what people call a thing of a kind.
var kindWords = map[string]string{
	"music": "music concert gig show band", "jazz": "jazz music concert gig show", "classical": "classical concert music",
	"theater": "theater theatre play show musical opera", "comedy": "comedy standup show", "film": "film movie cinema",
	"art": "art gallery exhibition", "museum": "museum exhibition", "market": "market farmers", "food": "food",
	"sports": "sports sport", "outdoors": "outdoors walk hike", "walk": "walk tour", "games": "games game",
	"kids":     "kids family",
	"festival": "festival fair", "dance": "dance dancing ballet", "trivia": "trivia quiz", "books": "books reading",
	"karaoke": "karaoke singing",
}

// calledKind is the words for a kind; the kind itself where there are no others.
func calledKind(kind string) string { return firstOf(kindWords[kind], kind) }

// shares is how many words of substance the message and a text have in common.
func (s *sentence) shares(text string) int {
	n := 0
	seen := map[string]bool{}
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		w = strings.Trim(w, ".,:;!?()'\"")
		if seen[w] {
			continue
		}
		seen[w] = true
		if len(w) > 3 && !stopWords[w] && !leads[w] &&
			(s.saysAside(w) || s.saysAside(strings.TrimSuffix(w, "s")) || s.saysAside(w+"s")) {
			n++
		}
	}
	return n
}

// lost reports whether the message means one of several things that are no longer known: it points at one in a
// conversation in which nothing was shown, and says nothing else that could be arranged.
func (r *reading) lost() bool {
	s, d := &r.wish, r.data
	if d.HasEvent || d.HasActivities || s.size > lostMessage || !s.pointsAtOne() {
		return false
	}
	if s.venue.name != "" || s.says("first thing", "last thing") {
		return false
	}
	a, named := s.activityOf()
	return !named || a.kind == "custom"
}

// lostMessage is how many words a message has that does little more than point.
const lostMessage = 8
