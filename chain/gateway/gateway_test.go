package gateway

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func newState() *state.Overlay {
	return state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
}

const stake = 10_000 * unit.CBY

func address(n int) (a account.Address) {
	binary.BigEndian.PutUint32(a[:], uint32(n+1))
	a[19] = 1
	return a
}

func held(s state.Reader) unit.Amount {
	amount, err := Escrow(s)
	if err != nil {
		panic(err)
	}
	return amount
}

func anybody(account.Address) (bool, error) { return true, nil }

// What becomes of a gateway in every state it can be in: at which blocks it may do what, and how much lies with the registry then.
//
// Spec: gateway-payments-streams §B; entitlement-extras §6.
func TestLifeOfGateway(t *testing.T) {
	const start, silent, left = 100, 100 + 3_600, 500 + 604_800
	a := address(1)
	type outcome struct {
		back, held unit.Amount
		err        error
	}
	active := func(g *Registry) (unit.Amount, error) { _, err := g.Active(a); return 0, err }
	beat := func(g *Registry) (unit.Amount, error) { return 0, g.Heartbeat(a) }
	more := func(coins unit.Amount) func(g *Registry) (unit.Amount, error) {
		return func(g *Registry) (unit.Amount, error) { return 0, g.Register(a, "b.example", 8443, coins) }
	}
	leave := func(g *Registry) (unit.Amount, error) { return g.Unstake(a) }
	leaving := func(g *Registry) { g.Height = 500; _, _ = g.Unstake(a) }
	nothing := func(*Registry) {}
	for name, c := range map[string]struct {
		before func(g *Registry)
		at     unit.Height
		do     func(g *Registry) (unit.Amount, error)
		want   outcome
	}{
		"active in its last block": {nothing, silent - 1, active, outcome{0, stake, nil}},
		"silent in the next":       {nothing, silent, active, outcome{0, stake, ErrUnauthorized}},
		"a heartbeat revives it":   {func(g *Registry) { g.Height = silent; _ = g.Heartbeat(a) }, silent + 3_599, active, outcome{0, stake, nil}},
		"for 3,600 blocks": {func(g *Registry) { g.Height = silent; _ = g.Heartbeat(a) }, silent + 3_600, active, outcome{0, stake,
			ErrUnauthorized}},
		"below a minimum that was raised": {func(g *Registry) { g.Config.MinStake++ }, start, active, outcome{0, stake, ErrUnauthorized}},
		"more stake":                      {nothing, start, more(7), outcome{0, stake + 7, nil}},
		"another endpoint":                {nothing, start, more(0), outcome{0, stake, nil}},
		"leaving":                         {nothing, 500, leave, outcome{0, stake, nil}},
		"no longer active":                {leaving, 500, active, outcome{0, stake, ErrUnauthorized}},
		"no heartbeat":                    {leaving, 501, beat, outcome{0, stake, ErrLeaving}},
		"no more stake":                   {leaving, 501, more(7), outcome{0, stake, ErrLeaving}},
		"a block too early":               {leaving, left - 1, leave, outcome{0, stake, ErrLeaving}},
		"gone":                            {leaving, left, leave, outcome{stake, 0, nil}},
		"gone twice":                      {func(g *Registry) { leaving(g); g.Height = left; _, _ = g.Unstake(a) }, left, leave, outcome{0, 0, ErrUnknown}},
		"back again":                      {func(g *Registry) { leaving(g); g.Height = left; _, _ = g.Unstake(a) }, left, more(stake), outcome{0, stake, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			g := &Registry{State: newState(), Config: Genesis(), Height: start}
			if err := g.Register(a, "a.example", 443, stake); err != nil {
				t.Fatal(err)
			}
			c.before(g)
			g.Height = c.at
			back, err := c.do(g)
			if got := (outcome{back, held(g.State), nil}); got != (outcome{c.want.back, c.want.held, nil}) || !errors.Is(err, c.want.err) ||
				(err == nil) != (c.want.err == nil) {
				t.Errorf("%+v %v, want %+v", got, err, c.want)
			}
		})
	}
}

