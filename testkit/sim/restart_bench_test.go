package sim

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/system/develop"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// victim is a production node on real goroutines and the real clock, of which one subsystem at a time can be told to panic at its next command.
type victim struct {
	b      testing.TB
	node   *node.Node
	aim    atomic.Pointer[string]
	events chan supervision.Event
	key    *sig.PrivateKey
	callee account.Address    // a Python actor
	web    *supervision.Inbox // of the HTTP server

	address string // of the HTTP server
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
	v := &victim{b: b, events: make(chan supervision.Event, 1_000), key: genesis.DevFaucet(), web: rpc.NewInbox()}
	listener, err := rpc.Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	v.address = listener.Addr().String()
	activity := index.NewHandle()
	file := path.Join(b.TempDir(), "index")
	v.node, err = node.New(node.Config{
		Genesis: spec, Validator: validator, Store: kept, Journal: disk.NewMemory(), Shares: disk.NewMemory(), Workers: 1, Cores: 1,
		NewRunner: func() drain.Runner { return host.New(host.NewPrograms()) },
		Intake: func(n *node.Node) []supervision.Spec {
			n.Ledger.Subscribe(func(f *ledger.Final) { activity.Finalized(f.Height()) })
			limits := rpc.DefaultLimits()
			limits.RequestsPerSecond = 0
			handler := rpc.NewHandler(rpc.Config{Limits: limits, Backend: &rpc.Node{
				ChainID: chainID, Ledger: n.Ledger, Index: activity, Pool: n.Lanes, Committed: n.Ledger.Finalized, Status: n.Status, Started: time.Now(),
			}})
			return []supervision.Spec{{Name: "index", Inbox: activity.Inbox(), New: func() actor.Actor {
				return &index.Subsystem{Path: file, Chain: n.Ledger.Tip().Hash, Source: n.Ledger, Handle: activity}
			}}, {Name: "rpc", Inbox: v.web, New: func() actor.Actor {
				first := listener
				listener = nil // a new instance binds the port itself
				return &rpc.Service{Address: v.address, Handler: handler, Inbox: v.web, First: first}
			}}}
		},
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
	v.deploy()
	return v
}

// deploy puts a Python actor on the chain.
func (v *victim) deploy() {
	v.b.Helper()
	id := v.send(&tx.Deploy{Code: []byte("def tick(payload):\n    return b'x'\n")})
	for range 100 {
		v.await(v.node.Ledger.Finalized() + 1)
		if place, err := v.node.Ledger.Transaction(id); err == nil {
			receipts, err := v.node.Ledger.Receipts(place.Height)
			if err != nil || receipts[place.Index].Created == nil {
				v.b.Fatal(err, receipts)
			}
			v.callee = *receipts[place.Index].Created
			return
		}
	}
	v.b.Fatal("the actor is not deployed")
}

func (v *victim) inject(subsystem string, _ any) {
	if aim := v.aim.Load(); aim != nil && *aim == subsystem && v.aim.CompareAndSwap(aim, nil) {
		panic("injected")
	}
}

func (v *victim) observe(e supervision.Event) {
	switch e.Kind {
	case supervision.EventFailed, supervision.EventRestarted, supervision.EventStopped, supervision.EventStarted:
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
	v.web.Send(struct{}{}) // no command of its own, which only a failing listener gives
	v.send(
		&tx.Transfer{To: account.Address{0xee}, Amount: 1}, &tx.Execute{To: v.callee, Handler: []byte("tick")},
		&tx.Execute{To: account.System(account.Governance), Handler: []byte(develop.HandlerSetBalance),
			Payload: (&develop.SetBalance{Address: account.Address{0xee}, Balance: 5}).Encode()},
	)
}

// send submits transactions of the faucet and gives the identity of the first. They may be lost: some restarts are about that.
func (v *victim) send(list ...tx.Instruction) (first digest.Hash) {
	tip := v.node.Ledger.Tip()
	data, _, err := tip.State.Lookup(v.key.Address().Key())
	if err != nil {
		v.b.Error(err)
		return first
	}
	sender, err := account.Decode(data)
	if err != nil {
		v.b.Error(err)
		return first
	}
	for i, in := range list {
		t := &tx.Tx{
			ChainID: chainID, Nonce: sender.Nonce + uint64(i), Instruction: in, CyclesLimit: 1_000_000, CellsLimit: 100_000,
			MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: v.key.Address(),
		}
		t.Signature = v.key.Sign(t.SigningHash())
		if i == 0 {
			first = t.SigningHash()
		}
		_, _ = v.node.Lanes.Submit(v.b.Context(), [][]byte{t.Encode()})
	}
	return first
}

// outage is one failure: how long until everything that was restarted served again, and what of that was spent otherwise.
type outage struct {
	restart time.Duration // by the supervisors: stops, starts and their order
	waiting time.Duration // for the ends of commands that restarted neighbours were in
	loading time.Duration // by the new instances, of their state
}

// strike panics a subsystem and waits until all that is restarted with it serves again.
func (v *victim) strike(subsystem string) (o outage) {
	for len(v.events) > 0 {
		<-v.events
	}
	v.aim.Store(&subsystem)
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	tries := 0
	go v.work()
	var failed time.Time
	last := ""
	for {
		select {
		case <-again.C:
			if tries++; tries > 300 {
				v.b.Fatalf("%s gets no command", subsystem)
			}
			if failed.IsZero() {
				go v.work()
			}
		case e := <-v.events:
			switch {
			case e.Kind == supervision.EventFailed && e.Subsystem == subsystem:
				failed = e.At
			case failed.IsZero():
			case e.Kind == supervision.EventRestarted:
				names, _, _ := strings.Cut(strings.TrimPrefix(e.Text, "restart "), " ")
				last = path.Dir(subsystem) + "/" + names[strings.LastIndexByte(names, ',')+1:]
			case e.Kind == supervision.EventStopped:
				o.waiting += e.Waited
			case e.Kind == supervision.EventStarted:
				o.loading += e.Loading
				if e.Subsystem == last {
					o.restart = e.At.Sub(failed) - o.loading - o.waiting
					return o
				}
			}
		}
	}
}

// follow opens streams of everything; one in ten is not read.
func (v *victim) follow(clients int) (leave func()) {
	ctx, cancel := context.WithCancel(v.b.Context())
	var all sync.WaitGroup
	for i := range clients {
		request, err := http.NewRequestWithContext(ctx, "GET", "http://"+v.address+"/stream", nil)
		if err != nil {
			v.b.Fatal(err)
		}
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil || answer.StatusCode != http.StatusOK {
			v.b.Fatal(err, answer)
		}
		all.Go(func() {
			defer answer.Body.Close()
			if i%10 == 0 {
				<-ctx.Done()
				return
			}
			_, _ = io.Copy(io.Discard, answer.Body)
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// BenchmarkRestartServer is BenchmarkRestart of the HTTP server while clients follow its streams.
func BenchmarkRestartServer(b *testing.B) {
	v := newVictim(b, 10)
	for _, clients := range []int{0, 100} {
		b.Run(fmt.Sprintf("followers=%d", clients), func(b *testing.B) {
			v.b = b
			var restart, loading []time.Duration
			for range b.N {
				leave := v.follow(clients)
				v.await(v.node.Ledger.Finalized() + 5)
				o := v.strike("node/intake/rpc")
				leave()
				restart, loading = append(restart, o.restart), append(loading, o.loading)
			}
			slices.Sort(restart)
			slices.Sort(loading)
			b.ReportMetric(float64(restart[b.N/2].Nanoseconds())/1e3, "restart-µs")
			b.ReportMetric(float64(loading[b.N/2].Nanoseconds())/1e3, "loading-µs")
		})
		v.b = b
	}
}

// BenchmarkRestart panics one subsystem of a node that makes blocks as fast as it can, and reports the median of what it and all that is restarted with
// it took to serve again: the restart itself, the wait for commands that neighbours were in, and the reload of state. The chain has 300 blocks when it
// begins. The checker of votes is left out, which has no work in a network of one.
//
// Spec: ARCHITECTURE "The supervision tree".
func BenchmarkRestart(b *testing.B) {
	v := newVictim(b, 300)
	for _, name := range []string{
		"core/ledger", "core/timers/ring", "core/timers/epoch", "core/timers/far", "core/system/0x09", "core/pvm/worker-0", "core/executor",
		"core/replica", "core/proposer", "intake/verifier", "intake/lanes/router", "intake/lanes/user", "intake/attendant", "intake/index", "intake/rpc",
		"network/catchup",
	} {
		b.Run(fmt.Sprintf("subsystem=%s", strings.ReplaceAll(name, "/", ".")), func(b *testing.B) {
			v.b = b
			var all [3][]time.Duration
			for range b.N {
				o := v.strike("node/" + name)
				for i, d := range [...]time.Duration{o.restart, o.waiting, o.loading} {
					all[i] = append(all[i], d)
				}
				v.await(v.node.Ledger.Finalized() + 2)
			}
			for i, unit := range [...]string{"restart-µs", "waiting-µs", "loading-µs"} {
				slices.Sort(all[i])
				b.ReportMetric(float64(all[i][b.N/2].Nanoseconds())/1e3, unit)
			}
		})
		v.b = b
	}
}
