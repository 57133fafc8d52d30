package replica

import (
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// sort takes the effects of one step of agreement: what may be done before the write is begun, the rest waits. Keys that are elsewhere are asked behind it.
func (s *state) sort(effects []simplex.Effect, peer *link.Peer) {
	for _, e := range effects {
		switch e := e.(type) {
		case simplex.Persist:
			s.persist(e.Record)
		case simplex.SignVote, simplex.SignNewView, simplex.SignAccusation:
			if s.epoch.remote {
				s.outputs = append(s.outputs, output{e, peer})
			} else {
				s.release(output{e, peer})
			}
		case simplex.Build:
			s.requests.build = &e
		case simplex.Check:
			s.requests.checks = append(s.requests.checks, e)
		case simplex.Certify:
			s.requests.certify = append(s.requests.certify, e)
		case simplex.Arm:
			s.arm(e)
		case simplex.Entered:
			s.enter(e)
		default:
			s.outputs = append(s.outputs, output{e, peer})
		}
	}
}

// persist puts a record into the batch, and with a vote to notarize its block.
func (s *state) persist(r simplex.Record) {
	if v, ok := r.(*simplex.OwnVote); ok && v.Kind == sig.Notarization {
		if n := s.tree.nodes[v.Subject.BlockHash]; n != nil {
			s.batch.blocks = append(s.batch.blocks, journaled{n.hash, n.height(), n.raw})
		}
	}
	s.batch.records = append(s.batch.records, r)
}

// release does what may be done now about an effect of agreement.
func (s *state) release(o output) {
	switch e := o.effect.(type) {
	case simplex.Forget:
		s.do(forget{e.View})
	case simplex.SignVote:
		s.sign(signVote{e.Vote})
	case simplex.SignNewView:
		s.sign(signNewView{e.NewView})
	case simplex.SignAccusation:
		s.signAccusation(e.Accusation)
	case simplex.Announce:
		s.announce(e)
	case simplex.Broadcast:
		s.broadcast(e)
	case simplex.Send:
		s.send(e, o.peer)
	case simplex.Notarized:
		s.notarized(e.Certificate)
	case simplex.Committed:
		s.committed = max(s.committed, unit.Height(e.Subject.Height))
	case simplex.Finalized:
		s.finalized(e.Certificate)
	case simplex.Accuse:
		s.do(accuse{e.Evidence})
	case simplex.Disputed:
		s.do(dispute{e.Accusation})
	case simplex.Blame:
		s.blame(e, o.peer)
	case simplex.GaveUp:
		s.do(gaveUp{e})
		s.abandon(e.Round.View + 1)
	case simplex.Halt:
		s.halt(&Contradiction{e.First, e.Second})
	}
}

// signAccusation accuses a leader. Whoever keeps the proposal is told first, so that it can be looked at whatever comes of it.
func (s *state) signAccusation(request *simplex.Accusation) {
	p := &BadProposal{Accusation: request}
	if n := s.tree.nodes[request.Subject.BlockHash]; n != nil {
		p.Block, p.Reason = n.raw, n.reason
	}
	s.do(badProposal{p})
	s.sign(signAccusation{request})
}

// arm sets a deadline in place of the one of the same name.
func (s *state) arm(e simplex.Arm) {
	if serial := s.timers[e.Timer]; serial != 0 {
		s.do(stop{serial})
	}
	s.timers[e.Timer] = s.start(time.Duration(e.Delay)*time.Millisecond, func(serial uint64) event { return expired{s.life, serial, e.Timer, e.View} })
}

func (s *state) expired(e expired) {
	if e.life == s.life && s.timers[e.timer] == e.serial {
		s.event(simplex.Expired{Timer: e.timer, View: e.view}, nil)
	}
}

// enter begins a round: what was asked in an earlier one is not answered any more, and the proposals of earlier ones are forgotten.
func (s *state) enter(e simplex.Entered) {
	s.do(entered{})
	s.entered = s.now
	s.epoch.lead = e.Leader
	s.withdraw()
	s.abandon(e.Round.View)
	if s.pacing != 0 {
		s.do(stop{s.pacing})
		s.pacing = 0
	}
	s.tree.drop(e.Round, func(n *node) bool { return n.notarization != nil })
}

// announce proposes: the block travels beside the votes, not among them.
func (s *state) announce(e simplex.Announce) {
	m := &simplex.Propose{Vote: *e.Vote}
	if !e.Again {
		n := s.tree.nodes[e.Vote.Subject.BlockHash]
		if n == nil {
			return // it became final meanwhile
		}
		m.Block = n.raw
	}
	if len(e.To) == 0 {
		s.do(broadcast{s.message(m)})
		return
	}
	s.tell(s.message(m), func(p *peer) bool { return slices.Contains(e.To, p.Role) })
}

func (s *state) broadcast(e simplex.Broadcast) {
	if len(e.Except) == 0 {
		s.do(broadcast{s.message(e.Message)})
		return
	}
	s.tell(s.message(e.Message), func(p *peer) bool { return !slices.Contains(e.Except, p.Role) })
}

// send sends to a validator, wherever it is, or answers whoever asked.
func (s *state) send(e simplex.Send, asker *link.Peer) {
	switch {
	case e.To != simplex.Observer:
		s.tell(s.message(e.Message), func(p *peer) bool { return p.Role == e.To })
	case asker != nil:
		s.do(send{[]link.Peer{*asker}, s.message(e.Message)})
	}
}

// tell sends to those of the peers that suit.
func (s *state) tell(f PeerMessage, suits func(*peer) bool) {
	if to := s.peers.IDs(suits); len(to) > 0 {
		s.do(send{to, f})
	}
}

func (s *state) message(m simplex.Message) PeerMessage { return &Agreement{s.epoch.number, m} }

// blame holds what no honest peer sends against a validator, wherever it is, or against whoever sent it.
func (s *state) blame(e simplex.Blame, sender *link.Peer) {
	if e.Peer == simplex.Observer {
		if sender != nil {
			s.do(report{*sender, e.Reason.String()})
		}
		return
	}
	for _, p := range s.peers.IDs(func(p *peer) bool { return p.Role == e.Peer }) {
		s.do(report{p, e.Reason.String()})
	}
}
