package stake

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

type weights = map[account.Address]unit.Amount

// TestRegister: minimum, one record per account, one account per key, proof of possession. Spec: WP "Validator Set"; governance-staking A1.
func TestRegister(t *testing.T) {
	w := newWorld(t, minimum)
	key := votingKey(t, 5)
	public, proof := key.PublicKey().Bytes(), key.ProvePossession(chain)
	for name, x := range map[string]struct {
		from   account.Address
		key    sig.BLSPublicKey
		proof  sig.BLSSignature
		amount unit.Amount
		want   error
	}{
		"one base unit short": {addr(5), public, proof, minimum - 1, ErrMinimum},
		"a validator already": {addr(1), public, proof, minimum, ErrRegistered},
		"another's key":       {addr(5), w.keys[addr(1)].PublicKey().Bytes(), w.keys[addr(1)].ProvePossession(chain), minimum, ErrKeyTaken},
		"another's proof":     {addr(5), public, w.keys[addr(1)].ProvePossession(chain), minimum, ErrKey},
		"another chain's":     {addr(5), public, key.ProvePossession("cowboy-2"), minimum, ErrKey},
		"infinity":            {addr(5), sig.BLSPublicKey{0: 0xc0}, proof, minimum, ErrKey},
		"plain signature":     {addr(5), public, key.Sign(chain.Possession(public)), minimum, ErrKey},
	} {
		t.Run(name, func(t *testing.T) {
			if err := w.Register(x.from, x.key, x.proof, x.amount); !errors.Is(err, x.want) {
				t.Errorf("%s: %v, want %v", name, err, x.want)
			}
		})
	}
	w.join(5, minimum)
	if v := w.of(addr(5)); v.Status != Pending || v.Stake != minimum || v.Key != public {
		t.Errorf("%+v", v)
	}
}

// TestLife follows one validator from registration to withdrawal: active at the boundary after the ceremony, unpaid from its exit, out at the boundary
// after that, its stake withdrawable 604,800 blocks later and not one before.
// Spec: WP "Validator Set", §13 (epoch, unbonding_period); governance-staking A1, part E.
func TestLife(t *testing.T) {
	w := newWorld(t, minimum, 2*minimum)
	a, b, c := addr(1), addr(2), addr(3)
	w.Height = 100
	w.join(3, 3*minimum)
	w.wantSet(weights{a: minimum, b: 2 * minimum})
	w.renew()
	if w.Height != 3_600 || w.of(c).Status != Active {
		t.Fatalf("height %d, %v", w.Height, w.of(c).Status)
	}
	w.wantSet(weights{a: minimum, b: 2 * minimum, c: 3 * minimum})
	w.Height = 4_000
	w.must(w.Exit(c, nil))
	for name, err := range map[string]error{"exit": w.Exit(c, nil), "add": w.AddStake(c, 1), "unjail": w.Unjail(c)} {
		t.Run(name, func(t *testing.T) {
			if !errors.Is(err, ErrStatus) {
				t.Errorf("%s while exiting: %v", name, err)
			}
		})
	}
	w.renew()
	w.wantSet(weights{a: minimum, b: 2 * minimum})
	if v := w.of(c); v.Status != Unbonding || v.Stake != 0 || len(v.Releases) != 1 || v.Releases[0] != (Release{3 * minimum, 7_200 + 604_800}) {
		t.Fatalf("%+v", v)
	}
	w.Height = 7_200 + 604_800 - 1
	if _, err := w.Withdraw(c); !errors.Is(err, ErrNothing) {
		t.Errorf("one block early: %v", err)
	}
	w.Height++
	if amount, err := w.Withdraw(c); err != nil || amount != 3*minimum || w.balance(c) != 1_000_000*unit.CBY {
		t.Errorf("withdrew %d: %v", amount, err)
	}
	if _, err := w.Withdraw(c); !errors.Is(err, ErrNoValidator) {
		t.Errorf("again: %v", err)
	}
	w.supply()
	w.join(3, minimum) // account and key are free again
}

// TestList: who registers after the midpoint waits for the epoch after next; who exits after it serves one more epoch, unpaid and never drawn.
// Spec: WP "Validator Set"; commonware §4.3.
func TestList(t *testing.T) {
	w := newWorld(t, minimum, minimum)
	a, b := addr(1), addr(2)
	w.freezeBlock()
	c := w.join(3, minimum)
	w.must(w.Exit(b, nil))
	w.reshare()
	w.boundary()
	w.wantSet(weights{a: minimum, b: 0})
	w.renew()
	w.wantSet(weights{a: minimum, c: minimum})
	if v := w.of(b); v.Status != Unbonding || v.Releases[0].Height != 7_200+604_800 {
		t.Errorf("%+v", v)
	}
}

