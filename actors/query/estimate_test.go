package query

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// costly is an actor whose handlers are hard to estimate.
const costly = `from pvm_host import *

def init(p):
    set_state("n", b"0")

def loop(p):
    while True: pass

def charge(p):
    charge_gas(int(p))

def late(p):
    for i in range(2000): pass
    set_state("late", b"x" * int(p))

def many(p):
    for i in range(int(p)):
        set_state("k%d" % i, b"x" * 100)

def deep(p):
    n = int(p)
    if n > 0:
        call(get_actor_address(), "deep", [str(n - 1).encode()])
    set_state("d%d" % n, b"x")

def ping(p):
    send_message(get_actor_address(), {"handler": "ping", "payload": 1})

def told(p):
    charge_gas(p["payload"])

def fan(p):
    for i in range(100):
        send_message(get_actor_address(), {"handler": "told", "payload": 1000})

def two(p):
    send_message(get_actor_address(), {"handler": "told", "payload": 1000})
    send_message(get_actor_address(), {"handler": "told", "payload": 3000})

def timer(p):
    set_timer(get_block_height() + 5, "charge", b"10")

def later(p):
    create_deferred_tx("charge", b"500")

def grow(p):
    big = b"x" * 1_000_000
    keep = [big + bytes([i % 256]) for i in range(100)]

def fail(p):
    set_state("dirt", b"x" * 1000)
    raise ValueError("no")
`

// estimating is a stage whose actor is costly.
func estimating(t testing.TB) *stage {
	s := newStage(t, DefaultLimits())
	s.actor = s.alice.Deploy(costly, []byte{})
	s.alice.Fund(s.actor, 10*unit.CBY)
	return s
}

func (s *stage) call(handler, payload string) *tx.Tx {
	in := &tx.Execute{To: s.actor, Handler: []byte(handler), Payload: []byte(payload)}
	return &tx.Tx{ChainID: testkit.ChainID, Nonce: s.Record(s.alice.Address()).Nonce, Instruction: in, From: s.alice.Address()}
}

func (s *stage) assess(t *tx.Tx) (Assessed, error) {
	tip, _ := s.Tip()
	return s.service.Assess(context.Background(), here, tip, t, time.UnixMilli(int64(tip.Header.TimestampMs)+1_000))
}

// The limits an estimate names let the transaction run with all that it leads to, in handlers that charge, call themselves, write last of all and send; with
// what was used less the margin it does not. Nothing of it changes the chain.
//
// Spec: WP §17.10.
func TestEstimatesOfHardHandlers(t *testing.T) {
	for _, c := range []struct {
		handler, payload string
		follows          int
		timers           uint32
	}{
		{"charge", "1", 0, 0}, {"charge", "900000", 0, 0}, {"late", "1", 0, 0}, {"late", "60000", 0, 0}, {"many", "200", 0, 0}, {"deep", "0", 0, 0},
		{"deep", "20", 0, 0}, {"two", "", 2, 0}, {"later", "", 1, 0}, {"timer", "", 0, 1},
	} {
		t.Run(c.handler+" "+c.payload, func(t *testing.T) {
			s := estimating(t)
			before := s.Digest()
			e, err := s.assess(s.call(c.handler, c.payload))
			if err != nil || e.Refused != nil || e.Receipt.Status != block.Success || len(e.Follows) != c.follows || e.Timers != c.timers || e.More {
				t.Fatalf("%v, %+v", err, e.Estimate)
			}
			if s.Digest() != before {
				t.Fatal("an estimate changed the chain")
			}
			fits := e.Limits(s.call(c.handler, c.payload))
			in := s.call(c.handler, c.payload).Instruction
			short := s.Snapshot()
			if r := s.alice.Do(in, e.Receipt.CyclesUsed-1, fits.Cells); r.Status == block.Success {
				t.Error("a cycle less than it used is enough")
			}
			s.Revert(short)
			r := s.alice.Do(in, fits.Cycles, fits.Cells)
			if r.Status != block.Success || r.CyclesUsed != e.Receipt.CyclesUsed || r.CellsUsed != e.Receipt.CellsUsed {
				t.Fatalf("%s, estimated %s", testkit.Describe(r), testkit.Describe(e.Receipt))
			}
			used, ran := e.Use, 0
			for range 3 {
				for _, x := range s.Mine().Receipts {
					if x.Kind != block.Timer {
						used.Cycles, used.Cells, ran = used.Cycles-x.CyclesUsed, used.Cells-x.CellsUsed, ran+1
					}
					if x.Status != block.Success {
						t.Errorf("what follows: %s", testkit.Describe(x))
					}
				}
			}
			if ran != c.follows || used.Cycles != 0 || used.Cells != 0 {
				t.Errorf("%d followed, and %+v of their estimate is left", ran, used)
			}
		})
	}
}

