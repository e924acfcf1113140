// Package world is what a tool of the assistant sees of its owner's world, and how a tool is made. Tools read, and
// return changes; none writes.
package world

import (
	"context"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/task"
	"convene/pkg/workflow"
)

// World is the world of one person during one turn or one call of a tool.
type World struct {
	// Now is when the turn began, in the zone of its times of day.
	Now   time.Time
	Owner meet.Person
	// Language is that of the texts for the owner: a BCP 47 tag.
	Language string
	// Key names the turn or call; keys of changes begin with it.
	Key string
	// Agenda is the working copy of the owner's calendars.
	Agenda *agenda.Copy
	// Calendars are the owner's, in the order in which they were connected. Nil if they are not known.
	Calendars func(ctx context.Context) ([]meet.OwnCalendar, error)
	// People finds those whom the owner may mean by a name, an id or an address.
	People func(name string) []meet.Person
	// Times knows when people are busy. Nil if no calendars but the owner's can be asked.
	Times Times
	// Scheduler is the event pipeline: times that suit several people.
	Scheduler Scheduler
	// Said are the owner's words of this turn and, if it answers a question, those that the question was about.
	Said string
	// Program says that a program calls a tool: the addresses that it passes count as the owner's words.
	Program bool
	// Known are addresses that may be written to though the owner did not say them: those that earlier steps of a plan
	// found in the owner's calendar or contacts.
	Known []mail.Address
	// Unattended says that what the tools change may be done without anyone who looks at it.
	Unattended bool
	// Preferences are the owner's, by key, in JSON.
	Preferences preference.Values
	// Own are the working copies of what the owner keeps here, by kind.
	Own map[meet.ChangeWhat]*record.Copy
	// Tasks is the working copy of the owner's tasks. Nil if there are none here.
	Tasks *task.Copy
	// Mail is the working copy of the owner's mailbox. Nil if there is none here.
	Mail *mail.Copy
	// Invitation reads the event of a calendar object that came by mail. Nil if none can be read here.
	Invitation func(object []byte) (meet.Occurrence, error)
	// Meaning finds notes by meaning. Nil finds them by words alone.
	Meaning Meaning
	// Desk decides about change sets that were shown. Nil if changes cannot be kept here.
	Desk Desk
	// Request is what the conversation carried out last; nil if there is nothing. Runs are the plans of the owner that ran
	// or wait; nil if they are not kept here.
	Request *meet.Request
	Runs    Runs
	// Clear forgets what was said in the conversation. Nil if there is none.
	Clear func(ctx context.Context) error

	changes int
	// unsure says that other things may be meant than those that are changed.
	unsure bool
}

// Doubt says that another thing may be meant than the one that changes, so that its owner is asked first.
func (w *World) Doubt() { w.unsure = true }

// Desk keeps change sets that wait, and those that were applied. A set of another owner is not found.
type Desk interface {
	Get(ctx context.Context, id meet.ChangesID) (set meet.ChangeSet, applied *meet.Applied, err error)
	// Confirm applies the changes of a pending set; all if only is nil. If things are not as they were shown, fresh is the
	// set as it would be now, nothing is written, and err says so.
	Confirm(ctx context.Context, id meet.ChangesID, digest string, only []string) (
		applied meet.Applied, fresh *meet.ChangeSet, err error)
	Cancel(ctx context.Context, id meet.ChangesID, reason string) (meet.ChangeSet, error)
	Undo(ctx context.Context, id meet.ChangesID) (meet.Applied, error)
}

// Runs are those of one owner. A run of another is not found.
type Runs interface {
	// Runs are the latest, at most so many, the newest first.
	Runs(ctx context.Context, most int) ([]workflow.Run, error)
	Run(ctx context.Context, id string) (workflow.Run, error)
}

// Times tells when people are busy, and never what with.
type Times interface {
	Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error)
}

// Scheduler finds times for events of several people, as the pipeline does.
type Scheduler interface {
	// Slots are the best times for a draft, at most limit. Reasons say why there are none, or why they do not suit all.
	Slots(ctx context.Context, owner meet.Person, now time.Time, draft meet.Draft, limit int) (
		slots []meet.Slot, reasons []meet.Reason, err error)
}

// Voice writes texts for the owner.
func (w *World) Voice() message.Voice { return message.NewVoice(w.Language, w.Now) }

// Preferred is what the owner's preferences mean.
func (w *World) Preferred() preference.Preferences { return preference.Read(w.Preferences) }

// Zone is the zone of times of day.
func (w *World) Zone() *time.Location { return w.Now.Location() }

// Day is the span of a date ("2026-11-27") in the world's zone.
func (w *World) Day(date string) (interval.Span, error) {
	d, err := time.ParseInLocation(time.DateOnly, date, w.Zone())
	if err != nil {
		return interval.Span{}, err
	}
	return interval.Span{Start: d, End: d.AddDate(0, 0, 1)}, nil
}
