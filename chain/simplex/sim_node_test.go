package simplex_test

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// node is a machine: a State, its disk, and what drives them.
type node struct {
	w       *world
	index   int
	rank    uint32
	conduct conduct // nil: honest

	state   *simplex.State
	up      bool
	life    int // counts boots: what was asked in an earlier life is not answered
	journal [][]byte
	disk    map[digest.Hash][]byte // blocks voted for
	memory  map[digest.Hash][]byte
	asking  map[digest.Hash][]simplex.Certify
	armed   [simplex.TellTimer + 1]uint64
	answers []simplex.Event // to be stepped once the batch at hand is performed
	label   uint64
	reply   int

	finalHash   digest.Hash
	finalHeight uint64
	said        map[uint64]*said
}

// said is what an honest node signed in a view.
type said struct {
	notarize, commit *sig.Subject
	nullify          bool
}

func (w *world) addNode(rank uint32, kind string) {
	n := &node{
		w: w, index: len(w.nodes), rank: rank, disk: map[digest.Hash][]byte{}, finalHash: anchor, said: map[uint64]*said{},
		label: uint64(len(w.nodes)) << 32,
	}
	if kind != "" {
		n.conduct = newConduct(kind)
	}
	w.nodes = append(w.nodes, n)
}

func (n *node) honest() bool { return n.conduct == nil }

func (n *node) boot() {
	n.life++
	n.up = true
	n.memory, n.asking = map[digest.Hash][]byte{}, map[digest.Hash][]simplex.Certify{}
	clear(n.armed[:])
	n.answers = nil
	var records []simplex.Record
	for _, raw := range n.journal {
		r, err := simplex.DecodeRecord(raw)
		if err != nil {
			panic(err)
		}
		records = append(records, r)
	}
	state, effects, err := simplex.New(n.w.config(n.rank), records)
	if err != nil {
		panic(err)
	}
	n.state = state
	n.w.log(n.index, "boot", nil)
	n.perform(effects)
}

func (n *node) crash() {
	n.up = false
	n.life++
	n.w.log(n.index, "crash", nil)
	life := n.life
	n.w.after(n.w.between(50, 5_000), func() {
		if !n.up && n.life == life {
			n.boot()
		}
	})
}

// later runs something of this life.
func (n *node) later(d simplex.Millis, run func()) {
	life := n.life
	n.w.after(d, func() {
		if n.up && n.life == life {
			run()
		}
	})
}

func (n *node) step(e simplex.Event) {
	if n.up {
		n.perform(n.state.Step(e))
	}
}

// perform performs effects, then the answers they brought, one after the other.
func (n *node) perform(effects []simplex.Effect) {
	life := n.life
	n.batch(effects)
	for n.life == life && len(n.answers) > 0 {
		e := n.answers[0]
		n.answers = n.answers[1:]
		n.batch(n.state.Step(e))
	}
}

// batch is the loop's contract: persist in order, one sync, then the rest in order. A crash may come anywhere.
func (n *node) batch(effects []simplex.Effect) {
	crash := -1
	if n.honest() && n.w.chaos && len(effects) > 0 && n.w.chance(n.w.plan.crash) {
		crash = n.w.rnd.IntN(3)
	}
	var durable [][]byte
	for _, e := range effects {
		if p, ok := e.(simplex.Persist); ok {
			durable = append(durable, simplex.EncodeRecord(p.Record))
			if v, ok := p.Record.(*simplex.OwnVote); ok && v.Kind == sig.Notarization {
				if block := n.block(v.Subject.BlockHash); block != nil {
					n.disk[v.Subject.BlockHash] = block
				}
			}
		}
	}
	if crash == 0 { // before or in the middle of the sync
		durable = durable[:n.w.rnd.IntN(len(durable)+1)]
	}
	n.journal = append(n.journal, durable...)
	if crash == 0 || crash == 1 {
		n.crash()
		return
	}
	stop := len(effects)
	if crash == 2 {
		stop = n.w.rnd.IntN(len(effects))
	}
	for _, e := range effects[:stop] {
		n.do(e)
	}
	if crash == 2 {
		n.crash()
	}
}

