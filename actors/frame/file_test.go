package frame

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

var (
	testNames  = Names{File: "book", Next: "book.next", Lock: "lock"}
	errDamaged = errors.New("damaged")
)

func opens(t *testing.T, d disk.Disk) *File {
	t.Helper()
	f, err := Open(d, testNames)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// read gives what a file holds, title first.
func read(d disk.Disk) (list []string, err error) {
	take := func(payload []byte) error {
		list = append(list, string(payload))
		return nil
	}
	return list, ReadFile(d, testNames, errDamaged, take, take)
}

// What Append and Rewrite were given is read again, a second process is kept out meanwhile, and a closed file takes nothing.
//
// Spec: commonware §3.5.
func TestFile(t *testing.T) {
	d := disk.NewMemory()
	if _, err := read(d); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before there is one: %v", err)
	}
	f := opens(t, d)
	if _, err := Open(d, testNames); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("a second process: %v", err)
	}
	if err := errors.Join(f.Rewrite([]byte("title")), f.Append([]byte("a")), f.Append([]byte("b"))); err != nil {
		t.Fatal(err)
	}
	if got, err := read(d); err != nil || !slices.Equal(got, []string{"title", "a", "b"}) {
		t.Errorf("%q, %v", got, err)
	}
	if err := errors.Join(f.Rewrite([]byte("title"), []byte("b"), nil), f.Append([]byte("c"))); err != nil {
		t.Fatal(err)
	}
	if got, err := read(d); err != nil || !slices.Equal(got, []string{"title", "b", "c"}) {
		t.Errorf("%q, %v", got, err)
	}
	if size := f.Size(); size != 3*Head+7 {
		t.Errorf("%d bytes", size)
	}
	if present, err := Present(d, testNames); !present || err != nil {
		t.Errorf("%v, %v", present, err)
	}
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if err := f.Append([]byte("d")); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after it was closed: %v", err)
	}
	if err := opens(t, d).Close(); err != nil {
		t.Error(err)
	}
}

// Cut anywhere, a file has its whole frames; with a byte changed anywhere before the last frame it is damaged.
//
// Spec: commonware §3.5.
func TestTornAndDamaged(t *testing.T) {
	d := disk.NewMemory()
	f := opens(t, d)
	if err := errors.Join(f.Rewrite([]byte("title")), f.Append([]byte("first")), f.Append([]byte("last"))); err != nil {
		t.Fatal(err)
	}
	var whole []byte
	d.Edit(testNames.File, func(data []byte) []byte {
		whole = slices.Clone(data)
		return data
	})
	ends := []int{Head + 5, 2 * (Head + 5), 3*Head + 14}
	if len(whole) != ends[2] {
		t.Fatalf("%d bytes", len(whole))
	}
	for cut := range whole {
		t.Run(fmt.Sprint("cut at ", cut), func(t *testing.T) {
			d.Edit(testNames.File, func([]byte) []byte { return slices.Clone(whole[:cut]) })
			got, err := read(d)
			switch {
			case cut < ends[0]:
				if !errors.Is(err, errDamaged) {
					t.Errorf("without a title: %v", err)
				}
			case err != nil || len(got) != 1+min(1, cut/ends[1]):
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	for at := range ends[1] {
		t.Run(fmt.Sprint("changed at ", at), func(t *testing.T) {
			data := slices.Clone(whole)
			data[at] ^= 0x40
			d.Edit(testNames.File, func([]byte) []byte { return data })
			if got, err := read(d); !errors.Is(err, errDamaged) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// An error of the disk is the last word: what lies there is unknown.
func TestBroken(t *testing.T) {
	f := opens(t, disk.NewMemory())
	why := errors.New("input/output error")
	if err := f.Rewrite([]byte("title")); err != nil {
		t.Fatal(err)
	}
	if err := f.Fail(why); err != why || f.Broken() != why || f.Append([]byte("a")) != why || f.Rewrite([]byte("title")) != why {
		t.Errorf("%v", f.Broken())
	}
}
