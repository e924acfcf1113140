package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// oneSet is a desk with one change set of "me", "ch_1".
type oneSet struct {
	set       meet.ChangeSet
	applied   *meet.Applied
	confirmed change.Confirmation
	reason    string
	fail      error
}

func newSet() *oneSet {
	return &oneSet{set: meet.ChangeSet{
		ID: "ch_1", Digest: "sha256:1", Status: meet.ChangesPending, ExpiresAt: noon, Changes: []meet.Change{{
			ID: "1", Kind: meet.DeleteThing, What: meet.EventThing, Title: "Budget", Before: json.RawMessage(`{"id":"b"}`),
			After: json.RawMessage("null"), Affects: []meet.Affected{{Name: "Al"}}, DependsOn: []string{}, Class: meet.R2,
			Deed: json.RawMessage(`"secret"`), Target: meet.ChangeTarget{ID: "b", Start: &noon},
		}},
	}}
}

func (d *oneSet) Get(_ context.Context, id meet.ChangesID) (meet.ChangeSet, meet.Person, *meet.Applied, error) {
	if id != d.set.ID {
		return meet.ChangeSet{}, meet.Person{}, nil, fault.New(fault.NotFound, "There are no changes with this id.")
	}
	return d.set, meet.Person{ID: "me"}, d.applied, nil
}

func (d *oneSet) apply(status meet.ChangeSetStatus) (meet.Applied, error) {
	until := noon.Add(24 * time.Hour)
	applied := meet.Applied{
		ChangesID: "ch_1", Outcome: meet.AllApplied, UndoUntil: &until,
		Changes: []meet.ChangeResult{{ID: "1", Outcome: meet.ChangeDone}},
	}
	if d.fail == nil {
		d.set.Status, d.applied = status, &applied
	}
	return applied, d.fail
}

func (d *oneSet) Confirm(_ context.Context, _ meet.ChangesID, c change.Confirmation) (meet.Applied, error) {
	d.confirmed = c
	return d.apply(meet.ChangesApplied)
}

func (d *oneSet) Cancel(_ context.Context, _ meet.ChangesID, reason string) (meet.ChangeSet, error) {
	d.reason, d.set.Status = reason, meet.ChangesCancelled
	return d.set, d.fail
}

func (d *oneSet) Undo(context.Context, meet.ChangesID) (meet.Applied, error) {
	return d.apply(meet.ChangesUndone)
}

func TestChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := f.serve(t) + "/v1/changes/ch_1"
	const set = `{"changes":{"id":"ch_1","digest":"sha256:1","status":"pending",` +
		`"expiresAt":"2026-03-09T12:00:00Z","changes":[{"id":"1","kind":"delete","what":"event",` +
		`"title":"Budget","where":{"provider":""},"target":{"id":"b",` +
		`"start":"2026-03-09T12:00:00Z"},"before":{"id":"b"},"after":null,"affects":[{"name":"Al"}],"class":"R2",` +
		`"undoable":false,"dependsOn":[]}]}`
	if a := do(t, "GET", url, ""); a.status != http.StatusOK || strings.TrimSpace(a.body) != set+"}" {
		t.Errorf("get = %d %s", a.status, a.body)
	}
	const applied = `,"applied":{"changesId":"ch_1","outcome":"applied","undoUntil":"2026-03-10T12:00:00Z",` +
		`"changes":[{"id":"1","outcome":"done"}]}}`
	for _, tt := range []struct{ path, body, status, rest string }{
		{"/confirm", `{"digest":"sha256:1","only":["1"]}`, "applied", applied},
		{"/undo", "", "undone", applied},
		{"/cancel", `{"reason":"too early"}`, "cancelled", "}"},
		{"/cancel", "", "cancelled", "}"},
	} {
		want := strings.Replace(set, "pending", tt.status, 1) + tt.rest
		if a := do(t, "POST", url+tt.path, tt.body); a.status != http.StatusOK || strings.TrimSpace(a.body) != want {
			t.Errorf("%s = %d %s, want %s", tt.path, a.status, a.body, want)
		}
	}
	wantDiff(t, "confirmation", change.Confirmation{Digest: "sha256:1", Only: []string{"1"}}, f.sets.confirmed)
	f.sets.fail = fault.New(change.AlreadyUndone, "undone")
	if a := do(t, "POST", url+"/undo", ""); a.status != http.StatusOK || !strings.Contains(a.body, `"outcome":"applied"`) {
		t.Errorf("undone again = %d %s", a.status, a.body)
	}
	do(t, "POST", url+"/confirm", `{"digest":"x","only":[]}`)
	if f.sets.confirmed.Only == nil {
		t.Error("an empty list of changes passes for all of them")
	}
	do(t, "POST", url+"/confirm", `{"digest":"x","only":null}`)
	if f.sets.confirmed.Only != nil {
		t.Error("null passes for a list of changes")
	}
}

func TestChangesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, body string
		fail       error
		status     int
		code       fault.Code
		field      string
	}{
		{path: "ch_2/confirm", body: `{"digest":"d"}`, status: 404, code: fault.NotFound},
		{path: "ch_2/undo", status: 404, code: fault.NotFound},
		{path: "ch_1/confirm", body: `{}`, status: 400, code: fault.InvalidRequest, field: "digest"},
		{path: "ch_1/confirm", body: `{"digest":1}`, status: 400, code: fault.InvalidRequest, field: "digest"},
		{path: "ch_1/confirm", body: `{"digest":"d","only":"1"}`, status: 400, code: fault.InvalidRequest, field: "only"},
		{path: "ch_1/confirm", body: `{"digest":"d","all":true}`, status: 400, code: fault.InvalidRequest, field: "all"},
		{path: "ch_1/confirm", body: `{"digest":"d"}`, fail: fault.Invalid("only", "is empty"), status: 400,
			code: fault.InvalidRequest, field: "only"},
		{path: "ch_1/confirm", body: `{"digest":"d"}`, fail: fault.New(change.Expired, "late"), status: 409,
			code: change.Expired},
		{path: "ch_1/confirm", body: `{"digest":"d"}`, fail: fault.New(change.AlreadyApplied, "done"), status: 409,
			code: change.AlreadyApplied},
		{path: "ch_1/confirm", body: `{"digest":"d"}`, fail: fault.New(change.DigestMismatch, "other"), status: 409,
			code: change.DigestMismatch},
		{path: "ch_1/undo", fail: fault.New(change.Changed, "again"), status: 409, code: change.Changed},
		{path: "ch_1/cancel", body: `{"reason":"` + strings.Repeat("x", 1001) + `"}`, status: 400,
			code: fault.InvalidRequest, field: "reason"},
	} {
		f := newFixture(t)
		f.sets.fail = tt.fail
		a := do(t, "POST", f.serve(t)+"/v1/changes/"+tt.path, tt.body)
		if p := a.problem(t); a.status != tt.status || p.Code != tt.code || p.Field != tt.field {
			t.Errorf("%s %s = %d %s", tt.path, tt.body, a.status, a.body)
		}
	}
}

func TestWhatHasChangedComesWithTheProblem(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	fresh := newSet().set
	fresh.ID, fresh.Changes[0].Deed = "ch_2", nil
	f.sets.fail = &change.ChangedError{Fault: fault.New(change.Changed, "It has changed."), Fresh: fresh}
	a := do(t, "POST", f.serve(t)+"/v1/changes/ch_1/confirm", `{"digest":"sha256:1"}`)
	p := a.problem(t)
	if a.status != http.StatusConflict || p.Code != change.Changed || p.Changes == nil {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	if diff := cmp.Diff(fresh, *p.Changes); diff != "" {
		t.Errorf("the fresh set (-want +got):\n%s", diff)
	}
	f.sets.fail = &change.ChangedError{Fault: fault.New(change.Changed, "It has changed.")}
	if p := do(t, "POST", f.serve(t)+"/v1/changes/ch_1/confirm", `{"digest":"d"}`).problem(t); p.Changes != nil {
		t.Errorf("a set without changes is told: %+v", p.Changes)
	}
}
