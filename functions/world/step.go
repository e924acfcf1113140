package world

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"convene/pkg/agenda"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/task"
)

// Step is the world for one step of a plan: over the same working copy, with changes whose keys have the step's. Steps
// that only read may run side by side; one that changes something runs alone.
func (w *World) Step(key string) *World {
	step := *w
	step.Key, step.changes, step.unsure = w.Key+"-"+key, 0, false
	return &step
}

// Redo makes changes that were made over another working copy on this one, so that later steps see them.
func (w *World) Redo(ctx context.Context, changes []meet.Change) error {
	for _, c := range changes {
		if err := w.redo(ctx, c); err != nil {
			return fmt.Errorf("redo the change of a %s: %w", c.What, err)
		}
	}
	return nil
}

func (w *World) redo(ctx context.Context, c meet.Change) error {
	switch c.What {
	case meet.EventThing, meet.BlockThing:
		a, err := deedOf[agenda.Amendment](c)
		if err == nil {
			w.Agenda.Make(editOf(a))
		}
		return err
	case meet.TaskThing:
		a, err := deedOf[task.Amendment](c)
		if err != nil {
			return err
		}
		_, _ = w.Tasks.All(ctx) // what could not be read has been told
		w.Tasks.Make(ctx, a)
		return nil
	case meet.EmailThing:
		return w.redoMail(ctx, c)
	case meet.PreferenceThing:
		d, err := deedOf[record.Deed](c)
		if err == nil {
			w.prefer(d)
		}
		return err
	default: // what is kept here
	}
	d, err := deedOf[record.Deed](c)
	if err != nil || w.Own[c.What] == nil {
		return err
	}
	_, err = w.Own[c.What].Make(ctx, d.Key, d.ID, valueOf(d), c.Title)
	return err
}

// redoMail changes the state of a mail. A letter is in no folder before it is sent.
func (w *World) redoMail(ctx context.Context, c meet.Change) error {
	if c.Kind == meet.SendThing || c.Kind == meet.CreateThing {
		return nil
	}
	a, err := deedOf[mail.Amendment](c)
	if err != nil || a.ID == "" {
		return err
	}
	m, err := w.Mail.Read(ctx, a.ID)
	if err == nil {
		w.Mail.Make(m.Mail, a)
	}
	return err
}

// prefer makes a change of a preference on the working copy.
func (w *World) prefer(d record.Deed) {
	w.Preferences = maps.Clone(w.Preferences)
	if w.Preferences == nil {
		w.Preferences = preference.Values{}
	}
	if value := valueOf(d); value == nil {
		delete(w.Preferences, d.ID)
	} else {
		w.Preferences[d.ID] = value
	}
}

// valueOf is what a deed leaves; nil for nothing.
func valueOf(d record.Deed) []byte {
	if len(d.To) == 0 || string(d.To) == "null" {
		return nil
	}
	return d.To
}

// editOf is what an amendment changes on the working copy.
func editOf(a agenda.Amendment) agenda.Edit {
	edit := agenda.Edit{Before: &a.Event, After: a.After()}
	if a.Kind == agenda.Create {
		edit.Before = nil
	}
	return edit
}

func deedOf[D any](c meet.Change) (deed D, err error) {
	err = json.Unmarshal(c.Deed, &deed)
	return deed, err
}
