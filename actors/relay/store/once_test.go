package store

import (
	"errors"
	"io/fs"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// gate is a place in which nothing is put before it is opened.
type gate struct {
	place
	opened chan struct{}
}

func (g *gate) put(name string, durable bool, parts ...[]byte) error {
	<-g.opened
	return g.place.put(name, durable, parts...)
}

// What two write at once takes its room once: a chunk, the parts of a table, and one of them that was lost.
//
// Spec: storage-cbfs §3.3 (PutShard, PutPlacement).
func TestRoomIsTakenOnce(t *testing.T) {
	data, table := []byte("a chunk that comes twice"), large(10)
	for name, write := range map[string]func(s *Store) error{
		"a chunk": func(s *Store) error {
			_, err := s.Keep(cbfs.ChunkRoot(data), data)
			return err
		},
		"a table": func(s *Store) error {
			_, err := keep(s, table)
			return err
		},
		"a page that was lost": func(s *Store) error {
			return s.again("pages/ab/abcd", protocol.EncodePage(table.K, table.M, table.Stripes))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				s, err := Open(dir, 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				g := &gate{s.place, make(chan struct{})}
				s.place = g
				for range 3 {
					go func() {
						if err := write(s); err != nil {
							t.Error(err)
						}
					}()
				}
				synctest.Wait()
				close(g.opened)
				synctest.Wait()
				got := s.Usage()
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if want, err := Look(dir); err != nil || got.Bytes != want.Bytes || got.Chunks != want.Chunks || got.Bytes == 0 {
					t.Errorf("%+v, want %+v, %v", got, want, err)
				}
				if len(s.writing) != 0 {
					t.Error("a file is written by nobody")
				}
			})
		})
	}
}

// forgiving is a place that removes what is gone already, too, as object stores do, and whose answers all come at once.
type forgiving struct {
	place
	opened chan struct{}
}

func (f *forgiving) size(name string) (uint64, error) {
	size, err := f.place.size(name)
	<-f.opened
	return size, err
}

func (f *forgiving) remove(name string) error {
	if err := f.place.remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// What two remove at once gives its room back once.
func TestRoomIsGivenBackOnce(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(dir, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		var roots []digest.Hash
		for _, data := range [][]byte{[]byte("goes"), []byte("stays"), []byte("stays too")} {
			roots = append(roots, cbfs.ChunkRoot(data))
			if _, err := s.Keep(cbfs.ChunkRoot(data), data); err != nil {
				t.Fatal(err)
			}
		}
		f := &forgiving{s.place, make(chan struct{})}
		s.place = f
		var missing atomic.Int32
		for range 3 {
			go func() {
				err := s.Delete(roots[0])
				if errors.Is(err, ErrMissing) {
					missing.Add(1)
				} else if err != nil {
					t.Error(err)
				}
			}()
		}
		synctest.Wait()
		close(f.opened)
		synctest.Wait()
		got := s.Usage()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if want, err := Look(dir); err != nil || got.Bytes != want.Bytes || got.Chunks != want.Chunks || got.Chunks != 2 || missing.Load() != 2 {
			t.Errorf("%+v, want %+v, %v; %d found it gone", got, want, err, missing.Load())
		}
	})
}
