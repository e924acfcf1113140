package candidates

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/meet"
)

// placesFound is the answer of a search for places.
type placesFound struct {
	list  []meet.Place
	notes meet.SearchNotes
	err   error
	// hunt is what can still be tried where none of them goes with the time.
	hunt hunt
}

// placeSearch is the search that runs beside the slots.
type placeSearch struct {
	done  chan struct{}
	found placesFound
}

func (f *Finder) searchPlaces(ctx context.Context, c Circumstances, draft meet.Draft) *placeSearch {
	s := &placeSearch{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.found = f.findPlaces(ctx, c, draft)
	}()
	return s
}

func (s *placeSearch) wait() placesFound {
	<-s.done
	return s.found
}

// soFar is nothing while the search goes on.
func (s *placeSearch) soFar() placesFound {
	select {
	case <-s.done:
		return s.found
	default:
		return placesFound{}
	}
}

// findPlaces is the one that is settled already, those of an earlier search, or what a new one finds; none for an event
// that takes place nowhere.
func (f *Finder) findPlaces(ctx context.Context, c Circumstances, draft meet.Draft) placesFound {
	near := meet.Midpoint(draft.Everyone(c.Turn.Organizer))
	switch {
	case draft.Template.Remote():
		return placesFound{}
	case draft.FixedPlace != nil:
		return placesFound{list: []meet.Place{f.look(ctx, f.locate(ctx, *draft.FixedPlace, near), near)}}
	case draft.PlaceQuery == nil:
		return placesFound{
			list:  measuredAnew(draft.CachedPlaces, near),
			notes: Around(draft, c.Turn.Organizer, near), hunt: onceMore(draft, c.Turn.Organizer, near),
		}
	}
	return f.search(ctx, draft, c.Turn.Organizer, near)
}

// Around notes whom places of an earlier search are close to, or that nobody knows where to look. What that search had
// to do otherwise was said then.
func Around(draft meet.Draft, organizer meet.Person, middle *geo.Point) meet.SearchNotes {
	_, notes := anchored(meet.PlaceQuery{}, draft, organizer, middle)
	return meet.SearchNotes{
		Around: notes.Around, Anchor: notes.Anchor, Nowhere: notes.Nowhere && len(draft.CachedPlaces) == 0,
	}
}

// onceMore is what can be tried beside places that were found before: others of what was searched for then, and less of
// it.
func onceMore(draft meet.Draft, organizer meet.Person, near *geo.Point) hunt {
	if !functions.SeeksPlace(draft.Template) {
		return hunt{}
	}
	h := huntFor(*functions.PlaceQuery(draft.Template), draft, organizer, near)
	first := h.left[0]
	h.left = h.left[1:]
	return h.behind(first, draft.CachedPlaces)
}

// captioned are places whose names and addresses, which others have written, are captions. One without any name left is
// none.
type captioned struct{ Places }

// Search is that of the places within.
func (c captioned) Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error) {
	found, err := c.Places.Search(ctx, q)
	list := make([]meet.Place, 0, len(found))
	for _, p := range found {
		p.Name, p.Address = meet.Caption(p.Name), meet.Caption(p.Address)
		if p.Name != "" {
			list = append(list, p)
		}
	}
	return list, err
}

// mostPlaces is how many venues reach the model.
const mostPlaces = 16

// search looks for what the draft wishes of a place, and for less of it where there is nothing. The notes say so.
func (f *Finder) search(ctx context.Context, draft meet.Draft, organizer meet.Person, near *geo.Point) placesFound {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	return f.next(ctx, huntFor(*draft.PlaceQuery, draft, organizer, near))
}

// hunt is a search for places that looks at more and more of them, and asks for less and less.
type hunt struct {
	// wished is the query as wished, and left is what is still to be tried, in order.
	wished   meet.PlaceQuery
	left     []wanted
	notes    meet.SearchNotes
	where    meet.Whereabouts
	features []meet.Feature
	middle   *geo.Point
}

// wanted is one query of a hunt, behind the places that it has found already. Those of the name that was asked for are
// not passed over: they are found again each time, so that it can be said why it is none of them.
type wanted struct {
	meet.PlaceQuery
	passed []string
	found  int
}

// mostFound is how many places of one query are looked at before it is given up, none of which goes with the time.
const mostFound = 4 * mostPlaces

