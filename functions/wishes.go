package functions

import (
	"slices"
	"strings"

	invopop "github.com/invopop/jsonschema"

	"convene/pkg/meet"
)

// Wish is a feature of a place as a model names it.
type Wish string

// JSONSchema lists all features, since a model must not wish for anything else.
func (Wish) JSONSchema() *invopop.Schema {
	all := &invopop.Schema{Type: "string"}
	for _, feature := range meet.Features() {
		all.Enum = append(all.Enum, string(feature))
	}
	return all
}

// Where is where a place should be as a model names it. What is empty or "none" is not said.
type Where struct {
	Area     string `json:"area"`
	Landmark string `json:"landmark"`
	Person   string `json:"person"`
	Anchor   string `json:"anchor" jsonschema:"enum=none,enum=location,enum=office"`
}

// The bounds of what is kept of a wish.
const (
	maxWhere    = 80
	maxExcluded = 20
)

// whereabouts reads where a place should be; nil is between everybody.
func whereabouts(in *Where) meet.Whereabouts {
	if in == nil {
		return meet.Whereabouts{}
	}
	w := meet.Whereabouts{Area: clip(in.Area), Landmark: clip(in.Landmark), Person: clip(in.Person)}
	switch {
	case w.Person == "":
	case in.Anchor == string(meet.AtOffice):
		w.Anchor = meet.AtOffice
	default:
		w.Anchor = meet.AtLocation
	}
	return w
}

// clip is a caption of bounded length.
func clip(s string) string {
	line := []rune(meet.Caption(s))
	return strings.TrimSpace(string(line[:min(len(line), maxWhere)]))
}

// features puts wishes into their order, each once; of two that are opposites the one that was named last counts.
func features(named []Wish) []meet.Feature {
	wanted := map[meet.Feature]bool{}
	for _, w := range named {
		delete(wanted, meet.Feature(w).Opposite())
		wanted[meet.Feature(w)] = true
	}
	var kept []meet.Feature
	for _, f := range meet.Features() {
		if wanted[f] {
			kept = append(kept, f)
		}
	}
	return kept
}

// newWishes are those of a new event. Venues that were turned down earlier in the conversation stay turned down.
func newWishes(in TemplateArguments, before *meet.Search) meet.Wishes {
	w := meet.Wishes{Features: features(in.Wishes), Where: whereabouts(in.Where)}
	if before != nil {
		w.Excluded = slices.Clone(before.Template.Wishes.Excluded)
	}
	w.Excluded = withNames(w.Excluded, in.ExcludedPlaces, in.PlaceName)
	return w
}

// editWishes changes what is wished for, and reports whether the edit turns down a place that nothing did before.
func editWishes(w *meet.Wishes, in EditArguments) (elsewhere bool) {
	kept := make([]Wish, 0, len(w.Features)+len(in.AddWishes))
	for _, f := range w.Features {
		if !slices.Contains(in.RemoveWishes, Wish(f)) {
			kept = append(kept, Wish(f))
		}
	}
	w.Features = features(append(kept, in.AddWishes...))
	if in.NewWhere != nil {
		w.Where = whereabouts(in.NewWhere)
	}
	allowed := append(slices.Clone(in.AllowPlaces), text(in.NewPlaceName))
	before := w.Excluded
	w.Excluded = withNames(before, in.ExcludePlaces, allowed...)
	return slices.ContainsFunc(w.Excluded, func(name string) bool { return !namedIn(name, before) })
}

// olderWishes are those that earlier messages made, that still hold and that the edit does not speak of.
func olderWishes(made []meet.Wish, now meet.Wishes, in EditArguments) []meet.Wish {
	hold := now.Each()
	return slices.DeleteFunc(slices.Clone(made), func(w meet.Wish) bool {
		again := slices.Contains(in.AddWishes, Wish(w)) || w == meet.Somewhere && in.NewWhere != nil
		return again || !slices.Contains(hold, w)
	})
}

// withNames are the names with more of them, each once and without those that are allowed; the oldest go where there
// are too many.
func withNames(names, more []string, allowed ...string) []string {
	all := slices.Clone(names)
	for _, name := range trimmed(more) {
		if name = clip(name); !namedIn(name, all) {
			all = append(all, name)
		}
	}
	all = slices.DeleteFunc(all, func(name string) bool { return namedIn(name, allowed) })
	all = all[max(0, len(all)-maxExcluded):]
	if len(all) == 0 {
		return nil
	}
	return all
}

// PlaceQuery is what to search for; the stage that searches knows around what.
func PlaceQuery(t meet.Template) *meet.PlaceQuery {
	return &meet.PlaceQuery{
		Name: t.PlaceName, Text: t.ActivitySearchQuery, Types: t.SuggestedPlaceTypes,
		Features: t.Wishes.Features, Area: t.Wishes.Where.Area, Landmark: t.Wishes.Where.Landmark,
		Excluded: t.Wishes.Excluded,
	}
}
