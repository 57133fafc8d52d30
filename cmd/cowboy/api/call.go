package api

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Caller is how generated clients reach actors. Actors are named by their addresses; what is returned is the handler's result as it is on the chain.
type Caller interface {
	// Query runs a handler on committed state, for nothing.
	Query(ctx context.Context, actor, handler string, payload []byte) ([]byte, error)
	// Call runs a handler in a transaction that hands the actor so many base units, and waits until it is final.
	Call(ctx context.Context, actor, handler string, payload []byte, value uint64) ([]byte, error)
}

// Wallet calls actors through a node, with a key. Without a key it only queries.
type Wallet struct {
	Node *Client
	Key  *sig.PrivateKey
	// Sent, if set, is told of each transaction that the node has taken, or of which it gave no answer. It must not wait.
	Sent func(t *tx.Tx)
}

// Failed is a call that was included and failed, or would have.
type Failed struct{ Why string }

// Error implements error.
func (f *Failed) Error() string { return "the call failed: " + f.Why }

// Query implements Caller.
func (w *Wallet) Query(ctx context.Context, actor, handler string, payload []byte) ([]byte, error) {
	body, err := json.Marshal(wire.ReadRequest{Selector: handler, Payload: hex.EncodeToString(payload)})
	if err != nil {
		return nil, err
	}
	var reply wire.ReadReply
	if err := w.Node.Do(ctx, http.MethodPost, "/actor/"+actor+"/read_handler", "application/json", body, &reply); err != nil {
		return nil, err
	}
	return hex.DecodeString(reply.Result)
}

// mostCycles and mostCells are the limits that a call is tried with; the ones it is sent with are those it needed and a quarter.
const (
	mostCycles unit.Cycles = 10_000_000
	mostCells  unit.Cells  = params.MaxTxCells
	askEvery               = 100 * time.Millisecond
)

// submission is the tag of a list of transactions. Spec: node-rpc-cli §3.
const submission = 1

// Call implements Caller. The node tries the call first; one that would fail is not sent, and is a *Failed.
func (w *Wallet) Call(ctx context.Context, actor, handler string, payload []byte, value uint64) ([]byte, error) {
	to, err := account.ReadAddress(actor)
	if err != nil {
		return nil, err
	}
	in := &tx.Execute{To: to, Handler: []byte(handler), Payload: payload, Amount: unit.Amount(value)}
	return w.within(ctx, in, tx.Cost{Cycles: mostCycles, Cells: mostCells})
}

// within sends a call with limits of its own, and waits until it is final.
func (w *Wallet) within(ctx context.Context, in *tx.Execute, most tx.Cost) ([]byte, error) {
	t, err := w.prepare(ctx, in, 0, most)
	if err != nil {
		return nil, err
	}
	hash, err := w.submit(ctx, t)
	if err != nil {
		return nil, err
	}
	return w.Outcome(ctx, hash)
}

// Outcome waits until a transaction is final, and gives what it returned. One that failed is a *Failed.
func (w *Wallet) Outcome(ctx context.Context, hash digest.Hash) ([]byte, error) {
	receipt, err := w.Node.Receipt(ctx, wire.Hash(hash), askEvery)
	if err != nil {
		return nil, err
	}
	if !receipt.Success {
		why := receipt.Status
		if receipt.Error != nil {
			why = receipt.Error.Why
		}
		return nil, &Failed{why}
	}
	return hex.DecodeString(receipt.ReturnData)
}

// Send sends an instruction and does not wait. The node tries it first, unless others of the account are ahead of it; one that would fail is not sent, and
// is a *Failed. least is the lowest nonce it may have; what it has is given back. most are the limits it is tried with, and sent with where it is not tried.
func (w *Wallet) Send(ctx context.Context, in tx.Instruction, least uint64, most tx.Cost) (nonce uint64, err error) {
	nonce, _, err = w.SendNamed(ctx, in, least, most)
	return nonce, err
}

// SendNamed is Send that also gives the transaction's hash.
func (w *Wallet) SendNamed(ctx context.Context, in tx.Instruction, least uint64, most tx.Cost) (nonce uint64, hash digest.Hash, err error) {
	t, err := w.prepare(ctx, in, least, most)
	if err != nil {
		return 0, hash, err
	}
	hash, err = w.submit(ctx, t)
	return t.Nonce, hash, err
}

// submit signs a transaction and gives it to the node.
func (w *Wallet) submit(ctx context.Context, t *tx.Tx) (digest.Hash, error) {
	hash := t.SigningHash()
	t.Signature = w.Key.Sign(hash)
	reply, err := w.Node.Submit(ctx, append(codec.AppendLen([]byte{submission}, 1), t.Encode()...))
	for _, refused := range reply.Errors {
		if refused != nil && err == nil {
			err = &StatusError{Status: http.StatusBadRequest, Reply: *refused}
		}
	}
	var refused *StatusError
	if w.Sent != nil && !errors.As(err, &refused) {
		w.Sent(t)
	}
	return hash, err
}

// prepare fills in a transaction and has the node try it.
func (w *Wallet) prepare(ctx context.Context, in tx.Instruction, least uint64, most tx.Cost) (*tx.Tx, error) {
	if w.Key == nil {
		return nil, fmt.Errorf("a call is a transaction, and there is no key to sign it")
	}
	from := w.Key.Address()
	var health wire.Health
	var fees wire.Basefee
	if err := w.Node.Read(ctx, "/health/detailed", &health); err != nil {
		return nil, err
	}
	if err := w.Node.Read(ctx, "/basefee", &fees); err != nil {
		return nil, err
	}
	owner, err := w.Node.Account(ctx, from.String())
	if err != nil {
		return nil, err
	}
	t := &tx.Tx{
		ChainID: health.ChainID, Nonce: max(owner.Nonce, least), Instruction: in, From: from, CyclesLimit: most.Cycles, CellsLimit: most.Cells,
		MaxFeePerCycle: 2 * fees.CycleBasefee, MaxFeePerCell: 2 * fees.CellBasefee,
	}
	trial := *t
	trial.MaxFeePerCell, trial.MaxFeePerCycle = fees.CellBasefee, fees.CycleBasefee // so that a small balance can be tried too
	body, err := json.Marshal(map[string]string{"tx": hex.EncodeToString(trial.Encode())})
	if err != nil {
		return nil, err
	}
	var s wire.Simulation
	if err := w.Node.Do(ctx, http.MethodPost, "/simulate", "application/json", body, &s); err != nil {
		return nil, err
	}
	switch {
	case s.Refused != nil:
		return nil, &StatusError{Status: http.StatusBadRequest, Reply: *s.Refused}
	case s.Ahead == 0 && !s.Success:
		why := "it would not succeed"
		if s.Error != nil {
			why = s.Error.Why
		}
		return nil, &Failed{why}
	case s.Ahead == 0 && s.Enqueued == 0:
		t.CyclesLimit = min(unit.Cycles(s.CyclesUsed+s.CyclesUsed/4)+10_000, most.Cycles)
		t.CellsLimit = min(unit.Cells(s.CellsUsed+s.CellsUsed/4)+500, most.Cells)
	}
	return t, nil
}

// Payload is what a handler is given: bytes as they are, text as UTF-8, nothing for nil, anything else as JSON.
func Payload(v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []byte:
		return v, nil
	case string:
		return []byte(v), nil
	}
	return json.Marshal(v)
}

// Decode reads a result that is canonical CBOR.
func Decode[T any](data []byte) (T, error) {
	var v T
	if err := cbor.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("the result is not what the handler says it returns: %w", err)
	}
	return v, nil
}
