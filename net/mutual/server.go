package mutual

import (
	"context"
	"crypto/ed25519"
	"net"
	"net/netip"
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
	Address netip.Addr
	Key     Key
	Note    atomic.Value // what the handler remembers of the connection
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
	limits   Limits
	handler  Handler
	listener *quic.Listener
	carrier  *quic.Transport
	memory   *semaphore.Weighted
	serving  sync.WaitGroup
	cancel   context.CancelFunc

	mu    sync.Mutex
	open  int
	perIP map[netip.Addr]int
}

// Serve answers on a socket, which is the server's from now on, until Close.
func Serve(socket net.PacketConn, own ed25519.PrivateKey, limits Limits, h Handler) (*Server, error) {
	config, err := secure(own, nil)
	if err != nil {
		return nil, err
	}
	s := &Server{limits: limits, handler: h, memory: semaphore.NewWeighted(max(limits.Memory, MaxBody)), perIP: map[netip.Addr]int{}}
	s.carrier = &quic.Transport{Conn: socket, VerifySourceAddress: func(net.Addr) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.open >= limits.Connections/2
	}}
	if s.listener, err = s.carrier.Listen(config, settings(limits.Streams)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	s.serving.Add(1)
	go s.accept(ctx)
	return s, nil
}

// Address is where the server listens.
func (s *Server) Address() net.Addr { return s.listener.Addr() }

// Connections is how many there are.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// Close ends all connections and waits for the questions under way.
func (s *Server) Close() error {
	s.cancel()
	err := s.listener.Close()
	if failed := s.carrier.Close(); err == nil {
		err = failed
	}
	s.serving.Wait()
	if failed := s.carrier.Conn.Close(); err == nil {
		err = failed
	}
	return err
}

func (s *Server) accept(ctx context.Context) {
	defer s.serving.Done()
	for {
		conn, err := s.listener.Accept(ctx)
		if err != nil {
			return
		}
		from, ok := s.enter(conn)
		if !ok {
			_ = conn.CloseWithError(1, "too many connections")
			continue
		}
		s.serving.Add(1)
		go func() {
			defer s.serving.Done()
			defer s.leave(from.Address)
			s.connection(ctx, conn, from)
		}()
	}
}

// enter takes a connection in, if there is room.
func (s *Server) enter(conn *quic.Conn) (*Peer, bool) {
	key, err := proven(conn.ConnectionState().TLS)
	at, parsed := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || parsed != nil {
		return nil, false
	}
	from := &Peer{Address: at.Addr().Unmap(), Key: key}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.limits.Connections || s.perIP[from.Address] >= s.limits.PerAddress {
		return nil, false
	}
	s.open++
	s.perIP[from.Address]++
	return from, true
}

func (s *Server) leave(a netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.perIP[a]--; s.perIP[a] == 0 {
		delete(s.perIP, a)
	}
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
