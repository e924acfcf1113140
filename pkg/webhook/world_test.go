package webhook

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"convene/pkg/booking"
	"convene/pkg/meet"
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
	check(w.T, w.outbox.Tell(w.Context(), noticeOf(fmt.Sprint("p", w.told), booking.Confirmed)))
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

func noticeOf(id string, became booking.Fate) booking.Notice {
	start := time.Date(2026, 11, 25, 13, 0, 0, 0, time.FixedZone("", -8*60*60))
	e := meet.Event{
		ID: meet.ProposalID(id), UID: id + "@convene",
		Status: meet.Confirmed, Title: "Coffee with Al", Start: start, End: start.Add(time.Hour),
	}
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
