package node

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// fragile is the scripted machine, which breaks over some turns.
type fragile struct {
	scripted
	breaks func(*drain.Turn) bool
}

func (f fragile) Run(t *drain.Turn) (drain.Outcome, error) {
	if !t.Native && f.breaks(t) {
		panic("this turn breaks the machine")
	}
	return f.scripted.Run(t)
}

// fragileStage is a stage whose machine breaks over some turns, and what it left as evidence.
func fragileStage(t *testing.T, breaks func(*drain.Turn) bool) (*stage, *[]*executor.Evidence) {
	var evidence []*executor.Evidence
	s := newStageOn(t, 5, func(c *Config) {
		c.NewRunner = func() drain.Runner { return fragile{breaks: breaks} }
		c.Evidence = func(e *executor.Evidence) { evidence = append(evidence, e) }
	})
	s.node.supervisor.Spawn()
	return s, &evidence
}

// calls reports whether a turn is a transaction's that calls a handler.
func calls(t *drain.Turn, handler string) bool {
	in, ok := t.Payload.Instruction.(*tx.Execute)
	return ok && string(in.Handler) == handler
}

// send hands transactions in at once and notes what the node says of each.
func (s *stage) send(said map[string]error, raws map[string][]byte) {
	for name, raw := range raws {
		s.node.Lanes.Admit(lanes.Submit{Raw: [][]byte{raw}, Reply: func(r []lanes.Result) { said[name] = r[0].Err }})
	}
}

// identity is the hash of an encoded transaction.
func identity(t *testing.T, raw []byte) digest.Hash {
	t.Helper()
	x, err := tx.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return x.SigningHash()
}

// Strangers' transactions that always break the machine stop nothing, however many there are: each is dropped, and refused with its reason when it comes
// again, and what was chosen with it is in the block that is built instead.
func TestTransactionThatBreaksTheMachine(t *testing.T) {
	s, evidence := fragileStage(t, func(t *drain.Turn) bool { return calls(t, "break") })
	if !s.run(s.done) {
		t.Fatal("the story does not end")
	}
	const rounds = 100
	said := map[string]error{}
	for round := range byte(rounds) {
		key, err := sig.ParsePrivateKey(append(make([]byte, 31), 100+round))
		if err != nil {
			t.Fatal(err)
		}
		faucet, stranger := &wallet{key: genesis.DevFaucet(), nonce: s.nonce()}, &wallet{key: key}
		s.send(said, map[string][]byte{"coins": faucet.sign(&tx.Transfer{To: key.Address(), Amount: 10 * unit.CBY})})
		s.run(func() bool { return s.nonce() == faucet.nonce })
		actor := deployed(genesis.DevFaucet().Address(), []byte{7})
		bad := stranger.sign(&tx.Execute{To: actor, Handler: []byte("break")})
		good := faucet.sign(&tx.Execute{To: actor, Handler: []byte("count")})
		s.send(said, map[string][]byte{"bad": bad, "good": good})
		if !s.run(func() bool { return s.nonce() == faucet.nonce && len(*evidence) > int(round) }) || said["bad"] != nil || said["good"] != nil {
			t.Fatalf("round %d: %v, nonce %d of %d, halt %v", round, said, s.nonce(), faucet.nonce, s.halted())
		}
		e := (*evidence)[round]
		b, err := block.Decode(e.Block)
		if err != nil || e.Turn == nil || e.Turn.Kind != block.Transaction || e.Turn.ID != identity(t, bad) || e.Turn.Actor != actor {
			t.Fatalf("round %d: %v, %v", round, e, err)
		}
		place, err := s.node.Ledger.Transaction(identity(t, good))
		if err != nil || len(b.Txs) != 2 || place.Height != e.Height {
			t.Errorf("round %d: %d were chosen for block %d, the other is in block %d, %v", round, len(b.Txs), e.Height, place.Height, err)
		}
		if place, err := s.node.Ledger.Transaction(identity(t, bad)); err != ledger.ErrAbsent {
			t.Errorf("round %d: it is in block %d, %v", round, place.Height, err)
		}
		s.send(said, map[string][]byte{"bad": bad})
		if !s.run(func() bool { return said["bad"] != nil }) || said["bad"] != lanes.ErrBroken {
			t.Errorf("round %d: it is told %v", round, said["bad"])
		}
	}
	if h, core := s.halted(), s.node.Status().Children[0]; h != nil || len(*evidence) != rounds || core.Restarts != 0 {
		t.Errorf("halt %v, %d times evidence, %d restarts of core", h, len(*evidence), core.Restarts)
	}
	s.check()
	s.stop()
}

// A timer that breaks the machine where a transaction comes before it is reported, and fires in a block without transactions. They are in other blocks.
func TestTimerThatBreaksTheMachine(t *testing.T) {
	var struck *drain.Block // in which a transaction made the next timer break
	s, evidence := fragileStage(t, func(t *drain.Turn) bool {
		if calls(t, "strike") {
			struck = t.Block
		}
		return t.Kind == block.Timer && t.Block == struck
	})
	faucet := &wallet{key: genesis.DevFaucet(), nonce: uint64(len(s.raw))}
	actor := deployed(faucet.key.Address(), []byte{7})
	asked := unit.Height(0)
	s.run(func() bool {
		if h := s.node.Ledger.Finalized(); h > asked && s.nonce() >= uint64(len(s.raw)) { // one for each block
			asked = h
			s.send(map[string]error{}, map[string][]byte{"strike": faucet.sign(&tx.Execute{To: actor, Handler: []byte("strike")})})
		}
		return s.node.Ledger.Finalized() >= 12
	})
	if h := s.halted(); h != nil || len(*evidence) == 0 || s.nonce() <= uint64(len(s.raw)) {
		t.Fatalf("halt %v, %d times evidence, nonce %d", h, len(*evidence), s.nonce())
	}
	for _, e := range *evidence {
		if e.Turn == nil || e.Turn.Kind != block.Timer || e.Turn.Actor != actor {
			t.Errorf("%v", e)
		}
		b, err := s.node.Ledger.Block(e.Height)
		if err != nil || len(b.Txs) != 0 {
			t.Fatalf("block %d holds %d transactions, %v", e.Height, len(b.Txs), err)
		}
		receipts, err := s.node.Ledger.Receipts(e.Height)
		if err != nil || len(receipts) != 1 || receipts[0].ID != e.Turn.ID || receipts[0].Status != block.Success {
			t.Errorf("block %d: %+v, %v", e.Height, receipts, err)
		}
	}
	s.check()
	s.stop()
}

// A timer that breaks the machine in every block leaves nothing to propose: the node stops in order, with the evidence, and nothing of it is ever final.
func TestBlockThatFailsTwiceHalts(t *testing.T) {
	s, evidence := fragileStage(t, func(t *drain.Turn) bool { return t.Kind == block.Timer })
	stopped := s.ends()
	h := s.halted()
	if !stopped || h == nil || h.Subsystem != "node/core/proposer" || len(*evidence) == 0 {
		t.Fatalf("stopped %v, halt %+v, evidence %+v", stopped, h, *evidence)
	}
	e := (*evidence)[len(*evidence)-1]
	b, err := block.Decode(e.Block)
	if err != nil || len(b.Txs) != 0 || len(e.Failures) != 2 || e.Turn == nil || e.Turn.Kind != block.Timer || e.Height <= s.node.Ledger.Finalized() {
		t.Errorf("evidence %+v, %v", e, err)
	}
	s.check()
}
