package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/sse"
)

// Bounds of a run, so that none can last for ever or fill the memory.
const (
	maxTurns    = 1_000_000
	maxClients  = 10_000
	maxDuration = 24 * time.Hour
)

// acceptedEvery is the share of turns that are started without a stream, 1 in so many.
const acceptedEvery = 4

// Arrival says when a client starts its next turn.
type Arrival string

const (
	// Closed clients start when their last turn is over: as many turns run as there are clients.
	Closed Arrival = "closed"
	// Open turns arrive at a rate, whether or not the ones before them are over. A turn that finds no client free waits
	// for one, and that wait is part of its times.
	Open Arrival = "open"
)

// Load is a run against a server. Zero values take their defaults.
type Load struct {
	// Server is on this machine; see CheckLocal.
	Server string
	// Key is shown to a server that needs one.
	Key string
	// Clients is how many turns run at once at most. Defaults to 8.
	Clients int
	// Turns and Duration bound the run, whichever comes first. They default to 100 turns and one minute. Turns that
	// run when the time is over are read to their end.
	Turns    int
	Duration time.Duration
	// Arrival defaults to Closed; Rate is the turns a second of Open, on average, and defaults to 10.
	Arrival Arrival
	Rate    float64
	// Cut is the share of connections, 0 to 1, that a client cuts itself and resumes.
	Cut float64
	// Duplicate reads each turn over two connections at once, which must get the same bytes.
	Duplicate bool
	// Scripts are what clients say. Defaults to those of Recordings, or to DefaultScripts without any.
	Scripts []Script
	// Recordings are what a server that plays them back must have streamed.
	Recordings []Recording
	// Seed decides about cuts, arrivals and who says what.
	Seed uint64
	// TurnTimeout is how long a turn may take, checks included. Defaults to 90 s.
	TurnTimeout time.Duration
	// Patience is how long a reader comes back to a stream that gives it nothing new. Defaults to 20 s.
	Patience time.Duration
	// Progress, where set, is called once a second while the run lasts.
	Progress func(Snapshot)
}

func (l Load) withDefaults() (Load, error) {
	l.Clients = min(cmp.Or(l.Clients, 8), maxClients)
	l.Turns = min(cmp.Or(l.Turns, 100), maxTurns)
	l.Duration = min(cmp.Or(l.Duration, time.Minute), maxDuration)
	l.TurnTimeout = cmp.Or(l.TurnTimeout, 90*time.Second)
	l.Patience = cmp.Or(l.Patience, 20*time.Second)
	l.Rate = cmp.Or(l.Rate, 10)
	l.Arrival = cmp.Or(l.Arrival, Closed)
	var err error
	if len(l.Scripts) == 0 {
		l.Scripts, err = ScriptsOf(l.Recordings)
	}
	l.Scripts = slices.DeleteFunc(slices.Clone(l.Scripts), func(s Script) bool { return len(s.Turns) == 0 })
	if len(l.Scripts) == 0 && err == nil {
		l.Scripts, err = DefaultScripts()
	}
	if err == nil && (l.Rate <= 0 || l.Cut < 0 || l.Cut > 1) {
		err = errors.New("the rate must be above 0, and the share of cuts between 0 and 1")
	}
	return l, err
}

// Run has the clients talk to the server until the bounds are reached or ctx ends, and sums up what they saw. Its error
// is that the run could not begin; what the checks found is in the summary.
func (l Load) Run(ctx context.Context) (Summary, error) {
	if err := CheckLocal(l.Server); err != nil {
		return Summary{}, err
	}
	l, err := l.withDefaults()
	if err != nil {
		return Summary{}, err
	}
	server := newCaller(l.Server, l.Clients)
	server.key = l.Key
	defer server.close()
	recorded := map[string]Recording{}
	for _, r := range l.Recordings {
		recorded[r.Name] = r
	}
	counts := newTally(l.Clients)
	due := make(chan time.Time)
	var working, watching sync.WaitGroup
	for i := range l.Clients {
		c := &client{
			load: l, caller: server, recorded: recorded, tally: counts, dice: rand.New(rand.NewPCG(l.Seed, uint64(i))),
		}
		working.Go(func() { c.work(ctx, due) })
	}
	watched, stop := context.WithCancel(ctx)
	if l.Progress != nil {
		watching.Go(func() { counts.watch(watched, l.Progress) })
	}
	l.arrive(ctx, due)
	working.Wait()
	stop()
	watching.Wait()
	return counts.summary(), nil
}

// arrive hands out a start for each turn, until there have been enough. The clients take them when they are free.
func (l Load) arrive(ctx context.Context, due chan<- time.Time) {
	defer close(due)
	ctx, cancel := context.WithTimeout(ctx, l.Duration)
	defer cancel()
	dice := rand.New(rand.NewPCG(l.Seed, maxClients))
	at := time.Now()
	for range l.Turns {
		if l.Arrival == Open {
			at = at.Add(time.Duration(dice.ExpFloat64() / l.Rate * float64(time.Second)))
			wait(ctx, time.Until(at))
		} else {
			at = time.Time{}
		}
		select {
		case due <- at:
		case <-ctx.Done():
			return
		}
	}
}

