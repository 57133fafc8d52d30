package token_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/token"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// ledger is the text again: big integers and maps. Persons and tokens are numbers.
type ledger struct {
	supply, most [3]*big.Int
	has          map[string]*big.Int // token, person
	may          map[string]*big.Int // token, owner, spender
	frozen       map[string]bool     // token, person
	granted      map[string]int64    // what a grant has left: kind, of whom or which token, to whom
}

func of(m map[string]*big.Int, parts ...any) *big.Int {
	key := fmt.Sprint(parts...)
	if m[key] == nil {
		m[key] = new(big.Int)
	}
	return m[key]
}

// spend uses a grant: 0, or the fault.
func (l *ledger) spend(key string, x *big.Int, none uint16) uint16 {
	left, ok := l.granted[key]
	switch {
	case !ok:
		return none
	case !x.IsInt64() || x.Int64() > left:
		return drain.FaultLimit
	}
	return 0
}

func (l *ledger) move(t, from, to int, x *big.Int) uint16 {
	switch {
	case of(l.has, t, " ", from).Cmp(x) < 0:
		return chapter.FaultBalance
	case l.frozen[fmt.Sprint(t, " ", from)], l.frozen[fmt.Sprint(t, " ", to)]:
		return chapter.FaultFrozen
	}
	of(l.has, t, " ", from).Sub(of(l.has, t, " ", from), x)
	of(l.has, t, " ", to).Add(of(l.has, t, " ", to), x)
	return 0
}

// operation is one transaction and what the model says of it; anything counts where a model is another chapter's.
type operation struct {
	in    tx.Instruction
	by    int
	model func(l *ledger) (fault uint16, anything bool)
}

const people = 6

// draw gives a random operation. The owner of token t is person t.
func draw(r *rand.Rand, who []*testkit.Account, ids [3]token.ID, actor account.Address) operation {
	t, by, other, to := r.IntN(3), r.IntN(people), r.IntN(people), r.IntN(people)
	x := unit.Wide(uint64(r.IntN(400)))
	if r.IntN(20) == 0 {
		x = unit.Uint128{Hi: uint64(r.IntN(1 << 36)), Lo: r.Uint64()} // up to twice 10^30 and more
	}
	n, id, at := x.Int(), ids[t], func(i int) account.Address { return who[i].Address() }
	known := func(f func(l *ledger) uint16) func(l *ledger) (uint16, bool) {
		return func(l *ledger) (uint16, bool) { return f(l), false }
	}
	switch r.IntN(12) {
	default:
		return operation{&tx.TokenTransfer{TokenID: id, To: at(to), Amount: x}, by, known(func(l *ledger) uint16 { return l.move(t, by, to, n) })}
	case 3, 4:
		return operation{&tx.TokenTransferFrom{TokenID: id, Owner: at(other), To: at(to), Amount: x}, by, known(func(l *ledger) uint16 {
			may, key := of(l.may, t, " ", other, " ", by), fmt.Sprint("transfer ", other, " ", by)
			allowed := may.Cmp(n) >= 0
			if !allowed {
				if f := l.spend(key, n, chapter.FaultAllowance); f != 0 {
					return f
				}
			}
			f := l.move(t, other, to, n)
			switch {
			case f != 0:
			case allowed:
				may.Sub(may, n)
			default:
				l.granted[key] -= n.Int64()
			}
			return f
		})}
	case 5:
		return operation{&tx.TokenMint{TokenID: id, To: at(to), Amount: x}, by, known(func(l *ledger) uint16 {
			key := fmt.Sprint("mint ", t, " ", by)
			if by != t {
				if f := l.spend(key, n, chapter.FaultAuthority); f != 0 {
					return f
				}
			}
			switch sum := new(big.Int).Add(l.supply[t], n); {
			case sum.Cmp(l.most[t]) > 0:
				return chapter.FaultSupply
			case l.frozen[fmt.Sprint(t, " ", to)]:
				return chapter.FaultFrozen
			default:
				l.supply[t] = sum
			}
			of(l.has, t, " ", to).Add(of(l.has, t, " ", to), n)
			if by != t {
				l.granted[key] -= n.Int64()
			}
			return 0
		})}
	case 6:
		return operation{&tx.TokenBurn{TokenID: id, Amount: x}, by, known(func(l *ledger) uint16 {
			has := of(l.has, t, " ", by)
			switch {
			case has.Cmp(n) < 0:
				return chapter.FaultBalance
			case l.frozen[fmt.Sprint(t, " ", by)]:
				return chapter.FaultFrozen
			}
			has.Sub(has, n)
			l.supply[t] = new(big.Int).Sub(l.supply[t], n)
			return 0
		})}
	case 7:
		return operation{&tx.TokenApprove{TokenID: id, Spender: at(other), Amount: x}, by, known(func(l *ledger) uint16 {
			of(l.may, t, " ", by, " ", other).Set(n)
			return 0
		})}
	case 8:
		in, freezes := tx.Instruction(&tx.TokenUnfreeze{TokenID: id, Account: at(other)}), r.IntN(3) == 0
		if freezes {
			in = &tx.TokenFreeze{TokenID: id, Account: at(other)}
		}
		return operation{in, by, known(func(l *ledger) uint16 {
			if by != t {
				return chapter.FaultAuthority
			}
			l.frozen[fmt.Sprint(t, " ", other)] = freezes
			return 0
		})}
	case 9:
		return permission(r, by, t, to, id, at)
	case 10:
		return operation{&tx.FundActor{Actor: actor, Amount: unit.Amount(1 + r.IntN(1_000))}, by, func(*ledger) (uint16, bool) { return 0, false }}
	case 11:
		deposit := &tx.SubmitProposal{Tier: uint64(r.IntN(3)), Payload: []byte("x"), Deposit: unit.Amount(r.IntN(10)) * 100 * unit.CBY}
		return operation{deposit, by, func(*ledger) (uint16, bool) { return 0, true }}
	}
}

