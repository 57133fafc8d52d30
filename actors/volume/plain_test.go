package volume

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/zeebo/blake3"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// What is read twice is what is there, and its hash is another library's, whether it is a file or can be read once alone.
//
// Spec: storage-cbfs §2.3 (content_hash).
func TestPlain(t *testing.T) {
	for _, size := range []int{0, 1, digest.PieceBytes - 1, digest.PieceBytes, 5*digest.PieceBytes + 7} {
		data := random(uint64(size), size)
		name := filepath.Join(t.TempDir(), "f")
		must(t, os.WriteFile(name, data, 0o600))
		for _, file := range []bool{true, false} {
			t.Run(fmt.Sprint(size, " of a file: ", file), func(t *testing.T) {
				f, err := os.Open(name)
				must(t, err)
				defer f.Close()
				var in io.Reader = f
				if !file {
					in = io.MultiReader(f)
				}
				p, err := readPlain(t.Context(), in, 0, 10<<20)
				must(t, err)
				defer p.leave()
				if p.sum() != blake3.Sum256(data) || p.size != uint64(size) || (p.room == nil) != file {
					t.Error(p.size, p.room != nil)
				}
				for at := 0; at < size; at += 2 * digest.PieceBytes {
					part := make([]byte, min(size-at, 2*digest.PieceBytes))
					if err := p.read(part, uint64(at)); err != nil || !bytes.Equal(part, data[at:at+len(part)]) {
						t.Error(at, err)
					}
				}
			})
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readPlain(ended, bytes.NewReader([]byte("a")), 1, 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := readPlain(t.Context(), bytes.NewReader(make([]byte, 12)), 12, 10); !errors.Is(err, volume.ErrQuota) {
		t.Error("more than may be: ", err)
	}
	system, err := os.Open("/proc/self/status") // which says that it has no bytes
	if err != nil {
		t.Skip(err)
	}
	defer system.Close()
	if p, err := readPlain(t.Context(), system, 0, 1<<20); err != nil || p.size == 0 || p.room == nil {
		t.Error("a file that says nothing of its size is taken for empty: ", err)
	}
}

// turning is a file whose bytes are others after so many readings.
type turning struct {
	*os.File
	readings atomic.Int32
	turn     func(part []byte, n int) int
}

func (f *turning) ReadAt(part []byte, offset int64) (int, error) {
	n, err := f.File.ReadAt(part, offset)
	if f.readings.Add(-1) < 0 {
		n = f.turn(part, n)
	}
	if n < len(part) {
		err = io.EOF
	}
	return n, err
}

// A file that changes between its hash and its seal is not put: under one nonce there are never two contents, not even in chunks that no commit names.
//
// Spec: storage-cbfs §3.1 (fresh nonce).
func TestFileThatChanges(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	c.Journal = Journal(t.TempDir())
	id, data := w.create("docs", true, 4, 2), random(3, 3*digest.PieceBytes)
	must(t, c.Apply(t.Context(), id, []Change{file("a", []byte("before"))}))
	w.confirmed(id)
	chunks := func() (count int) {
		for _, n := range w.relays {
			files, err := filepath.Glob(filepath.Join(n.dir, "chunks", "*", "*"))
			must(t, err)
			count += len(files)
		}
		return count
	}
	before := chunks()
	name := filepath.Join(t.TempDir(), "f")
	must(t, os.WriteFile(name, data, 0o600))
	for what, turn := range map[string]func(part []byte, n int) int{
		"a bit":   func(part []byte, n int) int { part[n/2] ^= 4; return n },
		"shorter": func(_ []byte, n int) int { return n - 1 },
	} {
		t.Run(what, func(t *testing.T) {
			open := func() (io.ReadCloser, error) {
				f, err := os.Open(name)
				one := &turning{File: f, turn: turn}
				one.readings.Store(1 + 3) // that nothing is behind it, and its pieces
				return one, err
			}
			err := c.Apply(t.Context(), id, []Change{{Path: "a", Open: open, Size: uint64(len(data))}})
			if !errors.Is(err, ErrChanged) || chunks() != before {
				t.Error(err, chunks()-before, "chunks were brought")
			}
		})
	}
	if got, err := read(t.Context(), c, id, "a"); err != nil || string(got) != "before" {
		t.Error(string(got), err)
	}
	open := func() (io.ReadCloser, error) { return os.Open(name) }
	must(t, c.Apply(t.Context(), id, []Change{{Path: "a", Open: open, Size: uint64(len(data))}}))
	if got, err := read(t.Context(), c, id, "a"); err != nil || !bytes.Equal(got, data) {
		t.Error(len(got), err)
	}
}

// A file of several stripes that changes while some of them are on their way is given up, whichever of them notices; then it can be put.
func TestLongFileThatChanges(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	id, name := w.create("docs", true, 4, 2), filepath.Join(t.TempDir(), "f")
	const pieces = 24
	must(t, os.WriteFile(name, random(4, pieces*digest.PieceBytes), 0o600))
	for stripes := range int32(pieces / 4) {
		t.Run(fmt.Sprint("after stripe ", stripes), func(t *testing.T) {
			open := func() (io.ReadCloser, error) {
				f, err := os.Open(name)
				one := &turning{File: f, turn: func(part []byte, n int) int { part[n-1] ^= 1; return n }}
				one.readings.Store(1 + pieces + stripes)
				return one, err
			}
			if err := c.Apply(t.Context(), id, []Change{{Path: "a", Open: open}}); !errors.Is(err, ErrChanged) {
				t.Error(err)
			}
		})
	}
	open := func() (io.ReadCloser, error) { return os.Open(name) }
	must(t, c.Apply(t.Context(), id, []Change{{Path: "a", Open: open}}))
}
