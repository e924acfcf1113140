package change_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

const holdFor = 20 * time.Second

// office sends letters for the desks of several processes. Its carrier takes a letter as often as it is handed over;
// what was sent is filed.
type office struct {
	*world
	mu             sync.Mutex
	carried, filed map[string]int
	// late are the letters that were held and not sent.
	late map[string]int
	// refuse, if set, is the carrier's answer.
	refuse error
}

func newOffice() *office {
	return &office{world: newWorld(2), carried: map[string]int{}, filed: map[string]int{}, late: map[string]int{}}
}

// desk is that of a process, whose fate befalls it at one of its calls.
func (o *office) desk(p *process, hold time.Duration) *change.Desk {
	cfg := o.config()
	cfg.Records, cfg.Hold = p, hold
	cfg.Writers[meet.EmailThing] = counter{o, p}
	cfg.Late = func(_ context.Context, _ meet.Person, c meet.Change, _ meet.ChangeResult) error {
		return p.call("late", counter{o, p}.count(o.late, c))
	}
	return change.New(cfg)
}

func (o *office) process() *process { return &process{world: o.world} }

// goOn lets another process work for a while.
func (o *office) goOn(t *testing.T, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	o.desk(o.process(), holdFor).Work(ctx)
}

func letter(key string) meet.Change {
	return meet.Change{
		Kind: meet.SendThing, What: meet.EmailThing, Title: key, Where: meet.ChangeWhere{Provider: "office"},
		Affects: []meet.Affected{{Email: "al@example.com"}}, Deed: []byte(`"` + key + `"`),
	}
}

// counter is the office as a process sees it.
type counter struct {
	*office
	p *process
}

func (c counter) Standing(context.Context, meet.Person, meet.Change) (*meet.Change, error) {
	return nil, c.p.call("standing", func() error { return nil })
}

func (c counter) Write(context.Context, meet.Person, meet.Change) (change.Written, error) {
	return change.Written{}, errors.New("a letter was written instead of sent")
}

func (c counter) Inverse(context.Context, meet.Person, meet.Change, change.Written) (meet.Change, error) {
	return meet.Change{}, errors.New("a letter has no inverse")
}

func (c counter) Sends(of meet.Change) bool { return of.Kind == meet.SendThing }

func (c counter) Send(_ context.Context, _ meet.Person, of meet.Change, commit func() error) error {
	if err := c.p.call("connect", func() error { return nil }); err != nil {
		return fault.New(fault.Unavailable, "no connection").Later(0).Because(err)
	}
	if err := commit(); err != nil {
		return err
	}
	if c.refuse != nil {
		return c.refuse
	}
	if err := c.p.call("carry", c.count(c.carried, of)); err != nil {
		return err
	}
	_ = c.p.call("file", c.count(c.filed, of)) // it is sent all the same
	return nil
}

func (c counter) count(in map[string]int, of meet.Change) func() error {
	return func() error {
		c.mu.Lock()
		defer c.mu.Unlock()
		in[of.Title]++
		return nil
	}
}

func (c counter) Look(
	_ context.Context, _ meet.Person, of meet.Change,
) (meet.ChangeOutcome, change.Written, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.filed[of.Title] > 0 {
		return meet.ChangeDone, change.Written{}, nil
	}
	return meet.ChangeUnknown, change.Written{}, nil
}

// A confirmed letter waits, is sent once by whatever process, and cannot be taken back then. Nobody lets it through
// without a confirmation.
func TestALetterIsHeld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice()
		d := o.desk(o.process(), holdFor)
		set := propose(t, d, []meet.Change{letter("a"), o.retitle("t0", "A")}, heard)
		if set.Status != meet.ChangesPending || set.Changes[0].Class != meet.R2 || !set.Changes[0].Undoable {
			t.Fatalf("proposed: %+v", set)
		}
		applied := confirm(t, d, set)
		until := time.Now().Add(24 * time.Hour)
		if diff := cmp.Diff([]string{"1 held", "2 done"}, words(applied)); diff != "" ||
			applied.Outcome != meet.AllApplied || applied.UndoUntil == nil || applied.UndoUntil.After(until) {
			t.Errorf("%+v (-want +got):\n%s", applied, diff)
		}
		for range 2 {
			o.goOn(t, holdFor-time.Second)
		}
		_, _, settled, err := d.Get(t.Context(), set.ID)
		if err != nil || settled.Changes[0].Outcome != meet.ChangeDone || o.carried["a"] != 1 || o.filed["a"] != 1 {
			t.Errorf("settled: %+v, %v; sent %d times", settled, err, o.carried["a"])
		}
		undone, err := d.Undo(t.Context(), set.ID)
		if diff := cmp.Diff([]string{"1 failed", "2 done"}, words(undone)); diff != "" || err != nil {
			t.Errorf("undo: %v (-want +got):\n%s", err, diff)
		}
	})
}

// words are outcomes without their reasons.
func words(a meet.Applied) (list []string) {
	for _, c := range a.Changes {
		list = append(list, c.ID+" "+string(c.Outcome))
	}
	return list
}

