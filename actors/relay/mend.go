package relay

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
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
	mendMost  = 256             // chunks that cannot be made, after which a mending ends: others wait for the mender
)

var (
	errMoved = errors.New("the volume has another commit by now")
	errTable = errors.New("the table is not of what was committed")

	errHopeless = errors.New("too many chunks cannot be made")
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

	flow    flow
	weights weights
	piece   int // bytes of a table that is fetched which are made part of it at a time; 0 for fetchBytes
}

// mend makes a slot whole: its table and all its chunks are here and durable, or an error tells why not. Where the table of an earlier commit was found whole,
// it looks at what was touched since.
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
	t, err := m.table(ctx, v, a.root, a.since.IsZero())
	if err != nil {
		return err
	}
	if err := m.paid(ctx, v, a.root, t); err != nil {
		return err
	}
	code, err := stripe.New(int(v.K), int(v.M))
	if err != nil {
		return err
	}
	j := &job{mender: m, volume: v, table: t, code: code, act: a}
	numbers, known := t.Since(store.Name{Volume: v.ID, Root: a.since})
	if known {
		err = j.some(ctx, numbers)
	}
	if !known || errors.Is(err, store.ErrLost) {
		err = j.every(ctx)
	}
	if err == nil {
		err = m.Store.Named(store.Name{Volume: v.ID, Root: a.root}, m.Now())
	}
	if err == nil && m.Settled != nil {
		m.Settled(v.ID)
	}
	return err
}

// job is the mending of a slot.
type job struct {
	mender *Mender
	volume *reach.Volume
	table  *store.Table
	code   *stripe.Code
	act    act

	wanted [][]digest.Hash // the slot's chunks that were looked at
	making errgroup.Group
	failed atomic.Int32 // chunks that could not be made
}

// some makes whole what a slot has at some numbers.
func (j *job) some(ctx context.Context, numbers []uint64) error {
	var err error
	for err == nil && len(numbers) > 0 {
		list := make([]protocol.Numbered, 0, protocol.PageStripes)
		for err == nil && len(numbers) > 0 && len(list) < cap(list) {
			var s *protocol.Stripe
			if s, err = j.table.Stripe(numbers[0]); err == nil {
				list = append(list, protocol.Numbered{Number: numbers[0], Stripe: *s})
				numbers = numbers[1:]
			}
		}
		if err == nil {
			err = j.look(ctx, list)
		}
	}
	return j.end(ctx, err)
}

// every makes whole what the slot has, and the table itself.
func (j *job) every(ctx context.Context) error {
	j.wanted = nil
	var err error
	for at := 0; err == nil && at < len(j.table.Outline().Pages); at++ {
		var page *protocol.Table
		if page, err = j.mender.page(ctx, j.volume, j.act.root, j.table, at); err != nil {
			break
		}
		list := make([]protocol.Numbered, len(page.Stripes))
		for i := range list {
			list[i] = protocol.Numbered{Number: uint64(at*protocol.PageStripes + i), Stripe: page.Stripes[i]}
		}
		err = j.look(ctx, list)
	}
	if err == nil {
		err = rebuild(j.table, j.act.scrub)
	}
	return j.end(ctx, err)
}

// look has those of the slot's chunks of some stripes made that are not here, as many at a time as there is memory for. One that cannot be made keeps no other
// one from it, until so many cannot be made that the mending ends.
func (j *job) look(ctx context.Context, list []protocol.Numbered) error {
	roots := make([]digest.Hash, len(list))
	for i := range list {
		roots[i] = list[i].Roots[j.act.held.Slot]
	}
	j.wanted = append(j.wanted, roots)
	m := j.mender
	absent, err := m.Store.Absent(roots)
	if err != nil {
		return err
	}
	for i := range list {
		if !j.act.scrub && !absent[i] {
			continue
		}
		if j.failed.Load() >= mendMost {
			return errHopeless
		}
		one := &list[i]
		weight := max(int64(j.code.K+1)*int64(one.Size), mendLeast)
		if err := m.flow.take(ctx, weight); err != nil {
			return err
		}
		j.making.Go(func() error {
			begun := time.Now()
			var err error
			if absent[i] && !m.Store.Has(roots[i]) || !m.whole(roots[i]) { // it may have been pushed meanwhile
				var data *mutual.Body
				data, err = m.chunk(ctx, j.volume, j.act.root, &one.Stripe, j.code, j.act.held.Slot, one.Number)
				data.Free()
			}
			m.flow.give(weight, err == nil && time.Since(begun) <= mendQuick)
			if err != nil {
				j.failed.Add(1)
			}
			return err
		})
	}
	return nil
}

