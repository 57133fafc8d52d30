package simplex

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Offence is what an Evidence proves.
type Offence uint8

// The offences. Spec: WP "Slashing"; commonware §2.2 (activities 7–9), §3.6.
const (
	DoubleNotarize  Offence = iota // two blocks notarized in one view; by its leader: proposer equivocation
	DoubleFinalize                 // two blocks committed in one view
	NullifyFinalize                // a view both given up and committed
	LowParent                      // a block on a parent below the one its proposer's own NEW_VIEW named
	MalformedBlock                 // a vote for a block whose header says another height or round
	InvalidProposal                // a proposal that more than f validators found to be no honest leader's
	offences
)

// String names the offence.
func (o Offence) String() string {
	if o >= offences {
		return "unknown"
	}
	return [...]string{
		"double notarize", "double finalize", "nullify and finalize", "low parent", "malformed block", "invalid proposal",
	}[o]
}

// Evidence proves that a validator broke the protocol. It needs nothing but the epoch's keys to be verified; honest validators never make it
// possible, whatever is lost, delayed or restarted.
// Spec: WP "Slashing" (double signing, proposer equivocation, invalid proposal); commonware §2.2, §3.7.
type Evidence struct {
	Offence   Offence
	Signer    uint32
	First     Statement  // LowParent, MalformedBlock, InvalidProposal: the vote for the block
	Second    Statement  // the conflicting one; absent in LowParent, MalformedBlock and InvalidProposal
	Header    []byte     // LowParent, MalformedBlock: of the block; at most MaxHeader
	HighestQC *HighestQC // LowParent
	Found     *Finding   // InvalidProposal
}

// HighestQC is a validator's signed word about the highest certified block it knew when it gave up a round.
// Spec: commonware §3.7.
type HighestQC struct {
	Round     sig.Round // given up
	Certified sig.Round
	BlockHash digest.Hash
	Signature sig.BLSSignature
}

func (n *HighestQC) preimage(ns sig.Namespace) []byte {
	return ns.HighestQC(n.Round, n.Certified, n.BlockHash)
}

// EvidenceVerifier verifies the evidence of one epoch.
type EvidenceVerifier struct {
	Namespace  sig.Namespace
	Epoch      uint64
	Validators int
	Anchor     digest.Hash // the block the epoch builds on
	LastHeight uint64      // as in Config
	Scheme     Scheme
	Inspect    Inspect
}

// Verify gives ErrEvidence unless the evidence proves its offence.
// Spec: WP "Slashing"; commonware §2.2 (verify before slashing).
func (v *EvidenceVerifier) Verify(e *Evidence) error {
	if e.Offence >= offences || int(e.Signer) >= v.Validators || e.First.Subject.Round.Epoch != v.Epoch {
		return ErrEvidence
	}
	if !v.signed(e.Signer, &e.First) {
		return ErrEvidence
	}
	ok := false
	switch e.Offence {
	case LowParent:
		ok = v.lowParent(e)
	case MalformedBlock:
		ok = v.malformed(e)
	case InvalidProposal:
		ok = v.invalid(e)
	default:
		ok = v.signed(e.Signer, &e.Second) && e.First.Subject.Round == e.Second.Subject.Round && excludes(e.Offence, &e.First, &e.Second)
	}
	if !ok {
		return ErrEvidence
	}
	return nil
}

func (v *EvidenceVerifier) signed(signer uint32, s *Statement) bool {
	return v.Scheme.Verify(signer, s.Preimage(v.Namespace), s.Signature) == nil
}

// excludes reports whether two statements of one round are the pair an offence is about, in its order.
func excludes(o Offence, first, second *Statement) bool {
	switch o {
	case DoubleNotarize:
		return first.Kind == sig.Notarization && second.Kind == sig.Notarization && first.Subject != second.Subject
	case DoubleFinalize:
		return first.Kind == sig.Finalization && second.Kind == sig.Finalization && first.Subject != second.Subject
	case NullifyFinalize:
		return first.Kind == sig.Nullification && second.Kind == sig.Finalization
	}
	return false
}

// lowParent: the signer voted to notarize a block it proposed itself on a parent view below the view its own earlier NEW_VIEW named.
func (v *EvidenceVerifier) lowParent(e *Evidence) bool {
	link, ok := v.header(e)
	n := e.HighestQC
	if !ok || n == nil || !link.binds(e.First.Subject) || link.Proposer != e.Signer {
		return false
	}
	parent := link.ParentView
	if link.ParentHash == v.Anchor {
		parent = 0
	}
	return n.Round.Epoch == v.Epoch && n.Certified.Epoch == v.Epoch && n.Round.View < link.Round.View && parent < n.Certified.View &&
		v.Scheme.Verify(e.Signer, n.preimage(v.Namespace), n.Signature) == nil
}

// malformed: the signer voted to notarize a block whose header has another height or round. The epoch's last block may be voted for again.
func (v *EvidenceVerifier) malformed(e *Evidence) bool {
	link, ok := v.header(e)
	again := v.LastHeight != 0 && link.Height == v.LastHeight && e.First.Subject.Height == v.LastHeight
	return ok && !link.binds(e.First.Subject) && !again
}

func (v *EvidenceVerifier) header(e *Evidence) (BlockRef, bool) {
	if e.First.Kind != sig.Notarization || len(e.Header) > MaxHeader {
		return BlockRef{}, false
	}
	link, err := v.Inspect(e.Header)
	return link, err == nil && link.Hash == e.First.Subject.BlockHash && len(link.Header) == len(e.Header)
}

