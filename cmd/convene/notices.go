package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"time"

	"github.com/rs/zerolog"

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
		err = r.remind(ctx, person.ID, now)
	}
	return now, err
}

func (r reminders) remind(ctx context.Context, person meet.PersonID, t task.Task) error {
	at, ok := t.RemindAt()
	if !ok {
		return nil
	}
	return r.alarms.Set(ctx, notice.Alarm{Person: person, Thing: t.ID, Due: at, Notice: reminder(person, t, at)})
}

// reminder is what a person is told of a task. A task that is due anew is another notice.
func reminder(person meet.PersonID, t task.Task, at time.Time) notice.Notice {
	sum := sha256.Sum256([]byte(string(person) + "\n" + t.ID + "\n" + at.UTC().Format(time.RFC3339)))
	return notice.Notice{
		ID: "n_" + hex.EncodeToString(sum[:12]), Kind: notice.Reminder, Title: meet.Caption(t.Title), Due: at, TaskID: t.ID,
	}
}

// current are the reminders of a person's tasks as they stand.
func (r reminders) current(
	ctx context.Context, id meet.PersonID, tasks []string,
) (map[string]notice.Notice, error) {
	person, err := r.people.Person(ctx, id)
	if err != nil {
		return nil, err
	}
	all, err := r.Tasks(ctx, person)
	if err != nil {
		return nil, err
	}
	due := map[string]notice.Notice{}
	for _, id := range tasks {
		due[id] = notice.Notice{}
	}
	for _, t := range all {
		at, ok := t.RemindAt()
		if _, asked := due[t.ID]; asked && ok {
			due[t.ID] = reminder(id, t, at)
		}
	}
	maps.DeleteFunc(due, func(_ string, n notice.Notice) bool { return n.ID == "" })
	return due, nil
}

// expect sets alarms for tasks of files that are due later: nothing else does.
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
			if at, ok := t.RemindAt(); ok && at.After(now) {
				if err := r.remind(ctx, id, t); err != nil {
					return err
				}
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
