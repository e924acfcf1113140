package candidates

import (
	"context"

	"convene/pkg/meet"
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
