package auth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// believed is for how long what was read of the keys is taken for true: how long a revoked one works on.
	believed = 2 * time.Second
	// doubted is the same where a key or a token is not known, which may have been made just now.
	doubted = 250 * time.Millisecond
	// noteUseEvery is how often it is noted that a key is used.
	noteUseEvery = time.Minute
)

// Ring keeps keys. Its errors are faults.
type Ring interface {
	// Keys are all server keys, the revoked ones too, and all signing keys.
	Keys(ctx context.Context) ([]Key, []Signer, error)
	// NoteUse remembers when the key was used last.
	NoteUse(ctx context.Context, id KeyID, at time.Time) error
	// AddSigner keeps a signing key and forgets others.
	AddSigner(ctx context.Context, s Signer, forget []string) error
}

// DoorConfig is what a Door works with.
type DoorConfig struct {
	// Ring is required.
	Ring Ring
	// Required keeps everybody out who has neither key nor token, even while there are no keys.
	Required bool
	// Now is a clock that goes. Defaults to time.Now.
	Now func() time.Time
}

// Door lets callers in. It is safe for concurrent use.
type Door struct {
	cfg     DoorConfig
	reading singleflight.Group

	mu    sync.Mutex
	known known
	noted map[KeyID]time.Time
}

// known is what was read of the keys last.
type known struct {
	keys map[KeyID]Key
	// signers are in the order in which they were made.
	signers []Signer
	// closed says that there was a key, in this reading or in one before.
	closed bool
	at     time.Time
}

// NewDoor makes a door; nothing is read yet.
func NewDoor(cfg DoorConfig) *Door {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Door{cfg: cfg, noted: map[KeyID]time.Time{}}
}

// Closed reports whether a key or a token is needed: there is a key, or was one, or the door was told to be closed.
// Revoking the last key does not open it, nor does a Ring that has lost its keys while the service runs.
func (d *Door) Closed(ctx context.Context) (bool, error) {
	if d.cfg.Required {
		return true, nil
	}
	k, err := d.read(ctx, believed)
	return k.closed, err
}

// Caller is whose credential that is, a key or a token; with none it is everybody, where the door is open. Where nobody
// can be asked which keys there are, the answer is a fault.Unavailable and nobody is let in.
func (d *Door) Caller(ctx context.Context, credential string) (c Caller, err error) {
	defer fault.Wrap(&err, "open the door")
	closed, err := d.Closed(ctx)
	switch {
	case err != nil:
		return Caller{}, err
	case !closed:
		return Everybody(ctx), nil
	case credential == "":
		return Caller{}, fault.New(Unauthorized, "A key or a token is needed here: send it as Authorization: Bearer.")
	}
	if id, ok := keyIDOf(credential); ok {
		return d.byKey(ctx, id, credential)
	}
	said, err := d.verify(ctx, credential, tokenAudience)
	if err != nil {
		return Caller{}, err
	}
	return said.caller(), nil
}

func (d *Door) byKey(ctx context.Context, id KeyID, credential string) (Caller, error) {
	k, err := d.read(ctx, believed)
	if _, ok := k.keys[id]; err == nil && !ok {
		k, err = d.read(ctx, doubted)
	}
	if err != nil {
		return Caller{}, err
	}
	key := k.keys[id]
	if !key.opens(credential) {
		return Caller{}, fault.New(Unauthorized, "This key is not known here, or was revoked.")
	}
	d.noteUse(ctx, id)
	return Caller{Tenant: key.Tenant, Kind: ByKey, Key: id}, nil
}

// verify is what a token or a ticket says. What was made with a key that has been revoked since is worth nothing.
func (d *Door) verify(ctx context.Context, token, audience string) (claims, error) {
	k, err := d.read(ctx, believed)
	if err != nil {
		return claims{}, err
	}
	said, err := read(token, audience, k.signers, d.cfg.Now)
	if errors.Is(err, errUnknownSigner) {
		if k, err = d.read(ctx, doubted); err != nil {
			return claims{}, err
		}
		said, err = read(token, audience, k.signers, d.cfg.Now)
	}
	if err != nil {
		return claims{}, refusal(err)
	}
	key, ok := k.keys[said.Key]
	if !ok || !key.Revoked.IsZero() || key.Tenant != said.Tenant {
		return claims{}, refusal(nil)
	}
	return said, nil
}

