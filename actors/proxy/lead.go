package proxy

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// leading is what a member has gathered that leads a session. It is lost with a restart, and gathered anew.
type leading struct {
	age      int
	logs     map[uint32]*log
	proposal *proposal
	hash     digest.Hash
	votes    map[digest.Hash]sig.Signature // by proxy
	openings map[uint32]cbss.Opening
	chosen   []cbss.Opening
	signed   map[digest.Hash]sig.Signature
	sent     int // ticks since the rotation was sent; 0: not yet
}

func newLeading() *leading {
	return &leading{
		logs: map[uint32]*log{}, votes: map[digest.Hash]sig.Signature{}, openings: map[uint32]cbss.Opening{}, signed: map[digest.Hash]sig.Signature{},
	}
}

// step is what a session does in a tick.
func (d *state) step(s *session) {
	s.age++
	members := s.task.Committee
	again := s.age <= leadAfter || s.age%patience == 0 // who did not answer at first is asked less often
	if s.dealer > 0 && again {
		for place := uint32(1); int(place) <= len(members); place++ {
			if _, ok := s.acks[place]; ok {
				continue
			}
			if body, err := d.dealFor(s, place); err == nil {
				d.ask(s, stepDeal, members[place-1], body)
			}
		}
	}
	if s.place > 0 && len(s.kept.deals) > 0 {
		body := s.mine()
		for _, to := range members {
			if to != d.self.ID && s.told[to] < len(s.kept.deals) {
				d.ask(s, stepHeard, to, body)
			}
		}
	}
	if s.place > 0 && s.age > int(s.place-1)*leadAfter {
		d.leads(s, again)
	}
}

// mine is what this member has, for the others.
func (s *session) mine() []byte {
	dealers := make([]uint32, 0, len(s.kept.deals))
	for dealer := range s.kept.deals { // order-free: sorted below
		dealers = append(dealers, dealer)
	}
	slices.Sort(dealers)
	body := codec.AppendLen(codec.AppendU8(nil, uint8(s.place)), len(dealers))
	for _, dealer := range dealers {
		one := s.kept.deals[dealer]
		hash := hashOf(one.commitments)
		body = codec.AppendFixed(codec.AppendFixed(codec.AppendU8(body, uint8(dealer)), hash[:]), one.ack[:])
	}
	return body
}

// leads gathers, one thing after another: logs, votes, openings, signatures. again says whether those whose logs are not whole are asked once more.
func (d *state) leads(s *session, again bool) {
	if s.lead == nil || s.lead.age > leadAgain {
		s.lead = newLeading()
	}
	l := s.lead
	l.age++
	if l.proposal == nil {
		if !again {
			return
		}
		for i, to := range s.task.dealers() {
			if log := l.logs[uint32(i+1)]; log == nil || len(log.acks) < len(s.task.Committee) {
				d.ask(s, stepLog, to, nil)
			}
		}
		p, whole := d.propose(s)
		if p == nil || !whole && l.age < patience || s.early(p) {
			return
		}
		l.proposal, l.hash, l.age = p, p.hash(s.id), 0
	}
	body := l.proposal.encode()
	for _, to := range s.voters() {
		if _, ok := l.votes[to]; !ok {
			d.ask(s, stepVote, to, body)
		}
	}
	if s.task.Before != nil {
		d.finishes(s)
		return
	}
	if len(l.votes) < s.quorum() {
		return
	}
	if l.chosen == nil {
		d.gather(s)
		return
	}
	body = codec.AppendLen(slices.Clone(l.hash[:]), len(l.chosen))
	for i := range l.chosen {
		body = appendOpening(body, &l.chosen[i])
	}
	for _, m := range l.proposal.members {
		if to := s.task.Committee[m-1]; l.signed[to] == (sig.Signature{}) {
			d.ask(s, stepSign, to, body)
		}
	}
	d.finishes(s)
}

