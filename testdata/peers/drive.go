package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// turn is how a server is asked, and what a whole answer holds.
type turn struct {
	path string
	body []byte
	must []string
}

var (
	conveneTurn = turn{"/v1/turns", said(map[string]string{"message": sentence, "organizer": "me"}),
		[]string{`"type":"acknowledgment"`, `"type":"template"`, `"type":"event"`, `"type":"done","outcome":"proposed"`}}
	peerTurn = turn{"/turn", said(map[string]string{"message": sentence}),
		[]string{`"acknowledgment"`, `"preferredSchedulableDates"`, `"rankedPlaceIndices":[`, "data: [DONE]"}}
)

func said(body map[string]string) []byte {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // a map of strings always has a form in JSON
	}
	return b
}

// run is one measurement of one server.
type run struct {
	Server         string  `json:"server"`
	Turns          int     `json:"turns"`
	TurnsPerSecond float64 `json:"turnsPerSecond"`
	// CPUms is the processor time of the server's process for each turn, RedisMs that of Redis.
	CPUms   float64 `json:"cpuMs"`
	RedisMs float64 `json:"redisMs,omitempty"`
	ModelMs float64 `json:"modelMs"`
}

// drive has clients ask the server for as long as span, each again as soon as its stream has ended, and reads all
// streams to their end. A stream that lacks something ends the comparison.
func (f *field) drive(ctx context.Context, c contender, clients int, span time.Duration) (run, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	transport := &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	before, err := f.spent(c)
	if err != nil {
		return run{}, err
	}
	began := time.Now()
	counts := make([]int, clients)
	var working sync.WaitGroup
	for i := range clients {
		working.Go(func() {
			for time.Since(began) < span && ctx.Err() == nil {
				if err := c.turn.ask(ctx, transport, c.process.url); err != nil {
					cancel(fmt.Errorf("%s: %w", c.name, err))
					return
				}
				counts[i]++
			}
		})
	}
	working.Wait()
	took := time.Since(began)
	if err := context.Cause(ctx); err != nil {
		return run{}, err
	}
	after, err := f.spent(c)
	if err != nil {
		return run{}, err
	}
	r := run{Server: c.name}
	for _, n := range counts {
		r.Turns += n
	}
	each := func(i int) float64 { return (after[i] - before[i]).Seconds() * 1000 / float64(r.Turns) }
	r.TurnsPerSecond, r.CPUms, r.ModelMs = float64(r.Turns)/took.Seconds(), each(0), each(1)
	if c.name == "Convene" {
		r.RedisMs = each(2)
	}
	return r, nil
}

// spent is the processor time so far of the server, of the model and of Redis.
func (f *field) spent(c contender) (all [3]time.Duration, err error) {
	for i, p := range []*process{c.process, f.model, f.redis} {
		if all[i], err = p.cpu(); err != nil {
			return all, err
		}
	}
	return all, nil
}

// ask has one turn and reads it to its end.
func (t turn) ask(ctx context.Context, transport http.RoundTripper, server string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server+t.path, bytes.NewReader(t.body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("read a turn: %w", err)
	}
	for _, part := range t.must {
		if !bytes.Contains(answer, []byte(part)) {
			return fmt.Errorf("status %d, and %s is missing from the turn:\n%s", resp.StatusCode, part, answer)
		}
	}
	return nil
}
