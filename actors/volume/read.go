package volume

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/direct"
	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

const (
	lateAfter  = 250 * time.Millisecond   // after so long another slot is asked for a chunk besides, where chunks take less than half of it
	lengthSize = 8                        // of the length of the first page, before it
	ahead      = 4                        // stripes of a file that are fetched at a time, unless the client says otherwise
	knownAfter = 1_200 * time.Millisecond // relays look at the chain once a second, and a token or a commit may be younger than that
)

// Snapshot is a volume as of one commit. Pages of its manifest are read when they are needed. It is safe for many goroutines.
type Snapshot struct {
	Volume *reach.Volume

	client *Client
	code   *stripe.Code
	tree   *tree
	head   protocol.Numbered // that of the first page
	key    *[KeySize]byte
	grew   int64 // bytes by which the commit outgrew the one before, where the client made it
}

// Grew tells by how many bytes the volume grew with the commit, where Apply gave the snapshot; fewer than none where it shrank.
func (s *Snapshot) Grew() int64 { return s.grew }

func (s *Snapshot) shape() page.Shape { return page.Shape{K: s.Volume.K, M: s.Volume.M} }

// Open reads the first page of the manifest of a volume's newest commit. Errors: reach.ErrUnknown, ErrRoot, ErrKey, ErrToken, stripe.ErrFew, those of relays.
//
// Spec: storage-cbfs §2.4 (read rule).
func (c *Client) Open(ctx context.Context, id digest.Hash) (*Snapshot, error) {
	s, err := c.read(ctx, id)
	if !errors.Is(err, protocol.ErrAuth) {
		return s, err
	}
	if err := awaitKnown(ctx); err != nil {
		return nil, err
	}
	return c.read(ctx, id)
}

// awaitKnown waits until relays know what the chain has now.
func awaitKnown(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(knownAfter):
		return nil
	}
}

func (c *Client) read(ctx context.Context, id digest.Hash) (*Snapshot, error) {
	c.open()
	v, err := c.Chain.Volume(ctx, id) // what was committed just now, too
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Volume: v, client: c, tree: newTree(&page.First{Numbers: 1}, 0)}
	if s.code, err = stripe.New(int(v.K), int(v.M)); err != nil {
		return nil, err
	}
	if s.key, err = c.key(v); err != nil || v.Root.IsZero() {
		return s, err
	}
	if last := c.remembered(v); last != nil {
		last.key = s.key
		return last, nil
	}
	p, err := s.paths(ctx, []uint64{0})
	if err != nil {
		return nil, err
	}
	if s.head, err = s.at(p, 0); err != nil {
		return nil, err
	}
	one, err := s.stripe(ctx, &s.head)
	if err != nil {
		return nil, err
	}
	raw := slices.Concat(one.chunks...)
	one.free()
	if s.tree, err = readFirst(v, s.key, raw); err != nil {
		return nil, err
	}
	c.remember(s)
	return s, nil
}

// readFirst reads the first page out of stripe 0, which begins with its length as le8. That of a private volume is held to the root on chain as it is sealed,
// that of a public one by its entries, if it has all of them; one that has not was held to the shard_root beside that root, as all chunks are.
//
// Spec: storage-cbfs §2.2, §2.4 (read rule).
func readFirst(v *reach.Volume, key *[KeySize]byte, stripe []byte) (*tree, error) {
	if len(stripe) < lengthSize {
		return nil, errors.Join(ErrRoot, page.ErrLength)
	}
	size, raw := binary.LittleEndian.Uint64(stripe), stripe[lengthSize:]
	if size > uint64(len(raw)) {
		return nil, errors.Join(ErrRoot, page.ErrLength)
	}
	raw = raw[:size]
	if v.Private {
		if cbfs.ChunkRoot(raw) != v.Manifest {
			return nil, ErrRoot
		}
		var err error
		if raw, err = openPage(key, v.ID, firstPath, raw); err != nil {
			return nil, err
		}
	}
	first, err := page.DecodeFirst(raw, page.Shape{K: v.K, M: v.M})
	switch {
	case err != nil:
		return nil, errors.Join(ErrRoot, err)
	case first.Numbers != v.Chunks:
		return nil, errors.Join(ErrRoot, page.ErrCount)
	}
	t := newTree(first, size)
	if !v.Private && t.whole() && cbfs.RootOfLeaves(hashesOf(first.Records)) != v.Manifest {
		return nil, ErrRoot
	}
	return t, nil
}

// remember keeps the snapshot that was read or made last, which nobody changes.
func (c *Client) remember(s *Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = s
}

