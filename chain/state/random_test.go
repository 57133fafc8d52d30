package state

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The oracle itself is held against the published values of every MMR variant.
//
// Spec: commonware §5.9.
func TestOracleFixtures(t *testing.T) {
	for i, v := range []struct {
		ordered, fixed bool
		any, current   string
	}{
		{false, true, "79c5de9509b38d619ea082cdee833f80eadfa0ef21211f69039ee2d37de07bad", "8ce052fef8ce8e4d817a2961144cf3a28aec4bd6eb75d32b013499116a6981da"},
		{false, false, "22374a7cbdfa0bdac17e2e285422a54375fec27017942ef7abea2cf8da298c70", "0d0591823b7d5ed8dcb940d086ec214062eb3cfffd018e9fbadf9e16ce8da0f7"},
		{true, true, "2c82870cf341bd0a55cdec3114d8dee0b8033a4cc552dd1d5ab421f092496b55", "0e5264ac6a0c0d56ace9ebc986635b128f9d7a118471875ad874b08e80f66ebb"},
		{true, false, "e42304d395e9fa591637a5559c76086f86b9d2af9245ff45d31cacb2db1d65cf", "66cd3cc0299ef062e23d4f9812d5d45896cd808ee0bc65d9745a4265895ae8b5"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			states := make([]digest.Hash, 0, 200)
			anys := fixture(t, func(seed uint64) digest.Hash {
				o := newOracle(sha, v.ordered, v.fixed, true)
				for _, b := range fixtureBatches(seed) {
					batch := map[string]*string{}
					for _, w := range b {
						batch[string(w.key[:])] = nil
						if w.value != nil {
							value := string(w.value)
							batch[string(w.key[:])] = &value
						}
					}
					o.apply(batch)
				}
				ops, state := o.roots()
				states = append(states, state)
				return ops
			})
			current := fixture(t, func(seed uint64) digest.Hash { return states[seed] })
			if anys != mustHash(t, v.any) || current != mustHash(t, v.current) {
				t.Errorf("ordered=%v fixed=%v: %v %v", v.ordered, v.fixed, anys, current)
			}
		})
	}
}

// world runs the store and the oracle side by side.
type world struct {
	t      *testing.T
	r      *rand.Rand
	memory *Memory
	head   *Commit
	oracle *oracle
	keys   []string // names the writes are drawn from
}

func newWorld(t *testing.T, seed int64, names int) *world {
	w := &world{t: t, r: rand.New(rand.NewSource(seed)), memory: NewMemory(Config{}), oracle: newOracle(Blake3, true, false, false)}
	w.head = New(Config{}, w.memory)
	for range names {
		k := make([]byte, w.r.Intn(6))
		for i := range k {
			k[i] = byte(w.r.Intn(3)) * 0x7f
		}
		w.keys = append(w.keys, string(k)+fmt.Sprint(w.r.Intn(names)))
	}
	w.keys = append(w.keys, "", "\x00", "\xff\xff")
	return w
}

// batch draws writes: mostly updates, at times mass creation or deletion.
func (w *world) batch(mood int) map[string]*string {
	out := map[string]*string{}
	n := w.r.Intn(20)
	if mood != 0 {
		n = len(w.keys)
	}
	for range n {
		k := w.keys[w.r.Intn(len(w.keys))]
		if mood < 0 || mood == 0 && w.r.Intn(4) == 0 {
			out[k] = nil
			continue
		}
		v := fmt.Sprint(w.r.Intn(1000))
		out[k] = &v
	}
	if mood < -1 {
		for _, k := range w.keys {
			out[k] = nil
		}
	}
	return out
}

