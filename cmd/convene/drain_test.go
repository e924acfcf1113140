package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"convene/pkg/llm"
	"convene/pkg/sse"
	"convene/stages"
)

// heldModel answers once it is let.
type heldModel struct {
	llm.Model
	asked, let chan struct{}
}

func (m heldModel) Complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Reply, error) {
	select {
	case m.asked <- struct{}{}:
	default:
	}
	select {
	case <-m.let:
	case <-ctx.Done():
	}
	return m.Model.Complete(ctx, req, onDelta)
}

// A server that is told to stop refuses new connections, is not ready, turns away what still comes over open
// connections, closes the idle ones, and gives a running turn its time, and its readers with it.
func TestAServerDrains(t *testing.T) {
	t.Parallel()
	model := heldModel{asked: make(chan struct{}, 1), let: make(chan struct{})}
	a, err := wire(t.Context(), parseSettings(t), io.Discard, func(p *stages.Ports) {
		model.Model = p.Model
		p.Model = model
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.close)
	server, err := a.start(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	beside := freeAddress(t)
	end, err := a.measure(t.Context(), beside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)

	c := &client{t: t, server: server.url(), conversation: "drained"}
	path := c.begin("Let's grab coffee with Al next week")
	stream := dialled(t, server.url(), "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if status, _ := stream.answer(t); status != http.StatusOK {
		t.Fatalf("stream: %d", status)
	}
	<-model.asked
	idle := dialled(t, server.url(), "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
	idle.answer(t)
	if _, err := io.Copy(io.Discard, idle.body); err != nil {
		t.Fatal(err)
	}
	posting, reading := dialled(t, server.url(), "POST"), dialled(t, server.url(), "GET")
	// Connections are accepted one after the other: once the last is answered, all are.
	dialled(t, server.url(), "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n").answer(t)

	stopped := make(chan error, 1)
	go func() { stopped <- server.stop(t.Context()) }()
	for { // until nobody new is let in
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.listener.Addr().String())
		if errors.Is(err, syscall.ECONNREFUSED) {
			break
		}
		if err == nil {
			conn.Close()
		}
	}
	if _, err := idle.reader.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the idle connection: %v, want that it is closed", err)
	}
	body := `{"message": "lunch", "organizer": "me"}`
	fmt.Fprintf(posting, " /v1/turns HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\nContent-Type: "+
		"application/json\r\nContent-Length: %d\r\n\r\n%s", sse.ContentType, len(body), body)
	if status, header := posting.answer(t); status != http.StatusServiceUnavailable ||
		header.Get("Connection") != "close" || header.Get("Retry-After") == "" {
		t.Errorf("another turn: %d, %v", status, header)
	}
	fmt.Fprintf(reading, " %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
	if status, header := reading.answer(t); status != http.StatusOK || header.Get("Connection") != "close" {
		t.Errorf("another reader: %d, %v; EventSource would give up on anything else", status, header)
	}
	for probe, want := range map[string]int{"/readyz": http.StatusServiceUnavailable, "/healthz": http.StatusOK,
		"/metrics": http.StatusOK} {
		if status, _, _ := get(t, "http://"+beside+probe); status != want {
			t.Errorf("%s besides: %d, want %d", probe, status, want)
		}
	}
	select {
	case err := <-stopped:
		t.Fatalf("it ended while a turn ran: %v", err)
	default:
	}
	close(model.let)
	for name, follower := range map[string]*dial{"from before": stream, "from after": reading} {
		updates, err := io.ReadAll(follower.body)
		if err != nil || bytes.Count(updates, []byte(`"type":"done"`)) != 1 ||
			!bytes.Contains(updates, []byte(`"outcome":"proposed"`)) {
			t.Errorf("the reader %s: %v: %s", name, err, updates)
		}
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// dial is a connection over which requests are written by hand.
type dial struct {
	net.Conn
	reader *bufio.Reader
	body   io.Reader
}

func dialled(t *testing.T, url, request string) *dial {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	return &dial{Conn: conn, reader: bufio.NewReader(conn)}
}

// answer reads the head of an answer; its body is left to be read.
func (d *dial) answer(t *testing.T) (status int, header http.Header) {
	t.Helper()
	resp, err := http.ReadResponse(d.reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.body = resp.Body
	t.Cleanup(func() { resp.Body.Close() })
	if resp.Close { // net/http takes the header out
		resp.Header.Set("Connection", "close")
	}
	return resp.StatusCode, resp.Header
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
