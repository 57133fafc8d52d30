package simplex_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

type evidence = simplex.Evidence

// accused is what the validator 1 of four said, and what others said of it.
type accused struct{ a, b, c blok }

func (accused) say(kind sig.CertificateKind, s sig.Subject) simplex.Statement {
	st := simplex.Statement{Kind: kind, Subject: s}
	st.Signature = newFake(4).Sign(1, st.Preimage(namespace))
	return st
}

// forged is what say gives, with a signature that is none.
func (x accused) forged(kind sig.CertificateKind, s sig.Subject) simplex.Statement {
	st := x.say(kind, s)
	st.Signature[0]++
	return st
}

// name is the highest certificate that it named in a view.
func (accused) name(given, certified uint64) *simplex.HighestQC {
	n := &simplex.HighestQC{Round: sig.Round{View: given}, Certified: sig.Round{View: certified}, BlockHash: filledHash(1)}
	n.Signature = newFake(4).Sign(1, namespace.HighestQC(n.Round, n.Certified, n.BlockHash))
	return n
}

// find is a flaw that others found in a block of a validator.
func (accused) find(s sig.Subject, validator uint32, flaw simplex.Flaw, by ...int) *simplex.Finding {
	return &simplex.Finding{Flaw: flaw, Signers: signers(4, by...), Aggregate: newFake(4).Aggregate(by, namespace.Accuse(s, validator, uint8(flaw)))}
}

// evidenceCase is evidence, and whether it proves its offence.
type evidenceCase struct {
	name string
	e    evidence
	ok   bool
}

// contradictions are pairs of statements.
func (x accused) contradictions() []evidenceCase {
	notarize, commit, nullify := sig.Notarization, sig.Finalization, sig.Nullification
	a, b, null := x.a.subject(), x.b.subject(), sig.Subject{Round: x.a.round}
	next, foreign := a, a
	next.Round.View = 8
	foreign.Round.Epoch = 1
	of := func(offence simplex.Offence, first, second simplex.Statement) evidence {
		return evidence{Offence: offence, First: first, Second: second}
	}
	return []evidenceCase{
		{"double notarize", of(simplex.DoubleNotarize, x.say(notarize, a), x.say(notarize, b)), true},
		{"one notarize", of(simplex.DoubleNotarize, x.say(notarize, a), x.say(notarize, a)), false},
		{"notarize in two views", of(simplex.DoubleNotarize, x.say(notarize, a), x.say(notarize, next)), false},
		{"notarize and commit", of(simplex.DoubleNotarize, x.say(notarize, a), x.say(commit, b)), false},
		{"another epoch", of(simplex.DoubleNotarize, x.say(notarize, foreign), x.say(notarize, foreign)), false},
		{"double finalize", of(simplex.DoubleFinalize, x.say(commit, a), x.say(commit, b)), true},
		{"forged", of(simplex.DoubleFinalize, x.say(commit, a), x.forged(commit, b)), false},
		{"nullify and finalize", of(simplex.NullifyFinalize, x.say(nullify, null), x.say(commit, a)), true},
		{"nullify and notarize", of(simplex.NullifyFinalize, x.say(nullify, null), x.say(notarize, a)), false},
		{"nullify, finalize elsewhere", of(simplex.NullifyFinalize, x.say(nullify, null), x.say(commit, next)), false},
	}
}

