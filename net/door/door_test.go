package door

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"github.com/cowboyinc/cowboy-go/testkit/stranger"
)

const protocol = "door-test"

// opened is a door behind which nobody says anything.
func opened(t *testing.T, limits Limits, config *quic.Config, serve func(ctx context.Context, conn *quic.Conn, from netip.Addr)) *Door {
	t.Helper()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	secured := &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS13, NextProtos: []string{protocol},
	}
	d, err := Open(socket, secured, config, limits, serve)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func waits(ctx context.Context, conn *quic.Conn, _ netip.Addr) {
	select {
	case <-ctx.Done():
	case <-conn.Context().Done():
	}
}

func comes(t *testing.T, d *Door, number byte) *stranger.Stranger {
	t.Helper()
	s, err := stranger.New(number, d.Address().String(), protocol, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func dial(t *testing.T, s *stranger.Stranger) *quic.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := s.Dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// until waits for something.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	limit, again := time.NewTimer(time.Minute), time.NewTicker(5*time.Millisecond)
	defer limit.Stop()
	defer again.Stop()
	for !is() {
		select {
		case <-limit.C:
			t.Fatalf("never: %s", what)
		case <-again.C:
		}
	}
}

func (d *Door) halves(of netip.Addr) (all, proved int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.half, d.proved[of]
}

// TestHandshakesThatDoNotGoOn: those who do not prove their address take half of the places, one source that does takes its part, and others come in.
func TestHandshakesThatDoNotGoOn(t *testing.T) {
	t.Parallel()
	d := opened(t, Limits{Connections: 100, PerAddress: 10, HalfOpen: 16}, &quic.Config{HandshakeIdleTimeout: time.Minute}, waits)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := comes(t, d, 64)
	if err := s.HalfOpen(ctx, 64, 30, 0); err != nil {
		t.Fatal(err)
	}
	until(t, "half of the places", func() bool { all, _ := d.halves(netip.Addr{}); return all == 8 })
	at := netip.AddrFrom4([4]byte{127, 7, 0, 65})
	if err := s.HalfOpen(ctx, 65, 10, 1); err != nil {
		t.Fatal(err)
	}
	until(t, "the part of a source", func() bool { _, proved := d.halves(at); return proved == 2 })
	for n := range byte(3) {
		_ = dial(t, comes(t, d, 66+n)).CloseWithError(0, "")
	}
	until(t, "no more than half of the places, and the part of the source", func() bool { all, proved := d.halves(at); return all <= 10 && proved <= 2 })
}

// TestHandshakesAtTheirBounds: there are as many handshakes as the limit says, of which a source that proved its address has a 32nd, and two at least. From
// half of them on dialers have to prove theirs.
func TestHandshakesAtTheirBounds(t *testing.T) {
	for all, each := range map[int]int{4: 2, 64: 2, 95: 2, 96: 3, 511: 15, 512: 16} {
		t.Run(fmt.Sprint(all), func(t *testing.T) {
			d := &Door{limits: Limits{HalfOpen: all, Connections: 2}, places: NewShares(2, 2), proved: map[netip.Addr]int{}}
			begin := func(number byte, verified bool) bool {
				_, err := d.begin(t.Context(), &quic.ClientInfo{RemoteAddr: &net.UDPAddr{IP: net.IPv4(192, 0, 2, number)}, AddrVerified: verified})
				return err == nil
			}
			for n := range each + 1 {
				if begin(1, true) != (n < each) {
					t.Fatalf("handshake %d of a source", n)
				}
			}
			for n := each; n <= all; n++ {
				if d.suspicious(nil) != (n >= all/2) {
					t.Fatalf("beside %d handshakes an address has to be proved: %v", n, d.suspicious(nil))
				}
				if begin(2, false) != (n < all) {
					t.Fatalf("handshake %d", n)
				}
			}
		})
	}
}

// TestConnectionsAreShared: a source that comes to a full door has a connection of the source with most closed, and one that has as many as the others none.
func TestConnectionsAreShared(t *testing.T) {
	t.Parallel()
	d := opened(t, Limits{Connections: 4, PerAddress: 4, HalfOpen: 64}, &quic.Config{}, waits)
	first, second, third := comes(t, d, 70), comes(t, d, 71), comes(t, d, 72)
	var old []*quic.Conn
	for n := range 4 {
		old = append(old, dial(t, first))
		until(t, "it is counted", func() bool { return d.Connections() == n+1 })
	}
	young := []*quic.Conn{dial(t, second), dial(t, second)}
	for i, c := range old[:2] {
		<-c.Context().Done()
		var closed *quic.ApplicationError
		if err := context.Cause(c.Context()); !errors.As(err, &closed) || closed.ErrorCode != 1 {
			t.Errorf("connection %d ends by %v", i, err)
		}
	}
	refused := dial(t, second)
	<-refused.Context().Done()
	dial(t, third)
	if d.Connections() != 4 {
		t.Errorf("%d connections", d.Connections())
	}
	until(t, "one of those with two has made room", func() bool {
		ended := 0
		for _, c := range append(old[2:], young...) {
			if c.Context().Err() != nil {
				ended++
			}
		}
		return ended == 1
	})
}

// TestWindowsGrowOutOfOneBudget: what busy connections may have unread beyond their start comes out of one number, which is whole again when they end.
func TestWindowsGrowOutOfOneBudget(t *testing.T) {
	t.Parallel()
	const budget, start = 256 << 10, 32 << 10
	reads := func(ctx context.Context, conn *quic.Conn, _ netip.Addr) {
		s, err := conn.AcceptStream(ctx)
		if err != nil {
			return
		}
		block := make([]byte, 64<<10)
		for {
			if _, err := s.Read(block); err != nil {
				return
			}
		}
	}
	config := &quic.Config{
		InitialStreamReceiveWindow: start, MaxStreamReceiveWindow: 4 << 20, InitialConnectionReceiveWindow: start, MaxConnectionReceiveWindow: 8 << 20,
	}
	d := opened(t, Limits{Connections: 8, PerAddress: 8, HalfOpen: 64, Unread: budget}, config, reads)
	s := comes(t, d, 73)
	var most int64
	var conns []*quic.Conn
	for range 4 {
		c := dial(t, s)
		stream, err := c.OpenStreamSync(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 64 {
			if _, err := stream.Write(make([]byte, 128<<10)); err != nil {
				t.Fatal(err)
			}
			d.mu.Lock()
			most = max(most, d.grown)
			d.mu.Unlock()
		}
		conns = append(conns, c)
	}
	if most == 0 || most > budget {
		t.Errorf("windows grew by %d bytes, want some and at most %d", most, budget)
	}
	for _, c := range conns {
		_ = c.CloseWithError(0, "")
	}
	until(t, "the budget is whole", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.grown == 0 && d.half == 0
	})
}
