package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"
)

// Both disks behave alike.
func TestDisks(t *testing.T) {
	directory, err := NewDirectory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]Disk{"directory": directory, "memory": NewMemory(), "part": NewPart(NewMemory(), "part-")} {
		t.Run(name, func(t *testing.T) { exercise(t, d) })
	}
}

func exercise(t *testing.T, d Disk) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Open("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	f, err := d.Create("a")
	must(err)
	_, err = f.WriteAt([]byte("hello"), 3)
	must(err)
	must(f.Sync())
	must(d.Sync())
	b := make([]byte, 16)
	n, err := f.ReadAt(b, 0)
	if !errors.Is(err, io.EOF) || !bytes.Equal(b[:n], []byte("\x00\x00\x00hello")) {
		t.Errorf("%q %v", b[:n], err)
	}
	if _, err := f.ReadAt(b, 100); !errors.Is(err, io.EOF) {
		t.Errorf("read past the end: %v", err)
	}
	must(f.Truncate(4))
	must(f.Truncate(6))
	if size, err := f.Size(); err != nil || size != 6 {
		t.Errorf("size %d %v", size, err)
	}
	n, _ = f.ReadAt(b, 0)
	if !bytes.Equal(b[:n], []byte("\x00\x00\x00h\x00\x00")) {
		t.Errorf("%q", b[:n])
	}
	must(d.Rename("a", "b"))
	names, err := d.List()
	must(err)
	if len(names) != 1 || names[0] != "b" {
		t.Errorf("%v", names)
	}
	lock, err := d.Lock("l")
	must(err)
	if _, err := d.Lock("l"); !errors.Is(err, ErrLocked) {
		t.Errorf("second lock: %v", err)
	}
	must(lock.Close())
	lock, err = d.Lock("l")
	must(err)
	must(lock.Close())
	must(d.Remove("b"))
	if _, err := d.Open("b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed file: %v", err)
	}
	must(f.Close())
}

// A crash loses exactly what was not synced.
func TestMemoryCrash(t *testing.T) {
	m := NewMemory()
	m.Record = true
	f, err := m.Create("f")
	if err != nil {
		t.Fatal(err)
	}
	step := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	step(m.Sync())
	_, err = f.WriteAt([]byte("safe"), 0)
	step(err)
	step(f.Sync())
	_, err = f.WriteAt([]byte("lost"), 4)
	step(err)
	_, err = m.Create("nameless")
	step(err)
	content := func(d *Memory) string {
		g, err := d.Open("f")
		if err != nil {
			return "none"
		}
		b := make([]byte, 16)
		n, _ := g.ReadAt(b, 0)
		return string(b[:n])
	}
	for want, keep := range map[string]func(string, int) int{
		"safe":     func(string, int) int { return 0 },
		"safelo":   func(string, int) int { return 2 },
		"safelost": nil,
	} {
		t.Run(want, func(t *testing.T) {
			d := m.Crash(keep)
			if got := content(d); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if _, err := d.Open("nameless"); (err == nil) != (keep == nil) {
				t.Errorf("a name that was not synced: %v", err)
			}
		})
	}
	for instant, want := range map[int64]string{0: "none", 1: "", 2: "", 4: "sa", 7: "safe", 9: "safelo", 100: "safelost"} {
		t.Run(fmt.Sprint(instant), func(t *testing.T) {
			if got := content(m.Until(instant)); got != want {
				t.Errorf("instant %d: %q, want %q", instant, got, want)
			}
		})
	}
}
