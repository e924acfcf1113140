package redisstore

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/webhook"
)

// thatDay is when the deliveries of these tests are added.
var thatDay = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func anEndpoint(id webhook.EndpointID, age time.Duration) webhook.Endpoint {
	return webhook.Endpoint{
		ID: id, URL: "https://example.com/hook", Types: []webhook.Type{webhook.EventMoved}, Created: thatDay.Add(-age),
		Secrets: []webhook.Secret{{Sealed: []byte{1, 2}}, {Sealed: []byte{3}, Until: thatDay}},
	}
}

// aParcel is the n-th parcel to an endpoint.
func aParcel(to webhook.EndpointID, n int) webhook.Parcel {
	created := thatDay.Add(time.Duration(n) * time.Second)
	return webhook.Parcel{Body: fmt.Appendf(nil, `{"n":%d}`, n), Delivery: webhook.Delivery{
		ID: webhook.DeliveryID(fmt.Sprintf("dlv_%s_%04d", to, n)), Message: webhook.MessageID(fmt.Sprint("msg_", n)),
		Endpoint: to,
		Type:     webhook.EventMoved, State: webhook.Pending, Created: created, Next: created,
	}}
}

func idsOf(page []webhook.Delivery) []webhook.DeliveryID {
	var ids []webhook.DeliveryID
	for _, d := range page {
		ids = append(ids, d.ID)
	}
	return ids
}

func TestWebhookEndpoints(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		w, ctx := t.open(Config{}).Webhooks(), t.Context()
		if got := must(w.Endpoints(ctx))(t); len(got) != 0 {
			t.Errorf("at first there are %v", got)
		}
		young, old := anEndpoint("ep_a", 0), anEndpoint("ep_b", time.Hour)
		for range 2 { // the first answer may have got lost
			check(t, w.AddEndpoint(ctx, young, 2))
			check(t, w.AddEndpoint(ctx, old, 2))
		}
		if err := w.AddEndpoint(ctx, anEndpoint("ep_c", 0), 2); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("one too many: %v", err)
		}
		if diff := cmp.Diff([]webhook.Endpoint{old, young}, must(w.Endpoints(ctx))(t)); diff != "" {
			t.Errorf("endpoints (-want +got):\n%s", diff)
		}
		other := meet.InTenant(ctx, "other:{x}")
		_, readErr := w.Endpoint(other, "ep_a")
		_, changeErr := w.UpdateEndpoint(other, "ep_a", func(*webhook.Endpoint) error { return nil })
		deleteErr := w.DeleteEndpoint(other, "ep_a")
		for what, err := range map[string]error{"read": readErr, "change": changeErr, "delete": deleteErr} {
			if fault.CodeOf(err) != fault.NotFound {
				t.Errorf("%s another tenant's: %v, want a fault.NotFound", what, err)
			}
		}
		check(t, w.DeleteEndpoint(ctx, "ep_a"))
		if err := w.DeleteEndpoint(ctx, "ep_a"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("deleted again: %v", err)
		}
	})
}

func TestChangesOfAWebhookEndpointAreNotLost(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		w := t.open(Config{}).Webhooks()
		check(t, w.AddEndpoint(t.Context(), anEndpoint("ep_a", 0), 1))
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				_, err := w.UpdateEndpoint(t.Context(), "ep_a", func(e *webhook.Endpoint) error {
					e.Description += "x"
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if got := must(w.Endpoint(t.Context(), "ep_a"))(t).Description; got != "xxxxxxxxxx" {
			t.Errorf("description %q, want ten changes", got)
		}
	})
}

