package push_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/testkit/pushed"
)

const patience = 60 * time.Second

// client is a runner by hand.
type client struct {
	t      *testing.T
	line   *mutual.Line
	stream *mutual.Stream
	hello  *protocol.Hello
	theirs *protocol.Hello
	bond   protocol.Bond
	key    *sig.PrivateKey
}

func (c *client) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// connect dials a validator, and opens the stream.
func connect(t *testing.T, v *pushed.Validator, key *sig.PrivateKey) *client {
	t.Helper()
	own := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{99}, 32))
	line, err := mutual.DialLine(within(t), v.Handle.Status().Endpoint, own, mutual.Key(v.Node.Public().(ed25519.PublicKey)), protocol.ALPN, 8)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { line.Close(0, "") })
	c := &client{t: t, line: line, key: key, bond: protocol.Bond{Chain: pushed.ID}}
	c.hello = &protocol.Hello{Version: protocol.Version, Party: protocol.RunnerParty(key.Compressed()), Nonce: digest.Hash{1}}
	c.stream, err = line.Open(within(t))
	c.must(err)
	c.stream.Until(time.Now().Add(patience))
	c.bond.Channel, err = line.Export(protocol.Label)
	c.must(err)
	return c
}

func (c *client) write(m protocol.Message) {
	_, _ = c.stream.Write(protocol.Append(nil, m)) // whoever was sent away sees it when it reads
}

func (c *client) read() (protocol.Message, error) {
	return protocol.Read(c.stream, nil, func(protocol.Message) bool { return true })
}

// greet says Hello and reads what is answered; nil with the reason of a Goodbye.
func (c *client) greet() (*protocol.Hello, protocol.Reason) {
	c.t.Helper()
	c.write(c.hello)
	m, err := c.read()
	c.must(err)
	if bye, ok := m.(*protocol.Goodbye); ok {
		return nil, bye.Reason
	}
	c.theirs = m.(*protocol.Hello)
	return c.theirs, 0
}

// ack signs the challenge and reads what is answered.
func (c *client) ack(s protocol.PartySignature) protocol.Message {
	c.t.Helper()
	c.write(&protocol.HelloAck{Signature: s})
	m, err := c.read()
	c.must(err)
	return m
}

// joined is a client that has shown who it is.
func joined(t *testing.T, v *pushed.Validator, key *sig.PrivateKey) *client {
	t.Helper()
	c := connect(t, v, key)
	if _, why := c.greet(); c.theirs == nil {
		t.Fatal(why)
	}
	m := c.ack(protocol.SignAsRunner(key, c.bond.Challenge(c.hello, c.theirs)))
	answer, ok := m.(*protocol.HelloAck)
	if !ok || !c.theirs.Party.Verify(c.bond.Challenge(c.theirs, c.hello), answer.Signature) {
		t.Fatalf("%+v", m)
	}
	return c
}

func (c *client) ping(nonce uint64) *protocol.Ping {
	session := c.bond.Challenge(c.hello, c.theirs)
	return &protocol.Ping{Nonce: nonce, Signature: protocol.SignAsRunner(c.key, protocol.PingHash(session, 0, nonce))}
}

// pong sends a heartbeat and reads its answer: whatever was sent before has been handled.
func (c *client) pong(nonce uint64) {
	c.t.Helper()
	c.write(c.ping(nonce))
	m, err := c.read()
	c.must(err)
	p, ok := m.(*protocol.Pong)
	session := c.bond.Challenge(c.hello, c.theirs)
	if !ok || p.Nonce != nonce || !c.theirs.Party.Verify(protocol.PongHash(session, p.Height, p.Nonce), p.Signature) {
		c.t.Fatalf("%+v", m)
	}
}

// ended waits until the validator has ended the line.
func (c *client) ended() {
	c.t.Helper()
	select {
	case <-c.line.Context().Done():
	case <-within(c.t).Done():
		c.t.Fatal("the line is still up")
	}
}

