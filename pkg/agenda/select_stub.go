package agenda

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// All of this file stands here until the matcher is merged; then the file goes.

// AmbiguousError says that several events fit.
type AmbiguousError struct{ Options []meet.Occurrence }

func (e *AmbiguousError) Error() string { return "several events fit" }

// Span is the time of which the events must be read.
func (s Selection) Span(scene Scene) (interval.Span, error) {
	const year = 366 * 24 * time.Hour
	return interval.Span{Start: scene.Now.Add(-year), End: scene.Now.Add(year)}, nil
}

// Select picks the events that are meant.
func (s Selection) Select(events []meet.Occurrence, _ Scene) ([]meet.Occurrence, error) {
	var chosen []meet.Occurrence
	for _, o := range events {
		has := func(word string) bool { return strings.Contains(strings.ToLower(o.Title), strings.ToLower(word)) }
		if (len(s.IDs) == 0 || slices.Contains(s.IDs, o.Key())) &&
			(len(s.TitleHas) == 0 || slices.ContainsFunc(s.TitleHas, has)) {
			chosen = append(chosen, o)
		}
	}
	if s.One != nil && *s.One && len(chosen) > 1 {
		return nil, &AmbiguousError{chosen}
	}
	return chosen, nil
}
