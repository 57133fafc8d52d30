package transport

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
)

// ErrClosed is the reason of a Dial after Close.
var ErrClosed = errors.New("transport: closed")

// ErrBusy is the reason of a Dial while too many others are under way.
var ErrBusy = errors.New("transport: too many connections being made")

// Transport is the Network over QUIC.
type Transport struct {
	config Config
	host   Handler
	self   ID
	tls    *tls.Config
	quic   *quic.Config
	socket *net.UDPConn
	wire   *quic.Transport
	listen uint16

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	pool     *pool
	pending  atomic.Int64 // connections others dialed that have not said hello
	counters [ChannelCount]counter

	mu        sync.Mutex
	admission admission
	conns     map[ID]*conn
	ending    map[ID]*conn // have left their place, and the host is being told
	dials     int
	closed    bool

	peers atomic.Pointer[[]Peer] // of conns, by identity; replaced as a whole
}

var _ Network = (*Transport)(nil)

// Listen binds the address and starts taking connections. Everything that happens is told to host.
//
// Spec: WP §6.2 (QUIC over TLS 1.3).
func Listen(config Config, host Handler) (*Transport, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Transport{config: config, host: host, self: config.Key.ID(), conns: map[ID]*conn{}, ending: map[ID]*conn{}}
	t.pool = newPool(config.Limits.Frames, config.Held)
	t.admission = newAdmission(t.self, config.Limits, config.Reserved)
	t.list()
	if t.tls, err = secure(config.Key); err != nil {
		return nil, err
	}
	t.quic = t.quicConfig()
	if t.socket, err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(config.Address)); err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	reset, err := resetKey(config.Key)
	if err != nil {
		_ = t.socket.Close()
		return nil, err
	}
	t.wire = &quic.Transport{Conn: t.socket, StatelessResetKey: reset, VerifySourceAddress: t.suspicious, ConnContext: t.pend}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	if config.Closed {
		return t, nil
	}
	t.listen = t.Address().Port()
	listener, err := t.wire.Listen(t.tls, t.quic)
	if err != nil {
		_ = t.wire.Close()
		_ = t.socket.Close()
		return nil, fmt.Errorf("transport: %w", err)
	}
	t.work.Go(func() { t.accept(listener) })
	return t, nil
}

// quicConfig fixes what a stranger's QUIC can make us hold: the streams of the channels and one for the hello.
func (t *Transport) quicConfig() *quic.Config {
	l := t.config.Limits
	window := uint64(l.Window)
	all := window * (ChannelCount + 2)
	return &quic.Config{
		Versions:                       []quic.Version{quic.Version1},
		HandshakeIdleTimeout:           l.Handshake / 2, // QUIC allows twice this in all
		MaxIdleTimeout:                 l.Idle,
		KeepAlivePeriod:                l.Idle / 3,
		InitialStreamReceiveWindow:     window,
		MaxStreamReceiveWindow:         window,
		InitialConnectionReceiveWindow: all,
		MaxConnectionReceiveWindow:     all,
		MaxIncomingStreams:             1,
		MaxIncomingUniStreams:          ChannelCount,
		RequireStreamCreditRelease:     true, // a channel's stream is opened once
	}
}

// resetKey lets a restarted node disown the connections of its predecessor.
func resetKey(key Key) (*quic.StatelessResetKey, error) {
	b, err := hkdf.Key(sha256.New, key.Seed(), nil, "_COWBOY_NET_STATELESS_RESET", 32)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return (*quic.StatelessResetKey)(b), nil
}

// pendingConn is a connection that has not said hello yet.
type pendingConn struct {
	transport *Transport
	once      sync.Once
}

type pendingKey struct{}

// pend counts a connection from its first packet on and refuses it when too many others are no further.
func (t *Transport) pend(ctx context.Context, _ *quic.ClientInfo) (context.Context, error) {
	if t.pending.Add(1) > int64(t.config.Limits.Pending) {
		t.pending.Add(-1)
		return nil, ErrBusy
	}
	k := &pendingConn{transport: t}
	context.AfterFunc(ctx, k.over)
	return context.WithValue(ctx, pendingKey{}, k), nil
}

// over is called when the hello, or the connection, has ended.
func (k *pendingConn) over() { k.once.Do(func() { k.transport.pending.Add(-1) }) }

// suspicious demands that dialers prove their address once hellos pile up.
func (t *Transport) suspicious(net.Addr) bool {
	return t.pending.Load() >= int64(t.config.Limits.Pending)/2
}

// Self implements Network.
func (t *Transport) Self() ID { return t.self }

// Address is the bound UDP address.
func (t *Transport) Address() netip.AddrPort {
	return t.socket.LocalAddr().(*net.UDPAddr).AddrPort()
}