// assignment takes one and answers it.
func (c *client) assignment(status protocol.AckStatus) *protocol.Assignment {
	c.t.Helper()
	stream, err := c.line.Take(within(c.t))
	c.must(err)
	m, err := protocol.Read(stream, nil, func(protocol.Message) bool { return true })
	c.must(err)
	a := m.(*protocol.Assignment)
	hash := a.Hash(pushed.ID, c.hello.Party)
	if !sig.VerifyEd25519(c.theirs.Party[1:], hash[:], a.Signature[:]) {
		c.t.Error("the validator did not sign the assignment")
	}
	_, err = stream.Write(protocol.Append(nil, &protocol.Ack{ID: a.ID, Status: status}))
	c.must(err)
	_ = stream.Close()
	return a
}

// until looks at the validator's status after each final block it is told of.
func until(t *testing.T, v *pushed.Validator, what string, is func(s *push.Status) bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(v.Handle.Status()); {
		if time.Now().After(end) {
			t.Fatalf("never: %s: %+v", what, v.Handle.Status())
		}
		v.Handle.Finalized(nil)
	}
}

func alone(t *testing.T, limits push.Limits) (*pushed.Chain, *pushed.Validator, *sig.PrivateKey) {
	t.Helper()
	key := push.RunnerKey(t, 1)
	c := pushed.NewChain(100, pushed.Keys(t, 1)...)
	c.Register(key.Address())
	return c, pushed.Start(t, c, 0, 1, limits), key
}

// A runner is given its jobs as their blocks become final, in answer to nothing it asks; it brings a result over the same line.
//
// Spec: runner-marketplace §9.
func TestJobsArePushed(t *testing.T) {
	chain, v, key := alone(t, push.Limits{})
	c := joined(t, v, key)
	for n := range 3 {
		id := chain.Assign(key.Address(), n)
		chain.Block(v)
		if a := c.assignment(protocol.Accepted); a.ID != id || !bytes.Equal(a.Spec, pushed.Spec(id)) || a.Deadline <= a.Height {
			t.Fatalf("%+v", a)
		}
	}
	until(t, v, "three are accepted", func(s *push.Status) bool { return s.Accepted == 3 && s.Waiting == 0 })
	if s := v.Handle.Status(); s.Pushed != 3 || s.Delays[0]+s.Delays[1] != 3 {
		t.Errorf("%+v", s)
	}
	chain.Release(key.Address(), digest.SHA256([]byte("job 0")))
	chain.Block(v)
	m, err := c.read()
	if cancel, ok := m.(*protocol.Cancel); err != nil || !ok || cancel.Reason != protocol.Reassigned {
		t.Errorf("%+v %v", m, err)
	}
}

