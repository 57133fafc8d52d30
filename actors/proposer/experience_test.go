package proposer

import (
	"fmt"
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

// execution is a transaction that hands a turn out.
func execution(t *testing.T, from byte, nonce uint64) tx.Verified {
	t.Helper()
	x := &tx.Tx{
		ChainID: 1, Nonce: nonce, Instruction: &tx.Execute{To: account.Address{9}, Handler: []byte("x")}, CyclesLimit: 100_000, CellsLimit: 100,
		MaxFeePerCycle: 10_000, MaxFeePerCell: 10_000, From: person(from),
	}
	copy(x.Signature[:], x.From[:])
	v, err := tx.Verify(x, 1, named{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// slowIn reports a slow transaction of a block that holds others.
func slowIn(v tx.Verified, mode transition.Mode, height unit.Height) executor.Report {
	x := &tx.Tx{ChainID: 1, Instruction: &tx.Transfer{}, CyclesLimit: 21_000, From: person(9)}
	copy(x.Signature[:], x.From[:])
	other, err := tx.Verify(x, 1, named{})
	if err != nil {
		panic(err)
	}
	return executor.Report{Mode: mode, Height: height, Txs: []tx.Verified{other}, Slow: []executor.Slow{
		{Height: height, Kind: block.Transaction, ID: v.Hash(), Ended: true},
	}}
}

// What only moves coins hands no turn out; everything else may.
func TestPlain(t *testing.T) {
	to := account.Address{9}
	for i, c := range []struct {
		in   tx.Instruction
		want bool
	}{
		{&tx.Transfer{To: to}, true},
		{&tx.FundActor{Actor: to}, true},
		{&tx.CreateAccount{Address: to}, true},
		{&tx.Execute{To: to}, false},
		{&tx.TimerSchedule{Actor: to}, false},
		{&tx.ValidatorExit{}, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			x := &tx.Tx{ChainID: 1, Instruction: c.in, CyclesLimit: 100_000, CellsLimit: 1_000, From: person(1)}
			copy(x.Signature[:], x.From[:])
			v, err := tx.Verify(x, 1, named{})
			if err != nil {
				t.Fatal(err)
			}
			if plain(v) != c.want {
				t.Errorf("%T: %v", c.in, plain(v))
			}
		})
	}
}

// offering is a proposal of height 1 to which the lanes have offered transactions.
func offering(t *testing.T, c *experience, stalled uint64, offers ...tx.Verified) *work {
	t.Helper()
	balances := map[byte]unit.Amount{}
	for _, v := range offers {
		balances[v.Tx().From[19]] = 1_000 * unit.CBY
	}
	w, err := begin(replica.Proposal{Header: block.Header{Height: 1, View: 1}, Parent: parent(t, balances), Stalled: stalled})
	if err != nil {
		t.Fatal(err)
	}
	w.how = c.choose(stalled, 1)
	take := c.takes(w.how, 1)
	for _, v := range offers {
		if take == nil || take(v) {
			w.offers = append(w.offers, v)
		}
	}
	return w
}

func chosen(t *testing.T, c *experience, w *work) []string {
	t.Helper()
	txs, err := w.choose(c)
	if err != nil {
		t.Fatal(err)
	}
	return labels(txs)
}

// A transaction that was slow in any block is not offered with others. It has every eighth block to itself, or the next one if there is nothing else. If it is
// slow again, its sender's transactions are put aside from the start; those that only move coins are not.
func TestSlowTransactionIsTriedAlone(t *testing.T) {
	for _, mode := range []transition.Mode{transition.Build, transition.Verify} {
		var c experience
		slow, other := execution(t, 1, 5), execution(t, 2, 5)
		if dropped := c.learn(slowIn(slow, mode, 1)); dropped != nil {
			t.Fatal("dropped at once")
		}
		for n := 1; n < aloneEvery; n++ {
			w := offering(t, &c, 0, slow, other)
			if got := chosen(t, &c, w); w.trial != nil || !slices.Equal(got, []string{"2/5"}) {
				t.Fatalf("proposal %d holds %v", n, got)
			}
			c.settle(w, &transition.Result{Txs: []tx.Verified{other}}, 0)
		}
		w := offering(t, &c, 0, slow, other)
		if got := chosen(t, &c, w); w.trial == nil || !slices.Equal(got, []string{"1/5"}) {
			t.Fatalf("proposal %d holds %v", aloneEvery, got)
		}
		if dropped := c.learn(slowIn(slow, transition.Verify, 1)); dropped != nil {
			t.Error("dropped for another's block")
		}
		dropped := c.learn(slowIn(slow, transition.Build, 1))
		if dropped == nil || dropped.Hash() != slow.Hash() {
			t.Fatalf("dropped %v", dropped)
		}
		c.settle(w, &transition.Result{}, 0)
		next, plain := execution(t, 1, 6), transfer(t, 1, 5, 10_000)
		take := c.takes(common, 1)
		if take(next) || !take(plain) || !take(other) {
			t.Errorf("after the drop: its sender's next %v, a transfer of the sender %v, another's %v", take(next), take(plain), take(other))
		}
		if take := c.takes(common, 1+senderFor); !take(next) {
			t.Error("the sender is put aside for too long")
		}
	}
}

// A transaction that a busy machine could not end in time, though it took little of a processor, does not stand before the others in every proposal: it is put
// aside, and the next proposal holds what is known to be cheap. However often it is tried, it is not dropped for that.
func TestCutTransactionLetsOthersPass(t *testing.T) {
	var c experience
	cut, other, coins := execution(t, 1, 5), execution(t, 2, 5), transfer(t, 3, 5, 10_000)
	report := executor.Report{Mode: transition.Build, Height: 1, Cut: cut.Hash()}
	for range 3 {
		if dropped := c.learn(report); dropped != nil {
			t.Fatal("dropped")
		}
		for n := 1; n < aloneEvery; n++ {
			w := offering(t, &c, 0, cut, other, coins)
			want := []string{"2/5", "3/5"}
			if n == 1 {
				want = want[1:] // what is known to be cheap
			}
			got := chosen(t, &c, w)
			slices.Sort(got)
			if w.trial != nil || !slices.Equal(got, want) {
				t.Fatalf("proposal %d holds %v", n, got)
			}
			c.settle(w, &transition.Result{Txs: []tx.Verified{coins}}, 0)
		}
		w := offering(t, &c, 0, cut, other, coins)
		if got := chosen(t, &c, w); w.trial == nil || !slices.Equal(got, []string{"1/5"}) {
			t.Fatalf("proposal %d holds %v", aloneEvery, got)
		}
		if dropped := c.learn(report); dropped != nil {
			t.Fatal("dropped after its trial")
		}
		c.settle(w, &transition.Result{}, 0)
	}
	if take := c.takes(common, 1); take(cut) || !take(execution(t, 1, 6)) {
		t.Error("its sender's others are put aside with it")
	}
}

// After a block that holds nothing since a transaction was ended, slow or not, the next proposal holds what is known to be cheap and the one after it
// everything again: so those who only move coins wait for one block and not for everybody whose transactions take long. A block that holds something, and
// others' blocks, lead to nothing of the kind.
func TestEndedTransactionIsFollowedByCheapOnes(t *testing.T) {
	slow, other := execution(t, 1, 5), execution(t, 2, 5)
	ended, timer := slowIn(slow, transition.Build, 1), slowIn(slow, transition.Build, 1)
	ended.Txs, timer.Txs = nil, nil
	timer.Slow[0].Kind = block.Timer
	elsewhere := ended
	elsewhere.Mode = transition.Verify
	for i, x := range []struct {
		report executor.Report
		want   choice
	}{{ended, cheap}, {timer, common}, {elsewhere, common}, {slowIn(slow, transition.Build, 1), common},
		{executor.Report{Mode: transition.Build, Height: 1, Cut: other.Hash()}, cheap}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var c experience
			c.learn(x.report)
			if first, second := c.choose(0, 1), c.choose(0, 1); first != x.want || second != common {
				t.Errorf("%d and then %d", first, second)
			}
		})
	}
}

// With nothing else to propose, what is put aside is tried at the next proposal; if it is executed in time it is put aside no longer.
func TestIdleProposerTriesAtOnce(t *testing.T) {
	var c experience
	slow := execution(t, 1, 5)
	c.learn(slowIn(slow, transition.Verify, 1))
	w := offering(t, &c, 0, slow)
	if got := chosen(t, &c, w); len(got) != 0 {
		t.Fatalf("holds %v", got)
	}
	c.settle(w, &transition.Result{}, 0)
	w = offering(t, &c, 0, slow)
	if got := chosen(t, &c, w); w.trial == nil || !slices.Equal(got, []string{"1/5"}) {
		t.Fatalf("holds %v", got)
	}
	result := &transition.Result{Txs: []tx.Verified{slow}}
	c.learn(executor.Report{Mode: transition.Build, Height: 1, Txs: result.Txs})
	c.settle(w, result, 0)
	if !c.takes(common, 1)(slow) {
		t.Error("it is still put aside")
	}
}

// Of a sender the first transaction alone can be tried; the next height tries another sender's.
func TestTrialTakesTurns(t *testing.T) {
	var c experience
	a, later, b := execution(t, 1, 5), execution(t, 1, 6), execution(t, 2, 5)
	for _, v := range []tx.Verified{a, later, b} {
		c.learn(slowIn(v, transition.Verify, 1))
	}
	var got []string
	for height := unit.Height(10); height < 14; height++ {
		got = append(got, labels(c.trial([]tx.Verified{a, later, b}, height))...)
	}
	if !slices.Equal(got, []string{"1/5", "2/5", "1/5", "2/5"}) {
		t.Errorf("tried %v", got)
	}
	if got := c.trial([]tx.Verified{a}, 1+asideFor); got != nil {
		t.Errorf("put aside for too long: %v", labels(got))
	}
}

// After one lost view transfers are proposed and what was executed in time before; after two nothing.
func TestLostViewsProposeWhatIsCheap(t *testing.T) {
	var c experience
	seen, fresh, plain := execution(t, 1, 5), execution(t, 2, 5), transfer(t, 3, 5, 10_000)
	c.learn(executor.Report{Txs: []tx.Verified{seen}})
	for stalled, want := range map[uint64][]string{0: {"1/5", "2/5", "3/5"}, 1: {"1/5", "3/5"}} {
		t.Run(fmt.Sprint(stalled), func(t *testing.T) {
			if got := chosen(t, &c, offering(t, &c, stalled, seen, fresh, plain)); !slices.Equal(got, want) {
				t.Errorf("after %d lost views: %v, want %v", stalled, got, want)
			}
		})
	}
	for _, stalled := range []uint64{2, 3, 16} {
		if how := c.choose(stalled, 1); how != none {
			t.Errorf("after %d lost views: %v", stalled, how)
		}
	}
	c.learn(slowIn(seen, transition.Verify, 1))
	if c.takes(cheap, 1)(seen) {
		t.Error("what was slow since is cheap")
	}
}

// What a block has to hold behind its transactions is taken off their time, up to half of it.
func TestBudgetLeavesTimeForWhatIsOwed(t *testing.T) {
	for owed, want := range map[time.Duration]time.Duration{0: 400, 150: 250, 200: 200, 5_000: 200} {
		t.Run(fmt.Sprint(owed), func(t *testing.T) {
			var c experience
			c.learn(executor.Report{Owed: owed})
			if got := c.budget(400); got != want {
				t.Errorf("owed %d: %d, want %d", owed, got, want)
			}
		})
	}
}

// A proposal that is lost puts the transaction aside that took longest in it, unless it took little; if it was alone it is dropped. One that is in the next
// block's past says nothing.
func TestLostProposal(t *testing.T) {
	for name, x := range map[string]struct {
		took           time.Duration
		nonce          uint64 // of the sender in the state of the next proposal's parent
		alone          bool
		aside, dropped bool
	}{
		"lost":        {51, 5, false, true, false},
		"lost, light": {50, 5, false, false, false},
		"lost alone":  {51, 5, true, false, true},
		"held":        {51, 6, false, false, false},
		"held alone":  {51, 6, true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			var c experience
			v, other := execution(t, 1, 5), execution(t, 2, 5)
			w := &work{}
			if x.alone {
				w.trial = &v
			}
			result := &transition.Result{Txs: []tx.Verified{other, v}}
			c.learn(executor.Report{Mode: transition.Build, Height: 1, Txs: result.Txs, Longest: executor.Slow{ID: v.Hash(), Took: x.took}})
			c.learn(executor.Report{Mode: transition.Verify, Height: 1, Longest: executor.Slow{ID: other.Hash(), Took: 1_000}}) // of another's block
			c.settle(w, result, 50)
			o := parent(t, map[byte]unit.Amount{1: unit.CBY}).State.Overlay()
			a := account.Account{Balance: unit.CBY, Nonce: x.nonce}
			o.Set(person(1).Key(), a.Encode())
			dropped, err := c.review(o, 2)
			if err != nil || (dropped != nil) != x.dropped || dropped != nil && dropped.Hash() != v.Hash() {
				t.Errorf("%s: dropped %v, %v", name, dropped, err)
			}
			if _, aside := c.aside.Find(v.Hash()); aside != x.aside {
				t.Errorf("%s: aside %v", name, aside)
			}
			if _, aside := c.senders.Find(v.Tx().From); aside != x.dropped {
				t.Errorf("%s: the sender aside %v", name, aside)
			}
			if again, err := c.review(o, 2); again != nil || err != nil {
				t.Errorf("%s: reviewed twice", name)
			}
		})
	}
}
