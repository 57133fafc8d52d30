package volume

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// flying is how many stripes are on their way at a time, and in memory.
const flying = 3

// uploader sends chunks to the relays of their slots. A relay that fails twice is left out from then on.
type uploader struct {
	snapshot *Snapshot
	least    int
	total    uint64
	dry      bool // nothing is sent: it is of interest what would be
	final    bool // the chain was told

	mu    sync.Mutex
	sent  [][]digest.Hash      // chunks that each slot took
	down  []error              // of each slot, why it is left out
	fresh map[digest.Hash]bool // chunks that this upload is about
	done  uint64
}

func newUploader(s *Snapshot, changes []Change) *uploader {
	slots := len(s.Volume.Slots)
	u := &uploader{snapshot: s, least: s.client.Least, sent: make([][]digest.Hash, slots), down: make([]error, slots), fresh: map[digest.Hash]bool{}}
	if u.least == 0 {
		u.least = s.code.K + s.code.M/2
	}
	for i := range changes {
		u.total += changes[i].Size
	}
	return u
}

// hashes are over what is sent: all of it, and the chunks of each slot.
type hashes struct {
	size  uint64
	whole hash.Hash
	slots []hash.Hash
}

func newHashes(slots int) *hashes {
	h := &hashes{whole: digest.NewBlake3()}
	for range slots {
		h.slots = append(h.slots, digest.NewBlake3())
	}
	return h
}

func (h *hashes) sum() digest.Hash { return digest.Hash(h.whole.Sum(nil)) }

func (h *hashes) take(data []byte, chunks [][]byte) {
	_, _ = h.whole.Write(data) // a hash takes everything
	for i := range chunks {
		_, _ = h.slots[i].Write(chunks[i])
	}
}

// source gives the next bytes of what is sent, as many as a stripe holds and fewer at the end: they lie in the buffer, or stay where they are until sent.
type source func(buffer []byte) (portion, error)

// portion is the bytes of one stripe. If ready is not nil, it is called before anybody looks at them, maybe at the same time as those of other stripes.
type portion struct {
	bytes []byte
	ready func() error // or nil
}

// reading is the source of what is read as it is sent.
func reading(r io.Reader) source {
	return func(buffer []byte) (portion, error) {
		n, err := io.ReadFull(r, buffer)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		return portion{bytes: buffer[:n]}, err
	}
}

// standing is the source of what is in memory.
func standing(data []byte) source {
	return func(buffer []byte) (portion, error) {
		next := data[:min(len(data), len(buffer))]
		data = data[len(next):]
		return portion{bytes: next}, nil
	}
}

// stripeRooms are where stripes are coded: memory that is fresh costs more than coding does.
var stripeRooms sync.Pool

func roomFor(code *stripe.Code) []byte {
	if old, ok := stripeRooms.Get().(*[]byte); ok && len(*old) >= code.Room() {
		return *old
	}
	return make([]byte, code.Room())
}

// send takes bytes stripe by stripe, codes them and sends the chunks. h may be nil. again asks first what relays have.
//
// Spec: storage-cbfs §3.1 (step one), §5.
func (u *uploader) send(ctx context.Context, from source, h *hashes, again bool) (stripes []protocol.Stripe, err error) {
	code := u.snapshot.code
	sending, ctx := errgroup.WithContext(ctx)
	buffers := make(chan []byte, flying)
	for range flying {
		buffers <- nil
	}
	var parts []*protocol.Stripe
	before := make(chan struct{}) // is closed when all stripes before have been hashed
	close(before)
	for err == nil && ctx.Err() == nil {
		buffer := <-buffers
		if buffer == nil {
			buffer = roomFor(code)
		}
		var next portion
		if next, err = from(buffer[:code.Bytes()]); h != nil {
			h.size += uint64(len(next.bytes))
		}
		if err != nil || len(next.bytes) == 0 || h != nil && h.size > maxObject {
			buffers <- buffer
			break
		}
		one := &outgoing{stripe: &protocol.Stripe{}, next: next, buffer: buffer, hashes: h, before: before, hashed: make(chan struct{}), again: again}
		parts, before = append(parts, one.stripe), one.hashed
		sending.Go(func() error {
			defer func() { buffers <- buffer }()
			return u.carry(ctx, one)
		})
	}
	failed := sending.Wait()
	for range flying {
		if buffer := <-buffers; buffer != nil {
			stripeRooms.Put(&buffer)
		}
	}
	if failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	for _, one := range parts {
		stripes = append(stripes, *one)
	}
	return stripes, nil
}

