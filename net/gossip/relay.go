package gossip

import (
	"fmt"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/net/layout"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

const (
	kindAnnounce = 1
	kindWant     = 2
	kindBlock    = 3
	kindGone     = 4

	announceMax  = 64              // names in one announcement
	sourcesMax   = 8               // peers remembered to have one block
	deliveredMax = 2               // blocks of one peer without a verdict
	wantWithin   = 4 * time.Second // before another is asked
)

// RelayConfig bounds a Relay. Zero fields take the values of DefaultRelay.
type RelayConfig struct {
	Blocks int // kept to serve
	Bytes  int // of them
	Wants  int // blocks looked for at a time
	Serve  int // bytes served to one peer in ServeIn
	Seen   int // names per generation
}

// serveIn is the span of RelayConfig.Serve.
const serveIn = 10 * time.Second

// DefaultRelay suits blocks of up to 4 MiB, one a second.
func DefaultRelay() RelayConfig {
	return RelayConfig{Blocks: 64, Bytes: 64 << 20, Wants: 64, Serve: 64 << 20, Seen: 4096}
}

// Relay passes blocks on. It is not safe for use by several goroutines.
type Relay struct {
	queue
	config RelayConfig
	done   *Seen[Name] // judged, or our own
	peers  map[transport.ID]*relayed
	order  []transport.ID // of peers, sorted
	wants  map[Name]*want
	line   []Name // wants, oldest first
	kept   map[Name][]byte
	age    []Name // kept, oldest first
	bytes  int    // kept
}

type relayed struct {
	known     *Seen[Name]
	delivered int // blocks of it without a verdict
	served    int // bytes in the present span
	span      time.Time
}

// want is a block that is looked for.
type want struct {
	sources []transport.ID // not asked yet
	asked   transport.ID   // zero: nobody
	since   time.Time
	under   bool // delivered, waits for its verdict
	from    transport.ID
	data    []byte
}

// NewRelay makes a relay without peers.
func NewRelay(c RelayConfig) *Relay {
	d := DefaultRelay()
	for _, p := range []struct{ v, d *int }{
		{&c.Blocks, &d.Blocks}, {&c.Bytes, &d.Bytes}, {&c.Wants, &d.Wants}, {&c.Serve, &d.Serve}, {&c.Seen, &d.Seen},
	} {
		if *p.v == 0 {
			*p.v = *p.d
		}
	}
	return &Relay{
		config: c, done: NewSeen[Name](c.Seen, time.Hour), peers: map[transport.ID]*relayed{}, wants: map[Name]*want{}, kept: map[Name][]byte{},
	}
}

// Up tells of a peer. It is told what we have.
func (r *Relay) Up(id transport.ID, now time.Time) {
	if r.peers[id] != nil {
		return
	}
	r.peers[id] = &relayed{known: NewSeen[Name](r.config.Seen, time.Hour), span: now}
	at, _ := slices.BinarySearchFunc(r.order, id, transport.ID.Compare)
	r.order = slices.Insert(r.order, at, id)
	if n := len(r.age); n > 0 {
		r.send(id, encodeAnnounce(r.age[max(0, n-announceMax):]))
	}
}

// Down tells of a peer's end.
func (r *Relay) Down(id transport.ID, now time.Time) {
	if r.peers[id] == nil {
		return
	}
	delete(r.peers, id)
	at, _ := slices.BinarySearchFunc(r.order, id, transport.ID.Compare)
	r.order = slices.Delete(r.order, at, at+1)
	for _, n := range slices.Clone(r.line) {
		w := r.wants[n]
		w.sources = slices.DeleteFunc(w.sources, func(s transport.ID) bool { return s == id })
		if !w.under && w.asked == id {
			r.ask(n, w, now)
		}
	}
}

// Publish sends a block of the node's own making to every peer.
//
// Spec: WP "Network Layer" (the proposer broadcasts).
func (r *Relay) Publish(n Name, data []byte, now time.Time) {
	r.keep(n, data, now)
	var frame []byte
	for _, id := range r.order {
		if r.peers[id].known.Add(n, now) {
			if frame == nil {
				frame = encodeBlock(n, data)
			}
			r.send(id, frame)
		}
	}
}

// Have announces a block the node has come by otherwise.
//
// Spec: WP "Network Layer" (blocks are relayed by validators).
func (r *Relay) Have(n Name, data []byte, now time.Time) {
	r.keep(n, data, now)
	frame := encodeAnnounce([]Name{n})
	for _, id := range r.order {
		if !r.peers[id].known.Has(n) {
			r.send(id, frame)
		}
	}
}

// keep holds a block ready to serve and drops the oldest beyond the bounds.
func (r *Relay) keep(n Name, data []byte, now time.Time) {
	r.done.Add(n, now)
	r.unwant(n)
	if _, ok := r.kept[n]; ok {
		return
	}
	r.kept[n], r.age, r.bytes = data, append(r.age, n), r.bytes+len(data)
	for len(r.age) > 1 && (len(r.age) > r.config.Blocks || r.bytes > r.config.Bytes) {
		oldest := r.age[0]
		r.bytes -= len(r.kept[oldest])
		delete(r.kept, oldest)
		r.age = r.age[1:]
	}
}

func (r *Relay) unwant(n Name) {
	w := r.wants[n]
	if w == nil {
		return
	}
	r.settled(w)
	delete(r.wants, n)
	r.line = slices.DeleteFunc(r.line, func(m Name) bool { return m == n })
}

// settled gives the sender of a delivered block its allowance back.
func (r *Relay) settled(w *want) {
	if !w.under {
		return
	}
	w.under, w.data = false, nil
	if p := r.peers[w.from]; p != nil && p.delivered > 0 {
		p.delivered--
	}
}

// Receive takes a peer's frame. The error is the sender's fault.
func (r *Relay) Receive(from transport.ID, frame []byte, now time.Time) error {
	m, err := decodeRelay(frame)
	if err != nil {
		return err
	}
	p := r.peers[from]
	if p == nil {
		return nil
	}
	switch m.kind {
	case kindAnnounce:
		for _, n := range m.names {
			p.known.Add(n, now)
			r.announced(from, n, now)
		}
	case kindWant:
		r.serve(from, p, m.names[0], now)
	case kindBlock:
		p.known.Add(m.names[0], now)
		r.block(from, p, m.names[0], m.data, now)
	case kindGone:
		if w := r.wants[m.names[0]]; w != nil && !w.under && w.asked == from {
			r.ask(m.names[0], w, now)
		}
	}
	return nil
}

// announced notes a source of a block.
func (r *Relay) announced(from transport.ID, n Name, now time.Time) {
	if r.done.Has(n) {
		return
	}
	w := r.wants[n]
	if w == nil {
		if len(r.line) >= r.config.Wants {
			return
		}
		w = &want{}
		r.wants[n] = w
		r.line = append(r.line, n)
	}
	if w.asked != from && len(w.sources) < sourcesMax && !slices.Contains(w.sources, from) {
		w.sources = append(w.sources, from)
	}
	if !w.under && w.asked.IsZero() {
		r.ask(n, w, now)
	}
}

// ask wants a block from the next source. Without one it is looked for no more.
func (r *Relay) ask(n Name, w *want, now time.Time) {
	if len(w.sources) == 0 {
		r.unwant(n)
		return
	}
	w.asked, w.sources, w.since = w.sources[0], w.sources[1:], now
	r.send(w.asked, append([]byte{kindWant}, n[:]...))
}

// serve answers a want within the peer's budget. Beyond it there is no answer, and the peer asks another.
func (r *Relay) serve(to transport.ID, p *relayed, n Name, now time.Time) {
	data, ok := r.kept[n]
	if !ok {
		r.send(to, append([]byte{kindGone}, n[:]...))
		return
	}
	if now.Sub(p.span) >= serveIn {
		p.span, p.served = now, 0
	}
	if p.served+len(data) > r.config.Serve {
		return
	}
	p.served += len(data)
	p.known.Add(n, now)
	r.send(to, encodeBlock(n, data))
}

// block delivers a block that was asked for or pushed.
func (r *Relay) block(from transport.ID, p *relayed, n Name, data []byte, now time.Time) {
	if r.done.Has(n) || p.delivered >= deliveredMax {
		return
	}
	w := r.wants[n]
	if w == nil {
		if len(r.line) >= r.config.Wants {
			return
		}
		w = &want{since: now}
		r.wants[n] = w
		r.line = append(r.line, n)
	}
	if w.under {
		return
	}
	w.under, w.from, w.data, w.asked = true, from, data, transport.ID{}
	p.delivered++
	r.effects = append(r.effects, Effect{Deliver: &Deliver{from, []Item{{n, data}}}})
}

// Judge takes the node's verdict on a delivered block.
func (r *Relay) Judge(n Name, v Verdict, now time.Time) {
	w := r.wants[n]
	if w == nil || !w.under {
		return
	}
	from, data := w.from, w.data
	r.settled(w)
	switch v {
	case Good:
		r.Have(n, data, now)
	case Stale:
		r.done.Add(n, now)
		r.unwant(n)
	case Bad:
		r.charge(from, fmt.Sprintf("relayed block %x", n[:8]))
		r.ask(n, w, now) // the name may belong to another block that is good
	case Busy:
		r.ask(n, w, now)
	}
}

// Tick asks others for what has not come in time.
func (r *Relay) Tick(now time.Time) {
	for _, n := range slices.Clone(r.line) {
		if w := r.wants[n]; w != nil && !w.under && now.Sub(w.since) >= wantWithin {
			r.ask(n, w, now)
		}
	}
}

// relayMessage is one decoded frame.
type relayMessage struct {
	kind  uint8
	names []Name // one but for announce
	data  []byte // block: a window into the frame
}

func encodeAnnounce(names []Name) []byte {
	b := layout.AppendUv([]byte{kindAnnounce}, uint64(len(names)))
	for _, n := range names {
		b = append(b, n[:]...)
	}
	return b
}

func encodeBlock(n Name, data []byte) []byte {
	b := append(make([]byte, 0, 33+len(data)), kindBlock)
	return append(append(b, n[:]...), data...)
}

func decodeRelay(frame []byte) (relayMessage, error) {
	r := layout.NewReader(frame)
	m := relayMessage{kind: r.U8()}
	switch m.kind {
	case kindAnnounce:
		n := r.Count(announceMax)
		if n == 0 {
			r.Fail(fmt.Errorf("no names"))
		}
		for range n {
			if r.Err() == nil {
				m.names = append(m.names, r.Hash())
			}
		}
	case kindWant, kindGone:
		m.names = []Name{r.Hash()}
	case kindBlock:
		m.names = []Name{r.Hash()}
		if m.data = r.Fixed(r.Len()); len(m.data) == 0 {
			r.Fail(fmt.Errorf("an empty block"))
		}
	default:
		r.Fail(fmt.Errorf("unknown kind %d", m.kind))
	}
	if err := r.Finish(); err != nil {
		return relayMessage{}, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return m, nil
}
