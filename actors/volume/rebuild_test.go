package volume

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// gate holds the questions of one key for chunks until so many wait.
type gate struct {
	from mutual.Key
	many int
	open chan struct{}

	mu      sync.Mutex
	waiting int
}

func (g *gate) before(h mutual.Handler) mutual.Handler {
	return func(ctx context.Context, from *mutual.Peer, body []byte) *mutual.Answer {
		if q, err := protocol.DecodeRequest(body); err == nil && q.Op == protocol.GetShard && from.Key == g.from {
			g.mu.Lock()
			if g.waiting++; g.waiting == g.many {
				close(g.open)
			}
			g.mu.Unlock()
			select {
			case <-g.open:
			case <-ctx.Done():
			}
		}
		return h(ctx, from, body)
	}
}

// A relay that lost its disk asks others for many chunks at a time, and not for one stripe after another: none is given before forty are asked for.
//
// Spec: storage-cbfs §4 (self-heal).
func TestRebuildAsksForMany(t *testing.T) {
	w := newWorldOver(t, 6, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	c, id := w.client(ann), w.create("docs", true, 4, 2)
	var changes []Change
	for i := range 40 {
		changes = append(changes, file(fmt.Sprint("f", i), random(uint64(i), 4_000)))
	}
	must(t, c.Apply(t.Context(), id, changes))
	w.confirmed(id)
	g := &gate{from: mutual.Key(seedOf(1).Public().(ed25519.PublicKey)), many: 40, open: make(chan struct{})}
	w.wire.set(1, true)
	w.kill(0)
	w.wire.mu.Lock()
	for number, h := range w.wire.servers {
		w.wire.servers[number] = g.before(h)
	}
	w.wire.mu.Unlock()
	w.relays[0] = w.begin(1, w.relays[0].dir, 1<<30)
	w.wire.set(1, false)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	w.until("all is whole", func() bool {
		for slot := range v.Slots {
			if v.Slots[slot].Relay == w.relays[0].self && !has(w.relays[0], v, uint8(slot)) {
				return false
			}
		}
		return true
	})
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting < 4*40 {
		t.Errorf("%d chunks were asked for, want %d", g.waiting, 4*40)
	}
}