// Mint makes a token for a browser, which lives for so long: at most LongestLife, and UsualLife where life is zero.
func (d *Door) Mint(
	ctx context.Context, by Caller, g Grant, life time.Duration,
) (token string, until time.Time, err error) {
	if !by.MayMint() {
		return "", until, fault.New(Forbidden, "Tokens are made with a server key only; 'convene key new' makes one.")
	}
	if life <= 0 {
		life = UsualLife
	}
	life = min(life, LongestLife)
	signer, err := d.signer(ctx)
	if err != nil {
		return "", until, err
	}
	now := d.cfg.Now()
	token, err = claimsOf(by, g).sign(signer, tokenAudience, now, life)
	return token, now.Add(life).Truncate(time.Second), err
}

// Ticket lets a browser open one address within a minute, as people do who follow a link: nothing but the address
// tells who they are. Whoever has it may act as the person, and nothing else. It is empty where the door is open, and
// nobody needs one.
func (d *Door) Ticket(ctx context.Context, by Caller, person meet.PersonID, address string) (ticket string, err error) {
	if by.Kind == Open {
		return "", nil
	}
	signer, err := d.signer(ctx)
	if err != nil {
		return "", err
	}
	c := claimsOf(by, Grant{Origin: by.Grant.Origin, Organizers: []meet.PersonID{person}})
	c.Address = address
	return c.sign(signer, ticketAudience, d.cfg.Now(), ticketLife)
}

// Admit is who was given the ticket to the address.
func (d *Door) Admit(ctx context.Context, ticket, address string) (c Caller, err error) {
	defer fault.Wrap(&err, "open the door")
	said, err := d.verify(ctx, ticket, ticketAudience)
	if err == nil && said.Address != address {
		err = refusal(nil)
	}
	if err != nil {
		return Caller{}, err
	}
	return said.caller(), nil
}

// signer is the key that signs now. Where there is none, or it has been used for long enough, a new one is made;
// several replicas that do so at once do no harm.
func (d *Door) signer(ctx context.Context) (Signer, error) {
	k, err := d.read(ctx, believed)
	if err != nil {
		return Signer{}, err
	}
	now := d.cfg.Now()
	if n := len(k.signers); n > 0 && now.Sub(k.signers[n-1].Created) < signerLife {
		return k.signers[n-1], nil
	}
	made := newSigner(now)
	if err := d.cfg.Ring.AddSigner(ctx, made, outlived(k.signers, now)); err != nil {
		return Signer{}, fmt.Errorf("renew the signing key: %w", err)
	}
	d.reading.Forget("") // a reading that began before would not have it
	_, err = d.read(ctx, 0)
	return made, err
}

// read is what is known of the keys, read again where that is older than so much. Many callers share one reading, which
// does not end with the one who came first.
func (d *Door) read(ctx context.Context, age time.Duration) (known, error) {
	d.mu.Lock()
	k := d.known
	d.mu.Unlock()
	if !k.at.IsZero() && d.cfg.Now().Sub(k.at) < age {
		return k, nil
	}
	result := d.reading.DoChan("", func() (any, error) { return d.readAnew(context.WithoutCancel(ctx)) })
	select {
	case <-ctx.Done():
		return known{}, ctx.Err()
	case r := <-result:
		k, _ := r.Val.(known)
		return k, r.Err
	}
}

func (d *Door) readAnew(ctx context.Context) (known, error) {
	k := known{keys: map[KeyID]Key{}, at: d.cfg.Now()}
	keys, signers, err := d.cfg.Ring.Keys(ctx)
	if err != nil {
		return known{}, fmt.Errorf("read the keys: %w", err)
	}
	for _, key := range keys {
		k.keys[key.ID] = key
	}
	k.signers = slices.SortedFunc(slices.Values(signers), func(a, b Signer) int { return a.Created.Compare(b.Created) })
	d.mu.Lock()
	defer d.mu.Unlock()
	k.closed = len(k.keys) > 0 || d.known.closed
	if k.at.Before(d.known.at) {
		return k, nil
	}
	d.known = k
	maps.DeleteFunc(d.noted, func(id KeyID, _ time.Time) bool { _, ok := k.keys[id]; return !ok })
	return k, nil
}

// noteUse keeps when the key was used last, now and then. It is for people to read, so that losing it does no harm.
func (d *Door) noteUse(ctx context.Context, id KeyID) {
	now := d.cfg.Now()
	d.mu.Lock()
	due := now.Sub(d.noted[id]) >= noteUseEvery
	if due {
		d.noted[id] = now
	}
	d.mu.Unlock()
	if due {
		_ = d.cfg.Ring.NoteUse(ctx, id, now)
	}
}
