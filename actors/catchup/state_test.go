package catchup

import (
	"bytes"
	"errors"
	"slices"
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

func (c *chain) Finalized() unit.Height    { return unit.Height(len(c.blocks) - 1) }
func (c *chain) First() unit.Height        { return 0 }
func (c *chain) place(h unit.Height) place { return place{h, c.blocks[h].Hash()} }
func (c *chain) finalization(h unit.Height) *sig.Certificate {
	b := c.blocks[h]
	return &sig.Certificate{Kind: sig.Finalization, Signers: sig.NewSigners(4), Subject: sig.Subject{
		BlockHash: b.Hash(), Height: uint64(h), Round: b.Header.Round(),
	}}
}

func (c *chain) Encoded(h unit.Height) ([]byte, []*sig.Certificate, error) {
	raw := c.blocks[h].Encode()
	if !c.own(h) {
		return raw, []*sig.Certificate{c.finalization(c.Finalized())}, nil
	}
	return raw, []*sig.Certificate{{Kind: sig.Notarization}, c.finalization(h)}, nil
}

func believe(*sig.Certificate) error { return nil }

// judge unpacks an answer to a request about the blocks after a place, and proves it.
func judge(from place, a *answer, verify func(*sig.Certificate) error) (place, error) {
	p, err := unpack(params.Calendar{}, from.height+1, a)
	if err != nil {
		return from, err
	}
	_, err = p.prove(from, verify)
	return p.last(), err
}

// A range ends at the last block asked for with a finalization of its own, or the first one behind those, within the budget, and proves all its blocks.
//
// Spec: commonware §3.4, §3.8.
func TestCollectAndProve(t *testing.T) {
	c := newChain(1500)
	every := func(n unit.Height) func(unit.Height) bool { return func(h unit.Height) bool { return h%n == 0 } }
	for name, x := range map[string]struct {
		from, count, last unit.Height
		own               func(unit.Height) bool
	}{
		"a full range":                 {1, 5_000, maxBlocks, c.own},
		"as many as were asked for":    {7, 100, 106, c.own},
		"the rest":                     {1400, 300, 1500, c.own},
		"sparse finalizations":         {1, 490, 450, every(50)},
		"the next finalization":        {401, 10, 450, every(50)},
		"none within the range":        {1, 2_000, 0, every(1500)},
		"only at the top":              {900, 4, 1500, every(1500)},
		"beyond the top":               {1501, 10, 0, c.own},
		"genesis needs no answer":      {0, 10, 0, c.own},
		"nothing asked, one is served": {5, 0, 5, c.own},
	} {
		t.Run(name, func(t *testing.T) {
			c.own = x.own
			a, err := collect(params.Calendar{}, c, request{7, x.from, x.count})
			if err != nil || a.id != 7 || a.top != 1500 {
				t.Fatalf("%s: %+v, %v", name, a, err)
			}
			if x.last == 0 {
				if len(a.blocks) != 0 {
					t.Errorf("%s: %d blocks", name, len(a.blocks))
				}
				return
			}
			if len(a.blocks) == 0 {
				t.Fatalf("%s: no blocks", name)
			}
			to, err := judge(c.place(x.from-1), a, believe)
			if err != nil || to != c.place(x.last) {
				t.Errorf("%s: up to %d, %v", name, to.height, err)
			}
		})
	}
}

// No range crosses the end of an epoch. Spec: WP "Validator Set".
func TestRangesEndWithTheEpoch(t *testing.T) {
	c := newChain(params.EpochBlocks + 20)
	last := unit.Height(params.EpochBlocks - 1)
	a, err := collect(params.Calendar{}, c, request{1, last - 9, 1000})
	if err != nil || len(a.blocks) != 10 {
		t.Fatalf("%d blocks, %v", len(a.blocks), err)
	}
	s := newRangeFetch(c.place(last-10), 1)
	s.seek(last + 20)
	q, _, ok := s.next(time.Time{})
	if !ok || q.from != last-9 || q.count != 10 {
		t.Fatalf("asked for %d, %d blocks, %v", q.from, q.count, ok)
	}
	if _, _, ok := s.next(time.Time{}); ok {
		t.Error("the next epoch is asked for before its validators are known")
	}
	s.asks = nil
	s.took(c.place(last), 1, time.Time{})
	if _, _, ok := s.next(time.Time{}); ok {
		t.Error("the next epoch is asked for before its validators are known")
	}
	s.durable(c.place(last), time.Time{})
	if q, _, ok := s.next(time.Time{}); !ok || q.from != last+1 || q.count != 20 {
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
		"the first left out": func(a *answer) func(*sig.Certificate) error { a.blocks = a.blocks[1:]; return believe },
		"the last left out":  func(a *answer) func(*sig.Certificate) error { a.blocks = a.blocks[:9]; return believe },
		"not a block":        func(a *answer) func(*sig.Certificate) error { a.blocks[2] = []byte{1}; return believe },
		"other order": func(a *answer) func(*sig.Certificate) error {
			a.blocks[2], a.blocks[3] = a.blocks[3], a.blocks[2]
			return believe
		},
		"another parent": func(a *answer) func(*sig.Certificate) error {
			b := *c.blocks[1]
			b.Header.ParentHash[0]++
			a.blocks[0] = b.Encode()
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
		t.Run(name, func(t *testing.T) {
			a, err := collect(params.Calendar{}, c, request{1, 1, 10})
			if err != nil {
				t.Fatal(err)
			}
			verify := spoil(a)
			_, err = judge(c.place(0), a, verify)
			if (err == nil) != (name == "nothing") {
				t.Errorf("%s: %v", name, err)
			}
			if err != nil && !errors.Is(err, errRange) && !errors.Is(err, no) {
				t.Errorf("%s: %v is no verdict about the range", name, err)
			}
		})
	}
}

// newRangeFetch stands at a place and has some peers, numbered from 1.
func newRangeFetch(at place, peers int) *rangeFetch {
	s := &rangeFetch{room: aheadBytes}
	s.start(at, time.Unix(1_000, 0))
	for i := range peers {
		s.up(link.Peer{byte(i + 1)})
	}
	return s
}

// batch makes the answer to a request about some blocks.
func (c *chain) batch(t *testing.T, from, count unit.Height) *batch {
	t.Helper()
	a, err := collect(params.Calendar{}, c, request{1, from, count})
	if err != nil {
		t.Fatal(err)
	}
	p, err := unpack(params.Calendar{}, from, a)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Peers are asked in turn; one that does not answer, and answers without a use, move the turn on; when nobody has anything the node rests, and looks
// again when it stands still.
func TestTurns(t *testing.T) {
	c := newChain(100)
	at := time.Unix(1_000, 0)
	s := newRangeFetch(c.place(0), 0)
	s.seek(100)
	if _, _, ok := s.next(at); ok {
		t.Fatal("asked without peers")
	}
	s.up(link.Peer{1})
	s.up(link.Peer{2})
	q, first, ok := s.next(at)
	if !ok || q.from != 1 || q.count != 100 {
		t.Fatalf("%+v %v", q, ok)
	}
	if _, _, ok := s.next(at); ok {
		t.Error("two are asked for the same blocks")
	}
	if _, ok := s.answered(link.Peer{9}, q.id); ok {
		t.Error("an answer of somebody else is expected")
	}
	if _, ok := s.answered(first, q.id+1); ok {
		t.Error("an answer to nothing is expected")
	}
	s.useless(s.asks[0])
	q, second, ok := s.next(at)
	if !ok || second == first {
		t.Fatalf("asked %v again", second)
	}
	if _, ok := s.answered(second, q.id); !ok {
		t.Fatal("the answer is not expected")
	}
	s.took(c.place(60), 100, at)
	if q, _, ok = s.next(at); !ok || q.from != 61 {
		t.Fatalf("%+v %v", q, ok)
	}
	at = at.Add(answerWithin)
	s.look(at)
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
	if _, _, ok := s.next(at); ok || len(s.asks) > 0 {
		t.Error("asked a peer that is gone")
	}
}

// What was handed over and lost, as by a replica that restarts, is fetched again after a standstill, however many later blocks come meanwhile.
func TestLostRange(t *testing.T) {
	c := newChain(100)
	now := time.Unix(1_000, 0)
	s := newRangeFetch(c.place(0), 1)
	fetch := func(top unit.Height) (from unit.Height) {
		s.seek(top)
		q, to, ok := s.next(now)
		if !ok {
			return 0
		}
		s.answered(to, q.id)
		if !s.park(c.batch(t, q.from, q.count), top, now) {
			t.Fatalf("the range from %d is not kept", q.from)
		}
		p := s.ready()
		s.took(p.last(), p.bytes, now)
		return q.from
	}
	if from := fetch(20); from != 1 {
		t.Fatalf("asked from %d", from)
	}
	since := now
	for top := unit.Height(21); now.Sub(since) < standstill; top++ {
		if from := fetch(top); from != top {
			t.Fatalf("asked from %d for %d, after %v", from, top, now.Sub(since))
		}
		now = now.Add(lookEvery)
		s.look(now)
	}
	if from := fetch(50); from != 1 {
		t.Errorf("asked from %d after a standstill", from)
	}
	// What moves in time is not fetched again.
	s.durable(c.place(10), now)
	now = now.Add(standstill - 1)
	s.look(now)
	if from := fetch(51); from != 51 {
		t.Errorf("asked from %d before a standstill", from)
	}
}

// Ranges are asked of several peers at once, and handed over in order, whatever order they come in; what is missing in between is asked for again, no
// more of it than is missing.
func TestRangesInFlight(t *testing.T) {
	c := newChain(3_400)
	now := time.Unix(1_000, 0)
	s := newRangeFetch(c.place(0), 3)
	s.seek(3_400)
	var asked []unit.Height
	count := map[link.Peer]int{}
	for q, to, ok := s.next(now); ok; q, to, ok = s.next(now) {
		asked = append(asked, q.from)
		count[to]++
	}
	if want := []unit.Height{1, 1025, 2049, 3073}; !slices.Equal(asked, want) || count[link.Peer{1}]+count[link.Peer{2}]+count[link.Peer{3}] != 4 ||
		len(count) != 3 {
		t.Fatalf("asked for %v of %v", asked, count)
	}
	for _, i := range []int{2, 1, 0} {
		a := s.asks[i]
		s.answered(a.to, a.id)
		n := a.count
		if i == 0 {
			n = 1_000 // the peer had no more finalizations
		}
		if !s.park(c.batch(t, a.from, n), 3_400, now) {
			t.Fatalf("the range from %d is not kept", a.from)
		}
		if p := s.ready(); (p != nil) != (i == 0) {
			t.Fatalf("after the range from %d: %v is handed over", a.from, p)
		} else if p != nil {
			s.took(p.last(), p.bytes, now)
		}
	}
	if p := s.ready(); p != nil {
		t.Fatalf("the range from %d is handed over behind a gap", p.first())
	}
	q, _, ok := s.next(now)
	if !ok || q.from != 1001 || q.count != 24 {
		t.Fatalf("asked for %d from %d on", q.count, q.from)
	}
	s.park(c.batch(t, 1001, 30), 3_400, now) // six blocks come twice
	for _, want := range []unit.Height{1030, 2048, 3072} {
		p := s.ready()
		if p == nil || p.last().height != want {
			t.Fatalf("%v instead of the range up to %d", p, want)
		}
		blocks, err := p.prove(s.held, believe)
		if err != nil || blocks[0].Block.Header.Height != s.held.height+1 {
			t.Fatalf("%d: %v", want, err)
		}
		s.took(p.last(), p.bytes, now)
	}
}

// A range that does not come in time is asked for in smaller pieces, which grow again when they come.
func TestPiecesFitThePeer(t *testing.T) {
	c := newChain(3_000)
	now := time.Unix(1_000, 0)
	s := newRangeFetch(c.place(0), 8)
	s.seek(3_000)
	for _, want := range []unit.Height{maxBlocks, maxBlocks / 2, maxBlocks / 4} {
		q, _, ok := s.next(now)
		if !ok || q.count != want {
			t.Fatalf("asked for %d blocks, %v", q.count, ok)
		}
		now = now.Add(answerWithin)
		s.look(now)
	}
	q, to, _ := s.next(now)
	s.answered(to, q.id)
	s.park(c.batch(t, 1, q.count), 3_000, now)
	s.took(s.ready().last(), 1, now)
	if q, _, ok := s.next(now); !ok || q.count != maxBlocks/4 {
		t.Errorf("asked for %d blocks, %v", q.count, ok)
	}
}

// aheadBytes is what a rangeFetch here may fetch ahead.
const aheadBytes = 96 << 20

// What is fetched ahead of the disk is bounded in blocks and in bytes.
func TestAheadIsBounded(t *testing.T) {
	c := newChain(3_000)
	now := time.Unix(1_000, 0)
	long, err := params.NewCalendar(3 * aheadMax)
	if err != nil {
		t.Fatal(err)
	}
	for name, took := range map[string]func(s *rangeFetch){
		"blocks": func(s *rangeFetch) { s.took(place{height: aheadMax}, 1, now) },
		"bytes":  func(s *rangeFetch) { s.took(c.place(5), aheadBytes-maxBytes/2, now) },
		"requests": func(s *rangeFetch) {
			for range asksMax {
				s.next(now)
			}
		},
		"bytes that wait": func(s *rangeFetch) {
			p := c.batch(t, 1_000, 10)
			p.bytes = aheadBytes
			s.park(p, 3_000, now)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newRangeFetch(c.place(0), 5)
			s.calendar = long
			s.seek(aheadMax + 6)
			took(s)
			if _, _, ok := s.next(now); ok {
				t.Errorf("%s: more is fetched", name)
			}
			s.asks = nil
			s.durable(c.place(2_000), now)
			if _, _, ok := s.next(now); !ok {
				t.Errorf("%s: nothing is fetched after the disk has moved", name)
			}
		})
	}
}

func answers() []*answer {
	c := newChain(3)
	a, _ := collect(params.Calendar{}, c, request{9, 1, 3})
	return []*answer{a, {id: 4, top: 77}}
}

// Frames come back as they were, and no part of one is a frame. Spec: commonware §1.3.
func TestFrames(t *testing.T) {
	var list [][]byte
	for _, a := range answers() {
		list = append(list, a.encode())
	}
	list = append(list, (&request{5, 6, 7}).encode())
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
	f.Add((&request{5, 6, 7}).encode())
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

// All peers together are served twice what one may be, at once and a second, and nobody's budget is charged for what there was no room for.
func TestBudgetOfAll(t *testing.T) {
	b, at := served{times: allTimes}, time.Unix(1_000, 0)
	if !b.spend(allTimes*budgetBurst, at) || b.spend(1, at) {
		t.Error("the budget of all is not twice that of one")
	}
	if wait := b.wait(); wait != time.Millisecond {
		t.Errorf("nothing is owed, and the wait is %v", wait)
	}
	if at = at.Add(time.Second); !b.spend(allTimes*budgetRate, at) || b.spend(1, at) {
		t.Error("a second does not bring twice the rate of one")
	}
	b.spend(0, at)
	if at = at.Add(time.Hour); !b.spend(allTimes*budgetBurst, at) || b.spend(1, at) {
		t.Error("an hour brings more than what may be at once")
	}
}
