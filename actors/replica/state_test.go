package replica

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/hashed"
)

// A vote is in the journal, with its block, before anybody is sent it. Keys in this process may sign before, keys elsewhere are asked behind the write.
// Spec: commonware §3.5.
func TestVoteIsWrittenBeforeItIsSent(t *testing.T) {
	for name, remote := range map[string]bool{"keys here": false, "keys elsewhere": true} {
		t.Run(name, func(t *testing.T) {
			d := newHarness(t, func(d *harness) { d.signer.remote = remote })
			b := d.block()
			d.hear(leader, d.proposal(b))
			d.look()
			d.tell(d.verdict(b, nil))
			list := d.look()
			written := first(list, func(w write) bool {
				return records[*simplex.OwnVote](w) == 1 && len(w.batch.blocks) == 1 && w.batch.blocks[0].hash == b.Hash()
			})
			signs := first(list, func(signVote) bool { return true })
			sent := first(list, func(x broadcast) bool { vote, _ := tells(x.message); return vote })
			if written < 0 || signs < 0 || sent < 0 {
				t.Fatalf("written %d, signed %d, sent %d", written, signs, sent)
			}
			if sent < written {
				t.Errorf("sent as effect %d and written as %d", sent, written)
			}
			if remote != (signs > written) {
				t.Errorf("signed as effect %d and written as %d", signs, written)
			}
			if n := count(list, func(w write) bool { return true }); n != 1 {
				t.Errorf("one event costs %d writes", n)
			}
		})
	}
}

// A block that nobody sends is asked for 4·(3+1) + 257 times where there are three peers, of one at a time, and no more.
func TestABlockIsAskedForSoOftenAndNoMore(t *testing.T) {
	d := newHarness(t)
	wanted := digest.Hash{5}
	d.state.fetch(wanted, sig.Signers{})
	d.tell(looked{})
	total := 0
	for range 1_000 {
		list := d.look()
		n := len(asked(list, wanted))
		at := first(list, func(s start) bool { _, ok := s.event.(overdue); return ok })
		if n == 0 && at < 0 {
			break
		}
		if total += n; n != 1 || at < 0 {
			t.Fatalf("question %d goes to %d peers, deadline %d", total, n, at)
		}
		if wait := list[at].(start).delay; wait != 300*time.Millisecond {
			t.Fatalf("a peer is waited for %v", wait)
		}
		d.tell(list[at].(start).event)
	}
	if total != 273 || len(d.state.fetches) != 0 {
		t.Errorf("%d questions, %d still out", total, len(d.state.fetches))
	}
}

// Whoever signed a certificate has its block and is asked, one after the other; with it the questions end.
// Spec: commonware §3.4 (resolver).
func TestSignersAreAskedForTheirBlock(t *testing.T) {
	d := newHarness(t)
	b := d.block()
	signers := sig.NewSigners(4)
	signers.Add(2)
	signers.Add(3)
	d.state.fetch(b.Hash(), signers)
	for range 4 {
		d.tell(overdue{d.state.life, d.state.serial, b.Hash()})
	}
	got := map[link.Peer]int{}
	for _, p := range asked(d.look(), b.Hash()) {
		got[p]++
	}
	if got[nodeOf(1)] != 0 || got[nodeOf(2)]+got[nodeOf(3)] != 5 || max(got[nodeOf(2)], got[nodeOf(3)]) != 3 {
		t.Errorf("asked %v", got)
	}
	deadline := d.state.fetches[0].deadline
	d.hear(1, &BlockResponse{(&block.Block{Header: genesisHeaderAt(9)}).Encode()})
	if len(d.state.fetches) != 1 {
		t.Fatal("another block ends the questions")
	}
	d.hear(1, &BlockResponse{b.Encode()})
	if list := d.look(); len(d.state.fetches) != 0 || first(list, func(s stop) bool { return s.serial == deadline }) < 0 {
		t.Errorf("the block is here and %d questions are out", len(d.state.fetches))
	}
}

func genesisHeaderAt(h unit.Height) block.Header { x := *genesisHeader(); x.Height = h; return x }