// headers are proposals whose header shows what is wrong with them.
func (x accused) headers() []evidenceCase {
	notarize, commit := sig.Notarization, sig.Finalization
	a, c := x.a.subject(), x.c.subject()
	deep, again, next := a, c, a
	deep.Height = 2
	again.Round.View = 9
	next.Round.View = 8
	byAnother := x.name(6, 5)
	byAnother.Signature[0]++
	low := func(first simplex.Statement, header []byte, named *simplex.HighestQC) evidence {
		return evidence{Offence: simplex.LowParent, First: first, Header: header, HighestQC: named}
	}
	malformed := func(first simplex.Statement, header []byte) evidence {
		return evidence{Offence: simplex.MalformedBlock, First: first, Header: header}
	}
	return []evidenceCase{
		{"low parent", low(x.say(notarize, a), x.a.encode(), x.name(6, 5)), true},
		{"named later", low(x.say(notarize, a), x.a.encode(), x.name(7, 5)), false},
		{"named the parent", low(x.say(notarize, c), x.c.encode(), x.name(6, 4)), false},
		{"named by another", low(x.say(notarize, a), x.a.encode(), byAnother), false},
		{"named nothing", low(x.say(notarize, a), x.a.encode(), nil), false},
		{"another's header", low(x.say(notarize, a), x.b.encode(), x.name(6, 5)), false},
		{"no header", low(x.say(notarize, a), nil, x.name(6, 5)), false},
		{"malformed", malformed(x.say(notarize, deep), x.a.encode()), true},
		{"well-formed", malformed(x.say(notarize, a), x.a.encode()), false},
		{"commit of malformed", malformed(x.say(commit, deep), x.a.encode()), false},
		{"proposed again", malformed(x.say(notarize, again), x.c.encode()), false},
		{"another view", malformed(x.say(notarize, next), x.a.encode()), true},
		{"long header", malformed(x.say(notarize, deep), make([]byte, simplex.MaxHeader+1)), false},
	}
}

// findings are proposals that others found to be invalid.
func (x accused) findings() []evidenceCase {
	a, block, body := x.a.subject(), simplex.FlawedBlock, simplex.FlawedBody
	proposed := x.say(sig.Notarization, a)
	relabelled := x.find(a, 1, block, 0, 2)
	relabelled.Flaw = body
	crowded := x.find(a, 1, block, 0, 2)
	crowded.Signers = signers(5, 0, 2)
	of := func(first simplex.Statement, found *simplex.Finding) evidence {
		return evidence{Offence: simplex.InvalidProposal, First: first, Found: found}
	}
	return []evidenceCase{
		{"invalid proposal", of(proposed, x.find(a, 1, block, 0, 2)), true},
		{"spoilt body", of(proposed, x.find(a, 1, body, 2, 3)), true},
		{"found by f", of(proposed, x.find(a, 1, block, 2)), false},
		{"found by more than f+1", of(proposed, x.find(a, 1, block, 0, 2, 3)), false},
		{"found by itself", of(proposed, x.find(a, 1, block, 0, 1)), false},
		{"found about another's", of(proposed, x.find(a, 2, block, 0, 3)), false},
		{"found about another block", of(proposed, x.find(x.b.subject(), 1, block, 0, 2)), false},
		{"found otherwise", of(proposed, relabelled), false},
		{"found nothing", of(proposed, x.find(a, 1, simplex.NoFlaw, 0, 2)), false},
		{"found by another set", of(proposed, crowded), false},
		{"not proposed", of(x.forged(sig.Notarization, a), x.find(a, 1, block, 0, 2)), false},
		{"committed, not proposed", of(x.say(sig.Finalization, a), x.find(a, 1, block, 0, 2)), false},
		{"no finding", of(proposed, nil), false},
	}
}

// TestEvidenceVerifier accepts each kind of evidence in its one right form and refuses every way in which an honest validator could be slandered.
// Spec: WP "Slashing"; commonware §2.2, §3.6, §3.7.
func TestEvidenceVerifier(t *testing.T) {
	verifier := &simplex.EvidenceVerifier{Namespace: namespace, Validators: 4, Anchor: anchor, LastHeight: 3, Scheme: newFake(4), Inspect: inspect}
	said := accused{
		a: blok{height: 1, round: sig.Round{View: 7}, proposer: 1, parentHash: anchor},
		b: blok{height: 1, round: sig.Round{View: 7}, proposer: 1, parentHash: anchor, label: 1},
		c: blok{height: 3, round: sig.Round{View: 7}, proposer: 1, parentHash: filledHash(2), parentView: 4},
	}
	for _, x := range slices.Concat(said.contradictions(), said.headers(), said.findings()) {
		t.Run(x.name, func(t *testing.T) {
			x.e.Signer = 1
			if err := verifier.Verify(&x.e); (err == nil) != x.ok || err != nil && !errors.Is(err, simplex.ErrEvidence) {
				t.Error(err)
			}
			x.e.Signer = 2
			if verifier.Verify(&x.e) == nil {
				t.Error("proves it against another validator too")
			}
			x.e.Signer = 9
			if verifier.Verify(&x.e) == nil {
				t.Error("proves it against nobody")
			}
		})
	}
}
