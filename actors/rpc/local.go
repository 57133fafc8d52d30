package rpc

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// Local brings the requests of a client in this process to a handler, with no connection between them. It is an http.RoundTripper. What the handler writes
// waits until the client has read it.
type Local struct{ Handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (l Local) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	asked := r.Clone(ctx)
	asked.RequestURI = r.URL.RequestURI()
	if asked.Body == nil {
		asked.Body = http.NoBody
	}
	body, end := io.Pipe()
	w := &localWriter{header: http.Header{}, body: end, begun: make(chan struct{})}
	stop := context.AfterFunc(ctx, func() { end.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer stop()
		defer cancel()
		defer func() {
			p := recover() // as a server does with a handler that panics
			w.WriteHeader(http.StatusInternalServerError)
			if p != nil {
				end.CloseWithError(fmt.Errorf("the handler panicked: %v", p))
				return
			}
			_ = end.Close() // never fails
		}()
		l.Handler.ServeHTTP(w, asked)
		w.WriteHeader(http.StatusOK)
	}()
	select {
	case <-w.begun:
	case <-ctx.Done():
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		<-w.begun // the handler is done
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: &localBody{body, cancel}, ContentLength: -1, Request: r,
	}, nil
}

// localBody is what a client reads. Closing it ends the handler's context.
type localBody struct {
	*io.PipeReader
	cancel context.CancelFunc
}

// Close implements io.Closer.
func (b *localBody) Close() error {
	b.cancel()
	return b.PipeReader.Close()
}

// localWriter is what a handler writes to.
type localWriter struct {
	header, sent http.Header
	body         *io.PipeWriter
	status       int
	once         sync.Once
	begun        chan struct{} // closed when the status is known
}

// Header implements http.ResponseWriter.
func (w *localWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *localWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

// Write implements io.Writer.
func (w *localWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Flush implements http.Flusher: nothing is kept back.
func (w *localWriter) Flush() { w.WriteHeader(http.StatusOK) }

// Ask runs a handler of an actor on the state after the newest final block, which is least or a later one, for a client in this process. Errors: a *Refusal,
// or the context's.
//
// Spec: gateway-payments-streams §B (queries); sdk §6 (read-only execution).
func (n *Node) Ask(ctx context.Context, q host.Question, least uint64) (*block.Header, []byte, error) {
	header, a, err := n.ask(ctx, door.SourceAt(""), nil, least, q)
	if err != nil {
		return nil, nil, err
	}
	return header, a.Outcome.Return, nil
}

// ask runs a handler on the state after a block, nil for the newest final one. A fault of the handler's is a *Refusal.
func (n *Node) ask(ctx context.Context, client netip.Addr, at *uint64, least uint64, q host.Question) (*block.Header, query.Answer, error) {
	if n.Service == nil {
		return nil, query.Answer{}, errNoQueries
	}
	if height := n.Ledger.Finalized(); least > uint64(height) {
		return nil, query.Answer{}, notYet(height)
	}
	var header *block.Header
	open := func() (_ *block.Header, commit *state.Commit, err error) {
		header, commit, err = n.committed(at)
		return header, commit, err
	}
	a, err := n.Service.Ask(ctx, client, open, q)
	if err != nil {
		return nil, a, executed(err)
	}
	if a.Outcome.Fault != nil {
		return nil, a, n.queryFault(&a)
	}
	return header, a, nil
}
