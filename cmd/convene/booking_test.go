package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"convene/pkg/redisstore/redistest"
)

// crowdSize is how many confirm at the same time.
const crowdSize = 100

// atOnce has n requests answered at the same time and counts the statuses.
func atOnce(n int, request func(i int) int) map[int]int {
	counts := map[int]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			status := request(i)
			mu.Lock()
			defer mu.Unlock()
			counts[status]++
		})
	}
	close(start)
	all.Wait()
	return counts
}

// stranger is a conversation of a person who is not stored, and whose time comes with the request, so that there can be
// any number of them.
func stranger(t *testing.T, server, name, guest, message string) *client {
	t.Helper()
	c := &client{t: t, server: server, conversation: name}
	c.take(step{kind: "json", body: fmt.Sprintf(
		`{"message": %q, "organizer": {"id": %q, "name": "Kim", "timezone": "America/Los_Angeles"},
		"participants": [{"id": %q, "name": "Lee"}],
		"availability": [{"person": %q, "busy": []}, {"person": %q, "busy": []}]}`, message, name, guest, name, guest)})
	if c.proposal == "" {
		t.Fatalf("%s was proposed nothing", name)
	}
	return c
}

// bookedBy is how many events stand in a person's part of Convene's book.
func bookedBy(t *testing.T, redis, person string) string {
	t.Helper()
	return redisSays(t, redis, "HLEN convene:{calendar}:"+person)
}

// A hundred confirmations of one proposal, on two replicas: all are told of the same, single event.
func TestHundredConfirmationsOnTwoReplicas(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	args := []string{"--redis-url=" + redis, "--now=" + friday}
	replicas := []string{startReplica(t, args...).url, startReplica(t, args...).url}
	c := stranger(t, replicas[0], "kim", "lee", "call Lee on Wednesday at 9am")
	answers := make([]string, crowdSize)
	counts := atOnce(crowdSize, func(i int) int {
		at := &client{t: t, server: replicas[i%2]}
		status, body := at.post("/v1/proposals/"+c.proposal+"/confirm", "application/json", "{}")
		answers[i] = string(body)
		return status
	})
	if counts[http.StatusOK] != crowdSize {
		t.Errorf("statuses %v, want 200 only", counts)
	}
	for _, answer := range answers {
		if answer != answers[0] {
			t.Errorf("one was told\n%s\nand another\n%s", answers[0], answer)
		}
	}
	for _, person := range []string{"kim", "lee"} {
		if got := bookedBy(t, redis, person); got != ":1" {
			t.Errorf("%s has %s events, want one", person, got)
		}
	}
	wantSettled(t, redis)
}

// A hundred proposals for the same person's same time, on two replicas: one is booked, and everyone else is told that
// the time has gone, with other times.
func TestHundredProposalsForOneSlotOnTwoReplicas(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	args := []string{"--redis-url=" + redis, "--now=" + friday}
	replicas := []string{startReplica(t, args...).url, startReplica(t, args...).url}
	rivals := make([]*client, crowdSize)
	var proposing sync.WaitGroup
	for worker := range 8 {
		proposing.Go(func() {
			for i := worker; i < crowdSize; i += 8 {
				rivals[i] = stranger(t, replicas[i%2], fmt.Sprint("kim", i), "lee", "call Lee on Wednesday at 9am")
			}
		})
	}
	proposing.Wait()
	counts := atOnce(crowdSize, func(i int) int {
		status, body := rivals[i].post("/v1/proposals/"+rivals[i].proposal+"/confirm", "application/json", "{}")
		var problem struct {
			Code  string
			Slots []any
		}
		if err := json.Unmarshal(body, &problem); err != nil {
			t.Error(err)
		}
		if status == http.StatusConflict && (problem.Code != "slot_gone" || len(problem.Slots) == 0) {
			t.Errorf("told %s, want other times", body)
		}
		return status
	})
	if counts[http.StatusOK] != 1 || counts[http.StatusConflict] != crowdSize-1 {
		t.Errorf("statuses %v, want one 200 and else 409", counts)
	}
	if got := bookedBy(t, redis, "lee"); got != ":1" {
		t.Errorf("Lee has %s events, want one", got)
	}
	wantSettled(t, redis)
}

// wantSettled wants nobody held and nothing unfinished.
func wantSettled(t *testing.T, redis string) {
	t.Helper()
	for _, unsettled := range []string{"convene:{hold}:*", "convene:{saga}:open", "convene:{saga}:claim:*"} {
		if got := redisSays(t, redis, "KEYS "+unsettled); got != "*0" {
			t.Errorf("there is still something under %s: %s", unsettled, strings.TrimPrefix(got, "*"))
		}
	}
}

// A guest whose calendar nobody can read is booked once that was accepted, however their name was typed.
func TestAGuestWithAStrangelyTypedName(t *testing.T) {
	t.Parallel()
	c := &client{t: t, server: startServer(t, ""), conversation: "typed"}
	proposed := c.take(step{
		kind: "json", body: `{"message": "video call on Wednesday at 3pm", "organizer": "me", "participants": [{"name": ` +
			`"Dana  Levi\u200f"}]}`,
	})
	check(t, step{
		n: 1, wants: []string{`event.unknown = ["Dana Levi"]`, "event.participants.1.name = Dana Levi"},
	}, []any{proposed})
	check(t, step{n: 2, wants: []string{"event.status = confirmed"}}, []any{c.settle("confirm", "{}")})
}

// An organizer who meets a guest with an unknown calendar is offered other times too if the chosen one has gone.
func TestFreshTimesWithAGuestNobodyKnows(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	ask := func(conversation, guest string) *client {
		c := &client{t: t, server: server, conversation: conversation}
		c.take(step{
			kind: "json", body: `{"message": "video call on Tuesday at 11am", "organizer": "me", "participants": [{"name": "` +
				guest + `"}]}`,
		})
		return c
	}
	mine, rival := ask("mine", "Pat Stone"), ask("rival", "Kim Lee")
	check(t, step{n: 1, wants: []string{"event.status = confirmed"}}, []any{rival.settle("confirm", "{}")})
	gone := mine.settle("confirm", "{}")
	check(t, step{n: 2, wants: []string{
		"problem.code = slot_gone", "problem.slots.length > 1", "problem.slots.0.state = unknown",
		`problem.slots.0.unknown = ["Pat Stone"]`,
	}}, []any{gone})
	start, _ := lookup(gone, "problem.slots.0.start")
	check(t, step{n: 3, wants: []string{
		"event.status = confirmed", fmt.Sprint("event.start = ", start), `event.unknown = ["Pat Stone"]`,
	}}, []any{mine.settle("confirm", fmt.Sprintf(`{"slot": 0, "start": %q}`, start))})
}
