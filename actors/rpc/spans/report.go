package spans

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// report makes the spans of a final block and its receipts.
func (r *Recorder) report(f final) {
	proposed := time.UnixMilli(int64(f.Block.Header.TimestampMs))
	if proposed.After(f.at) {
		proposed = f.at // the clock of a development network may be ahead
	}
	ctx, span := r.tracer.Start(about(context.Background(), f.Hash), "block", trace.WithNewRoot(), trace.WithTimestamp(proposed), trace.WithAttributes(
		attribute.Int64("cowboy.height", int64(f.Height())), attribute.Int("cowboy.transactions", len(f.Block.Txs)),
		attribute.Int64("cowboy.cycles", int64(f.Block.Header.CyclesUsed)), attribute.String("cowboy.block", f.Hash.String()),
	))
	if built, ok := r.proposal(f.Hash); ok {
		r.part(ctx, "proposal", built.began, built.end)
	}
	for _, x := range f.Receipts {
		arrived, turns := r.known(x)
		switch x.Kind {
		case block.Transaction:
			r.transaction(x, f, proposed, arrived, turns)
		case block.Timer:
			r.executed(ctx, turns)
		case block.Message, block.Deferred: // in the trace of what set them in motion
			r.executed(trace.ContextWithRemoteSpanContext(context.Background(), root(x.Cause)), turns)
		}
	}
	span.End(trace.WithTimestamp(f.at))
}

// proposal takes when this node put a block together; ok is false if another did.
func (r *Recorder) proposal(hash digest.Hash) (built interval, ok bool) {
	return r.built.Take(hash)
}

// known takes what was noted of a receipt's execution.
func (r *Recorder) known(x *block.Receipt) (arrived time.Time, turns []turn) {
	arrived, _ = r.arrived.Take(x.ID)
	turns, _ = r.turns.Take(x.ID)
	return arrived, turns
}

// transaction makes a transaction's trace.
func (r *Recorder) transaction(x *block.Receipt, f final, proposed, arrived time.Time, turns []turn) {
	began := proposed
	if !arrived.IsZero() && arrived.Before(proposed) {
		began = arrived
	}
	ctx, span := r.tracer.Start(about(context.Background(), x.ID), "transaction", trace.WithNewRoot(), trace.WithTimestamp(began),
		trace.WithLinks(trace.Link{SpanContext: root(f.Hash)}), trace.WithAttributes(
			attribute.Int64("cowboy.height", int64(f.Height())), attribute.String("cowboy.transaction", x.ID.String()),
			attribute.String("cowboy.sender", x.Sender.String()), attribute.String("cowboy.target", x.Target.String()),
			attribute.Int64("cowboy.cycles", int64(x.CyclesUsed)), attribute.Int64("cowboy.cells", int64(x.CellsUsed)),
		))
	if began.Before(proposed) {
		r.part(ctx, "lane", began, proposed)
	}
	r.executed(ctx, turns)
	r.part(ctx, "final", proposed, f.at)
	if x.Status != block.Success {
		span.SetStatus(codes.Error, x.Fault.Text)
	}
	span.End(trace.WithTimestamp(f.at))
}

func (r *Recorder) part(ctx context.Context, name string, began, end time.Time) {
	_, span := r.tracer.Start(ctx, name, trace.WithTimestamp(began))
	span.End(trace.WithTimestamp(end))
}

// executed makes the spans of turns.
func (r *Recorder) executed(ctx context.Context, turns []turn) {
	for _, t := range turns {
		_, span := r.tracer.Start(ctx, "turn "+t.kind.String(), trace.WithTimestamp(t.began), trace.WithAttributes(
			attribute.Int64("cowboy.height", int64(t.height)), attribute.String("cowboy.actor", t.target.String()),
			attribute.String("cowboy.handler", t.handler), attribute.Int64("cowboy.cycles", int64(t.cycles)), attribute.Int64("cowboy.cells", int64(t.cells)),
		))
		if t.fault != "" {
			span.SetStatus(codes.Error, t.fault)
		}
		span.End(trace.WithTimestamp(t.end))
	}
}
