package relay

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// committing is a relay that holds the one slot of some volumes, and tells their commits.
type committing struct {
	*Responder
	t      *testing.T
	chain  *holder
	tables map[digest.Hash]*protocol.Table // that the chain names
	now    time.Time
}

func newCommitting(t *testing.T, capacity uint64) *committing {
	t.Helper()
	disk, err := store.Open(t.TempDir(), capacity)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	c := &committing{t: t, chain: &holder{roots: map[digest.Hash]digest.Hash{}}, tables: map[digest.Hash]*protocol.Table{}, now: time.Unix(1_000, 0)}
	now := func() time.Time { return c.now }
	c.Responder = NewResponder(&Responder{Store: disk, Directory: reach.NewDirectory(c.chain, now), Now: now})
	return c
}

// table keeps a table that follows on the newest commit of a volume, with a stripe more for each chunk.
func (c *committing) table(volume digest.Hash, chunks ...digest.Hash) *protocol.Table {
	c.t.Helper()
	before := c.tables[volume]
	if before == nil {
		before = &protocol.Table{K: 1}
	}
	after := &protocol.Table{K: 1, Stripes: slices.Clone(before.Stripes)}
	for _, root := range chunks {
		after.Stripes = append(after.Stripes, protocol.Stripe{Size: 1, Roots: []digest.Hash{root}})
	}
	change, _ := after.Change(before)
	if err := c.apply(store.Name{Volume: volume, Root: c.chain.roots[volume]}, after.Root(), change); err != nil {
		c.t.Fatal(err)
	}
	return after
}

// chunk brings a chunk for a volume.
func (c *committing) chunk(volume digest.Hash, n byte, size int) digest.Hash {
	c.t.Helper()
	v := &reach.Volume{ID: volume, Slots: []reach.Slot{{}}} // of the relay with the zero address
	a := c.put(c.t.Context(), &mutual.Peer{}, &protocol.Request{Data: bytes.Repeat([]byte{n}, size)}, v)
	if a.Status != protocol.Ok {
		c.t.Fatal(a.Status)
	}
	return a.Hashes[0]
}

// commit has the chain name a table, and the relay be told that it is here whole.
func (c *committing) commit(volume digest.Hash, table *protocol.Table) {
	c.t.Helper()
	c.tables[volume], c.chain.roots[volume] = table, table.Root()
	c.now = c.now.Add(reach.RefreshAfter + 1)
	c.Settled(volume)
}