// outgoing is a stripe on its way.
type outgoing struct {
	stripe         *protocol.Stripe
	next           portion
	buffer         []byte
	hashes         *hashes // or nil
	before, hashed chan struct{}
	again          bool
}

// code makes a stripe ready and codes it.
func (o *outgoing) code(c *stripe.Code) ([][]byte, error) {
	if o.next.ready != nil {
		if err := o.next.ready(); err != nil {
			return nil, err
		}
	}
	return c.Encode(o.buffer, o.next.bytes)
}

// carry codes a stripe and sends its chunks; meanwhile it is hashed, after the stripes before it, also where one of those failed.
func (u *uploader) carry(ctx context.Context, o *outgoing) error {
	chunks, err := o.code(u.snapshot.code)
	hashes := err == nil && o.hashes != nil
	go func() {
		defer close(o.hashed)
		if <-o.before; hashes {
			o.hashes.take(o.next.bytes, chunks)
		}
	}()
	if err == nil {
		o.stripe.Size, o.stripe.Roots = uint32(len(chunks[0])), make([]digest.Hash, len(chunks))
		err = u.stripe(ctx, o.stripe, chunks, len(o.next.bytes), o.again)
	}
	<-o.hashed
	return err
}

// stripe sends the chunks of one stripe.
func (u *uploader) stripe(ctx context.Context, one *protocol.Stripe, chunks [][]byte, size int, again bool) error {
	var all sync.WaitGroup
	for slot, chunk := range chunks {
		all.Go(func() {
			root := cbfs.ChunkRoot(chunk)
			one.Roots[slot] = root
			u.mu.Lock()
			u.fresh[root] = true
			out := u.down[slot] != nil
			u.mu.Unlock()
			if out {
				return
			}
			err := u.chunk(ctx, slot, root, chunk, again)
			if errors.Is(err, protocol.ErrAuth) && awaitKnown(ctx) != nil {
				return
			}
			if err != nil && ctx.Err() == nil {
				err = u.chunk(ctx, slot, root, chunk, again)
			}
			if err != nil {
				u.leave(slot, err)
				return
			}
			u.mu.Lock()
			defer u.mu.Unlock()
			u.sent[slot] = append(u.sent[slot], root)
		})
	}
	all.Wait()
	if err := u.enough(); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done += uint64(size)
	u.snapshot.client.told(u.done, max(u.total, u.done))
	return ctx.Err()
}

func (u *uploader) leave(slot int, why error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.down[slot] == nil {
		u.down[slot] = fmt.Errorf("slot %d: %w", slot, why)
	}
}

// enough reports whether enough slots take what is written, without those that do not have the table that it changes.
func (u *uploader) enough(behind ...int) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	up := -len(behind)
	for _, why := range u.down {
		if why == nil {
			up++
		}
	}
	if up < u.least {
		return fmt.Errorf("%w: %d of %d, and %d have to: %w", ErrRelays, up, len(u.down), u.least, errors.Join(u.down...))
	}
	return nil
}

func (u *uploader) ask(ctx context.Context, slot int, q *protocol.Request) (*protocol.Answer, error) {
	s := u.snapshot
	q.Volume, q.Slot = s.Volume.ID, uint8(slot)
	if err := s.client.let(s.Volume, true)(q); err != nil {
		return nil, err
	}
	r, err := s.client.directory.Relay(ctx, s.Volume.Slots[slot].Relay)
	if err != nil {
		return nil, err
	}
	return s.client.pool.Ask(ctx, r, q)
}

// chunk sends a chunk, unless it is there already.
func (u *uploader) chunk(ctx context.Context, slot int, root digest.Hash, data []byte, again bool) error {
	if u.dry {
		return nil
	}
	if again {
		a, err := u.ask(ctx, slot, &protocol.Request{Op: protocol.HaveShards, Hashes: []digest.Hash{root}})
		if err != nil {
			return err
		}
		if len(a.Data) == 1 && a.Data[0] == 1 {
			return nil
		}
	}
	a, err := u.ask(ctx, slot, &protocol.Request{Op: protocol.PutShard, Data: data})
	if err == nil && (len(a.Hashes) != 1 || a.Hashes[0] != root) {
		err = reach.ErrNode
	}
	return err
}
