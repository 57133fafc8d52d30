package sim

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// victim is a production node on real goroutines and the real clock, of which one subsystem at a time can be told to panic at its next command.
type victim struct {
	b      testing.TB
	node   *node.Node
	aim    atomic.Pointer[string]
	events chan supervision.Event
	key    *sig.PrivateKey
	nonce  uint64
}

func newVictim(b testing.TB, grown unit.Height) *victim {
	b.Helper()
	spec, err := genesis.Devnet(chainID, 1)
	if err != nil {
		b.Fatal(err)
	}
	kept, err := ledger.OpenDisk(disk.NewMemory(), "", spec, store.Options{Window: store.WindowMin})
	if err != nil {
		b.Fatal(err)
	}
	validator, err := node.DevValidator(0, 1)
	if err != nil {
		b.Fatal(err)
	}
	v := &victim{b: b, events: make(chan supervision.Event, 1_000), key: genesis.DevFaucet()}
	v.node, err = node.New(node.Config{
		Genesis: spec, Validator: validator, Store: kept, Journal: disk.NewMemory(), Shares: disk.NewMemory(), Workers: 1, Cores: 1,
		NewRunner:   func() drain.Runner { return host.New(host.NewPrograms()) },
		Restarts:    supervision.Limit{Restarts: 1 << 30, Within: 1},
		Supervision: supervision.Config{Inject: v.inject, Observe: v.observe},
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := v.node.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := v.node.Stop(context.Background()); err != nil {
			b.Error(err)
		}
	})
	v.await(grown)
	return v
}

func (v *victim) inject(subsystem string, _ any) {
	if aim := v.aim.Load(); aim != nil && *aim == subsystem && v.aim.CompareAndSwap(aim, nil) {
		panic("injected")
	}
}

func (v *victim) observe(e supervision.Event) {
	switch e.Kind {
	case supervision.EventFailed, supervision.EventRestarted, supervision.EventStarted:
		select {
		case v.events <- e:
		default:
		}
	}
}

func (v *victim) await(h unit.Height) {
	v.b.Helper()
	if err := v.node.Ledger.Await(v.b.Context(), h); err != nil {
		v.b.Fatal(err)
	}
}

// work gives every subsystem something to do.
func (v *victim) work() {
	t := &tx.Tx{
		ChainID: chainID, Nonce: v.nonce, Instruction: &tx.Transfer{To: account.Address{0xee}, Amount: 1}, CyclesLimit: 100_000, CellsLimit: 1_000,
		MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: v.key.Address(),
	}
	t.Signature = v.key.Sign(t.SigningHash())
	v.nonce++
	_, _ = v.node.Lanes.Submit(v.b.Context(), [][]byte{t.Encode()}) // a lost answer is what some restarts are about
}

// strike panics a subsystem and waits until all that is restarted with it serves again. It gives the time from the panic, without what the starts took
// to load, and that.
func (v *victim) strike(subsystem string) (serving, loading time.Duration) {
	for len(v.events) > 0 {
		<-v.events
	}
	v.aim.Store(&subsystem)
	go v.work()
	var failed time.Time
	last := ""
	for e := range v.events {
		switch {
		case e.Kind == supervision.EventFailed && e.Subsystem == subsystem:
			failed = e.At
		case failed.IsZero():
		case e.Kind == supervision.EventRestarted:
			names, _, _ := strings.Cut(strings.TrimPrefix(e.Text, "restart "), " ")
			last = path.Dir(subsystem) + "/" + names[strings.LastIndexByte(names, ',')+1:]
		case e.Kind == supervision.EventStarted:
			loading += e.Loading
			if e.Subsystem == last {
				return e.At.Sub(failed) - loading, loading
			}
		}
	}
	return 0, 0
}

// BenchmarkRestart panics one subsystem of a node that makes blocks, and reports how long it and all that is restarted with it take to serve again: half
// the times no longer, and at least, without what they load, and what they load. The chain has 300 blocks when it begins.
//
// Spec: architecture "Supervision".
func BenchmarkRestart(b *testing.B) {
	v := newVictim(b, 300)
	for _, name := range []string{
		"core/ledger", "core/timers/ring", "core/executor", "core/replica", "core/proposer", "intake/verifier", "intake/lanes/router", "intake/lanes/user",
		"network/catchup",
	} {
		b.Run(fmt.Sprintf("subsystem=%s", strings.ReplaceAll(name, "/", ".")), func(b *testing.B) {
			v.b = b
			var serving, loading []time.Duration
			for range b.N {
				s, l := v.strike("node/" + name)
				serving, loading = append(serving, s), append(loading, l)
				v.await(v.node.Ledger.Finalized() + 2)
			}
			slices.Sort(serving)
			slices.Sort(loading)
			b.ReportMetric(float64(serving[b.N/2].Nanoseconds())/1e3, "serving-µs")
			b.ReportMetric(float64(serving[0].Nanoseconds())/1e3, "serving-least-µs")
			b.ReportMetric(float64(loading[b.N/2].Nanoseconds())/1e3, "loading-µs")
		})
		v.b = b
	}
}
