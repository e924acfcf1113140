package message

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/holiday"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// noPlace says that there is no place, or another than the user named, and why; and that it may be closed.
func (f *Facts) noPlace(c Choice, p *wording) string {
	switch {
	case len(c.Slots) == 0:
		return ""
	case f.Apart != nil && f.Apart.Video:
		return f.apartness(p.Apart, p.ApartMany, p)
	}
	said := make([]string, 0, 3)
	if f.Apart != nil {
		said = append(said, f.inPerson(p))
	}
	switch {
	case !f.WantsPlace:
	case len(c.Places) > 0:
		said = append(said, f.otherPlace(c, p), f.unsureHours(c, p))
	case f.PlacesFailed:
		said = append(said, p.PlaceFailed)
	case f.Search.Nowhere:
		said = append(said, f.askWhere(p))
	case f.unheardOf():
		said = append(said, fill(p.PlaceUnknownAlone, "place", placeName(meet.Place{Name: f.Template.PlaceName})))
	case f.allClosed(c):
		said = append(said, p.PlaceAllClosed)
	case f.area() != "":
		said = append(said, fill(p.PlaceNoneThere, "area", f.area()))
	default:
		said = append(said, p.PlaceNone)
	}
	return strings.Join(filled(said...), " ")
}

// askWhere says that no location is known, and asks for one.
func (f *Facts) askWhere(p *wording) string {
	why := p.PlaceNowhere
	if wanted := placeName(meet.Place{Name: f.Template.PlaceName}); wanted != "" {
		why = fill(p.PlaceNowhereNamed, "place", wanted)
	}
	return why + " " + p.TellWhere
}

// PlaceAsAsked reports whether the place is as requested, as far as is known: the venue that was named or kept, or one
// that is not known to miss a wish. It is true for an event that needs no place.
func (f *Facts) PlaceAsAsked(c Choice) bool {
	c = f.within(c)
	switch {
	case f.Apart != nil && f.Apart.Video:
		return false
	case !f.WantsPlace:
		return true
	case len(c.Places) == 0:
		return false
	}
	p, fit := f.phrases(), f.Places[c.Places[0]].Wishes
	if fit != nil {
		if _, lost := f.notMet(*fit); len(lost) > 0 {
			return false
		}
	}
	return f.otherPlace(c, p) == "" && f.departures(p) == ""
}

// inPerson says who lives elsewhere although people are to meet: as the user asked, or because nobody can do it by a
// call.
func (f *Facts) inPerson(p *wording) string {
	i := slices.IndexFunc(f.People, func(o meet.Person) bool {
		return o.Location != nil && slices.Contains(f.Apart.Names, o.Name)
	})
	if !f.Template.NeedsPresence() || f.Template.NamesPlace() || i < 0 || f.People[i].Location.Label == "" {
		return f.apartness(p.ApartKept, p.ApartKeptMany, p)
	}
	parts := strings.Split(f.People[i].Location.Label, ",")
	city := f.apart(escape(oneLine(parts[len(parts)-1], placeLimit)))
	return fill(f.apartness(p.ApartHere, p.ApartKeptMany, p), "city", city)
}

// apartness names the people who live in different cities, except the reader.
func (f *Facts) apartness(one, many string, p *wording) string {
	others := without(f.Apart.Names, []string{f.Organizer.Name})
	if len(others) > 1 {
		one = many
	}
	return fill(one, "names", f.list(others, p))
}

// allClosed reports whether there are places and everyone would be on time at each. If none was chosen, all of them are
// closed at that time.
func (f *Facts) allClosed(c Choice) bool {
	for i := range f.Places {
		if f.pair(c.Slots[0], i).Late {
			return false
		}
	}
	return len(f.Places) > 0
}

// unheardOf reports whether the user named a venue that the search does not know.
func (f *Facts) unheardOf() bool {
	wanted := meet.Place{Name: f.Template.PlaceName}
	known := func(p meet.Place) bool { return p.Named || sharesName(wanted, p) }
	return placeName(wanted) != "" && !slices.ContainsFunc(f.Places, known)
}

// unsureHours says that the chosen place may be closed: its hours are unknown, or the day is a public holiday and they
// are those of an ordinary week.
func (f *Facts) unsureHours(c Choice, p *wording) string {
	place := f.Places[c.Places[0]]
	s, ok := f.chosen(c)
	if !ok || placeName(place) == "" {
		return ""
	}
	switch {
	case !place.HasHours(s.Start):
		return fill(p.HoursUnknown, "place", placeName(place))
	case onHoliday(s.Start, place.Timezone):
		return fill(p.HoursHoliday, "place", placeName(place))
	default:
		return ""
	}
}

// onHoliday reports whether t is on a public holiday in a zone.
func onHoliday(t time.Time, zone string) bool {
	loc, err := interval.Zone(zone)
	return err == nil && holiday.Public(t.In(loc))
}

// Insists reports whether a text asks to meet rather than call.
func Insists(text string) bool {
	words := " " + strings.Join(strings.FieldsFunc(fold(text), func(r rune) bool {
		return !isWordRune(r) && r != '-'
	}), " ") + " "
	for _, p := range wordings() {
		for _, phrase := range p.InPerson {
			if strings.Contains(words, " "+fold(phrase)+" ") {
				return true
			}
		}
	}
	return false
}

// otherPlace explains a place other than the one that the user named, or that a change kept.
func (f *Facts) otherPlace(c Choice, p *wording) string {
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
		open, hours := wanted.OpenDuring(s.Span())
		switch {
		case hours && !open:
			pattern = p.PlaceClosed
		case i >= 0 && f.pair(c.Slots[0], i).Late:
			pattern = p.PlaceLate
		}
	}
	return fill(pattern, "place", placeName(wanted))
}

// pair is how a place goes with a slot.
func (f *Facts) pair(slot, place int) meet.Pair {
	return meet.Candidates{Pairs: f.Pairs}.Pair(slot, place)
}

// wantedPlace is the intended venue: the previous event's if the change kept it, otherwise the one that the user named,
// and only its name may be known. It has no name if any venue would do.
func (f *Facts) wantedPlace() (wanted meet.Place, known bool) {
	if f.KeepsPlace && f.Previous != nil && f.Previous.Place != nil {
		return *f.Previous.Place, true
	}
	return meet.Place{Name: f.Template.PlaceName}, false
}

// sharesName reports whether one name contains all words of the other in sequence, as "Blue Bottle Coffee, Mint Plaza"
// contains "Blue Bottle".
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
