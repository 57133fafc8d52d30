package catchup

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// chain is a source of empty blocks; own tells which have a finalization of their own.
type chain struct {
	blocks []*block.Block
	own    func(unit.Height) bool
}

func newChain(n int) *chain {
	c := &chain{own: func(unit.Height) bool { return true }}
	parent := &block.Block{Header: block.Header{Version: 1, ChainID: 1}}
	c.blocks = append(c.blocks, parent)
	for h := unit.Height(1); int(h) <= n; h++ {
		b := &block.Block{Header: block.Header{
			Version: 1, ChainID: 1, Height: h, Epoch: params.Calendar{}.Epoch(h), View: uint64(h), ParentHash: parent.Hash(), TxRoot: block.TxRoot(nil),
		}}
		c.blocks = append(c.blocks, b)
		parent = b
	}
	return c
}

func (c *chain) Finalized() unit.Height                    { return unit.Height(len(c.blocks) - 1) }
func (c *chain) First() unit.Height                        { return 0 }
func (c *chain) Block(h unit.Height) (*block.Block, error) { return c.blocks[h], nil }
func (c *chain) place(h unit.Height) place                 { return place{h, c.blocks[h].Hash()} }
func (c *chain) finalization(h unit.Height) *sig.Certificate {
	b := c.blocks[h]
	return &sig.Certificate{Kind: sig.Finalization, Signers: sig.NewSigners(4), Subject: sig.Subject{
		BlockHash: b.Hash(), Height: uint64(h), Round: b.Header.Round(),
	}}
}

func (c *chain) Certificates(h unit.Height) ([]*sig.Certificate, error) {
	if !c.own(h) {
		return []*sig.Certificate{c.finalization(c.Finalized())}, nil
	}
	return []*sig.Certificate{{Kind: sig.Notarization}, c.finalization(h)}, nil
}

func believe(*sig.Certificate) error { return nil }

// A range ends at the last block in the budget with a finalization of its own, and proves all its blocks.
//
// Spec: commonware §3.4, §3.8.
func TestCollectAndProve(t *testing.T) {
	c := newChain(600)
	for name, x := range map[string]struct {
		from, last unit.Height
		own        func(unit.Height) bool
	}{
		"a full range":            {1, maxBlocks, c.own},
		"the rest":                {500, 600, c.own},
		"sparse finalizations":    {1, 250, func(h unit.Height) bool { return h%50 == 0 }},
		"none within the range":   {1, 0, func(h unit.Height) bool { return h == 600 }},
		"only at the top":         {400, 600, func(h unit.Height) bool { return h == 600 }},
		"beyond the top":          {601, 0, c.own},
		"genesis needs no answer": {0, 0, c.own},
	} {
		c.own = x.own
		a, err := collect(params.Calendar{}, c, question{7, x.from})
		if err != nil || a.id != 7 || a.top != 600 {
			t.Fatalf("%s: %+v, %v", name, a, err)
		}
		if x.last == 0 {
			if len(a.blocks) != 0 {
				t.Errorf("%s: %d blocks", name, len(a.blocks))
			}
			continue
		}
		to, err := prove(params.Calendar{}, c.place(x.from-1), a, believe)
		if err != nil || to != c.place(x.last) {
			t.Errorf("%s: up to %d, %v", name, to.height, err)
		}
	}
}

// No range crosses the end of an epoch. Spec: WP "Validator Set".
func TestRangesEndWithTheEpoch(t *testing.T) {
	c := newChain(params.EpochBlocks + 20)
	last := unit.Height(params.EpochBlocks - 1)
	a, err := collect(params.Calendar{}, c, question{1, last - 9})
	if err != nil || len(a.blocks) != 10 {
		t.Fatalf("%d blocks, %v", len(a.blocks), err)
	}
	s := &chase{}
	s.start(c.place(last-10), time.Time{})
	s.up(link.Peer{1})
	s.seek(last + 20)
	if _, _, ok := s.next(time.Time{}); !ok {
		t.Fatal("nothing is asked")
	}
	s.took(c.place(last), 1, last+20, time.Time{})
	if _, _, ok := s.next(time.Time{}); ok {
		t.Error("the next epoch is asked for before its validators are known")
	}
	s.durable(c.place(last), time.Time{})
	if q, _, ok := s.next(time.Time{}); !ok || q.from != last+1 {
		t.Errorf("asked for %d, %v", q.from, ok)
	}
}

