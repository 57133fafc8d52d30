package exchange

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

// ErrIdentity reports a server that shows another key than the expected one.
var ErrIdentity = errors.New("exchange: the server's key is another one")

// Client asks servers, and keeps a connection to each of them. It is safe for many goroutines.
type Client struct {
	Body        int              // most bytes of an answer; 0 for DefaultBody
	Certificate *tls.Certificate // that it shows; nil for none

	mu    sync.Mutex
	conns map[place]*quic.Conn
}

// place is a server as a client knows it.
type place struct {
	address string
	key     [sha256.Size]byte
}

// Ask sends a question to host:port, whose key has a hash, and gives the answer. Errors: ErrIdentity, the context's, the network's.
func (c *Client) Ask(ctx context.Context, address string, key [sha256.Size]byte, kind byte, body []byte) (status byte, answer []byte, err error) {
	at := place{address, key}
	for {
		conn, fresh, err := c.connection(ctx, at)
		if err != nil {
			return 0, nil, err
		}
		status, answer, err := c.once(ctx, conn, kind, body)
		if err == nil {
			return status, answer, nil
		}
		c.drop(at, conn)
		if fresh || ctx.Err() != nil { // one that was kept may have ended meanwhile
			return 0, nil, errors.Join(ctx.Err(), err)
		}
	}
}

func (c *Client) once(ctx context.Context, conn *quic.Conn, kind byte, body []byte) (status byte, answer []byte, err error) {
	stream, err := conn.OpenStreamSync(ctx)
	if err != nil {
		return 0, nil, err
	}
	at, ok := ctx.Deadline()
	if !ok {
		at = time.Now().Add(DefaultWithin)
	}
	_ = stream.SetDeadline(at)
	stop := context.AfterFunc(ctx, func() { stream.CancelRead(1); stream.CancelWrite(1) })
	defer stop()
	if err := write(stream, kind, body); err != nil {
		stream.CancelRead(1)
		return 0, nil, err
	}
	most := c.Body
	if most == 0 {
		most = DefaultBody
	}
	if status, answer, err = read(stream, most); err != nil {
		stream.CancelRead(1)
	}
	return status, answer, err
}

func (c *Client) connection(ctx context.Context, at place) (conn *quic.Conn, fresh bool, err error) {
	c.mu.Lock()
	conn = c.conns[at]
	c.mu.Unlock()
	if conn != nil && conn.Context().Err() == nil {
		return conn, false, nil
	}
	secured := &tls.Config{
		InsecureSkipVerify: true, // the key is held against its hash instead of a signature
		MinVersion:         tls.VersionTLS13, NextProtos: []string{protocol},
		VerifyConnection: func(s tls.ConnectionState) error { return expect(s.PeerCertificates, at.key) },
	}
	if c.Certificate != nil {
		secured.Certificates = []tls.Certificate{*c.Certificate}
	}
	config := &quic.Config{MaxIncomingStreams: -1, MaxIncomingUniStreams: -1, MaxIdleTimeout: idleFor, HandshakeIdleTimeout: DefaultWithin}
	conn, err = quic.DialAddr(ctx, at.address, secured, config)
	if err != nil {
		return nil, true, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if before := c.conns[at]; before != nil && before.Context().Err() == nil { // somebody else was faster
		_ = conn.CloseWithError(0, "")
		return before, false, nil
	}
	if c.conns == nil {
		c.conns = map[place]*quic.Conn{}
	}
	for other, old := range c.conns { // order-free: ended ones go
		if old.Context().Err() != nil {
			delete(c.conns, other)
		}
	}
	c.conns[at] = conn
	return conn, true, nil
}

func expect(shown []*x509.Certificate, key [sha256.Size]byte) error {
	if len(shown) == 0 || sha256.Sum256(shown[0].RawSubjectPublicKeyInfo) != key {
		return ErrIdentity
	}
	return nil
}

func (c *Client) drop(at place, conn *quic.Conn) {
	_ = conn.CloseWithError(0, "")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conns[at] == conn {
		delete(c.conns, at)
	}
}

// Close ends all connections.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns { // order-free: all of them end
		_ = conn.CloseWithError(0, "")
	}
	c.conns = nil
}