func (n *node) block(h digest.Hash) []byte {
	if b := n.memory[h]; b != nil {
		return b
	}
	return n.disk[h]
}

func (n *node) do(e simplex.Effect) {
	w := n.w
	switch e := e.(type) {
	case simplex.Forget:
		n.journal = slices.DeleteFunc(n.journal, func(raw []byte) bool {
			r, err := simplex.DecodeRecord(raw)
			return err == nil && simplex.RoundOf(r).View < e.View
		})
	case simplex.SignVote:
		n.signsVote(e.Vote)
		n.answers = append(n.answers, simplex.VoteSigned{Vote: w.keys.SignVote(n.rank, e.Vote)})
	case simplex.SignNewView:
		n.signsNewView(e.NewView.Round.View)
		n.answers = append(n.answers, simplex.NewViewSigned{NewView: w.keys.SignNewView(n.rank, e.NewView)})
	case simplex.SignAccusation:
		n.charges(e.Accusation)
		n.answers = append(n.answers, simplex.AccusationSigned{Accusation: w.keys.SignAccusation(n.rank, e.Accusation)})
	case simplex.Announce:
		m := &simplex.Propose{Vote: *e.Vote}
		if !e.Again {
			m.Block = n.block(e.Vote.Subject.BlockHash)
		}
		if len(e.To) == 0 {
			n.spread(m, nil)
		}
		for _, rank := range e.To {
			n.sendRank(rank, m)
		}
	case simplex.Broadcast:
		n.spread(e.Message, e.Except)
	case simplex.Send:
		n.sendRank(e.To, e.Message)
	case simplex.Build:
		n.later(w.plan.pace, func() { n.build(e) })
	case simplex.Check:
		n.later(w.between(1, 20), func() { n.check(e) })
	case simplex.Certify:
		n.certify(e, 0)
	case simplex.Arm:
		n.arm(e)
	case simplex.Committed:
		w.committed++
	case simplex.Finalized:
		n.finalized(e.Certificate)
	case simplex.Accuse:
		w.judge(n, e.Evidence)
	case simplex.Disputed:
		if n.honest() {
			w.violation("node %d disputes an accusation of %d in view %d", n.index, e.Accusation.Accused, e.Accusation.Subject.Round.View)
		}
	case simplex.Blame:
		if n.honest() && (e.Peer == simplex.Observer || w.plan.faulty[e.Peer] == "") {
			w.violation("node %d blames honest %d for %s", n.index, e.Peer, e.Reason)
		}
	case simplex.Halt:
		if n.honest() {
			w.violation("node %d halts: %v %v against %v %v", n.index, e.First.Kind, e.First.Subject, e.Second.Kind, e.Second.Subject)
		}
	}
}

func (n *node) arm(e simplex.Arm) {
	n.armed[e.Timer]++
	serial := n.armed[e.Timer]
	n.later(e.Delay, func() {
		if n.armed[e.Timer] == serial {
			n.w.log(n.index, e.Timer.String(), nil)
			if e.Timer == simplex.LeaderTimer && n.index == 0 {
				n.w.waits++
			}
			n.step(simplex.Expired{Timer: e.Timer, View: e.View})
		}
	})
}

func (n *node) build(e simplex.Build) {
	n.label++
	b := blok{
		height: e.Parent.Height + 1, round: e.Round, proposer: n.rank, parentHash: e.Parent.BlockHash, parentView: e.Parent.Round.View,
		label: n.label,
	}
	if busy := n.w.plan.busy; busy > 0 && n.label%busy > 0 {
		b.label |= idle
	}
	if n.conduct != nil {
		n.conduct.bend(n, &b)
	}
	n.store(b.encode())
	n.w.builtAt[b.hash()] = n.w.now
	n.step(simplex.Built{Round: e.Round, Ref: b.link()})
}

