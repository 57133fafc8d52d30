package codec

import (
	"errors"
	"fmt"
	"testing"
)

// An error tells the number that offends, where one does, and nothing otherwise.
func TestErrorNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		raw    []byte
		read   func(*Reader)
		class  error
		number uint64
	}{
		"no end":        {[]byte{0x80}, func(r *Reader) { r.Uint() }, ErrShort, 0},
		"not minimal":   {[]byte{0x80, 0x00}, func(r *Reader) { r.Uint() }, ErrVarint, 0},
		"too few bytes": {[]byte{5, 1, 2}, func(r *Reader) { r.Len(0, 10, 1) }, ErrShort, 0},
		"too long":      {[]byte{11, 1, 2}, func(r *Reader) { r.Len(0, 10, 1) }, ErrLength, 11},
		"too short":     {[]byte{1, 1, 2}, func(r *Reader) { r.Len(2, 10, 1) }, ErrLength, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(c.raw)
			c.read(r)
			var e *Error
			if err := r.Finish(); !errors.As(err, &e) || !errors.Is(err, c.class) || e.Number != c.number {
				t.Errorf("%s: %v, want %v with %d", name, err, c.class, c.number)
			}
		})
	}
}

// A length outside u32 is a bug of the caller.
//
// Spec: commonware §1.1.
func TestAppendLenPanics(t *testing.T) {
	for n, want := range map[int]bool{-1: true, 0: false, 1<<32 - 1: false, 1 << 32: true} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			func() {
				defer func() {
					if got := recover() != nil; got != want {
						t.Errorf("length %d: panics %v", n, got)
					}
				}()
				AppendLen(nil, n)
			}()
		})
	}
}

// Spec: commonware §1.1 (Option).
func TestAppendOptionUint(t *testing.T) {
	five := uint64(5)
	if got := AppendOptionUint(AppendOptionUint(nil, nil), &five); string(got) != "\x00\x01\x05" {
		t.Errorf("%x", got)
	}
}