func TestDeliveriesAreListedByPages(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		w, ctx := t.open(Config{}).Webhooks(), t.Context()
		const n = 250
		var want []webhook.DeliveryID
		for i := range n {
			parcels := []webhook.Parcel{aParcel("ep_a", i)}
			if i%2 == 0 {
				parcels = append(parcels, aParcel("ep_b", i))
				want = append(want, parcels[1].Delivery.ID)
			}
			for range 2 { // the same notice may come again
				check(t, w.AddDeliveries(ctx, parcels, thatDay))
			}
		}
		check(t, w.AddDeliveries(meet.InTenant(ctx, "other"), []webhook.Parcel{aParcel("ep_b", 1000)}, thatDay))
		slices.Reverse(want)
		var got []webhook.DeliveryID
		for next, pages := "", 0; ; pages++ {
			var page []webhook.Delivery
			var err error
			page, next, err = w.Page(ctx, webhook.Filter{Endpoint: "ep_b", State: webhook.Pending}, next, 60)
			check(t, err)
			if got = append(got, idsOf(page)...); next == "" {
				break
			}
			if pages > 10 {
				t.Fatal("there is no last page")
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("deliveries (-want +got):\n%s", diff)
		}
		page, next, err := w.Page(ctx, webhook.Filter{State: webhook.Failed}, "", 60)
		if len(page) > 0 || next != "" || err != nil {
			t.Errorf("failed ones: %v, %q, %v", page, next, err)
		}
		if d := must(w.Delivery(ctx, want[0]))(t); d.ID != want[0] {
			t.Errorf("read %+v", d)
		}
		if _, err := w.Delivery(meet.InTenant(ctx, "other"), want[0]); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("another tenant's: %v", err)
		}
	})
}

// claim claims the due deliveries of a lane, by id.
func claimWebhooks(t server, w Webhooks, l webhook.Lane, now time.Time) map[webhook.DeliveryID]webhook.Job {
	t.Helper()
	jobs := map[webhook.DeliveryID]webhook.Job{}
	for _, job := range must(w.Claim(t.Context(), l, 10, now, now.Add(30*time.Second)))(t) {
		jobs[job.Parcel.Delivery.ID] = job
	}
	return jobs
}

func TestADeliveryIsClaimedByOneAtATime(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		w, other := t.open(Config{}).Webhooks(), t.open(Config{}).Webhooks()
		lane := webhook.Lane{Tenant: "site:{1}", Endpoint: "ep_a"}
		ctx := meet.InTenant(t.Context(), lane.Tenant)
		p := aParcel("ep_a", 0)
		now := p.Delivery.Next
		check(t, w.AddDeliveries(ctx, []webhook.Parcel{p}, now))
		if got := must(w.Due(ctx, now.Add(-time.Millisecond)))(t); len(got) > 0 {
			t.Errorf("due too early: %v", got)
		}
		if diff := cmp.Diff([]webhook.Lane{lane}, must(other.Due(t.Context(), now))(t)); diff != "" {
			t.Errorf("due (-want +got):\n%s", diff)
		}
		first := claimWebhooks(t, w, lane, now)[p.Delivery.ID]
		if diff := cmp.Diff(p, first.Parcel); diff != "" || first.Term != 1 {
			t.Errorf("claimed in term %d (-added +claimed):\n%s", first.Term, diff)
		}
		if got := must(w.Due(t.Context(), now))(t); len(got) > 0 || len(claimWebhooks(t, other, lane, now)) > 0 {
			t.Error("another one can claim it too")
		}
		_, err := w.Reopen(ctx, p.Delivery.ID, now, func(*webhook.Delivery) {})
		if f := fault.As(err); f.Code != fault.Conflict || !f.Retryable {
			t.Errorf("reopened while it is being attempted: %v", err)
		}
		now = now.Add(30 * time.Second)
		second := claimWebhooks(t, other, lane, now)[p.Delivery.ID]
		if second.Term != 2 {
			t.Fatalf("after the claim has lapsed it is claimed in term %d, want 2", second.Term)
		}
		first.Parcel.Delivery.State = webhook.Failed
		if err := w.Settle(ctx, first, now); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("settled after losing the claim: %v", err)
		}
		second.Parcel.Delivery.State, second.Parcel.Delivery.Next = webhook.Delivered, time.Time{}
		for range 2 { // the first answer may have got lost
			check(t, other.Settle(ctx, second, now))
		}
		if diff := cmp.Diff(second.Parcel.Delivery, must(w.Delivery(ctx, p.Delivery.ID))(t)); diff != "" {
			t.Errorf("settled (-want +got):\n%s", diff)
		}
		if got := must(w.Due(ctx, now.Add(time.Hour)))(t); len(got) > 0 {
			t.Errorf("still due: %v", got)
		}
	})
}

