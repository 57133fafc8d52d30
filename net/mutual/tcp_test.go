package mutual

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// raw is a connection over TCP from an address of loopback, whose handshake is over.
func raw(t *testing.T, s *Server, from string, number byte) *tls.Conn {
	t.Helper()
	conn := silent(t, s, from)
	own, _ := keyOf(number)
	config, err := secureTCP(own, nil)
	if err != nil {
		t.Fatal(err)
	}
	secured := tls.Client(&gathering{Conn: conn}, config)
	if err := secured.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	return secured
}

// silent is a connection over TCP on which nothing is said.
func silent(t *testing.T, s *Server, from string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", s.Address().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// asked is a question over a connection from raw.
func asked(conn *tls.Conn) error {
	answer, err := (&tcpConn{Conn: conn}).exchange(nil)
	if err == nil && string(answer.Bytes) != "yes" {
		err = errors.New("another answer: " + string(answer.Bytes))
	}
	return err
}

// A question that does not come whole ends its connection, and no other one.
func TestHalfAQuestionOverTCP(t *testing.T) {
	limits := DefaultLimits()
	limits.Within = 50 * time.Millisecond
	s, public := serve(t, limits, yes)
	half := raw(t, s, "127.0.0.1", 2)
	if _, err := half.Write(appendHead(nil, 100)); err != nil {
		t.Fatal(err)
	}
	if n, err := half.Read(make([]byte, 1)); err == nil {
		t.Errorf("half a question is answered by %d bytes", n)
	}
	if _, err := dial(t, "TCP", s, 3, public).Ask(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// What is no frame ends its connection: another version, and a byte more than a frame holds.
//
// Spec: storage-cbfs §3.3.
func TestNoFrameOverTCP(t *testing.T) {
	s, _ := serve(t, DefaultLimits(), yes)
	for name, head := range map[string][]byte{"another version": {2, 0, 0, 0, 0}, "a byte longer": {1, 0, 0x11, 0, 1}} {
		t.Run(name, func(t *testing.T) {
			conn := raw(t, s, "127.0.0.1", 2)
			if _, err := conn.Write(head); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(conn, make([]byte, 1)); err == nil {
				t.Error("it is answered")
			}
		})
	}
}

// A handshake takes ten of its source's questions, as a question that is refused.
func TestHandshakesCount(t *testing.T) {
	limits := DefaultLimits()
	limits.PerSecond = 0.001 // ten may come at once
	s, public := serve(t, limits, yes)
	dial(t, "TCP", s, 2, public)
	if left := s.pace(netip.MustParseAddr("127.0.0.1")).Tokens(); left >= 1 {
		t.Errorf("%.2f questions are left, want none", left)
	}
}

// Connections on which nothing is said fill the server; one that comes from elsewhere has the place of one of them, and is answered.
func TestSilentConnectionsGiveWay(t *testing.T) {
	limits := DefaultLimits()
	limits.Connections, limits.PerAddress = 8, 8
	s, _ := serve(t, limits, yes)
	for range 8 {
		silent(t, s, "127.7.0.1")
	}
	until(func() bool { return s.Connections() == 8 })
	if err := asked(raw(t, s, "127.7.0.2", 2)); err != nil {
		t.Error(err)
	}
	if n := s.Connections(); n > 8 {
		t.Error(n)
	}
}

// Bodies that do not come hold all memory; a question from elsewhere has the place of one of them, and its connection ends.
func TestSlowBodiesOverTCPGiveWay(t *testing.T) {
	limits := DefaultLimits()
	limits.Memory = 4 * 2 * MaxBody
	s, _ := serve(t, limits, yes)
	ended := make(chan error, 4)
	for range 4 {
		half := raw(t, s, "127.7.0.1", 2)
		if _, err := half.Write(appendHead(nil, MaxBody)); err != nil {
			t.Fatal(err)
		}
		go func() {
			_, err := half.Read(make([]byte, 1))
			ended <- err
		}()
	}
	until(func() bool { return s.memory.Taken() == 4 })
	if err := asked(raw(t, s, "127.7.0.2", 3)); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("half a question is answered")
	}
}

// Whoever wants a server gets it over TCP; where nobody is there, or is there and says nothing, over QUIC.
func TestWhichWay(t *testing.T) {
	for name, change := range map[string]func(*Server) net.Listener{
		"TCP is there": func(*Server) net.Listener { return nil },
		"nobody is there": func(s *Server) net.Listener {
			_ = s.listener.Close()
			return nil
		},
		"who is there says nothing": func(s *Server) net.Listener {
			_ = s.listener.Close()
			l, err := net.Listen("tcp", s.Address().String())
			if err != nil {
				t.Fatal(err)
			}
			return l
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, public := serve(t, DefaultLimits(), yes)
			if l := change(s); l != nil {
				defer l.Close()
			}
			own, _ := keyOf(2)
			c, err := Dial(t.Context(), s.Address().String(), own, public, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, over := c.(*overTCP); over != (name == "TCP is there") {
				t.Errorf("%T", c)
			}
			if answer, err := c.Ask(t.Context(), nil); err != nil || string(answer.Bytes) != "yes" {
				t.Error(answer, err)
			}
		})
	}
}

// A greeting is asked on each connection before anything else, and a connection whose greeting fails is none.
func TestGreeting(t *testing.T) {
	var asking sync.WaitGroup
	asking.Add(4)
	var unknown atomic.Int32
	s, public := serve(t, DefaultLimits(), func(_ context.Context, from *Peer, body []byte) *Answer {
		if string(body) == "hello" {
			from.Note.Store(true)
		} else {
			asking.Done()
			asking.Wait() // all four are under way at once, each on its own connection
		}
		if from.Note.Load() == nil {
			unknown.Add(1)
		}
		return &Answer{Parts: [][]byte{[]byte("yes")}}
	})
	hello := func(ctx context.Context, c Conn) error {
		_, err := c.Ask(ctx, []byte("hello"))
		return err
	}
	own, _ := keyOf(2)
	c, err := DialTCP(t.Context(), s.Address().String(), own, public, hello)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := c.Ask(t.Context(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := unknown.Load(); n != 0 || s.Connections() != 4 {
		t.Errorf("%d of %d connections are not greeted", n, s.Connections())
	}
	refused := errors.New("refused")
	for way, dial := range ways {
		t.Run(way, func(t *testing.T) {
			if _, err := dial(t.Context(), s.Address().String(), own, public, func(context.Context, Conn) error { return refused }); !errors.Is(err, refused) {
				t.Error(err)
			}
		})
	}
}

// Where a server takes no more connections, a client waits for those it has.
func TestFewConnections(t *testing.T) {
	limits := DefaultLimits()
	limits.PerAddress = 2
	s, public := serve(t, limits, yes)
	c := dial(t, "TCP", s, 2, public)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if _, err := c.Ask(t.Context(), make([]byte, MaxBody)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := s.Connections(); n > 2 || !c.Alive() {
		t.Errorf("%d connections", n)
	}
}

// A question that is given up ends, whatever the server does, and the next one is answered.
func TestGivenUpOverTCP(t *testing.T) {
	came := make(chan struct{})
	s, public := serve(t, DefaultLimits(), func(ctx context.Context, _ *Peer, body []byte) *Answer {
		if string(body) == "wait" {
			close(came)
			<-ctx.Done() // which is the server's end
			return nil
		}
		return &Answer{Parts: [][]byte{[]byte("yes")}}
	})
	c := dial(t, "TCP", s, 2, public)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-came
		cancel()
	}()
	if _, err := c.Ask(ctx, []byte("wait")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := c.Ask(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// A client goes on with a server that was started anew, and knows when there is none.
func TestStartedAnewOverTCP(t *testing.T) {
	s, public := serve(t, DefaultLimits(), yes)
	c := dial(t, "TCP", s, 2, public)
	if _, err := c.Ask(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	at := s.Address().String()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the connection that was there, and one that cannot be made
		if _, err := c.Ask(t.Context(), nil); err == nil {
			t.Fatal("nobody answers")
		}
	}
	if c.Alive() {
		t.Error("it is alive")
	}
	socket, listener, err := Listen(at)
	if err != nil {
		t.Fatal(err)
	}
	own, _ := keyOf(1)
	again, err := Serve(socket, listener, own, DefaultLimits(), yes)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := c.Ask(t.Context(), nil); err != nil || !c.Alive() {
		t.Error(err)
	}
}