// A proposal whose bytes are not its header's body is held against whoever brought it. The leader is accused only of what it sent itself.
// Spec: WP "Slashing" (invalid proposal); commonware §2.6.
func TestSpoiltProposalIsHeldAgainstWhoeverBroughtIt(t *testing.T) {
	for name, from := range map[string]uint32{"the leader": leader, "a relay": 2} {
		t.Run(name, func(t *testing.T) {
			d := newHarness(t)
			b := d.block(transfer(5), transfer(6))
			spoilt := (&block.Block{Header: b.Header, Txs: b.Txs[:1]}).Encode()
			d.look()
			d.hear(from, d.proposal(b, spoilt...))
			list := d.look()
			if n := count(list, func(r report) bool { return r.peer != nodeOf(from) }); n != 0 {
				t.Errorf("held %d times against somebody else", n)
			}
			if first(list, func(r report) bool { return r.peer == nodeOf(from) }) < 0 {
				t.Errorf("not held against validator %d", from)
			}
			accusations := count(list, func(x broadcast) bool { _, accusation := tells(x.message); return accusation })
			if want := map[bool]int{true: 1}[from == leader]; accusations != want {
				t.Errorf("%d accusations, want %d", accusations, want)
			}
			if d.state.tree.nodes[b.Hash()] != nil {
				t.Error("the spoilt bytes are kept")
			}
		})
	}
}

// A body with a bad signature that came from another than its leader is held against whoever gave it, and a better one is asked of the next.
// Spec: WP §2.5 (a transaction's identity leaves its signature out).
func TestBodyWithBadSignaturesIsHeldAgainstWhoeverGaveIt(t *testing.T) {
	d := newHarness(t)
	b := d.block(transfer(5))
	c := d.scheme.Certificate(sig.Notarization, subjectOf(b), 1, 2, 3)
	d.hear(2, &Agreement{0, &simplex.Certificate{Certificate: c}})
	before := asked(d.look(), b.Hash())
	if len(before) != 1 {
		t.Fatalf("the certified block is asked of %v", before)
	}
	giver := before[0]
	d.tell(heard{giver, EncodePeerMessage(&BlockResponse{b.Encode()})})
	if list := d.look(); first(list, func(v verify) bool { return v.hash == b.Hash() }) < 0 {
		t.Fatal("the signatures of a block that was given are not looked at")
	}
	d.tell(recovered{d.state.life, b.Hash(), []verifier.Result{{Err: tx.ErrSignature}}})
	list := d.look()
	if first(list, func(r report) bool { return r.peer == giver }) < 0 || count(list, func(report) bool { return true }) != 1 {
		t.Errorf("not held against %v alone", giver)
	}
	if again := asked(list, b.Hash()); len(again) != 1 || again[0] == giver {
		t.Errorf("asked again of %v", again)
	}
}

// A leader whose block is bad by itself is accused: whoever keeps proposals is told, the accusation is written, then sent; and all of it once, whatever comes
// again, also after a restart.
// Spec: WP "Slashing" (invalid proposal); governance-staking A3.
func TestAccusationIsWrittenOnce(t *testing.T) {
	d := newHarness(t)
	b := d.block()
	d.hear(leader, d.proposal(b))
	d.look()
	d.tell(d.verdict(b, errInvalid))
	list := d.look()
	told := first(list, func(s badProposal) bool { return bytes.Equal(s.proposal.Block, b.Encode()) && s.proposal.Reason != "" })
	written := first(list, func(w write) bool { return records[*simplex.Accusation](w) == 1 })
	sent := first(list, func(x broadcast) bool { _, accusation := tells(x.message); return accusation })
	if told < 0 || written < told || sent < written {
		t.Errorf("told as effect %d, written as %d, sent as %d", told, written, sent)
	}
	if signs := count(list, func(signAccusation) bool { return true }); signs != 1 {
		t.Errorf("signed %d times", signs)
	}
	for _, e := range list {
		if w, ok := e.(write); ok {
			d.journal.records = append(d.journal.records, w.batch.records...)
			d.journal.blocks = append(d.journal.blocks, w.batch.blocks...)
		}
	}
	again := func(when string) {
		t.Helper()
		d.hear(leader, d.proposal(b))
		if d.state.tree.nodes[b.Hash()] != nil {
			d.tell(d.verdict(b, errInvalid))
		}
		list := d.look()
		if n := count(list, func(signAccusation) bool { return true }); n != 0 {
			t.Errorf("%s: signed %d times more", when, n)
		}
		if n := count(list, func(w write) bool { return records[*simplex.Accusation](w) > 0 }); n != 0 {
			t.Errorf("%s: written %d times more", when, n)
		}
	}
	again("the same proposal once more")
	d.start([]link.Peer{nodeOf(1), nodeOf(2), nodeOf(3)})
	again("after a restart")
}

