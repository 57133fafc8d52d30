package bls

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// BenchmarkStep is what each step of a validator's view costs among four: from it follows what a block takes at least. A join has hashed its messages.
func BenchmarkStep(b *testing.B) {
	sharing, shares, err := Deal([][]byte{repeated(0x11), repeated(0x22), repeated(0x33)}, 4)
	if err != nil {
		b.Fatal(err)
	}
	k, h, message := key(b, 1), &Hashes{}, []byte("a message")
	h.Expect(message)
	signature := k.Sign(message)
	step := func(name string, f func() bool) {
		b.Run(name, func(b *testing.B) {
			start := bench.Processor()
			for b.Loop() {
				if !f() {
					b.Fatal("it does not hold")
				}
			}
			b.ReportMetric(float64(bench.Processor()-start)/float64(b.N), "cpu-ns/op")
		})
	}
	step("step=hash", func() bool { return hashToG2(message, messageDST) != nil })
	step("step=decode", func() bool { _, err := uncompress(signature); return err == nil })
	step("step=subgroup", func() bool { _, err := inside(signature); return err == nil })
	step("step=sign", func() bool { return h.Sign(k, message) == signature })
	step("step=verify", func() bool { return h.Verify(k.PublicKey(), message, signature) == nil })

	batches := []Batch{{Preimage: []byte("votes")}, {Preimage: []byte("commits")}}
	j := Joint{Group: sharing.GroupKey(), Threshold: 3, Round: []byte("round")}
	for i := range 3 {
		k := key(b, byte(i+1))
		for n := range batches {
			batches[n].Keys = append(batches[n].Keys, k.PublicKey())
			batches[n].Signatures = append(batches[n].Signatures, k.Sign(batches[n].Preimage))
		}
	}
	for _, holders := range [][]int{{0, 1, 2}, {0, 1, 3}} {
		j.Partials = nil
		for _, i := range holders {
			j.Partials = append(j.Partials, shares[i].Sign(j.Round))
		}
		step(fmt.Sprint("step=recover/holders=", holders), func() bool { _, err := Recover(3, j.Partials); return err == nil })
	}
	second := key(b, 2)
	others := []Check{{k.PublicKey(), message, signature}, {second.PublicKey(), []byte("another"), second.Sign([]byte("another"))}}
	for n := 1; n <= len(batches); n++ {
		for claims := range len(others) + 1 {
			j.Batches, j.Others = batches[:n], others[:claims]
			step(fmt.Sprintf("step=join/batches=%d/others=%d", n, claims), func() bool { _, _, ok := h.Join(j); return ok })
		}
	}
}
