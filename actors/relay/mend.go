package relay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// OrphanAge is how long what no table names, and a table that no commit names any more, are kept: ORPHAN_SHARD_TTL in blocks of a second.
//
// Spec: WP §7.3; storage-cbfs §8.
const OrphanAge = 86_400 * time.Second

// Bounds of what is mended at a time, of all slots together.
const (
	mendBytes = 64 << 20        // of the chunks that are asked for, and those made of them
	mendFirst = 20 << 20        // of them at the beginning, and while holders are slow
	mendLeast = 256 << 10       // that a chunk counts at least, however short
	mendQuick = 2 * time.Second // a chunk that took no longer has more asked for at a time, another one less
	mendLate  = 5 * time.Second // after so long another holder is asked for a chunk besides
)

var (
	errMoved = errors.New("the volume has another commit by now")
	errTable = errors.New("the table is not of what was committed")
)

// Mender makes slots whole, proves and collects. It is safe for many goroutines.
type Mender struct {
	Base      context.Context // its end ends what is under way
	Self      account.Address
	Store     *store.Store
	Directory *reach.Directory
	Pool      *reach.Pool
	Now       func() time.Time
	Settled   func(volume digest.Hash) // a volume's commit is here whole; may be nil

	flow flow
}

// mend makes a slot whole: its table and all its chunks are here and durable, or an error tells why not.
//
// Spec: storage-cbfs §4 (self-heal, repair).
func (m *Mender) mend(ctx context.Context, a act) error {
	v, err := m.Directory.Volume(ctx, a.held.Volume, true)
	switch {
	case err != nil:
		return err
	case v.Root != a.root || int(a.held.Slot) >= len(v.Slots) || v.Slots[a.held.Slot].Relay != m.Self:
		return errMoved
	}
	table, err := m.table(ctx, v, a.root, a.scrub)
	if err != nil {
		return err
	}
	code, err := stripe.New(int(v.K), int(v.M))
	if err != nil {
		return err
	}
	wanted := table.Slot(a.held.Slot)
	if err := m.chunks(ctx, v, named{table, a.root}, code, a, wanted); err != nil {
		return err
	}
	missing, err := m.Store.Sync(wanted)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("%d chunks went while they were synced: %w", len(missing), store.ErrMissing)
	}
	if err == nil {
		err = m.Store.Named(store.Name{Volume: v.ID, Root: a.root}, m.Now())
	}
	if err == nil && m.Settled != nil {
		m.Settled(v.ID)
	}
	return err
}

// chunks makes those of a slot's chunks that are not here, as many at a time as there is memory for. One that cannot be made keeps no other one from it.
func (m *Mender) chunks(ctx context.Context, v *reach.Volume, t named, code *stripe.Code, a act, wanted []digest.Hash) error {
	absent, err := m.Store.Absent(wanted)
	if err != nil {
		return err
	}
	var all errgroup.Group
	for n, root := range wanted {
		if !a.scrub && !absent[n] {
			continue
		}
		weight := max(int64(code.K+1)*int64(t.Stripes[n].Size), mendLeast)
		if m.flow.take(ctx, weight) != nil {
			break // the context's, which is told below
		}
		all.Go(func() error {
			begun := time.Now()
			var err error
			if absent[n] || !m.whole(root) {
				_, err = m.chunk(ctx, v, t, code, a.held.Slot, uint64(n))
			}
			m.flow.give(weight, err == nil && time.Since(begun) <= mendQuick)
			return err
		})
	}
	return errors.Join(all.Wait(), ctx.Err())
}

// whole reads a chunk, and reports whether it is what it should be.
func (m *Mender) whole(root digest.Hash) bool {
	_, err := m.Store.Get(root)
	return err == nil
}

// table gives the table of a volume's commit, from the store or from another holder. A scrub reads it.
func (m *Mender) table(ctx context.Context, v *reach.Volume, root digest.Hash, scrub bool) (*protocol.Table, error) {
	read := m.Store.Table
	if scrub {
		read = m.Store.ReadTable
	}
	t, err := read(store.Name{Volume: v.ID, Root: root})
	if errors.Is(err, store.ErrMissing) {
		if t, err = FetchTable(ctx, m.Directory, m.Pool, v, root, m.Self, nil); err == nil {
			err = m.Store.KeepTable(store.Name{Volume: v.ID, Root: root}, t) // it was held to its root
		}
	}
	if err == nil && root == v.Root && (t.K != v.K || t.M != v.M || uint64(len(t.Stripes)) != v.Chunks) {
		err = errTable
	}
	return t, err
}

