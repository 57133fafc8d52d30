package accounts

import (
	"bytes"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"net/netip"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// Bounds of connections and requests.
const (
	headerWithin = 5 * time.Second
	readWithin   = 15 * time.Second
	writeWithin  = 60 * time.Second // from the header's end on: the body, what is looked up, the answer
	idleFor      = 2 * time.Minute
	headerBytes  = 16 << 10

	perSecond  = 500 // requests of all sources
	eachSecond = 20  // of one
	eachAtOnce = 60
	sources    = 4_096 // whose pace is remembered
)

// Connections bound the connections of a listener.
var Connections = door.ConnectionLimits{Most: 256, Each: 16}

// Server answers the account API of a relay. Its fields are set before Handler is called; it is safe for many goroutines.
type Server struct {
	Node      digest.Hash  // node_id of the relay
	Network   cbfs.Network // without the time
	Directory *reach.Directory
	Chain     Node
	Now       func() time.Time
	Observe   func(call string, status int) // may be nil; must not wait

	book  *book
	right *lru.Cache[digest.Hash, struct{}] // certificates whose signatures are right
	all   *rate.Limiter
	each  *lru.Cache[netip.Addr, *rate.Limiter]
}

// call is a pattern of package http, and what answers it.
type call struct {
	pattern string
	status  int // of an answer that is no refusal
	run     func(r *http.Request, c *caller) (any, error)
}

// Handler gives the handler of the calls.
//
// Spec: storage-cbfs §3.4.
func (s *Server) Handler() http.Handler {
	s.book = newBook(s.Now)
	s.all = rate.NewLimiter(perSecond, perSecond)
	s.right, _ = lru.New[digest.Hash, struct{}](provenKept) // fails for no size alone
	s.each, _ = lru.New[netip.Addr, *rate.Limiter](sources)
	mux := http.NewServeMux()
	for _, c := range [...]call{
		{"GET /ras/auth/me", http.StatusOK, s.me},
		{"POST /ras/auth/revoke", http.StatusAccepted, s.revoke},
		{"GET /ras/accounts/balance", http.StatusOK, s.balance},
		{"GET /ras/volumes", http.StatusOK, s.volumes},
		{"POST /ras/volumes", http.StatusAccepted, s.create},
		{"GET /ras/volumes/{name}", http.StatusOK, s.volume},
		{"DELETE /ras/volumes/{name}", http.StatusAccepted, s.remove},
		{"PUT /ras/volumes/{name}/{handler}", http.StatusAccepted, s.put},
	} {
		s.handle(mux, c.pattern, c.status, func(w http.ResponseWriter, r *http.Request) (any, error) {
			by, err := s.authenticate(w, r)
			if err != nil {
				return nil, err
			}
			return c.run(r, by)
		})
	}
	s.handle(mux, "POST /ras/challenge", http.StatusOK, s.give)
	s.handle(mux, "/", http.StatusOK, func(http.ResponseWriter, *http.Request) (any, error) {
		return nil, refuse(http.StatusNotFound, codeNoCall, "the account API has no such path, or not with this method")
	})
	return s.guard(mux)
}

// handle has a pattern answered in JSON.
func (s *Server) handle(mux *http.ServeMux, pattern string, status int, run func(w http.ResponseWriter, r *http.Request) (any, error)) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		given, err := run(w, r)
		code := status
		if err != nil {
			var refusal *Refusal
			if !errors.As(err, &refusal) {
				refusal = refuse(http.StatusInternalServerError, codeFailed, "")
			}
			code, given = refusal.Status, refusal.Reply
		}
		if s.Observe != nil {
			s.Observe(pattern, code)
		}
		write(w, code, given)
	})
}

// guard applies what holds for every request: pages of other sites may ask, since nothing but the headers lets anybody in, and each source has its pace.
func (s *Server) guard(next http.Handler) http.Handler {
	named := strings.Join([]string{
		"Content-Type", "Cache-Control", HeaderDelegation, HeaderTimestamp, HeaderNonce, HeaderChallengeID, HeaderSignature,
	}, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Cache-Control", "no-store")
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
			h.Set("Access-Control-Allow-Headers", named)
			h.Set("Access-Control-Max-Age", "7200")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if !s.pace(sourceOf(r)) {
			write(w, errBusy.Status, errBusy.Reply)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// pace reports whether a source may have one more request now.
func (s *Server) pace(source netip.Addr) bool {
	l, found := s.each.Get(source)
	if !found {
		l = rate.NewLimiter(eachSecond, eachAtOnce)
		if before, there, _ := s.each.PeekOrAdd(source, l); there {
			l = before
		}
	}
	now := s.Now()
	return l.AllowN(now, 1) && s.all.AllowN(now, 1)
}

func write(w http.ResponseWriter, status int, value any) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err) // a value of our own that JSON has no form for
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	switch status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Cbfs")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes())
}

// NewServer gives the HTTP server of a handler, with the bounds of this package. quiet takes what connections of strangers do wrong.
func NewServer(h http.Handler, quiet *log.Logger) *http.Server {
	s := &http.Server{
		Handler: h, ReadHeaderTimeout: headerWithin, ReadTimeout: readWithin, WriteTimeout: writeWithin, IdleTimeout: idleFor,
		MaxHeaderBytes: headerBytes, ErrorLog: quiet, DisableGeneralOptionsHandler: true,
	}
	s.Protocols = new(http.Protocols)
	s.Protocols.SetHTTP1(true)
	return s
}
