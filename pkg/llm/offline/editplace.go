package offline

import (
	"slices"
	"strings"
)

// where reads another venue or other wishes for one.
func (e *editor) where(v venue) {
	if e.says("same place", "same spot", "same venue", "same location", "keep the place", "keep the venue", "keep the location") {
		e.stay()
		return
	}
	v.refused = slices.DeleteFunc(e.refused(v), func(name string) bool { return knows(e.data, name) })
	for i, name := range v.refused {
		if e.data.Event != nil && strings.HasPrefix(strings.ToLower(e.data.Event.Place)+" ", strings.ToLower(name)+" ") {
			v.refused[i] = e.data.Event.Place
		}
	}
	if name := e.offeredPlaceNamed(); name != "" && !slices.Contains(v.refused, name) {
		v.name = name
	}
	if v.name == "" {
		v.name = e.proposedPlace()
	}
	if v.name == "" && e.says(privatePlaces...) {
		none := "none"
		e.out.NewPlaceType, e.out.NewActivitySearchQuery = &none, nil
		e.touch("place")
		return
	}
	if v.name != "" {
		e.out.NewPlaceName = &v.name
		e.touch("place")
		return
	}
	elsewhere, otherFood := e.says(elsewhereWords...), e.says(otherFoodWords...)
	if v.query == "" && v.kind == "" && len(v.refused) == 0 && !elsewhere && !otherFood {
		return
	}
	if elsewhere && e.data.Event != nil && e.data.Event.Place != "" {
		v.refused = append(v.refused, e.data.Event.Place)
	}
	e.look(v, otherFood)
}

// stay keeps the venue at hand where what changes beside it would look for another.
func (e *editor) stay() {
	if e.data.Event == nil || e.data.Event.Place == "" || e.out.NewPlaceType == nil && e.out.NewActivitySearchQuery == nil {
		return
	}
	e.out.NewPlaceName = &e.data.Event.Place
	e.out.NewPlaceType, e.out.NewActivitySearchQuery = nil, nil
}

// refused are the venues that the message turns down; "not Zuni" does so where that is the one proposed.
func (e *editor) refused(v venue) []string {
	refused := slices.Clone(v.refused)
	if e.data.Event == nil || e.data.Event.Place == "" {
		return refused
	}
	for _, phrase := range []string{"not", "not at", "anything but", "other than"} {
		i := e.phraseEnd(phrase)
		if i == 0 || v.covers(i) || e.at(i).timed {
			continue
		}
		name := e.spoken(i, e.nameEnd(i))
		if first, _, _ := strings.Cut(strings.ToLower(e.data.Event.Place), " "); name != "" && first == e.at(i).lower {
			refused = append(refused, e.data.Event.Place)
		}
	}
	return refused
}

// elsewhereWords ask for any other venue, otherFoodWords for another kitchen.
var (
	elsewhereWords = placesOf("different", "another", "other", "new", "a different", "change the", "any other")
	otherFoodWords = []string{"different cuisine", "another cuisine", "other cuisine", "different food", "different kind of food", "other food", "another kind of food"}
)

func placesOf(others ...string) []string {
	phrases := []string{"somewhere else", "someplace else", "elsewhere", "anywhere else", "not there", "there again", "not that place", "not this place"}
	for _, other := range others {
		for _, kind := range []string{"place", "spot", "venue", "location", "restaurant", "cafe", "café", "bar", "coffee shop"} {
			phrases = append(phrases, other+" "+kind)
		}
	}
	return phrases
}

