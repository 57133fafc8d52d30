package stake

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// statement is a validator's signed word about block label of a round.
func (w *world) statement(of account.Address, kind sig.CertificateKind, round sig.Round, label string) simplex.Statement {
	s := simplex.Statement{Kind: kind, Subject: sig.Subject{Round: round}}
	if kind != sig.Nullification {
		s.Subject.Height, s.Subject.BlockHash = 7, digest.SHA256([]byte(label))
	}
	s.Signature = w.keys[of].Sign(s.Preimage(chain))
	return s
}

// rank is a validator's in the set of an epoch.
func (w *world) rank(epoch uint64, of account.Address) uint32 {
	w.t.Helper()
	set, err := SetAt(w.overlay, epoch)
	w.must(err)
	rank, ok := set.Rank(of)
	if !ok {
		w.t.Fatalf("%v is no member", of)
	}
	return rank
}

// twice is the proof that a validator notarized two blocks in a view of epoch 0.
func (w *world) twice(of account.Address, view uint64) *simplex.Evidence {
	round := sig.Round{View: view}
	return &simplex.Evidence{
		Offence: simplex.DoubleNotarize, Signer: w.rank(0, of),
		First: w.statement(of, sig.Notarization, round, "one"), Second: w.statement(of, sig.Notarization, round, "other"),
	}
}

// malformed is the proof that a validator voted for a block whose header says another height.
func (w *world) malformed(of account.Address, view uint64) *simplex.Evidence {
	h := &block.Header{Version: 1, ChainID: 1, Height: 9, View: view, ProposerIndex: w.rank(0, of)}
	e := &simplex.Evidence{Offence: simplex.MalformedBlock, Signer: w.rank(0, of), Header: h.Encode()}
	e.First = simplex.Statement{Kind: sig.Notarization, Subject: sig.Subject{BlockHash: h.Hash(), Height: 8, Round: h.Round()}}
	e.First.Signature = w.keys[of].Sign(e.First.Preimage(chain))
	return e
}

// TestSettled: evidence is settled once its validator was punished for the round as much as it can be. After a lesser offence a greater one about the same
// round is not, and adds its slash; after the greater one the lesser is.
// Spec: governance-staking A3 (one penalty per validator and round).
func TestSettled(t *testing.T) {
	w := newWorld(t, minimum, minimum, minimum, minimum)
	w.Height = 500
	a, b := addr(1), addr(2)
	for i, x := range []struct {
		of             account.Address
		first, second  *simplex.Evidence
		between, after bool // of the second
	}{
		{a, w.malformed(a, 9), w.twice(a, 9), false, true},
		{b, w.twice(b, 9), w.malformed(b, 9), true, true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			settled := func(e *simplex.Evidence) bool {
				t.Helper()
				is, err := Settled(w.overlay, e, w.Height)
				w.must(err)
				return is
			}
			if settled(x.first) || settled(x.second) {
				t.Errorf("%v: settled before", x.of)
			}
			_, err := w.Misbehave(addr(9), x.first.Encode())
			w.must(err)
			if !settled(x.first) || settled(x.second) != x.between {
				t.Errorf("%v: between, the first %v, the second %v", x.of, settled(x.first), settled(x.second))
			}
			if _, err := w.Misbehave(addr(9), x.second.Encode()); (err == nil) == x.between {
				t.Errorf("%v: the second: %v", x.of, err)
			}
			if !settled(x.first) || settled(x.second) != x.after || len(w.of(x.of).Penalties) != 1 {
				t.Errorf("%v: after, the first %v, the second %v, %d penalties", x.of, settled(x.first), settled(x.second), len(w.of(x.of).Penalties))
			}
		})
	}
	old := w.twice(addr(3), 9) // of epoch 0, which ends with block 3,599
	for height, want := range map[unit.Height]bool{3_599 + params.UnbondingBlocks: false, 3_600 + params.UnbondingBlocks: true} {
		t.Run(fmt.Sprint(height), func(t *testing.T) {
			if is, err := Settled(w.overlay, old, height); err != nil || is != want {
				t.Errorf("at %d: settled %v, %v", height, is, err)
			}
		})
	}
}

