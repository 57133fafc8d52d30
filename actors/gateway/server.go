package gateway

import (
	"crypto/tls"
	"log"
	"net/http"
	"time"
)

// Times of a connection. A header has ten seconds, a whole request thirty, an answer as long as a client may wait and half a minute on top.
//
// Spec: gateway-payments-streams §B (idle 600 s).
const (
	headerWithin = 10 * time.Second
	readWithin   = 30 * time.Second
	writeWithin  = maxWait + 30*time.Second

	IdleFor    = 600 * time.Second
	MaxStreams = 100      // of a connection at a time
	maxFrame   = 16 << 10 // of HTTP/2: the least there is, since a connection keeps room for one
)

// NewServer gives the server of a handler, with the bounds of a gateway: HTTP/1.1, and HTTP/2 where config is not nil.
func NewServer(h http.Handler, config *tls.Config, quiet *log.Logger) *http.Server {
	s := &http.Server{
		Handler: h, TLSConfig: config, ReadHeaderTimeout: headerWithin, ReadTimeout: readWithin, WriteTimeout: writeWithin, IdleTimeout: IdleFor,
		MaxHeaderBytes: MaxHeaderBytes, ErrorLog: quiet, DisableGeneralOptionsHandler: true,
	}
	s.Protocols = new(http.Protocols)
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetHTTP2(config != nil)
	s.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: MaxStreams, MaxReadFrameSize: maxFrame}
	return s
}
