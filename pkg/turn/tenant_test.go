package turn_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// A turn runs for the tenant for which it was accepted, also after a takeover.
func TestATurnRunsForItsTenant(t *testing.T) {
	t.Parallel()
	for _, tenant := range []meet.Tenant{"", "a"} {
		synctest.Test(t, func(t *testing.T) {
			store := &turntest.Store{}
			queue := &turntest.Queue{Log: store}
			var ran []meet.Tenant
			first := true
			turner := turner(func(ctx context.Context, turn meet.Turn, emit turn.Emit) (meet.Outcome, error) {
				ran = append(ran, meet.TenantOf(ctx))
				if first {
					first = false
					queue.StealAll()
					<-ctx.Done()
					return meet.Outcome{}, ctx.Err()
				}
				return answering(ctx, turn, emit)
			})
			r := working(t, turner, store, turn.Config{}, queue)
			if _, err := r.Start(meet.InTenant(t.Context(), tenant), meet.Turn{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			time.Sleep(10 * time.Second)
			r.Stop(t.Context())
			if want := []meet.Tenant{tenant, tenant}; !slices.Equal(ran, want) {
				t.Errorf("ran for %q, want %q", ran, want)
			}
		})
	}
}
