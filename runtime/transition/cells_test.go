package transition

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A transaction's limit of cells fits what the block has left of its own beside what was used before it, to the cell. A proposer leaves out what does not
// fit, and a block that holds it all the same is invalid.
//
// Spec: WP §2.2 (a), "The State Transition Function" (2).
func TestCellsOfABlock(t *testing.T) {
	const each = params.MaxTxCells
	c := newChain(t, script{"write": func(x *call) *block.Fault {
		x.use(0, each-64)
		return nil
	}})
	from := person(1)
	limit := func(cells unit.Cells) func(*tx.Tx) {
		return func(x *tx.Tx) { x.CellsLimit, x.MaxFeePerCell = cells, 10_000 }
	}
	full := make([]tx.Verified, 0, 5)
	for range 4 {
		full = append(full, c.execute(from, actorAt(1), "write", limit(each)))
	}
	build := func(txs ...tx.Verified) *Result {
		r, err := Apply(c.tip, Job{Mode: Build, Header: c.header(), Txs: txs}, c.script)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	built := build(full...)
	if len(built.Refused) > 0 {
		t.Fatalf("%+v", built.Refused)
	}
	left := params.BlockCells - built.Used.Cells
	for _, one := range []struct {
		name  string
		cells unit.Cells
		want  error
	}{{"what is left", left, nil}, {"a cell more", left + 1, ErrCells}} {
		t.Run(one.name, func(t *testing.T) {
			all := append(full[:4:4], c.execute(from, actorAt(1), "none", limit(one.cells)))
			c.nonces[from]--
			built := build(all...)
			refused := len(built.Refused) == 1 && errors.Is(built.Refused[0].Reason, ErrCells)
			if refused != (one.want != nil) || !refused && len(built.Txs) != 5 {
				t.Errorf("%d transactions, refused %+v", len(built.Txs), built.Refused)
			}
			held, hashes := built.Header, make([]digest.Hash, len(all))
			for i, v := range all {
				hashes[i] = v.Hash()
			}
			held.TxRoot, held.TxCount = block.TxRoot(hashes), uint32(len(all))
			_, err := Apply(Parent{Header: c.tip.Header, State: c.tip.State}, Job{Mode: Verify, Header: held, Txs: all}, c.script)
			if bad := (*InvalidTx)(nil); one.want != nil && (!errors.As(err, &bad) || !errors.Is(err, ErrCells)) || one.want == nil && err != nil {
				t.Errorf("verified: %v", err)
			}
		})
	}
}
