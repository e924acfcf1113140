package replay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"convene/pkg/sse"
)

// RecordingHeader names the recording that a Player answers with.
const RecordingHeader = "Convene-Recording"

const (
	// keptTurns is how many turns can be resumed; older ones are forgotten.
	keptTurns = 10_000
	// maxRequest bounds a request's body in bytes.
	maxRequest = 100 << 10
	// maxID bounds the id from which a client may resume.
	maxID = 1_000_000
)

// PlayerConfig says what is played and how. Zero values take their defaults.
type PlayerConfig struct {
	Recordings []Recording
	// Speed divides the times of the recordings; 10 plays ten times as fast. Defaults to 1.
	Speed float64
	// Cut is the share of connections, 0 to 1, that are cut, half of them between two blocks and half within one.
	Cut float64
	// Stall is the share of connections that stall once, for StallFor, which defaults to 5 s.
	Stall    float64
	StallFor time.Duration
	// Duplicate gives concurrent connections that read the same turn from the same place the same faults, and so the same
	// bytes. Otherwise they get the same updates with their own faults.
	Duplicate bool
	// Seed seeds the faults.
	Seed uint64
}

// Player is a server that answers turns with recordings: with the one of the same message, and otherwise with the next
// one. A turn has its own ids, continues without a reader, and can be read by any number of connections, from the start
// or after any update.
type Player struct {
	cfg   PlayerConfig
	mux   *http.ServeMux
	plays []play

	mu     sync.Mutex
	dice   *rand.Rand
	next   int
	played map[string]int
	turns  map[string]*playing
	order  []string
	begun  int
	shared map[place]*sharedFaults
}

// play is a recording, ready to be played.
type play struct {
	Recording
	message      string
	conversation string
	updates      []update
}

// NewPlayer serves the recordings, at least one.
func NewPlayer(cfg PlayerConfig) (*Player, error) {
	cfg.Speed = cmp.Or(cfg.Speed, 1)
	cfg.StallFor = cmp.Or(cfg.StallFor, 5*time.Second)
	if cfg.Speed < 0 || cfg.Cut < 0 || cfg.Cut > 1 || cfg.Stall < 0 || cfg.Stall > 1 {
		return nil, errors.New("the speed must be above 0, and the shares of cuts and stalls between 0 and 1")
	}
	p := &Player{
		cfg: cfg, mux: http.NewServeMux(), dice: rand.New(rand.NewPCG(cfg.Seed, 0)),
		played: map[string]int{}, turns: map[string]*playing{}, shared: map[place]*sharedFaults{},
	}
	for _, r := range cfg.Recordings {
		ready, err := prepare(r)
		if err != nil {
			return nil, err
		}
		p.plays = append(p.plays, ready)
	}
	if !slices.ContainsFunc(p.plays, func(r play) bool { return r.streamed() }) {
		return nil, errors.New("no recordings of streams to play")
	}
	p.mux.HandleFunc("POST /v1/turns", p.start)
	p.mux.HandleFunc("GET /v1/turns/{id}/events", p.events)
	return p, nil
}

func prepare(r Recording) (play, error) {
	ready := play{Recording: r}
	message, err := messageOf(r.Request.Body)
	if err != nil {
		return play{}, fmt.Errorf("recording %s: %w", r.Name, err)
	}
	ready.message = message
	if !r.streamed() {
		return ready, nil
	}
	whole := &transcript{}
	if ready.updates, err = r.updates(); err != nil {
		return play{}, err
	}
	for _, u := range ready.updates {
		if err := whole.add(u); err != nil {
			return play{}, fmt.Errorf("recording %s: %w", r.Name, err)
		}
	}
	if !whole.done() {
		return play{}, fmt.Errorf("recording %s has no done", r.Name)
	}
	ready.conversation = ready.updates[0].content.ConversationID
	return ready, nil
}

// messageOf returns the message in lower case, with single spaces.
func messageOf(body []byte) (string, error) {
	var asked struct{ Message string }
	if err := json.Unmarshal(body, &asked); err != nil {
		return "", fmt.Errorf("the request is not a JSON object: %w", err)
	}
	return strings.ToLower(strings.Join(strings.Fields(asked.Message), " ")), nil
}

// ServeHTTP answers only requests to a host name of this machine, against DNS rebinding.
func (p *Player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !Loopback(strings.Trim(host, "[]")) {
		problem(w, http.StatusForbidden, "forbidden", "This server answers to localhost and 127.0.0.1 only.")
		return
	}
	p.mux.ServeHTTP(w, r)
}

