package economy_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/token"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// ledger is the text again: big integers and maps. Persons and tokens are numbers.
type ledger struct {
	supplies, most [3]*big.Int
	has            map[string]*big.Int // token, person
	may            map[string]*big.Int // token, owner, spender
	frozen         map[string]bool     // token, person
	granted        map[string]int64    // what a grant has left: kind, of whom or which token, to whom

	coins
	proposals []*proposal
	updates   uint64 // of parameters
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

// operation is one transaction and the fault that the model says it ends with, 0 for none. The sender is a person, or the validator, who comes behind them.
type operation struct {
	in    tx.Instruction
	by    int
	model func(l *ledger) (fault uint16)
}

const people = 6

// draw gives a random operation. The owner of token t is person t.
func draw(r *rand.Rand, who []*testkit.Account, ids [3]token.ID) operation {
	t, by, other, to := r.IntN(3), r.IntN(people), r.IntN(people), r.IntN(people)
	x := unit.Wide(uint64(r.IntN(400)))
	if r.IntN(8) == 0 {
		x = unit.Uint128{Hi: uint64(r.IntN(1 << 36)), Lo: r.Uint64()} // up to twice 10^30 and more
	}
	n, id, at := x.Int(), ids[t], func(i int) account.Address { return who[i].Address() }
	switch r.IntN(10) {
	default:
		return operation{&tx.TokenTransfer{TokenID: id, To: at(to), Amount: x}, by, func(l *ledger) uint16 { return l.move(t, by, to, n) }}
	case 3, 4:
		return operation{&tx.TokenTransferFrom{TokenID: id, Owner: at(other), To: at(to), Amount: x}, by, func(l *ledger) uint16 {
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
		}}
	case 5:
		if r.IntN(2) == 0 {
			by = t // who may
		}
		return operation{&tx.TokenMint{TokenID: id, To: at(to), Amount: x}, by, func(l *ledger) uint16 {
			key := fmt.Sprint("mint ", t, " ", by)
			if by != t {
				if f := l.spend(key, n, chapter.FaultAuthority); f != 0 {
					return f
				}
			}
			switch sum := new(big.Int).Add(l.supplies[t], n); {
			case sum.Cmp(l.most[t]) > 0:
				return chapter.FaultSupply
			case l.frozen[fmt.Sprint(t, " ", to)]:
				return chapter.FaultFrozen
			default:
				l.supplies[t] = sum
			}
			of(l.has, t, " ", to).Add(of(l.has, t, " ", to), n)
			if by != t {
				l.granted[key] -= n.Int64()
			}
			return 0
		}}
	case 6:
		return operation{&tx.TokenBurn{TokenID: id, Amount: x}, by, func(l *ledger) uint16 {
			has := of(l.has, t, " ", by)
			switch {
			case has.Cmp(n) < 0:
				return chapter.FaultBalance
			case l.frozen[fmt.Sprint(t, " ", by)]:
				return chapter.FaultFrozen
			}
			has.Sub(has, n)
			l.supplies[t] = new(big.Int).Sub(l.supplies[t], n)
			return 0
		}}
	case 7:
		return operation{&tx.TokenApprove{TokenID: id, Spender: at(other), Amount: x}, by, func(l *ledger) uint16 {
			of(l.may, t, " ", by, " ", other).Set(n)
			return 0
		}}
	case 8:
		in, freezes := tx.Instruction(&tx.TokenUnfreeze{TokenID: id, Account: at(other)}), r.IntN(3) == 0
		if freezes {
			in = &tx.TokenFreeze{TokenID: id, Account: at(other)}
		}
		return operation{in, by, func(l *ledger) uint16 {
			if by != t {
				return chapter.FaultAuthority
			}
			l.frozen[fmt.Sprint(t, " ", other)] = freezes
			return 0
		}}
	case 9:
		return permission(r, by, t, to, id, at)
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
		return operation{in, by, func(l *ledger) uint16 {
			_, there := l.granted[key]
			switch {
			case !owns:
				return drain.FaultPermission
			case there:
				return drain.FaultExists
			}
			l.granted[key] = int64(bound)
			return 0
		}}
	}
	record := (&grant.Record{Grantee: at(to), Scope: scope, Action: action}).ID()
	return operation{&tx.EntitlementRevoke{ID: record}, by, func(l *ledger) uint16 {
		_, there := l.granted[key]
		switch {
		case !there:
			return drain.FaultMissing
		case !owns && by != to:
			return drain.FaultPermission
		}
		delete(l.granted, key)
		return 0
	}}
}

// world is the chain, who acts on it, and the model of both.
type world struct {
	*testkit.Chain
	t      *testing.T
	who    []*testkit.Account // the people, and the validator
	actors []account.Address
	ids    [3]token.ID
	model  *ledger
}

// found makes tokens, actors that pay rent, people with coins, and the model of it.
func found(t *testing.T) *world {
	c := testkit.NewChain(t)
	w := &world{Chain: c, t: t, model: &ledger{
		has: map[string]*big.Int{}, may: map[string]*big.Int{}, frozen: map[string]bool{}, granted: map[string]int64{}, updates: 1,
	}}
	l := w.model
	supply := func() int64 {
		s, err := fee.LoadSupply(c.State())
		if err != nil {
			t.Fatal(err)
		}
		l.base = new(big.Int).SetUint64(uint64(s.YearBase))
		total, err := s.Total()
		if err != nil {
			t.Fatal(err)
		}
		return int64(total)
	}
	for i := range people {
		w.who = append(w.who, c.Account(fmt.Sprint("p", i)))
		c.SetBalance(w.who[i].Address(), 1_000_000*unit.CBY)
	}
	set, _, err := genesis.DevValidators(1)
	if err != nil {
		t.Fatal(err)
	}
	w.who = append(w.who, c.Impersonate(set[0].Account.Address()))
	for i := range 3 {
		w.actors = append(w.actors, w.who[i].Deploy("def init(p):\n    pass\n", []byte{}))
	}
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	capped := unit.Wide(3_000)
	for i, bound := range []*unit.Uint128{nil, &capped, nil} {
		in := &tx.TokenCreate{Name: []byte("n"), Symbol: fmt.Appendf(nil, "T%d", i), InitialSupply: unit.Wide(1_000), MaxSupply: bound}
		x := w.who[i].Do(in, 60_000, 2_000)
		w.ids[i], l.supplies[i], l.most[i] = token.ID(x.ReturnData), big.NewInt(1_000), most
		of(l.has, i, " ", i).SetInt64(1_000)
	}
	l.most[1] = capped.Int()
	if x := c.Impersonate(genesis.DevFaucet().Address()).Do(&tx.UpdateRentConfig{Config: terms()}, 500_000, 10_000); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	c.Mine() // the first with the terms, whose end begins the first epoch with the next block
	clock, err := rent.At(c.State())
	if err != nil || clock.Epoch != 1 || clock.Began != c.Height()+1 {
		t.Fatalf("%+v %v", clock, err)
	}
	l.next = int64(clock.Began)
	for _, addr := range w.actors {
		a := c.Record(addr)
		bytes := int64(a.CodeBytes + a.StorageBytes + a.MailboxBytes)
		l.actors = append(l.actors, &debtor{due: (bytes*rate*epochBlocks + year - 1) / year, balance: int64(a.Balance)})
	}
	for _, a := range w.who[:people] {
		l.person = append(l.person, int64(c.Balance(a.Address())))
	}
	l.treasury, l.supply = int64(c.Balance(account.System(account.Treasury))), supply()
	return w
}

// 10,000 transactions about tokens, grants, coins, the treasury, rent and governance, in blocks and the order of the blocks: every fault is the model's; after
// each block balances and supplies of tokens and coins, debts, deposits and proposals are the model's to the unit. Each eighth transaction is estimated before
// its block is made, and 999 of 1,000 use no more than the limits of their estimates.
//
// Spec: tokens §5, §12 (conservation of supply over random operations); CIP-2 §7.6; rent §5, §6, §7; WP §8.2, §8.4, §11, §17.10; governance-staking B1, B3, B4,
// B5.
func TestSequenceAgainstModel(t *testing.T) {
	r, w := rand.New(rand.NewPCG(11, 7)), found(t)
	l, seen := w.model, map[uint16]int{}
	runner := host.New(host.NewPrograms())
	guessed, beyond, states := 0, 0, map[int]int{}
	const blocks, each = 1_000, 10
	for i := range blocks {
		sent, limits := map[digest.Hash]operation{}, map[digest.Hash]fee.Use{}
		for n := range each {
			var x operation
			switch k := r.IntN(10); {
			case k < 5:
				x = draw(r, w.who, w.ids)
			case k < 8:
				x = moves(r, w.who, w.actors)
			default:
				x = governs(r, w.who, len(l.proposals))
			}
			parent, _ := w.Tip()
			from := w.who[x.by]
			id := from.Send(x.in, 300_000, 20_000)
			sent[id] = x
			if n != i%8 {
				continue
			}
			one := &tx.Tx{ChainID: testkit.ChainID, Nonce: w.Record(from.Address()).Nonce, Instruction: x.in, From: from.Address()}
			e, err := transition.Assess(parent, one, parent.Header.TimestampMs+1_000, runner, nil)
			if err != nil {
				t.Fatal(err)
			}
			if e.Refused == nil {
				limits[id] = e.Limits(one)
			}
		}
		result := w.Mine()
		l.begins(int64(result.Header.Height))
		ran := 0
		for _, x := range result.Receipts {
			l.burned += int64(x.FeeBurned)
			if x.Kind != block.Transaction {
				continue
			}
			o := sent[x.ID]
			ran++
			if want := o.model(l); x.Fault.Code != want {
				t.Fatalf("%d: person %d, %T %+v: %s; the model says %d", result.Header.Height, o.by, o.in, o.in, testkit.Describe(x), want)
			}
			if o.by < people {
				l.person[o.by] -= int64(x.FeeBurned + x.FeeTipped)
			}
			seen[x.Fault.Code]++
			if fits, ok := limits[x.ID]; ok {
				guessed++
				if x.CyclesUsed > fits.Cycles || x.CellsUsed > fits.Cells {
					beyond++
				}
			}
		}
		if ran != each {
			t.Fatalf("%d of %d ran: %v", ran, each, result.Refused)
		}
		l.decides()
		l.supply -= l.burned
		supply, err := result.Supply.Total()
		if err != nil {
			t.Fatal(err)
		}
		l.compare(t, w.Chain, w.who[:people], w.ids)
		l.compareCoins(t, w.Chain, w.who, w.actors, supply)
		l.compareProposals(t, w.Chain)
		if i%10 == 0 { // all accounts, pools, escrows and deposits against what was made and burned; the chain holds each block's own step to that
			if err := transition.CheckSupply(w.State()); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range l.proposals {
			states[p.state]++
		}
	}
	for _, code := range []uint16{
		0, chapter.FaultBalance, chapter.FaultAllowance, chapter.FaultFrozen, chapter.FaultAuthority, chapter.FaultSupply, drain.FaultLimit,
		drain.FaultPermission, drain.FaultExists, drain.FaultMissing, drain.FaultForbidden, drain.FaultValue, drain.FaultInput,
	} {
		if seen[code] < 5 {
			t.Errorf("fault %d happened %d times", code, seen[code])
		}
	}
	if guessed < blocks/2 || beyond*1_000 > guessed {
		t.Errorf("%d of %d used more than the limits of their estimates", beyond, guessed)
	}
	for state := range over + 1 {
		if states[state] == 0 {
			t.Errorf("no proposal was ever in state %d: %v", state, states)
		}
	}
	t.Logf("faults %v; proposals %d, blocks they spent in each state %v, parameters changed %d; rent epochs %d; estimates beyond %d of %d",
		seen, len(l.proposals), states, l.updates-1, l.epoch, beyond, guessed)
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
		if err != nil || x.Supply.Int().Cmp(l.supplies[i]) != 0 || sum.Cmp(l.supplies[i]) != 0 {
			t.Fatalf("token %d: a supply of %v, balances of %v, want %v; %v", i, x.Supply, sum, l.supplies[i], err)
		}
	}
}
