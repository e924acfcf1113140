package message

import (
	"slices"
	"strings"

	"convene/pkg/meet"
)

// wishes compares the chosen place with the wishes: whether the search had to look elsewhere, where the place is, and
// which features it has, may have and lacks. It is empty for a place that a change kept.
func (f *Facts) wishes(c Choice, p *wording) string {
	if len(c.Places) == 0 {
		return ""
	}
	place := f.Places[c.Places[0]]
	if f.KeepsPlace && f.Previous != nil && f.Previous.Place != nil && f.Previous.Place.Same(place) {
		return ""
	}
	said := []string{f.departures(p), f.whereItIs(place, p)}
	if fit := place.Wishes; fit != nil {
		open, lost := f.notMet(*fit)
		pattern := p.WishesLost
		if slices.ContainsFunc(lost, f.gaveUp) {
			pattern = p.WishesGivenUp
		}
		said = append(said, f.listed(p.WishesMet, fit.Met, p), f.listed(p.WishesOpen, open, p), f.listed(pattern, lost, p))
	}
	return strings.Join(filled(said...), " ")
}

// notMet are the features that the place may have, and those that it lacks or that the search gave up.
func (f *Facts) notMet(fit meet.Fit) (open, lost []meet.Feature) {
	lost = slices.Clone(fit.Unmet)
	for _, feature := range fit.Unconfirmed {
		if f.gaveUp(feature) {
			lost = append(lost, feature)
		} else {
			open = append(open, feature)
		}
	}
	return open, lost
}

// gaveUp reports whether the search gave up a feature to find a place for the time.
func (f *Facts) gaveUp(feature meet.Feature) bool { return slices.Contains(f.Search.GivenUp, feature) }

// departures say where the search departed from the request.
func (f *Facts) departures(p *wording) string {
	var said []string
	if f.Search.Repeated {
		said = append(said, p.Repeated)
	}
	if name := f.Search.NoOffice; name != "" {
		said = append(said, f.about([]string{f.person(name)}, "noOffice", p.NoOffice, p))
	}
	if name := f.Search.NoLocation; name != "" {
		said = append(said, f.about([]string{f.person(name)}, "noLocation", p.NoLocation, p))
	}
	switch area := f.area(); {
	case !f.Search.Farther:
	case area != "":
		said = append(said, fill(p.Farther, "area", area))
	case f.Search.Around != "":
		said = append(said, fill(p.FartherFrom, "anchor", f.anchor(p)))
	}
	return strings.Join(said, " ")
}

// whereItIs says that the place is where it was requested.
func (f *Facts) whereItIs(place meet.Place, p *wording) string {
	where := f.Template.Wishes.Where
	switch {
	case place.DistanceFromAnchorKm > 0 && f.Search.Around != "":
		return fill(p.NearAnchor, "km", p.kilometres(place.DistanceFromAnchorKm), "anchor", f.anchor(p))
	case !place.InArea:
		return ""
	case where.Area != "":
		return fill(p.InArea, "area", f.area())
	case where.Landmark != "":
		return fill(p.ByLandmark, "area", f.area())
	default:
		return ""
	}
}

// area is the requested location in the user's words. Outside English it drops the English article that marks a part of
// town for the search.
func (f *Facts) area() string {
	where := f.Template.Wishes.Where
	for _, name := range []string{where.Area, where.Landmark} {
		if f.spoken() != english {
			name = strings.TrimPrefix(name, "the ")
		}
		if name != "" {
			return f.apart(escape(oneLine(name, placeLimit)))
		}
	}
	return ""
}

// anchor is what the place is close to: "your office", "Al".
func (f *Facts) anchor(p *wording) string {
	who := []string{f.person(f.Search.Around)}
	if f.Search.Anchor == meet.AtOffice {
		return f.about(who, "office", p.Office, p)
	}
	return f.about(who, "whereabouts", p.Whereabouts, p)
}

// person is the organizer's name for "me", and otherwise the name itself.
func (f *Facts) person(name string) string {
	if name == meet.Myself {
		return f.Organizer.Name
	}
	return name
}

// listed is a sentence about features, empty if there are none.
func (f *Facts) listed(pattern string, features []meet.Feature, p *wording) string {
	if len(features) == 0 {
		return ""
	}
	names := make([]string, len(features))
	for i, feature := range features {
		names[i] = p.Wishes[feature]
	}
	return fill(pattern, "wishes", enumerate(names, p, func(name string) string { return name }))
}

// wishHints are the parts of a place's hint about wishes, met ones first.
func (f *Facts) wishHints(place meet.Place, p *wording) []string {
	if place.Wishes == nil {
		return nil
	}
	var hints []string
	for _, feature := range place.Wishes.Met {
		hints = append(hints, p.Wishes[feature])
	}
	for _, feature := range place.Wishes.Unconfirmed {
		hints = append(hints, fill(p.WishOpen, "wish", p.Wishes[feature]))
	}
	for _, feature := range place.Wishes.Unmet {
		hints = append(hints, fill(p.WishLost, "wish", p.Wishes[feature]))
	}
	return hints
}

// distanceHint is a place's distance from the midpoint, or from the anchor.
func (f *Facts) distanceHint(i int, p *wording) string {
	place := f.Places[i]
	if km := place.DistanceFromAnchorKm; km > 0 && km < 1000 && f.Search.Around != "" {
		return fill(p.DistanceFrom, "km", p.kilometres(km), "anchor", f.anchor(p))
	}
	d := place.DistanceFromMidpointKm
	if d <= 0 || d >= 1000 {
		return ""
	}
	pattern := p.Distance
	if f.closest(i) {
		pattern = p.Closest
	}
	return fill(pattern, "km", p.kilometres(d))
}

// wished reports whether a feature of the place was wished for.
func wished(place meet.Place, feature string) bool {
	fit := place.Wishes
	return fit != nil && slices.Contains(slices.Concat(fit.Met, fit.Unconfirmed, fit.Unmet), meet.Feature(feature))
}
