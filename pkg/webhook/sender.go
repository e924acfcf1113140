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

// SenderConfig is what a Sender works with. Endpoints, Lanes, Sealer and HTTP are required.
type SenderConfig struct {
	Endpoints Endpoints
	Lanes     Lanes
	Sealer    Sealer
	// HTTP makes the requests: each once, and only to addresses to which one may go. Redirects are not followed, whatever
	// it says about them.
	HTTP *http.Client
	// Attempted, where set, is told what came of each attempt: delivered, pending for one that is made again, or failed.
	// It must not block.
	Attempted func(State)
	// Now is the clock that signatures tell, so that it must be right: receivers refuse what is minutes off. Defaults to
	// time.Now.
	Now func() time.Time
	// Deadline bounds an attempt. Defaults to 15 s.
	Deadline time.Duration
	// Most is how many attempts this process makes at the same time. Defaults to 64.
	Most int
	// MostEach is how many of them go to the same endpoint. Defaults to 4.
	MostEach int
	// Every is how often is looked for what others have left. Defaults to 1 s.
	Every time.Duration
	// Grace is how long attempts under way may take when Work is to end. Defaults to 3 s.
	Grace time.Duration
}

// Sender sends what is due. Each process has one, on which Work is called once.
type Sender struct {
	cfg  SenderConfig
	http *http.Client
	wake chan struct{}
	all  sync.WaitGroup

	mu sync.Mutex
	// busy is how many attempts are under way in each lane, total in all of them.
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

// settleTime is how long the store may take to hear what came of an attempt.
const settleTime = 10 * time.Second

// lease is for how long a delivery is this process's: for an attempt and all around it.
func (s *Sender) lease() time.Duration { return s.cfg.Deadline + settleTime + 5*time.Second }

// moment is now, as exact as it is kept.
func (s *Sender) moment() time.Time { return s.cfg.Now().UTC().Truncate(time.Millisecond) }

// Wake has Work look for what is due at once. It does not block.
func (s *Sender) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Work sends what is due until ctx ends, and returns when no attempt is under way any more. One that is cut short then
// is made again by whoever comes next.
func (s *Sender) Work(ctx context.Context) {
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	for ctx.Err() == nil {
		if err := s.round(sending); err != nil {
			zerolog.Ctx(ctx).Warn().Err(err).Msg("webhooks that are due could not be looked for")
		}
		s.rest(ctx)
	}
	grace := time.AfterFunc(s.cfg.Grace, cut)
	defer grace.Stop()
	s.all.Wait()
}

// rest waits until there may be something to do.
func (s *Sender) rest(ctx context.Context) {
	timer := time.NewTimer(s.cfg.Every/2 + rand.N(s.cfg.Every))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.wake:
	case <-ctx.Done():
	}
}

// round begins as many of the attempts that are due as there is room for.
func (s *Sender) round(ctx context.Context) error {
	lanes, err := s.cfg.Lanes.Due(ctx, s.cfg.Now())
	if err != nil {
		return err
	}
	// Where there is not room for all, chance decides.
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

// room is how many more attempts may be made in the lane. Only round adds to them, so that the room stays.
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

// leave makes room, and has Work look for who takes it where there was none.
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
