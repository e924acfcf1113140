package cached_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
	"convene/pkg/place/cached"
	"convene/pkg/place/placetest"
)

// memory is a store of answers. It fails while broken is set.
type memory struct {
	mu     sync.Mutex
	kept   map[string][]byte
	life   time.Duration
	broken bool
}

var errBroken = errors.New("the store is away")

// Load is what was saved.
func (m *memory) Load(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return nil, errBroken
	}
	return m.kept[key], nil
}

// Save keeps it.
func (m *memory) Save(_ context.Context, key string, answer []byte, life time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return errBroken
	}
	if m.kept == nil {
		m.kept = map[string][]byte{}
	}
	m.kept[key], m.life = answer, life
	return nil
}

// source answers with its places by the contract's own rules, and counts.
type source struct {
	places []meet.Place
	err    error
	asked  atomic.Int32
	// gate, where set, holds every answer back until it is closed.
	gate chan struct{}
	last meet.PlaceQuery
}

// Search answers.
func (s *source) Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error) {
	s.asked.Add(1)
	s.last = q
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, place.Unavailable(ctx.Err())
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	ofKind := slices.DeleteFunc(slices.Clone(s.places), func(p meet.Place) bool {
		return q.Name != "" && len(q.Types) == 0 ||
			len(q.Types) > 0 && !slices.ContainsFunc(p.Types, func(kind string) bool { return slices.Contains(q.Types, kind) })
	})
	return place.Answer(q, s.places, ofKind), nil
}

func open(t *testing.T, cfg cached.Config) *cached.Finder {
	t.Helper()
	f := cached.New(cfg)
	t.Cleanup(f.Close)
	return f
}

func TestSuite(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]func() cached.Config{
		"kept":     func() cached.Config { return cached.Config{Answers: &memory{}, Life: time.Hour} },
		"not kept": func() cached.Config { return cached.Config{} },
		"away":     func() cached.Config { return cached.Config{Answers: &memory{broken: true}, Life: time.Hour} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			placetest.Run(t, placetest.Suite{
				Holding: func(t *testing.T, places []meet.Place) place.Finder {
					t.Helper()
					cfg := config()
					cfg.Source = &source{places: places}
					return open(t, cfg)
				},
				Failing: func(t *testing.T) place.Finder {
					t.Helper()
					cfg := config()
					cfg.Source = &source{err: place.Unavailable(errBroken)}
					return open(t, cfg)
				},
			})
		})
	}
}

func cafe(name string, lat float64) meet.Place {
	week := interval.EveryDay(interval.Window{Start: interval.At(9, 0), End: interval.At(2, 0)})
	return meet.Place{
		ID: name, Name: name, Address: name + "straat 1", Location: geo.Point{
			Latitude: lat, Longitude: 4.9,
		}, Types: []string{"cafe"},
		Rating: 4.5, OpeningHours: &week, Timezone: "Europe/Amsterdam", Features: []string{"wifi"}, InArea: true,
	}
}

func near(lat, lon float64) *geo.Point { return &geo.Point{Latitude: lat, Longitude: lon} }

func TestWhatIsTheSameSearch(t *testing.T) {
	t.Parallel()
	first := meet.PlaceQuery{
		Name: "Café Tulp", Types: []string{"cafe", "bar"}, Text: "in the Jordaan", Near: near(52.3701, 4.9001), Limit: 3,
	}
	for _, c := range []struct {
		name string
		next meet.PlaceQuery
		same bool
	}{
		{"again", first, true},
		{"400 m off, in other words, fewer", meet.PlaceQuery{
			Name: " cafe  TULP", Types: []string{"Bar ", "cafe"}, Text: "in  the Jordaan", Near: near(52.3735, 4.9022), Limit: 1,
		}, true},
		{"2 km off", meet.PlaceQuery{
			Name: "Café Tulp", Types: first.Types, Text: first.Text, Near: near(52.39, 4.9001),
		}, false},
		{"from nowhere", meet.PlaceQuery{Name: "Café Tulp", Types: first.Types, Text: first.Text}, false},
		{"another name", meet.PlaceQuery{Name: "Iris", Types: first.Types, Text: first.Text, Near: first.Near}, false},
		{"another kind", meet.PlaceQuery{
			Name: first.Name, Types: []string{"bar"}, Text: first.Text, Near: first.Near,
		}, false},
		{"small letters, which are no name", meet.PlaceQuery{
			Name: first.Name, Types: first.Types, Text: "in the jordaan", Near: first.Near,
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			from := &source{places: []meet.Place{cafe("Tulp", 52.37)}}
			f := open(t, cached.Config{Source: from, Answers: &memory{}, Life: time.Hour})
			for _, q := range []meet.PlaceQuery{first, c.next} {
				if _, err := f.Search(t.Context(), q); err != nil {
					t.Fatal(err)
				}
			}
			if same := from.asked.Load() == 1; same != c.same {
				t.Errorf("the source was asked %d times; the same search: %v, want %v", from.asked.Load(), same, c.same)
			}
		})
	}
}

