package state

import (
	"errors"
	"strconv"
	"testing"
)

// A number that was never written is 0, and so is a count whose entry is gone; what is no number is an error.
//
// Spec: commonware §5.10.
func TestNumbers(t *testing.T) {
	s := New(Config{}, NewMemory(Config{})).Overlay()
	key := []byte("n")
	for _, set := range []func(n uint64){
		func(n uint64) { SetNumber(s, key, n) },
		func(n uint64) { SetCount(s, key, n) },
	} {
		for _, n := range []uint64{1, 0, 1<<64 - 1} {
			set(n)
			if got, err := Number(s, key); err != nil || got != n {
				t.Errorf("%d, %v, want %d", got, err, n)
			}
		}
	}
	SetCount(s, key, 0)
	if _, ok, err := s.Lookup(key); ok || err != nil {
		t.Errorf("a count of 0 has an entry: %v, %v", ok, err)
	}
	s.Set(key, []byte("\x01 and more"))
	if n, err := Number(s, key); err == nil {
		t.Errorf("octets behind a number are read as %d", n)
	}
}

// An entry that is not there is nil, or the error of whoever needs it; what does not decode is the decoder's error.
//
// Spec: commonware §5.10.
func TestFind(t *testing.T) {
	s := New(Config{}, NewMemory(Config{})).Overlay()
	missing := errors.New("missing")
	decode := func(data []byte) (*int, error) {
		n, err := strconv.Atoi(string(data))
		return &n, err
	}
	if n, err := Find(s, []byte("a"), decode); n != nil || err != nil {
		t.Errorf("nothing is found as %v, %v", n, err)
	}
	if _, err := Require(s, []byte("a"), decode, missing); !errors.Is(err, missing) {
		t.Errorf("nothing is required with %v", err)
	}
	s.Set([]byte("a"), []byte("12"))
	s.Set([]byte("b"), []byte("x"))
	if n, err := Find(s, []byte("a"), decode); err != nil || *n != 12 {
		t.Errorf("12 is found as %v, %v", n, err)
	}
	if _, err := Require(s, []byte("b"), decode, missing); !errors.Is(err, strconv.ErrSyntax) {
		t.Errorf("what does not decode is required with %v", err)
	}
}
