package rpc

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// Limits bound what clients may ask for. Spec: node-rpc-cli §1.
type Limits struct {
	RequestsPerSecond int           // all clients together; 0 = no limit
	FaucetPerMinute   int           // 0 = no limit
	Body              int64         // bytes
	SubmitBody        int64         // bytes
	SubmitCount       int           // transactions in one submission
	Streams           int           // open event streams
	StreamLag         uint64        // blocks a client that follows may fall behind; 0 = as many as a cursor
	StreamWrite       time.Duration // a client may take for what was written of one block, of a WebSocket one message; 0 = for ever
	WaitMax           time.Duration // longest submit_wait
}

// DefaultLimits are the published ones.
func DefaultLimits() Limits {
	return Limits{
		RequestsPerSecond: 100, FaucetPerMinute: 5, Body: 1 << 20, SubmitBody: 512 << 10, SubmitCount: 50,
		Streams: 1_000, StreamLag: 1_024, StreamWrite: 30 * time.Second, WaitMax: 10 * time.Second,
	}
}

// Config is what a server is made of.
type Config struct {
	Backend Backend
	Limits  Limits
	Faucet  bool // whether POST /faucet exists on this network
	Now     func() time.Time
	Extra   map[string]http.Handler // further routes, such as GET /metrics
}

// NewHandler gives the HTTP interface over a backend.
func NewHandler(cfg Config) http.Handler {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &server{
		Config:  cfg,
		all:     newBucket(cfg.Limits.RequestsPerSecond, time.Second, cfg.Now),
		faucet:  newBucket(cfg.Limits.FaucetPerMinute, time.Minute, cfg.Now),
		streams: make(chan struct{}, max(cfg.Limits.Streams, 1)),
	}
	mux := http.NewServeMux()
	s.routes(mux)
	for pattern, handler := range cfg.Extra {
		mux.Handle(pattern, handler)
	}
	return s.guard(mux)
}

type server struct {
	Config
	all     *bucket
	faucet  *bucket
	streams chan struct{}
	feed    feed
}

// guard applies what holds for every request: rate, body size, local cross-origin access, a recovered panic.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				s.fail(w, refuse(http.StatusInternalServerError, 1900, ""))
			}
		}()
		if origin := r.Header.Get("Origin"); origin != "" && localOrigin(origin) {
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Vary", "Origin")
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS")
			h.Set("Access-Control-Allow-Headers", "Content-Type, Last-Event-ID")
		}
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if !s.all.take() {
			w.Header().Set("Retry-After", "1")
			s.fail(w, refuse(http.StatusTooManyRequests, 4029, ""))
			return
		}
		limit := s.Limits.Body
		if strings.HasPrefix(r.URL.Path, "/submit") {
			limit = s.Limits.SubmitBody
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		next.ServeHTTP(w, r)
	})
}

// localOrigin admits pages served from this machine or a private network address.
func localOrigin(origin string) bool {
	_, host, found := strings.Cut(origin, "://")
	if !found {
		return false
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && (ip.IsLoopback() || ip.IsPrivate())
}

func refuse(status, code int, why string) *Refusal {
	return &Refusal{status, wire.NewError(code, why)}
}

func badRequest(why string) *Refusal { return refuse(http.StatusBadRequest, 4000, why) }

func (s *server) fail(w http.ResponseWriter, err error) {
	var tooLarge *http.MaxBytesError
	var refusal *Refusal
	switch {
	case errors.As(err, &tooLarge):
		refusal = refuse(http.StatusRequestEntityTooLarge, 4013, "")
	case !errors.As(err, &refusal):
		refusal = refuse(http.StatusInternalServerError, 1900, "")
	}
	writeJSON(w, refusal.Status, refusal.Body)
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value)
}

// answer writes what a read gave, or its refusal.
func (s *server) answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		s.fail(w, err)
		return
	}
	writeJSON(w, http.StatusOK, value)
}
