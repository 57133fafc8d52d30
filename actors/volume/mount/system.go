package mount

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Defaults and bounds.
//
// Spec: storage-cbfs §3.5.
const (
	SyncEvery    = 5 * time.Second
	LeastEvery   = time.Second
	CacheBytes   = 10 << 30
	maxName      = 255
	maxFileBytes = 1<<30 - 16 // an object with its seal
)

// Options are those of a mount.
type Options struct {
	Dir   string        // the folder of the cache, which is made and removed; it is nobody else's
	Cache uint64        // bytes; 0 for CacheBytes
	Every time.Duration // between two commits; 0 for what the token says, or SyncEvery
	Now   func() time.Time
	Tell  func(err error) // what becomes of the commits at the interval; may be nil
}

// System is a volume as a file system. Its errors are syscall.Errno. It is safe for many goroutines.
type System struct {
	client *volume.Client
	id     digest.Hash
	every  time.Duration
	now    func() time.Time
	begun  time.Time
	tell   func(err error)
	dir    string
	cache  *cache
	cancel context.CancelFunc
	others bool // programs of other users may do what the account may

	syncing sync.Mutex // held by whoever commits

	mu       sync.Mutex
	snapshot *volume.Snapshot
	rights   volume.Rights
	stale    bool             // the snapshot may not be the newest
	closed   bool             // nothing is written any more
	local    map[string]*item // by path: what is open, or differs from the snapshot
	tally    *volume.Tally    // of the items that differ
}

// New reads a volume and makes the folder. Errors: those of volume.Client.Open, and of the folder, which must not be there.
func New(ctx context.Context, client *volume.Client, id digest.Hash, o Options) (*System, error) {
	snapshot, err := client.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	rights, err := client.Rights(snapshot.Volume)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
		return nil, errors.Join(err, fmt.Errorf("%s is the folder of another mount, or has files that one could not commit", o.Dir))
	}
	base, cancel := context.WithCancel(context.Background())
	s := &System{
		client: client, id: id, every: o.Every, now: o.Now, begun: o.Now(), tell: o.Tell, dir: o.Dir, cancel: cancel, snapshot: snapshot, rights: rights,
		local: map[string]*item{}, tally: snapshot.Tally(),
	}
	if o.Cache == 0 {
		o.Cache = CacheBytes
	}
	s.cache = newCache(base, o.Dir, o.Cache)
	if s.every == 0 {
		s.every = rights.Sync
	}
	if s.every == 0 {
		s.every = SyncEvery
	}
	s.every = max(s.every, LeastEvery)
	return s, nil
}

// Entry is what a path leads to.
type Entry struct {
	Name     string
	Kind     cbfs.EntryKind
	Size     uint64
	Target   string
	Modified time.Time
}

// child is the path of a name in a folder.
func child(folder, name string) (string, error) {
	if len(name) > maxName {
		return "", syscall.ENAMETOOLONG
	}
	path := name
	if folder != "" {
		path = folder + "/" + name
	}
	if len(path) > cbfs.MaxPathBytes {
		return "", syscall.ENAMETOOLONG
	}
	if cbfs.CheckPath(path) != nil {
		return "", syscall.EINVAL
	}
	return path, nil
}

// seen reports whether a path is the account's, or leads to what is.
func (s *System) seen(path string) bool {
	return cbfs.Within(path, s.rights.Prefix) || cbfs.Within(s.rights.Prefix, path)
}

// look finds what a path leads to. Who holds mu calls it.
func (s *System) look(v *view, path string) (Entry, error) {
	e := Entry{Name: path[strings.LastIndexByte(path, '/')+1:], Kind: cbfs.Directory, Modified: s.begun}
	if !s.seen(path) {
		return e, syscall.EACCES
	}
	if i := s.local[path]; i != nil {
		e.Kind, e.Target = i.kind, i.target
		e.Size, e.Modified = i.measure()
		return e, nil
	}
	if path == "" {
		return e, nil
	}
	found, err := v.find(path)
	switch {
	case err != nil:
		return e, err
	case found.entry != nil:
		e.fill(found.entry)
	case !found.above && !cbfs.Within(s.rights.Prefix, path): // the way to what is the account's is always there
		return e, syscall.ENOENT
	}
	return e, nil
}

// fill takes what an entry of the snapshot says.
func (e *Entry) fill(found *cbfs.Entry) {
	e.Kind, e.Target = found.Kind, found.Target
	if found.Object != nil {
		e.Size = found.Object.Size
	}
}

