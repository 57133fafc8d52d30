package tx

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Verified is a transaction whose stateless checks all passed. Only Verify makes
// one; the transaction inside must not be modified. The zero Verified holds nothing.
type Verified struct {
	tx        *Tx
	rows      *Table // whose prices it was held to
	hash      digest.Hash
	size      int
	intrinsic Cost
	maxCost   unit.Amount
	lane      params.Lane
}

// Tx is the transaction. Read only.
func (v Verified) Tx() *Tx { return v.tx }

// Hash is the transaction's identity.
func (v Verified) Hash() digest.Hash { return v.hash }

// Size is the length of its encoding in bytes.
func (v Verified) Size() int { return v.size }

// Intrinsic is Table.Intrinsic of the table it was last held to, computed once.
func (v Verified) Intrinsic() Cost { return v.intrinsic }

// MaxCost is Tx.MaxCost, which did not overflow.
func (v Verified) MaxCost() unit.Amount { return v.maxCost }

// Lane is the block lane the transaction travels in.
func (v Verified) Lane() params.Lane { return v.lane }

// Verify makes the checks that need no state, cheapest first: size, chain id,
// origin fields absent, order of signers, instruction, payer, limits against their
// maxima and against the intrinsic cost, range of the maximum cost, then the
// sender's signature and every additional one. The error's class is one of
// ErrTooLarge, ErrWrongChain, ErrDeferred, ErrSigners, ErrInstruction, ErrPayer, ErrLimits,
// ErrCycles, ErrCells, ErrOverflow, ErrSignature, ErrMissingSigner.
//
// The result keeps t, which must not change afterwards.
// Spec: WP §2.2 (a, c to f), §12.1, §17.2.
func Verify(t *Tx, chainID uint64, recoverer sig.Recoverer) (Verified, error) {
	if t.IsDeferred() {
		return Verified{}, ErrDeferred
	}
	v, err := checkStateless(t, chainID)
	if err != nil {
		return Verified{}, err
	}
	signer, err := recoverer.Recover(v.hash, t.Signature)
	if err != nil {
		return Verified{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if signer != t.From {
		return Verified{}, fmt.Errorf("%w: recovered %v, from %v", ErrSignature, signer, t.From)
	}
	for _, s := range t.AdditionalSigners {
		if signer, err := recoverer.Recover(v.hash, s.Signature); err != nil || signer != s.Address {
			return Verified{}, fmt.Errorf("%w: %v", ErrMissingSigner, s.Address)
		}
	}
	return v, nil
}

func checkStateless(t *Tx, chainID uint64) (Verified, error) {
	encoded := t.AppendUnsigned(make([]byte, 0, 256))
	switch {
	case len(encoded) > params.MaxTxBytes:
		return Verified{}, ErrTooLarge
	case t.ChainID != chainID:
		return Verified{}, fmt.Errorf("%w: %d, want %d", ErrWrongChain, t.ChainID, chainID)
	case !t.signersAscend():
		return Verified{}, ErrSigners
	}
	if err := checkInstruction(t.Instruction); err != nil {
		return Verified{}, err
	}
	if err := t.checkPayer(); err != nil {
		return Verified{}, err
	}
	v := Verified{tx: t, rows: table, hash: digest.Keccak256(encoded), size: len(encoded), intrinsic: t.Intrinsic(), lane: LaneOf(t.Instruction)}
	if err := v.checkLimits(); err != nil {
		return Verified{}, err
	}
	return v, nil
}

// Under holds a verified transaction to the instructions and prices of a version: an
// instruction it does not have gives *Unsupported, limits below its prices ErrCycles or
// ErrCells.
// Spec: WP §2.2 (a), §17.2.
func (v Verified) Under(rows *Table) (Verified, error) {
	if v.rows == rows {
		return v, nil
	}
	if op := v.tx.Instruction.Opcode(); rows.find(op) == nil {
		return v, unsupported(op)
	}
	v.rows, v.intrinsic = rows, v.tx.intrinsic(rows)
	return v, v.checkLimits()
}

// checkLimits holds the limits between the intrinsic cost and their maxima. A
// cycles limit may not exceed the lane's own budget, so that every valid
// transaction fits an empty block.
// Spec: WP §2.2 (a), §17.2, §17.9.
func (v *Verified) checkLimits() error {
	t := v.tx
	switch {
	case t.CyclesLimit > v.Lane().Budget(), t.CellsLimit > params.MaxTxCells:
		return ErrLimits
	case t.CyclesLimit < v.intrinsic.Cycles:
		return fmt.Errorf("%w: %d, intrinsic %d", ErrCycles, t.CyclesLimit, v.intrinsic.Cycles)
	case t.CellsLimit < v.intrinsic.Cells:
		return fmt.Errorf("%w: %d, intrinsic %d", ErrCells, t.CellsLimit, v.intrinsic.Cells)
	}
	cost, err := t.MaxCost()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOverflow, err)
	}
	v.maxCost = cost
	return nil
}

// Admit makes the checks that need state: the size respects the governed limit,
// the sender is an external account, its next nonce is the transaction's, its balance covers the value and the limits
// at the maximum fees - the value alone where another pays, for whom Covered is - each maximum fee reaches the lane's basefee, and a
// governed instruction comes from an administrator. fees are the block's global
// basefees. The error's class is one of ErrTooLarge, ErrSender, ErrNonce (*NonceError),
// ErrBelowBasefee, ErrNotPrivileged, ErrValue, ErrFunds (*FundsError).
// Spec: WP §2.2 (b), §2.3, §6.3, §12.1; governance-staking B10.
func (v Verified) Admit(sender *account.Account, p *params.Params, fees params.Basefees) error {
	t := v.tx
	if uint64(v.size) > p.Limits.MaxTxBytes {
		return ErrTooLarge
	}
	if sender.Kind != account.External {
		return ErrSender
	}
	if t.Nonce != sender.Nonce {
		return &NonceError{Have: t.Nonce, Want: sender.Nonce}
	}
	if v.rows.of(t.Instruction).Privileged && !slices.Contains(p.Administrators, t.From) {
		return ErrNotPrivileged
	}
	lane, err := p.Lanes.Scale(fees, v.Lane())
	if err != nil || t.MaxFeePerCycle < lane.Cycle || t.MaxFeePerCell < lane.Cell {
		return ErrBelowBasefee
	}
	if value := ValueOf(t.Instruction); sender.Balance < value {
		return &FundsError{Class: ErrValue, Have: sender.Balance, Need: value}
	}
	if _, named := t.Payer(); !named && sender.Balance < v.maxCost {
		return &FundsError{Class: ErrFunds, Have: sender.Balance, Need: v.maxCost}
	}
	return nil
}
