package change_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

func heard(d *change.Draft) { d.Heard, d.Named = true, true }

// The policy, by what it asks and what it does at once.
func TestWhatIsAskedAndWhatIsDoneAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(9)
	with := func(c meet.Change, change func(*meet.Change)) meet.Change {
		change(&c)
		return c
	}
	some := func(n int) (list []meet.Change) {
		for i := range n {
			list = append(list, w.retitle(fmt.Sprint("t", i), "X"))
		}
		return list
	}
	one := some(1)[0]
	guests := with(one, func(c *meet.Change) { c.Affects = []meet.Affected{{Name: "Al"}} })
	serial := func(s meet.Scope) meet.Change { return with(one, func(c *meet.Change) { c.Scope = s }) }
	for _, tt := range []struct {
		name    string
		changes []meet.Change
		draft   func(*change.Draft)
		class   meet.Class
		want    meet.ChangeSetStatus
	}{
		{"one of the owner's own", some(1), heard, meet.R1, meet.ChangesApplied},
		{"what the owner did not say", some(1), func(*change.Draft) {}, meet.R1, meet.ChangesPending},
		{"five that were named", some(5), heard, meet.R1, meet.ChangesApplied},
		{"six that were named", some(6), heard, meet.R2, meet.ChangesPending},
		{"two that were not named", some(2), func(d *change.Draft) { d.Heard = true }, meet.R2, meet.ChangesPending},
		{"one thing twice", append(some(1), w.retitle("t0", "Y")), func(d *change.Draft) { d.Heard = true }, meet.R1,
			meet.ChangesApplied},
		{"what others hear of", []meet.Change{guests}, heard, meet.R2, meet.ChangesPending},
		{"an answer to an invitation", []meet.Change{with(one, func(c *meet.Change) { c.Kind = meet.RespondThing })}, heard,
			meet.R2, meet.ChangesPending},
		{"a deleted event", []meet.Change{w.remove("t0")}, heard, meet.R2, meet.ChangesPending},
		{"a deleted block", []meet.Change{with(w.remove("t0"), func(c *meet.Change) { c.What = meet.BlockThing })}, heard,
			meet.R1, meet.ChangesApplied},
		{"this one of a series, deleted", []meet.Change{with(w.remove("t0"), func(c *meet.Change) {
			c.Scope = meet.ThisOne
		})}, heard, meet.R2, meet.ChangesPending},
		{"a block with guests, deleted", []meet.Change{with(w.remove("t0"), func(c *meet.Change) {
			c.What, c.Affects = meet.BlockThing, guests.Affects
		})}, heard, meet.R2, meet.ChangesPending},
		{"a series of blocks, deleted", []meet.Change{with(w.remove("t0"), func(c *meet.Change) {
			c.What, c.Scope = meet.BlockThing, meet.AllOfThem
		})}, heard, meet.R2, meet.ChangesPending},
		{"this one of a series of blocks, deleted", []meet.Change{with(w.remove("t0"), func(c *meet.Change) {
			c.What, c.Scope = meet.BlockThing, meet.ThisOne
		})}, heard, meet.R1, meet.ChangesApplied},
		{"this one of a series", []meet.Change{serial(meet.ThisOne)}, heard, meet.R1, meet.ChangesApplied},
		{"this and following", []meet.Change{serial(meet.Following)}, heard, meet.R2, meet.ChangesPending},
		{"a series", []meet.Change{serial(meet.AllOfThem)}, heard, meet.R2, meet.ChangesPending},
		{"what cannot be taken back", []meet.Change{with(one, func(c *meet.Change) { c.Undoable = false })}, heard, meet.R2,
			meet.ChangesPending},
		{"what a tool thinks riskier", []meet.Change{with(one, func(c *meet.Change) { c.Class = meet.R2 })}, heard, meet.R2,
			meet.ChangesPending},
		{"for a program", []meet.Change{w.remove("t1"), guests}, func(d *change.Draft) { heard(d); d.AutoConfirm = true },
			meet.R2, meet.ChangesApplied},
		{"for a program, and nobody said it", some(1), func(d *change.Draft) { d.AutoConfirm = true }, meet.R1,
			meet.ChangesPending},
		{"for one who wants to be asked", some(1), func(d *change.Draft) {
			heard(d)
			d.AutoConfirm, d.Strict = true, func(c meet.Change) bool { return c.Class == meet.R1 }
		}, meet.R1, meet.ChangesPending},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			set := propose(t, newWorld(9).desk(), tt.changes, tt.draft)
			if set.Status != tt.want || set.Changes[0].Class != tt.class {
				t.Errorf("it is %s of class %s, want %s of %s", set.Status, set.Changes[0].Class, tt.want, tt.class)
			}
		})
	}
	forbidden := with(one, func(c *meet.Change) { c.Class = meet.R3 })
	draft := change.Draft{Owner: me, Changes: []meet.Change{forbidden}, Heard: true, AutoConfirm: true, Language: "es"}
	if _, _, err := w.desk().Propose(t.Context(), draft); fault.CodeOf(err) != change.Refused ||
		!strings.Contains(fault.As(err).Message, "vuelta atrás") {
		t.Errorf("what is never done: %v", err)
	}
}

