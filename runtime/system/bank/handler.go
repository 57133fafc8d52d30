package bank

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// args are the named arguments of a call. A value of another kind, and a name that nothing asked for, are found by done.
type args struct {
	given cbor.Map
	asked int
	bad   bool
}

func (a *args) take(name string) any {
	v, ok := a.given.Lookup(name)
	if ok {
		a.asked++
	}
	return v
}

// number is a whole number from 0 on; nil for none.
func (a *args) number(name string) *unit.Uint128 {
	n := new(big.Int)
	switch v := a.take(name).(type) {
	case nil:
		return nil
	case int64:
		n.SetInt64(v)
	case *big.Int:
		n = v
	default:
		a.bad = true
	}
	if n.Sign() < 0 || n.BitLen() > 128 {
		a.bad = true
		return nil
	}
	low := new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0)))
	return &unit.Uint128{Hi: new(big.Int).Rsh(n, 64).Uint64(), Lo: low.Uint64()}
}

// small is a number of at most 64 bits; nil for none.
func (a *args) small(name string) *uint64 {
	n := a.number(name)
	if n == nil {
		return nil
	}
	a.bad = a.bad || n.Hi != 0
	return &n.Lo
}

func (a *args) octets(v any) (addr account.Address) {
	raw, ok := v.([]byte)
	if !ok || len(raw) != account.AddressSize {
		a.bad = true
		return addr
	}
	return account.Address(raw)
}

func (a *args) address(name string) account.Address { return a.octets(a.take(name)) }

func (a *args) list(name string) []any {
	v := a.take(name)
	list, ok := v.([]any)
	a.bad = a.bad || v != nil && !ok
	return list
}

// policy reads a card's limits: caps, receivers and kinds in any order, each once.
//
// Spec: gateway-payments-streams §G.1 (CardPolicy).
func (a *args) policy() bank.Policy {
	p := bank.Policy{PerHourCap: a.number("per_hour_cap"), PerDayCap: a.number("per_day_cap"), PerMonthCap: a.number("per_month_cap")}
	for _, v := range a.list("allowed_receivers") {
		p.AllowedReceivers = append(p.AllowedReceivers, bank.Receiver{Address: a.octets(v)})
	}
	for _, v := range a.list("allowed_kinds") {
		text, ok := v.(string)
		kind, known := kindOf(text)
		a.bad = a.bad || !ok || !known
		p.AllowedSyscallKinds = append(p.AllowedSyscallKinds, kind)
	}
	slices.SortFunc(p.AllowedReceivers, func(x, y bank.Receiver) int { return x.Address.Compare(y.Address) })
	slices.SortFunc(p.AllowedSyscallKinds, func(x, y bank.Kind) int {
		if x.Family != y.Family {
			return int(x.Family) - int(y.Family)
		}
		return int(x.Opcode) - int(y.Opcode)
	})
	switch locked := a.take("locked_after_transfer").(type) {
	case nil:
	case bool:
		p.LockedAfterTransfer = locked
	default:
		a.bad = true
	}
	return p
}

// kindOf reads the name of a kind, as Kind.String writes it.
func kindOf(text string) (bank.Kind, bool) {
	if number, ok := strings.CutPrefix(text, bank.Custom.String()+":"); ok {
		n, err := strconv.ParseUint(number, 10, 16)
		return bank.Kind{Family: bank.Custom, Opcode: uint16(n)}, err == nil
	}
	for f := bank.Send; f < bank.Custom; f++ {
		if f.String() == text {
			return bank.Kind{Family: f}, true
		}
	}
	return bank.Kind{}, false
}

// call makes a handler of a function over named arguments, which are all read before anything happens.
//
// Spec: gateway-payments-streams §G.2, §G.4 (costs, bank_activation_height).
func call(name string, cycles unit.Cycles, cells unit.Cells, run func(a *args) func(e *chapter.Env, g *bank.Registry) (any, error)) chapter.Handler {
	return chapter.Handler{Name: name, Ways: chapter.ByCall, Run: func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		written := cells
		if cells > 0 {
			written += unit.Cells(len(r.Data))
		}
		if err := e.Charge(cycles+unit.Cycles(len(r.Data))*params.CostSerializePerByte, written); err != nil {
			return nil, err
		}
		if err := e.Building(r.Data); err != nil {
			return nil, err
		}
		v, err := cbor.Parse(r.Data)
		given, ok := v.(cbor.Map)
		a := &args{given: given, bad: err != nil || !ok}
		then := run(a)
		if a.bad || a.asked != len(given) {
			return nil, chapter.Reject(drain.FaultInput, "InvalidInputError", 2, "%s takes a map of its arguments by name", name)
		}
		active, err := bank.ActiveAt(e.State, e.Block.Height)
		if err == nil && !active {
			err = bank.ErrInactive
		}
		if err != nil {
			return nil, err
		}
		g, failed := registry(e), error(nil)
		g.Emit = func(topic string, data []byte) {
			if failed == nil {
				failed = e.Emit(topic, data)
			}
		}
		got, err := then(e, g)
		if err == nil {
			err = failed
		}
		if err != nil {
			return nil, err
		}
		return cbor.Append(nil, got)
	}}
}

