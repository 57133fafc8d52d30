package proxy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Rules of time, in ticks, and bounds of a session.
const (
	leadAfter    = 20 // a member leads that many ticks after the one before it
	patience     = 5  // for dealers and members that have not been heard, before a proposal is made without them
	leadAgain    = 30 // a leader that gets nowhere begins anew
	wholeFor     = 60 // of a session, in which a key is passed on to all members or to none: the committee before serves on, and who is cut off comes back
	maxProposals = 2  // that a member remembers of each who leads a session
	maxSubsets   = 8_192
)

// kept is what of a session survives a restart.
type kept struct {
	task  Task
	seed  [32]byte         // of this dealer's polynomials
	lock  digest.Hash      // the proposal this member has opened for; zero for none
	deals map[uint32]*deal // by dealer
}

// heardOf is what a member says it has of a dealer.
type heardOf struct {
	hash digest.Hash
	mark sig.Signature
}

// session is a key that this proxy makes, or passes on, with others.
type session struct {
	id          digest.Hash
	task        Task
	place       uint32 // among the members, from 1; 0 for none of them
	dealer      uint32 // among the dealers, likewise
	kept        *kept
	poly, blind cbss.Polynomial
	commitments []cbss.Key
	acks        map[uint32]sig.Signature // of members, as a dealer gets them
	heard       map[uint32]map[uint32]heardOf
	told        map[digest.Hash]int   // how many acknowledgements a member was told of
	proposals   map[uint32][]proposed // by who leads, the newest last
	age         int
	waiting     map[waits]int // with how many acknowledgements were told
	lead        *leading
	accused     map[uint32]bool
}

// proposed is a proposal that a member has examined.
type proposed struct {
	hash digest.Hash
	*proposal
}

// waits is a question without an answer yet.
type waits struct {
	step byte
	to   digest.Hash
}

// kind is the stream of a session.
func (s *session) kind() byte {
	if s.task.Before != nil {
		return frame.ReshareRound
	}
	return frame.DkgRound
}

// quorum is how many members have to have voted for the dealers of a new key: more than half, so that there are not two sets.
func (s *session) quorum() int { return max(s.task.Quorum, len(s.task.Committee)/2+1) }

// derived is a scalar that follows from a seed.
func derived(seed [32]byte, what byte, k int) *cbss.Scalar {
	for try := byte(0); ; try++ {
		raw := digest.SHA256([]byte(domainSession), seed[:], []byte{what, byte(k), try})
		raw[0] &= 0x7f
		if s, err := cbss.ParseScalar(raw[:]); err == nil {
			return s
		}
	}
}

// begin takes a task on. What was kept of it before a restart goes on.
func (d *state) begin(t *Task) {
	id := t.session(d.chainID)
	s := &session{
		id: id, task: *t, place: placeOf(t.Committee, d.self.ID), dealer: placeOf(t.dealers(), d.self.ID), kept: d.kept[id],
		acks: map[uint32]sig.Signature{}, heard: map[uint32]map[uint32]heardOf{}, told: map[digest.Hash]int{},
		proposals: map[uint32][]proposed{}, waiting: map[waits]int{}, accused: map[uint32]bool{},
	}
	if s.kept == nil {
		s.kept = &kept{task: *t, seed: d.draw(), deals: map[uint32]*deal{}}
		d.kept[id], d.dirty = s.kept, true
	}
	d.sessions[id] = s
	if s.dealer == 0 {
		return
	}
	for k := range t.Quorum {
		s.poly = append(s.poly, derived(s.kept.seed, 0, k))
	}
	if t.Before != nil {
		share := d.held(t.Scope, t.Before.Epoch)
		if share == nil { // it cannot deal what it does not have
			s.dealer = 0
			return
		}
		s.poly[0] = share.Secret
		s.commitments = s.poly.Commitments()
		return
	}
	for k := range t.Quorum {
		s.blind = append(s.blind, derived(s.kept.seed, 1, k))
	}
	hidden, err := cbss.Hide(s.poly, s.blind)
	if err != nil { // of two polynomials of one length
		panic(err)
	}
	s.commitments = hidden
}

