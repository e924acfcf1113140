package calendar

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// mostChanges is how many events one call may change.
const mostChanges = 200

// Changed is the data of a tool that changes events.
type Changed struct {
	// Events are the events as they would be; those to be deleted as they are.
	Events []agenda.Event `json:"events"`
	// Conflicts are events of the owner that overlap them.
	Conflicts []agenda.Event `json:"conflicts"`
	// Unread says that a calendar could not be read, so that others may be missing.
	Unread bool `json:"unread"`
}

// amend makes the amendments of what was found on the working copy. Those that change nothing are left out.
func amend(
	ctx context.Context, w *world.World, found world.Found, amendments []agenda.Amendment,
) (world.Answer[Changed], error) {
	answer := world.Answer[Changed]{
		Data: Changed{Events: []agenda.Event{}, Unread: found.Unread}, Display: meet.ConfirmationDisplay,
	}
	amendments = slices.DeleteFunc(amendments, func(a agenda.Amendment) bool { return idle(w, a) })
	if len(amendments) > mostChanges {
		return answer, fault.New(fault.TooLarge, "%s", count(w, "tooMany", mostChanges))
	}
	var after []meet.Occurrence
	for _, a := range amendments {
		c, err := w.Amend(a)
		if err != nil {
			return answer, err
		}
		if a.Kind == agenda.Respond {
			c.Affects = heard(a.Event)
		}
		answer.Changes = append(answer.Changes, c)
		event, err := eventIn(c)
		if err != nil {
			return answer, err
		}
		answer.Data.Events = append(answer.Data.Events, event)
		if o := a.After(); o != nil && (a.Kind == agenda.Create || a.Set.Span != nil) {
			o.UID = cmp.Or(o.UID, event.ID) // a new event has got its own
			after = append(after, *o)
		}
	}
	conflicts, err := overlapping(ctx, w, after)
	if err != nil {
		return answer, err
	}
	answer.Data.Conflicts = w.Events(conflicts, false)
	notes := w.Notes(found)
	if len(conflicts) > 0 {
		notes = append(notes, say(w, "overlaps", "titles", w.Titles(conflicts)))
	}
	if foreign := others(found.Events); len(foreign) > 0 && len(after) > 0 {
		notes = append(notes, say(w, "foreign", "titles", w.Titles(foreign)))
	}
	answer.Title = count(w, "changes", len(answer.Changes))
	if len(answer.Changes) == 0 {
		answer.Title = say(w, "already")
		notes = append(notes, answer.Title)
	}
	answer.Description = strings.Join(notes, " ")
	if len(answer.Changes) > 0 {
		list := map[string][]meet.Change{"changes": answer.Changes}
		answer.Components = []meet.Component{world.Part(meet.ChangeListPart, list)}
	}
	return answer, nil
}

// idle reports whether an amendment leaves the event as clients see it, or an answer as it was.
func idle(w *world.World, a agenda.Amendment) bool {
	if a.Kind != agenda.Update && a.Kind != agenda.Respond {
		return false
	}
	before, beforeErr := json.Marshal(agenda.EventOf(a.Event, w.Zone()))
	after, afterErr := json.Marshal(agenda.EventOf(*a.After(), w.Zone()))
	return beforeErr == nil && afterErr == nil && bytes.Equal(before, after)
}

// eventIn is the event of a change: as it would be, or if it is to be deleted as it is.
func eventIn(c meet.Change) (e agenda.Event, err error) {
	raw := c.After
	if c.Kind == meet.DeleteThing {
		raw = c.Before
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return e, fmt.Errorf("event of a change: %w", err)
	}
	e.Pending = true
	return e, nil
}

// heard is the organizer, who hears of an answer.
func heard(o meet.Occurrence) []meet.Affected {
	if o.Organizer == nil || o.Organizer.Self {
		return []meet.Affected{}
	}
	return []meet.Affected{{Name: nameOf(*o.Organizer), Email: o.Organizer.Email}}
}

// others are the events to which another person invited.
func others(events []meet.Occurrence) []meet.Occurrence {
	return slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool {
		return o.Organizer == nil || o.Organizer.Self
	})
}

// overlapping are the events of the working copy that take time of the given ones. Those that take none of the owner's
// time overlap nothing.
func overlapping(ctx context.Context, w *world.World, given []meet.Occurrence) ([]meet.Occurrence, error) {
	given = slices.DeleteFunc(given, idleTime)
	if len(given) == 0 {
		return nil, nil
	}
	hull := given[0].Span
	for _, o := range given {
		hull = hull.Hull(o.Span)
	}
	events, _ := w.Agenda.Events(ctx, hull) // what could not be read has been told
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	isGiven := func(o meet.Occurrence) bool {
		return slices.ContainsFunc(given, func(g meet.Occurrence) bool { return g.Key() == o.Key() })
	}
	return slices.DeleteFunc(events, func(o meet.Occurrence) bool {
		return isGiven(o) || idleTime(o) || !slices.ContainsFunc(given, func(g meet.Occurrence) bool {
			return g.Span.Overlaps(o.Span)
		})
	}), nil
}

// idleTime reports whether an event takes no particular hours of its owner.
func idleTime(o meet.Occurrence) bool { return o.AllDay || o.Transparent || o.Declined() }

// scoped are the events to change with a scope: of a series once, if more of it changes than each occurrence, or if
// nothing says which occurrences are meant.
func scoped(s agenda.Selection, scope *string, events []meet.Occurrence) []meet.Occurrence {
	counted := s.Window != nil || s.First != nil || len(s.IDs) > 0 || s.From != nil
	if counted && (scope == nil || *scope == string(meet.ThisOne)) {
		return events
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool {
		again := o.Repeats() && seen[o.UID]
		seen[o.UID] = true
		return again
	})
}

// scopeOf is the part of an event's series that changes: one occurrence unless the user says otherwise.
func scopeOf(o meet.Occurrence, said *string) meet.Scope {
	switch {
	case !o.Repeats():
		return ""
	case said == nil:
		return meet.ThisOne
	}
	return meet.Scope(*said)
}
