package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"convene/pkg/meet"
	"convene/pkg/notice"
	"convene/pkg/record"
	"convene/pkg/redisstore"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/sse"
	"convene/pkg/task"
	"convene/pkg/testenv"
)

// heard are the notices of one person, with how late each came.
type heard struct {
	last string
	ids  []string
	late []time.Duration
}

// listen hears a person's notices from whichever server answers, until there are so many.
func (h *heard) listen(ctx context.Context, person string, most int, servers ...string) {
	for i := 0; len(h.ids) < most && ctx.Err() == nil; i++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet,
			servers[i%len(servers)]+"/v1/people/"+person+"/notices", nil)
		if err != nil {
			return
		}
		if h.last != "" {
			req.Header.Set("Last-Event-ID", h.last)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			<-time.After(20 * time.Millisecond) // that replica is dead; another one answers
			continue
		}
		h.read(resp, most)
		_ = resp.Body.Close()
	}
}

func (h *heard) read(resp *http.Response, most int) {
	decoder := sse.NewDecoder(resp.Body)
	for len(h.ids) < most {
		event, err := decoder.Next()
		if err != nil {
			return
		}
		var n notice.Notice
		if json.Unmarshal(event.Data, &n) != nil || n.Type != notice.Type {
			continue
		}
		h.last = event.ID
		h.ids, h.late = append(h.ids, n.TaskID), append(h.late, time.Since(n.Due))
	}
}

// expecting puts tasks of people into the store, as their writer does.
func expecting(t *testing.T, url string, people, each int, due func(i int) time.Time) {
	t.Helper()
	store, err := redisstore.Open(t.Context(), redisstore.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	tasks := reminders{alarms: store.Notices()}
	records := store.Records(meet.TaskThing)
	for p := range people {
		person := meet.Person{ID: meet.PersonID(fmt.Sprint("p", p)), Name: fmt.Sprint("Person ", p)}
		if err := store.People().Put(t.Context(), person); err != nil {
			t.Fatal(err)
		}
		for i := range each {
			one := task.Task{
				ID: fmt.Sprint("t", i), Title: fmt.Sprint("Task ", i), Status: task.Backlog, Due: due(i).Format(time.RFC3339Nano),
			}
			value, err := meet.MarshalLine(one.Listed())
			if err != nil {
				t.Fatal(err)
			}
			kept := record.Entry{Value: value}
			if _, err := records.Replace(t.Context(), person.ID, one.ID, record.Entry{}, kept); err != nil {
				t.Fatal(err)
			}
			if err := tasks.remind(t.Context(), person, one, time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Reminders fall due while one of two replicas is killed again and again: each is told once.
func TestEachReminderIsToldOnceWhileReplicasAreKilled(t *testing.T) {
	t.Parallel()
	const people = 10
	each := testenv.Count(40, 1000)
	spread := time.Duration(testenv.Count(4, 60)) * time.Second
	redis := redistest.Start(t)
	a, b := startReplica(t, "--redis-url="+redis), startReplica(t, "--redis-url="+redis)
	began := time.Now().Add(2 * time.Second)
	expecting(t, redis, people, each, func(i int) time.Time {
		return began.Add(spread * time.Duration(i) / time.Duration(each))
	})

	ctx, cancel := context.WithTimeout(t.Context(), patience+spread)
	defer cancel()
	var all [people]heard
	var listening sync.WaitGroup
	for i := range all {
		listening.Go(func() { all[i].listen(ctx, fmt.Sprint("p", i), each, a.url, b.url) })
	}
	for i := 0; time.Now().Before(began.Add(spread)); i++ {
		victim := []*replica{a, b}[i%2]
		victim.listen = victim.url[len("http://"):]
		<-time.After(spread / 6)
		victim.kill()
		victim.start()
	}
	listening.Wait()

	var late []time.Duration
	for i, h := range all {
		told := slices.Sorted(slices.Values(h.ids))
		if got := len(slices.Compact(slices.Clone(told))); got != each || len(told) != each {
			t.Errorf("person %d: %d notices of %d tasks, want each of %d once", i, len(told), got, each)
		}
		late = append(late, h.late...)
	}
	slices.Sort(late)
	if n := len(late); n > 0 {
		t.Logf("%d reminders; late by %v at the median, %v at the 99th percentile", n, late[n/2], late[n*99/100])
	}
}
