package catchup

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// BenchmarkSnapshot fetches a state of a million entries from six peers of this process: served, proven, written, built and ready to be adopted. The
// peers' work is in the figures.
func BenchmarkSnapshot(b *testing.B) {
	const accounts = 1_000_000
	o := newOrigin(b, 100)
	o.grow(20, accounts/20, accounts)
	o.grow(10, 2_000, accounts)
	b.Run(fmt.Sprintf("accounts=%d", accounts), func(b *testing.B) {
		var used, total time.Duration
		bytes := 0
		for b.Loop() {
			w := newWire()
			for id := range byte(6) {
				w.add(b, id+1, o.store, 0)
			}
			path := b.TempDir()
			d, err := disk.NewDirectory(path)
			if err != nil {
				b.Fatal(err)
			}
			l, err := ledger.OpenDisk(d, filepath.Join(path, "image"), o.spec, store.Options{})
			if err != nil {
				b.Fatal(err)
			}
			n := w.add(b, 9, l, 20)
			before, began := bench.Processor(), time.Now()
			begin(n)
			w.run(b, handed(n))
			used += bench.Processor() - before
			total += time.Since(began)
			bytes += w.bytes
			n.leave()
			_ = l.Close()
		}
		runs := float64(b.N)
		b.ReportMetric(float64(bytes)/runs/(1<<20), "MiB")
		b.ReportMetric(float64(bytes)/total.Seconds()/(1<<20), "MiB/s")
		b.ReportMetric(total.Seconds()/runs, "s")
		b.ReportMetric(used.Seconds()/runs, "cpu-s")
		b.ReportMetric(accounts*runs/total.Seconds(), "accounts/s")
	})
}

// BenchmarkSnapshotSteps takes the way of a snapshot of a million accounts apart, each step by itself on one goroutine, beside loading the same accounts
// plainly: as writes of blocks that are executed by nothing, committed and made durable.
func BenchmarkSnapshotSteps(b *testing.B) {
	const accounts = 1_000_000
	o := newOrigin(b, 0)
	step := func(name string, bytes int, do func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			before := bench.Processor()
			for b.Loop() {
				do(b)
			}
			n := float64(b.N)
			b.ReportMetric(accounts*n/b.Elapsed().Seconds(), "accounts/s")
			b.ReportMetric(float64(bytes)*n/b.Elapsed().Seconds()/(1<<20), "MiB/s")
			b.ReportMetric((bench.Processor()-before).Seconds()/n, "cpu-s")
		})
	}
	o.populate(20, accounts/20)
	tip := o.store.State()
	server := newWire().add(b, 1, o.store, 0)
	pivot, err := server.showPivot(&pivotRequest{})
	if err != nil || pivot.block == nil {
		b.Fatal(err)
	}
	config := state.Config{}
	extent, err := config.VerifyTarget(tip.Root(), pivot.target)
	if err != nil {
		b.Fatal(err)
	}
	serve := func() (frames [][]byte) {
		for from := extent.Boundary(); from < extent.Length; from += chunkOperations {
			a, err := server.showChunk(&chunkRequest{length: extent.Length, from: from, count: chunkOperations, foundation: from == extent.Boundary()})
			if err != nil || len(a.operations) == 0 {
				b.Fatal(err)
			}
			frames = append(frames, a.encode())
		}
		return frames
	}
	chunks, size := serve(), 0
	for _, p := range chunks {
		size += len(p)
	}
	step("load", size, func(b *testing.B) {
		plain := &origin{t: b, spec: o.spec, keys: o.keys, namespace: o.namespace, store: o.onDisk(b)}
		plain.populate(20, accounts/20)
		_ = plain.store.Close()
	})
	step("take", size, func(b *testing.B) {
		if _, err := tip.Target(); err != nil {
			b.Fatal(err)
		}
	})
	step("serve", size, func(*testing.B) { serve() })
	step("verify", size, func(b *testing.B) {
		for i, p := range chunks {
			x, err := decode(p)
			if err != nil {
				b.Fatal(err)
			}
			a := x.(*chunkAnswer)
			list, err := config.SplitOperations(a.operations, chunkOperations)
			if err == nil {
				err = config.VerifyRange(extent.OpsRoot, extent.Boundary()+uint64(i)*chunkOperations, list, &a.proof)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	step("adopt", size, func(b *testing.B) { o.adopt(b, chunks, extent, pivot.finalization) })
}

// onDisk is an empty ledger on disk, of the same genesis.
func (o *origin) onDisk(b *testing.B) *ledger.Disk {
	path := b.TempDir()
	d, err := disk.NewDirectory(path)
	if err != nil {
		b.Fatal(err)
	}
	l, err := ledger.OpenDisk(d, filepath.Join(path, "image"), o.spec, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// adopt takes a state over from its chunks, as a node does that fetched them, and holds its root.
func (o *origin) adopt(b *testing.B, chunks [][]byte, extent *state.Extent, finalization *sig.Certificate) {
	l := o.onDisk(b)
	stage, err := l.Stage()
	if err != nil {
		b.Fatal(err)
	}
	for i, p := range chunks {
		x, _ := decode(p)
		a := x.(*chunkAnswer)
		if i == 0 {
			err = stage.Begin(extent.Boundary(), a.foundation.Pinned)
		}
		if err == nil {
			err = stage.Append(a.operations, min(chunkOperations, extent.Length-extent.Boundary()-uint64(i)*chunkOperations))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	k, err := o.store.Block(o.store.Header().Height)
	if err == nil {
		err = errors.Join(stage.Seal(ledger.Sealing(k, []*sig.Certificate{finalization}, extent)), stage.Close())
	}
	if err != nil {
		b.Fatal(err)
	}
	loaded, err := l.Load()
	if err == nil {
		err = l.Adopt(loaded)
	}
	if err != nil || l.State().Root() != o.store.State().Root() {
		b.Fatal(err)
	}
	_ = l.Close()
}

// populate adds blocks that make accounts.
func (o *origin) populate(blocks, each int) {
	o.t.Helper()
	for i := range blocks {
		overlay := o.store.State().Overlay()
		for k := range each {
			h := digest.Blake3(fmt.Appendf(nil, "account %d", i*each+k))
			address := account.Address(h[:account.AddressSize])
			overlay.Set(address.Key(), (&account.Account{Balance: unit.Amount(i*each + k), Nonce: uint64(k)}).Encode())
		}
		o.commit(overlay)
	}
}
