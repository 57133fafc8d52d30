package door

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"sync"

	"github.com/quic-go/quic-go"
)

// perSource is the part of HalfOpen that one proved source has.
const perSource = 32

// Limits bound what strangers hold.
type Limits struct {
	Connections int   // in all
	PerAddress  int   // of one source
	HalfOpen    int   // handshakes under way
	Unread      int64 // bytes that the windows of all connections may grow beyond what each has from the start; 0 for no growth
}

// Door takes connections in and has each served.
type Door struct {
	limits   Limits
	serve    func(ctx context.Context, conn *quic.Conn, from netip.Addr)
	listener *quic.Listener
	carrier  *quic.Transport
	serving  sync.WaitGroup
	cancel   context.CancelFunc
	places   *Shares

	mu     sync.Mutex
	half   int
	proved map[netip.Addr]int // handshakes of sources that proved their address
	grown  int64
}

// errHalf is why a handshake is not begun.
var errHalf = errors.New("door: too many handshakes are under way")

// came is a connection from its first packet on.
type came struct {
	door   *Door
	source netip.Addr // the zero Addr where it is not proved
	open   bool       // its handshake is over
	gone   bool
	grown  int64
}

type cameKey struct{}

// Open has connections served on a socket, which is the door's from now on. serve is called for each in a goroutine of its own and ends soon after the context
// does, or the connection.
func Open(
	socket net.PacketConn, secured *tls.Config, config *quic.Config, limits Limits, serve func(ctx context.Context, conn *quic.Conn, from netip.Addr),
) (*Door, error) {
	d := &Door{limits: limits, serve: serve, places: NewShares(limits.Connections, limits.PerAddress), proved: map[netip.Addr]int{}}
	d.carrier = &quic.Transport{Conn: socket, VerifySourceAddress: d.suspicious, ConnContext: d.begin}
	config = config.Clone()
	config.AllowConnectionWindowIncrease = grow
	var err error
	if d.listener, err = d.carrier.Listen(secured, config); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	d.cancel = cancel
	d.serving.Go(func() { d.accept(ctx) })
	return d, nil
}

// Address is where it listens.
func (d *Door) Address() net.Addr { return d.listener.Addr() }

// Connections is how many there are.
func (d *Door) Connections() int { return d.places.Taken() }

// Enter takes a place for a connection that comes in another way than over QUIC, or reports that there is none for its source; Shares.Try says what evict is.
func (d *Door) Enter(from netip.Addr, evict func()) (*Place, bool) {
	return d.places.Try(Source(from), evict)
}

// Close ends all connections and waits until nobody is served.
func (d *Door) Close() error {
	d.cancel()
	err := errors.Join(d.listener.Close(), d.carrier.Close())
	d.serving.Wait()
	return errors.Join(err, d.carrier.Conn.Close())
}

// suspicious reports whether dialers must prove their address first.
func (d *Door) suspicious(net.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.half >= d.limits.HalfOpen/2 || d.places.Taken() >= d.limits.Connections/2
}

// begin counts a handshake, or refuses it.
func (d *Door) begin(ctx context.Context, who *quic.ClientInfo) (context.Context, error) {
	c := &came{door: d}
	if at := addressOf(who.RemoteAddr); who.AddrVerified {
		c.source = Source(at)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.half >= d.limits.HalfOpen || c.source.IsValid() && d.proved[c.source] >= max(d.limits.HalfOpen/perSource, 2) {
		return nil, errHalf
	}
	d.half++
	if c.source.IsValid() {
		d.proved[c.source]++
	}
	context.AfterFunc(ctx, c.end)
	return context.WithValue(ctx, cameKey{}, c), nil
}

// opened counts the handshake no more. The lock is held.
func (c *came) opened() {
	if c.open {
		return
	}
	c.open = true
	c.door.half--
	if c.source.IsValid() {
		if c.door.proved[c.source]--; c.door.proved[c.source] == 0 {
			delete(c.door.proved, c.source)
		}
	}
}

// end is called when the connection has ended.
func (c *came) end() {
	c.door.mu.Lock()
	defer c.door.mu.Unlock()
	c.opened()
	c.gone = true
	c.door.grown -= c.grown
	c.grown = 0
}

// grow reports whether a connection's window may grow.
func grow(conn *quic.Conn, by uint64) bool {
	c, ok := conn.Context().Value(cameKey{}).(*came)
	if !ok {
		return false
	}
	c.door.mu.Lock()
	defer c.door.mu.Unlock()
	if c.gone || by > uint64(c.door.limits.Unread) || c.door.grown+int64(by) > c.door.limits.Unread {
		return false
	}
	c.grown += int64(by)
	c.door.grown += int64(by)
	return true
}

func addressOf(a net.Addr) netip.Addr {
	if u, ok := a.(*net.UDPAddr); ok {
		return u.AddrPort().Addr().Unmap()
	}
	return netip.Addr{}
}

func (d *Door) accept(ctx context.Context) {
	for {
		conn, err := d.listener.Accept(ctx)
		if err != nil {
			return
		}
		if c, ok := conn.Context().Value(cameKey{}).(*came); ok {
			d.mu.Lock()
			c.opened()
			d.mu.Unlock()
		}
		from := addressOf(conn.RemoteAddr())
		place, ok := d.places.Try(Source(from), func() { _ = conn.CloseWithError(1, "too many connections") })
		if !ok {
			_ = conn.CloseWithError(1, "too many connections")
			continue
		}
		d.serving.Go(func() {
			defer place.Leave()
			d.serve(ctx, conn, from)
		})
	}
}
