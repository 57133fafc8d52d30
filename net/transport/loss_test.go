package transport

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wire is a UDP path to a node that loses, repeats and overtakes packets, or swallows all of them.
type wire struct {
	front *net.UDPConn
	to    netip.AddrPort
	hole  atomic.Bool
	lost  atomic.Int64

	mu      sync.Mutex
	random  *rand.Rand
	backs   map[netip.AddrPort]*net.UDPConn
	held    func() // a packet that waits for the next to overtake it
	readers sync.WaitGroup
}

func newWire(t *testing.T, to netip.AddrPort, seed uint64) *wire {
	t.Helper()
	front, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{front: front, to: to, random: rand.New(rand.NewPCG(seed, 5)), backs: map[netip.AddrPort]*net.UDPConn{}}
	w.readers.Go(w.forth)
	t.Cleanup(w.close)
	return w
}

func (w *wire) close() {
	_ = w.front.Close()
	w.mu.Lock()
	for _, b := range w.backs {
		_ = b.Close()
	}
	w.mu.Unlock()
	w.readers.Wait()
}

func (w *wire) address() netip.AddrPort { return w.front.LocalAddr().(*net.UDPAddr).AddrPort() }

// forth carries packets from dialers to the node, from a socket of each dialer's own.
func (w *wire) forth() {
	buffer := make([]byte, 2048)
	for {
		n, from, err := w.front.ReadFromUDPAddrPort(buffer)
		if err != nil {
			return
		}
		w.mu.Lock()
		back := w.backs[from]
		if back == nil {
			if back, err = net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}); err != nil {
				w.mu.Unlock()
				return
			}
			w.backs[from] = back
			w.readers.Go(func() { w.back(back, from) })
		}
		w.mu.Unlock()
		packet := append([]byte(nil), buffer[:n]...)
		w.carry(func() { _, _ = back.WriteToUDPAddrPort(packet, w.to) })
	}
}

func (w *wire) back(socket *net.UDPConn, to netip.AddrPort) {
	buffer := make([]byte, 2048)
	for {
		n, _, err := socket.ReadFromUDPAddrPort(buffer)
		if err != nil {
			return
		}
		packet := append([]byte(nil), buffer[:n]...)
		w.carry(func() { _, _ = w.front.WriteToUDPAddrPort(packet, to) })
	}
}

// carry treats one packet as the seed says: a tenth is lost, some come twice, some after the next.
func (w *wire) carry(send func()) {
	if w.hole.Load() {
		return
	}
	w.mu.Lock()
	held := w.held
	w.held = nil
	fate := w.random.IntN(100)
	if fate >= 15 && fate < 20 && held == nil {
		w.held = send
		w.mu.Unlock()
		return
	}
	w.mu.Unlock()
	if fate < 10 {
		w.lost.Add(1)
	} else {
		send()
	}
	if fate >= 10 && fate < 15 {
		send()
	}
	if held != nil {
		held()
	}
}

// Over a path that loses a tenth of the packets every frame of every channel comes, once and in order.
func TestLoss(t *testing.T) {
	a, b := named(t, "a"), named(t, "b")
	w := newWire(t, b.Address(), 1)
	a.Dial(Target{ID: b.Self(), Address: w.address()})
	await(t, a.up, "peer")
	await(t, b.up, "peer")
	const rounds = 150
	for i := range uint64(rounds) {
		for c := Consensus; c < ChannelCount; c++ {
			frame := make([]byte, 8+i*10)
			binary.BigEndian.PutUint64(frame, i)
			if o := a.Send(b.Self(), c, frame); o != Queued {
				t.Fatal(o)
			}
		}
	}
	for c := Consensus; c < ChannelCount; c++ {
		for i := range uint64(rounds) {
			f := await(t, b.frames[c], "frame")
			if got := binary.BigEndian.Uint64(f.Data); got != i || len(f.Data) != int(8+i*10) {
				t.Fatalf("%v: frame %d of %d bytes came instead of %d", c, got, len(f.Data), i)
			}
			f.Done()
		}
	}
	if w.lost.Load() == 0 {
		t.Error("nothing was lost")
	}
}

// A peer that vanishes without a word is noticed by both ends, and comes back over the same address.
func TestHalfOpen(t *testing.T) {
	quick := func(name string) Config {
		c := testConfig(name)
		c.Limits.Idle = 400 * time.Millisecond
		return c
	}
	a, b := start(t, quick("a")), start(t, quick("b"))
	w := newWire(t, b.Address(), 2)
	a.Dial(Target{ID: b.Self(), Address: w.address()})
	await(t, a.up, "peer")
	await(t, b.up, "peer")
	w.hole.Store(true)
	for _, n := range []*node{a, b} {
		var idle *quic.IdleTimeoutError
		if d := await(t, n.down, "end"); !errors.As(d.why, &idle) {
			t.Errorf("the connection ended by %v", d.why)
		}
	}
	a.Dial(Target{ID: b.Self(), Address: w.address()})
	if f := await(t, a.failed, "failure"); !errors.Is(f.why, ErrTimeout) {
		var late *quic.HandshakeTimeoutError
		if !errors.As(f.why, &late) && !errors.As(f.why, new(*quic.IdleTimeoutError)) {
			t.Errorf("a dial into nothing: %v", f.why)
		}
	}
	w.hole.Store(false)
	for len(a.up) == 0 { // a tenth of the packets is still lost
		a.Dial(Target{ID: b.Self(), Address: w.address()})
		select {
		case p := <-a.up:
			a.up <- p
		case <-a.failed:
		}
	}
}