// A turn that runs again in another process proposes the same set, and has it applied once.
func TestADraftIsProposedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(2)
	changes := []meet.Change{w.retitle("t0", "A")}
	first := propose(t, w.desk(), changes, heard)
	draft := change.Draft{Owner: me, Key: "turn-1", Changes: changes, Heard: true}
	again, applied, err := w.desk().Propose(t.Context(), draft)
	if err != nil || applied == nil || applied.Outcome != meet.AllApplied || applied.UndoUntil == nil {
		t.Fatalf("again: %+v, %v", applied, err)
	}
	if diff := cmp.Diff(first.ID, again.ID); diff != "" || w.effectsMost() != 1 {
		t.Errorf("it is another set, or was made %d times: %s", w.effectsMost(), diff)
	}
	draft.Owner, draft.Heard = meet.Person{ID: "al", Name: "Al"}, false
	if set, _, err := w.desk().Propose(t.Context(), draft); err != nil || set.ID == first.ID {
		t.Errorf("another person's set has the same id, %v", err)
	}
	elsewhere := meet.InTenant(t.Context(), "acme")
	if _, _, _, err := w.desk().Get(elsewhere, first.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("another tenant finds it: %v", err)
	}
}

func TestConfirmations(t *testing.T) {
	t.Parallel()
	all := change.Confirmation{}
	for _, tt := range []struct {
		name   string
		before func(t *testing.T, w *world, d *change.Desk, set meet.ChangeSet)
		only   []string
		code   fault.Code
		want   []string
	}{
		{name: "all", want: []string{"1 done", "2 done", "3 done", "4 done"}},
		{name: "a part", only: []string{"3"}, want: []string{"3 done"}},
		{name: "a part with what it depends on", only: []string{"4", "1"}, want: []string{"1 done", "4 done"}},
		{name: "a part without what it depends on", only: []string{"4"}, code: fault.InvalidRequest},
		{name: "nothing", only: []string{}, code: fault.InvalidRequest},
		{name: "what is not there", only: []string{"5"}, code: fault.InvalidRequest},
		{name: "one twice", only: []string{"1", "1"}, code: fault.InvalidRequest},
		{name: "after its time", before: func(_ *testing.T, w *world, _ *change.Desk, _ meet.ChangeSet) {
			w.lag = 5 * time.Minute
		}, code: change.Expired},
		{name: "just in time", before: func(_ *testing.T, w *world, _ *change.Desk, _ meet.ChangeSet) {
			w.lag = 5*time.Minute - time.Second
		}, want: []string{"1 done", "2 done", "3 done", "4 done"}},
		{name: "after it was called off", before: func(t *testing.T, _ *world, d *change.Desk, set meet.ChangeSet) {
			t.Helper()
			if now, err := d.Cancel(t.Context(), set.ID, "too early"); err != nil || now.Status != meet.ChangesCancelled {
				t.Errorf("cancel: %v, %s", err, now.Status)
			}
		}, code: fault.Conflict},
		{name: "again, in another order", before: func(t *testing.T, _ *world, d *change.Desk, set meet.ChangeSet) {
			t.Helper()
			confirm(t, d, set, "4", "3", "2", "1")
		}, want: []string{"1 done", "2 done", "3 done", "4 done"}},
		{name: "after a part", before: func(t *testing.T, _ *world, d *change.Desk, set meet.ChangeSet) {
			t.Helper()
			confirm(t, d, set, "1")
		}, code: change.AlreadyApplied},
		{name: "after another message changed it", before: func(t *testing.T, w *world, d *change.Desk, set meet.ChangeSet) {
			t.Helper()
			propose(t, d, []meet.Change{w.retitle("t3", "Z")}, func(d *change.Draft) { d.Key, d.Replaces = "turn-2", set.ID })
		}, code: change.Changed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(4)
			d := w.desk()
			set := propose(t, d, []meet.Change{
				w.retitle("t0", "A"), w.remove("t1"), w.retitle("t2", "C"), w.retitle("t0", "A again"),
			})
			if tt.before != nil {
				tt.before(t, w, d, set)
			}
			made := len(w.made)
			applied, err := d.Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest, Only: tt.only})
			if got := fault.CodeOf(err); got != tt.code {
				t.Fatalf("confirm = %v, want code %q", err, tt.code)
			}
			if err != nil && len(w.made) != made {
				t.Error("it was refused, and something was written")
			}
			if fault.As(err).Code == fault.InvalidRequest && fault.As(err).Field != "only" {
				t.Errorf("the field is %q, want only", fault.As(err).Field)
			}
			if err == nil {
				if diff := cmp.Diff(tt.want, outcomes(applied)); diff != "" {
					t.Errorf("outcomes (-want +got):\n%s", diff)
				}
			}
		})
	}
	if _, err := newWorld(0).desk().Confirm(t.Context(), "ch_unknown", all); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("an unknown set: %v", err)
	}
}

