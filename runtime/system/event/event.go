package event

import (
	"encoding/hex"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// The codes of faults about subscriptions. The last four are those of an emit's Refused.
//
// Spec: gateway-payments-streams §H.2 (errors).
const (
	FaultTopic     uint16 = 1850
	FaultFull      uint16 = 1851
	FaultPrepaid   uint16 = 1852
	FaultUnknown   uint16 = 1853
	FaultParty     uint16 = 1854
	FaultZero      uint16 = 1855
	FaultPayload   uint16 = 1856
	FaultEmits     uint16 = 1857
	FaultDepth     uint16 = 1858
	FaultReentered uint16 = 1859
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
// Spec: gateway-payments-streams §H; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterEvent, Homes: []byte{account.EventSubscription},
		Handlers: []chapter.Handler{{Name: "topup_subscription", Ways: chapter.ByExecute | chapter.ByCall, Coins: true, Run: topUpWith}},
		Syscalls: syscalls(), Escrow: event.Escrow, Claims: event.Claims(string(tx.ChapterEvent)),
		Faults: []chapter.Fault{
			{Err: event.ErrTopic, Code: FaultTopic, Class: "EventTopicError", Host: hostInput},
			{Err: event.ErrFull, Code: FaultFull, Class: "SubscriberCapError", Host: hostLimit},
			{Err: event.ErrPrepaid, Code: FaultPrepaid, Class: "EventGasError", Host: hostInput},
			{Err: event.ErrUnknown, Code: FaultUnknown, Class: "SubscriptionNotFoundError", Host: hostMissing},
			{Err: event.ErrParty, Code: FaultParty, Class: "SubscriptionOwnerError", Host: hostForbidden},
			{Err: event.ErrZero, Code: FaultZero, Class: "EventDeltaError", Host: hostInput},
			{Err: event.ErrHandler, Code: drain.FaultInput, Class: "InvalidInputError", Host: hostInput},
			{Err: event.ErrOverflow, Code: drain.FaultInput, Class: "InvalidInputError", Host: hostInput},
			{Err: event.ErrEmitter, Code: drain.FaultActor, Class: "ActorNotFoundError", Host: hostMissing},
		},
	}
}

// syscalls are what actors call.
//
// Spec: gateway-payments-streams §H.2; sdk §19.4.
func syscalls() []chapter.Syscall {
	return []chapter.Syscall{
		{
			Name: "subscribe_event", Sig: "emitter, topic, handler, gas_prepaid, bid=0",
			Args: []chapter.Kind{chapter.Address, chapter.Bytes, chapter.Bytes, chapter.Number, chapter.Coins | chapter.Optional}, Run: subscribe,
		},
		change("update_bid", "sub_id, delta", params.CostEventBid, chapter.Coins, func(e *chapter.Env, b *event.Book, id digest.Hash, a chapter.Args) error {
			return b.UpdateBid(e.Sender, id, a.Coins(1))
		}),
		change("topup_subscription", "sub_id, gas", params.CostEventBid, chapter.Number,
			func(_ *chapter.Env, b *event.Book, id digest.Hash, a chapter.Args) error {
				return b.TopUp(id, a.Number(1))
			}),
		change("unsubscribe_event", "sub_id", params.CostEventEnd, 0, func(e *chapter.Env, b *event.Book, id digest.Hash, _ chapter.Args) error {
			return b.Unsubscribe(e.Sender, id, false)
		}),
		change("force_unsubscribe_event", "sub_id", params.CostEventEnd, 0, func(e *chapter.Env, b *event.Book, id digest.Hash, _ chapter.Args) error {
			return b.Unsubscribe(e.Sender, id, true)
		}),
		{Name: "get_rank", Sig: "sub_id", Args: []chapter.Kind{chapter.Bytes}, Reads: true, Run: rank},
		{
			Name: "get_topic_orderbook", Sig: "emitter, topic, limit=64", Reads: true, Run: orderbook,
			Args: []chapter.Kind{chapter.Address, chapter.Bytes, chapter.Number | chapter.Optional},
		},
		{
			Name: "get_min_bid_for_rank", Sig: "emitter, topic, rank", Args: []chapter.Kind{chapter.Address, chapter.Bytes, chapter.Number}, Reads: true,
			Run: minBid,
		},
	}
}

// change makes a syscall that changes a subscription; it returns True. more is the kind of a second argument, 0 (bytes) for none.
func change(
	name, sig string, cost unit.Cycles, more chapter.Kind, run func(e *chapter.Env, b *event.Book, id digest.Hash, a chapter.Args) error,
) chapter.Syscall {
	kinds := []chapter.Kind{chapter.Bytes}
	if more != 0 {
		kinds = append(kinds, more)
	}
	return chapter.Syscall{Name: name, Sig: sig, Args: kinds, Run: func(e *chapter.Env, a chapter.Args) (any, error) {
		id, b, err := open(e, cost, a.Bytes(0))
		if err != nil {
			return nil, err
		}
		return true, run(e, b, id, a)
	}}
}

