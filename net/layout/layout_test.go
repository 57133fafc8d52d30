package layout

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
)

func TestUv(t *testing.T) {
	for i, c := range []struct {
		in   []byte
		want uint64
		err  error
	}{
		{[]byte{0}, 0, nil},
		{[]byte{0x7f}, 127, nil},
		{[]byte{0x80, 1}, 128, nil},
		{[]byte{0xac, 0x02}, 300, nil},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 1<<63 - 1, nil},
		{[]byte{0x80, 0}, 0, ErrNotMinimal},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 0, ErrNotMinimal},
		{[]byte{0x80}, 0, ErrShort},
		{nil, 0, ErrShort},
		{[]byte{1, 1}, 1, ErrTrailing},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := NewReader(c.in)
			got := r.Uv()
			if err := r.Finish(); got != c.want || !errors.Is(err, c.err) {
				t.Errorf("%x: %d, %v; want %d, %v", c.in, got, err, c.want, c.err)
			}
			if c.err == nil && !bytes.Equal(AppendUv(nil, c.want), c.in) {
				t.Errorf("%d is written as %x, want %x", c.want, AppendUv(nil, c.want), c.in)
			}
		})
	}
}

func TestFields(t *testing.T) {
	in := []byte{1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 3, 'a', 'b', 'c', 2}
	r := NewReader(in)
	if r.U8() != 1 || r.U16() != 2 || r.U32() != 3 || r.U64() != 4 || string(r.Bytes(3)) != "abc" || r.Count(2) != 2 {
		t.Fatal("a field was misread")
	}
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	if r := NewReader([]byte{3, 'a', 'b', 'c'}); r.Bytes(2) != nil || !errors.Is(r.Err(), ErrLong) {
		t.Error("a byte string over its limit was taken")
	}
	r = NewReader([]byte{9})
	r.Fail(ErrLong)
	if r.U8() != 0 || !errors.Is(r.Finish(), ErrLong) {
		t.Error("the first error did not stick")
	}
}

// FuzzReader: fields are read off any input as it was written, or an error is kept; nothing is read twice and nothing past a limit.
func FuzzReader(f *testing.F) {
	f.Add(AppendBytes(AppendUv([]byte{7, 0, 1}, 300), []byte("abc")))
	f.Add([]byte{0x80, 0x00})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := NewReader(b)
		a, u, v, s := r.U8(), r.U16(), r.Uv(), r.Bytes(64)
		if r.Finish() != nil {
			return
		}
		again := AppendBytes(AppendUv(binary.BigEndian.AppendUint16([]byte{a}, u), v), s)
		if !bytes.Equal(again, b) || len(s) > 64 {
			t.Errorf("%x was read as %d, %d, %d, %x", b, a, u, v, s)
		}
	})
}
