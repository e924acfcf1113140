package change

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Records keeps the records of sets, and lets one process at a time work on each.
type Records interface {
	claim.Claims
	// Claim takes the set's record for a while, with the claim's term. The record is empty if there is none. A
	// fault.Conflict says that another token has it.
	Claim(ctx context.Context, c claim.Claim) (r Record, term int64, err error)
	// Load reads a record without a claim. An unknown or forgotten one is fault.NotFound.
	Load(ctx context.Context, id meet.ChangesID) (Record, error)
	// Save keeps the record: until its work has ended if it is Open, and for two days otherwise. It is stored before Save
	// returns.
	Save(ctx context.Context, c claim.Claim, r Record) error
}

// Config configures a Desk. Records and Writers are required.
type Config struct {
	Records Records
	// Writers write things, by what they are.
	Writers map[meet.ChangeWhat]Writer
	// Expire is how long a set can be confirmed. Defaults to 5 minutes.
	Expire time.Duration
	// Now is the clock of Expire and of the time for undoing: a real one, because people wait in real time. Defaults to
	// time.Now.
	Now func() time.Time
	// HoldFor is how long claims outlive a process that died. Defaults to 5 s.
	HoldFor time.Duration
	// Patience is how long a call waits for others. Defaults to 12 s, so that it outlasts a HoldFor.
	Patience time.Duration
	// Limit bounds the work on one set. Defaults to 2 minutes.
	Limit time.Duration
	// WriteLimit bounds one try of one change. Defaults to 20 s.
	WriteLimit time.Duration
	// Hold is how long a change of a Sender waits after its confirmation, so that it can be stopped. Defaults to none.
	Hold time.Duration
	// Late is told of a held change that was not made in the end, perhaps more than once. Defaults to nobody.
	Late func(ctx context.Context, owner meet.Person, c meet.Change, r meet.ChangeResult) error
	// SendLimit bounds one try of such a change. Defaults to a minute.
	SendLimit time.Duration
	// SweepEvery is how often Work looks for unfinished sets. Defaults to 1 s.
	SweepEvery time.Duration
}

// maxSize bounds the things of a set before and after, and its deeds, in bytes: the record is saved after each change.
const maxSize = 4 << 20

// undoFor is how long an applied set can be undone.
const undoFor = 24 * time.Hour

// Desk keeps change sets and applies them. It keeps no state and is safe for concurrent use.
type Desk struct{ cfg Config }

// New fills in the defaults of cfg.
func New(cfg Config) *Desk {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Expire = cmp.Or(cfg.Expire, 5*time.Minute)
	cfg.HoldFor = cmp.Or(cfg.HoldFor, 5*time.Second)
	cfg.Patience = cmp.Or(cfg.Patience, 12*time.Second)
	cfg.Limit = cmp.Or(cfg.Limit, 2*time.Minute)
	cfg.WriteLimit = cmp.Or(cfg.WriteLimit, 20*time.Second)
	cfg.SendLimit = cmp.Or(cfg.SendLimit, time.Minute)
	cfg.SweepEvery = cmp.Or(cfg.SweepEvery, time.Second)
	return &Desk{cfg}
}

// Propose makes a set of the changes. What the policy lets through is applied at once; then applied is not nil. A
// refused change is a fault. The same draft again returns the same set. If something has changed since the changes were
// made, the set is what they would be now, and is asked for.
func (d *Desk) Propose(ctx context.Context, draft Draft) (set meet.ChangeSet, applied *meet.Applied, err error) {
	defer func() { fault.Wrap(&err, "propose changes") }()
	r, rule, err := d.record(ctx, draft)
	if err != nil {
		return set, nil, err
	}
	if rule == refused {
		return set, nil, r.fault(Refused, "refused")
	}
	g, err := d.await(ctx, &r)
	if err != nil {
		return set, nil, err
	}
	defer g.LetGo(ctx)
	if g.rec.Set.ID == "" {
		if err := d.replace(ctx, draft.Replaces, &r); err != nil {
			return set, nil, err
		}
		g.rec = r
		err = d.enter(ctx, g, rule)
	} else if g.rec.Open() {
		err = d.goOn(ctx, g)
	}
	if changed, ok := errors.AsType[*ChangedError](err); ok && len(changed.Fresh.Changes) > 0 {
		return changed.Fresh, nil, nil
	}
	if err != nil {
		return set, nil, err
	}
	if by := g.rec.ReplacedBy; by != "" {
		if set, _, applied, err = d.Get(ctx, by); fault.CodeOf(err) != fault.NotFound {
			return set, applied, err
		}
	}
	return g.rec.shown(d.cfg.Now()), g.rec.applied(), nil
}

