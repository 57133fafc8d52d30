package simplex_test

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// conduct is how a faulty validator departs from the State it runs.
type conduct interface {
	send(n *node, to int, m simplex.Message)
	receive(n *node, from int, m simplex.Message)
	bend(n *node, b *blok) // what it builds
}

// conducts are the kinds of faulty validators.
var conducts = []string{"silent", "late", "equivocator", "doublevoter", "withholder", "replayer", "twin", "badproposer", "lowparent", "garbler", "impersonator",
	"lazy", "dawdler"}

func newConduct(kind string) conduct {
	switch kind {
	case "silent":
		return silent{}
	case "late":
		return late{}
	case "lazy":
		return lazy{}
	case "dawdler":
		return dawdler{}
	case "equivocator":
		return &equivocator{}
	case "doublevoter":
		return &doublevoter{}
	case "withholder":
		return withholder{}
	case "replayer":
		return &replayer{}
	case "twin":
		return twin{}
	case "badproposer":
		return badproposer{}
	case "lowparent":
		return lowparent{}
	case "garbler":
		return garbler{}
	case "impersonator":
		return impersonator{}
	}
	panic("unknown conduct " + kind)
}

// straight behaves.
type straight struct{}

func (straight) send(n *node, to int, m simplex.Message) {
	n.w.transmit(n.index, to, simplex.Encode(m))
}
func (straight) receive(*node, int, simplex.Message) {}
func (straight) bend(*node, *blok)                   {}

// silent sends nothing.
type silent struct{ straight }

func (silent) send(*node, int, simplex.Message) {}

// late sends everything, much too late.
type late struct{ straight }

func (late) send(n *node, to int, m simplex.Message) {
	data := simplex.Encode(m)
	n.w.after(n.w.between(500, 6_000), func() { n.w.transmit(n.index, to, data) })
}

// lazy does all a validator does but propose.
type lazy struct{ straight }

func (f lazy) send(n *node, to int, m simplex.Message) {
	if p, ok := m.(*simplex.Propose); !ok || p.Vote.Signer != n.rank {
		f.straight.send(n, to, m)
	}
}

// dawdler proposes when others are about to give up waiting.
type dawdler struct{ straight }

func (f dawdler) send(n *node, to int, m simplex.Message) {
	if p, ok := m.(*simplex.Propose); ok && p.Vote.Signer == n.rank {
		data := simplex.Encode(m)
		n.w.after(quick.Leader-100, func() { n.w.transmit(n.index, to, data) })
		return
	}
	f.straight.send(n, to, m)
}

// equivocator proposes two blocks in a view, one to each half, and votes for both.
type equivocator struct{ straight }

func (e *equivocator) send(n *node, to int, m simplex.Message) {
	p, ok := m.(*simplex.Propose)
	if !ok || len(p.Block) == 0 || to%2 == 0 {
		e.straight.send(n, to, m)
		return
	}
	b, err := decodeBlok(p.Block)
	if err != nil {
		panic(err)
	}
	b.label++
	n.w.blocks[b.hash()] = b.encode()
	n.memory[b.hash()] = b.encode()
	v := n.w.keys.SignVote(n.rank, &simplex.Vote{Kind: sig.Notarization, Subject: b.subject(), Signer: n.rank, Half: p.Vote.Half})
	e.straight.send(n, to, &simplex.Propose{Vote: *v, Block: b.encode()})
	if n.w.rnd.IntN(3) == 0 { // shows its hand
		e.straight.send(n, to, &p.Vote)
	}
}

// doublevoter votes for everything and against everything.
type doublevoter struct {
	straight
	done map[sig.Subject]bool
}

func (d *doublevoter) receive(n *node, _ int, m simplex.Message) {
	if d.done == nil {
		d.done = map[sig.Subject]bool{}
	}
	var s sig.Subject
	switch m := m.(type) {
	case *simplex.Propose:
		s = m.Vote.Subject
	case *simplex.Vote:
		s = m.Subject
	default:
		return
	}
	if d.done[s] {
		return
	}
	d.done[s] = true
	for _, kind := range []sig.CertificateKind{sig.Notarization, sig.Finalization} {
		n.spread(n.w.keys.SignVote(n.rank, &simplex.Vote{Kind: kind, Subject: s, Signer: n.rank}), nil)
	}
	if n.w.rnd.IntN(4) == 0 {
		n.spread(n.w.keys.SignNewView(n.rank, &simplex.NewView{Round: s.Round, Signer: n.rank}), nil)
	}
}

// withholder keeps certificates and most votes to itself, for a while or for ever, and shows them to some.
type withholder struct{ straight }

