package stranger

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
)

// Stranger is one, at an address.
type Stranger struct {
	Target string // host:port, UDP
	ALPN   string
	Key    ed25519.PrivateKey // that its connections show; nil for none

	socket net.PacketConn
	wire   *quic.Transport
	deaf   []*quic.Transport
}

// New gives the stranger with a number, whose address is 127.7.0.number: all of 127.0.0.0/8 is loopback on Linux.
func New(number byte, target, alpn string, key ed25519.PrivateKey) (*Stranger, error) {
	s := &Stranger{Target: target, ALPN: alpn, Key: key}
	var err error
	if s.socket, err = at(number); err != nil {
		return nil, err
	}
	s.wire = &quic.Transport{Conn: s.socket}
	return s, nil
}

func at(number byte) (net.PacketConn, error) {
	return net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 7, 0, number)})
}

// Close ends everything at once.
func (s *Stranger) Close() {
	for _, one := range append(s.deaf, s.wire) {
		_ = one.Close()
		_ = one.Conn.Close()
	}
}

func (s *Stranger) secured() (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS13, NextProtos: []string{s.ALPN}, InsecureSkipVerify: true} // it attacks whoever it is
	if s.Key == nil {
		return c, nil
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, s.Key.Public(), s.Key)
	c.Certificates = []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: s.Key}}
	return c, err
}

// Dial connects.
func (s *Stranger) Dial(ctx context.Context) (*quic.Conn, error) {
	to, err := net.ResolveUDPAddr("udp", s.Target)
	if err != nil {
		return nil, err
	}
	secured, err := s.secured()
	if err != nil {
		return nil, err
	}
	return s.wire.Dial(ctx, to, secured, &quic.Config{KeepAlivePeriod: 5 * time.Second, MaxIdleTimeout: time.Minute})
}

// DialTCP connects over TCP to the port of the same number. The handshake is the caller's.
func (s *Stranger) DialTCP(ctx context.Context) (*tls.Conn, error) {
	secured, err := s.secured()
	if err != nil {
		return nil, err
	}
	own := s.socket.LocalAddr().(*net.UDPAddr)
	conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: own.IP}}).DialContext(ctx, "tcp", s.Target)
	if err != nil {
		return nil, err
	}
	return tls.Client(conn, secured), nil
}

// hearing is a socket that hears so many packets and no more.
type hearing struct {
	net.PacketConn
	left atomic.Int64
	once sync.Once
	done chan struct{}
}

// ReadFrom implements net.PacketConn.
func (h *hearing) ReadFrom(p []byte) (int, net.Addr, error) {
	if h.left.Add(-1) < 0 {
		<-h.done
		return 0, nil, net.ErrClosed
	}
	return h.PacketConn.ReadFrom(p)
}

func (h *hearing) end() { h.once.Do(func() { close(h.done) }) }

// Close implements net.PacketConn.
func (h *hearing) Close() error {
	h.end()
	return h.PacketConn.Close()
}

// SetReadDeadline implements net.PacketConn; whoever sets one wants reading to end.
func (h *hearing) SetReadDeadline(at time.Time) error {
	h.end()
	return h.PacketConn.SetReadDeadline(at)
}

// HalfOpen begins handshakes that do not go on, from the address of a number, after so many packets were heard: after none the server does not know whether the
// address is the stranger's, after one it may have proved it. They are tried until the context ends.
func (s *Stranger) HalfOpen(ctx context.Context, number byte, handshakes int, heard int64) error {
	secured, err := s.secured()
	if err != nil {
		return err
	}
	to, err := net.ResolveUDPAddr("udp", s.Target)
	if err != nil {
		return err
	}
	for range handshakes {
		socket, err := at(number)
		if err != nil {
			return err
		}
		h := &hearing{PacketConn: socket, done: make(chan struct{})}
		h.left.Store(heard)
		wire := &quic.Transport{Conn: h}
		s.deaf = append(s.deaf, wire)
		go func() {
			_, _ = wire.Dial(ctx, to, secured, &quic.Config{HandshakeIdleTimeout: time.Minute}) // it never comes to be
		}()
	}
	return nil
}

// Goroutines counts those of this process in whose stack a function's name is.
func Goroutines(function string) (n int, err error) {
	var text bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
		return 0, err
	}
	for _, one := range strings.Split(text.String(), "\n\n") { // count @ addresses, then a line for each function
		if !strings.Contains(one, function) {
			continue
		}
		for _, line := range strings.Split(one, "\n") {
			if count, _, ok := strings.Cut(line, " @ "); ok {
				k, err := strconv.Atoi(count)
				if err != nil {
					return 0, fmt.Errorf("a profile of goroutines: %w", err)
				}
				n += k
			}
		}
	}
	return n, nil
}
