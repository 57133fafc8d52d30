package mutual

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"github.com/cowboyinc/cowboy-go/testkit/stranger"
)

func keyOf(n byte) (ed25519.PrivateKey, Key) {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
	return key, Key(key.Public().(ed25519.PublicKey))
}

func serve(t *testing.T, limits Limits, h Handler) (*Server, Key) {
	t.Helper()
	socket, listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	own, public := keyOf(1)
	s, err := Serve(socket, listener, own, limits, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, net.ErrClosed) { // which a test may have done already
			t.Error(err)
		}
	})
	return s, public
}

// ways are those over which a server is reached.
var ways = map[string]Dialer{"QUIC": DialQUIC, "TCP": DialTCP}

// dial connects over one of them.
func dial(t *testing.T, way string, s *Server, number byte, want Key) Conn {
	t.Helper()
	own, _ := keyOf(number)
	c, err := ways[way](t.Context(), s.Address().String(), own, want, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// until waits for what another goroutine does; the test's own time is the limit.
func until(done func() bool) {
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for !done() {
		<-again.C
	}
}

func yes(context.Context, *Peer, []byte) *Answer { return &Answer{Parts: [][]byte{[]byte("yes")}} }

// The frame is the document's: a version of one byte, the length as four bytes with the highest first, the body.
//
// Spec: storage-cbfs §3.3.
func TestFrame(t *testing.T) {
	var out bytes.Buffer
	if err := writeFrame(&out, []byte("hi")); err != nil || !bytes.Equal(out.Bytes(), []byte{1, 0, 0, 0, 2, 'h', 'i'}) {
		t.Errorf("% x %v", out.Bytes(), err)
	}
	for name, c := range map[string]struct {
		raw []byte
		err error
	}{
		"the longest":     {[]byte{1, 0, 0x11, 0, 0}, nil},
		"a byte longer":   {[]byte{1, 0, 0x11, 0, 1}, ErrFrame},
		"another version": {[]byte{2, 0, 0, 0, 0}, ErrFrame},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := readHead(bytes.NewReader(c.raw)); !errors.Is(err, c.err) {
				t.Error(err)
			}
		})
	}
	if writeFrame(&out, make([]byte, MaxBody+1)) == nil {
		t.Error("a frame that is too long is written")
	}
}

// Many ask at a time, each gets its own answer, and the handler knows their keys.
//
// Spec: storage-cbfs §3.3.
func TestAsking(t *testing.T) {
	for way, most := range map[string]int{"QUIC": 1, "TCP": 4} {
		t.Run(way, func(t *testing.T) {
			s, public := serve(t, DefaultLimits(), func(_ context.Context, from *Peer, body []byte) *Answer {
				return &Answer{Parts: [][]byte{body, from.Key[:]}}
			})
			c := dial(t, way, s, 2, public)
			_, mine := keyOf(2)
			var all sync.WaitGroup
			for i := range 40 {
				all.Go(func() {
					question := bytes.Repeat([]byte{byte(i)}, 1<<20)
					answer, err := c.Ask(t.Context(), question)
					if err != nil || !bytes.Equal(answer.Bytes, append(question, mine[:]...)) {
						t.Errorf("%d: %+v", i, err)
					}
					answer.Free()
				})
			}
			all.Wait()
			if n := s.Connections(); n < 1 || n > most || !c.Alive() {
				t.Error(n)
			}
		})
	}
}

// Whoever wants another key than the one that answers is not connected.
func TestAnotherKey(t *testing.T) {
	s, _ := serve(t, DefaultLimits(), func(context.Context, *Peer, []byte) *Answer { return nil })
	own, _ := keyOf(2)
	_, other := keyOf(3)
	for way, dial := range ways {
		t.Run(way, func(t *testing.T) {
			if c, err := dial(t.Context(), s.Address().String(), own, other, nil); err == nil {
				t.Errorf("%+v", c)
			}
		})
	}
	if c, err := Dial(t.Context(), s.Address().String(), own, other, nil); err == nil || c != nil {
		t.Errorf("%+v", c)
	}
}

