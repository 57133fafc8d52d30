package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// counting counts the bytes that are read and written of each folder, and the files.
type counting struct {
	place
	mu          sync.Mutex
	read, wrote map[string]int // bytes
	files       int            // written
}

func count(p place) *counting {
	return &counting{place: p, read: map[string]int{}, wrote: map[string]int{}}
}

func (c *counting) put(name string, durable bool, parts ...[]byte) error {
	c.mu.Lock()
	c.wrote[path.Dir(path.Dir(name))] += len(slices.Concat(parts...)) // of a table "."
	c.files++
	c.mu.Unlock()
	return c.place.put(name, durable, parts...)
}

func (c *counting) get(name string, most int, room []byte, past bool) ([]byte, uint64, error) {
	part, size, err := c.place.get(name, most, room, past)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read[path.Dir(path.Dir(name))] += len(part)
	return part, size, err
}

// A change of one stripe reads and writes a page, a branch for each slot and a directory, whatever the table's size: 196 bytes for each of 256 stripes, 41 for
// each of some 1,024 chunks, and 32 for each page and 68 for each branch. A path reads its branches, and a stripe its page. Bytes are counted, on a store that
// remembers nothing.
//
// Spec: storage-cbfs §8 (1,000,000 objects).
func TestWorkForOneStripe(t *testing.T) {
	const (
		page   = 6 + 256*196
		branch = 41 * 1_024 * 3 / 2 // none of a hundred thousand keys has half as many more than the average
	)
	for stripes, buckets := range map[int]int{1_000: 8, 100_000: 1_024} { // 6,000 chunks by 1,024, and 600,000, in a power of two
		t.Run(fmt.Sprint(stripes), func(t *testing.T) {
			s, err := Open(t.TempDir(), 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			before := large(stripes)
			n, err := keep(s, before)
			if err != nil {
				t.Fatal(err)
			}
			directory := 6 + 32 + 4 + 4 + 32*((stripes+255)/256) + 68*buckets + 32
			c, after := dice{rand.New(rand.NewPCG(6, 6))}.change(before, 1, 0)
			s.cache = recent.NewSized[string, any](0)
			counted := count(s.place)
			s.place = counted
			next, err := change(s, n.Root, c)
			if err != nil || next.Root != after.Root() {
				t.Fatal(next, err)
			}
			if counted.files > 1+6+1 || counted.wrote["."] != directory || counted.wrote[pages] > page || counted.wrote[branches] > 6*branch {
				t.Errorf("%d files are written, %v bytes; the directory has %d", counted.files, counted.wrote, directory)
			}
			if counted.read["."] > directory || counted.read[pages] > page || counted.read[branches] > 6*branch {
				t.Errorf("%v bytes are read; the directory has %d", counted.read, directory)
			}
			t.Logf("%d files are written, %v bytes; read %v", counted.files, counted.wrote, counted.read)
			s.cache = recent.NewSized[string, any](0)
			counted = count(counted.place)
			s.place = counted
			table, err := s.Table(next)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := table.Stripe(uint64(stripes) / 2); err != nil || counted.read[pages] > page {
				t.Error(counted.read, err)
			}
			if _, err := table.Paths([]digest.Hash{cbfs.ShardKey(3, 77)}); err != nil || counted.read[branches] > branch {
				t.Error(counted.read, err)
			}
		})
	}
}

// Of what a change has not touched nothing is made durable anew.
func TestSyncingOneStripe(t *testing.T) {
	s, err := Open(t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	before := large(2_000)
	n, err := keep(s, before)
	if err != nil {
		t.Fatal(err)
	}
	settled := &settling{place: s.place}
	s.place = settled
	c, _ := dice{rand.New(rand.NewPCG(7, 7))}.change(before, 1, 0)
	if _, err := change(s, n.Root, c); err != nil || settled.files > 7 || settled.files < 2 {
		t.Errorf("%d files are synced, %v", settled.files, err)
	}
}

// A table that is kept, named, or made while a collection goes on stays, with its base as long as it is made of it, its pages and branches, and its chunks; at
// whatever stage of the collection it comes.
//
// Spec: storage-cbfs §4 (orphan shard), §8.
func TestTablesWhileCollecting(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		for _, stage := range []string{tables, pages, branches, chunks} {
			t.Run(stage, func(t *testing.T) {
				s := open(t, g, 1<<30)
				chunk := put(t, s, []byte("brought for long "+stage))
				other := put(t, s, []byte("of the base "+stage))
				for _, root := range []digest.Hash{chunk, other} {
					if err := g.age(chunkName(root), 2*time.Hour); err != nil {
						t.Fatal(err)
					}
				}
				base := tableOf(other, digest.Hash{7, byte(len(stage))})
				n, err := keep(s, base)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Named(n, time.Now().Add(-2*time.Hour)); err != nil {
					t.Fatal(err)
				}
				after := tableOf(other, chunk)
				c, _ := after.Change(base)
				d, err := s.Draft(n, nil) // begun before the collection, and kept while it goes on
				if err != nil {
					t.Fatal(err)
				}
				d.most = 0
				if err := d.Apply(c); err != nil {
					t.Fatal(err)
				}
				went := false
				s.place = &between{place: s.place, at: stage, then: func() {
					if went = true; d == nil {
						t.Error("it happens twice")
						return
					}
					if _, err := d.Keep(); err != nil {
						t.Error(err)
					}
					d.Close()
					d = nil
				}}
				if _, _, err := s.Collect(time.Now().Add(-time.Hour)); err != nil || !went {
					t.Fatal(err)
				}
				same(t, s, Name{volume, after.Root()}, after)
				same(t, s, n, base)
				if !s.Has(chunk) || !s.Has(other) {
					t.Error("a chunk of the new table went")
				}
				s.place = s.place.(*between).place
				if _, _, err := s.Collect(time.Now().Add(-time.Hour)); err != nil {
					t.Fatal(err)
				}
				if _, err := s.Table(n); !errors.Is(err, ErrMissing) {
					t.Error("the base is not collected once nothing is made of it")
				}
				exact(t, g, s, Name{volume, after.Root()})
				if _, _, err := s.Collect(time.Now().Add(time.Hour)); err != nil || s.Usage().Bytes != 0 {
					t.Error(s.Usage(), err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

// A draft whose base was collected before it began has no base; one that was begun keeps it, although nobody names it any more.
func TestBasesOfDrafts(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 1<<30)
		base := large(10)
		n, err := keep(s, base)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Named(n, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		d, err := s.Draft(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		if went, _, err := s.Collect(time.Now()); err != nil || went != 0 {
			t.Error(went, err)
		}
		same(t, s, n, base)
		d.Close()
		if went, _, err := s.Collect(time.Now()); err != nil || went != 1 || s.Usage().Bytes != 0 {
			t.Error(went, err, s.Usage())
		}
		if _, err := s.Draft(n, nil); !errors.Is(err, ErrMissing) {
			t.Error(err)
		}
		if len(s.drafts) != 0 {
			t.Error("a draft that was never begun is open")
		}
		if _, err := keep(s, &protocol.Table{K: 1}); !errors.Is(err, protocol.ErrTable) {
			t.Error("a table without chunks is kept", err)
		}
	})
}

// reading is a place in which something happens once, as a page is read.
type reading struct {
	place
	then func()
}

func (r *reading) get(name string, most int, room []byte, past bool) ([]byte, uint64, error) {
	if then := r.then; then != nil && path.Dir(path.Dir(name)) == pages {
		r.then = nil
		then()
	}
	return r.place.get(name, most, room, past)
}

// A table that is kept as a collection learns of another one, just before it removes a chunk, keeps the chunk.
//
// Spec: storage-cbfs §4 (orphan shard), §8.
func TestNamedAtTheLastMoment(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 1<<20)
		chunk := put(t, s, []byte("the only one"))
		if err := g.age(chunkName(chunk), 2*time.Hour); err != nil {
			t.Fatal(err)
		}
		named := false
		s.place = &between{place: s.place, at: chunks, then: func() {
			if _, err := keep(s, tableOf(digest.Hash{7})); err != nil {
				t.Error(err)
			}
			s.place = &reading{place: s.place, then: func() {
				named = true
				if _, err := keep(s, tableOf(chunk)); err != nil {
					t.Error(err)
				}
			}}
		}}
		if _, went, err := s.Collect(time.Now().Add(-time.Hour)); err != nil || went != 0 || !named || !s.Has(chunk) {
			t.Error(went, err, named)
		}
	})
}

// listing is a place in which a collection begins as a table is put, and comes as far as to have listed all tables; it goes on when it may.
type listing struct {
	place
	collect func()
	listed  chan struct{}
	may     chan struct{}
}

func (l *listing) put(name string, durable bool, parts ...[]byte) error {
	if path.Dir(name) == tables {
		go l.collect()
		<-l.listed
	}
	return l.place.put(name, durable, parts...)
}

func (l *listing) walk(folder string, visit func(f file) error) error {
	if folder == pages {
		close(l.listed)
		<-l.may
	}
	return l.place.walk(folder, visit)
}

// A collection that listed the tables while one was put, and before it was there, leaves what that one names.
//
// Spec: storage-cbfs §4 (orphan shard), §8.
func TestListedBeforeItWasThere(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 1<<20)
		chunk := put(t, s, []byte("brought for long"))
		if err := g.age(chunkName(chunk), 2*time.Hour); err != nil {
			t.Fatal(err)
		}
		over := make(chan error)
		l := &listing{place: s.place, listed: make(chan struct{}), may: make(chan struct{})}
		l.collect = func() {
			_, _, err := s.Collect(time.Now().Add(-time.Hour))
			over <- err
		}
		s.place = l
		n, err := keep(s, tableOf(chunk))
		if err != nil {
			t.Fatal(err)
		}
		if missing, err := s.Sync([]digest.Hash{chunk}); err != nil || len(missing) != 0 {
			t.Error(missing, err)
		}
		close(l.may)
		if err := <-over; err != nil {
			t.Error(err)
		}
		if !s.Has(chunk) {
			t.Error("a chunk that the table names went")
		}
		same(t, s, n, tableOf(chunk))
	})
}

// noting is a place that tells when a table is named.
type noting struct {
	place
	named func()
}

func (n *noting) name(name string, at time.Time) error {
	n.named()
	return n.place.name(name, at)
}

// While a table is named no collection begins, which would read when it was named before.
//
// Spec: storage-cbfs §4 (orphan shard), §8.
func TestNoCollectionBeginsWhileATableIsNamed(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 1<<20)
		n, err := keep(s, tableOf(put(t, s, []byte("a chunk"))))
		if err != nil {
			t.Fatal(err)
		}
		times := 0
		s.place = &noting{s.place, func() {
			if times++; s.naming.TryLock() {
				s.naming.Unlock()
				t.Error("one could begin")
			}
		}}
		if err := s.Named(n, time.Now()); err != nil || times != 1 {
			t.Error(times, err)
		}
	})
}
