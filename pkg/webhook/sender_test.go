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

	"convene/pkg/booking"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

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
			if !strings.HasPrefix(r.bodies[0], want) || r.got[0].Header.Get("Content-Type") != "application/json" ||
				r.got[0].Method != http.MethodPost {
				t.Errorf("%s got %s %s", host, r.got[0].Method, r.bodies[0])
			}
		}
		signature := func(host string) string {
			return w.receivers.hosts[host].got[0].Header.Get("Webhook-Signature")
		}
		if signature("a.example") == signature("b.example") {
			t.Error("both endpoints have the same secret")
		}
		for _, d := range w.deliveries() {
			if d.State != Delivered || len(d.Attempts) != 1 || d.Attempts[0].Status != 200 || !d.Next.IsZero() {
				t.Errorf("%+v, want it delivered", d)
			}
		}
	})
}

// Invitations to one event may fail one after the other; each is told once.
func TestInvitationsFailOneAfterTheOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.listen("a.example")
		failed := meet.Participant{Name: "Al", Invitation: meet.InvitationFailed}
		first := noticeOf("p1", booking.Undelivered)
		later := first
		first.Event.Participants, later.Event.Participants = []meet.Participant{failed}, []meet.Participant{failed, failed}
		for _, n := range []booking.Notice{first, first, later, later} {
			check(t, w.outbox.Tell(t.Context(), n))
		}
		w.work(time.Hour)
		r := w.receivers.hosts["a.example"]
		if len(r.got) != 2 || !strings.HasPrefix(r.bodies[0], `{"type":"event.undelivered",`) {
			t.Errorf("%d requests, want 2: %q", len(r.got), r.bodies)
		}
	})
}

// What fails is sent again, each time signed anew, with the same id.
func TestAttemptsFollowTheSchedule(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.listen("a.example", status(500), status(302, "Location", "https://b.example/"), answer{takes: time.Minute},
			status(503, "Retry-After", "7200"))
		w.tell()
		began := time.Now()
		w.work(24 * time.Hour)
		r, d := w.receivers.hosts["a.example"], w.deliveries()[0]
		var problems []Problem
		for _, a := range d.Attempts {
			problems = append(problems, a.Problem)
		}
		if diff := cmp.Diff([]Problem{ProblemStatus, ProblemRedirect, ProblemTimeout, ProblemStatus, ""},
			problems); diff != "" {
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
		w.listen("a.example", answer{err: &outbound.OpenError{Name: "webhook", After: 8 * time.Second}}, answer{
			err: &outbound.OpenError{Name: "webhook"},
		})
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
		if d := w.deliveries()[0]; d.State != Pending || d.Attempts[0].Problem != ProblemSecret ||
			len(w.receivers.hosts["a.example"].got) > 0 {
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
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/ok", http.StatusTemporaryRedirect)
	})
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
	client := outbound.Client(outbound.Config{Attempts: 1})
	patient := NewSender(SenderConfig{HTTP: client, Deadline: time.Minute})
	hasty := NewSender(SenderConfig{HTTP: client, Deadline: 200 * time.Millisecond})
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
		s := patient
		if want == ProblemTimeout {
			s = hasty
		}
		if r := s.send(t.Context(), url, http.Header{}, []byte("{}")); r.attempt.Problem != want {
			t.Errorf("%s: %+v, want %q", url, r.attempt, want)
		}
	}
}

// A name that nobody knows is told from a resolver that does not answer.
func TestProblemsOfNames(t *testing.T) {
	t.Parallel()
	for want, err := range map[Problem]error{
		ProblemDNS: &net.OpError{
			Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "no-such.example", IsNotFound: true},
		},
		ProblemTimeout: &net.OpError{
			Op: "dial", Err: &net.DNSError{Err: "i/o timeout", Name: "slow.example", IsTimeout: true},
		},
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
