package redistest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"convene/pkg/testenv"
)

// clusterNodes is the least number of masters that Redis makes a cluster of, and slots how many there are for them.
const (
	clusterNodes = 3
	slots        = 16384
)

// Cluster is a Redis Cluster of three masters.
type Cluster struct {
	// URL is that of the first node.
	URL   string
	nodes []*node
}

// StartCluster is Start for a cluster. Close ends it, so that the tests of a package can share one.
func StartCluster(tb testing.TB) *Cluster {
	tb.Helper()
	program := testenv.Require(tb, "redis-server")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), 3*startTimeout)
	defer cancel()
	c := &Cluster{}
	if err := c.start(ctx, program); err != nil {
		c.Close()
		tb.Fatalf("the cluster does not start: %v", err)
	}
	c.URL = "redis://" + c.nodes[0].address
	return c
}

// Close ends all nodes.
func (c *Cluster) Close() {
	for _, n := range c.nodes {
		n.stop()
	}
}

func (c *Cluster) start(ctx context.Context, program string) error {
	for i := range clusterNodes {
		bus, err := freePort(ctx)
		if err != nil {
			return err
		}
		n, err := startNode(ctx, program, "--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(bus),
			"--cluster-node-timeout", "5000")
		if err != nil {
			return err
		}
		c.nodes = append(c.nodes, n)
		first, last := i*slots/clusterNodes, (i+1)*slots/clusterNodes-1
		host, port, _ := strings.Cut(n.address, ":")
		err = errors.Join(
			n.tell(ctx, "CLUSTER SET-CONFIG-EPOCH %d", i+1),
			n.tell(ctx, "CLUSTER ADDSLOTSRANGE %d %d", first, last),
			c.nodes[0].tell(ctx, "CLUSTER MEET %s %s %d", host, port, bus),
		)
		if err != nil {
			return err
		}
	}
	for _, n := range c.nodes {
		if err := n.await(ctx, "CLUSTER INFO", "cluster_state:ok", fmt.Sprintf("cluster_known_nodes:%d", clusterNodes)); err != nil {
			return err
		}
	}
	return nil
}

// Guarded is a Redis with a replica, and a sentinel that watches both.
type Guarded struct {
	// URL is that of the sentinel, with the name of the master.
	URL                       string
	tb                        testing.TB
	master, replica, sentinel *node
}

const masterName = "guarded"

// StartGuarded starts the three on free loopback ports and ends them with the test.
func StartGuarded(tb testing.TB) *Guarded {
	tb.Helper()
	program := testenv.Require(tb, "redis-server")
	ctx, cancel := context.WithTimeout(tb.Context(), 3*startTimeout)
	defer cancel()
	g := &Guarded{tb: tb}
	tb.Cleanup(g.close)
	if err := g.start(ctx, program); err != nil {
		tb.Fatalf("a Redis with a sentinel does not start: %v", err)
	}
	g.URL = "redis://" + g.sentinel.address + "?master_name=" + masterName
	return g
}

func (g *Guarded) start(ctx context.Context, program string) (err error) {
	if g.master, err = startNode(ctx, program, "--repl-diskless-sync-delay", "0"); err != nil {
		return err
	}
	host, port, _ := strings.Cut(g.master.address, ":")
	if g.replica, err = startNode(ctx, program, "--replicaof", host+" "+port, "--repl-diskless-sync-delay", "0"); err != nil {
		return err
	}
	if err := g.replica.await(ctx, "INFO replication", "master_link_status:up"); err != nil {
		return err
	}
	if g.sentinel, err = startNode(ctx, program, "--sentinel"); err != nil {
		return err
	}
	return errors.Join(
		g.sentinel.tell(ctx, "SENTINEL MONITOR %s %s %s 1", masterName, host, port),
		g.sentinel.tell(ctx, "SENTINEL SET %s down-after-milliseconds 500", masterName),
		g.sentinel.tell(ctx, "SENTINEL SET %s failover-timeout 4000", masterName),
		g.sentinel.await(ctx, "SENTINEL MASTER "+masterName, "num-slaves\r\n$1\r\n1"),
	)
}

// Failover has the sentinel make the replica the master, and returns when it is. The old master takes no writes meanwhile,
// so that nothing is lost that it has not passed on.
func (g *Guarded) Failover(ctx context.Context) {
	g.tb.Helper()
	err := g.master.tell(ctx, "CLIENT PAUSE 3000 WRITE")
	if err == nil {
		err = g.sentinel.tell(ctx, "SENTINEL FAILOVER %s", masterName)
	}
	if err == nil {
		err = g.replica.await(ctx, "INFO replication", "role:master")
	}
	if err != nil {
		g.tb.Fatalf("failover: %v", err)
	}
}

func (g *Guarded) close() {
	for _, n := range []*node{g.sentinel, g.replica, g.master} {
		if n != nil {
			n.stop()
		}
	}
}

// node is one redis-server.
type node struct {
	address string
	stop    func()
}

func startNode(ctx context.Context, program string, args ...string) (*node, error) {
	port, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "redistest")
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	all := append([]string{"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir, "--save", "",
		"--appendonly", "no", "--daemonize", "no"}, args...)
	if args[0] == "--sentinel" {
		config := filepath.Join(dir, "sentinel.conf")
		if err := os.WriteFile(config, nil, 0o600); err != nil {
			cancel()
			return nil, err
		}
		all = []string{config, "--sentinel", "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir}
	}
	server := exec.CommandContext(running, program, all...)
	if err := server.Start(); err != nil {
		cancel()
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Wait() // it ends by being killed, which is no failure
		_ = os.RemoveAll(dir)
	}()
	n := &node{address: address, stop: func() { cancel(); <-ended }}
	if err := awaitPong(ctx, address, server.Process.Pid, ended); err != nil {
		n.stop()
		return nil, err
	}
	return n, nil
}

// tell sends a command that answers OK.
func (n *node) tell(ctx context.Context, command string, args ...any) error {
	answer, err := n.ask(ctx, fmt.Sprintf(command, args...))
	if err == nil && !strings.HasPrefix(answer, "+OK") {
		err = fmt.Errorf("%s: %s", fmt.Sprintf(command, args...), strings.TrimSpace(answer))
	}
	return err
}

// await asks until the answer has all the wants. Who is connected while a replica is promoted is cut off, and asks again.
func (n *node) await(ctx context.Context, command string, wants ...string) error {
	for {
		answer, err := n.ask(ctx, command)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		missing := ""
		for _, want := range wants {
			if !strings.Contains(answer, want) {
				missing = want
			}
		}
		if missing == "" {
			return nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%s: no %s: %w", command, missing, ctx.Err())
		}
	}
}

// pong is what PING answers, on a sentinel too.
const pong = "+PONG\r\n"

// ask is the answer to one command as it stands on the wire.
func (n *node) ask(ctx context.Context, command string) (string, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", n.address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return "", err
		}
	}
	if _, err := fmt.Fprintf(conn, "%s\r\nPING\r\n", command); err != nil {
		return "", err
	}
	var answer strings.Builder
	for lines := bufio.NewReader(conn); !strings.HasSuffix(answer.String(), pong); {
		line, err := lines.ReadString('\n')
		answer.WriteString(line)
		if err != nil {
			return answer.String(), fmt.Errorf("%s: %w", command, err)
		}
	}
	return strings.TrimSuffix(answer.String(), pong), nil
}