func problem(w http.ResponseWriter, status int, code, detail string) {
	answer, err := json.Marshal(map[string]any{
		"title": http.StatusText(status), "status": status, "code": code, "detail": detail,
	})
	if err != nil {
		answer = nil
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_, _ = w.Write(answer) // the client may have gone
}

// start begins a turn in both forms.
func (p *Player) start(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		problem(w, http.StatusRequestEntityTooLarge, "too_large", "The request could not be read.")
		return
	}
	var asked struct{ ConversationID string }
	message, err := messageOf(body)
	if err != nil || json.Unmarshal(body, &asked) != nil {
		problem(w, http.StatusBadRequest, "invalid_request", "The body must be a JSON object with a message.")
		return
	}
	t := p.begin(message, asked.ConversationID)
	w.Header().Set(RecordingHeader, t.play.Name)
	if !t.play.streamed() {
		t.answer(w)
		return
	}
	location := turnsPath + "/" + t.id
	w.Header().Set("Location", location)
	if strings.Contains(r.Header.Get("Accept"), sse.ContentType) {
		p.stream(w, r, t, 0)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_ = json.NewEncoder(w).Encode(map[string]string{ // the client may have gone
		"turnId": t.id, "conversationId": t.conversation, "eventsUrl": location + "/events",
	})
}

// begin chooses the recording and gives the turn its ids.
func (p *Player) begin(message, conversation string) *playing {
	p.mu.Lock()
	defer p.mu.Unlock()
	chosen := p.choose(message, conversation)
	p.begun++
	t := &playing{play: chosen, start: time.Now(), speed: p.cfg.Speed}
	suffix := "-" + strconv.Itoa(p.begun)
	names := rename{}
	if chosen.streamed() {
		t.id = chosen.updates[0].content.TurnID + suffix
		t.conversation = cmp.Or(conversation, chosen.conversation+suffix)
		names.add(chosen.updates[0].content.TurnID, t.id)
		names.add(chosen.conversation, t.conversation)
	}
	t.names = names.replacer()
	p.turns[t.id] = t
	if p.order = append(p.order, t.id); len(p.order) > keptTurns {
		delete(p.turns, p.order[0])
		p.order = p.order[1:]
	}
	return t
}

// choose returns the recording of the message; if there are several, the one of the continued conversation, and
// otherwise each in turn. An unknown message gets the next stream.
func (p *Player) choose(message, conversation string) play {
	var fitting, streams []play
	for _, r := range p.plays {
		switch {
		case r.message == message && conversation != "" && strings.HasPrefix(conversation, r.conversation+"-"):
			return r
		case r.message == message:
			fitting = append(fitting, r)
		}
		if r.streamed() {
			streams = append(streams, r)
		}
	}
	if len(fitting) == 0 {
		p.next++
		return streams[(p.next-1)%len(streams)]
	}
	p.played[message]++
	return fitting[(p.played[message]-1)%len(fitting)]
}

func (p *Player) events(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	t, ok := p.turns[r.PathValue("id")]
	p.mu.Unlock()
	if !ok {
		problem(w, http.StatusNotFound, "not_found", "There is no turn with this id.")
		return
	}
	last := cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("lastEventId"), "0")
	after, err := strconv.ParseUint(last, 10, 31)
	if err != nil || after > maxID {
		problem(w, http.StatusBadRequest, "invalid_request", "Last-Event-ID must be the id of an update: 1, 2, 3 and so on.")
		return
	}
	w.Header().Set(RecordingHeader, t.play.Name)
	p.stream(w, r, t, int(after))
}

// playing is a turn that has begun.
type playing struct {
	play         play
	id           string
	conversation string
	names        *strings.Replacer
	start        time.Time
	speed        float64
}

// answer plays a response that is not a stream.
func (t *playing) answer(w http.ResponseWriter) {
	w.Header().Set("Content-Type", t.play.Response.Header["Content-Type"])
	w.WriteHeader(t.play.Response.Status)
	for _, b := range t.play.Blocks {
		_, _ = io.WriteString(w, b.Bytes) // the client may have gone
	}
}

// due is when the update with this index comes.
func (t *playing) due(i int) time.Time {
	return t.start.Add(time.Duration(float64(t.play.Blocks[i].At) / t.speed))
}

// block returns the update with this index; a connection's first one has the time to reconnect.
func (t *playing) block(i, first int) []byte {
	var block bytes.Buffer
	if i == first {
		block.Write(t.play.updates[0].retry)
	}
	block.WriteString(t.names.Replace(string(t.play.updates[i].bytes)))
	return block.Bytes()
}