// TestAccusationsAgainstModel brings random evidence against four validators, of greater and lesser offences in few rounds, often the same again. A map from
// round and validator to what was punished says what is refused, who is jailed and how many slashes are due; nobody who was not accused is touched.
// Spec: WP "Slashing"; governance-staking A3 (one penalty per validator and round).
func TestAccusationsAgainstModel(t *testing.T) {
	refused := 0
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 11))
		w := newWorld(t, minimum, minimum, minimum, minimum, minimum)
		w.Height = 500
		type offence struct {
			of   account.Address
			view uint64
		}
		slashed := map[offence]bool{} // present: jailed for it
		due, accused := map[account.Address]int{}, map[account.Address]bool{}
		for range 40 {
			x := offence{addr(byte(1 + r.IntN(4))), 1 + r.Uint64N(6)} // the fifth is honest
			evidence, slash := w.malformed, false
			if r.IntN(2) == 0 {
				evidence, slash = w.twice, true
			}
			e := evidence(x.of, x.view)
			was, known := slashed[x]
			want := !known || slash && !was
			settled, err := Settled(w.overlay, e, w.Height)
			w.must(err)
			guilty, err := w.Misbehave(addr(9), e.Encode())
			if (err == nil) != want || settled == want || want && guilty != x.of {
				t.Fatalf("seed %d: %v in view %d, slash %v after %v: %v, settled %v", seed, x.of, x.view, slash, slashed, err, settled)
			}
			if !want {
				refused++
				continue
			}
			slashed[x] = was || slash
			accused[x.of] = true
			if slash {
				due[x.of]++
			}
		}
		for n := byte(1); n < 6; n++ {
			v := w.of(addr(n))
			if (v.Status == Jailed) != accused[addr(n)] || len(v.Penalties) != due[addr(n)] || v.Stake != minimum {
				t.Errorf("seed %d: validator %d is %v with %d penalties and %d; accused %v, %d due", seed, n, v.Status, len(v.Penalties), v.Stake,
					accused[addr(n)], due[addr(n)])
			}
		}
	}
	if refused < 40 {
		t.Errorf("only %d refused", refused)
	}
}

