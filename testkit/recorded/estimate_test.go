package recorded

import (
	"flag"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// estimated is how many blocks the test of estimates plays.
var estimated = flag.Int("estimated", 300, "blocks whose transactions are estimated")

// guess is what was estimated of a transaction that was sent, and what became of it.
type guess struct {
	fits, used fee.Use
	op         tx.Opcode
	receipt    *block.Receipt
	more       bool
}

// estimates plays so many blocks of the recorded chain's mix, and estimates every transaction before its block is made: without its limits, on the newest final
// state, which is all that whoever sends it can know.
func estimates(t *testing.T, blocks int) map[digest.Hash]*guess {
	p := newPlayer(t)
	runner := host.New(host.NewPrograms())
	made := map[digest.Hash]*guess{}
	p.sent = func(from *testkit.Account, in tx.Instruction, id digest.Hash) {
		parent, _ := p.chain.Tip()
		one := &tx.Tx{ChainID: testkit.ChainID, Nonce: p.chain.Record(from.Address()).Nonce, Instruction: in, From: from.Address()}
		e, err := transition.Assess(parent, one, parent.Header.TimestampMs+1_000, runner, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e.Refused == nil {
			made[id] = &guess{fits: e.Limits(one), op: in.Opcode(), more: e.More}
		}
	}
	for len(p.chain.Blocks()) < blocks {
		height := len(p.chain.Blocks())
		if height/400 > len(p.actors)-3 {
			p.deploy(t)
		} else {
			p.step()
		}
		for _, b := range p.chain.Blocks()[height:] {
			for _, x := range b.Receipts {
				if g := made[x.Cause]; g != nil && x.Kind != block.Timer {
					g.used.Cycles += x.CyclesUsed
					g.used.Cells += x.CellsUsed
					if x.Kind == block.Transaction {
						g.receipt = x
					}
				}
			}
		}
	}
	return made
}

// Limits that an estimate names hold, in 999 of a thousand transactions of the recorded mix, for all that the transaction used with the messages and deferred
// calls it led to; and they are no more than a margin above what an estimate can know. What was used is what the block's receipts say.
//
// Spec: WP §17.10.
func TestEstimatesHold(t *testing.T) {
	all, beyond := 0, 0
	for id, g := range estimates(t, *estimated) {
		if g.receipt == nil || g.more {
			continue
		}
		all++
		if g.used.Cycles > g.fits.Cycles || g.used.Cells > g.fits.Cells {
			beyond++
			t.Logf("%v %v: used %+v, limits %+v, %s", id, g.op, g.used, g.fits, testkit.Describe(g.receipt))
		}
	}
	if all < *estimated || beyond*1_000 > all {
		t.Errorf("%d of %d transactions used more than the limits of their estimates", beyond, all)
	}
	t.Logf("%d of %d beyond", beyond, all)
}
