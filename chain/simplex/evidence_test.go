package simplex_test

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

type evidence = simplex.Evidence

// TestEvidenceVerifier accepts each kind of evidence in its one right form and refuses every way in which an honest validator could be slandered.
// Spec: WP "Slashing"; commonware §2.2, §3.6, §3.7.
func TestEvidenceVerifier(t *testing.T) {
	verifier := &simplex.EvidenceVerifier{Namespace: namespace, Validators: 4, Anchor: anchor, LastHeight: 3, Scheme: newFake(4), Inspect: inspect}
	say := func(kind sig.CertificateKind, s sig.Subject) simplex.Statement {
		st := simplex.Statement{Kind: kind, Subject: s}
		st.Signature = newFake(4).Sign(1, st.Preimage(namespace))
		return st
	}
	name := func(given, certified uint64) *simplex.HighestQC {
		n := &simplex.HighestQC{Round: sig.Round{View: given}, Certified: sig.Round{View: certified}, BlockHash: filledHash(1)}
		n.Signature = newFake(4).Sign(1, namespace.HighestQC(n.Round, n.Certified, n.BlockHash))
		return n
	}
	a := blok{height: 1, round: sig.Round{View: 7}, proposer: 1, parentHash: anchor}
	b := blok{height: 1, round: sig.Round{View: 7}, proposer: 1, parentHash: anchor, label: 1}
	c := blok{height: 3, round: sig.Round{View: 7}, proposer: 1, parentHash: filledHash(2), parentView: 4}
	deep := a.subject()
	deep.Height = 2
	again := c.subject()
	again.Round.View = 9
	next := a.subject()
	next.Round.View = 8
	foreign := a.subject()
	foreign.Round.Epoch = 1
	null := sig.Subject{Round: a.round}
	forged := say(sig.Finalization, b.subject())
	forged.Signature[0]++
	wrongName := name(6, 5)
	wrongName.Signature[0]++
	notarize, commit, nullify := sig.Notarization, sig.Finalization, sig.Nullification
	find := func(s sig.Subject, accused uint32, flaw simplex.Flaw, by ...int) *simplex.Finding {
		f := &simplex.Finding{Flaw: flaw, Signers: sig.NewSigners(4)}
		for _, i := range by {
			f.Signers.Add(i)
		}
		f.Aggregate = newFake(4).Aggregate(by, namespace.Accuse(s, accused, uint8(flaw)))
		return f
	}
	block, body := simplex.FlawedBlock, simplex.FlawedBody
	relabelled := find(a.subject(), 1, block, 0, 2)
	relabelled.Flaw = body
	crowded := find(a.subject(), 1, block, 0, 2)
	crowded.Signers = sig.NewSigners(5)
	crowded.Signers.Add(0)
	crowded.Signers.Add(2)
	unproven := say(notarize, a.subject())
	unproven.Signature[0]++
	for _, x := range []struct {
		name string
		e    simplex.Evidence
		ok   bool
	}{
		{"double notarize", evidence{Offence: simplex.DoubleNotarize, First: say(notarize, a.subject()), Second: say(notarize, b.subject())}, true},
		{"one notarize", evidence{Offence: simplex.DoubleNotarize, First: say(notarize, a.subject()), Second: say(notarize, a.subject())}, false},
		{"notarize in two views", evidence{Offence: simplex.DoubleNotarize, First: say(notarize, a.subject()), Second: say(notarize, next)}, false},
		{"notarize and commit", evidence{Offence: simplex.DoubleNotarize, First: say(notarize, a.subject()), Second: say(commit, b.subject())}, false},
		{"another epoch", evidence{Offence: simplex.DoubleNotarize, First: say(notarize, foreign), Second: say(notarize, foreign)}, false},
		{"double finalize", evidence{Offence: simplex.DoubleFinalize, First: say(commit, a.subject()), Second: say(commit, b.subject())}, true},
		{"forged", evidence{Offence: simplex.DoubleFinalize, First: say(commit, a.subject()), Second: forged}, false},
		{"nullify and finalize", evidence{Offence: simplex.NullifyFinalize, First: say(nullify, null), Second: say(commit, a.subject())}, true},
		{"nullify and notarize", evidence{Offence: simplex.NullifyFinalize, First: say(nullify, null), Second: say(notarize, a.subject())}, false},
		{"nullify, finalize elsewhere", evidence{Offence: simplex.NullifyFinalize, First: say(nullify, null), Second: say(commit, next)}, false},
		{"low parent", evidence{Offence: simplex.LowParent, First: say(notarize, a.subject()), Header: a.encode(), HighestQC: name(6, 5)}, true},
		{"named later", evidence{Offence: simplex.LowParent, First: say(notarize, a.subject()), Header: a.encode(), HighestQC: name(7, 5)}, false},
		{"named the parent", evidence{Offence: simplex.LowParent, First: say(notarize, c.subject()), Header: c.encode(), HighestQC: name(6, 4)}, false},
		{"named by another", evidence{Offence: simplex.LowParent, First: say(notarize, a.subject()), Header: a.encode(), HighestQC: wrongName}, false},
		{"named nothing", evidence{Offence: simplex.LowParent, First: say(notarize, a.subject()), Header: a.encode()}, false},
		{"another's header", evidence{Offence: simplex.LowParent, First: say(notarize, a.subject()), Header: b.encode(), HighestQC: name(6, 5)}, false},
		{"no header", evidence{Offence: simplex.LowParent, First: say(notarize, a.subject()), HighestQC: name(6, 5)}, false},
		{"malformed", evidence{Offence: simplex.MalformedBlock, First: say(notarize, deep), Header: a.encode()}, true},
		{"well-formed", evidence{Offence: simplex.MalformedBlock, First: say(notarize, a.subject()), Header: a.encode()}, false},
		{"commit of malformed", evidence{Offence: simplex.MalformedBlock, First: say(commit, deep), Header: a.encode()}, false},
		{"proposed again", evidence{Offence: simplex.MalformedBlock, First: say(notarize, again), Header: c.encode()}, false},
		{"another view", evidence{Offence: simplex.MalformedBlock, First: say(notarize, next), Header: a.encode()}, true},
		{"invalid proposal", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: find(a.subject(), 1, block, 0, 2)}, true},
		{"spoilt body", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: find(a.subject(), 1, body, 2, 3)}, true},
		{"found by f", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: find(a.subject(), 1, block, 2)}, false},
		{"found by more than f+1", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: find(a.subject(), 1, block, 0, 2, 3)}, false},
		{"found by itself", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: find(a.subject(), 1, block, 0, 1)}, false},
		{"found about another's", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: find(a.subject(), 2, block, 0, 3)}, false},
		{"found about another block", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: find(b.subject(), 1, block, 0, 2)}, false},
		{"found otherwise", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: relabelled}, false},
		{"found nothing", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: find(a.subject(), 1, simplex.NoFlaw, 0, 2)}, false},
		{"found by another set", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject()), Found: crowded}, false},
		{"not proposed", evidence{Offence: simplex.InvalidProposal, First: unproven, Found: find(a.subject(), 1, block, 0, 2)}, false},
		{"committed, not proposed", evidence{Offence: simplex.InvalidProposal, First: say(commit, a.subject()), Found: find(a.subject(), 1, block, 0, 2)}, false},
		{"no finding", evidence{Offence: simplex.InvalidProposal, First: say(notarize, a.subject())}, false},
		{"long header", evidence{Offence: simplex.MalformedBlock, First: say(notarize, deep), Header: make([]byte, simplex.MaxHeader+1)}, false},
	} {
		x.e.Signer = 1
		if err := verifier.Verify(&x.e); (err == nil) != x.ok || err != nil && !errors.Is(err, simplex.ErrEvidence) {
			t.Errorf("%s: %v", x.name, err)
		}
		x.e.Signer = 2
		if verifier.Verify(&x.e) == nil {
			t.Errorf("%s: proves it against another validator too", x.name)
		}
		x.e.Signer = 9
		if verifier.Verify(&x.e) == nil {
			t.Errorf("%s: proves it against nobody", x.name)
		}
	}
}