// named is a table and its root, which takes a hash of every chunk to know.
type named struct {
	*protocol.Table
	root digest.Hash
}

// holders lists the other slots of a volume: those that have confirmed its commit first, and each chunk begins with another one, so that all have as much to
// give.
func (m *Mender) holders(v *reach.Volume, root digest.Hash, slot uint8, number uint64) []int {
	var first, last []int
	for i := range v.Slots {
		at := (i + int(number%uint64(len(v.Slots)))) % len(v.Slots)
		switch one := &v.Slots[at]; {
		case at == int(slot) || one.Relay == m.Self:
		case one.Root == root:
			first = append(first, at)
		default:
			last = append(last, at)
		}
	}
	return append(first, last...)
}

// chunk makes a slot's chunk of those of others, and keeps it.
func (m *Mender) chunk(ctx context.Context, v *reach.Volume, t named, code *stripe.Code, slot uint8, number uint64) ([]byte, error) {
	s := &t.Stripes[number]
	list, failed, err := Enough(ctx, m.holders(v, t.root, slot, number), code.K, mendLate, func(ctx context.Context, at int) Got {
		data, body, err := FetchChunk(ctx, m.Directory, m.Pool, v, t.Table, uint8(at), number, &protocol.Request{Root: t.root})
		return Got{at, data, body, err}
	})
	if err != nil {
		return nil, err
	}
	chunks := make([][]byte, len(s.Roots))
	for _, one := range list {
		chunks[one.Slot] = one.Data
	}
	data, err := code.Rebuild(chunks, int(slot))
	if err != nil {
		return nil, fmt.Errorf("chunk %d of %s: %w: %w", number, v.ID, err, failed)
	}
	if cbfs.ChunkRoot(data) != s.Roots[slot] {
		return nil, fmt.Errorf("chunk %d of %s: %w", number, v.ID, errTable) // the owner's table is none of a code
	}
	for _, one := range list { // what was made lies in none of them
		one.Body.Free()
	}
	_, err = m.Store.Keep(s.Roots[slot], data)
	return data, err
}

// prove answers a challenge out of the one chunk it is about.
//
// Spec: storage-cbfs §6.
func (m *Mender) prove(ctx context.Context, a act) (*cbfs.Proof, error) {
	v, err := m.Directory.Volume(ctx, a.held.Volume, false)
	if err != nil {
		return nil, err
	}
	table, err := m.table(ctx, v, a.ask.Root, false)
	if err != nil {
		return nil, err
	}
	if int(a.ask.Slot) >= int(table.K+table.M) || a.ask.Ordinal >= uint64(len(table.Stripes)) {
		return nil, errTable
	}
	data, err := m.Store.Get(table.Stripes[a.ask.Ordinal].Roots[a.ask.Slot])
	if errors.Is(err, store.ErrMissing) {
		var code *stripe.Code
		if code, err = stripe.New(int(table.K), int(table.M)); err == nil {
			data, err = m.chunk(ctx, v, named{table, a.ask.Root}, code, a.ask.Slot, a.ask.Ordinal)
		}
	}
	if err != nil {
		return nil, err
	}
	return proof(table, data, a.ask)
}

// proof makes a proof, and is sure of it: a wrong one would be a fraud.
func proof(t *protocol.Table, data []byte, a cbfs.Ask) (*cbfs.Proof, error) {
	p, err := cbfs.Prove(t.Leaves(), data, a)
	if err == nil {
		err = p.Verify(a)
	}
	return p, err
}

// collect removes what nobody names any more.
//
// Spec: storage-cbfs §4 (orphan shard), §8.
func (m *Mender) collect(ctx context.Context, chain Chain) error {
	held, err := chain.Held(ctx)
	if err != nil {
		return err
	}
	for _, one := range held {
		v, err := m.Directory.Volume(ctx, one.Volume, false)
		if errors.Is(err, reach.ErrUnknown) {
			continue
		}
		if err != nil {
			return err // what is named is not known: nothing is removed
		}
		roots := []digest.Hash{v.Root}
		if int(one.Slot) < len(v.Slots) {
			roots = append(roots, v.Slots[one.Slot].Root)
		}
		for _, root := range roots {
			if err := m.Store.Named(store.Name{Volume: v.ID, Root: root}, m.Now()); err != nil && !errors.Is(err, store.ErrMissing) {
				return err
			}
		}
	}
	_, _, err = m.Store.Collect(m.Now().Add(-OrphanAge))
	return err
}
