package rpc

import (
	"context"
	"net/http"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// FaucetAmount is what one request gives. Spec: node-rpc-cli §2.5.
const FaucetAmount = 5_000 * unit.CBY

// Faucet signs transfers from the network's faucet account, one at a time.
type Faucet struct {
	Key *sig.PrivateKey
	// Pending, if set, says whether nobody waits for the transfer to be final: the network makes blocks upon request only.
	Pending func() bool

	mu sync.Mutex
}

// Faucet implements Backend: it submits a transfer and waits until it is finalized, so that the coins are there when the
// answer is.
func (n *Node) Faucet(ctx context.Context, addr account.Address) (wire.Faucet, error) {
	if n.Funds == nil {
		return wire.Faucet{}, refuse(http.StatusForbidden, 8000, "")
	}
	hash, err := n.fromFaucet(ctx, &tx.Transfer{To: addr, Amount: FaucetAmount}, 21_000, 0)
	if err != nil {
		return wire.Faucet{}, err
	}
	reply := wire.Faucet{
		Status: "ok", Finality: "finalized", TxHash: wire.Hash(hash), Amount: uint64(FaucetAmount), AmountCBY: uint64(FaucetAmount / unit.CBY),
	}
	if n.Funds.Pending != nil && n.Funds.Pending() || n.awaitTransaction(ctx, hash) != nil {
		reply.Finality = "pending"
	}
	return reply, nil
}

// Administer submits an instruction of the faucet, which administers a development network, and gives its receipt once that is final. hurry is
// called when the transaction waits for a block.
func (n *Node) Administer(ctx context.Context, in tx.Instruction, cycles unit.Cycles, cells unit.Cells, hurry func(digest.Hash)) (wire.Receipt, error) {
	if n.Funds == nil {
		return wire.Receipt{}, refuse(http.StatusForbidden, 8000, "")
	}
	hash, err := n.fromFaucet(ctx, in, cycles, cells)
	if err != nil {
		return wire.Receipt{}, err
	}
	hurry(hash)
	if err := n.awaitTransaction(ctx, hash); err != nil {
		return wire.Receipt{}, refuse(http.StatusGatewayTimeout, 1900, "the transaction "+wire.Hash(hash)+" is not final yet")
	}
	return n.Receipt(hash)
}

// awaitTransaction returns when a transaction is final, or with an error when ctx ends before.
func (n *Node) awaitTransaction(ctx context.Context, hash digest.Hash) error {
	for height := n.Ledger.Finalized(); ; height++ {
		if _, err := n.Ledger.Transaction(hash); err == nil {
			return nil
		}
		if err := n.Ledger.Await(ctx, height+1); err != nil {
			return err
		}
	}
}

// fromFaucet signs an instruction with the faucet's key and hands it to the lanes.
func (n *Node) fromFaucet(ctx context.Context, in tx.Instruction, cycles unit.Cycles, cells unit.Cells) (digest.Hash, error) {
	n.Funds.mu.Lock()
	defer n.Funds.mu.Unlock()
	from := n.Funds.Key.Address()
	owner, err := n.Account(from)
	if err != nil {
		return digest.Hash{}, refuse(http.StatusForbidden, 8000, "faucet account not found in genesis")
	}
	fees := n.Basefee()
	t := &tx.Tx{
		ChainID: n.ChainID, Nonce: owner.Nonce, Instruction: in, CyclesLimit: cycles, CellsLimit: cells,
		MaxFeePerCycle: 2 * fees.CycleBasefee, MaxFeePerCell: 2 * fees.CellBasefee, From: from,
	}
	hash := t.SigningHash()
	t.Signature = n.Funds.Key.Sign(hash)
	answers, err := n.Pool.Submit(ctx, [][]byte{t.Encode()}, t)
	if err != nil {
		return digest.Hash{}, err
	}
	if answers[0] != nil {
		return digest.Hash{}, &Refusal{http.StatusServiceUnavailable, wireError(answers[0])}
	}
	if n.Submitted != nil {
		n.Submitted(hash)
	}
	return hash, nil
}
