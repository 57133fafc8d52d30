package volume

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// pagesKept is how many bytes of pages a client keeps, as they lie on relays; in memory they take some three times as many.
const pagesKept = 32 << 20

// tree is the manifest of a commit: its first page, and the leaf pages, which are read when they are needed. It is safe for many goroutines.
type tree struct {
	first  *page.First
	size   uint64  // bytes of the first page as it lies on relays
	leaves []*leaf // in the order of their paths; one with the records of the first page, or none, where that has them all
	count  uint64  // entries

	proven atomic.Bool // all leaves of a public volume were held to the root
}

// leaf is a run of records. Commits that have the same page share it.
type leaf struct {
	page.Ref
	held   []page.Record // those of the first page; nil where they lie in a page of their own
	hashes atomic.Pointer[[]digest.Hash]
	sound  atomic.Bool // records were held to the reference
}

// newTree is the tree of a first page of so many bytes, before which its length stands.
func newTree(first *page.First, size uint64) *tree {
	t := &tree{first: first, size: size}
	for i := range first.Pages {
		t.leaves = append(t.leaves, &leaf{Ref: first.Pages[i]})
	}
	if len(first.Records) > 0 {
		t.leaves = []*leaf{{Ref: page.SumOf(first.Records), held: first.Records}}
	}
	for _, l := range t.leaves {
		t.count += l.Entries
	}
	return t
}

// whole reports whether the first page has all records.
func (t *tree) whole() bool { return len(t.first.Pages) == 0 }

// place is the leaf that has a path, if any has it; one there is none of where there are none.
func (t *tree) place(path string) int {
	return max(0, sort.Search(len(t.leaves), func(i int) bool { return t.leaves[i].First > path })-1)
}

// hashesOf are the leaves of records in the tree of §2.4.
func hashesOf(list []page.Record) []digest.Hash {
	out := make([]digest.Hash, len(list))
	for i := range list {
		out[i] = list[i].Leaf()
	}
	return out
}

// known gives the hashes of all entries, in their order; nil while some are missing.
func (t *tree) known() []digest.Hash {
	for at := len(t.leaves) - 1; at >= 0; at-- { // whoever reads in order comes to the last one at last
		if t.leaves[at].hashes.Load() == nil {
			return nil
		}
	}
	out := make([]digest.Hash, 0, t.count)
	for _, l := range t.leaves {
		out = append(out, *l.hashes.Load()...)
	}
	return out
}

// note holds records to the reference of a leaf, and keeps the hashes of those of a public volume. Once those of all leaves are known, they are held to the
// root on chain. Error: ErrRoot.
//
// Spec: storage-cbfs §2.4 (read rule).
func (s *Snapshot) note(place int, list []page.Record) error {
	l := s.tree.leaves[place]
	if !l.sound.Load() { // they may have been kept for another reference to the same bytes
		if err := s.tree.first.Hold(list, place); err != nil {
			return errors.Join(ErrRoot, err)
		}
		l.sound.Store(true)
	}
	if s.Volume.Private || s.tree.proven.Load() {
		return nil
	}
	if l.hashes.Load() == nil {
		made := hashesOf(list)
		l.hashes.Store(&made)
	}
	all := s.tree.known()
	switch {
	case all == nil:
		return nil
	case cbfs.RootOfLeaves(all) != s.Volume.Manifest:
		return ErrRoot
	}
	s.tree.proven.Store(true)
	return nil
}

// load gives the records of a leaf, which nobody changes. Errors: ErrRoot with what is wrong with the page, ErrKey, those of relays.
func (s *Snapshot) load(ctx context.Context, place int) ([]page.Record, error) {
	l, c := s.tree.leaves[place], s.client
	if l.held != nil {
		return l.held, nil
	}
	key := pageKey{s.Volume.ID, l.Hash}
	for {
		if list, ok := c.pages.Find(key); ok {
			return list, s.note(place, list)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case got := <-s.fetchOnce(ctx, place, key):
			gone := errors.Is(got.Err, context.Canceled) || errors.Is(got.Err, context.DeadlineExceeded)
			if gone && ctx.Err() == nil && got.Shared {
				continue // that of another reader
			}
			if got.Err != nil {
				return nil, got.Err
			}
			list := got.Val.([]page.Record)
			return list, s.note(place, list)
		}
	}
}

// fetchOnce reads a leaf page that was not in memory, together with all who want it meanwhile.
func (s *Snapshot) fetchOnce(ctx context.Context, place int, key pageKey) <-chan singleflight.Result {
	return s.client.flight.DoChan(string(key.volume[:])+string(key.hash[:]), func() (any, error) {
		if list, ok := s.client.pages.Find(key); ok { // another reader has fetched it since the caller looked
			return list, nil
		}
		return s.fetch(ctx, place)
	})
}

// fetch reads a leaf page from relays.
func (s *Snapshot) fetch(ctx context.Context, place int) ([]page.Record, error) {
	l := s.tree.leaves[place]
	one, err := s.stripe(ctx, &l.Page)
	if err != nil {
		return nil, err
	}
	raw := slices.Concat(one.chunks...)
	one.free()
	list, err := s.decode(raw, place)
	if err != nil {
		return nil, fmt.Errorf("page %d of the manifest: %w", place, err)
	}
	s.client.pages.Put(pageKey{s.Volume.ID, l.Hash}, list, int(l.Length))
	return list, nil
}

// decode holds the bytes of a leaf page to its reference and reads them.
func (s *Snapshot) decode(raw []byte, place int) ([]page.Record, error) {
	l := s.tree.leaves[place]
	if uint64(len(raw)) < l.Length {
		return nil, errors.Join(ErrRoot, page.ErrLength)
	}
	if raw = raw[:l.Length]; digest.Blake3(raw) != l.Hash {
		return nil, errors.Join(ErrRoot, page.ErrHash)
	}
	if s.key != nil {
		var err error
		if raw, err = openPage(s.key, s.Volume.ID, leafPath, raw); err != nil {
			return nil, err
		}
	}
	list, err := page.DecodeLeaf(raw, s.shape(), s.tree.first, place)
	if err != nil {
		return nil, errors.Join(ErrRoot, err)
	}
	return list, nil
}

// search is the first of records whose path is not before a text.
func search(list []page.Record, text string) int {
	at, _ := slices.BinarySearchFunc(list, text, func(r page.Record, t string) int { return strings.Compare(r.Path, t) })
	return at
}

// pageKey names a page that was read or made.
type pageKey struct{ volume, hash digest.Hash }
