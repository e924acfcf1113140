// Package events makes changes of the events and time blocks of a person's own calendars, and takes them back.
package events

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Amender is the person's own calendars, which can be read and changed.
type Amender interface {
	agenda.Base
	// Apply makes one amendment and is idempotent by its key. A fault.Conflict that is not retryable says that the event
	// is not as it was read, and that nothing was written.
	Apply(ctx context.Context, person meet.Person, a agenda.Amendment) (agenda.Amended, error)
}

// Writer makes changes of events and time blocks: a change.Writer whose deeds are amendments.
type Writer struct{ Calendars Amender }

// search is how far from its time an event is looked for that is not where it was.
const search = 60 * 24 * time.Hour

// Standing reads the event again.
func (w Writer) Standing(ctx context.Context, owner meet.Person, c meet.Change) (*meet.Change, error) {
	a, err := amendmentOf(c)
	if err != nil || a.Kind == agenda.Create {
		return nil, err
	}
	now, err := w.read(ctx, owner, a.Event)
	if err != nil || unchanged(a.Event, *now) {
		return nil, err
	}
	if now.ReadOnly {
		return nil, changed("The event can only be read now.")
	}
	a.Key, a.Event = anew(a.Key, *now), *now
	fresh, err := a.Change(owner.Zone())
	return &fresh, err
}

// Write makes the amendment.
func (w Writer) Write(ctx context.Context, owner meet.Person, c meet.Change) (change.Written, error) {
	a, err := amendmentOf(c)
	if err != nil {
		return change.Written{}, err
	}
	done, err := w.Calendars.Apply(ctx, owner, a)
	if f := fault.As(err); err != nil && f.Code == fault.Conflict && !f.Retryable {
		return change.Written{}, changed("The event has changed meanwhile.").Because(err)
	}
	if err != nil {
		return change.Written{}, err
	}
	undo, err := json.Marshal(done)
	if err != nil {
		return change.Written{}, fmt.Errorf("amended event: %w", err)
	}
	return change.Written{Undo: undo}, nil
}

// Look reads the event, and tells by its fields whether the amendment was made.
func (w Writer) Look(
	ctx context.Context, owner meet.Person, c meet.Change,
) (outcome meet.ChangeOutcome, done change.Written, err error) {
	outcome = meet.ChangeUnknown
	a, err := amendmentOf(c)
	if err != nil || a.Kind == agenda.Restore {
		return outcome, done, err // what it brings back is known to the calendar alone
	}
	if a.Kind == agenda.Create && a.Event.Recurrence != "" {
		a.Event.RecurrenceID = a.Event.Span.Start
	}
	now, err := w.read(ctx, owner, a.Event)
	gone, isNew, isGone := fault.CodeOf(err) == change.Changed, a.Kind == agenda.Create, a.Kind == agenda.Delete
	switch {
	case err != nil && !gone:
		return outcome, done, err
	case gone && isGone, !gone && !isGone && (isNew || made(a, *now)):
		outcome = meet.ChangeDone
	case gone && isNew && a.Event.Recurrence == "", !gone && (isGone || unchanged(a.Event, *now)):
		outcome = meet.ChangeFailed
	}
	var amended agenda.Amended
	if !gone {
		amended.Event = *now
	}
	done.Undo, err = json.Marshal(amended)
	return outcome, done, err
}

// made reports whether an event is as an update or an answer leaves it.
func made(a agenda.Amendment, now meet.Occurrence) bool {
	isThere := func(guest meet.Attendee) bool { return invited(now.Attendees, guest) }
	isGone := func(guest meet.Attendee) bool { return !isThere(guest) }
	if a.Kind == agenda.Respond {
		return answerOf(now) == a.Answer
	}
	_, same := fieldsBack(a, *a.After(), now)
	return a.Kind == agenda.Update && same &&
		!slices.ContainsFunc(a.Set.Invite, isGone) && !slices.ContainsFunc(a.Set.Uninvite, isThere)
}

