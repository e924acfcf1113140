package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/llm/offline"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/sse"
	"convene/pkg/testenv"
)

// asProgram makes the test binary run the program, so that a test can start and kill real processes of it.
const asProgram = "CONVENE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	if os.Getenv(asParser) != "" {
		os.Exit(parseOnly(os.Args[1:]))
	}
	runMoreAtOnce()
	collectSeldom()
	os.Exit(m.Run())
}

// replica is a process of the program.
type replica struct {
	t       *testing.T
	args    []string
	listen  string
	process *exec.Cmd
	url     string
}

func startReplica(t *testing.T, args ...string) *replica {
	t.Helper()
	r := &replica{t: t, args: args, listen: "127.0.0.1:0"}
	r.start()
	t.Cleanup(r.kill)
	return r
}

func (r *replica) start() {
	r.t.Helper()
	if err := r.tryStart(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *replica) tryStart() error {
	r.process = exec.CommandContext(context.WithoutCancel(r.t.Context()), os.Args[0],
		append(append([]string{"serve", "--listen=" + r.listen}, patientTurns...), r.args...)...)
	r.process.Env = append(os.Environ(), asProgram+"=1")
	logs, err := r.process.StderrPipe()
	if err != nil {
		return err
	}
	if err := r.process.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(logs)
	for lines.Scan() {
		var line struct{ URL string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.URL != "" {
			r.url = line.URL
			go func() {
				for lines.Scan() { // so that the process never waits for its logs to be read
				}
			}()
			return nil
		}
	}
	return fmt.Errorf("the replica did not start: %w", lines.Err())
}

// kill ends the process as a power cut does.
func (r *replica) kill() {
	if r.process == nil {
		return
	}
	_ = r.process.Process.Kill()
	_ = r.process.Wait()
	r.process = nil
}

// reader follows a turn wherever a replica answers, and resumes after what it has.
type reader struct {
	t       *testing.T
	path    string
	servers []string
	blocks  [][]byte
}

// readAll reads until done, from whichever replica answers.
func (r *reader) readAll(ctx context.Context) error {
	for i := 0; ; i++ {
		ended, err := r.readFrom(ctx, r.servers[i%len(r.servers)])
		if ended || ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *reader) readFrom(ctx context.Context, server string) (ended bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+r.path, nil)
	if err != nil {
		return true, err
	}
	req.Header.Set("Last-Event-ID", fmt.Sprint(len(r.blocks)))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, nil // that replica is dead; another one answers
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNoContent {
		return true, nil
	}
	decoder := sse.NewDecoder(resp.Body)
	for {
		event, err := decoder.Next()
		if err != nil {
			return false, nil // cut off; resume
		}
		if want := fmt.Sprint(len(r.blocks) + 1); event.ID != want {
			return true, fmt.Errorf("update %s where %s follows", event.ID, want)
		}
		r.blocks = append(r.blocks, bytes.Clone(event.Data))
		if bytes.Contains(event.Data, []byte(`{"type":"done"`)) {
			return true, nil
		}
	}
}

// Two replicas share a Redis; one of them is killed at a random moment with turns in flight, again and again. Every
// turn ends, once, with its event, and a follower has the same bytes as a later reader.
func TestAKilledReplicaLosesNothing(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	model := httptest.NewServer(offline.New(offline.Options{Latency: 100 * time.Millisecond, TokensPerSecond: 400}))
	t.Cleanup(model.Close)
	args := []string{"--redis-url=" + redis, "--openai-base-url=" + model.URL + "/v1", "--now=" + friday}
	a, b := startReplica(t, args...), startReplica(t, args...)
	for round := range testenv.Count(2, 40) {
		const turns = 6
		var readers [turns]*reader
		for i := range readers {
			c := &client{t: t, server: []string{a.url, b.url}[i%2], conversation: fmt.Sprintf("k%d-%d", round, i)}
			readers[i] = &reader{t: t, path: c.begin("Let's grab coffee with Al next week")}
		}
		victim, survivor := a, b
		if round%2 == 1 {
			victim, survivor = b, a
		}
		var wg sync.WaitGroup
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		for i, r := range readers {
			r.servers = []string{victim.url, survivor.url}
			wg.Go(func() {
				if err := r.readAll(ctx); err != nil {
					t.Errorf("round %d, turn %d: %v behind %d updates", round, i, err, len(r.blocks))
				}
			})
		}
		<-time.After(time.Duration(rand.IntN(700)) * time.Millisecond)
		victim.kill()
		wg.Wait()
		cancel()
		for i, r := range readers {
			checkWhole(t, fmt.Sprintf("round %d, turn %d", round, i), survivor.url, r)
		}
		victim.start()
	}
}

// checkWhole holds what a reader has against the log as it stands, and against what a turn must be.
func checkWhole(t *testing.T, name, server string, r *reader) {
	t.Helper()
	undisturbed := &reader{t: t, path: r.path, servers: []string{server}}
	if err := undisturbed.readAll(t.Context()); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if got, want := bytes.Join(r.blocks, []byte("\n")),
		bytes.Join(undisturbed.blocks, []byte("\n")); !bytes.Equal(got, want) {
		t.Errorf("%s: the disturbed reader has other bytes:\n%s\nundisturbed\n%s", name, got, want)
	}
	checkUpdates(t, name, r.blocks)
}

// checkUpdates holds updates against what a turn must be.
func checkUpdates(t *testing.T, name string, blocks [][]byte) {
	t.Helper()
	counts := map[string]int{}
	for _, block := range blocks {
		var u struct {
			Type, Stage string
			Preliminary bool
		}
		if err := json.Unmarshal(block, &u); err != nil {
			t.Error(err)
		}
		if u.Type == "error" {
			t.Errorf("%s: %s", name, block)
		}
		if u.Preliminary { // a calendar kept the turn waiting, as they do on a busy machine
			u.Stage = "preliminary"
			if counts["candidates"] > 0 {
				t.Errorf("%s: preliminary candidates after the final ones", name)
			}
		}
		counts[strings.TrimSuffix(u.Type+" "+u.Stage, " ")]++
	}
	for _, once := range []string{"turn", "acknowledgment", "progress template", "template", "candidates", "message",
		"event", "done"} {
		if counts[once] != 1 {
			t.Errorf("%s: %d × %s, want one; %v", name, counts[once], once, counts)
		}
	}
	if counts["candidates preliminary"] > 1 {
		t.Errorf("%s: preliminary candidates twice: %v", name, counts)
	}
}
