package simplex

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Flaw is in which way a proposal is one that no honest leader makes.
type Flaw uint8

// The flaws. Spec: WP "Slashing" (invalid proposal); governance-staking A3 (block fails validation).
const (
	NoFlaw      Flaw = iota // none that its proposer answers for
	FlawedBlock             // the block of that hash breaks a rule in that round, whoever brings its bytes: every node that holds it can tell by executing it
	FlawedBody              // the leader itself sent another body than the header's, or transactions whose signatures are not theirs
	flaws
)

// String names the flaw.
func (f Flaw) String() string {
	if f >= flaws {
		return "unknown"
	}
	return [...]string{"none", "invalid block", "spoilt body"}[f]
}

// Accusation is a validator's word that the leader of a round proposed what no honest leader does, with the leader's vote that proves who proposed.
// Spec: WP "Slashing" (invalid proposal); governance-staking A3.
type Accusation struct {
	Subject   sig.Subject
	Accused   uint32           // rank of the round's leader
	Vote      sig.BLSSignature // the leader's, over the notarize preimage of Subject
	Flaw      Flaw             // FlawedBlock or FlawedBody
	Signer    uint32           // the accuser's rank
	Signature sig.BLSSignature // over Preimage
}

// Preimage is what Signature is over: the same for all who accuse of the same.
func (a *Accusation) Preimage(n sig.Namespace) []byte {
	return n.Accuse(a.Subject, a.Accused, uint8(a.Flaw))
}

// agrees reports whether two accuse of the same.
func (a *Accusation) agrees(b *Accusation) bool {
	return a.Subject == b.Subject && a.Accused == b.Accused && a.Flaw == b.Flaw
}

// statement is the leader's vote.
func (a *Accusation) statement() Statement { return Statement{sig.Notarization, a.Subject, a.Vote} }

// Finding is what f+1 validators found about a proposal. As many as that cannot all be faulty.
// Spec: WP "Slashing" (invalid proposal), "Consensus and Networking" (f < n/3).
type Finding struct {
	Flaw      Flaw
	Signers   sig.Signers      // f+1 of the epoch's validators, the accused not among them
	Aggregate sig.BLSSignature // of their accusations' signatures
}

// invalid: f+1 others say that the signer, leading the round, proposed the block it voted for, and that no honest leader does.
func (v *EvidenceVerifier) invalid(e *Evidence) bool {
	f := e.Found
	if f == nil || f.Flaw == NoFlaw || f.Flaw >= flaws || e.First.Kind != sig.Notarization || f.Signers.Len() != v.Validators ||
		f.Signers.Size() != sig.Faulty(v.Validators)+1 || f.Signers.Has(int(e.Signer)) {
		return false
	}
	claim := newClaim(f.Signers, v.Namespace.Accuse(e.First.Subject, e.Signer, uint8(f.Flaw)), f.Aggregate)
	return v.Scheme.Hold([]Claim{claim})
}

// charge has this validator accuse the leader of a view of its proposal, once a view. The leader's vote has to be its own; one that is proven to have voted
// for another block as well is convicted of that, with a slash. The epoch's last block proposed again comes without bytes, and so says nothing.
//
// Spec: WP "Slashing" (invalid proposal); governance-staking A3.
func (s *State) charge(r *round, p *proposal, flaw Flaw) {
	v := &p.vote
	if flaw == NoFlaw || p.again() || !s.validator() || v.Signer == s.cfg.Self || r.recorded || r.accused[v.Signer] || s.accusedBy(r, s.cfg.Self) != nil {
		return
	}
	if !p.proven && s.cfg.Scheme.Verify(v.Signer, v.Preimage(s.cfg.Namespace), v.Signature) != nil {
		return
	}
	p.proven = true
	s.emit(SignAccusation{&Accusation{Subject: v.Subject, Accused: v.Signer, Vote: v.Signature, Flaw: flaw, Signer: s.cfg.Self}})
}

// accusedBy is a validator's accusation in a view, or nil.
func (s *State) accusedBy(r *round, signer uint32) *Accusation {
	if r.accusations == nil {
		return nil
	}
	return r.accusations[signer]
}

// accusationSigned writes an own accusation down, so that a restart does not silence it, sends it and counts it.
func (s *State) accusationSigned(a *Accusation) {
	at := a.Subject.Round
	if !s.validator() || a.Signer != s.cfg.Self || !s.counts(at) || s.accusedBy(s.at(at.View), a.Signer) != nil {
		return
	}
	s.persist(a)
	s.emit(Broadcast{Message: a})
	s.pleas = append(s.pleas, at.View)
	slices.Sort(s.pleas)
	s.accept(s.at(at.View), a)
}