// onCard is a call about a card that has no other argument.
func onCard(name string, run func(e *chapter.Env, g *bank.Registry, card account.Address) error) chapter.Handler {
	return call(name, params.CostBankCall, params.CardCells, func(a *args) func(*chapter.Env, *bank.Registry) (any, error) {
		card := a.address("card")
		return func(e *chapter.Env, g *bank.Registry) (any, error) { return true, run(e, g, card) }
	})
}

// handlers are what actors call: an actor may own cards, be the agent of some, and operate a bank.
//
// Spec: gateway-payments-streams §G.2.
func handlers() []chapter.Handler {
	deposit := onCard("deposit", func(e *chapter.Env, g *bank.Registry, card account.Address) error {
		if err := account.Move(e.State, e.Self, e.Sender, e.Value); err != nil { // the coins came with the call
			return err
		}
		return g.Deposit(e.Sender, card, unit.Wide(uint64(e.Value)))
	})
	deposit.Coins = true
	show := call("get_card", params.CostBankCall, 0, func(a *args) func(*chapter.Env, *bank.Registry) (any, error) {
		card := a.address("card")
		return func(e *chapter.Env, _ *bank.Registry) (any, error) { return shown(e, card) }
	})
	show.Reads = true
	return []chapter.Handler{
		deposit, show, onCard("freeze", func(e *chapter.Env, g *bank.Registry, card account.Address) error {
			return g.Freeze(e.Sender, card, nil)
		}),
		onCard("unfreeze", func(e *chapter.Env, g *bank.Registry, card account.Address) error { return g.Unfreeze(e.Sender, card) }),
		onCard("close_card", func(e *chapter.Env, g *bank.Registry, card account.Address) error {
			return g.Close(e.Sender, card, e.Sender)
		}),
		call("issue_card", params.CostIssueCard, params.CardCells, func(a *args) func(*chapter.Env, *bank.Registry) (any, error) {
			number := a.small("bank_id")
			terms := bank.Terms{Bank: 1, Agent: a.address("agent"), Expires: (*unit.Height)(a.small("expires_at")), Policy: a.policy()}
			if number != nil {
				a.bad = a.bad || *number >= 1<<32
				terms.Bank = uint32(*number)
			}
			return func(e *chapter.Env, g *bank.Registry) (any, error) {
				card, err := g.Issue(e.Sender, terms)
				return card[:], err
			}
		}),
		call("set_policy", params.CostBankCall, params.CardCells, func(a *args) func(*chapter.Env, *bank.Registry) (any, error) {
			card, policy := a.address("card"), a.policy()
			return func(e *chapter.Env, g *bank.Registry) (any, error) { return true, g.SetPolicy(e.Sender, card, policy) }
		}),
		call("set_default_card", params.CostBankCall, params.CardCells, func(a *args) func(*chapter.Env, *bank.Registry) (any, error) {
			agent, given := a.address("agent"), a.take("card")
			var card *account.Address
			if given != nil {
				addr := a.octets(given)
				card = &addr
			}
			return func(e *chapter.Env, g *bank.Registry) (any, error) { return true, g.SetDefault(e.Sender, agent, card) }
		}),
		call("withdraw", params.CostBankCall, params.CardCells, func(a *args) func(*chapter.Env, *bank.Registry) (any, error) {
			card, to, amount := a.address("card"), a.address("to"), a.number("amount")
			a.bad = a.bad || amount == nil
			return func(e *chapter.Env, g *bank.Registry) (any, error) {
				return true, g.Withdraw(e.Sender, card, to, nil, *amount)
			}
		}),
	}
}

// shown is a card as actors see it, None where there is none: balance and what was spent in units of what it pays in.
func shown(e *chapter.Env, card account.Address) (any, error) {
	p, err := bank.Open(e.State, card)
	if err != nil || p == nil {
		return nil, err
	}
	window, spent := p.Window.At(e.Block.Height), cbor.Map{}
	for t := range bank.Tiers {
		spent = append(spent, cbor.Pair{Key: [...]string{"hour", "day", "month"}[t], Value: window[t].Amount.Int()})
	}
	return cbor.Map{
		{Key: "bank_id", Value: uint64(p.Card.Bank)}, {Key: "owner", Value: p.Card.Owner[:]}, {Key: "agent", Value: p.Card.Agent[:]},
		{Key: "status", Value: p.Card.StatusAt(e.Block.Height).String()}, {Key: "balance", Value: p.Balance.Int()}, {Key: "spent", Value: spent},
	}, nil
}