// Onto is the change on the event as the one before it leaves it.
func (w Writer) Onto(owner meet.Person, c, before meet.Change, done *change.Written) (meet.Change, error) {
	a, err := amendmentOf(c)
	if err != nil {
		return c, err
	}
	first, err := amendmentOf(before)
	if err != nil {
		return c, err
	}
	left := first.After()
	if done != nil && left != nil {
		amended, err := amendedBy(*done)
		if err != nil {
			return c, err
		}
		left = &amended.Event
	}
	if left == nil {
		return c, changed("The event is gone.")
	}
	a.Event = *left
	onto, err := a.Change(owner.Zone())
	onto.ID, onto.Class, onto.DependsOn = c.ID, c.Class, c.DependsOn
	return onto, err
}

// Inverse takes an amendment back. What it replaced comes back whole if the event is as the amendment left it;
// otherwise only the fields that it changed, unless one of them was changed again since.
func (w Writer) Inverse(
	ctx context.Context, owner meet.Person, c meet.Change, done change.Written,
) (inverse meet.Change, err error) {
	a, err := amendmentOf(c)
	if err != nil {
		return c, err
	}
	amended, err := amendedBy(done)
	if err != nil {
		return c, err
	}
	var back agenda.Amendment
	if a.Kind == agenda.Delete {
		back, err = w.undelete(ctx, owner, a, amended)
	} else {
		back, err = w.revert(ctx, owner, a, amended)
	}
	if err != nil {
		return c, err
	}
	back.Key = a.Key + "-undo"
	return back.Change(owner.Zone())
}

// undelete brings an event back that is still gone.
func (w Writer) undelete(
	ctx context.Context, owner meet.Person, a agenda.Amendment, done agenda.Amended,
) (agenda.Amendment, error) {
	switch _, err := w.read(ctx, owner, a.Event); {
	case err == nil:
		return a, changed("There is such an event again.")
	case fault.CodeOf(err) != change.Changed:
		return a, err
	case len(done.Former) > 0:
		return agenda.Amendment{Kind: agenda.Restore, Event: a.Event, Scope: a.Scope, Former: done.Former}, nil
	case a.Event.Organizer != nil && !a.Event.Organizer.Self:
		return a, changed("The invitation is its organizer's, who can send it again.")
	case a.Event.Repeats():
		return a, changed("The series cannot be put together again.").Because(change.ErrLost)
	}
	again := a.Event
	again.UID, again.ID, again.Version = "", "", "" // calendars refuse the name of a deleted event
	return agenda.Amendment{Kind: agenda.Create, Event: again}, nil
}

// revert undoes what was made of an event that is still there.
func (w Writer) revert(
	ctx context.Context, owner meet.Person, a agenda.Amendment, done agenda.Amended,
) (agenda.Amendment, error) {
	now, err := w.read(ctx, owner, done.Event)
	if a.Kind == agenda.Create && fault.CodeOf(err) == change.Changed {
		return agenda.Amendment{Kind: agenda.Delete, Event: done.Event}, nil // it is gone, as it was before
	}
	if err != nil {
		return a, err
	}
	asLeft, whole := unchanged(done.Event, *now), a.Scope == meet.Following || a.Scope == meet.AllOfThem
	switch {
	case a.Kind == agenda.Create && asLeft && now.Repeats():
		return agenda.Amendment{Kind: agenda.Delete, Event: *now, Scope: meet.AllOfThem}, nil
	case a.Kind == agenda.Create && asLeft:
		return agenda.Amendment{Kind: agenda.Delete, Event: *now}, nil
	case asLeft && len(done.Former) > 0:
		return agenda.Amendment{Kind: agenda.Restore, Event: *now, Scope: a.Scope, Former: done.Former}, nil
	case a.Kind == agenda.Respond && answerOf(*now) == a.Answer && answerOf(a.Event) != meet.NoAnswer:
		return agenda.Amendment{Kind: agenda.Respond, Event: *now, Scope: a.Scope, Answer: answerOf(a.Event)}, nil
	case a.Kind == agenda.Update && (asLeft || !whole):
		back, ok := fieldsBack(a, done.Event, *now)
		if ok {
			return agenda.Amendment{Kind: agenda.Update, Event: *now, Scope: a.Scope, Set: back}, nil
		}
	}
	return a, changed("The event was changed again since.")
}

