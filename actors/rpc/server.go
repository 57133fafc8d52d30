package rpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"golang.org/x/time/rate"
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
	Reads             int           // that are looked up at the same time; at least 1
	Each              ClientLimits  // what one client may ask for
	FeedBytes         int           // of blocks that are kept ready for streams; 0 = 16 MiB
}

// DefaultLimits are the published ones.
func DefaultLimits() Limits {
	return Limits{
		RequestsPerSecond: 100, FaucetPerMinute: 5, Body: 1 << 20, SubmitBody: 512 << 10, SubmitCount: 50,
		Streams: 1_000, StreamLag: 1_024, StreamWrite: 30 * time.Second, WaitMax: 10 * time.Second, Reads: max(runtime.NumCPU()/2, 1),
		Each: DefaultClientLimits(),
	}
}

// Config is what a server is made of.
type Config struct {
	Backend Backend
	Limits  Limits
	Faucet  bool // whether POST /faucet exists on this network
	Now     func() time.Time
	// Memory is what bodies and answers under way may take; nil: they are not counted.
	Memory *budget.Account
	Extra  map[string]http.Handler // further routes, such as GET /metrics
	// Sunset says that runners are not told their jobs here any more: validators push them.
	Sunset bool
}

// NewHandler gives the HTTP interface over a backend.
func NewHandler(cfg Config) http.Handler {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &server{
		Config:  cfg,
		clients: newClients(cfg.Limits.Each),
		all:     newLimiter(cfg.Limits.RequestsPerSecond, time.Second),
		faucet:  newLimiter(cfg.Limits.FaucetPerMinute, time.Minute),
		streams: make(chan struct{}, max(cfg.Limits.Streams, 1)),
		turns:   make(chan struct{}, max(cfg.Limits.Reads, 1)),
	}
	s.feed.limit, s.feed.turns = cfg.Limits.FeedBytes, s.turns
	mux := http.NewServeMux()
	s.routes(mux)
	for pattern, handler := range cfg.Extra {
		mux.Handle(pattern, handler)
	}
	return s.guard(mux)
}

type server struct {
	Config
	clients *clients
	all     *rate.Limiter
	faucet  *rate.Limiter
	streams chan struct{}
	turns   chan struct{} // one element for each read under way
	feed    feed
}

// newLimiter admits n requests in a period and as many at once; all of them when n is not positive.
func newLimiter(n int, period time.Duration) *rate.Limiter {
	if n <= 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(float64(n)/period.Seconds()), n)
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
		r = s.clients.forwarded(r)
		leave, why := s.clients.request(r, s.Now())
		if leave != nil {
			defer leave()
		}
		if why != "" || !s.all.AllowN(s.Now(), 1) {
			w.Header().Set("Retry-After", "1")
			s.fail(w, refuse(http.StatusTooManyRequests, 4029, why))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, s.bodyLimit(r))
		if follows(r) {
			next.ServeHTTP(w, r)
			return
		}
		defer s.counted(r)()
		out, ok := s.begin(w, r)
		if !ok {
			return
		}
		defer out.yield()
		next.ServeHTTP(out, r)
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
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err) // a value of our own that JSON has no form for
	}
	release, ok := hold(w, text.Cap())
	if !ok {
		w.Header().Set("Retry-After", "1")
		status, release = errCrowded.Status, func() {}
		text.Reset()
		text = bytes.Buffer{} // the large one goes
		_ = json.NewEncoder(&text).Encode(errCrowded.Body)
	}
	defer release()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes())
}

// answer writes what a read gave, or its refusal.
func (s *server) answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		s.fail(w, err)
		return
	}
	if plain, ok := value.(text); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write([]byte(plain)) // a client that is gone
		return
	}
	writeJSON(w, http.StatusOK, value)
}
