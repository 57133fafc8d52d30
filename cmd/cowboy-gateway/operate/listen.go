package operate

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// closeWithin is how long what is under way may take when the ports are closed.
const closeWithin = 5 * time.Second

// Bounds of a port over QUIC: what a connection may send unread, and how much more all together may.
const (
	streamWindow     = 64 << 10
	connectionWindow = 256 << 10
)

var strangers = door.Limits{Connections: 2_048, PerAddress: 512, HalfOpen: 512, Unread: 128 << 20}

// listeners are the open ports of a gateway.
type listeners struct {
	sockets   []net.Listener
	servers   []*http.Server // of the sockets
	packets   net.PacketConn // nil without HTTPS
	third     *http3.Server
	door      *door.Door // of packets, once it is served
	addresses []string
	forget    func() // ends renewals of certificates
}

// listen opens the ports, which are served later.
func (o *Options) listen(
	h http.Handler, serves func(ctx context.Context, host string) error, limits door.ConnectionLimits, logger zerolog.Logger,
) (*listeners, error) {
	l := &listeners{forget: func() {}}
	if err := o.open(l, h, serves, limits, logger); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

func (o *Options) open(
	l *listeners, h http.Handler, serves func(ctx context.Context, host string) error, limits door.ConnectionLimits, logger zerolog.Logger,
) error {
	quiet := log.New(logger, "", 0)
	if o.HTTPS != "" {
		socket, err := net.Listen("tcp", o.HTTPS)
		if err != nil {
			return err
		}
		at := socket.Addr().(*net.TCPAddr)
		config, forget, err := o.certificates(at, serves, func(what, host string, err error) { logger.Info().Str("host", host).Err(err).Msg(what) })
		if err != nil {
			return errors.Join(err, socket.Close())
		}
		l.forget = forget
		other := fmt.Sprintf(`h3=":%d"; ma=2592000`, at.Port)
		s := gateway.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Alt-Svc", other)
			h.ServeHTTP(w, r)
		}), config, quiet)
		l.add(limits.Bounded(socket), s, "https://"+at.String())
		if l.packets, err = net.ListenPacket("udp", at.String()); err != nil {
			return err
		}
		l.third = &http3.Server{
			Handler: h, TLSConfig: http3.ConfigureTLSConfig(config), MaxHeaderBytes: gateway.MaxHeaderBytes, IdleTimeout: gateway.IdleFor,
		}
	}
	if o.HTTP != "" {
		socket, err := net.Listen("tcp", o.HTTP)
		if err != nil {
			return err
		}
		l.add(limits.Bounded(socket), gateway.NewServer(h, nil, quiet), "http://"+socket.Addr().String())
	}
	return nil
}

func (l *listeners) add(socket net.Listener, s *http.Server, at string) {
	l.sockets, l.servers, l.addresses = append(l.sockets, socket), append(l.servers, s), append(l.addresses, at)
}

// serve has all ports served. failed is told of one that ends by itself.
func (l *listeners) serve(failed func(error)) {
	for i, s := range l.servers {
		run := s.Serve
		if s.TLSConfig != nil {
			run = func(socket net.Listener) error { return s.ServeTLS(socket, "", "") }
		}
		go func() {
			if err := run(l.sockets[i]); !errors.Is(err, http.ErrServerClosed) {
				failed(err)
			}
		}()
	}
	if l.packets == nil {
		return
	}
	config := &quic.Config{
		MaxIncomingStreams: gateway.MaxStreams, MaxIdleTimeout: gateway.IdleFor,
		InitialStreamReceiveWindow: streamWindow, MaxStreamReceiveWindow: 16 * streamWindow,
		InitialConnectionReceiveWindow: connectionWindow, MaxConnectionReceiveWindow: 16 * connectionWindow,
	}
	d, err := door.Open(l.packets, l.third.TLSConfig, config, strangers, func(_ context.Context, conn *quic.Conn, _ netip.Addr) {
		_ = l.third.ServeQUICConn(conn) // however it ends, its client knows
	})
	if err != nil {
		failed(err)
		return
	}
	l.door = d
}

// close lets what is under way end for five seconds.
func (l *listeners) close() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	l.forget()
	switch {
	case l.door != nil:
		err = l.door.Close()
	case l.packets != nil:
		err = l.packets.Close()
	}
	for i, s := range l.servers {
		if s.Shutdown(ctx) != nil {
			err = errors.Join(err, s.Close())
		}
		if closed := l.sockets[i].Close(); !errors.Is(closed, net.ErrClosed) {
			err = errors.Join(err, closed)
		}
	}
	return err
}