// huntFor is the search that a query begins.
func huntFor(query meet.PlaceQuery, draft meet.Draft, organizer meet.Person, near *geo.Point) hunt {
	h := hunt{
		middle: near, where: draft.Template.Wishes.Where, features: draft.Template.Wishes.Features,
	}
	h.wished, h.notes = anchored(query, draft, organizer, near)
	h.wished.Limit = mostPlaces
	h.wished.Text = whereaboutsOf(organizer, query.Text)
	for _, q := range lessAndLess(h.wished, draft.Older) {
		h.left = append(h.left, wanted{PlaceQuery: q})
	}
	return h
}

// behind is the hunt that goes on with what a query finds behind these places, where it may find more.
func (h hunt) behind(w wanted, found []meet.Place) hunt {
	passed := slices.Clone(w.passed)
	for _, p := range found {
		if !p.Named {
			passed = append(passed, p.Key())
		}
	}
	more := len(passed) > len(w.passed) // or the same would be found
	w.passed, w.found = passed, w.found+len(found)
	if more && len(found) >= mostPlaces && w.found < mostFound {
		h.left = append([]wanted{w}, h.left...)
	}
	return h
}

// next is what the first of the queries that are left finds which finds anything.
func (f *Finder) next(ctx context.Context, h hunt) (found placesFound) {
	for len(h.left) > 0 && found.err == nil && len(found.list) == 0 {
		w := h.left[0]
		found.err = fault.Guard(func() (err error) {
			q := w.PlaceQuery
			q.Without = slices.Concat(q.Without, w.passed)
			found.list, err = f.ports.Places.Search(ctx, q)
			return err
		})
		found.notes = h.departing(w.PlaceQuery)
		h.left = h.left[1:]
		h = h.behind(w, found.list)
	}
	if h.where.Area != "" || h.where.Landmark != "" || h.wished.Close {
		found.notes.Farther = len(found.list) > 0 &&
			!slices.ContainsFunc(found.list, func(p meet.Place) bool { return p.InArea })
	}
	found.notes.Nowhere = found.notes.Nowhere && len(found.list) == 0
	found.hunt = h
	measure(found.list, h.features, h.wished, h.middle)
	return found
}

// departing are the notes of a query: what it does not ask for any more.
func (h hunt) departing(q meet.PlaceQuery) meet.SearchNotes {
	notes := h.notes
	notes.Farther = h.wished.Close && !q.Close
	notes.Repeated = len(h.wished.Without) > 0 && len(q.Without) == 0
	for _, f := range h.wished.Features {
		if !slices.Contains(q.Features, f) {
			notes.GivenUp = append(notes.GivenUp, f)
		}
	}
	return notes
}

// anchored is the query around whom the wish names, and around the middle of everybody where it names nobody. Who has
// no office that is known is looked for where they usually are.
func anchored(
	q meet.PlaceQuery, draft meet.Draft, organizer meet.Person, middle *geo.Point,
) (meet.PlaceQuery, meet.SearchNotes) {
	q.Near = middle
	where := draft.Template.Wishes.Where
	nowhere := middle == nil && where.Area == "" && where.Landmark == ""
	if where.Person == "" {
		return q, meet.SearchNotes{Nowhere: nowhere}
	}
	who, name := draft.Around, where.Person
	if who == nil && where.Person == meet.Myself {
		who = &organizer
	}
	if who != nil && where.Person != meet.Myself {
		name = who.Name
	}
	notes := meet.SearchNotes{Around: name, Anchor: where.Anchor}
	switch {
	case who == nil || who.Location == nil && who.Office == nil:
		return q, meet.SearchNotes{NoLocation: name, Nowhere: nowhere}
	case where.Anchor == meet.AtOffice && who.Office != nil:
		q.Near = &who.Office.Point
	case who.Location == nil:
		q.Near, notes.Anchor = &who.Office.Point, meet.AtOffice
	case where.Anchor == meet.AtOffice:
		q.Near, notes.Anchor, notes.NoOffice = &who.Location.Point, meet.AtLocation, name
	default:
		q.Near = &who.Location.Point
	}
	q.Close = true
	return q, notes
}

