package door

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
)

// TestConnectionLimits: a listener with places for three, two of one client. The third of a client is closed, the fourth of all waits until somebody leaves,
// who gives one
// place back however often it is closed. A listener that is closed while it is full is done.
func TestConnectionLimits(t *testing.T) {
	raw, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := ConnectionLimits{Most: 3, Each: 2}.Bounded(raw)
	came := make(chan net.Conn)
	done := make(chan error, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				done <- err
				return
			}
			came <- c
		}
	}()
	dial := func(from string) net.Conn {
		t.Helper()
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		c, err := d.Dial("tcp", raw.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	of := func(c net.Conn) string { return clientOf(c).String() }

	dial("127.0.0.2")
	first := <-came
	dial("127.0.0.2")
	<-came
	if _, err := dial("127.0.0.2").Read(make([]byte, 1)); err == nil || !errors.Is(err, io.EOF) && !errors.As(err, new(*net.OpError)) {
		t.Errorf("the third of a client is not closed: %v", err)
	}
	dial("127.0.0.3")
	if c := <-came; of(c) != "127.0.0.3" {
		t.Errorf("%s is served, want 127.0.0.3", of(c))
	}
	dial("127.0.0.4")
	select {
	case c := <-came:
		t.Errorf("a fourth is served: %s", of(c))
	default:
	}
	for range 3 {
		_ = first.Close()
	}
	if c := <-came; of(c) != "127.0.0.4" {
		t.Errorf("%s is served, want 127.0.0.4", of(c))
	}
	b := l.(*bounded)
	b.mu.Lock()
	for client, n := range map[string]int{"127.0.0.2": 1, "127.0.0.3": 1, "127.0.0.4": 1} {
		t.Run(client, func(t *testing.T) {
			if got := b.open[netip.MustParseAddr(client)]; got != n || len(b.open) != 3 {
				t.Errorf("%s has %d connections, want %d; %d clients", client, got, n, len(b.open))
			}
		})
	}
	b.mu.Unlock()
	if len(b.places) != 3 {
		t.Errorf("%d places are taken, want 3", len(b.places))
	}
	_ = l.Close()
	if err := <-done; !errors.Is(err, net.ErrClosed) {
		t.Errorf("after it was closed: %v", err)
	}
	if (ConnectionLimits{}).Bounded(raw) != raw {
		t.Error("the zero ConnectionLimits bounds something")
	}
}

// whose is a connection of an address.
type whose struct {
	net.Conn
	address string
}

func (w whose) RemoteAddr() net.Addr {
	at := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(w.address))
	return at
}

func TestClientOf(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:1":              "192.0.2.7",
		"[::ffff:192.0.2.7]:2":     "192.0.2.7",
		"[2001:db8:1:2:3:4:5:6]:3": "2001:db8:1:2::",
		"[2001:db8:1:2:ffff::]:4":  "2001:db8:1:2::",
		"[2001:db8:1:3::]:4":       "2001:db8:1:3::",
		"[fe80::1%lo]:5":           "fe80::",
	} {
		t.Run(address, func(t *testing.T) {
			if got := clientOf(whose{address: address}).String(); got != want {
				t.Errorf("%s counts for %s, want %s", address, got, want)
			}
		})
	}
}
