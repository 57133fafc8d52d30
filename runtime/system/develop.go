package system

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// The handlers of 0x09 for developers. They answer an administrator of a network with one validator and nobody else; being transactions, they
// are in the block like everything that changes state, and replay with it.
const (
	HandlerSetBalance = "dev.set_balance"
	HandlerSetStorage = "dev.set_storage"
	HandlerSend       = "dev.send"

	HandlerSetRunner   = "dev.set_runner"   // a dispatcher.Script; returns its number, eight bytes big-endian
	HandlerClearRunner = "dev.clear_runner" // a dispatcher.Scope; returns how many scripts there were, likewise
	HandlerAnswerJob   = "dev.answer_job"   // a dispatcher.ByHand
)

// maxRawKey is the longest storage key that is stored as it is. Spec: sdk §4.3.
const maxRawKey = 32

// SetBalance gives an address so many coins: the difference moves from or to the administrator, so no coin appears.
type SetBalance struct {
	Address account.Address
	Balance unit.Amount
}

// Encode is the payload of HandlerSetBalance.
func (d *SetBalance) Encode() []byte {
	return codec.AppendUint(codec.AppendFixed(nil, d.Address[:]), uint64(d.Balance))
}

// SetStorage writes one storage entry of an actor, or removes it.
type SetStorage struct {
	Actor  account.Address
	Key    []byte // 1 to 32 bytes
	Value  []byte
	Remove bool
}

// Encode is the payload of HandlerSetStorage.
func (d *SetStorage) Encode() []byte {
	dst := codec.AppendBytes(codec.AppendFixed(nil, d.Actor[:]), d.Key)
	return codec.AppendBytes(codec.AppendBool(dst, d.Remove), d.Value)
}

// Send has an address send a message to an actor, which meets it as its sender. The administrator's transaction pays.
type Send struct {
	From, To account.Address
	Handler  string
	Payload  []byte
}

// Encode is the payload of HandlerSend.
func (d *Send) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(nil, d.From[:]), d.To[:])
	return codec.AppendBytes(codec.AppendBytes(dst, []byte(d.Handler)), d.Payload)
}

// develop runs a call of 0x09 by a developer. Anybody else is told what the address tells everybody.
//
// Spec: governance-staking B10 (administrators of local networks).
func develop(t *drain.Turn) (drain.Outcome, error) {
	if t.Target != account.System(account.Governance) || !slices.Contains(t.Block.Params.Administrators, t.Sender) {
		return unavailable(t), nil
	}
	if open, err := dispatcher.Open(t.Block, t.Overlay); err != nil || !open {
		return unavailable(t), err
	}
	r := codec.NewReader(t.Payload.Data)
	switch t.Payload.Handler {
	case HandlerSetBalance:
		var d SetBalance
		r.Into(d.Address[:])
		d.Balance = unit.Amount(r.Uint())
		return d.run(t, r.Finish())
	case HandlerSetStorage:
		var d SetStorage
		r.Into(d.Actor[:])
		d.Key = r.Bytes(maxRawKey)
		d.Remove = r.Bool()
		d.Value = r.Bytes(params.MaxStorageValueBytes)
		return d.run(t, r.Finish())
	case HandlerSend:
		var d Send
		r.Into(d.From[:])
		r.Into(d.To[:])
		d.Handler = string(r.Bytes(mailbox.HandlerMax))
		d.Payload = r.Bytes(mailbox.PayloadMax)
		return d.run(t, r.Finish())
	}
	return runners(t, r)
}

func (d *SetBalance) run(t *drain.Turn, bad error) (drain.Outcome, error) {
	if bad != nil || d.Address == t.Sender {
		return t.Failed(fee.Use{}, drain.FaultInput, "the payload is the address of another account and its balance"), nil
	}
	from, err := loadAccount(t, t.Sender)
	if err != nil {
		return drain.Outcome{}, err
	}
	to, err := loadAccount(t, d.Address)
	if err != nil {
		return drain.Outcome{}, err
	}
	both, err := from.Balance.Add(to.Balance)
	if err == nil {
		from.Balance, err = both.Sub(d.Balance)
	}
	if err != nil {
		return t.Failed(fee.Use{}, drain.FaultValue, "the administrator does not hold so much"), nil
	}
	to.Balance = d.Balance
	t.Overlay.Set(t.Sender.Key(), from.Encode())
	t.Overlay.Set(d.Address.Key(), to.Encode())
	return drain.Outcome{Turn: t.Number}, nil
}

func (d *SetStorage) run(t *drain.Turn, bad error) (drain.Outcome, error) {
	if bad != nil || len(d.Key) == 0 || d.Remove && len(d.Value) > 0 {
		return t.Failed(fee.Use{}, drain.FaultInput, "the payload is an actor, a key of 1 to 32 bytes, and a value or its removal"), nil
	}
	used := fee.Use{Cycles: params.CostStorageWrite, Cells: unit.Cells(len(d.Key)+len(d.Value)) * params.CellsPerByteWritten}
	if used.Cycles > t.Limit.Cycles || used.Cells > t.Limit.Cells {
		return t.Failed(t.Limit, drain.FaultCells, "the limits do not cover the entry"), nil
	}
	a, err := loadAccount(t, d.Actor)
	if err != nil {
		return drain.Outcome{}, err
	}
	if a.Kind == account.External {
		return t.Failed(used, drain.FaultActor, "no actor at the address"), nil
	}
	key := account.Key(account.KindStorage, d.Actor, d.Key...)
	old, found, err := t.Overlay.Lookup(key)
	if err != nil {
		return drain.Outcome{}, err
	}
	if found {
		a.StorageBytes -= min(a.StorageBytes, uint64(len(d.Key)+len(old)))
	}
	if d.Remove {
		t.Overlay.Delete(key)
	} else {
		a.StorageBytes += uint64(len(d.Key) + len(d.Value))
		t.Overlay.Set(key, d.Value)
	}
	t.Overlay.Set(d.Actor.Key(), a.Encode())
	return drain.Outcome{Turn: t.Number, Used: used}, nil
}

func (d *Send) run(t *drain.Turn, bad error) (drain.Outcome, error) {
	if bad != nil {
		return t.Failed(fee.Use{}, drain.FaultInput, "the payload is a sender, an actor, a handler and what it is given"), nil
	}
	used := fee.Use{Cycles: params.CostSendMessage}
	if used.Cycles > t.Limit.Cycles {
		return t.Failed(t.Limit, drain.FaultCycles, "the limit does not cover the message"), nil
	}
	m, err := mailbox.Enqueue(t.Overlay, t.Block.Limits, t.Block.Height, mailbox.Message{
		Sender: d.From, Target: d.To, Handler: d.Handler, Payload: d.Payload, Origin: t.Origin, Depth: t.Depth + 1,
	})
	if err != nil {
		if code, ok := drain.FaultOf(err); ok {
			return t.Failed(used, code, err.Error()), nil
		}
		return drain.Outcome{}, err
	}
	return drain.Outcome{Turn: t.Number, Used: used, Return: m.ID[:], Enqueued: 1, Fanout: 1}, nil
}

func loadAccount(t *drain.Turn, addr account.Address) (account.Account, error) {
	data, ok, err := t.Overlay.Lookup(addr.Key())
	if err != nil || !ok {
		return account.Account{}, err
	}
	return account.Decode(data)
}
