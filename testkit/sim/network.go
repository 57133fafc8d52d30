package sim

import (
	"math/rand/v2"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// port is the link.Messenger of one life. A faulty machine's frames pass through its conduct.
type port struct {
	life     *life
	compared []byte // the frame that was compared last
}

var (
	_ link.Messenger = (*port)(nil)
	_ faulty.Hand    = (*port)(nil)
)

// Self implements link.Messenger.
func (p *port) Self() link.Peer { return p.life.m.peer }

// Attach implements link.Messenger.
func (p *port) Attach(r link.Receiver) { p.life.receiver = r }

// Send implements link.Messenger.
func (p *port) Send(to link.Peer, c link.Channel, frame []byte) {
	if conduct := p.life.m.conduct; conduct != nil {
		conduct.Send(&hand{p}, to, c, frame)
		return
	}
	if len(frame) > c.MaxFrame() {
		p.life.m.w.violation("%s sends %d bytes on %v", p.life.m.name, len(frame), c)
	}
	if c == link.Consensus || c == link.Blocks {
		p.compare(frame)
	}
	p.transmit(to, c, frame)
}

// compare holds what an honest validator's votes say against all it ever sent. What was signed and never left a machine whose power went binds nobody.
func (p *port) compare(frame []byte) {
	if len(p.compared) > 0 && len(frame) > 0 && &p.compared[0] == &frame[0] {
		return
	}
	p.compared = frame
	m := p.life.m
	if m.signed == nil || p.life.over {
		return
	}
	f, err := replica.DecodePeerMessage(frame)
	a, ok := f.(*replica.Agreement)
	if err != nil || !ok {
		return
	}
	signed := m.signed
	switch x := a.Message.(type) {
	case *simplex.Vote:
		err = signed.Vote(x)
	case *simplex.Propose:
		if x.Vote.Signer == p.life.node.Replica.Status().Rank { // others' proposals are passed on
			err = signed.Vote(&x.Vote)
		}
	case *simplex.NewView:
		err = signed.NewView(x)
	}
	if err != nil {
		m.w.violation("%s: %v", m.name, err)
	}
}

// Broadcast implements link.Messenger.
func (p *port) Broadcast(c link.Channel, frame []byte) {
	for _, i := range p.life.order {
		p.Send(p.life.m.w.machines[i].peer, c, frame)
	}
}

// Report implements link.Messenger: nobody honest may ever be reported by an honest node.
func (p *port) Report(peer link.Peer, why string) {
	w := p.life.m.w
	for _, m := range w.machines {
		if m.peer == peer && m.honest() && p.life.m.honest() {
			w.violation("%s reports honest %s: %s", p.life.m.name, m.name, why)
		}
	}
}

// transmit puts a frame on its way.
func (p *port) transmit(to link.Peer, c link.Channel, frame []byte) {
	l, w := p.life, p.life.m.w
	if l.over || len(frame) == 0 || len(frame) > c.MaxFrame() {
		return
	}
	for _, i := range l.order {
		if o := l.connected[i]; o.m.peer == to {
			w.carry(l, o, c, frame)
			return
		}
	}
}

// carry lets a frame arrive, if nothing is wrong with it, after a delay.
func (w *World) carry(l, o *life, c link.Channel, frame []byte) {
	way := [2]int{l.m.index, o.m.index}
	w.frames[way]++
	n := w.frames[way]
	delay := w.between(w.plan.Delay[0], w.plan.Delay[1], drawDelay, l.m.id, o.m.id, n)
	if w.severed[way] > 0 {
		return
	}
	f, ok := w.mishap(l.m, o.m, n)
	if ok {
		w.happened(f)
		switch f.Kind {
		case Drop:
			return
		case Delay:
			delay += f.For
		case Copy:
			w.after(f.For, func() { o.hear(l, n, c, frame) })
		}
	}
	w.after(delay, func() { o.hear(l, n, c, frame) })
}

// mishap is what goes wrong with a frame.
func (w *World) mishap(from, to *machine, n uint64) (Fault, bool) {
	if !w.chaos {
		return Fault{}, false
	}
	if f, ok := w.due(from.name, to.name, "frame", n); ok {
		return f, true
	}
	f := Fault{Kind: Drop, Node: from.name, To: to.name, Unit: "frame", N: n}
	if w.chance(w.plan.Loss, drawLoss, from.id, to.id, n) {
		return f, true
	}
	if w.chance(w.plan.Dup, drawDup, from.id, to.id, n) {
		f.Kind, f.For = Copy, w.between(w.plan.Delay[0], w.plan.Delay[1], drawDup, from.id, to.id, n, 1)
		return f, true
	}
	return f, false
}

// hear takes a frame off the wire.
func (l *life) hear(from *life, n uint64, c link.Channel, frame []byte) {
	if l.over || l.connected[from.m.index] != from {
		return
	}
	l.m.w.note(l.m.index, "frame", frame)
	if l.m.w.listener != nil {
		l.m.w.tell("%s <- %s frame %d, %s", l.m.name, from.m.name, n, tellFrame(c, frame))
	}
	if conduct := l.m.conduct; conduct != nil {
		h := &hand{&port{life: l}}
		conduct.Hear(h, from.m.peer, c, frame)
		if deaf, ok := conduct.(faulty.Deaf); ok && deaf.Deaf(h, frame) {
			return
		}
	}
	l.receiver.Frame(from.m.peer, c, frame)
}

// connect lets two lives hear each other.
func connect(a, b *life) {
	if a == nil || b == nil || a.over || b.over || a.node == nil || b.node == nil || a.connected[b.m.index] == b {
		return
	}
	a.gain(b)
	b.gain(a)
}

func (l *life) gain(o *life) {
	if old := l.connected[o.m.index]; old != nil {
		l.lose(old)
	}
	l.connected[o.m.index] = o
	l.order = append(l.order, o.m.index)
	l.receiver.Up(o.m.peer)
}

// lose notices that a peer is gone.
func (l *life) lose(o *life) {
	if l.over || l.connected[o.m.index] != o {
		return
	}
	delete(l.connected, o.m.index)
	kept := l.order[:0:0]
	for _, i := range l.order {
		if i != o.m.index {
			kept = append(kept, i)
		}
	}
	l.order = kept
	l.receiver.Down(o.m.peer)
}

// hand is what a conduct has in its hand.
type hand struct{ *port }

// Send sends past the conduct.
func (h *hand) Send(to link.Peer, c link.Channel, frame []byte) { h.transmit(to, c, frame) }

// Rank implements faulty.Hand.
func (p *port) Rank() uint32 {
	w := p.life.m.w
	rank, ok := w.set(w.present()).Find(p.life.m.key())
	if !ok {
		return simplex.Observer
	}
	return rank
}

// Validators implements faulty.Hand.
func (p *port) Validators() int { return p.life.m.w.plan.Validators }

// Signer implements faulty.Hand.
func (p *port) Signer() replica.Signer { return p.life.m.w.signer(p.life.m) }

// Peers implements faulty.Hand.
func (p *port) Peers() []link.Peer {
	var out []link.Peer
	for _, i := range p.life.order {
		out = append(out, p.life.m.w.machines[i].peer)
	}
	return out
}

// After implements faulty.Hand.
func (p *port) After(d time.Duration, f func()) {
	p.life.m.w.after(d, func() {
		if !p.life.over {
			f()
		}
	})
}

// Rand implements faulty.Hand.
func (p *port) Rand() *rand.Rand { return p.life.m.rnd }
