package webhook

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"convene/pkg/booking"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

// world is one tenant's webhooks, with receivers instead of a network.
type world struct {
	*testing.T
	shelf     *shelf
	envelope  *envelope
	receivers *receivers
	registry  *Registry
	outbox    *Outbox
	sender    *Sender
	told      int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, shelf: newShelf(), envelope: &envelope{}}
	w.receivers = &receivers{hosts: map[string]*receiver{}}
	w.registry = NewRegistry(RegistryConfig{Endpoints: w.shelf, Sealer: w.envelope})
	w.sender = NewSender(SenderConfig{
		Endpoints: w.shelf, Lanes: w.shelf, Sealer: w.envelope, HTTP: &http.Client{Transport: w.receivers},
	})
	w.outbox = NewOutbox(OutboxConfig{Endpoints: w.shelf, Deliveries: w.shelf, Wake: w.sender.Wake})
	return w
}

// listen makes an endpoint at a host that answers as it is told, with 200 after that.
func (w *world) listen(host string, answers ...answer) EndpointID {
	w.Helper()
	w.receivers.hosts[host] = &receiver{answers: answers}
	url := "https://" + host + "/hook"
	e, key, err := w.registry.Create(w.Context(), Change{URL: &url})
	if err != nil {
		w.Fatal(err)
	}
	w.receivers.hosts[host].key = key
	return e.ID
}

// tell tells of the confirmation of another event.
func (w *world) tell() {
	w.Helper()
	w.told++
	check(w.T, w.outbox.Tell(w.Context(), notice(fmt.Sprint("p", w.told), booking.Confirmed)))
}

// work sends for a while.
func (w *world) work(forTime time.Duration) {
	ctx, cancel := context.WithTimeout(w.Context(), forTime)
	defer cancel()
	w.sender.Work(ctx)
}

// deliveries are all there are, the oldest first.
func (w *world) deliveries() []Delivery {
	w.Helper()
	page, _, err := w.outbox.Page(w.Context(), Filter{}, "", 1000)
	check(w.T, err)
	slices.Reverse(page)
	return page
}

func (w *world) endpoint(id EndpointID) Endpoint {
	w.Helper()
	e, err := w.registry.Endpoint(w.Context(), id)
	check(w.T, err)
	return e
}

func notice(id string, became booking.Fate) booking.Notice {
	start := time.Date(2026, 11, 25, 13, 0, 0, 0, time.FixedZone("", -8*60*60))
	e := meet.Event{ID: meet.ProposalID(id), UID: id + "@convene", Status: meet.Confirmed, Title: "Coffee with Al", Start: start, End: start.Add(time.Hour)}
	return booking.Notice{Became: became, Event: e, At: start.Add(-48 * time.Hour)}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// answer is what a receiver does with one request.
type answer struct {
	status int
	header http.Header
	takes  time.Duration
	err    error
}

// receivers are the servers there are, by host.
type receivers struct{ hosts map[string]*receiver }

type receiver struct {
	mu      sync.Mutex
	key     Key
	answers []answer
	got     []*http.Request
	bodies  []string
	at      []time.Time
	// forged are the requests that could not be verified.
	forged []error
	// now is how many requests are being answered, most how many ever were at once.
	now, most int
}

func (r *receivers) RoundTrip(req *http.Request) (*http.Response, error) {
	return r.hosts[req.URL.Host].answer(req)
}

func (r *receiver) answer(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	a := answer{status: http.StatusOK}
	if len(r.answers) > 0 {
		a, r.answers = r.answers[0], r.answers[1:]
	}
	r.got, r.bodies, r.at = append(r.got, req), append(r.bodies, string(body)), append(r.at, time.Now())
	if verifier, err := standard.NewWebhook(r.key.Reveal()); err != nil {
		r.forged = append(r.forged, err)
	} else if err := verifier.Verify(body, req.Header); err != nil {
		r.forged = append(r.forged, err)
	}
	r.now++
	r.most = max(r.most, r.now)
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.now--
	}()
	if a.takes > 0 {
		select {
		case <-time.After(a.takes):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{StatusCode: a.status, Header: a.header, Body: io.NopCloser(strings.NewReader("thank you"))}, nil
}

func status(code int, header ...string) answer {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return answer{status: code, header: h}
}

func TestANoticeIsSentOnceToEachEndpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.listen("a.example")
		w.listen("b.example")
		w.tell()
		w.work(time.Hour)
		for host, r := range w.receivers.hosts {
			if len(r.got) != 1 || len(r.forged) > 0 {
				t.Fatalf("%s got %d requests, want one, genuine: %v", host, len(r.got), r.forged)
			}
			want := `{"type":"event.confirmed","timestamp":"2026-11-23T21:00:00Z","data":{"id":"p1",`
			if !strings.HasPrefix(r.bodies[0], want) || r.got[0].Header.Get("Content-Type") != "application/json" || r.got[0].Method != http.MethodPost {
				t.Errorf("%s got %s %s", host, r.got[0].Method, r.bodies[0])
			}
		}
		if got := w.receivers.hosts["a.example"].got[0].Header.Get("Webhook-Signature"); got == w.receivers.hosts["b.example"].got[0].Header.Get("Webhook-Signature") {
			t.Error("both endpoints have the same secret")
		}
		for _, d := range w.deliveries() {
			if d.State != Delivered || len(d.Attempts) != 1 || d.Attempts[0].Status != 200 || !d.Next.IsZero() {
				t.Errorf("%+v, want it delivered", d)
			}
		}
	})
}