// A pending delivery is due at its time and does not expire; an ended one is kept for a week, and may be reopened.
func TestWhenADeliveryIsDue(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store := t.open(Config{})
		w, ctx, lane := store.Webhooks(), t.Context(), webhook.Lane{Endpoint: "ep_a"}
		early, late := aParcel("ep_a", 0), aParcel("ep_a", 60)
		check(t, w.AddDeliveries(ctx, []webhook.Parcel{late, early}, thatDay))
		jobs := claimWebhooks(t, w, lane, thatDay)
		if len(jobs) != 2 {
			t.Fatalf("claimed %d, want both", len(jobs))
		}
		again, over := jobs[early.Delivery.ID], jobs[late.Delivery.ID]
		again.Parcel.Delivery.Next = thatDay.Add(5 * time.Minute)
		over.Parcel.Delivery.State, over.Parcel.Delivery.Next = webhook.Failed, time.Time{}
		check(t, w.Settle(ctx, again, thatDay))
		check(t, w.Settle(ctx, over, thatDay))
		if got := must(w.Due(ctx, thatDay.Add(5*time.Minute-time.Millisecond)))(t); len(got) > 0 {
			t.Errorf("due too early: %v", got)
		}
		if got := claimWebhooks(t, w, lane, thatDay.Add(5*time.Minute)); len(got) != 1 || got[early.Delivery.ID].Term != 2 {
			t.Errorf("claimed %v, want the one that is tried again", got)
		}
		if life := store.client.PTTL(ctx, store.keys.webhookDelivery("", early.Delivery.ID)).Val(); life != -1 {
			t.Errorf("a pending one lives for %v, want for ever", life)
		}
		wantLife(t, store, store.keys.webhookDelivery("", late.Delivery.ID), webhook.Kept+time.Minute)

		opened := must(w.Reopen(ctx, late.Delivery.ID, thatDay, func(d *webhook.Delivery) {
			d.State, d.Next = webhook.Pending, thatDay.Add(time.Hour)
		}))(t)
		if opened.State != webhook.Pending {
			t.Errorf("opened again it is %s", opened.State)
		}
		if life := store.client.PTTL(ctx, store.keys.webhookDelivery("", late.Delivery.ID)).Val(); life != -1 {
			t.Errorf("opened again it lives for %v, want for ever", life)
		}
		if got := claimWebhooks(t, w, lane, thatDay.Add(time.Hour)); got[late.Delivery.ID].Term != 2 {
			t.Errorf("claimed %v, want the one that was opened again", got)
		}
	})
}

// Many processes claim at once: each delivery goes to one of them.
func TestManyClaimAtOnce(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		const n, claimants = 60, 8
		w, lane := t.open(Config{}).Webhooks(), webhook.Lane{Endpoint: "ep_a"}
		for i := range n {
			check(t, w.AddDeliveries(t.Context(), []webhook.Parcel{aParcel("ep_a", i)}, thatDay))
		}
		claims := make(chan webhook.DeliveryID, n*claimants)
		var all sync.WaitGroup
		for range claimants {
			all.Go(func() {
				for range n {
					jobs, err := w.Claim(t.Context(), lane, 4, thatDay, thatDay.Add(time.Minute))
					if err != nil {
						t.Error(err)
					}
					for _, job := range jobs {
						claims <- job.Parcel.Delivery.ID
					}
				}
			})
		}
		all.Wait()
		close(claims)
		times := map[webhook.DeliveryID]int{}
		for id := range claims {
			times[id]++
		}
		for id, count := range times {
			if count != 1 {
				t.Errorf("%s was claimed %d times", id, count)
			}
		}
		if len(times) != n {
			t.Errorf("%d were claimed, want %d", len(times), n)
		}
	})
}

