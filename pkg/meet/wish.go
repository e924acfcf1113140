package meet

import (
	"slices"
	"strings"
)

// Feature is something that people wish of a place beside its kind. The names are those that finders give to what a
// place has, so that Place.Features can be held against a wish.
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

// Features are all that can be wished for, in the order in which a template keeps them.
func Features() []Feature {
	return []Feature{
		OutdoorSeating, Quiet, Lively, Cozy, Romantic, Cheap, Upscale, Vegan, Vegetarian, GlutenFree, Halal, Kosher,
		KidFriendly, DogFriendly, Groups, Wifi, View, LiveMusic, Parking, Wheelchair,
	}
}

// Opposite is what cannot be wished for together with f, and what a place that has f is known not to have; empty where
// there is nothing of the kind.
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

// Diet reports whether f is something that somebody needs in order to eat at a place at all.
func (f Feature) Diet() bool {
	return slices.Contains([]Feature{Vegan, Vegetarian, GlutenFree, Halal, Kosher}, f)
}

// Wishes are what people want of a place beside its kind. They stay what they are until somebody says otherwise.
type Wishes struct {
	// Features are in the order of Features, each once.
	Features []Feature   `json:"features,omitempty"`
	Where    Whereabouts `json:"where,omitzero"`
	// Excluded are the names of venues that it must not be, as "not there again" says. They hold for the conversation.
	Excluded []string `json:"excludedPlaces,omitempty"`
}

// Whereabouts says where a place should be. The zero value is between everybody.
type Whereabouts struct {
	// Area is a part of town or a town, as people say it: "the Mission", "Oakland".
	Area string `json:"area,omitempty"`
	// Landmark is something to be close to.
	Landmark string `json:"landmark,omitempty"`
	// Person is somebody to be close to: "me", which is the organizer, or a name as written.
	Person string `json:"person,omitempty"`
	// Anchor is where that person is meant to be.
	Anchor Anchor `json:"anchor,omitempty"`
}

// Wish is one of the wishes for a place: the name of a feature, or Somewhere.
type Wish string

// Somewhere is the wish for all that Whereabouts says.
const Somewhere Wish = "somewhere"

// Need reports whether it is the wish for something that somebody needs, which is given up last.
func (w Wish) Need() bool { return Feature(w).Diet() }

// Each are the wishes one by one.
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

// Myself is how Whereabouts.Person calls whoever asks.
const Myself = "me"

// Anchor is a place that belongs to a person.
type Anchor string

// The anchors: where somebody usually is, and where they work.
const (
	AtLocation Anchor = "location"
	AtOffice   Anchor = "office"
)

// Fit is how a place stands to the features that are wished for, each of which is in one of the lists.
type Fit struct {
	Met []Feature `json:"met,omitempty"`
	// Unconfirmed are those of which nobody knows whether the place has them, Unmet those that it is known not to have.
	Unconfirmed []Feature `json:"unconfirmed,omitempty"`
	Unmet       []Feature `json:"unmet,omitempty"`
}

// Complete reports whether all is met.
func (f Fit) Complete() bool { return len(f.Unconfirmed) == 0 && len(f.Unmet) == 0 }

// Fit is how the place stands to these features by what is known of it.
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
