package api

import (
	"container/list"
	"net"
	"net/http"
	"slices"
	"sync"
)

// The reasons for Config.Dropped.
const (
	// droppedFull and droppedPerAddress refuse a new connection.
	droppedFull       = "full"
	droppedPerAddress = "per_address"
	// droppedIdle makes room for a new one.
	droppedIdle = "idle"
)

// crowd is a listener that bounds the number of connections. If there are too many in total, the one idle for longest
// is closed; the new one is refused only if every connection has a request. A refused connection is closed without a
// response: EventSource tries again after that, as it would not after a 503.
type crowd struct {
	net.Listener
	server *Server

	mu    sync.Mutex
	total int
	from  map[string]int
	// idle has the connections without a request, the one idle for longest first.
	idle *list.List
}

// Limit applies MaxConnections and MaxPerAddress to l, which an http.Server made by HTTP must serve: another would
// leave every connection idle.
func (s *Server) Limit(l net.Listener) net.Listener {
	return &crowd{Listener: l, server: s, from: map[string]int{}, idle: list.New()}
}

// Accept implements net.Listener.
func (c *crowd) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		g := &guest{Conn: conn, crowd: c, holder: c.server.holderOfConn(conn)}
		leaves, why := c.admit(g)
		if why != "" {
			c.server.cfg.Dropped(why)
		}
		if leaves != nil {
			_ = leaves.Conn.Close() // nothing can be done about an error
		}
		if leaves != g {
			return g, nil
		}
	}
}

// admit counts a new connection. It returns which connection has to leave, and why: none, an idle one, or the new one.
func (c *crowd) admit(g *guest) (leaves *guest, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cfg := c.server.cfg
	if g.holder != "" && cfg.MaxPerAddress > 0 && c.from[g.holder] >= cfg.MaxPerAddress {
		return g, droppedPerAddress
	}
	if cfg.MaxConnections > 0 && c.total >= cfg.MaxConnections {
		longest := c.idle.Front()
		if longest == nil {
			return g, droppedFull
		}
		leaves, why = longest.Value.(*guest), droppedIdle
		c.leave(leaves)
	}
	c.total++
	c.from[g.holder]++
	g.idle = c.idle.PushBack(g)
	return leaves, why
}

// leave stops counting the connection; the caller holds the mutex.
func (c *crowd) leave(g *guest) {
	if g.left {
		return
	}
	g.left = true
	c.total--
	if c.from[g.holder]--; c.from[g.holder] == 0 {
		delete(c.from, g.holder)
	}
	c.busy(g)
}

// busy removes the connection from the idle ones; the caller holds the mutex.
func (c *crowd) busy(g *guest) {
	if g.idle != nil {
		c.idle.Remove(g.idle)
		g.idle = nil
	}
}

// guest is a connection of a crowd.
type guest struct {
	net.Conn
	crowd *crowd
	// holder owns the connection; empty if it is not counted by address.
	holder string
	// idle is its element of crowd.idle; nil while it has a request.
	idle *list.Element
	left bool
}

// Close implements net.Conn.
func (g *guest) Close() error {
	g.crowd.mu.Lock()
	g.crowd.leave(g)
	g.crowd.mu.Unlock()
	return g.Conn.Close()
}

// CloseWrite lets net/http end a response before it closes the connection.
func (g *guest) CloseWrite() error {
	if half, ok := g.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// noteState is http.Server's ConnState.
func noteState(conn net.Conn, state http.ConnState) {
	g, ok := conn.(*guest)
	if !ok {
		return
	}
	g.crowd.mu.Lock()
	defer g.crowd.mu.Unlock()
	g.crowd.busy(g)
	if (state == http.StateNew || state == http.StateIdle) && !g.left {
		g.idle = g.crowd.idle.PushBack(g)
	}
}

// holderOfConn returns the owner of a connection; empty for a trusted proxy and for this machine, which serve many.
func (s *Server) holderOfConn(conn net.Conn) string {
	address, ok := conn.RemoteAddr().(*net.TCPAddr)
	trusted := func(network *net.IPNet) bool { return network.Contains(address.IP) }
	if !ok || address.IP.IsLoopback() || slices.ContainsFunc(s.cfg.TrustedProxies, trusted) {
		return ""
	}
	return holderOf(address.IP.String())
}
