package store

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const benchKeys = 1 << 20

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// bench is a store with benchKeys random 32-byte keys and values.
type bench struct {
	*Store
	keys [][]byte
	r    *rand.Rand
}

func openBench(b *testing.B) *bench {
	s := &bench{r: rand.New(rand.NewSource(1))}
	for i := range benchKeys {
		h := digest.SHA256(binary.BigEndian.AppendUint64([]byte("key"), uint64(i)))
		s.keys = append(s.keys, h[:])
	}
	before := heap()
	dir, err := os.MkdirTemp(os.Getenv("BENCH_DIR"), "store")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	o := Options{Identity: testIdentity, Window: 64, State: state.Config{Spread: Parallel(runtime.GOMAXPROCS(0))}}
	s.Store = open(b, dir, o)
	for at := 0; at < benchKeys; at += 1 << 17 {
		s.block(b, s.keys[at:at+1<<17])
	}
	if err := s.Checkpoint(); err != nil {
		b.Fatal(err)
	}
	after := heap()
	nodes := uint64(s.source.cache.size())
	b.Logf("memory: %d bytes per key, of which %d are tree nodes kept for proofs",
		(after-before)/benchKeys, nodes/benchKeys)
	return s
}

// block writes the keys, computes the root and makes the block durable.
func (s *bench) block(b *testing.B, keys [][]byte) {
	o := s.Head().State().Overlay()
	value := make([]byte, 32)
	for _, k := range keys {
		s.r.Read(value)
		o.Set(k, value)
	}
	c, err := o.Commit(unit.Height(s.Head().Blocks()))
	if err == nil {
		err = s.Append(&Record{Commit: c})
	}
	if err != nil {
		b.Fatal(err)
	}
}

func (s *bench) pick(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = s.keys[s.r.Intn(benchKeys)]
	}
	return out
}

func BenchmarkStore(b *testing.B) {
	s := openBench(b)
	defer s.Close()
	for _, updates := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("CommitDurable/keys=%d/updates=%d", benchKeys, updates), func(b *testing.B) {
			for b.Loop() {
				s.block(b, s.pick(updates))
			}
		})
	}
	b.Run(fmt.Sprintf("Checkpoint/keys=%d", benchKeys), func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			for range 20 {
				s.block(b, s.pick(1000))
			}
			b.StartTimer()
			if err := s.Checkpoint(); err != nil {
				b.Fatal(err)
			}
		}
	})
	v := s.Head().State()
	b.Run(fmt.Sprintf("Lookup/keys=%d", benchKeys), func(b *testing.B) {
		for b.Loop() {
			if _, ok, err := v.Lookup(s.keys[s.r.Intn(benchKeys)]); !ok || err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, warm := range []bool{false, true} {
		b.Run(fmt.Sprintf("Proof/keys=%d/warm=%v", benchKeys, warm), func(b *testing.B) {
			for b.Loop() {
				if _, err := v.ProveKey(s.keys[s.r.Intn(benchKeys)]); err != nil {
					b.Fatal(err)
				}
			}
		})
		for i := 0; !warm && i < 1<<17; i++ { // now most nodes are in memory
			if _, err := v.ProveKey(s.keys[s.r.Intn(benchKeys)]); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, back := range []int{1, 20} {
		b.Run(fmt.Sprintf("At/back=%d/updates=1000", back), func(b *testing.B) {
			for b.Loop() {
				s.past = past{}
				if _, err := s.Head().At(unit.Height(int(s.Head().Blocks()) - 1 - back)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	key := s.keys[7]
	value, _, err := v.Lookup(key)
	if err != nil {
		b.Fatal(err)
	}
	p, err := v.ProveKey(key)
	if err != nil {
		b.Fatal(err)
	}
	root := v.Root()
	b.Run(fmt.Sprintf("Verify/keys=%d", benchKeys), func(b *testing.B) {
		for b.Loop() {
			if err := (state.Config{}).VerifyKey(root, key, value, &p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Logf("proof of %d bytes", len((state.Config{}).EncodeKeyValueProof(&p)))
}

func BenchmarkOpen(b *testing.B) {
	s := openBench(b)
	path := s.image.path
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	dir := path[:len(path)-len(imageName)]
	for _, trust := range []bool{true, false} {
		b.Run(fmt.Sprintf("keys=%d/trust=%v", benchKeys, trust), func(b *testing.B) {
			for b.Loop() {
				o := s.options
				o.TrustLog = trust
				again := open(b, dir, o)
				if err := again.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAt takes back many blocks that changed little, as an explorer does that is asked about an old transaction, and tells what states on the way hold.
func BenchmarkAt(b *testing.B) {
	for _, keys := range []int{1 << 12, 1 << 18} {
		b.Run(fmt.Sprintf("keys=%d", keys), func(b *testing.B) { benchmarkAt(b, keys) })
	}
}

func benchmarkAt(b *testing.B, keys int) {
	const blocks, updates, together = 2 * strideBlocks, 10, 256
	s := &bench{r: rand.New(rand.NewSource(1))}
	o := Options{Identity: testIdentity, Window: Archive, State: state.Config{Spread: Parallel(runtime.GOMAXPROCS(0))}, unsafeImage: true}
	s.Store = open(b, b.TempDir(), o)
	defer s.Close()
	key := func(i int) []byte {
		h := digest.SHA256(binary.BigEndian.AppendUint64([]byte("key"), uint64(i)))
		return h[:]
	}
	first := s.Head().State().Overlay()
	for i := range keys {
		first.Set(key(i), make([]byte, 32))
	}
	at, err := first.Commit(0)
	if err != nil {
		b.Fatal(err)
	}
	for list := []*Record{{Commit: at}}; at.Height() < blocks; list = list[:0] {
		for range together {
			o := at.Overlay()
			for range updates {
				o.Set(key(s.r.Intn(keys)), binary.BigEndian.AppendUint64(make([]byte, 24), s.r.Uint64()))
			}
			if at, err = o.Commit(at.Height() + 1); err != nil {
				b.Fatal(err)
			}
			list = append(list, &Record{Commit: at, Block: make([]byte, 400), Receipts: make([]byte, 100)})
		}
		if err := s.Append(list...); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Checkpoint(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.past = past{}
		if _, err := s.Head().At(0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/blocks, "ns/block")
	with, n, estimate := heap(), len(s.past.asked.states), uint64(0)
	for _, size := range s.past.asked.sizes {
		estimate += size
	}
	s.past = past{}
	b.Logf("%d states hold %d bytes, by estimate %d", n, int64(with)-int64(heap()), estimate)
}
