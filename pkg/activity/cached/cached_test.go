package cached_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"convene/pkg/activity/cached"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// source has one concert, and counts.
type source struct {
	calls int
	found []meet.Suggestion
	err   error
}

func (s *source) Suggest(context.Context, meet.ActivityQuery) ([]meet.Suggestion, error) {
	s.calls++
	return s.found, s.err
}

// shelf is a store in memory.
type shelf struct {
	mu   sync.Mutex
	kept map[string][]byte
	life time.Duration
	err  error
}

func (s *shelf) Load(_ context.Context, key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[key], s.err
}

func (s *shelf) Save(_ context.Context, key string, answer []byte, life time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[string][]byte{}
	}
	s.kept[key], s.life = answer, life
	return s.err
}

func noon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func today() meet.ActivityQuery {
	return meet.ActivityQuery{
		Text: "What's on  tonight?", Area: "San Francisco", Near: &geo.Point{Latitude: 37.7759, Longitude: -122.4245},
		Span: interval.From(noon(), 11*time.Hour), Zone: time.UTC,
	}
}

func concert() []meet.Suggestion {
	return []meet.Suggestion{{Title: "Quartet", Start: noon().Add(8 * time.Hour), End: noon().Add(10 * time.Hour)}}
}

func TestAskedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*meet.ActivityQuery)
		calls  int
	}{
		"the same again":       {func(*meet.ActivityQuery) {}, 1},
		"a little later":       {func(q *meet.ActivityQuery) { q.Span.Start = q.Span.Start.Add(time.Hour) }, 1},
		"in other capitals":    {func(q *meet.ActivityQuery) { q.Text = "what's on tonight?" }, 1},
		"from around the edge": {func(q *meet.ActivityQuery) { q.Near = &geo.Point{Latitude: 37.78, Longitude: -122.41} }, 1},
		"after it has begun":   {func(q *meet.ActivityQuery) { q.Span.Start = q.Span.Start.Add(9 * time.Hour) }, 2},
		"other words":          {func(q *meet.ActivityQuery) { q.Text = "what's on tonight for kids?" }, 2},
		"another day": {func(q *meet.ActivityQuery) {
			q.Span = interval.From(noon().AddDate(0, 0, 1), time.Hour)
		}, 2},
		"another town": {func(q *meet.ActivityQuery) {
			q.Near, q.Area = &geo.Point{Latitude: 52.5, Longitude: 13.4}, "Berlin"
		}, 2},
		"at other hours": {func(q *meet.ActivityQuery) {
			q.Hours = &meet.Hours{Week: interval.EveryDay(interval.Window{Start: interval.At(18, 0), End: interval.At(23, 0)})}
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, kept := &source{found: concert()}, &shelf{}
			f := cached.New(cached.Config{Source: s, Answers: kept, Life: 3 * time.Hour})
			first := today()
			if _, err := f.Suggest(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			second := today()
			c.change(&second)
			list, err := f.Suggest(t.Context(), second)
			if err != nil || len(list) != 1 || !list[0].Start.Equal(concert()[0].Start) {
				t.Errorf("got %v and %v", list, err)
			}
			if s.calls != c.calls || kept.life != 3*time.Hour {
				t.Errorf("%d calls kept for %v, want %d for 3h", s.calls, kept.life, c.calls)
			}
		})
	}
}

func TestWhatIsNotKept(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	for name, c := range map[string]struct {
		source *source
		shelf  *shelf
		life   time.Duration
	}{
		"a failure":                  {&source{err: down}, &shelf{}, time.Hour},
		"nothing":                    {&source{}, &shelf{}, time.Hour},
		"anything, without a life":   {&source{found: concert()}, &shelf{}, 0},
		"anything, without a store":  {&source{found: concert()}, &shelf{err: down}, time.Hour},
		"what can no longer be read": {&source{found: concert()}, &shelf{}, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := 0
			f := cached.New(cached.Config{
				Source: c.source, Answers: c.shelf, Life: c.life, Notify: func(context.Context, error) { told++ },
			})
			for range 2 {
				list, err := f.Suggest(t.Context(), today())
				if !errors.Is(err, c.source.err) || len(list) != len(c.source.found) {
					t.Errorf("got %v and %v", list, err)
				}
				for key := range c.shelf.kept {
					c.shelf.kept[key] = []byte("{")
				}
			}
			if c.source.calls != 2 {
				t.Errorf("%d calls, want 2", c.source.calls)
			}
			if wants := c.shelf.err != nil || name == "what can no longer be read"; wants != (told > 0) {
				t.Errorf("told of %d failures of the store", told)
			}
		})
	}
}
