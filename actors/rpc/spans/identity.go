package spans

import (
	"context"
	"encoding/binary"
	"sync/atomic"

	"go.opentelemetry.io/otel/trace"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// identities gives a trace the identity its context carries, and spans numbers of their own.
type identities struct{ last atomic.Uint64 }

type identityKey struct{}

// about makes the next root span the trace of a hash.
func about(ctx context.Context, hash digest.Hash) context.Context {
	return context.WithValue(ctx, identityKey{}, hash)
}

// root is the first span of a hash's trace, which every node that reports it derives alike.
func root(hash digest.Hash) trace.SpanContext {
	var c trace.SpanContextConfig
	copy(c.TraceID[:], hash[:])
	copy(c.SpanID[:], hash[len(c.TraceID):])
	c.SpanID[0] |= 1 // never zero
	c.TraceFlags = trace.FlagsSampled
	return trace.NewSpanContext(c)
}

// NewIDs implements trace.IDGenerator.
func (g *identities) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	hash, _ := ctx.Value(identityKey{}).(digest.Hash)
	c := root(hash)
	return c.TraceID(), c.SpanID()
}

// NewSpanID implements trace.IDGenerator. Numbers of one trace start at another place in every trace, and are never zero.
func (g *identities) NewSpanID(_ context.Context, id trace.TraceID) (span trace.SpanID) {
	n := g.last.Add(1) ^ binary.BigEndian.Uint64(id[:8])
	if n == 0 {
		n = 1
	}
	binary.BigEndian.PutUint64(span[:], n)
	return span
}
