package volume

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// A file whose bytes are not those that its entry says is read with an error, whoever wrote the entry: its hash or its size is another one's.
//
// Spec: storage-cbfs §2.3 (content_hash, ciphertext_hash, size_bytes).
func TestFilesThatAreOthers(t *testing.T) {
	w := newWorld(t, 6)
	c, data := w.client(ann), random(7, 5_000)
	for name, private := range map[string]bool{"private": true, "public": false} {
		id := w.create(name, private, 4, 2)
		for i, lie := range []func(o *cbfs.Object){
			func(*cbfs.Object) {},
			func(o *cbfs.Object) { o.ContentHash[0]++; o.CiphertextHash[0]++ },
			func(o *cbfs.Object) { o.ContentHash[0]++ },
			func(o *cbfs.Object) { o.Size++ },
		} {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				s, err := c.Open(t.Context(), id)
				must(t, err)
				right, err := c.credit(s.Volume, true)
				must(t, err)
				change := file(fmt.Sprint("a", i), data)
				u := newUploader(s, []Change{change})
				one, err := u.file(t.Context(), &change)
				must(t, err)
				lie(one.object)
				s, err = u.commit(t.Context(), []Change{change}, map[string]*placed{change.Path: one}, right)
				must(t, err)
				var got bytes.Buffer
				err = s.Read(t.Context(), change.Path, &got)
				if lies := i > 0; errors.Is(err, ErrFile) != lies || !lies && (err != nil || !bytes.Equal(got.Bytes(), data)) {
					t.Errorf("%d bytes: %v", got.Len(), err)
				}
				if err := s.Save(t.Context(), change.Path, &places{}); errors.Is(err, ErrFile) != (i > 0) {
					t.Errorf("saved: %v", err)
				}
			})
		}
	}
}

// places is a file in memory that is written to in any order; beyond its limit it fails, if it has one.
type places struct {
	mu    sync.Mutex
	bytes []byte
	limit int64
	ended func() // nil as long as it may be written to
}

var errFull = errors.New("the file is full")

func (p *places) WriteAt(data []byte, at int64) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended != nil {
		p.ended()
	}
	end := at + int64(len(data))
	if p.limit > 0 && end > p.limit {
		return 0, errFull
	}
	if grow := end - int64(len(p.bytes)); grow > 0 {
		p.bytes = append(p.bytes, make([]byte, grow)...)
	}
	return copy(p.bytes[at:], data), nil
}

// A file is saved as it is read, whatever its size is to a stripe; what cannot be written ends it, and leaves the volume to be read.
//
// Spec: storage-cbfs §5.
func TestSaving(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	for name, private := range map[string]bool{"private": true, "public": false} {
		id := w.create(name, private, 4, 2)
		for _, size := range []int{0, 1, 4<<20 - 17, 4<<20 - 16, 4<<20 - 15, 4 << 20, 4<<20 + 1, 21 << 20} {
			t.Run(fmt.Sprint(name, " ", size, " bytes"), func(t *testing.T) {
				data := random(uint64(size), size)
				must(t, c.Apply(t.Context(), id, []Change{file("a", data)}))
				s, err := c.Open(t.Context(), id)
				must(t, err)
				var got places
				if err := s.Save(t.Context(), "a", &got); err != nil || !bytes.Equal(got.bytes, data) {
					t.Errorf("%d bytes, %v", len(got.bytes), err)
				}
				on, err := os.Create(filepath.Join(t.TempDir(), "a"))
				must(t, err)
				defer on.Close()
				must(t, s.readTo(t.Context(), "a", into{anywhere: on})) // past the page cache, as large files are
				if got, err := os.ReadFile(on.Name()); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%d bytes on the disk, %v", len(got), err)
				}
				if size > 1 {
					small := places{limit: min(int64(size-1), 5<<20)}
					if err := s.Save(t.Context(), "a", &small); !errors.Is(err, errFull) {
						t.Error(err)
					}
					small.mu.Lock()
					small.ended = func() { t.Error("it is written to afterwards") }
					small.mu.Unlock()
				}
				if again, err := read(t.Context(), c, id, "a"); err != nil || !bytes.Equal(again, data) {
					t.Errorf("%d bytes, %v", len(again), err)
				}
			})
		}
	}
}
