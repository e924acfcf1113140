package offline

import (
	"strings"
	"time"

	"convene/pkg/when"
)

// activity is something to meet for.
type activity struct {
	// kind is the activity of the template; name, the word as the user said it.
	kind, name string
	// place is the kind of venue, empty where none is needed; query narrows its search.
	place, query string
	// index is the word's place in the sentence, -1 where nothing was said.
	index int
	// remote says that it needs no place unless one is named.
	remote bool
	// minutes is how long it takes where that is not what its kind usually does.
	minutes int
}

// usualMinutes is how long each kind takes where nobody says.
var usualMinutes = map[string]int{
	"coffee": 30, "breakfast": 45, "brunch": 90, "lunch": 60, "dinner": 90, "drinks": 60, "meeting": 30, "call": 30,
	"custom": 120,
}

// usualPlace is where each kind happens.
var usualPlace = map[string]string{
	"coffee": "cafe", "breakfast": "breakfast", "brunch": "brunch", "lunch": "restaurant", "dinner": "restaurant",
	"drinks": "bar",
}

// meals name their kind; a later word of the same table does not change the first.
var meals = map[string]string{
	"breakfast": "breakfast", "brunch": "brunch", "lunch": "lunch", "dinner": "dinner", "supper": "dinner",
	"coffee": "coffee", "tea": "coffee", "espresso": "coffee", "latte": "coffee", "cappuccino": "coffee",
	"matcha": "coffee",
	"boba":   "coffee", "caffeine": "coffee",
	"drinks": "drinks", "drink": "drinks", "beer": "drinks", "beers": "drinks", "wine": "drinks", "cocktail": "drinks",
	"cocktails": "drinks", "pint": "drinks", "pints": "drinks", "martini": "drinks", "margaritas": "drinks",
	"nightcap": "drinks",
	"happy":    "",
}

// teas and the like are coffee in kind and look for another venue.
var mealPlaces = map[string]string{
	"tea": "tea house", "boba": "tea house", "matcha": "tea house", "beer": "bar", "beers": "bar", "wine": "wine bar",
	"cocktail": "cocktail bar", "cocktails": "cocktail bar", "margaritas": "cocktail bar", "martini": "cocktail bar",
}

// dishes are what people eat; without a meal they mean dinner, or lunch where the time says so.
var dishes = map[string]bool{
	"sushi": true, "ramen": true, "tacos": true, "taco": true, "pizza": true, "burgers": true, "burger": true,
	"burrito":  true,
	"burritos": true, "thai": true, "italian": true, "mexican": true, "chinese": true, "japanese": true, "korean": true,
	"indian": true, "vietnamese": true, "pho": true, "bbq": true, "barbecue": true, "dumplings": true, "tapas": true,
	"seafood": true, "oysters": true, "steak": true, "mediterranean": true, "greek": true,
	"ethiopian": true, "french": true, "curry": true, "noodles": true, "pasta": true, "falafel": true, "poke": true,
	"sandwiches": true, "salad": true, "salads": true, "bagels": true, "pancakes": true, "peruvian": true, "spanish": true,
	"waffles": true, "croissants": true, "izakaya": true, "hotpot": true, "dim": true, "paella": true, "gnocchi": true,
	"food": true,
	"meal": true, "eat": true, "bite": true, "eats": true, "table": true,
}

// talks need no place unless one is said.
var talks = map[string]string{
	"meeting": "meeting", "meetings": "meeting", "sync": "meeting", "standup": "meeting", "stand-up": "meeting",
	"review":    "meeting",
	"interview": "meeting", "retro": "meeting", "planning": "meeting", "check-in": "meeting", "checkin": "meeting",
	"catch-up": "meeting", "catchup": "meeting", "brainstorm": "meeting", "workshop": "meeting", "demo": "meeting",
	"kickoff":  "meeting",
	"kick-off": "meeting", "debrief": "meeting", "presentation": "meeting", "training": "meeting", "session": "meeting",
	"zoom": "meeting", "teams": "meeting", "webex": "meeting", "hangout": "meeting", "facetime": "call", "skype": "call",
	"call": "call", "phone": "call", "ring": "call", "conference": "meeting", "1-on-1": "meeting", "one-on-one": "meeting",
	"appointment": "meeting", "huddle": "meeting", "discussion": "meeting", "chat": "meeting", "talk": "meeting",
	"1on1": "meeting",
}

