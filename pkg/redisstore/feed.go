package redisstore

import (
	"maps"
	"slices"
	"sync"
	"time"

	"convene/pkg/meet"
	"convene/pkg/turn"
)

// feed is one turn's log in memory, as long as it has readers in this process. Entries come from this process and from
// Redis. A feed takes them in order only; after a gap it is fetched again.
type feed struct {
	turn meet.TurnID
	// readers is guarded by the hub's mutex.
	readers int

	mu sync.Mutex
	// base is the id before the first entry: 0 unless the log was trimmed.
	base    int
	entries []turn.Entry
	// changed is closed, and replaced, when entries or err change.
	changed chan struct{}
	// err is why the feed gets no further entries.
	err error
	// loaded says that the entries were fetched at least once.
	loaded bool
	// local says that this process writes the turn, so that the feed needs no announcements.
	local bool
	// seen is when the last entry came or the log was last fetched.
	seen time.Time
}

func newFeed(turn meet.TurnID) *feed {
	return &feed{turn: turn, changed: make(chan struct{})}
}

// tip is the id of the newest entry; the caller holds the mutex.
func (f *feed) tip() int { return f.base + len(f.entries) }

// ended reports whether the feed has the last entry; the caller holds the mutex.
func (f *feed) ended() bool { return len(f.entries) > 0 && f.entries[len(f.entries)-1].Last }

// next returns the entries after the one numbered after. If there are none yet, and the log has not ended or failed,
// changed is closed at the next change.
func (f *feed) next(after int) (ready []turn.Entry, changed <-chan struct{}, ended bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if from := max(after-f.base, 0); from < len(f.entries) {
		n := len(f.entries)
		return f.entries[from:n:n], nil, false, nil
	}
	return nil, f.changed, f.ended(), f.err
}

// add appends the entries that follow and skips those that the feed has. It reports whether an entry leaves a gap, so
// that the feed must be fetched.
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

// fill adds the entries that Redis has after the one numbered after. Its error says that the turn is unknown, or that
// its log has a gap.
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

// fail ends the feed for its readers, once they have its entries.
func (f *feed) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
	f.wake()
}

// wake tells all readers of a change; the caller holds the mutex.
func (f *feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// newest is the id of the feed's newest entry.
func (f *feed) newest() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tip()
}

// quiet reports whether no entry has come for quietAfter, so that the feed should be fetched.
func (f *feed) quiet(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.active() && now.Sub(f.seen) >= quietAfter
}

// setLocal says whether this process writes the turn, and reports whether that is a change.
func (f *feed) setLocal(local bool) (changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	changed, f.local = f.local != local, local
	return changed
}

// remote reports whether another process may append to the log, so that the feed needs announcements.
func (f *feed) remote() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.active() && !f.local
}

// active is open for a caller that holds the mutex.
func (f *feed) active() bool { return f.loaded && !f.ended() && f.err == nil }

// open reports whether the feed was fetched and has not ended.
func (f *feed) open() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.active()
}

// hub has the feeds with readers, and lists the work to do for them.
type hub struct {
	mu     sync.Mutex
	feeds  map[meet.TurnID]*feed
	closed error
	// stale has the feeds to fetch; rechecks, the turns whose subscriptions are to be checked.
	stale    map[*feed]struct{}
	rechecks map[meet.TurnID]struct{}
	// fetch signals that stale has feeds, and listen that rechecks has turns.
	fetch, listen chan struct{}
}

func newHub() *hub {
	return &hub{
		feeds: map[meet.TurnID]*feed{}, stale: map[*feed]struct{}{}, rechecks: map[meet.TurnID]struct{}{},
		fetch: make(chan struct{}, 1), listen: make(chan struct{}, 1),
	}
}

// join returns the turn's feed, with one more reader. A new feed starts with the known entries, or is fetched if there
// are none. It calls known under the mutex, so that later entries find the feed.
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

// begin starts a new feed; the caller holds the mutex.
func (h *hub) begin(f *feed, known []turn.Entry) {
	if len(known) == 0 {
		h.stale[f] = struct{}{}
		signal(h.fetch)
		return
	}
	f.entries, f.loaded, f.seen = slices.Clone(known), true, time.Now()
	h.markRecheck(f)
}

// leave removes a reader, and with the last one the feed.
func (h *hub) leave(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.readers--; f.readers == 0 && h.feeds[f.turn] == f {
		h.forget(f)
	}
}

// forget removes the feed; the caller holds the mutex.
func (h *hub) forget(f *feed) {
	delete(h.feeds, f.turn)
	delete(h.stale, f)
	h.markRecheck(f)
}

// drop fails the feed for its readers. The next reader starts a new one.
func (h *hub) drop(f *feed, err error) {
	h.mu.Lock()
	if h.feeds[f.turn] == f {
		h.forget(f)
	}
	h.mu.Unlock()
	f.fail(err)
}

// find returns the turn's feed, if it has readers.
func (h *hub) find(turn meet.TurnID) (*feed, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, ok := h.feeds[turn]
	return f, ok
}

// publish adds entries that this process appended to the turn's feed, if it has readers.
func (h *hub) publish(turn meet.TurnID, entries []turn.Entry) {
	h.setLocal(turn, true)
	if f, ok := h.find(turn); ok && f.add(entries...) {
		h.refetch(f)
	}
}

// setLocal says whether this process writes the turn, as far as it knows.
func (h *hub) setLocal(turn meet.TurnID, local bool) {
	if f, ok := h.find(turn); ok && f.setLocal(local) {
		h.recheck(f)
	}
}

// recheck asks for a check of the feed's subscription.
func (h *hub) recheck(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.markRecheck(f)
}

// markRecheck is recheck for a caller that holds the mutex.
func (h *hub) markRecheck(f *feed) {
	h.rechecks[f.turn] = struct{}{}
	signal(h.listen)
}

// takeRechecks returns the turns to check since its last call.
func (h *hub) takeRechecks() map[meet.TurnID]struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	turns := h.rechecks
	h.rechecks = map[meet.TurnID]struct{}{}
	return turns
}

// refetch asks for a fetch of the feeds that still have readers.
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

// takeStale returns the feeds to fetch since its last call.
func (h *hub) takeStale() []*feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	stale := slices.Collect(maps.Keys(h.stale))
	clear(h.stale)
	return stale
}

// filter returns the feeds that keep accepts.
func (h *hub) filter(keep func(*feed) bool) []*feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	var feeds []*feed
	for _, f := range h.feeds {
		if keep(f) {
			feeds = append(feeds, f)
		}
	}
	return feeds
}

// close fails all feeds, present and future.
func (h *hub) close(err error) {
	h.mu.Lock()
	h.closed = err
	h.mu.Unlock()
	for _, f := range h.filter(func(*feed) bool { return true }) {
		h.drop(f, err)
	}
}

// signal sends without waiting; a second signal before the first is received is lost.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
