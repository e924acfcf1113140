// Package notice tells people what falls due. An Alarm says when that is; once it has, its Notice is appended to the
// person's stream, exactly once whatever number of processes look, and other servers are told.
package notice

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"convene/pkg/claim"
	"convene/pkg/meet"
)

// Kind is why a person is told.
type Kind string

// Reminder is of a task with a time, and Mail of a mail that was held and was not sent in the end, or perhaps not.
const (
	Reminder Kind = "reminder"
	Mail     Kind = "mail"
)

// Type is the type of a notice as an update of a stream.
const Type = "notice"

// Notice is what a person is told.
type Notice struct {
	Type string `json:"type" enum:"notice"`
	// ID is the same whenever the notice is sent.
	ID    string `json:"id"`
	Kind  Kind   `json:"kind" enum:"reminder,workflow,mail"`
	Title string `json:"title"`
	// Due is when the person was to be told.
	Due    time.Time `json:"due"`
	TaskID string    `json:"taskId,omitempty"`
}

// Alarm is a time at which a person is to be told of a thing. A thing has one alarm at most. An alarm that is set stays
// until it is due, and only then is the thing read again.
type Alarm struct {
	Tenant meet.Tenant   `json:"tenant"`
	Person meet.PersonID `json:"person"`
	// Thing is the id of what falls due.
	Thing string `json:"thing"`
	// Due is zero if the person is not to be told before Next.
	Due time.Time `json:"due"`
	// Notice is told if the thing cannot be read then, or if it is of a mail.
	Notice Notice `json:"notice"`
	// Next is the thing's next alarm after this one; nil if there is none.
	Next *Alarm `json:"next,omitempty"`
}

// Store keeps alarms and streams.
type Store interface {
	// Set keeps the alarm instead of an earlier one of its thing. If the person was told of the thing at that time before,
	// or the alarm has no time, Next is kept instead, or none.
	Set(ctx context.Context, a Alarm) error
	// Drop removes the alarm if it is as it was.
	Drop(ctx context.Context, a Alarm) error
	// Due are alarms of all tenants that have fallen due, oldest first, and at most so many.
	Due(ctx context.Context, now time.Time, most int) ([]Alarm, error)
	// Tell replaces the alarm by the next one, if there is one, and appends the notice to the person's stream, both or
	// neither. Told is false if the alarm is not as it was: another process has told it, or it was set anew.
	Tell(ctx context.Context, a Alarm, n Notice, next *Alarm) (told bool, err error)
}

// Config configures a Clock. Store and Current are required.
type Config struct {
	Store Store
	// Current are the alarms of a person's things as these stand now, by the thing's id, in place of those that are due.
	// Things without one are not told.
	Current func(ctx context.Context, person meet.PersonID, due []Alarm, now time.Time) (map[string]Alarm, error)
	// Also tells other servers of a reminder, before the person is told. It may be called again with the same notice.
	Also func(ctx context.Context, person meet.PersonID, n Notice) error
	// Now is the clock of alarms. Defaults to time.Now.
	Now func() time.Time
	// Every is how often alarms are looked at. Defaults to 250 ms.
	Every time.Duration
}

const (
	// batch is how many alarms are looked at together; sideBySide how many people are told concurrently.
	batch      = 500
	sideBySide = 8
	// unreadFor is how long a thing that cannot be read delays its alarm.
	unreadFor = 20 * time.Second
	// tellLimit bounds the telling of one person's alarms.
	tellLimit = 10 * time.Second
)

// Clock tells what falls due. Each process has one; they share the work without agreeing on it.
type Clock struct{ cfg Config }

// NewClock fills in the defaults of cfg.
func NewClock(cfg Config) *Clock {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Every == 0 {
		cfg.Every = 250 * time.Millisecond
	}
	if cfg.Also == nil {
		cfg.Also = func(context.Context, meet.PersonID, Notice) error { return nil }
	}
	return &Clock{cfg}
}

// Work tells what falls due until ctx ends.
func (c *Clock) Work(ctx context.Context) {
	claim.Work(ctx, c.cfg.Every, "alarms", c.Look)
}

// Look tells what has fallen due.
func (c *Clock) Look(ctx context.Context) error {
	for {
		due, err := c.cfg.Store.Due(ctx, c.cfg.Now(), batch)
		if err != nil {
			return err
		}
		told, err := c.tell(ctx, due)
		if err != nil || told == 0 || len(due) < batch {
			return err
		}
	}
}

// holder is a person of a tenant.
type holder struct {
	tenant meet.Tenant
	person meet.PersonID
}

// tell tells people of their alarms. Its order is random, so that processes that look at the same alarms meet seldom.
func (c *Clock) tell(ctx context.Context, due []Alarm) (told int, err error) {
	alarms := map[holder][]Alarm{}
	var order []holder
	for _, a := range due {
		h := holder{a.Tenant, a.Person}
		if alarms[h] == nil {
			order = append(order, h)
		}
		alarms[h] = append(alarms[h], a)
	}
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	counts, errs := make([]int, len(order)), make([]error, len(order))
	var group errgroup.Group
	group.SetLimit(sideBySide)
	for i, h := range order {
		group.Go(func() error {
			ctx, cancel := context.WithTimeout(meet.InTenant(ctx, h.tenant), tellLimit)
			defer cancel()
			counts[i], errs[i] = c.tellOne(ctx, h.person, alarms[h])
			return nil
		})
	}
	_ = group.Wait() // errs has them
	for _, n := range counts {
		told += n
	}
	return told, errors.Join(errs...)
}

// tellOne tells one person. An alarm whose thing cannot be read waits for a while, and is told as it was set then.
func (c *Clock) tellOne(ctx context.Context, person meet.PersonID, due []Alarm) (told int, err error) {
	var things []Alarm
	for _, a := range due {
		if a.Notice.Kind != Mail {
			things = append(things, a)
		}
	}
	current, unread := c.cfg.Current(ctx, person, things, c.cfg.Now())
	if unread != nil {
		zerolog.Ctx(ctx).Warn().Err(unread).Str("person", string(person)).Msg("what falls due cannot be read")
		due = slices.DeleteFunc(due, func(a Alarm) bool { return c.cfg.Now().Sub(a.Due) < unreadFor })
	}
	for _, a := range due {
		now, stands := current[a.Thing]
		switch {
		case unread != nil, a.Notice.Kind == Mail:
			now = a
		case !stands || now.Due.After(c.cfg.Now()):
			// The change that moved it has set another alarm, or sets it next.
			if err := c.cfg.Store.Drop(ctx, a); err != nil {
				return told, err
			}
			continue
		}
		n := now.Notice
		n.Type = Type
		if n.Kind != Mail {
			if err := c.cfg.Also(ctx, person, n); err != nil {
				return told, err
			}
		}
		done, err := c.cfg.Store.Tell(ctx, a, n, now.Next)
		if err != nil {
			return told, err
		}
		if done {
			told++
		}
	}
	return told, nil
}
