package mutual

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"

	"github.com/quic-go/quic-go"
)

// Conn is a connection to a server. It is safe for many goroutines.
type Conn struct{ conn *quic.Conn }

// Dial connects to the server at host:port that has the wanted key.
func Dial(ctx context.Context, address string, own ed25519.PrivateKey, want Key) (*Conn, error) {
	config, err := secure(own, protocol, &want)
	if err != nil {
		return nil, err
	}
	conn, err := quic.DialAddr(ctx, address, config, settings(-1))
	if err != nil {
		return nil, err
	}
	return &Conn{conn}, nil
}

// Ask asks and gives the answer. The question is the parts of the body one after another.
func (c *Conn) Ask(ctx context.Context, body ...[]byte) (*Body, error) {
	stream, err := c.conn.OpenStreamSync(ctx)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() {
		stream.CancelRead(0)
		stream.CancelWrite(0)
	})
	defer stop()
	answer, err := ask(stream, body...)
	stream.CancelRead(0)
	if err != nil {
		stream.CancelWrite(0)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
	}
	return answer, err
}

func ask(stream *quic.Stream, body ...[]byte) (*Body, error) {
	failed := writeFrame(stream, body...)
	if stopped := (*quic.StreamError)(nil); failed != nil && !(errors.As(failed, &stopped) && stopped.Remote) {
		return nil, failed
	}
	_ = stream.Close() // this and what is written fail where the server has answered already and wants no more; the answer tells
	size, err := readHead(stream)
	if err != nil {
		return nil, cmp.Or(failed, err)
	}
	return readBody(stream, size)
}

// Alive reports whether the connection is up.
func (c *Conn) Alive() bool { return c.conn.Context().Err() == nil }

// Close ends the connection.
func (c *Conn) Close() error { return c.conn.CloseWithError(0, "") }
