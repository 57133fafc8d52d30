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

	"github.com/cowboyinc/cowboy-go/net/door"
)

// protocol is what both sides name in the handshake (ALPN).
const protocol = "cowboy-exchange/1"

// Bounds where none are configured.
const (
	DefaultBody        = 128 << 10
	DefaultStreams     = 32
	DefaultConnections = 512
	DefaultPerAddress  = 64
	DefaultMemory      = 64 << 20
	DefaultRate        = 200 // questions a second from one source
	DefaultWithin      = 5 * time.Second
	idleFor            = 30 * time.Second
	remembered         = 4_096     // sources
	unread             = 256 << 10 // bytes of a connection that nobody has read yet
	frameHeader        = 5
)

// Limits bound a server. Zero is the default. A source is an IPv4 address, or 64 bits of an IPv6 address.
type Limits struct {
	Body        int // bytes of a question
	Streams     int // questions of a connection at a time
	Connections int // in all; as many handshakes may be under way
	PerAddress  int // connections of one source
	Memory      int // bytes of the questions and answers under way
	Rate        float64
	Within      time.Duration // of one stream
}

func (l Limits) filled() Limits {
	for _, f := range [...]struct {
		at     *int
		normal int
	}{{&l.Body, DefaultBody}, {&l.Streams, DefaultStreams}, {&l.Connections, DefaultConnections}, {&l.PerAddress, DefaultPerAddress},
		{&l.Memory, DefaultMemory}} {
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

// Origin is where a question comes from.
type Origin struct {
	Address netip.Addr
	Key     [sha256.Size]byte // hash of the key that its connection shows; zero for none
}

// Handler answers a question. It is called by many goroutines, and returns soon after the context ends.
type Handler func(ctx context.Context, from Origin, kind byte, body []byte) (status byte, answer []byte)

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
	*door.Door
	limits  Limits
	handler Handler
	memory  *door.Shares // a question and its answer each
	buckets *lru.Cache[netip.Addr, *rate.Limiter]
}

// Serve answers what comes to a socket, which it closes at its end.
func Serve(socket net.PacketConn, certificate tls.Certificate, limits Limits, handler Handler) (*Server, error) {
	s := &Server{limits: limits.filled(), handler: handler}
	s.memory = door.NewShares(max(s.limits.Memory/(2*s.limits.Body), 1), 0)
	var err error
	if s.buckets, err = lru.New[netip.Addr, *rate.Limiter](remembered); err != nil {
		return nil, err
	}
	secured := &tls.Config{
		Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13, NextProtos: []string{protocol}, ClientAuth: tls.RequestClientCert,
		SessionTicketsDisabled: true,
	}
	config := &quic.Config{
		MaxIncomingStreams: int64(s.limits.Streams), MaxIncomingUniStreams: -1, MaxIdleTimeout: idleFor, HandshakeIdleTimeout: s.limits.Within,
		InitialStreamReceiveWindow: unread, MaxStreamReceiveWindow: unread, InitialConnectionReceiveWindow: unread, MaxConnectionReceiveWindow: unread,
	}
	bounds := door.Limits{Connections: s.limits.Connections, PerAddress: s.limits.PerAddress, HalfOpen: s.limits.Connections}
	if s.Door, err = door.Open(socket, secured, config, bounds, s.connected); err != nil {
		return nil, err
	}
	return s, nil
}

// connected takes the questions of a connection.
func (s *Server) connected(ctx context.Context, c *quic.Conn, at netip.Addr) {
	from := Origin{Address: at}
	if shown := c.ConnectionState().TLS.PeerCertificates; len(shown) > 0 {
		from.Key = sha256.Sum256(shown[0].RawSubjectPublicKeyInfo)
	}
	defer func() { _ = c.CloseWithError(0, "") }()
	var streams sync.WaitGroup
	defer streams.Wait()
	for {
		stream, err := c.AcceptStream(ctx)
		if err != nil {
			return
		}
		streams.Go(func() { s.answer(ctx, c, stream, from) })
	}
}

// allowed takes a question of a source's rate.
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

// answer reads a question and answers it. Its place is taken away from a source that has many while others have fewer: whoever is slow gives way.
func (s *Server) answer(base context.Context, c *quic.Conn, stream *quic.Stream, from Origin) {
	ctx, cancel := context.WithTimeout(base, s.limits.Within)
	defer cancel()
	stop := context.AfterFunc(c.Context(), cancel)
	defer stop()
	_ = stream.SetDeadline(time.Now().Add(s.limits.Within))
	if !s.allowed(door.Source(from.Address)) {
		stream.CancelRead(1)
		_ = write(stream, Busy, nil)
		return
	}
	end := func() {
		stream.CancelRead(1)
		stream.CancelWrite(1)
	}
	place, err := s.memory.Wait(ctx, door.Source(from.Address), func() { cancel(); end() })
	if err != nil {
		end()
		return
	}
	defer place.Leave()
	kind, body, err := read(stream, s.limits.Body)
	if err != nil {
		end()
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