// Each of these is refused for what it is. The validator goes on: an honest runner is served afterwards.
//
// Spec: runner-marketplace §9.2.
func TestHostileHandshakes(t *testing.T) {
	_, v, key := alone(t, push.Limits{})
	stranger := push.RunnerKey(t, 2)
	signed := func(change func(b *protocol.Bond)) func(c *client) protocol.PartySignature {
		return func(c *client) protocol.PartySignature {
			b := c.bond
			change(&b)
			return protocol.SignAsRunner(c.key, b.Challenge(c.hello, c.theirs))
		}
	}
	is := func(s protocol.PartySignature) func(*client) protocol.PartySignature {
		return func(*client) protocol.PartySignature { return s }
	}
	var captured protocol.PartySignature // of an honest handshake, and its Hello
	honest := connect(t, v, key)
	if _, why := honest.greet(); honest.theirs == nil {
		t.Fatal(why)
	}
	captured = protocol.SignAsRunner(key, honest.bond.Challenge(honest.hello, honest.theirs))
	if _, ok := honest.ack(captured).(*protocol.HelloAck); !ok {
		t.Fatal("the honest handshake is refused")
	}
	for name, c := range map[string]struct {
		key   *sig.PrivateKey
		hello func(h *protocol.Hello)
		sign  func(c *client) protocol.PartySignature // nil: it does not come to that
		why   protocol.Reason
	}{
		"another version":      {key, func(h *protocol.Hello) { h.Version = 0x0101 }, nil, protocol.UnsupportedVersion},
		"not registered":       {stranger, func(*protocol.Hello) {}, nil, protocol.NotRegistered},
		"a validator's role":   {key, func(h *protocol.Hello) { h.Role = protocol.Validator }, nil, protocol.NotRegistered},
		"another's id":         {stranger, func(h *protocol.Hello) { h.Party = honest.hello.Party }, signed(func(*protocol.Bond) {}), protocol.BadSignature},
		"another chain":        {key, func(*protocol.Hello) {}, signed(func(b *protocol.Bond) { b.Chain++ }), protocol.BadSignature},
		"another channel":      {key, func(*protocol.Hello) {}, signed(func(b *protocol.Bond) { b.Channel[0] ^= 1 }), protocol.BadSignature},
		"a replayed handshake": {key, func(h *protocol.Hello) { *h = *honest.hello }, is(captured), protocol.BadSignature},
		"no signature":         {key, func(*protocol.Hello) {}, is(protocol.PartySignature{}), protocol.BadSignature},
	} {
		t.Run(name, func(t *testing.T) {
			x := connect(t, v, c.key)
			c.hello(x.hello)
			theirs, why := x.greet()
			if c.sign != nil {
				if theirs == nil {
					t.Fatal(why)
				}
				m := x.ack(c.sign(x))
				bye, ok := m.(*protocol.Goodbye)
				if !ok {
					t.Fatalf("%+v", m)
				}
				why = bye.Reason
			}
			if why != c.why {
				t.Errorf("%v, want %v", why, c.why)
			}
			x.ended()
		})
	}
	joined(t, v, key).pong(1)
}

// What is no frame, too long, out of turn, too much or badly signed ends a line, before and after the handshake, and nobody else's.
//
// Spec: runner-marketplace §9.3.
func TestHostileFrames(t *testing.T) {
	chain, v, key := alone(t, push.Limits{PerSecond: 20})
	other := push.RunnerKey(t, 2)
	chain.Register(other.Address())
	bystander := joined(t, v, other)
	for name, send := range map[string]func(c *client){
		"garbage":              func(c *client) { _, _ = c.stream.Write(bytes.Repeat([]byte{0xff}, 100)) },
		"4 GiB":                func(c *client) { _, _ = c.stream.Write([]byte{0xff, 0xff, 0xff, 0xff, 0x23}) },
		"a long heartbeat":     func(c *client) { _, _ = c.stream.Write([]byte{0, 0, 4, 0, 0x10}) },
		"an assignment":        func(c *client) { c.write(&protocol.Assignment{Spec: []byte{1}}) },
		"another Hello":        func(c *client) { c.write(c.hello) },
		"an unsigned ping":     func(c *client) { c.write(&protocol.Ping{Nonce: 1}) },
		"a ping of the past":   func(c *client) { c.write(c.ping(7)); c.write(c.ping(7)) },
		"a flood":              func(c *client) { c.flood() },
		"another transaction":  func(c *client) { c.write(&protocol.Result{Transaction: []byte("no transaction")}) },
		"the end of its frame": func(c *client) { _ = c.stream.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			c := joined(t, v, key)
			send(c)
			c.ended()
		})
	}
	bystander.pong(1)
}

func (c *client) flood() {
	for range 200 {
		c.write(&protocol.Progress{Fraction: 1})
	}
}

// Who says nothing does not keep its place: half-open connections are so many and no more, each for so long.
//
// Spec: runner-marketplace §9.1 (a cap on half-open connections).
func TestHalfOpen(t *testing.T) {
	_, v, key := alone(t, push.Limits{HalfOpen: 2, Within: time.Second})
	var silent []*client
	for range 2 {
		c := connect(t, v, key)
		c.write(&protocol.Goodbye{}) // so that the stream is there; it is no Hello
		silent = append(silent, c)
	}
	for _, c := range silent {
		c.ended()
	}
	joined(t, v, key).pong(1)
}

