package redisstore

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between a store and its server, and breaks the connection on demand.
type proxy struct {
	server string

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]struct{}
	// losing is how many of the server's next replies get lost, with their connections.
	losing int
	onLoss func()
	lost   int
	muted  bool
	// refused gets a value when a connection is refused.
	refused chan struct{}
}

// startProxy starts a proxy to the server at address, and returns the proxy's address.
func startProxy(tb testing.TB, address string) (*proxy, string) {
	tb.Helper()
	u := must(url.Parse(address))(tb)
	var lc net.ListenConfig
	l := must(lc.Listen(tb.Context(), "tcp", "127.0.0.1:0"))(tb)
	p := &proxy{server: u.Host, conns: map[net.Conn]struct{}{}, refused: make(chan struct{}, 1)}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { p.serve(client) })
		}
	})
	tb.Cleanup(func() {
		l.Close()
		p.cut()
		serving.Wait()
	})
	proxied := *u
	proxied.Host = l.Addr().String()
	return p, proxied.String()
}

func (p *proxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	if !p.admit(client, server) {
		signal(p.refused)
		return
	}
	var back sync.WaitGroup
	back.Go(func() { p.pass(server, client, p.loses) })
	p.pass(client, server, func() bool { return false })
	back.Wait()
}

func (p *proxy) admit(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.conns[c] = struct{}{}
	}
	return !p.down
}

// pass copies one direction until either end closes or something is lost.
func (p *proxy) pass(from, to net.Conn, lost func() bool) {
	defer from.Close()
	defer to.Close()
	for buf := make([]byte, 64<<10); ; {
		n, err := from.Read(buf)
		if n > 0 && lost() {
			return
		}
		if p.silent() {
			n = 0
		}
		if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

func (p *proxy) loses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.losing == 0 {
		return false
	}
	p.losing--
	p.lost++
	if p.onLoss != nil {
		p.onLoss()
	}
	return true
}

// loseNext loses the server's next reply and cuts the connection. The caller's pool must have connections already: the
// greeting of a new one would be lost instead.
func (p *proxy) loseNext() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.losing++
}

// loseNextAnd loses the server's next reply and calls then at that moment.
func (p *proxy) loseNextAnd(then func()) {
	p.mu.Lock()
	p.onLoss = then
	p.mu.Unlock()
	p.loseNext()
}

// mute stops all traffic, and keeps connections open.
func (p *proxy) mute() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.muted = true
}

func (p *proxy) silent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.muted
}

func (p *proxy) repliesLost() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost
}

// off cuts all connections and refuses new ones until on.
func (p *proxy) off() { p.set(true); p.cut() }
func (p *proxy) on()  { p.set(false) }

func (p *proxy) set(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
}

func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
	clear(p.conns)
}
