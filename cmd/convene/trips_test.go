package main

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"convene/pkg/redisstore/redistest"
	"convene/pkg/sse"
)

// mostTrips is how many round trips to Redis, each after the one before, a turn of an event may take from
// the request to the end of its stream. With a Redis 200 ms away that is what a person waits for.
const mostTrips = 12

// watches are the commands by which a process looks again and again for what is due and what waits. On a busy machine
// they go on while a turn does not.
var watches = regexp.MustCompile(`(?i)^(?:ping|(?:srandmember|zrangebyscore|zcard|xreadgroup) .*)$|` +
	`\{notice\}:due|^evalsha \w+ \d+ \S*\{queue\} \S*\{queue\}:seen `)

// A turn asks Redis side by side what does not depend on each other, and does not wait for what it writes before it
// goes on.
func TestATurnTakesFewRoundTrips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		processes int
		key       bool
	}{{"one process", 1, false}, {"two processes", 2, false}, {"with a key", 1, true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			far := redistest.StartFar(t, 200*time.Millisecond, watches)
			asks := &talker{t: t}
			if c.key {
				_, asks.credential = newKey(t, far.URL, "")
			}
			for range c.processes {
				asks.server = startServer(t, "", "--redis-url="+far.URL)
			}
			const event = "Let's grab coffee with Al next week"
			// Until then connections are made, and scripts are loaded.
			for _, message := range []string{event, "make it later", "what else is there?"} {
				asks.trips(far, "warm", message, "")
			}
			for _, said := range []struct{ message, more string }{
				{event, ""}, {"make it later", ""}, {"make it Thursday", ""}, {"what else is there?", ""}, {"hello", ""},
				{"Lunch next week", `, "participants": ["al", "dana"]`},
			} {
				// Some trips depend on when a message comes: whether the keys were read a moment ago, or the queue is being
				// asked just then.
				n, sent := asks.trips(far, "talk", said.message, said.more)
				for range 5 {
					if n > mostTrips {
						n, sent = asks.trips(far, "talk", said.message, said.more)
					}
				}
				t.Logf("%q takes %d round trips", said.message, n)
				if n > mostTrips {
					t.Errorf("%q takes %d round trips to Redis, want %d at most:\n%s", said.message, n, mostTrips, sent)
				}
			}
		})
	}
}

// trips is how many round trips to Redis a turn takes, and what is sent in each.
func (c *talker) trips(far *redistest.Far, conversation, message, more string) (n int, sent string) {
	c.t.Helper()
	before := far.Trips()
	got := c.stream(fmt.Sprintf(`{"message": %q, "organizer": "me", "conversationId": %q%s}`, message, conversation, more))
	if !strings.Contains(got, `{"type":"done","outcome":"`) || strings.Contains(got, `"outcome":"failed"`) {
		c.t.Errorf("%q: %s", message, got)
	}
	return far.Trips() - before, far.Sent(before)
}

// stream is the stream of a turn, to its end.
func (c *talker) stream(body string) string {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.server+"/v1/turns", strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + c.credential, "Content-Type": "application/json", "Accept": sse.ContentType,
	} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(got)
}
