package webhook

import (
	"net/http"
	"testing"
	"time"
)

func TestPause(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tries  int
		chance float64
		asked  time.Duration
		want   time.Duration
		more   bool
	}{
		"after the first":             {tries: 1, want: 5 * time.Second, more: true},
		"after the second":            {tries: 2, want: 5 * time.Minute, more: true},
		"after the ninth":             {tries: 9, want: 24 * time.Hour, more: true},
		"after the last":              {tries: 10},
		"with chance":                 {tries: 2, chance: .5, want: 5*time.Minute + 30*time.Second, more: true},
		"asked for longer":            {tries: 1, asked: time.Minute, want: time.Minute, more: true},
		"asked for less":              {tries: 3, asked: time.Minute, want: 30 * time.Minute, more: true},
		"asked for too long":          {tries: 1, asked: 100 * time.Hour, want: 24 * time.Hour, more: true},
		"asked after the last":        {tries: 10, asked: time.Minute},
		"before there was an attempt": {tries: 0},
	} {
		if got, more := pause(tt.tries, tt.chance, tt.asked); got != tt.want || more != tt.more {
			t.Errorf("%s: %v, %t, want %v, %t", name, got, more, tt.want, tt.more)
		}
	}
}

// Without chance, ten attempts end as the specification's table does.
func TestTheScheduleTakesThreeDays(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	d, now := Delivery{State: Pending, Created: began}, began
	for d.State == Pending {
		d.attempted(Attempt{At: now, Status: http.StatusInternalServerError, Problem: ProblemStatus}, now, 0, 0)
		if d.State == Pending {
			now = d.Next
		}
	}
	if took, want := now.Sub(began), 75*time.Hour+35*time.Minute+5*time.Second; took != want || len(d.Attempts) != 10 {
		t.Errorf("%d attempts in %v, want 10 in %v", len(d.Attempts), took, want)
	}
	if d.State != Failed || !d.Next.IsZero() {
		t.Errorf("it is %s, next at %v", d.State, d.Next)
	}
}

func TestWhatBecomesOfADelivery(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		attempt Attempt
		age     time.Duration
		asked   time.Duration
		want    State
	}{
		"arrived":                   {attempt: Attempt{Status: 204}, want: Delivered},
		"refused":                   {attempt: Attempt{Status: 400, Problem: ProblemStatus}, want: Pending},
		"gone":                      {attempt: Attempt{Status: 410, Problem: ProblemStatus}, want: Failed},
		"sent elsewhere":            {attempt: Attempt{Status: 302, Problem: ProblemRedirect}, want: Pending},
		"no answer":                 {attempt: Attempt{Problem: ProblemTimeout}, want: Pending},
		"disabled":                  {attempt: Attempt{Problem: ProblemDisabled}, want: Failed},
		"removed":                   {attempt: Attempt{Problem: ProblemRemoved}, want: Failed},
		"too old to be tried again": {attempt: Attempt{Status: 500, Problem: ProblemStatus}, age: Kept, want: Failed},
		"to be left alone until later": {attempt: Attempt{Status: 503, Problem: ProblemStatus}, age: Kept - time.Hour,
			asked: 2 * time.Hour, want: Failed},
	} {
		d := Delivery{State: Pending, Created: now.Add(-tt.age)}
		d.attempted(tt.attempt, now, 0, tt.asked)
		if d.State != tt.want || d.Next.IsZero() != (tt.want != Pending) {
			t.Errorf("%s: %s, next at %v, want %s", name, d.State, d.Next, tt.want)
		}
	}
}

// However often a delivery is retried, it keeps its latest attempts only.
func TestAttemptsAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	d := Delivery{State: Pending, Created: now}
	for i := range 3 * mostAttempts {
		d.again(now)
		d.attempted(Attempt{Status: 500 + i, Problem: ProblemStatus}, now, 0, 0)
	}
	if n := len(d.Attempts); n != mostAttempts || d.Attempts[n-1].Status != 500+3*mostAttempts-1 {
		t.Errorf("%d attempts, the last with %d", n, d.Attempts[n-1].Status)
	}
}
