package token

import (
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// instructions are what accounts send.
//
// Spec: tokens §4.
func instructions() []chapter.Instruction {
	return []chapter.Instruction{
		chapter.On(func(e *chapter.Env, in *tx.TokenCreate) ([]byte, error) {
			id, err := create(e, &e.Turn.Nonce, token.Terms{
				Name: in.Name, Symbol: in.Symbol, Decimals: in.Decimals, Supply: in.InitialSupply, Max: in.MaxSupply, Hook: in.TransferHook,
				URI: in.MetadataURI,
			})
			return id[:], err
		}),
		on(func(e *chapter.Env, in *tx.TokenTransfer) error { return transfer(e, in.TokenID, in.To, in.Amount) }),
		on(func(e *chapter.Env, in *tx.TokenTransferFrom) error {
			return transferFrom(e, in.TokenID, in.Owner, in.To, in.Amount)
		}),
		on(func(e *chapter.Env, in *tx.TokenApprove) error { return approve(e, in.TokenID, in.Spender, in.Amount) }),
		on(func(e *chapter.Env, in *tx.TokenMint) error { return mint(e, in.TokenID, in.To, in.Amount) }),
		on(func(e *chapter.Env, in *tx.TokenBurn) error { return burn(e, in.TokenID, in.Amount) }),
		on(func(e *chapter.Env, in *tx.TokenFreeze) error { return freeze(e, in.TokenID, in.Account, true) }),
		on(func(e *chapter.Env, in *tx.TokenUnfreeze) error { return freeze(e, in.TokenID, in.Account, false) }),
		on(func(e *chapter.Env, in *tx.TokenSetHook) error { return setHook(e, in.TokenID, in.TransferHook) }),
		on(func(e *chapter.Env, in *tx.TokenTransferOwnership) error {
			return transferOwnership(e, in.TokenID, in.NewOwner)
		}),
		on(func(e *chapter.Env, in *tx.TokenTransferBatch) error {
			legs := make([]token.Leg, len(in.Transfers))
			for i, l := range in.Transfers {
				legs[i] = token.Leg{Token: l.TokenID, To: l.To, Amount: l.Amount}
			}
			return transferBatch(e, legs)
		}),
		on(func(e *chapter.Env, in *tx.TokenIncreaseAllowance) error {
			return increase(e, in.TokenID, in.Spender, in.Amount)
		}),
		on(func(e *chapter.Env, in *tx.TokenDecreaseAllowance) error {
			return decrease(e, in.TokenID, in.Spender, in.Amount)
		}),
		on(func(e *chapter.Env, in *tx.TokenPermit) error {
			return permit(e, token.Permit{
				Token: in.TokenID, Owner: in.Owner, Spender: in.Spender, Value: in.Value, Deadline: in.Deadline, Nonce: in.Nonce,
			}, in.Signature)
		}),
	}
}

// on makes an instruction that returns nothing.
func on[T tx.Instruction](run func(e *chapter.Env, in T) error) chapter.Instruction {
	return chapter.On(func(e *chapter.Env, in T) ([]byte, error) { return nil, run(e, in) })
}