// TestCarried: without enough dealer logs set and key are carried forward, and everybody waits. With just enough they are not.
// Spec: commonware §4.3 (failed ceremony).
func TestCarried(t *testing.T) {
	w := newWorld(t, minimum, minimum, minimum, minimum)
	all := weights{addr(1): minimum, addr(2): minimum, addr(3): minimum, addr(4): minimum}
	before, err := SetAt(w.overlay, 0)
	w.must(err)
	w.join(5, minimum)
	w.must(w.Exit(addr(4), nil))
	w.freezeBlock()
	w.reshare(addr(1), addr(2)) // two of four deal
	w.boundary()
	all[addr(4)] = 0
	w.wantSet(all)
	after, err := SetAt(w.overlay, 1)
	w.must(err)
	if string(after.Sharing) != string(before.Sharing) || w.of(addr(5)).Status != Pending || w.of(addr(4)).Status != Exiting {
		t.Error("not carried forward")
	}
	w.freezeBlock()
	w.reshare(addr(1)) // three of four deal
	w.boundary()
	w.wantSet(weights{addr(1): minimum, addr(2): minimum, addr(3): minimum, addr(5): minimum})
	set, err := SetAt(w.overlay, 2)
	w.must(err)
	keys, _, err := set.Keys(chain)
	w.must(err)
	first, _, err := before.Keys(chain)
	w.must(err)
	if keys.Group.Bytes() != first.Group.Bytes() {
		t.Error("the group key changed")
	}
	round := sig.Round{Epoch: 2, View: 1}
	var partials []bls.Partial
	for _, m := range set.Members[:3] {
		partials = append(partials, w.shares[m.Address].Sign(chain.Seed(round)))
	}
	seed, err := bls.Recover(3, partials)
	if err != nil || keys.VerifySeed(sig.Seed{Round: round, Signature: seed}) != nil {
		t.Errorf("the new set makes no seed: %v", err)
	}
}

