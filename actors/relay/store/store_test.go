package store

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// ground is where a store of a test lies, as its tests see it from outside.
type ground struct {
	open  func(capacity uint64) (*Store, error)
	look  func() (Usage, error)
	write func(name string, data []byte) error      // a file, past the store
	age   func(name string, by time.Duration) error // makes a file older
	other func(capacity uint64) (*Store, error)     // another relay opens it
}

// everywhere runs a test on each kind of place.
func everywhere(t *testing.T, test func(t *testing.T, g *ground)) {
	for name, make := range map[string]func(t *testing.T) *ground{"directory": onDisk, "object store": objects} {
		t.Run(name, func(t *testing.T) { test(t, make(t)) })
	}
}

func onDisk(t *testing.T) *ground {
	dir := t.TempDir()
	return &ground{
		open:  func(capacity uint64) (*Store, error) { return Open(dir, capacity) },
		look:  func() (Usage, error) { return Look(dir) },
		write: func(name string, data []byte) error { return os.WriteFile(filepath.Join(dir, name), data, 0o600) },
		age: func(name string, by time.Duration) error {
			return os.Chtimes(filepath.Join(dir, name), time.Now().Add(-by), time.Now().Add(-by))
		},
		other: func(capacity uint64) (*Store, error) { return Open(dir, capacity) },
	}
}

// objects is a bucket of gofakes3, a server of the S3 protocol that is not ours.
func objects(t *testing.T) *ground {
	now := &clock{}
	backend := s3mem.New(s3mem.WithTimeSource(now))
	server := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(server.Close)
	if err := backend.CreateBucket("shards"); err != nil {
		t.Fatal(err)
	}
	b := Bucket{
		Endpoint: strings.TrimPrefix(server.URL, "http://"), Name: "shards", Prefix: "relays/one", Region: "us-east-1", Plain: true, Owner: "0x01",
		Credentials: credentials.NewStaticV4("key", "secret", ""),
	}
	g := &ground{
		open: func(capacity uint64) (*Store, error) { return OpenBucket(b, capacity) },
		look: func() (Usage, error) { return LookBucket(b) },
		write: func(name string, data []byte) error {
			_, err := backend.PutObject("shards", path.Join(b.Prefix, name), map[string]string{}, bytes.NewReader(data), int64(len(data)), nil)
			return err
		},
		other: func(capacity uint64) (*Store, error) {
			theirs := b
			theirs.Owner = "0x02"
			return OpenBucket(theirs, capacity)
		},
	}
	g.age = func(name string, by time.Duration) error {
		one, err := backend.GetObject("shards", path.Join(b.Prefix, name), nil)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(one.Contents)
		if err != nil {
			return err
		}
		now.back = by
		defer func() { now.back = 0 }()
		return g.write(name, data)
	}
	return g
}

// clock is what the object store takes for the time.
type clock struct{ back time.Duration }

func (c *clock) Now() time.Time                  { return time.Now().Add(-c.back) }
func (c *clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

func open(t *testing.T, g *ground, capacity uint64) *Store {
	t.Helper()
	s, err := g.open(capacity)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s *Store, data []byte) digest.Hash {
	t.Helper()
	root, _, err := s.Put(data, Bringer{})
	if err != nil || root != cbfs.ChunkRoot(data) {
		t.Fatal(root, err)
	}
	return root
}

// What is kept is found again after the store is opened anew, once, and what was half written is gone.
//
// Spec: storage-cbfs §3.3.
func TestChunks(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		if u, err := g.look(); err != nil || u != (Usage{}) {
			t.Errorf("%+v %v", u, err)
		}
		s := open(t, g, 1<<20)
		a, b := []byte("a chunk"), bytes.Repeat([]byte{7}, 5_000)
		first, second := put(t, s, a), put(t, s, b)
		if _, fresh, err := s.Put(a, Bringer{}); fresh || err != nil {
			t.Error("the same is kept twice")
		}
		if missing, err := s.Sync([]digest.Hash{first, {9}, second}); err != nil || len(missing) != 1 || missing[0] != (digest.Hash{9}) {
			t.Error(missing, err)
		}
		if _, err := g.other(1 << 20); !errors.Is(err, ErrLocked) {
			t.Error("two have one store open:", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, g, 1<<20)
		if got, err := s.Get(second); err != nil || !bytes.Equal(got, b) {
			t.Error(len(got), err)
		}
		if u := s.Usage(); u.Bytes != 5_007+2*8 || u.Chunks != 2 {
			t.Errorf("%+v", u)
		}
		if u, err := g.look(); err != nil || u.Bytes != 5_007+2*8 || u.Chunks != 2 {
			t.Errorf("%+v %v", u, err)
		}
		if err := s.Delete(first); err != nil || s.Has(first) || !errors.Is(s.Delete(first), ErrMissing) {
			t.Error(err)
		}
		for name, data := range map[string][]byte{"nothing": nil, "too much": make([]byte, cbfs.ChunkBytes+1)} {
			t.Run(name, func(t *testing.T) {
				if _, _, err := s.Put(data, Bringer{}); !errors.Is(err, ErrChunk) {
					t.Error(err)
				}
			})
		}
	})
}

