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

// acceptedEvery makes one in so many turns start without a stream.
const acceptedEvery = 4

// Arrival says when clients start turns.
type Arrival string

const (
	// Closed clients start a turn when their last one has ended: as many turns run as there are clients.
	Closed Arrival = "closed"
	// Open turns arrive at a rate, whether or not earlier ones have ended. A turn that finds no free client waits for one,
	// and the wait is part of its times.
	Open Arrival = "open"
)

// Load is a run against a server. Zero values take their defaults.
type Load struct {
	// Server is on this machine; see CheckLocal.
	Server string
	// Key is for a server that needs one.
	Key string
	// Clients bounds the concurrent turns. Defaults to 8.
	Clients int
	// Turns and Duration bound the run, whichever comes first. They default to 100 turns and one minute. Turns that run
	// then are read to their end.
	Turns    int
	Duration time.Duration
	// Arrival defaults to Closed; Rate is the turns a second of Open, on average, and defaults to 10.
	Arrival Arrival
	Rate    float64
	// Cut is the share of connections, 0 to 1, that a client cuts itself and resumes.
	Cut float64
	// Duplicate reads each turn over two concurrent connections, which must get the same bytes.
	Duplicate bool
	// Scripts are the clients' conversations. Defaults to those of Recordings, or to DefaultScripts without any.
	Scripts []Script
	// Recordings must match the streams of a server that plays them back.
	Recordings []Recording
	// Seed seeds cuts, arrivals and the choice of scripts.
	Seed uint64
	// TurnTimeout bounds a turn, checks included. Defaults to 90 s.
	TurnTimeout time.Duration
	// Patience is how long a reader reconnects to a stream without a new update. Defaults to 20 s.
	Patience time.Duration
	// Progress, if set, is called once a second during the run.
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

// Run runs the clients until a bound is reached or ctx ends, and returns a summary with the checks' failures. Its error
// means that the run could not begin.
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

// arrive sends the start of each turn to the next free client, until a bound is reached.
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

// work plays scripts, a turn for each start. A failed turn ends the conversation.
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

// turn is one turn of a client, with its results and times.
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

// marks are measured from when the turn was due; 0 if there was no such update.
type marks struct{ firstByte, acknowledgment, firstWord, end time.Duration }

// run starts the turn, follows it to its end and checks it.
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

// follow reads the stream, with Duplicate over two connections.
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

// note keeps the data of an update for the summary.
func (t *turn) note(u update) {
	at := time.Since(t.start)
	switch u.content.Type {
	case "turn":
		t.conversation = u.content.ConversationID
		t.reader.path = cmp.Or(t.reader.path, turnsPath+"/"+url.PathEscape(u.content.TurnID)+"/events")
	case "acknowledgment":
		t.marks.acknowledgment = at
		t.label = u.content.Intent
	case "template":
		t.label = cmp.Or(u.content.Mode, t.label)
	case "message_delta", "message":
		t.marks.firstWord = cmp.Or(t.marks.firstWord, at)
	case "done":
		t.marks.end = at
		t.outcome = u.content.Outcome
	}
}

// verify reads the turn once more from the start, which must give the same bytes, checks that nothing is left, and
// compares with the recording if the server plays one.
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
		if u.content.Code != "" {
			return u.content.Code
		}
	}
	return "without an error"
}
