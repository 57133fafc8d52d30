package replica

import (
	"bytes"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// fetchEvery is how long one peer is waited for before the next is asked.
	fetchEvery = 300 * time.Millisecond
	// fetchesMax bounds the blocks asked for at the same time.
	fetchesMax = 32
	// favours bounds what a peer may ask in a second beside agreement: introductions, and blocks by hash.
	favours = 64
	// earlyMax bounds the frames of the next epoch that are kept until it begins.
	earlyMax = 256
)

// peer is a connected node.
type peer struct {
	id      link.Peer
	rank    uint32 // in the current epoch, or simplex.Observer while it is not known
	granted int    // favours since the last renewal
	renewed time.Time
}

// peers are the connected nodes, ascending by identity.
type peers struct{ list []*peer }

func (p *peers) find(id link.Peer) (int, bool) {
	return slices.BinarySearchFunc(p.list, id, func(x *peer, id link.Peer) int { return bytes.Compare(x.id[:], id[:]) })
}

// add adds a peer and reports whether it was absent.
func (p *peers) add(id link.Peer) bool {
	at, known := p.find(id)
	if !known {
		p.list = slices.Insert(p.list, at, &peer{id: id, rank: simplex.Observer})
	}
	return !known
}

func (p *peers) remove(id link.Peer) {
	if at, known := p.find(id); known {
		p.list = slices.Delete(p.list, at, at+1)
	}
}

func (p *peers) of(id link.Peer) *peer {
	if at, known := p.find(id); known {
		return p.list[at]
	}
	return nil
}

// forget forgets who is which validator: ranks are an epoch's.
func (p *peers) forget() {
	for _, x := range p.list {
		x.rank = simplex.Observer
	}
}

// validators counts the peers whose rank is known.
func (p *peers) validators() int {
	n := 0
	for _, x := range p.list {
		if x.rank != simplex.Observer {
			n++
		}
	}
	return n
}

// grant reports whether a peer may be done another favour.
func (s *Subsystem) grant(p *peer) bool {
	if now := s.Clock.Now(); now.Sub(p.renewed) >= time.Second {
		p.granted, p.renewed = 0, now
	}
	p.granted++
	return p.granted <= favours
}

func (s *Subsystem) peerUp(id link.Peer) {
	if s.peers.add(id) {
		s.introduceTo(id)
	}
}

// introduce tells every peer which validator this node is.
func (s *Subsystem) introduce() {
	for _, p := range s.peers.list {
		s.introduceTo(p.id)
	}
}

// introduceTo tells a peer which validator this node is, also while it must not vote.
func (s *Subsystem) introduceTo(id link.Peer) {
	c := s.epoch.committee
	if c.Self == simplex.Observer {
		return
	}
	if s.epoch.introduction == nil {
		signature, err := c.Signer.Introduce(s.Link.Self())
		must(err)
		s.epoch.introduction = (&Introduce{c.Self, signature}).append(nil)
	}
	s.Link.Send(id, link.Consensus, s.epoch.introduction)
}

// heard takes a frame of a connected peer.
func (s *Subsystem) heard(d link.Delivered) {
	p := s.peers.of(d.From)
	if p == nil {
		return
	}
	f, err := DecodeFrame(d.Frame)
	if err != nil {
		s.Link.Report(p.id, "a frame that does not decode: "+err.Error())
		return
	}
	switch f := f.(type) {
	case *Agreement:
		s.agreement(p, f, d)
	case *Introduce:
		s.introduced(p, f)
	case *Who:
		if s.grant(p) {
			s.introduceTo(p.id)
			if p.rank != simplex.Observer { // what was sent to it before was not listened to
				s.event(simplex.Met{Peer: p.rank}, nil)
			}
		}
	case *Want:
		s.serve(p, f)
	case *Have:
		s.arrived(p, f.Block)
	}
}

// introduced learns which validator a peer is. One that does not verify may be of another epoch's set; it introduces nobody.
func (s *Subsystem) introduced(p *peer, f *Introduce) {
	if p.rank == f.Rank || !s.grant(p) {
		return
	}
	if int(f.Rank) >= len(s.epoch.committee.Stakes) ||
		s.epoch.committee.Scheme.Verify(f.Rank, Introduction(s.namespace, p.id), f.Signature) != nil {
		return
	}
	p.rank = f.Rank
	s.event(simplex.Met{Peer: f.Rank}, nil)
}