// TestKeptAnswers holds that what is kept is whole, and is ranked by where the next who asks means.
func TestKeptAnswers(t *testing.T) {
	t.Parallel()
	from := &source{places: []meet.Place{cafe("South", 52.3650), cafe("North", 52.3748)}}
	store := &memory{}
	f := open(t, cached.Config{Source: from, Answers: store, Life: 24 * time.Hour})
	for _, c := range []struct {
		at   *geo.Point
		want []string
	}{{near(52.3651, 4.9), []string{"South", "North"}}, {near(52.3749, 4.9), []string{"North", "South"}}} {
		got, err := f.Search(t.Context(), meet.PlaceQuery{Types: []string{"cafe"}, Near: c.at})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range got {
			want := from.places[slices.IndexFunc(from.places, func(o meet.Place) bool { return o.Name == c.want[i] })]
			want.DistanceFromMidpointKm, want.MapsURL = place.DistanceKm(c.at, want.Location), want.MapLink()
			if diff := cmp.Diff(want, p); diff != "" {
				t.Errorf("from %v (-want +got):\n%s", *c.at, diff)
			}
		}
	}
	if from.asked.Load() != 1 || store.life != 24*time.Hour || *from.last.Near != *near(52.37, 4.9) {
		t.Errorf("asked %d times, last %+v, kept for %v", from.asked.Load(), from.last, store.life)
	}
}

// TestStampede has a hundred ask the same at once; one of them asks the source, and it goes on when that one leaves.
func TestStampede(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		from := &source{places: []meet.Place{cafe("Tulp", 52.37)}, gate: make(chan struct{})}
		f := open(t, cached.Config{Source: from})
		q := meet.PlaceQuery{Types: []string{"cafe"}, Near: near(52.37, 4.9)}
		first, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := f.Search(first, q); !errors.Is(err, context.Canceled) || fault.CodeOf(err) != fault.PlacesUnavailable {
				t.Errorf("who left has %v", err)
			}
		})
		synctest.Wait()
		for range 100 {
			all.Go(func() {
				got, err := f.Search(t.Context(), q)
				if err != nil || len(got) != 1 || got[0].Types[0] != "cafe" {
					t.Errorf("got %v, %v", got, err)
					return
				}
				got[0].Types[0] = "spoilt" // each has their own
			})
		}
		synctest.Wait()
		leave()
		synctest.Wait()
		close(from.gate)
		all.Wait()
		if from.asked.Load() != 1 {
			t.Errorf("the source was asked %d times", from.asked.Load())
		}
	})
}

func TestFailuresAreNotKept(t *testing.T) {
	t.Parallel()
	from, store := &source{err: place.Unavailable(errBroken)}, &memory{}
	f := open(t, cached.Config{Source: from, Answers: store, Life: time.Hour})
	for range 2 {
		if _, err := f.Search(t.Context(), meet.PlaceQuery{Near: near(1, 2)}); fault.CodeOf(err) != fault.PlacesUnavailable {
			t.Errorf("got %v", err)
		}
	}
	if from.asked.Load() != 2 || len(store.kept) != 0 {
		t.Errorf("asked %d times, kept %d answers", from.asked.Load(), len(store.kept))
	}
}

func TestADamagedOrMissingStore(t *testing.T) {
	t.Parallel()
	var told atomic.Int32
	from, store := &source{places: []meet.Place{cafe("Tulp", 52.37)}}, &memory{}
	f := open(t, cached.Config{
		Source: from, Answers: store, Life: time.Hour, Notify: func(context.Context, error) { told.Add(1) },
	})
	q := meet.PlaceQuery{Types: []string{"cafe"}, Near: near(52.37, 4.9)}
	search := func() {
		if got, err := f.Search(t.Context(), q); err != nil || len(got) != 1 {
			t.Errorf("got %v, %v", got, err)
		}
	}
	search()
	for key := range store.kept {
		store.kept[key] = []byte(`{"name":`)
	}
	search()
	store.broken = true
	search()
	if from.asked.Load() != 3 || told.Load() != 3 {
		t.Errorf("asked %d times and told of %d failures, want 3 and 3", from.asked.Load(), told.Load())
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	f := cached.New(cached.Config{Source: &source{}})
	f.Close()
	if _, err := f.Search(t.Context(), meet.PlaceQuery{}); fault.CodeOf(err) != fault.PlacesUnavailable {
		t.Errorf("a closed finder gives %v", err)
	}
}
