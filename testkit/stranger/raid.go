package stranger

import (
	"context"
	"crypto/ed25519"
	"io"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
)

// Question is what one stream carries.
type Question struct {
	Raw   []byte
	Whole bool // the stream is closed behind it; otherwise the server waits for the rest
	Reads bool // the answer is read
}

// Raid is strangers that attack one server at the same time, each from an address of its own.
type Raid struct {
	Target, ALPN string
	First        byte // number of the first stranger, below 128; behind 128 they leave handshakes half-open
	Strangers    int
	Connections  int // of each stranger
	Streams      int // that each connection opens, as far as the server lets it
	Key          func(number int) ed25519.PrivateKey
	Ask          func(number, connection, stream int) Question
	Hear         func(answer []byte) // of a question whose answer is read; called by many goroutines
}

// Begin has all strangers connect, and then ask until the context ends. gone waits for their end.
func (r *Raid) Begin(ctx context.Context) (gone func(), err error) {
	var all, arrived sync.WaitGroup
	ready := make(chan struct{})
	for number := range r.Strangers {
		s, err := New(r.First+byte(number), r.Target, r.ALPN, r.Key(number))
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() {
			all.Wait()
			s.Close()
		})
		for heard := range int64(2) {
			if err := s.HalfOpen(ctx, 128+r.First+byte(number), 4, heard); err != nil {
				return nil, err
			}
		}
		gate := make(chan struct{}, 2) // handshakes at a time, fewer than a source may have
		for connection := range r.Connections {
			arrived.Add(1)
			all.Go(func() {
				gate <- struct{}{}
				q, err := s.Dial(ctx)
				for err != nil && ctx.Err() == nil {
					q, err = s.Dial(ctx)
				}
				<-gate
				arrived.Done()
				<-ready
				if err == nil {
					r.attack(ctx, q, number, connection)
				}
			})
		}
	}
	arrived.Wait()
	close(ready)
	return all.Wait, nil
}

// attack opens streams on a connection and keeps them until the context ends.
func (r *Raid) attack(ctx context.Context, q *quic.Conn, number, connection int) {
	var answers sync.WaitGroup
	defer answers.Wait()
	end := func() { _ = q.CloseWithError(0, "") }
	defer end()
	defer context.AfterFunc(ctx, end)() // also where it waits for a window
	for stream := range r.Streams {
		s, err := q.OpenStreamSync(ctx)
		if err != nil {
			return // it was sent away, or it is over
		}
		ask := r.Ask(number, connection, stream)
		_ = s.SetWriteDeadline(time.Now().Add(time.Minute))
		if _, err := s.Write(ask.Raw); err != nil {
			continue
		}
		if ask.Whole {
			_ = s.Close()
		}
		if ask.Reads {
			answers.Go(func() {
				if raw, err := io.ReadAll(s); err == nil { // otherwise the stream was reset
					r.Hear(raw)
				}
			})
		}
	}
	<-ctx.Done()
}
