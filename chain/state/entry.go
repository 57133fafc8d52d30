package state

import "github.com/cowboyinc/cowboy-go/chain/codec"

// Number reads an entry whose value is one UInt; 0 where there is none. Errors: of the source, and codec errors for any other value.
func Number(r Reader, key []byte) (uint64, error) {
	data, ok, err := r.Lookup(key)
	if err != nil || !ok {
		return 0, err
	}
	c := codec.NewReader(data)
	n := c.Uint()
	return n, c.Finish()
}

// SetNumber writes what Number reads.
func SetNumber(s Store, key []byte, n uint64) { s.Set(key, codec.AppendUint(nil, n)) }

// SetCount is SetNumber for a number that has no entry while it is 0.
func SetCount(s Store, key []byte, n uint64) {
	if n == 0 {
		s.Delete(key)
		return
	}
	SetNumber(s, key, n)
}

// Find reads an entry; nil where there is none.
func Find[T any](r Reader, key []byte, decode func([]byte) (*T, error)) (*T, error) {
	return Require(r, key, decode, nil)
}

// Require reads an entry that there has to be: missing is the error where there is none.
func Require[T any](r Reader, key []byte, decode func([]byte) (*T, error), missing error) (*T, error) {
	data, ok, err := r.Lookup(key)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, missing
	}
	return decode(data)
}
