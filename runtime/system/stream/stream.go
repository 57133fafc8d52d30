package stream

import (
	"errors"
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/secret"
)

// The codes of faults about paid streams.
//
// Spec: gateway-payments-streams §E.2 (errors).
const (
	FaultCommittee  uint16 = 1846
	FaultEntitled   uint16 = 1860
	FaultManaged    uint16 = 1861
	FaultOwner      uint16 = 1862
	FaultTarget     uint16 = 1863
	FaultMinimum    uint16 = 1864
	FaultFunds      uint16 = 1865
	FaultKey        uint16 = 1866
	FaultKeys       uint16 = 1867
	FaultRevoked    uint16 = 1868
	FaultAuthorized uint16 = 1869
	FaultBatch      uint16 = 1870
	FaultRequest    uint16 = 1871
)

// The numbers of HostError. Spec: sdk §18.
const (
	hostInput     = 2
	hostMissing   = 3
	hostForbidden = 5
	hostLimit     = 8
)

// New gives the chapter.
//
// Spec: gateway-payments-streams §E; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterStream, Homes: []byte{account.StreamKeys}, Handlers: handlers(), Claims: stream.Claims(string(tx.ChapterStream)),
		Escrow: stream.Escrow,
		Faults: []chapter.Fault{
			{Err: stream.ErrManaged, Code: FaultManaged, Class: "StreamNotManagedError", Host: hostMissing},
			{Err: stream.ErrOwner, Code: FaultOwner, Class: "StreamOwnerError", Host: hostForbidden},
			{Err: stream.ErrTarget, Code: FaultTarget, Class: "StreamEpochError", Host: hostInput},
			{Err: stream.ErrMinimum, Code: FaultMinimum, Class: "StreamMinimumError", Host: hostInput},
			{Err: stream.ErrFunds, Code: FaultFunds, Class: "StreamFundsError", Host: hostInput},
			{Err: stream.ErrKey, Code: FaultKey, Class: "StreamKeyError", Host: hostInput},
			{Err: stream.ErrKeys, Code: FaultKeys, Class: "StreamKeyLimitError", Host: hostLimit},
			{Err: stream.ErrRevoked, Code: FaultRevoked, Class: "StreamKeyRevokedError", Host: hostMissing},
			{Err: stream.ErrAuthorized, Code: FaultAuthorized, Class: "StreamAuthorizationLimitError", Host: hostLimit},
			{Err: stream.ErrBatch, Code: FaultBatch, Class: "StreamBatchError", Host: hostLimit},
			{Err: stream.ErrWritten, Code: drain.FaultExists, Class: "StreamContentKeyExistsError", Host: hostInput},
			{Err: stream.ErrRequest, Code: FaultRequest, Class: "SealRequestError", Host: hostMissing},
			{Err: stream.ErrEntitled, Code: FaultEntitled, Class: "StreamEntitlementError", Host: hostForbidden},
			{Err: stream.ErrSpan, Code: FaultBatch, Class: "StreamBatchError", Host: hostLimit},
			{Err: stream.ErrOpen, Code: FaultBatch, Class: "StreamBatchError", Host: hostLimit},
			{Err: stream.ErrCommittee, Code: FaultCommittee, Class: "StreamCommitteeError", Host: hostMissing},
			{Err: stream.ErrConfig, Code: drain.FaultInput, Class: "InvalidInputError", Host: hostInput},
			{Err: stream.ErrName, Code: drain.FaultInput, Class: "InvalidInputError", Host: hostInput},
		},
	}
}

// manager is the records as an execution sees them. Events are in the price of what causes them.
func manager(e *chapter.Env) *stream.Manager {
	return &stream.Manager{
		State: e.State, Height: e.Block.Height, Bill: e.Bill, Price: secret.SealPrice(e),
		Spend: func(amount unit.Amount) error {
			if e.Spend != nil {
				return e.Spend(amount)
			}
			err := account.Debit(e.State, e.Sender, amount)
			var short *account.ShortfallError
			if errors.As(err, &short) {
				return stream.ErrFunds
			}
			return err
		},
		Emit: func(topic string, data []byte) {
			e.Effects.Events = append(e.Effects.Events, block.Event{Actor: e.Self, Topic: []byte(topic), Data: data})
		},
	}
}

// args are the arguments of a request. Reading one of another kind is noted, and found by bad.
type args struct {
	list []any
	next int
	bad  bool
}