// A restart votes for nothing else, and asks for the certified block that it no longer has.
// Spec: commonware §3.5 (replay).
func TestRestartAsksForWhatItMissed(t *testing.T) {
	d := newHarness(t)
	b := d.block()
	c := d.scheme.Certificate(sig.Notarization, subjectOf(b), 1, 2, 3)
	d.journal.records = []simplex.Record{&simplex.Certificate{Certificate: c}}
	d.look()
	d.start([]link.Peer{nodeOf(1), nodeOf(2), nodeOf(3)})
	list := d.look()
	if who := asked(list, b.Hash()); len(who) != 1 {
		t.Errorf("the block is asked of %v", who)
	}
	if n := count(list, func(w write) bool { return records[*simplex.OwnVote](w) > 0 }); n != 0 {
		t.Errorf("%d votes are written before the block is here", n)
	}
	d.journal.blocks = []journaled{{b.Hash(), 1, b.Encode()}}
	d.start([]link.Peer{nodeOf(1)})
	if list = d.look(); len(asked(list, b.Hash())) != 0 || first(list, func(e execute) bool { return e.hash == b.Hash() }) < 0 {
		t.Error("a block of the journal is asked for, or not executed")
	}
}

// Answers to questions of an earlier instance, of an earlier execution and of a replaced deadline change nothing.
func TestOutdatedAnswersChangeNothing(t *testing.T) {
	d := newHarness(t)
	b := d.block()
	d.hear(leader, d.proposal(b))
	d.look()
	good := d.verdict(b, nil)
	for name, e := range map[string]event{
		"another life":       executed{good.life + 1, good.hash, good.run, good.executed},
		"another execution":  executed{good.life, good.hash, good.run + 1, good.executed},
		"another block":      executed{good.life, digest.Hash{1}, good.run, good.executed},
		"a deadline of old":  expired{d.state.life, 1 << 40, simplex.LeaderTimer, 1},
		"another's deadline": expired{d.state.life + 1, d.state.timers[simplex.LeaderTimer], simplex.LeaderTimer, 1},
		"no such proposal":   proposed{sig.Round{View: 9}, nil},
		"an old height":      durable{0},
	} {
		t.Run(name, func(t *testing.T) {
			d.tell(e)
			for _, x := range d.look() {
				if _, ok := x.(publish); !ok {
					t.Errorf("%T", x)
				}
			}
		})
	}
	d.tell(good)
	if first(d.look(), func(write) bool { return true }) < 0 {
		t.Error("the right answer brings no vote")
	}
}

// With the leader deadline the view is given up: that is written before it is told.
// Spec: commonware §3.2, §3.5.
func TestViewIsGivenUpAtItsDeadline(t *testing.T) {
	d := newHarness(t)
	d.look()
	d.tell(expired{d.state.life, d.state.timers[simplex.LeaderTimer], simplex.LeaderTimer, 1})
	list := d.look()
	written := first(list, func(w write) bool { return records[*simplex.OwnNullify](w) == 1 })
	sent := first(list, func(x broadcast) bool {
		a, ok := x.message.(*Agreement)
		if !ok {
			return false
		}
		m, ok := a.Message.(*simplex.NewView)
		return ok && m.Round.View == 1
	})
	if written < 0 || sent < written || first(list, func(g gaveUp) bool { return g.view.Cause == simplex.NoProposal }) < 0 {
		t.Errorf("written as effect %d, sent as %d", written, sent)
	}
}