// What a power cut left half written is gone when the directory is opened again.
func TestHalfWritten(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "partial", "half"), []byte("half"), 0o600), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, 1<<20); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "partial")); err != nil || len(left) != 0 {
		t.Error(left, err)
	}
}

// A chunk that rots is not given, whether the reader holds it to its root or not, and makes room for the right one. So is the file of another chunk. Bytes that
// are wrong and fit a checksum, as none are that rot, are found by their root alone.
//
// Spec: storage-cbfs §4 (self-heal).
func TestRottenChunks(t *testing.T) {
	for _, size := range []int{1, 7, 1_000, 64<<10 - 1, 64 << 10, 64<<10 + 4_088, 64<<10 + 4_089, cbfs.ChunkBytes} {
		t.Run(fmt.Sprint(size, " bytes"), func(t *testing.T) { rottenChunks(t, size) })
	}
}

func rottenChunks(t *testing.T, size int) {
	chunk, another := bytes.Repeat([]byte{'a'}, size), bytes.Repeat([]byte{'b'}, size)
	root, itsRoot := cbfs.ChunkRoot(chunk), cbfs.ChunkRoot(another)
	whole := fileOf(root, chunk)
	flipped := func(at int) []byte {
		rotten := bytes.Clone(whole)
		rotten[at] ^= 1
		return rotten
	}
	everywhere(t, func(t *testing.T, g *ground) {
		for name, rotten := range map[string][]byte{
			"a bit": flipped(size / 2), "a bit of the checksum": flipped(len(whole) - 1), "a bit of the size": flipped(len(whole) - 5),
			"the highest bit of the size": flipped(len(whole) - 8), "a bit before the size": flipped(len(whole) - 9), "cut off": whole[:len(whole)-1],
			"a chunk alone": chunk, "what follows alone": whole[size:], "empty": {}, "zeros": make([]byte, len(whole)), "longer": append(bytes.Clone(whole), 0),
			"too long": make([]byte, ChunkRoom+1), "another chunk": fileOf(itsRoot, another), "a checksum that fits": fileOf(root, another),
		} {
			t.Run(name, func(t *testing.T) {
				held := func(t *testing.T, read, again func(s *Store) ([]byte, error)) {
					s := open(t, g, 1<<22)
					put(t, s, chunk)
					if data, err := read(s); err != nil || !bytes.Equal(data, chunk) {
						t.Errorf("%d bytes, %v", len(data), err)
					}
					check(t, g.write(chunkName(root), rotten))
					if data, err := again(s); !errors.Is(err, ErrMissing) {
						t.Errorf("%d bytes, %v", len(data), err)
					}
					if u := s.Usage(); u.Rotten != 1 || u.Chunks != 0 {
						t.Errorf("%+v", u)
					}
					put(t, s, chunk)
					if data, err := read(s); err != nil || !bytes.Equal(data, chunk) {
						t.Errorf("%d bytes, %v", len(data), err)
					}
					check(t, errors.Join(s.Delete(root), s.Close()))
				}
				byRoot := func(s *Store) ([]byte, error) { return s.Get(root) }
				bySum := func(s *Store) ([]byte, error) { return s.Read(root, make([]byte, ChunkRoom)) }
				t.Run("by the root", func(t *testing.T) { held(t, byRoot, byRoot) })
				if name == "a checksum that fits" {
					held(t, bySum, byRoot)
					return
				}
				t.Run("by the checksum", func(t *testing.T) { held(t, bySum, bySum) })
			})
		}
	})
}