// outings are leisure, with the kind of venue for it; an empty one needs none.
var outings = map[string]string{
	"museum": "museum", "museums": "museum", "gallery": "gallery", "exhibit": "museum", "exhibition": "museum",
	"park":   "park",
	"picnic": "park", "hike": "hike", "hiking": "hike", "trail": "hike", "walk": "park", "stroll": "park", "run": "park",
	"running": "park", "jog": "park", "jogging": "park", "bowling": "bowling", "bowl": "bowling", "movie": "cinema",
	"movies": "cinema", "film": "cinema", "cinema": "cinema", "concert": "music venue", "gig": "music venue",
	"show":    "theater",
	"theater": "theater", "theatre": "theater", "play": "theater", "opera": "theater", "ballet": "theater",
	"comedy":  "comedy club",
	"karaoke": "karaoke", "climbing": "climbing", "bouldering": "climbing", "beach": "beach", "zoo": "zoo",
	"aquarium": "aquarium",
	"arcade":   "arcade", "library": "library", "bookstore": "bookstore", "shopping": "shopping", "spa": "spa",
	"massage": "spa",
	"gym":     "gym", "workout": "gym", "yoga": "yoga studio", "pilates": "pilates studio", "swim": "pool",
	"swimming": "pool",
	"golf":     "golf", "tennis": "tennis", "squash": "squash", "pickleball": "pickleball", "basketball": "basketball",
	"soccer":  "park",
	"frisbee": "park", "surfing": "beach", "biking": "park", "cycling": "park", "bike": "park", "ride": "",
	"ice":    "dessert",
	"gelato": "dessert", "dessert": "dessert", "party": "", "barbeque": "", "game": "", "games": "", "boardgames": "",
	"jazz":    "music venue",
	"dancing": "nightclub", "skating": "skating rink", "market": "market", "winery": "winery", "tasting": "wine bar",
	"sailing": "",
	"fishing": "", "camping": "", "festival": "", "fair": "", "farmers": "market",
}

// errands are what somebody does in person and mostly alone, with the minutes that it usually takes.
var errands = map[string]int{
	"haircut": 45, "barber": 45, "hairdresser": 60, "salon": 60, "manicure": 60, "pedicure": 60, "dentist": 60,
	"doctor": 60, "doctor's": 60,
	"dentist's": 60, "checkup": 60, "check-up": 60, "physio": 60, "physiotherapy": 60, "vet": 60, "vaccination": 30,
	"optometrist":   60,
	"dermatologist": 60, "mechanic": 60, "tailor": 30, "groceries": 60,
}

// errandPlaces are where they are run, so that nobody is sent to a concert hall for a haircut.
var errandPlaces = map[string]string{
	"haircut": "hair salon", "barber": "barber", "hairdresser": "hair salon", "salon": "salon", "manicure": "nail salon",
	"pedicure": "nail salon",
	"dentist":  "dentist", "dentist's": "dentist", "doctor": "doctor", "doctor's": "doctor", "checkup": "doctor",
	"check-up": "doctor", "physio": "physiotherapist",
	"physiotherapy": "physiotherapist", "vet": "vet", "vaccination": "pharmacy", "optometrist": "optician",
	"dermatologist": "doctor", "mechanic": "car repair",
	"tailor": "tailor", "groceries": "supermarket",
}

// breakfastDishes are eaten in the morning as well as for lunch.
var breakfastDishes = map[string]bool{"bagels": true, "pancakes": true, "waffles": true, "croissants": true}

// activityOf finds what the message wants to meet for: the first meal, dish, talk or outing that it names.
func (s *sentence) activityOf() (activity, bool) {
	var dish, talk *activity
	for i, w := range s.words {
		if w.mark || w.timed && meals[w.lower] == "" && w.lower != "happy" {
			continue
		}
		if a, ok := s.mealAt(i); ok {
			return s.withDish(a), true
		}
		if w.lower == "1" && s.at(i+1).text == ":" && s.at(i+2).lower == "1" {
			return activity{kind: "meeting", name: "1:1", index: i, remote: true}, true
		}
		switch {
		case errands[w.lower] > 0 && s.at(i-1).lower != "with" && s.at(i-1).lower != "at" && s.at(i-2).lower != "at" &&
			s.at(i-2).lower != "with":
			return activity{
				kind: "meeting", name: w.lower, place: errandPlaces[w.lower], index: i, minutes: errands[w.lower],
			}, true
		case s.refusesDish(i):
		case w.lower == "table" && s.at(i+1).lower != "for" && s.at(i+1).lower != "at":
		case dishes[w.lower] && dish == nil:
			dish = &activity{kind: "dinner", name: w.lower, place: "restaurant", query: s.dishName(i), index: i}
		case s.outingAt(i):
			return activity{kind: "custom", name: w.lower, place: outings[w.lower], index: i}, true
		case talks[w.lower] != "" && s.isTalk(i) && (talk == nil || talk.kind == "meeting" && talks[w.lower] == "call"):
			talk = &activity{kind: talks[w.lower], name: w.lower, index: i, remote: true}
		}
	}
	if talk != nil {
		return *talk, true
	}
	if dish != nil {
		dish.kind, dish.place = s.mealOf(*dish)
		return *dish, true
	}
	return activity{index: -1}, false
}