// voters are those who are asked to vote.
func (s *session) voters() (list []digest.Hash) {
	for _, m := range s.lead.proposal.members {
		list = append(list, s.task.Committee[m-1])
	}
	if s.task.Before != nil {
		for _, id := range s.task.Before.Committee {
			if !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
	}
	return list
}

// gather asks for openings, and chooses as many as the threshold.
func (d *state) gather(s *session) {
	l := s.lead
	var votes []mark
	for i, id := range s.task.Committee {
		if signature, ok := l.votes[id]; ok {
			votes = append(votes, mark{uint32(i + 1), signature})
		}
	}
	body := appendMarks(slices.Clone(l.hash[:]), votes)
	for _, m := range l.proposal.members {
		if _, ok := l.openings[m]; !ok {
			d.ask(s, stepOpen, s.task.Committee[m-1], body)
		}
	}
	if len(l.openings) < s.task.Quorum {
		return
	}
	for _, m := range l.proposal.members {
		if o, ok := l.openings[m]; ok && len(l.chosen) < s.task.Quorum {
			l.chosen = append(l.chosen, o)
		}
	}
}

// propose chooses dealers and members from the logs: all members that have shares of enough dealers, less those who keep too many dealers out. whole reports
// whether nobody is missing.
func (d *state) propose(s *session) (p *proposal, whole bool) {
	acked := map[uint32]map[uint32]sig.Signature{} // by dealer and member
	for dealer, l := range s.lead.logs {           // order-free: into a map
		acked[dealer] = map[uint32]sig.Signature{}
		for _, a := range l.acks {
			acked[dealer][a.place] = a.signature
		}
	}
	in := map[uint32]bool{}
	for m := uint32(1); int(m) <= len(s.task.Committee); m++ {
		n := 0
		for dealer := range acked { // order-free: counted
			if _, ok := acked[dealer][m]; ok {
				n++
			}
		}
		in[m] = n >= s.task.Quorum
	}
	for {
		members, dealers := s.fitting(in, acked)
		if len(members) < s.quorum() {
			return nil, false
		}
		if len(dealers) >= s.task.Quorum {
			return s.proposalOf(members, dealers, acked), len(members) == len(s.task.Committee) && len(dealers) == len(s.task.dealers())
		}
		worst, fewest := uint32(0), len(acked)+1
		for _, m := range members {
			n := 0
			for dealer := range acked { // order-free: counted
				if _, ok := acked[dealer][m]; ok {
					n++
				}
			}
			if n < fewest {
				worst, fewest = m, n
			}
		}
		in[worst] = false
	}
}

func (s *session) fitting(in map[uint32]bool, acked map[uint32]map[uint32]sig.Signature) (members, dealers []uint32) {
	for m := uint32(1); int(m) <= len(s.task.Committee); m++ {
		if in[m] {
			members = append(members, m)
		}
	}
	for dealer := uint32(1); int(dealer) <= len(s.task.dealers()); dealer++ {
		all := acked[dealer] != nil
		for _, m := range members {
			_, ok := acked[dealer][m]
			all = all && ok
		}
		if all {
			dealers = append(dealers, dealer)
		}
	}
	return members, dealers
}

func (s *session) proposalOf(members, dealers []uint32, acked map[uint32]map[uint32]sig.Signature) *proposal {
	p := &proposal{members: members}
	for _, dealer := range dealers {
		l := log{dealer: dealer, commitments: s.lead.logs[dealer].commitments}
		for _, m := range members {
			l.acks = append(l.acks, mark{m, acked[dealer][m]})
		}
		p.logs = append(p.logs, l)
	}
	return p
}

// finishes sends the rotation once both committees have signed it.
//
// Spec: secrets-cbss §5 (RotateCommittee: t signatures of the new, and of the old committee).
func (d *state) finishes(s *session) {
	l := s.lead
	commitments, err := d.agreed(s)
	if err != nil || commitments == nil {
		return
	}
	hash := d.rotation(s, commitments)
	marks := l.signed
	if s.task.Before != nil {
		marks = l.votes
	}
	next, ok := d.collect(s.task.Committee, marks, hash, s.task.Quorum)
	if !ok {
		return
	}
	in := &tx.RotateCommittee{Scope: s.task.Scope.Bytes(), Epoch: s.task.Epoch(), Master: commitments[0], Signatures: next}
	if s.task.Before != nil {
		if in.Prior, ok = d.collect(s.task.Before.Committee, marks, hash, s.task.Quorum); !ok {
			return
		}
	}
	for _, id := range s.task.Committee {
		in.Committee = append(in.Committee, id[:]...)
	}
	for _, c := range commitments {
		in.Commitments = append(in.Commitments, c[:]...)
	}
	if l.sent == 0 || l.sent >= leadAfter {
		l.sent = 0
		d.send(in)
	}
	l.sent++
}

// agreed are the commitments that are to be signed; nil while they are not known.
func (d *state) agreed(s *session) ([]cbss.Key, error) {
	l := s.lead
	if s.task.Before != nil {
		return s.passedCommitments(l.proposal)
	}
	if l.chosen == nil {
		return nil, nil
	}
	return cbss.Interpolate(l.chosen)
}

// collect puts the signatures of a committee into the order of its places, as many as the chain wants.
func (d *state) collect(committee []digest.Hash, marks map[digest.Hash]sig.Signature, hash digest.Hash, quorum int) (out []byte, ok bool) {
	n := 0
	for i, id := range committee {
		peer, signature := d.peers[id], marks[id]
		if n < quorum && peer != nil && signedBy(peer.Key, hash, signature) {
			out = secret.Signed{Place: uint8(i), Signature: signature}.Append(out)
			n++
		}
	}
	return out, n >= quorum
}

// answered takes an answer to a question of this session. One that is wrong counts as none.
func (d *state) answered(s *session, step byte, from digest.Hash, count int, body []byte) {
	r := codec.NewReader(body)
	var signature sig.Signature
	switch step {
	case stepDeal, stepVote, stepSign:
		if r.Into(signature[:]); r.Finish() != nil {
			return
		}
	}
	peer := d.peers[from]
	place := placeOf(s.task.Committee, from)
	l := s.lead
	switch {
	case peer == nil:
	case step == stepDeal && place > 0:
		if signedBy(peer.Key, ackHash(s.id, s.dealer, hashOf(s.commitments)), signature) {
			s.acks[place] = signature
		}
	case step == stepHeard:
		s.told[from] = count
	case l == nil:
	case step == stepLog && l.proposal == nil:
		if log := readLog(r); r.Finish() == nil && log.dealer == placeOf(s.task.dealers(), from) && len(log.commitments) == s.task.Quorum {
			d.accept(s, &log)
		}
	case l.proposal == nil:
	case step == stepVote:
		if s.task.Before != nil || signedBy(peer.Key, voteHash(l.hash), signature) {
			l.votes[from] = signature
		}
	case step == stepOpen && slices.Contains(l.proposal.members, place):
		o := readOpening(r)
		hidden, err := l.proposal.commitments()
		if r.Finish() == nil && err == nil && o.Place == place && o.Check(hidden, l.hash) == nil {
			l.openings[place] = o
		}
	case step == stepSign:
		l.signed[from] = signature
	}
}

// adopts goes on with a proposal that a member has opened for already.
func (d *state) adopts(s *session, body []byte) {
	l := s.lead
	r := codec.NewReader(body)
	p := readProposal(r)
	if r.Finish() != nil || l == nil || l.proposal == nil || l.chosen != nil || p.hash(s.id) == l.hash || d.examine(s, p) != nil {
		return
	}
	next := newLeading()
	next.logs, next.proposal, next.hash = l.logs, p, p.hash(s.id)
	s.lead = next
}

// accept keeps of a dealer's log what is good of it.
func (d *state) accept(s *session, l *log) {
	hash := hashOf(l.commitments)
	l.acks = slices.DeleteFunc(l.acks, func(a mark) bool {
		if a.place == 0 || int(a.place) > len(s.task.Committee) {
			return true
		}
		peer := d.peers[s.task.Committee[a.place-1]]
		return peer == nil || !signedBy(peer.Key, ackHash(s.id, l.dealer, hash), a.signature)
	})
	s.lead.logs[l.dealer] = l
}
