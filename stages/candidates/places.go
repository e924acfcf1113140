package candidates

import (
	"context"
	"math"
	"slices"
	"strings"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/meet"
)

// placesFound is the result of a search for places.
type placesFound struct {
	list  []meet.Place
	notes meet.SearchNotes
	err   error
	// hunt is what can still be tried if none of them goes with the time.
	hunt hunt
}

// places are the fixed venue, those of an earlier search, or those that a new one finds; none for a remote event.
func (s *search) places(ctx context.Context) placesFound {
	switch {
	case s.Draft.Template.Remote():
		return placesFound{}
	case s.Draft.FixedPlace != nil:
		return placesFound{list: []meet.Place{s.look(ctx, s.locate(ctx, *s.Draft.FixedPlace))}}
	case s.Draft.PlaceQuery != nil:
		return s.newPlaces(ctx, *s.Draft.PlaceQuery)
	}
	found := placesFound{list: slices.Clone(s.Draft.CachedPlaces), notes: s.around()}
	for i := range found.list { // participants may have joined since
		found.list[i].DistanceFromMidpointKm = s.fromMiddle(found.list[i])
	}
	if functions.SeeksPlace(s.Draft.Template) {
		found.hunt = s.huntFor(*functions.PlaceQuery(s.Draft.Template))
		found.hunt.advance(s.Draft.CachedPlaces)
	}
	return found
}

// around notes whom the places of an earlier search are close to, or that there is nowhere to look. The other notes of
// that search were shown then.
func (s *search) around() meet.SearchNotes {
	_, notes := s.anchored(meet.PlaceQuery{})
	return meet.SearchNotes{
		Around: notes.Around, Anchor: notes.Anchor, Nowhere: notes.Nowhere && len(s.Draft.CachedPlaces) == 0,
	}
}

// captioned makes captions of the names and addresses of places, which others have written. It drops places without a
// name.
type captioned struct{ Places }

// Search searches the places within.
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

// newPlaces searches for the wish and, if nothing is found, for less and less of it. The notes say so.
func (s *search) newPlaces(ctx context.Context, query meet.PlaceQuery) placesFound {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Patience)
	defer cancel()
	return s.next(ctx, s.huntFor(query))
}

// hunt is a search for places that looks at more and more of them, and asks for less and less.
type hunt struct {
	// wished is the query as wished; left are the queries still to try, in order.
	wished meet.PlaceQuery
	left   []pageQuery
	notes  meet.SearchNotes
}

// pageQuery is a query for places after those that it has found already. Places of the name that was asked for are not
// passed over: they are found again each time, so that it can be said why none of them will do.
type pageQuery struct {
	meet.PlaceQuery
	passed []string
	found  int
}

// mostFound is how many places of one query are looked at before it is given up.
const mostFound = 4 * mostPlaces

func (s *search) huntFor(query meet.PlaceQuery) hunt {
	var h hunt
	h.wished, h.notes = s.anchored(query)
	h.wished.Limit = mostPlaces
	h.wished.Text = whereaboutsOf(s.Turn.Organizer, query.Text)
	for _, q := range lessAndLess(h.wished, s.Draft.Older) {
		h.left = append(h.left, pageQuery{PlaceQuery: q})
	}
	return h
}

// advance goes on to the next query, or to the next page of this one if it may find more than these places.
func (h *hunt) advance(found []meet.Place) {
	next := h.left[0]
	next.passed, next.found = slices.Clone(next.passed), next.found+len(found)
	for _, p := range found {
		if !p.Named {
			next.passed = append(next.passed, p.Key())
		}
	}
	more := len(next.passed) > len(h.left[0].passed) // or the same would be found
	h.left = h.left[1:]
	if more && len(found) >= mostPlaces && next.found < mostFound {
		h.left = append([]pageQuery{next}, h.left...)
	}
}

// next tries the queries that are left until one finds a place.
func (s *search) next(ctx context.Context, h hunt) (found placesFound) {
	for len(h.left) > 0 && found.err == nil && len(found.list) == 0 {
		q := h.left[0].PlaceQuery
		found.notes = h.departing(q)
		q.Without = slices.Concat(q.Without, h.left[0].passed)
		found.list, found.err = s.ask(ctx, q)
		h.advance(found.list)
	}
	if where := s.Draft.Template.Wishes.Where; where.Area != "" || where.Landmark != "" || h.wished.Close {
		found.notes.Farther = len(found.list) > 0 &&
			!slices.ContainsFunc(found.list, func(p meet.Place) bool { return p.InArea })
	}
	found.notes.Nowhere = found.notes.Nowhere && len(found.list) == 0
	found.hunt = h
	s.measure(found.list, h.wished)
	return found
}

// ask makes one query.
func (s *search) ask(ctx context.Context, q meet.PlaceQuery) (list []meet.Place, err error) {
	err = fault.Guard(func() (err error) {
		list, err = s.ports.Places.Search(ctx, q)
		return err
	})
	return list, err
}

// departing are the notes of a query: what it no longer asks for.
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

// anchored is the query around the person whom the wish names, or else around the middle of everyone. The usual
// location stands in for an office that is not known.
func (s *search) anchored(q meet.PlaceQuery) (meet.PlaceQuery, meet.SearchNotes) {
	q.Near = s.middle
	where := s.Draft.Template.Wishes.Where
	nowhere := s.middle == nil && where.Area == "" && where.Landmark == ""
	if where.Person == "" {
		return q, meet.SearchNotes{Nowhere: nowhere}
	}
	who, name := s.Draft.Around, where.Person
	if who == nil && where.Person == meet.Myself {
		who = &s.Turn.Organizer
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

// measure notes how each place meets the wish, and how far it lies from the middle and, if the query is for places
// close to a person, from that person.
func (s *search) measure(places []meet.Place, q meet.PlaceQuery) {
	features := s.Draft.Template.Wishes.Features
	for i := range places {
		p := &places[i]
		if len(features) > 0 {
			fit := p.Fit(features)
			p.Wishes = &fit
		}
		if q.Close {
			p.DistanceFromAnchorKm, p.DistanceFromMidpointKm = p.DistanceFromMidpointKm, s.fromMiddle(*p)
		}
	}
}

// fromMiddle is how far a place is from the middle of everyone, to the metre; 0 if either is not known.
func (s *search) fromMiddle(p meet.Place) (km float64) {
	if s.middle == nil || p.Location == (geo.Point{}) {
		return 0
	}
	return math.Round(geo.Distance(*s.middle, p.Location)*1000) / 1000
}

// whereaboutsOf replaces "near me" in the words of a search with the location, or with nothing if that is not known.
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