// A final block that does not execute to its roots stops the node, and nothing is decided behind that.
// Spec: commonware §3.3 (on q finalize).
func TestDivergenceHalts(t *testing.T) {
	d := newHarness(t)
	b := d.block()
	d.hear(leader, d.proposal(b))
	d.hear(2, &Agreement{0, &simplex.Certificate{Certificate: d.scheme.Certificate(sig.Finalization, subjectOf(b), 1, 2, 3)}})
	d.look()
	d.tell(d.verdict(b, errInvalid))
	list := d.look()
	at := first(list, func(h halt) bool { var e *DivergenceError; return errors.As(h.why, &e) && e.Hash == b.Hash() })
	if at < 0 || at != len(list)-1 {
		t.Fatalf("halted as effect %d of %d", at, len(list))
	}
	d.tell(looked{}, durable{5}, heard{nodeOf(2), []byte{0xff}})
	if list := d.look(); len(list) != 0 {
		t.Errorf("behind the halt: %v", list)
	}
}

// The last block of an epoch opens the next: nothing is decided before that is there, then every peer learns the new rank, and the frames that came early
// count.
// Spec: commonware §4.1.
func TestEpochOpensBehindItsLastBlock(t *testing.T) {
	d := newHarness(t)
	d.look()
	d.hear(2, &Agreement{1, &simplex.Request{ID: 1, Views: []uint64{1}}})
	list := d.look()
	if n := count(list, func(s seek) bool { return s.height == 3_599 }); n != 1 || len(d.state.early) != 1 {
		t.Errorf("a frame of the next epoch: %d asked, %d kept", n, len(d.state.early))
	}
	for _, e := range d.state.decide(d.now, durable{3_598}) {
		if _, ok := e.(open); ok {
			t.Error("the epoch ends one block early")
		}
	}
	effects := d.state.decide(d.now, durable{3_599})
	if len(effects) != 2 || effects[0] != (settle{3_599}) || effects[1] != (open{1}) {
		t.Fatalf("behind the last block: %v", effects)
	}
	if d.state.opening = true; len(d.state.decide(d.now, looked{})) != 0 {
		t.Error("something is decided while the epoch opens")
	}
}

// Frames of the next epoch wait up to 256 of them, 64 KiB each.
func TestEarlyFramesAreBounded(t *testing.T) {
	d := newHarness(t)
	small := &Agreement{1, &simplex.Request{ID: 1, Views: []uint64{1}}}
	for range 257 {
		d.hear(2, small)
	}
	if n := len(d.state.early); n != 256 {
		t.Errorf("%d frames wait", n)
	}
	d = newHarness(t)
	for _, size := range []int{1<<16 + 1, 1 << 16} {
		e := heard{nodeOf(2), make([]byte, size)}
		d.state.agreement(d.state.peers.Of(nodeOf(2)), small, e)
		if n := len(d.state.early); n != map[bool]int{true: 1}[size == 1<<16] {
			t.Errorf("a frame of %d bytes: %d wait", size, n)
		}
	}
	if d.state.finals.sought != 3_599 {
		t.Errorf("a node that is behind asks up to height %d", d.state.finals.sought)
	}
}

// A peer that connects is told which validator this is. Who repeats another's introduction introduces nobody.
// Spec: commonware §3.7.
func TestIntroductions(t *testing.T) {
	d := newHarness(t)
	d.look()
	stranger := link.Peer{99}
	d.tell(connected{stranger}, connected{stranger})
	list := d.look()
	if n := count(list, func(x introduce) bool { return x.rank == 0 && slices.Equal(x.to, []link.Peer{stranger}) }); n != 1 {
		t.Errorf("introduced %d times", n)
	}
	repeated := &Introduction{2, d.scheme.Sign(2, roster.IntroductionPreimage(d.scheme.Namespace, nodeOf(2)))}
	d.tell(heard{stranger, EncodePeerMessage(repeated)}, heard{stranger, EncodePeerMessage(&Introduction{4, sig.BLSSignature{}})})
	if d.state.peers.Of(stranger).Role != simplex.Observer || len(d.state.peers.validators()) != 3 {
		t.Error("a repeated introduction introduces")
	}
	d.look()
	d.tell(heard{stranger, EncodePeerMessage(&Agreement{0, d.scheme.Vote(2, &simplex.Vote{Signer: 2, Subject: subjectOf(d.block())})})})
	if list := d.look(); count(list, func(s send) bool { _, ok := s.message.(*IntroductionRequest); return ok && s.to[0] == stranger }) != 1 {
		t.Error("a vote of who has not introduced itself is not answered with the question who it is")
	}
}

