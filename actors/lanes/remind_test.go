package lanes

import (
	"bytes"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ear is a link that keeps what is sent, by receiver; the zero peer stands for all.
type ear struct {
	link.Alone
	heard map[link.Peer][][]byte
}

func (e *ear) Send(to link.Peer, _ link.Channel, frame []byte) {
	raw, err := decodeFlood(frame)
	if err != nil {
		panic(err)
	}
	e.heard[to] = append(e.heard[to], raw...)
}

func (e *ear) Broadcast(c link.Channel, frame []byte) { e.Send(link.Peer{}, c, frame) }

// What clients of this node sent and still waits is told to a peer that connects, in order, and to all once it has waited long; what peers sent is theirs to
// tell.
//
// Spec: WP "Network Layer" (transactions flood to all peers).
func TestRemind(t *testing.T) {
	p := newPool(t)
	e := &ear{heard: map[link.Peer][][]byte{}}
	r := &Router{Handle: NewHandle(), Link: e, book: p.book}
	admit := func(name string, nonce uint64, own bool, pad int) []byte {
		x := &tx.Tx{
			ChainID: 1, Nonce: nonce, Instruction: &tx.Transfer{To: account.Address{9}, Amount: 1}, CyclesLimit: 21_000, MaxFeePerCycle: 10_000,
			MaxFeePerCell: 10_000, From: person(name), Metadata: make([]byte, pad), CellsLimit: unit.Cells(pad),
		}
		copy(x.Signature[:], x.From[:])
		v, err := tx.Verify(x, 1, named{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.book.admit(v, own, p.view()); err != nil {
			t.Fatal(err)
		}
		return x.Encode()
	}
	told := func(who link.Peer, want ...[]byte) {
		t.Helper()
		if !slices.EqualFunc(e.heard[who], want, bytes.Equal) {
			t.Errorf("%v was told %d transactions, want %d", who, len(e.heard[who]), len(want))
		}
		delete(e.heard, who)
	}
	first := admit("ann", 0, true, 0)
	admit("bob", 0, false, 0)
	p.height = 30
	second := admit("ann", 1, true, 0)
	peer := link.Peer{7}
	r.view = p.view()
	r.handle(met{peer})
	told(peer, first, second)
	r.remind(nil, 29)
	told(link.Peer{}, first)
	p.nonces["ann"] = 1 // the first is final
	if _, err := p.book.included([]*tx.Tx{{From: person("ann")}}, p.view()); err != nil {
		t.Fatal(err)
	}
	r.remind(nil, 30)
	told(link.Peer{}, second)

	// So many are told between two blocks.
	for i := range byte(2 * greetMost) {
		r.handle(met{link.Peer{100 + i}})
	}
	if n := len(e.heard); n != greetMost-1 { // and the first
		t.Errorf("%d more were told", n)
	}
	clear(e.heard)

	// Many are told in frames, up to a bound.
	const pad = 60 << 10
	for nonce := range uint64(30) {
		admit("cyd", nonce, true, pad)
	}
	r.remind(&peer, 30)
	if n := len(e.heard[peer]); n < remindMost/(pad+200)-1 || n > remindMost/pad+1 || !bytes.Equal(e.heard[peer][0], second) {
		t.Errorf("told %d transactions", n)
	}
}