// What fails is sent again, each time signed anew, with the same id.
func TestAttemptsFollowTheSchedule(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.listen("a.example", status(500), status(302, "Location", "https://b.example/"), answer{takes: time.Minute}, status(503, "Retry-After", "7200"))
		w.tell()
		began := time.Now()
		w.work(24 * time.Hour)
		r, d := w.receivers.hosts["a.example"], w.deliveries()[0]
		var problems []Problem
		for _, a := range d.Attempts {
			problems = append(problems, a.Problem)
		}
		if diff := cmp.Diff([]Problem{ProblemStatus, ProblemRedirect, ProblemTimeout, ProblemStatus, ""}, problems); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
		if d.Attempts[2].Took != 15*time.Second {
			t.Errorf("waited %v for an answer, want 15s", d.Attempts[2].Took)
		}
		waits := []time.Duration{0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}
		for i, at := range r.at {
			wait := at.Sub(began)
			if began = at; wait < waits[i] || wait > waits[i]+waits[i]/5+20*time.Second {
				t.Errorf("attempt %d after %v, want about %v", i+1, wait, waits[i])
			}
			if got := r.got[i].Header.Get("Webhook-Id"); got != string(d.Message) {
				t.Errorf("attempt %d is of message %s, want %s", i+1, got, d.Message)
			}
			if got, want := r.got[i].Header.Get("Webhook-Timestamp"), fmt.Sprint(at.Unix()); got != want {
				t.Errorf("attempt %d says %s, want %s", i+1, got, want)
			}
		}
		if e := w.endpoint(id); e.Disabled != "" || !e.Failing.IsZero() || len(r.forged) > 0 {
			t.Errorf("the endpoint is %+v; forged %v", e, r.forged)
		}
	})
}

func TestAnEndpointThatIsGoneIsDisabled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.listen("a.example", status(410))
		w.tell()
		w.work(time.Hour)
		w.tell()
		w.work(time.Hour)
		if e := w.endpoint(id); e.Disabled != Gone {
			t.Errorf("disabled for %q, want gone", e.Disabled)
		}
		if got := w.deliveries(); len(got) != 1 || got[0].State != Failed || len(got[0].Attempts) != 1 {
			t.Errorf("%+v, want one that was given up at once", got)
		}
		if _, err := w.outbox.Retry(t.Context(), w.deliveries()[0].ID); err == nil {
			t.Error("retried to an endpoint that is disabled")
		}
		yes := true
		_, err := w.registry.Change(t.Context(), id, Change{Enabled: &yes})
		check(t, err)
		_, err = w.outbox.Retry(t.Context(), w.deliveries()[0].ID)
		check(t, err)
		w.work(time.Hour)
		if got := w.deliveries()[0]; got.State != Delivered || len(got.Attempts) != 2 {
			t.Errorf("%+v, want it delivered", got)
		}
	})
}