// A frame that does not decode is held against its sender; of who is not connected nothing is heard.
// Spec: commonware §1.3, §2.6.
func TestWhatDoesNotDecodeIsHeldAgainstItsSender(t *testing.T) {
	d := newHarness(t)
	d.look()
	d.tell(heard{nodeOf(2), []byte{messageTags}}, heard{link.Peer{77}, []byte{messageTags}})
	list := d.look()
	if count(list, func(report) bool { return true }) != 1 || first(list, func(r report) bool { return r.peer == nodeOf(2) }) < 0 {
		t.Errorf("%v", list)
	}
	d.tell(disconnected{nodeOf(2)}, heard{nodeOf(2), []byte{messageTags}})
	if n := count(d.look(), func(report) bool { return true }); n != 0 {
		t.Errorf("%d reports of who has gone", n)
	}
}

// A validator whose journal is gone votes for nothing in an epoch that has begun, and says all the same which validator it is.
// Spec: commonware §3.5.
func TestWithoutItsJournalAValidatorFollows(t *testing.T) {
	for name, x := range map[string]struct {
		journal contents
		durable unit.Height
		votes   bool
	}{
		"a new chain":                {contents{fresh: true}, 0, true},
		"a lost journal":             {contents{fresh: true}, 5, false},
		"its journal":                {contents{}, 5, true},
		"a journal of a later epoch": {contents{epoch: 1}, 5, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newHarness(t, func(d *harness) { d.journal = x.journal })
			d.state.epoch, d.state.durable = nil, x.durable
			d.look()
			d.tell(begun{})
			if votes := d.state.epoch.self != simplex.Observer; votes != x.votes {
				t.Errorf("votes %v", votes)
			}
			if first(d.look(), func(i introduce) bool { return i.rank == 0 && len(i.to) == 3 }) < 0 {
				t.Error("not introduced")
			}
		})
	}
}

// A peer is given a block that was looked at, out of the tree or else out of the ledger, 64 times a second.
func TestBlocksAreServed(t *testing.T) {
	d := newHarness(t)
	b := d.block(transfer(5))
	d.hear(leader, d.proposal(b))
	d.look()
	d.hear(2, &BlockRequest{b.Hash()})
	if n := count(d.look(), func(send) bool { return true }); n != 0 {
		t.Error("a block whose signatures were not looked at is served")
	}
	d.tell(recovered{d.state.life, b.Hash(), []verifier.Result{{}}})
	d.look()
	d.hear(2, &BlockRequest{b.Hash()})
	given := func(s send) bool {
		h, ok := s.message.(*BlockResponse)
		return ok && bytes.Equal(h.Block, b.Encode()) && s.to[0] == nodeOf(2)
	}
	if n := count(d.look(), given); n != 1 {
		t.Errorf("served %d times", n)
	}
	d.hear(2, &BlockRequest{digest.Hash{8}})
	if n := count(d.look(), func(s serve) bool { return s == serve{nodeOf(2), digest.Hash{8}} }); n != 1 {
		t.Errorf("looked for in the ledger %d times", n)
	}
	for range 100 { // three requests and the introduction came before
		d.hear(2, &BlockRequest{b.Hash()})
	}
	if n := count(d.look(), given); n != 60 {
		t.Errorf("of 100 more requests within the second %d are served", n)
	}
}

// What nobody asked for is held while it fits its share of the memory.
func TestProposalsAreKeptWhileThereIsRoom(t *testing.T) {
	b := (&harness{scheme: hashed.Scheme{Namespace: sig.NewNamespace(1), Keys: [][]byte{{0}, {1}}}}).block()
	for _, spare := range []int{0, -1} {
		d := newHarness(t)
		d.state.candidates = int64(len(b.Encode())+spare) * budget.Decoded
		d.hear(leader, d.proposal(b))
		if kept := d.state.tree.nodes[b.Hash()] != nil; kept != (spare == 0) {
			t.Errorf("%d bytes to spare: kept %v", spare, kept)
		}
	}
}