// What cannot be registered, and the bound of the registry.
//
// Spec: gateway-payments-streams §B.
func TestRegistration(t *testing.T) {
	for name, c := range map[string]struct {
		endpoint string
		port     uint64
		coins    unit.Amount
		err      error
	}{
		"the least stake":    {"a", 1, stake, nil},
		"a unit less":        {"a", 1, stake - 1, ErrStake},
		"the highest port":   {"a", 65_535, stake, nil},
		"a port above":       {"a", 65_536, stake, ErrEndpoint},
		"no port":            {"a", 0, stake, ErrEndpoint},
		"no endpoint":        {"", 1, stake, ErrEndpoint},
		"256 characters":     {strings.Repeat("a", 256), 1, stake, nil},
		"257 characters":     {strings.Repeat("a", 257), 1, stake, ErrEndpoint},
		"a space":            {"a b", 1, stake, ErrEndpoint},
		"beyond ASCII":       {"ä", 1, stake, ErrEndpoint},
		"a carriage return":  {"a\r", 1, stake, ErrEndpoint},
		"a lot of the stake": {"a", 1, 1 << 62, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := &Registry{State: newState(), Config: Genesis(), Height: 1}
			err := g.Register(address(1), c.endpoint, c.port, c.coins)
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("%v, want %v", err, c.err)
			}
			if _, err := Load(g.State, address(1)); (err == nil) != (c.err == nil) {
				t.Error(err)
			}
		})
	}
	g := &Registry{State: newState(), Config: Genesis(), Height: 1}
	for i := range MaxGateways {
		if err := g.Register(address(i), "a", 1, stake); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := g.Register(address(MaxGateways), "a", 1, stake); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	if err := g.Register(address(0), "b", 2, 0); err != nil {
		t.Errorf("one that is there: %v", err)
	}
}