// remembered gives what is kept of a volume's newest commit, if the chain still lets the account read it; nil where nothing is.
func (c *Client) remembered(v *reach.Volume) *Snapshot {
	c.mu.Lock()
	last := c.last
	c.mu.Unlock()
	if last == nil || last.Volume.ID != v.ID || last.Volume.Root != v.Root || last.Volume.Manifest != v.Manifest {
		return nil
	}
	if rights, err := c.Rights(v); err != nil || !rights.Reads || !v.Readable() {
		return nil
	}
	s := *last
	s.Volume = v
	return &s
}

// stripe reads the chunks of a stripe's data: of k slots at first, and of one more whenever one fails or is late. Errors: protocol.ErrAuth where so many relays
// refuse that the others are too few, else stripe.ErrFew.
//
// Spec: storage-cbfs §5 (any k).
func (s *Snapshot) stripe(ctx context.Context, at *protocol.Numbered) (*fetched, error) {
	var refused atomic.Int32
	list, failed, err := relay.Enough(ctx, s.order(), s.code.K, s.client.late(), func(ctx context.Context, slot int) relay.Got {
		begun := time.Now()
		data, body, err := s.chunk(ctx, slot, at)
		switch {
		case err == nil:
			s.client.took(time.Since(begun))
		case errors.Is(err, protocol.ErrAuth):
			refused.Add(1)
		}
		return relay.Got{Slot: slot, Data: data, Body: body, Err: err}
	})
	if err != nil {
		return nil, err
	}
	chunks, out := make([][]byte, len(s.Volume.Slots)), &fetched{}
	for _, one := range list {
		chunks[one.Slot], out.bodies = one.Data, append(out.bodies, one.Body)
	}
	out.chunks, err = s.code.Data(chunks)
	switch {
	case err != nil && int(refused.Load()) > s.code.M:
		err = fmt.Errorf("stripe %d: %w", at.Number, failed)
	case err != nil:
		err = fmt.Errorf("stripe %d: %w: %w", at.Number, err, failed)
	}
	return out, err
}

// late is after how long an answer is late: what the client was told, or twice what chunks take at present. On a line that is slow or busy all take longer, and
// asking for more of them would make it busier.
func (c *Client) late() time.Duration {
	return cmp.Or(c.Late, max(lateAfter, 2*time.Duration(c.usual.Load())))
}

// took notes how long a chunk took.
func (c *Client) took(d time.Duration) {
	before := c.usual.Load()
	c.usual.Store(before + (int64(d)-before)/8) // one of two that come at once may go unnoticed
}

// fetched is the chunks of a stripe's data, and where they lie.
type fetched struct {
	chunks [][]byte
	bodies []*mutual.Body
}

// free gives the memory back.
func (f *fetched) free() {
	for _, one := range f.bodies {
		one.Free()
	}
	f.chunks = nil
}

// order lists the slots, those whose relays have confirmed the commit first.
func (s *Snapshot) order() []int {
	var first, last []int
	for i := range s.Volume.Slots {
		if s.Volume.Slots[i].Root == s.Volume.Root {
			first = append(first, i)
		} else {
			last = append(last, i)
		}
	}
	return append(first, last...)
}

func (s *Snapshot) chunk(ctx context.Context, slot int, at *protocol.Numbered) ([]byte, *mutual.Body, error) {
	q := &protocol.Request{Root: s.Volume.Root}
	if err := s.client.let(s.Volume, false)(q); err != nil {
		return nil, nil, err
	}
	return relay.FetchShard(ctx, s.client.directory, s.client.pool, s.Volume, &at.Stripe, uint8(slot), at.Number, q)
}

// Read writes a file's bytes to w. What was written before an error is no part of the file. Errors: ErrPath, ErrFile, ErrKey, and those of relays.
func (s *Snapshot) Read(ctx context.Context, path string, w io.Writer) error {
	return s.readTo(ctx, path, into{inOrder: w})
}

// directFrom is from which size on a file is written past the page cache, for which it would take the pages of everything else.
const directFrom = 256 << 20

// Save is Read into a file, several of whose parts are written at a time, and none after it. The disk space of a large one is reserved first.
func (s *Snapshot) Save(ctx context.Context, path string, w io.WriterAt) error {
	return s.readTo(ctx, path, into{anywhere: w, past: directFrom})
}

// into is where a file's bytes go, one of both.
type into struct {
	inOrder  io.Writer
	anywhere io.WriterAt
	past     uint64 // from which size on a file of the system's is written past the page cache
}

