package transport

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"math/big"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
)

// stranger is a QUIC client that says what a test wants.
type stranger struct {
	t    *testing.T
	conn *quic.Conn
	key  Key
}

func dialRaw(t *testing.T, n *node, change func(*tls.Config)) (*quic.Conn, error) {
	t.Helper()
	config, err := secure(testKey("stranger"))
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(config)
	}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	wire := &quic.Transport{Conn: socket}
	t.Cleanup(func() {
		_ = wire.Close()
		_ = socket.Close()
	})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return wire.Dial(ctx, net.UDPAddrFromAddrPort(n.Address()), config, &quic.Config{MaxIncomingUniStreams: ChannelCount})
}

func newStranger(t *testing.T, n *node) *stranger {
	t.Helper()
	c, err := dialRaw(t, n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &stranger{t, c, testKey("stranger")}
}

func testHello() hello {
	return hello{low: 1, high: 1, instance: 7, genesis: [32]byte{1}, network: "test", agent: "stranger"}
}

// say opens the hello's stream and writes b as its first message.
func (s *stranger) say(b []byte) *quic.Stream {
	s.t.Helper()
	stream, err := s.conn.OpenStream()
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := stream.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(b))), b...)); err != nil {
		s.t.Fatal(err)
	}
	return stream
}

// handshake goes through the hello as an honest node would.
func (s *stranger) handshake(n *node) {
	s.t.Helper()
	raw, err := readHello(s.say(testHello().encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	if a, err := decodeAnswer(raw); err != nil || a.refusal != nil {
		s.t.Fatal(err, a.refusal)
	}
	if p := await(s.t, n.up, "peer"); p.ID != s.key.ID() {
		s.t.Fatalf("%+v", p)
	}
}

// stream opens a stream and writes b.
func (s *stranger) stream(b []byte) *quic.SendStream {
	s.t.Helper()
	stream, err := s.conn.OpenUniStream()
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := stream.Write(b); err != nil {
		s.t.Fatal(err)
	}
	return stream
}

// told waits for the connection's end and gives the reason it came with.
func (s *stranger) told() *Refusal {
	s.t.Helper()
	await(s.t, s.conn.Context().Done(), "end")
	var r *Refusal
	if err := reason(context.Cause(s.conn.Context())); !errors.As(err, &r) {
		s.t.Fatalf("the stranger learns %v", err)
	}
	return r
}

// Every hello that is not one is refused with a reason, and leaves nothing behind.
func TestBadHellos(t *testing.T) {
	b := named(t, "b")
	good := testHello().encode()
	for name, raw := range map[string][]byte{
		"empty":     {},
		"garbage":   []byte(strings.Repeat("x", 300)),
		"cut short": good[:len(good)-1],
		"trailing":  append(append([]byte{}, good...), 0),
		"purpose":   (hello{low: 1, high: 1, purpose: 9, network: "test"}).encode(),
		"nameless":  (hello{low: 1, high: 1}).encode(),
		"too long":  make([]byte, helloMax+1),
		"name":      (hello{low: 1, high: 1, network: "te\nst"}).encode(),
		"versions":  (hello{low: 2, high: 1, network: "test"}).encode(),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStranger(t, b)
			s.say(raw)
			if r := s.told(); r.Code != CodeMalformed || !r.Remote || r.Text == "" {
				t.Errorf("%s: %v", name, r)
			}
		})
	}
	s := newStranger(t, b)
	stream, err := s.conn.OpenStream()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Write([]byte{0, 50, 'C', 'W'}); err != nil {
		t.Fatal(err)
	}
	_ = stream.Close()
	if r := s.told(); r.Code != CodeMalformed {
		t.Errorf("half a hello: %v", r)
	}
	// The other side of a refusal reads the node's own hello before the connection ends.
	s = newStranger(t, b)
	other := testHello()
	other.network = "elsewhere"
	raw, err := readHello(s.say(other.encode()))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := decodeAnswer(raw); err != nil || a.hello.network != "test" || a.refusal == nil || a.refusal.Code != CodeNetwork {
		t.Errorf("%+v, %v", a, err)
	}
	if len(b.up) > 0 {
		t.Error("a stranger became a peer")
	}
	join(t, named(t, "a"), b)
}

// A stranger that says nothing, or half a frame, is let go by the node's clock.
func TestSilence(t *testing.T) {
	clock := newHandClock()
	config := testConfig("b")
	config.Clock = clock
	b := start(t, config)
	silent := newStranger(t, b)
	await(t, clock.armed, "deadline") // of the hello
	clock.advance(config.Limits.Handshake)
	if r := silent.told(); r.Code != CodeTimeout {
		t.Errorf("a silent stranger learns %v", r)
	}
	half := newStranger(t, b)
	half.handshake(b)
	half.stream([]byte{byte(Consensus), 5, 'h'})
	waitFor(t, func() bool { return b.conn(half.key.ID()).lanes[Consensus].reading.Load() != 0 })
	for range stallTicks + 2 {
		clock.advance(config.Limits.Stall / stallTicks)
	}
	if r := half.told(); r.Code != CodeStalled || !strings.Contains(r.Text, "consensus") {
		t.Errorf("half a frame: %v", r)
	}
	if d := await(t, b.down, "end"); !errors.Is(d.why, ErrStalled) {
		t.Error(d.why)
	}
}

