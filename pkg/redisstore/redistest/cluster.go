package redistest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"convene/pkg/testenv"
)

const (
	// clusterNodes is the least number of masters of a cluster.
	clusterNodes = 3
	// slots is the number of hash slots that the masters share.
	slots = 16384
)

// Cluster is a Redis Cluster of three masters.
type Cluster struct {
	// URL is the first node's.
	URL   string
	dir   string
	nodes []*node
}

// StartCluster is Start for a cluster, which runs until Close, so that the tests of a package can share it.
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
	_ = os.RemoveAll(c.dir)
}

func (c *Cluster) start(ctx context.Context, program string) (err error) {
	if c.dir, err = os.MkdirTemp("", "redistest"); err != nil {
		return err
	}
	for i := range clusterNodes {
		if err := c.add(ctx, program, i); err != nil {
			return err
		}
	}
	for _, n := range c.nodes {
		known := fmt.Sprintf("cluster_known_nodes:%d", clusterNodes)
		if err := n.await(ctx, "CLUSTER INFO", "cluster_state:ok", known); err != nil {
			return err
		}
	}
	return nil
}

// add starts the node numbered i, with its share of the slots.
func (c *Cluster) add(ctx context.Context, program string, i int) error {
	bus, err := freePort(ctx)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(c.dir, "node")
	if err != nil {
		return err
	}
	n, err := start(ctx, program, dir, "--save", "", "--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(bus),
		"--cluster-node-timeout", "5000")
	if err != nil {
		return err
	}
	c.nodes = append(c.nodes, n)
	host, port, _ := strings.Cut(n.address, ":")
	return errors.Join(
		n.tell(ctx, "CLUSTER SET-CONFIG-EPOCH %d", i+1),
		n.tell(ctx, "CLUSTER ADDSLOTSRANGE %d %d", i*slots/clusterNodes, (i+1)*slots/clusterNodes-1),
		c.nodes[0].tell(ctx, "CLUSTER MEET %s %s %d", host, port, bus),
	)
}

// Guarded is a Redis with a replica, and a sentinel that watches both.
type Guarded struct {
	// URL is the sentinel's, with the name of the master.
	URL                       string
	tb                        testing.TB
	master, replica, sentinel *node
}

const masterName = "guarded"

// StartGuarded starts the three servers, which run until the test ends.
func StartGuarded(tb testing.TB) *Guarded {
	tb.Helper()
	g := &Guarded{tb: tb}
	ctx, cancel := context.WithTimeout(tb.Context(), 3*startTimeout)
	defer cancel()
	if err := g.start(ctx, testenv.Require(tb, "redis-server")); err != nil {
		tb.Fatalf("a Redis with a sentinel does not start: %v", err)
	}
	g.URL = "redis://" + g.sentinel.address + "?master_name=" + masterName
	return g
}

// run starts one server that ends with the test.
func (g *Guarded) run(ctx context.Context, program, dir string, args ...string) (*node, error) {
	n, err := start(ctx, program, dir, args...)
	if err == nil {
		g.tb.Cleanup(n.stop)
	}
	return n, err
}

func (g *Guarded) start(ctx context.Context, program string) (err error) {
	data := []string{"--save", "", "--repl-diskless-sync-delay", "0"}
	if g.master, err = g.run(ctx, program, g.tb.TempDir(), data...); err != nil {
		return err
	}
	host, port, _ := strings.Cut(g.master.address, ":")
	data = append(data, "--replicaof", host+" "+port)
	if g.replica, err = g.run(ctx, program, g.tb.TempDir(), data...); err != nil {
		return err
	}
	if err := g.replica.await(ctx, "INFO replication", "master_link_status:up"); err != nil {
		return err
	}
	dir := g.tb.TempDir()
	config := filepath.Join(dir, "sentinel.conf")
	if err := os.WriteFile(config, nil, 0o600); err != nil {
		return err
	}
	if g.sentinel, err = g.run(ctx, program, dir, config, "--sentinel"); err != nil {
		return err
	}
	return errors.Join(
		g.sentinel.tell(ctx, "SENTINEL MONITOR %s %s %s 1", masterName, host, port),
		g.sentinel.tell(ctx, "SENTINEL SET %s down-after-milliseconds 500", masterName),
		g.sentinel.tell(ctx, "SENTINEL SET %s failover-timeout 4000", masterName),
		g.sentinel.await(ctx, "SENTINEL MASTER "+masterName, "num-slaves 1 "),
	)
}

// Failover has the sentinel promote the replica, and returns once it is the master. The old master takes no writes
// until it is a replica itself, so that none is lost before it is replicated, however long that takes.
func (g *Guarded) Failover(ctx context.Context) {
	g.tb.Helper()
	err := g.master.tell(ctx, "CLIENT PAUSE 60000 WRITE")
	if err == nil {
		err = g.sentinel.tell(ctx, "SENTINEL FAILOVER %s", masterName)
	}
	if err == nil {
		err = g.replica.await(ctx, "INFO replication", "role:master")
	}
	if err == nil {
		err = g.master.await(ctx, "INFO replication", "role:slave")
	}
	if err == nil {
		err = g.master.tell(ctx, "CLIENT UNPAUSE")
	}
	if err != nil {
		g.tb.Fatalf("failover: %v", err)
	}
}
