package stagestest

import (
	"context"
	"errors"
	"slices"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/agenda/agendatest"
	"convene/pkg/change"
	"convene/pkg/change/changetest"
	"convene/pkg/change/events"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/eml"
	"convene/pkg/mail/writer"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/record/recordtest"
	recordwriter "convene/pkg/record/writer"
	"convene/pkg/workflow"
	"convene/pkg/workflow/workflowtest"
	"convene/stages"
)

// Day is the organizer's own day: a calendar in memory, and the real desk of change sets over it. It implements the
// ports Worlds and Changes.
type Day struct {
	*agendatest.Diary

	// Late is how much later the desk's clock is, so that sets expire.
	Late time.Duration

	// Runs are the plans that ran or wait.
	Runs workflowtest.Shelf

	people    *World
	desk      *change.Desk
	mails     *mail.Directory
	workflows record.Book
}

// Receives gives the organizer a mailbox that has these files.
func (d *Day) Receives(owner meet.PersonID, files ...eml.File) *mail.Directory {
	d.mails.Providers = []mail.Provider{eml.New(record.Book{Store: recordtest.Shelf{}}, recordtest.Shelf{},
		map[meet.PersonID]eml.Mailbox{owner: func() ([]eml.File, error) { return files, nil }})}
	return d.mails
}

// NewDay is a day with these events, of the organizer of a world.
func NewDay(people *World, events ...meet.Occurrence) *Day {
	d := &Day{
		Diary: agendatest.NewDiary(events...), people: people, mails: &mail.Directory{},
		workflows: record.Book{Kind: workflow.Kind, Store: recordtest.Shelf{}},
	}
	d.desk = change.New(change.Config{
		Records: changetest.NewRecords(), Writers: d.writers(),
		Now: func() time.Time { return time.Now().Add(d.Late) },
	})
	return d
}

func (d *Day) writers() map[meet.ChangeWhat]change.Writer {
	w := events.Writer{Calendars: d.Diary}
	return map[meet.ChangeWhat]change.Writer{
		meet.EventThing: w, meet.BlockThing: w, meet.EmailThing: writer.Writer{Mails: d.mails},
		meet.WorkflowThing: recordwriter.Writer{Book: d.workflows},
	}
}

// World is the organizer's world, over a fresh working copy.
func (d *Day) World(_ context.Context, t meet.Turn, now time.Time, language string) (*world.World, error) {
	return &world.World{
		Now: now, Owner: t.Organizer, Language: language, Key: string(t.ID), Agenda: agenda.NewCopy(d.Diary, t.Organizer),
		People: func(name string) []meet.Person {
			return slices.DeleteFunc(slices.Clone(d.people.People), func(p meet.Person) bool {
				return !p.Called(name) && p.Email != name && string(p.ID) != name
			})
		},
		Times: Calendars{d.people}, Mail: mail.NewCopy(d.mails, t.Organizer), Said: t.Message,
		Own:  map[meet.ChangeWhat]*record.Copy{meet.WorkflowThing: d.workflows.NewCopy(t.Organizer.ID)},
		Runs: runs{&d.Runs, t.Organizer.ID, now},
	}, nil
}

// Of are the sets of the turn's organizer.
func (d *Day) Of(t meet.Turn) stages.OwnChanges { return own{d.desk, t} }

// own are the sets of a turn's organizer. A caller who may not confirm is refused.
type own struct {
	desk *change.Desk
	turn meet.Turn
}

func (o own) Propose(ctx context.Context, draft change.Draft) (meet.ChangeSet, *meet.Applied, error) {
	draft.Strict = func(meet.Change) bool { return o.turn.NoConfirm }
	return o.desk.Propose(ctx, draft)
}

func (o own) Get(ctx context.Context, id meet.ChangesID) (meet.ChangeSet, *meet.Applied, error) {
	set, _, applied, err := o.desk.Get(ctx, id)
	return set, applied, err
}

func (o own) Confirm(
	ctx context.Context, id meet.ChangesID, digest string, only []string,
) (applied meet.Applied, fresh *meet.ChangeSet, err error) {
	if o.turn.NoConfirm {
		return applied, nil, forbidden()
	}
	applied, err = o.desk.Confirm(ctx, id, change.Confirmation{Digest: digest, Only: only})
	if changed, ok := errors.AsType[*change.ChangedError](err); ok {
		fresh = &changed.Fresh
	}
	return applied, fresh, err
}

func (o own) Cancel(ctx context.Context, id meet.ChangesID, reason string) (meet.ChangeSet, error) {
	return o.desk.Cancel(ctx, id, reason)
}

func (o own) Undo(ctx context.Context, id meet.ChangesID) (meet.Applied, error) {
	if o.turn.NoConfirm {
		return meet.Applied{}, forbidden()
	}
	return o.desk.Undo(ctx, id)
}

func forbidden() error { return fault.New("forbidden", "This key cannot confirm.") }

// runs are those of one owner.
type runs struct {
	*workflowtest.Shelf
	owner meet.PersonID
	now   time.Time
}

func (r runs) Runs(ctx context.Context, most int) (list []workflow.Run, err error) {
	kept, err := r.Shelf.Runs(ctx, r.owner, most)
	for _, one := range kept {
		list = append(list, one.Seen(r.now, nil))
	}
	return list, err
}

func (r runs) Run(ctx context.Context, id string) (workflow.Run, error) {
	kept, err := r.Shelf.Run(ctx, id)
	return kept.Seen(r.now, nil), err
}
