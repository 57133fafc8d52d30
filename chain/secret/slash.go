package secret

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Fault is what a proxy is punished for.
//
// Spec: secrets-cbss §5 (Slashing).
type Fault uint8

// The faults.
const (
	InvalidPartial Fault = iota // InvalidPartialReencrypt: request(318) ‖ answer(209), whose partial is wrong; or index(1) ‖ answer to a SealRequest
	Sabotage                    // DkgSabotage: a deal, or a hidden one, whose share contradicts its commitments
	Equivocation                // answer(209) ‖ answer(209), two for one request
	faults
)

// share is the part of a stake that the fault costs, in basis points.
func (f Fault) share() uint64 {
	return [...]uint64{slashPartial, slashSabotage, slashEquivocation}[f]
}

// Slash punishes a proxy for a fault that its own signature shows: a part of its stake is burned, it is suspended, and its committees are replaced. Anybody may
// bring the evidence, which counts once: what was punished is remembered. Rejects: ErrForm, ErrProxy, ErrSlashed, ErrEvidence.
//
// Spec: secrets-cbss §4 (75), §5 (Slashing), §10 (1: the proxy's signed clear answer).
func (s *Service) Slash(id digest.Hash, fault Fault, evidence []byte) error {
	if fault >= faults || len(evidence) > MaxEvidence {
		return ErrForm
	}
	p, err := LoadProxy(s.State, id)
	if err != nil {
		return err
	}
	if at := p.Slashed[fault]; at > 0 && s.Height < at+FaultWindow {
		return ErrSlashed
	}
	proven := [...]func(digest.Hash, *Proxy, []byte) (digest.Hash, error){s.wrongPartial, s.wrongShare, s.twoAnswers}[fault]
	of, err := proven(id, p, evidence)
	if err != nil {
		return err
	}
	before := under(underPunished, id[:], []byte{byte(fault)}, of[:])
	if _, there, err := s.State.Lookup(before); err != nil {
		return err
	} else if there {
		return ErrSlashed
	}
	s.State.Set(before, []byte{})
	taken, err := p.Stake.MulDiv(fault.share(), params.BasisPoints)
	if err != nil {
		return err
	}
	if p.Stake, err = p.Stake.Sub(taken); err != nil {
		return err
	}
	s.burn(taken)
	p.Slashed[fault], p.Suspended = max(s.Height, 1), true
	s.saveProxy(id, p)
	s.replace(id)
	s.emit(TopicSlashed, id[:], []byte{byte(fault)}, uints(taken))
	return nil
}

// wrongPartial wants a request for the proxy, and an answer of the proxy's to it whose partial is not that of its share. It gives what the answer is to.
// Reject: ErrEvidence.
func (s *Service) wrongPartial(id digest.Hash, p *Proxy, evidence []byte) (of digest.Hash, err error) {
	if len(evidence) != cbss.SignedRequestSize+cbss.AnswerSize {
		return s.wrongSealed(id, p, evidence)
	}
	q, err := s.asked(evidence[:cbss.SignedRequestSize], id)
	if err != nil {
		return of, ErrEvidence
	}
	r := codec.NewReader(evidence[cbss.SignedRequestSize:])
	a, signature := cbss.ReadAnswer(r)
	if r.Finish() != nil || a.Proxy != id || a.Request != q.Hash() || a.Epoch != q.Epoch || !signedBy(p.Key, a.Hash(), signature) {
		return of, ErrEvidence
	}
	v, err := s.version(q)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrDeleted) || errors.Is(err, ErrRecipient) || err == nil && v.Pending {
		return of, ErrEvidence
	}
	if err != nil {
		return of, err
	}
	k, err := LoadKey(s.State, scopeOf(q.Secret, q.Version, v))
	if err != nil {
		return of, err
	}
	if k == nil {
		return of, errUnexpected
	}
	g := k.kept(a.Epoch)
	if g == nil || g.PlaceOf(id) == 0 {
		return of, ErrEvidence
	}
	partial := cbss.Partial{Place: g.PlaceOf(id), Point: a.Partial}
	if !errors.Is(cbss.CheckPartial(s.identity(q.Secret, q.Version, v.Epoch, k.Master), g.Commitments, partial), cbss.ErrPartial) {
		return of, ErrEvidence
	}
	return a.Request, nil
}

