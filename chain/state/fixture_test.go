package state

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

func sha(data []byte) digest.Hash { return sha256.Sum256(data) }

func be8(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }

// fixtureWrite is one write of the published workload; a nil value deletes.
type fixtureWrite struct {
	key   [32]byte
	value []byte
}

// fixtureBatches is the published workload of one seed.
//
// Spec: commonware §5.9.
func fixtureBatches(seed uint64) [4][]fixtureWrite {
	n := seed%50 + 5
	prefix := byte(seed % 256)
	key := func(i uint64) [32]byte { return sha(be8(i)) }
	value := func(i, salt uint64) []byte {
		v := sha(append(be8(i), be8(salt+1)...))
		return v[:]
	}
	colliding := func(i uint64) (k [32]byte) {
		k[0] = prefix
		copy(k[24:], be8(10000+i))
		return k
	}
	deleted := func(i uint64) bool { return (seed^i)%5 == 0 }
	var b [4][]fixtureWrite
	for i := range n {
		b[0] = append(b[0], fixtureWrite{key(i), value(i, 1)})
		if deleted(i) {
			b[1] = append(b[1], fixtureWrite{key(i), nil})
			b[2] = append(b[2], fixtureWrite{key(i), value(i, 3)})
		} else {
			b[1] = append(b[1], fixtureWrite{key(i), value(i, 2)})
		}
		b[3] = append(b[3], fixtureWrite{key(i), value(i, 5)})
	}
	for i := range n / 2 {
		b[2] = append(b[2], fixtureWrite{colliding(i), value(i, 4)})
		if i%2 == 1 {
			b[3] = append(b[3], fixtureWrite{colliding(i), nil})
		} else {
			b[3] = append(b[3], fixtureWrite{colliding(i), value(i, 6)})
		}
	}
	return b
}

// fixture is the digest of 200 roots as the published conformance values take
// it.
func fixture(t testing.TB, root func(seed uint64) digest.Hash) digest.Hash {
	h := sha256.New()
	for seed := range uint64(200) {
		r := root(seed)
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(r))))
		h.Write(r[:])
	}
	return digest.Hash(h.Sum(nil))
}

// Spec: commonware §5.9 (MMR ordered variable).
func TestPublishedFixtures(t *testing.T) {
	config := Config{Hash: sha, KeySize: 32, ValueSize: 32}
	run := func(seed uint64) *Commit {
		c := New(config, NewMemory(config))
		for _, batch := range fixtureBatches(seed) {
			o := c.Overlay()
			for _, w := range batch {
				if w.value == nil {
					o.Delete(w.key[:])
				} else {
					o.Set(w.key[:], w.value)
				}
			}
			var err error
			if c, err = o.commit(nil); err != nil {
				t.Fatal(err)
			}
		}
		return c
	}
	if got := fixture(t, func(seed uint64) digest.Hash { return run(seed).Roots().Ops }); got != mustHash(t,
		"e42304d395e9fa591637a5559c76086f86b9d2af9245ff45d31cacb2db1d65cf") {
		t.Errorf("Any: %v", got)
	}
	if got := fixture(t, func(seed uint64) digest.Hash { return run(seed).Root() }); got != mustHash(t,
		"66cd3cc0299ef062e23d4f9812d5d45896cd808ee0bc65d9745a4265895ae8b5") {
		t.Errorf("Current: %v", got)
	}
}

// plainRoot is the forward-folded root over elements that are digests of their
// numbers.
func plainRoot(sum digest.Function, n uint64) digest.Hash {
	h := mmr.NewHasher(sum)
	var build func(node mmr.Node) digest.Hash
	build = func(node mmr.Node) digest.Hash {
		if node.Height == 0 {
			e := sum(be8(node.Start))
			return h.Leaf(node.Position(), e[:])
		}
		left, right := build(node.Left()), build(node.Right())
		return h.Node(node.Position(), &left, &right)
	}
	var peaks []digest.Hash
	for _, p := range mmr.PeaksOf(n).All {
		peaks = append(peaks, build(p))
	}
	return h.PlainRoot(n, peaks)
}

// Spec: commonware §5.8, §5.9 (plain Merkle, MMR).
func TestPlainRange(t *testing.T) {
	for n, want := range map[uint64]string{
		0:  "71e0a99173564931c0b8acc52d2685a8e39c64dc52e3d02390fdac2a12b155cb",
		1:  "8752b573735d4e44e32e9386f5bb348dc6a036327db21f9e79fa9bfed37855de",
		2:  "a4529fb118a453c48b9466a51e09dcad8a35dbca1455d047d70c94d3b339b0e0",
		3:  "7a17663b9038f918b20a1cb0ddcae05855e2f90f3ea5953ee7e87c05a86b1688",
		11: "aed043e80101b70d2ec322dd53ca9b0e8509f8308146bc859343cf0513d5eb87",
	} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := plainRoot(Blake3, n); got != mustHash(t, want) {
				t.Errorf("n=%d: %v", n, got)
			}
		})
	}
	got := fixture(t, func(seed uint64) digest.Hash { return plainRoot(sha, seed) })
	if got != mustHash(t, "4078ce1f5e242f8edb1d41575d51e166af620404036124f8094fc74d4b401047") {
		t.Errorf("fixture: %v", got)
	}
}
