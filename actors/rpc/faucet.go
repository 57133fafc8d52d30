package rpc

import (
	"context"
	"net/http"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// FaucetAmount is what one request gives. Spec: node-rpc-cli §2.5.
const FaucetAmount = 5_000 * unit.CBY

// Faucet signs transfers from the network's faucet account, one at a time.
type Faucet struct {
	Key *sig.PrivateKey
	mu  sync.Mutex
}

// Faucet implements Backend: it submits a transfer and waits until it is finalized, so that the coins are there when the
// answer is.
func (n *Node) Faucet(ctx context.Context, addr account.Address) (wire.Faucet, error) {
	if n.Funds == nil {
		return wire.Faucet{}, refuse(http.StatusForbidden, 8000, "")
	}
	t, err := n.submitFaucet(ctx, addr)
	if err != nil {
		return wire.Faucet{}, err
	}
	hash := t.SigningHash()
	reply := wire.Faucet{
		Status: "ok", Finality: "finalized", TxHash: wire.Hash(hash), Amount: uint64(FaucetAmount), AmountCBY: uint64(FaucetAmount / unit.CBY),
	}
	for height := n.Ledger.Finalized(); ; height++ {
		if _, err := n.Ledger.Transaction(hash); err == nil {
			return reply, nil
		}
		if err := n.Ledger.Await(ctx, height+1); err != nil {
			reply.Finality = "pending"
			return reply, nil
		}
	}
}

func (n *Node) submitFaucet(ctx context.Context, addr account.Address) (*tx.Tx, error) {
	n.Funds.mu.Lock()
	defer n.Funds.mu.Unlock()
	from := n.Funds.Key.Address()
	owner, err := n.Account(from)
	if err != nil {
		return nil, refuse(http.StatusForbidden, 8000, "faucet account not found in genesis")
	}
	fees := n.Basefee()
	t := &tx.Tx{
		ChainID: n.ChainID, Nonce: owner.Nonce, Instruction: &tx.Transfer{To: addr, Amount: FaucetAmount}, CyclesLimit: 21_000,
		MaxFeePerCycle: 2 * fees.CycleBasefee, MaxFeePerCell: 2 * fees.CellBasefee, From: from,
	}
	t.Signature = n.Funds.Key.Sign(t.SigningHash())
	answers, err := n.Pool.Submit(ctx, [][]byte{t.Encode()})
	if err != nil {
		return nil, err
	}
	if answers[0] != nil {
		return nil, &Refusal{http.StatusServiceUnavailable, wireError(answers[0])}
	}
	return t, nil
}
