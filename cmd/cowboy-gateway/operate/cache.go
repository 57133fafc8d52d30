package operate

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/semaphore"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of a cache beside its bytes.
const (
	keptFiles  = 1 << 16
	fetchAhead = 16 // files that come at a time, a few stripes of each in memory
)

// cache is files on disk under the hash of their content, the least used thrown out beyond so many bytes. It is safe for many goroutines. What is open stays
// readable after it was thrown out.
type cache struct {
	dir  string
	most int64
	come *semaphore.Weighted

	mu    sync.Mutex
	size  int64
	files *lru.Cache[digest.Hash, int64]
}

// openCache opens a cache that has nothing: what a power cut has left half written is not believed.
func openCache(dir string, most int64) (*cache, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c := &cache{dir: dir, most: most, come: semaphore.NewWeighted(fetchAhead)}
	files, err := lru.NewWithEvict(keptFiles, func(hash digest.Hash, size int64) { // under mu
		c.size -= size
		_ = os.Remove(c.path(hash))
	})
	c.files = files
	return c, err
}

func (c *cache) path(hash digest.Hash) string { return filepath.Join(c.dir, hash.Hex()) }

// open gives a file that is there.
func (c *cache) open(hash digest.Hash) (*os.File, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.files.Get(hash); !ok {
		return nil, false
	}
	f, err := os.Open(c.path(hash))
	return f, err == nil
}

// put keeps what read writes, which has to be so many bytes.
func (c *cache) put(hash digest.Hash, size int64, read func(io.Writer) error) error {
	if err := c.come.Acquire(context.Background(), 1); err != nil {
		return err
	}
	defer c.come.Release(1)
	f, err := os.CreateTemp(c.dir, "coming-")
	if err != nil {
		return err
	}
	err = read(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files.Contains(hash) {
		return os.Remove(f.Name())
	}
	if err := os.Rename(f.Name(), c.path(hash)); err != nil {
		return err
	}
	c.size += size
	c.files.Add(hash, size)
	for c.size > c.most && c.files.Len() > 1 {
		c.files.RemoveOldest()
	}
	return nil
}
