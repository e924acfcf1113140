package offline

import (
	"slices"
	"strings"
)

// where reads another venue or other wishes for one.
func (e *editor) where(v venue) {
	if e.changes("same place") {
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
		v.name = firstOf(e.placeInstead(v), e.proposedPlace())
	}
	if v.name == "" && e.private(&v) {
		none := "none"
		e.out.NewPlaceType, e.out.NewActivitySearchQuery = &none, nil
		e.touch("place")
		return
	}
	e.wishes(&v)
	if v.name != "" {
		e.out.NewPlaceName = &v.name
		e.touch("place")
		return
	}
	elsewhere, otherFood := e.speaksOf("elsewhere"), e.changes("other food")
	if v.empty() && !elsewhere && !otherFood {
		return
	}
	if elsewhere && e.data.Event != nil && e.data.Event.Place != "" {
		v.refused = append(v.refused, e.data.Event.Place)
	}
	for _, name := range v.refused {
		if !slices.Contains(e.out.ExcludePlaces, name) {
			e.out.ExcludePlaces = append(e.out.ExcludePlaces, name)
		}
	}
	e.look(v, otherFood)
}

// wishes reads what the venue should have and where it should be.
func (e *editor) wishes(v *venue) {
	e.out.AddWishes, e.out.RemoveWishes = orEmpty(v.features), orEmpty(v.dropped)
	taking := slices.Concat(e.data.Template.Participants, e.out.AddParticipants)
	v.where = v.where.among(taking, e.data.known())
	e.out.NewWhere = v.where.argument()
}

// stay keeps the venue at hand where what changes beside it would look for another.
func (e *editor) stay() {
	if e.data.Event == nil || e.data.Event.Place == "" ||
		e.out.NewPlaceType == nil && e.out.NewActivitySearchQuery == nil {
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

// look asks for another venue: of the same kind and the same kitchen, unless the message says otherwise.
func (e *editor) look(v venue, otherFood bool) {
	e.touch("place")
	template := e.data.Template
	kind, dish := v.kind, e.out.NewActivitySearchQuery
	if kind == "" && len(template.SuggestedPlaceTypes) == 0 && e.out.NewPlaceType == nil && e.out.NewActivity == nil {
		kind = usualPlace[template.Activity]
	}
	wanted, unwanted := splitWish(template.ActivitySearchQuery)
	before := joined(wanted, unwanted)
	if dish != nil {
		wanted = *dish
	}
	if v.kind != "" && !slices.Contains(template.SuggestedPlaceTypes, v.kind) || e.out.NewActivity != nil && dish == nil {
		wanted = ""
	}
	if otherFood {
		wanted, unwanted = e.withoutFood(wanted, unwanted)
	}
	query := withWish(wanted, unwanted, v)
	if query == before && kind == "" && e.out.NewPlaceType == nil {
		return
	}
	if kind == "" && e.out.NewPlaceType == nil && len(template.SuggestedPlaceTypes) > 0 && query == "" {
		kind = template.SuggestedPlaceTypes[0] // which is how a query is let go of
	}
	if kind != "" {
		e.out.NewPlaceType = &kind
	}
	if query != "" {
		e.out.NewActivitySearchQuery = &query
	}
}

// withoutFood moves the kitchen from what is wanted to what is not; where none is wanted, the venue proposed is turned
// down.
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
		e.out.ExcludePlaces = append(e.out.ExcludePlaces, e.data.Event.Place)
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
	if !strings.Contains(" "+wanted+" ", " "+v.query+" ") {
		wanted = joined(wanted, v.query)
	}
	for _, name := range v.unwanted {
		if !strings.Contains(unwanted+" ", "not "+name+" ") {
			unwanted = joined(unwanted, "not "+name)
		}
	}
	return joined(wanted, unwanted)
}

// proposedPlace is the venue of "what about Tartine?", where people meet in person and nobody of that name takes part.
func (e *editor) proposedPlace() string {
	if e.data.Template.EventType != "in-person" {
		return ""
	}
	for i := range e.words {
		n := e.inChange("proposing", i)
		i += n
		if n == 0 || !e.at(i).capital() || e.at(i).timed || e.venue.covers(i) || e.at(i).known() || e.shouted {
			continue
		}
		if name := e.spoken(i, e.nameEnd(i)); name != "" && !e.belongs(name) &&
			!slices.Contains(e.out.AddParticipants, name) {
			return name
		}
	}
	return ""
}

// placeInstead is the venue named beside one that is turned down: "not Zuni, Tartine", "Tartine, not Zuni".
func (e *editor) placeInstead(v venue) string {
	if e.data.Event == nil || !slices.Contains(v.refused, e.data.Event.Place) ||
		e.data.Template.EventType != "in-person" || e.shouted {
		return ""
	}
	not := e.find(0, "not")
	if not < 0 {
		return ""
	}
	name, end := "", e.nameEnd(not+1)
	if w := e.at(end); w.text == "," || w.lower == "but" {
		end++
	}
	mayBegin := func(i int) bool {
		w := e.at(i)
		return w.capital() && !w.timed && !leads[w.lower] && !neverNames[w.lower]
	}
	for from := max(0, not-maxPlaceWords); from < not && name == ""; from++ {
		if to := e.nameEnd(from); mayBegin(from) && (to == not || to == not-1 && e.at(to).text == ",") {
			name = e.spoken(from, to) // "Tartine, not Zuni"
		}
	}
	if name == "" && mayBegin(end) && !e.at(end).known() {
		name = e.spoken(end, e.nameEnd(end))
	}
	if name == "" || e.belongs(name) || slices.Contains(v.refused, name) {
		return ""
	}
	return name
}

// belongs reports whether a name is that of someone who takes part, or of something of theirs: "Al's schedule".
func (e *editor) belongs(name string) bool {
	first, _, _ := strings.Cut(strings.ReplaceAll(name, "’", "'"), " ")
	owner, possessive := strings.CutSuffix(first, "'s")
	return knows(e.data, name) || possessive && knows(e.data, owner)
}

// withoutKinds is a venue's name without the words that say what it is: "Grand" for Grand Coffee. Where it has no
// others, they are the name.
func withoutKinds(name string) string {
	own := slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		w = strings.ToLower(w)
		return meals[w] != "" || dishes[w] || outings[w] != "" || len(changeBooks()[""].other["venue noun"][w]) > 0
	})
	if len(own) == 0 {
		return name
	}
	return strings.Join(own, " ")
}

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
