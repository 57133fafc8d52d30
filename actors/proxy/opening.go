package proxy

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// known finds a proposal this member has examined.
func (s *session) known(r *codec.Reader) (digest.Hash, *proposal, error) {
	var hash digest.Hash
	r.Into(hash[:])
	p := s.proposal(hash)
	if p == nil || s.place == 0 || s.task.Before != nil {
		return hash, nil, errUnknown
	}
	return hash, p, nil
}

// opens opens this member's share of a new key, for a proposal that enough members voted for. From then on it is for no other: whoever could choose among
// several sets of dealers with open keys before it would choose the key.
//
// Spec: secrets-cbss §3 (bias-free).
func (d *state) opens(s *session, r *codec.Reader) ([]byte, error) {
	hash, p, err := s.known(r)
	votes := readMarks(r)
	if err != nil || r.Finish() != nil {
		return nil, errUnknown
	}
	if s.kept.lock != (digest.Hash{}) && s.kept.lock != hash {
		return nil, errLocked
	}
	if len(votes) < s.quorum() {
		return nil, errMarks
	}
	for i, v := range votes {
		if i > 0 && v.place <= votes[i-1].place || !slices.Contains(p.members, v.place) {
			return nil, errMarks
		}
		peer := d.peers[s.task.Committee[v.place-1]]
		if peer == nil || !signedBy(peer.Key, voteHash(hash), v.signature) {
			return nil, errMarks
		}
	}
	share, blind, err := s.sums(p)
	if err != nil {
		return nil, err
	}
	defer share.Erase()
	defer blind.Erase()
	hidden, err := p.commitments()
	if err != nil {
		return nil, err
	}
	k1, k2 := d.scalar(), d.scalar()
	defer k1.Erase()
	defer k2.Erase()
	o, err := cbss.Open(hidden, s.place, share, blind, k1, k2, hash)
	if err != nil {
		return nil, err
	}
	if s.kept.lock != hash {
		s.kept.lock, d.dirty = hash, true
	}
	return appendOpening(nil, o), nil
}

// commitments are the sum of the dealers'.
func (p *proposal) commitments() ([]cbss.Key, error) {
	all := make([][]cbss.Key, len(p.logs))
	for i := range p.logs {
		all[i] = p.logs[i].commitments
	}
	return cbss.SumCommitments(all)
}

// sums adds up what the dealers of a proposal gave this member.
func (s *session) sums(p *proposal) (share, blind *cbss.Scalar, err error) {
	var shares, blinds []*cbss.Scalar
	for i := range p.logs {
		one := s.kept.deals[p.logs[i].dealer]
		if one == nil || one.blind == nil {
			return nil, nil, errProposal
		}
		shares, blinds = append(shares, one.share), append(blinds, one.blind)
	}
	if share, err = cbss.Sum(shares); err == nil {
		blind, err = cbss.Sum(blinds)
	}
	return share, blind, err
}

// signs signs the rotation of a new key whose openings are good.
func (d *state) signs(s *session, r *codec.Reader) ([]byte, error) {
	hash, p, err := s.known(r)
	if err != nil {
		return nil, err
	}
	var list []cbss.Opening
	for range r.Len(0, cbss.MaxCommittee, 1) {
		list = append(list, readOpening(r))
	}
	if r.Finish() != nil || s.kept.lock != hash {
		return nil, errLocked
	}
	commitments, err := s.openedCommitments(p, list)
	if err != nil {
		return nil, err
	}
	mark := d.self.Key.Sign(d.rotation(s, commitments))
	return mark[:], nil
}

// openedCommitments are those of a new key.
func (s *session) openedCommitments(p *proposal, list []cbss.Opening) ([]cbss.Key, error) {
	hidden, err := p.commitments()
	if err != nil {
		return nil, err
	}
	if len(list) != s.task.Quorum {
		return nil, errMarks
	}
	for i := range list {
		if err := list[i].Check(hidden, p.hash(s.id)); err != nil {
			return nil, err
		}
	}
	return cbss.Interpolate(list)
}

// conclude finds this member's share of a key that is on the chain, and erases the rest of the session.
func (d *state) conclude(s *session, g *secret.Generation) {
	if s.place > 0 && g != nil && g.Epoch == s.task.Epoch() && g.PlaceOf(d.self.ID) == s.place && d.held(s.task.Scope, g.Epoch) == nil {
		if share := s.find(g); share != nil {
			d.shares[s.task.Scope] = append(d.shares[s.task.Scope], &Share{Epoch: g.Epoch, Place: s.place, Secret: share})
			d.tell("holds", s.task.Scope, nil)
		} else {
			d.tell("without", s.task.Scope, nil)
		}
	}
	for _, one := range s.kept.deals { // order-free: all of them go
		one.erase()
	}
	from := 0
	if s.task.Before != nil {
		from = 1 // the first is the share that still serves
	}
	for i := from; i < len(s.poly); i++ {
		s.poly[i].Erase()
	}
	for _, b := range s.blind {
		b.Erase()
	}
	s.kept.seed = [32]byte{}
	delete(d.kept, s.id)
	delete(d.sessions, s.id)
	d.dirty = true
}

// find adds up the shares of the dealers that the key on the chain is of: those of a proposal it knows, or else any that fit.
func (s *session) find(g *secret.Generation) *cbss.Scalar {
	public, err := cbss.PublicShare(g.Commitments, s.place)
	if err != nil {
		return nil
	}
	have := make([]uint32, 0, len(s.kept.deals))
	for dealer := range s.kept.deals { // order-free: sorted below
		have = append(have, dealer)
	}
	slices.Sort(have)
	tried := 0
	for size := len(have); size >= s.task.Quorum; size-- {
		if share := s.choose(have, nil, size, &tried, public); share != nil {
			return share
		}
	}
	return nil
}

// choose tries the sets of a size that hold the dealers chosen already.
func (s *session) choose(rest, chosen []uint32, size int, tried *int, public cbss.Key) *cbss.Scalar {
	if len(chosen) == size {
		if *tried++; *tried > maxSubsets {
			return nil
		}
		return s.fits(chosen, public)
	}
	for i := range rest {
		if len(rest)-i < size-len(chosen) {
			break
		}
		if share := s.choose(rest[i+1:], append(slices.Clone(chosen), rest[i]), size, tried, public); share != nil {
			return share
		}
	}
	return nil
}

func (s *session) fits(dealers []uint32, public cbss.Key) *cbss.Scalar {
	parts := make([]*cbss.Scalar, len(dealers))
	for i, dealer := range dealers {
		parts[i] = s.kept.deals[dealer].share
	}
	if s.task.Before != nil {
		weights, err := cbss.Weights(dealers)
		if err != nil {
			return nil
		}
		for i := range parts {
			if parts[i], err = parts[i].Times(weights[i]); err != nil {
				return nil
			}
		}
	}
	share, err := cbss.Sum(parts)
	if err != nil || share.Public() != public {
		return nil
	}
	return share
}
