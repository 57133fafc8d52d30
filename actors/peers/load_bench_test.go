package peers_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// transfers are signed transfers of a devnet of four, from senders with so many each, and the genesis that gives them coins.
func transfers(b *testing.B, n int) (*genesis.Spec, []*tx.Tx) {
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		b.Fatal(err)
	}
	const each = 32
	list := make([]*tx.Tx, n)
	var key *sig.PrivateKey
	senders := (n + each - 1) / each
	for s := range senders {
		raw := genesis.DevKey(fmt.Sprint("sender", s), 0)
		if key, err = sig.ParsePrivateKey(raw[:]); err != nil {
			b.Fatal(err)
		}
		spec.Accounts = append(spec.Accounts, genesis.Allocation{Address: key.Address(), Balance: 100 * unit.CBY})
		spec.Accounts[0].Balance -= 100 * unit.CBY
		for k := range each {
			if i := k*senders + s; i < n {
				list[i] = &tx.Tx{
					ChainID: 1, Nonce: uint64(k), Instruction: &tx.Transfer{To: account.Address{7, byte(i)}, Amount: 1}, CyclesLimit: 21_000,
					MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000, From: key.Address(),
				}
				list[i].Signature = key.Sign(list[i].SigningHash())
			}
		}
	}
	return spec, list
}

// finals tells when a node had a transaction on a final block.
type finals struct {
	mu   sync.Mutex
	at   map[digest.Hash]time.Time
	done chan struct{}
	want int
}

func (f *finals) take(x *ledger.Final) {
	now := time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range x.Block.Txs {
		f.at[t.SigningHash()] = now
	}
	if len(f.at) >= f.want && f.done != nil {
		close(f.done)
		f.done = nil
	}
}

// four starts four validators over QUIC and watches the last one, which is not the one that is given transactions.
func four(b *testing.B, spec *genesis.Spec, want int) ([]*validator, *finals, chan struct{}) {
	var all []*validator
	var targets []transport.Target
	for rank := range 4 {
		v := newValidator(b, spec, rank, targets)
		targets = append(targets, v.network.target())
		all = append(all, v)
	}
	done := make(chan struct{})
	f := &finals{at: map[digest.Hash]time.Time{}, done: done, want: want}
	all[3].Ledger.Subscribe(f.take)
	for _, v := range all {
		v.await(b, 5)
	}
	return all, f, done
}

// BenchmarkLatency is the time from a transfer's submission to one validator to its being final on another, at a thousand a second, pacing off.
func BenchmarkLatency(b *testing.B) {
	spec, list := transfers(b, b.N)
	all, f, done := four(b, spec, b.N)
	sent := make([]time.Time, len(list))
	b.ResetTimer()
	used := bench.Processor()
	const batch = 10
	pace := time.NewTicker(batch * time.Millisecond)
	defer pace.Stop()
	for low := 0; low < len(list); low += batch {
		<-pace.C
		var part [][]byte
		for i := low; i < min(low+batch, len(list)); i++ {
			part = append(part, list[i].Encode())
			sent[i] = time.Now()
		}
		if errs, err := all[0].Lanes.Submit(b.Context(), part); err != nil || slices.ContainsFunc(errs, func(e error) bool { return e != nil }) {
			b.Fatal(errs, err)
		}
	}
	<-done
	b.StopTimer()
	used = bench.Processor() - used
	waits := make([]time.Duration, len(list))
	for i, t := range list {
		waits[i] = f.at[t.SigningHash()].Sub(sent[i])
	}
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1e3, "p50-ms")
	b.ReportMetric(float64(waits[len(waits)*9/10].Microseconds())/1e3, "p90-ms")
	b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1e3, "p99-ms")
	b.ReportMetric(float64(used)/1e3/float64(b.N), "cpu-µs/tx")
}

// BenchmarkTransfers is how many signed transfers four validators in this process finalize a second over QUIC, all of them recovering every signature.
func BenchmarkTransfers(b *testing.B) {
	spec, list := transfers(b, b.N)
	all, _, done := four(b, spec, b.N)
	full := time.NewTicker(5 * time.Millisecond)
	defer full.Stop()
	b.ResetTimer()
	used := bench.Processor()
	for low := 0; low < len(list); low += 50 {
		var part [][]byte
		for i := low; i < min(low+50, len(list)); i++ {
			part = append(part, list[i].Encode())
		}
		for {
			errs, err := all[0].Lanes.Submit(b.Context(), part)
			if err != nil {
				b.Fatal(err)
			}
			if !slices.ContainsFunc(errs, func(e error) bool { return e != nil }) {
				break
			}
			<-full.C // the pool is full; those it took are known
			part = slices.Clone(part)
			for i := len(errs) - 1; i >= 0; i-- {
				if errs[i] == nil {
					part = slices.Delete(part, i, i+1)
				}
			}
		}
	}
	<-done
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tx/s")
	b.ReportMetric(float64(bench.Processor()-used)/1e3/float64(b.N), "cpu-µs/tx")
}
