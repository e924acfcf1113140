package claim_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/claim"
	"convene/pkg/fault"
)

// desk keeps the claim on its only record.
type desk struct {
	mu    sync.Mutex
	token string
	until time.Time
}

func (d *desk) Take(c claim.Claim) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.token != c.Token && time.Now().Before(d.until) {
		return fault.New(fault.Conflict, "claimed")
	}
	d.token, d.until = c.Token, time.Now().Add(c.For)
	return nil
}

func (d *desk) Renew(_ context.Context, c claim.Claim) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.token != c.Token || !time.Now().Before(d.until) {
		return fault.New(fault.Conflict, "lapsed")
	}
	d.until = time.Now().Add(c.For)
	return nil
}

func (d *desk) Release(_ context.Context, c claim.Claim, _ time.Duration) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.token == c.Token {
		d.until = time.Time{}
	}
	return nil
}

func (d *desk) Due(context.Context) ([]claim.Due, error) { return []claim.Due{{ID: "r"}}, nil }

func Example() {
	d, ctx := &desk{}, context.Background()
	c := claim.New("r", time.Second)
	if err := d.Take(c); err != nil {
		fmt.Println(err)
	}
	g := claim.Keep(ctx, d, c, nil)
	fmt.Println("others:", fault.CodeOf(d.Take(claim.New("r", time.Second))))
	g.LetGo(ctx)
	fmt.Println("others, afterwards:", d.Take(claim.New("r", time.Second)))
	// Output:
	// others: conflict
	// others, afterwards: <nil>
}

// A claim is renewed as long as its process lives, and what is done under it ends once it is lost.
func TestAClaimIsRenewedUntilItIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, c := &desk{}, claim.New("r", 5*time.Second)
		if err := d.Take(c); err != nil {
			t.Fatal(err)
		}
		g := claim.Keep(t.Context(), d, c, nil)
		defer g.LetGo(t.Context())
		ctx, cancel := g.Detached(t.Context(), time.Hour)
		defer cancel()
		<-time.After(time.Minute)
		if g.IsLost() || ctx.Err() != nil {
			t.Fatalf("it is lost %v, %v", g.IsLost(), ctx.Err())
		}
		d.mu.Lock()
		d.token = "another"
		d.mu.Unlock()
		<-time.After(5 * time.Second)
		if !g.IsLost() || ctx.Err() == nil || !errors.Is(g.Renew(t.Context()), claim.ErrLost) {
			t.Errorf("it is not known to be lost: %v, %v", g.IsLost(), ctx.Err())
		}
	})
}

func TestPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		busy := fault.New(fault.Unavailable, "busy")
		conflicts := func(n int) func(context.Context) error {
			return func(context.Context) error {
				if n--; n >= 0 {
					return fault.New(fault.Conflict, "claimed")
				}
				return nil
			}
		}
		if err := claim.Patiently(t.Context(), time.Minute, busy, conflicts(9)); err != nil {
			t.Errorf("after nine conflicts: %v", err)
		}
		if err := claim.Patiently(t.Context(), time.Second, busy, conflicts(1e6)); fault.CodeOf(err) != fault.Unavailable {
			t.Errorf("with conflicts for ever: %v, want busy", err)
		}
		tries := 0
		err := claim.Try(t.Context(), func(context.Context) error {
			tries++
			return errors.New("broken pipe")
		})
		if err == nil || tries != 3 {
			t.Errorf("%v after %d tries, want 3", err, tries)
		}
	})
}
