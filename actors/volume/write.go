package volume

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// maxObject is how many bytes an object has at most.
//
// Spec: storage-cbfs §8.
const maxObject = page.MaxFile

var errLarge = fmt.Errorf("an object has at most 1 GiB: %w", volume.ErrQuota)

// attempts is how often a commit is made anew because others committed first.
const attempts = 5

// Change is what is to become of a path: a file with new bytes, a link, a folder, or nothing more.
type Change struct {
	Path   string
	Kind   cbfs.EntryKind
	Open   func() (io.ReadCloser, error) // of a file
	Size   uint64                        // of a file, as far as it is known
	Target string                        // of a link
	Remove bool
}

// Check holds a change by itself to its form. Error: *PathError.
//
// Spec: storage-cbfs §2.1, §2.4.
func (c *Change) Check() *PathError {
	if cbfs.CheckPath(c.Path) != nil {
		return &PathError{c.Path, "is no path"}
	}
	e := cbfs.Entry{Path: c.Path, Kind: c.Kind, Target: c.Target}
	if !c.Remove && c.Kind != cbfs.File && e.Check() != nil {
		return &PathError{c.Path, "leads to what is no path"}
	}
	return nil
}

// placed is a file whose chunks are on relays, and that has no numbers yet.
type placed struct {
	object  *cbfs.Object
	stripes []protocol.Stripe
}

// record is that of the file, with no numbers.
func (p *placed) record() *page.Record {
	r := &page.Record{Entry: cbfs.Entry{Path: p.object.Path, Kind: cbfs.File, Object: p.object}}
	for _, one := range p.stripes {
		r.Stripes = append(r.Stripes, protocol.Numbered{Stripe: one})
	}
	return r
}

// Apply makes changes in one commit: all of them are visible, or none. Errors: ErrConflict, ErrRelays, ErrToken, ErrKey, ErrChanged, PathErrors with all
// changes that cannot be made, those of Open, of relays and of the chain.
//
// Spec: storage-cbfs §3.1 (two-step commit).
func (c *Client) Apply(ctx context.Context, id digest.Hash, changes []Change) error {
	s, err := c.Open(ctx, id)
	if err == nil {
		_, err = s.Apply(ctx, changes)
	}
	return err
}

// Apply is that of a client for whoever has the newest manifest at hand. It gives the volume after the commit.
//
// Spec: storage-cbfs §3.1 (two-step commit).
func (s *Snapshot) Apply(ctx context.Context, changes []Change) (*Snapshot, error) {
	u := newUploader(s, changes)
	s.client.uploads.RLock()
	next, err := u.apply(ctx, changes)
	s.client.uploads.RUnlock()
	if err != nil && !u.goesOn() {
		u.giveUp(ctx)
	}
	return next, err
}

func (u *uploader) apply(ctx context.Context, changes []Change) (*Snapshot, error) {
	s := u.snapshot
	c, id := s.client, s.Volume.ID
	right, err := c.credit(s.Volume, true)
	if err != nil {
		return nil, err
	}
	var refused PathErrors
	for i := range changes {
		one := &changes[i]
		if err := one.Check(); err != nil {
			refused = append(refused, err)
		} else if !cbfs.Within(one.Path, right.prefix) {
			return nil, fmt.Errorf("%q is outside of %q: %w", one.Path, right.prefix, ErrToken)
		}
	}
	if len(refused) > 0 {
		return nil, refused
	}
	if err := (&edit{Snapshot: s}).make(ctx, changes, nil); err != nil { // before anything is sent
		return nil, err
	}
	files := map[string]*placed{}
	for i := range changes {
		if one := &changes[i]; !one.Remove && one.Kind == cbfs.File {
			if files[one.Path], err = u.file(ctx, one); err != nil {
				return nil, fmt.Errorf("%q: %w", one.Path, err)
			}
		}
	}
	var next *Snapshot
	for range attempts {
		if next, err = u.commit(ctx, changes, files, right); !errors.Is(err, ErrConflict) {
			break
		}
		if u.snapshot, err = c.Open(ctx, id); err != nil {
			return nil, err
		}
		err = ErrConflict
	}
	if err != nil {
		return nil, err
	}
	for path, one := range files {
		c.Journal.forget(id, path, one.object.ContentHash)
	}
	return next, nil
}

// file sends a file's chunks and describes it.
//
// Spec: storage-cbfs §2.3 (ObjectDescriptor), §3.1 (AES-256-GCM per object).
func (u *uploader) file(ctx context.Context, one *Change) (*placed, error) {
	f, err := one.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	v := u.snapshot.Volume
	o := &cbfs.Object{Path: one.Path, K: v.K, M: v.M}
	from, again := reading(f), false
	if u.snapshot.key != nil {
		p, err := readPlain(ctx, f, int(min(one.Size, maxObject)), maxObject-overhead)
		if err != nil {
			return nil, err
		}
		defer p.leave()
		if from, again, err = u.seal(o, p); err != nil {
			return nil, err
		}
	} else {
		rand.Read(o.WriteID[:])
	}
	o.ShardID = cbfs.ShardID(v.ID, o.Path, o.WriteID)
	h := newHashes(len(v.Slots))
	stripes, err := u.send(ctx, from, h, again)
	if err != nil {
		return nil, err
	}
	if o.CiphertextSize = h.size; h.size > maxObject {
		return nil, errLarge
	}
	o.CiphertextHash = h.sum()
	if u.snapshot.key == nil {
		o.ContentHash, o.Size = o.CiphertextHash, o.CiphertextSize
	}
	for i := range h.slots {
		o.ShardHashes = append(o.ShardHashes, digest.Hash(h.slots[i].Sum(nil)))
	}
	return &placed{o, stripes}, nil
}

// seal gives a file sealed, stripe by stripe.
func (u *uploader) seal(o *cbfs.Object, p *plain) (from source, again bool, err error) {
	s := u.snapshot
	o.Size, o.ContentHash = p.size, p.sum()
	w, again, err := s.client.Journal.draw(s.Volume.ID, o.Path, o.ContentHash)
	if err != nil {
		return nil, false, err
	}
	o.WriteID, o.Nonce = w.id, w.nonce
	sealing, err := newSealer(s.key, s.Volume.ID, o.Path, w, o.Size, uint64(s.code.Bytes()), p.read)
	if err != nil {
		return nil, false, err
	}
	return sealing.next, again, nil
}
