package meet

import (
	"slices"
	"strings"
)

// Feature is a wish for a place beside its kind. Finders use the same names, so that Place.Features can be compared
// with a wish.
type Feature string

// The features that can be wished for: each is one that some finder can tell of a place.
const (
	OutdoorSeating Feature = "outdoor seating"
	Quiet          Feature = "quiet"
	Lively         Feature = "lively"
	Cozy           Feature = "cozy"
	Romantic       Feature = "romantic"
	Cheap          Feature = "cheap"
	Upscale        Feature = "upscale"
	Vegan          Feature = "vegan"
	Vegetarian     Feature = "vegetarian"
	GlutenFree     Feature = "gluten free"
	Halal          Feature = "halal"
	Kosher         Feature = "kosher"
	KidFriendly    Feature = "kid friendly"
	DogFriendly    Feature = "dog friendly"
	Groups         Feature = "groups"
	Wifi           Feature = "wifi"
	View           Feature = "view"
	LiveMusic      Feature = "live music"
	Parking        Feature = "parking"
	Wheelchair     Feature = "wheelchair"
)

// Features lists every feature, in the order in which a template keeps them.
func Features() []Feature {
	return []Feature{
		OutdoorSeating, Quiet, Lively, Cozy, Romantic, Cheap, Upscale, Vegan, Vegetarian, GlutenFree, Halal, Kosher,
		KidFriendly, DogFriendly, Groups, Wifi, View, LiveMusic, Parking, Wheelchair,
	}
}

// Opposite is the feature that excludes f: it cannot be wished for together with f, and a place that has f lacks it.
// Empty if there is none.
func (f Feature) Opposite() Feature {
	switch f {
	case Quiet:
		return Lively
	case Lively:
		return Quiet
	case Cheap:
		return Upscale
	case Upscale:
		return Cheap
	default:
		return ""
	}
}

// Diet reports whether f is a dietary need: without it, a participant cannot eat at the place.
func (f Feature) Diet() bool {
	return slices.Contains([]Feature{Vegan, Vegetarian, GlutenFree, Halal, Kosher}, f)
}

// Wishes are what people want of a place beside its kind. They stay until a message changes them.
type Wishes struct {
	// Features are in the order of Features, each once.
	Features []Feature   `json:"features,omitempty"`
	Where    Whereabouts `json:"where,omitzero"`
	// Excluded are the names of refused venues ("not there again"). They hold for the conversation.
	Excluded []string `json:"excludedPlaces,omitempty"`
}

// Whereabouts says where a place should be. The zero value means between all participants.
type Whereabouts struct {
	// Area is a part of town or a town, as the user called it: "the Mission", "Oakland".
	Area string `json:"area,omitempty"`
	// Landmark is a spot to be close to.
	Landmark string `json:"landmark,omitempty"`
	// Person is someone to be close to: "me", which is the organizer, or a name as written.
	Person string `json:"person,omitempty"`
	// Anchor is which of the person's places counts.
	Anchor Anchor `json:"anchor,omitempty"`
}

// Wish is one of the wishes for a place: the name of a feature, or Somewhere.
type Wish string

// Somewhere is the wish for everything in Whereabouts.
const Somewhere Wish = "somewhere"

// Need reports whether the wish is a dietary need, which is given up last.
func (w Wish) Need() bool { return Feature(w).Diet() }

// Each lists the single wishes.
func (w Wishes) Each() []Wish {
	var each []Wish
	for _, f := range w.Features {
		each = append(each, Wish(f))
	}
	if w.Where != (Whereabouts{}) {
		each = append(each, Somewhere)
	}
	return each
}

// Myself is the organizer in Whereabouts.Person.
const Myself = "me"

// Anchor is a place that belongs to a person: where the person usually is, or the office.
type Anchor string

// A person's usual location, and their place of work.
const (
	AtLocation Anchor = "location"
	AtOffice   Anchor = "office"
)

// Fit compares a place with the wished features. Each feature is in one of the lists.
type Fit struct {
	Met []Feature `json:"met,omitempty"`
	// Unconfirmed are features that the place may or may not have, Unmet those that it is known to lack.
	Unconfirmed []Feature `json:"unconfirmed,omitempty"`
	Unmet       []Feature `json:"unmet,omitempty"`
}

// Complete reports whether all is met.
func (f Fit) Complete() bool { return len(f.Unconfirmed) == 0 && len(f.Unmet) == 0 }

// Fit compares the place with these features.
func (p Place) Fit(features []Feature) (f Fit) {
	for _, wanted := range features {
		switch {
		case p.has(wanted):
			f.Met = append(f.Met, wanted)
		case p.lacks(wanted):
			f.Unmet = append(f.Unmet, wanted)
		default:
			f.Unconfirmed = append(f.Unconfirmed, wanted)
		}
	}
	return f
}

// The ends of Place.Price.
const (
	cheapest = 1
	moderate = 2
	dearest  = 4
)

func (p Place) has(f Feature) bool {
	switch f {
	case Cheap:
		return p.Price == cheapest || p.Price == 0 && p.lists(f)
	case Upscale:
		return p.Price == dearest || p.lists(f)
	case Vegetarian:
		return p.lists(Vegetarian) || p.lists(Vegan)
	default:
		return p.lists(f)
	}
}

func (p Place) lacks(f Feature) bool {
	switch {
	case slices.Contains(p.Lacks, f):
		return true
	case f == Cheap:
		return p.Price > cheapest || p.lists(Upscale)
	case f == Upscale:
		return p.Price > 0 && p.Price <= moderate || p.lists(Cheap)
	default:
		return f.Opposite() != "" && p.lists(f.Opposite())
	}
}

func (p Place) lists(f Feature) bool {
	return slices.ContainsFunc(p.Features, func(has string) bool { return strings.EqualFold(has, string(f)) })
}
