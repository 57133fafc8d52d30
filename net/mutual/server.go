package mutual

import (
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/quic-go/quic-go"
	"golang.org/x/time/rate"

	"github.com/cowboyinc/cowboy-go/net/door"
)

// Limits bound what strangers cost a server. A source is an IPv4 address, or 64 bits of an IPv6 address.
type Limits struct {
	Connections int           // in all
	PerAddress  int           // of one source
	HalfOpen    int           // handshakes under way; 0 for as many as Connections, and 64 at least
	Streams     int64         // questions of a connection at a time
	PerSecond   float64       // questions of a source; as many may come at once
	Memory      int64         // bytes of the frames that are read and answered at a time, two of MaxBody at least; and once more of what is not read yet
	Within      time.Duration // a question is there whole
}

// refusedCosts is how many questions of its source's rate one that was refused takes: what cannot be told from nonsense before a signature is verified.
const refusedCosts = 10

const leastHalfOpen = 64

// rememberedSources bounds the rates that are kept.
const rememberedSources = 4_096

// DefaultLimits are those of a server on a machine of its own.
func DefaultLimits() Limits {
	return Limits{Connections: 256, PerAddress: 32, Streams: 16, PerSecond: 1_000, Memory: 256 << 20, Within: 20 * time.Second}
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
	Parts   [][]byte
	Done    func()
	Refused bool // the question should not have been asked; it counts ten times
}

// Server answers, over QUIC and over TCP.
type Server struct {
	*door.Door
	limits  Limits
	handler Handler
	memory  *door.Shares // a question and its answer each
	paces   *lru.Cache[netip.Addr, *rate.Limiter]

	listener net.Listener // over TCP
	base     context.Context
	cancel   context.CancelFunc
	serving  sync.WaitGroup // over TCP
}

// Listen takes a port over UDP and over TCP, for Serve. Port 0 stands for any that both have.
func Listen(address string) (net.PacketConn, net.Listener, error) {
	for tries := 1; ; tries++ {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			return nil, nil, err
		}
		socket, err := net.ListenPacket("udp", listener.Addr().String())
		if err == nil {
			return socket, listener, nil
		}
		_ = listener.Close()
		if _, port, wrong := net.SplitHostPort(address); wrong != nil || port != "0" || tries == triedPorts {
			return nil, nil, err
		}
	}
}

// triedPorts is how many ports are tried where any will do.
const triedPorts = 16

// Serve answers on a socket and on a listener, which are the server's from now on, until Close, which waits for the questions under way.
func Serve(socket net.PacketConn, listener net.Listener, own ed25519.PrivateKey, limits Limits, h Handler) (*Server, error) {
	s := &Server{limits: limits, handler: h, memory: door.NewShares(max(int(limits.Memory/(2*MaxBody)), 1), 0), listener: listener}
	var err error
	if s.paces, err = lru.New[netip.Addr, *rate.Limiter](rememberedSources); err != nil {
		return nil, err
	}
	config, err := secureTCP(own, nil)
	if err != nil {
		return nil, err
	}
	s.Door, err = listen(socket, own, protocol, served(limits.Streams), limits, func(ctx context.Context, conn *quic.Conn, from Origin) {
		s.connection(ctx, conn, &Peer{Origin: from})
	})
	if err != nil {
		return nil, err
	}
	s.base, s.cancel = context.WithCancel(context.Background())
	s.serving.Go(func() { s.acceptTCP(config) })
	return s, nil
}

// Close ends all connections and waits until nobody is served.
func (s *Server) Close() error {
	s.cancel()
	err := errors.Join(s.listener.Close(), s.Door.Close())
	s.serving.Wait()
	return err
}

// listen opens a door of a protocol for those who show a key.
func listen(
	socket net.PacketConn, own ed25519.PrivateKey, protocol string, config *quic.Config, limits Limits,
	serve func(ctx context.Context, conn *quic.Conn, from Origin),
) (*door.Door, error) {
	secured, err := secure(own, protocol, nil)
	if err != nil {
		return nil, err
	}
	if limits.HalfOpen == 0 {
		limits.HalfOpen = max(limits.Connections, leastHalfOpen)
	}
	bounds := door.Limits{Connections: limits.Connections, PerAddress: limits.PerAddress, HalfOpen: limits.HalfOpen, Unread: limits.Memory}
	return door.Open(socket, secured, config, bounds, func(ctx context.Context, conn *quic.Conn, from netip.Addr) {
		key, err := proven(conn.ConnectionState().TLS)
		if err != nil {
			_ = conn.CloseWithError(1, "no key")
			return
		}
		serve(ctx, conn, Origin{Address: from, Key: key})
	})
}

// pace is the rate of a source.
func (s *Server) pace(of netip.Addr) *rate.Limiter {
	of = door.Source(of)
	p, ok := s.paces.Get(of)
	if !ok {
		p = rate.NewLimiter(rate.Limit(s.limits.PerSecond), max(refusedCosts, int(s.limits.PerSecond)))
		if before, there, _ := s.paces.PeekOrAdd(of, p); there {
			p = before
		}
	}
	return p
}

// connection takes the questions of one connection.
func (s *Server) connection(ctx context.Context, conn *quic.Conn, from *Peer) {
	pace := s.pace(from.Address)
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
		asked.Go(func() {
			defer stream.CancelRead(0)
			_ = stream.SetReadDeadline(time.Now().Add(s.limits.Within))
			if size, err := readHead(stream); err != nil || !s.question(conn.Context(), streamChannel{stream}, size, from, pace) {
				stream.CancelWrite(0)
				return
			}
			_ = stream.Close()
		})
	}
}

// channel is what the rest of a question comes in by, and its answer leaves by.
type channel interface {
	io.Reader
	SetWriteDeadline(time.Time) error
	answer(parts [][]byte) error
	abort() // both, at once
}

// streamChannel is a stream of QUIC.
type streamChannel struct{ *quic.Stream }

func (s streamChannel) answer(parts [][]byte) error { return writeFrame(s.Stream, parts...) }

func (s streamChannel) abort() {
	s.CancelRead(0)
	s.CancelWrite(0)
}

// question reads one question and answers it, and reports whether it is answered. Its place is taken away from a source that holds many while others hold
// fewer, unless it is being answered.
func (s *Server) question(ctx context.Context, by channel, size int, from *Peer, pace *rate.Limiter) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	waiting, enough := context.WithTimeout(ctx, s.limits.Within)
	place, err := s.memory.Wait(waiting, door.Source(from.Address), func() {
		cancel()
		by.abort()
	})
	enough()
	if err != nil {
		return false
	}
	defer place.Leave()
	body, err := readBody(by, size)
	if err != nil || !place.Keep(true) {
		body.Free()
		return false
	}
	defer body.Free() // parts of the answer may lie in it
	answer := s.handler(ctx, from, body.Bytes)
	if answer != nil && answer.Done != nil {
		defer answer.Done()
	}
	if answer != nil && answer.Refused {
		pace.ReserveN(time.Now(), refusedCosts-1)
	}
	place.Keep(false)
	_ = by.SetWriteDeadline(time.Now().Add(s.limits.Within))
	return answer != nil && by.answer(answer.Parts) == nil
}