// The newest few thousand deliveries are kept, and none older than a week.
func TestOldDeliveriesAreForgotten(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		store := t.open(Config{})
		w, ctx := store.Webhooks(), t.Context()
		const step = 100
		const half, all = maxDeliveries / 2, maxDeliveries
		for _, some := range [][2]int{{0, half}, {half, all}, {all, all + step}} {
			var parcels []webhook.Parcel
			for i := some[0]; i < some[1]; i++ {
				parcels = append(parcels, aParcel("ep_a", i))
			}
			check(t, w.AddDeliveries(ctx, parcels, thatDay))
		}
		count := func() (n int64) { return store.client.ZCard(ctx, store.keys.webhookIndex("")).Val() }
		if got := count(); got != maxDeliveries {
			t.Errorf("%d are kept, want %d", got, maxDeliveries)
		}
		for n, want := range map[int]fault.Code{0: fault.NotFound, step - 1: fault.NotFound, step: "", maxDeliveries: ""} {
			if _, err := w.Delivery(ctx, aParcel("ep_a", n).Delivery.ID); fault.CodeOf(err) != want {
				t.Errorf("delivery %d: %v, want code %q", n, err, want)
			}
		}
		// One that was forgotten is due no more.
		if jobs := must(w.Claim(ctx, webhook.Lane{Endpoint: "ep_a"}, step, thatDay, thatDay))(t); len(jobs) != 0 {
			t.Errorf("claimed %v, which was forgotten", jobs[0].Parcel.Delivery.ID)
		}
		young := aParcel("ep_a", int((8 * 24 * time.Hour).Seconds()))
		check(t, w.AddDeliveries(ctx, []webhook.Parcel{young}, young.Delivery.Created))
		if got := count(); got != 1 {
			t.Errorf("%d are kept a week later, want the new one", got)
		}
	})
}

func TestWebhooksSurviveALostReply(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		w := openStore(t, Config{URL: address, Prefix: direct.config.Prefix}).Webhooks()
		ctx, p, lane := t.Context(), aParcel("ep_a", 0), webhook.Lane{Endpoint: "ep_a"}
		must(w.Endpoints(ctx))(t) // to have connected
		network.loseNext()
		check(t, w.AddEndpoint(ctx, anEndpoint("ep_a", 0), 1))
		network.loseNext()
		check(t, w.AddDeliveries(ctx, []webhook.Parcel{p}, thatDay))
		job := claimWebhooks(t, w, lane, thatDay)[p.Delivery.ID]
		job.Parcel.Delivery.State = webhook.Delivered
		network.loseNext()
		check(t, w.Settle(ctx, job, thatDay))
		if got := network.repliesLost(); got != 3 {
			t.Errorf("%d answers got lost, want 3", got)
		}
		if d := must(direct.Webhooks().Delivery(ctx, p.Delivery.ID))(t); d.State != webhook.Delivered {
			t.Errorf("it is %s", d.State)
		}
	})
}

func TestLaneNames(t *testing.T) {
	t.Parallel()
	for _, l := range []webhook.Lane{
		{Endpoint: "ep_a"}, {Tenant: "a:b", Endpoint: "ep c"}, {Tenant: "{x}", Endpoint: "a:{b}:~"},
	} {
		if got, ok := laneOf(laneName(l)); !ok || got != l {
			t.Errorf("%+v is read as %+v", l, got)
		}
	}
	if l, ok := laneOf("nothing"); ok {
		t.Errorf("read %+v", l)
	}
}
