package relay

import (
	"context"
	"errors"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/retained"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// Bounds of a responder.
const (
	tablesAtOnce   = 8
	tablesOfVolume = 2                // of them
	tableWithin    = 5 * time.Minute  // that all parts of a table come in
	partWithin     = 10 * time.Second // that the next part of one comes in, where others wait
	proofsAtOnce   = 2
	proofsWaiting  = 32 // of as many sources
	proofWithin    = 10 * time.Second
	provenTokens   = 1_024
)

// Responder answers questions. Its fields are set before the first one; it is safe for many goroutines.
type Responder struct {
	Self      account.Address
	Node      digest.Hash
	Network   cbfs.Network // without the time
	Store     *store.Store
	Directory *reach.Directory
	Retained  *retained.Store // nil: no blobs are served
	Now       func() time.Time
	Peers     *reach.Peers                                       // relays that were heard of
	Rotten    func(volume digest.Hash)                           // a chunk of it that should be here is not
	Hinted    func(volume digest.Hash, version uint64)           // the chain has this version of the placement of a volume that has a slot here
	Observe   func(op protocol.Op, s protocol.Status, bytes int) // may be nil; must not wait

	proven  *lru.Cache[digest.Hash, struct{}] // tokens and certificates whose signatures are right
	proofs  *semaphore.Weighted
	proving *door.Shares                            // proofs that are made or waited for
	changes *semaphore.Weighted                     // bytes of changes that are being made
	commits *lru.Cache[digest.Hash, [2]digest.Hash] // the last two that were settled, of each volume

	mu       sync.Mutex
	pending  map[digest.Hash]*brought // of volumes
	all      uint64                   // bytes of pending
	known    int                      // pieces of pending
	tables   map[upload]*parts        // that are on their way
	placing  *door.Shares             // their places
	ofVolume map[digest.Hash]*door.Shares
}

// NewResponder makes a responder ready.
func NewResponder(d *Responder) *Responder {
	d.proofs, d.proving = semaphore.NewWeighted(proofsAtOnce), door.NewShares(proofsWaiting, 1)
	d.changes = semaphore.NewWeighted(protocol.MaxChange)
	d.proven, _ = lru.New[digest.Hash, struct{}](provenTokens) // fails for no size alone
	d.commits, _ = lru.New[digest.Hash, [2]digest.Hash](settledVolumes)
	d.pending, d.tables = map[digest.Hash]*brought{}, map[upload]*parts{}
	d.placing, d.ofVolume = door.NewShares(tablesAtOnce, 0), map[digest.Hash]*door.Shares{}
	return d
}

func refuse(s protocol.Status) *protocol.Answer { return &protocol.Answer{Status: s} }

// Answer implements mutual.Handler.
func (d *Responder) Answer(ctx context.Context, from *mutual.Peer, body []byte) *mutual.Answer {
	q, err := protocol.DecodeRequest(body)
	if err != nil {
		return &mutual.Answer{Parts: [][]byte{refuse(protocol.ErrInvalid).Encode()}, Refused: true}
	}
	ctx = reach.For(ctx, door.Source(from.Address))
	room := mutual.Take(roomOf(q))
	a := d.answer(ctx, from, q, room.Bytes)
	if d.Observe != nil {
		d.Observe(q.Op, a.Status, len(q.Data)+len(a.Data))
	}
	refused := a.Status == protocol.ErrAuth || a.Status == protocol.ErrInvalid
	return &mutual.Answer{Parts: [][]byte{a.Head(), a.Data}, Done: room.Free, Refused: refused}
}

// roomOf is how much memory a question takes for what is read of the store to answer it.
func roomOf(q *protocol.Request) int {
	switch q.Op {
	case protocol.GetShard, protocol.GetManifest, protocol.ProveShard:
		return store.ChunkRoom
	case protocol.GetPieces:
		return piecesRoom
	}
	return 0
}

func (d *Responder) answer(ctx context.Context, from *mutual.Peer, q *protocol.Request, room []byte) *protocol.Answer {
	switch q.Op {
	case protocol.Ping:
		height, _ := d.Directory.Height(ctx) // 0 where no node answers
		return &protocol.Answer{Version: height, Holders: []digest.Hash{d.Node}}
	case protocol.RelayHandshake:
		return d.handshake(ctx, from, q)
	case protocol.GetPieces:
		return d.pieces(q)
	case protocol.SyncPeers:
		return d.peers(q)
	case protocol.ReplicatePlacement, protocol.PeerRelayPushShard, protocol.PeerPlacementUpdate:
		return d.peer(ctx, from, q)
	}
	v, status := d.admit(ctx, from, q, needOf(q))
	if status != protocol.Ok {
		return refuse(status)
	}
	switch q.Op {
	case protocol.PutShard:
		return d.put(ctx, from, q, v)
	case protocol.HaveShards:
		return d.have(from, q)
	case protocol.DeleteShard:
		return d.takeBack(q)
	case protocol.PutPlacement:
		return d.putPlacement(ctx, from, q, v)
	case protocol.GetPlacement:
		return d.getPlacement(ctx, q, v)
	case protocol.GetManifest:
		return d.manifest(v, room)
	case protocol.ProveShard:
		return d.prove(ctx, from, q, v, room)
	case protocol.GetPage:
		return d.page(q, v)
	case protocol.GetPaths:
		return d.paths(ctx, from, q, v)
	}
	return d.get(q, v, room)
}

// holds reports whether a slot is this relay's; one that was given just now is looked for anew.
func (d *Responder) holds(ctx context.Context, v *reach.Volume, slot uint8) bool {
	mine := func(v *reach.Volume) bool { return int(slot) < len(v.Slots) && v.Slots[slot].Relay == d.Self }
	if mine(v) {
		return true
	}
	fresh, err := d.Directory.Volume(ctx, v.ID, true)
	return err == nil && mine(fresh)
}

// put keeps a chunk of a slot of this relay's.
//
// Spec: storage-cbfs §3.3 (PutShard).
func (d *Responder) put(ctx context.Context, from *mutual.Peer, q *protocol.Request, v *reach.Volume) *protocol.Answer {
	if !d.holds(ctx, v, q.Slot) {
		return refuse(protocol.ErrInvalid)
	}
	b := d.claim(v.ID, len(q.Data))
	if b == nil {
		return refuse(protocol.ErrCapacity)
	}
	root, fresh, err := d.Store.Put(q.Data, store.Bringer{Draft: b, Key: from.Key})
	if err != nil || !fresh {
		d.unclaim(v.ID, len(q.Data))
	}
	if err != nil {
		return refuse(failed(err))
	}
	if fresh {
		d.came(v.ID, root, len(q.Data))
	}
	return &protocol.Answer{Hashes: []digest.Hash{root}}
}

// failed gives the status of an error of the store.
func failed(err error) protocol.Status {
	switch {
	case errors.Is(err, store.ErrMissing):
		return protocol.ErrNotFound
	case errors.Is(err, store.ErrChunk), errors.Is(err, protocol.ErrTable):
		return protocol.ErrInvalid
	case errors.Is(err, store.ErrKept):
		return protocol.ErrConflict
	}
	return protocol.ErrCapacity
}

// have tells which chunks are here, for whoever then does not bring them.
func (d *Responder) have(from *mutual.Peer, q *protocol.Request) *protocol.Answer {
	by, bits := store.Bringer{Draft: d.draft(q.Volume), Key: from.Key}, make([]byte, (len(q.Hashes)+7)/8)
	for i, root := range q.Hashes {
		if d.Store.Asked(root, by) {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	return &protocol.Answer{Data: bits}
}

// takeBack removes chunks that were brought for a volume and not committed, unless somebody else counts on them. Who brought what was here when the relay
// started is not known: that goes with the orphans.
//
// Spec: storage-cbfs §3.3 (DeleteShard).
func (d *Responder) takeBack(q *protocol.Request) *protocol.Answer {
	draft, a := d.draft(q.Volume), &protocol.Answer{Data: make([]byte, (len(q.Hashes)+7)/8)}
	for i, root := range q.Hashes {
		err := d.Store.TakeBack(root, draft)
		switch {
		case err == nil:
			d.forgive(q.Volume, root)
		case !errors.Is(err, store.ErrMissing):
			a.Status = failed(err)
			continue
		}
		a.Data[i/8] |= 1 << (i % 8)
	}
	return a
}

// name is the table a question is about: that of the newest commit where it names none.
func (d *Responder) name(q *protocol.Request, v *reach.Volume) store.Name {
	n := store.Name{Volume: v.ID, Root: q.Root}
	if n.Root.IsZero() {
		n.Root = v.Root
	}
	return n
}

// get reads a range of a chunk.
//
// Spec: storage-cbfs §3.3 (GetShard).
func (d *Responder) get(q *protocol.Request, v *reach.Volume, room []byte) *protocol.Answer {
	data, err := d.chunk(d.name(q, v), v, q.Slot, q.Number, room)
	if err != nil {
		return refuse(failed(err))
	}
	total := uint64(len(data))
	if q.Offset > total {
		return refuse(protocol.ErrInvalid)
	}
	data = data[q.Offset:]
	if q.Length > 0 {
		data = data[:min(q.Length, uint64(len(data)))]
	}
	return &protocol.Answer{Total: total, Data: data}
}

// chunk reads a chunk of a slot into the room. One that should be here and is not is to be mended.
func (d *Responder) chunk(n store.Name, v *reach.Volume, slot uint8, number uint64, room []byte) ([]byte, error) {
	t, err := d.Store.Table(n)
	if err != nil {
		return nil, d.lost(n, v, err)
	}
	s, err := t.Stripe(number)
	if err != nil {
		return nil, d.lost(n, v, err)
	}
	if int(slot) >= len(s.Roots) {
		return nil, store.ErrMissing
	}
	data, err := d.Store.Read(s.Roots[slot], room)
	if errors.Is(err, store.ErrMissing) && int(slot) < len(v.Slots) && v.Slots[slot].Relay == d.Self {
		_ = d.lost(n, v, store.ErrLost)
	}
	return data, err
}

// lost has a volume mended of whose newest commit something is not here that should be, and gives the error.
func (d *Responder) lost(n store.Name, v *reach.Volume, err error) error {
	if errors.Is(err, store.ErrLost) && n.Root == v.Root && len(v.Holds(d.Self)) > 0 && d.Rotten != nil {
		d.Rotten(v.ID)
	}
	return err
}

// manifest gives what a client begins to read with.
//
// Spec: storage-cbfs §3.3 (GetManifest).
func (d *Responder) manifest(v *reach.Volume, room []byte) *protocol.Answer {
	slots := v.Holds(d.Self)
	if len(slots) == 0 {
		return refuse(protocol.ErrNotFound)
	}
	data, err := d.chunk(store.Name{Volume: v.ID, Root: v.Root}, v, slots[0], 0, room)
	if err != nil {
		return refuse(failed(err))
	}
	return &protocol.Answer{Version: v.Version, Total: uint64(slots[0]), Hashes: []digest.Hash{v.Root}, Data: data}
}
