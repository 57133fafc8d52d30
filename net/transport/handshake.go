package transport

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"time"

	"github.com/quic-go/quic-go"
)

// farewell is how long a refused dialer has to read why before the connection ends under it.
const farewell = time.Second

// own is what this node says of itself.
func (t *Transport) own(purpose Purpose) hello {
	return hello{
		low: t.config.versions[0], high: t.config.versions[1], purpose: purpose, instance: t.config.Instance,
		genesis: t.config.Genesis, network: t.config.Network, agent: t.config.Agent, listen: t.listen,
	}
}

// accepted is the dialed side of the hello. An error means that the connection was refused and has ended.
func (t *Transport) accepted(q *quic.Conn) (*conn, error) {
	defer t.expire(q)()
	stream, err := q.AcceptStream(t.ctx)
	if err != nil {
		return nil, t.finish(q, err)
	}
	raw, err := readHello(stream)
	if err != nil {
		return nil, t.finish(q, err)
	}
	theirs, err := decodeHello(raw)
	if err != nil {
		return nil, t.finish(q, NewRefusal(CodeMalformed, "%v", err))
	}
	c, refusal := t.meet(q, theirs, true)
	if refusal == nil {
		refusal = t.enter(c)
	}
	reply := answer{hello: t.own(theirs.purpose), refusal: refusal}.encode()
	_, err = stream.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...))
	_ = stream.Close()
	if refusal == nil {
		// From here on the connection has its place: whatever happens to it is for run to find.
		return c, nil
	}
	if err == nil {
		late := t.config.Clock.AfterFunc(farewell, func() { _ = q.CloseWithError(quic.ApplicationErrorCode(refusal.Code), refusal.Text) })
		defer late.Stop()
		<-q.Context().Done()
	}
	return nil, t.finish(q, refusal)
}

// dialed is the dialing side of the hello.
func (t *Transport) dialed(q *quic.Conn, target Target) (*conn, error) {
	defer t.expire(q)()
	c, err := t.exchange(q, target)
	if err != nil {
		return nil, t.finish(q, err)
	}
	if refusal := t.enter(c); refusal != nil {
		return nil, t.finish(q, refusal)
	}
	return c, nil
}

func (t *Transport) exchange(q *quic.Conn, target Target) (*conn, error) {
	key, err := proven(q.ConnectionState().TLS)
	if err != nil {
		return nil, err
	}
	if id := key.ID(); !target.ID.IsZero() && id != target.ID {
		return nil, NewRefusal(CodeIdentity, "%v was dialed for %v, but %v answered", target.Address, target.ID, id)
	}
	stream, err := q.OpenStream()
	if err != nil {
		return nil, err
	}
	ours := t.own(target.Purpose).encode()
	if _, err := stream.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(ours))), ours...)); err != nil {
		return nil, err
	}
	_ = stream.Close()
	raw, err := readHello(stream)
	if err != nil {
		return nil, err
	}
	a, err := decodeAnswer(raw)
	if err != nil {
		return nil, NewRefusal(CodeMalformed, "%v", err)
	}
	a.hello.purpose = target.Purpose
	c, refusal := t.meet(q, a.hello, false)
	if refusal == nil {
		refusal = a.refusal
	}
	if refusal != nil {
		return nil, refusal
	}
	return c, nil
}

// meet turns a hello into a connection, if the two nodes can be peers at all.
func (t *Transport) meet(q *quic.Conn, theirs hello, inbound bool) (*conn, *Refusal) {
	version, refusal := meet(t.own(theirs.purpose), theirs)
	if refusal != nil {
		return nil, refusal
	}
	key, err := proven(q.ConnectionState().TLS)
	if err != nil {
		return nil, NewRefusal(CodeIdentity, "%v", err)
	}
	at := remote(q)
	c := &conn{
		transport: t,
		quic:      q,
		peer: Peer{
			ID: key.ID(), Key: key, Address: at, Listen: theirs.listen, Inbound: inbound, Purpose: theirs.purpose, Agent: theirs.agent,
			Version: version,
		},
		done: make(chan struct{}),
	}
	c.place = place{id: c.peer.ID, address: at.Addr(), inbound: inbound, purpose: theirs.purpose, instance: theirs.instance}
	c.tick.Store(1)
	capped := t.admission.capped(c.place)
	for i := range c.lanes {
		c.lanes[i].open(t.config.Limits.Channels[i], t.pool, capped)
	}
	return c, nil
}

func remote(q *quic.Conn) netip.AddrPort {
	if a, ok := q.RemoteAddr().(*net.UDPAddr); ok {
		p := a.AddrPort()
		return netip.AddrPortFrom(p.Addr().Unmap(), p.Port())
	}
	return netip.AddrPort{}
}

// expire ends a connection whose hello takes too long, or that the node's own end overtakes, until it is called off.
func (t *Transport) expire(q *quic.Conn) (off func()) {
	deadline := t.config.Clock.AfterFunc(t.config.Limits.Handshake, func() {
		_ = q.CloseWithError(quic.ApplicationErrorCode(CodeTimeout), "no hello in time")
	})
	closing := context.AfterFunc(t.ctx, func() { _ = q.CloseWithError(quic.ApplicationErrorCode(CodeClosing), "the node is stopping") })
	return func() {
		deadline.Stop()
		closing()
	}
}

// finish ends a connection for a reason, which it tells the other side if it is a Refusal of ours, and returns that reason.
func (t *Transport) finish(q *quic.Conn, why error) error {
	why = reason(why)
	var r *Refusal
	switch {
	case errors.As(why, &r):
		_ = q.CloseWithError(quic.ApplicationErrorCode(r.Code), r.Text)
	default:
		_ = q.CloseWithError(quic.ApplicationErrorCode(CodeMalformed), "the hello was cut short")
	}
	return why
}

// readHello takes one message of the hello: u16 length ‖ bytes.
func readHello(stream *quic.Stream) ([]byte, error) {
	var head [2]byte
	if _, err := io.ReadFull(stream, head[:]); err != nil {
		return nil, short(err)
	}
	n := int(binary.BigEndian.Uint16(head[:]))
	if n > helloMax {
		return nil, NewRefusal(CodeMalformed, "hello of %d bytes, the limit is %d", n, helloMax)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(stream, b); err != nil {
		return nil, short(err)
	}
	return b, nil
}

// short names a hello that ended early; an error of the connection is kept, because it carries the other side's reason.
func short(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return NewRefusal(CodeMalformed, "the hello was cut short")
	}
	return err
}
