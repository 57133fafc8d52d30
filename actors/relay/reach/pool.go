package reach

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

const (
	dialWithin  = 4 * time.Second
	answerIn    = 20 * time.Second
	avoidedFor  = 5 * time.Second // after a relay could not be dialled
	maxInFlight = 12              // questions to a relay at a time, below what its server takes of a connection over QUIC; over TCP some of them wait
)

// ErrAvoided reports a relay that could not be reached just before.
var ErrAvoided = errors.New("the relay could not be reached a moment ago")

// Pool keeps connections to relays. It is safe for many goroutines.
type Pool struct {
	Key  ed25519.PrivateKey
	Node digest.Hash     // of the relay that asks; zero for a client
	Self account.Address // its owner
	Now  func() time.Time
	Dial mutual.Dialer // nil for mutual.Dial
	// Peers remembers the relays that answered; nil for nobody.
	Peers *Peers

	mu    sync.Mutex
	lines map[account.Address]*line
}

// line is the connection to a relay.
type line struct {
	free chan struct{} // a place for each question under way

	mu     sync.Mutex
	conn   mutual.Conn
	to     string // endpoint and key of conn
	failed time.Time
}

func (p *Pool) line(owner account.Address) *line {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lines == nil {
		p.lines = map[account.Address]*line{}
	}
	l := p.lines[owner]
	if l == nil {
		l = &line{free: make(chan struct{}, maxInFlight)}
		p.lines[owner] = l
	}
	return l
}

// connect gives the connection to a relay, which it dials where there is none.
func (p *Pool) connect(ctx context.Context, r *Relay, l *line) (mutual.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	to := r.Endpoint + r.Key.Hex()
	if l.conn != nil && l.to == to && l.conn.Alive() {
		return l.conn, nil
	}
	if l.to == to && p.Now().Sub(l.failed) < avoidedFor {
		return nil, ErrAvoided
	}
	if l.conn != nil {
		_ = l.conn.Close()
		l.conn = nil
	}
	within, cancel := context.WithTimeout(ctx, dialWithin)
	defer cancel()
	l.to = to
	dial, greet := p.Dial, mutual.Greeting(nil)
	if dial == nil {
		dial = mutual.Dial
	}
	if !p.Node.IsZero() {
		greet = p.present
	}
	conn, err := dial(within, r.Endpoint, p.Key, mutual.Key(r.Key), greet)
	if err != nil {
		if ctx.Err() == nil {
			l.failed = p.Now()
		}
		return nil, err
	}
	l.conn, l.failed = conn, time.Time{}
	return conn, nil
}

// present says which relay asks.
//
// Spec: storage-cbfs §3.3 (RelayHandshake).
func (p *Pool) present(ctx context.Context, conn mutual.Conn) error {
	q := &protocol.Request{Op: protocol.RelayHandshake, Volume: p.Node, Hashes: make([]digest.Hash, 2), Offset: uint64(p.Now().UnixMilli())}
	rand.Read(q.Hashes[0][:])
	copy(q.Hashes[1][digest.Size-account.AddressSize:], p.Self[:])
	h := protocol.HandshakeHash(p.Node, q.Hashes[0], q.Offset)
	q.Data = ed25519.Sign(p.Key, h[:])
	_, _, err := ask(ctx, conn, q)
	return err
}

func ask(ctx context.Context, conn mutual.Conn, q *protocol.Request) (*protocol.Answer, *mutual.Body, error) {
	body, err := conn.Ask(ctx, q.Head(), q.Data)
	if err != nil {
		return nil, nil, err
	}
	a, err := protocol.DecodeAnswer(body.Bytes)
	if err == nil && a.Status != protocol.Ok {
		err = a.Status
	}
	return a, body, err
}

// Ask asks a relay. Errors: a protocol.Status, or that it does not answer.
func (p *Pool) Ask(ctx context.Context, r *Relay, q *protocol.Request) (*protocol.Answer, error) {
	a, _, err := p.Fetch(ctx, r, q)
	return a, err
}

// Fetch is Ask for whoever is done with the answer's bytes at some time: they lie in the body.
func (p *Pool) Fetch(ctx context.Context, r *Relay, q *protocol.Request) (*protocol.Answer, *mutual.Body, error) {
	l := p.line(r.Owner)
	select {
	case l.free <- struct{}{}:
		defer func() { <-l.free }()
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	within, cancel := context.WithTimeout(ctx, answerIn+time.Duration(q.Total>>20)*time.Second) // a change has to be made, a MiB in less than that
	defer cancel()
	conn, err := p.connect(within, r, l)
	if err != nil {
		return nil, nil, fmt.Errorf("relay %s at %s: %w", r.Owner, r.Endpoint, err)
	}
	a, body, err := ask(within, conn, q)
	if a != nil {
		p.Peers.Seen(r, p.Now())
	}
	if err != nil {
		err = fmt.Errorf("relay %s at %s: %w", r.Owner, r.Endpoint, err)
	}
	return a, body, err
}

// Close ends all connections.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		l.mu.Lock()
		if l.conn != nil {
			_ = l.conn.Close()
		}
		l.mu.Unlock()
	}
}
