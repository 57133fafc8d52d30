package signer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Times of the client. Whoever asks waits for no longer: a vote that comes later is worth nothing, and blocks go on without it.
const (
	callWithin = 500 * time.Millisecond
	restFor    = 2 * time.Second // after a failure, before the signer is called again
)

// Failure is how a signer can fail.
type Failure uint8

// The failures.
const (
	Away     Failure = iota // it cannot be reached
	Late                    // it did not answer in time
	Refused                 // it says no
	Wrong                   // its signature does not verify
	Confused                // it answered something else, or twice
	Failures
)

// String is a word for logs and metrics.
func (f Failure) String() string {
	return [...]string{"away", "late", "refused", "wrong", "confused"}[f]
}

// Error is why there is no signature. It wraps sig.ErrUnsigned.
type Error struct {
	Failure Failure
	Address string
	Err     error
}

// Error implements error.
func (e *Error) Error() string {
	text := [...]string{
		"cannot be reached", "did not answer in time", "refuses", "gave a signature that does not verify", "answered something else",
	}[e.Failure]
	return fmt.Sprintf("the signer at %s %s: %v", e.Address, text, e.Err)
}

// Unwrap implements errors.
func (e *Error) Unwrap() []error { return []error{sig.ErrUnsigned, e.Err} }

// Status is how the signer stands.
type Status struct {
	Address string
	// Failing is the failure that no signature has followed yet; nil while all is well. Since is when the first of them was.
	Failing *Error
	Since   time.Time
	Signed  uint64
	Failed  [Failures]uint64
	Last    time.Duration // that the newest answer took
}

// Client is a voting key in another process: replica.Elsewhere. Its methods may be called from any goroutine; one question is out at a time.
type Client struct {
	address string
	tls     *tls.Config
	genesis digest.Hash
	public  *bls.PublicKey
	// Observe, if set, is told when the signer begins to fail, with the error, and with nil when it signs again. It must not wait.
	Observe func(*Error)

	calls            sync.Mutex // one at a time
	conn             net.Conn
	id               uint64
	rest             time.Time // before which the signer is not called
	cause            *Error    // of the rest
	sealing, dealing []byte
	words            map[string]sig.BLSSignature // introductions: they are asked for once

	mu     sync.Mutex
	status Status
}

var _ replica.Elsewhere = (*Client)(nil)

// Dial greets the signer of a voting key on a chain, and tries again until ctx ends. Errors: *Error.
func Dial(ctx context.Context, address string, config *tls.Config, key sig.BLSPublicKey, genesis digest.Hash) (*Client, error) {
	public, err := bls.ParsePublicKey(key)
	if err != nil {
		return nil, err
	}
	c := &Client{address: address, tls: config, genesis: genesis, public: public, words: map[string]sig.BLSSignature{}}
	c.status.Address = address
	tick := time.NewTicker(restFor / 4)
	defer tick.Stop()
	for {
		c.calls.Lock()
		failure := c.connect()
		c.calls.Unlock()
		if failure == nil {
			return c, nil
		}
		select {
		case <-ctx.Done():
			return nil, failure
		case <-tick.C:
		}
	}
}

// Close ends the connection.
func (c *Client) Close() error {
	c.calls.Lock()
	defer c.calls.Unlock()
	c.drop()
	return nil
}

// Status is a snapshot.
func (c *Client) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status
}

func (c *Client) drop() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// connect reaches the signer and greets it.
func (c *Client) connect() *Error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*callWithin)
	defer cancel()
	conn, err := (&tls.Dialer{Config: c.tls}).DialContext(ctx, "tcp", c.address)
	if err != nil {
		return c.failure(Away, err)
	}
	c.conn = conn
	r, failure := c.exchange(&hello{Version, c.genesis})
	if failure != nil {
		c.drop()
		return failure
	}
	a, err := readIntroduced(r)
	switch {
	case err != nil:
		failure = c.failure(Confused, err)
	case a.key != c.public.Bytes():
		failure = c.failure(Wrong, errors.New("it holds another key"))
	case c.sealing != nil && (string(a.sealing) != string(c.sealing) || string(a.dealing) != string(c.dealing)):
		failure = c.failure(Wrong, errors.New("its secrets are not those it gave before"))
	}
	if failure != nil {
		c.drop()
		return failure
	}
	c.sealing, c.dealing = a.sealing, a.dealing
	return nil
}

func (c *Client) failure(f Failure, err error) *Error { return &Error{f, c.address, err} }

