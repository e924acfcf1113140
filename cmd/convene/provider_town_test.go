package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/calendar/caldav/radicaletest"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
)

// The people of these tests, as the demo has them.
const (
	morgan = "me"
	al     = "al"

	morgansAddress = "morgan@example.com"
	alsAddress     = "al@example.com"
)

// pacific is a time of the week after friday.
func pacific(day time.Weekday, hour int) time.Time {
	zone := time.FixedZone("PST", -8*60*60)
	return time.Date(2026, 11, 22+int(day), hour, 0, 0, 0, zone)
}

func hours(day time.Weekday, from, to int) interval.Span {
	return interval.Span{Start: pacific(day, from), End: pacific(day, to)}
}

// What takes Morgan's and Al's time by itself. On Wednesday they are both free from two o'clock on, on Thursday from
// one to five.
func busyOf(person string) []interval.Span {
	if person == morgan {
		return []interval.Span{hours(time.Wednesday, 6, 12), hours(time.Thursday, 6, 13)}
	}
	return []interval.Span{hours(time.Wednesday, 11, 14), hours(time.Thursday, 17, 19)}
}

// town is Morgan and Al with their calendars, and a server whose state outlives it.
type town struct {
	*testing.T
	keepers map[string]keeper
	redis   string
	tap     *tap
	keyset  string
	files   string
	logs    lockedBuffer
	// asked counts conversations.
	asked int

	app     *app
	url     string
	browser *http.Client
	stop    func()
}

// newTown fills the calendars and starts a server on friday.
func newTown(t *testing.T, organizer, guest keeper) *town {
	t.Helper()
	w := &town{T: t, keepers: map[string]keeper{morgan: organizer, al: guest}, files: t.TempDir()}
	w.tap = newTap(t, redistest.Start(t))
	w.redis = w.tap.url()
	w.keyset = newKeyset(t)
	w.file("grace", nil)
	for person, k := range w.keepers {
		for i, at := range busyOf(person) {
			k.put(fmt.Sprintf("own%s%d", person, i), at)
		}
		if file, ok := k.(*localKeeper); ok {
			w.file(person, file.own)
		}
	}
	t.Cleanup(func() { w.stop() })
	w.open(friday)
	return w
}

// file writes a person's local calendar.
func (w *town) file(person string, events map[string]interval.Span) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.files, person+".ics"), []byte(calendarOf(events)), 0o600); err != nil {
		w.Fatal(err)
	}
}

// open starts the server at a time of its own, in place of the one that runs.
func (w *town) open(now string) {
	w.Helper()
	if w.stop != nil {
		w.stop()
	}
	args := []string{
		"--redis-url=" + w.redis, "--now=" + now, "--calendars=" + w.files, "--secrets-keyset=" + w.keyset,
		"--private-servers",
	}
	for _, k := range w.keepers {
		args = append(args, k.settings()...)
	}
	s := parseSettings(w.T, args...)
	s.LogLevel, s.publicURL = "debug", publicURL
	a, err := wire(w.Context(), s, &w.logs)
	if err != nil {
		w.Fatal(err)
	}
	server, err := a.start(w.Context(), "127.0.0.1:0")
	if err != nil {
		a.close()
		w.Fatal(err)
	}
	w.app, w.url = a, server.url()
	w.stop = sync.OnceFunc(func() {
		if err := server.stop(context.WithoutCancel(w.Context())); err != nil {
			w.Error(err)
		}
		a.close()
	})
	w.browser = newBrowser(w.T, strings.TrimPrefix(w.url, "http://"))
}

// newBrowser finds the server under its public name, and keeps cookies.
func newBrowser(t *testing.T, server string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	network := &http.Transport{DialContext: func(ctx context.Context, kind, address string) (net.Conn, error) {
		if "http://"+address == publicURL {
			address = server
		}
		var dialer net.Dialer
		return dialer.DialContext(ctx, kind, address)
	}}
	t.Cleanup(network.CloseIdleConnections)
	return &http.Client{Jar: jar, Transport: network, Timeout: patience}
}

// visit opens a page in the browser and follows wherever that leads.
func (w *town) visit(address string) (status int, page string) {
	w.Helper()
	return w.send(http.MethodGet, address, "")
}