// waitFor looks again and again until something is so.
func waitFor(t testing.TB, so func() bool) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	end := time.NewTimer(patience)
	defer end.Stop()
	for !so() {
		select {
		case <-look.C:
		case <-end.C:
			t.Fatal("it never came to be")
		}
	}
}

// Whatever breaks the framing ends the connection with a reason, and allocates nothing of what was announced.
func TestBadStreams(t *testing.T) {
	for name, c := range map[string]struct {
		bytes []byte
		want  Code
	}{
		"unknown channel": {[]byte{ChannelCount, 1, 1}, CodeStream},
		"empty frame":     {[]byte{byte(Sync), 0}, CodeFrame},
		"too long":        {[]byte{byte(Consensus), 0xff, 0xff, 0xff, 0x7f}, CodeFrame},
		"five-byte size":  {[]byte{byte(Consensus), 0xff, 0xff, 0xff, 0xff, 1}, CodeFrame},
		"not minimal":     {[]byte{byte(Consensus), 0x81, 0}, CodeFrame},
	} {
		t.Run(name, func(t *testing.T) {
			b := named(t, "b")
			s := newStranger(t, b)
			s.handshake(b)
			s.stream(c.bytes)
			if r := s.told(); r.Code != c.want {
				t.Errorf("%v", r)
			}
			if d := await(t, b.down, "end"); !errors.Is(d.why, &Refusal{Code: c.want}) {
				t.Error(d.why)
			}
		})
	}
	t.Run("second stream", func(t *testing.T) {
		b := named(t, "b")
		s := newStranger(t, b)
		s.handshake(b)
		s.stream([]byte{byte(Sync), 1, 'x'})
		await(t, b.frames[Sync], "frame")
		s.stream([]byte{byte(Sync), 1, 'y'})
		if r := s.told(); r.Code != CodeStream {
			t.Error(r)
		}
	})
	t.Run("ended", func(t *testing.T) {
		b := named(t, "b")
		s := newStranger(t, b)
		s.handshake(b)
		_ = s.stream([]byte{byte(Sync), 9, 'x'}).Close()
		if r := s.told(); r.Code != CodeStream {
			t.Error(r)
		}
	})
	t.Run("reset", func(t *testing.T) {
		b := named(t, "b")
		s := newStranger(t, b)
		s.handshake(b)
		stream := s.stream([]byte{byte(Sync), 1, 'x'})
		await(t, b.frames[Sync], "frame")
		stream.CancelWrite(1)
		if r := s.told(); r.Code != CodeStream {
			t.Error(r)
		}
	})
	t.Run("too many streams", func(t *testing.T) {
		b := named(t, "b")
		s := newStranger(t, b)
		s.handshake(b)
		for c := range byte(ChannelCount) {
			s.stream([]byte{c})
		}
		if _, err := s.conn.OpenUniStream(); err == nil {
			t.Error("a stream beyond the channels was granted")
		}
	})
	t.Run("vote on a lookup", func(t *testing.T) {
		b := named(t, "b")
		s := newStranger(t, b)
		g := testHello()
		g.purpose = Lookup
		if _, err := readHello(s.say(g.encode())); err != nil {
			t.Fatal(err)
		}
		s.stream([]byte{byte(Consensus), 1, 'x'})
		if r := s.told(); r.Code != CodeStream {
			t.Error(r)
		}
	})
}

// Without an ed25519 key there is no handshake. Spec: WP §6.2 (TLS 1.3).
func TestBadCertificates(t *testing.T) {
	b := named(t, "b")
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, other.Public(), other)
	if err != nil {
		t.Fatal(err)
	}
	honest := testKey("b")
	borrowed, err := certificate(honest)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*tls.Config){
		"none": func(c *tls.Config) { c.Certificates = nil },
		"ecdsa": func(c *tls.Config) {
			c.Certificates = []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: other}}
		},
		"two": func(c *tls.Config) { c.Certificates[0].Certificate = append(c.Certificates[0].Certificate, der) },
		"borrowed": func(c *tls.Config) { // somebody else's certificate without its key
			c.Certificates[0].Certificate = borrowed.Certificate
		},
		"other protocol": func(c *tls.Config) { c.NextProtos = []string{"h3"} },
	} {
		t.Run(name, func(t *testing.T) {
			c, err := dialRaw(t, b, change)
			if err == nil {
				// The dialer's half of the handshake ends before the other side has seen its certificate.
				_, err = c.AcceptUniStream(context.Background())
			}
			if err == nil {
				t.Errorf("%s: accepted", name)
			}
		})
	}
	if len(b.up) > 0 {
		t.Error("a stranger became a peer")
	}
}

