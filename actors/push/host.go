package push

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"net"
	"net/netip"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Limits bound what runners cost. The zero value of each is the default.
type Limits struct {
	Connections int           // in all; as many as there is memory for
	PerAddress  int           // of one address
	HalfOpen    int           // that have not said who they are
	Within      time.Duration // in which they do, and in which a frame is there whole
	PerSecond   float64       // frames of a connection; twice as many may come at once
}

func (l Limits) within(memory int64) Limits {
	most := max(int(memory/2/mutual.LineWindow), 4)
	if l.Connections == 0 || l.Connections > most {
		l.Connections = most
	}
	if l.PerAddress == 0 {
		l.PerAddress = max(l.Connections/4, 1)
	}
	if l.HalfOpen == 0 {
		l.HalfOpen = max(l.Connections/4, 2)
	}
	if l.Within == 0 {
		l.Within = 5 * time.Second
	}
	if l.PerSecond == 0 {
		l.PerSecond = 32
	}
	return l
}

// Bounds of a connection.
const (
	outward  = 64              // frames that wait to be sent
	openFor  = 5 * time.Minute // a stream of an assignment, whatever the blocks do
	farewell = 500 * time.Millisecond
	streams  = 1 // that a runner opens
)

// host speaks with runners on behalf of one instance of the actor.
type host struct {
	handle *Handle
	chain  uint64
	key    ed25519.PrivateKey
	limits Limits
	room   *budget.Account
	half   *semaphore.Weighted
	lines  *mutual.Lines
}

// talk is the connection of a runner that has shown who it is.
type talk struct {
	id      session
	line    *mutual.Line
	party   protocol.Party
	session digest.Hash // the runner's challenge
	out     chan protocol.Message
	pending map[digest.Hash]*sending // assignments without an answer; the actor's
}

// sending is one sending of an assignment. The same may be sent again while what became of this one is not told yet.
type sending struct{ cancel context.CancelFunc }

// open listens.
func (h *host) open(at netip.AddrPort) error {
	socket, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
	if err != nil {
		return err
	}
	h.half = semaphore.NewWeighted(int64(h.limits.HalfOpen))
	h.lines, err = mutual.Accept(socket, h.key, protocol.ALPN, mutual.Limits{
		Connections: h.limits.Connections, PerAddress: h.limits.PerAddress, Streams: streams, Within: h.limits.Within,
	}, h.serve)
	if err != nil {
		return errors.Join(err, socket.Close())
	}
	return nil
}

// errGoodbye is that the other side said Goodbye.
var errGoodbye = errors.New("push: the other side says goodbye")

// serve speaks with whoever has connected.
func (h *host) serve(ctx context.Context, l *mutual.Line) {
	stop := context.AfterFunc(ctx, func() { l.Close(uint64(protocol.Stopping), protocol.Stopping.String()) })
	defer stop()
	if !h.half.TryAcquire(1) {
		l.Close(uint64(protocol.TooMuch), protocol.TooMuch.String())
		return
	}
	first, cancel := context.WithTimeout(l.Context(), h.limits.Within)
	stream, err := l.Take(first)
	cancel()
	if err != nil {
		h.half.Release(1)
		return
	}
	stream.Until(time.Now().Add(h.limits.Within))
	t, why, err := h.shake(l, stream)
	h.half.Release(1)
	if err != nil {
		h.part(l, stream, why)
		return
	}
	stream.Until(time.Time{})
	h.converse(l, stream, t)
}

// part says goodbye, and gives the other side the time to hear it.
func (h *host) part(l *mutual.Line, stream *mutual.Stream, why protocol.Reason) {
	stream.WriteUntil(time.Now().Add(farewell))
	if _, err := stream.Write(protocol.Append(nil, &protocol.Goodbye{Reason: why})); err == nil {
		_ = stream.Close()
		after := time.NewTimer(farewell)
		defer after.Stop()
		select {
		case <-l.Context().Done():
		case <-after.C:
		}
	}
	l.Close(uint64(why), why.String())
}