// dealFor is what the member at a place is given, sealed to its key.
//
// Spec: secrets-cbss §3 (shares are sent under HPKE; dealers of a resharing share s_j).
func (d *state) dealFor(s *session, place uint32) ([]byte, error) {
	member := d.peers[s.task.Committee[place-1]]
	if member == nil {
		return nil, errUnknown
	}
	share, err := s.poly.At(place)
	if err != nil {
		return nil, err
	}
	var plain []byte
	if s.task.Before != nil {
		one := cbss.Deal{
			ChainID: d.chainID, Scope: s.task.Scope.Bytes(), Epoch: s.task.Epoch(), Dealer: d.self.ID, Place: uint8(place), Commitments: s.commitments,
			Share: [cbss.ScalarSize]byte(share.Bytes()),
		}
		plain = one.Signed(d.self.Key)
	} else {
		blind, err := s.blind.At(place)
		if err != nil {
			return nil, err
		}
		one := cbss.HiddenDeal{
			ChainID: d.chainID, Session: s.id, Dealer: d.self.ID, Place: uint8(place), Commitments: s.commitments,
			Share: [cbss.ScalarSize]byte(share.Bytes()), Blind: [cbss.ScalarSize]byte(blind.Bytes()),
		}
		plain = one.Signed(d.self.Key)
	}
	sealed, err := frame.Seal(member.HPKE, frame.ShareInfo, s.id, plain)
	clear(plain)
	if err != nil {
		return nil, err
	}
	return codec.AppendBytes(codec.AppendU8(nil, uint8(s.dealer)), sealed), nil
}

// The refusals among proxies.
var (
	errUnknown  = errors.New("the session is not known here")
	errStranger = errors.New("only who takes part in a key asks this, with the key that the chain has of it")
	errDeal     = errors.New("the share is not one that follows from good commitments of its dealer")
	errTwice    = errors.New("the dealer gave another share before")
	errProposal = errors.New("the proposal leaves out what is good, or holds what is not")
	errLocked   = errors.New("another proposal is opened already")
	errMarks    = errors.New("too few signatures, or a wrong one")
)

// dealt takes a dealer's share, once, and acknowledges it. A dealer who signed a share which does not follow from its own commitments is accused.
//
// Spec: secrets-cbss §3 (complaints), §5 (DkgSabotage), §10 (3).
func (d *state) dealt(s *session, r *codec.Reader) ([]byte, error) {
	dealer, sealed := uint32(r.U8()), r.Bytes(frame.MaxBody)
	if r.Finish() != nil || s.place == 0 || dealer == 0 || int(dealer) > len(s.task.dealers()) {
		return nil, errDeal
	}
	from := d.peers[s.task.dealers()[dealer-1]]
	if from == nil {
		return nil, errUnknown
	}
	plain, err := frame.Open(d.self.HPKE, frame.ShareInfo, s.id, sealed)
	if err != nil {
		return nil, errDeal
	}
	defer clear(plain)
	var one *deal
	if s.task.Before != nil {
		one, err = d.passedOn(s, dealer, from, plain)
	} else {
		one, err = d.hidden(s, dealer, from, plain)
	}
	if err != nil {
		return nil, err
	}
	hash := hashOf(one.commitments)
	if before := s.kept.deals[dealer]; before != nil {
		one.erase()
		if hashOf(before.commitments) != hash {
			return nil, errTwice
		}
		return before.ack[:], nil
	}
	one.ack = d.self.Key.Sign(ackHash(s.id, dealer, hash))
	s.kept.deals[dealer], d.dirty = one, true
	return one.ack[:], nil
}

// hidden reads a share of a new key.
func (d *state) hidden(s *session, dealer uint32, from *Peer, plain []byte) (*deal, error) {
	q, mark, err := cbss.ParseHiddenDeal(plain)
	if err != nil || q.ChainID != d.chainID || q.Session != s.id || q.Dealer != from.ID || uint32(q.Place) != s.place || !signedBy(from.Key, q.Hash(), mark) {
		return nil, errDeal
	}
	if len(q.Commitments) > 0 && !q.Follows() {
		d.accuse(s, dealer, from, plain)
		return nil, errDeal
	}
	if len(q.Commitments) != s.task.Quorum {
		return nil, errDeal
	}
	one := &deal{commitments: q.Commitments}
	if one.share, err = cbss.ParseScalar(q.Share[:]); err != nil {
		return nil, errDeal
	}
	if one.blind, err = cbss.ParseScalar(q.Blind[:]); err != nil {
		return nil, errDeal
	}
	return one, nil
}

// accuse brings a dealer's signed share to the chain, once.
//
// Spec: secrets-cbss §5 (DkgSabotage).
func (d *state) accuse(s *session, dealer uint32, from *Peer, plain []byte) {
	if !s.accused[dealer] {
		s.accused[dealer] = true
		d.send(&tx.SlashCbssProxy{Proxy: from.ID, Fault: uint64(secret.Sabotage), Evidence: slices.Clone(plain)})
	}
}