// measure notes how each place stands to the wish, and how far it lies from the middle and from whom it should be close
// to.
func measure(places []meet.Place, features []meet.Feature, q meet.PlaceQuery, middle *geo.Point) {
	for i := range places {
		p := &places[i]
		if len(features) > 0 {
			fit := p.Fit(features)
			p.Wishes = &fit
		}
		if q.Close {
			p.DistanceFromAnchorKm = p.DistanceFromMidpointKm
			p.DistanceFromMidpointKm = fromMiddle(*p, middle)
		}
	}
}

// measuredAnew are places of an earlier search as far from the middle as that is now: others may have joined since.
func measuredAnew(places []meet.Place, middle *geo.Point) []meet.Place {
	places = slices.Clone(places)
	for i, p := range places {
		places[i].DistanceFromMidpointKm = fromMiddle(p, middle)
	}
	return places
}

// fromMiddle is how far a place is from the middle of everybody, to the metre; 0 where one of them is not known.
func fromMiddle(p meet.Place, middle *geo.Point) (km float64) {
	if middle == nil || p.Location == (geo.Point{}) {
		return 0
	}
	return math.Round(geo.Distance(*middle, p.Location)*1000) / 1000
}

// whereaboutsOf is a search in which "near me" says where that is. Where nobody knows, it says nothing.
func whereaboutsOf(me meet.Person, text string) string {
	area := ""
	if me.Location != nil {
		area, _, _ = strings.Cut(me.Location.Label, ",")
	}
	for _, mine := range []string{"closer to me", "close to me", "near to me", "near me", "nearby me"} {
		before, after, found := strings.Cut(" "+text+" ", " "+mine+" ")
		if !found {
			continue
		}
		if area != "" {
			before += " near " + area
		}
		text = strings.TrimSpace(before + " " + after)
	}
	return text
}

// sameSpotKm is how far apart two entries of one venue may lie; branches of a chain lie farther.
const sameSpotKm = 0.3

// look completes a venue that a suggestion named with what the search knows of it: its hours and its map.
func (f *Finder) look(ctx context.Context, venue meet.Place, near *geo.Point) meet.Place {
	venue.Named, venue.MapsURL = true, venue.MapLink()
	if near != nil && venue.Location != (geo.Point{}) {
		venue.DistanceFromMidpointKm = geo.Distance(*near, venue.Location)
	}
	if venue.Location == (geo.Point{}) {
		return venue
	}
	known, ok := f.named(ctx, venue.Name, venue.Location, sameSpotKm)
	if !ok {
		return venue // it stands without the search; all that is lost is its hours
	}
	known.DistanceFromMidpointKm = venue.DistanceFromMidpointKm
	return known
}

// named is the venue of that name that lies within so many kilometres of a point.
func (f *Finder) named(ctx context.Context, name string, near geo.Point, km float64) (venue meet.Place, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	var list []meet.Place
	err := fault.Guard(func() (err error) {
		list, err = f.ports.Places.Search(ctx, meet.PlaceQuery{Name: name, Near: &near, Limit: 1})
		return err
	})
	if err != nil || len(list) == 0 || !list[0].Named || geo.Distance(list[0].Location, near) > km {
		return venue, false
	}
	return list[0], true
}

// OutingKm is how far people go for an outing. Others come along by other means.
const OutingKm = 100

// locate finds a venue that a suggestion named without saying where on the map it is. It must be the same venue: of
// that name, near the people, and at the same number of a street where both say one. Otherwise the event keeps the name
// and the address as they were suggested.
func (f *Finder) locate(ctx context.Context, venue meet.Place, near *geo.Point) meet.Place {
	if venue.Location != (geo.Point{}) || near == nil {
		return venue
	}
	known, ok := f.named(ctx, venue.Name, *near, OutingKm)
	if !ok || !sameNumber(known.Address, venue.Address) {
		return venue
	}
	venue.Location = known.Location
	if venue.Address == "" {
		venue.Address = known.Address
	}
	return venue
}

// sameNumber reports whether two addresses have the same number of a house, as far as both have one.
func sameNumber(a, b string) bool {
	x, y := houseNumber(a), houseNumber(b)
	return x == "" || y == "" || x == y
}

// houseNumber is the first number in the street part of an address.
func houseNumber(address string) string {
	street, _, _ := strings.Cut(address, ",")
	notDigit := func(r rune) bool { return !unicode.IsDigit(r) }
	numbers := strings.FieldsFunc(street, notDigit)
	if len(numbers) == 0 {
		return ""
	}
	return numbers[0]
}
