package replica

import (
	"bytes"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

const (
	// fetchEvery is how long one peer is waited for before the next is asked.
	fetchEvery = 300 * time.Millisecond
	// fetchesMax bounds the blocks asked for at the same time.
	fetchesMax = 32
	// earlyMax, earlyBytes and earlyFrame bound the frames of the next epoch that are kept until it begins: their number, their bytes and those of each.
	earlyMax, earlyBytes, earlyFrame = 256, 2 << 20, 1 << 16
)

// peer is a connected node, with its rank in the current epoch, or simplex.Observer while that is not known.
type peer = roster.Peer[uint32]

// peers are the connected nodes.
type peers struct{ roster.Roster[uint32] }

// forget forgets who is which validator: ranks are an epoch's.
func (p *peers) forget() {
	for _, x := range p.All() {
		x.Role = simplex.Observer
	}
}

// validators lists the peers whose rank is known. The list is not changed afterwards.
func (p *peers) validators() (list []Met) {
	for _, x := range p.All() {
		if x.Role != simplex.Observer {
			list = append(list, Met{x.ID, x.Role})
		}
	}
	return list
}

func (s *state) connected(id link.Peer) {
	if s.peers.Add(id, simplex.Observer) {
		s.introduce(id)
	}
}

// introduce tells peers which validator this node is, also while it must not vote.
func (s *state) introduce(to ...link.Peer) {
	if s.epoch == nil || len(to) == 0 {
		return
	}
	if rank := s.epoch.committee.Self; rank != simplex.Observer {
		s.do(introduce{to, rank})
	}
}

// heard takes a frame of a connected peer.
func (s *state) heard(e heard) {
	p := s.peers.Of(e.from)
	if p == nil {
		return
	}
	f, err := DecodePeerMessage(e.frame)
	if err != nil {
		s.do(report{p.ID, "a frame that does not decode: " + err.Error()})
		return
	}
	switch f := f.(type) {
	case *Agreement:
		s.agreement(p, f, e)
	case *Introduction:
		s.introduced(p, f)
	case *IntroductionRequest:
		if p.Allow(s.now) {
			s.introduce(p.ID)
			if p.Role != simplex.Observer { // what was sent to it before was not listened to
				s.event(simplex.Met{Peer: p.Role}, nil)
			}
		}
	case *BlockRequest:
		s.serve(p, f)
	case *BlockResponse:
		s.arrived(p, f.Block)
	}
}

// introduced learns which validator a peer is. One that does not verify may be of another epoch's set; it introduces nobody.
func (s *state) introduced(p *peer, f *Introduction) {
	if p.Role == f.Rank || !p.Allow(s.now) {
		return
	}
	if int(f.Rank) >= len(s.epoch.committee.Stakes) ||
		s.epoch.committee.Scheme.Verify(f.Rank, roster.IntroductionPreimage(s.namespace, p.ID), f.Signature) != nil {
		return
	}
	p.Role = f.Rank
	s.event(simplex.Met{Peer: f.Rank}, nil)
}

// agreement takes a message of simplex. Messages of the epoch before are answered by its State; those of the next wait a little, since the others may be
// a block ahead; of any later one they say that this node is behind.
func (s *state) agreement(p *peer, f *Agreement, e heard) {
	switch {
	case f.Epoch == s.epoch.number:
	case s.previous != nil && f.Epoch == s.previous.number:
		s.answerPreviousEpoch(p, f.Message)
		return
	case f.Epoch == s.epoch.number+1:
		size := len(e.frame)
		for _, x := range s.early {
			size += len(x.frame)
		}
		if len(s.early) < earlyMax && len(e.frame) <= earlyFrame && size <= earlyBytes {
			s.early = append(s.early, e)
		}
		s.behind()
		return
	default:
		if f.Epoch > s.epoch.number {
			s.behind()
		}
		return
	}
	if p.Role == simplex.Observer && votes(f.Message) {
		if p.Allow(s.now) {
			s.do(send{[]link.Peer{p.ID}, &IntroductionRequest{}})
		}
		return
	}
	if m, ok := f.Message.(*simplex.Propose); ok {
		if !s.keep(p, m) {
			s.do(report{p.ID, "a block that is not the one its header names"})
			if m.Vote.Signer != p.Role {
				return
			}
			m.Spoilt = true // by the leader itself
		}
		if m.Vote.Signer != p.Role {
			s.do(relayed{})
		}
	}
	id := p.ID
	s.event(simplex.Received{From: p.Role, Message: f.Message}, &id)
}

// votes reports whether only validators send a message.
func votes(m simplex.Message) bool {
	switch m.(type) {
	case *simplex.Vote, *simplex.NewView, *simplex.Propose, *simplex.Accusation:
		return true
	}
	return false
}

// behind asks for the blocks up to the end of the epoch.
func (s *state) behind() {
	if s.seeks && s.finals.sought < s.epoch.last && s.finals.far == nil {
		s.finals.sought = s.epoch.last
		s.do(seek{s.epoch.last})
	}
}

// answerPreviousEpoch lets the State of the epoch before answer those who are still in it.
func (s *state) answerPreviousEpoch(p *peer, m simplex.Message) {
	for _, e := range s.previous.state.Step(simplex.Received{From: p.Role, Message: m}) {
		if e, ok := e.(simplex.Send); ok {
			s.do(send{[]link.Peer{p.ID}, &Agreement{s.previous.number, e.Message}})
		}
	}
}

// keep puts a proposal's block into the tree if agreement may come to ask for it, and reports whether its bytes are what its header names.
func (s *state) keep(from *peer, m *simplex.Propose) bool {
	if len(m.Block) == 0 {
		return true
	}
	view := s.epoch.state.Round().View
	if at := m.Vote.Subject.Round.View; at < view || at > view+1 || s.tree.nodes[m.Ref.Hash] != nil || !s.hasRoom(len(m.Block)) {
		return true // it is fetched should it be needed after all
	}
	b, err := block.Decode(m.Block)
	if err != nil || !bodyFits(b) {
		return false
	}
	if n := s.tree.add(b, bytes.Clone(m.Block)); n != nil {
		n.source, n.proposed = from.ID, from.Role == b.Header.ProposerIndex && b.Header.Epoch == s.epoch.number
	}
	return true
}

// hasRoom reports whether another block that nobody asked for may be held.
func (s *state) hasRoom(more int) bool {
	held := s.tree.unasked()
	s.do(occupied{bytes: held})
	return decoded(held+more) <= s.candidates
}

// fetch is a block that is being asked for.
type fetch struct {
	hash     digest.Hash
	signers  sig.Signers // who has it, if known
	attempt  int
	deadline uint64 // serial
}

// fetch asks for a block by its hash, one peer after the other.
func (s *state) fetch(hash digest.Hash, signers sig.Signers) {
	if slices.ContainsFunc(s.fetches, func(f *fetch) bool { return f.hash == hash }) || len(s.fetches) == fetchesMax {
		return
	}
	f := &fetch{hash: hash, signers: signers}
	s.fetches = append(s.fetches, f)
	s.ask(f)
}

func (s *state) ask(f *fetch) {
	if p := s.peers.Next(func(p *peer) bool { return p.Role != simplex.Observer && f.signers.Has(int(p.Role)) }); p != nil {
		s.do(send{[]link.Peer{p.ID}, &BlockRequest{f.hash}})
	}
	f.attempt++
	f.deadline = s.start(fetchEvery, func(serial uint64) event { return overdue{s.life, serial, f.hash} })
}

// attemptsMax bounds how often peers are asked for a block.
func attemptsMax(peers int) int { return 4*(peers+1) + 257 }

// overdue asks the next peer, unless nobody needs the block any more.
func (s *state) overdue(e overdue) {
	at := slices.IndexFunc(s.fetches, func(f *fetch) bool { return f.hash == e.hash })
	if e.life != s.life || at < 0 {
		return
	}
	f := s.fetches[at]
	if f.attempt >= attemptsMax(len(s.peers.All())) || s.tree.nodes[e.hash] != nil {
		s.fetches = slices.Delete(s.fetches, at, at+1) // advanceRequests asks again if it is still needed
		return
	}
	s.ask(f)
}

// arrived takes a block that was asked for; others are not listened to.
func (s *state) arrived(from *peer, raw []byte) {
	ref, err := simplex.InspectBlock(raw)
	if err != nil {
		return
	}
	at := slices.IndexFunc(s.fetches, func(f *fetch) bool { return f.hash == ref.Hash })
	if at < 0 {
		return
	}
	known := s.tree.nodes[ref.Hash] != nil
	n := s.tree.ingest(bytes.Clone(raw))
	if n != nil && !known {
		n.source = from.ID
	}
	if n != nil || s.tree.root.hash == ref.Hash {
		s.do(stop{s.fetches[at].deadline})
		s.fetches = slices.Delete(s.fetches, at, at+1)
	}
}

// serve gives a peer a block it asks for, out of the tree or out of the ledger. What was not looked at is nothing to vouch for.
func (s *state) serve(p *peer, f *BlockRequest) {
	if !p.Allow(s.now) {
		return
	}
	n := s.tree.nodes[f.Hash]
	switch {
	case n != nil && !n.sound:
		return
	case n == nil:
		n = s.finals.find(f.Hash)
	}
	switch {
	case n == nil:
		s.do(serve{p.ID, f.Hash})
	case len(n.raw) <= params.MaxBlockBytes:
		s.do(send{[]link.Peer{p.ID}, &BlockResponse{n.raw}})
	}
}