// wrongShare wants a deal of the proxy's whose share does not follow from its commitments, or whose commitments are none. It gives what the dealer
// signed. Reject: ErrEvidence.
func (s *Service) wrongShare(id digest.Hash, p *Proxy, evidence []byte) (of digest.Hash, err error) {
	d, signature, err := cbss.ParseDeal(evidence)
	if err != nil {
		return s.wrongHidden(id, p, evidence)
	}
	if d.Dealer != id || d.ChainID != s.ChainID || !signedBy(p.Key, d.Hash(), signature) {
		return of, ErrEvidence
	}
	if len(d.Commitments) == 0 || d.Place == 0 || d.Place > MaxMembers {
		return of, ErrEvidence
	}
	share, err := cbss.ParseScalar(d.Share[:])
	if err != nil {
		return d.Hash(), nil
	}
	if cbss.CheckShare(d.Commitments, uint32(d.Place), share) == nil {
		return of, ErrEvidence
	}
	return d.Hash(), nil
}

// wrongHidden is wrongShare for a deal of a new key. Reject: ErrEvidence.
func (s *Service) wrongHidden(id digest.Hash, p *Proxy, evidence []byte) (of digest.Hash, err error) {
	d, signature, err := cbss.ParseHiddenDeal(evidence)
	if err != nil || d.Dealer != id || d.ChainID != s.ChainID || !signedBy(p.Key, d.Hash(), signature) {
		return of, ErrEvidence
	}
	if len(d.Commitments) == 0 || d.Place == 0 || d.Place > MaxMembers || d.Follows() {
		return of, ErrEvidence
	}
	return d.Hash(), nil
}

// twoAnswers wants two different answers of the proxy's to one request, which it gives. Reject: ErrEvidence.
func (s *Service) twoAnswers(id digest.Hash, p *Proxy, evidence []byte) (of digest.Hash, err error) {
	r := codec.NewReader(evidence)
	a, first := cbss.ReadAnswer(r)
	b, second := cbss.ReadAnswer(r)
	if r.Finish() != nil || a.Proxy != id || b.Proxy != id || a.Request != b.Request || *a == *b {
		return of, ErrEvidence
	}
	if !signedBy(p.Key, a.Hash(), first) || !signedBy(p.Key, b.Hash(), second) {
		return of, ErrEvidence
	}
	return a.Request, nil
}

// End does what is due at the end of a block: stakes are paid out, resharings asked for, committees drawn, and what is over is forgotten. Each has its bound.
func (s *Service) End() error {
	for _, part := range [...]func() error{s.pay, s.force, s.draw, s.forget} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// forget removes releases and challenges that nothing can concern any more, and time locks that were opened long ago, at most forgotPerBlock of them. A
// challenge that nobody ended ends here.
func (s *Service) forget() error {
	prefix := under(underForget)
	due, err := s.due(prefix, forgotPerBlock)
	if err != nil {
		return err
	}
	for _, key := range due {
		s.State.Delete(key)
		rest := key[len(prefix)+8:]
		id := digest.Hash(rest[1:])
		switch rest[0] {
		case forgetRelease:
			if err := s.forgetRelease(id); err != nil {
				return err
			}
			continue
		case forgetLock:
			s.State.Delete(under(underLock, id[:]))
			s.State.Delete(under(underLockPayload, id[:]))
			continue
		}
		if err := s.Unanswer(id); err != nil && !errors.Is(err, ErrChallenge) {
			return err
		}
		s.State.Delete(under(underChallenge, id[:]))
	}
	return nil
}

func (s *Service) forgetRelease(id digest.Hash) error {
	set, err := LoadReceipts(s.State, id)
	if err != nil {
		return err
	}
	if set == nil {
		return errUnexpected
	}
	n, err := state.Number(s.State, releasesKey(set))
	if err != nil {
		return err
	}
	state.SetCount(s.State, releasesKey(set), n-1)
	s.State.Delete(under(underReceipts, id[:]))
	return nil
}
