package secret

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// plain is the service as one would say it: what each account has and owes, which versions there are, what each proxy has at stake. It knows of no keys.
type plain struct {
	coins    map[account.Address]int64
	stake    map[digest.Hash]int64
	health   map[digest.Hash]int64
	slashed  map[digest.Hash]map[Fault]unit.Height
	gone     map[digest.Hash]unit.Height // to be paid out
	versions map[string]map[uint64]bool  // by name: there, or deleted
	receipts map[digest.Hash]map[digest.Hash]bool
	owed     map[account.Address][]Owed
	bad      map[account.Address]bool // delinquent
	burned   int64
}

// pay is an actor's fee in the model: debts first, then as much of the fee as there is.
func (m *plain) pay(actor, to account.Address, fee int64) error {
	m.settle(actor)
	if m.bad[actor] && len(m.owed[actor]) > 0 {
		return ErrFunds
	}
	m.bad[actor] = false
	paid := min(fee, m.coins[actor])
	m.coins[actor] -= paid
	m.coins[to] += paid
	if rest := fee - paid; rest > 0 {
		found := false
		for i := range m.owed[actor] {
			if m.owed[actor][i].To == to {
				m.owed[actor][i].Amount += unit.Amount(rest)
				found = true
			}
		}
		if !found {
			m.owed[actor] = append(m.owed[actor], Owed{to, unit.Amount(rest)})
		}
		var sum unit.Amount
		for _, o := range m.owed[actor] {
			sum += o.Amount
		}
		m.bad[actor] = sum > 16*unit.CBY
	}
	return nil
}

func (m *plain) settle(actor account.Address) {
	for len(m.owed[actor]) > 0 {
		o := &m.owed[actor][0]
		paid := min(int64(o.Amount), m.coins[actor])
		m.coins[actor] -= paid
		m.coins[o.To] += paid
		if o.Amount -= unit.Amount(paid); o.Amount > 0 {
			return
		}
		m.owed[actor] = m.owed[actor][1:]
	}
}

// rounds is how many seeds the long tests run over.
func rounds(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("SECRET_SEEDS")); err == nil {
		return n
	}
	return usual
}

// Random operations, right and wrong, against the plain model: after each the outcome, all balances, stakes and healths agree, and all coins add up.
//
// Spec: secrets-cbss §5, §6.
func TestRandomOperations(t *testing.T) {
	for seed := range rounds(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			d := newDuel(t, uint64(seed))
			for range 250 {
				d.step()
				d.compare()
			}
		})
	}
}

type duel struct {
	*shop
	*rand.Rand
	m     *plain
	names []string
}

func newDuel(t *testing.T, seed uint64) *duel {
	s := newShop(t)
	// The owner keeps little, so that it comes to owe.
	s.supply -= s.balance(owner) - 30*unit.CBY
	s.must(account.Debit(s.overlay, owner, s.balance(owner)-30*unit.CBY))
	d := &duel{shop: s, Rand: rand.New(rand.NewPCG(seed, 1)), names: []string{"KEY", "B", "C"}, m: &plain{
		coins: map[account.Address]int64{}, stake: map[digest.Hash]int64{}, health: map[digest.Hash]int64{}, slashed: map[digest.Hash]map[Fault]unit.Height{},
		gone: map[digest.Hash]unit.Height{}, versions: map[string]map[uint64]bool{"KEY": {1: true}, "B": {}, "C": {}},
		receipts: map[digest.Hash]map[digest.Hash]bool{}, owed: map[account.Address][]Owed{}, bad: map[account.Address]bool{},
	}}
	for _, a := range d.watched() {
		d.m.coins[a] = int64(s.balance(a))
	}
	for _, p := range s.proxies {
		d.m.stake[p.id], d.m.health[p.id], d.m.slashed[p.id] = int64(10_000*unit.CBY), HealthFull, map[Fault]unit.Height{}
	}
	return d
}

func (d *duel) watched() []account.Address {
	list := []account.Address{owner, nobody, runnerKey().Address()}
	for _, p := range d.proxies {
		list = append(list, p.operator)
	}
	return list
}

func (d *duel) same(what string, err, want error) {
	d.t.Helper()
	if !errors.Is(err, want) || want == nil && err != nil {
		d.t.Fatalf("block %d, %s: %v, the model says %v", d.Height, what, err, want)
	}
}

func (d *duel) step() {
	p := d.committee[d.IntN(len(d.committee))]
	switch d.IntN(8) {
	case 0, 1, 2:
		d.receive(p)
	case 3:
		d.rename()
	case 4:
		d.slash(p)
	case 5:
		d.leave(d.proxies[d.IntN(len(d.proxies))])
	case 6:
		n := unit.Amount(d.IntN(6)) * unit.CBY / 2
		d.fund(owner, n)
		d.m.coins[owner] += int64(n)
	case 7:
		to := d.Height + unit.Height(d.IntN(40)) + 2
		if to < began+86_400+850 { // the job's records are kept so long
			d.skip(to)
		}
		d.forgetModel()
	}
}