// enter keeps a new set, and applies one that needs no confirmation.
func (d *Desk) enter(ctx context.Context, g *grip, rule rule) error {
	if rule == asked {
		return d.save(ctx, g)
	}
	return d.begin(ctx, g, Confirmation{Digest: g.rec.Set.Digest})
}

// record is the record of a draft, and what is to be done with it.
func (d *Desk) record(ctx context.Context, draft Draft) (r Record, _ rule, err error) {
	now := d.cfg.Now().UTC().Truncate(time.Millisecond)
	r = Record{
		Owner: draft.Owner, Tenant: meet.TenantOf(ctx), Language: draft.Language,
		Set: meet.ChangeSet{PlanID: draft.PlanID, Status: meet.ChangesPending, ExpiresAt: now.Add(d.cfg.Expire)},
	}
	r.Set.ID = idOf(r.Tenant, r.Owner.ID, cmp.Or(draft.Key, rand.Text()))
	if len(draft.Changes) == 0 {
		return r, 0, errors.New("a draft without changes")
	}
	if r.Set.Changes, err = number(draft.Changes); err != nil {
		return r, 0, err
	}
	for i, c := range r.Set.Changes {
		if d.sender(c) != nil {
			r.Set.Changes[i].Undoable = d.cfg.Hold > 0
		}
	}
	rule := draft.classify(r.Set.Changes)
	if draft.Replaces != "" && !draft.AutoConfirm {
		rule = max(rule, asked)
	}
	size := 0
	for _, c := range r.Set.Changes {
		if d.cfg.Writers[c.What] == nil {
			return r, 0, fault.New(fault.Unavailable, "A %s cannot be changed here.", c.What)
		}
		r.Deeds = append(r.Deeds, c.Deed)
		size += len(c.Before) + len(c.After) + len(c.Deed)
	}
	if size > maxSize {
		return r, 0, r.fault(Refused, "large")
	}
	r.Set.Digest, err = r.digest()
	return r, rule, err
}

