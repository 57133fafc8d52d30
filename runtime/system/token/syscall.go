package token

import (
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// The kinds of arguments, for short.
const (
	octets  = chapter.Bytes
	number  = chapter.Number
	wide    = chapter.Wide
	address = chapter.Address
	maybe   = chapter.Optional
)

// syscalls are what actors call. The first argument of all but token_create and token_transfer_batch is a token. What changes something returns True.
//
// Spec: tokens §3; sdk §13.
func syscalls() []chapter.Syscall {
	return []chapter.Syscall{
		{
			Name: "token_create", Sig: "name, symbol, decimals, initial_supply, max_supply=None, transfer_hook=None, metadata_uri=None",
			Args: []chapter.Kind{octets, octets, number, wide, wide | maybe, address | maybe, octets | maybe}, Run: callCreate,
		},
		change("token_transfer", "token_id, to, amount", func(e *chapter.Env, id token.ID, a chapter.Args) error {
			return transfer(e, id, a.Address(1), a.Wide(2))
		}, address, wide),
		change("token_transfer_from", "token_id, owner, to, amount", func(e *chapter.Env, id token.ID, a chapter.Args) error {
			return transferFrom(e, id, a.Address(1), a.Address(2), a.Wide(3))
		}, address, address, wide),
		{Name: "token_transfer_batch", Sig: "transfers", Args: []chapter.Kind{chapter.Value}, Run: callBatch},
		change("token_approve", "token_id, spender, amount", ofAllowance(approve), address, wide),
		change("token_increase_allowance", "token_id, spender, amount", ofAllowance(increase), address, wide),
		change("token_decrease_allowance", "token_id, spender, amount", ofAllowance(decrease), address, wide),
		change("token_permit", "token_id, owner, spender, value, deadline, nonce, signature", callPermit, address, address, wide, number, number, octets),
		change("token_mint", "token_id, to, amount", func(e *chapter.Env, id token.ID, a chapter.Args) error {
			return mint(e, id, a.Address(1), a.Wide(2))
		}, address, wide),
		change("token_burn", "token_id, amount", func(e *chapter.Env, id token.ID, a chapter.Args) error { return burn(e, id, a.Wide(1)) }, wide),
		change("token_freeze_account", "token_id, account", func(e *chapter.Env, id token.ID, a chapter.Args) error {
			return freeze(e, id, a.Address(1), true)
		}, address),
		change("token_unfreeze_account", "token_id, account", func(e *chapter.Env, id token.ID, a chapter.Args) error {
			return freeze(e, id, a.Address(1), false)
		}, address),
		change("token_set_hook", "token_id, transfer_hook", func(e *chapter.Env, id token.ID, a chapter.Args) error {
			return setHook(e, id, optionalAddress(a, 1))
		}, address|maybe),
		change("token_transfer_ownership", "token_id, new_owner", func(e *chapter.Env, id token.ID, a chapter.Args) error {
			return transferOwnership(e, id, a.Address(1))
		}, address),
		query("token_balance_of", "token_id, account", params.CostTokenBalance, func(e *chapter.Env, id token.ID, _ *token.Token, a chapter.Args) (any, error) {
			return value(token.Balance(e.State, id, a.Address(1)))
		}, address),
		query("token_allowance", "token_id, owner, spender", params.CostTokenBalance,
			func(e *chapter.Env, id token.ID, _ *token.Token, a chapter.Args) (any, error) {
				return value(token.Allowance(e.State, id, a.Address(1), a.Address(2)))
			}, address, address),
		query("token_total_supply", "token_id", params.CostTokenBalance, func(_ *chapter.Env, _ token.ID, t *token.Token, _ chapter.Args) (any, error) {
			return t.Supply, nil
		}),
		query("token_info", "token_id", params.CostTokenInfo, func(_ *chapter.Env, id token.ID, t *token.Token, _ chapter.Args) (any, error) {
			return info(id, t), nil
		}),
	}
}

// change makes a syscall that changes a token.
func change(name, sig string, run func(e *chapter.Env, id token.ID, a chapter.Args) error, rest ...chapter.Kind) chapter.Syscall {
	return chapter.Syscall{
		Name: name, Sig: sig, Args: append([]chapter.Kind{octets}, rest...),
		Run: func(e *chapter.Env, a chapter.Args) (any, error) {
			id, err := identifier(a.Bytes(0))
			if err == nil {
				err = run(e, id, a)
			}
			return true, err
		},
	}
}

// query makes a syscall that reads a token: None for one that does not exist.
//
// Spec: sdk §13.
func query(
	name, sig string, cost unit.Cycles, run func(e *chapter.Env, id token.ID, t *token.Token, a chapter.Args) (any, error), rest ...chapter.Kind,
) chapter.Syscall {
	return chapter.Syscall{
		Name: name, Sig: sig, Args: append([]chapter.Kind{octets}, rest...), Reads: true,
		Run: func(e *chapter.Env, a chapter.Args) (any, error) {
			id, err := identifier(a.Bytes(0))
			if err != nil {
				return nil, err
			}
			if err := e.Charge(cost, 0); err != nil {
				return nil, err
			}
			t, err := token.Load(e.State, id)
			if err != nil || t == nil {
				return nil, err
			}
			return run(e, id, t, a)
		},
	}
}

// value is a quantity as a syscall's answer.
func value(n unit.Uint128, err error) (any, error) { return n, err }

// ofAllowance is a change of an allowance as a syscall.
func ofAllowance(
	set func(e *chapter.Env, id token.ID, spender account.Address, amount unit.Uint128) error,
) func(e *chapter.Env, id token.ID, a chapter.Args) error {
	return func(e *chapter.Env, id token.ID, a chapter.Args) error { return set(e, id, a.Address(1), a.Wide(2)) }
}

func optionalAddress(a chapter.Args, i int) *account.Address {
	if !a.Has(i) {
		return nil
	}
	addr := a.Address(i)
	return &addr
}

func callCreate(e *chapter.Env, a chapter.Args) (any, error) {
	terms := token.Terms{Name: a.Bytes(0), Symbol: a.Bytes(1), Decimals: a.Number(2), Supply: a.Wide(3), Hook: optionalAddress(a, 5), URI: a.Bytes(6)}
	if a.Has(4) {
		most := a.Wide(4)
		terms.Max = &most
	}
	id, err := create(e, nil, terms)
	return id, err
}

func callPermit(e *chapter.Env, id token.ID, a chapter.Args) error {
	var signature sig.Signature
	if raw := a.Bytes(6); len(raw) == len(signature) {
		copy(signature[:], raw) // of any other length none is good, for the same price
	}
	return permit(e, token.Permit{
		Token: id, Owner: a.Address(1), Spender: a.Address(2), Value: a.Wide(3), Deadline: unit.Height(a.Number(4)), Nonce: a.Number(5),
	}, signature)
}

// callBatch reads a list of (token_id, to, amount).
//
// Spec: tokens §3 (token_transfer_batch(list)).
func callBatch(e *chapter.Env, a chapter.Args) (any, error) {
	list, ok := a.Value(0).([]any)
	if !ok {
		return nil, malformed("transfers is a list of (token_id, to, amount)")
	}
	if len(list) > params.TokenBatchLegs {
		return nil, token.ErrLegs
	}
	legs := make([]token.Leg, len(list))
	for i, entry := range list {
		parts, ok := entry.([]any)
		if !ok || len(parts) != 3 {
			return nil, malformed("a transfer of a batch is (token_id, to, amount)")
		}
		id, err := identifier(octetsOf(parts[0]))
		if err != nil {
			return nil, err
		}
		if legs[i], ok = leg(id, parts); !ok {
			return nil, malformed("a transfer of a batch is (token_id, to, amount)")
		}
	}
	return true, transferBatch(e, legs)
}

func leg(id token.ID, parts []any) (l token.Leg, ok bool) {
	l.Token = id
	switch to := parts[1].(type) {
	case []byte:
		if len(to) != account.AddressSize {
			return l, false
		}
		l.To = account.Address(to)
	case string:
		parsed, err := account.ParseAddress(to)
		if err != nil {
			return l, false
		}
		l.To = parsed
	default:
		return l, false
	}
	switch n := parts[2].(type) {
	case int64:
		l.Amount, ok = unit.Uint128FromInt(big.NewInt(n))
	case *big.Int:
		l.Amount, ok = unit.Uint128FromInt(n)
	}
	return l, ok
}

// octetsOf gives bytes or text, nil for anything else.
func octetsOf(v any) []byte {
	switch v := v.(type) {
	case []byte:
		return v
	case string:
		return []byte(v)
	}
	return nil
}

func malformed(text string) error {
	return chapter.Reject(drain.FaultInput, "InvalidInputError", hostInput, "%s", text)
}

// info is what token_info gives: a dict with a member for each field of the token, None for what it does not have.
//
// Spec: tokens §2, §3.
func info(id token.ID, t *token.Token) cbor.Map {
	m := cbor.Map{
		{Key: "token_id", Value: id[:]}, {Key: "name", Value: t.Name}, {Key: "symbol", Value: t.Symbol}, {Key: "decimals", Value: int64(t.Decimals)},
		{Key: "total_supply", Value: t.Supply.Int()}, {Key: "max_supply", Value: nil}, {Key: "owner", Value: t.Owner[:]},
		{Key: "mint_authority", Value: t.MintAuthority[:]}, {Key: "freeze_authority", Value: nil}, {Key: "transfer_hook", Value: nil},
		{Key: "metadata_uri", Value: nil}, {Key: "created_at", Value: uint64(t.Created)},
	}
	set := func(key string, v any) {
		for i := range m {
			if m[i].Key == key {
				m[i].Value = v
			}
		}
	}
	if t.Max != nil {
		set("max_supply", t.Max.Int())
	}
	if t.FreezeAuthority != nil {
		set("freeze_authority", t.FreezeAuthority[:])
	}
	if t.Hook != nil {
		set("transfer_hook", t.Hook[:])
	}
	if t.URI != nil {
		set("metadata_uri", *t.URI)
	}
	return m
}