func confirm(t *testing.T, d *change.Desk, set meet.ChangeSet, only ...string) meet.Applied {
	t.Helper()
	applied, err := d.Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest, Only: only})
	if err != nil {
		t.Fatalf("confirm: %v", err)
	}
	return applied
}

// A hundred confirmations of one set, from several processes, apply it once and get the same answer.
func TestAHundredConfirmationsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(6)
		w.takes = 50 * time.Millisecond
		set := propose(t, w.desk(), w.ten())
		var group sync.WaitGroup
		for range 100 {
			d := w.desk()
			group.Go(func() {
				applied, err := d.Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
				if err != nil || applied.Outcome != meet.AllApplied || len(applied.Changes) != 10 {
					t.Errorf("confirm = %+v, %v", applied, err)
				}
			})
		}
		group.Wait()
		if n := w.effectsMost(); n != 1 {
			t.Errorf("a change was made %d times", n)
		}
		if w.most > 4 || w.most < 2 {
			t.Errorf("%d changes were made at once, want up to 4", w.most)
		}
	})
}

// One thing has changed since it was shown: nothing is written, and the set is shown anew, once, as it would be now.
func TestWhatHasChangedIsShownAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(4)
	d := w.desk()
	set := propose(t, d, []meet.Change{
		w.retitle("t0", "A"), w.remove("t1"), w.retitle("t0", "A again"), w.retitle("t2", "C"),
	})
	w.touch("t0", func(t *thing) { t.Title = "Theirs" })
	w.mu.Lock()
	delete(w.things, "t2")
	w.mu.Unlock()
	var fresh meet.ChangeSet
	for range 2 {
		_, err := d.Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
		changed, ok := errors.AsType[*change.ChangedError](err)
		if !ok || fault.CodeOf(err) != change.Changed {
			t.Fatalf("confirm = %v, want what has changed", err)
		}
		if fresh.ID != "" && fresh.ID != changed.Fresh.ID {
			t.Error("the second refusal has another set")
		}
		fresh = changed.Fresh
	}
	var shown []string
	for _, c := range fresh.Changes {
		shown = append(shown, fmt.Sprintf("%s %s %s → %s after %v", c.ID, c.Class, c.Before, c.After, c.DependsOn))
	}
	want := []string{
		`1 R2 {"id":"t0","title":"Theirs"} → {"id":"t0","title":"A"} after []`,
		`2 R2 {"id":"t1","title":"Thing 1"} → null after []`,
		`3 R2 {"id":"t0","title":"A"} → {"id":"t0","title":"A again"} after [1]`,
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("the set anew (-want +got):\n%s", diff)
	}
	if old, _, _, err := d.Get(t.Context(), set.ID); err != nil || old.Status != meet.ChangesReplaced || len(w.made) > 0 {
		t.Errorf("the old one is %s, %v; %d were written", old.Status, err, len(w.made))
	}
	if got := outcomes(confirm(t, d, fresh)); len(got) != 3 || w.titles()["t0"] != "A again" {
		t.Errorf("the new one: %v, %v", got, w.titles())
	}
}

