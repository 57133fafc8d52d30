package block

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Spec: WP §6.4.
func TestEffectiveFee(t *testing.T) {
	for i, c := range []struct {
		o    offer
		fees params.Basefees
		want uint64
	}{
		{offer{key: 1, maxFee: 20_000, tip: 5}, params.Basefees{Cycle: 10_000, Cell: 10_000}, 21_000 * 10_005},
		{offer{key: 1, maxFee: 10_003, tip: 5}, params.Basefees{Cycle: 10_000, Cell: 10_000}, 21_000 * 10_003},
		{offer{key: 1, maxFee: 20_000, tip: 1<<64 - 1}, params.Basefees{Cycle: 10_000, Cell: 10_000}, 21_000 * 20_000},
		{offer{key: 1, maxFee: 20_000, metadata: 10}, params.Basefees{Cycle: 10_000, Cell: 30_000}, 21_000*10_000 + 10*30_000},
		{offer{key: 1, maxFee: 20_000, cycles: 1_000_000}, params.Basefees{Cycle: 10_000, Cell: 10_000}, 21_000 * 10_000}, // limits do not count
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := NewEffectiveFee(c.o.sign(t), c.fees); got.Hi != 0 || got.Lo != c.want {
				t.Errorf("%+v: %+v, want %d", c.o, got, c.want)
			}
		})
	}
	if (EffectiveFee{1, 0}).Compare(EffectiveFee{0, 1<<64 - 1}) <= 0 || (EffectiveFee{1, 2}).Compare(EffectiveFee{1, 2}) != 0 {
		t.Error("128-bit comparison")
	}
}

func hashes(list []tx.Verified) map[digest.Hash]bool {
	m := map[digest.Hash]bool{}
	for _, v := range list {
		m[v.Hash()] = true
	}
	return m
}

// Spec: WP §6.4 (highest effective fee first, ties by tx_hash).
func TestSelectByFee(t *testing.T) {
	l := limits(t)
	l.MaxTxs = 2
	low, mid, high := offer{key: 1, tip: 1}.sign(t), offer{key: 2, tip: 2}.sign(t), offer{key: 3, tip: 3}.sign(t)
	got := hashes(Select([]tx.Verified{low, high, mid}, l))
	if len(got) != 2 || !got[high.Hash()] || !got[mid.Hash()] {
		t.Errorf("%d chosen, not the two best", len(got))
	}
	l.MaxTxs = 1
	a, b := offer{key: 1}.sign(t), offer{key: 2}.sign(t)
	want := a
	if slices.Compare(digestOf(b), digestOf(a)) < 0 {
		want = b
	}
	for _, list := range [][]tx.Verified{{a, b}, {b, a}} {
		if got := Select(list, l); len(got) != 1 || got[0].Hash() != want.Hash() {
			t.Error("the tie did not go to the smaller hash")
		}
	}
}

func digestOf(v tx.Verified) []byte { h := v.Hash(); return h[:] }

// A sender's later transaction waits for its earlier one whatever it pays.
// Spec: WP §6.4, §2.2 (nonces in order).
func TestSelectNonceOrder(t *testing.T) {
	l := limits(t)
	first, second := offer{key: 1, nonce: 5, tip: 0}.sign(t), offer{key: 1, nonce: 6, tip: 90}.sign(t)
	middle := offer{key: 2, tip: 50}.sign(t)
	l.MaxTxs = 2
	got := hashes(Select([]tx.Verified{second, first, middle}, l))
	if !got[middle.Hash()] || !got[first.Hash()] {
		t.Error("the cheap first transaction was overtaken")
	}
	gap := offer{key: 1, nonce: 7}.sign(t)
	if got := Select([]tx.Verified{gap, first}, l); len(got) != 1 || got[0].Hash() != first.Hash() {
		t.Error("a gap was jumped")
	}
	better := offer{key: 1, nonce: 5, tip: 9}.sign(t)
	if got := Select([]tx.Verified{first, better, second}, limits(t)); len(got) != 2 || hashes(got)[first.Hash()] {
		t.Error("both transactions of one nonce, or the worse one")
	}
	poor := offer{key: 1, nonce: 5, maxFee: 9_999}.sign(t)
	if got := Select([]tx.Verified{poor, second}, limits(t)); len(got) != 0 {
		t.Error("a transaction below the basefee was chosen, or jumped")
	}
}