// A flood that nobody handles stops its own channel alone: frames of the other channels come through while thousands of the
// flood's wait, and the flooder's memory and ours stay bounded.
func TestFloodLeavesOtherChannelsAlone(t *testing.T) {
	for c := range Channel(ChannelCount) {
		t.Run(c.String(), func(t *testing.T) {
			a, b := named(t, "a"), named(t, "b")
			join(t, a, b)
			budget := b.config.Limits.Channels[c]
			stop := make(chan struct{})
			flooded := make(chan struct{})
			go func() {
				defer close(flooded)
				junk := make([]byte, budget.FrameMax/2)
				for {
					select {
					case <-stop:
						return
					default:
						if a.Send(b.Self(), c, junk) == Shed {
							runtime.Gosched()
						}
					}
				}
			}()
			// The receiver takes nothing off: the channel fills up to its bound and stays there.
			waitFor(t, func() bool { return a.Tallies()[c].ShedOut > 0 })
			waitFor(t, func() bool { return b.Tallies()[c].Throttled > 0 })
			for i := range 30 {
				for other := range Channel(ChannelCount) {
					if other != c {
						deliver(t, a, b, other, []byte{byte(i)})
						deliver(t, b, a, other, []byte{byte(i)})
					}
				}
			}
			close(stop)
			<-flooded
			held := 0
			for len(b.frames[c]) > 0 {
				held += len((<-b.frames[c]).Data)
			}
			if held > budget.Unhandled+budget.FrameMax {
				t.Errorf("%d bytes were handed over unhandled, the bound is %d", held, budget.Unhandled+budget.FrameMax)
			}
		})
	}
}

// A flood within its bound on unhandled bytes is slowed to its rate by the clock. The clock stands still, so what comes is the
// burst, however long one waits.
func TestRateBudget(t *testing.T) {
	clock := newHandClock()
	config := testConfig("b")
	config.Clock = clock
	config.Limits.Channels[Sync].FramesPerSecond, config.Limits.Channels[Sync].Burst = 10, 3
	a, b := named(t, "a"), start(t, config)
	join(t, a, b)
	for i := range 100 {
		if a.Send(b.Self(), Sync, []byte{byte(i)}) != Queued {
			t.Fatal("shed")
		}
	}
	deliver(t, a, b, Consensus, []byte("on time"))
	waitFor(t, func() bool { return b.Tallies()[Sync].Throttled > 0 })
	if n := b.Tallies()[Sync].ReceivedFrames; n != 31 {
		t.Errorf("%d frames came at once, the burst is 30 and one that goes into debt", n)
	}
	deliver(t, a, b, Consensus, []byte("on time again"))
	for n := uint64(31); n < 100; n++ {
		waitFor(t, func() bool { return b.Tallies()[Sync].ReceivedFrames == n && b.Tallies()[Sync].Throttled == n-30 })
		clock.advance(100 * time.Millisecond)
	}
	waitFor(t, func() bool { return b.Tallies()[Sync].ReceivedFrames == 100 })
}

// A peer that reads nothing is let go, and until then costs its queues and no more.
func TestSlowReader(t *testing.T) {
	clock := newHandClock()
	config := testConfig("b")
	config.Clock = clock
	b := start(t, config)
	s := newStranger(t, b)
	s.handshake(b)
	frame := make([]byte, 1<<20)
	waitFor(t, func() bool { return b.Send(s.key.ID(), Blocks, frame) == Shed })
	l := &b.conn(s.key.ID()).lanes[Blocks]
	waitFor(t, func() bool { return l.writing.Load() != 0 })
	if l.bytes > l.budget.QueueBytes {
		t.Errorf("%d bytes are queued, the bound is %d", l.bytes, l.budget.QueueBytes)
	}
	for range stallTicks + 2 {
		clock.advance(config.Limits.Stall / stallTicks)
	}
	if r := s.told(); r.Code != CodeStalled {
		t.Error(r)
	}
	await(t, b.down, "end")
}

// A host that sheds frames costs its peer nothing but them.
func TestShedding(t *testing.T) {
	w := newWatcher()
	w.refuse = func(f *Frame) bool { return f.Data[0] == 'x' }
	a, b := named(t, "a"), startWith(t, testConfig("b"), w)
	join(t, a, b)
	for range 1000 {
		a.Send(b.Self(), Transactions, []byte("x"))
	}
	deliver(t, a, b, Transactions, []byte("kept"))
	if n := b.Tallies()[Transactions].ShedIn; n != 1000 {
		t.Errorf("%d frames were shed", n)
	}
}

// More handshakes than Limits.Pending do not get in, and those under way do not stop an honest one once they are over.
func TestPendingHellos(t *testing.T) {
	clock := newHandClock()
	config := testConfig("b")
	config.Clock, config.Limits.Pending = clock, 3
	b := start(t, config)
	for range 3 {
		newStranger(t, b)
	}
	waitFor(t, func() bool { return b.pending.Load() == 3 })
	if c, err := dialRaw(t, b, nil); err == nil {
		_, err = c.AcceptStream(context.Background())
		if err == nil || errors.Is(err, io.EOF) {
			t.Error("a fourth stranger was let in")
		}
	}
	waitFor(t, func() bool { return len(clock.armed) >= 3 })
	clock.advance(config.Limits.Handshake)
	waitFor(t, func() bool { return b.pending.Load() == 0 })
	join(t, named(t, "a"), b)
}