// After the last attempt the endpoint is known to fail, until something arrives.
func TestAnEndpointThatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.listen("a.example", slices.Repeat([]answer{status(500)}, 10)...)
		w.tell()
		w.work(6 * 24 * time.Hour)
		if got := w.deliveries()[0]; got.State != Failed || len(got.Attempts) != 10 {
			t.Errorf("%s after %d attempts", got.State, len(got.Attempts))
		}
		if e := w.endpoint(id); e.Failing.IsZero() || e.Disabled != "" {
			t.Errorf("the endpoint is %+v, want it failing", e)
		}
		w.tell()
		w.work(time.Hour)
		if e := w.endpoint(id); !e.Failing.IsZero() {
			t.Errorf("the endpoint is %+v, want it well", e)
		}
	})
}

// A delivery whose endpoint goes away, or is disabled, before its turn is given up.
func TestWhatIsOnItsWayToAnEndpointThatIsNotThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, no := newWorld(t), false
		removed, disabled := w.listen("a.example", status(500)), w.listen("b.example", status(500))
		w.tell()
		w.work(2 * time.Second)
		check(t, w.registry.Remove(t.Context(), removed))
		_, err := w.registry.Change(t.Context(), disabled, Change{Enabled: &no})
		check(t, err)
		w.work(time.Hour)
		want := map[EndpointID]Problem{removed: ProblemRemoved, disabled: ProblemDisabled}
		for _, d := range w.deliveries() {
			if d.State != Failed || d.Attempts[len(d.Attempts)-1].Problem != want[d.Endpoint] {
				t.Errorf("%+v, want it given up: %s", d, want[d.Endpoint])
			}
		}
		if n := len(w.receivers.hosts["a.example"].got) + len(w.receivers.hosts["b.example"].got); n != 2 {
			t.Errorf("%d requests, want none after that", n)
		}
	})
}

// While one endpoint takes its time with a hundred messages, another gets its own at once.
func TestASlowEndpointHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.listen("slow.example", slices.Repeat([]answer{{takes: 14 * time.Second, status: 200}}, 200)...)
		for range 100 {
			w.tell()
		}
		w.listen("fast.example")
		w.tell()
		began := time.Now()
		w.work(20 * time.Second)
		fast, slow := w.receivers.hosts["fast.example"], w.receivers.hosts["slow.example"]
		if len(fast.at) != 1 || fast.at[0].Sub(began) > time.Second {
			t.Errorf("the fast one was told at %v", fast.at)
		}
		if slow.most != 4 {
			t.Errorf("the slow one was called %d times at once, want 4", slow.most)
		}
		w.work(10 * time.Minute)
		for _, d := range w.deliveries() {
			if d.State != Delivered || len(d.Attempts) != 1 {
				t.Errorf("%+v, want it delivered at once", d)
			}
		}
	})
}

// When the process ends, attempts under way get a moment; those that are cut short are made again by the next.
func TestStopping(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.listen("quick.example", answer{takes: 2 * time.Second, status: 200})
		w.listen("slow.example", answer{takes: 10 * time.Second, status: 200})
		w.tell()
		began := time.Now()
		w.work(time.Second)
		if took := time.Since(began); took < 2*time.Second || took > 5*time.Second {
			t.Errorf("it took %v to end", took)
		}
		states := map[string]State{}
		for _, d := range w.deliveries() {
			states[w.endpoint(d.Endpoint).URL] = d.State
		}
		want := map[string]State{"https://quick.example/hook": Delivered, "https://slow.example/hook": Pending}
		if diff := cmp.Diff(want, states); diff != "" {
			t.Errorf("states (-want +got):\n%s", diff)
		}
		w.work(10 * time.Second) // the next process
		for _, d := range w.deliveries() {
			if d.State != Delivered || len(d.Attempts) != 1 {
				t.Errorf("%+v, want it delivered in an attempt that counts", d)
			}
		}
	})
}

// Two processes share the work: each message is sent once.
func TestTwoSendersDoNotSendTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.listen("a.example", slices.Repeat([]answer{{takes: time.Second, status: 200}}, 50)...)
		for range 50 {
			w.tell()
		}
		other := NewSender(w.sender.cfg)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var both sync.WaitGroup
		both.Go(func() { other.Work(ctx) })
		w.work(time.Minute)
		both.Wait()
		if got := len(w.receivers.hosts["a.example"].got); got != 50 {
			t.Errorf("%d requests, want 50", got)
		}
	})
}