// One address has so many connections over both ways, and no more.
func TestConnectionsOfOneAddress(t *testing.T) {
	limits := DefaultLimits()
	limits.PerAddress = 2
	s, public := serve(t, limits, yes)
	for i, way := range []string{"QUIC", "TCP"} {
		if _, err := dial(t, way, s, byte(2+i), public).Ask(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	own, _ := keyOf(9)
	c, err := DialQUIC(t.Context(), s.Address().String(), own, public, nil)
	if err == nil {
		_, err = c.Ask(t.Context(), nil)
	}
	var closed *quic.ApplicationError
	if !errors.As(err, &closed) || closed.ErrorCode != 1 {
		t.Error(err)
	}
	if c, err := DialTCP(t.Context(), s.Address().String(), own, public, nil); err == nil {
		if _, err = c.Ask(t.Context(), nil); err == nil {
			t.Error("a third connection is answered")
		}
	}
}

// A question that does not come whole is given up, and other questions of the connection go on.
func TestHalfAQuestion(t *testing.T) {
	limits := DefaultLimits()
	limits.Within = 50 * time.Millisecond
	s, public := serve(t, limits, yes)
	c := dial(t, "QUIC", s, 2, public)
	half, err := c.(*overQUIC).conn.OpenStreamSync(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := half.Write(appendHead(nil, 100)); err != nil {
		t.Fatal(err)
	}
	if _, err := half.Read(make([]byte, 1)); err == nil {
		t.Error("half a question is answered")
	}
	if answer, err := c.Ask(t.Context(), nil); err != nil || string(answer.Bytes) != "yes" {
		t.Error(answer, err)
	}
}

// What is refused takes ten of a source's questions: with ten of them the second one waits, and of those that are answered none does.
func TestRefusalsCount(t *testing.T) {
	limits := DefaultLimits()
	limits.PerSecond = 0.001
	for name, refused := range map[string]bool{"answered": false, "refused": true} {
		t.Run(name, func(t *testing.T) {
			s, public := serve(t, limits, func(context.Context, *Peer, []byte) *Answer {
				return &Answer{Parts: [][]byte{[]byte("?")}, Refused: refused}
			})
			c := dial(t, "QUIC", s, 2, public)
			if _, err := c.Ask(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if !refused {
				for range 9 {
					if _, err := c.Ask(ctx, nil); err != nil {
						t.Fatal(err)
					}
				}
			}
			if left := s.pace(netip.MustParseAddr("127.0.0.1")).Tokens(); left >= 1 {
				t.Errorf("%.2f questions are left, want none", left)
			}
		})
	}
}

// A source that comes while another one holds all memory with bodies that do not come has one of them given up, and is answered.
func TestSlowBodiesGiveWay(t *testing.T) {
	limits := DefaultLimits()
	limits.Memory = 4 * 2 * MaxBody
	s, public := serve(t, limits, yes)
	slow := dial(t, "QUIC", s, 2, public).(*overQUIC)
	ended := make(chan error, 4)
	for range 4 {
		half, err := slow.conn.OpenStreamSync(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := half.Write(appendHead(nil, MaxBody)); err != nil {
			t.Fatal(err)
		}
		go func() {
			_, err := half.Read(make([]byte, 1))
			ended <- err
		}()
	}
	until(func() bool { return s.memory.Taken() == 4 })
	other, err := stranger.New(80, s.Address().String(), "cowboy-mutual", ed25519.NewKeyFromSeed(bytes.Repeat([]byte{3}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	conn, err := other.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseWithError(0, "") }()
	stream, err := conn.OpenStreamSync(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := ask(stream, nil)
	if err != nil || string(answer.Bytes) != "yes" {
		t.Errorf("%v %v", answer, err)
	}
	if err := <-ended; err == nil {
		t.Error("half a question is answered")
	}
}

// A server that has answered and wants no more of the question ends its sending: the answer counts, whether the asker was still writing or just done.
func TestAnswerBeforeTheQuestionIsWritten(t *testing.T) {
	own, public := keyOf(1)
	config, err := secure(own, protocol, nil)
	if err != nil {
		t.Fatal(err)
	}
	little := settings(4)
	little.InitialStreamReceiveWindow, little.MaxStreamReceiveWindow = 64<<10, 64<<10
	l, err := quic.ListenAddr("127.0.0.1:0", config, little)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct {
		what   string
		answer bool
	}{{"answered", true}, {"not answered", false}} {
		t.Run(c.what, func(t *testing.T) {
			answered := make(chan error, 1)
			go func() {
				answered <- func() error {
					conn, err := l.Accept(t.Context())
					if err != nil {
						return err
					}
					stream, err := conn.AcceptStream(t.Context())
					if err != nil {
						return err
					}
					defer stream.CancelRead(0)
					if _, err := readHead(stream); err != nil || !c.answer {
						stream.CancelWrite(0)
						return err
					}
					return errors.Join(writeFrame(stream, []byte("no")), stream.Close())
				}()
			}()
			mine, _ := keyOf(2)
			conn, err := DialQUIC(t.Context(), l.Addr().String(), mine, public, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			body, err := conn.Ask(t.Context(), make([]byte, 512<<10)) // more than may be on its way unread
			if got := err == nil && string(body.Bytes) == "no"; got != c.answer {
				t.Errorf("%v, %v", body, err)
			}
			if err := <-answered; err != nil {
				t.Error(err)
			}
		})
	}
}
