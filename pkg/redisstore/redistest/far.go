package redistest

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Far is a Redis behind a slow network: commands and answers each take half a round trip.
//
// It counts round trips that depend on each other, as a Lamport clock does. A command carries one more than the highest
// number that any answer has brought; an answer brings the highest number that the Redis has seen. So commands under
// way at the same time, on any connections, count once, and a command that waited for an answer counts one more. What
// is sent from time to time, whether or not anything is asked for, does not count: its answer brings a number, and it
// carries none.
type Far struct {
	// URL is the address of this Redis.
	URL string

	trip time.Duration
	near string
	// repeats tells commands that are sent from time to time by their words.
	repeats *regexp.Regexp

	mu sync.Mutex
	// here is the highest number that an answer has brought, there the highest that the Redis has seen.
	here, there int
	// sent has the names of the commands of each round trip.
	sent []string
}

// StartFar is Start for a Redis whose round trips take at least trip. Commands whose words match repeats are sent from
// time to time; nil means none.
func StartFar(tb testing.TB, trip time.Duration, repeats *regexp.Regexp) *Far {
	tb.Helper()
	near, err := url.Parse(Start(tb))
	if err != nil {
		tb.Fatal(err)
	}
	var config net.ListenConfig
	listener, err := config.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	f := &Far{URL: "redis://" + listener.Addr().String(), trip: trip, near: near.Host, repeats: repeats}
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Go(func() { f.relay(ctx, client) })
		}
	})
	tb.Cleanup(func() {
		cancel()
		listener.Close()
		connections.Wait()
	})
	return f
}

// Trips counts the round trips so far that each waited for the one before.
func (f *Far) Trips() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.here
}

// Sent lists the names of the commands sent after the round trip numbered after, one line for each round trip.
func (f *Far) Sent(after int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var lines strings.Builder
	for i := after; i < len(f.sent); i++ {
		fmt.Fprintf(&lines, "%3d%s\n", i-after+1, f.sent[i])
	}
	return lines.String()
}

func (f *Far) relay(ctx context.Context, client net.Conn) {
	var dialer net.Dialer
	server, err := dialer.DialContext(ctx, "tcp", f.near)
	if err != nil {
		client.Close()
		return
	}
	stop := context.AfterFunc(ctx, func() { client.Close(); server.Close() })
	defer stop()
	var both sync.WaitGroup
	both.Go(func() { f.copySlowly(server, client, f.send, f.reach) })
	both.Go(func() { f.copySlowly(client, server, f.answer, f.arrive) })
	both.Wait()
}

// send returns the number of commands sent now, and reach takes it to the Redis; answer returns the number of an
// answer sent now, and arrive brings it back.
func (f *Far) send(data []byte) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.sent) <= f.here {
		f.sent = append(f.sent, "")
	}
	counts := false
	begins := commandStart.FindAllIndex(data, -1)
	for i, at := range begins {
		end := len(data)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		words := strings.Join(strings.Fields(wordLength.ReplaceAllString(string(data[at[1]:end]), " ")), " ")
		if f.repeats != nil && f.repeats.MatchString(words) {
			continue
		}
		name, _, _ := strings.Cut(words, " ")
		f.sent[f.here] += " " + strings.ToUpper(name)
		counts = true
	}
	if !counts && len(begins) > 0 {
		return 0
	}
	return f.here + 1
}

func (f *Far) reach(trip int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.there = max(f.there, trip)
}

func (f *Far) answer([]byte) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.there
}

func (f *Far) arrive(trip int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.here = max(f.here, trip)
}

var (
	commandStart = regexp.MustCompile(`\*\d+\r\n\$\d+\r\n`)
	wordLength   = regexp.MustCompile(`\r\n\$\d+\r\n`)
)

// copySlowly copies each piece half a round trip after it came, however many are on their way. When from ends, it
// closes to.
func (f *Far) copySlowly(to, from net.Conn, begins func([]byte) int, ends func(trip int)) {
	type piece struct {
		due  time.Time
		data []byte
		trip int
	}
	wire := make(chan piece, 10_000)
	var arriving sync.WaitGroup
	arriving.Go(func() {
		for p := range wire {
			<-time.After(time.Until(p.due))
			ends(p.trip)
			if _, err := to.Write(p.data); err != nil {
				continue // drains the wire
			}
		}
		to.Close()
	})
	for {
		data := make([]byte, 32<<10)
		n, err := from.Read(data)
		if n > 0 {
			wire <- piece{time.Now().Add(f.trip / 2), data[:n], begins(data[:n])}
		}
		if err != nil {
			close(wire)
			arriving.Wait()
			return
		}
	}
}
