package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/change"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/testenv"
	"convene/stages"
)

// onlooker is a process that shares a Redis with replicas: it shows changes to "me", and sees what stands there.
type onlooker struct {
	*testing.T
	desk  *change.Desk
	day   agenda.Base
	owner meet.Person
	zone  *time.Location
	app   *app
}

func newOnlooker(t *testing.T, args ...string) *onlooker {
	t.Helper()
	o := &onlooker{T: t}
	a, err := wire(t.Context(), parseSettings(t, args...), io.Discard, func(p *stages.Ports) {
		o.day = p.Agenda
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.close)
	if o.owner, err = a.store.People().Person(t.Context(), "me"); err != nil {
		t.Fatal(err)
	}
	o.app, o.desk, o.zone = a, a.changes, o.owner.Zone()
	return o
}

// at is a span of the Sunday after friday, which is empty.
func (o *onlooker) at(hour, minute int) interval.Span {
	start := time.Date(2026, 11, 22, hour, minute, 0, 0, o.zone)
	return interval.Span{Start: start, End: start.Add(5 * time.Minute)}
}

func (o *onlooker) change(a agenda.Amendment) meet.Change {
	o.Helper()
	c, err := a.Change(o.zone)
	if err != nil {
		o.Fatal(err)
	}
	return c
}

// block is the change that makes a block.
func (o *onlooker) block(key string, at interval.Span) meet.Change {
	return o.change(agenda.Amendment{Key: key, Kind: agenda.Create, Event: meet.Occurrence{
		UID: key, Title: key, Kind: meet.WorkBlock, Span: at,
	}})
}

func (o *onlooker) propose(key string, atOnce bool, changes ...meet.Change) meet.ChangeSet {
	o.Helper()
	set, applied, err := o.desk.Propose(o.Context(), change.Draft{
		Owner: o.owner, Key: key, Changes: changes, Heard: atOnce, Named: atOnce, AutoConfirm: atOnce,
	})
	if err != nil || atOnce != (applied != nil && applied.Outcome == meet.AllApplied) {
		o.Fatalf("propose %s: %+v, %v", key, applied, err)
	}
	return set
}

// events are those of Sunday whose titles begin so.
func (o *onlooker) events(prefix string) (found []meet.Occurrence) {
	o.Helper()
	sunday := time.Date(2026, 11, 22, 0, 0, 0, 0, o.zone)
	all, err := o.day.Events(o.Context(), o.owner, interval.Span{Start: sunday, End: sunday.AddDate(0, 0, 1)})
	if err != nil {
		o.Fatal(err)
	}
	for _, e := range all {
		if strings.HasPrefix(e.Title, prefix) {
			found = append(found, e)
		}
	}
	return found
}

// ten shows ten changes of six blocks that it makes first: renamed, moved and deleted ones, and four new ones.
func (o *onlooker) ten(name string) meet.ChangeSet {
	o.Helper()
	var before []meet.Change
	for i := range 6 {
		before = append(before, o.block(fmt.Sprintf("%s-old%d", name, i), o.at(8, 5*i)))
	}
	o.propose(name+"-before", true, before...)
	var changes []meet.Change
	for i, e := range o.events(name + "-old") {
		a := agenda.Amendment{Key: fmt.Sprintf("%s-change%d", name, i), Kind: agenda.Update, Event: e}
		title, span := fmt.Sprintf("%s-renamed%d", name, i), o.at(12, 5*i)
		switch i {
		case 0, 1, 2:
			a.Set.Title = &title
		case 3, 4:
			a.Set.Span = &span
		default:
			a.Kind = agenda.Delete
		}
		changes = append(changes, o.change(a))
	}
	for i := range 4 {
		changes = append(changes, o.block(fmt.Sprintf("%s-new%d", name, i), o.at(16, 5*i)))
	}
	return o.propose(name, false, changes...)
}

// wantTen wants the ten changes to be made, each once.
func (o *onlooker) wantTen(name string) {
	o.Helper()
	var got []string
	for _, e := range o.events(name + "-") {
		got = append(got, e.Span.Start.In(o.zone).Format("15:04 ")+strings.TrimPrefix(e.Title, name+"-"))
	}
	slices.Sort(got)
	want := []string{
		"08:00 renamed0", "08:05 renamed1", "08:10 renamed2", "12:15 old3", "12:20 old4", "16:00 new0", "16:05 new1",
		"16:10 new2", "16:15 new3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		o.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// confirmChanges confirms, again where it is to be tried again, and gives the status, 0 where the connection broke. It
// may be called from any goroutine.
func confirmChanges(t *testing.T, server string, set meet.ChangeSet) (status int, applied meet.Applied) {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < patience; {
		path := server + "/v1/changes/" + string(set.ID) + "/confirm"
		body := fmt.Sprintf(`{"digest": %q}`, set.Digest)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return 0, applied
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, applied
		}
		answer, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			return 0, applied
		}
		if resp.StatusCode == http.StatusServiceUnavailable {
			continue
		}
		var told struct{ Applied meet.Applied }
		if err := json.Unmarshal(answer, &told); err != nil || resp.StatusCode != http.StatusOK {
			t.Logf("%s: %s", path, answer)
		}
		return resp.StatusCode, told.Applied
	}
	t.Error("it is not confirmed at last")
	return 0, applied
}

// awaitChanges waits until no change set is being applied.
//
//nolint:contextcheck // a look takes no time, and its context is the test's
func awaitChanges(ctx context.Context, t *testing.T, redis string) {
	t.Helper()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		open := redisSays(t, redis, "SCARD convene:{changes}:open")
		if claimed := redisSays(t, redis, "KEYS convene:{changes}:claim:*"); open == ":0" && claimed == "*0" {
			tick.Stop()
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%s change sets are open", open[1:])
		}
	}
}

