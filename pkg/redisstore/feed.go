package redisstore

import (
	"maps"
	"slices"
	"sync"
	"time"

	"convene/pkg/meet"
	"convene/pkg/turn"
)

// feed is one turn's log in memory, for as long as anybody in this process reads it. Entries come in from several
// sides and are taken in order only; what does not fit is fetched again.
type feed struct {
	turn meet.TurnID
	// readers is guarded by the hub's mutex.
	readers int

	mu sync.Mutex
	// base is the id before the first entry: 0 unless the log was cut.
	base    int
	entries []turn.Entry
	// changed is closed, and replaced, when entries or err change.
	changed chan struct{}
	// err is why nothing more will come.
	err error
	// loaded says that Redis was asked at least once.
	loaded bool
	// home says that this process writes the turn, so that nobody has to tell it of new entries.
	home bool
	// seen is when something last came in, or Redis was last asked.
	seen time.Time
}

func newFeed(turn meet.TurnID) *feed {
	return &feed{turn: turn, changed: make(chan struct{})}
}

// tip is the id of the newest entry; the caller holds the mutex.
func (f *feed) tip() int { return f.base + len(f.entries) }

// ended reports whether the last entry is here; the caller holds the mutex.
func (f *feed) ended() bool { return len(f.entries) > 0 && f.entries[len(f.entries)-1].Last }

// next is all entries after the one numbered after. Where there are none yet, changed tells when to look again,
// unless the log has ended or failed.
func (f *feed) next(after int) (ready []turn.Entry, changed <-chan struct{}, ended bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if from := max(after-f.base, 0); from < len(f.entries) {
		n := len(f.entries)
		return f.entries[from:n:n], nil, false, nil
	}
	return nil, f.changed, f.ended(), f.err
}

// add takes the entries that follow, and passes over those that are here. It reports whether an entry leaves a gap, and
// the feed has to be fetched.
func (f *feed) add(entries ...turn.Entry) (gap bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := len(f.entries)
	for _, e := range entries {
		if e.ID > f.tip()+1 {
			gap = true
			break
		}
		if e.ID == f.tip()+1 {
			f.entries = append(f.entries, e)
		}
	}
	if len(f.entries) > before {
		f.seen = time.Now()
		f.wake()
	}
	return gap
}

// fill takes what Redis holds behind the entry numbered after. Its error says that there is no such turn, or that its log
// has a hole.
func (f *feed) fill(after int, entries []turn.Entry) error {
	f.mu.Lock()
	f.loaded, f.seen = true, time.Now()
	if after == 0 && len(f.entries) == 0 && len(entries) > 0 {
		f.base = entries[0].ID - 1
	}
	known := len(f.entries) > 0 || len(entries) > 0
	f.mu.Unlock()
	switch {
	case !known:
		return unknownTurn()
	case f.add(entries...):
		return brokenLog(f.turn)
	}
	return nil
}

// fail ends the feed for its readers, once they have what is here.
func (f *feed) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
	f.wake()
}

// wake lets all readers look again; the caller holds the mutex.
func (f *feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// from is the entry behind which the feed is to be fetched.
func (f *feed) from() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tip()
}

// behind reports whether the entry with this id is still missing.
func (f *feed) behind(id int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return id > f.tip()
}

// quiet reports whether nothing has come in for so long that Redis should be asked, whoever writes the turn.
func (f *feed) quiet(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.going() && now.Sub(f.seen) >= lookAfter
}

// isHome says whether this process writes the turn, and reports whether that is new.
func (f *feed) isHome(home bool) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	changed, f.home = f.home != home, home
	return changed
}

// elsewhere reports whether another process may append to the feed, so that news of it are worth hearing.
func (f *feed) elsewhere() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.going() && !f.home
}

// going reports whether the feed was fetched and has not ended; the caller holds the mutex.
func (f *feed) going() bool { return f.loaded && !f.ended() && f.err == nil }

// open reports whether the feed was fetched and has not ended.
func (f *feed) open() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.going()
}

// hub finds the feeds that are being read, and knows what is to be done for them.
type hub struct {
	mu     sync.Mutex
	feeds  map[meet.TurnID]*feed
	closed error
	// stale are the feeds to fetch; turned, the turns of which it is to be seen anew whether they are listened to.
	stale  map[*feed]struct{}
	turned map[meet.TurnID]struct{}
	// fetch and listen hold one signal each, where there are such.
	fetch, listen chan struct{}
}

