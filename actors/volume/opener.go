package volume

import (
	"crypto/aes"
	"crypto/subtle"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// opener opens what AES-256-GCM sealed, stripe by stripe as they come, in constant memory.
type opener struct {
	*byParts
	tail []byte // what has come of the tag
}

// opened is a stripe's text, and what it gives to the tag.
type opened struct {
	parts  [][]byte
	shares []share
	tail   []byte
}

func newOpener(key *[KeySize]byte, volume digest.Hash, path string, w write, sealed uint64) (*opener, error) {
	b, err := newByParts(key, volume, path, w, sealed-overhead)
	return &opener{byParts: b}, err
}

// open decrypts a stripe's bytes, the first of which is at an offset of the file's, a multiple of a block. It is safe for many goroutines.
func (o *opener) open(offset uint64, parts [][]byte) *opened {
	out := &opened{parts: parts}
	if len(parts) > 0 && len(parts[0])%aes.BlockSize != 0 { // of a file's last stripe, whose parts end anywhere
		out.parts = [][]byte{slices.Concat(parts...)}
	}
	for i, part := range out.parts {
		text := part[:min(uint64(len(part)), o.text-min(offset, o.text))]
		if len(text) > 0 {
			out.shares = append(out.shares, o.share(text))
			o.crypt(offset, text)
		}
		out.parts[i], out.tail = text, append(out.tail, part[len(text):]...)
		offset += uint64(len(part))
	}
	return out
}

// take counts what has been opened, in the order of the stripes.
func (o *opener) take(stripe *opened) {
	for _, one := range stripe.shares {
		o.add(one)
	}
	o.tail = append(o.tail, stripe.tail...)
}

// end says whether all of it was what was sealed, by the tag. Error: ErrKey.
func (o *opener) end(path string) error {
	if subtle.ConstantTimeCompare(o.tag(), o.tail) != 1 {
		return fmt.Errorf("%q: %w", path, ErrKey)
	}
	return nil
}