// What a process that died had claimed is sent by another when the claim has lapsed.
func TestWhatADeadProcessHadClaimed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.listen("a.example")
		w.tell()
		now := time.Now()
		jobs, err := w.shelf.Claim(t.Context(), Lane{Endpoint: id}, 10, now, now.Add(w.sender.lease()))
		check(t, err)
		if len(jobs) != 1 {
			t.Fatalf("claimed %d", len(jobs))
		}
		w.work(w.sender.lease() - time.Second)
		if n := len(w.receivers.hosts["a.example"].got); n != 0 {
			t.Errorf("sent %d times while it was claimed", n)
		}
		w.work(10 * time.Second)
		if d := w.deliveries()[0]; d.State != Delivered {
			t.Errorf("%+v, want it delivered", d)
		}
	})
}

// A host whose breaker is open is not called, which is no attempt.
func TestAnOpenBreakerIsNoAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.listen("a.example", answer{err: &outbound.OpenError{Name: "webhook", After: 8 * time.Second}}, answer{err: &outbound.OpenError{Name: "webhook"}})
		w.tell()
		w.work(time.Minute)
		r := w.receivers.hosts["a.example"]
		if len(r.at) != 3 || r.at[1].Sub(r.at[0]) < 8*time.Second {
			t.Fatalf("called at %v", r.at)
		}
		if d := w.deliveries()[0]; d.State != Delivered || len(d.Attempts) != 1 {
			t.Errorf("%+v, want one attempt", d)
		}
	})
}

// A secret that cannot be opened sends nothing, and another try may be luckier.
func TestASecretThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.listen("a.example")
		w.envelope.lost = true
		w.tell()
		w.work(time.Minute)
		if d := w.deliveries()[0]; d.State != Pending || d.Attempts[0].Problem != ProblemSecret || len(w.receivers.hosts["a.example"].got) > 0 {
			t.Errorf("%+v, want it to wait for its secret", d)
		}
		w.envelope.lost = false
		_, key, err := w.registry.Rotate(t.Context(), id, 0)
		check(t, err)
		r := w.receivers.hosts["a.example"]
		r.key = key
		w.work(time.Hour)
		if len(r.got) != 1 || len(r.forged) > 0 {
			t.Errorf("got %d requests; forged %v", len(r.got), r.forged)
		}
	})
}

// What can be wrong with a server, on a real network.
func TestProblemsOfServers(t *testing.T) {
	t.Parallel()
	garbage, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { _ = garbage.Close() })
	go speakGarbage(garbage)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	stuck := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok", http.StatusTemporaryRedirect) })
	mux.HandleFunc("/stuck", func(http.ResponseWriter, *http.Request) { <-stuck })
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = w.Write(make([]byte, 1<<10))
		}
	})
	plain, untrusted := httptest.NewServer(mux), httptest.NewUnstartedServer(mux)
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0) // that it is not trusted is what is wanted
	untrusted.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(untrusted.Close)
	t.Cleanup(func() { close(stuck) })
	s := NewSender(SenderConfig{HTTP: outbound.Client(outbound.Config{Attempts: 1}), Deadline: 500 * time.Millisecond})
	for url, want := range map[string]Problem{
		plain.URL + "/ok":                           "",
		plain.URL + "/endless":                      "",
		plain.URL + "/missing":                      ProblemStatus,
		plain.URL + "/away":                         ProblemRedirect,
		plain.URL + "/stuck":                        ProblemTimeout,
		plain.URL + "/cut":                          ProblemConnection,
		closed.URL:                                  ProblemConnection,
		untrusted.URL + "/ok":                       ProblemTLS,
		"http://" + garbage.Addr().String():         ProblemAnswer,
		"https://" + plain.Listener.Addr().String(): ProblemTLS,
	} {
		if r := s.send(t.Context(), url, http.Header{}, []byte("{}")); r.attempt.Problem != want {
			t.Errorf("%s: %+v, want %q", url, r.attempt, want)
		}
	}
}

// A name that nobody knows is told from a resolver that does not answer.
func TestProblemsOfNames(t *testing.T) {
	t.Parallel()
	for want, err := range map[Problem]error{
		ProblemDNS:     &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "no-such.example", IsNotFound: true}},
		ProblemTimeout: &net.OpError{Op: "dial", Err: &net.DNSError{Err: "i/o timeout", Name: "slow.example", IsTimeout: true}},
	} {
		if got := problemOf(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

// speakGarbage answers whatever is asked with what is not HTTP.
func speakGarbage(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = conn.Write([]byte("SSH-2.0-OpenSSH_9.9\r\n"))
		_ = conn.Close()
	}
}
