package volume

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// opener opens what AES-256-GCM sealed, stripe by stripe as they come, in constant memory: text is decrypted where it stands, in counter mode, and the tag is
// computed from the shares of its parts. The seal over associated data alone is a hash over them, and that hash is a polynomial, so the hash of a whole follows
// from those of its parts; package cipher computes each of them.
//
// Source: NIST SP 800-38D §6.4 (GHASH), §7.2.
type opener struct {
	block      cipher.Block
	box        cipher.AEAD
	nonce      []byte
	associated []byte
	text       uint64 // bytes of text, behind which the tag stands

	h, mask element // the key of the hash, and what package cipher adds to each one that it computes
	tail    []byte  // what has come of the tag
	sum     element // of what has come
	blocks  int     // h to this power is
	power   element
}

// share is what a part gives to the tag.
type share struct {
	hash   element
	blocks int
}

// opened is a stripe's text, and what it gives to the tag.
type opened struct {
	parts  [][]byte
	shares []share
	tail   []byte
}

func newOpener(key *[KeySize]byte, volume digest.Hash, path string, w write, sealed uint64) (*opener, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	o := &opener{block: block, box: box, nonce: w.nonce[:], associated: associated(volume, path, w.id), text: sealed - overhead}
	o.h, o.mask = o.encrypted(make([]byte, aes.BlockSize)), o.encrypted(counter(make([]byte, len(o.nonce)), 0))
	o.add(o.share(o.associated))
	return o, nil
}

// counter is the block that is encrypted for the text at an offset; that of the tag is the one before it.
func counter(nonce []byte, block uint64) []byte {
	return binary.BigEndian.AppendUint32(slices.Clone(nonce), uint32(1+block))
}

func (o *opener) encrypted(block []byte) element {
	out := make([]byte, aes.BlockSize)
	o.block.Encrypt(out, block)
	return elementOf(out)
}

// share gives that of a part: the hash of the part, and of nothing more, times h.
func (o *opener) share(part []byte) share {
	tag := elementOf(o.box.Seal(nil, make([]byte, len(o.nonce)), nil, part))
	length := element{8 * uint64(len(part)), 0}
	return share{tag.plus(o.mask).plus(length.times(o.h)), (len(part) + aes.BlockSize - 1) / aes.BlockSize}
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
			cipher.NewCTR(o.block, counter(o.nonce, 1+offset/aes.BlockSize)).XORKeyStream(text, text)
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

func (o *opener) add(one share) {
	if o.blocks != one.blocks {
		o.blocks, o.power = one.blocks, o.h.to(one.blocks)
	}
	o.sum = o.sum.times(o.power).plus(one.hash)
}

// end says whether all of it was what was sealed, by the tag. Error: ErrKey.
func (o *opener) end(path string) error {
	lengths := element{8 * uint64(len(o.associated)), 8 * o.text}
	tag := o.sum.plus(lengths.times(o.h)).plus(o.encrypted(counter(o.nonce, 0)))
	if subtle.ConstantTimeCompare(tag.bytes(), o.tail) != 1 {
		return fmt.Errorf("%q: %w", path, ErrKey)
	}
	return nil
}

// element is one of GF(2¹²⁸) as GCM writes them: its first bit is the highest of the first word, and the coefficient of 1.
type element struct{ first, second uint64 }

func elementOf(block []byte) element {
	return element{binary.BigEndian.Uint64(block), binary.BigEndian.Uint64(block[8:])}
}

func (e element) bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, e.first), e.second)
}

func (e element) plus(by element) element { return element{e.first ^ by.first, e.second ^ by.second} }

// times multiplies in as much time whatever the elements are.
//
// Source: NIST SP 800-38D §6.3.
func (e element) times(by element) element {
	var out element
	for i := range 128 {
		word := e.first
		if i >= 64 {
			word = e.second
		}
		bit := -(word >> (63 - i%64) & 1)
		out = out.plus(element{by.first & bit, by.second & bit})
		carry := -(by.second & 1)
		by = element{by.first>>1 ^ carry&(0xe1<<56), by.second>>1 | by.first<<63}
	}
	return out
}

// to is a power.
func (e element) to(n int) element {
	out := element{first: 1 << 63}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = out.times(e)
		}
		e = e.times(e)
	}
	return out
}
