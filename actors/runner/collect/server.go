package collect

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/net/door"
)

const (
	// Most bounds the questions that are answered at a time.
	Most     = 32
	headSize = account.AddressSize + sig.SignatureSize
	mostBody = headSize + verify.MaxOutputBytes

	headWithin  = 5 * time.Second
	wholeWithin = 15 * time.Second
	idleFor     = time.Minute
	headBytes   = 8 << 10
)

// Connections bound those of whoever comes to the port.
var Connections = door.ConnectionLimits{Most: 256, Each: 16}

// Dispatcher decides what is made of a reveal.
type Dispatcher interface {
	Offer(ctx context.Context, id digest.Hash, reveal *verify.Reveal, cost unit.Amount) (says runner.Reply, why string)
}

// Prices says what the posting of a reveal of so many bytes costs at most.
type Prices interface {
	Price(ctx context.Context, bytes int) (unit.Amount, error)
}

// NewServer gives the server of an aggregator. Its connections are Connections.Bounded.
func NewServer(d Dispatcher, p Prices) *http.Server {
	s := &server{dispatcher: d, prices: p, places: make(chan struct{}, Most)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /reveals/{job}", s.reveal)
	return &http.Server{ // HTTP/1.1, in which a connection has one question at a time
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
		Handler:      mux, ReadHeaderTimeout: headWithin, ReadTimeout: wholeWithin, WriteTimeout: 2 * wholeWithin, IdleTimeout: idleFor,
		MaxHeaderBytes: headBytes,
	}
}

type server struct {
	dispatcher Dispatcher
	prices     Prices
	places     chan struct{}
}

// reveal takes one reveal.
func (s *server) reveal(w http.ResponseWriter, r *http.Request) {
	id, err := digest.ParseHash(r.PathValue("job"))
	if err != nil || r.ContentLength < headSize || r.ContentLength > mostBody {
		http.Error(w, "a job's identity, and a body of runner, proof and output", http.StatusBadRequest)
		return
	}
	body := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, body); err != nil {
		http.Error(w, "not all of the body came", http.StatusBadRequest)
		return
	}
	select { // only now: whoever sends slowly takes no place
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	default:
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	cost, err := s.prices.Price(r.Context(), len(body)-headSize)
	if err != nil {
		http.Error(w, "no node says what it costs", http.StatusServiceUnavailable)
		return
	}
	says, why := s.dispatcher.Offer(r.Context(), id, decode(body), cost)
	switch says {
	case runner.Promised:
		w.WriteHeader(http.StatusAccepted)
	case runner.Early:
		http.Error(w, why, http.StatusTooEarly)
	default:
		http.Error(w, why, http.StatusForbidden)
	}
}

// encode is the body of a reveal: runner(20) ‖ proof(65) ‖ output.
func encode(r *verify.Reveal) []byte {
	return append(append(append(make([]byte, 0, headSize+len(r.Output)), r.Runner[:]...), r.Proof[:]...), r.Output...)
}

// decode reads a body of headSize bytes at least.
func decode(body []byte) *verify.Reveal {
	r := &verify.Reveal{Output: body[headSize:]}
	copy(r.Runner[:], body)
	copy(r.Proof[:], body[account.AddressSize:])
	r.Salt = verify.Salt(r.Proof)
	return r
}