// replace ends a pending set of the same owner in favour of r. Any other stays as it is.
func (d *Desk) replace(ctx context.Context, id meet.ChangesID, r *Record) error {
	if id == "" || id == r.Set.ID {
		return nil
	}
	old, err := d.cfg.Records.Load(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	g, err := d.await(ctx, &old)
	if err != nil {
		return err
	}
	defer g.LetGo(ctx)
	if g.rec.Set.Status != meet.ChangesPending || g.rec.Owner.ID != r.Owner.ID {
		return nil
	}
	g.rec.Set.Status, g.rec.ReplacedBy = meet.ChangesReplaced, r.Set.ID
	return d.save(ctx, g)
}

// Get is the set as it stands, with what came of it; what was unknown of that is looked for again. One of another
// tenant is not found; whether the owner is the caller's is for the caller to see.
func (d *Desk) Get(
	ctx context.Context, id meet.ChangesID,
) (set meet.ChangeSet, owner meet.Person, applied *meet.Applied, err error) {
	r, err := d.latest(ctx, id)
	if err != nil {
		return set, owner, nil, err
	}
	return r.shown(d.cfg.Now()), r.Owner, r.applied(), nil
}

// Cancel ends a pending set without writing anything. One that has ended so already stays as it is.
func (d *Desk) Cancel(ctx context.Context, id meet.ChangesID, reason string) (_ meet.ChangeSet, err error) {
	defer func() { fault.Wrap(&err, "cancel changes %s", id) }()
	g, err := d.find(ctx, id)
	if err != nil {
		return meet.ChangeSet{}, err
	}
	defer g.LetGo(ctx)
	now := d.cfg.Now()
	switch {
	case g.rec.Forth != nil:
		return g.rec.shown(now), g.rec.fault(AlreadyApplied, "cancelTooLate")
	case g.rec.Set.Status != meet.ChangesPending || g.rec.expired(now):
		return g.rec.shown(now), nil
	}
	zerolog.Ctx(ctx).Info().Str("changes", string(id)).Int("reason", len(reason)).Msg("changes are called off")
	g.rec.Set.Status = meet.ChangesCancelled
	return g.rec.Set, d.save(ctx, g)
}

// grip is the claim on a record.
type grip struct {
	*claim.Grip
	clock func() time.Time
	// now is when the work on the record began, until which changes were held.
	now time.Time
	// mu protects the record while its changes are written side by side. broken says why it could not be saved; end keeps
	// further changes from being begun then.
	mu     sync.Mutex
	rec    Record
	broken error
	end    context.CancelFunc
}

// LetGo ends the claim. While changes are held, no process needs to look at the record.
func (g *grip) LetGo(ctx context.Context) {
	if until := g.rec.heldUntil(); !until.IsZero() && g.rec.open() == nil {
		g.Rest = max(0, until.Sub(g.clock()))
	}
	g.Grip.LetGo(ctx)
}

// load reads a record.
func (d *Desk) load(ctx context.Context, id meet.ChangesID) (r Record, err error) {
	if r, err = d.cfg.Records.Load(ctx, id); err == nil {
		err = r.whole()
	}
	return r, err
}

// find claims the record of a set that is there.
func (d *Desk) find(ctx context.Context, id meet.ChangesID) (*grip, error) {
	r, err := d.load(ctx, id)
	if err != nil {
		return nil, err
	}
	g, err := d.await(ctx, &r)
	if err == nil && g.rec.Set.ID == "" {
		g.LetGo(ctx)
		return nil, fault.New(fault.NotFound, "These changes are forgotten.")
	}
	return g, err
}

// await claims the set's record as soon as it is free.
func (d *Desk) await(ctx context.Context, r *Record) (g *grip, err error) {
	err = d.patiently(ctx, r, func(ctx context.Context) error {
		g, err = d.claim(ctx, string(r.Set.ID))
		return err
	})
	return g, err
}

func (d *Desk) patiently(ctx context.Context, r *Record, do func(context.Context) error) error {
	return claim.Patiently(ctx, d.cfg.Patience, r.fault(fault.Unavailable, "busy"), do)
}

// claim claims the record; the caller must let it go.
func (d *Desk) claim(ctx context.Context, id string) (_ *grip, err error) {
	g, c := &grip{clock: d.cfg.Now}, claim.New(id, d.cfg.HoldFor)
	if g.rec, c.Term, err = d.cfg.Records.Claim(ctx, c); err != nil {
		return nil, err
	}
	g.Grip = claim.Keep(ctx, d.cfg.Records, c, nil)
	if err := g.rec.whole(); err != nil {
		g.LetGo(ctx)
		return nil, err
	}
	return g, nil
}

func (d *Desk) save(ctx context.Context, g *grip) error {
	return d.cfg.Records.Save(ctx, g.Claim, g.rec)
}

// Work continues the sets of processes that died, until ctx ends. Each process has one.
func (d *Desk) Work(ctx context.Context) {
	claim.Work(ctx, d.cfg.SweepEvery, "unfinished changes", func(ctx context.Context) error {
		return claim.Sweep(ctx, d.cfg.Records, d.pickUp)
	})
}

// pickUp continues one set, unless another process does.
func (d *Desk) pickUp(ctx context.Context, id string) {
	g, err := d.claim(ctx, id)
	if err == nil {
		defer g.LetGo(ctx)
		err = d.goOn(ctx, g)
	}
	if err != nil && fault.CodeOf(err) != fault.Conflict {
		zerolog.Ctx(ctx).Warn().Err(err).Str("changes", id).Msg("unfinished changes are left to be continued")
	}
}
