package lanes

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// floodTxs bounds the transactions of one frame.
	floodTxs = 1024
	// floodBytes is what a frame is filled up to.
	floodBytes = 256 << 10
	// heardMax bounds the submissions of peers that wait: a flood of theirs leaves room for this node's own clients.
	heardMax = 256
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
	d := h.router.Send(Submit{Raw: raw, Reply: func([]Result) { h.heard.Add(-1) }, from: &from})
	if d != supervision.Accepted {
		h.heard.Add(-1)
	}
	return nil
}

// spread tells the peers what was taken, but not the one it came from. Frames are lost in silence: what matters is sent again by its client, and a
// block holds what its proposer knows.
func (r *Router) spread(sub *submission) {
	if r.Link == nil {
		return
	}
	var batch [][]byte
	size := 0
	flush := func() {
		if len(batch) > 0 {
			r.send(sub.from, encodeFlood(batch))
			batch, size = nil, 0
		}
	}
	for _, i := range sub.at {
		if sub.results[i].Err != nil {
			continue
		}
		if size += len(sub.raw[i]); size > floodBytes && len(batch) > 0 || len(batch) == floodTxs {
			flush()
			size = len(sub.raw[i])
		}
		batch = append(batch, sub.raw[i])
	}
	flush()
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
	defer h.mu.Unlock()
	h.connected = append(h.connected, p)
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