// client is one user of the server.
type client struct {
	caller
	load     Load
	recorded map[string]Recording
	tally    *tally
	dice     *rand.Rand
}

// work goes through scripts, a turn for each start that it gets. Where a turn fails, the conversation is over.
func (c *client) work(ctx context.Context, due <-chan time.Time) {
	var script Script
	conversation, next := "", 0
	for start := range due {
		if start.IsZero() {
			start = time.Now()
		}
		if next == len(script.Turns) {
			script = c.load.Scripts[c.dice.IntN(len(c.load.Scripts))]
			conversation, next = "", 0
		}
		t := &turn{client: c, start: start}
		c.tally.begin()
		err := t.run(ctx, script.Turns[next], conversation)
		if ctx.Err() != nil {
			c.tally.abandon()
			continue
		}
		c.tally.end(t, err)
		conversation = t.conversation
		if next++; err != nil {
			next = len(script.Turns)
		}
	}
}

// turn is one turn of a client: how it went, and when what came.
type turn struct {
	*client
	start        time.Time
	reader       *reader
	second       *reader
	conversation string
	recording    string
	marks        marks
	label        string
	outcome      string
}

// marks are the times that count, from when the turn was due; 0 where there was no such thing.
type marks struct{ firstByte, acknowledgment, firstWord, end time.Duration }

// run starts the turn, follows it to its end and checks what it got.
func (t *turn) run(ctx context.Context, body json.RawMessage, conversation string) error {
	ctx, cancel := context.WithTimeout(ctx, t.load.TurnTimeout)
	defer cancel()
	sent, err := within(body, conversation)
	if err != nil {
		return failure(Malformed, "%v", err)
	}
	accept := sse.ContentType
	if t.dice.IntN(acceptedEvery) == 0 {
		accept = "application/json"
	}
	resp, err := t.post(ctx, turnsPath, accept, sent)
	if err != nil {
		return failure(Unreachable, "%v", err)
	}
	defer resp.Body.Close()
	t.marks.firstByte = time.Since(t.start)
	if !isStream(resp) && resp.StatusCode != http.StatusAccepted {
		return refusal(resp)
	}
	t.recording = resp.Header.Get(RecordingHeader)
	t.reader = t.newReader("", t.load.Cut)
	t.reader.seen = t.note
	if location := resp.Header.Get("Location"); strings.HasPrefix(location, turnsPath+"/") {
		t.reader.path = location + "/events" // an apology has none
	}
	if err := t.follow(ctx, resp); err != nil {
		return err
	}
	return t.verify(ctx)
}

func (t *turn) newReader(path string, share float64) *reader {
	return &reader{
		caller: t.caller, path: path, share: share, patience: t.load.Patience,
		dice: rand.New(rand.NewPCG(t.dice.Uint64(), t.dice.Uint64())),
	}
}

// follow reads the stream, over two connections where that is wanted.
func (t *turn) follow(ctx context.Context, resp *http.Response) error {
	body := resp.Body
	if resp.StatusCode == http.StatusAccepted {
		body = nil
	}
	if !t.load.Duplicate {
		return t.reader.follow(ctx, body)
	}
	t.second = t.newReader(t.reader.path, t.load.Cut)
	var other error
	var both sync.WaitGroup
	both.Go(func() { other = t.second.follow(ctx, nil) })
	err := t.reader.follow(ctx, body)
	both.Wait()
	if err != nil {
		return err
	}
	if other != nil {
		return other
	}
	return t.reader.have.sameAs(&t.second.have)
}

// note keeps what the summary tells of an update.
func (t *turn) note(u update) {
	at := time.Since(t.start)
	switch u.said.Type {
	case "turn":
		t.conversation = u.said.ConversationID
		t.reader.path = cmp.Or(t.reader.path, turnsPath+"/"+url.PathEscape(u.said.TurnID)+"/events")
	case "acknowledgment":
		t.marks.acknowledgment = at
		t.label = u.said.Intent
	case "template":
		t.label = cmp.Or(u.said.Mode, t.label)
	case "message_delta", "message":
		t.marks.firstWord = cmp.Or(t.marks.firstWord, at)
	case "done":
		t.marks.end = at
		t.outcome = u.said.Outcome
	}
}

// verify reads the turn once more from the start, which must give the same bytes, asks for more than there is, and
// compares with the recording where the server plays one.
func (t *turn) verify(ctx context.Context) error {
	again := t.newReader(t.reader.path, 0)
	if err := again.follow(ctx, nil); err != nil {
		return err
	}
	if err := t.reader.have.sameAs(&again.have); err != nil {
		return err
	}
	if err := again.over(ctx); err != nil {
		return err
	}
	if r, ok := t.recorded[t.recording]; ok {
		if err := t.reader.have.isRecorded(r); err != nil {
			return err
		}
	}
	if t.outcome == "failed" {
		return failure(Failed, "%s", t.errorCode())
	}
	return nil
}

func (t *turn) errorCode() string {
	for _, u := range t.reader.have.updates {
		if u.said.Code != "" {
			return u.said.Code
		}
	}
	return "without an error"
}
