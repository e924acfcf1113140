package stages

import (
	"context"

	"convene/functions"
	"convene/pkg/meet"
)

// captionedPlaces are places whose names and addresses, which others have written, are captions. One without any name
// left is none.
type captionedPlaces struct{ Places }

// Search is that of the places within.
func (c captionedPlaces) Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error) {
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

// captionedActivities are activities whose titles, venues and addresses are captions, and whose pages are such as may be
// opened. One without any title left is none.
type captionedActivities struct{ Activities }

// Suggest is that of the activities within.
func (c captionedActivities) Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	found, err := c.Activities.Suggest(ctx, q)
	list := make([]meet.Suggestion, 0, len(found))
	for _, s := range found {
		s.Title, s.Venue, s.Address = meet.Caption(s.Title), meet.Caption(s.Venue), meet.Caption(s.Address)
		if !functions.IsPage(s.URL) {
			s.URL = ""
		}
		if s.Title != "" {
			list = append(list, s)
		}
	}
	return list, err
}
