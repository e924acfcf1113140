// Command peers compares Convene with servers that make the same three model calls with the Vercel AI SDK, with
// openai-node and with LangGraph.js: whole turns a second, and the processor time that the server takes for each. It
// needs Linux, Node 20 and, after npm ci in this folder, nothing else; it uses loopback addresses only.
//
//	go tool task bench:peers
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// sentence is what every client of every server says.
const sentence = "Let's grab coffee with Al next week"

// clock is Convene's, so that every run finds the same calendars.
const clock = "2026-11-20T09:00:00-08:00"

// limit is how long a comparison may take, whatever happens.
const limit = 4 * time.Minute

type options struct {
	folder  string
	clients int
	rounds  int
	span    time.Duration
	warmUp  time.Duration
	json    bool
}

func main() {
	var o options
	flag.StringVar(&o.folder, "folder", filepath.FromSlash("testdata/peers"), "the folder with the other servers")
	flag.IntVar(&o.clients, "clients", 32, "how many turns run at once")
	flag.IntVar(&o.rounds, "rounds", 3, "how often each server is measured")
	flag.DurationVar(&o.span, "for", 6*time.Second, "how long each server is measured in a round")
	flag.DurationVar(&o.warmUp, "warm-up", 3*time.Second, "how long each server runs before the first round")
	flag.BoolVar(&o.json, "json", false, "print JSON instead of a table")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := compare(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers: "+err.Error())
		os.Exit(1)
	}
}

func compare(ctx context.Context, o options) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if o.clients < 1 || o.rounds < 1 || o.span <= 0 {
		return fmt.Errorf("-clients, -rounds and -for must be above 0")
	}
	if _, err := os.Stat(filepath.Join(o.folder, "node_modules")); err != nil {
		return fmt.Errorf("the other servers are not installed; run npm ci in %s: %w", o.folder, err)
	}
	dir, err := os.MkdirTemp("", "convene-peers-")
	if err != nil {
		return fmt.Errorf("make a folder for the comparison: %w", err)
	}
	defer os.RemoveAll(dir)
	field, err := assemble(ctx, o.folder, dir)
	defer field.stop()
	if err != nil {
		return err
	}
	r := result{
		Load: loadAverage(), Clients: o.clients, Rounds: o.rounds, Seconds: o.span.Seconds(),
		Redis: field.redis != nil, Versions: versions(ctx, o.folder),
	}
	if r.Runs, err = field.measure(ctx, o); err != nil {
		return err
	}
	r.summarize()
	if o.json {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	_, err = fmt.Print(r.table())
	return err
}

// field are the servers that are compared, and what they need.
type field struct {
	model, redis *process
	servers      []contender
}

// contender is one of the servers.
type contender struct {
	name    string
	process *process
	turn    turn
}

// assemble builds and starts everything. What has been started is in the field even where an error is returned.
func assemble(ctx context.Context, folder, dir string) (*field, error) {
	f := &field{}
	program := filepath.Join(dir, "convene")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/convene").CombinedOutput(); err != nil {
		return f, fmt.Errorf("build convene: %w\n%s", err, out)
	}
	var err error
	if f.model, err = start(ctx, dir, nil, program, "model", "--listen=127.0.0.1:0"); err != nil {
		return f, err
	}
	base := f.model.url + "/v1"
	args := []string{"serve", "--listen=127.0.0.1:0", "--openai-base-url=" + base, "--now=" + clock}
	if redis, err := exec.LookPath("redis-server"); err == nil {
		if f.redis, err = startRedis(ctx, redis, dir); err != nil {
			return f, err
		}
		args = append(args, "--redis-url="+f.redis.url)
	}
	contenders := []struct {
		name    string
		turn    turn
		env     []string
		command []string
	}{
		{"Convene", conveneTurn, nil, append([]string{program}, args...)},
		{"Vercel AI SDK", peerTurn, peerEnv(base), []string{"node", filepath.Join(folder, "ai-sdk.js")}},
		{"openai-node", peerTurn, peerEnv(base), []string{"node", filepath.Join(folder, "openai.js")}},
		{"LangGraph.js", peerTurn, peerEnv(base), []string{"node", filepath.Join(folder, "langgraph.js")}},
	}
	for _, c := range contenders {
		p, err := start(ctx, dir, c.env, c.command[0], c.command[1:]...)
		f.servers = append(f.servers, contender{c.name, p, c.turn})
		if err != nil {
			return f, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return f, nil
}

func peerEnv(model string) []string {
	return []string{"OPENAI_BASE_URL=" + model, "NODE_ENV=production"}
}

func (f *field) stop() {
	for _, c := range slices.Backward(f.servers) {
		c.process.stop()
	}
	f.redis.stop()
	f.model.stop()
}

// measure drives one server after the other, and every second round in reverse order, so that whatever drifts on the
// machine meets all of them.
func (f *field) measure(ctx context.Context, o options) ([]run, error) {
	for _, c := range f.servers {
		if o.warmUp > 0 {
			if _, err := f.drive(ctx, c, o.clients, o.warmUp); err != nil {
				return nil, err
			}
		}
	}
	var runs []run
	order := slices.Clone(f.servers)
	for range o.rounds {
		for _, c := range order {
			r, err := f.drive(ctx, c, o.clients, o.span)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(os.Stderr, "%-14s %7.1f turns/s %7.2f ms of CPU a turn\n", r.Server, r.TurnsPerSecond, r.CPUms)
			runs = append(runs, r)
		}
		slices.Reverse(order)
	}
	return runs, nil
}

// versions are those of what is compared, as installed.
func versions(ctx context.Context, folder string) map[string]string {
	all := map[string]string{}
	for _, name := range []string{"ai", "@ai-sdk/openai-compatible", "openai", "@langchain/langgraph", "@langchain/openai",
		"@langchain/core"} {
		var installed struct{ Version string }
		content, err := os.ReadFile(filepath.Join(folder, "node_modules", filepath.FromSlash(name), "package.json"))
		if err == nil && json.Unmarshal(content, &installed) == nil {
			all[name] = installed.Version
		}
	}
	for _, command := range [][]string{{"node", "--version"}, {"go", "env", "GOVERSION"}, {"redis-server", "--version"}} {
		if out, err := exec.CommandContext(ctx, command[0], command[1:]...).Output(); err == nil {
			all[command[0]] = strings.TrimSpace(string(out))
		}
	}
	return all
}