func deploy(k byte, cycles unit.Cycles, tip uint64) offer {
	return offer{key: k, cycles: cycles, tip: tip, in: &tx.Deploy{Code: []byte{k}}}
}

func anchor(k byte, cycles unit.Cycles) offer {
	in := &tx.Execute{To: account.System(account.StorageManager), Handler: []byte("commit_manifest"), Payload: []byte{k}}
	return offer{key: k, cycles: cycles, in: in}
}

func governed(k byte, cycles unit.Cycles) offer {
	return offer{key: k, cycles: cycles, in: &tx.CancelTimer{TimerID: digest.Hash{k}}}
}

func usage(list []tx.Verified) (u Usage) {
	for _, v := range list {
		u[v.Lane()] += v.Tx().CyclesLimit
	}
	return u
}

// Spec: WP §6.3, §17.9 (unused reserved capacity spills to User, User never
// borrows).
func TestSelectSpill(t *testing.T) {
	var users []tx.Verified
	for k := range byte(5) {
		users = append(users, deploy(k+1, 20_000_000, 100).sign(t))
	}
	// Nothing else in the block: 80,000,000 cycles are free, four of five fit.
	if got := Select(users, limits(t)); len(got) != 4 {
		t.Errorf("%d of five users fit an empty block", len(got))
	}
	// The timers due may use all of their lane.
	l := limits(t)
	l.TimerDemand = 1 << 60
	if got := Select(users, l); len(got) != 3 {
		t.Errorf("%d users fit beside a full timer lane", len(got))
	}
	// System and Runner fill up at lower fees: they are served before the spill.
	list := append(slices.Clone(users), governed(10, 40_000_000).sign(t), anchor(11, 8_888_888).sign(t))
	got := Select(list, l)
	u := usage(got)
	if u[LaneSystem] != 40_000_000 || u[LaneRunner] != 8_888_888 || u[LaneUser] != 20_000_000 {
		t.Errorf("with every lane wanted: %v", u)
	}
	// A lane's own budget is its ceiling even if others are idle.
	if got := Select([]tx.Verified{anchor(1, 8_000_000).sign(t), anchor(2, 8_000_000).sign(t)}, limits(t)); len(got) != 1 {
		t.Errorf("%d anchors of 8,000,000 in a lane of 8,888,888", len(got))
	}
}

// Spec: node-rpc-cli §3 (1,000 transactions per block).
func TestSelectLimits(t *testing.T) {
	l := limits(t)
	l.MaxTxs = 3
	var list []tx.Verified
	for k := range byte(5) {
		list = append(list, offer{key: k + 1}.sign(t))
	}
	if got := Select(list, l); len(got) != 3 {
		t.Errorf("%d chosen of at most 3", len(got))
	}
	l = limits(t)
	l.MaxBytes = 2*list[0].Size() + 1
	if got := Select(list, l); len(got) != 2 {
		t.Errorf("%d chosen of at most two transactions' bytes", len(got))
	}
	if Select(nil, limits(t)) != nil {
		t.Error("something out of nothing")
	}
}

// Random offers in random order: the choice does not depend on the order, respects
// the budgets, and no transaction left out would still fit.
// Spec: WP §6.3, §6.4, §17.9.
func TestSelectProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		var list []tx.Verified
		for k := range byte(8) {
			nonce := uint64(rng.IntN(3))
			for range rng.IntN(4) {
				var o offer
				switch rng.IntN(4) {
				case 0:
					o = anchor(k+1, unit.Cycles(rng.IntN(8_000_000)+100_000))
				case 1:
					o = governed(k+1, unit.Cycles(rng.IntN(40_000_000)+100_000))
				default:
					o = deploy(k+1, unit.Cycles(rng.IntN(22_000_000)+100_000), 0)
				}
				o.nonce, o.tip = nonce, uint64(rng.IntN(100))
				list = append(list, o.sign(t))
				nonce++
			}
		}
		l := limits(t)
		l.TimerDemand = unit.Cycles(rng.IntN(10_000_000))
		got := Select(list, l)
		if err := CheckBudgets(got, l.Budgets, l.TimerDemand); err != nil {
			t.Fatal(err)
		}
		shuffled := slices.Clone(list)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again := hashes(Select(shuffled, l))
		if len(again) != len(got) {
			t.Fatal("the order of offers matters")
		}
		next := map[account.Address]uint64{}
		for _, v := range list {
			if n, ok := next[senderOf(v)]; !ok || v.Tx().Nonce < n {
				next[senderOf(v)] = v.Tx().Nonce
			}
		}
		for _, v := range got {
			if !again[v.Hash()] {
				t.Fatal("the order of offers matters")
			}
			next[senderOf(v)]++
		}
		for _, v := range list {
			if again[v.Hash()] || v.Tx().Nonce != next[senderOf(v)] {
				continue
			}
			if CheckBudgets(append(slices.Clone(got), v), l.Budgets, l.TimerDemand) == nil {
				t.Fatalf("%v in lane %v was left out though it fits", v.Tx().CyclesLimit, v.Lane())
			}
		}
	}
}