// permission grants or revokes transferring by's tokens, or minting token t.
func permission(r *rand.Rand, by, t, to int, id token.ID, at func(int) account.Address) operation {
	scope, action, key := grant.ActorScope(at(by)), grant.Action{Kind: grant.TokenTransfer}, fmt.Sprint("transfer ", by, " ", to)
	owns := true
	if r.IntN(2) == 0 {
		scope, action, key, owns = grant.TokenScope(id), grant.Action{Kind: grant.TokenMint}, fmt.Sprint("mint ", t, " ", to), by == t
	}
	bound := uint64(r.IntN(2_000))
	if r.IntN(3) > 0 {
		in := &tx.EntitlementGrant{Grantee: at(to), Scope: scope, Action: action, Constraints: grant.Terms{Revocable: true, MaxTotalAmount: &bound}}
		return operation{in, by, func(l *ledger) (uint16, bool) {
			_, there := l.granted[key]
			switch {
			case !owns:
				return drain.FaultPermission, false
			case there:
				return drain.FaultExists, false
			}
			l.granted[key] = int64(bound)
			return 0, false
		}}
	}
	record := (&grant.Record{Grantee: at(to), Scope: scope, Action: action}).ID()
	return operation{&tx.EntitlementRevoke{ID: record}, by, func(l *ledger) (uint16, bool) {
		_, there := l.granted[key]
		switch {
		case !there:
			return drain.FaultMissing, false
		case !owns && by != to:
			return drain.FaultPermission, false
		}
		delete(l.granted, key)
		return 0, false
	}}
}

// 10,000 transactions about tokens, grants, an actor's rent and governance's deposits, in blocks and the order of the blocks: every fault about tokens and
// grants is the model's; after each block balances and supplies are the model's to the unit, and no coin came or went but by fees and rewards.
//
// Spec: tokens §5, §12 (conservation of supply over random operations); CIP-2 §7.6; rent §6; governance-staking B3.
func TestSequenceAgainstModel(t *testing.T) {
	c, r := testkit.NewChain(t), rand.New(rand.NewPCG(11, 7))
	var who []*testkit.Account
	for i := range people {
		who = append(who, c.Account(fmt.Sprint("p", i)))
	}
	actor := who[0].Deploy("def init(p):\n    pass\n", []byte{})
	l := &ledger{has: map[string]*big.Int{}, may: map[string]*big.Int{}, frozen: map[string]bool{}, granted: map[string]int64{}}
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	capped := unit.Wide(3_000)
	var ids [3]token.ID
	for i, bound := range []*unit.Uint128{nil, &capped, nil} {
		x := who[i].Do(&tx.TokenCreate{Name: []byte("n"), Symbol: fmt.Appendf(nil, "T%d", i), InitialSupply: unit.Wide(1_000), MaxSupply: bound}, 60_000, 2_000)
		ids[i], l.supply[i], l.most[i] = token.ID(x.ReturnData), big.NewInt(1_000), most
		of(l.has, i, " ", i).SetInt64(1_000)
	}
	l.most[1] = capped.Int()
	seen := map[uint16]int{}
	const blocks, each = 100, 100
	for i := range blocks {
		sent := map[digest.Hash]operation{}
		for range each {
			x := draw(r, who, ids, actor)
			sent[who[x.by].Send(x.in, 60_000, 4_000)] = x
		}
		result := c.Mine()
		ran := 0
		for _, x := range result.Receipts {
			if x.Kind != block.Transaction {
				continue
			}
			o := sent[x.ID]
			ran++
			want, anything := o.model(l)
			if !anything && x.Fault.Code != want {
				t.Fatalf("%d: person %d, %T %+v: %s; the model says %d", result.Header.Height, o.by, o.in, o.in, testkit.Describe(x), want)
			}
			seen[x.Fault.Code]++
		}
		if ran != each {
			t.Fatalf("%d of %d ran: %v", ran, each, result.Refused)
		}
		l.compare(t, c, who, ids)
		if i%10 == 0 { // all accounts, pools, escrows and deposits against what was made and burned; the chain holds each block's own step to that
			if err := transition.CheckSupply(c.State()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, code := range []uint16{
		0, chapter.FaultBalance, chapter.FaultAllowance, chapter.FaultFrozen, chapter.FaultAuthority, chapter.FaultSupply, drain.FaultLimit,
		drain.FaultPermission, drain.FaultExists, drain.FaultMissing,
	} {
		if seen[code] < 5 {
			t.Errorf("fault %d happened %d times", code, seen[code])
		}
	}
}

func (l *ledger) compare(t *testing.T, c *testkit.Chain, who []*testkit.Account, ids [3]token.ID) {
	t.Helper()
	for i, id := range ids {
		sum := new(big.Int)
		for p, a := range who {
			got, err := token.Balance(c.State(), id, a.Address())
			if err != nil || got.Int().Cmp(of(l.has, i, " ", p)) != 0 {
				t.Fatalf("token %d: person %d has %v, want %v; %v", i, p, got, of(l.has, i, " ", p), err)
			}
			sum.Add(sum, got.Int())
		}
		x, err := token.Load(c.State(), id)
		if err != nil || x.Supply.Int().Cmp(l.supply[i]) != 0 || sum.Cmp(l.supply[i]) != 0 {
			t.Fatalf("token %d: a supply of %v, balances of %v, want %v; %v", i, x.Supply, sum, l.supply[i], err)
		}
	}
}
