package cbfs

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// BlobRefSize is the length of a reference to a blob.
const BlobRefSize = 64

// InlineBytes is how large a blob in state may be.
//
// Spec: WP §7.1; WP §7.3.
const InlineBytes = 64 << 10

// HashAlg is the function a blob's digest is of.
type HashAlg uint8

// The functions, by the numbers of the multicodec table.
const (
	SHA256 HashAlg = 0x12
	Keccak HashAlg = 0x1b
	Blake3 HashAlg = 0x1e
)

// Known reports whether this is one of the functions.
func (a HashAlg) Known() bool { return a == SHA256 || a == Keccak || a == Blake3 }

func (a HashAlg) sum(data []byte) digest.Hash {
	switch a {
	case Keccak:
		return digest.Keccak256(data)
	case Blake3:
		return digest.Blake3(data)
	}
	return digest.SHA256(data)
}

// ErrBlob reports bytes that are no reference, or that are not what one refers to.
var ErrBlob = errors.New("cbfs: no reference to a blob, or not the blob it refers to")

// BlobRef is what the chain keeps of a blob: its digest, which function that is of, how it is encoded, how long it is and in which pieces.
//
// Spec: storage-cbfs §7; WP §7.2; WP §17.6.
type BlobRef struct {
	Digest    digest.Hash
	Alg       HashAlg
	Codec     uint8 // of the bytes; 0 is raw
	Size      uint64
	ChunkSize uint32 // 0: it is whole
}

// Encode is digest(32) ‖ hash_alg ‖ codec ‖ size as be8 ‖ chunk_size as be4 ‖ 18 zero bytes.
//
// Spec: storage-cbfs §7.
func (b *BlobRef) Encode() []byte {
	out := append(append([]byte{}, b.Digest[:]...), byte(b.Alg), b.Codec)
	out = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(out, b.Size), b.ChunkSize)
	return append(out, make([]byte, BlobRefSize-len(out))...)
}

// DecodeBlobRef reads what Encode wrote. Reject: ErrBlob.
func DecodeBlobRef(data []byte) (*BlobRef, error) {
	if len(data) != BlobRefSize || [18]byte(data[46:]) != [18]byte{} {
		return nil, ErrBlob
	}
	b := &BlobRef{
		Digest: digest.Hash(data[:32]), Alg: HashAlg(data[32]), Codec: data[33], Size: binary.BigEndian.Uint64(data[34:]),
		ChunkSize: binary.BigEndian.Uint32(data[42:]),
	}
	if !b.Alg.Known() {
		return nil, ErrBlob
	}
	return b, nil
}

// RefOf is the reference to bytes that are raw and whole. alg is a known one.
//
// Spec: WP §7.2.
func RefOf(alg HashAlg, data []byte) *BlobRef {
	return &BlobRef{Digest: alg.sum(data), Alg: alg, Size: uint64(len(data))}
}

// Multihash is what the reference names the bytes by: the function's number, the length of the digest, and the digest.
//
// Spec: WP §7.2 (what stands on chain MUST be a multihash).
func (b *BlobRef) Multihash() []byte {
	return append([]byte{byte(b.Alg), digest.Size}, b.Digest[:]...)
}

// Check holds bytes to the reference. Reject: ErrBlob.
//
// Spec: WP §7.2 (content-addressed).
func (b *BlobRef) Check(data []byte) error {
	if !b.Alg.Known() || uint64(len(data)) != b.Size || b.Alg.sum(data) != b.Digest {
		return ErrBlob
	}
	return nil
}
