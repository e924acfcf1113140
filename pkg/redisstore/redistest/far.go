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

// Far is a Redis that is far away: commands take half of a round trip to get there, and answers as long to come back.
//
// It counts round trips that depend on each other, as logical clocks do. What is sent carries one more than the highest
// number that any answer has brought so far; an answer brings the highest number that the Redis has seen. So commands
// that are under way together, on whatever connections, count once, and one that waits for an answer counts one more.
type Far struct {
	// URL is the address of this Redis.
	URL string

	trip time.Duration
	near string

	mu sync.Mutex
	// here is the highest number that an answer has brought, there the highest that the Redis has seen.
	here, there int
	sent        []string
}

// StartFar starts a Redis, as Start does, that is one round trip of so long away.
func StartFar(tb testing.TB, trip time.Duration) *Far {
	tb.Helper()
	near, err := url.Parse(Start(tb))
	if err != nil {
		tb.Fatal(err)
	}
	var config net.ListenConfig
	door, err := config.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	f := &Far{URL: "redis://" + door.Addr().String(), trip: trip, near: near.Host}
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	var carrying sync.WaitGroup
	carrying.Go(func() {
		for {
			client, err := door.Accept()
			if err != nil {
				return
			}
			carrying.Go(func() { f.carry(ctx, client) })
		}
	})
	tb.Cleanup(func() {
		cancel()
		door.Close()
		carrying.Wait()
	})
	return f
}

// Trips is how many round trips, each of which waited for the one before, there have been so far.
func (f *Far) Trips() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.here
}

// Sent are the commands by their names that were sent behind the round trip numbered after, a line for each of them.
func (f *Far) Sent(after int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var lines strings.Builder
	for i := after; i < len(f.sent); i++ {
		fmt.Fprintf(&lines, "%3d%s\n", i-after+1, f.sent[i])
	}
	return lines.String()
}

func (f *Far) carry(ctx context.Context, client net.Conn) {
	var dialer net.Dialer
	server, err := dialer.DialContext(ctx, "tcp", f.near)
	if err != nil {
		client.Close()
		return
	}
	over := context.AfterFunc(ctx, func() { client.Close(); server.Close() })
	defer over()
	var both sync.WaitGroup
	both.Go(func() { f.slowly(server, client, f.leave, f.reach) })
	both.Go(func() { f.slowly(client, server, f.answer, f.arrive) })
	both.Wait()
}

// leave is the number of what is sent now, reach takes it to the Redis, answer is the number of what that says now, and
// arrive brings it here.
func (f *Far) leave(data []byte) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.sent) <= f.here {
		f.sent = append(f.sent, "")
	}
	for _, name := range commandName.FindAllSubmatch(data, -1) {
		f.sent[f.here] += " " + strings.ToUpper(string(name[1]))
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

var commandName = regexp.MustCompile(`\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n`)

// slowly copies what comes, each piece after half of a round trip, however much is on its way meanwhile. A connection
// that ends at one end ends at the other.
func (f *Far) slowly(to, from net.Conn, begins func([]byte) int, ends func(trip int)) {
	type piece struct {
		due  time.Time
		data []byte
		trip int
	}
	road := make(chan piece, 10_000)
	var arriving sync.WaitGroup
	arriving.Go(func() {
		for p := range road {
			<-time.After(time.Until(p.due))
			ends(p.trip)
			if _, err := to.Write(p.data); err != nil {
				continue // so that the road gets empty
			}
		}
		to.Close()
	})
	for {
		data := make([]byte, 32<<10)
		n, err := from.Read(data)
		if n > 0 {
			road <- piece{time.Now().Add(f.trip / 2), data[:n], begins(data[:n])}
		}
		if err != nil {
			close(road)
			arriving.Wait()
			return
		}
	}
}