// agreement takes a message of simplex. Messages of the epoch before are answered by its State; those of the next wait a little, since the others may be
// a block ahead; of any later one they say that this node is behind.
func (s *Subsystem) agreement(p *peer, f *Agreement, d link.Delivered) {
	switch {
	case f.Epoch == s.epoch.number:
	case s.former != nil && f.Epoch == s.former.number:
		s.reminisce(p, f.Message)
		return
	case f.Epoch == s.epoch.number+1:
		if len(s.early) < earlyMax && len(d.Frame) <= 1<<16 {
			s.early = append(s.early, d)
		}
		s.behind()
		return
	default:
		if f.Epoch > s.epoch.number {
			s.behind()
		}
		return
	}
	if p.rank == simplex.Observer && votes(f.Message) {
		if s.grant(p) {
			s.Link.Send(p.id, link.Consensus, (&Who{}).append(nil))
		}
		return
	}
	if m, ok := f.Message.(*simplex.Propose); ok {
		if !s.keep(p, m) {
			s.Link.Report(p.id, "a block that is not the one its header names")
			if m.Vote.Signer != p.rank {
				return
			}
			m.Spoilt = true // by the leader itself
		}
		if m.Vote.Signer != p.rank {
			s.Handle.counters.relayed.Add(1)
		}
	}
	id := p.id
	s.event(simplex.Received{From: p.rank, Message: f.Message}, &id)
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
func (s *Subsystem) behind() {
	if s.Peers.Seek != nil && s.finals.sought < s.epoch.last && s.finals.far == nil {
		s.finals.sought = s.epoch.last
		s.Peers.Seek(s.epoch.last)
	}
}

// reminisce lets the State of the epoch before answer those who are still in it.
func (s *Subsystem) reminisce(p *peer, m simplex.Message) {
	for _, e := range s.former.state.Step(simplex.Received{From: p.rank, Message: m}) {
		if e, ok := e.(simplex.Send); ok {
			s.Link.Send(p.id, link.Consensus, (&Agreement{s.former.number, e.Message}).append(nil))
		}
	}
}

// keep puts a proposal's block into the tree if agreement may come to ask for it, and reports whether its bytes are what its header names.
func (s *Subsystem) keep(from *peer, m *simplex.Propose) bool {
	if len(m.Block) == 0 {
		return true
	}
	view := s.epoch.state.Round().View
	if at := m.Vote.Subject.Round.View; at < view || at > view+1 || s.tree.nodes[m.Link.Hash] != nil || !s.tree.spare(len(m.Block)) {
		return true // it is fetched should it be needed after all
	}
	b, err := block.Decode(m.Block)
	if err != nil || !bodyFits(b) {
		return false
	}
	if n := s.tree.add(b, bytes.Clone(m.Block)); n != nil {
		n.bringer, n.proposed = from.id, from.rank == b.Header.ProposerIndex && b.Header.Epoch == s.epoch.number
	}
	return true
}

// announce proposes: the block travels beside the votes, not among them.
func (s *Subsystem) announce(e simplex.Announce) {
	m := &simplex.Propose{Vote: *e.Vote}
	if !e.Again {
		n := s.tree.nodes[e.Vote.Subject.BlockHash]
		if n == nil {
			return // it became final meanwhile
		}
		m.Block = n.raw
	}
	if len(e.To) == 0 {
		s.Link.Broadcast(link.Blocks, s.frame(m))
		return
	}
	data := s.frame(m)
	for _, p := range s.peers.list {
		if slices.Contains(e.To, p.rank) {
			s.Link.Send(p.id, link.Blocks, data)
		}
	}
}

func (s *Subsystem) broadcast(e simplex.Broadcast) {
	if len(e.Except) == 0 {
		s.Link.Broadcast(link.Consensus, s.frame(e.Message))
		return
	}
	var data []byte // often nobody is left
	for _, p := range s.peers.list {
		if slices.Contains(e.Except, p.rank) {
			continue
		}
		if data == nil {
			data = s.frame(e.Message)
		}
		s.Link.Send(p.id, link.Consensus, data)
	}
}

func (s *Subsystem) frame(m simplex.Message) []byte {
	return (&Agreement{s.epoch.number, m}).append(nil)
}

// send sends to a validator, wherever it is, or answers whoever asked.
func (s *Subsystem) send(e simplex.Send, asker *link.Peer) {
	data := s.frame(e.Message)
	if e.To == simplex.Observer {
		if asker != nil {
			s.Link.Send(*asker, link.Consensus, data)
		}
		return
	}
	for _, p := range s.peers.list {
		if p.rank == e.To {
			s.Link.Send(p.id, link.Consensus, data)
		}
	}
}

func (s *Subsystem) blame(e simplex.Blame, sender *link.Peer) {
	if e.Peer == simplex.Observer {
		if sender != nil {
			s.Link.Report(*sender, e.Reason.String())
		}
		return
	}
	for _, p := range s.peers.list {
		if p.rank == e.Peer {
			s.Link.Report(p.id, e.Reason.String())
		}
	}
}

// fetch is a block that is being asked for.
type fetch struct {
	hash     digest.Hash
	signers  sig.Signers // who has it, if known
	attempt  int
	deadline supervision.Deadline
}

// fetch asks for a block by its hash, one peer after the other.
func (s *Subsystem) fetch(hash digest.Hash, signers sig.Signers) {
	if slices.ContainsFunc(s.fetches, func(f *fetch) bool { return f.hash == hash }) || len(s.fetches) == fetchesMax {
		return
	}
	f := &fetch{hash: hash, signers: signers}
	s.fetches = append(s.fetches, f)
	s.ask(f)
}

func (s *Subsystem) ask(f *fetch) {
	var list []*peer
	for _, p := range s.peers.list {
		if p.rank != simplex.Observer && f.signers.Has(int(p.rank)) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		list = s.peers.list
	}
	if len(list) > 0 {
		s.asks++ // never the same peer twice in a row: what it gave may have been no good
		p := list[s.asks%len(list)]
		s.Link.Send(p.id, link.Blocks, (&Want{f.hash}).append(nil))
	}
	f.attempt++
	f.deadline = s.after(fetchEvery, overdue{s.life, f.hash})
}

// overdue asks the next peer, unless nobody needs the block any more.
func (s *Subsystem) overdue(o overdue) {
	at := slices.IndexFunc(s.fetches, func(f *fetch) bool { return f.hash == o.hash })
	if o.life != s.life || at < 0 {
		return
	}
	f := s.fetches[at]
	if f.attempt > 4*(len(s.peers.list)+1)+256 || s.tree.nodes[o.hash] != nil {
		s.fetches = slices.Delete(s.fetches, at, at+1) // pursue asks again if it is still needed
		return
	}
	s.ask(f)
}

// arrived takes a block that was asked for; others are not listened to.
func (s *Subsystem) arrived(from *peer, raw []byte) {
	link, err := simplex.InspectBlock(raw)
	if err != nil {
		return
	}
	at := slices.IndexFunc(s.fetches, func(f *fetch) bool { return f.hash == link.Hash })
	if at < 0 {
		return
	}
	known := s.tree.nodes[link.Hash] != nil
	n := s.tree.ingest(bytes.Clone(raw))
	if n != nil && !known {
		n.bringer = from.id
	}
	if n != nil || s.tree.root.hash == link.Hash {
		s.fetches[at].deadline.Stop()
		s.fetches = slices.Delete(s.fetches, at, at+1)
	}
}

// serve gives a peer a block it asks for.
func (s *Subsystem) serve(p *peer, f *Want) {
	if !s.grant(p) {
		return
	}
	raw := s.block(f.Hash)
	if len(raw) == 0 || len(raw) > params.MaxBlockBytes {
		return
	}
	s.Link.Send(p.id, link.Blocks, (&Have{raw}).append(nil))
}

// block finds a block's bytes, in the tree or in the ledger. What was not looked at is nothing to vouch for.
func (s *Subsystem) block(hash digest.Hash) []byte {
	if n := s.tree.nodes[hash]; n != nil {
		if !n.sound {
			return nil
		}
		return n.raw
	}
	if n := s.finals.find(hash); n != nil {
		return n.raw
	}
	height, err := s.Peers.Ledger.HeightOf(hash)
	if err != nil {
		return nil
	}
	b, err := s.Peers.Ledger.Block(height)
	if err != nil {
		return nil
	}
	return b.Encode()
}
