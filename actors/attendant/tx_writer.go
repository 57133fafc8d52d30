package attendant

import (
	"bytes"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// headroom is how much the basefee may rise before a transaction has to be made again.
	headroom = 2
	// spare is what a transaction's limit has beyond what it is known to need, in cycles. What is not used comes back.
	spare unit.Cycles = 10_000
)

// errUnpaid reports an account that cannot pay for a transaction.
var errUnpaid = errors.New("attendant: the account cannot pay for the validator's transactions")

// txWriter writes and signs the validator's transactions. One is outstanding at a time.
type txWriter struct {
	chainID uint64
	key     *sig.PrivateKey
	out     []byte // encoded
	body    []byte // its instruction encoded, to tell it from others
	nonce   uint64
	most    params.Basefees // it can pay
	spent   func()          // told once its place is taken
}

// write gives the transaction that carries an instruction, the same one for as long as it can be included. members may have to be paid by it; spent is
// called when a transaction takes its place on chain, most likely itself. Errors: errUnpaid; any other is a failing source.
func (w *txWriter) write(in tx.Instruction, members int, v *state.Commit, spent func()) ([]byte, error) {
	p, err := params.Load(v)
	if err != nil {
		return nil, err
	}
	fees, err := fee.LoadBasefees(v.Overlay())
	if err != nil {
		return nil, err
	}
	if fees, err = p.Lanes.Scale(fees, tx.LaneOf(in)); err != nil {
		return nil, err
	}
	sender, err := account.Load(v, w.key.Address())
	if err != nil {
		return nil, err
	}
	if w.out != nil && w.nonce < sender.Nonce {
		w.spent()
		w.out = nil
	}
	body := tx.EncodeInstruction(in)
	if w.out != nil && w.nonce == sender.Nonce && bytes.Equal(w.body, body) && fees.Cycle <= w.most.Cycle && fees.Cell <= w.most.Cell {
		return w.out, nil
	}
	cost := tx.CostOf(in)
	t := &tx.Tx{
		ChainID: w.chainID, Nonce: sender.Nonce, Instruction: in, From: w.key.Address(), CellsLimit: cost.Cells,
		CyclesLimit:    cost.Cycles + unit.Cycles(members)*(params.CostStorageRead+params.CostStorageWrite) + keysOf(in) + spare,
		MaxFeePerCycle: headroom * fees.Cycle, MaxFeePerCell: headroom * fees.Cell,
	}
	if most, err := t.MaxCost(); err != nil || most > sender.Balance {
		return nil, errUnpaid
	}
	t.Signature = w.key.Sign(t.SigningHash())
	w.out, w.body, w.nonce, w.spent = t.Encode(), body, t.Nonce, spent
	w.most = params.Basefees{Cycle: t.MaxFeePerCycle, Cell: t.MaxFeePerCell}
	return w.out, nil
}

// keysOf is what reading the keys that evidence is verified with costs.
func keysOf(in tx.Instruction) unit.Cycles {
	if in, ok := in.(*tx.SubmitMisbehaviour); ok {
		return unit.Cycles(stake.Accusers(in.Evidence)) * params.CostDecodeBLSKey
	}
	return 0
}
