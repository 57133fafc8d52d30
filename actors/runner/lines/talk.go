package lines

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Bounds of a line.
const (
	within      = 5 * time.Second // a handshake, and a frame
	outward     = 32              // frames that wait
	assignments = 8               // taken at a time
)

// talk is a line that is open.
type talk struct {
	of       context.Context // of the instance
	inbox    *supervision.Inbox
	key      sig.BLSPublicKey
	line     *mutual.Line
	out      chan protocol.Message
	session  digest.Hash // the runner's challenge
	peer     protocol.Party
	runner   protocol.Party
	chain    uint64
	takes    Dispatcher
	nonce    uint64   // of the last heartbeat
	pressure Pressure // told last
	pressed  bool
}

// send has a frame sent, unless too many wait.
func (t *talk) send(m protocol.Message) {
	select {
	case t.out <- m:
	default:
	}
}

// beat sends a heartbeat, and the load where it has changed.
func (t *talk) beat(key *sig.PrivateKey, height uint64, p Pressure) {
	t.nonce++
	t.send(&protocol.Ping{Height: height, Nonce: t.nonce, Signature: protocol.SignAsRunner(key, protocol.PingHash(t.session, height, t.nonce))})
	if t.pressed && p == t.pressure {
		return
	}
	t.pressed, t.pressure = true, p
	m := &protocol.Backpressure{Active: p.Active, Most: p.Most, Accepting: p.Accepting}
	if !p.Accepting {
		m.Reason = "draining"
	}
	t.send(m)
}

// refusal is a Goodbye.
type refusal struct{ why protocol.Reason }

func (r refusal) Error() string { return "the validator says goodbye: " + r.why.String() }

// connect opens a line and speaks over it until it ends.
func (s *Lines) connect(ctx context.Context, to *protocol.Invitation, height uint64) {
	t, stream, err := s.open(ctx, to, height)
	if err != nil {
		s.Handle.inbox.Reply(fallen(to.Validator, nil, err))
		return
	}
	s.Handle.inbox.Reply(rose{t})
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(within/10, func() { t.line.Close(uint64(protocol.Stopping), "") }) })
	defer stop()
	go t.write(stream)
	go t.take()
	err = t.read(stream)
	t.line.Close(uint64(protocol.Stopping), "")
	s.Handle.inbox.Reply(fallen(to.Validator, t, err))
}

func fallen(key sig.BLSPublicKey, t *talk, err error) fell {
	f := fell{key: key, talk: t, why: err.Error()}
	var r refusal
	if errors.As(err, &r) {
		f.forLong = r.why == protocol.NotInSubset || r.why == protocol.NotRegistered || r.why == protocol.UnsupportedVersion || r.why == protocol.Superseded
	}
	return f
}

// open dials and shakes hands.
//
// Spec: runner-marketplace §9.2.
func (s *Lines) open(ctx context.Context, to *protocol.Invitation, height uint64) (t *talk, stream *mutual.Stream, err error) {
	until, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	l, err := mutual.DialLine(until, to.Endpoint, s.own, mutual.Key(to.Peer), protocol.ALPN, assignments)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			l.Close(uint64(protocol.BadFrame), err.Error())
		}
	}()
	if stream, err = l.Open(until); err != nil {
		return nil, nil, err
	}
	stream.Until(time.Now().Add(within))
	defer stream.Until(time.Time{})
	ours := &protocol.Hello{Version: protocol.Version, Party: protocol.RunnerParty(s.Key.Compressed()), Role: protocol.Runner, Height: height}
	if _, err = rand.Read(ours.Nonce[:]); err != nil {
		return nil, nil, err
	}
	bond := protocol.Bond{Chain: s.ChainID}
	if bond.Channel, err = l.Export(protocol.Label); err != nil {
		return nil, nil, err
	}
	if _, err = stream.Write(protocol.Append(nil, ours)); err != nil {
		return nil, nil, err
	}
	m, err := expect(stream, func(m protocol.Message) bool { _, ok := m.(*protocol.Hello); return ok })
	if err != nil {
		return nil, nil, err
	}
	theirs := m.(*protocol.Hello)
	if theirs.Version != protocol.Version || theirs.Role != protocol.Validator || theirs.Party != protocol.ValidatorParty(to.Peer) {
		return nil, nil, fmt.Errorf("%w: the Hello is not that of the validator", protocol.ErrFrame)
	}
	challenge := bond.Challenge(ours, theirs)
	if _, err = stream.Write(protocol.Append(nil, &protocol.HelloAck{Signature: protocol.SignAsRunner(s.Key, challenge)})); err != nil {
		return nil, nil, err
	}
	if m, err = expect(stream, func(m protocol.Message) bool { _, ok := m.(*protocol.HelloAck); return ok }); err != nil {
		return nil, nil, err
	}
	if !theirs.Party.Verify(bond.Challenge(theirs, ours), m.(*protocol.HelloAck).Signature) {
		return nil, nil, errSignature
	}
	return &talk{
		of: ctx, inbox: s.Handle.inbox, key: to.Validator, line: l, out: make(chan protocol.Message, outward), session: challenge, peer: theirs.Party,
		runner: ours.Party, chain: s.ChainID, takes: s.Dispatcher,
	}, stream, nil
}

