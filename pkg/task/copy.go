package task

import (
	"context"
	"slices"
	"sync"
	"time"

	"convene/pkg/meet"
)

// Base has the tasks of people.
type Base interface {
	// Tasks are all of the person's. With an error tasks may be missing.
	Tasks(ctx context.Context, person meet.Person) ([]Task, error)
	// Home is the provider that keeps the person's new tasks.
	Home(ctx context.Context, person meet.Person) string
}

// Recur is the next due date or time that a rule gives after the last one and now, and the rule that counts from it.
// Both are empty if there is none.
type Recur func(rrule, due string, now time.Time) (next, rule string)

// following is a recurring task as it will be after its last due date or time and now; ok is false if there is none. A
// reminder keeps its days before the deadline and its time of day, also in a new zone.
func (r Recur) following(t Task, now time.Time) (next Task, ok bool) {
	if t.Recurrence == "" {
		return t, false
	}
	next = t
	if next.Due, next.Recurrence = r(t.Recurrence, t.Due, now); next.Due == "" {
		return next, false
	}
	if reminder, err := time.Parse(time.RFC3339, t.Reminder); err == nil {
		was, isTime := time.Parse(time.RFC3339, t.Due)
		if isTime != nil {
			was, _ = t.Deadline(now.Location())
		}
		will, _ := next.Deadline(now.Location())
		ahead := wall(was, now.Location()).Sub(wall(reminder, now.Location()))
		at := wall(will, now.Location()).Add(-ahead)
		next.Reminder = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, now.Location()).
			Format(time.RFC3339)
	}
	return next, true
}

// wall is what a clock showed at a time with an offset, as a time in UTC. A time in UTC is one of the zone.
func wall(at time.Time, zone *time.Location) time.Time {
	if _, offset := at.Zone(); offset == 0 {
		at = at.In(zone)
	}
	_, offset := at.Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}

// RemindAgain is when the owner of an open recurring task is told of it after a time, as long as nobody completes it.
func (r Recur) RemindAgain(t Task, after time.Time) (at time.Time, ok bool) {
	for from, tries := after, 0; tries < mostInLists; tries++ {
		if t, ok = r.following(t, from); !ok {
			return at, false
		}
		if at, ok = t.RemindAt(); !ok || at.After(after) {
			return at, ok
		}
		deadline, _ := t.Deadline(after.Location()) // a reminder may come days before it
		from = deadline.Add(-time.Second)
	}
	return at, false
}

// Copy is a person's tasks with changes over them that are not written: what later steps of a plan see. It is used by
// one turn, whose steps may read side by side, and change one after the other.
type Copy struct {
	mu    sync.Mutex
	base  Base
	owner meet.Person
	recur Recur
	// tasks are nil until they are read; err says that some could not be.
	tasks []Task
	err   error
}

// NewCopy is a person's tasks without changes.
func NewCopy(base Base, owner meet.Person, recur Recur) *Copy {
	return &Copy{base: base, owner: owner, recur: recur}
}

// All are the person's tasks, changes included. An error means that tasks may be missing. The caller must not change
// them.
func (c *Copy) All(ctx context.Context) ([]Task, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tasks == nil {
		c.tasks, c.err = c.base.Tasks(ctx, c.owner)
		if c.tasks == nil {
			c.tasks = []Task{}
		}
	}
	return c.tasks, c.err
}

// Known are All if they have been read.
func (c *Copy) Known() []Task {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tasks
}

// Make adds a change to the copy, whose tasks have been read. A new task that names no provider gets the one for new
// tasks.
func (c *Copy) Make(ctx context.Context, a Amendment) Amendment {
	if a.From == nil && a.To.Provider == "" {
		to := *a.To
		to.Provider = c.base.Home(ctx, c.owner)
		a.To = &to
	}
	id := a.Task().ID
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tasks = slices.DeleteFunc(slices.Clone(c.tasks), func(t Task) bool { return t.ID == id })
	if a.To != nil {
		c.tasks = append(c.tasks, *a.To)
	}
	return a
}

// Next is the task that is to be done after a recurring one is completed; ok is false if there is none.
func (c *Copy) Next(done Task, now time.Time) (next Task, ok bool) {
	if c.recur == nil {
		return next, false
	}
	if next, ok = c.recur.following(done, now); !ok {
		return next, false
	}
	next.ID, next.BlockID, next.Completed, next.Created = "", "", "", now.Format(time.RFC3339)
	return next, true
}

// Recurs reports whether a rule can be read, from a due date.
func (c *Copy) Recurs(rrule, due string, now time.Time) bool {
	if c.recur == nil {
		return false
	}
	_, rule := c.recur(rrule, due, now)
	return rule != ""
}
