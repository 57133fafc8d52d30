package proposer

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// named is a Recoverer of test signatures: the first 20 bytes are the signer.
type named struct{}

func (named) Recover(_ digest.Hash, s sig.Signature) (account.Address, error) {
	return account.Address(s[:20]), nil
}

func person(n byte) account.Address { return account.Address{0: 0xaa, 19: n} }

func transfer(t *testing.T, from byte, nonce, fee uint64) tx.Verified {
	t.Helper()
	x := &tx.Tx{
		ChainID: 1, Nonce: nonce, Instruction: &tx.Transfer{To: account.Address{9}, Amount: 1}, CyclesLimit: 21_000,
		MaxFeePerCycle: fee, MaxFeePerCell: fee, From: person(from),
	}
	copy(x.Signature[:], x.From[:])
	v, err := tx.Verify(x, 1, named{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// parent is a development chain in which the persons have the given balances and nonce 5.
func parent(t *testing.T, balances map[byte]unit.Amount) transition.Parent {
	t.Helper()
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if err := spec.Build(o); err != nil {
		t.Fatal(err)
	}
	for n, balance := range balances {
		a := account.Account{Balance: balance, Nonce: 5}
		o.Set(person(n).Key(), a.Encode())
	}
	c, err := o.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	return transition.Parent{Header: spec.Header(c.Root()), State: c}
}

func labels(txs []tx.Verified) (list []string) {
	for _, v := range txs {
		list = append(list, fmt.Sprintf("%d/%d", v.Tx().From[19], v.Tx().Nonce))
	}
	slices.Sort(list)
	return list
}

// Of each sender the unbroken chain of nonces that the parent state can pay for is left.
//
// Spec: WP §2.2, §2.3.
func TestExecutable(t *testing.T) {
	const cost = 21_000*10_000 + 1 // one transfer at the floor
	p := parent(t, map[byte]unit.Amount{1: unit.CBY, 2: unit.CBY, 3: 2 * cost, 4: unit.CBY, 5: unit.CBY})
	offers := []tx.Verified{
		transfer(t, 1, 6, 10_000), transfer(t, 1, 5, 10_000), // in order, whatever the order of offers
		transfer(t, 2, 6, 10_000),                                                       // a gap
		transfer(t, 3, 5, 10_000), transfer(t, 3, 6, 10_000), transfer(t, 3, 7, 10_000), // the third is not covered
		transfer(t, 4, 4, 10_000), transfer(t, 4, 5, 10_000), // the first was included
		transfer(t, 5, 5, 9_999), transfer(t, 5, 6, 10_000), // below the basefee ends the chain
		transfer(t, 6, 0, 10_000), // no account
	}
	got, err := executable(offers, p.State, params.Genesis(), params.GenesisBasefees(), 9)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1/5", "1/6", "3/5", "3/6", "4/5"}; !slices.Equal(labels(got), want) {
		t.Errorf("left %v, want %v", labels(got), want)
	}
}

// Each lane is asked for its own budget, User for everything; each answers once, and the fourth completes.
//
// Spec: WP §6.3, §17.9.
func TestWorkHearsEachLaneOnce(t *testing.T) {
	w, err := begin(replica.Proposal{Header: block.Header{Height: 1, View: 1}, Parent: parent(t, map[byte]unit.Amount{1: unit.CBY})})
	if err != nil {
		t.Fatal(err)
	}
	if w.share(params.LaneSystem) != params.LaneSystem.Budget() || w.share(params.LaneUser) != params.BlockCycles {
		t.Errorf("shares %d, %d", w.share(params.LaneSystem), w.share(params.LaneUser))
	}
	offer := []tx.Verified{transfer(t, 1, 5, 10_000)}
	for i, l := range []params.Lane{params.LaneUser, params.LaneUser, params.LaneSystem, params.LaneRunner, params.LaneTimer} {
		if complete := w.answered(l, offer); complete != (i == 4) {
			t.Errorf("after answer %d: complete %v", i, complete)
		}
		offer = nil
	}
	chosen, err := w.choose(&experience{})
	if err != nil || len(chosen) != 1 {
		t.Errorf("chose %v, %v", labels(chosen), err)
	}
	w.building = true
	if w.answered(params.LaneUser, nil) {
		t.Error("an answer after the choice counts")
	}
}

func TestHopeless(t *testing.T) {
	v := transfer(t, 1, 5, 10_000)
	refused := []transition.Refusal{
		{Tx: v, Reason: tx.ErrSender}, {Tx: v, Reason: transition.ErrLane}, {Tx: v, Reason: &tx.NonceError{Have: 1}},
		{Tx: v, Reason: fmt.Errorf("wrapped: %w", tx.ErrNotPrivileged)},
	}
	if got := permanent(refused); len(got) != 2 {
		t.Errorf("%d permanent refusals", len(got))
	}
}
