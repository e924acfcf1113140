package local

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// maxTries bounds the attempts at a change that conflicts with others of the same person.
const maxTries = 8

// former is an Amended.Former: an object's, with its name; or a confirmed event.
type former struct {
	Name   string          `json:"name,omitempty"`
	Object json.RawMessage `json:"object,omitempty"`
	Booked *booked         `json:"booked,omitempty"`
}

// Apply changes the person's own copy of an event: the file stays as it is, and nobody else's calendar changes. A
// confirmed event of Convene's changes for all who take part.
func (c *Calendar) Apply(
	ctx context.Context, person meet.Person, a agenda.Amendment,
) (agenda.Amended, error) {
	var was former
	if len(a.Former) > 0 {
		if err := json.Unmarshal(a.Former, &was); err != nil {
			return agenda.Amended{}, fault.New(fault.Internal, "The change cannot be taken back.").Because(err)
		}
	}
	if a.Kind != agenda.Create {
		if done, mine, err := c.applyBooked(ctx, person, a, was.Booked); mine || err != nil {
			return done, err
		}
	}
	for range maxTries {
		v := c.view(ctx, person.ID)
		if v.err != nil {
			return agenda.Amended{}, v.err
		}
		done, swapped, err := c.swap(ctx, person, v, a, was)
		if err != nil || swapped {
			return done, err
		}
	}
	return agenda.Amended{}, fault.New(fault.Overloaded, "Many changes are made to this calendar; try again.").
		Later(time.Second)
}

// swap makes the change on what the view shows; swapped is false if that has changed meanwhile.
func (c *Calendar) swap(
	ctx context.Context, person meet.Person, v view, a agenda.Amendment, was former,
) (done agenda.Amended, swapped bool, err error) {
	in, uid, err := v.place(person, a, was)
	if err != nil {
		return done, false, err
	}
	object, err := v.object(in, uid)
	if err != nil {
		return done, false, err
	}
	if object == nil && a.Kind == agenda.Create && v.deleted(in, uid) {
		return done, false, calendar.ErrChanged
	}
	ed := icalendar.Editor{Owner: icalendar.OwnedBy(person), Name: person.Name, Now: c.now()}
	a.Former = was.Object
	r, err := ed.Amend(object, a)
	if errors.Is(err, icalendar.ErrStale) {
		err = calendar.ErrChanged
	}
	if err != nil {
		return done, false, err
	}
	if swapped = r.Done; !r.Done {
		writes := map[string]string{nameOf(in, uid): string(r.Object)}
		if r.SplitUID != "" {
			writes[nameOf(in, r.SplitUID)] = string(r.Split)
		}
		if err := v.unsplit(ed, in, was, writes); err != nil {
			return done, false, err
		}
		if swapped, err = c.store.SwapObjects(ctx, person.ID, v.revision, writes); err != nil || !swapped {
			return done, swapped, err
		}
	}
	done, err = v.amended(ed, in, a, r)
	if done.Event.UID != "" {
		done.Event.Provider, done.Event.Calendar = c.Name(), in
	}
	if done.Former != nil {
		done.Former, err = json.Marshal(former{Name: nameOf(in, uid), Object: done.Former})
	}
	return done, swapped, err
}

// unsplit also deletes the series that the change split off which is taken back, if it is as it was left.
func (v *view) unsplit(ed icalendar.Editor, in string, was former, writes map[string]string) error {
	uid := icalendar.Split(was.Object)
	if uid == "" {
		return nil
	}
	split, err := v.object(in, uid)
	if err == nil && !ed.Unsplit(split, was.Object) {
		err = calendar.ErrChanged
	}
	writes[nameOf(in, uid)] = ""
	return err
}

// amended is what came of an amendment, which may have been made before.
func (v *view) amended(
	ed icalendar.Editor, in string, a agenda.Amendment, r icalendar.Revision,
) (done agenda.Amended, err error) {
	done = r.Amended
	if !r.Done || r.SplitUID == "" {
		return done, nil
	}
	split, err := v.object(in, r.SplitUID)
	if err == nil && split != nil {
		done.Event, err = ed.Told(split, a)
	}
	return done, err
}

// place is the calendar and the UID of the object that an amendment is of.
func (v *view) place(person meet.Person, a agenda.Amendment, was former) (in, uid string, err error) {
	if was.Name != "" {
		in, uid = placeOf(was.Name)
		return in, uid, nil
	}
	has := func(name string) bool {
		return slices.ContainsFunc(v.sources, func(s *source) bool { return s.name == name })
	}
	if a.Kind != agenda.Create {
		if len(v.sources) == 0 {
			return "", "", calendar.ErrNoCalendar
		}
		return a.Event.Calendar, a.Event.UID, nil
	}
	in = a.Event.Calendar
	switch {
	case in == "" && len(v.sources) > 0:
		in = v.sources[0].name
	case in == "":
		in = string(person.ID)
	case !has(in):
		return "", "", fault.New(fault.NotFound, "There is no calendar of that name.")
	}
	return in, cmp.Or(a.Event.UID, icalendar.UIDOf(a.Key)), nil
}

// deleted reports whether the event was there and is deleted.
func (v *view) deleted(in, uid string) bool {
	object, changed := v.objects[nameOf(in, uid)]
	return changed && object == ""
}

func (c *Calendar) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}
