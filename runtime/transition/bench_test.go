package transition

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func holder(n int) account.Address {
	a := account.Address{0: 0xee}
	binary.BigEndian.PutUint64(a[12:], uint64(n)*0x9e3779b97f4a7c15)
	return a
}

// BenchmarkTransfers executes blocks of plain transfers between 100,000 accounts, verified signatures given: fees, receipts, roots
// and the state root included, durable commit not.
func BenchmarkTransfers(b *testing.B) {
	const holders = 100_000
	for _, size := range []int{100, 1_000} {
		b.Run(fmt.Sprintf("txs=%d", size), func(b *testing.B) {
			c := newChain(b, nil)
			c.edit(func(s state.Store) {
				for n := range holders {
					a := account.Account{Balance: 1_000 * unit.CBY}
					s.Set(holder(n).Key(), a.Encode())
				}
			}, 1)
			txs := make([]tx.Verified, size)
			for i := range txs {
				txs[i] = c.sign(holder(i*97%holders), &tx.Transfer{To: holder((i*89 + 7) % holders), Amount: 1}, func(x *tx.Tx) {
					x.CyclesLimit = 21_000
				})
			}
			built, err := Apply(c.tip, Job{Mode: Build, Header: c.header(), Txs: txs}, nil)
			if err != nil || len(built.Txs) != size {
				b.Fatal(err, len(built.Txs))
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				if _, err := Apply(c.tip, Job{Header: built.Header, Txs: built.Txs}, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "tx/s")
		})
	}
}

// BenchmarkTimers executes a block with 16 due timers while so many are pending at other heights.
func BenchmarkTimers(b *testing.B) {
	for _, pending := range []int{10, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("pending=%d", pending), func(b *testing.B) {
			c := newChain(b, script{"wake": func(c *call) *block.Fault { c.use(1_000, 0); return nil }})
			c.edit(func(s state.Store) {
				config := params.Genesis().Timer
				config.MaxTimersPerActor = 1 << 30
				for n := range pending + 16 {
					height := unit.Height(2)
					if n >= 16 {
						height = unit.Height(3 + n%100_000)
					}
					if _, err := timer.Schedule(s, config, timer.Request{
						Owner: actorAt(byte(1 + n%9)), Target: actorAt(byte(1 + n%9)), Height: height, Handler: "wake", Nonce: uint64(n),
						GasLimit: gas(10_000),
					}); err != nil {
						b.Fatal(err)
					}
				}
			}, 2)
			b.ResetTimer()
			for range b.N {
				r, err := Apply(c.tip, Job{Mode: Build, Header: c.header()}, c.script)
				if err != nil || len(r.Receipts) != 16 {
					b.Fatal(err, len(r.Receipts))
				}
			}
		})
	}
}
