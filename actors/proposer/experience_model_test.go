package proposer

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// known is a transaction as the model sees it.
type known struct {
	name   string
	sender byte
	nonce  uint64
	plain  bool          // it moves coins and runs nothing
	took   time.Duration // that it takes, here and elsewhere
}

// meterModel re-tells the section "Time" of the package's documentation with maps.
type meterModel struct {
	whole   time.Duration
	owed    time.Duration
	aside   map[string]uint64 // until
	senders map[byte]uint64   // of what was dropped, until
	inTime  map[string]bool
	count   int    // proposals since the last one for one transaction
	nothing bool   // the latest proposal that was built held nothing, though it might have held anything
	trying  string // what the latest proposal for one transaction was for
	alone   bool   // the latest proposal was for it
	emptied bool   // the latest proposal that was built held nothing, since something was ended
	asked   bool   // for everything, by the latest proposal
	longest *known // of the latest proposal, where it took more than little
}

func newMeterModel(whole time.Duration) *meterModel {
	return &meterModel{whole: whole, aside: map[string]uint64{}, senders: map[byte]uint64{}, inTime: map[string]bool{}}
}

func (m *meterModel) isAside(x known, now uint64) bool {
	return now < m.aside[x.name] || !x.plain && now < m.senders[x.sender]
}

// fits gives the names of a proposal for everybody, and what may be tried alone instead; nil where this is not the time for it.
func (m *meterModel) fits(pool []known, nonces map[byte]uint64, stalled, now uint64) (all, single []string) {
	m.count++
	if m.emptied {
		stalled = max(stalled, 1)
	}
	m.emptied, m.asked = false, stalled == 0
	for sender := byte(1); sender <= people; sender++ {
		unbroken := true
		for nonce := nonces[sender]; ; nonce++ {
			at := slices.IndexFunc(pool, func(x known) bool { return x.sender == sender && x.nonce == nonce })
			if at < 0 {
				break
			}
			x := pool[at]
			if nonce == nonces[sender] && m.isAside(x, now) && stalled == 0 && (m.count >= 8 || m.nothing) {
				single = append(single, x.name)
			}
			cheap := x.plain || m.inTime[x.name]
			unbroken = unbroken && !m.isAside(x, now) && (stalled == 0 || stalled == 1 && cheap)
			if unbroken {
				all = append(all, x.name)
			}
		}
	}
	return all, single
}

func (m *meterModel) setAside(name string, now uint64) {
	delete(m.inTime, name)
	if now >= m.aside[name] {
		m.aside[name] = now + 3_600
	}
}

func (m *meterModel) drop(x known, now uint64) {
	delete(m.aside, x.name)
	m.senders[x.sender] = now + 600
}

// review is told whether the proposal before is in the chain.
func (m *meterModel) review(held bool, now uint64) (dropped string) {
	x := m.longest
	m.longest = nil
	if x == nil || held {
		return ""
	}
	delete(m.inTime, x.name)
	if m.alone {
		m.drop(*x, now)
		return x.name
	}
	m.setAside(x.name, now)
	return ""
}

// report is what a block showed: ran are the transactions that are in it, ended those that are not since their time was over.
func (m *meterModel) report(ran, ended []known, owed time.Duration, mine bool, now uint64) (dropped string) {
	m.owed = owed
	if mine {
		m.emptied = len(ran) == 0 && len(ended) > 0
	}
	for _, x := range ran {
		switch {
		case x.took > m.whole/2:
			m.setAside(x.name, now)
		case !x.plain:
			m.inTime[x.name] = true
		}
	}
	for _, x := range ended {
		if mine && x.name == m.trying {
			m.drop(x, now)
			m.trying, dropped = "", x.name
			continue
		}
		m.setAside(x.name, now)
	}
	return dropped
}

// cut is told of a transaction that a busy machine gave up, in a block that holds nothing.
func (m *meterModel) cut(x known, now uint64) {
	m.owed, m.emptied = 0, true
	m.setAside(x.name, now)
}

const people = 3

// meterScript drives both through one random story.
type meterScript struct {
	t      *testing.T
	r      *rand.Rand
	now    uint64
	base   *work
	nonces map[byte]uint64
	pool   []known
	txs    map[string]tx.Verified
	model  *meterModel
	real   experience
	met    map[string]int
}

