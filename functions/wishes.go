package functions

import (
	"slices"
	"strings"

	invopop "github.com/invopop/jsonschema"

	"convene/pkg/meet"
)

// Wish is a feature of a place, a meet.Feature.
type Wish string

// JSONSchema lists all features; a model must not name another one.
func (Wish) JSONSchema() *invopop.Schema {
	all := &invopop.Schema{Type: "string"}
	for _, feature := range meet.Features() {
		all.Enum = append(all.Enum, string(feature))
	}
	return all
}

// Where is where a place should be. Empty or "none" says nothing.
type Where struct {
	Area     string `json:"area"`
	Landmark string `json:"landmark"`
	Person   string `json:"person"`
	Anchor   string `json:"anchor" jsonschema:"enum=none,enum=location,enum=office"`
}

// The bounds of a wish, in runes and in names.
const (
	maxWhere    = 80
	maxExcluded = 20
)

// whereabouts reads where a place should be; nil is between everyone.
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

// features are the wishes in the order of meet.Features, each once; of two opposites the one named last counts.
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

// newWishes are those of a new event. Venues that the user refused earlier in the conversation stay refused.
func newWishes(in TemplateArguments, before *meet.Search) meet.Wishes {
	w := meet.Wishes{Features: features(in.Wishes), Where: whereabouts(in.Where)}
	if before != nil {
		w.Excluded = slices.Clone(before.Template.Wishes.Excluded)
	}
	w.Excluded = withNames(w.Excluded, in.ExcludedPlaces, in.PlaceName)
	return w
}

// editWishes changes the wishes, and reports whether the edit refuses a place for the first time.
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

// olderWishes are those of earlier messages that still hold and that the edit does not mention.
func olderWishes(made []meet.Wish, now meet.Wishes, in EditArguments) []meet.Wish {
	hold := now.Each()
	return slices.DeleteFunc(slices.Clone(made), func(w meet.Wish) bool {
		again := slices.Contains(in.AddWishes, Wish(w)) || w == meet.Somewhere && in.NewWhere != nil
		return again || !slices.Contains(hold, w)
	})
}

// withNames adds names, each once, and drops those that are allowed, and the oldest if there are too many.
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

// PlaceQuery is the query for a template's place; the stage that searches sets where.
func PlaceQuery(t meet.Template) *meet.PlaceQuery {
	return &meet.PlaceQuery{
		Name: t.PlaceName, Text: t.ActivitySearchQuery, Types: t.SuggestedPlaceTypes,
		Features: t.Wishes.Features, Area: t.Wishes.Where.Area, Landmark: t.Wishes.Where.Landmark,
		Excluded: t.Wishes.Excluded,
	}
}