// receive posts a receipt, sometimes a second time, for one of a few releases.
func (d *duel) receive(p *party) {
	if len(d.m.versions["KEY"]) == 0 || !d.m.versions["KEY"][1] {
		return
	}
	nonce := digest.Hash{byte(d.IntN(12)), byte(d.Height / 50)}
	q := d.ask(p, func(q *cbss.Request) { q.Nonce = nonce })
	release := q.Release()
	_, known := d.m.receipts[release]
	open := 0
	for range d.m.receipts {
		open++
	}
	var want error
	switch {
	case d.m.receipts[release][p.id]:
		want = ErrRecorded
	case len(d.m.receipts[release]) >= 4:
		want = ErrQuorum
	case !known && open >= MaxReleases:
		want = ErrReleases
	default:
		before := d.m.copyDebts()
		if want = d.m.pay(owner, p.operator, int64(unit.CBY)); want != nil {
			d.m.restore(before)
		}
	}
	d.same("receipt", d.record(d.receipt(q, p)), want)
	if want == nil {
		if !known {
			d.m.receipts[release] = map[digest.Hash]bool{}
		}
		d.m.receipts[release][p.id] = true
	}
}

// debts is what a refused receipt leaves as it was.
type debts struct {
	coins map[account.Address]int64
	owed  []Owed
	bad   bool
}

func (m *plain) copyDebts() debts {
	c := debts{coins: map[account.Address]int64{}, owed: append([]Owed{}, m.owed[owner]...), bad: m.bad[owner]}
	for a, n := range m.coins {
		c.coins[a] = n
	}
	return c
}

func (m *plain) restore(c debts) { m.coins, m.owed[owner], m.bad[owner] = c.coins, c.owed, c.bad }

// rename sets, deletes or changes a version of a secret.
func (d *duel) rename() {
	name := d.names[1+d.IntN(2)]
	id, versions := secretOf(owner, name), d.m.versions[name]
	latest := uint64(len(versions))
	if d.IntN(2) == 0 {
		n, err := d.set(id, Policy{})
		alive := 0
		for _, there := range versions {
			if there {
				alive++
			}
		}
		var want error
		if alive >= MaxVersions {
			want = ErrQuota
		} else {
			versions[latest+1] = true
		}
		d.same("set", err, want)
		if err == nil && n != latest+1 {
			d.t.Fatalf("version %d after %d", n, latest)
		}
		return
	}
	which := uint64(d.IntN(int(latest)+2)) + 1
	there, known := versions[which]
	want := ErrNotFound
	switch {
	case there:
		want = nil
	case known:
		want = ErrDeleted
	}
	if d.IntN(2) == 0 {
		d.same("policy", d.try(func() error { return d.SetPolicy(id, which, Policy{TEE: true}) }), want)
		return
	}
	d.same("delete", d.try(func() error { return d.Delete(id, which) }), want)
	if there {
		versions[which] = false
	}
}

// slash brings evidence of a random fault, which in half of the cases is none.
func (d *duel) slash(p *party) {
	if d.m.stake[p.id] == 0 {
		return
	}
	guilty := d.IntN(2) == 0
	var want error
	if at, ok := d.m.slashed[p.id][Sabotage]; ok && d.Height < at+FaultWindow {
		want = ErrSlashed
	} else if !guilty {
		want = ErrEvidence
	}
	evidence := d.deal(p, func(x *cbss.Deal) {
		if guilty {
			x.Share[31] ^= 1
		}
	})
	d.same("slash", d.try(func() error { return d.Slash(p.id, Sabotage, evidence) }), want)
	if want == nil {
		taken := d.m.stake[p.id] / 20
		d.m.stake[p.id] -= taken
		d.m.burned += taken
		d.m.slashed[p.id][Sabotage] = d.Height
	}
}

func (d *duel) leave(p *party) {
	if d.IntN(6) > 0 {
		return
	}
	var want error
	if _, leaving := d.m.gone[p.id]; leaving {
		want = ErrLeaving
	}
	d.same("leave", d.try(func() error { return d.Deregister(p.id) }), want)
	if want == nil {
		d.m.gone[p.id] = d.Height + 604_800
	}
}

// forgetModel drops from the model the releases that are over: a request of a block is remembered for 545 more, and forgotten at the end of that block.
func (d *duel) forgetModel() {
	for id := range d.m.receipts {
		set, err := LoadReceipts(d.overlay, id)
		d.must(err)
		if set == nil {
			delete(d.m.receipts, id)
		} else if d.Height > set.Block+545 {
			d.t.Fatalf("a release of block %d is remembered in block %d", set.Block, d.Height)
		}
	}
}

// compare holds the state against the model.
func (d *duel) compare() {
	d.t.Helper()
	for _, a := range d.watched() {
		if got := int64(d.balance(a)); got != d.m.coins[a] {
			d.t.Fatalf("block %d: %v has %d, the model says %d", d.Height, a, got, d.m.coins[a])
		}
	}
	for _, p := range d.proxies {
		x, err := LoadProxy(d.overlay, p.id)
		d.must(err)
		_, leaves := d.m.gone[p.id]
		suspended := len(d.m.slashed[p.id]) > 0
		if int64(x.Stake) != d.m.stake[p.id] || int64(x.Health) != d.m.health[p.id] || x.Suspended != suspended || (x.Unbonds > 0) != leaves {
			d.t.Fatalf("block %d: %+v, the model says %d", d.Height, x, d.m.stake[p.id])
		}
	}
	if got := int64(d.burned + d.Burned); got != d.m.burned {
		d.t.Fatalf("burned %d, the model says %d", got, d.m.burned)
	}
	debt, err := LoadDebt(d.overlay, owner)
	d.must(err)
	var owes, says unit.Amount
	if debt != nil {
		owes = debt.total()
	}
	for _, o := range d.m.owed[owner] {
		says += o.Amount
	}
	if owes != says {
		d.t.Fatalf("owed %d, the model says %d", owes, says)
	}
}