// Whatever is changed in a range, it proves nothing.
func TestProveRejects(t *testing.T) {
	c := newChain(10)
	no := errors.New("no quorum")
	for name, spoil := range map[string]func(a *answer) func(*sig.Certificate) error{
		"nothing": func(a *answer) func(*sig.Certificate) error { return believe },
		"a block left out": func(a *answer) func(*sig.Certificate) error {
			a.blocks = append(a.blocks[:3:3], a.blocks[4:]...)
			return believe
		},
		"the last left out": func(a *answer) func(*sig.Certificate) error { a.blocks = a.blocks[:9]; return believe },
		"not a block":       func(a *answer) func(*sig.Certificate) error { a.blocks[2] = []byte{1}; return believe },
		"other order": func(a *answer) func(*sig.Certificate) error {
			a.blocks[2], a.blocks[3] = a.blocks[3], a.blocks[2]
			return believe
		},
		"a notarization": func(a *answer) func(*sig.Certificate) error { a.finalization.Kind = sig.Notarization; return believe },
		"another height": func(a *answer) func(*sig.Certificate) error { a.finalization.Subject.Height++; return believe },
		"another epoch":  func(a *answer) func(*sig.Certificate) error { a.finalization.Subject.Round.Epoch++; return believe },
		"no certificate": func(a *answer) func(*sig.Certificate) error { a.finalization = nil; return believe },
		"no quorum":      func(a *answer) func(*sig.Certificate) error { return func(*sig.Certificate) error { return no } },
		"another body": func(a *answer) func(*sig.Certificate) error {
			b := *c.blocks[10]
			b.Header.TxCount++
			a.blocks[9] = b.Encode()
			a.finalization.Subject.BlockHash = b.Hash()
			return believe
		},
	} {
		a, err := collect(params.Calendar{}, c, question{1, 1})
		if err != nil {
			t.Fatal(err)
		}
		verify := spoil(a)
		_, err = prove(params.Calendar{}, c.place(0), a, verify)
		if (err == nil) != (name == "nothing") {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && !errors.Is(err, errRange) && !errors.Is(err, no) {
			t.Errorf("%s: %v is no verdict about the range", name, err)
		}
	}
}

// Peers are asked in turn; one that does not answer, and answers without a use, move the turn on; when nobody has anything the node rests, and looks
// again when it stands still.
func TestTurns(t *testing.T) {
	c := newChain(100)
	at := time.Unix(1_000, 0)
	s := &chase{}
	s.start(c.place(0), at)
	s.seek(100)
	if _, _, ok := s.next(at); ok {
		t.Fatal("asked without peers")
	}
	s.up(link.Peer{1})
	s.up(link.Peer{2})
	q, first, ok := s.next(at)
	if !ok || q.from != 1 {
		t.Fatalf("%+v %v", q, ok)
	}
	if _, _, ok := s.next(at); ok {
		t.Error("two questions are out")
	}
	if s.expects(link.Peer{9}, &answer{id: q.id}) || s.expects(first, &answer{id: q.id + 1}) || !s.expects(first, &answer{id: q.id}) {
		t.Error("the wrong answers are expected")
	}
	s.useless()
	_, second, ok := s.next(at)
	if !ok || second == first {
		t.Fatalf("asked %v again", second)
	}
	s.took(c.place(60), 100, 100, at)
	q, _, ok = s.next(at)
	if !ok || q.from != 61 {
		t.Fatalf("%+v %v", q, ok)
	}
	at = at.Add(answerWithin)
	s.look(at)
	if _, _, ok = s.next(at); !ok {
		t.Fatal("a peer that does not answer is waited for")
	}
	s.useless()
	if _, _, ok = s.next(at); ok {
		t.Error("nobody has anything, and somebody is asked")
	}
	at = at.Add(standstill)
	s.look(at)
	if q, _, ok = s.next(at); !ok || q.from != 1 {
		t.Errorf("after a standstill: %+v %v; what was fetched never became durable", q, ok)
	}
	s.down(link.Peer{1})
	s.down(link.Peer{2})
	if _, _, ok := s.next(at); ok {
		t.Error("asked a peer that is gone")
	}
}

// What is fetched ahead of the disk is bounded in blocks and in bytes.
func TestAheadIsBounded(t *testing.T) {
	c := newChain(aheadMax + 10)
	for name, took := range map[string]func(s *chase){
		"blocks": func(s *chase) { s.took(c.place(aheadMax), 1, aheadMax+10, time.Time{}) },
		"bytes":  func(s *chase) { s.took(c.place(5), aheadBytes, aheadMax+10, time.Time{}) },
	} {
		s := &chase{}
		s.start(c.place(0), time.Time{})
		s.up(link.Peer{1})
		s.seek(aheadMax + 10)
		took(s)
		if _, _, ok := s.next(time.Time{}); ok {
			t.Errorf("%s: more is fetched", name)
		}
		s.durable(c.place(5), time.Time{})
		if _, _, ok := s.next(time.Time{}); !ok {
			t.Errorf("%s: nothing is fetched after the disk has moved", name)
		}
	}
}

// A peer is served its budget at once and no more than the rate after it.
func TestBudget(t *testing.T) {
	b, at := &budget{}, time.Unix(1_000, 0)
	if !b.spend(budgetBurst, at) || b.spend(1, at) {
		t.Error("the burst is not the burst")
	}
	if b.spend(1, at.Add(0)) {
		t.Error("served without time passing")
	}
	if at = at.Add(time.Second); !b.spend(budgetRate, at) || b.spend(1, at) {
		t.Error("the rate is not the rate")
	}
}

func answers() []*answer {
	c := newChain(3)
	a, _ := collect(params.Calendar{}, c, question{9, 1})
	return []*answer{a, {id: 4, top: 77}}
}

// Frames come back as they were, and no part of one is a frame. Spec: commonware §1.3.
func TestFrames(t *testing.T) {
	var list [][]byte
	for _, a := range answers() {
		list = append(list, a.encode())
	}
	list = append(list, (&question{5, 6}).encode())
	list = append(list, stateFrames(t)...)
	for i, data := range list {
		x, err := decode(data)
		if err != nil || !bytes.Equal(again(x), data) {
			t.Errorf("frame %d: %v", i, err)
		}
		for cut := range data {
			if _, err := decode(data[:cut]); err == nil {
				t.Errorf("frame %d cut at %d is taken", i, cut)
			}
		}
	}
}

func again(x any) []byte { return x.(reply).encode() }

func FuzzFrame(f *testing.F) {
	for _, a := range answers() {
		f.Add(a.encode())
	}
	f.Add((&question{5, 6}).encode())
	for _, data := range stateFrames(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := decode(data)
		if err == nil && !bytes.Equal(again(x), data) {
			t.Error("two encodings")
		}
	})
}
