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