func (t *Transport) accept(listener *quic.Listener) {
	for {
		q, err := listener.Accept(t.ctx)
		if err != nil {
			return
		}
		if !t.begin() {
			return
		}
		go func() {
			defer t.work.Done()
			c, err := t.accepted(q)
			q.Context().Value(pendingKey{}).(*pendingConn).over()
			if err != nil {
				t.host.Refused(remote(q), err)
				return
			}
			c.run()
		}()
	}
}

// begin counts a goroutine, unless the transport is closing.
func (t *Transport) begin() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.work.Add(1)
	return true
}

// Dial implements Network.
func (t *Transport) Dial(target Target) {
	t.mu.Lock()
	err := ErrClosed
	if !t.closed {
		err = ErrBusy
		if t.dials < t.config.Limits.Dials {
			err = nil
			t.dials++
			t.work.Add(1)
		}
	}
	t.mu.Unlock()
	if err != nil {
		t.host.Failed(target, err)
		return
	}
	go func() {
		defer t.work.Done()
		c, err := t.call(target)
		t.mu.Lock()
		t.dials--
		t.mu.Unlock()
		if err != nil {
			t.host.Failed(target, err)
			return
		}
		c.run()
	}()
}

// call dials and says hello.
func (t *Transport) call(target Target) (*conn, error) {
	if target.ID == t.self {
		return nil, NewRefusal(CodeSelf, "this node's own key")
	}
	ctx, cancel := context.WithCancelCause(t.ctx)
	defer cancel(nil)
	deadline := t.config.Clock.AfterFunc(t.config.Limits.Handshake, func() {
		cancel(NewRefusal(CodeTimeout, "no answer within %v", t.config.Limits.Handshake))
	})
	q, err := t.wire.Dial(ctx, net.UDPAddrFromAddrPort(target.Address), t.tls, t.quic)
	deadline.Stop()
	if err != nil {
		if cause := context.Cause(ctx); cause != nil && t.ctx.Err() == nil {
			err = cause
		}
		return nil, fmt.Errorf("transport: dial %v: %w", target.Address, reason(err))
	}
	return t.dialed(q, target)
}

// enter gives a connection after its hello its place, or says why there is none.
func (t *Transport) enter(c *conn) *Refusal {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return NewRefusal(CodeClosing, "the node is stopping")
	}
	var present *place
	former := t.conns[c.peer.ID]
	if former != nil {
		present = &former.place
	}
	if r := t.admission.judge(c.place, present, t.config.Clock.Now()); r != nil {
		return r
	}
	c.former = t.ending[c.peer.ID]
	if former != nil {
		t.admission.leave(former.place)
		c.former = former
		go former.end(NewRefusal(CodeDuplicate, "another connection is kept"))
	}
	t.admission.enter(c.place)
	t.conns[c.peer.ID] = c
	t.list()
	return nil
}

// list makes the list of peers anew. The lock is held.
func (t *Transport) list() {
	peers := make([]Peer, 0, len(t.conns))
	for _, c := range t.conns {
		peers = append(peers, c.peer)
	}
	slices.SortFunc(peers, func(a, b Peer) int { return a.ID.Compare(b.ID) })
	t.peers.Store(&peers)
}

// Peers implements Network. The list is shared and must not be changed.
func (t *Transport) Peers() []Peer { return *t.peers.Load() }

// leave gives a connection's place up. Whoever takes it before told waits.
func (t *Transport) leave(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conns[c.peer.ID] == c {
		delete(t.conns, c.peer.ID)
		t.ending[c.peer.ID] = c
		t.admission.leave(c.place)
		t.list()
	}
}

// told says that the host knows of a connection's end.
func (t *Transport) told(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ending[c.peer.ID] == c {
		delete(t.ending, c.peer.ID)
	}
}

func (t *Transport) conn(id ID) *conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.conns[id]
}

// Send implements Network.
func (t *Transport) Send(to ID, channel Channel, frame []byte) Outcome {
	if channel >= ChannelCount {
		return Absent
	}
	if len(frame) == 0 || len(frame) > t.config.Limits.Channels[channel].FrameMax {
		return TooLarge
	}
	c := t.conn(to)
	if c == nil || c.peer.Purpose == Lookup && channel != Discovery {
		return Absent
	}
	return c.send(channel, frame)
}

// Drop implements Network.
func (t *Transport) Drop(id ID, why *Refusal) {
	if c := t.conn(id); c != nil && (why.Code != CodeDone || c.peer.Purpose == Lookup) {
		go c.end(why)
	}
}

// Block implements Network.
func (t *Transport) Block(id ID, until time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.admission.block(id, until, t.config.Clock.Now())
}

// Close ends every connection in order and frees the address. It returns when nothing of the transport runs any more.
func (t *Transport) Close() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil
	}
	t.closed = true
	for _, c := range t.conns {
		t.work.Go(func() { c.end(NewRefusal(CodeClosing, "the node is stopping")) })
	}
	t.mu.Unlock()
	t.cancel()
	t.work.Wait()
	return errors.Join(t.wire.Close(), t.socket.Close())
}
