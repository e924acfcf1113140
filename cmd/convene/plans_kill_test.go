package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/testenv"
)

// plansTogether is how many plans a round of the test of killed replicas has.
const plansTogether = 2

// Two replicas share a Redis; one is killed at a random moment while plans of eight steps run, wait for an answer, and
// are written, again and again. Every plan ends as it would have, each change is made once, and every reader has the
// same bytes.
func TestAKilledReplicaLosesNoPlan(t *testing.T) {
	t.Parallel()
	rounds := testenv.Count(2, 100)
	args := append(ownersOf(t, rounds*plansTogether), "--redis-url="+redistest.Start(t), "--now="+friday)
	a, b := startReplica(t, args...), startReplica(t, args...)
	for round := range rounds {
		victim, survivor := a, b
		if round%2 == 1 {
			victim, survivor = b, a
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		var running sync.WaitGroup
		for i := range plansTogether {
			p := &planner{
				t: t, owner: fmt.Sprint("p", round*plansTogether+i),
				servers: []string{victim.url, survivor.url}, live: survivor.url,
			}
			running.Go(func() {
				if err := p.runs(ctx); err != nil {
					t.Errorf("round %d, plan of %s: %v", round, p.owner, err)
				}
			})
		}
		<-time.After(time.Duration(rand.IntN(1500)) * time.Millisecond)
		victim.kill()
		running.Wait()
		cancel()
		if t.Failed() {
			return
		}
		victim.start()
	}
}

// eightSteps is a message whose plan has eight steps, the second of which asks which hour is meant.
const eightSteps = `1. delete the budget review 2. move the dentist to 5 3. move the osteopath to 8am 4. add "Haircut"
on Thursday at 8am 5. add "Plumber" on Wednesday at 9am 6. add "Piano" on Wednesday at 3pm 7. add "Choir" on
Thursday at 5pm 8. add "Chess" on Thursday at 7pm`

// ownersOf are the flags of a world of so many people, p0 and so on, each with three events.
func ownersOf(t *testing.T, n int) (flags []string) {
	t.Helper()
	dir := t.TempDir()
	var people []meet.Person
	for i := range n {
		id := fmt.Sprint("p", i)
		people = append(people, meet.Person{
			ID: meet.PersonID(id), Name: "Person " + id, Email: id + "@example.com", Timezone: "America/Los_Angeles",
		})
		lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN"}
		for hour, title := range []string{10: "Budget review", 12: "Dentist", 14: "Osteopath"} {
			if title != "" {
				at := fmt.Sprintf(":20261124T%02d", hour)
				lines = append(lines, "BEGIN:VEVENT", "UID:"+strings.ToLower(title[:4]), "DTSTAMP:20261101T000000Z",
					"DTSTART;TZID=America/Los_Angeles"+at+"0000", "DTEND;TZID=America/Los_Angeles"+at+"3000",
					"SUMMARY:"+title, "END:VEVENT")
			}
		}
		write(t, filepath.Join(dir, "calendars", id+".ics"), strings.Join(append(lines, "END:VCALENDAR", ""), "\r\n"))
	}
	raw, err := json.Marshal(people)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "people.json"), string(raw))
	return []string{"--people=" + filepath.Join(dir, "people.json"), "--calendars=" + filepath.Join(dir, "calendars")}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// planner is one person with one plan, who asks whichever replica answers.
type planner struct {
	t       *testing.T
	owner   string
	servers []string
	// live is the replica that is never killed.
	live string
}

