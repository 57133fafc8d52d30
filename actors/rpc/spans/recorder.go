package spans

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

const (
	// tableMax bounds the transactions whose submission or turns are remembered until they are final.
	tableMax = 16_384
	// turnsMax bounds the turns remembered of one transaction or timer.
	turnsMax = 64
	// blocksMax is how many final blocks may wait to be reported.
	blocksMax = 64
	// flushWithin is how long the last spans may take to leave.
	flushWithin = 5 * time.Second
)

// Recorder makes spans of what a node does. Its methods may be called from any goroutine and never wait.
type Recorder struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	now      func() time.Time
	blocks   chan final
	done     chan struct{}

	mu      sync.Mutex // of closed, and of sending to blocks
	closed  bool
	arrived recent.Table[digest.Hash, time.Time]
	built   recent.Table[digest.Hash, interval] // blocks this node proposed
	turns   recent.Table[digest.Hash, []turn]
}

// interval is a stretch of time.
type interval struct{ began, end time.Time }

// final is a block and when it became so.
type final struct {
	*ledger.Final
	at time.Time
}

// Dial gives a Recorder that exports to a collector's OTLP/HTTP endpoint, such as http://127.0.0.1:4318. The error is about the endpoint's form; whether
// anybody listens there is not asked.
func Dial(endpoint string, chainID uint64) (*Recorder, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no OTLP/HTTP endpoint; one is like http://127.0.0.1:4318", endpoint)
	}
	options := []otlptracehttp.Option{otlptracehttp.WithEndpoint(u.Host)}
	if u.Scheme == "http" {
		options = append(options, otlptracehttp.WithInsecure())
	}
	if u.Path != "" && u.Path != "/" {
		options = append(options, otlptracehttp.WithURLPath(u.Path))
	}
	exporter, err := otlptracehttp.New(context.Background(), options...)
	if err != nil {
		return nil, err
	}
	return newRecorder(sdk.NewBatchSpanProcessor(exporter), chainID, time.Now), nil
}

func newRecorder(to sdk.SpanProcessor, chainID uint64, now func() time.Time) *Recorder {
	about := resource.NewSchemaless(attribute.String("service.name", "cowboyd"), attribute.Int64("cowboy.chain_id", int64(chainID)))
	r := &Recorder{
		provider: sdk.NewTracerProvider(sdk.WithSpanProcessor(to), sdk.WithIDGenerator(&identities{}), sdk.WithResource(about)), now: now,
		blocks: make(chan final, blocksMax), done: make(chan struct{}),
	}
	r.tracer = r.provider.Tracer("github.com/cowboyinc/cowboy-go")
	go r.work()
	return r
}

// Submitted notes that a transaction was taken here.
func (r *Recorder) Submitted(hash digest.Hash) {
	r.arrived.Put(hash, r.now(), tableMax)
}

// Proposed notes that this node put a block together, which took so long and has just ended.
func (r *Recorder) Proposed(block digest.Hash, took time.Duration) {
	end := r.now()
	r.built.Put(block, interval{end.Add(-took), end}, tableMax)
}

// Finalized notes a durable block.
func (r *Recorder) Finalized(f *ledger.Final) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	select {
	case r.blocks <- final{f, r.now()}:
	default: // the reporter is behind: this block goes unreported
	}
}

// Close reports what is waiting and ends the export; blocks that come later are not reported.
func (r *Recorder) Close() error {
	r.mu.Lock()
	again := r.closed
	r.closed = true
	r.mu.Unlock()
	if again {
		return nil
	}
	close(r.blocks)
	<-r.done
	ctx, cancel := context.WithTimeout(context.Background(), flushWithin)
	defer cancel()
	return r.provider.Shutdown(ctx)
}

func (r *Recorder) work() {
	defer close(r.done)
	for f := range r.blocks {
		r.report(f)
	}
}
