package agenda

import (
	"context"
	"slices"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Base reads the events of the person's own calendars. An error means that events may be missing.
type Base interface {
	Events(ctx context.Context, person meet.Person, span interval.Span) ([]meet.Occurrence, error)
}

// Copy is a person's agenda with changes over it that are not written: what later steps of a plan see. It is used by
// one turn, whose steps may read side by side, and change one after the other.
type Copy struct {
	base    Base
	owner   meet.Person
	pending []Edit
}

// Edit is a change of one occurrence on a working copy: Before is nil for a new event, After for a deleted one.
type Edit struct{ Before, After *meet.Occurrence }

// NewCopy is the agenda of a person without changes.
func NewCopy(base Base, owner meet.Person) *Copy { return &Copy{base: base, owner: owner} }

// Make adds changes to the copy.
func (c *Copy) Make(edits ...Edit) { c.pending = append(c.pending, edits...) }

// Events are the person's events that overlap span, changes included, in order of their start. An error means that
// events may be missing.
func (c *Copy) Events(ctx context.Context, span interval.Span) ([]meet.Occurrence, error) {
	events, err := c.base.Events(ctx, c.owner, span)
	events = slices.Clone(events)
	for _, e := range c.pending {
		if e.Before != nil {
			events = slices.DeleteFunc(events, func(o meet.Occurrence) bool { return o.Key() == e.Before.Key() })
		}
		if e.After != nil && e.After.Span.Overlaps(span) {
			events = append(events, *e.After)
		}
	}
	slices.SortStableFunc(events, func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) })
	return events, err
}
