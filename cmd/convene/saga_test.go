package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/testenv"
)

// tripwire is a proxy in front of Redis that kills a replica when it has had a certain number of commands about one
// booking done, before it hears of the last.
type tripwire struct {
	redis    string
	listener net.Listener
	victim   *replica
	// killed is closed when the replica is dead.
	killed chan struct{}

	mu sync.Mutex
	// about is what the commands that count name; nil where none does.
	about *regexp.Regexp
	// left counts down to the command that is the last.
	left int
	cut  bool
	// answered hears when Redis has done the last write.
	answered chan struct{}
}

func newTripwire(t *testing.T, redis string) *tripwire {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &tripwire{
		redis: strings.TrimPrefix(redis, "redis://"), listener: listener,
		killed: make(chan struct{}), answered: make(chan struct{}, 64),
	}
	t.Cleanup(func() { _ = listener.Close() })
	go w.serve(context.WithoutCancel(t.Context()))
	return w
}

func (w *tripwire) url() string { return "redis://" + w.listener.Addr().String() }

// stretch lets n commands through that name the proposal or one of its people, and one more.
func (w *tripwire) stretch(n int, c *client) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left, w.about = n, regexp.MustCompile(regexp.QuoteMeta(c.proposal)+`|\b`+regexp.QuoteMeta(c.conversation)+`\b`)
}

// relax lets everything through.
func (w *tripwire) relax() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.about = nil
}

func (w *tripwire) serve(ctx context.Context) {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			return
		}
		var dialer net.Dialer
		server, err := dialer.DialContext(ctx, "tcp", w.redis)
		if err != nil {
			_ = client.Close()
			return
		}
		go w.relayAnswers(client, server)
		go w.relayCommands(client, server)
	}
}