// TestDealerLogs: one per present member, in its own name, between midpoint and boundary, and valid. Spec: commonware §4.3 (3).
func TestDealerLogs(t *testing.T) {
	w := newWorld(t, minimum, minimum)
	c := w.join(3, minimum)
	if err := w.Deal(addr(1), nil); !errors.Is(err, ErrCeremony) {
		t.Errorf("before the midpoint: %v", err)
	}
	w.freezeBlock()
	var bad *LogError
	if err := w.Deal(addr(1), []byte{1, 2}); !errors.As(err, &bad) {
		t.Errorf("garbage: %v", err)
	}
	w.reshare(addr(2))
	logs, err := Logs(w.overlay)
	if err != nil || len(logs) != 1 {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	if err := w.Deal(addr(2), logs[0].Encode()); !errors.Is(err, ErrCeremony) {
		t.Errorf("another's log: %v", err)
	}
	if err := w.Deal(addr(1), logs[0].Encode()); !errors.Is(err, ErrCeremony) {
		t.Errorf("a second log: %v", err)
	}
	if err := w.Deal(c, logs[0].Encode()); !errors.Is(err, ErrCeremony) {
		t.Errorf("of a player: %v", err)
	}
}

// TestVouchedLog: an account that is nobody's posts a dealer's log with the dealer's signature, and with nobody else's; what is kept is the log alone.
// Spec: commonware §4.3 (3).
func TestVouchedLog(t *testing.T) {
	w := newWorld(t, minimum, minimum)
	w.freezeBlock()
	info, list, _, err := Ceremony(w.overlay, chain, w.epoch())
	w.must(err)
	var players []*beacon.Player
	for i, m := range list {
		p, err := beacon.NewPlayer(info, uint32(i), w.keys[m.Address])
		w.must(err)
		players = append(players, p)
	}
	set, err := SetAt(w.overlay, w.epoch())
	w.must(err)
	dealer, other := set.Members[0].Address, set.Members[1].Address
	log, err := beacon.DecodeLog(w.dealerLog(info, 0, dealer, players))
	w.must(err)
	stranger := addr(0x77)
	if err := w.Deal(stranger, log.Encode()); !errors.Is(err, ErrCeremony) {
		t.Errorf("without a signature: %v", err)
	}
	forged, err := info.Vouch(log, w.keys[other])
	w.must(err)
	if err := w.Deal(stranger, forged); !errors.Is(err, ErrLog) || !errors.Is(err, beacon.ErrDealer) {
		t.Errorf("with another's signature: %v", err)
	}
	cut, err := info.Vouch(log, w.keys[dealer])
	w.must(err)
	if err := w.Deal(stranger, cut[:len(cut)-1]); !errors.Is(err, ErrLog) {
		t.Errorf("cut off: %v", err)
	}
	w.must(w.Deal(stranger, cut))
	if err := w.Deal(dealer, log.Encode()); !errors.Is(err, ErrCeremony) {
		t.Errorf("the same log again, from its dealer: %v", err)
	}
	logs, err := Logs(w.overlay)
	if err != nil || len(logs) != 1 || !bytes.Equal(logs[0].Encode(), log.Encode()) {
		t.Errorf("%d logs, %v", len(logs), err)
	}
}

// TestTopUp: added stake and partial exits count from the next boundary on; a partial exit leaves the minimum and unbonds for seven days.
// Spec: governance-staking A1 (top-up, partial exit).
func TestTopUp(t *testing.T) {
	w := newWorld(t, 2*minimum)
	a := addr(1)
	amount := func(n unit.Amount) *unit.Amount { return &n }
	for name, x := range map[string]struct {
		amount unit.Amount
		want   error
	}{"nothing": {0, ErrAmount}, "more than there is": {2*minimum + 1, ErrAmount}, "too little left": {minimum + 1, ErrMinimum}} {
		t.Run(name, func(t *testing.T) {
			if err := w.Exit(a, amount(x.amount)); !errors.Is(err, x.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if err := w.AddStake(a, 0); !errors.Is(err, ErrAmount) {
		t.Errorf("adding nothing: %v", err)
	}
	if err := w.AddStake(addr(9), 1); !errors.Is(err, ErrNoValidator) {
		t.Errorf("adding to nobody: %v", err)
	}
	w.pay(a, 500)
	w.must(w.AddStake(a, 500))
	w.must(w.Exit(a, amount(200)))
	w.wantSet(weights{a: 2 * minimum})
	w.carry()
	w.wantSet(weights{a: 2*minimum + 300})
	w.Height = 3_600 + 604_800
	if got, err := w.Withdraw(a); err != nil || got != 200 {
		t.Errorf("withdrew %d, %v", got, err)
	}
	if v := w.of(a); v.Status != Active || v.Stake != 2*minimum+300 {
		t.Errorf("%+v", v)
	}
	w.supply()
	for range params.MaxUnbondings {
		w.must(w.Exit(a, amount(1)))
		w.Height = w.Params.Calendar.Last(w.epoch())
		v := w.of(a)
		v.cross(true, w.Height+1)
		_ = w.save(a, v)
		w.Height++
	}
	if err := w.Exit(a, amount(1)); !errors.Is(err, ErrUnbonding) {
		t.Errorf("a 17th withdrawal: %v", err)
	}
}

// TestRewards shares inflation by stake, to the base unit: 100,000, 200,000 and 300,000 CBY of 600,000 get a sixth, a third and a half. The
// remainder of the divisions stays owed. Who exits is paid up to there and no further.
// Spec: WP "Staking and Rewards" (reward_i = stake_i / total_stake × inflation); governance-staking A2.
func TestRewards(t *testing.T) {
	w := newWorld(t, 2*minimum, 4*minimum, 6*minimum)
	a, b, c := addr(1), addr(2), addr(3)
	start := w.balance(a) // all three have as much
	w.mint(1_001)         // 1001/6 = 166.8…, 1001/3 = 333.6…, 1001/2 = 500.5
	w.carry()
	for who, want := range (weights{a: 166, b: 333, c: 500}) {
		if got := w.balance(who) - start; got != want {
			t.Errorf("%v was paid %d, want %d", who, got, want)
		}
	}
	if owed, err := Owed(w.overlay); err != nil || owed != 2 {
		t.Errorf("owed %d, %v", owed, err)
	}
	w.mint(598) // 600 are owed: 100, 200, 300
	w.must(w.Exit(c, nil))
	w.mint(90) // a third and two thirds to those who remain
	w.carry()
	for who, want := range (weights{a: 166 + 100 + 30, b: 333 + 200 + 60, c: 500 + 300}) {
		if got := w.balance(who) - start; got != want {
			t.Errorf("%v was paid %d in all, want %d", who, got, want)
		}
	}
	w.wantSet(weights{a: 2 * minimum, b: 4 * minimum, c: 0})
}

// TestNobodyLeft: when everybody exits or is jailed, set and chain go on and nobody is paid. Spec: WP "Validator Set".
func TestNobodyLeft(t *testing.T) {
	w := newWorld(t, minimum, minimum)
	w.must(w.Exit(addr(1), nil))
	w.must(w.Exit(addr(2), nil))
	w.mint(1_000)
	w.carry()
	w.wantSet(weights{addr(1): 1, addr(2): 1})
	if owed, _ := Owed(w.overlay); owed != 1_000 {
		t.Errorf("owed %d", owed)
	}
	c := w.join(3, minimum)
	w.renew()
	w.wantSet(weights{c: minimum})
	w.carry()
	if got := w.balance(c); got != 1_000_000*unit.CBY-minimum+1_000 {
		t.Errorf("the newcomer has %d", got)
	}
}

// TestMinimumRaised: an active validator below the minimum waits until it adds stake. Spec: WP "Validator Set" (governance-tunable).
func TestMinimumRaised(t *testing.T) {
	w := newWorld(t, minimum, 2*minimum)
	w.Params.Stake.MinimumValidatorStake = minimum + 10
	w.renew()
	w.wantSet(weights{addr(2): 2 * minimum})
	if w.of(addr(1)).Status != Pending {
		t.Error(w.of(addr(1)).Status)
	}
	w.pay(addr(1), 10)
	w.must(w.AddStake(addr(1), 10))
	w.renew()
	w.wantSet(weights{addr(1): minimum + 10, addr(2): 2 * minimum})
}

// TestSetAt knows the present epoch, the next one from the boundary on, and past ones as long as evidence may be about them.
// Spec: governance-staking A3 (evidence for the unbonding period).
func TestSetAt(t *testing.T) {
	w := newWorld(t, minimum)
	set, err := SetAt(w.overlay, 0)
	w.must(err)
	if set.Anchor.IsZero() || len(set.Seed) != 32 { // the genesis hash
		t.Errorf("%+v", set)
	}
	if _, err := SetAt(w.overlay, 1); !errors.Is(err, ErrNoEpoch) {
		t.Errorf("the next epoch's set before the boundary: %v", err)
	}
	w.Height = w.Params.Calendar.Last(0)
	w.end()
	if set, err = SetAt(w.overlay, 1); err != nil || !set.Anchor.IsZero() || len(set.Seed) != 0 || set.Stakes()[0] != minimum {
		t.Errorf("%+v, %v", set, err)
	}
	w.Height++
	w.end()
	if set, err = SetAt(w.overlay, 1); err != nil || set.Anchor.IsZero() || len(set.Seed) != sig.BLSSignatureSize {
		t.Errorf("%+v, %v", set, err)
	}
	w.overlay.Set(offenceKey(sig.Round{Epoch: 1, View: 3}, addr(1)), []byte{1})
	for w.epoch() < 171 {
		w.boundary()
	}
	for epoch, want := range map[uint64]error{0: ErrNoEpoch, 1: ErrNoEpoch, 2: nil, 171: nil, 172: ErrNoEpoch} {
		t.Run(fmt.Sprint(epoch), func(t *testing.T) {
			if _, err := SetAt(w.overlay, epoch); !errors.Is(err, want) {
				t.Errorf("epoch %d: %v", epoch, err)
			}
		})
	}
	if _, ok, _ := w.overlay.Lookup(offenceKey(sig.Round{Epoch: 1, View: 3}, addr(1))); ok {
		t.Error("an offence nobody can prove again is still noted")
	}
}

// BenchmarkBoundary is what the chain computes for a resharing among n validators: taking one dealer log, and the epoch's last block with all of
// them.
func BenchmarkBoundary(b *testing.B) {
	for _, n := range []int{4, 16, 64} {
		stakes := make([]unit.Amount, n)
		for i := range stakes {
			stakes[i] = minimum
		}
		w := newWorld(b, stakes...)
		w.freezeBlock()
		w.reshare(addr(1))
		rank := w.rank(0, addr(1))
		info, list, _, err := Ceremony(w.overlay, chain, 0)
		w.must(err)
		var players []*beacon.Player
		for i, m := range list {
			p, err := beacon.NewPlayer(info, uint32(i), w.keys[m.Address])
			w.must(err)
			players = append(players, p)
		}
		w.shares = w.former
		log := w.dealerLog(info, rank, addr(1), players)
		b.Run(fmt.Sprintf("op=log/n=%d", n), func(b *testing.B) {
			b.ReportMetric(float64(len(log)), "bytes")
			for b.Loop() {
				mark := w.overlay.Mark()
				w.must(w.Deal(addr(1), log))
				w.overlay.Revert(mark)
			}
		})
		w.Height = w.Params.Calendar.Last(0)
		b.Run(fmt.Sprintf("op=close/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				mark := w.overlay.Mark()
				_, err := w.close()
				w.must(err)
				w.overlay.Revert(mark)
			}
		})
	}
}

// TestExitEvents: whoever leaves is told of, with how much, and zero for everything.
// Spec: governance-staking A1.
func TestExitEvents(t *testing.T) {
	w := newWorld(t, 3*minimum, minimum)
	some := minimum
	for i, x := range []struct {
		amount *unit.Amount
		want   []byte
	}{{&some, codec.AppendUint(nil, uint64(minimum))}, {nil, []byte{0}}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w.Events = nil
			w.must(w.Exit(addr(1), x.amount))
			who := addr(1)
			if len(w.Events) != 1 || string(w.Events[0].Topic) != "validator.exit_requested" || !bytes.Equal(w.Events[0].Data, append(who[:], x.want...)) {
				t.Errorf("%v: %+v", x.amount, w.Events)
			}
		})
	}
}