func (w withholder) send(n *node, to int, m simplex.Message) {
	switch m.(type) {
	case *simplex.Propose, *simplex.NewView:
		w.straight.send(n, to, m)
		return
	}
	if n.w.rnd.IntN(2) == 0 {
		return
	}
	data := simplex.Encode(m)
	n.w.after(n.w.between(0, 8_000), func() { n.w.transmit(n.index, to, data) })
}

// replayer sends again what it heard, as if it were news, under its own name.
type replayer struct {
	straight
	heard [][]byte
}

func (r *replayer) receive(n *node, _ int, m simplex.Message) {
	if p, ok := m.(*simplex.Propose); ok {
		m = &simplex.Propose{Vote: p.Vote, Block: p.Block}
	}
	r.heard = append(r.heard, simplex.Encode(m))
	if len(r.heard) > 500 {
		r.heard = r.heard[250:]
	}
	for range 2 {
		n.w.transmit(n.index, n.w.rnd.IntN(len(n.w.nodes)), r.heard[n.w.rnd.IntN(len(r.heard))])
	}
}

// twin is one of two machines with one key, each honest by itself.
type twin struct{ straight }

// badproposer proposes blocks that are not valid, or claim what does not hold, of another height, round or proposer.
type badproposer struct{ straight }

func (badproposer) bend(n *node, b *blok) {
	switch n.w.rnd.IntN(3) {
	case 0:
		b.broken = true
	case 1:
		b.label |= forgery
	}
}

func (f badproposer) send(n *node, to int, m simplex.Message) {
	p, ok := m.(*simplex.Propose)
	if !ok || len(p.Block) == 0 {
		f.straight.send(n, to, m)
		return
	}
	b, err := decodeBlok(p.Block)
	if err != nil {
		panic(err)
	}
	s := b.subject()
	switch n.w.rnd.IntN(5) {
	case 0:
		s.Height++
	case 1:
		b.parentHash[0]++
		s = b.subject()
	case 2:
		b.proposer++
		s = b.subject()
	default:
		f.straight.send(n, to, m)
		return
	}
	n.w.blocks[b.hash()] = b.encode()
	v := n.w.keys.SignVote(n.rank, &simplex.Vote{Kind: sig.Notarization, Subject: s, Signer: n.rank})
	f.straight.send(n, to, &simplex.Propose{Vote: *v, Block: b.encode()})
}

// lowparent proposes on its parent's parent: a block it knows to be certified is passed over.
type lowparent struct{ straight }

func (f lowparent) send(n *node, to int, m simplex.Message) {
	p, ok := m.(*simplex.Propose)
	if !ok || len(p.Block) == 0 {
		f.straight.send(n, to, m)
		return
	}
	b, err := decodeBlok(p.Block)
	if err != nil {
		panic(err)
	}
	if parent, ok := n.w.blocks[b.parentHash]; ok {
		over, err := decodeBlok(parent)
		if err != nil {
			panic(err)
		}
		b.height, b.parentHash, b.parentView = over.height, over.parentHash, over.parentView
	}
	n.w.blocks[b.hash()] = b.encode()
	v := n.w.keys.SignVote(n.rank, &simplex.Vote{Kind: sig.Notarization, Subject: b.subject(), Signer: n.rank})
	f.straight.send(n, to, &simplex.Propose{Vote: *v, Block: b.encode()})
}

// garbler spoils signatures and bytes.
type garbler struct{ straight }

func (f garbler) send(n *node, to int, m simplex.Message) {
	switch n.w.rnd.IntN(4) {
	case 0:
		data := simplex.Encode(m)
		data[n.w.rnd.IntN(len(data))] ^= 1 << n.w.rnd.IntN(8)
		if data[0] < tagWant {
			n.w.transmit(n.index, to, data)
		}
	case 1:
		m = reencode(m)
		switch m := m.(type) {
		case *simplex.Vote:
			if n.w.rnd.IntN(2) == 0 {
				m.Signature[5]++
			} else {
				m.Partial[5]++
			}
		case *simplex.NewView:
			m.HighestQC[5]++
		case *simplex.Certificate:
			m.Aggregate[5]++
		}
		f.straight.send(n, to, m)
	default:
		f.straight.send(n, to, m)
	}
}

// impersonator votes in the name of others.
type impersonator struct{ straight }

func (f impersonator) send(n *node, to int, m simplex.Message) {
	f.straight.send(n, to, m)
	switch m := reencode(m).(type) {
	case *simplex.Vote:
		m.Signer = uint32(n.w.rnd.IntN(n.w.plan.n))
		f.straight.send(n, to, m)
	case *simplex.NewView:
		m.Signer = uint32(n.w.rnd.IntN(n.w.plan.n + 2))
		f.straight.send(n, to, m)
	}
}