func newHub() *hub {
	return &hub{
		feeds: map[meet.TurnID]*feed{}, stale: map[*feed]struct{}{}, turned: map[meet.TurnID]struct{}{},
		fetch: make(chan struct{}, 1), listen: make(chan struct{}, 1),
	}
}

// join is the turn's feed, with one reader more. A new one begins with what is known of the log, and is fetched where that
// is nothing. Known is asked under the mutex: what is written afterwards finds the feed.
func (h *hub) join(turn meet.TurnID, known func(meet.TurnID) []turn.Entry) *feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, ok := h.feeds[turn]
	if !ok {
		f = newFeed(turn)
		f.err = h.closed
		h.feeds[turn] = f
		h.begin(f, known(turn))
	}
	f.readers++
	return f
}

// begin has a new feed listened to, or fetched; the caller holds the mutex.
func (h *hub) begin(f *feed, known []turn.Entry) {
	if len(known) == 0 {
		h.stale[f] = struct{}{}
		signal(h.fetch)
		return
	}
	f.entries, f.loaded, f.seen = slices.Clone(known), true, time.Now()
	h.turned[f.turn] = struct{}{}
	signal(h.listen)
}

// leave takes a reader away, and with the last one the feed.
func (h *hub) leave(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.readers--; f.readers == 0 && h.feeds[f.turn] == f {
		h.forget(f)
	}
}

// forget takes the feed away; the caller holds the mutex.
func (h *hub) forget(f *feed) {
	delete(h.feeds, f.turn)
	delete(h.stale, f)
	h.turned[f.turn] = struct{}{}
	signal(h.listen)
}

// drop fails the feed for its readers and lets the next one start afresh.
func (h *hub) drop(f *feed, err error) {
	h.mu.Lock()
	if h.feeds[f.turn] == f {
		h.forget(f)
	}
	h.mu.Unlock()
	f.fail(err)
}

// find is the turn's feed, if anybody reads it.
func (h *hub) find(turn meet.TurnID) (*feed, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, ok := h.feeds[turn]
	return f, ok
}

// publish hands entries that this process appended to the turn's readers, if there are any.
func (h *hub) publish(turn meet.TurnID, entries []turn.Entry) {
	if f, ok := h.find(turn); ok {
		h.home(f, true)
		if f.add(entries...) {
			h.refetch(f)
		}
	}
}

// writes says whether this process is the one that writes the turn, as far as it knows.
func (h *hub) writes(turn meet.TurnID, home bool) {
	if f, ok := h.find(turn); ok {
		h.home(f, home)
	}
}

func (h *hub) home(f *feed, home bool) {
	if f.isHome(home) {
		h.turn(f)
	}
}

// turn has somebody see whether the feed is listened to.
func (h *hub) turn(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.turned[f.turn] = struct{}{}
	signal(h.listen)
}

// takeTurned is the turns that turned since it was last called.
func (h *hub) takeTurned() map[meet.TurnID]struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	turned := h.turned
	h.turned = map[meet.TurnID]struct{}{}
	return turned
}

// refetch has somebody fetch the feeds, those that are still being read.
func (h *hub) refetch(feeds ...*feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range feeds {
		if h.feeds[f.turn] == f {
			h.stale[f] = struct{}{}
		}
	}
	if len(h.stale) > 0 {
		signal(h.fetch)
	}
}

// takeStale is the feeds to fetch since it was last called.
func (h *hub) takeStale() []*feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	stale := slices.Collect(maps.Keys(h.stale))
	clear(h.stale)
	return stale
}

// those is every feed that is being read and is as wanted.
func (h *hub) those(wanted func(*feed) bool) []*feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	var feeds []*feed
	for _, f := range h.feeds {
		if wanted(f) {
			feeds = append(feeds, f)
		}
	}
	return feeds
}

// close fails all feeds, those of the future too.
func (h *hub) close(err error) {
	h.mu.Lock()
	h.closed = err
	h.mu.Unlock()
	for _, f := range h.those(func(*feed) bool { return true }) {
		h.drop(f, err)
	}
}

// signal leaves a note that something is to be done, unless one is there already.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
