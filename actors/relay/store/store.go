package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The errors of a store; any other is the file system's or the object store's.
var (
	// ErrMissing reports a chunk or a table that is not there, or was found rotten.
	ErrMissing = errors.New("store: it is not here")
	// ErrLost reports what a table that is here should have, or a table that was found rotten just now. It is ErrMissing too.
	ErrLost = fmt.Errorf("%w, and should be", ErrMissing)
	// ErrFull reports that there is no room.
	ErrFull = errors.New("store: there is no room")
	// ErrChunk reports bytes that are no chunk: none, or more than a MiB.
	ErrChunk = errors.New("store: a chunk has 1 to 1,048,576 bytes")
	// ErrFormat reports a store of another program's version.
	ErrFormat = errors.New("store: the store is of another version")
	// ErrLocked reports a store that another process has open, or that is another relay's.
	ErrLocked = errors.New("store: another relay has the store")
)

const format = "3"

// The folders of a store.
const (
	chunks   = "chunks"
	pages    = "pages"
	branches = "branches"
	tables   = "tables"
)

var folders = []string{chunks, pages, branches, tables}

// Bounds of what is remembered, so that a commit costs a relay what is new in it: of which chunks it is known that they are durable, and the directories and
// pages of tables, which others read and nobody changes.
const (
	durableChunks = 1 << 20
	tablesKept    = 64 << 20 // bytes of directories and pages
	givenChunks   = 1 << 15  // of which it is known that others asked for them
)

// place is where a store's files lie; their names have folders as paths do. A file that is not there is fs.ErrNotExist. It is safe for many goroutines.
type place interface {
	// open makes what has to be there, keeps others out, and holds the place to its format.
	open() error
	close() error
	// put keeps a file of the parts, whole or not at all; durably, or until settle.
	put(name string, durable bool, parts ...[]byte) error
	// get reads the first bytes, at most so many, into the room if it is large enough, and gives the size of all. past leaves a chunk out of the page cache.
	get(name string, most int, room []byte, past bool) (part []byte, size uint64, err error)
	size(name string) (uint64, error)
	remove(name string) error
	// settle makes files durable, and says which are not there.
	settle(names []string) (absent []bool, err error)
	// name notes when the chain was last known to name a table.
	name(table string, at time.Time) error
	// walk visits the files of a folder.
	walk(folder string, visit func(f file) error) error
}

// file is a file with its time, of a table that when the chain named it.
type file struct {
	name string
	size uint64
	at   time.Time
}

// Store is a relay's chunks and tables. It is safe for many goroutines.
type Store struct {
	place    place
	capacity uint64

	mu      sync.Mutex
	used    uint64
	rotten  uint64
	chunks  uint64
	durable map[digest.Hash]bool     // chunks that were synced since the store was opened, at most durableChunks
	removed uint64                   // how often a chunk went, or came anew
	writing map[string]chan struct{} // files that are written, and removals; closed when that is over

	cache *recent.Sized[string, any]        // directories and pages that were read of late, under the names of their files
	given *lru.Cache[digest.Hash, struct{}] // chunks that clients or other relays have asked for, of late

	taking  sync.Mutex // of what follows, and taking back
	brought *lru.Cache[digest.Hash, bringing]
	syncing map[digest.Hash]int // by how many Sync

	collecting sync.Mutex          // one at a time
	naming     sync.Mutex          // of what follows, and removing what nobody names
	kept       *kept               // what was named since the collection under way began; nil where there is none
	drafts     map[*Draft]bool     // that are open
	held       map[string]*holding // files of theirs
}

// Open opens a store in a directory, or makes one. capacity is in bytes. Until Close no other process opens it: two that count and collect in one directory
// would remove what the other one relies on. Errors: ErrLocked, ErrFormat.
func Open(dir string, capacity uint64) (*Store, error) { return begin(newDisk(dir), capacity) }

