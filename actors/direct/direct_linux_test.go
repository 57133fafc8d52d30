package direct

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/pagecache"
)

// partBytes is how long the parts are that are written here.
const partBytes = 64 << 10

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// content is bytes that tell where they belong.
func content(size int) []byte {
	data := Memory(size)
	for i := range data {
		data[i] = byte(i>>12*7 + i)
	}
	return data
}

// folder is one whose file system knows a way past the page cache, which no file system in memory has.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	onDisk, err := pagecache.OnDisk(dir)
	check(t, err)
	f, err := Create(filepath.Join(dir, "probe"))
	if errors.Is(err, syscall.EINVAL) || !onDisk {
		t.Skip("the file system knows no way past the page cache")
	}
	check(t, err)
	check(t, f.Close())
	return dir
}

// What is written in parts is read as one, past the page cache both times, and a part that lies elsewhere is seen.
func TestPastThePageCache(t *testing.T) {
	name, data := filepath.Join(folder(t), "f"), content(3*BlockBytes)
	f, err := Create(name)
	check(t, err)
	check(t, Write(f, [][]byte{data[:BlockBytes], data[BlockBytes:BlockBytes], data[BlockBytes:]}))
	if err := Write(f, [][]byte{data[1 : 1+BlockBytes]}); !errors.Is(err, syscall.EINVAL) || IsAligned(data[1:1+BlockBytes]) || !IsAligned(data) {
		t.Error("memory that lies elsewhere: ", err)
	}
	check(t, f.Close())
	room := Memory(len(data) + BlockBytes)
	for what, room := range map[string][]byte{"no room": nil, "too small": room[:BlockBytes], "aligned": room, "elsewhere": room[1:]} {
		t.Run(what, func(t *testing.T) {
			f, err := os.Open(name)
			check(t, err)
			defer f.Close()
			if got, err := Read(f, room, len(data)); err != nil || !bytes.Equal(got, data) {
				t.Error(len(got), err)
			}
		})
	}
	if is, err := pagecache.Has(name); is || err != nil {
		t.Error("it is cached", err)
	}
}

// A file whose parts are written at the same time, aligned or not, is what they make; aligned ones are not in the page cache, and the space for all is
// reserved before.
func TestFileOfParts(t *testing.T) {
	name, data := filepath.Join(folder(t), "f"), content(5*partBytes+1)
	f, err := os.Create(name)
	check(t, err)
	defer f.Close()
	past, err := Over(f, int64(len(data)))
	check(t, err)
	info, err := f.Stat()
	check(t, err)
	if room := info.Sys().(*syscall.Stat_t).Blocks * 512; info.Size() != int64(len(data)) || room < info.Size() {
		t.Error(info.Size(), room)
	}
	var writing sync.WaitGroup
	for at := 0; at < len(data); at += partBytes {
		writing.Go(func() {
			part := data[at:min(at+partBytes, len(data))]
			if at == 2*partBytes {
				part = append(make([]byte, 1), part...)[1:]
			}
			if n, err := past.WriteAt(part, int64(at)); n != len(part) || err != nil {
				t.Error(n, err)
			}
		})
	}
	writing.Wait()
	check(t, past.Close())
	if is, err := pagecache.Has(name); is || err != nil {
		t.Error("it is cached", err)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, data) {
		t.Error(len(got), err)
	}
}

// Where the way past the page cache is refused, or there is none, a file is written all the same; where there is no room for it, that is said first.
func TestFileTheUsualWay(t *testing.T) {
	data := content(2 * partBytes)
	for what, spoil := range map[string]func(f *File){
		"refused": func(f *File) { f.refused.Store(true) },
		"no way":  func(f *File) { _ = f.past.Close(); f.past = nil },
	} {
		t.Run(what, func(t *testing.T) {
			f, err := os.Create(filepath.Join(t.TempDir(), "f"))
			check(t, err)
			defer f.Close()
			past, err := Over(f, int64(len(data)))
			check(t, err)
			if past.past == nil {
				t.Skip("the file system knows no way past the page cache")
			}
			spoil(past)
			for at := 0; at < len(data); at += partBytes {
				_, err := past.WriteAt(data[at:at+partBytes], int64(at))
				check(t, err)
			}
			check(t, past.Close())
			if got, err := os.ReadFile(f.Name()); err != nil || !bytes.Equal(got, data) {
				t.Error(len(got), err)
			}
		})
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	check(t, err)
	defer f.Close()
	if _, err := Over(f, 1<<62); !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EFBIG) {
		t.Error(fmt.Sprint("as much as there is nowhere: ", err))
	}
}
