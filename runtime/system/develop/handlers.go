package develop

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// Name is the chapter's. It is this implementation's own.
const Name tx.Chapter = "develop"

// The handlers.
const (
	HandlerSetBalance = "dev.set_balance"
	HandlerSetStorage = "dev.set_storage"
	HandlerSend       = "dev.send"
	HandlerSetCode    = "dev.set_code"

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

// SetCode gives an actor the code of another one, which a deployment has checked, whatever its manifest says of upgrades. Storage, timers, mailbox, manifest
// and address stay.
type SetCode struct{ Actor, From account.Address }

// Encode is the payload of HandlerSetCode.
func (d *SetCode) Encode() []byte {
	return codec.AppendFixed(codec.AppendFixed(nil, d.Actor[:]), d.From[:])
}

// New gives the chapter.
//
// Spec: governance-staking B10 (administrators of local networks).
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: Name, Homes: []byte{account.Governance},
		Handlers: []chapter.Handler{
			handler(HandlerSetBalance, setBalance), handler(HandlerSetStorage, setStorage), handler(HandlerSend, send),
			handler(HandlerSetCode, setCode),
			handler(HandlerSetRunner, setRunner), handler(HandlerClearRunner, clearRunner), handler(HandlerAnswerJob, answerJob),
		},
		Faults: []chapter.Fault{
			{Err: dispatcher.ErrScript, Code: drain.FaultInput},
			{Err: dispatcher.ErrScripts, Code: drain.FaultLimit},
			{Err: dispatcher.ErrFull, Code: drain.FaultLimit},
			{Err: dispatcher.ErrReply, Code: drain.FaultLimit},
			{Err: dispatcher.ErrNoJob, Code: drain.FaultMissing},
		},
	}
}

// handler admits administrators of a network with one validator.
func handler(name string, run func(e *chapter.Env, r *codec.Reader) ([]byte, error)) chapter.Handler {
	return chapter.Handler{Name: name, Ways: chapter.ByExecute, Run: func(e *chapter.Env, q chapter.Request) ([]byte, error) {
		open, err := dispatcher.Open(e.Block, e.State)
		if err != nil {
			return nil, err
		}
		if !open || !slices.Contains(e.Block.Params.Administrators, e.Sender) {
			return nil, chapter.ErrNoHandler
		}
		return run(e, codec.NewReader(q.Data))
	}}
}

func setBalance(e *chapter.Env, r *codec.Reader) ([]byte, error) {
	var d SetBalance
	r.Into(d.Address[:])
	d.Balance = unit.Amount(r.Uint())
	if r.Finish() != nil || d.Address == e.Sender {
		return nil, chapter.Refuse(drain.FaultInput, "the payload is the address of another account and its balance")
	}
	if err := e.Bill(d.Address); err != nil {
		return nil, err
	}
	to, err := account.Load(e.State, d.Address)
	if err != nil {
		return nil, err
	}
	if d.Balance >= to.Balance {
		err = account.Move(e.State, e.Sender, d.Address, d.Balance-to.Balance)
	} else {
		err = account.Move(e.State, d.Address, e.Sender, to.Balance-d.Balance)
	}
	var short *account.ShortfallError
	if errors.As(err, &short) {
		return nil, chapter.Refuse(drain.FaultValue, "the administrator does not hold so much")
	}
	return nil, err
}

func setStorage(e *chapter.Env, r *codec.Reader) ([]byte, error) {
	var d SetStorage
	r.Into(d.Actor[:])
	d.Key = r.Bytes(maxRawKey)
	d.Remove = r.Bool()
	d.Value = r.Bytes(params.MaxStorageValueBytes)
	if r.Finish() != nil || len(d.Key) == 0 || d.Remove && len(d.Value) > 0 {
		return nil, chapter.Refuse(drain.FaultInput, "the payload is an actor, a key of 1 to 32 bytes, and a value or its removal")
	}
	if err := e.Charge(e.Costs().StorageWrite, unit.Cells(len(d.Key)+len(d.Value))*e.Costs().CellsPerByteWritten); err != nil {
		return nil, err
	}
	if err := e.Bill(d.Actor); err != nil {
		return nil, err
	}
	a, err := account.Load(e.State, d.Actor)
	if err != nil {
		return nil, err
	}
	if a.Kind != account.Actor { // a system actor's state is its chapter's alone
		return nil, chapter.Refuse(drain.FaultActor, "no Python actor at the address")
	}
	key := account.Key(account.KindStorage, d.Actor, d.Key...)
	old, found, err := e.State.Lookup(key)
	if err != nil {
		return nil, err
	}
	if found {
		a.StorageBytes -= min(a.StorageBytes, uint64(len(d.Key)+len(old)))
	}
	if d.Remove {
		e.State.Delete(key)
	} else {
		a.StorageBytes += uint64(len(d.Key) + len(d.Value))
		e.State.Set(key, d.Value)
	}
	account.Save(e.State, d.Actor, &a)
	return nil, nil
}

func setCode(e *chapter.Env, r *codec.Reader) ([]byte, error) {
	var d SetCode
	r.Into(d.Actor[:])
	r.Into(d.From[:])
	if r.Finish() != nil {
		return nil, chapter.Refuse(drain.FaultInput, "the payload is an actor and the actor whose code it is to have")
	}
	if err := e.Charge(e.Costs().StorageWrite, unit.Cells(account.MaxEncodedSize)*e.Costs().CellsPerByteWritten); err != nil {
		return nil, err
	}
	to, err := account.Load(e.State, d.Actor)
	if err != nil {
		return nil, err
	}
	from, err := account.Load(e.State, d.From)
	if err != nil {
		return nil, err
	}
	if to.Kind != account.Actor || from.Kind != account.Actor {
		return nil, chapter.Refuse(drain.FaultActor, "no Python actor at the address")
	}
	to.CodeHash = from.CodeHash
	account.Save(e.State, d.Actor, &to)
	return nil, nil
}

func send(e *chapter.Env, r *codec.Reader) ([]byte, error) {
	var d Send
	r.Into(d.From[:])
	r.Into(d.To[:])
	d.Handler = string(r.Bytes(mailbox.HandlerMax))
	d.Payload = r.Bytes(mailbox.PayloadMax)
	if r.Finish() != nil {
		return nil, chapter.Refuse(drain.FaultInput, "the payload is a sender, an actor, a handler and what it is given")
	}
	if err := e.Charge(e.Costs().SendMessage, 0); err != nil {
		return nil, err
	}
	id, err := e.Send(mailbox.Message{Sender: d.From, Target: d.To, Handler: d.Handler, Payload: d.Payload, Depth: e.Turn.Depth + 1})
	return id[:], err
}