func (w *tripwire) relayAnswers(client, server net.Conn) {
	defer client.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := server.Read(buffer)
		if err != nil {
			return
		}
		w.mu.Lock()
		cut := w.cut
		w.mu.Unlock()
		if cut {
			select {
			case w.answered <- struct{}{}:
			default:
			}
			continue
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func (w *tripwire) relayCommands(client, server net.Conn) {
	defer server.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		last, let := w.pass(buffer[:n])
		if !let {
			continue
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
		if last {
			select {
			case <-w.answered:
			case <-time.After(time.Second): // the answer came with an earlier one
			}
			w.victim.kill()
			close(w.killed)
		}
	}
}

// pass decides on a command: whether it may pass, and whether it is the last that does.
func (w *tripwire) pass(command []byte) (last, let bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		return false, false
	}
	if w.about == nil || !w.about.Match(command) {
		return false, true
	}
	w.left--
	w.cut = w.left < 0
	return w.cut, true
}

// A replica is killed after each of the commands that a confirmation gives to Redis, in turn, with the answer still on
// its way. Others finish or take back what it began; a repeated confirmation gives one event, and no time stays held.
func TestAReplicaIsKilledAfterEachStepOfAConfirmation(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	survivor := startReplica(t, "--redis-url="+redis, "--now="+friday)
	var orphans []*client
	for n := 0; ; n += testenv.Count(3, 1) {
		name := fmt.Sprintf("kim%d", n)
		wire := newTripwire(t, redis)
		wire.victim = startReplica(t, "--redis-url="+wire.url(), "--now="+friday)
		c := stranger(t, survivor.url, name, name+"-lee", "call Lee on Wednesday at 9am")
		path := wire.victim.url + "/v1/proposals/" + c.proposal + "/confirm"
		wire.stretch(n, c)
		if confirmed(t, path) {
			wire.relax()
			if n < 10 {
				t.Errorf("only %d commands were seen", n)
			}
			break
		}
		wire.awaitKill(t)
		orphans = append(orphans, c)
	}
	awaitSettled(t, redis)
	for n, c := range orphans {
		status := proposalStatus(t, survivor.url, c.proposal)
		want := map[string]string{"confirmed": ":1", "proposed": ":0"}[status]
		for _, person := range []string{c.conversation, c.conversation + "-lee"} {
			if got := bookedBy(t, redis, person); got != want {
				t.Errorf("killed after command %d: the proposal is %s and %s has %s events", n+1, status, person, got)
			}
		}
		if !confirmed(t, survivor.url+"/v1/proposals/"+c.proposal+"/confirm") {
			t.Errorf("killed after command %d: it cannot be confirmed again", n+1)
		}
		if got := bookedBy(t, redis, c.conversation); got != ":1" {
			t.Errorf("killed after command %d: %s events after confirming again", n+1, got)
		}
	}
	awaitSettled(t, redis)
}

// awaitKill waits until the replica is dead.
func (w *tripwire) awaitKill(t *testing.T) {
	t.Helper()
	select {
	case <-w.killed:
	case <-time.After(patience):
		t.Fatal("the confirmation failed and the replica lives")
	}
}

// confirmAt confirms, or cancels, and gives the status, 0 where the connection broke. Where it is to be tried again, as
// on a busy machine, it is, after a moment: it would be busier without.
func confirmAt(t *testing.T, url string) (status int) {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < patience; {
		if status = postAt(t, url, "{}"); status != http.StatusServiceUnavailable && status != http.StatusGatewayTimeout {
			break
		}
		select {
		case <-t.Context().Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
	return status
}

// confirmed confirms, and reports whether that is done.
func confirmed(t *testing.T, url string) bool {
	t.Helper()
	return confirmAt(t, url) == http.StatusOK
}

func postAt(t *testing.T, url, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0
	}
	if resp.StatusCode >= http.StatusBadRequest {
		t.Logf("%s: %s", url, answer)
	}
	return resp.StatusCode
}

func proposalStatus(t *testing.T, server, id string) string {
	t.Helper()
	_, body, _ := get(t, server+"/v1/proposals/"+id)
	var e struct{ Status string }
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return e.Status
}

// awaitSettled waits until nobody is held and nothing is unfinished.
func awaitSettled(t *testing.T, redis string) {
	t.Helper()
	until := time.After(patience)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		open, held := redisSays(t, redis, "SCARD convene:{saga}:open"), redisSays(t, redis, "KEYS convene:{hold}:*")
		claimed := redisSays(t, redis, "KEYS convene:{saga}:claim:*")
		if open == ":0" && held == "*0" && claimed == "*0" {
			return
		}
		select {
		case <-tick.C:
		case <-until:
			t.Fatalf("%s sagas are open, %s people held, %s events claimed", open[1:], held[1:], claimed[1:])
		}
	}
}

// outpost is a calendar server outside, of one kind of provider, to which the organizer's account is connected.
type outpost interface {
	// connect is the call that connects the organizer's account: its path below the person and its body.
	connect() (path, body string)
	// meet calls kill when the next request comes that writes or removes an event. Then the request is refused, where
	// done is false, or carried out.
	meet(writes, done bool, kill func())
	// events is how many stand there, and told how many invitations and cancellations were sent.
	events() int
	told() (invitations, cancellations int)
}

// davPost is a CalDAV server that invites.
type davPost struct {
	*caldavtest.Server
	calendar string
}

func newDAVPost(t *testing.T) outpost {
	t.Helper()
	s := caldavtest.Start(t, caldavtest.Options{Addresses: []string{"mailto:morgan@example.com"}, Schedules: true})
	return &davPost{s, s.AddCalendar("main", nil)}
}

func (p *davPost) connect() (path, body string) {
	return "/calendars/caldav", fmt.Sprintf(`{"server": %q, "username": "ola", "password": "secret"}`, p.URL())
}

func (p *davPost) meet(writes, done bool, kill func()) {
	method := http.MethodDelete
	if writes {
		method = http.MethodPut
	}
	var once sync.Once
	p.Fail(0, func(_ http.ResponseWriter, r *http.Request) bool {
		refuse := false
		if r.Method == method {
			once.Do(func() {
				// The request is read before its sender dies, as it would be where it had come through.
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				kill()
				refuse = !done
			})
		}
		return refuse
	})
}

func (p *davPost) events() int { return len(p.Objects("main")) }

func (p *davPost) told() (invitations, cancellations int) {
	for _, m := range p.Sent() {
		switch m.Method {
		case "REQUEST":
			invitations++
		case "CANCEL":
			cancellations++
		}
	}
	return invitations, cancellations
}

// outposts are the kinds of providers that the tests run against.
var outposts = map[string]func(*testing.T) outpost{"caldav": newDAVPost}

// A replica is killed when its request reaches the organizer's calendar, before or after that is carried out. Others
// finish it: the calendar has one event or none, and guests hear of it once.
func TestAReplicaIsKilledWhileItWritesToACalendar(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		do   string
		done bool
		// what there is afterwards
		status             string
		events             int
		invited, withdrawn int
	}{
		{"new, before", "confirm", false, "confirmed", 1, 1, 0},
		{"new, after", "confirm", true, "confirmed", 1, 1, 0},
		{"move, before", "move", false, "confirmed", 1, 2, 0},
		{"move, after", "move", true, "confirmed", 1, 2, 0},
		{"cancel, before", "cancel", false, "cancelled", 0, 1, 1},
		{"cancel, after", "cancel", true, "cancelled", 0, 1, 1},
	}
	for name, build := range outposts {
		for _, tt := range testenv.Sample(2, tests) {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				redis, post := redistest.Start(t), build(t)
				args := sealing(t, redis)
				survivor, victim := startReplica(t, args...), startReplica(t, args...)
				c := &client{t: t, server: survivor.url, conversation: "outside"}
				path, body := post.connect()
				if status, answer := c.post("/v1/people/me"+path, "application/json", body); status >= http.StatusBadRequest {
					t.Fatalf("connect: %d %s", status, answer)
				}
				c.take(step{kind: "say", body: "call Al on Wednesday at 1pm"})
				verb := tt.do
				if tt.do != "confirm" {
					if status := confirmAt(t, survivor.url+"/v1/proposals/"+c.proposal+"/confirm"); status != http.StatusOK {
						t.Fatalf("confirm: %d", status)
					}
				}
				if tt.do == "move" {
					c.take(step{kind: "say", body: "make it 2pm"})
					verb = "confirm"
				}
				killed := make(chan struct{})
				post.meet(verb == "confirm", tt.done, func() { victim.kill(); close(killed) })
				if status := confirmAt(t, victim.url+"/v1/proposals/"+c.proposal+"/"+verb); status != 0 {
					t.Fatalf("the replica answered with %d; it wrote nothing", status)
				}
				<-killed
				awaitSettled(t, redis)
				if got := proposalStatus(t, survivor.url, c.proposal); got != tt.status {
					t.Errorf("the proposal is %s, want %s", got, tt.status)
				}
				if status := confirmAt(t, survivor.url+"/v1/proposals/"+c.proposal+"/"+verb); status != http.StatusOK {
					t.Errorf("asked again: %d", status)
				}
				invited, withdrawn := post.told()
				if post.events() != tt.events || invited != tt.invited || withdrawn != tt.withdrawn {
					t.Errorf("%d events, %d invitations and %d cancellations; want %d, %d and %d",
						post.events(), invited, withdrawn, tt.events, tt.invited, tt.withdrawn)
				}
			})
		}
	}
}
