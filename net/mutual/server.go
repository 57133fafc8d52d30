package mutual

import (
	"context"
	"crypto/ed25519"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

// Limits bound what strangers cost a server.
type Limits struct {
	Connections int           // in all
	PerAddress  int           // of one address
	Streams     int64         // questions of a connection at a time
	PerSecond   float64       // questions of a connection; as many may come at once
	Memory      int64         // bytes of the frames that are read or answered at a time, MaxBody at least
	Within      time.Duration // a question is there whole
}

// DefaultLimits are those of a server on a machine of its own.
func DefaultLimits() Limits {
	return Limits{Connections: 256, PerAddress: 32, Streams: 16, PerSecond: 500, Memory: 256 << 20, Within: 20 * time.Second}
}

// Peer is whoever asks, for as long as it is connected.
type Peer struct {
	Origin
	Note atomic.Value // what the handler remembers of the connection
}

// Handler answers a question, whose bytes are its own until it has answered. It is called from many goroutines; nil ends the stream without an answer.
type Handler func(ctx context.Context, from *Peer, body []byte) *Answer

// Answer is the parts of an answer, one after another. Done is called when they are sent, or never will be; nil for nothing to do.
type Answer struct {
	Parts [][]byte
	Done  func()
}

// Server answers.
type Server struct {
	door
	handler Handler
	memory  *semaphore.Weighted
}

// Serve answers on a socket, which is the server's from now on, until Close, which waits for the questions under way.
func Serve(socket net.PacketConn, own ed25519.PrivateKey, limits Limits, h Handler) (*Server, error) {
	s := &Server{door: door{limits: limits}, handler: h, memory: semaphore.NewWeighted(max(limits.Memory, MaxBody))}
	s.door.serve = func(ctx context.Context, conn *quic.Conn, from Origin) { s.connection(ctx, conn, &Peer{Origin: from}) }
	if err := s.listen(socket, own, protocol, settings(limits.Streams)); err != nil {
		return nil, err
	}
	return s, nil
}

// connection takes the questions of one connection.
func (s *Server) connection(ctx context.Context, conn *quic.Conn, from *Peer) {
	pace := rate.NewLimiter(rate.Limit(s.limits.PerSecond), max(1, int(s.limits.PerSecond)))
	var asked sync.WaitGroup
	defer asked.Wait()
	defer func() { _ = conn.CloseWithError(0, "") }()
	for {
		stream, err := conn.AcceptStream(ctx)
		if err != nil {
			return
		}
		if pace.Wait(conn.Context()) != nil {
			return
		}
		asked.Add(1)
		go func() {
			defer asked.Done()
			s.question(conn.Context(), stream, from)
		}()
	}
}

// question reads one question and answers it.
func (s *Server) question(ctx context.Context, stream *quic.Stream, from *Peer) {
	defer stream.CancelRead(0)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	_ = stream.SetReadDeadline(time.Now().Add(s.limits.Within))
	size, err := readHead(stream)
	if err != nil || s.memory.Acquire(ctx, MaxBody) != nil {
		stream.CancelWrite(0)
		return
	}
	defer s.memory.Release(MaxBody)
	body, err := readBody(stream, size)
	if err != nil {
		stream.CancelWrite(0)
		return
	}
	defer body.Free() // parts of the answer may lie in it
	answer := s.handler(ctx, from, body.Bytes)
	if answer != nil && answer.Done != nil {
		defer answer.Done()
	}
	_ = stream.SetWriteDeadline(time.Now().Add(s.limits.Within))
	if answer == nil || writeFrame(stream, answer.Parts...) != nil {
		stream.CancelWrite(0)
		return
	}
	_ = stream.Close()
}
