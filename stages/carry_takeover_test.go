package stages_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/meet"
	"convene/stages"
)

// kept is a journal that several steps may write to, in its order.
type kept struct {
	mu    sync.Mutex
	paths []string
	steps map[string][]byte
}

func (k *kept) Begin(path string) ([]byte, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	raw, ok := k.steps[path]
	return raw, ok
}

func (k *kept) Finish(path string, raw []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.steps == nil {
		k.steps = map[string][]byte{}
	}
	k.paths, k.steps[path] = append(k.paths, path), raw
}

func (k *kept) Settle() error { return nil }

// Wherever a process dies, the next one repeats no step, and gives the same updates and the same set.
func TestAPlanIsTakenOverAfterAnyStep(t *testing.T) {
	t.Parallel()
	steps := mondayIs + "," + people + "," + clearThem + "," + travelling +
		`,{"id":"rest","tool":"calendar_findEvents","arguments":{"selection":{"window":{"start":"2031-05-05",
			"end":"2031-05-06"}}}},
		{"id":"each","tool":"calendar_createEvents","forEach":{"$from":"monday"},"arguments":{"events":[
		{"title":{"$item":"title"},"start":"2031-05-04T10:00","durationMinutes":15}]}}`
	attempt := func(journal *kept) []string {
		d := newDay(t, nil, monday()...)
		var drafts []string
		d.ports.Changes = noting{d.day, &drafts}
		d.reads(planOf(t, "Clear Monday", steps))
		d.journal = journal
		got := d.does()
		ends(t, got, meet.OutcomeWaiting)
		var lines []string
		for _, u := range got.updates {
			if meet.Interim(u) {
				continue // the number of these depends on the time
			}
			raw, err := meet.MarshalUpdate(timeless(u))
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(raw))
		}
		return append(lines, drafts...)
	}
	whole := &kept{}
	want := attempt(whole)
	if len(whole.paths) < 12 {
		t.Fatalf("the journal has only %v", whole.paths)
	}
	for n := range whole.paths {
		if whole.paths[n] == "changes" { // from here on the desk has the set
			break
		}
		cut := &kept{}
		for _, path := range whole.paths[:n] {
			cut.Finish(path, whole.steps[path])
		}
		if diff := cmp.Diff(want, attempt(cut)); diff != "" {
			t.Fatalf("taken over after %v (-whole +taken over):\n%s", cut.paths[:n], diff)
		}
		if diff := cmp.Diff(whole.paths, cut.paths); diff != "" {
			t.Fatalf("steps after a takeover (-whole +taken over):\n%s", diff)
		}
	}
}

// noting are change sets whose drafts are noted, with what applying them does.
type noting struct {
	stages.Changes
	drafts *[]string
}

func (n noting) Of(t meet.Turn) stages.OwnChanges { return notingOwn{n.Changes.Of(t), n.drafts} }

type notingOwn struct {
	stages.OwnChanges
	drafts *[]string
}

func (n notingOwn) Propose(ctx context.Context, draft change.Draft) (meet.ChangeSet, *meet.Applied, error) {
	for _, c := range draft.Changes {
		*n.drafts = append(*n.drafts, c.ID+" "+strings.Join(c.DependsOn, ",")+" "+string(c.Deed))
	}
	return n.OwnChanges.Propose(ctx, draft)
}

// timeless is an update without what differs from run to run.
func timeless(u meet.Update) meet.Update {
	switch u := u.(type) {
	case meet.PlanUpdate:
		u.Steps = slices.Clone(u.Steps)
		for i := range u.Steps {
			u.Steps[i].Milliseconds = 0
		}
		return u
	case meet.ResultUpdate:
		u.Response.Metadata.ExecutionTime = 0
		return u
	case meet.ChangesUpdate:
		u.Changes.ExpiresAt, u.Changes.Digest = time.Time{}, ""
		return u
	}
	return u
}