// passedOn reads a share of a key that is passed on.
func (d *state) passedOn(s *session, dealer uint32, from *Peer, plain []byte) (*deal, error) {
	q, mark, err := cbss.ParseDeal(plain)
	if err != nil || q.ChainID != d.chainID || q.Epoch != s.task.Epoch() || q.Dealer != from.ID || uint32(q.Place) != s.place ||
		!slices.Equal(q.Scope, s.task.Scope.Bytes()) || !signedBy(from.Key, q.Hash(), mark) {
		return nil, errDeal
	}
	share, err := cbss.ParseScalar(q.Share[:])
	if err != nil || len(q.Commitments) > 0 && cbss.CheckShare(q.Commitments, s.place, share) != nil {
		d.accuse(s, dealer, from, plain)
		return nil, errDeal
	}
	if len(q.Commitments) != s.task.Quorum || !s.continues(dealer, q.Commitments) {
		return nil, errDeal
	}
	return &deal{commitments: q.Commitments, share: share}, nil
}

// continues reports whether a dealer's commitments begin with its public share of the key before.
//
// Spec: secrets-cbss §3 (the master key never changes), §10 (3).
func (s *session) continues(dealer uint32, commitments []cbss.Key) bool {
	public, err := cbss.PublicShare(s.task.Before.Commitments, dealer)
	return err == nil && commitments[0] == public
}

// hears remembers what a member says it has.
func (d *state) hears(s *session, r *codec.Reader) error {
	member := uint32(r.U8())
	if member == 0 || int(member) > len(s.task.Committee) {
		return errUnknown
	}
	peer := d.peers[s.task.Committee[member-1]]
	if peer == nil {
		return errUnknown
	}
	for range r.Len(0, cbss.MaxCommittee, 1+digest.Size+sig.SignatureSize) {
		dealer, one := uint32(r.U8()), heardOf{}
		r.Into(one.hash[:])
		r.Into(one.mark[:])
		if _, known := s.heard[member][dealer]; known || r.Err() != nil || dealer == 0 || int(dealer) > len(s.task.dealers()) {
			continue
		}
		if !signedBy(peer.Key, ackHash(s.id, dealer, one.hash), one.mark) {
			return errMarks
		}
		if s.heard[member] == nil {
			s.heard[member] = map[uint32]heardOf{}
		}
		s.heard[member][dealer] = one
	}
	return r.Finish()
}

// logged is what this dealer shows a leader.
func (s *session) logged() ([]byte, error) {
	if s.dealer == 0 {
		return nil, errUnknown
	}
	l := log{dealer: s.dealer, commitments: s.commitments}
	for place := uint32(1); int(place) <= len(s.task.Committee); place++ {
		if signature, ok := s.acks[place]; ok {
			l.acks = append(l.acks, mark{place, signature})
		}
	}
	return l.append(nil), nil
}

// early reports whether a proposal leaves a member of a key that is passed on without a share although that member may still come. A member without a share
// cannot deal the next time, so that two such times in a row would leave too few dealers until all are back.
//
// Spec: secrets-cbss §3 (resharing), §6 (RESHARE_GRACE: the committee before serves on).
func (s *session) early(p *proposal) bool {
	return s.task.Before != nil && len(p.members) < len(s.task.Committee) && s.age < wholeFor
}

// examine holds a proposal to the rules: enough dealers and members, good commitments, an acknowledgement of each member of each dealer, and nobody left
// out who shows that it has shares of enough dealers. Reject: errProposal.
//
// Spec: secrets-cbss §3 (complaints), §10 (3: degree and threshold, no identity points).
func (d *state) examine(s *session, p *proposal) error {
	if len(p.members) < s.quorum() || len(p.logs) < s.task.Quorum || s.early(p) {
		return errProposal
	}
	in := map[uint32]bool{}
	for i, m := range p.members {
		if m == 0 || int(m) > len(s.task.Committee) || i > 0 && m <= p.members[i-1] {
			return errProposal
		}
		in[m] = true
	}
	for i := range p.logs {
		if i > 0 && p.logs[i].dealer <= p.logs[i-1].dealer {
			return errProposal
		}
		if err := d.examineLog(s, p, &p.logs[i]); err != nil {
			return err
		}
	}
	for m := uint32(1); int(m) <= len(s.task.Committee); m++ {
		have := len(s.heard[m])
		if m == s.place {
			have = len(s.kept.deals)
		}
		if !in[m] && have >= s.task.Quorum {
			return fmt.Errorf("%w: member %d has shares", errProposal, m)
		}
	}
	return nil
}

