package rpc

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
)

// What clients can make a node hold and do is bounded beside the number of their connections:
//
//   - The bodies of requests and the answers that were not taken yet are bytes of an account. A request without room is refused, an answer without room is
//     replaced by a refusal.
//   - Reads take turns: so many are looked up and written down at the same time, so that whatever is asked for, the processor is left to the chain. A turn ends
//     with the first byte of the answer; a slow client holds none.
//   - An answer is taken within Limits.StreamWrite.

// bodyDecoded is how many bytes of the heap a byte of a request's body takes: itself while it grows, decoded, and split.
const bodyDecoded = 4

// share is the writer of a request that takes part in these bounds.
type share struct {
	http.ResponseWriter
	account *budget.Account
	within  time.Duration
	turns   chan struct{} // nil once the turn is over, or for a request that takes none
}

// begin waits for a turn if the request is a read; ok is false when its client is gone first.
func (s *server) begin(w http.ResponseWriter, r *http.Request) (*share, bool) {
	out := &share{ResponseWriter: w, account: s.Memory, within: s.Limits.StreamWrite}
	if r.Method != http.MethodGet && r.Method != http.MethodHead || executes(r) {
		return out, true
	}
	select {
	case s.turns <- struct{}{}:
		out.turns = s.turns
		return out, true
	case <-r.Context().Done():
		return out, false
	}
}

// follows reports whether a request is for a stream, which has bounds of its own.
func follows(r *http.Request) bool { return r.URL.Path == "/stream" || r.URL.Path == "/ws" }

// yield ends the turn.
func (s *share) yield() {
	if s.turns != nil {
		<-s.turns
		s.turns = nil
	}
}

// Write implements http.ResponseWriter.
func (s *share) Write(b []byte) (int, error) {
	s.yield()
	if s.within > 0 {
		_ = http.NewResponseController(s.ResponseWriter).SetWriteDeadline(time.Now().Add(s.within)) // not every writer has deadlines
	}
	return s.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController find the writer below.
func (s *share) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// hold takes the bytes of an answer and gives back how to let them go; ok is false where there is no room.
func hold(w http.ResponseWriter, bytes int) (release func(), ok bool) {
	s, shared := w.(*share)
	if !shared || s.account == nil {
		return func() {}, true
	}
	if !s.account.Take(int64(bytes)) {
		return nil, false
	}
	return func() { s.account.Give(int64(bytes)) }, true
}

// body is a request's body whose bytes are counted as they come, until the request is over.
type body struct {
	io.ReadCloser
	account *budget.Account
	taken   int64
}

// errCrowded refuses a body for which there is no room.
var errCrowded = refuse(http.StatusServiceUnavailable, 4029, "this node holds as many requests as it may; send it again")

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if !b.account.Take(int64(n) * bodyDecoded) {
		return 0, errCrowded
	}
	b.taken += int64(n) * bodyDecoded
	return n, err
}

// counted counts a request's body. The request is over when done is called.
func (s *server) counted(r *http.Request) (done func()) {
	if s.Memory == nil || r.Body == nil || r.Body == http.NoBody {
		return func() {}
	}
	b := &body{ReadCloser: r.Body, account: s.Memory}
	r.Body = b
	return func() { b.account.Give(b.taken) }
}

// bodyLimit is how long the body of a request may be.
func (s *server) bodyLimit(r *http.Request) int64 {
	if strings.HasPrefix(r.URL.Path, "/submit") {
		return s.Limits.SubmitBody
	}
	return s.Limits.Body
}