// Connections beyond the cap are refused while others stay, and taken when one has gone.
func TestConnections(t *testing.T) {
	chain, v, key := alone(t, push.Limits{Connections: 2})
	other, third := push.RunnerKey(t, 2), push.RunnerKey(t, 3)
	chain.Register(other.Address())
	chain.Register(third.Address())
	one, two := joined(t, v, key), joined(t, v, other)
	own := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{99}, 32))
	line, err := mutual.DialLine(within(t), v.Handle.Status().Endpoint, own, mutual.Key(v.Node.Public().(ed25519.PublicKey)), protocol.ALPN, 8)
	if err == nil {
		select {
		case <-line.Context().Done():
		case <-within(t).Done():
			t.Error("a third connection is taken")
		}
	}
	one.pong(1)
	two.line.Close(0, "")
	until(t, v, "one has gone", func(s *push.Status) bool { return s.Runners == 1 })
	for { // QUIC frees the place when both have seen the end
		line, err = mutual.DialLine(within(t), v.Handle.Status().Endpoint, own, mutual.Key(v.Node.Public().(ed25519.PublicKey)), protocol.ALPN, 8)
		if err == nil && line.Context().Err() == nil {
			break
		}
		if within(t).Err() != nil {
			t.Fatal(err)
		}
	}
	line.Close(0, "")
}

// A runner that takes an assignment and does not answer costs its own place alone: the others are told theirs, and it is absent after 15 blocks.
//
// Spec: runner-marketplace §9.4 (HardFailure).
func TestSilentRunner(t *testing.T) {
	chain, v, key := alone(t, push.Limits{})
	other := push.RunnerKey(t, 2)
	chain.Register(other.Address())
	silent, good := joined(t, v, key), joined(t, v, other)
	chain.Assign(key.Address(), 1)
	id := chain.Assign(other.Address(), 2)
	chain.Block(v)
	stream, err := silent.line.Take(within(t))
	silent.must(err)
	if a := good.assignment(protocol.Accepted); a.ID != id {
		t.Fatalf("%x", a.ID)
	}
	nonce := uint64(0)
	for range protocol.AckBlocks + 1 {
		chain.Block(v)
		nonce++
		silent.pong(nonce)
	}
	until(t, v, "it is silent", func(s *push.Status) bool { return s.Silent == 1 })
	if _, err := io.ReadAll(stream); err == nil {
		t.Error("the stream of the assignment is not given up")
	}
	if again := silent.assignment(protocol.Accepted); again.ID != digest.SHA256([]byte("job 1")) { // its heartbeats go on
		t.Errorf("%x", again.ID)
	}
}

// When the subsystem fails it comes back at the same place, with nothing of before, and runners connect to it again.
func TestRestart(t *testing.T) {
	chain, v, key := alone(t, push.Limits{})
	c := joined(t, v, key)
	at := v.Handle.Status().Endpoint
	v.Stop(t)
	c.ended()
	if _, err := c.read(); err == nil || errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "deadline") {
		t.Error(err)
	}
	again := pushed.Start(t, chain, 0, 1, push.Limits{})
	joined(t, again, key).pong(1)
	if at == "" || again.Handle.Status().Runners != 1 {
		t.Errorf("%+v", again.Handle.Status())
	}
}

// A runner that asks and does not read is let go when what waits for it stands still; the others are answered meanwhile.
func TestSlowReader(t *testing.T) {
	chain, v, key := alone(t, push.Limits{PerSecond: 1e6, Within: time.Second})
	other := push.RunnerKey(t, 2)
	chain.Register(other.Address())
	slow, good := joined(t, v, key), joined(t, v, other)
	for nonce := uint64(1); slow.line.Context().Err() == nil && nonce < 5_000; nonce++ {
		slow.write(slow.ping(nonce))
	}
	slow.ended()
	good.pong(1)
}