// end waits for what is made, and has all that was looked at durable.
func (j *job) end(ctx context.Context, err error) error {
	err = errors.Join(err, j.making.Wait(), ctx.Err())
	j.making = errgroup.Group{}
	for _, roots := range j.wanted {
		if err != nil {
			return err
		}
		var missing []digest.Hash
		if missing, err = j.mender.Store.Sync(roots); err == nil && len(missing) > 0 {
			err = fmt.Errorf("%d chunks went while they were synced: %w", len(missing), store.ErrMissing)
		}
	}
	return err
}

// whole reads a chunk, and reports whether it is what it should be.
func (m *Mender) whole(root digest.Hash) bool {
	_, err := m.Store.Get(root)
	return err == nil
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

// making is a slot's chunk that is made of those of others.
type making struct {
	*Mender
	volume *reach.Volume
	root   digest.Hash // of the table
	stripe *protocol.Stripe
	code   *stripe.Code
	slot   uint8
	number uint64
}

// chunk makes a slot's chunk of those of others, and keeps it. What was made is held to its root; only where it is wrong is each chunk of the others held to
// its own, and what is wrong among them replaced. The memory is the caller's.
//
// Spec: storage-cbfs §4 (repair).
func (m *Mender) chunk(
	ctx context.Context, v *reach.Volume, root digest.Hash, s *protocol.Stripe, code *stripe.Code, slot uint8, number uint64,
) (*mutual.Body, error) {
	c := &making{m, v, root, s, code, slot, number}
	made, given, err := c.make(ctx, c.ask(fetchUnheld))
	if errors.Is(err, errTable) {
		if again := c.askAgain(given); again != nil {
			made, _, err = c.make(ctx, again)
		}
	}
	if err == nil {
		_, err = m.Store.Keep(s.Roots[slot], made.Bytes)
	}
	return made, err
}

// make makes the chunk of what holders give. Error: errTable where it is not the one that was committed; the chunks it was made of are given too then.
func (c *making) make(ctx context.Context, ask func(ctx context.Context, at int) Got) (*mutual.Body, []Got, error) {
	given, failed, err := Enough(ctx, c.holders(c.volume, c.root, c.slot, c.number), c.code.K, mendLate, ask)
	if err != nil {
		return nil, nil, err
	}
	chunks := make([][]byte, len(c.stripe.Roots))
	for _, one := range given {
		chunks[one.Slot] = one.Data
	}
	made := mutual.Take(int(c.stripe.Size))
	if err := c.code.Rebuild(chunks, int(c.slot), made.Bytes); err != nil {
		made.Free()
		return nil, nil, fmt.Errorf("chunk %d of %s: %w: %w", c.number, c.volume.ID, err, failed)
	}
	if cbfs.ChunkRoot(made.Bytes) != c.stripe.Roots[c.slot] {
		made.Free()
		return nil, given, fmt.Errorf("chunk %d of %s: %w", c.number, c.volume.ID, errTable)
	}
	for _, one := range given {
		one.Body.Free()
	}
	return made, nil, nil
}

// ask asks a holder for its chunk.
func (c *making) ask(fetch fetching) func(ctx context.Context, at int) Got {
	return func(ctx context.Context, at int) Got {
		data, body, err := fetch(ctx, c.Directory, c.Pool, c.volume, c.stripe, uint8(at), c.number, &protocol.Request{Root: c.root})
		return Got{at, data, body, err}
	}
}

// askAgain takes what is right of that which holders have given, and asks those who gave nothing; nil where all of it is right, and so the owner's table is
// none of a code.
func (c *making) askAgain(given []Got) func(ctx context.Context, at int) Got {
	before, lied := map[int]Got{}, false
	for _, one := range given {
		if cbfs.ChunkRoot(one.Data) != c.stripe.Roots[one.Slot] {
			one, lied = Got{Slot: one.Slot, Err: wrongChunk(c.volume, uint8(one.Slot), c.number)}, true
		}
		before[one.Slot] = one
	}
	if !lied {
		return nil
	}
	ask := c.ask(FetchShard)
	return func(ctx context.Context, at int) Got {
		if one, ok := before[at]; ok {
			return one
		}
		return ask(ctx, at)
	}
}

// collect removes what nobody names any more.
//
// Spec: storage-cbfs §4 (orphan shard), §8.
func (m *Mender) collect(ctx context.Context, chain Chain) error {
	held, err := chain.Held(ctx)
	if err != nil {
		return err
	}
	m.weights.keep(held)
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