// What is brought and not committed takes an eighth of the capacity for a volume, to the byte, and half of it for all. What is committed counts no more, nor
// does what was given back, nor what nobody committed in the time of an orphan.
//
// Spec: storage-cbfs §3.3 (PutShard), §8 (ORPHAN_SHARD_TTL).
func TestRoomForWhatIsBrought(t *testing.T) {
	c := newCommitting(t, 1_600)
	volume := func(n byte) digest.Hash { return digest.Hash{n} }
	claim := func(n byte, size int, want bool) {
		t.Helper()
		if (c.claim(volume(n), size) != nil) != want {
			t.Errorf("volume %d claims %d bytes: %v", n, size, !want)
		}
	}
	claim(1, 201, false)
	for n := range byte(4) {
		claim(n, 199, true)
		c.came(volume(n), digest.Hash{100 + n}, 199)
		claim(n, 2, false)
		claim(n, 1, true)
		c.came(volume(n), digest.Hash{200 + n}, 1)
	}
	claim(5, 1, false)
	c.unclaim(volume(0), 1)
	claim(5, 2, false)
	claim(5, 1, true)
	draft, err := c.Store.Draft(store.Name{Volume: volume(1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer draft.Close()
	named := &protocol.Table{K: 1, Stripes: []protocol.Stripe{{Size: 199, Roots: []digest.Hash{{101}}}}}
	change, _ := named.Change(&protocol.Table{})
	if err := draft.Apply(change); err != nil {
		t.Fatal(err)
	}
	if _, err := draft.Keep(); err != nil {
		t.Fatal(err)
	}
	begun := c.now
	c.commit(volume(1), named)
	claim(5, 199, true)
	claim(1, 1, false) // the byte that no table names counts on
	c.now = begun.Add(OrphanAge)
	claim(6, 200, false)
	claim(2, 1, false)
	c.now = c.now.Add(1)
	claim(2, 200, true)
	claim(6, 200, true)
	if c.all != 600 || len(c.pending) != 3 { // of the fifth some came later
		t.Errorf("%d bytes of %d volumes", c.all, len(c.pending))
	}
	c.now = c.now.Add(OrphanAge)
	c.age(volume(5), c.now)
	if c.all != 400 || c.known != 0 {
		t.Errorf("%d bytes of %d volumes, %d pieces", c.all, len(c.pending), c.known)
	}
}

// What nobody committed is forgotten when its own time is over, although more of the volume comes all the time.
//
// Spec: storage-cbfs §8 (ORPHAN_SHARD_TTL).
func TestEachPieceHasItsTime(t *testing.T) {
	c := newCommitting(t, 16_000)
	id := digest.Hash{1}
	for hour := range 30 {
		if hour == 25 && c.pending[id].bytes != 1_000+25 || c.claim(id, 1) == nil {
			t.Fatalf("%d bytes after %d hours", c.pending[id].bytes, hour)
		}
		if hour == 0 && c.claim(id, 1_000) == nil {
			t.Fatal("there is no room")
		}
		c.now = c.now.Add(OrphanAge / 24)
	}
	if c.pending[id].bytes > 25 || len(c.pending[id].spans) > 25 || c.all != c.pending[id].bytes {
		t.Errorf("%d bytes of %d spans", c.pending[id].bytes, len(c.pending[id].spans))
	}
}

// A commit makes what it names count no more, chunks and the parts of its table, and nothing else: not other chunks of the volume, not those of another
// volume, not another table. What comes after its commit was settled is settled with the next one.
//
// Spec: storage-cbfs §3.3 (PutShard, PutPlacement).
func TestWhatACommitNames(t *testing.T) {
	mine, theirs := digest.Hash{1}, digest.Hash{2}
	c := newCommitting(t, 1<<20)
	counts := func(want uint64) {
		t.Helper()
		if c.all != want {
			t.Fatalf("%d bytes count, want %d", c.all, want)
		}
	}
	a, b := c.chunk(mine, 1, 1_000), c.chunk(mine, 2, 2_000)
	other := c.chunk(theirs, 3, 4_000)
	counts(7_000)
	c.table(mine, b, other) // which is never committed
	size := c.all - 7_000
	c.commit(mine, c.table(mine, a))
	counts(6_000 + size)
	c.Settled(mine)
	counts(6_000 + size)
	c.commit(theirs, c.table(theirs, other))
	counts(2_000 + size)
	late := cbfs.ChunkRoot(bytes.Repeat([]byte{4}, 8_000))
	c.commit(mine, c.table(mine, late))
	c.chunk(mine, 4, 8_000)
	counts(10_000 + size)
	c.commit(mine, c.table(mine, digest.Hash{9}))
	counts(2_000 + size)
	c.commit(mine, c.table(mine, b))
	counts(size)
}

// What is taken back is room for what is brought next; what was settled meanwhile, or is another volume's, stays and counts on.
//
// Spec: storage-cbfs §3.3 (DeleteShard).
func TestRoomOfWhatIsTakenBack(t *testing.T) {
	d := newCommitting(t, 1_600)
	mine, theirs := &reach.Volume{ID: digest.Hash{1}}, &reach.Volume{ID: digest.Hash{2}}
	for _, v := range []*reach.Volume{mine, theirs} {
		v.Slots = []reach.Slot{{}} // of the relay with the zero address
	}
	put := func(v *reach.Volume, n byte, want protocol.Status) digest.Hash {
		t.Helper()
		a := d.put(t.Context(), &mutual.Peer{}, &protocol.Request{Data: bytes.Repeat([]byte{n}, 150)}, v)
		if a.Status != want {
			t.Fatalf("chunk %d: %v, want %v", n, a.Status, want)
		}
		return append(a.Hashes, digest.Hash{})[0]
	}
	back := func(v *reach.Volume, root digest.Hash, want protocol.Status) {
		t.Helper()
		if a := d.takeBack(&protocol.Request{Volume: v.ID, Hashes: []digest.Hash{root}}); a.Status != want {
			t.Fatalf("taken back: %v, want %v", a.Status, want)
		}
	}
	first := put(mine, 1, protocol.Ok)
	put(mine, 2, protocol.ErrCapacity)
	back(theirs, first, protocol.ErrConflict)
	put(mine, 2, protocol.ErrCapacity)
	back(mine, first, protocol.Ok)
	back(mine, first, protocol.Ok) // it is not here
	second := put(mine, 2, protocol.Ok)
	if _, err := d.Store.Sync([]digest.Hash{second}); err != nil {
		t.Fatal(err)
	}
	d.forgive(mine.ID, second)
	back(mine, second, protocol.ErrConflict)
	third := put(mine, 3, protocol.Ok)
	back(mine, second, protocol.ErrConflict)
	put(mine, 4, protocol.ErrCapacity)
	back(mine, third, protocol.Ok)
	if u := d.Store.Usage(); u.Bytes != 150+8 || u.Chunks != 1 || d.all != 0 {
		t.Errorf("%+v, and %d bytes that were not committed", u, d.all)
	}
}