// TestDoubleSign: jailed at once for a day, 1 % of the stake burned at the boundary and not before, exactly; proven again it costs nothing more.
// 1 % of 100,000 CBY is 1,000 CBY.
// Spec: WP "Slashing", §8.4, §13 (double_sign_slash, jail_period); governance-staking A3.
func TestDoubleSign(t *testing.T) {
	w := newWorld(t, 100_000*unit.CBY, 300_000*unit.CBY)
	a, b := addr(1), addr(2)
	w.Height = 500
	w.mint(4_000)
	e := w.twice(a, 9)
	guilty, err := w.Misbehave(addr(9), e.Encode())
	if err != nil || guilty != a {
		t.Fatalf("%v, %v", guilty, err)
	}
	if v := w.of(a); v.Status != Jailed || v.JailedUntil != 500+86_400 || v.Stake != 100_000*unit.CBY {
		t.Errorf("%+v", v)
	}
	if err := w.CheckProposer(w.rank(0, a)); !errors.Is(err, ErrProposerJailed) {
		t.Errorf("a jailed validator may propose: %v", err)
	}
	if err := w.CheckProposer(w.rank(0, b)); err != nil {
		t.Errorf("an honest one may not: %v", err)
	}
	if err := w.CheckProposer(2); !errors.Is(err, ErrProposer) {
		t.Errorf("nobody's rank: %v", err)
	}
	for name, e := range map[string]*simplex.Evidence{
		"the same":          e,
		"with another pair": {Offence: simplex.DoubleNotarize, Signer: e.Signer, First: e.Second, Second: e.First},
		"a commit and nullify": {Offence: simplex.NullifyFinalize, Signer: e.Signer, First: w.statement(a, sig.Nullification, sig.Round{View: 9}, ""),
			Second: w.statement(a, sig.Finalization, sig.Round{View: 9}, "one")},
		"a lesser one as well": w.malformed(a, 9),
		"two commits, one view": {Offence: simplex.DoubleFinalize, Signer: e.Signer, First: w.statement(a, sig.Finalization, sig.Round{View: 9}, "x"),
			Second: w.statement(a, sig.Finalization, sig.Round{View: 9}, "y")},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.Misbehave(addr(9), e.Encode()); !errors.Is(err, ErrPunished) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	w.mint(3_000)
	before := w.supply()
	w.renew()
	if after := w.supply(); after.Burned-before.Burned != 1_000*unit.CBY || w.burned != 1_000*unit.CBY {
		t.Errorf("%d burned", after.Burned-before.Burned)
	}
	if v := w.of(a); v.Stake != 99_000*unit.CBY || len(v.Penalties) != 0 {
		t.Errorf("%+v", v)
	}
	if got := w.balance(home()); got != 399_000*unit.CBY {
		t.Errorf("the registry holds %s CBY", got.CBY())
	}
	// Both were paid for the first 4,000, a quarter and three; b alone for the rest.
	if pa, pb := w.balance(a)-1_000_000*unit.CBY, w.balance(b)-1_000_000*unit.CBY; pa != 1_000 || pb != 6_000 {
		t.Errorf("paid %d and %d", pa, pb)
	}
	w.wantSet(weights{b: 300_000 * unit.CBY}) // out of the next set
	if _, err := w.Misbehave(addr(9), e.Encode()); !errors.Is(err, ErrPunished) {
		t.Errorf("an epoch later: %v", err)
	}
	if w.balance(addr(9)) != 1_000_000*unit.CBY {
		t.Error("the submitter was rewarded")
	}
}

// TestLesserFirst: an invalid proposal jails without a slash; a double vote in the same round adds the slash, and no second jailing.
// Spec: WP "Slashing"; governance-staking A3 (one penalty per validator and round).
func TestLesserFirst(t *testing.T) {
	w := newWorld(t, minimum, minimum)
	a := addr(1)
	if _, err := w.Misbehave(addr(9), w.malformed(a, 4).Encode()); err != nil {
		t.Fatal(err)
	}
	if v := w.of(a); v.Status != Jailed || len(v.Penalties) != 0 || v.Jailings != 1 {
		t.Errorf("%+v", v)
	}
	if _, err := w.Misbehave(addr(9), w.twice(a, 4).Encode()); err != nil {
		t.Fatal(err)
	}
	if v := w.of(a); v.Jailings != 1 || len(v.Penalties) != 1 {
		t.Errorf("%+v", v)
	}
	w.carry()
	if w.burned != minimum/100 {
		t.Errorf("%d burned", w.burned)
	}
	w.wantSet(weights{a: 0, addr(2): minimum}) // no ceremony: it stays, never drawn
}

// TestJailTimes: the n-th jailing lasts 2^(n−1) days; unjailing takes a transaction, not one block too early, and a boundary.
// Spec: WP §13 (jail_period 24 h); governance-staking A1.
func TestJailTimes(t *testing.T) {
	w := newWorld(t, 100_000*unit.CBY, minimum)
	a := addr(1)
	if err := w.Unjail(a); !errors.Is(err, ErrStatus) {
		t.Errorf("unjailed while active: %v", err)
	}
	for i, days := range []unit.Height{1, 2, 4, 8} {
		w.Height = 1_000
		if _, err := w.Misbehave(addr(9), w.twice(a, uint64(10+i)).Encode()); err != nil {
			t.Fatal(err)
		}
		until := w.of(a).JailedUntil
		if until != 1_000+days*86_400 {
			t.Errorf("jailing %d lasts until %d", i+1, until)
		}
		w.Height = until - 1
		if err := w.Unjail(a); !errors.Is(err, ErrJailed) {
			t.Errorf("one block early: %v", err)
		}
		w.Height = until
		w.must(w.Unjail(a))
		if w.of(a).Status != Pending {
			t.Error(w.of(a).Status)
		}
	}
	w.Height = 1_000
	for i := range uint64(20) {
		w.must(w.punish(a, sig.Round{View: 100 + i}, 0, addr(9)))
	}
	if until := w.of(a).JailedUntil; until != 1_000+86_400<<12 {
		t.Errorf("the longest jailing lasts until %d", until)
	}
	w.renew()
	w.wantSet(weights{addr(2): minimum})
}

// TestSlashUnbonding: what is unbonding is slashed too, and a pending slash holds up the withdrawal. 1 % of 60,000 and of the 40,000 on their way is
// 600 and 400; two offences in two rounds take 1 % twice.
// Spec: governance-staking A1 (still slashable), part E (slash during unbonding reduces the withdrawal).
func TestSlashUnbonding(t *testing.T) {
	w := newWorld(t, 100_000*unit.CBY, minimum)
	a, part := addr(1), 40_000*unit.CBY
	w.must(w.Exit(a, &part))
	w.carry()
	if _, err := w.Misbehave(addr(9), w.twice(a, 7).Encode()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Withdraw(a); !errors.Is(err, ErrPenalty) {
		t.Errorf("withdrawing before the slash: %v", err)
	}
	w.carry()
	if v := w.of(a); v.Stake != 59_400*unit.CBY || v.Releases[0].Amount != 39_600*unit.CBY || w.burned != 1_000*unit.CBY {
		t.Errorf("%+v, %d burned", v, w.burned)
	}
	// Two more offences in one epoch: 59,400 → 58,806 → 58,217.94.
	for _, view := range []uint64{8, 9} {
		if _, err := w.Misbehave(addr(9), w.twice(a, view).Encode()); err != nil {
			t.Fatal(err)
		}
	}
	w.carry()
	if v := w.of(a); v.Stake != 58_217_940_000_000 || v.Releases[0].Amount != 38_811_960_000_000 {
		t.Errorf("%+v", v)
	}
	w.must(w.Exit(a, nil))
	w.renew()
	w.Height = w.of(a).Releases[1].Height
	amount, err := w.Withdraw(a)
	if err != nil || amount != 58_217_940_000_000+38_811_960_000_000 {
		t.Errorf("withdrew %d, %v", amount, err)
	}
	w.supply()
}

// TestSlashDistribution: what governance gives to submitter and treasury is not burned. Spec: WP §8.4, §13.1; governance-staking A3.
func TestSlashDistribution(t *testing.T) {
	w := newWorld(t, 100_000*unit.CBY)
	w.Params.SlashDistribution = params.SlashSplit{BurnBPS: 5_000, SubmitterBPS: 3_000, TreasuryBPS: 2_000}
	if _, err := w.Misbehave(addr(9), w.twice(addr(1), 7).Encode()); err != nil {
		t.Fatal(err)
	}
	w.carry()
	treasury := w.balance(account.System(account.Treasury))
	if w.burned != 500*unit.CBY || treasury != 200*unit.CBY || w.balance(addr(9)) != 1_000_300*unit.CBY {
		t.Errorf("%d burned, treasury %d, submitter %d", w.burned, treasury, w.balance(addr(9)))
	}
}

// TestEvidence refuses what proves nothing, and slanders nobody. Spec: WP "Slashing"; governance-staking A3.
func TestEvidence(t *testing.T) {
	w := newWorld(t, minimum, minimum)
	a, b := addr(1), addr(2)
	good := w.twice(a, 9)
	for name, edit := range map[string]func(e *simplex.Evidence){
		"one block":         func(e *simplex.Evidence) { e.Second = e.First },
		"two views":         func(e *simplex.Evidence) { e.Second = w.statement(a, sig.Notarization, sig.Round{View: 10}, "other") },
		"another signer":    func(e *simplex.Evidence) { e.Signer = w.rank(0, b) },
		"no such signer":    func(e *simplex.Evidence) { e.Signer = 2 },
		"forged":            func(e *simplex.Evidence) { e.Second.Signature[9]++ },
		"half another's":    func(e *simplex.Evidence) { e.Second = w.statement(b, sig.Notarization, sig.Round{View: 9}, "other") },
		"a later epoch":     func(e *simplex.Evidence) { e.First.Subject.Round.Epoch, e.Second.Subject.Round.Epoch = 1, 1 },
		"the last epoch":    func(e *simplex.Evidence) { e.First.Subject.Round.Epoch = 1<<64 - 1 },
		"nullify, notarize": func(e *simplex.Evidence) { e.First = w.statement(a, sig.Nullification, sig.Round{View: 9}, "") },
	} {
		t.Run(name, func(t *testing.T) {
			e := *good
			edit(&e)
			if _, err := w.Misbehave(addr(9), e.Encode()); !errors.Is(err, ErrEvidence) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for name, data := range map[string][]byte{
		"nothing": nil, "cut": good.Encode()[:50], "trailing": append(good.Encode(), 0), "huge": make([]byte, params.MaxEvidenceBytes+1),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.Misbehave(addr(9), data); !errors.Is(err, ErrEvidence) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	w.Height = w.Params.Calendar.Last(0) + 604_800 + 1
	if _, err := w.Misbehave(addr(9), good.Encode()); !errors.Is(err, ErrEvidence) {
		t.Errorf("after the unbonding period: %v", err)
	}
	w.Height--
	w.overlay.Set(epochKey(w.epoch()), (&EpochRecord{}).encode())
	if _, err := w.Misbehave(addr(9), good.Encode()); err != nil {
		t.Errorf("within it: %v", err)
	}
}

// TestExitingOffender: one that is leaving does not become Jailed, but proposes no more, and leaves with its slash. Spec: governance-staking A1, A3.
func TestExitingOffender(t *testing.T) {
	w := newWorld(t, 100_000*unit.CBY, minimum)
	a := addr(1)
	w.must(w.Exit(a, nil))
	if _, err := w.Misbehave(addr(9), w.twice(a, 3).Encode()); err != nil {
		t.Fatal(err)
	}
	if err := w.CheckProposer(w.rank(0, a)); !errors.Is(err, ErrProposerJailed) {
		t.Errorf("may propose: %v", err)
	}
	w.renew()
	if v := w.of(a); v.Status != Unbonding || v.Releases[0].Amount != 99_000*unit.CBY {
		t.Errorf("%+v", v)
	}
}

func FuzzDecodeValidator(f *testing.F) {
	v := &Validator{Status: Jailed, Stake: 5, Joining: 1, Leaving: 2, JailedUntil: 7, Jailings: 1, Penalties: []Penalty{{100, addr(1)}},
		Releases: []Release{{3, 9}}}
	f.Add(v.Encode())
	f.Add(appendMembers(nil, []Member{{Address: addr(1), Weight: 3}}))
	f.Add((&EpochRecord{Set: 3, Seed: []byte{1}}).encode())
	f.Add((&attendance{missed: []uint16{1}}).encode())
	f.Add((&Ballot{View: 4, Voters: sig.NewSigners(3)}).encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := DecodeValidator(data); err == nil && !slices.Equal(v.Encode(), data) {
			t.Errorf("validator %x", data)
		}
		if m, err := DecodeMembers(data); err == nil && !slices.Equal(appendMembers(nil, m), data) {
			t.Errorf("members %x", data)
		}
		if b, err := decodeBallot(data); err == nil && !slices.Equal(b.encode(), data) {
			t.Errorf("ballot %x", data)
		}
		if e, err := DecodeEpoch(data); err == nil && !slices.Equal(e.encode(), data) {
			t.Errorf("epoch %x", data)
		}
		if a, err := decodeAttendance(data); err == nil && !slices.Equal(a.encode(), data) {
			t.Errorf("attendance %x", data)
		}
	})
}
