package state

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// grown is a chain of states whose log was pruned on the way.
type grown struct {
	memory *Memory
	states []*Commit // by height
}

func grow(t testing.TB, seed int64, keys, blocks, writes int) *grown {
	t.Helper()
	g := &grown{memory: NewMemory(Config{})}
	r := rand.New(rand.NewSource(seed))
	c := New(Config{}, g.memory)
	if err := g.memory.Add(c.Delta()); err != nil {
		t.Fatal(err)
	}
	for h := range blocks {
		o := c.Overlay()
		for range writes {
			k := fmt.Appendf(nil, "key %d", r.Intn(keys))
			if r.Intn(5) == 0 {
				o.Delete(k)
			} else {
				o.Set(k, fmt.Appendf(nil, "%d", r.Int63()))
			}
		}
		next, err := o.Commit(unit.Height(h))
		if err == nil {
			err = g.memory.Add(next.Delta())
		}
		if err != nil {
			t.Fatal(err)
		}
		c = next.Settled(g.memory)
		g.states = append(g.states, c)
	}
	return g
}

// copied is a Source that holds what was fetched.
func copied(t testing.TB, c *Commit, from uint64, data []byte) *Memory {
	t.Helper()
	m := NewMemory(Config{})
	m.ops = make([][]byte, from)
	m.boundary = from
	list, err := c.config.SplitOperations(data, int(c.length))
	if err != nil {
		t.Fatal(err)
	}
	m.ops = append(m.ops, list...)
	return m
}

// A state fetched in proven ranges is the state that was named: it reads, proves
// and goes on as the original does, whatever was asked for how.
//
// Spec: commonware §5.7.
func TestFetchState(t *testing.T) {
	for i, x := range []struct{ keys, blocks, writes, chunk int }{
		{40, 3, 4, 7}, {300, 40, 60, 256}, {2000, 30, 500, 1024}, {20, 90, 30, 100}, {1, 600, 1, 300},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			g := grow(t, int64(x.keys), x.keys, x.blocks, x.writes)
			at := g.states[x.blocks*2/3]
			server := g.states[x.blocks-1]
			target, err := at.Target()
			if err != nil {
				t.Fatal(err)
			}
			config := Config{}
			extent, err := config.VerifyTarget(at.Root(), target)
			if err != nil || extent.Length != at.Length() || extent.Floor != at.Floor() || extent.Height != at.Height() {
				t.Fatalf("%+v, %v", extent, err)
			}
			boundary := extent.Boundary()
			g.memory.Prune(boundary)
			f, err := server.Foundation(extent.Length, boundary)
			if err != nil {
				t.Fatal(err)
			}
			if err := config.VerifyFoundation(extent, boundary, f); err != nil {
				t.Fatalf("foundation of %+v: %v", extent, err)
			}
			r := NewRebuild(config, boundary, f.Pinned)
			var all []byte
			for from := boundary; from < extent.Length; {
				data, n, err := server.Operations(from, min(uint64(x.chunk), extent.Length-from), 1<<20)
				if err != nil || n == 0 {
					t.Fatal(n, err)
				}
				p, err := server.ProveRange(extent.Length, from, from+n)
				if err != nil {
					t.Fatal(err)
				}
				list, err := server.config.SplitOperations(data, x.chunk)
				if err != nil {
					t.Fatal(err)
				}
				if err := config.VerifyRange(extent.OpsRoot, from, list, &p); err != nil {
					t.Fatalf("range [%d, %d): %v", from, from+n, err)
				}
				if err := r.Add(data); err != nil {
					t.Fatal(err)
				}
				all = append(all, data...)
				from += n
			}
			got, err := r.Commit(copied(t, at, boundary, all))
			if err != nil {
				t.Fatal(err)
			}
			if got.Roots() != at.Roots() || got.Height() != at.Height() || got.Floor() != at.Floor() || got.Len() != at.Len() {
				t.Fatalf("%v at %d, want %v at %d", got.Roots(), got.Height(), at.Roots(), at.Height())
			}
			sameState(t, got, at)
		})
	}
}