// Stat tells what a path leads to; "" is the volume.
func (s *System) Stat(ctx context.Context, path string) (e Entry, err error) {
	err = s.with(ctx, func(v *view) (err error) {
		e, err = s.look(v, path)
		return err
	})
	return e, err
}

// List tells what is in a folder, in the order of the names. What it costs grows with that, and not with the volume.
//
// Spec: storage-cbfs §3.5, §2.5 (RO: read, list).
func (s *System) List(ctx context.Context, folder string) (all []Entry, err error) {
	err = s.with(ctx, func(v *view) (err error) {
		all, err = s.list(v, folder)
		return err
	})
	return all, err
}

// list is List. Who holds mu calls it.
func (s *System) list(v *view, folder string) ([]Entry, error) {
	at, err := s.look(v, folder)
	switch {
	case err != nil:
		return nil, err
	case at.Kind != cbfs.Directory:
		return nil, syscall.ENOTDIR
	case !s.rights.Reads:
		return nil, syscall.EACCES
	}
	children, err := v.list(folder)
	if err != nil {
		return nil, err
	}
	below := cbfs.Canonical(folder)
	names := map[string]Entry{}
	add := func(name string, found *cbfs.Entry) {
		e := Entry{Name: name, Kind: cbfs.Directory, Modified: s.begun}
		if found != nil {
			e.fill(found)
		}
		if s.seen(below + name) {
			names[name] = e
		}
	}
	for _, one := range children {
		add(one.Name, one.Entry)
	}
	if rest, ok := strings.CutPrefix(s.rights.Prefix, below); ok && rest != "" {
		if name, _, _ := strings.Cut(rest, "/"); names[name].Name == "" {
			add(name, nil)
		}
	}
	for path, i := range s.local { // order-free: a set of names
		if name, ok := strings.CutPrefix(path, below); ok && name != "" && !strings.Contains(name, "/") {
			e := Entry{Name: name, Kind: i.kind, Target: i.target}
			e.Size, e.Modified = i.measure()
			names[name] = e
		}
	}
	var all []Entry
	for _, e := range names { // order-free: sorted below
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// mayMake holds a new path to the account's rights, and to the folder it is in.
func (s *System) mayMake(v *view, path string) error {
	if !s.rights.Writes || !cbfs.Within(path, s.rights.Prefix) {
		return syscall.EACCES
	}
	folder := path[:max(0, strings.LastIndexByte(path, '/'))]
	if at, err := s.look(v, folder); err != nil {
		return err
	} else if at.Kind != cbfs.Directory {
		return syscall.ENOTDIR
	}
	if _, err := s.look(v, path); err == nil {
		return syscall.EEXIST
	} else if err != syscall.ENOENT {
		return err
	}
	if s.snapshot.Count()+uint64(len(s.local)) >= cbfs.MaxManifest {
		return syscall.ENOSPC
	}
	return nil
}

// Make makes a folder, or a link to a target.
func (s *System) Make(ctx context.Context, folder, name string, kind cbfs.EntryKind, target string) error {
	path, err := child(folder, name)
	if err != nil {
		return err
	}
	if len(target) > cbfs.MaxPathBytes {
		return syscall.ENAMETOOLONG
	}
	return s.with(ctx, func(v *view) error {
		if s.closed {
			return syscall.EIO
		}
		if err := s.mayMake(v, path); err != nil {
			return err
		}
		i := &item{system: s, path: path, kind: kind, target: target, modified: s.now()}
		if err := s.count(i, 0); err != nil {
			return err
		}
		i.generation++
		s.local[path] = i
		return nil
	})
}

// Remove is refused: a mount deletes nothing.
//
// Spec: storage-cbfs §3.5 (unlink: EPERM).
func (s *System) Remove(ctx context.Context, folder, name string) error {
	path, err := child(folder, name)
	if err == nil {
		_, err = s.Stat(ctx, path)
	}
	if err != nil {
		return err
	}
	return syscall.EPERM
}

// Rename is refused.
//
// Spec: storage-cbfs §3.5 (rename: ENOTSUP).
func (s *System) Rename() error { return syscall.ENOTSUP }

// Room tells how many bytes and files the volume has, and how many more it may have.
func (s *System) Room() (bytes, free, files uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot.Volume.Raw, s.rights.Left - min(s.rights.Left, s.tally.Bytes()), s.snapshot.Count()
}