// conflict takes two statements of one validator that exclude each other. Both genuine: evidence, once per view. Otherwise nothing it said in
// the view counts.
func (s *State) conflict(r *round, signer uint32, first, second Statement) {
	if r.accused[signer] || signer == s.cfg.Self {
		return
	}
	for _, st := range []*Statement{&first, &second} {
		if s.cfg.Scheme.Verify(signer, st.Preimage(s.cfg.Namespace), st.Signature) != nil {
			r.ignoreSigner(signer)
			s.blame(signer, BadSignature)
			return
		}
	}
	if second.Kind == sig.Nullification {
		first, second = second, first
	}
	e := &Evidence{Offence: DoubleNotarize, Signer: signer, First: first, Second: second}
	switch {
	case first.Kind == sig.Nullification:
		e.Offence = NullifyFinalize
	case first.Kind == sig.Finalization:
		e.Offence = DoubleFinalize
	case r.view == s.view && signer == s.leader:
		r.equivocated = true
	}
	s.accuse(r, e)
	s.blame(signer, DoubleVote)
}

func (s *State) accuse(r *round, e *Evidence) {
	if r.accused == nil {
		r.accused = map[uint32]bool{}
	}
	r.accused[e.Signer] = true
	s.emit(Accuse{e})
}

// accuseMalformed reports a leader whose vote and block disagree about height or round.
func (s *State) accuseMalformed(p *proposal) {
	v, r := &p.vote, s.at(p.vote.Subject.Round.View)
	again := s.cfg.LastHeight != 0 && p.link.Height == s.cfg.LastHeight && v.Subject.Height == s.cfg.LastHeight
	if v.Signer == s.cfg.Self || again || r.accused[v.Signer] ||
		s.cfg.Scheme.Verify(v.Signer, v.Preimage(s.cfg.Namespace), v.Signature) != nil {
		return
	}
	s.accuse(r, &Evidence{
		Offence: MalformedBlock, Signer: v.Signer, First: Statement{v.Kind, v.Subject, v.Signature}, Header: p.link.Header,
	})
}

// stale reports whether the leader proposes on a parent view below one that its own signed NEW_VIEW named before.
// Spec: commonware §3.6 (next proposer MUST build on the highest-QC block).
func (s *State) stale(r *round, p *proposal, parent uint64) bool {
	signer := p.vote.Signer
	if signer != s.leader || signer == s.cfg.Self {
		return false
	}
	m := s.named[signer]
	if m == nil || m.Highest.Subject.Round.View <= parent || m.Round.View >= r.view {
		return false
	}
	named := m.Highest.Subject
	n := &HighestQC{Round: m.Round, Certified: named.Round, BlockHash: named.BlockHash, Signature: m.HighestQC}
	if s.cfg.Scheme.Verify(signer, n.preimage(s.cfg.Namespace), n.Signature) != nil {
		s.named[signer] = nil
		s.blame(signer, BadSignature)
		return false
	}
	if s.cfg.Scheme.Verify(signer, p.vote.Preimage(s.cfg.Namespace), p.vote.Signature) == nil && !r.accused[signer] {
		s.accuse(r, &Evidence{
			Offence: LowParent, Signer: signer, First: Statement{p.vote.Kind, p.vote.Subject, p.vote.Signature},
			Header: p.link.Header, HighestQC: n,
		})
	}
	return true
}

// Encode is the canonical encoding: offence ‖ UInt signer ‖ two statements ‖ header ‖ Option<naming>; for an InvalidProposal, which has a Finding,
// offence ‖ UInt signer ‖ statement ‖ finding.
// Spec: WP §2.5.
func (e *Evidence) Encode() []byte {
	dst := codec.AppendU8(nil, uint8(e.Offence))
	dst = codec.AppendUint(dst, uint64(e.Signer))
	if e.Offence == InvalidProposal {
		return e.Found.append(e.First.append(dst))
	}
	dst = e.Second.append(e.First.append(dst))
	dst = codec.AppendBytes(dst, e.Header)
	dst = codec.AppendBool(dst, e.HighestQC != nil)
	if n := e.HighestQC; n != nil {
		dst = n.Certified.Append(n.Round.Append(dst))
		dst = codec.AppendFixed(dst, n.BlockHash[:])
		dst = codec.AppendFixed(dst, n.Signature[:])
	}
	return dst
}

// DecodeEvidence reads one evidence and nothing else, or gives a *codec.Error. EvidenceVerifier says what it proves.
func DecodeEvidence(data []byte) (*Evidence, error) {
	r := codec.NewReader(data)
	e := &Evidence{Offence: Offence(r.Tag(uint8(offences))), Signer: r.Uint32()}
	e.First = readStatement(r)
	if e.Offence == InvalidProposal {
		e.Found = readFinding(r)
		if err := r.Finish(); err != nil {
			return nil, err
		}
		return e, nil
	}
	e.Second = readStatement(r)
	e.Header = r.Bytes(MaxHeader)
	if r.Option() {
		n := &HighestQC{Round: sig.ReadRound(r), Certified: sig.ReadRound(r)}
		r.Into(n.BlockHash[:])
		r.Into(n.Signature[:])
		e.HighestQC = n
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return e, nil
}

// append writes kind ‖ subject (only its round for a nullification) ‖ signature.
func (s *Statement) append(dst []byte) []byte {
	dst = codec.AppendU8(dst, uint8(s.Kind))
	if s.Kind == sig.Nullification {
		dst = s.Subject.Round.Append(dst)
	} else {
		dst = s.Subject.Append(dst)
	}
	return codec.AppendFixed(dst, s.Signature[:])
}

func readStatement(r *codec.Reader) Statement {
	s := Statement{Kind: sig.CertificateKind(r.Tag(uint8(sig.Finalization) + 1))}
	if s.Kind == sig.Nullification {
		s.Subject.Round = sig.ReadRound(r)
	} else {
		s.Subject = sig.ReadSubject(r)
	}
	r.Into(s.Signature[:])
	return s
}