// shake is the handshake. An error has a reason to part for.
//
// Spec: runner-marketplace §9.2.
func (h *host) shake(l *mutual.Line, stream *mutual.Stream) (*talk, protocol.Reason, error) {
	m, err := protocol.Read(stream, h.room, func(m protocol.Message) bool { _, ok := m.(*protocol.Hello); return ok })
	if err != nil {
		return nil, protocol.BadFrame, err
	}
	theirs := m.(*protocol.Hello)
	ask := greeted{l.Address, theirs, make(chan welcome, 1)}
	if h.handle.inbox.Send(ask) != supervision.Accepted {
		return nil, protocol.TooMuch, supervision.ErrStopped
	}
	var w welcome
	select {
	case w = <-ask.reply:
	case <-l.Context().Done():
		return nil, protocol.Stopping, l.Context().Err()
	}
	if w.refused {
		return nil, w.why, errors.New(w.why.String())
	}
	ours := &protocol.Hello{Version: protocol.Version, Party: protocol.ValidatorParty([32]byte(h.key.Public().(ed25519.PublicKey))), Role: protocol.Validator,
		Height: w.height}
	if _, err = rand.Read(ours.Nonce[:]); err != nil {
		return nil, protocol.Stopping, err
	}
	bond := protocol.Bond{Chain: h.chain}
	if bond.Channel, err = l.Export(protocol.Label); err != nil {
		return nil, protocol.Stopping, err
	}
	if _, err := stream.Write(protocol.Append(nil, ours)); err != nil {
		return nil, protocol.TooSlow, err
	}
	m, err = protocol.Read(stream, h.room, func(m protocol.Message) bool { _, ok := m.(*protocol.HelloAck); return ok })
	if err != nil {
		return nil, protocol.BadFrame, err
	}
	challenge := bond.Challenge(theirs, ours)
	if !theirs.Party.Verify(challenge, m.(*protocol.HelloAck).Signature) {
		return nil, protocol.BadSignature, errors.New("the signature is not of this connection")
	}
	t := &talk{
		id: session(h.handle.sessions.Add(1)), line: l, party: theirs.Party, session: challenge, out: make(chan protocol.Message, outward),
		pending: map[digest.Hash]*sending{},
	}
	answer := &protocol.HelloAck{Signature: protocol.SignAsValidator(h.key, bond.Challenge(ours, theirs))}
	if _, err := stream.Write(protocol.Append(nil, answer)); err != nil {
		return nil, protocol.TooSlow, err
	}
	return t, 0, nil
}

// converse takes the frames of a runner until one of both goes.
func (h *host) converse(l *mutual.Line, stream *mutual.Stream, t *talk) {
	in := joined{t, make(chan bool, 1)}
	if h.handle.inbox.Send(in) != supervision.Accepted {
		h.part(l, stream, protocol.TooMuch)
		return
	}
	defer h.handle.inbox.Reply(left{t.id})
	select {
	case ok := <-in.reply:
		if !ok {
			h.part(l, stream, protocol.Stopping)
			return
		}
	case <-l.Context().Done():
		return
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		h.write(l, stream, t)
	}()
	err := h.read(l, stream, t)
	l.Close(uint64(protocol.BadFrame), err.Error())
	<-written
}

// write sends what the actor wants sent. A Goodbye is the last of it.
func (h *host) write(l *mutual.Line, stream *mutual.Stream, t *talk) {
	for {
		select {
		case <-l.Context().Done():
			return
		case m := <-t.out:
			if bye, ok := m.(*protocol.Goodbye); ok {
				h.part(l, stream, bye.Reason)
				return
			}
			stream.WriteUntil(time.Now().Add(h.limits.Within))
			if _, err := stream.Write(protocol.Append(nil, m)); err != nil {
				l.Close(uint64(protocol.TooSlow), protocol.TooSlow.String())
				return
			}
		}
	}
}

// read hands frames to the actor, one after another.
func (h *host) read(l *mutual.Line, stream *mutual.Stream, t *talk) error {
	pace := rate.NewLimiter(rate.Limit(h.limits.PerSecond), max(int(2*h.limits.PerSecond), 1))
	suits := func(m protocol.Message) bool {
		switch m.(type) {
		case *protocol.Ping, *protocol.Backpressure, *protocol.CapabilityDelta, *protocol.Progress, *protocol.Result, *protocol.Goodbye:
			return true
		}
		return false
	}
	for {
		m, err := protocol.Read(stream, h.room, suits)
		if err != nil {
			return err
		}
		if !pace.Allow() {
			return errors.New(protocol.TooMuch.String())
		}
		if p, ok := m.(*protocol.Ping); ok && !t.party.Verify(protocol.PingHash(t.session, p.Height, p.Nonce), p.Signature) {
			return errors.New(protocol.BadSignature.String())
		}
		c := said{t.id, m, make(chan struct{})}
		if h.handle.inbox.Send(c) != supervision.Accepted {
			return errors.New(protocol.Stopping.String())
		}
		select {
		case <-c.done:
		case <-l.Context().Done():
			return l.Context().Err()
		}
		if _, ok := m.(*protocol.Goodbye); ok {
			return errGoodbye
		}
	}
}

// push sends an assignment on a stream of its own and waits for the answer. What becomes of it is told to the actor, once.
func (h *host) push(ctx context.Context, t *talk, a *protocol.Assignment, of *sending) {
	reply := answered{session: t.id, job: a.ID, sending: of}
	defer func() { h.handle.inbox.Reply(reply) }()
	size := int64(len(a.Spec))
	if !h.room.Take(size) {
		return
	}
	defer h.room.Give(size)
	hash := a.Hash(h.chain, t.party)
	copy(a.Signature[:], ed25519.Sign(h.key, hash[:]))
	stream, err := t.line.Open(ctx)
	if err != nil {
		return
	}
	stop := context.AfterFunc(ctx, stream.Abort)
	defer stop()
	defer stream.Abort()
	if _, err := stream.Write(protocol.Append(nil, a)); err != nil {
		return
	}
	_ = stream.Close()
	m, err := protocol.Read(stream, nil, func(m protocol.Message) bool { _, ok := m.(*protocol.Ack); return ok })
	if err == nil && m.(*protocol.Ack).ID == a.ID {
		reply.ack = m.(*protocol.Ack)
	}
}