// What is below the boundary of a source is refused, never made up. The state was
// restored from a snapshot, so that only pinned nodes are there.
//
// Spec: commonware §5.7.
func TestPrunedNodes(t *testing.T) {
	g := grow(t, 3, 3000, 40, 400)
	tip := g.states[39]
	boundary := tip.Floor() / ChunkBits * ChunkBits
	data, _, err := tip.Operations(boundary, tip.Length(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	f, err := tip.Foundation(tip.Length(), boundary)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRebuild(Config{}, boundary, f.Pinned)
	if err := r.Add(data); err != nil {
		t.Fatal(err)
	}
	c, err := r.Commit(copied(t, tip, boundary, data))
	if err != nil {
		t.Fatal(err)
	}
	extent := &Extent{Length: c.Length(), Floor: c.Floor(), OpsRoot: c.Roots().Ops}
	refused := 0
	for at := uint64(ChunkBits); at < boundary; at += ChunkBits {
		f, err := c.Foundation(c.Length(), at)
		if errors.Is(err, ErrPruned) {
			refused++
		} else if err != nil {
			t.Fatalf("boundary %d: %v", at, err)
		} else if err := (Config{}).VerifyFoundation(extent, at, f); err != nil {
			t.Fatalf("the nodes around %d are wrong: %v", at, err)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	for at := boundary; at < c.Length(); at += 97 {
		want, err := tip.ProveRange(c.Length(), at, at+1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.ProveRange(c.Length(), at, at+1)
		if err != nil || !bytes.Equal(got.Append(nil), want.Append(nil)) {
			t.Fatalf("proof of %d: %v", at, err)
		}
	}
	if _, err := c.ProveRange(c.Length(), boundary-ChunkBits-1, boundary); !errors.Is(err, ErrPruned) && !errors.Is(err, ErrSource) {
		t.Fatalf("a range below the boundary: %v", err)
	}
}

// Whatever is changed in a target, a foundation or a range, it proves nothing.
//
// Spec: commonware §5.6, §5.7.
func TestFetchRejects(t *testing.T) {
	g := grow(t, 5, 500, 30, 100)
	c := g.states[20]
	config := Config{}
	fresh := func() *Target {
		target, err := c.Target()
		if err != nil {
			t.Fatal(err)
		}
		return target
	}
	for name, spoil := range map[string]func(*Target){
		"ops root":       func(x *Target) { x.OpsRoot[3]++ },
		"grafted root":   func(x *Target) { x.Witness.Grafted[0]++ },
		"length":         func(x *Target) { x.Witness.Length++ },
		"no operations":  func(x *Target) { x.Witness.Length = 0 },
		"partial":        func(x *Target) { x.Witness.Partial = nil },
		"commit":         func(x *Target) { x.Commit = bytes.Clone(x.Commit); x.Commit[len(x.Commit)-1]++ },
		"no commit":      func(x *Target) { x.Commit = nil },
		"inactive peaks": func(x *Target) { x.Proof.Inactive++ },
		"proof":          func(x *Target) { x.Proof.Digests = x.Proof.Digests[1:] },
		"leaves":         func(x *Target) { x.Proof.Leaves-- },
	} {
		t.Run(name, func(t *testing.T) {
			x := fresh()
			spoil(x)
			if _, err := config.VerifyTarget(c.Root(), x); !errors.Is(err, ErrProof) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	extent, err := config.VerifyTarget(c.Root(), fresh())
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Foundation, *uint64){
		"pinned":       func(f *Foundation, _ *uint64) { f.Pinned[0][0]++ },
		"rest":         func(f *Foundation, _ *uint64) { f.Rest[0][0]++ },
		"one missing":  func(f *Foundation, _ *uint64) { f.Pinned = f.Pinned[1:] },
		"one too many": func(f *Foundation, _ *uint64) { f.Rest = append(f.Rest, digest.Hash{}) },
		"one too many of each": func(f *Foundation, _ *uint64) {
			f.Pinned, f.Rest = append([]digest.Hash{{}}, f.Pinned...), append(f.Rest, digest.Hash{})
		},
		"other order": func(f *Foundation, _ *uint64) {
			f.Rest[0], f.Rest[1] = f.Rest[1], f.Rest[0]
		},
		"elsewhere":       func(_ *Foundation, at *uint64) { *at -= ChunkBits },
		"inside a chunk":  func(_ *Foundation, at *uint64) { *at++ },
		"above the log":   func(_ *Foundation, at *uint64) { *at = extent.Length + ChunkBits },
		"nothing at all":  func(f *Foundation, _ *uint64) { *f = Foundation{} },
		"halves switched": func(f *Foundation, _ *uint64) { f.Pinned, f.Rest = f.Rest, f.Pinned },
	} {
		t.Run(name, func(t *testing.T) {
			at := extent.Boundary()
			f, err := c.Foundation(extent.Length, at)
			if err != nil {
				t.Fatal(err)
			}
			spoil(f, &at)
			if err := config.VerifyFoundation(extent, at, f); !errors.Is(err, ErrProof) {
				t.Errorf("foundation, %s: %v", name, err)
			}
		})
	}
}

// Operations that end in no block, or that are none, give no state.
func TestRebuildRejects(t *testing.T) {
	config := Config{}
	update := config.AppendOperation(nil, &Operation{Kind: Update, Key: []byte("a"), Value: []byte("1"), Next: []byte("a")})
	for name, data := range map[string][]byte{
		"bytes":             {1, 2, 3},
		"cut":               update[:3],
		"floor above":       config.AppendOperation(nil, &Operation{Kind: CommitFloor, Metadata: be8(1), Floor: 1000}),
		"half a height":     config.AppendOperation(nil, &Operation{Kind: CommitFloor, Metadata: be8(1)[:4], Floor: 512}),
		"no height":         config.AppendOperation(nil, &Operation{Kind: CommitFloor, Floor: 512}),
		"no commit":         update,
		"floor below bound": config.AppendOperation(nil, &Operation{Kind: CommitFloor, Metadata: be8(1), Floor: 511}),
		"nothing":           nil,
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRebuild(config, 512, make([]digest.Hash, 1))
			err := r.Add(data)
			if err == nil {
				_, err = r.Commit(NewMemory(config))
			}
			if !errors.Is(err, ErrOperation) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// What is read of a target or a foundation is written the same.
func FuzzTarget(f *testing.F) {
	g := grow(f, 5, 100, 20, 30)
	c := g.states[19]
	target, err := c.Target()
	if err != nil {
		f.Fatal(err)
	}
	nodes, err := c.Foundation(c.Length(), c.Floor()/ChunkBits*ChunkBits)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(target.Append(nil))
	f.Add(nodes.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := codec.NewReader(data)
		x := ReadTarget(r)
		if r.Finish() == nil {
			if !bytes.Equal(x.Append(nil), data) {
				t.Error("two encodings of a target")
			}
			if _, err := (Config{}).VerifyTarget(digest.Hash{}, x); err == nil {
				t.Error("a target of the zero root")
			}
		}
		r = codec.NewReader(data)
		n := ReadFoundation(r)
		if r.Finish() == nil {
			if !bytes.Equal(n.Append(nil), data) {
				t.Error("two encodings of a foundation")
			}
			_ = Config{}.VerifyFoundation(&Extent{Length: 1000, Floor: 600}, 512, n)
		}
	})
}

// FuzzRebuild holds that no operations whatever break a Rebuild.
func FuzzRebuild(f *testing.F) {
	g := grow(f, 5, 10, 4, 5)
	data, _, err := g.states[3].Operations(0, 1000, 1<<20)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		config := Config{}
		r := NewRebuild(config, 0, nil)
		if r.Add(data) != nil {
			return
		}
		m := NewMemory(config)
		var err error
		if m.ops, err = config.withDefaults().SplitOperations(data, len(data)); err != nil {
			t.Fatal(err)
		}
		c, err := r.Commit(m)
		if err == nil && c.Length() != uint64(len(m.ops)) {
			t.Error("operations were lost")
		}
	})
}

// BenchmarkFetch measures the verification of proven ranges and the rebuilding of
// a state, per operation.
func BenchmarkFetch(b *testing.B) {
	m, c := benchState(b)
	const per = 8192
	config := Config{}
	target, err := c.Target()
	if err != nil {
		b.Fatal(err)
	}
	extent, err := config.VerifyTarget(c.Root(), target)
	if err != nil {
		b.Fatal(err)
	}
	boundary := extent.Boundary()
	type part struct {
		from  uint64
		data  []byte
		list  [][]byte
		proof mmr.Proof
	}
	var parts []part
	bytes := 0
	for from := boundary; from < extent.Length; {
		x := part{from: from}
		var n uint64
		if x.data, n, err = c.Operations(from, per, 8<<20); err != nil {
			b.Fatal(err)
		}
		if x.proof, err = c.ProveRange(extent.Length, from, from+n); err != nil {
			b.Fatal(err)
		}
		if x.list, err = c.config.SplitOperations(x.data, per); err != nil {
			b.Fatal(err)
		}
		parts = append(parts, x)
		bytes += len(x.data)
		from += n
	}
	report := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(extent.Length-boundary), "ns/op-of-log")
		b.SetBytes(int64(bytes))
	}
	b.Run(fmt.Sprintf("verify/keys=%d", benchKeys), func(b *testing.B) {
		for b.Loop() {
			for i := range parts {
				if err := config.VerifyRange(extent.OpsRoot, parts[i].from, parts[i].list, &parts[i].proof); err != nil {
					b.Fatal(err)
				}
			}
		}
		report(b)
	})
	b.Run(fmt.Sprintf("rebuild/keys=%d", benchKeys), func(b *testing.B) {
		f, err := c.Foundation(extent.Length, boundary)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			r := NewRebuild(config, boundary, f.Pinned)
			for i := range parts {
				if err := r.Add(parts[i].data); err != nil {
					b.Fatal(err)
				}
			}
			if got, err := r.Commit(m); err != nil || got.Root() != c.Root() {
				b.Fatal(err)
			}
		}
		report(b)
	})
}
