package proposer

import (
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// reserved is what a transfer reserves of a payer at the floor of 10,000: 21,000 cycles and 3,000 for naming a payer, and 37 cells of metadata.
const reserved = (24_000 + 37) * 10_000

// drawn is a transfer whose fees another person pays.
func drawn(t *testing.T, from byte, nonce, fee uint64, payer byte) tx.Verified {
	t.Helper()
	x := &tx.Tx{
		ChainID: 1, Nonce: nonce, Instruction: &tx.Transfer{To: account.Address{9}}, CyclesLimit: 24_000, CellsLimit: 37,
		MaxFeePerCycle: fee, MaxFeePerCell: fee, From: person(from), Metadata: tx.PayerMetadata(person(payer)),
	}
	copy(x.Signature[:], x.From[:])
	v, err := tx.Verify(x, 1, named{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// allowed is a parent state in which person 9 pays for those named, each within terms.
func allowed(t *testing.T, balances map[byte]unit.Amount, terms grant.Terms, to ...byte) transition.Parent {
	t.Helper()
	p := parent(t, balances)
	o := p.State.Overlay()
	g := &grant.Registry{State: o, Governs: func(account.Address) bool { return false }}
	for _, n := range to {
		if _, err := g.Grant(person(9), person(n), grant.ActorScope(person(9)), tx.PayerAction(), terms); err != nil {
			t.Fatal(err)
		}
	}
	c, err := o.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	header := *p.Header
	header.StateRoot = c.Root()
	return transition.Parent{Header: &header, State: c}
}

// A payer that several name covers them all together: two draw on what is enough for one, for two less a base unit, and for two.
//
// Spec: WP §2.3; entitlement-extras §5 (UseOwnerBalance).
func TestTwoDrawOnOnePayer(t *testing.T) {
	for name, x := range map[string]struct {
		funds unit.Amount
		want  []string
	}{
		"none":            {reserved - 1, nil},
		"one":             {reserved, []string{"1/5", "3/5"}},
		"two less a unit": {2*reserved - 1, []string{"1/5", "3/5"}},
		"two":             {2 * reserved, []string{"1/5", "2/5", "3/5"}},
		"all three":       {3 * reserved, []string{"1/5", "2/5", "2/6", "3/5"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := x.want
			if want == nil {
				want = []string{"3/5"} // who pays for itself goes on
			}
			p := allowed(t, map[byte]unit.Amount{1: 0, 2: 0, 3: unit.CBY, 9: x.funds}, grant.Terms{}, 1, 2)
			offers := []tx.Verified{drawn(t, 1, 5, 10_000, 9), drawn(t, 2, 5, 10_000, 9), drawn(t, 2, 6, 10_000, 9), transfer(t, 3, 5, 10_000)}
			got, err := executable(offers, p.State, params.Genesis(), params.GenesisBasefees(), 9)
			if err != nil || !slices.Equal(labels(got), want) {
				t.Errorf("left %v, want %v; %v", labels(got), want, err)
			}
		})
	}
}

// What waits and is paid by nobody any more - a dry payer, a grant taken back, a sender without coins - is not offered and keeps nothing else out of a block,
// however well it would pay.
//
// Spec: WP §2.3, §6.4.
func TestDeadStopNoBlock(t *testing.T) {
	p := allowed(t, map[byte]unit.Amount{1: 0, 2: 0, 3: unit.CBY, 4: 1, 9: reserved}, grant.Terms{}, 1)
	w, err := begin(replica.Proposal{Header: block.Header{Height: 1, View: 1}, Parent: p})
	if err != nil {
		t.Fatal(err)
	}
	var waiting []tx.Verified
	for i := range uint64(32) {
		waiting = append(waiting, drawn(t, 1, 5+i, 90_000, 9), drawn(t, 2, 5+i, 90_000, 9), transfer(t, 4, 5+i, 90_000))
	}
	waiting = append(waiting, drawn(t, 1, 5, 10_000, 9), transfer(t, 3, 5, 10_000))
	take := w.payable(nil)
	var offers []tx.Verified
	for _, v := range waiting {
		wanted, err := take(v)
		if err != nil {
			t.Fatal(err)
		}
		if wanted {
			offers = append(offers, v)
		}
	}
	if want := []string{"1/5", "3/5"}; !slices.Equal(labels(offers), want) {
		t.Fatalf("offered %v, want %v", labels(offers), want)
	}
	for l := range params.LaneCount {
		if l == params.LaneUser {
			w.answered(l, offers)
		} else {
			w.answered(l, nil)
		}
	}
	chosen, err := w.choose(&experience{})
	if err != nil || len(chosen) != 2 {
		t.Errorf("chose %v, %v", labels(chosen), err)
	}
	only := w.payable(func(v tx.Verified) bool { return v.Tx().From == person(1) })
	if wanted, err := only(transfer(t, 3, 5, 10_000)); wanted || err != nil {
		t.Errorf("what is not wanted is offered, %v", err)
	}
}

// A grant that covers each of two transactions and not both lets both be chosen; the block holds the first, the second is refused with E_TX_PAYER and is not
// dropped, and a sender who pays for itself is in the same block.
//
// Spec: WP §2.2 (b), §2.3; entitlement-extras §5 (--max-total-amount).
func TestGrantRunsOutWithinABlock(t *testing.T) {
	total := uint64(reserved + 1)
	p := allowed(t, map[byte]unit.Amount{1: 0, 3: unit.CBY, 9: unit.CBY}, grant.Terms{MaxTotalAmount: &total}, 1)
	offers := []tx.Verified{drawn(t, 1, 5, 10_000, 9), drawn(t, 1, 6, 10_000, 9), transfer(t, 3, 5, 10_000)}
	got, err := executable(offers, p.State, params.Genesis(), params.GenesisBasefees(), 1)
	if err != nil || len(got) != len(offers) {
		t.Fatalf("left %v, %v", labels(got), err)
	}
	h := p.Header
	header := block.Header{
		Version: params.ProtocolVersion, ChainID: 1, Height: 1, View: 1, ParentHash: h.Hash(), TimestampMs: h.TimestampMs + 1_000,
		VRFProof: sig.BLSSignature{1},
	}
	header.VRFOutput = block.VRFOutput(header.VRFProof)
	r, err := transition.Apply(p, transition.Job{Mode: transition.Build, Header: header, Txs: got}, host.New(host.NewPrograms()))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"1/5", "3/5"}; !slices.Equal(labels(r.Txs), want) || len(r.Refused) != 1 || !errors.Is(r.Refused[0].Reason, tx.ErrPayer) {
		t.Errorf("the block has %v, refused %v", labels(r.Txs), r.Refused)
	}
	if len(permanent(r.Refused)) != 0 {
		t.Error("a transaction whose payer may pay later is dropped for good")
	}
}
