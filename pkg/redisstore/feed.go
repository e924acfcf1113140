package redisstore

import (
	"sync"
	"time"

	"convene/pkg/meet"
	"convene/pkg/turnlog"
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
	entries []turnlog.Entry
	// changed is closed, and replaced, when entries or err change.
	changed chan struct{}
	// err is why nothing more will come.
	err error
	// stale says that Redis has entries that are not here; loaded, that it was asked at least once.
	stale, loaded bool
	// home is zero while somebody else writes the turn. Otherwise it is when this process last appended, or had a look
	// whether somebody else has.
	home time.Time
}

func newFeed(turn meet.TurnID) *feed {
	return &feed{turn: turn, changed: make(chan struct{}), stale: true}
}

// tip is the id of the newest entry; the caller holds the mutex.
func (f *feed) tip() int { return f.base + len(f.entries) }

// ended reports whether the last entry is here; the caller holds the mutex.
func (f *feed) ended() bool { return len(f.entries) > 0 && f.entries[len(f.entries)-1].Last }

// next is all entries after the one numbered after. Where there are none yet, changed tells when to look again,
// unless the log has ended or failed.
func (f *feed) next(after int) (ready []turnlog.Entry, changed <-chan struct{}, ended bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if from := max(after-f.base, 0); from < len(f.entries) {
		n := len(f.entries)
		return f.entries[from:n:n], nil, false, nil
	}
	return nil, f.changed, f.ended(), f.err
}

// add takes the entries that follow, and passes over those that are here. An entry that leaves a gap makes the feed
// stale.
func (f *feed) add(entries ...turnlog.Entry) (stale bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := len(f.entries)
	for _, e := range entries {
		if e.ID > f.tip()+1 {
			f.stale = true
			break
		}
		if e.ID == f.tip()+1 {
			f.entries = append(f.entries, e)
		}
	}
	if len(f.entries) > before {
		f.wake()
	}
	return f.stale
}

// appended is add for an entry of this process.
func (f *feed) appended(e turnlog.Entry) (stale bool) {
	f.stay()
	return f.add(e)
}

// fill takes what Redis holds from the tip on, and reports whether there is such a turn at all.
func (f *feed) fill(entries []turnlog.Entry) (known bool) {
	f.mu.Lock()
	f.loaded = true
	if len(f.entries) == 0 && len(entries) > 0 {
		f.base = entries[0].ID - 1
	}
	known = len(f.entries) > 0 || len(entries) > 0
	f.mu.Unlock()
	f.add(entries...)
	return known
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

// takeStale reports whether the feed has to be fetched, from which entry on, and counts it as fetched.
func (f *feed) takeStale() (from int, stale bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	stale, f.stale = f.stale, false
	return f.tip() + 1, stale
}

// waiting reports whether it is time to look for what somebody else may append to the feed, and behind which entry. That
// is always so for what others write, and every homeFor for what this process writes, which is then at home. Not
// waiting are feeds that have ended or were not fetched yet.
func (f *feed) waiting(now time.Time) (tip int, home, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	home = !f.home.IsZero()
	if !f.loaded || f.ended() || f.err != nil || home && now.Sub(f.home) < homeFor {
		return 0, home, false
	}
	if home {
		f.home = now
	}
	return f.tip(), home, true
}

// stay says that this process writes the turn.
func (f *feed) stay() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.home = time.Now()
}

// away says that somebody else writes the turn.
func (f *feed) away() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.home = time.Time{}
}

// open reports whether the feed was fetched and has not ended.
func (f *feed) open() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.loaded && !f.ended() && f.err == nil
}

// hub finds the feeds that are being read.
type hub struct {
	mu     sync.Mutex
	feeds  map[meet.TurnID]*feed
	closed error
	// stale and fetched hold one signal each: a feed has to be fetched; one was, and can be tailed.
	stale, fetched chan struct{}
}

func newHub() *hub {
	return &hub{feeds: map[meet.TurnID]*feed{}, stale: make(chan struct{}, 1), fetched: make(chan struct{}, 1)}
}

// join is the turn's feed, with one reader more.
func (h *hub) join(turn meet.TurnID) *feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, ok := h.feeds[turn]
	if !ok {
		f = newFeed(turn)
		f.err = h.closed
		h.feeds[turn] = f
		signal(h.stale)
	}
	f.readers++
	return f
}

// leave takes a reader away, and with the last one the feed.
func (h *hub) leave(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.readers--; f.readers == 0 && h.feeds[f.turn] == f {
		delete(h.feeds, f.turn)
	}
}

// drop fails the feed for its readers and lets the next one start afresh.
func (h *hub) drop(f *feed, err error) {
	h.mu.Lock()
	if h.feeds[f.turn] == f {
		delete(h.feeds, f.turn)
	}
	h.mu.Unlock()
	f.fail(err)
}

// publish hands an entry that this process appended to the turn's readers, if there are any.
func (h *hub) publish(turn meet.TurnID, e turnlog.Entry) {
	h.mu.Lock()
	f, ok := h.feeds[turn]
	h.mu.Unlock()
	if ok && f.appended(e) {
		signal(h.stale)
	}
}

// leaves says that this process may not be the one any more that writes the turn.
func (h *hub) leaves(turn meet.TurnID) {
	h.mu.Lock()
	f, ok := h.feeds[turn]
	h.mu.Unlock()
	if ok {
		f.away()
	}
}

// all is every feed that is being read.
func (h *hub) all() []*feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	feeds := make([]*feed, 0, len(h.feeds))
	for _, f := range h.feeds {
		feeds = append(feeds, f)
	}
	return feeds
}

// close fails all feeds, those of the future too.
func (h *hub) close(err error) {
	h.mu.Lock()
	h.closed = err
	h.mu.Unlock()
	for _, f := range h.all() {
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
