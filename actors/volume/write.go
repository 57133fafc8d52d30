package volume

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// maxObject is how many bytes an object has at most.
//
// Spec: storage-cbfs §8.
const maxObject = 1 << 30

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

// placed is a file whose chunks are on relays.
type placed struct {
	object  *cbfs.Object
	stripes []protocol.Stripe
}

// Apply makes changes in one commit: all of them are visible, or none. Errors: ErrConflict, ErrRelays, ErrToken, ErrKey, cbfs.ErrPath, those of Open, of
// relays and of the chain.
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
	c, id := s.client, s.Volume.ID
	right, err := c.credit(s.Volume, true)
	if err != nil {
		return nil, err
	}
	for _, one := range changes {
		if err := cbfs.CheckPath(one.Path); err != nil {
			return nil, fmt.Errorf("%q: %w", one.Path, err)
		}
		if !cbfs.Within(one.Path, right.prefix) {
			return nil, fmt.Errorf("%q is outside of %q: %w", one.Path, right.prefix, ErrToken)
		}
	}
	u := newUploader(s, changes)
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

// merge gives the entries after changes. Folders above a path are entries too.
func merge(before []cbfs.Entry, changes []Change, files map[string]*placed) ([]cbfs.Entry, error) {
	all := map[string]cbfs.Entry{}
	for _, e := range before {
		all[e.Path] = e
	}
	for _, one := range changes {
		if one.Remove {
			found := false
			for path := range all {
				if cbfs.Within(path, one.Path) {
					delete(all, path)
					found = true
				}
			}
			if !found {
				return nil, fmt.Errorf("%q: %w", one.Path, ErrPath)
			}
			continue
		}
		e := cbfs.Entry{Path: one.Path, Kind: one.Kind, Target: one.Target}
		if old, there := all[one.Path]; there && (old.Kind == cbfs.Directory) != (e.Kind == cbfs.Directory) {
			return nil, fmt.Errorf("%q is a folder in one and none in the other: %w", one.Path, cbfs.ErrPath)
		}
		if e.Kind == cbfs.File {
			e.Object = files[one.Path].object
		}
		all[one.Path] = e
		for at := strings.LastIndexByte(one.Path, '/'); at > 0; at = strings.LastIndexByte(one.Path[:at], '/') {
			above, there := all[one.Path[:at]]
			if there && above.Kind != cbfs.Directory {
				return nil, fmt.Errorf("%q lies in what is no folder: %w", one.Path, cbfs.ErrPath)
			}
			all[one.Path[:at]] = cbfs.Entry{Path: one.Path[:at], Kind: cbfs.Directory}
		}
	}
	entries := make([]cbfs.Entry, 0, len(all))
	for _, e := range all {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b cbfs.Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

// commit puts the manifest and the table, and tells the chain.
func (u *uploader) commit(ctx context.Context, changes []Change, files map[string]*placed, right credit) (*Snapshot, error) {
	s := u.snapshot
	entries, err := merge(s.Entries, changes, files)
	if err != nil {
		return nil, err
	}
	root, err := cbfs.ManifestRoot(entries)
	if err != nil {
		return nil, err
	}
	raw := cbfs.EncodeManifest(entries)
	if s.key != nil {
		var w write
		rand.Read(w.id[:])
		rand.Read(w.nonce[:])
		if raw, err = sealManifest(s.key, s.Volume.ID, w, raw); err != nil {
			return nil, err
		}
		root = cbfs.ChunkRoot(raw)
	}
	if len(raw) > cbfs.MaxManifestBytes {
		return nil, fmt.Errorf("the manifest is too large: %w", ErrRoot)
	}
	table := &protocol.Table{K: s.Volume.K, M: s.Volume.M}
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(raw)))
	head, err := u.send(ctx, reading(io.MultiReader(bytes.NewReader(length), bytes.NewReader(raw))), nil, false)
	if err != nil {
		return nil, err
	}
	table.Stripes = append(table.Stripes, head...)
	next := volume.Commit{Base: s.Volume.Manifest, Manifest: root, Raw: uint64(len(length) + len(raw)), Objects: 1}
	for i := range entries {
		o := entries[i].Object
		if o == nil {
			continue
		}
		next.Objects++
		next.Raw += o.CiphertextSize
		if one := files[o.Path]; one != nil && one.object == o {
			table.Stripes = append(table.Stripes, one.stripes...)
			continue
		}
		first := s.first[o.Path]
		table.Stripes = append(table.Stripes, s.table.Stripes[first:first+s.code.Count(o.CiphertextSize)]...)
	}
	if next.Shards, err = u.publish(ctx, table); err != nil {
		return nil, err
	}
	next.Chunks = uint64(len(table.Stripes))
	if err := s.client.Chain.Commit(ctx, s.Volume, right.id, next); err != nil {
		return nil, err
	}
	v := *s.Volume
	v.Manifest, v.Root, v.Chunks, v.Raw = next.Manifest, next.Shards, next.Chunks, next.Raw
	after := &Snapshot{Volume: &v, Entries: entries, client: s.client, code: s.code, table: table, key: s.key}
	if err := after.index(uint64(len(head))); err != nil {
		return nil, err
	}
	s.client.remember(after)
	return after, nil
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
		room, size, err := readRoom(f, int(min(one.Size, maxObject)), maxObject-overhead, overhead)
		if err != nil {
			return nil, err
		}
		defer room.leave()
		var sealed []byte
		if sealed, again, err = u.seal(o, room.bytes[:size]); err != nil {
			return nil, err
		}
		from = standing(sealed)
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
		return nil, fmt.Errorf("an object has at most 1 GiB: %w", volume.ErrQuota)
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

// seal seals a file where it stands, with space for the tag behind it.
func (u *uploader) seal(o *cbfs.Object, plain []byte) (sealed []byte, again bool, err error) {
	if len(plain) > maxObject-overhead {
		return nil, false, fmt.Errorf("an object has at most 1 GiB: %w", volume.ErrQuota)
	}
	o.Size, o.ContentHash = uint64(len(plain)), digest.Blake3(plain)
	v := u.snapshot.Volume
	w, again, err := u.snapshot.client.Journal.draw(v.ID, o.Path, o.ContentHash)
	if err != nil {
		return nil, false, err
	}
	o.WriteID, o.Nonce = w.id, w.nonce
	sealed, err = seal(u.snapshot.key, v.ID, o.Path, w, plain)
	return sealed, again, err
}
