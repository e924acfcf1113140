package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/meet"
	"convene/pkg/notice"
	"convene/pkg/redisstore"
	"convene/pkg/task"
	"convene/pkg/webhook"
)

// reminders are the tasks of people who are told when they are due.
type reminders struct {
	task.Directory
	people redisstore.People
	alarms redisstore.Notices
	// given are the people who have tasks in files.
	given []meet.PersonID
}

// Apply makes the change, and sets the alarm of the task as it stands then. If that fails, the change is repeated.
func (r reminders) Apply(ctx context.Context, person meet.Person, a task.Amendment) (task.Task, error) {
	now, err := r.Directory.Apply(ctx, person, a)
	if err == nil {
		err = r.remind(ctx, person, now, a.Asked)
	}
	return now, err
}

// remind sets the alarm of a task. A time that had passed when it was asked for is left out.
func (r reminders) remind(ctx context.Context, person meet.Person, t task.Task, asked time.Time) error {
	alarm, ok := alarmOf(person, t, time.Time{})
	if !ok {
		return nil
	}
	if alarm.Due.Before(asked) {
		alarm.Due, alarm.Next = time.Time{}, again(person, t, asked)
	}
	return r.alarms.Set(ctx, alarm)
}

// alarmOf is the alarm of a task: the first one, or that of a later occurrence at a time at which it was set.
func alarmOf(person meet.Person, t task.Task, set time.Time) (a notice.Alarm, ok bool) {
	at, ok := t.RemindAt()
	if t.Recurrence != "" && set.After(at) {
		at = set
	}
	return alarmAt(person, t, at), ok
}

func alarmAt(person meet.Person, t task.Task, at time.Time) notice.Alarm {
	return notice.Alarm{
		Person: person.ID, Thing: t.ID, Due: at, Notice: reminder(person.ID, t, at), Next: again(person, t, at),
	}
}

// again is the first alarm of a recurring task after a time, by the person's clocks; nil if there is none.
func again(person meet.Person, t task.Task, after time.Time) *notice.Alarm {
	at, ok := task.Recur(icalendar.NextDue).RemindAgain(t, after.In(person.Zone()))
	if !ok {
		return nil
	}
	return &notice.Alarm{Person: person.ID, Thing: t.ID, Due: at, Notice: reminder(person.ID, t, at)}
}

// reminder is what a person is told of a task. A task that is due anew is another notice.
func reminder(person meet.PersonID, t task.Task, at time.Time) notice.Notice {
	sum := sha256.Sum256([]byte(string(person) + "\n" + t.ID + "\n" + at.UTC().Format(time.RFC3339)))
	return notice.Notice{
		ID: "n_" + hex.EncodeToString(sum[:12]), Kind: notice.Reminder, Title: meet.Caption(t.Title), Due: at, TaskID: t.ID,
	}
}

// current are the alarms of a person's tasks as they stand. After several missed occurrences of one, the next one is
// the first that is still to come.
func (r reminders) current(
	ctx context.Context, id meet.PersonID, due []notice.Alarm, now time.Time,
) (map[string]notice.Alarm, error) {
	person, err := r.people.Person(ctx, id)
	if err != nil {
		return nil, err
	}
	all, err := r.Tasks(ctx, person)
	if err != nil {
		return nil, err
	}
	set := map[string]time.Time{}
	for _, a := range due {
		set[a.Thing] = a.Due
	}
	stands := map[string]notice.Alarm{}
	for _, t := range all {
		if at, asked := set[t.ID]; asked {
			if a, ok := alarmOf(person, t, at); ok {
				if !a.Due.After(now) {
					a.Next = again(person, t, now)
				}
				stands[t.ID] = a
			}
		}
	}
	return stands, nil
}

// expect sets alarms for tasks of files that are due later, or again later: nothing else does.
func (r reminders) expect(ctx context.Context, now time.Time) error {
	for _, id := range r.given {
		person, err := r.people.Person(ctx, id)
		if err != nil {
			return err
		}
		all, err := r.Tasks(ctx, person)
		if err != nil {
			return err
		}
		for _, t := range all {
			at, ok := t.RemindAt()
			switch next := again(person, t, now); {
			case ok && at.After(now):
				err = r.remind(ctx, person, t, now)
			case ok && next != nil:
				err = r.alarms.Expect(ctx, *next)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// tell tells people what falls due, until ctx ends. With --now the clock goes on from there.
func (r reminders) tell(s settings, outbox *webhook.Outbox) func(context.Context) {
	now, began := time.Now, time.Now()
	if !s.Now.IsZero() {
		now = func() time.Time { return s.Now.Add(time.Since(began)) }
	}
	clock := notice.NewClock(notice.Config{Store: r.alarms, Current: r.current, Also: outbox.Remind, Now: now})
	return func(ctx context.Context) {
		if err := r.expect(ctx, now()); err != nil {
			zerolog.Ctx(ctx).Warn().Err(err).Msg("reminders of tasks in files cannot be set")
		}
		clock.Work(ctx)
	}
}