func begin(p place, capacity uint64) (*Store, error) {
	s := &Store{
		place: p, capacity: capacity, durable: map[digest.Hash]bool{}, cache: recent.NewSized[string, any](tablesKept),
		drafts: map[*Draft]bool{}, held: map[string]*holding{}, writing: map[string]chan struct{}{}, syncing: map[digest.Hash]int{},
	}
	s.brought, _ = lru.New[digest.Hash, bringing](broughtChunks) // fails for no size alone
	s.given, _ = lru.New[digest.Hash, struct{}](givenChunks)
	if err := p.open(); err != nil {
		return nil, err
	}
	if err := s.count(); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return s, nil
}

// Close lets others open the store. It is not used any more.
func (s *Store) Close() error { return s.place.close() }

// Look tells what the store of a directory holds without opening it, so that a relay that is up is not disturbed. One that is not there yet holds nothing.
// Error: ErrFormat.
func Look(dir string) (Usage, error) {
	d := newDisk(dir)
	if err := d.check(); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return Usage{}, err
	}
	s := &Store{place: d}
	err := s.count()
	return s.Usage(), err
}

// count counts what there is.
func (s *Store) count() error {
	for _, folder := range folders {
		err := s.place.walk(folder, func(f file) error {
			s.used += f.size
			if folder == chunks {
				s.chunks++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Usage is what a store holds.
type Usage struct {
	Bytes, Capacity uint64
	Chunks          uint64
	Rotten          uint64 // chunks, and parts of tables, found rotten since it was opened
}

// Usage tells what the store holds.
func (s *Store) Usage() Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Usage{s.used, s.capacity, s.chunks, s.rotten}
}

func chunkName(root digest.Hash) string { return partName(chunks, root) }

// take takes room, or tells that there is none.
func (s *Store) take(size uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if size > s.capacity-min(s.used, s.capacity) {
		return ErrFull
	}
	s.used += size
	return nil
}

func (s *Store) give(size, chunks uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used -= min(s.used, size)
	s.chunks -= min(s.chunks, chunks)
}

// forget notes that a chunk is not the one that was synced.
func (s *Store) forget(root digest.Hash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed++
	delete(s.durable, root)
}

// gone makes a file that is not there ErrMissing.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrMissing
	}
	return err
}

// alone waits until nobody else writes a file, so that its room is taken once, and has others wait until leave is called. A file's removal has a name of its
// own, as whoever writes a file may remove the one before.
func (s *Store) alone(name string) (leave func()) {
	for {
		s.mu.Lock()
		other := s.writing[name]
		if other == nil {
			break
		}
		s.mu.Unlock()
		<-other
	}
	defer s.mu.Unlock()
	over := make(chan struct{})
	s.writing[name] = over
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.writing, name)
		close(over)
	}
}

// Keep keeps a chunk whose bytes were held to their root; fresh is false where it was there already. It is not synced (Sync). Error: ErrFull.
func (s *Store) Keep(root digest.Hash, data []byte) (fresh bool, err error) {
	defer s.alone(chunkName(root))()
	if s.Has(root) {
		return false, nil
	}
	trailer := trailerOf(root, data)
	size := uint64(len(data) + len(trailer))
	if err := s.take(size); err != nil {
		return false, err
	}
	s.forget(root)
	if err := s.place.put(chunkName(root), false, data, trailer); err != nil {
		s.give(size, 0)
		return false, err
	}
	s.mu.Lock()
	s.chunks++
	s.mu.Unlock()
	return true, nil
}

// Has reports whether there is a file for a chunk.
func (s *Store) Has(root digest.Hash) bool {
	_, err := s.place.size(chunkName(root))
	return err == nil
}

// Absent is Has of many chunks: it reports those for which there is no file.
func (s *Store) Absent(roots []digest.Hash) ([]bool, error) {
	names := make([]string, len(roots))
	for i := range roots {
		names[i] = chunkName(roots[i])
	}
	return each(names, func(name string) error {
		_, err := s.place.size(name)
		return err
	})
}

