package relay

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of what is brought and not committed.
const (
	pendingShares  = 8 // an eighth of the capacity may be brought for a volume and not be committed
	pendingAll     = 2 // and half of it for all volumes, so that slots can always be mended
	pendingSpan    = OrphanAge / 24
	knownOfVolume  = 1 << 20 // pieces of which it is remembered what they are; of the others only that they came
	knownOfAll     = 1 << 21
	settledVolumes = 1 << 14 // whose last two commits are remembered
)

// brought is what came for a volume and was not committed.
type brought struct {
	bytes uint64
	known int     // pieces
	spans []*span // oldest first; none is empty
}

// span is what came within a time, and is forgotten at once.
type span struct {
	begun, last time.Time // the first and the last of it came
	bytes       uint64
	pieces      map[uint64]uint32 // sizes of chunks, and of parts of tables, by the first bytes of their hashes
}

func pieceOf(hash digest.Hash) uint64 { return binary.BigEndian.Uint64(hash[:]) }

// draft is what is brought for a volume; nil where there is nothing.
func (d *Responder) draft(volume digest.Hash) *brought {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.pending[volume]
}

// claim takes room for what is brought for a volume before it is committed, and gives what that is part of; nil where there is no room. What nobody committed
// in the time of an orphan was collected.
func (d *Responder) claim(volume digest.Hash, size int) *brought {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, most := d.Now(), d.Store.Usage().Capacity
	d.age(volume, now)
	if d.all+uint64(size) > most/pendingAll || d.known >= knownOfAll {
		for other := range d.pending { // order-free: each by itself
			d.age(other, now)
		}
	}
	b := d.pending[volume]
	if b == nil {
		b = &brought{}
	}
	if b.bytes+uint64(size) > most/pendingShares || d.all+uint64(size) > most/pendingAll {
		return nil
	}
	d.pending[volume] = b
	if n := len(b.spans); n == 0 || now.Sub(b.spans[n-1].begun) >= pendingSpan {
		b.spans = append(b.spans, &span{begun: now, pieces: map[uint64]uint32{}})
	}
	s := b.spans[len(b.spans)-1]
	s.last = now
	d.count(b, s, uint64(size))
	return b
}

// age forgets what came for a volume so long ago that it was collected. The lock is held.
func (d *Responder) age(volume digest.Hash, now time.Time) {
	b := d.pending[volume]
	if b == nil {
		return
	}
	for len(b.spans) > 0 && now.Sub(b.spans[0].last) > OrphanAge {
		s := b.spans[0]
		b.spans = b.spans[1:]
		b.bytes, d.all = b.bytes-s.bytes, d.all-s.bytes
		b.known, d.known = b.known-len(s.pieces), d.known-len(s.pieces)
	}
	if b.bytes == 0 {
		d.known -= b.known
		delete(d.pending, volume)
	}
}

// count counts bytes of a span. The lock is held.
func (d *Responder) count(b *brought, s *span, size uint64) {
	s.bytes += size
	b.bytes += size
	d.all += size
}

// discount counts bytes of a span no more, and gives how many it had of them. The lock is held.
func (d *Responder) discount(b *brought, s *span, size uint64) uint64 {
	size = min(size, s.bytes)
	s.bytes -= size
	b.bytes -= size
	d.all -= size
	return size
}

// came notes what it was that room was claimed for.
func (d *Responder) came(volume, hash digest.Hash, size int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.pending[volume]
	if b == nil || len(b.spans) == 0 || b.known >= knownOfVolume || d.known >= knownOfAll {
		return
	}
	pieces := b.spans[len(b.spans)-1].pieces
	if _, there := pieces[pieceOf(hash)]; !there {
		pieces[pieceOf(hash)] = uint32(size)
		b.known, d.known = b.known+1, d.known+1
	}
}

// unclaim gives room back that was claimed just now.
func (d *Responder) unclaim(volume digest.Hash, size int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, left := d.pending[volume], uint64(size)
	for i := 0; b != nil && i < len(b.spans); i++ {
		left -= d.discount(b, b.spans[len(b.spans)-1-i], left)
	}
}

// forgive counts what came for a volume no more, of all that is listed.
func (d *Responder) forgive(volume digest.Hash, list ...digest.Hash) {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.pending[volume]
	for i := 0; b != nil && b.known > 0 && i < len(list); i++ {
		for _, s := range b.spans {
			if size, there := s.pieces[pieceOf(list[i])]; there {
				delete(s.pieces, pieceOf(list[i]))
				b.known, d.known = b.known-1, d.known-1
				d.discount(b, s, uint64(size))
			}
		}
	}
}

// Settled notes that what is here of a volume is what was committed: what that names was brought and counts no more. All else that was brought counts on.
//
// Spec: storage-cbfs §3.3 (PutShard), §4 (orphan shard).
func (d *Responder) Settled(volume digest.Hash) {
	ctx, cancel := context.WithTimeout(context.Background(), courierWithin)
	defer cancel()
	v, err := d.Directory.Volume(ctx, volume, false)
	if err != nil || v.Root.IsZero() {
		return
	}
	t, err := d.Store.Table(store.Name{Volume: volume, Root: v.Root})
	if err != nil {
		return
	}
	before, _ := d.commits.Get(volume)
	if before[1] != v.Root {
		d.commits.Add(volume, [2]digest.Hash{before[1], v.Root})
	}
	if b := d.draft(volume); b == nil {
		return
	}
	d.forgive(volume, append(t.Parts(), v.Root)...)
	numbers, known := t.Since(store.Name{Volume: volume, Root: before[0]}) // what the last commit but one named may have come after it
	if !known && before[1] != v.Root {
		numbers, known = t.Since(store.Name{Volume: volume, Root: before[1]})
	}
	switch {
	case known:
		for _, number := range numbers {
			if s, err := t.Stripe(number); err == nil {
				d.forgive(volume, s.Roots...)
			}
		}
	case before[1] != v.Root:
		for at := range t.Outline().Pages {
			page, err := t.Page(at)
			if err != nil {
				continue
			}
			var list []digest.Hash
			for i := range page.Stripes {
				list = append(list, page.Stripes[i].Roots...)
			}
			d.forgive(volume, list...)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.age(volume, d.Now())
}
