package door

import (
	"net"
	"net/netip"
	"sync"
)

// ConnectionLimits bounds the connections of a listener, which take descriptors and memory that the rest of the program needs. The zero value bounds
// nothing.
type ConnectionLimits struct {
	Most int // open at once; further ones wait in the kernel's queue until one ends
	Each int // of them by one client: an IPv4 address, or a network of 64 bits in IPv6; further ones are closed at once
}

// Bounded gives a listener with the bounds of its connections.
func (c ConnectionLimits) Bounded(l net.Listener) net.Listener {
	if c.Most <= 0 {
		return l
	}
	return &bounded{Listener: l, each: c.Each, places: make(chan struct{}, c.Most), closed: make(chan struct{}), open: map[netip.Addr]int{}}
}

// bounded is a listener with at most so many connections.
type bounded struct {
	net.Listener
	each   int
	places chan struct{} // one element for each open connection
	once   sync.Once
	closed chan struct{}

	mu   sync.Mutex
	open map[netip.Addr]int // no entry is zero
}

// Accept implements net.Listener.
func (b *bounded) Accept() (net.Conn, error) {
	for {
		select {
		case b.places <- struct{}{}:
		case <-b.closed:
			return nil, net.ErrClosed
		}
		c, err := b.Listener.Accept()
		if err != nil {
			<-b.places
			return nil, err
		}
		client := clientOf(c)
		if b.enter(client) {
			return &placed{Conn: c, leave: sync.OnceFunc(func() { b.leave(client) })}, nil
		}
		_ = c.Close() // its client finds out by itself
		<-b.places
	}
}

// Close implements net.Listener.
func (b *bounded) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

// enter reports whether a client may have one more connection.
func (b *bounded) enter(client netip.Addr) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.each > 0 && b.open[client] >= b.each {
		return false
	}
	b.open[client]++
	return true
}

func (b *bounded) leave(client netip.Addr) {
	b.mu.Lock()
	if b.open[client]--; b.open[client] == 0 {
		delete(b.open, client)
	}
	b.mu.Unlock()
	<-b.places
}

// clientOf is whom a connection counts for.
func clientOf(c net.Conn) netip.Addr { return SourceAt(c.RemoteAddr().String()) }

// SourceAt is the source of an address with a port; the zero Addr where it is none.
func SourceAt(remote string) netip.Addr { return Source(AddressAt(remote)) }

// AddressAt is the address of one with a port; the zero Addr where it is none.
func AddressAt(remote string) netip.Addr {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap()
}

// placed is a connection that gives its place back when it is closed.
type placed struct {
	net.Conn
	leave func()
}

// NetConn is the connection of the kernel's.
func (g *placed) NetConn() net.Conn { return g.Conn }

// Close implements net.Conn.
func (g *placed) Close() error {
	err := g.Conn.Close()
	g.leave()
	return err
}