// A replica is killed after each of the commands that an apply gives to Redis, in turn, with the answer still on its
// way. Others go on; each change is made once, and the confirmation, sent again, tells of all.
func TestAReplicaIsKilledAfterEachStepOfAnApply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of      string
		changes int
		show    func(o *onlooker, name string) meet.ChangeSet
		want    func(o *onlooker, name string)
	}{
		{"events", 10, (*onlooker).ten, (*onlooker).wantTen},
		{"records", 15, (*onlooker).records, (*onlooker).wantRecords},
	} {
		t.Run(c.of, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			redis := redistest.Start(t)
			o := newOnlooker(t, "--redis-url="+redis)
			survivor := startReplica(t, "--redis-url="+redis, "--now="+friday)
			sets := map[string]meet.ChangeSet{}
			for n := 0; ; n += testenv.Count(7, 1) {
				name := fmt.Sprintf("round%d", n)
				wire := newTripwire(t, redis)
				wire.victim = startReplica(t, "--redis-url="+wire.url(), "--now="+friday)
				set := c.show(o, name)
				sets[name] = set
				wire.stretch(n, &client{proposal: string(set.ID), conversation: name})
				status, _ := confirmChanges(t, wire.victim.url, set)
				if status == http.StatusOK {
					wire.relax()
					if n < 2*c.changes {
						t.Errorf("only %d commands were seen", n)
					}
					break
				}
				wire.awaitKill(t)
			}
			awaitChanges(ctx, t, redis)
			for name, set := range sets {
				status, applied := confirmChanges(t, survivor.url, set)
				if status != http.StatusOK || applied.Outcome != meet.AllApplied || len(applied.Changes) != c.changes {
					t.Errorf("%s: confirmed again: %d, %+v", name, status, applied)
				}
				c.want(o, name)
			}
		})
	}
}

// A hundred confirmations of one set, at two replicas, apply it once.
func TestAHundredConfirmationsOfOneSet(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	o := newOnlooker(t, "--redis-url="+redis)
	args := []string{"--redis-url=" + redis, "--now=" + friday}
	servers := []string{startReplica(t, args...).url, startReplica(t, args...).url}
	set := o.ten("all")
	answers := make(chan string, 100)
	for i := range cap(answers) {
		go func() {
			status, applied := confirmChanges(t, servers[i%2], set)
			answers <- fmt.Sprintf("%d %s %d", status, applied.Outcome, len(applied.Changes))
		}()
	}
	for range cap(answers) {
		if got := <-answers; got != "200 applied 10" {
			t.Errorf("a confirmation was answered %q", got)
		}
	}
	o.wantTen("all")
}

// A replica is killed when one of its changes reaches a CalDAV server, before or after that is carried out. Others go
// on; each change is made once.
func TestAReplicaIsKilledWhileItChangesACalendar(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis := redistest.Start(t)
	args := sealing(t, redis)
	o, survivor := newOnlooker(t, args...), startReplica(t, args...)
	server := caldavtest.Start(t, caldavtest.Options{Addresses: []string{"mailto:me@example.com"}})
	post := &davPost{server, server.AddCalendar("main", nil)}
	path, body := post.connect()
	c := &client{t: t, server: survivor.url}
	if status, answer := c.post("/v1/people/me"+path, "application/json", body); status >= http.StatusBadRequest {
		t.Fatalf("connect: %d %s", status, answer)
	}
	for n := 0; n < 10; n += testenv.Count(4, 1) {
		for _, done := range []bool{false, true} {
			name := fmt.Sprintf("write%d%v", n, done)
			set, victim := o.ten(name), startReplica(t, args...)
			killed, left := make(chan struct{}), atomic.Int32{}
			left.Store(int32(n))
			post.Fail(0, func(_ http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodPut && r.Method != http.MethodDelete || left.Add(-1) != -1 {
					return false
				}
				sent, _ := io.ReadAll(r.Body) // before its sender dies, as it would be if it had come through
				r.Body = io.NopCloser(bytes.NewReader(sent))
				victim.kill()
				close(killed)
				return !done
			})
			if status, applied := confirmChanges(t, victim.url, set); status != 0 {
				t.Fatalf("%s: the replica answered with %d; it wrote too little: %+v", name, status, applied)
			}
			<-killed
			awaitChanges(ctx, t, redis)
			status, applied := confirmChanges(t, survivor.url, set)
			if status != http.StatusOK || applied.Outcome != meet.AllApplied || len(applied.Changes) != 10 {
				t.Errorf("%s: confirmed again: %d, %+v", name, status, applied)
			}
			o.wantTen(name)
			for _, e := range o.events(name + "-") {
				if e.Provider != "caldav" {
					t.Errorf("%s stands at %q", e.Title, e.Provider)
				}
			}
		}
	}
}