// accusation takes a peer's. The vote in it must be the leader's: nobody can be accused of what it did not sign.
// Spec: commonware §2.2 (verify before slashing), §2.6.
func (s *State) accusation(from uint32, a *Accusation) {
	if !s.admit(from, a.Signer, a.Subject.Round) || !s.counts(a.Subject.Round) {
		return
	}
	r := s.at(a.Subject.Round.View)
	if r.ignored[from] || r.recorded || s.accusedBy(r, from) != nil {
		return
	}
	if int(a.Accused) >= s.n || a.Accused == from || s.cfg.Scheme.Verify(a.Accused, s.preimage(sig.Notarization, a.Subject), a.Vote) != nil {
		r.ignoreSigner(from)
		s.blame(from, BadSignature)
		return
	}
	s.accept(r, a)
}

// accept counts an accusation whose vote is the leader's. Where the vote and another the leader gave exclude each other, that is evidence by itself.
func (s *State) accept(r *round, a *Accusation) {
	if r.accusations == nil {
		r.accusations = make([]*Accusation, s.n)
	}
	r.accusations[a.Signer] = a
	if first := r.votes[sig.Notarization].of(a.Accused); first != nil && first.subject != a.Subject {
		s.conflict(r, a.Accused, Statement{sig.Notarization, first.subject, first.signature}, a.statement())
	}
	for _, b := range r.accusations {
		if b != nil && b.Accused == a.Accused && b.Subject != a.Subject {
			s.conflict(r, a.Accused, b.statement(), a.statement())
			break
		}
	}
	s.assembleEvidence(r, a)
}

// assembleEvidence makes evidence of f+1 accusations that agree. A signer whose signature is bad is ignored.
// This node brings none against itself, and none that it knows to be false.
//
// Spec: WP "Slashing" (invalid proposal); commonware §2.6.
func (s *State) assembleEvidence(r *round, a *Accusation) {
	most := sig.Faulty(s.n)
	for !r.recorded {
		var signers []uint32
		var signatures []sig.BLSSignature
		for _, b := range r.accusations {
			if b != nil && b.agrees(a) && len(signers) <= most {
				signers, signatures = append(signers, b.Signer), append(signatures, b.Signature)
			}
		}
		if len(signers) <= most {
			return
		}
		aggregate, bad := s.cfg.Scheme.Assemble(signers, a.Preimage(s.cfg.Namespace), signatures)
		if len(bad) > 0 {
			s.dropInvalid(r, signers, bad)
			continue
		}
		r.recorded = true
		if a.Accused == s.cfg.Self || a.Flaw == FlawedBlock && s.sound(r, a.Subject) {
			s.emit(Disputed{a})
			return
		}
		if !r.accused[a.Accused] {
			s.emit(Accuse{&Evidence{
				Offence: InvalidProposal, Signer: a.Accused, First: a.statement(),
				Found: &Finding{Flaw: a.Flaw, Signers: s.setOf(signers), Aggregate: aggregate},
			}})
		}
	}
}

// sound reports whether this node has found a view's block to be valid, or final.
func (s *State) sound(r *round, subject sig.Subject) bool {
	if b := r.block(); b != nil && r.verdict == good && b.Subject == subject {
		return true
	}
	p := r.proposal
	return p != nil && p.vote.Subject == subject && p.status == valid && len(p.claims) == 0
}

// resendAccusations repeats the own accusations that too few have joined yet, upon entering a view, for as long as their views collect votes.
func (s *State) resendAccusations() {
	s.pleas = slices.DeleteFunc(s.pleas, func(view uint64) bool {
		r := s.rounds[view]
		if r == nil || r.recorded {
			return true
		}
		a := s.accusedBy(r, s.cfg.Self) // gone once the view collects no more votes
		if a == nil || r.accused[a.Accused] {
			return true
		}
		s.emit(Broadcast{Message: a})
		return false
	})
}

// append writes subject ‖ UInt accused ‖ vote(96) ‖ flaw ‖ UInt signer ‖ signature(96).
func (a *Accusation) append(dst []byte) []byte {
	dst = codec.AppendUint(a.Subject.Append(dst), uint64(a.Accused))
	dst = codec.AppendU8(codec.AppendFixed(dst, a.Vote[:]), uint8(a.Flaw))
	return codec.AppendFixed(codec.AppendUint(dst, uint64(a.Signer)), a.Signature[:])
}

func readAccusation(r *codec.Reader) *Accusation {
	a := &Accusation{Subject: sig.ReadSubject(r), Accused: r.Uint32()}
	r.Into(a.Vote[:])
	a.Flaw, a.Signer = readFlaw(r), r.Uint32()
	r.Into(a.Signature[:])
	return a
}

func readFlaw(r *codec.Reader) Flaw {
	f := Flaw(r.Tag(uint8(flaws)))
	if f == NoFlaw {
		r.Fail(codec.ErrEnum, uint64(f))
	}
	return f
}

// append writes flaw ‖ signers ‖ aggregate(96).
func (f *Finding) append(dst []byte) []byte {
	dst = f.Signers.Append(codec.AppendU8(dst, uint8(f.Flaw)))
	return codec.AppendFixed(dst, f.Aggregate[:])
}

func readFinding(r *codec.Reader) *Finding {
	f := &Finding{Flaw: readFlaw(r), Signers: sig.ReadSigners(r)}
	r.Into(f.Aggregate[:])
	return f
}