// What fails keeps only what depends on it from being done; each is told why.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(6)
		d := w.desk()
		changes := []meet.Change{
			w.retitle("t0", "refused"), w.retitle("t0", "after it"), w.retitle("t1", "lost"), w.retitle("t2", "fine"),
			w.retitle("t3", "taken"), w.retitle("t4", "panics"), w.retitle("t5", "after lost"),
		}
		changes[2].ID, changes[6].DependsOn = "lost", []string{"lost"}
		set := propose(t, d, changes)
		w.fail = func(d deed) error {
			switch d.Is.Title {
			case "refused":
				return fault.New(fault.CalendarFailed, "Please reconnect the calendar.")
			case "lost":
				return errBroken
			case "taken":
				return fault.New(change.Changed, "another version")
			case "panics":
				panic("broken")
			}
			return nil
		}
		applied := confirm(t, d, set)
		want := []meet.ChangeResult{
			{ID: "1", Outcome: meet.ChangeFailed, Reason: "Please reconnect the calendar."},
			{ID: "2", Outcome: meet.ChangeSkipped, Reason: "What it depends on was not done."},
			{ID: "3", Outcome: meet.ChangeUnknown, Reason: unknownReason},
			{ID: "4", Outcome: meet.ChangeDone},
			{ID: "5", Outcome: meet.ChangeFailed, Reason: "It has changed meanwhile, so it was left as it is."},
			{ID: "6", Outcome: meet.ChangeUnknown, Reason: unknownReason},
			{ID: "7", Outcome: meet.ChangeSkipped, Reason: "What it depends on was not done."},
		}
		if diff := cmp.Diff(want, applied.Changes); diff != "" || applied.Outcome != meet.PartlyApplied {
			t.Errorf("%s (-want +got):\n%s", applied.Outcome, diff)
		}
		w.fail = nil
		undone, err := d.Undo(t.Context(), set.ID)
		if diff := cmp.Diff([]string{"4 done"}, outcomes(undone)); diff != "" || err != nil {
			t.Errorf("undo: %v (-want +got):\n%s", err, diff)
		}
	})
}

const unknownReason = "The answer did not come, so it may or may not be done. Please look before you try again."

