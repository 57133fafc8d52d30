package store

import (
	"testing"
	"testing/synctest"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
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
