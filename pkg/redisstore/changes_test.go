package redisstore

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// aSet is a set of changes; open says that it is being applied.
func aSet(id string, open bool) change.Record {
	r := change.Record{
		Set: meet.ChangeSet{
			ID: meet.ChangesID(id), Digest: "sha256:1", Status: meet.ChangesPending, ExpiresAt: time.Now().UTC(),
			Changes: []meet.Change{{
				ID: "1", Kind: meet.UpdateThing, What: meet.EventThing, Title: "times & <places>", DependsOn: []string{},
				Before: json.RawMessage(`{"id":"b"}`), After: json.RawMessage(`null`), Affects: []meet.Affected{},
			}},
		},
		Deeds: []json.RawMessage{json.RawMessage(`{"key":"k"}`)}, Owner: meet.Person{ID: "me"}, Language: "he",
	}
	if open {
		r.Forth = &change.Course{Attempts: 1, Steps: []change.Step{{
			ID: "1", Outcome: meet.ChangeDone, Written: change.Written{Undo: []byte("undo")},
		}}}
	}
	return r
}

func claimSet(t server, c Changes, id, token string) (change.Record, claim.Claim) {
	t.Helper()
	by := claimed(id, token)
	r, _, err := c.Claim(t.Context(), by)
	check(t, err)
	return r, by
}

func TestAChangeSetIsReadAsSaved(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		c := t.open(Config{}).Changes()
		first, by := claimSet(t, c, "ch_1", "mine")
		if first.Set.ID != "" {
			t.Errorf("an unknown set is %+v, want an empty one", first)
		}
		if _, err := c.Load(t.Context(), "ch_1"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("Load of an unknown set = %v, want not found", err)
		}
		want := aSet("ch_1", true)
		check(t, c.Save(t.Context(), by, want))
		got := must(c.Load(t.Context(), "ch_1"))(t)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("loaded (-saved +read):\n%s", diff)
		}
		if _, _, err := c.Claim(t.Context(), claimed("ch_1", "other")); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Claim of what another has = %v, want a conflict", err)
		}
		check(t, c.Release(t.Context(), by, 0))
		if err := c.Save(t.Context(), by, want); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Save without the claim = %v, want a conflict", err)
		}
		again, _ := claimSet(t, c, "ch_1", "other")
		if diff := cmp.Diff(want, again); diff != "" {
			t.Errorf("claimed (-saved +read):\n%s", diff)
		}
		elsewhere := meet.InTenant(t.Context(), "acme")
		if _, err := c.Load(elsewhere, "ch_1"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("another tenant's Load = %v, want not found", err)
		}
	})
}

// Open sets are due and never expire; the others are kept for two days. Those of bookings are others.
func TestDueChangeSets(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store := t.open(Config{})
		c := store.Changes()
		for id, open := range map[string]bool{"ch_open": true, "ch_pending": false} {
			_, by := claimSet(t, c, id, "token")
			check(t, c.Save(t.Context(), by, aSet(id, true))) // each was open once
			check(t, c.Save(t.Context(), by, aSet(id, open)))
			check(t, c.Release(t.Context(), by, 0))
		}
		if diff := cmp.Diff([]claim.Due{{ID: "ch_open"}}, must(c.Due(t.Context()))(t)); diff != "" {
			t.Errorf("due (-want +got):\n%s", diff)
		}
		if due := must(store.Sagas().Due(t.Context()))(t); len(due) > 0 {
			t.Errorf("sagas are due: %v", due)
		}
		if got := store.client.PTTL(t.Context(), store.keys.of("").changes("ch_open").record).Val(); got != -1 {
			t.Errorf("an open set lives for %v", got)
		}
		wantLife(t, store, store.keys.of("").changes("ch_pending").record, changesLife)
	})
}
