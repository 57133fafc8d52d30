package causal

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// heavy is a source whose blocks take much memory each, with one execution and its large answer.
type heavy struct {
	Source
	read int
}

const heavySize = maxHeld/3 + 1

func (h *heavy) Block(height unit.Height) (*Block, error) {
	h.read++
	id := digest.Hash{byte(height), byte(height >> 8), 1}
	x := &block.Receipt{Kind: block.Transaction, ID: id, Status: block.Success, ReturnData: make([]byte, 32)}
	copy(x.ReturnData, id[:])
	return &Block{
		Block: &block.Block{Txs: []*tx.Tx{{Instruction: &tx.TimerSchedule{}}}}, Size: heavySize, Receipts: []*block.Receipt{x},
	}, nil
}

func (h *heavy) Executions(digest.Hash, int) ([]index.Place, error) { return nil, nil }

// A trace of as many executions as there may be, each in a large block of its own, holds few of the blocks at a time and nothing of the others, and still
// knows which timers they set.
func TestTraceHoldsFewBlocks(t *testing.T) {
	from := &heavy{}
	x := &tracer{Question: Question{From: from}, blocks: map[unit.Height]*Block{}, seen: map[index.Place]bool{}}
	for height := range unit.Height(maxTrace) {
		if err := x.add(index.Place{Height: height + 1}, 0); err != nil {
			t.Fatal(err)
		}
		if x.held > maxHeld || len(x.blocks) > 2 || x.held != len(x.blocks)*heavySize {
			t.Fatalf("%d blocks are held, counted as %d bytes", len(x.blocks), x.held)
		}
	}
	if from.read != maxTrace || len(x.list) != maxTrace {
		t.Fatalf("%d reads, %d executions", from.read, len(x.list))
	}
	for i, e := range x.list {
		if want := (digest.Hash{byte(i + 1), byte((i + 1) >> 8), 1}); e.x.ReturnData != nil || e.set == nil || *e.set != want {
			t.Fatalf("execution %d: %+v", i, e)
		}
	}
}
