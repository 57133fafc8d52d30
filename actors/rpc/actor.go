package rpc

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// shutdownWithin is how long open requests may take when the subsystem stops; event streams end at once, with a farewell.
const shutdownWithin = 2 * time.Second

// connectionStreams bounds the requests of one connection that are under way at the same time, in HTTP/2.
const connectionStreams = 64

// Service is the supervised HTTP server. Address is bound at every start; a first listener that is open already may be
// handed over, so that a taken port is reported before the tree starts.
type Service struct {
	Address string
	Handler http.Handler
	Inbox   *supervision.Inbox
	First   net.Listener
	Limits  door.ConnectionLimits
	TLS     *Certificate // nil: what is sent is not encrypted

	listener net.Listener
	server   *http.Server
	requests *requests // of server
	cancel   context.CancelFunc
}

// Receive is the subsystem's one switch.
func (s *Service) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping:
		s.stop()
	case *actor.Restarting:
		s.drop()
	case serveFailed:
		s.failed(command)
	}
}

func (s *Service) start() {
	listener := s.First
	s.First = nil
	if listener == nil {
		var err error
		if listener, err = Listen(s.Address); err != nil {
			panic(err)
		}
	}
	base, cancel := context.WithCancel(context.Background())
	requests := &requests{}
	server := &http.Server{
		Handler:           requests.counted(s.Handler),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       20 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnContext:       noted,
	}
	listener = s.Limits.Bounded(listener)
	s.listener, s.server, s.requests, s.cancel = listener, server, requests, cancel
	serve := server.Serve
	if s.TLS != nil {
		server.TLSConfig, server.ErrorLog = s.TLS.config(), log.New(io.Discard, "", 0) // strangers who fail to greet are no news
		server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: connectionStreams}
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	inbox := s.Inbox
	go func() {
		if err := serve(connections{listener}); !errors.Is(err, http.ErrServerClosed) {
			inbox.Send(serveFailed{server, err})
		}
	}()
}

func (s *Service) stop() {
	if s.server == nil {
		return
	}
	s.cancel()
	ctx, done := context.WithTimeout(context.Background(), shutdownWithin)
	defer done()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
	s.requests.wait(ctx)
	s.server = nil
}

// drop frees the address for the instance that replaces a failed one, which does not wait until the clients of the old one are cut off.
func (s *Service) drop() {
	if s.server == nil {
		return
	}
	_ = s.listener.Close()
	go func(server *http.Server, cancel context.CancelFunc) {
		cancel()
		_ = server.Close()
	}(s.server, s.cancel)
	s.server = nil
}

func (s *Service) failed(command serveFailed) {
	if command.server == any(s.server) {
		s.server = nil
		panic(command.err)
	}
}
