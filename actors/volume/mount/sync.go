package mount

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// sent is an item of a commit, and which of its generations.
type sent struct {
	item       *item
	generation uint64
	size       uint64
}

// Sync commits what is not committed, in one commit, and sees what others have committed. What has no place in the volume any more, since others have put
// something else there, is left out: the error names it.
//
// Spec: storage-cbfs §3.5 (sync); storage-cbfs §3.1 (two-step commit).
func (s *System) Sync(ctx context.Context) error {
	refused, err := s.sync(ctx)
	if len(refused) > 0 {
		err = errors.Join(err, refused)
	}
	return err
}

// SyncPath is Sync for whoever is concerned with one path: that others are left out is no error.
func (s *System) SyncPath(ctx context.Context, path string) error {
	refused, err := s.sync(ctx)
	for _, one := range refused {
		if one.Path == path {
			err = errors.Join(err, one)
		}
	}
	return err
}

func (s *System) sync(ctx context.Context) (refused volume.PathErrors, err error) {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	if err = s.refresh(ctx); err == nil {
		refused, err = s.commit(ctx)
	}
	if err != nil {
		s.mu.Lock()
		s.stale = true
		s.mu.Unlock()
	}
	return refused, err
}

// refresh looks whether others have committed.
//
// Spec: storage-cbfs §2.4 (READ_COMMITTED).
func (s *System) refresh(ctx context.Context) error {
	v, err := s.client.Chain.Volume(ctx, s.id)
	if err != nil {
		return err
	}
	rights, err := s.client.Rights(v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	now, stale := s.snapshot, s.stale
	s.rights = rights
	s.mu.Unlock()
	if !stale && now.Volume.Manifest == v.Manifest && now.Volume.Root == v.Root && now.Volume.Version == v.Version {
		return nil
	}
	next, err := s.client.Open(ctx, s.id)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snapshot, s.stale = next, false
	s.tally.Move(next)
	return nil
}

// differing lists what differs from what is committed, in the order of the paths.
func (s *System) differing() (all []*sent) {
	for _, i := range s.local { // order-free: sorted below
		i.mu.RLock()
		if i.dirty() {
			all = append(all, &sent{item: i, generation: i.generation, size: i.size})
		}
		i.mu.RUnlock()
	}
	slices.SortFunc(all, func(a, b *sent) int { return strings.Compare(a.item.path, b.item.path) })
	return all
}

// commit commits what differs, without what is refused.
func (s *System) commit(ctx context.Context) (refused volume.PathErrors, err error) {
	s.mu.Lock()
	base, writes, all := s.snapshot, s.rights.Writes, s.differing()
	s.mu.Unlock()
	if len(all) > 0 && !writes { // any more
		return nil, volume.ErrToken
	}
	defer s.unfloor(slices.Clone(all))
	var next *volume.Snapshot
	for next == nil && len(all) > 0 {
		next, err = base.Apply(ctx, changesOf(all))
		var more volume.PathErrors
		if !errors.As(err, &more) {
			break
		}
		refused, err = append(refused, more...), nil
		all = slices.DeleteFunc(all, func(one *sent) bool { // each of them names one that was tried, so the rest gets less
			return slices.ContainsFunc(more, func(e *volume.PathError) bool { return e.Path == one.item.path })
		})
	}
	if next == nil {
		return refused, err
	}
	entries := make([]*cbfs.Entry, len(all))
	for n, one := range all {
		if entries[n], err = next.Find(ctx, one.item.path); err != nil {
			return refused, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snapshot = next
	s.rights.Left -= min(s.rights.Left, uint64(max(0, next.Grew())))
	s.tally.Move(next)
	for n, one := range all {
		s.settle(one, entries[n])
	}
	return refused, nil
}

func changesOf(all []*sent) (changes []volume.Change) {
	for _, one := range all {
		c := volume.Change{Path: one.item.path, Kind: one.item.kind, Target: one.item.target, Size: one.size}
		if c.Kind == cbfs.File {
			c.Open = one.open
		}
		changes = append(changes, c)
	}
	return changes
}

// open copies what is to be committed, so that nobody who writes waits for the relays.
func (one *sent) open() (io.ReadCloser, error) {
	i := one.item
	i.system.mu.Lock()
	i.mu.RLock()
	defer i.mu.RUnlock()
	i.floor = i.there.Least(i.system.takes(i, i.size)) // from which what is written meanwhile grows
	i.system.recount(i)
	i.system.mu.Unlock()
	one.generation, one.size = i.generation, i.size
	f, err := os.CreateTemp(i.system.dir, "sent-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	_, err = io.Copy(f, io.NewSectionReader(i.staged, 0, int64(i.size)))
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// settle notes what of an item is committed. What is closed stays in the cache. Who holds mu calls it.
func (s *System) settle(one *sent, entry *cbfs.Entry) {
	i := one.item
	i.mu.Lock()
	i.committed, i.from, i.object = one.generation, s.snapshot, entry.Object
	i.there = s.snapshot.SizeOf(entry)
	i.floor = i.there
	s.recount(i)
	i.mu.Unlock()
	s.forget(i)
}

// unfloor ends what was counted while items were being committed.
func (s *System) unfloor(all []*sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range all {
		i := one.item
		i.mu.RLock()
		if i.floor != i.there {
			i.floor = i.there
			s.recount(i)
		}
		i.mu.RUnlock()
	}
}

// Run commits at the interval until the context ends.
func (s *System) Run(ctx context.Context) {
	every := time.NewTicker(s.every)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			if err := s.Sync(ctx); s.tell != nil && ctx.Err() == nil {
				s.tell(err)
			}
		}
	}
}

// end closes the bytes of an item, and gives the line about it where it is not committed. A write that is under way comes before. Who holds system.mu calls it.
func (i *item) end() (line string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case !i.dirty():
	case i.kind == cbfs.Directory:
		line = fmt.Sprintf("folder %q\n", i.path)
	case i.kind == cbfs.Symlink:
		line = fmt.Sprintf("link %q %q\n", i.path, i.target)
	default:
		line = fmt.Sprintf("%s %q\n", filepath.Base(i.staged.Name()), i.path)
	}
	if i.staged != nil {
		_ = i.staged.Close() // what was written to it is in the system's hands
	}
	return line
}

// Close commits what is left and removes the folder. Files that cannot be committed stay there; "paths" lists them, and folders and links beside them. Nothing
// is written from then on.
//
// Spec: storage-cbfs §3.5.
func (s *System) Close(ctx context.Context) error {
	err := s.Sync(ctx)
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var names bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(s.local)) {
		names.WriteString(s.local[path].end())
	}
	if names.Len() == 0 {
		return errors.Join(err, os.RemoveAll(s.dir))
	}
	failed := os.WriteFile(filepath.Join(s.dir, "paths"), names.Bytes(), 0o600)
	return errors.Join(err, failed, fmt.Errorf("what is not committed is in %s", s.dir))
}
