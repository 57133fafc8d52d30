package catchup

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

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
			before, began := processor(), time.Now()
			begin(n)
			w.run(b, handed(n))
			used += processor() - before
			total += time.Since(began)
			bytes += w.bytes
			n.leave()
			l.Close()
		}
		runs := float64(b.N)
		b.ReportMetric(float64(bytes)/runs/(1<<20), "MiB")
		b.ReportMetric(float64(bytes)/total.Seconds()/(1<<20), "MiB/s")
		b.ReportMetric(total.Seconds()/runs, "s")
		b.ReportMetric(used.Seconds()/runs, "cpu-s")
		b.ReportMetric(accounts*runs/total.Seconds(), "accounts/s")
	})
}