func (s *meterScript) add() {
	sender := byte(1 + s.r.IntN(people))
	nonce := s.nonces[sender]
	for _, x := range s.pool {
		if x.sender == sender {
			nonce = max(nonce, x.nonce+1)
		}
	}
	x := known{name: fmt.Sprintf("%d/%d", sender, nonce), sender: sender, nonce: nonce, plain: s.r.IntN(3) == 0}
	if x.plain {
		s.txs[x.name] = transfer(s.t, sender, nonce, 10_000)
	} else {
		s.txs[x.name] = execution(s.t, sender, nonce)
		x.took = []time.Duration{1, 12, 13, 49, 50, 51, 99, 101, 150}[s.r.IntN(9)]
	}
	s.pool = append(s.pool, x)
}

// state is the chain's, with the nonces of now.
func (s *meterScript) state() transition.Parent {
	o := s.base.proposal.Parent.State.Overlay()
	for sender, nonce := range s.nonces {
		a := account.Account{Balance: 1_000 * unit.CBY, Nonce: nonce}
		o.Set(person(sender).Key(), a.Encode())
	}
	c, err := o.Commit(0)
	if err != nil {
		s.t.Fatal(err)
	}
	return transition.Parent{Header: s.base.proposal.Parent.Header, State: c}
}

// include moves the chain on.
func (s *meterScript) include(list []known) {
	for _, x := range list {
		s.nonces[x.sender] = x.nonce + 1
		s.pool = slices.DeleteFunc(s.pool, func(y known) bool { return y.name == x.name })
	}
}

// run is what an executor does with transactions: those that need more than the time for all of them are ended, and their senders' later ones with them.
func (s *meterScript) run(list []known, mode transition.Mode, limit time.Duration) (ran, ended []known, report executor.Report) {
	report = executor.Report{Mode: mode, Height: unit.Height(s.now), Owed: time.Duration(s.r.IntN(80))}
	broken := map[byte]bool{}
	for _, x := range list {
		if broken[x.sender] {
			continue
		}
		seen := executor.Slow{Height: unit.Height(s.now), Kind: block.Transaction, ID: s.txs[x.name].Hash(), Took: x.took}
		if x.took > limit {
			broken[x.sender], seen.Ended = true, true
			ended, report.Slow = append(ended, x), append(report.Slow, seen)
			continue
		}
		if x.took > s.model.whole/2 {
			report.Slow = append(report.Slow, seen)
		}
		if !x.plain && x.took > report.Longest.Took {
			report.Longest = seen
		}
		ran, report.Txs = append(ran, x), append(report.Txs, s.txs[x.name])
	}
	if s.r.IntN(6) == 0 { // a timer of that time says nothing about transactions
		report.Slow = append(report.Slow, executor.Slow{Height: unit.Height(s.now), Kind: block.Timer, Took: 70})
	}
	return ran, ended, report
}