func (d *state) examineLog(s *session, p *proposal, l *log) error {
	if l.dealer == 0 || int(l.dealer) > len(s.task.dealers()) || len(l.commitments) != s.task.Quorum || len(l.acks) != len(p.members) {
		return errProposal
	}
	for _, c := range l.commitments {
		if c.Check() != nil {
			return errProposal
		}
	}
	if s.task.Before != nil && !s.continues(l.dealer, l.commitments) {
		return errProposal
	}
	hash := hashOf(l.commitments)
	for i, a := range l.acks {
		peer := d.peers[s.task.Committee[p.members[i]-1]]
		if a.place != p.members[i] || peer == nil || !signedBy(peer.Key, ackHash(s.id, l.dealer, hash), a.signature) {
			return errProposal
		}
		if a.place == s.place {
			if mine := s.kept.deals[l.dealer]; mine == nil || hashOf(mine.commitments) != hash {
				return errProposal
			}
		}
	}
	return nil
}

// shown is the place of who has shown a key among proxies, 0 for none of them.
func (d *state) shown(key digest.Hash, among []digest.Hash) uint32 {
	return uint32(slices.IndexFunc(among, func(id digest.Hash) bool { return d.peers[id] != nil && d.peers[id].TLS == key }) + 1)
}

// remember keeps a proposal of a leader's, and drops the oldest one beyond the bound. So no leader has others forget what a better one proposed.
func (s *session) remember(leader uint32, hash digest.Hash, p *proposal) {
	list := slices.DeleteFunc(s.proposals[leader], func(one proposed) bool { return one.hash == hash })
	if len(list) == maxProposals {
		oldest := 0
		if list[0].hash == s.kept.lock {
			oldest = 1
		}
		list = slices.Delete(list, oldest, oldest+1)
	}
	s.proposals[leader] = append(list, proposed{hash, p})
}

// proposal finds one that is remembered; nil for none.
func (s *session) proposal(hash digest.Hash) *proposal {
	for _, list := range s.proposals { // order-free: all of one hash are the same
		for _, one := range list {
			if one.hash == hash {
				return one.proposal
			}
		}
	}
	return nil
}

// votes judges a proposal of a member that leads and has shown a key: of a new key the answer is a vote, of one that is passed on the rotation's signature.
//
// Spec: secrets-cbss §3 (making keys, resharing).
func (d *state) votes(s *session, from digest.Hash, r *codec.Reader) ([]byte, error) {
	p, leader := readProposal(r), d.shown(from, s.task.Committee)
	if r.Finish() != nil || leader == 0 {
		return nil, errProposal
	}
	hash := p.hash(s.id)
	if s.kept.lock != (digest.Hash{}) && s.kept.lock != hash {
		return nil, errLocked
	}
	if s.place == 0 && s.task.Before == nil {
		return nil, errUnknown
	}
	if err := d.examine(s, p); err != nil {
		return nil, err
	}
	s.remember(leader, hash, p)
	if s.task.Before == nil {
		mark := d.self.Key.Sign(voteHash(hash))
		return mark[:], nil
	}
	commitments, err := s.passedCommitments(p)
	if err != nil {
		return nil, err
	}
	mark := d.self.Key.Sign(d.rotation(s, commitments))
	return mark[:], nil
}

// passedCommitments are those of a key that is passed on: the dealers' times their weights, of which the first is the master key.
//
// Spec: secrets-cbss §3 (λ_j), §5 (vss_commitments[0] = mpk).
func (s *session) passedCommitments(p *proposal) ([]cbss.Key, error) {
	places := make([]uint32, len(p.logs))
	for i := range p.logs {
		places[i] = p.logs[i].dealer
	}
	weights, err := cbss.Weights(places)
	if err != nil {
		return nil, err
	}
	all := make([][]cbss.Key, len(p.logs))
	for i := range p.logs {
		for _, c := range p.logs[i].commitments {
			scaled, err := c.Scaled(weights[i])
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], scaled)
		}
	}
	out, err := cbss.SumCommitments(all)
	if err == nil && out[0] != s.task.Master {
		err = errProposal
	}
	return out, err
}

// rotation is what both committees sign.
func (d *state) rotation(s *session, commitments []cbss.Key) digest.Hash {
	r := cbss.Rotation{
		ChainID: d.chainID, Scope: s.task.Scope.Bytes(), Epoch: s.task.Epoch(), Committee: s.task.Committee, Master: commitments[0], Commitments: commitments,
	}
	return r.Hash()
}
