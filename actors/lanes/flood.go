package lanes

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// floodTxs bounds the transactions of one frame.
	floodTxs = 1024
	// floodBytes is what a frame is filled up to.
	floodBytes = 256 << 10
	// heardMax bounds the submissions of peers that wait: a flood of theirs leaves room for this node's own clients.
	heardMax = 256
	// remindMost bounds what is told again at a time, in bytes of transactions.
	remindMost = 1 << 20
	// greetMost is how many connecting peers are told between two blocks: a connection must not cost whoever makes it less than this node.
	greetMost = 16
)

// encodeFlood is a frame of transactions: Vec of Bytes. Spec: WP "Network Layer" (flooding).
func encodeFlood(raw [][]byte) []byte {
	dst := codec.AppendLen(nil, len(raw))
	for _, t := range raw {
		dst = codec.AppendBytes(dst, t)
	}
	return dst
}

// decodeFlood reads what encodeFlood wrote and nothing else, or gives a *codec.Error. The transactions are copies.
func decodeFlood(frame []byte) ([][]byte, error) {
	r := codec.NewReader(frame)
	raw := make([][]byte, r.Len(1, floodTxs, 1))
	for i := range raw {
		raw[i] = bytes.Clone(r.Bytes(params.MaxTxBytes))
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return raw, nil
}

// Hear takes a frame of transactions that a peer has. What this node takes of it, it tells its other peers.
func (h *Handle) Hear(from link.Peer, frame []byte) error {
	raw, err := decodeFlood(frame)
	if err != nil {
		return err
	}
	if h.heard.Add(1) > heardMax {
		h.heard.Add(-1)
		return nil
	}
	d := h.Admit(Submit{Raw: raw, Reply: func([]Result) { h.heard.Add(-1) }, from: &from})
	if d != supervision.Accepted {
		h.heard.Add(-1)
	}
	return nil
}

// spread tells the peers what was taken, but not the one it came from. A frame may be lost: what clients of this node sent is told again (remind).
func (r *Router) spread(sub *submission) {
	if r.Link == nil {
		return
	}
	var taken [][]byte
	for _, i := range sub.at {
		if sub.results[i].Err == nil {
			taken = append(taken, sub.raw[i])
		}
	}
	for _, frame := range frames(taken) {
		r.send(sub.from, frame)
	}
}

// remind tells one peer, or all, of what clients of this node sent up to a height and that still waits: nobody may have been there to hear of it, or it was
// lost on the way, and who tells of a transaction first is the only one who does.
//
// Spec: WP "Network Layer" (transactions flood to all peers).
func (r *Router) remind(to *link.Peer, since unit.Height) {
	if r.Link == nil {
		return
	}
	var told [][]byte
	size := 0
	for _, it := range r.book.waiting(since) {
		if size += it.tx.Size(); size > remindMost {
			break
		}
		told = append(told, it.tx.Tx().Encode())
	}
	for _, frame := range frames(told) {
		if to == nil {
			r.Link.Broadcast(link.Transactions, frame)
		} else {
			r.Link.Send(*to, link.Transactions, frame)
		}
	}
}

// greet tells a peer that has connected, unless too many were told since the last block.
func (r *Router) greet(p link.Peer) {
	if r.greeted < greetMost {
		r.greeted++
		r.remind(&p, r.view.height)
	}
}

// frames packs transactions, in their order.
func frames(raw [][]byte) (list [][]byte) {
	for len(raw) > 0 {
		n, size := 1, len(raw[0])
		for n < min(len(raw), floodTxs) && size+len(raw[n]) <= floodBytes {
			size += len(raw[n])
			n++
		}
		list = append(list, encodeFlood(raw[:n]))
		raw = raw[n:]
	}
	return list
}

func (r *Router) send(except *link.Peer, frame []byte) {
	if except == nil {
		r.Link.Broadcast(link.Transactions, frame)
		return
	}
	for _, p := range r.Handle.peers() {
		if p != *except {
			r.Link.Send(p, link.Transactions, frame)
		}
	}
}

// Up says that a peer is connected.
func (h *Handle) Up(p link.Peer) {
	h.mu.Lock()
	h.connected = append(h.connected, p)
	h.mu.Unlock()
	h.router.Send(met{p})
}

// Down says that a peer is gone.
func (h *Handle) Down(p link.Peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := h.connected[:0:0]
	for _, q := range h.connected {
		if q != p {
			kept = append(kept, q)
		}
	}
	h.connected = kept
}

// peers are the connected ones, in the order they came. The slice is never changed.
func (h *Handle) peers() []link.Peer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.connected
}
