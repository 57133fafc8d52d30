package mutual

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/net/door"
)

const (
	// handshakeWithin bounds a handshake over TCP.
	handshakeWithin = 5 * time.Second
	// idleServed is how long a server keeps a connection on which nothing is asked, idleKept how long a client uses one again, which is less.
	idleServed = 30 * time.Second
	idleKept   = 20 * time.Second
	// mostConnections is how many connections a client has to a server: one for each question under way, and further ones wait.
	mostConnections = 4
	// scarceFor is how long a client goes on with the connections it has after a server did not take one more.
	scarceFor = 5 * time.Second
)

// secureTCP is secure with records of full length from the start: what is sent is long, and nobody waits for the first of its bytes.
func secureTCP(own ed25519.PrivateKey, want *Key) (*tls.Config, error) {
	config, err := secure(own, protocol, want)
	if err == nil {
		config.DynamicRecordSizingDisabled = true
	}
	return config, err
}

// overTCP is connections over TCP, each of which carries a question and its answer and then the next one.
type overTCP struct {
	address string
	config  *tls.Config
	greet   Greeting
	idle    chan *tcpConn
	spare   chan struct{} // one element for each connection that may be made
	closed  context.Context
	close   context.CancelFunc

	mu   sync.Mutex
	open int  // connections
	lost bool // there are none, and none could be made
}

// tcpConn is one of the connections. It is a Conn for its greeting.
type tcpConn struct {
	*tls.Conn
	used time.Time
}

// DialTCP is a Dialer over TCP.
func DialTCP(ctx context.Context, address string, own ed25519.PrivateKey, want Key, greet Greeting) (Conn, error) {
	config, err := secureTCP(own, &want)
	if err != nil {
		return nil, err
	}
	c := &overTCP{address: address, config: config, greet: greet, idle: make(chan *tcpConn, mostConnections), spare: make(chan struct{}, mostConnections)}
	for range mostConnections {
		c.spare <- struct{}{}
	}
	c.closed, c.close = context.WithCancel(context.Background())
	first, err := c.take(ctx)
	if err != nil {
		return nil, err
	}
	c.keep(first)
	return c, nil
}

// dial makes a connection, and greets on it.
func (c *overTCP) dial(ctx context.Context) (*tcpConn, error) {
	ctx, cancel := context.WithTimeout(ctx, handshakeWithin)
	defer cancel()
	raw, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.address)
	if err != nil {
		return nil, err
	}
	o := &tcpConn{Conn: tls.Client(&gathering{Conn: raw}, c.config)}
	err = o.HandshakeContext(ctx)
	if err == nil && c.greet != nil {
		err = c.greet(ctx, o)
	}
	if err != nil {
		_ = raw.Close()
		return nil, err
	}
	return o, nil
}