func (w *town) send(method, address, body string) (status int, answer string) {
	w.Helper()
	req, err := http.NewRequestWithContext(w.Context(), method, address, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := w.browser.Do(req)
	if err != nil {
		w.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func (w *town) mustPost(path, body string) {
	w.Helper()
	if status, answer := w.send(http.MethodPost, publicURL+path, body); status >= http.StatusBadRequest {
		w.Fatalf("POST %s: %d %s", path, status, answer)
	}
}

// connection is a connected account as Convene shows it to its owner.
type connection struct {
	ID, Provider, Access, State, Problem string
	Calendars                            []struct{ ID string }
}

// connected are the person's.
func (w *town) connected(person string) []connection {
	w.Helper()
	_, answer := w.send(http.MethodGet, publicURL+"/v1/people/"+person+"/calendars", "")
	var list struct{ Accounts []connection }
	if err := json.Unmarshal([]byte(answer), &list); err != nil {
		w.Fatalf("%s: %v", answer, err)
	}
	return list.Accounts
}

// conversation is one of Morgan's.
func (w *town) conversation(name string) *client {
	return &client{t: w.T, server: w.url, conversation: name}
}

// book is what Convene itself has noted of the person's time.
func (w *town) book(person string) []meet.StoredEvent {
	w.Helper()
	span := interval.Span{Start: pacific(time.Sunday, 0), End: pacific(time.Saturday, 0)}
	events, err := w.app.store.Events().Between(w.Context(), meet.PersonID(person), span)
	if err != nil {
		w.Fatal(err)
	}
	return events
}

// written are the events in a person's calendar that were not there at first.
func (w *town) written(person string) (all []entry) {
	for _, e := range w.keepers[person].events() {
		if !strings.HasPrefix(e.ID[strings.LastIndex(e.ID, "/")+1:], "own"+person) {
			all = append(all, e)
		}
	}
	return all
}

// tap is a proxy before Redis that keeps a copy of all that is sent there.
type tap struct {
	listener net.Listener
	redis    string
	sent     lockedBuffer
}

func newTap(t *testing.T, redis string) *tap {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &tap{listener: listener, redis: strings.TrimPrefix(redis, "redis://")}
	t.Cleanup(func() { _ = listener.Close() })
	go p.serve(context.WithoutCancel(t.Context()))
	return p
}

func (p *tap) url() string { return "redis://" + p.listener.Addr().String() }

func (p *tap) serve(ctx context.Context) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		var dialer net.Dialer
		server, err := dialer.DialContext(ctx, "tcp", p.redis)
		if err != nil {
			_ = client.Close()
			return
		}
		go relay(client, server)
		go relay(server, io.TeeReader(client, &p.sent))
	}
}

// relay ends with whichever side ends first.
func relay(to net.Conn, from io.Reader) {
	defer to.Close()
	_, _ = io.Copy(to, from)
}

// opening is what opens the calendars of these tests, or is on the way to it.
var opening = []string{
	"access-s3cr3t", "refresh-s3cr3t", "code-s3cr3t", clientSecret, "password-s3cr3t", "feed-s3cr3t",
	radicaletest.Password,
}

// wantSealed wants none of it in the log, nor in anything that was ever sent to Redis.
func (w *town) wantSealed() {
	w.Helper()
	for where, all := range map[string]string{"the log": w.logs.String(), "Redis": w.tap.sent.String()} {
		if !strings.Contains(all, "calendar") {
			w.Errorf("%s has nothing of what was done: %.200q", where, all)
		}
		for _, secret := range opening {
			if holdsSecret(all, secret) {
				w.Errorf("%s holds %q", where, secret)
			}
		}
	}
}

// holdsSecret reports whether the text is in there, as it is or in base64, however it is aligned.
func holdsSecret(all, secret string) bool {
	for shift := range 3 {
		coded := base64.StdEncoding.EncodeToString(append(make([]byte, shift), secret...))
		// The characters at either end depend on what stands beside the secret.
		inner := coded[4 : len(coded)-4]
		if strings.Contains(all, inner) {
			return true
		}
	}
	return strings.Contains(all, secret)
}

// The tests above would see a secret that is written down anywhere, in base64 too.
func TestASecretWouldBeSeen(t *testing.T) {
	t.Parallel()
	for _, secret := range opening {
		seen := []string{secret, "at " + secret + "&c"}
		for _, before := range []string{"", "a", "ab", "abc"} {
			seen = append(seen, base64.StdEncoding.EncodeToString([]byte(before+secret+`", "more"`)))
		}
		for _, text := range seen {
			if !holdsSecret("x"+text+"y", secret) {
				t.Errorf("%q is not seen in %s", secret, text)
			}
		}
		if holdsSecret("a sealed calendar of al@example.com", secret) {
			t.Errorf("%q is seen where it is not", secret)
		}
	}
}
