package api

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"convene/pkg/meet"
)

// dropped notes why connections were dropped.
type dropped struct {
	mu  sync.Mutex
	why []string
}

func (d *dropped) note(why string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.why = append(d.why, why)
}

func (d *dropped) all() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.why)
}

// ask sends a request over a connection that stays open; its status is 0 where the connection is closed instead.
func (w wire) ask(conn net.Conn, path string) (status int) {
	w.Helper()
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+w.key+
		"\r\n\r\n"); err != nil {
		return 0
	}
	//nolint:bodyclose // closing it would read a stream to its end
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	if path == "/healthz" {
		if _, err := io.ReadAll(res.Body); err != nil {
			w.Error(err)
		}
	}
	return res.StatusCode
}

// However many connections wait without a request, a new one is let in and answered: the one that has been idle for
// longest makes room. Connections with a request keep their place.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	var told dropped
	onWires(t, func(w wire) {
		w.log.append("t2", meet.TurnUpdate{TurnID: "t2", ConversationID: "c1"})
		stream := w.dial()
		defer stream.Close()
		if status := w.ask(stream, "/v1/turns/t2/events"); status != http.StatusOK {
			t.Fatalf("stream: %d", status)
		}
		kept := w.dial()
		defer kept.Close()
		if status := w.ask(kept, "/healthz"); status != http.StatusOK {
			t.Fatalf("kept alive: %d", status)
		}
		synctest.Wait()
		for range 20 {
			defer w.dial().Close()
		}
		last := w.dial()
		defer last.Close()
		if status := w.ask(last, "/healthz"); status != http.StatusOK {
			t.Errorf("in a flood of idle connections: %d", status)
		}
		if status := w.ask(kept, "/healthz"); status != 0 {
			t.Errorf("the connection that was idle for longest is answered with %d", status)
		}
		w.log.append("t2", meet.DoneUpdate{})
		if _, err := io.Copy(io.Discard, io.LimitReader(stream, 20)); err != nil {
			t.Errorf("the stream was cut off: %v", err)
		}
		if why := told.all(); len(why) != 20 || slices.ContainsFunc(why, func(w string) bool { return w != droppedIdle }) {
			t.Errorf("%d dropped: %v", len(why), why)
		}
	}, func(c *Config) { c.MaxConnections, c.Dropped = 3, told.note })
}

// Where every connection has a request, a new one is closed without an answer, and let in once there is room again.
func TestAFullServerRefusesConnections(t *testing.T) {
	t.Parallel()
	var told dropped
	onWires(t, func(w wire) {
		w.log.append("t2", meet.TurnUpdate{TurnID: "t2", ConversationID: "c1"})
		var streams []net.Conn
		for range 3 {
			conn := w.dial()
			defer conn.Close()
			if status := w.ask(conn, "/v1/turns/t2/events"); status != http.StatusOK {
				t.Fatalf("stream: %d", status)
			}
			streams = append(streams, conn)
		}
		if status := w.ask(w.dial(), "/healthz"); status != 0 {
			t.Errorf("one too many: %d", status)
		}
		streams[0].Close()
		synctest.Wait()
		if status := w.ask(w.dial(), "/healthz"); status != http.StatusOK {
			t.Errorf("with room again: %d", status)
		}
		if why := told.all(); !slices.Equal(why, []string{droppedFull}) {
			t.Errorf("dropped: %v", why)
		}
	}, func(c *Config) { c.MaxConnections, c.Dropped = 3, told.note })
}

// One client has only so many connections; proxies that speak for many, and this machine, are not held to that.
func TestConnectionsPerAddress(t *testing.T) {
	t.Parallel()
	_, proxies, err := net.ParseCIDR("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	onWires(t, func(w wire) {
		var first net.Conn
		for i, test := range []struct {
			from string
			want int
		}{
			{"192.0.2.7", 200},
			{"192.0.2.7", 200},
			{"192.0.2.7", 0},
			{"::ffff:192.0.2.7", 0},
			{"192.0.2.8", 200},
			{"2001:db8:1:2::1", 200},
			{"2001:db8:1:2::2", 200},
			{"2001:db8:1:2::3", 0}, // one network is one client
			{"2001:db8:1:3::3", 200},
			{"10.0.0.1", 200}, {"10.0.0.1", 200}, {"10.0.0.1", 200},
			{"127.0.0.1", 200}, {"127.0.0.1", 200}, {"::1", 200}, {"::1", 200}, {"::1", 200},
		} {
			conn := w.dialFrom(test.from)
			defer conn.Close()
			if status := w.ask(conn, "/healthz"); status != test.want {
				t.Errorf("connection %d, from %s: %d, want %d", i+1, test.from, status, test.want)
			}
			if first == nil {
				first = conn
			}
		}
		first.Close()
		synctest.Wait()
		if status := w.ask(w.dialFrom("192.0.2.7"), "/healthz"); status != http.StatusOK {
			t.Errorf("once another has gone: %d", status)
		}
	}, func(c *Config) { c.MaxPerAddress, c.TrustedProxies = 2, []*net.IPNet{proxies} })
}
