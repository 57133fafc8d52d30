package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

const (
	// sendBuffer bounds what the kernel keeps for a client that does not read, in bytes; without it that grows to megabytes for each.
	sendBuffer = 96 << 10
	// lastBuffer is its bound once a client has not taken what was written in time: there is room for the rest of the message, and for a last word.
	lastBuffer = 192 << 10
)

// connection is a client's. What a client does not take in time is not cut in the middle: the kernel may then keep more of it, so that the message is
// whole and the client finds out, whenever it reads again, how its stream ended.
type connection struct {
	net.Conn
	tardy atomic.Bool
}

// Write implements net.Conn.
func (c *connection) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if !errors.Is(err, os.ErrDeadlineExceeded) || c.tardy.Swap(true) {
		return n, err
	}
	if t := tcp(c.Conn); t != nil {
		_ = t.SetWriteBuffer(lastBuffer) // advice: without it the message stays cut
	}
	if err := c.SetWriteDeadline(time.Now().Add(farewellWithin)); err != nil {
		return n, err
	}
	more, err := c.Conn.Write(b[n:])
	return n + more, err
}

// tcp gives the connection of the kernel's under one of a listener; nil if there is none.
func tcp(c net.Conn) *net.TCPConn {
	if g, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = g.NetConn()
	}
	t, _ := c.(*net.TCPConn)
	return t
}

// connections is a listener whose connections are patient.
type connections struct{ net.Listener }

// Accept implements net.Listener.
func (l connections) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if t := tcp(c); t != nil {
		_ = t.SetWriteBuffer(sendBuffer) // advice: the connection works without
	}
	return &connection{Conn: c}, nil
}

// errTardy ends the stream of a client that did not take what was written in time.
var errTardy = errors.New("rpc: a client took nothing in time")

type connectionKey struct{}

// noted is the context of a connection's requests.
func noted(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, c)
}

// inTime gives errTardy once the client of a request did not take what was written in time.
func inTime(ctx context.Context) error {
	if c, ok := ctx.Value(connectionKey{}).(*connection); ok && c.tardy.Load() {
		return errTardy
	}
	return nil
}
