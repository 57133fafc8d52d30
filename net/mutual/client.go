package mutual

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"time"

	"github.com/quic-go/quic-go"
)

// headStart is how long a server has to be there over TCP before it is tried over QUIC as well.
const headStart = 250 * time.Millisecond

// Conn is a way to a server. It is safe for many goroutines.
type Conn interface {
	// Ask asks and gives the answer. The question is the parts of the body one after another.
	Ask(ctx context.Context, body ...[]byte) (*Body, error)
	// Alive reports whether the server was there when it was last needed.
	Alive() bool
	// Close ends it, and the questions under way.
	Close() error
}

// Greeting is asked first on each connection that is made, for servers that remember of a connection who asks; nil for none. A connection whose greeting fails
// is not used.
type Greeting func(ctx context.Context, c Conn) error

// Dialer connects to the server at host:port that has the wanted key.
type Dialer func(ctx context.Context, address string, own ed25519.PrivateKey, want Key, greet Greeting) (Conn, error)

// Dial is a Dialer: over TCP, and where nobody is there over QUIC.
func Dial(ctx context.Context, address string, own ed25519.PrivateKey, want Key, greet Greeting) (Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type dialled struct {
		conn Conn
		err  error
	}
	tried := make(chan dialled, 2)
	try := func(dial Dialer) {
		conn, err := dial(ctx, address, own, want, greet)
		tried <- dialled{conn, err}
	}
	go try(DialTCP)
	late := time.NewTimer(headStart)
	defer late.Stop()
	under, both := 1, false
	var failed error
	for under > 0 {
		select {
		case d := <-tried:
			under--
			if d.err == nil {
				go func(left int) { // whoever comes second goes
					for range left {
						if d := <-tried; d.err == nil {
							_ = d.conn.Close()
						}
					}
				}(under)
				return d.conn, nil
			}
			failed = errors.Join(failed, d.err)
		case <-late.C:
		}
		if !both {
			both = true
			under++
			go try(DialQUIC)
		}
	}
	return nil, failed
}

// overQUIC is a connection over QUIC, with a stream for each question.
type overQUIC struct{ conn *quic.Conn }

// DialQUIC is a Dialer over QUIC.
func DialQUIC(ctx context.Context, address string, own ed25519.PrivateKey, want Key, greet Greeting) (Conn, error) {
	config, err := secure(own, protocol, &want)
	if err != nil {
		return nil, err
	}
	conn, err := quic.DialAddr(ctx, address, config, settings(-1))
	if err != nil {
		return nil, err
	}
	c := &overQUIC{conn}
	if greet != nil {
		if err := greet(ctx, c); err != nil {
			_ = c.Close()
			return nil, err
		}
	}
	return c, nil
}

// Ask implements Conn.
func (c *overQUIC) Ask(ctx context.Context, body ...[]byte) (*Body, error) {
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

// Alive implements Conn.
func (c *overQUIC) Alive() bool { return c.conn.Context().Err() == nil }

// Close implements Conn.
func (c *overQUIC) Close() error { return c.conn.CloseWithError(0, "") }
