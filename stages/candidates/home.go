package candidates

import (
	"context"
	"slices"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/travel"
)

// located is a person whose places are known from words, as far as they are known from nothing else: their usual
// starting point, and their office. A place that is not found stays unknown.
func (f *Finder) located(ctx context.Context, p meet.Person, home, office string) meet.Person {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	if p.Location == nil {
		p.Location = f.pointOf(ctx, home)
	}
	if p.Office == nil {
		p.Office = f.pointOf(ctx, office)
	}
	return p
}

// pointOf is the location of a venue of that name, or else of a place in the part of town that is called so; nil if
// there is neither.
func (f *Finder) pointOf(ctx context.Context, words string) *meet.Location {
	if words == "" {
		return nil
	}
	for _, q := range []meet.PlaceQuery{{Name: words, Limit: 1}, {Area: words, Limit: 1}} {
		found, err := f.ports.Places.Search(ctx, q)
		if err == nil && len(found) > 0 && (found[0].Named || found[0].InArea) {
			return &meet.Location{Point: found[0].Location, Label: words}
		}
	}
	return nil
}

// inTown are the people as they meet in person: who lives far from the organizer is in town then, on its clock, comes
// from nobody knows where, and is not at work.
func inTown(everyone []meet.Person, zone string) []meet.Person {
	everyone = slices.Clone(everyone)
	home := everyone[0].Location
	for i := range everyone {
		p := &everyone[i]
		if home == nil || p.Location == nil {
			continue
		}
		if _, _, far := travel.Apart([]*geo.Point{&home.Point, &p.Location.Point}); far {
			p.Location, p.Office, p.Timezone, p.CalendarType = nil, nil, zone, meet.Personal
		}
	}
	return everyone
}
