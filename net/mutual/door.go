package mutual

import (
	"context"
	"crypto/ed25519"
	"net"
	"net/netip"
	"sync"

	"github.com/quic-go/quic-go"
)

// door takes connections in, so many in all and of one address, and has each served.
type door struct {
	limits   Limits
	serve    func(ctx context.Context, conn *quic.Conn, from Origin)
	listener *quic.Listener
	carrier  *quic.Transport
	serving  sync.WaitGroup
	cancel   context.CancelFunc

	mu    sync.Mutex
	open  int
	perIP map[netip.Addr]int
}

// Origin is where a connection comes from, and the key that its other side proves.
type Origin struct {
	Address netip.Addr
	Key     Key
}

// listen has connections of a protocol served on a socket, which is the door's from now on.
func (s *door) listen(socket net.PacketConn, own ed25519.PrivateKey, protocol string, config *quic.Config) error {
	secured, err := secure(own, protocol, nil)
	if err != nil {
		return err
	}
	s.perIP = map[netip.Addr]int{}
	s.carrier = &quic.Transport{Conn: socket, VerifySourceAddress: func(net.Addr) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.open >= s.limits.Connections/2
	}}
	if s.listener, err = s.carrier.Listen(secured, config); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	s.serving.Add(1)
	go s.accept(ctx)
	return nil
}

// Address is where the server listens.
func (s *door) Address() net.Addr { return s.listener.Addr() }

// Connections is how many there are.
func (s *door) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// Close ends all connections and waits until nobody is served.
func (s *door) Close() error {
	s.cancel()
	err := s.listener.Close()
	if failed := s.carrier.Close(); err == nil {
		err = failed
	}
	s.serving.Wait()
	if failed := s.carrier.Conn.Close(); err == nil {
		err = failed
	}
	return err
}

func (s *door) accept(ctx context.Context) {
	defer s.serving.Done()
	for {
		conn, err := s.listener.Accept(ctx)
		if err != nil {
			return
		}
		from, ok := s.enter(conn)
		if !ok {
			_ = conn.CloseWithError(1, "too many connections")
			continue
		}
		s.serving.Add(1)
		go func() {
			defer s.serving.Done()
			defer s.leave(from.Address)
			s.serve(ctx, conn, from)
		}()
	}
}

// enter takes a connection in, if there is room.
func (s *door) enter(conn *quic.Conn) (Origin, bool) {
	key, err := proven(conn.ConnectionState().TLS)
	at, parsed := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || parsed != nil {
		return Origin{}, false
	}
	from := Origin{Address: at.Addr().Unmap(), Key: key}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.limits.Connections || s.perIP[from.Address] >= s.limits.PerAddress {
		return Origin{}, false
	}
	s.open++
	s.perIP[from.Address]++
	return from, true
}

func (s *door) leave(a netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.perIP[a]--; s.perIP[a] == 0 {
		delete(s.perIP, a)
	}
}
