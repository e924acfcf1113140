package webhook

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// SenderConfig configures a Sender. Endpoints, Lanes, Sealer and HTTP are required.
type SenderConfig struct {
	Endpoints Endpoints
	Lanes     Lanes
	Sealer    Sealer
	// HTTP makes each request once, and only to allowed addresses. The Sender follows no redirects, whatever its
	// CheckRedirect.
	HTTP *http.Client
	// Attempted, if set, is called with the delivery's state after each attempt: Delivered, Pending if it is retried, or
	// Failed. It must not block.
	Attempted func(State)
	// Now is the clock of signatures, which must be right: receivers refuse times that are minutes off. Defaults to
	// time.Now.
	Now func() time.Time
	// Deadline bounds an attempt. Defaults to 15 s.
	Deadline time.Duration
	// Most bounds the concurrent attempts of this process. Defaults to 64.
	Most int
	// MostEach bounds them per endpoint. Defaults to 4.
	MostEach int
	// Every is how often the Sender looks for due deliveries without a Wake. Defaults to 1 s.
	Every time.Duration
	// Grace is how long running attempts may take when Work ends. Defaults to 3 s.
	Grace time.Duration
}

// Sender sends due deliveries. Each process has one, and calls Work once.
type Sender struct {
	cfg  SenderConfig
	http *http.Client
	wake chan struct{}
	all  sync.WaitGroup

	mu sync.Mutex
	// busy counts the running attempts in each lane, total in all lanes.
	busy  map[Lane]int
	total int
}

// NewSender fills in the defaults of cfg.
func NewSender(cfg SenderConfig) *Sender {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Attempted == nil {
		cfg.Attempted = func(State) {}
	}
	cfg.Deadline = cmp.Or(cfg.Deadline, 15*time.Second)
	cfg.Most = cmp.Or(cfg.Most, 64)
	cfg.MostEach = cmp.Or(cfg.MostEach, 4)
	cfg.Every = cmp.Or(cfg.Every, time.Second)
	cfg.Grace = cmp.Or(cfg.Grace, 3*time.Second)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Sender{
		cfg: cfg, wake: make(chan struct{}, 1), busy: map[Lane]int{},
		http: &http.Client{Transport: cfg.HTTP.Transport, CheckRedirect: stay},
	}
}

// settleTime bounds how long the store may take to record an attempt.
const settleTime = 10 * time.Second

// lease is how long a delivery is claimed: for an attempt and its recording.
func (s *Sender) lease() time.Duration { return s.cfg.Deadline + settleTime + 5*time.Second }

// moment is now, to the precision of the store.
func (s *Sender) moment() time.Time { return s.cfg.Now().UTC().Truncate(time.Millisecond) }

// Wake makes Work look for due deliveries at once. It does not block.
func (s *Sender) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Work sends due deliveries until ctx ends, and returns when no attempt is running. Another process repeats an attempt
// that was cut short.
func (s *Sender) Work(ctx context.Context) {
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	for ctx.Err() == nil {
		if err := s.round(sending); err != nil {
			zerolog.Ctx(ctx).Warn().Err(err).Msg("due webhooks could not be read")
		}
		s.rest(ctx)
	}
	grace := time.AfterFunc(s.cfg.Grace, cut)
	defer grace.Stop()
	s.all.Wait()
}

// rest waits until the next round.
func (s *Sender) rest(ctx context.Context) {
	timer := time.NewTimer(s.cfg.Every/2 + rand.N(s.cfg.Every))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.wake:
	case <-ctx.Done():
	}
}

// round starts as many due attempts as there is room for.
func (s *Sender) round(ctx context.Context) error {
	lanes, err := s.cfg.Lanes.Due(ctx, s.cfg.Now())
	if err != nil {
		return err
	}
	// If there is not room for all, chance decides.
	rand.Shuffle(len(lanes), func(i, j int) { lanes[i], lanes[j] = lanes[j], lanes[i] })
	for _, lane := range lanes {
		room := s.room(lane)
		if room == 0 {
			continue
		}
		now := s.cfg.Now()
		jobs, err := s.cfg.Lanes.Claim(ctx, lane, room, now, now.Add(s.lease()))
		if err != nil {
			return fmt.Errorf("claim: %w", err)
		}
		for _, job := range jobs {
			s.enter(lane)
			s.all.Go(func() {
				defer s.leave(lane)
				s.deliver(ctx, job)
			})
		}
	}
	return nil
}

// room is how many more attempts may run in the lane. Only round starts attempts, so the room cannot shrink meanwhile.
func (s *Sender) room(l Lane) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, min(s.cfg.MostEach-s.busy[l], s.cfg.Most-s.total))
}

func (s *Sender) enter(l Lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy[l]++
	s.total++
}

// leave makes room, and wakes Work if there was none.
func (s *Sender) leave(l Lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[l] >= s.cfg.MostEach || s.total >= s.cfg.Most {
		s.Wake()
	}
	s.total--
	if s.busy[l]--; s.busy[l] == 0 {
		delete(s.busy, l)
	}
}
