package volume

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// byParts is AES-256-GCM of a text whose parts are encrypted or decrypted in any order, where they stand: in counter mode, and the tag is computed from the
// shares of the parts. The seal over associated data alone is a hash over them, and that hash is a polynomial, so the hash of a whole follows from those of its
// parts; package cipher computes each of them.
//
// Source: NIST SP 800-38D §6.4 (GHASH), §7.
type byParts struct {
	block      cipher.Block
	box        cipher.AEAD
	nonce      []byte
	associated []byte
	text       uint64 // its bytes

	h, mask element // the key of the hash, and what package cipher adds to each one that it computes
	sum     element // of what was added
	blocks  int     // h to this power is
	power   element
}

// share is what a part gives to the tag.
type share struct {
	hash   element
	blocks int
}

func newByParts(key *[KeySize]byte, volume digest.Hash, path string, w write, text uint64) (*byParts, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	b := &byParts{block: block, box: box, nonce: w.nonce[:], associated: associated(volume, path, w.id), text: text}
	b.h, b.mask = b.encrypted(make([]byte, aes.BlockSize)), b.encrypted(counter(make([]byte, len(b.nonce)), 0))
	b.add(b.share(b.associated))
	return b, nil
}

// counter is the block that is encrypted for the text at an offset; that of the tag is the one before it.
func counter(nonce []byte, block uint64) []byte {
	return binary.BigEndian.AppendUint32(slices.Clone(nonce), uint32(1+block))
}

func (b *byParts) encrypted(block []byte) element {
	out := make([]byte, aes.BlockSize)
	b.block.Encrypt(out, block)
	return elementOf(out)
}

// share gives that of a part: the hash of the part, and of nothing more, times h. It is safe for many goroutines.
func (b *byParts) share(part []byte) share {
	tag := elementOf(b.box.Seal(nil, make([]byte, len(b.nonce)), nil, part))
	length := element{8 * uint64(len(part)), 0}
	return share{tag.plus(b.mask).plus(length.times(b.h)), (len(part) + aes.BlockSize - 1) / aes.BlockSize}
}

// crypt encrypts or decrypts a part at an offset of the text, a multiple of a block. It is safe for many goroutines.
func (b *byParts) crypt(offset uint64, part []byte) {
	cipher.NewCTR(b.block, counter(b.nonce, 1+offset/aes.BlockSize)).XORKeyStream(part, part)
}

// add counts the share of the next part. Each part but the last one is a multiple of a block.
func (b *byParts) add(one share) {
	if b.blocks != one.blocks {
		b.blocks, b.power = one.blocks, b.h.to(one.blocks)
	}
	b.sum = b.sum.times(b.power).plus(one.hash)
}

// tag is that of the whole, all shares of which were added.
func (b *byParts) tag() []byte {
	lengths := element{8 * uint64(len(b.associated)), 8 * b.text}
	return b.sum.plus(lengths.times(b.h)).plus(b.encrypted(counter(b.nonce, 0))).bytes()
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