// open takes a price and reads an identity: 32 bytes, or 64 hexadecimal digits.
func open(e *chapter.Env, cost unit.Cycles, raw []byte) (id digest.Hash, b *event.Book, err error) {
	if err := e.Charge(cost, 0); err != nil {
		return id, nil, err
	}
	if n := len(raw); n == 2*digest.Size || n == 2*digest.Size+len("0x") {
		if digits, err := hex.DecodeString(strings.TrimPrefix(string(raw), "0x")); err == nil {
			raw = digits
		}
	}
	if len(raw) != digest.Size {
		return id, nil, chapter.Reject(drain.FaultInput, "InvalidInputError", hostInput, "a sub_id has 32 bytes, not %d", len(raw))
	}
	b, err = book(e)
	return digest.Hash(raw), b, err
}

func subscribe(e *chapter.Env, a chapter.Args) (any, error) {
	if err := e.Charge(params.CostEventSubscribe, 0); err != nil {
		return nil, err
	}
	b, err := book(e)
	if err != nil {
		return nil, err
	}
	return b.Subscribe(e.Sender, event.Terms{Emitter: a.Address(0), Topic: a.Bytes(1), Handler: a.Bytes(2), Gas: a.Number(3), Bid: a.Coins(4)})
}

// maxTopUp bounds the arguments of a top-up, in bytes: an identity as digits, in a list.
const maxTopUp = 128

// topUpWith adds as much gas as the coins that came with it are worth: what they are worth beside it is the subscription's too.
//
// Spec: gateway-payments-streams §H.2 (topup_subscription: anyone).
func topUpWith(e *chapter.Env, r chapter.Request) ([]byte, error) {
	raw := r.Data
	if len(raw) > maxTopUp {
		return nil, event.ErrUnknown
	}
	if r.Structured {
		v, err := cbor.Parse(raw)
		list, ok := v.([]any)
		if err != nil || !ok || len(list) != 1 {
			return nil, event.ErrUnknown
		}
		raw, _ = list[0].([]byte)
	}
	id, b, err := open(e, params.CostEventBid, raw)
	if err != nil {
		return nil, err
	}
	gas := uint64(e.Value) / max(b.Rates.Cycle, 1)
	b.Spend = func(amount unit.Amount) error { return account.Debit(e.State, e.Self, amount) }
	if err := b.TopUp(id, gas); err != nil {
		return nil, err
	}
	rest := e.Value - unit.Amount(gas*b.Rates.Cycle)
	if err := account.Debit(e.State, e.Self, rest); err != nil {
		return nil, err
	}
	if err := e.Bill(e.Sender); err != nil {
		return nil, err
	}
	return nil, account.Credit(e.State, e.Sender, rest)
}

// rank is the place of a subscription in the next emit, from 0; None for one that there is not.
func rank(e *chapter.Env, a chapter.Args) (any, error) {
	id, b, err := open(e, params.CostStorageRead, a.Bytes(0))
	if err != nil {
		return nil, err
	}
	s, err := event.Load(e.State, id)
	if err == event.ErrUnknown {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := pay(e, s.Emitter, s.Topic, event.PerTopic, 1); err != nil {
		return nil, err
	}
	n, err := b.Rank(id)
	return uint64(n), err
}

// pay takes the price of reading the first entries of a topic's order; reads is how much is read of each.
func pay(e *chapter.Env, emitter account.Address, topic []byte, limit, reads uint64) error {
	if err := e.Charge(params.CostStorageRead, 0); err != nil {
		return err
	}
	if len(topic) > event.MaxTopic {
		return event.ErrTopic
	}
	n, err := event.Count(e.State, event.TopicID(emitter, topic))
	if err != nil {
		return err
	}
	return e.Charge(unit.Cycles(min(n, limit)*reads)*params.CostStorageScan, 0)
}

// orderbook is a topic's subscriptions in the order of the next emit: dicts of sub_id, subscriber, bid, gas and since.
func orderbook(e *chapter.Env, a chapter.Args) (any, error) {
	limit := uint64(event.SyncFires)
	if a.Has(2) {
		limit = min(a.Number(2), event.PerTopic)
	}
	if err := pay(e, a.Address(0), a.Bytes(1), limit, 2); err != nil {
		return nil, err
	}
	b, err := book(e)
	if err != nil || limit == 0 {
		return []any{}, err
	}
	list, err := b.Orderbook(event.TopicID(a.Address(0), a.Bytes(1)), int(limit))
	out := make([]any, len(list))
	for i, p := range list {
		out[i] = cbor.Map{
			{Key: "sub_id", Value: p.ID[:]}, {Key: "subscriber", Value: p.Sub.Subscriber[:]}, {Key: "bid", Value: uint64(p.Sub.Bid)},
			{Key: "gas", Value: p.Sub.Gas}, {Key: "since", Value: uint64(p.Sub.Since)},
		}
	}
	return out, err
}

// minBid is the least bid that brings a new subscription to a rank, None where no bid does.
func minBid(e *chapter.Env, a chapter.Args) (any, error) {
	want := a.Number(2)
	if err := pay(e, a.Address(0), a.Bytes(1), min(want, event.PerTopic)+1, 2); err != nil {
		return nil, err
	}
	b, err := book(e)
	if err != nil {
		return nil, err
	}
	bid, ok, err := b.MinBid(event.TopicID(a.Address(0), a.Bytes(1)), want)
	if err != nil || !ok {
		return nil, err
	}
	return uint64(bid), nil
}
