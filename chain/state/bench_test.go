package state

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const benchKeys = 1 << 20

// benchKey is a 32-byte key in no particular order.
func benchKey(i int) []byte {
	h := sha(binary.BigEndian.AppendUint64([]byte("key"), uint64(i)))
	return h[:]
}

func benchState(b *testing.B) (*Memory, *Commit) {
	m := NewMemory(Config{})
	c := New(Config{}, m)
	if err := m.Add(c.Delta()); err != nil {
		b.Fatal(err)
	}
	o := c.Overlay()
	for i := range benchKeys {
		k := benchKey(i)
		o.Set(k, k)
	}
	c, err := o.Commit(1)
	if err == nil {
		err = m.Add(c.Delta())
	}
	if err != nil {
		b.Fatal(err)
	}
	return m, c.Settled(m)
}

// BenchmarkCommit measures the pure part of a block: from written overlay to
// root.
func BenchmarkCommit(b *testing.B) {
	m, c := benchState(b)
	r := rand.New(rand.NewSource(1))
	keys := make([][]byte, benchKeys)
	for i := range keys {
		keys[i] = benchKey(i)
	}
	for _, updates := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("keys=%d/updates=%d", benchKeys, updates), func(b *testing.B) {
			for b.Loop() {
				o := c.Overlay()
				for range updates {
					k := keys[r.Intn(benchKeys)]
					o.Set(k, keys[r.Intn(benchKeys)])
				}
				next, err := o.Commit(unit.Height(2))
				if err == nil {
					err = m.Add(next.Delta())
				}
				if err != nil {
					b.Fatal(err)
				}
				c = next.Settled(m)
			}
		})
	}
}