func (a *args) take() any {
	if a.next >= len(a.list) {
		a.bad = true
		return nil
	}
	a.next++
	return a.list[a.next-1]
}

// number is an int from 0 to 2^64-1.
func (a *args) number() uint64 {
	switch n := a.take().(type) {
	case int64:
		if n >= 0 {
			return uint64(n)
		}
	case *big.Int:
		if n.IsUint64() {
			return n.Uint64()
		}
	}
	a.bad = true
	return 0
}

// bytes are octets, of exactly so many where size is not 0, or text as its UTF-8.
func (a *args) bytes(size int) []byte {
	var b []byte
	switch v := a.take().(type) {
	case []byte:
		b = v
	case string:
		b = []byte(v)
	default:
		a.bad = true
	}
	if size != 0 && len(b) != size {
		a.bad = true
		return make([]byte, size)
	}
	return b
}

func (a *args) address() account.Address { return account.Address(a.bytes(account.AddressSize)) }

func (a *args) hash() digest.Hash { return digest.Hash(a.bytes(digest.Size)) }

// handler makes a handler of a function over the arguments, which are all read before anything happens, for a price.
func handler(name string, reads bool, cycles unit.Cycles, cells unit.Cells, run func(e *chapter.Env, a *args) func() (any, error)) chapter.Handler {
	ways := chapter.ByCall
	if !reads {
		ways |= chapter.ByExecute
	}
	return chapter.Handler{Name: name, Ways: ways, Reads: reads, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		if err := e.Charge(cycles+unit.Cycles(len(r.Data))*params.CostSerializePerByte, cells); err != nil {
			return nil, err
		}
		if err := e.Building(r.Data); err != nil {
			return nil, err
		}
		v, err := cbor.Parse(r.Data)
		list, ok := v.([]any)
		if err != nil || !ok {
			return nil, malformed(name)
		}
		a := &args{list: list}
		then := run(e, a)
		if a.bad || a.next != len(list) {
			return nil, malformed(name)
		}
		got, err := then()
		if err != nil {
			return nil, err
		}
		return cbor.Append(nil, got)
	}}
}

func malformed(name string) error {
	return chapter.Reject(drain.FaultInput, "InvalidInputError", hostInput, "%s takes the canonical CBOR of the list of its arguments", name)
}

// handlers are what the manager answers.
//
// Spec: gateway-payments-streams §E.2.
func handlers() []chapter.Handler {
	return []chapter.Handler{
		handler("configure_stream", false, params.CostStreamAcquire, params.CellsStreamAcquire, configure),
		handler("acquire_epoch_access", false, params.CostStreamAcquire, params.CellsStreamAcquire, acquire),
		handler("register_account_key", false, params.CostStreamKey, params.CellsStreamKey, func(e *chapter.Env, a *args) func() (any, error) {
			public := a.bytes(0)
			return func() (any, error) { return value(manager(e).Register(e.Sender, public)) }
		}),
		handler("revoke_account_key", false, params.CostStreamRevoke, params.CellsStreamRevoke, func(e *chapter.Env, a *args) func() (any, error) {
			n := a.number()
			return func() (any, error) { return true, manager(e).Revoke(e.Sender, n) }
		}),
		authorization("authorize_actor", params.CostStreamAuthorize, params.CellsStreamAuthorize, true),
		authorization("revoke_actor", params.CostStreamRevoke, params.CellsStreamRevoke, false),
		handler("register_content_keys", false, params.CostStreamRevoke, 0, content),
		handler("request_seal_again", false, params.CostStreamKey, params.CellsStreamAcquire, func(e *chapter.Env, a *args) func() (any, error) {
			n := a.number()
			return func() (any, error) { return true, manager(e).Again(e.Sender, n) }
		}),
		handler("request_seal", false, params.CostStreamAcquire, params.CellsStreamAcquire, func(e *chapter.Env, a *args) func() (any, error) {
			id, from, to := a.hash(), a.number(), a.number()
			return func() (any, error) { return value(manager(e).Seal(e.Sender, id, from, to)) }
		}),
		handler("get_access", true, params.CostStorageRead, 0, func(e *chapter.Env, a *args) func() (any, error) {
			id, of := a.hash(), a.address()
			return func() (any, error) {
				covered, err := stream.Covered(e.State, id, of)
				if err != nil || covered == 0 {
					return nil, err
				}
				return covered - 1, nil
			}
		}),
		handler("is_authorized", true, 2*params.CostStorageRead, 0, func(e *chapter.Env, a *args) func() (any, error) {
			of, actor, id := a.address(), a.address(), a.hash()
			return func() (any, error) { return value(stream.Authorized(e.State, of, actor, id)) }
		}),
		handler("get_content_key", true, params.CostStorageRead, 0, func(e *chapter.Env, a *args) func() (any, error) {
			id, epoch := a.hash(), a.number()
			return func() (any, error) {
				wrapped, err := stream.LoadContent(e.State, id, epoch)
				if err != nil || wrapped == nil {
					return nil, err
				}
				return wrapped, nil
			}
		}),
		handler("get_seal_request", true, 2*params.CostStorageRead, 0, sealRequest),
	}
}