// What never ends, or ends badly, is estimated as that: with the code it would have, within the cycles of an estimate, 64 deliveries and 32 blocks.
//
// Spec: WP §17.10.
func TestEstimatesEnd(t *testing.T) {
	s := estimating(t)
	for handler, code := range map[string]uint16{"loop": drain.FaultCycles, "fail": drain.FaultException, "grow": 0, "none": 0} {
		t.Run(handler, func(t *testing.T) {
			e, err := s.assess(s.call(handler, ""))
			if err != nil || e.Receipt == nil || e.Receipt.Status != block.Faulted || code != 0 && e.Receipt.Fault.Code != code {
				t.Fatalf("%v, %+v", err, e.Estimate)
			}
			if e.Receipt.CyclesUsed > transition.EstimateCycles || handler == "loop" && e.Receipt.CyclesUsed != transition.EstimateCycles {
				t.Errorf("%d cycles", e.Receipt.CyclesUsed)
			}
			if handler != "none" && e.Failure == nil {
				t.Error("nobody says where")
			}
		})
	}
	for handler, most := range map[string]int{"ping": transition.EstimateBlocks, "fan": transition.EstimateFollows} {
		t.Run(handler, func(t *testing.T) {
			e, err := s.assess(s.call(handler, ""))
			if err != nil || !e.More || len(e.Follows) != most {
				t.Fatalf("%v, %d follow, more %v", err, len(e.Follows), e.More)
			}
			if fits := e.Limits(s.call(handler, "")); fits.Cycles < transition.EstimateCycles {
				t.Errorf("limits of %d cycles, though more follows than was tried", fits.Cycles)
			}
		})
	}
}

// A transaction that no block could hold is refused with its class, and nothing is executed for it.
//
// Spec: WP §2.2, §17.10; node-rpc-cli §2.2 (validation).
func TestEstimatesOfBadInput(t *testing.T) {
	s := estimating(t)
	for name, x := range map[string]struct {
		change func(t *tx.Tx)
		want   error
	}{
		"another chain":            {func(t *tx.Tx) { t.ChainID++ }, tx.ErrWrongChain},
		"a nonce of the past":      {func(t *tx.Tx) { t.Nonce = 0 }, tx.ErrNonce},
		"limits of no block":       {func(t *tx.Tx) { t.CyclesLimit = params.LaneUserCycles + 1; t.CellsLimit = 1 }, tx.ErrLimits},
		"below the intrinsic cost": {func(t *tx.Tx) { t.CyclesLimit, t.CellsLimit = 1, 1 }, tx.ErrCycles},
		"below the basefee":        {func(t *tx.Tx) { t.MaxFeePerCycle, t.MaxFeePerCell = 1, 1 }, tx.ErrBelowBasefee},
		"more than it has":         {func(t *tx.Tx) { t.Instruction = &tx.Transfer{To: account.Address{9}, Amount: 1 << 62} }, tx.ErrValue},
		"fees beyond 64 bits":      {func(t *tx.Tx) { t.MaxFeePerCycle, t.MaxFeePerCell = 1<<63, 1<<63 }, tx.ErrOverflow},
		"an actor sends":           {func(t *tx.Tx) { t.From, t.Nonce = s.actor, 0 }, tx.ErrSender},
		"a payer of no grant":      {func(t *tx.Tx) { t.Metadata = tx.PayerMetadata(account.Address{7}) }, tx.ErrPayer},
		"no payer":                 {func(t *tx.Tx) { t.Metadata = tx.PayerMetadata(account.Address{7})[:20] }, tx.ErrPayer},
	} {
		t.Run(name, func(t *testing.T) {
			one := s.call("charge", "1")
			x.change(one)
			e, err := s.assess(one)
			if err != nil || !errors.Is(e.Refused, x.want) || e.Receipt != nil {
				t.Errorf("%v, refused %v, want %v", err, e.Refused, x.want)
			}
		})
	}
}

// What an estimate holds on to is bounded: a hundred of the handler that fills its memory leave the heap as it was, to a few megabytes.
//
// Spec: WP §17.10; CIP-3 (10 MiB of a call).
func TestEstimatesLeaveNothing(t *testing.T) {
	s := estimating(t)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for range 3 {
		if _, err := s.assess(s.call("grow", "")); err != nil {
			t.Fatal(err)
		}
	}
	before := heap()
	for i := range 50 {
		if _, err := s.assess(s.call([]string{"grow", "many", "fan"}[i%3], fmt.Sprint(1_000))); err != nil {
			t.Fatal(err)
		}
	}
	if after := heap(); after > before+8<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}