// exchange asks one question and gives the result. The connection is of no use after a failure other than Refused.
func (c *Client) exchange(q question) (*codec.Reader, *Error) {
	c.id++
	_ = c.conn.SetDeadline(time.Now().Add(callWithin))
	err := writeMessage(c.conn, q.append(codec.AppendU64(nil, c.id)))
	var body []byte
	if err == nil {
		body, err = readMessage(c.conn)
	}
	var timeout net.Error
	switch {
	case errors.Is(err, ErrMessage):
		return nil, c.failure(Confused, err)
	case errors.As(err, &timeout) && timeout.Timeout():
		return nil, c.failure(Late, fmt.Errorf("no answer within %s", callWithin))
	case err != nil:
		return nil, c.failure(Away, err)
	}
	r := codec.NewReader(body)
	if id := r.U64(); id != c.id {
		return nil, c.failure(Confused, fmt.Errorf("an answer to question %d, not %d", id, c.id))
	}
	switch r.Tag(answers) {
	case tagRefused:
		return nil, c.failure(Refused, fmt.Errorf("%q", r.Bytes(maxReason)))
	case tagFailed:
		return nil, c.failure(Away, fmt.Errorf("%q", r.Bytes(maxReason)))
	}
	if err := r.Err(); err != nil {
		return nil, c.failure(Confused, err)
	}
	return r, nil
}

// ask gets the signatures over what a question is about, each verified. Errors: *Error.
func (c *Client) ask(n sig.Namespace, q question) ([]sig.BLSSignature, error) {
	c.calls.Lock()
	defer c.calls.Unlock()
	began := time.Now()
	list, failure := c.signatures(n, q, began)
	c.note(failure, time.Since(began))
	if failure != nil {
		return nil, failure
	}
	return list, nil
}

func (c *Client) signatures(n sig.Namespace, q question, now time.Time) ([]sig.BLSSignature, *Error) {
	old := c.conn != nil
	if !old {
		if now.Before(c.rest) {
			return nil, c.cause
		}
		if failure := c.connect(); failure != nil {
			c.pause(failure)
			return nil, failure
		}
	}
	r, failure := c.exchange(q)
	if failure != nil && failure.Failure == Away && old { // the signer ended and may be up again, or the connection was idle for long
		c.drop()
		if failure = c.connect(); failure == nil {
			r, failure = c.exchange(q)
		}
	}
	if failure != nil {
		if failure.Failure != Refused {
			c.pause(failure)
		}
		return nil, failure
	}
	var list []sig.BLSSignature
	for _, preimage := range q.preimages(n) {
		var s sig.BLSSignature
		r.Into(s[:])
		if r.Err() == nil && bls.Verify(c.public, preimage, s) != nil {
			failure = c.failure(Wrong, errors.New("another message or another key"))
			break
		}
		list = append(list, s)
	}
	if failure == nil {
		if err := r.Finish(); err != nil {
			failure = c.failure(Confused, err)
		}
	}
	if failure != nil {
		c.pause(failure)
		return nil, failure
	}
	return list, nil
}

// pause ends the connection and leaves the signer alone for a moment.
func (c *Client) pause(failure *Error) {
	c.drop()
	c.rest, c.cause = time.Now().Add(restFor), failure
}

// note keeps the status and tells of changes.
func (c *Client) note(failure *Error, took time.Duration) {
	c.mu.Lock()
	before := c.status.Failing
	c.status.Failing = failure
	if failure == nil {
		c.status.Signed++
		c.status.Last, c.status.Since = took, time.Time{}
	} else {
		c.status.Failed[failure.Failure]++
		if before == nil {
			c.status.Since = time.Now()
		}
	}
	c.mu.Unlock()
	changed := (before == nil) != (failure == nil) || before != nil && failure != nil && before.Failure != failure.Failure
	if changed && c.Observe != nil {
		c.Observe(failure)
	}
}

// PublicKey implements beacon.Key.
func (c *Client) PublicKey() *bls.PublicKey { return c.public }

// Sealing implements replica.Elsewhere.
func (c *Client) Sealing() []byte {
	c.calls.Lock()
	defer c.calls.Unlock()
	return c.sealing
}

// Attest implements beacon.Key: it signs words of key ceremonies and introductions, the only ones a signer knows. A word is asked for once.
func (c *Client) Attest(preimage []byte) (sig.BLSSignature, error) {
	c.mu.Lock()
	s, known := c.words[string(preimage)]
	c.mu.Unlock()
	if known {
		return s, nil
	}
	list, err := c.ask("", &word{preimage})
	if err != nil {
		return sig.BLSSignature{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.words) >= wordsKept {
		clear(c.words)
	}
	c.words[string(preimage)] = list[0]
	return list[0], nil
}

// wordsKept bounds the words that are remembered.
const wordsKept = 1024

// Derive implements beacon.Key.
func (c *Client) Derive(constant *bls.PrivateKey, label []byte) (*bls.PrivateKey, error) {
	c.calls.Lock()
	secret := append(append([]byte{}, c.dealing...), constant.Bytes()...)
	c.calls.Unlock()
	return bls.DeriveKey(secret, label)
}
