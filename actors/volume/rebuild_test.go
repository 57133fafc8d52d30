package volume

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
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

// liar answers for a relay, and spoils the last byte of each chunk that one key asks it for, as long as it lies.
type liar struct {
	from mutual.Key
	lies atomic.Bool

	mu    sync.Mutex
	asked map[uint64]int // for the chunk of each stripe
}

func (l *liar) before(h mutual.Handler) mutual.Handler {
	return func(ctx context.Context, from *mutual.Peer, body []byte) *mutual.Answer {
		answer := h(ctx, from, body)
		q, err := protocol.DecodeRequest(body)
		if err != nil || q.Op != protocol.GetShard || from.Key != l.from {
			return answer
		}
		l.mu.Lock()
		l.asked[q.Number]++
		l.mu.Unlock()
		if l.lies.Load() {
			whole := slices.Concat(answer.Parts...)
			whole[len(whole)-1] ^= 1
			answer.Parts = [][]byte{whole}
		}
		return answer
	}
}

// take gives for how many chunks the liar was asked, and how often for one at most, and begins anew.
func (l *liar) take() (chunks, most int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, times := range l.asked {
		chunks, most = chunks+1, max(most, times)
	}
	clear(l.asked)
	return chunks, most
}

// liars puts one before each relay that is up, by its number.
func (w *world) liars(from mutual.Key) map[byte]*liar {
	list := map[byte]*liar{}
	w.wire.mu.Lock()
	defer w.wire.mu.Unlock()
	for number, h := range w.wire.servers {
		list[number] = &liar{from: from, asked: map[uint64]int{}}
		w.wire.servers[number] = list[number].before(h)
	}
	return list
}

// A relay that lost its disk makes its chunks although a holder gives wrong ones, asks nobody again for what was right, and keeps nothing as long as too many
// holders lie.
//
// Spec: storage-cbfs §4 (self-heal).
func TestRebuildAmongLiars(t *testing.T) {
	w := newWorldOver(t, 6, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	c, id := w.client(ann), w.create("docs", true, 4, 2)
	var changes []Change
	for i := range 3 {
		changes = append(changes, file(fmt.Sprint("f", i), random(uint64(i), 400_000)))
	}
	must(t, c.Apply(t.Context(), id, changes))
	w.confirmed(id)
	w.wire.set(1, true)
	w.kill(0)
	liars := w.liars(mutual.Key(seedOf(1).Public().(ed25519.PublicKey)))
	liars[3].lies.Store(true)
	liars[5].lies.Store(true)
	w.relays[0] = w.begin(1, w.relays[0].dir, 1<<30)
	w.wire.set(1, false)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	first, second := 0, 0
	w.until("two liars are asked for all", func() bool {
		one, _ := liars[3].take()
		two, _ := liars[5].take()
		first, second = first+one, second+two
		return first >= int(v.Chunks) && second >= int(v.Chunks)
	})
	if n := w.relays[0].store.Usage().Chunks; n != 0 {
		t.Errorf("%d chunks are kept that nobody can make", n)
	}
	w.relays[0].end()
	for _, l := range liars {
		l.take()
	}
	liars[5].lies.Store(false)
	w.relays[0] = w.begin(1, w.relays[0].dir, 1<<30)
	w.until("all is whole", func() bool {
		says, up := w.relays[0].handle.Status()
		return up && says.Slots == 1 && says.Whole == 1
	})
	lies, again := 0, 0
	for number, l := range liars {
		chunks, most := l.take()
		again = max(again, most)
		if number == 3 {
			lies = chunks
		}
	}
	if lies == 0 || again != 1 {
		t.Errorf("%d lies, and somebody was asked %d times for a chunk", lies, again)
	}
}
