package replay

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// examplesEach bounds the examples of each kind of failure.
const examplesEach = 3

// Snapshot is the state of a run.
type Snapshot struct {
	Elapsed time.Duration
	// TurnsPerSecond counts the turns that ended in the last second.
	TurnsPerSecond         float64
	Turns, Running, Failed int
}

// Quantiles are times in milliseconds, of the Count turns that had such a time.
type Quantiles struct {
	Count int     `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// Latency is the time from when the turn was due to the first byte of the response, the acknowledgment, the first word
// of the message, and done.
type Latency struct {
	FirstByte      Quantiles `json:"firstByte"`
	Acknowledgment Quantiles `json:"acknowledgment"`
	FirstWord      Quantiles `json:"firstWord"`
	End            Quantiles `json:"end"`
}

// Bucket counts the turns whose end took less than Below, and not less than the bucket before.
type Bucket struct {
	BelowMs float64 `json:"belowMs"`
	Turns   int     `json:"turns"`
}

// Summary is the result of a run.
type Summary struct {
	Turns            int     `json:"turns"`
	Clients          int     `json:"clients"`
	Seconds          float64 `json:"seconds"`
	TurnsPerSecond   float64 `json:"turnsPerSecond"`
	Updates          int     `json:"updates"`
	UpdatesPerSecond float64 `json:"updatesPerSecond"`
	// Connections counts the clients' connections, Cuts those that they cut, without the readings for checks.
	Connections int            `json:"connections"`
	Cuts        int            `json:"cuts"`
	Latency     Latency        `json:"latency"`
	Histogram   []Bucket       `json:"histogram"`
	Outcomes    map[string]int `json:"outcomes"`
	// Modes counts turns by mode, new or edit, or by intent if they have no template.
	Modes map[string]int `json:"modes"`
	// Compared is how many turns were compared with their recording.
	Compared int          `json:"compared"`
	Errors   map[Kind]int `json:"errors"`
	Examples []string     `json:"examples"`
	// Abandoned turns were running when the run was interrupted.
	Abandoned int `json:"abandoned"`
}

// OK reports whether there were turns and no check failed.
func (s Summary) OK() bool { return len(s.Errors) == 0 && s.Turns > 0 }

// tally counts for all clients. Every time is kept, as the number of turns is bounded: the quantiles are exact.
type tally struct {
	start time.Time

	mu      sync.Mutex
	running int
	sum     Summary
	times   [4][]time.Duration
	ended   time.Time
}

func newTally(clients int) *tally {
	return &tally{start: time.Now(), sum: Summary{
		Clients: clients, Outcomes: map[string]int{}, Modes: map[string]int{}, Errors: map[Kind]int{}, Examples: []string{},
	}}
}

func (t *tally) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running++
}

func (t *tally) abandon() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	t.sum.Abandoned++
}

func (t *tally) end(turn *turn, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	t.ended = time.Now()
	t.sum.Turns++
	for i, d := range []time.Duration{turn.marks.firstByte, turn.marks.acknowledgment, turn.marks.firstWord,
		turn.marks.end} {
		if d > 0 {
			t.times[i] = append(t.times[i], d)
		}
	}
	for _, r := range []*reader{turn.reader, turn.second} {
		if r != nil {
			t.sum.Updates += r.have.last()
			t.sum.Connections += r.connections
			t.sum.Cuts += r.cuts
		}
	}
	if turn.outcome != "" {
		t.sum.Outcomes[turn.outcome]++
	}
	if turn.label != "" {
		t.sum.Modes[turn.label]++
	}
	if _, ok := turn.recorded[turn.recording]; ok {
		t.sum.Compared++
	}
	t.fail(err)
}

func (t *tally) fail(err error) {
	if err == nil {
		return
	}
	kind := Unreachable
	if f, ok := errors.AsType[*Failure](err); ok {
		kind = f.Kind
	}
	if t.sum.Errors[kind]++; t.sum.Errors[kind] <= examplesEach {
		t.sum.Examples = append(t.sum.Examples, err.Error())
	}
}

func (t *tally) failed() int {
	n := 0
	for _, count := range t.sum.Errors {
		n += count
	}
	return n
}

// watch calls tell with the state of the run every second, until ctx ends.
func (t *tally) watch(ctx context.Context, tell func(Snapshot)) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	before := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		t.mu.Lock()
		s := Snapshot{
			Elapsed: time.Since(t.start), TurnsPerSecond: float64(t.sum.Turns - before),
			Turns: t.sum.Turns, Running: t.running, Failed: t.failed(),
		}
		t.mu.Unlock()
		before = s.Turns
		tell(s)
	}
}

func (t *tally) summary() Summary {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sum
	if s.Turns > 0 {
		s.Seconds = t.ended.Sub(t.start).Seconds()
		s.TurnsPerSecond = float64(s.Turns) / s.Seconds
		s.UpdatesPerSecond = float64(s.Updates) / s.Seconds
	}
	s.Latency = Latency{quantiles(t.times[0]), quantiles(t.times[1]), quantiles(t.times[2]), quantiles(t.times[3])}
	s.Histogram = histogram(t.times[3])
	return s
}

// quantiles sorts the times; a quantile is the smallest time that at least its share does not exceed.
func quantiles(times []time.Duration) Quantiles {
	if len(times) == 0 {
		return Quantiles{}
	}
	slices.Sort(times)
	at := func(percent int) float64 { return ms(times[(len(times)*percent+99)/100-1]) }
	return Quantiles{Count: len(times), P50: at(50), P90: at(90), P99: at(99), Max: at(100)}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// histogram counts sorted times in steps of 1, 2 and 5 from the shortest to the longest.
func histogram(times []time.Duration) []Bucket {
	buckets := []Bucket{}
	next := 0
	for decade := time.Millisecond; next < len(times); decade *= 10 {
		for _, below := range []time.Duration{decade, 2 * decade, 5 * decade} {
			from := next
			for next < len(times) && times[next] < below {
				next++
			}
			if next > 0 && (next < len(times) || next > from) {
				buckets = append(buckets, Bucket{ms(below), next - from})
			}
		}
	}
	return buckets
}
