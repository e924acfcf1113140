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
	// believed is how long keys are cached, and so how long a revoked one still works.
	believed = 2 * time.Second
	// doubted is the same for an unknown key or token, which may be new.
	doubted = 250 * time.Millisecond
	// noteUseEvery is how often a key's last use is stored.
	noteUseEvery = time.Minute
)

// Ring keeps keys. Its errors are faults.
type Ring interface {
	// Keys returns all server keys, revoked ones included, and all signing keys.
	Keys(ctx context.Context) ([]Key, []Signer, error)
	// NoteUse stores when the key was last used.
	NoteUse(ctx context.Context, id KeyID, at time.Time) error
	// AddSigner stores a signing key and deletes others.
	AddSigner(ctx context.Context, s Signer, forget []string) error
}

// DoorConfig configures a Door. The zero value is a door that stays open.
type DoorConfig struct {
	// Ring stores the keys. Without it there are none.
	Ring Ring
	// Required refuses callers without a key or token, even while there are no keys.
	Required bool
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// Door identifies and admits callers. It is safe for concurrent use.
type Door struct {
	cfg     DoorConfig
	reading singleflight.Group

	mu    sync.Mutex
	known known
	noted map[KeyID]time.Time
}

// known is the cache of the keys.
type known struct {
	keys map[KeyID]Key
	// signers are sorted by creation, oldest first.
	signers []Signer
	// closed is true once any reading had a key.
	closed bool
	at     time.Time
}

// NewDoor returns a door that has read nothing yet.
func NewDoor(cfg DoorConfig) *Door {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Door{cfg: cfg, noted: map[KeyID]time.Time{}}
}

// Closed reports whether a key or a token is needed: there is or was a key, or Required is set. Revoking the last key
// does not open the door, nor does a Ring that loses its keys while the service runs.
func (d *Door) Closed(ctx context.Context) (bool, error) {
	if d.cfg.Required {
		return true, nil
	}
	k, err := d.read(ctx, believed)
	return k.closed, err
}

// Caller returns the owner of the credential, a key or a token; while the door is open, with or without one, it is
// Everybody. If the keys cannot be read, the error is fault.Unavailable and the caller is not admitted.
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
	return Caller{Tenant: key.Tenant, Kind: ByKey, Key: id, Grant: Grant{Allowance: key.Allowance}}, nil
}

// verify returns the claims of a token or a ticket. It refuses one that was made with a revoked key.
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
	said.Allowance = key.narrowed(said.Allowance)
	return said, nil
}

// Mint makes a token for a browser, with a lifetime of at most LongestLife; UsualLife if life is zero.
func (d *Door) Mint(
	ctx context.Context, by Caller, g Grant, life time.Duration,
) (token string, until time.Time, err error) {
	if !by.MayMint() {
		return "", until, fault.New(Forbidden, "Tokens are made with a server's key only; 'convene key new' makes one.")
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
	token, err = claims{Grant: g, Tenant: by.Tenant, Key: by.Key}.sign(signer, tokenAudience, now, life)
	return token, now.Add(life).Truncate(time.Second), err
}

// Ticket lets a browser, which sends no credential when it follows a link, open one address within a minute. Its holder
// may act as the person, and nothing else. It is empty while the door is open.
func (d *Door) Ticket(ctx context.Context, by Caller, person meet.PersonID, address string) (ticket string, err error) {
	if by.Kind == Open {
		return "", nil
	}
	signer, err := d.signer(ctx)
	if err != nil {
		return "", err
	}
	c := claims{
		Grant: Grant{
			Origin: by.Grant.Origin, Organizers: []meet.PersonID{person}, Allowance: by.Grant.Allowance,
		},
		Tenant: by.Tenant, Key: by.Key, Address: address,
	}
	return c.sign(signer, ticketAudience, d.cfg.Now(), ticketLife)
}

// Admit returns the caller whom the ticket to the address was given.
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

// signer returns the current signing key, or makes a new one if there is none or it is older than signerLife; several
// replicas that do so at once do no harm.
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
	d.reading.Forget("") // an earlier reading would not have it
	_, err = d.read(ctx, 0)
	return made, err
}

// read returns the keys, from the cache if it is younger than age. Concurrent callers share one reading, which the
// first caller's end does not cancel.
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
	var keys []Key
	var signers []Signer
	if d.cfg.Ring != nil {
		var err error
		if keys, signers, err = d.cfg.Ring.Keys(ctx); err != nil {
			return known{}, fmt.Errorf("read the keys: %w", err)
		}
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

// noteUse stores now and then when the key was last used. It is for people to read, so losing it does no harm.
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