// Get reads a chunk from its disk and holds it to its root. One that is not what its name says is removed. Error: ErrMissing.
//
// Spec: storage-cbfs §3.3 (GetShard).
func (s *Store) Get(root digest.Hash) ([]byte, error) {
	data, err := s.read(root, nil, true)
	if err == nil && cbfs.ChunkRoot(data) != root {
		return nil, s.spoilt(chunkName(root), 1)
	}
	return data, err
}

// Read reads a chunk for somebody who holds it to its root himself, into memory that the caller has, if it is large enough (ChunkRoom). Here it is held to its
// checksum alone; what is found rotten is removed. Error: ErrMissing.
//
// Spec: storage-cbfs §3.3 (GetShard).
func (s *Store) Read(root digest.Hash, room []byte) ([]byte, error) {
	again := s.given.Contains(root)
	s.given.Add(root, struct{}{})
	return s.read(root, room, !again)
}

// read reads a chunk; past leaves it out of the page cache.
func (s *Store) read(root digest.Hash, room []byte, past bool) ([]byte, error) {
	name := chunkName(root)
	raw, size, err := s.place.get(name, ChunkRoom, room, past)
	if err != nil {
		return nil, gone(err)
	}
	if data, ok := chunkIn(root, raw); ok && uint64(len(raw)) == size {
		return data, nil
	}
	return nil, s.spoilt(name, 1)
}

// Delete removes a chunk. Error: ErrMissing.
func (s *Store) Delete(root digest.Hash) error { return s.remove(chunkName(root), 1) }

// remove removes a file; chunks is 1 for a chunk.
func (s *Store) remove(name string, chunks uint64) error {
	defer s.cache.Forget(name)
	if root, err := digest.ParseHash("0x" + path.Base(name)); err == nil && chunks > 0 {
		s.forget(root)
	}
	defer s.alone("removal of " + name)() // an object store removes what is gone already, too, and its room would be given back twice
	size, err := s.place.size(name)
	if err == nil {
		err = s.place.remove(name)
	}
	if err == nil {
		s.give(size, chunks)
	}
	return gone(err)
}

// Sync makes chunks durable that a table names: nobody takes them back any more. It gives those that are not there; one that was durable before is taken to be
// there.
func (s *Store) Sync(roots []digest.Hash) (missing []digest.Hash, err error) {
	defer s.relied(roots)()
	fresh, removed := s.unsynced(roots)
	names := make([]string, len(fresh))
	for i := range fresh {
		names[i] = chunkName(fresh[i])
	}
	absent, err := s.place.settle(names)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, root := range fresh {
		switch {
		case absent[i]:
			missing = append(missing, root)
		case s.removed == removed && len(s.durable) < durableChunks: // else it may have gone and come again meanwhile
			s.durable[root] = true
		}
	}
	return missing, nil
}

// unsynced lists the chunks of which it is not known that they are durable, each once.
func (s *Store) unsynced(roots []digest.Hash) (fresh []digest.Hash, removed uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(map[digest.Hash]bool)
	for _, root := range roots {
		if !s.durable[root] && !seen[root] {
			seen[root] = true
			fresh = append(fresh, root)
		}
	}
	return fresh, s.removed
}

// within gives size bytes of a room, or fresh ones where it is too small.
func within(room []byte, size uint64) []byte {
	if size <= uint64(len(room)) {
		return room[:size]
	}
	return make([]byte, size)
}

// atOnce is how many files are synced, or looked for, at a time.
const atOnce = 16

// each does something to each name, many at a time, and says which are not there.
func each(names []string, do func(name string) error) (absent []bool, err error) {
	var all errgroup.Group
	all.SetLimit(atOnce)
	absent = make([]bool, len(names))
	for i, name := range names {
		all.Go(func() error {
			err := do(name)
			if absent[i] = errors.Is(err, fs.ErrNotExist); absent[i] {
				return nil
			}
			return err
		})
	}
	return absent, all.Wait()
}

// held reports a format that is another program's.
func held(text []byte) error {
	if string(text) != format {
		return fmt.Errorf("%w: %q, and this program reads %q", ErrFormat, text, format)
	}
	return nil
}