// errSignature reports what the validator did not sign.
var errSignature = errors.New("the validator did not sign this")

// expect reads a frame; a Goodbye is an error.
func expect(stream *mutual.Stream, suits func(protocol.Message) bool) (protocol.Message, error) {
	m, err := protocol.Read(stream, nil, func(m protocol.Message) bool { _, bye := m.(*protocol.Goodbye); return bye || suits(m) })
	if bye, ok := m.(*protocol.Goodbye); ok && err == nil {
		return nil, refusal{bye.Reason}
	}
	return m, err
}

// write sends what is to be sent. A Goodbye is the last of it.
func (t *talk) write(stream *mutual.Stream) {
	for {
		select {
		case <-t.line.Context().Done():
			return
		case m := <-t.out:
			stream.WriteUntil(time.Now().Add(within))
			_, err := stream.Write(protocol.Append(nil, m))
			if _, bye := m.(*protocol.Goodbye); bye && err == nil {
				_ = stream.Close() // the validator ends the line
				return
			}
			if err != nil {
				t.line.Close(uint64(protocol.TooSlow), err.Error())
				return
			}
		}
	}
}

// read takes what comes on the first stream.
func (t *talk) read(stream *mutual.Stream) error {
	for {
		m, err := expect(stream, func(m protocol.Message) bool {
			switch m.(type) {
			case *protocol.Pong, *protocol.Cancel:
				return true
			}
			return false
		})
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case *protocol.Pong:
			if !t.peer.Verify(protocol.PongHash(t.session, m.Height, m.Nonce), m.Signature) {
				return errSignature
			}
		case *protocol.Cancel:
			hash := m.Hash(t.chain, t.runner)
			if !sig.VerifyEd25519(t.peer[1:], hash[:], m.Signature[:]) {
				return errSignature
			}
			t.takes.Hurry()
		}
	}
}

// take takes assignments, each on a stream of its own.
func (t *talk) take() {
	for {
		stream, err := t.line.Take(t.line.Context())
		if err != nil {
			return
		}
		go func() {
			if err := t.assigned(stream); err != nil {
				t.line.Close(uint64(protocol.BadFrame), err.Error())
			}
		}()
	}
}

// assigned takes one. An error is the validator's fault.
//
// Spec: runner-marketplace §9.3.
func (t *talk) assigned(stream *mutual.Stream) error {
	end := stream.Abort
	defer func() { end() }()
	stream.ReadUntil(time.Now().Add(within))
	m, err := protocol.Read(stream, nil, func(m protocol.Message) bool { _, ok := m.(*protocol.Assignment); return ok })
	if err != nil {
		if errors.Is(err, protocol.ErrFrame) {
			return err
		}
		return nil // the validator gave it up
	}
	a := m.(*protocol.Assignment)
	hash := a.Hash(t.chain, t.runner)
	if !sig.VerifyEd25519(ed25519.PublicKey(t.peer[1:]), hash[:], a.Signature[:]) {
		return errSignature
	}
	status, why := t.takes.Pushed(t.line.Context(), a)
	if status == protocol.Accepted {
		t.inbox.Send(heard{t.key})
	}
	stream.WriteUntil(time.Now().Add(within))
	if _, err := stream.Write(protocol.Append(nil, &protocol.Ack{ID: a.ID, Status: status, Reason: why[:min(len(why), protocol.MaxDetail)]})); err == nil {
		_ = stream.Close()
		end = stream.Leave
	}
	return nil
}
