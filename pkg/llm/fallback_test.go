package llm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/fault"
	"convene/pkg/llm"
)

// scripted streams its deltas, waits, and ends with its error or an answer that bears its name.
type scripted struct {
	name   string
	deltas []string
	takes  time.Duration
	err    error
	asked  int
	left   time.Duration
}

func (s *scripted) Complete(ctx context.Context, _ llm.Request, onDelta func(string) error) (llm.Reply, error) {
	s.asked++
	if deadline, ok := ctx.Deadline(); ok {
		s.left = time.Until(deadline)
	}
	for _, d := range s.deltas {
		if onDelta != nil {
			if err := onDelta(d); err != nil {
				return llm.Reply{}, err
			}
		}
	}
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return llm.Reply{}, ctx.Err()
	}
	if s.err != nil {
		return llm.Reply{}, s.err
	}
	return llm.Reply{Calls: []llm.Call{{Name: s.name}}}, nil
}

func TestFallback(t *testing.T) {
	t.Parallel()
	down := fault.New(fault.ModelUnavailable, "down")
	full := errors.New("the log is full")
	for name, tc := range map[string]struct {
		primary   scripted
		onDelta   func(string) error
		want      string
		code      fault.Code
		secondary int
	}{
		"the first answers":                    {scripted{}, nil, "first", "", 0},
		"the first is down":                    {scripted{err: down}, nil, "second", "", 1},
		"the first is down, somebody listens":  {scripted{err: down}, ignore, "second", "", 1},
		"the first times out in its own words": {scripted{err: context.DeadlineExceeded}, nil, "second", "", 1},
		"the first answers nonsense": {scripted{
			err: fault.New(fault.ModelAnswer, "nonsense"),
		}, nil, "", fault.ModelAnswer, 0},
		"down, but a delta is out": {scripted{err: down, deltas: []string{"{"}}, ignore, "",
			fault.ModelUnavailable, 0},
		"down after deltas that nobody heard": {scripted{err: down, deltas: []string{"{"}}, nil, "second", "", 1},
		"the listener fails": {scripted{deltas: []string{"{"}}, func(string) error { return full },
			"", fault.Internal, 0},
		"the service has a fault that is not it": {scripted{err: errors.New("bug")}, nil, "", fault.Internal, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, second := tc.primary, scripted{name: "second"}
			first.name = "first"
			var told []error
			model := &llm.Fallback{
				Primary: &first, Secondary: &second, Notify: func(_ context.Context, err error) { told = append(told, err) },
			}
			reply, err := model.Complete(t.Context(), llm.Request{}, tc.onDelta)
			if got := fault.CodeOf(err); got != tc.code {
				t.Fatalf("Complete = %v, want code %q", err, tc.code)
			}
			if second.asked != tc.secondary || len(told) != tc.secondary {
				t.Errorf("second asked %d times, told %d times; want %d", second.asked, len(told), tc.secondary)
			}
			if err != nil {
				return
			}
			if got := reply.Calls[0].Name; got != tc.want {
				t.Errorf("answered by %s, want %s", got, tc.want)
			}
			if degraded := reply.Degraded != ""; degraded != (tc.want == "second") {
				t.Errorf("Degraded = %q for an answer of the %s", reply.Degraded, tc.want)
			}
		})
	}
}

func ignore(string) error { return nil }

// What the first did last is what it is said to do.
func TestFallbackTellsWhetherTheFirstFails(t *testing.T) {
	t.Parallel()
	first := &scripted{}
	f := &llm.Fallback{Primary: first, Secondary: &scripted{}}
	for _, step := range []struct {
		name string
		err  error
		gone bool
		want bool
	}{
		{"it answers", nil, false, false},
		{"it is down", fault.New(fault.ModelUnavailable, "down"), false, true},
		{"nobody waits for its answer", nil, true, true},
		{"it answers nonsense", fault.New(fault.ModelAnswer, "nonsense"), false, false},
	} {
		first.err = step.err
		ctx, cancel := context.WithCancel(t.Context())
		if step.gone {
			cancel()
		}
		_, _ = f.Complete(ctx, llm.Request{}, nil)
		cancel()
		if got := f.Failing(); got != step.want {
			t.Errorf("%s: failing is %t, want %t", step.name, got, step.want)
		}
	}
}

func TestFallbackWithoutNotifyAndBothDown(t *testing.T) {
	t.Parallel()
	model := &llm.Fallback{
		Primary:   &scripted{err: fault.New(fault.ModelUnavailable, "down")},
		Secondary: &scripted{err: fault.New(fault.ModelAnswer, "nonsense")},
	}
	_, err := model.Complete(t.Context(), llm.Request{}, nil)
	if fault.CodeOf(err) != fault.ModelAnswer {
		t.Errorf("Complete = %v, want the second model's fault", err)
	}
}

func TestFallbackSharesTheTime(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ deadline, first, second time.Duration }{
		"long":  {12 * time.Second, 10 * time.Second, 2 * time.Second},
		"short": {2 * time.Second, time.Second, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				first, second := scripted{takes: time.Hour}, scripted{name: "second"}
				ctx, cancel := context.WithTimeout(t.Context(), tc.deadline)
				defer cancel()
				model := &llm.Fallback{Primary: &first, Secondary: &second}
				if _, err := model.Complete(ctx, llm.Request{}, nil); err != nil {
					t.Fatalf("Complete: %v", err)
				}
				if first.left != tc.first || second.left != tc.second {
					t.Errorf("time of the first %v, left to the second %v; want %v, %v", first.left, second.left, tc.first, tc.second)
				}
			})
		})
	}
}

func TestFallbackLeavesACallerThatHasGone(t *testing.T) {
	t.Parallel()
	for name, deadline := range map[string]time.Duration{"cancelled": time.Hour, "out of time": time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				time.AfterFunc(2*time.Second, cancel)
				first, second := stubborn{}, scripted{}
				model := &llm.Fallback{Primary: first, Secondary: &second}
				_, err := model.Complete(ctx, llm.Request{}, nil)
				if fault.CodeOf(err) != fault.ModelUnavailable || second.asked != 0 {
					t.Errorf("Complete = %v, second asked %d times; want the first one's fault and no second", err, second.asked)
				}
			})
		})
	}
}

// stubborn answers that it is down, late, and hears no context.
type stubborn struct{}

func (stubborn) Complete(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	<-time.After(3 * time.Second)
	return llm.Reply{}, fault.New(fault.ModelUnavailable, "down")
}