// take gives a connection that is idle, or makes one, or waits for one where there may be no more.
func (c *overTCP) take(ctx context.Context) (*tcpConn, error) {
	for {
		var o *tcpConn
		select {
		case o = <-c.idle:
		default:
			select {
			case o = <-c.idle:
			case <-c.spare:
				o, err := c.add(ctx)
				if o != nil || err != nil {
					return o, err
				}
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if time.Since(o.used) < idleKept {
			return o, nil
		}
		c.drop(o)
	}
}

// add makes a connection; nil where the server takes no more for a while than there are.
func (c *overTCP) add(ctx context.Context) (*tcpConn, error) {
	o, err := c.dial(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		c.open++
		c.lost = false
		return o, nil
	case ctx.Err() == nil && c.open > 0:
		time.AfterFunc(scarceFor, func() { c.spare <- struct{}{} })
		return nil, nil
	}
	c.lost = ctx.Err() == nil
	c.spare <- struct{}{}
	return nil, err
}

// drop closes a connection, in whose place another may be made.
func (c *overTCP) drop(o *tcpConn) {
	_ = o.NetConn().Close()
	c.mu.Lock()
	c.open--
	c.mu.Unlock()
	c.spare <- struct{}{}
}

// forget drops what is idle.
func (c *overTCP) forget() {
	for {
		select {
		case o := <-c.idle:
			c.drop(o)
		default:
			return
		}
	}
}

// keep has a connection used again.
func (c *overTCP) keep(o *tcpConn) {
	o.used = time.Now()
	c.idle <- o
	if c.closed.Err() != nil {
		c.forget()
	}
}

// Ask implements Conn. Where a connection fails, those that are idle are given up too, since the server may have been started anew.
func (c *overTCP) Ask(ctx context.Context, body ...[]byte) (*Body, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.closed, cancel)()
	o, err := c.take(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := o.Ask(ctx, body...)
	if err != nil {
		c.drop(o)
		if !errors.Is(err, context.Canceled) {
			c.forget()
		}
		return nil, err
	}
	c.keep(o)
	return answer, nil
}

// Alive implements Conn.
func (c *overTCP) Alive() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.lost && c.closed.Err() == nil
}

// Close implements Conn.
func (c *overTCP) Close() error {
	c.close()
	c.forget()
	return nil
}

// Ask implements Conn. After an error the connection is of no use: nobody knows where in a frame it stands.
func (o *tcpConn) Ask(ctx context.Context, body ...[]byte) (*Body, error) {
	stop := context.AfterFunc(ctx, func() { _ = o.NetConn().Close() })
	answer, err := o.exchange(body...)
	if !stop() { // it was closed, or is about to be
		answer.Free()
		return nil, ctx.Err()
	}
	return answer, err
}

func (o *tcpConn) exchange(body ...[]byte) (*Body, error) {
	if err := writeGathered(o.Conn, body...); err != nil {
		return nil, err
	}
	size, err := readHead(o)
	if err != nil {
		return nil, err
	}
	return readBody(o, size)
}

// Alive implements Conn.
func (o *tcpConn) Alive() bool { return true }

// acceptTCP takes connections in until the listener is closed. A shortage of descriptors passes.
func (s *Server) acceptTCP(config *tls.Config) {
	wait := time.Duration(0)
	for {
		raw, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			wait = min(max(2*wait, 5*time.Millisecond), time.Second)
			select {
			case <-time.After(wait):
				continue
			case <-s.base.Done():
				return
			}
		}
		wait = 0
		address := door.AddressAt(raw.RemoteAddr().String())
		place, ok := s.Door.Enter(address, func() { _ = raw.Close() })
		if !ok {
			_ = raw.Close()
			continue
		}
		s.serving.Go(func() {
			defer place.Leave()
			defer raw.Close()
			defer context.AfterFunc(s.base, func() { _ = raw.Close() })()
			s.connectionTCP(tls.Server(&gathering{Conn: raw}, config), Origin{Address: address})
		})
	}
}

// connectionTCP takes the questions of one connection, one after another. A handshake takes as much of the source's rate as a question that is refused.
func (s *Server) connectionTCP(conn *tls.Conn, origin Origin) {
	pace := s.pace(origin.Address)
	if pace.WaitN(s.base, refusedCosts) != nil {
		return
	}
	within, enough := context.WithTimeout(s.base, handshakeWithin)
	err := conn.HandshakeContext(within)
	enough()
	if err != nil {
		return
	}
	if origin.Key, err = proven(conn.ConnectionState()); err != nil {
		return
	}
	from := &Peer{Origin: origin}
	for {
		_ = conn.SetReadDeadline(time.Now().Add(idleServed))
		size, err := readHead(conn)
		if err != nil || pace.Wait(s.base) != nil {
			return
		}
		_ = conn.SetReadDeadline(time.Now().Add(s.limits.Within))
		if !s.question(s.base, connChannel{conn}, size, from, pace) {
			return
		}
	}
}

// connChannel is a connection over TCP for as long as one question takes.
type connChannel struct{ *tls.Conn }

func (c connChannel) abort() { _ = c.NetConn().Close() }

func (c connChannel) answer(parts [][]byte) error { return writeGathered(c.Conn, parts...) }
