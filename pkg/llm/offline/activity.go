package offline

import (
	"strings"
	"time"

	"convene/pkg/when"
)

// activity is something to meet for.
type activity struct {
	// kind is the activity of the template; name, the words as the user said them.
	kind, name string
	// place is the kind of venue, empty if none is needed; query narrows its search.
	place, query string
	// index is the place of its word in the sentence, the last of several, -1 if nothing was said.
	index int
	// remote says that it needs no place unless one is named.
	remote bool
	// minutes is how long it takes if not as long as its kind usually does.
	minutes int
}

// activityOf finds what the message wants to meet for: the first meal, outing or errand that it names, or else the
// first talk, a call rather than a meeting, or else the first dish.
func (s *sentence) activityOf() (activity, bool) {
	var dish, talk activity
	for i := 0; i < len(s.words); i++ {
		a, n := s.activityAt(i)
		switch {
		case n == 0:
			continue
		case meals[s.at(i).lower] != "":
			return s.withDish(a), true
		case a.remote && (talk.kind == "" || talk.kind == "meeting" && a.kind == "call"):
			talk = a
		case a.kind == "dinner" && dish.kind == "":
			dish = a
		case !a.remote && a.kind != "dinner":
			return a, true
		}
		i += n - 1
	}
	switch {
	case talk.kind != "":
		return talk, true
	case dish.kind != "":
		dish.kind, dish.place = s.mealOf(dish)
		return dish, true
	default:
		return activity{index: -1}, false
	}
}

// activityAt is the activity that word i begins, and how many words it takes; 0 if it begins none.
func (s *sentence) activityAt(i int) (a activity, n int) {
	if s.at(i).lower == "1" && s.at(i+1).text == ":" && s.at(i+2).lower == "1" {
		return activity{kind: "meeting", name: "1:1", index: i, remote: true}, 3
	}
	if s.isIdle(i) {
		return activity{}, 0
	}
	for _, class := range []string{"meal", "errand", "dish", "outing", "talk"} {
		value, n := s.lexed(class, i)
		if n == 0 || class == "errand" && s.behindCompany(i) || class == "dish" && s.refusesDish(i) {
			continue
		}
		a := s.ofClass(class, value, i)
		a.index, a.name = i+n-1, strings.TrimPrefix(s.plainly(i, i+n), "over ")
		if s.at(i).lower == "table" {
			a.index, a.name = i, "table"
		}
		return a, n
	}
	return activity{}, 0
}

// ofClass is the activity of a class of words that word i begins, with the value that it has there.
func (s *sentence) ofClass(class, value string, i int) activity {
	place := usualPlace[s.at(i).lower]
	switch class {
	case "meal":
		return activity{kind: value, place: firstOf(place, usualPlace[value])}
	case "errand":
		return activity{kind: "meeting", place: place, minutes: errands[s.at(i).lower]}
	case "dish":
		return activity{kind: "dinner", place: usualPlace["dinner"], query: s.dishName(i)}
	case "outing":
		return activity{kind: "custom", place: value}
	default:
		return activity{kind: value, remote: true}
	}
}

// plainly are the words from i to end, as the rules look at them.
func (s *sentence) plainly(i, end int) string {
	var words []string
	for ; i < end; i++ {
		words = append(words, s.at(i).lower)
	}
	return strings.Join(words, " ")
}

// maxAnchor bounds the words of a thing that says when another one is.
const maxAnchor = 5

// isIdle reports whether word i is part of a phrase in which it is no activity: "show me", "call it a day"; says when,
// as in "before my flight"; or is a name rather than a drink: "with Tea".
func (s *sentence) isIdle(i int) bool {
	for k := i - 1; k > i-maxAnchor && !s.at(k).mark; k-- {
		if _, n := s.lexed("anchor", k); n > 0 {
			return true
		}
	}
	_, here := s.lexed("idle", i)
	_, before := s.lexed("idle", i-1)
	return here > 0 || before > 1 || s.at(i).lower == "tea" && s.at(i).capital() && s.at(i-1).lower == "with"
}

// behindCompany reports whether word i is someone or some place rather than an errand: "with my dentist".
func (s *sentence) behindCompany(i int) bool {
	one, two := s.at(i-1).lower, s.at(i-2).lower
	return one == "with" || one == "at" || two == "with" || two == "at"
}

// mealOf is the meal at which a dish is eaten, by the hours that the message names.
func (s *sentence) mealOf(dish activity) (kind, place string) {
	switch {
	case lexed["morning"][dish.name] != nil && s.time.Exact != nil && *s.time.Exact < 11*60:
		return "breakfast", usualPlace["breakfast"]
	case s.beforeFour():
		return "lunch", dish.place
	default:
		return dish.kind, dish.place
	}
}

// parseWish is parse with a dish in mind: if the message names one and no meal, its hours are those of lunch or dinner.
func parseWish(text string, now time.Time, setting when.Setting, of known) sentence {
	s := parseAmong(text, now, setting, of)
	if a, named := s.activityOf(); !named || !dishes[a.name] || lexed["morning"][a.name] != nil {
		return s
	}
	setting.Occasion = when.Meal
	return parseAmong(text, now, setting, of)
}

// withDish adds what is to be eaten to a meal: "ramen for lunch".
func (s *sentence) withDish(a activity) activity {
	for i, w := range s.words {
		if name := s.dishName(i); name != "" && !s.refusesDish(i) && !w.timed && a.kind != "drinks" {
			a.query = name
			for s.at(i+1).lower == "or" && s.dishName(i+2) != "" { // any of them will do
				i += 2
				a.query += " or " + s.dishName(i)
			}
			break
		}
	}
	return a
}

// anyFood is the value of words for food that say nothing of the kitchen.
const anyFood = "any"

// dishName is the dish at word i as a search takes it; empty for food of any kind.
func (s *sentence) dishName(i int) string {
	value, n := s.lexed("dish", i)
	if n == 0 || value == anyFood || s.isIdle(i) {
		return ""
	}
	return firstOf(value, s.at(i).lower)
}

// beforeFour reports whether the message names hours that end in the afternoon.
func (s *sentence) beforeFour() bool {
	if s.time.Exact != nil {
		return *s.time.Exact < 16*60
	}
	for _, windows := range s.time.Hours.Week {
		for _, w := range windows {
			return w.End <= 17*60 && w.End > 0
		}
	}
	return strings.Contains(s.plain, " noon ")
}

// eventType says how people meet: at a meal, a drink or an outing in person unless the message says otherwise.
func (s *sentence) eventType(a activity, placed bool) string {
	switch {
	case s.says(videoWords...) && !s.says(noVideoWords...):
		return "video"
	case s.says(inPersonWords...) || s.speaksOf("private") || placed || a.index >= 0 && !a.remote:
		return "in-person"
	case a.kind == "call" || s.says(phoneWords...):
		return "phone"
	case a.kind == "meeting":
		return "video"
	default:
		return "in-person"
	}
}