func TestUndo(t *testing.T) {
	t.Parallel()
	w := newWorld(6)
	d, before := w.desk(), w.titles()
	set := propose(t, d, w.ten())
	if _, err := d.Undo(t.Context(), set.ID); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("undo of what is pending: %v", err)
	}
	confirm(t, d, set)
	w.touch("t2", func(t *thing) { t.Title = "Theirs" })
	if _, err := d.Undo(t.Context(), set.ID); fault.CodeOf(err) != change.Changed {
		t.Errorf("undo of what others changed again: %v, want a refusal", err)
	}
	if diff := cmp.Diff("A again", w.titles()["t0"]); diff != "" {
		t.Errorf("it was undone in part: %s", diff)
	}
	w.touch("t2", func(t *thing) { t.Title, t.Note = "C", "theirs" })
	for i, want := range []fault.Code{"", change.AlreadyUndone} {
		applied, err := d.Undo(t.Context(), set.ID)
		if fault.CodeOf(err) != want || applied.Outcome != meet.AllApplied || len(applied.Changes) != 10 {
			t.Errorf("undo %d: %+v, %v", i, applied, err)
		}
	}
	if diff := cmp.Diff(before, w.titles()); diff != "" || w.things["t2"].Note != "theirs" {
		t.Errorf("the note is %q; things (-want +got):\n%s", w.things["t2"].Note, diff)
	}
	late := propose(t, d, []meet.Change{w.retitle("t3", "E")}, heard, func(d *change.Draft) { d.Key = "turn-2" })
	w.lag = 24 * time.Hour
	if _, err := d.Undo(t.Context(), late.ID); fault.CodeOf(err) != change.Expired {
		t.Errorf("undo after a day: %v", err)
	}
	if _, err := d.Cancel(t.Context(), late.ID, ""); fault.CodeOf(err) != change.AlreadyApplied {
		t.Errorf("cancel of what is done: %v", err)
	}
}

// A process that stops while it applies leaves the rest to others, and says so.
func TestALeftSetIsContinued(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(6)
		w.takes = time.Minute
		cfg := w.config()
		cfg.Limit, cfg.WriteLimit = 90*time.Second, 3*time.Minute
		d := change.New(cfg)
		set := propose(t, d, w.ten())
		if _, err := d.Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest}); fault.CodeOf(err) !=
			fault.Unavailable || !fault.As(err).Retryable {
			t.Errorf("confirm beyond its limit: %v", err)
		}
		if now, _, _, err := d.Get(t.Context(), set.ID); err != nil || now.Status != meet.ChangesApplying {
			t.Errorf("it is %s, %v", now.Status, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
		defer cancel()
		change.New(cfg).Work(ctx)
		if got := confirm(t, d, set); got.Outcome != meet.AllApplied || w.effectsMost() != 1 {
			t.Errorf("afterwards: %+v, made %d times", got, w.effectsMost())
		}
	})
}

// What takes the place of a set that waits is shown again, and never done unasked: its owner has not said yes.
func TestWhatReplacesAWaitingSetIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(2)
	d := w.desk()
	first, _, err := d.Propose(t.Context(), change.Draft{Owner: me, Key: "1", Named: true, Changes: []meet.Change{
		w.retitle("t0", "X"), w.retitle("t1", "X"),
	}})
	if err != nil || first.Status != meet.ChangesPending {
		t.Fatalf("%s, %v", first.Status, err)
	}
	draft := change.Draft{Owner: me, Key: "2", Changes: first.Changes[:1], Replaces: first.ID}
	heard(&draft)
	next, applied, err := d.Propose(t.Context(), draft)
	if err != nil || applied != nil || next.Status != meet.ChangesPending || w.things["t0"].Title == "X" {
		t.Errorf("%s, %+v, %v: done unasked", next.Status, applied, err)
	}
}

// A title is bytes that others wrote. However a store encodes them, the set can be confirmed.
func TestASetOfBrokenTextCanBeConfirmed(t *testing.T) {
	t.Parallel()
	w := newWorld(1)
	d, c := w.desk(), w.retitle("t0", "X")
	c.Title = "caf\xe9 <\u2028>"
	set, _, err := d.Propose(t.Context(), change.Draft{Owner: me, Key: "1", Changes: []meet.Change{c}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest}); err != nil {
		t.Errorf("Confirm: %v", err)
	}
}