func (n *node) store(block []byte) {
	h := digest.SHA256(block)
	n.memory[h], n.w.blocks[h] = block, block
	for _, q := range n.asking[h] {
		n.answer(q)
	}
	delete(n.asking, h)
}

func (n *node) check(e simplex.Check) {
	block := n.block(e.Subject.BlockHash)
	if block == nil {
		return
	}
	b, err := decodeBlok(block)
	n.step(simplex.Checked{Subject: e.Subject, Valid: err == nil && !b.broken, Claims: b.claims(n.w.keys), Flaw: flawOf(err == nil && !b.broken)})
}

// flawOf is what a verdict finds.
func flawOf(valid bool) simplex.Flaw {
	if valid {
		return simplex.NoFlaw
	}
	return simplex.FlawedBlock
}

// Blocks are fetched by two messages of their own.
const (
	tagWant = 0xf0
	tagHave = 0xf1
)

func (n *node) certify(q simplex.Certify, attempt int) {
	h := q.Subject.BlockHash
	if n.block(h) != nil {
		n.answer(q)
		return
	}
	if attempt == 0 {
		n.asking[h] = append(n.asking[h], q)
	} else if len(n.asking[h]) == 0 {
		return
	}
	members := q.Signers.Members()
	who := uint32(members[n.w.rnd.IntN(len(members))])
	for _, peer := range n.w.nodes {
		if peer.rank == who && peer.index != n.index {
			n.w.transmit(n.index, peer.index, append([]byte{tagWant}, h[:]...))
		}
	}
	n.later(300, func() { n.certify(q, attempt+1) })
}

func (n *node) answer(q simplex.Certify) {
	n.later(n.w.between(1, 20), func() {
		b, err := decodeBlok(n.block(q.Subject.BlockHash))
		valid := err == nil && !b.broken && n.w.keys.Hold(b.claims(n.w.keys))
		n.step(simplex.CertifiedBlock{Subject: q.Subject, Valid: valid, Ref: b.link(), Flaw: flawOf(valid)})
	})
}

func (n *node) spread(m simplex.Message, except []uint32) {
	for _, peer := range n.w.nodes {
		if !slices.Contains(except, peer.rank) && peer.index != n.index && (peer.rank != n.rank || n.rank == simplex.Observer) {
			n.send(peer.index, m)
		}
	}
}

func (n *node) sendRank(rank uint32, m simplex.Message) {
	if rank == simplex.Observer {
		n.send(n.reply, m)
		return
	}
	for _, peer := range n.w.nodes {
		if peer.rank == rank && peer.index != n.index {
			n.send(peer.index, m)
		}
	}
}

func (n *node) send(to int, m simplex.Message) {
	if n.conduct != nil {
		n.conduct.send(n, to, m)
		return
	}
	n.w.transmit(n.index, to, simplex.Encode(m))
}

func (n *node) deliver(from int, data []byte) {
	if !n.up {
		return
	}
	w := n.w
	w.log(n.index, "deliver", append([]byte{byte(from)}, data...))
	switch data[0] {
	case tagWant:
		if b := n.block(digest.Hash(data[1:])); b != nil {
			w.transmit(n.index, from, append([]byte{tagHave}, b...))
		}
		return
	case tagHave:
		n.store(slices.Clone(data[1:]))
		return
	}
	sender := w.nodes[from]
	m, err := simplex.Decode(data, inspect)
	if err != nil {
		if sender.honest() {
			w.violation("an honest message does not decode: %v", err)
		}
		return
	}
	n.reply = from
	if p, ok := m.(*simplex.Propose); ok && len(p.Block) > 0 {
		n.store(slices.Clone(p.Block))
	}
	if n.conduct != nil {
		n.conduct.receive(n, from, m)
	}
	n.step(simplex.Received{From: sender.rank, Message: m})
}

// reencode is a copy of a message that shares nothing.
func reencode(m simplex.Message) simplex.Message {
	c, err := simplex.Decode(simplex.Encode(m), inspect)
	if err != nil {
		panic(err)
	}
	return c
}
