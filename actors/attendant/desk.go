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

// desk writes the validator's transactions. One is out at a time.
type desk struct {
	chainID uint64
	key     *sig.PrivateKey
	out     []byte // encoded
	body    []byte // of its instruction, to tell it from others
	nonce   uint64
	most    params.Basefees // it can pay
	spent   func()          // told once its place is taken
}

// write gives the transaction that carries an instruction, the same one for as long as it can be included. members may have to be paid by it; spent is
// called when a transaction takes its place on chain, most likely itself. Errors: errUnpaid; any other is a failing source.
func (d *desk) write(in tx.Instruction, members int, v *state.Commit, spent func()) ([]byte, error) {
	p, err := params.Load(v)
	if err != nil {
		return nil, err
	}
	fees, err := fee.LoadBasefees(v.Overlay())
	if err != nil {
		return nil, err
	}
	if fees, err = p.Lanes.Scale(fees, in.Lane()); err != nil {
		return nil, err
	}
	sender, err := loadAccount(v, d.key.Address())
	if err != nil {
		return nil, err
	}
	if d.out != nil && d.nonce < sender.Nonce {
		d.spent()
		d.out = nil
	}
	body := appendBody(in)
	if d.out != nil && d.nonce == sender.Nonce && bytes.Equal(d.body, body) && fees.Cycle <= d.most.Cycle && fees.Cell <= d.most.Cell {
		return d.out, nil
	}
	cost := in.Intrinsic()
	t := &tx.Tx{
		ChainID: d.chainID, Nonce: sender.Nonce, Instruction: in, From: d.key.Address(), CellsLimit: cost.Cells,
		CyclesLimit:    cost.Cycles + unit.Cycles(members)*(params.CostStorageRead+params.CostStorageWrite) + keysOf(in) + spare,
		MaxFeePerCycle: headroom * fees.Cycle, MaxFeePerCell: headroom * fees.Cell,
	}
	if most, err := t.MaxCost(); err != nil || most > sender.Balance {
		return nil, errUnpaid
	}
	t.Signature = d.key.Sign(t.SigningHash())
	d.out, d.body, d.nonce, d.spent = t.Encode(), body, t.Nonce, spent
	d.most = params.Basefees{Cycle: t.MaxFeePerCycle, Cell: t.MaxFeePerCell}
	return d.out, nil
}

// keysOf is what reading the keys that evidence is verified with costs.
func keysOf(in tx.Instruction) unit.Cycles {
	if in, ok := in.(*tx.SubmitMisbehaviour); ok {
		return unit.Cycles(stake.Accusers(in.Evidence)) * params.CostDecodeBLSKey
	}
	return 0
}

// appendBody is an instruction's own bytes.
func appendBody(in tx.Instruction) []byte {
	switch in := in.(type) {
	case *tx.SystemDkg:
		return append([]byte{1}, in.Log...)
	case *tx.SubmitMisbehaviour:
		return append([]byte{2}, in.Evidence...)
	}
	panic("attendant: not an instruction of its own")
}

func loadAccount(v state.Reader, addr account.Address) (account.Account, error) {
	raw, ok, err := v.Lookup(addr.Key())
	if err != nil || !ok {
		return account.Account{}, err
	}
	return account.Decode(raw)
}