// fileOf is what a chunk's file is: the chunk, zeros up to a block where it has 64 KiB or more, its size and its checksum, be4 each.
func fileOf(root digest.Hash, chunk []byte) []byte {
	file := bytes.Clone(chunk)
	for len(chunk) >= 64<<10 && (len(file)+8)%4_096 != 0 {
		file = append(file, 0)
	}
	return append(binary.BigEndian.AppendUint32(file, uint32(len(chunk))), crcOf(append(root[:], chunk...))...)
}

// A chunk's file is what the package says, whichever way it is written, and no other way is left behind.
func TestFilesOfChunks(t *testing.T) {
	for _, size := range []int{1, 4_088, 64<<10 - 1, 64 << 10, 64<<10 + 1, 64<<10 + 4_088, 1_000_000, cbfs.ChunkBytes} {
		for name, cached := range map[string]bool{"past the page cache": false, "through it": true} {
			t.Run(fmt.Sprint(size, " bytes ", name), func(t *testing.T) {
				d := newDisk(t.TempDir())
				d.cached.Store(cached)
				s, err := begin(d, 1<<22)
				check(t, err)
				data := bytes.Repeat([]byte("cowboy"), size/6+1)[:size]
				root := put(t, s, data)
				file, err := os.ReadFile(d.at(chunkName(root)))
				check(t, err)
				if !bytes.Equal(file, fileOf(root, data)) || s.Usage().Bytes != uint64(len(file)) {
					t.Errorf("%d bytes, %+v", len(file), s.Usage())
				}
				if got, err := s.Get(root); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%d bytes, %v", len(got), err)
				}
				left, err := os.ReadDir(d.at("partial"))
				check(t, err)
				if len(left) != 0 {
					t.Error(left)
				}
				check(t, s.Close())
			})
		}
	}
}

// crcOf is the CRC-32C of data, be4, bit by bit: the polynomial 0x1EDC6F41, lowest bits first, from all ones and inverted at the end.
//
// Source: RFC 3720 §12.1, and its vector.
func crcOf(data []byte) []byte {
	sum := ^uint32(0)
	for _, b := range data {
		sum ^= uint32(b)
		for range 8 {
			sum = sum>>1 ^ 0x82F63B78&-(sum&1)
		}
	}
	return binary.BigEndian.AppendUint32(nil, ^sum)
}

// Source: RFC 3720 §B.4 (32 bytes of zeros, and of ones).
func TestChecksumOfRFC3720(t *testing.T) {
	for b, want := range map[byte][]byte{0x00: {0x8A, 0x91, 0x36, 0xAA}, 0xFF: {0x62, 0xA8, 0xAB, 0x43}} {
		t.Run(hex.EncodeToString([]byte{b}), func(t *testing.T) {
			if got := crcOf(bytes.Repeat([]byte{b}, 32)); !bytes.Equal(got, want) {
				t.Errorf("%x, want %x", got, want)
			}
		})
	}
}

// The quota holds to the byte, and what is removed gives room.
//
// Spec: storage-cbfs §9 (ErrCapacity).
func TestQuota(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 10+2*8) // two files, which end with a size and a checksum
		root := put(t, s, []byte("12345"))
		put(t, s, []byte("abcde"))
		if _, _, err := s.Put([]byte("x"), Bringer{}); !errors.Is(err, ErrFull) {
			t.Error(err)
		}
		if err := s.Delete(root); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Put([]byte("123456"), Bringer{}); !errors.Is(err, ErrFull) {
			t.Error(err)
		}
		put(t, s, []byte("54321"))
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func tableOf(roots ...digest.Hash) *protocol.Table {
	t := &protocol.Table{K: 1}
	for _, r := range roots {
		t.Stripes = append(t.Stripes, protocol.Stripe{Size: 5, Roots: []digest.Hash{r}})
	}
	return t
}