// step commits a batch on both sides and compares operations and roots.
func (w *world) step(batch map[string]*string, settle bool) {
	w.t.Helper()
	before := len(w.oracle.ops)
	w.oracle.apply(batch)
	o := w.head.Overlay()
	for _, k := range sortedKeys(batch) {
		if v := batch[k]; v == nil {
			o.Delete([]byte(k))
		} else {
			o.Set([]byte(k), []byte(*v))
		}
	}
	next, err := o.commit(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	d := next.Delta()
	if d.Len() != len(w.oracle.ops)-before {
		w.t.Fatalf("%d operations, oracle has %d", d.Len(), len(w.oracle.ops)-before)
	}
	for i := range d.Len() {
		if want := w.oracle.encode(w.oracle.ops[before+i]); !bytes.Equal(d.Operation(i), want) {
			w.t.Fatalf("operation %d is %x, oracle has %x", before+i, d.Operation(i), want)
		}
	}
	ops, state := w.oracle.roots()
	if next.Roots().Ops != ops || next.Root() != state {
		w.t.Fatalf("roots %v %v at length %d, oracle has %v %v", next.Roots().Ops, next.Root(), next.Length(), ops, state)
	}
	if settle {
		for _, d := range append([]*Delta(nil), next.tail...) {
			if d.Start >= w.memory.Length() {
				if err := w.memory.Add(d); err != nil {
					w.t.Fatal(err)
				}
			}
		}
		w.memory.Prune(next.Floor() / ChunkBits * ChunkBits)
	}
	w.head = next
}

// Spec: commonware §5.3, §5.4, §5.5, §5.7.
func TestAgainstOracle(t *testing.T) {
	for seed := range int64(6) {
		w := newWorld(t, seed, []int{3, 12, 60, 150, 150, 400}[seed])
		for i := range 60 {
			mood := 0
			switch w.r.Intn(12) {
			case 0:
				mood = 1
			case 1:
				mood = -1
			case 2:
				mood = -2 * w.r.Intn(2)
			}
			w.step(w.batch(mood), i%3 != 1)
			w.checkReads()
		}
		w.checkProofs()
	}
}

// checkReads compares lookups and scans with the oracle.
func (w *world) checkReads() {
	live := w.oracle.live()
	for _, k := range w.keys {
		value, ok, err := w.head.Lookup([]byte(k))
		at, want := live[k]
		if err != nil || ok != want || ok && string(value) != w.oracle.ops[at].value {
			w.t.Fatalf("lookup %q: %q %v %v", k, value, ok, err)
		}
	}
	keys, i := sortedKeys(live), 0
	err := w.head.Scan(nil, nil, 0, func(key, value []byte) bool {
		if string(key) != keys[i] || string(value) != w.oracle.ops[live[keys[i]]].value {
			w.t.Fatalf("scan gave %q=%q, want key %q", key, value, keys[i])
		}
		i++
		return true
	})
	if err != nil || i != len(keys) || w.head.Len() != len(keys) {
		w.t.Fatalf("scan gave %d of %d keys: %v", i, len(keys), err)
	}
}

// checkProofs proves and verifies every location, key and some absent keys.
func (w *world) checkProofs() {
	t, c, config := w.t, w.head, Config{}
	active := w.oracle.active()
	for i, on := range active {
		p, err := c.ProveOperation(uint64(i))
		if !on {
			if err == nil {
				t.Fatalf("location %d is inactive and has a proof", i)
			}
			continue
		}
		op := w.oracle.encode(w.oracle.ops[i])
		if err != nil || config.VerifyOperation(c.Root(), op, &p) != nil {
			t.Fatalf("location %d of %d: %v", i, len(active), err)
		}
		again, err := config.DecodeOperationProof(config.EncodeOperationProof(&p))
		if err != nil || config.VerifyOperation(c.Root(), op, &again) != nil {
			t.Fatalf("location %d decoded: %v", i, err)
		}
		w.tamper(op, &p)
	}
	live := w.oracle.live()
	for _, k := range append(w.keys, "absent", "\x01", "zz", "\xff\xff\xff") {
		if at, ok := live[k]; ok {
			p, err := c.ProveKey([]byte(k))
			if err != nil || config.VerifyKey(c.Root(), []byte(k), []byte(w.oracle.ops[at].value), &p) != nil {
				t.Fatalf("key %q: %v", k, err)
			}
			if config.VerifyKey(c.Root(), []byte(k), []byte("other"), &p) == nil {
				t.Fatalf("key %q: proof of a wrong value", k)
			}
			if _, err := c.ProveAbsent([]byte(k)); err != ErrPresent {
				t.Fatalf("key %q: %v", k, err)
			}
			continue
		}
		p, err := c.ProveAbsent([]byte(k))
		if err != nil || config.VerifyAbsent(c.Root(), []byte(k), &p) != nil {
			t.Fatalf("absent key %q: %v", k, err)
		}
		for present := range live {
			if config.VerifyAbsent(c.Root(), []byte(present), &p) == nil {
				t.Fatalf("absence of %q also proves absence of %q", k, present)
			}
		}
		if _, err := c.ProveKey([]byte(k)); err != ErrAbsent {
			t.Fatalf("absent key %q: %v", k, err)
		}
	}
}

// tamper changes one part of a proof at a time; none may verify.
func (w *world) tamper(op []byte, p *OperationProof) {
	refuse := func(what string, change func(q *OperationProof)) {
		q, _ := Config{}.DecodeOperationProof(p.Append(nil))
		change(&q)
		if (Config{}).VerifyOperation(w.head.Root(), op, &q) == nil {
			w.t.Fatalf("location %d: verifies with a wrong %s", p.Location, what)
		}
	}
	for i := range p.Range.Digests {
		refuse("digest", func(q *OperationProof) { q.Range.Digests[i][7] ^= 1 })
	}
	refuse("number of digests", func(q *OperationProof) { q.Range.Digests = append(q.Range.Digests, hash{}) })
	if len(p.Range.Digests) > 0 {
		refuse("number of digests", func(q *OperationProof) { q.Range.Digests = q.Range.Digests[1:] })
	}
	refuse("location", func(q *OperationProof) { q.Location ^= 1 })
	refuse("chunk", func(q *OperationProof) { q.Chunk[int(p.Location+8)%ChunkBits/8] ^= 1 })
	refuse("chunk bit", func(q *OperationProof) { q.Chunk[p.Location%ChunkBits/8] &^= 1 << (p.Location % 8) })
	refuse("length", func(q *OperationProof) { q.Range.Leaves++ })
	refuse("inactive count", func(q *OperationProof) { q.Range.Inactive++ })
	refuse("ops root", func(q *OperationProof) { q.Range.OpsRoot[0] ^= 1 })
	refuse("partial digest", func(q *OperationProof) {
		if q.Range.Partial == nil {
			q.Range.Partial = new(hash)
		} else {
			q.Range.Partial = nil
		}
	})
}
