package store

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/direct"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/testkit/pagecache"
)

func cached(t *testing.T, name string) bool {
	t.Helper()
	is, err := pagecache.Has(name)
	check(t, err)
	return is
}

// A large chunk is in the page cache once somebody has asked for it a second time, and neither when it is brought, nor when it is looked at here. A small one
// is from the start.
func TestPageCache(t *testing.T) {
	onDisk, err := pagecache.OnDisk(t.TempDir())
	check(t, err)
	f, err := direct.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil || !onDisk {
		t.Skip("the file system knows no way past the page cache: ", err)
	}
	check(t, f.Close())
	d := newDisk(t.TempDir())
	s, err := begin(d, 1<<22)
	check(t, err)
	defer s.Close()
	data := bytes.Repeat([]byte{1}, cbfs.ChunkBytes)
	large, small := put(t, s, data), put(t, s, []byte("small"))
	if !cached(t, d.at(chunkName(small))) {
		t.Error("the small chunk is not cached")
	}
	room := make([]byte, ChunkRoom+1)
	get := func() ([]byte, error) { return s.Get(large) }
	read := func() ([]byte, error) { return s.Read(large, direct.Memory(ChunkRoom)) }
	for i, step := range []struct {
		read func() ([]byte, error)
		want bool
	}{
		{func() ([]byte, error) { return data, nil }, false},
		{get, false},
		{func() ([]byte, error) { return s.Read(large, room[1:]) }, false},
		{get, false},
		{read, true},
		{read, true},
		{get, true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got, err := step.read(); err != nil || !bytes.Equal(got, data) || cached(t, d.at(chunkName(large))) != step.want {
				t.Error(len(got), err, !step.want)
			}
		})
	}
}

// A chunk is written as it is wherever it lies in memory, from there or from a buffer.
func TestWhereChunksLie(t *testing.T) {
	s, err := Open(t.TempDir(), 1<<24)
	check(t, err)
	defer s.Close()
	memory := direct.Memory(cbfs.ChunkBytes + direct.BlockBytes)
	for number, at := range []int{0, 1, 8, 512, direct.BlockBytes} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			data := memory[at : at+cbfs.ChunkBytes]
			for i := range data {
				data[i] = byte(i>>8 + i + number)
			}
			if direct.IsAligned(data) != (at%direct.BlockBytes == 0) {
				t.Error("where it lies is not seen")
			}
			root, want := put(t, s, data), bytes.Clone(data)
			clear(memory)
			if got, err := s.Get(root); err != nil || !bytes.Equal(got, want) {
				t.Error(len(got), err)
			}
		})
	}
}