// What is held is stopped by undo, with all else of its set, even if some of that has changed since.
func TestUndoStopsWhatIsHeld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice()
		d := o.desk(o.process(), holdFor)
		set := propose(t, d, []meet.Change{letter("a"), o.retitle("t0", "A"), o.retitle("t1", "B")})
		confirm(t, d, set)
		o.touch("t1", func(t *thing) { t.Title = "Theirs" })
		undone, err := d.Undo(t.Context(), set.ID)
		if diff := cmp.Diff([]string{"1 done", "2 done", "3 failed"}, words(undone)); diff != "" || err != nil {
			t.Errorf("undo: %v (-want +got):\n%s", err, diff)
		}
		o.goOn(t, 2*holdFor)
		if _, _, applied, err := d.Get(t.Context(), set.ID); o.carried["a"] != 0 || err != nil ||
			applied.Changes[0].Outcome != meet.ChangeSkipped {
			t.Errorf("sent %d times: %+v, %v", o.carried["a"], applied, err)
		}
		if _, err := d.Undo(t.Context(), set.ID); fault.CodeOf(err) != change.AlreadyUndone {
			t.Errorf("a second undo: %v", err)
		}
	})
}

// A letter that depends on another change waits for it; what depends on a held letter waits with it.
func TestWhatDependsOnAHeldLetterWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice()
		first, then := letter("a"), o.retitle("t0", "A")
		first.ID, then.DependsOn = "x", []string{"x"}
		set := propose(t, o.desk(o.process(), holdFor), []meet.Change{first, then})
		applied := confirm(t, o.desk(o.process(), holdFor), set)
		if diff := cmp.Diff([]string{"1 held", "2 held"}, words(applied)); diff != "" {
			t.Error(diff)
		}
		o.goOn(t, holdFor+5*time.Second)
		_, _, settled, err := o.desk(o.process(), holdFor).Get(t.Context(), set.ID)
		if err != nil || o.titles()["t0"] != "A" || settled.Outcome != meet.AllApplied {
			t.Errorf("settled: %+v, %v", settled, err)
		}
	})
}

// Without a hold a letter is sent when it is confirmed. What the carrier refuses was not sent, and is not tried again.
func TestARefusedLetter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := newOffice()
		d := o.desk(o.process(), 0)
		confirmed := confirm(t, d, propose(t, d, []meet.Change{letter("a")}))
		if words(confirmed)[0] != "1 done" || o.carried["a"] != 1 || confirmed.UndoUntil != nil {
			t.Errorf("%+v", confirmed)
		}
		o.refuse = fault.New(fault.Unavailable, "mailbox full").Later(0)
		set := propose(t, d, []meet.Change{letter("b")}, func(d *change.Draft) { d.Key = "turn-2" })
		got := confirm(t, d, set).Changes[0]
		if got.Outcome != meet.ChangeFailed || got.Reason != "mailbox full" {
			t.Errorf("refused: %+v", got)
		}
	})
}

// Whatever happens at any call of the process that confirms a letter, of the one that sends it, or of one that stops
// it, the letter is sent at most once; if it was, nobody is told that it was not.
func TestALetterThatIsBrokenAnywhere(t *testing.T) {
	t.Parallel()
	stories := map[string]func(t *testing.T, o *office, p *process, set meet.ChangeSet){
		"confirmed": func(t *testing.T, o *office, p *process, set meet.ChangeSet) {
			t.Helper()
			_, _ = o.desk(p, 0).Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
		},
		"sent": func(t *testing.T, o *office, p *process, set meet.ChangeSet) {
			t.Helper()
			confirm(t, o.desk(o.process(), holdFor), set)
			ctx, cancel := context.WithTimeout(t.Context(), holdFor+5*time.Second)
			defer cancel()
			o.desk(p, holdFor).Work(ctx)
		},
		"stopped": func(t *testing.T, o *office, p *process, set meet.ChangeSet) {
			t.Helper()
			confirm(t, o.desk(o.process(), holdFor), set)
			_, _ = o.desk(p, holdFor).Undo(t.Context(), set.ID)
		},
	}
	for story, run := range stories {
		for _, fate := range fates {
			for at, calls := 1, 1; calls >= at-1; at++ {
				synctest.Test(t, func(t *testing.T) {
					o := newOffice()
					p := &process{world: o.world, fate: fate, at: at}
					set := propose(t, o.desk(o.process(), holdFor), []meet.Change{letter("a")})
					run(t, o, p, set)
					calls = p.calls
					name := fmt.Sprintf("%s, call %d %s", story, at, fate)
					<-time.After(time.Minute)
					o.goOn(t, time.Minute)
					o.check(t, story, name, set)
				})
			}
		}
	}
}

// check compares what was sent with what is told.
func (o *office) check(t *testing.T, story, name string, set meet.ChangeSet) {
	t.Helper()
	d := o.desk(o.process(), holdFor)
	if due, err := o.Due(t.Context()); err != nil || len(due) > 0 {
		t.Errorf("%s: %v is still open, %v", name, due, err)
	}
	_, _, applied, err := d.Get(t.Context(), set.ID)
	held := story == "sent"
	if err != nil || applied == nil {
		if o.carried["a"] > 0 || err != nil {
			t.Errorf("%s: sent %d times, %v", name, o.carried["a"], err)
		}
		return // it was never confirmed
	}
	told := applied.Changes[0].Outcome
	if missed := told != meet.ChangeDone; held && missed != (o.late["a"] > 0) {
		t.Errorf("%s: told as %s, and %d times later", name, told, o.late["a"])
	}
	switch n := o.carried["a"]; {
	case n > 1:
		t.Errorf("%s: sent %d times", name, n)
	case n == 1 && told != meet.ChangeDone && told != meet.ChangeUnknown,
		n == 0 && told == meet.ChangeDone, told == meet.ChangeHeld:
		t.Errorf("%s: sent %d times, and told as %s", name, n, told)
	case n == 1 && o.filed["a"] > 0 && told != meet.ChangeDone:
		t.Errorf("%s: it is among the sent mails, and told as %s", name, told)
	}
}
