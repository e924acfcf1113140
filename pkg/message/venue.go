package message

import (
	"slices"
	"strings"

	"convene/pkg/meet"
)

func (f Facts) noPlace(c Choice, p wording) string {
	switch {
	case !f.WantsPlace || len(c.Slots) == 0:
		return ""
	case len(c.Places) > 0:
		return f.otherPlace(c, p)
	case f.PlacesFailed:
		return p.PlaceFailed
	case len(f.Places) > 0:
		return p.PlaceAllClosed
	case f.area() != "":
		return fill(p.PlaceNoneThere, "area", f.area())
	default:
		return p.PlaceNone
	}
}

// otherPlace says why the place is not the one that the user named, or not the one that a change left as it was.
func (f Facts) otherPlace(c Choice, p wording) string {
	chosen := f.Places[c.Places[0]]
	wanted, known := f.wantedPlace()
	if wanted.Name == "" || wanted.Same(chosen) || sharesName(wanted, chosen) || chosen.Named && !known {
		return ""
	}
	i := slices.IndexFunc(f.Places, func(o meet.Place) bool { return o.Named || o.Same(wanted) || sharesName(wanted, o) })
	if i >= 0 {
		wanted, known = f.Places[i], true
	}
	pattern := p.PlaceUnknown
	if known {
		pattern = p.PlaceGone
	}
	if s, ok := f.chosen(c); ok && known {
		if open, hours := wanted.OpenDuring(s.Span()); hours && !open {
			pattern = p.PlaceClosed
		}
	}
	return fill(pattern, "place", placeName(wanted))
}

// wantedPlace is the venue that the event would have if all went well: that of the event that is being changed where
// the change left it alone, otherwise the one that the user named, of which nothing but the name may be known. It has
// no name where any venue would do.
func (f Facts) wantedPlace() (wanted meet.Place, known bool) {
	if f.KeepsPlace && f.Previous != nil && f.Previous.Place != nil {
		return *f.Previous.Place, true
	}
	return meet.Place{Name: f.Template.PlaceName}, false
}

// sharesName reports whether all words of one name stand together in the other, as those of "Blue Bottle" do in "Blue
// Bottle Coffee, Mint Plaza": whoever named the one means the other.
func sharesName(a, b meet.Place) bool {
	few, many := nameWords(a.Name), nameWords(b.Name)
	if len(few) > len(many) {
		few, many = many, few
	}
	if len(few) == 0 {
		return false
	}
	for i := range len(many) - len(few) + 1 {
		if slices.Equal(few, many[i:i+len(few)]) {
			return true
		}
	}
	return false
}

func nameWords(name string) []string {
	return strings.FieldsFunc(fold(name), func(r rune) bool { return !isWordRune(r) })
}
