package rpc

import (
	"context"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Backend is what the interface answers from. Every method may be called from many goroutines. An error that is a *Refusal
// becomes that answer; any other is a failure of this node and becomes a 500.
type Backend interface {
	Health() wire.Health
	Ready() wire.Ready
	Height() wire.Height
	Basefee() wire.Basefee
	Tree() supervision.Status

	BlockAt(height uint64) (wire.Block, error)
	BlockByHash(hash digest.Hash) (wire.Block, error)
	Blocks(offset, limit uint64) (wire.Blocks, error)
	// BlockReceipts gives the receipts of a finalized block in their order.
	BlockReceipts(height uint64) ([]wire.Receipt, error)
	// AwaitFinal returns when height is finalized or ctx ends.
	AwaitFinal(ctx context.Context, height uint64) error

	Transaction(hash digest.Hash) (wire.Transaction, error)
	Pending(hash digest.Hash) (wire.Transaction, error)
	Receipt(hash digest.Hash) (wire.Receipt, error)
	// Trace gives the causal tree an identity belongs to.
	Trace(hash digest.Hash) (wire.Trace, error)
	AccountTransactions(addr account.Address, offset, limit uint64) ([]wire.Transaction, uint64, error)
	Submit(ctx context.Context, raw [][]byte) (wire.SubmitReply, error)
	Faucet(ctx context.Context, addr account.Address) (wire.Faucet, error)

	Account(addr account.Address) (wire.Account, error)
	Actor(addr account.Address, after []byte, limit uint64) (wire.Actor, error)
	Code(addr account.Address) (wire.Code, error)
	Logs(addr account.Address, offset, limit uint64) (wire.Logs, error)
	Events(addr account.Address, cursor string, limit uint64) (wire.Events, error)
	ActorTimers(addr account.Address, offset, limit uint64) (wire.Timers, error)
	TimersAt(height, offset, limit uint64) (wire.Timers, error)
	// TimersAhead gives all pending timers in the order they fire.
	TimersAhead(offset, limit uint64) (wire.Timers, error)
	Parameters() ([]wire.Parameter, error)
	// Value reads one storage entry of an actor. A nil height is the newest finalized one.
	Value(addr account.Address, key []byte, height *uint64, prove bool) (wire.Value, error)
	ProveAccount(addr account.Address) (wire.Proof, error)
	ProveTransaction(hash digest.Hash) (wire.Proof, error)
	ProveReceipt(hash digest.Hash) (wire.Proof, error)

	// Epoch, Validators and Validator tell of the registry after the newest block. A validator is named by its address or its voting key.
	Epoch() (wire.Epoch, error)
	Validators(after account.Address, limit uint64) (wire.Validators, error)
	Validator(key string) (wire.Validator, error)
	// Runners tells of the scripted runners of a developer's network.
	Runners() (wire.DevRunners, error)

	// Crossing, Trust, Final and Newest are what a light client follows the chain by.
	Crossing(epoch uint64) (wire.Crossing, error)
	Trust(height uint64) (wire.Trust, error)
	// Final gives the header at a height and those between it and the next one above with a finalization of its own.
	Final(height uint64) (wire.Final, error)
	Newest() (wire.Final, error)
}

// Refusal is an answer other than 200: an HTTP status and the error body.
type Refusal struct {
	Status int
	Body   wire.Error
}

func (r *Refusal) Error() string { return r.Body.Error() }

// HTTPStatus is the answer's status.
func (r *Refusal) HTTPStatus() int { return r.Status }
