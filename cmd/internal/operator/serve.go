package operator

import (
	"errors"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cowboyinc/cowboy-go/net/door"
)

// pageLimits bound the connections to a page of metrics: a scraper has one or two.
var pageLimits = door.ConnectionLimits{Most: 256, Each: 16}

// Bounds of one connection.
const (
	headWithin  = 5 * time.Second
	pageWithin  = 15 * time.Second // a question, and its answer
	pageIdleFor = 2 * time.Minute
	headBytes   = 16 << 10
	pagesAtOnce = 4 // that are gathered
)

// Control serves the requests of whoever may open a socket in the data directory. What they wait for, such as the end of all jobs, takes as long as it takes.
func Control(at string, h http.Handler) (stop func(), err error) {
	if err := os.Remove(at); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", at)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(at, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return serve(l, &http.Server{Handler: h, ReadHeaderTimeout: headWithin, IdleTimeout: pageIdleFor, MaxHeaderBytes: headBytes}), nil
}

// Metrics serves /metrics of a registry at host:port, within bounds: strangers may reach it. "" serves nothing.
func Metrics(at string, of prometheus.Gatherer) (stop func(), err error) { return Pages(at, of, nil) }

// Pages is Metrics with a page at / beside it, pagesAtOnce of which are made at a time; nil for none.
func Pages(at string, of prometheus.Gatherer, root http.Handler) (stop func(), err error) {
	if at == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", at)
	if err != nil {
		return nil, err
	}
	return serve(pageLimits.Bounded(l), pages(of, root)), nil
}

// pages is the server of a page of metrics, and of another where there is one.
func pages(of prometheus.Gatherer, root http.Handler) *http.Server {
	mux := http.NewServeMux()
	if root != nil {
		places := make(chan struct{}, pagesAtOnce)
		mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
			select {
			case places <- struct{}{}:
				defer func() { <-places }()
				root.ServeHTTP(w, r)
			default:
				http.Error(w, "others ask at the moment", http.StatusServiceUnavailable)
			}
		})
	}
	mux.Handle("GET /metrics", promhttp.HandlerFor(of, promhttp.HandlerOpts{MaxRequestsInFlight: pagesAtOnce}))
	return &http.Server{
		Handler: mux, ReadHeaderTimeout: headWithin, ReadTimeout: pageWithin, WriteTimeout: pageWithin, IdleTimeout: pageIdleFor, MaxHeaderBytes: headBytes,
	}
}

func serve(l net.Listener, s *http.Server) (stop func()) {
	go func() { _ = s.Serve(l) }()
	return func() { _ = s.Close() }
}
