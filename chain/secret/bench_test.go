package secret

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// What the costliest instructions take, beside their prices: a cycle buys at most 6 ns. A receipt 600,000 cycles, a rotation of four of five 1,920,000, an
// envelope 200,000, evidence 800,000.
//
// Spec: secrets-cbss §7.
func BenchmarkReceipt(b *testing.B) {
	s := newShop(b)
	p := s.committee[3]
	f := s.receipt(s.ask(p), p)
	mark := s.overlay.Mark()
	for b.Loop() {
		if err := s.Record(f); err != nil {
			b.Fatal(err)
		}
		s.overlay.Revert(mark)
	}
}

func BenchmarkRotation(b *testing.B) {
	w := newWorld(b, 9)
	of := AccountScope(owner)
	w.accountKey(owner)
	w.must(w.Reshare(of, owner))
	w.end()
	w.end()
	r := w.agreed(of)
	mark := w.overlay.Mark()
	for b.Loop() {
		if err := w.bring(r); err != nil {
			b.Fatal(err)
		}
		w.overlay.Revert(mark)
	}
}

func BenchmarkSet(b *testing.B) {
	w := newWorld(b, 9)
	k := w.accountKey(owner)
	id := secretOf(owner, "KEY")
	with := w.wrap(id, 1, k)
	mark := w.overlay.Mark()
	for b.Loop() {
		if _, err := w.Set(id, Policy{}, with, nil, digest.Hash{}); err != nil {
			b.Fatal(err)
		}
		w.overlay.Revert(mark)
	}
}

func BenchmarkEvidence(b *testing.B) {
	s := newShop(b)
	p := s.committee[0]
	q := s.ask(p)
	evidence := append(q.Signed(runnerKey()), s.answer(q, p, func(a *cbss.Answer) { a.Partial = s.partialOf(s.committee[1], q) })...)
	mark := s.overlay.Mark()
	for b.Loop() {
		if err := s.Slash(p.id, InvalidPartial, evidence); err != nil {
			b.Fatal(err)
		}
		s.overlay.Revert(mark)
	}
}

// The end of a block at its bounds: sixteen committees drawn of a full registry.
func BenchmarkDraw(b *testing.B) {
	w := newWorld(b, MaxProxies)
	for n := range drawsPerBlock {
		who := keyOf("account", n).Address()
		w.fund(who, w.Config.DkgBond)
		w.must(w.RequestKey(who, who))
	}
	w.end()
	mark := w.overlay.Mark()
	for b.Loop() {
		if err := w.draw(); err != nil {
			b.Fatal(err)
		}
		w.overlay.Revert(mark)
	}
}