// A share to the unit. The amounts are Python's: Fraction(pot) * (Fraction(5000*s, S) + Fraction(5000*u, U)) / 10000, rounded down.
//
// Spec: gateway-payments-streams §B (5000·stake + 5000·uptime).
func TestShares(t *testing.T) {
	for _, c := range []struct {
		pot, s, all unit.Amount
		u, up       uint64
		want        unit.Amount
	}{
		{1_000, 1, 1, 1, 1, 1_000}, {1_000, 1, 4, 1, 2, 375}, {1_000, 3, 4, 1, 2, 625}, {1_000, 1, 3, 1, 3, 333}, {1_000, 1, 3, 0, 3, 166},
		{999_999_999_999_999_999, 10_000_000_000_000, 70_000_000_000_000, 86_399, 500_001, 157_827_398_630_917_023},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := Share(c.pot, GenesisPool(), c.s, c.all, c.u, c.up); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// member is a gateway as the model has it.
type member struct {
	stake         unit.Amount
	beat, leaving int
	up            int64 // healthy blocks of the epoch, counted one by one
}

// shares are what an epoch that is over gives each gateway, and begin another.
func shares(model map[account.Address]*member, pot uint64) map[account.Address]uint64 {
	due := map[account.Address]uint64{}
	var weight, blocks int64
	for _, m := range model {
		if m.up > 0 {
			weight, blocks = weight+int64(m.stake), blocks+m.up
		}
	}
	for a, m := range model {
		if m.up > 0 {
			share := new(big.Rat).Add(big.NewRat(int64(m.stake), 2*weight), big.NewRat(m.up, 2*blocks))
			share.Mul(share, big.NewRat(int64(pot), 1))
			due[a] = new(big.Int).Quo(share.Num(), share.Denom()).Uint64()
		}
		m.up = 0
	}
	return due
}

// The pool against a model that counts every healthy block by itself: random lives over many epochs, payments equal to the unit, no block that looks at more
// gateways than it may, stakes that come back as they went in, and every coin accounted for.
//
// Spec: gateway-payments-streams §B (reward per epoch; health −1 per block).
func TestPoolAgainstModel(t *testing.T) {
	const gateways, epoch = 50, 200
	config, pool := Config{MinStake: 100, Health: 37, Unstake: 90}, Pool{5_000, 5_000, epoch}
	s, r := newState(), rand.New(rand.NewPCG(3, 4))
	work := &counter{Store: s}
	model := map[account.Address]*member{}
	inPool, paidOut := uint64(0), uint64(0)
	due := map[account.Address]uint64{}
	for now := 1; now < 30*epoch; now++ {
		g := &Registry{State: s, Config: config, Height: unit.Height(now)}
		for range r.IntN(4) * min(now%epoch/5, 1) { // nothing changes while the pool is shared out
			a := address(r.IntN(gateways))
			m := model[a]
			switch coins := unit.Amount(r.IntN(300)); r.IntN(9) {
			case 0, 1:
				err := g.Register(a, "x", 1, coins)
				if m == nil && err == nil {
					model[a] = &member{stake: coins, beat: now, leaving: -1}
				} else if err == nil {
					m.stake, m.beat = m.stake+coins, now
				}
			case 2:
				back, err := g.Unstake(a)
				switch {
				case err != nil:
				case m.leaving < 0:
					m.leaving = now
				case back != m.stake || now-m.leaving < 90:
					t.Fatalf("%d: %d of %+v", now, back, m)
				default:
					delete(model, a)
				}
			default:
				if g.Heartbeat(a) == nil {
					m.beat = now
				}
			}
		}
		if now%epoch == 0 {
			due = shares(model, inPool)
		} else if r.IntN(3) == 0 {
			amount := unit.Amount(r.IntN(1_000_000))
			inPool += uint64(amount)
			if err := Contribute(s, amount); err != nil {
				t.Fatal(err)
			}
		}
		work.n = 0
		paid, err := Walk(work, config, pool, unit.Height(now), anybody)
		if err != nil {
			t.Fatal(err)
		}
		if most := 3*WalkPerBlock + 10; work.n > most {
			t.Fatalf("block %d reads and writes %d entries, at most %d", now, work.n, most)
		}
		for _, one := range paid {
			if due[one.To] != uint64(one.Amount) {
				t.Fatalf("block %d: %v is paid %d, want %d", now, one.To, one.Amount, due[one.To])
			}
			delete(due, one.To)
			paidOut, inPool = paidOut+uint64(one.Amount), inPool-uint64(one.Amount)
		}
		if now%epoch == 6 && len(due) > 0 {
			t.Fatalf("block %d: %v are not paid", now, due)
		}
		for _, m := range model {
			if now-m.beat < 37 && m.leaving < 0 {
				m.up++
			}
		}
		want := inPool
		for _, m := range model {
			want += uint64(m.stake)
		}
		if got := held(s); uint64(got) != want {
			t.Fatalf("block %d: %d is held, want %d", now, got, want)
		}
	}
	if paidOut == 0 {
		t.Error("nothing was paid")
	}
}

// A whole epoch of gateways whose lives do not change while it is paid out: each gets what the formula gives for the blocks it was healthy in.
//
// Spec: gateway-payments-streams §B (reward per epoch).
func TestEpochIsPaidExactly(t *testing.T) {
	const epoch, gateways, pot = 1_000, 70, 1_000_000_007
	config, pool := Config{MinStake: 100, Health: 300, Unstake: 90}, Pool{5_000, 5_000, epoch}
	s := newState()
	stakes, uptime := map[account.Address]int64{}, map[account.Address]int64{}
	for i := range gateways {
		a, began := address(i), int64(i*13)
		stakes[a] = int64(100 + 7*i)
		g := &Registry{State: s, Config: config, Height: unit.Height(began)}
		if err := g.Register(a, "x", 1, unit.Amount(stakes[a])); err != nil {
			t.Fatal(err)
		}
		until := min(began+300, epoch)
		switch i % 5 {
		case 0: // one more heartbeat, before its health is gone
			g.Height += 200
			until = min(began+500, epoch)
		case 1: // and after that
			g.Height += 310
		case 2: // leaves
			g.Height += 100
			if _, err := g.Unstake(a); err != nil {
				t.Fatal(err)
			}
			until = min(began+100, epoch)
		}
		if i%5 < 2 && g.Height < epoch {
			if err := g.Heartbeat(a); err != nil {
				t.Fatal(err)
			}
		}
		uptime[a] = until - began
		if i%5 == 1 && began+310 < epoch {
			uptime[a] += min(began+610, epoch) - (began + 310)
		}
	}
	if err := Contribute(s, pot); err != nil {
		t.Fatal(err)
	}
	before := held(s)
	got := map[account.Address]unit.Amount{}
	for now := epoch; now < epoch+10; now++ {
		paid, err := Walk(s, config, pool, unit.Height(now), anybody)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range paid {
			if got[one.To] != 0 {
				t.Errorf("%v is paid twice", one.To)
			}
			got[one.To] = one.Amount
		}
	}
	var weight, blocks int64
	for a := range stakes {
		weight, blocks = weight+stakes[a], blocks+uptime[a]
	}
	sum := unit.Amount(0)
	for a := range stakes {
		share := new(big.Rat).Add(big.NewRat(stakes[a], 2*weight), big.NewRat(uptime[a], 2*blocks))
		share.Mul(share, big.NewRat(pot, 1))
		want := new(big.Int).Quo(share.Num(), share.Denom()).Uint64()
		if uint64(got[a]) != want {
			t.Errorf("%v got %d, want %d", a, got[a], want)
		}
		sum += got[a]
		if one, err := account.Load(s, a); err != nil || one.Balance != got[a] {
			t.Errorf("%v holds %d, %v", a, one.Balance, err)
		}
	}
	if left, err := InPool(s); err != nil || left != pot-sum || left >= gateways || held(s) != before-sum {
		t.Errorf("%d are left of %d after %d (%v)", left, uint64(pot), sum, err)
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