func (s *meterScript) named(names []string) (list []known) {
	for _, x := range s.pool {
		if slices.Contains(names, x.name) {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(a, b known) int { return int(a.sender)<<16 + int(a.nonce) - int(b.sender)<<16 - int(b.nonce) })
	return list
}

func (s *meterScript) compareDrop(v *tx.Verified, want string) {
	s.t.Helper()
	got := ""
	if v != nil {
		got = labels([]tx.Verified{*v})[0]
		s.met["dropped"]++
		if s.r.IntN(2) == 0 { // the lanes forget it; sometimes a client sends it again
			s.pool = slices.DeleteFunc(s.pool, func(x known) bool { return x.name == got })
		}
	}
	if got != want {
		s.t.Fatalf("at %d dropped %q, want %q", s.now, got, want)
	}
}

// other is another validator's block.
func (s *meterScript) other() {
	var names []string
	for sender, nonce := range maps.Clone(s.nonces) {
		if s.r.IntN(2) == 0 {
			names = append(names, fmt.Sprintf("%d/%d", sender, nonce))
		}
	}
	ran, ended, report := s.run(s.named(names), transition.Verify, 1_000)
	s.compareDrop(s.real.learn(report), s.model.report(ran, ended, report.Owed, false, s.now))
	if s.r.IntN(4) > 0 {
		s.include(ran)
	}
}

// mine is a proposal of this node.
func (s *meterScript) mine() {
	parent := s.state()
	held := s.model.longest != nil && s.nonces[s.model.longest.sender] > s.model.longest.nonce
	dropped, err := s.real.review(parent.State, unit.Height(s.now))
	if err != nil {
		s.t.Fatal(err)
	}
	s.compareDrop(dropped, s.model.review(held, s.now))
	stalled := uint64(max(0, s.r.IntN(8)-4)) // up to three
	all, single := s.model.fits(s.pool, s.nonces, stalled, s.now)

	w := *s.base
	w.proposal = replica.Proposal{Header: block.Header{Height: unit.Height(s.now), View: s.now}, Parent: parent, Stalled: stalled}
	var txs []tx.Verified
	if w.how = s.real.choose(stalled, unit.Height(s.now)); w.how == none {
		w.empty = true
	} else {
		take := s.real.takes(w.how, unit.Height(s.now))
		for _, x := range s.pool {
			if v := s.txs[x.name]; take == nil || take(v) {
				w.offers = append(w.offers, v)
			}
		}
		if txs, err = w.choose(&s.real); err != nil {
			s.t.Fatal(err)
		}
	}
	got := labels(txs)
	budget := s.model.whole - min(s.model.owed, s.model.whole/2)
	if len(single) > 0 {
		s.met["alone"]++
		if w.trial == nil || len(got) != 1 || !slices.Contains(single, got[0]) {
			s.t.Fatalf("at %d the proposal holds %v, want one of %v", s.now, got, single)
		}
		s.model.count, s.model.trying, budget = 0, got[0], s.model.whole
	} else {
		slices.Sort(all)
		if w.trial != nil || !slices.Equal(got, all) {
			s.t.Fatalf("at %d, %d views lost, the proposal holds %v, want %v", s.now, stalled, got, all)
		}
		if got := s.real.budget(s.model.whole); got != budget {
			s.t.Fatalf("at %d a budget of %d, want %d", s.now, got, budget)
		}
	}
	s.met[fmt.Sprint("lost views ", stalled)]++
	s.build(&w, s.named(got), budget, len(single) > 0)
}

// build is what becomes of a proposal: it may be withdrawn, lost or held.
func (s *meterScript) build(w *work, list []known, budget time.Duration, alone bool) {
	if s.r.IntN(10) == 0 {
		s.met["withdrawn"]++
		return
	}
	var ran, ended []known
	var report executor.Report
	if len(list) > 0 && s.r.IntN(12) == 0 {
		s.met["cut"]++
		report = executor.Report{Mode: transition.Build, Height: unit.Height(s.now), Cut: s.txs[list[0].name].Hash()}
		s.model.cut(list[0], s.now)
		s.compareDrop(s.real.learn(report), "")
	} else {
		ran, ended, report = s.run(list, transition.Build, budget)
		s.compareDrop(s.real.learn(report), s.model.report(ran, ended, report.Owed, true, s.now))
	}
	result := &transition.Result{Txs: report.Txs}
	s.real.settle(w, result, s.model.whole/littleOf)
	m := s.model
	m.nothing = len(ran) == 0 && !alone && m.asked
	if alone && len(ran) > 0 {
		delete(m.aside, ran[0].name)
	}
	m.trying, m.longest, m.alone = "", nil, alone
	for i, x := range ran {
		if x.took > m.whole/8 && (m.longest == nil || x.took > m.longest.took) {
			m.longest = &ran[i]
		}
	}
	if s.r.IntN(3) > 0 {
		s.include(ran)
		return
	}
	s.met["lost"]++
}

// The second meter against a model that was written from its description: what a proposal may hold after lost views, what is put aside, tried alone and
// dropped, whose other transactions wait for it, and how much time a build has, over thousands of random stories.
func TestMeterAgainstModel(t *testing.T) {
	base, err := begin(replica.Proposal{Header: block.Header{Height: 1, View: 1}, Parent: parent(t, nil)})
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]int{}
	for seed := range uint64(2_000) {
		s := &meterScript{
			t: t, r: rand.New(rand.NewPCG(seed, 3)), now: 1, base: base, nonces: map[byte]uint64{}, txs: map[string]tx.Verified{},
			model: newMeterModel(100), met: met,
		}
		for sender := byte(1); sender <= people; sender++ {
			s.nonces[sender] = 5
		}
		for range 40 {
			for range s.r.IntN(3 + 8*s.r.IntN(2)) {
				s.add()
			}
			if s.r.IntN(3) == 0 {
				s.other()
			} else {
				s.mine()
			}
			if s.now++; seed%2 == 0 {
				s.now += []uint64{0, 0, 0, 0, 40, 598, 599, 3_599}[s.r.IntN(8)]
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
	for _, what := range []string{"alone", "dropped", "cut", "withdrawn", "lost", "lost views 1", "lost views 2", "lost views 3"} {
		if met[what] < 500 {
			t.Errorf("%s only %d times", what, met[what])
		}
	}
}