// value is a result with its error, as an answer.
func value(v any, err error) (any, error) { return v, err }

func configure(e *chapter.Env, a *args) func() (any, error) {
	name := a.bytes(0)
	c := stream.Config{Fee: unit.Amount(a.number()), ProtocolBPS: a.number(), Treasury: a.address(), EpochBlocks: a.number(), MinPurchase: a.number()}
	return func() (any, error) {
		id, err := manager(e).Configure(e.Sender, name, c)
		return id[:], err
	}
}

func acquire(e *chapter.Env, a *args) func() (any, error) {
	id, beneficiary, payer, target := a.hash(), a.address(), a.address(), a.number()
	return func() (any, error) {
		if payer != e.Sender {
			return nil, stream.ErrOwner
		}
		r, err := manager(e).Acquire(id, beneficiary, payer, target)
		if err != nil {
			return nil, err
		}
		if more := r.Raised - 1; more > 0 { // the first request is in the price
			if err := e.Charge(unit.Cycles(more)*params.CostStreamKey, unit.Cells(more)*params.CellsStreamAcquire); err != nil {
				return nil, err
			}
		}
		return cbor.Map{
			{Key: "from_key_epoch", Value: r.From}, {Key: "to_key_epoch", Value: r.To}, {Key: "epochs_charged", Value: r.Charged},
			{Key: "publisher_amount_cby", Value: uint64(r.Publisher)}, {Key: "protocol_fee_cby", Value: uint64(r.Protocol)},
			{Key: "total", Value: uint64(r.Publisher + r.Protocol)},
		}, nil
	}
}

func authorization(name string, cycles unit.Cycles, cells unit.Cells, may bool) chapter.Handler {
	return handler(name, false, cycles, cells, func(e *chapter.Env, a *args) func() (any, error) {
		actor, id := a.address(), a.hash()
		return func() (any, error) { return true, manager(e).Authorize(e.Sender, actor, id, may) }
	})
}

// content takes the price of each key with the list, before anything is written.
func content(e *chapter.Env, a *args) func() (any, error) {
	id := a.hash()
	entries, ok := a.take().([]any)
	var list []stream.Content
	cells := unit.Cells(0)
	for _, entry := range entries[:min(len(entries), stream.MaxBatch+1)] {
		pair, is := entry.([]any)
		x := &args{list: pair}
		list = append(list, stream.Content{Epoch: x.number(), Wrapped: x.bytes(0)})
		ok = ok && is && !x.bad && x.next == len(pair)
		cells += params.CellsStreamContent + unit.Cells(len(list[len(list)-1].Wrapped))
	}
	a.bad = a.bad || !ok
	return func() (any, error) {
		if err := e.Charge(unit.Cycles(len(list))*params.CostStorageWrite, cells); err != nil {
			return nil, err
		}
		return true, manager(e).RegisterContent(e.Sender, id, list)
	}
}

func sealRequest(e *chapter.Env, a *args) func() (any, error) {
	n := a.number()
	return func() (any, error) {
		q, status, err := stream.LoadRequest(e.State, n, e.Block.Height)
		if err != nil || q == nil {
			return nil, err
		}
		return cbor.Map{
			{Key: "stream", Value: q.Stream[:]}, {Key: "beneficiary", Value: q.Beneficiary[:]}, {Key: "from_key_epoch", Value: q.From},
			{Key: "to_key_epoch", Value: q.To}, {Key: "account_key_id", Value: q.Key}, {Key: "generation", Value: q.Generation},
			{Key: "state", Value: status.String()}, {Key: "until", Value: uint64(q.Until)}, {Key: "receipts", Value: uint64(len(q.Receipts))},
			{Key: "quorum", Value: q.Quorum},
		}, nil
	}
}