// look asks for another venue: of the same kind where none is said, and of the same kitchen where the wish is not for
// another one. What was wished before stays wished, but for the area where the message names one.
func (e *editor) look(v venue, otherFood bool) {
	kind, dish := v.kind, e.out.NewActivitySearchQuery
	if kind == "" && len(e.data.Template.SuggestedPlaceTypes) > 0 && e.out.NewPlaceType == nil {
		kind = e.data.Template.SuggestedPlaceTypes[0]
	}
	if kind == "" && e.out.NewPlaceType == nil && e.out.NewActivity == nil {
		kind = usualPlace[e.data.Template.Activity]
	}
	if kind != "" {
		e.out.NewPlaceType = &kind
	}
	wanted, unwanted := splitWish(e.data.Template.ActivitySearchQuery)
	if dish != nil {
		wanted = *dish
	}
	if v.kind != "" && !slices.Contains(e.data.Template.SuggestedPlaceTypes, v.kind) || e.out.NewActivity != nil && dish == nil {
		wanted = ""
	}
	if otherFood {
		wanted, unwanted = e.withoutFood(wanted, unwanted)
	}
	if query := withWish(wanted, unwanted, v); query != "" {
		e.out.NewActivitySearchQuery = &query
	}
	e.touch("place")
}

// withoutFood moves the kitchen from what is wanted to what is not; where none is wanted, the venue proposed is not.
func (e *editor) withoutFood(wanted, unwanted string) (string, string) {
	var kept []string
	for w := range strings.FieldsSeq(wanted) {
		if dishes[strings.ToLower(w)] {
			unwanted = joined(unwanted, "not "+w)
			continue
		}
		kept = append(kept, w)
	}
	if len(kept) == len(strings.Fields(wanted)) && e.data.Event != nil && e.data.Event.Place != "" {
		unwanted = joined(unwanted, "not "+e.data.Event.Place)
	}
	return strings.Join(kept, " "), unwanted
}

// splitWish takes a search apart: what is wanted, and what is not, which stands last.
func splitWish(query string) (wanted, unwanted string) {
	if i := strings.Index(" "+query, " not "); i >= 0 {
		return strings.TrimSpace(query[:i]), query[i:]
	}
	return query, ""
}

// withWish adds a wish to an earlier one, each part once.
func withWish(wanted, unwanted string, v venue) string {
	if namesArea(v.query) {
		wanted = withoutArea(wanted)
	}
	if !strings.Contains(" "+wanted+" ", " "+v.query+" ") {
		wanted = joined(wanted, v.query)
	}
	for _, name := range v.refused {
		if !strings.Contains(unwanted+" ", "not "+name+" ") {
			unwanted = joined(unwanted, "not "+name)
		}
	}
	return joined(wanted, unwanted)
}

// namesArea reports whether a wish is for a part of town; withoutArea is what a wish says beside that.
func namesArea(query string) bool { return query != "" && withoutArea(query) != query }

func withoutArea(query string) string {
	var kept []string
	lower := " " + strings.ToLower(query) + " "
	for _, f := range features {
		if f != "between us" && f != "halfway" && strings.Contains(lower, " "+f+" ") && !strings.Contains(strings.Join(kept, " "), f) {
			kept = append(kept, f)
		}
	}
	for w := range strings.FieldsSeq(lower) {
		if dishes[w] {
			kept = append(kept, w)
		}
	}
	if strings.Join(kept, " ") != "" && len(strings.Fields(strings.Join(kept, " "))) == len(strings.Fields(query)) {
		return query
	}
	return strings.Join(kept, " ")
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
		if name := e.spoken(i, e.nameEnd(i)); name != "" && !knows(e.data, name) && !slices.Contains(e.out.AddParticipants, name) {
			return name
		}
	}
	return ""
}

// withoutKinds is a venue's name without the words that say what it is: "Grand" for Grand Coffee. Where it has no others,
// they are the name.
func withoutKinds(name string) string {
	own := slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		w = strings.ToLower(w)
		return meals[w] != "" || dishes[w] || outings[w] != "" || venueKinds[w]
	})
	if len(own) == 0 {
		return name
	}
	return strings.Join(own, " ")
}

var venueKinds = wordSet(`cafe café restaurant bar pub kitchen bakery house room roasters club shop`)

// offeredPlaceNamed is the offered place whose name the message says.
func (e *editor) offeredPlaceNamed() string {
	best, most := "", 0
	for _, name := range e.data.OfferedPlaces {
		if n := e.shares(withoutKinds(name)); n > most {
			best, most = name, n
		}
	}
	return best
}
