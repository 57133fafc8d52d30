package spans

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// clock moves a second at every look.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(time.Second)
	return c.at
}

// scripted is a runner that fails the second turn.
type scripted struct{ turns int }

func (s *scripted) Run(t *drain.Turn) (drain.Outcome, error) {
	s.turns++
	out := drain.Outcome{Turn: t.Number}
	if s.turns == 2 {
		out.Fault = &block.Fault{Code: 1210, Text: "ValueError: no"}
	}
	if s.turns == 3 {
		return out, errors.New("the disk is gone")
	}
	return out, nil
}

// TestSpans follows a transaction with a message, a timer and a transfer nobody submitted here.
func TestSpans(t *testing.T) {
	exporter := tracetest.NewInMemoryExporter()
	c := &clock{at: time.Unix(1_000, 0)}
	r := newRecorder(sdk.NewSimpleSpanProcessor(kept{exporter}), 1, c.now)
	called, message, timer, moved := digest.Hash{1, 16: 9}, digest.Hash{2}, digest.Hash{3}, digest.Hash{4, 16: 7}
	r.Submitted(called) // 1001
	run := r.Runner(&scripted{})
	at := &drain.Block{Height: 5}
	for _, turn := range []*drain.Turn{
		{Number: 1, Kind: block.Transaction, ID: called, Block: at, Payload: drain.Payload{Handler: "go"}}, // 1002 to 1003
		{Number: 2, Kind: block.Message, ID: message, Block: at},                                           // 1004 to 1005
	} {
		if out, err := run.Run(turn); err != nil || out.Turn != turn.Number {
			t.Fatal(out, err)
		}
	}
	if _, err := run.Run(&drain.Turn{Kind: block.Timer, ID: timer, Block: at}); err == nil { // 1006
		t.Error("a failure is the runner's")
	}
	if _, err := run.Run(&drain.Turn{Kind: block.Timer, ID: timer, Block: at}); err != nil { // 1007 to 1008
		t.Error(err)
	}
	hash := digest.Hash{8, 16: 8}
	r.Proposed(hash, 300*time.Millisecond) // 1009
	r.Proposed(digest.Hash{99}, time.Hour) // 1010: of a block that does not become final
	r.Finalized(&ledger.Final{Hash: hash, Block: &block.Block{Header: block.Header{Height: 5, TimestampMs: 1_001_500}}, Receipts: []*block.Receipt{
		{Kind: block.Message, ID: message, Cause: called, Status: block.Faulted},
		{Kind: block.Transaction, ID: called, Cause: called},
		{Kind: block.Transaction, ID: moved, Status: block.Faulted, Fault: block.Fault{Text: "not an actor"}},
		{Kind: block.Timer, ID: timer},
		{Kind: block.System},
	}}) // 1011
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range exporter.GetSpans() {
		traced := map[digest.Hash]string{called: "called", moved: "moved", hash: "block"}
		name := "?"
		for h, n := range traced {
			if root(h).TraceID() == s.SpanContext.TraceID() {
				name = n
			}
		}
		line := name + ": " + s.Name + " " + s.StartTime.UTC().Format("4:05.0") + " " + s.EndTime.Sub(s.StartTime).String() + " " + s.Status.Description
		got = append(got, strings.TrimSpace(line))
	}
	slices.Sort(got)
	want := []string{
		"block: block 16:41.5 9.5s",
		"block: proposal 16:48.7 300ms",
		"block: turn timer 16:47.0 1s",
		"called: final 16:41.5 9.5s",
		"called: lane 16:41.0 500ms",
		"called: transaction 16:41.0 10s",
		"called: turn message 16:44.0 1s ValueError: no",
		"called: turn transaction 16:42.0 1s",
		"moved: final 16:41.5 9.5s",
		"moved: transaction 16:41.5 9.5s not an actor",
	}
	if !slices.Equal(got, want) {
		t.Errorf("spans\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// kept is an exporter whose spans survive its shutdown.
type kept struct{ *tracetest.InMemoryExporter }

func (kept) Shutdown(context.Context) error { return nil }

// TestBounds: the queue holds what it holds, and what is no endpoint is refused.
func TestBounds(t *testing.T) {
	for _, endpoint := range []string{"", "127.0.0.1:4318", "grpc://x:1", "http://"} {
		if _, err := Dial(endpoint, 1); err == nil {
			t.Errorf("%q is an endpoint", endpoint)
		}
	}
	r, err := Dial("http://127.0.0.1:1/v1/traces", 1) // nobody is there
	if err != nil {
		t.Fatal(err)
	}
	for range 3 * blocksMax {
		r.Finalized(&ledger.Final{Block: &block.Block{}})
	}
}
