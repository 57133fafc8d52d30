package exchange

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"math/big"
	"net"
	"net/netip"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/quic-go/quic-go"
	"golang.org/x/time/rate"
)

// protocol is what both sides name in the handshake (ALPN).
const protocol = "cowboy-exchange/1"

// Bounds where none are configured.
const (
	DefaultBody        = 128 << 10
	DefaultStreams     = 32
	DefaultConnections = 512
	DefaultPerAddress  = 64
	DefaultRate        = 200 // questions a second from one address
	DefaultWithin      = 5 * time.Second
	idleFor            = 30 * time.Second
	remembered         = 4_096 // addresses
	frameHeader        = 5
)

// Limits bound a server. Zero is the default.
type Limits struct {
	Body, Streams, Connections, PerAddress int
	Rate                                   float64
	Within                                 time.Duration // of one stream
}

func (l Limits) filled() Limits {
	for _, f := range [...]struct {
		at     *int
		normal int
	}{{&l.Body, DefaultBody}, {&l.Streams, DefaultStreams}, {&l.Connections, DefaultConnections}, {&l.PerAddress, DefaultPerAddress}} {
		if *f.at == 0 {
			*f.at = f.normal
		}
	}
	if l.Rate == 0 {
		l.Rate = DefaultRate
	}
	if l.Within == 0 {
		l.Within = DefaultWithin
	}
	return l
}

// Handler answers a question of an address. It is called by many goroutines, and returns soon after the context ends.
type Handler func(ctx context.Context, from netip.Addr, kind byte, body []byte) (status byte, answer []byte)

// Busy is the status of a question beyond its address's rate; handlers give others.
const Busy byte = 0xff

// Certificate makes the certificate of a key, and the hash that clients know it by.
func Certificate(key ed25519.PrivateKey) (tls.Certificate, [sha256.Size]byte, error) {
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, [sha256.Size]byte{}, err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, [sha256.Size]byte{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, sha256.Sum256(parsed.RawSubjectPublicKeyInfo), nil
}

// Server answers on one socket until it is closed.
type Server struct {
	limits   Limits
	handler  Handler
	listener *quic.Listener
	socket   net.PacketConn
	ctx      context.Context
	cancel   context.CancelFunc
	running  sync.WaitGroup
	buckets  *lru.Cache[netip.Addr, *rate.Limiter]

	mu    sync.Mutex
	total int
	from  map[netip.Addr]int
}

// Serve answers what comes to a socket, which it closes at its end.
func Serve(socket net.PacketConn, certificate tls.Certificate, limits Limits, handler Handler) (*Server, error) {
	s := &Server{limits: limits.filled(), handler: handler, socket: socket, from: map[netip.Addr]int{}}
	var err error
	if s.buckets, err = lru.New[netip.Addr, *rate.Limiter](remembered); err != nil {
		return nil, err
	}
	s.listener, err = quic.Listen(socket, &tls.Config{
		Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13, NextProtos: []string{protocol},
	}, &quic.Config{MaxIncomingStreams: int64(s.limits.Streams), MaxIncomingUniStreams: -1, MaxIdleTimeout: idleFor, HandshakeIdleTimeout: s.limits.Within})
	if err != nil {
		return nil, err
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.running.Go(s.accept)
	return s, nil
}

// Close ends all connections, and waits for the handlers.
func (s *Server) Close() error {
	s.cancel()
	err := s.listener.Close()
	s.running.Wait()
	return errors.Join(err, s.socket.Close())
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept(s.ctx)
		if err != nil {
			return
		}
		from := addressOf(c.RemoteAddr())
		if !s.enter(from) {
			_ = c.CloseWithError(1, "too many connections")
			continue
		}
		s.running.Go(func() {
			defer s.leave(from)
			s.connected(c, from)
		})
	}
}

func addressOf(a net.Addr) netip.Addr {
	if u, ok := a.(*net.UDPAddr); ok {
		return u.AddrPort().Addr().Unmap()
	}
	return netip.Addr{}
}

func (s *Server) enter(from netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total >= s.limits.Connections || s.from[from] >= s.limits.PerAddress {
		return false
	}
	s.total++
	s.from[from]++
	return true
}

func (s *Server) leave(from netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total--
	if s.from[from]--; s.from[from] == 0 {
		delete(s.from, from)
	}
}

func (s *Server) connected(c *quic.Conn, from netip.Addr) {
	defer func() { _ = c.CloseWithError(0, "") }()
	var streams sync.WaitGroup
	defer streams.Wait()
	for {
		stream, err := c.AcceptStream(s.ctx)
		if err != nil {
			return
		}
		streams.Go(func() { s.answer(c, stream, from) })
	}
}

// allowed takes a question of an address's rate.
func (s *Server) allowed(from netip.Addr) bool {
	b, ok := s.buckets.Get(from)
	if !ok {
		b = rate.NewLimiter(rate.Limit(s.limits.Rate), max(int(s.limits.Rate), 1))
		if before, there, _ := s.buckets.PeekOrAdd(from, b); there {
			b = before
		}
	}
	return b.Allow()
}

func (s *Server) answer(c *quic.Conn, stream *quic.Stream, from netip.Addr) {
	ctx, cancel := context.WithTimeout(s.ctx, s.limits.Within)
	defer cancel()
	stop := context.AfterFunc(c.Context(), cancel)
	defer stop()
	_ = stream.SetDeadline(time.Now().Add(s.limits.Within))
	if !s.allowed(from) {
		stream.CancelRead(1)
		_ = write(stream, Busy, nil)
		return
	}
	kind, body, err := read(stream, s.limits.Body)
	if err != nil {
		stream.CancelRead(1)
		stream.CancelWrite(1)
		return
	}
	status, reply := s.handler(ctx, from, kind, body)
	_ = write(stream, status, reply)
}

func write(stream *quic.Stream, first byte, body []byte) error {
	frame := binary.BigEndian.AppendUint32(append(make([]byte, 0, frameHeader+len(body)), first), uint32(len(body)))
	if _, err := stream.Write(append(frame, body...)); err != nil {
		stream.CancelWrite(1)
		return err
	}
	return stream.Close()
}

// errFrame reports bytes that are no frame.
var errFrame = errors.New("exchange: not a frame, or a longer one than may be")

func read(stream *quic.Stream, most int) (first byte, body []byte, err error) {
	var header [frameHeader]byte
	if _, err := io.ReadFull(stream, header[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(header[1:])
	if uint64(size) > uint64(most) {
		return 0, nil, errFrame
	}
	body, err = io.ReadAll(io.LimitReader(stream, int64(size)+1)) // grows as bytes come
	if err == nil && len(body) != int(size) {
		err = errFrame
	}
	return header[0], body, err
}