func (s *Snapshot) readTo(ctx context.Context, path string, w into) (err error) {
	r, err := s.record(ctx, path)
	if err != nil {
		return err
	}
	if r == nil || r.Kind != cbfs.File {
		return fmt.Errorf("%q: %w", path, ErrPath)
	}
	o := r.Object
	if f, ok := w.anywhere.(*os.File); ok && o.Size >= w.past {
		over, err := direct.Over(f, int64(o.Size))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, over.Close()) }()
		w.anywhere = over
	}
	if s.key == nil {
		if o.Size != o.CiphertextSize || o.ContentHash != o.CiphertextHash {
			return fmt.Errorf("%q: %w", path, ErrFile)
		}
		return s.bytes(ctx, r, nil, w)
	}
	if o.CiphertextSize < overhead || o.Size != o.CiphertextSize-overhead {
		return fmt.Errorf("%q: %w", path, ErrFile)
	}
	seal, err := newOpener(s.key, s.Volume.ID, path, write{o.WriteID, o.Nonce}, o.CiphertextSize)
	if err != nil {
		return err
	}
	return s.bytes(ctx, r, seal, w)
}

// bytes writes an object's bytes, whose stripes are read and opened a few ahead, and holds what it wrote to its hash. seal is nil where none is.
func (s *Snapshot) bytes(ctx context.Context, r *page.Record, seal *opener, w into) error {
	ctx, cancel := context.WithCancel(ctx)
	var under []chan next // in the order of the stripes
	defer func() {        // nothing is written any more
		cancel()
		for _, made := range under {
			if one := <-made; one.err == nil {
				one.free()
			}
		}
	}()
	o := r.Object
	hash, left := digest.NewBlake3(), o.CiphertextSize
	count := uint64(len(r.Stripes))
	var begun uint64
	at := s.client.stripes(s.code.K)
	for number := uint64(0); number < count; number++ {
		for ; begun < min(number+at, count); begun++ {
			made := make(chan next, 1)
			under = append(under, made)
			go func(number uint64) { made <- s.part(ctx, r, number, seal, w.anywhere) }(begun)
		}
		one := <-under[0]
		if under = under[1:]; one.err != nil {
			return one.err
		}
		hashed := make(chan struct{})
		go func() { // takes as long as writing does
			defer close(hashed)
			for _, part := range one.parts {
				_, _ = hash.Write(part) // a hash takes everything
			}
		}()
		var err error
		if w.inOrder != nil {
			err = writeAll(w.inOrder, one.parts)
		}
		<-hashed
		if one.free(); err != nil {
			return err
		}
		if seal != nil {
			seal.take(one.opened)
		}
		left -= min(left, uint64(s.code.Bytes()))
		s.client.told(o.CiphertextSize-left, o.CiphertextSize)
	}
	if seal != nil {
		if err := seal.end(o.Path); err != nil {
			return err
		}
	}
	if left > 0 || digest.Hash(hash.Sum(nil)) != o.ContentHash {
		return fmt.Errorf("%q: %w", o.Path, ErrFile)
	}
	return nil
}

func writeAll(w io.Writer, parts [][]byte) error {
	for _, part := range parts {
		if len(part) == 0 { // the tag of a seal alone was there
			continue
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// part reads a stripe of an object, by its place among them, without what fills it up, opens it, and writes it to its place unless to is nil.
func (s *Snapshot) part(ctx context.Context, r *page.Record, number uint64, seal *opener, to io.WriterAt) next {
	offset := number * uint64(s.code.Bytes())
	if offset >= r.Object.CiphertextSize {
		return next{err: fmt.Errorf("%q: %w", r.Path, ErrFile)}
	}
	one, err := s.stripe(ctx, &r.Stripes[number])
	if err != nil {
		return next{err: err}
	}
	parts := slices.Clone(one.chunks)
	want := min(r.Object.CiphertextSize-offset, uint64(s.code.Bytes()))
	for i, part := range parts {
		parts[i] = part[:min(want, uint64(len(part)))]
		want -= uint64(len(parts[i]))
	}
	if want > 0 {
		one.free()
		return next{err: fmt.Errorf("%q: %w", r.Path, ErrFile)}
	}
	text := &opened{parts: parts}
	if seal != nil {
		text = seal.open(offset, parts)
	}
	if to != nil {
		if err := writeAll(io.NewOffsetWriter(to, int64(offset)), text.parts); err != nil {
			one.free()
			return next{err: err}
		}
	}
	return next{one, text, nil}
}

// stripes is how many stripes of a file with k chunks each are fetched at a time.
func (c *Client) stripes(k int) uint64 {
	if c.Chunks == 0 {
		return ahead
	}
	return uint64(max(1, c.Chunks/k))
}

// next is a stripe's bytes and where they lie, or why there are none.
type next struct {
	*fetched
	*opened
	err error
}

func (c *Client) told(done, total uint64) {
	if c.Told != nil {
		c.Told(done, total)
	}
}
