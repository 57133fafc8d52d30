package stake

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// found is the word of some validators that another's proposal in a view of epoch 0 is invalid.
func (w *world) found(of account.Address, view uint64, flaw simplex.Flaw, by ...account.Address) *simplex.Evidence {
	w.t.Helper()
	set, err := SetAt(w.overlay, 0)
	w.must(err)
	e := &simplex.Evidence{Offence: simplex.InvalidProposal, Signer: w.rank(0, of), First: w.statement(of, sig.Notarization, sig.Round{View: view}, "one")}
	e.Found = &simplex.Finding{Flaw: flaw, Signers: sig.NewSigners(len(set.Members))}
	preimage := chain.Accuse(e.First.Subject, e.Signer, uint8(flaw))
	var list []sig.BLSSignature
	for _, a := range by {
		e.Found.Signers.Add(int(w.rank(0, a)))
		list = append(list, w.keys[a].Sign(preimage))
	}
	if len(list) > 0 {
		e.Found.Aggregate, err = bls.Aggregate(list)
		w.must(err)
	}
	return e
}

// TestInvalidProposal: of seven validators two may be faulty; what three others found jails the proposer, at once, without a slash, and once for the round.
// Spec: WP "Slashing" (invalid proposal: jail), "Consensus and Networking" (f < n/3); governance-staking A3.
func TestInvalidProposal(t *testing.T) {
	w := newWorld(t, minimum, minimum, minimum, minimum, minimum, minimum, minimum)
	guilty, other := addr(1), addr(2)
	w.Height = 500
	for name, e := range map[string]*simplex.Evidence{
		"two":            w.found(guilty, 9, simplex.FlawedBlock, addr(2), addr(3)),
		"four":           w.found(guilty, 9, simplex.FlawedBlock, addr(2), addr(3), addr(4), addr(5)),
		"itself and two": w.found(guilty, 9, simplex.FlawedBlock, addr(1), addr(2), addr(3)),
		"nobody":         w.found(guilty, 9, simplex.FlawedBlock),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.Misbehave(addr(9), e.Encode()); !errors.Is(err, ErrEvidence) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	good := w.found(guilty, 9, simplex.FlawedBlock, addr(2), addr(3), addr(4))
	for name, edit := range map[string]func(e *simplex.Evidence){
		"of another validator's block": func(e *simplex.Evidence) { e.Signer = w.rank(0, other) },
		"of a voter, not the proposer": func(e *simplex.Evidence) {
			e.Signer, e.First = w.rank(0, addr(5)), w.statement(addr(5), sig.Notarization, sig.Round{View: 9}, "one")
		},
		"of another block": func(e *simplex.Evidence) {
			e.First = w.statement(guilty, sig.Notarization, sig.Round{View: 9}, "other")
		},
		"of another view":   func(e *simplex.Evidence) { e.First = w.statement(guilty, sig.Notarization, sig.Round{View: 8}, "one") },
		"of something else": func(e *simplex.Evidence) { e.Found.Flaw = simplex.FlawedBody },
		"by somebody else": func(e *simplex.Evidence) {
			*e.Found = *w.found(guilty, 9, simplex.FlawedBlock, addr(2), addr(3), addr(5)).Found
			e.Found.Aggregate = good.Found.Aggregate
		},
		"forged": func(e *simplex.Evidence) { e.Found.Aggregate[40] ^= 1 },
		"in another chain's name": func(e *simplex.Evidence) {
			preimage := sig.Namespace("cowboy-other").Accuse(e.First.Subject, e.Signer, uint8(simplex.FlawedBlock))
			sum, err := bls.Aggregate([]sig.BLSSignature{w.keys[addr(2)].Sign(preimage), w.keys[addr(3)].Sign(preimage), w.keys[addr(4)].Sign(preimage)})
			w.must(err)
			e.Found.Aggregate = sum
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := w.found(guilty, 9, simplex.FlawedBlock, addr(2), addr(3), addr(4))
			edit(e)
			if _, err := w.Misbehave(addr(9), e.Encode()); !errors.Is(err, ErrEvidence) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if settled, err := Settled(w.overlay, good, w.Height); err != nil || settled {
		t.Errorf("settled %v before, %v", settled, err)
	}
	if got, err := w.Misbehave(addr(9), good.Encode()); err != nil || got != guilty {
		t.Fatalf("%v, %v", got, err)
	}
	if v := w.of(guilty); v.Status != Jailed || v.JailedUntil != 500+86_400 || v.Stake != minimum || len(v.Penalties) != 0 || v.Jailings != 1 {
		t.Errorf("%+v", v)
	}
	if settled, err := Settled(w.overlay, good, w.Height); err != nil || !settled {
		t.Errorf("settled %v after, %v", settled, err)
	}
	for name, e := range map[string]*simplex.Evidence{
		"again":                 good,
		"found by others":       w.found(guilty, 9, simplex.FlawedBlock, addr(5), addr(6), addr(7)),
		"found otherwise":       w.found(guilty, 9, simplex.FlawedBody, addr(5), addr(6), addr(7)),
		"malformed in the view": w.malformed(guilty, 9),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.Misbehave(addr(9), e.Encode()); !errors.Is(err, ErrPunished) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, err := w.Misbehave(addr(9), w.twice(guilty, 9).Encode()); err != nil || len(w.of(guilty).Penalties) != 1 {
		t.Errorf("a second block in the view adds the slash: %v", err)
	}
	if _, err := w.Misbehave(addr(9), w.found(other, 9, simplex.FlawedBody, addr(3), addr(4), addr(5)).Encode()); err != nil || w.of(other).Status != Jailed {
		t.Errorf("another leader: %v", err)
	}
}

// TestAccusers counts what evidence has to be paid for: the keys that were not the guilty one's. The largest set's evidence fits the bound.
// Spec: WP §17.3.
func TestAccusers(t *testing.T) {
	w := newWorld(t, minimum, minimum, minimum, minimum)
	if n := Accusers(w.found(addr(1), 9, simplex.FlawedBlock, addr(2), addr(3)).Encode()); n != 2 {
		t.Errorf("%d accusers of two", n)
	}
	if n := Accusers(w.twice(addr(1), 9).Encode()); n != 0 {
		t.Errorf("%d accusers of a double vote", n)
	}
	if n := Accusers([]byte{5, 1}); n != 0 {
		t.Errorf("%d accusers in no evidence", n)
	}
	e := w.found(addr(1), 9, simplex.FlawedBlock)
	e.Signer = params.MaxValidators
	e.First.Subject = sig.Subject{Height: 1<<64 - 1, Round: sig.Round{Epoch: 1<<64 - 1, View: 1<<64 - 1}}
	e.Found.Signers = sig.NewSigners(params.MaxValidators)
	if n := len(e.Encode()); n > params.MaxEvidenceBytes/2 {
		t.Errorf("%d bytes", n)
	}
}
