package route

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// entry is a name as the model has it.
type entry struct {
	owner, actor account.Address
	expires      int64
}

// ratio is ⌈a·n/d⌉ by big numbers.
func ratio(a, n, d int64) int64 {
	x := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(a), big.NewInt(n)), big.NewInt(d))
	return new(big.Int).Add(new(big.Int).Quo(new(big.Int).Sub(x.Num(), big.NewInt(1)), x.Denom()), big.NewInt(1)).Int64()
}

// The registry against a map: random operations at random times, the same outcomes and prices to the unit, and the same names by actor.
//
// Spec: gateway-payments-streams §A.2, §A.3.
func TestRegistryAgainstModel(t *testing.T) {
	const base, period, least, grace, auction = 1_000_003, 1_000, 10, 50, 40
	c := Config{Base: base, Premiums: [3]uint64{100, 20, 5}, Period: period, Least: least, Grace: grace, Auction: auction, Multiple: 10}
	premium := map[int]int64{3: 100, 4: 20, 5: 5}
	s, as := world(t)
	r := rand.New(rand.NewPCG(7, 8))
	labels := []string{"abc", "abcd", "abcde", "abcdef", "other-name"}
	model := map[string]*entry{}
	counts := map[string]int{}
	for now := int64(1); now < 60_000; now += r.Int64N(9) {
		d := Domain{Space(r.IntN(3)), labels[r.IntN(len(labels))]}
		by, actor := []account.Address{ann, bob}[r.IntN(2)], []account.Address{shop, bar}[r.IntN(2)]
		blocks := r.Int64N(120) + 1
		g := as(by, unit.Height(now))
		g.Config = c
		speaks := func(a account.Address) bool { return a != bar || by == bob }
		factor := premium[len(d.Label)]
		if factor == 0 {
			factor = 1
		}
		fee, e := ratio(base*factor, blocks, period), model[d.String()]
		paid := fee * []int64{1, 10, 20}[r.IntN(3)]
		want, fails, what := int64(0), false, ""
		var err error
		var got unit.Amount
		switch r.IntN(4) {
		case 0:
			what, want = "register", fee
			if e != nil {
				gone := now - e.expires - grace
				fails = gone < 0
				if gone >= 0 && gone < auction {
					want, what = ratio(fee, 10*auction-9*gone, auction), "auction"
				}
			}
			fails = fails || blocks < least || !speaks(actor) || paid < want
			if got, err = g.Register(d, actor, uint64(blocks), unit.Amount(paid)); !fails {
				model[d.String()] = &entry{by, actor, now + blocks}
			}
		case 1:
			what, want = "renew", fee
			fails = e == nil || now >= e.expires+grace || blocks < least || by != e.owner && !speaks(e.actor) || e.expires+blocks <= now || paid < fee
			if got, err = g.Renew(d, uint64(blocks), unit.Amount(paid)); !fails {
				e.expires += blocks
			}
		case 2:
			what = "transfer"
			fails = e == nil || now >= e.expires || e.owner != by
			if err = g.Transfer(d, bob); !fails {
				e.owner = bob
			}
		case 3:
			what = "set"
			fails = e == nil || now >= e.expires || e.owner != by || !speaks(actor)
			if err = g.SetActor(d, actor); !fails {
				e.actor = actor
			}
		}
		if fails {
			want = 0
		}
		counts[fmt.Sprint(what, !fails)]++
		if (err != nil) != fails || int64(got) != want {
			t.Fatalf("%d: %s of %v by %v: %d %v, want %d, failure %v", now, what, d, by, got, err, want, fails)
		}
		e = model[d.String()]
		b, err := Resolve(s, c, d, unit.Height(now))
		if active := e != nil && now < e.expires; (err == nil) != active || active && (b.Owner != e.owner || b.Actor != e.actor) || err != nil &&
			!errors.Is(err, ErrExpired) {
			t.Fatalf("%d: %v is %+v %v, want %+v", now, d, b, err, e)
		}
	}
	for _, a := range []account.Address{shop, bar} {
		var want []string
		for name, e := range model {
			if e.actor == a {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		if got, err := NamesOf(s, a, "", 1_000); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v %v, want %v", a, got, err, want)
		}
	}
	for _, what := range []string{"register", "auction", "renew", "transfer", "set"} {
		if counts[what+"true"] < 50 || counts[what+"false"] < 20 {
			t.Errorf("%s: %d did, %d did not", what, counts[what+"true"], counts[what+"false"])
		}
	}
}

// counter is a state that counts what is read and written.
type counter struct {
	state.Store
	n int
}

func (c *counter) Lookup(key []byte) ([]byte, bool, error) { c.n++; return c.Store.Lookup(key) }

func (c *counter) Set(key, value []byte) { c.n++; c.Store.Set(key, value) }

func (c *counter) Delete(key []byte) { c.n++; c.Store.Delete(key) }

func (c *counter) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	return c.Store.Scan(prefix, after, limit, func(key, value []byte) bool { c.n++; return fn(key, value) })
}

// With 10,000 names one more costs what the first did: nothing is searched.
//
// Spec: gateway-payments-streams §A.1.
func TestTenThousandNames(t *testing.T) {
	s, as := world(t)
	g := as(ann, 1)
	work := &counter{Store: s}
	g.State = work
	first := 0
	for i := range 10_000 {
		work.n = 0
		if _, err := g.Register(Domain{Network, fmt.Sprint("name-", i)}, shop, Genesis().Least, 1<<60); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = work.n
		}
		if work.n != first {
			t.Fatalf("name %d took %d operations, the first one %d", i, work.n, first)
		}
	}
	after, total := "", 0
	for {
		list, err := NamesOf(s, shop, after, 100)
		if err != nil {
			t.Fatal(err)
		}
		total += len(list)
		if len(list) < 100 {
			break
		}
		after = list[99]
	}
	if total != 10_000 {
		t.Errorf("%d names of the actor", total)
	}
}