// mealOf is the meal at which a dish is eaten, by the hours that the message names.
func (s *sentence) mealOf(dish activity) (kind, place string) {
	switch {
	case breakfastDishes[dish.name] && s.time.Exact != nil && *s.time.Exact < 11*60:
		return "breakfast", usualPlace["breakfast"]
	case s.beforeFour():
		return "lunch", dish.place
	default:
		return dish.kind, dish.place
	}
}

// parseWish is parse with a dish in mind: where the message names one and no meal, its hours are those of lunch or
// dinner.
func parseWish(text string, now time.Time, setting when.Setting, of known) sentence {
	s := parseAmong(text, now, setting, of)
	if a, named := s.activityOf(); !named || !dishes[a.name] || breakfastDishes[a.name] {
		return s
	}
	setting.Occasion = when.Meal
	return parseAmong(text, now, setting, of)
}

// mealAt reads a meal or a drink at word i.
func (s *sentence) mealAt(i int) (activity, bool) {
	w := s.words[i]
	if w.lower == "happy" && s.at(i+1).lower == "hour" {
		return activity{kind: "drinks", name: "happy hour", place: "bar", index: i + 1}, true
	}
	kind := meals[w.lower]
	// "After lunch" says when; "Tea" may be somebody's name behind "with".
	if kind == "" || w.timed || w.lower == "tea" && w.capital() && s.at(i-1).lower == "with" {
		return activity{}, false
	}
	place := usualPlace[kind]
	if p, ok := mealPlaces[w.lower]; ok {
		place = p
	}
	return activity{kind: kind, name: w.lower, place: place, index: i}, true
}

// outingAt reports whether word i names an outing rather than a verb or a part of something else: "show me", "play it
// by ear", "run late".
func (s *sentence) outingAt(i int) bool {
	w := s.words[i]
	if _, ok := outings[w.lower]; !ok {
		return false
	}
	next, before := s.at(i+1).lower, s.at(i-1).lower
	switch w.lower {
	case "show", "play", "run", "ride", "game", "bowl", "park":
		return next != "me" && next != "it" && next != "late" && next != "us" && before != "to" && before != "can" &&
			before != "near"
	case "ice":
		return next == "cream"
	case "market":
		return before != "stock"
	}
	return true
}

// isTalk tells "a call with Al" and "call Al" from "call it a day".
func (s *sentence) isTalk(i int) bool {
	next := s.at(i + 1).lower
	switch s.words[i].lower {
	case "call":
		return next != "it" && next != "this" && next != "that" && next != "the"
	case "phone", "teams", "talk", "ring", "review", "planning":
		return next != "number" && next != "about"
	}
	return true
}

// withDish adds what is to be eaten to a meal: "ramen for lunch".
func (s *sentence) withDish(a activity) activity {
	for i, w := range s.words {
		if dishes[w.lower] && !s.refusesDish(i) && !w.timed && !generalDishes[w.lower] && i != a.index && a.kind != "drinks" {
			a.query = s.dishName(i)
			return a
		}
	}
	return a
}

// generalDishes say nothing of the kitchen.
var generalDishes = map[string]bool{"table": true, "food": true, "meal": true, "eat": true, "bite": true, "eats": true}

// dishName is the dish as a search takes it; empty for food of any kind.
func (s *sentence) dishName(i int) string {
	switch name := s.words[i].lower; {
	case generalDishes[name]:
		return ""
	case name == "dim":
		return "dim sum"
	case name == "french" && s.at(i+1).lower == "press":
		return ""
	default:
		return name
	}
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

// video and phone are the words for meeting without a place.
var (
	videoWords = []string{
		"zoom", "video", "online", "teams", "google meet", "facetime", "remote", "remotely", "virtual", "virtually",
		"skype", "webex", "gmeet", "hangouts", "vidcall", "screen share",
	}
	phoneWords   = []string{"phone", "by phone", "over the phone", "phone call", "give a call", "telephone", "dial in"}
	noVideoWords = []string{
		"no zoom", "not zoom", "not on zoom", "not over zoom", "no video", "not on video", "not online", "no teams",
		"not remote", "not remotely",
	}
	placeWords = []string{"in person", "in-person", "face to face", "irl"}
)

// eventType says how people meet.
func (s *sentence) eventType(a activity, placed bool) string {
	switch {
	case s.says(videoWords...) && !s.says(noVideoWords...):
		return "video"
	case s.says(placeWords...) || s.speaksOf("private") || placed || a.index >= 0 && !a.remote:
		return "in-person"
	case a.kind == "call" || s.says(phoneWords...):
		return "phone"
	case a.kind == "meeting":
		return "video"
	default:
		return "in-person"
	}
}
