package mount

import (
	"container/list"
	"context"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/singleflight"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// cache keeps files that were fetched, in a folder, by the hashes of their entries. The one that was used longest ago goes first. Whoever has one of them open
// reads on when it goes.
//
// Spec: storage-cbfs §3.5 (cache).
type cache struct {
	dir  string
	most uint64
	base context.Context

	flight singleflight.Group
	mu     sync.Mutex
	used   uint64
	known  map[digest.Hash]*list.Element
	order  list.List // of kept; the front was used last
}

type kept struct {
	id   digest.Hash
	size uint64
}

// keyOf is what a file is kept by. It covers the path, the hashes of the bytes and what was drawn for the write, which the file was read by: the identity of
// its shards does not do, as nobody holds an entry to it, and whoever writes elsewhere in the volume could name that of this file.
//
// Spec: storage-cbfs §2.4 (leaf).
func keyOf(o *cbfs.Object) digest.Hash {
	e := cbfs.Entry{Path: o.Path, Kind: cbfs.File, Object: o}
	return e.Leaf()
}

func newCache(base context.Context, dir string, most uint64) *cache {
	return &cache{dir: dir, most: most, base: base, known: map[digest.Hash]*list.Element{}}
}

func (c *cache) path(id digest.Hash) string { return filepath.Join(c.dir, id.Hex()) }

// look opens a file that is kept; nil where it is not.
func (c *cache) look(id digest.Hash) *os.File {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[id]
	if e == nil {
		return nil
	}
	f, err := os.Open(c.path(id))
	if err != nil { // somebody else removed it
		c.drop(e)
		return nil
	}
	c.order.MoveToFront(e)
	return f
}

func (c *cache) drop(e *list.Element) {
	one := c.order.Remove(e).(*kept)
	delete(c.known, one.id)
	c.used -= one.size
	_ = os.Remove(c.path(one.id)) // it may be gone; whatever stays goes with the folder
}

// keep takes a file over.
func (c *cache) keep(id digest.Hash, from string, size uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known[id] != nil {
		return os.Remove(from)
	}
	if err := os.Rename(from, c.path(id)); err != nil {
		return err
	}
	c.known[id] = c.order.PushFront(&kept{id, size})
	c.used += size
	for c.used > c.most && c.order.Len() > 1 {
		c.drop(c.order.Back())
	}
	return nil
}

// open gives a file, which it fetches where it is not kept. A fetch goes on if the one who asked for it is interrupted.
func (c *cache) open(ctx context.Context, o *cbfs.Object, fetch func(ctx context.Context, f *os.File) error) (*os.File, error) {
	key := keyOf(o)
	for {
		if f := c.look(key); f != nil {
			return f, nil
		}
		fetched := c.flight.DoChan(string(key[:]), func() (any, error) {
			f, err := os.CreateTemp(c.dir, "fetch-")
			if err != nil {
				return nil, err
			}
			err = fetch(c.base, f)
			if failed := f.Close(); err == nil {
				err = failed
			}
			if err == nil {
				err = c.keep(key, f.Name(), o.Size)
			}
			if err != nil {
				_ = os.Remove(f.Name()) // it goes with the folder at last
			}
			return nil, err
		})
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case got := <-fetched:
			if got.Err != nil {
				return nil, got.Err
			}
		}
	}
}