// fieldsBack are the former values of the fields that the amendment set; ok is false if one of them is no longer as the
// amendment left it.
func fieldsBack(a agenda.Amendment, left, now meet.Occurrence) (back agenda.Fields, ok bool) {
	set, was := a.Set, a.Event
	ok = former(&back.Title, set.Title, was.Title, left.Title == now.Title) &&
		former(&back.Location, set.Location, was.Location, left.Location == now.Location) &&
		former(&back.Description, set.Description, was.Description, left.Description == now.Description) &&
		former(&back.Span, set.Span, was.Span, sameTime(left.Span, now.Span)) &&
		former(&back.AllDay, set.AllDay, was.AllDay, left.AllDay == now.AllDay) &&
		former(&back.Transparent, set.Transparent, was.Transparent, left.Transparent == now.Transparent) &&
		former(&back.Visibility, set.Visibility, was.Visibility, left.Visibility == now.Visibility) &&
		former(&back.Kind, set.Kind, was.Kind, left.Kind == now.Kind) &&
		former(&back.Categories, set.Categories, was.Categories, slices.Equal(left.Categories, now.Categories)) &&
		former(&back.Recurrence, set.Recurrence, was.Recurrence, left.Recurrence == now.Recurrence)
	for _, guest := range set.Invite {
		if !invited(was.Attendees, guest) {
			back.Uninvite = append(back.Uninvite, guest)
		}
	}
	for _, guest := range was.Attendees {
		if invited(set.Uninvite, guest) && !invited(now.Attendees, guest) {
			back.Invite = append(back.Invite, guest)
		}
	}
	return back, ok
}

// former gives a field its value from before if it was set, and reports whether it is still as it was left.
func former[T any](to **T, set *T, was T, asLeft bool) bool {
	if set == nil {
		return true
	}
	*to = &was
	return asLeft
}

func invited(list []meet.Attendee, guest meet.Attendee) bool {
	return slices.ContainsFunc(list, func(a meet.Attendee) bool { return agenda.SameGuest(a, guest) })
}

func answerOf(o meet.Occurrence) meet.Answer {
	for _, a := range o.Attendees {
		if a.Self {
			return a.Answer
		}
	}
	return meet.NoAnswer
}

// read is the event as it stands; a fault Changed if it is gone. It is looked for at its time, and then around it.
func (w Writer) read(ctx context.Context, owner meet.Person, event meet.Occurrence) (*meet.Occurrence, error) {
	for _, around := range []time.Duration{0, search} {
		span := interval.Span{Start: event.Span.Start.Add(-around), End: event.Span.End.Add(around)}
		events, err := w.Calendars.Events(ctx, owner, span)
		for _, e := range events {
			if e.Key() == event.Key() {
				return &e, nil
			}
		}
		if err != nil {
			return nil, err // it may stand where nothing could be read
		}
	}
	return nil, changed("The event is gone.")
}

// unchanged reports whether an event is as it was read: by its version, or by what it says if its calendar has none.
func unchanged(was, now meet.Occurrence) bool {
	if was.Version != "" && now.Version != "" {
		return was.Version == now.Version
	}
	same := func(o meet.Occurrence) string {
		raw, err := json.Marshal(agenda.EventOf(o, time.UTC))
		if err != nil {
			return err.Error()
		}
		return string(raw)
	}
	return same(was) == same(now)
}

func sameTime(a, b interval.Span) bool { return a.Start.Equal(b.Start) && a.End.Equal(b.End) }

// anew is the key of a change that is made of an event which has changed since: another one for each version.
func anew(key string, now meet.Occurrence) string {
	sum := sha256.Sum256(fmt.Append(nil, key, now.Version, now.Span.Start.UTC(), now.Title))
	return key + "-" + hex.EncodeToString(sum[:4])
}

func changed(why string) *fault.Error { return fault.New(change.Changed, "%s", why) }

func amendmentOf(c meet.Change) (a agenda.Amendment, err error) {
	if err = json.Unmarshal(c.Deed, &a); err != nil {
		return a, fmt.Errorf("amendment: %w", err)
	}
	return a, nil
}

func amendedBy(w change.Written) (a agenda.Amended, err error) {
	if err = json.Unmarshal(w.Undo, &a); err != nil {
		return a, fmt.Errorf("amended event: %w", err)
	}
	return a, nil
}