// runs asks for the plan, answers its question, confirms its changes, and holds what came of it against what should.
func (p *planner) runs(ctx context.Context) error {
	var choices meet.Choices
	var set meet.ChangeSet
	var last meet.PlanUpdate
	for n, turn := range []struct {
		body  func() string
		wants string
	}{
		{func() string { return fmt.Sprintf(`"message":%q`, strings.ReplaceAll(eightSteps, "\n", " ")) }, "waiting"},
		{func() string { return fmt.Sprintf(`"answer":{"id":%q,"option":%q}`, choices.ID, evening(choices)) }, "waiting"},
		{func() string { return `"message":"yes"` }, "changed"},
	} {
		updates, err := p.turn(ctx, n, turn.body())
		if err != nil {
			return err
		}
		for _, raw := range updates {
			var u struct {
				Type    string
				Outcome string
				Changes json.RawMessage
				meet.Choices
			}
			if err := json.Unmarshal(raw, &u); err != nil {
				return err
			}
			switch u.Type {
			case "choices":
				choices = u.Choices
			case "changes":
				if err := json.Unmarshal(u.Changes, &set); err != nil {
					return err
				}
			case "plan":
				last = meet.PlanUpdate{}
				if err := json.Unmarshal(raw, &last); err != nil {
					return err
				}
			case "error":
				return fmt.Errorf("turn %d: %s", n, raw)
			case "done":
				if u.Outcome != turn.wants {
					return fmt.Errorf("turn %d ends as %s, want %s", n, u.Outcome, turn.wants)
				}
			}
		}
	}
	return p.check(last, set) //nolint:contextcheck // the context is the test's
}

// evening is the later one of two hours.
func evening(c meet.Choices) string {
	if len(c.Options) == 0 {
		return ""
	}
	return c.Options[len(c.Options)-1].ID
}

// turn sends a turn to the first replica that takes it, and reads it to its end wherever that is told.
func (p *planner) turn(ctx context.Context, n int, body string) (updates [][]byte, err error) {
	body = fmt.Sprintf(`{"organizer":%q,"conversationId":"c-%s",%s}`, p.owner, p.owner, body)
	for i := n; ; i++ {
		path, err := p.begin(ctx, p.servers[i%len(p.servers)], fmt.Sprint(p.owner, "-", n), body)
		if err != nil || ctx.Err() != nil {
			return nil, cmp.Or(err, ctx.Err())
		}
		if path == "" {
			continue // that replica is dead
		}
		r := &reader{t: p.t, path: path, servers: p.servers}
		if err := r.readAll(ctx); err != nil {
			return nil, fmt.Errorf("turn %d: %w", n, err)
		}
		whole := &reader{t: p.t, path: path, servers: []string{p.live}}
		if err := whole.readAll(ctx); err != nil || !slices.EqualFunc(r.blocks, whole.blocks, bytes.Equal) {
			return nil, fmt.Errorf("turn %d: readers have other bytes: %w\n%s\n%s", n, err, r.blocks, whole.blocks)
		}
		return r.blocks, nil
	}
}

// begin sends a turn to one replica. The path is empty if that is dead.
func (p *planner) begin(ctx context.Context, server, key, body string) (path string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server+"/v1/turns", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set(meet.IdempotencyKeyField, key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", nil // another one answers
	}
	defer resp.Body.Close()
	var accepted struct{ EventsURL string }
	if err := json.NewDecoder(resp.Body).Decode(&accepted); err != nil {
		return "", nil // it died while it answered
	}
	if resp.StatusCode != http.StatusAccepted {
		return "", fmt.Errorf("status %d", resp.StatusCode)
	}
	return accepted.EventsURL, nil
}

// check holds the plan, its changes and the calendar against what they must be.
func (p *planner) check(plan meet.PlanUpdate, set meet.ChangeSet) error {
	for _, step := range plan.Steps {
		if step.Status != "completed" {
			return fmt.Errorf("step %s is %s", step.ID, step.Status)
		}
	}
	if len(plan.Steps) != 8 || len(set.Changes) != 8 {
		return fmt.Errorf("%d steps, %d changes", len(plan.Steps), len(set.Changes))
	}
	_, raw, _ := get(p.t, p.live+"/v1/people/"+p.owner+"/events?from=2026-11-21&to=2026-11-30")
	var there struct {
		Events []struct {
			Title string
			Start time.Time
		}
	}
	if err := json.Unmarshal(raw, &there); err != nil {
		return fmt.Errorf("%w: %s", err, raw)
	}
	var got []string
	for _, e := range there.Events {
		got = append(got, e.Start.Format("02 15:04 ")+e.Title)
	}
	slices.Sort(got)
	want := []string{
		"24 08:00 Osteopath", "24 17:00 Dentist", "25 09:00 Plumber", "25 15:00 Piano", "26 08:00 Haircut",
		"26 17:00 Choir", "26 19:00 Chess",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		return errors.New(diff)
	}
	return nil
}