// Spec: WP §6.5; WP-January §6.5.
func TestOrder(t *testing.T) {
	vrf := digest.Hash{42}
	var list []tx.Verified
	for k := range byte(6) {
		for n := range uint64(k%3) + 1 {
			list = append(list, offer{key: k + 1, nonce: n}.sign(t))
		}
	}
	got := Order(list, vrf)
	if len(got) != len(list) || len(hashes(got)) != len(list) {
		t.Fatal("Order loses or repeats a transaction")
	}
	// Second implementation: sort by key as big numbers, then hand each sender's
	// nonces out in sequence.
	type entry struct {
		key  *big.Int
		from account.Address
	}
	var entries []entry
	for _, v := range list {
		k := OrderKey(vrf, v.Hash())
		entries = append(entries, entry{new(big.Int).SetBytes(k[:]), v.Tx().From})
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.key.Cmp(b.key) })
	next := map[account.Address]uint64{}
	for i, e := range entries {
		if got[i].Tx().From != e.from || got[i].Tx().Nonce != next[e.from] {
			t.Fatalf("place %d holds nonce %d of %v", i, got[i].Tx().Nonce, got[i].Tx().From)
		}
		next[e.from]++
	}
	if err := CheckOrder(got, vrf); err != nil {
		t.Error(err)
	}
	if err := CheckOrder(got, digest.Hash{43}); !errors.Is(err, ErrOrder) {
		t.Errorf("another VRF output: %v", err)
	}
	for i := 1; i < len(got); i++ {
		bad := slices.Clone(got)
		bad[i-1], bad[i] = bad[i], bad[i-1]
		if err := CheckOrder(bad, vrf); !errors.Is(err, ErrOrder) {
			t.Errorf("swap at %d: %v", i, err)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		again := Order(list, vrf)
		for i := range got {
			if again[i].Hash() != got[i].Hash() {
				t.Fatal("the order depends on the order of selection")
			}
		}
	}
	if len(Order(nil, vrf)) != 0 {
		t.Error("order of nothing")
	}
}

// Spec: WP §6.3, §17.9.
func TestCheckBudgets(t *testing.T) {
	b := ProtocolBudgets()
	spilled := []tx.Verified{deploy(1, 22_222_222, 0).sign(t), deploy(2, 22_222_222, 0).sign(t), deploy(3, 22_222_222, 0).sign(t),
		deploy(4, 13_333_334, 0).sign(t)}
	if err := CheckBudgets(spilled, b, 0); err != nil {
		t.Errorf("80,000,000 cycles of User in an idle block: %v", err)
	}
	if err := CheckBudgets(spilled, b, 1); !errors.Is(err, ErrLane) {
		t.Errorf("one cycle of timers too many: %v", err)
	}
	if err := CheckBudgets([]tx.Verified{anchor(1, 8_888_888).sign(t), anchor(2, 41_002).sign(t)}, b, 0); !errors.Is(err, ErrLane) {
		t.Errorf("Runner above its budget: %v", err)
	}
	if err := CheckBudgets(nil, b, 1<<63); err != nil {
		t.Errorf("timers are capped at their lane: %v", err)
	}
}

func BenchmarkSelect(b *testing.B) {
	var list []tx.Verified
	for k := range byte(200) {
		for n := range uint64(10) {
			list = append(list, offer{key: k + 1, nonce: n, tip: uint64(k) * n}.sign(b))
		}
	}
	l := limits(b)
	b.Run("offers=2000", func(b *testing.B) {
		for b.Loop() {
			Select(list, l)
		}
	})
	chosen := Select(list, l)
	b.Run("order=1000", func(b *testing.B) {
		for b.Loop() {
			Order(chosen, digest.Hash{1})
		}
	})
}