// What a table names stays as long as the chain names the table; the rest goes when its time is over, and not before.
//
// Spec: storage-cbfs §4 (orphan shard), §8.
func TestCollecting(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 1<<20)
		now := time.Now()
		kept, old, orphan, young := put(t, s, []byte("kept")), put(t, s, []byte("old")), put(t, s, []byte("orphan")), put(t, s, []byte("young"))
		for _, root := range []digest.Hash{kept, old, orphan} {
			if err := g.age(chunkName(root), 2*time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		named, err := keep(s, tableOf(kept))
		if err != nil {
			t.Fatal(err)
		}
		left, err := keep(s, tableOf(old, kept))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Named(left, now.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		if tables, chunks, err := s.Collect(now.Add(-90 * time.Minute)); err != nil || tables != 0 || chunks != 1 || s.Has(orphan) {
			t.Error(tables, chunks, err)
		}
		tables, chunks, err := s.Collect(now.Add(-30 * time.Minute))
		if err != nil || tables != 1 || chunks != 1 || s.Has(old) || !s.Has(kept) || !s.Has(young) {
			t.Error(tables, chunks, err)
		}
		same(t, s, named, tableOf(kept))
		for what, name := range map[string]Name{"another volume": {digest.Hash{9}, named.Root}, "another root": {named.Volume, left.Root}} {
			t.Run(what, func(t *testing.T) {
				if _, err := s.Table(name); !errors.Is(err, ErrMissing) {
					t.Error(err)
				}
			})
		}
		if _, err := s.Table(left); !errors.Is(err, ErrMissing) || !errors.Is(s.Named(left, now), ErrMissing) {
			t.Error(err)
		}
		if u := s.Usage(); u.Chunks != 2 || u.Bytes != uint64(len("kept")+len("young")+2*8+oneStripe) {
			t.Errorf("%+v", u)
		}
	})
}

// A store of another version is left alone.
func TestVersions(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 1<<20)
		if err := errors.Join(s.Close(), g.write("format", []byte("1"))); err != nil {
			t.Fatal(err)
		}
		if _, err := g.open(1); !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
		if _, err := g.look(); !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
	})
}

// between is a place in which something happens between two looks of a collection, which are at the tables, the pages, the branches and the chunks.
type between struct {
	place
	at   string // the folder that is to be looked at next
	then func()
}

func (b *between) walk(folder string, visit func(f file) error) error {
	if folder == b.at {
		b.then()
	}
	return b.place.walk(folder, visit)
}

// A table that is put while a collection goes on keeps its chunks, which nobody had named for long: whoever put it was told that they are here.
//
// Spec: storage-cbfs §4 (orphan shard), §8.
func TestNamedWhileCollecting(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 1<<20)
		again, orphan := put(t, s, []byte("again")), put(t, s, []byte("orphan"))
		for _, root := range []digest.Hash{again, orphan} {
			if err := g.age(chunkName(root), 2*time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		s.place = &between{place: s.place, at: chunks, then: func() {
			if _, err := keep(s, tableOf(again)); err != nil {
				t.Error(err)
			}
			if missing, err := s.Sync([]digest.Hash{again}); err != nil || len(missing) > 0 {
				t.Error(missing, err)
			}
		}}
		if tables, chunks, err := s.Collect(time.Now().Add(-time.Hour)); err != nil || tables != 0 || chunks != 1 || !s.Has(again) || s.Has(orphan) {
			t.Error(tables, chunks, err, s.Has(again), s.Has(orphan))
		}
	})
}

// What was synced once is not synced again, unless it went and came again: then it is, whoever removed it.
//
// Spec: storage-cbfs §3.1 (step one).
func TestSyncedOnce(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	settled := &settling{place: s.place}
	s.place = settled
	one, two, none := put(t, s, []byte("one")), put(t, s, []byte("two")), digest.Hash{1}
	sync := func(want int, roots ...digest.Hash) {
		t.Helper()
		before := settled.files
		if missing, err := s.Sync(roots); err != nil || len(missing) > 0 != slices.Contains(roots, none) || settled.files-before != want {
			t.Errorf("%d files are synced, want %d; %v are missing, %v", settled.files-before, want, missing, err)
		}
	}
	sync(1, one, one)
	sync(2, one, two, none)
	sync(1, one, two, none)
	if err := s.Delete(one); err != nil {
		t.Fatal(err)
	}
	put(t, s, []byte("one"))
	sync(1, one, two)
	sync(0, one, two)
	if err := os.Remove(filepath.Join(dir, chunkName(two))); err != nil {
		t.Fatal(err)
	}
	put(t, s, []byte("two"))
	sync(1, one, two)
}

// settling counts the files that are made durable.
type settling struct {
	place
	files int
}

func (s *settling) settle(names []string) ([]bool, error) {
	s.files += len(names)
	return s.place.settle(names)
}
