package cbfs

import (
	"errors"
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of the pieces of a blob.
const (
	MinPieceBytes = 1_024
	MaxPieceBytes = 8_192
	MaxBlobBytes  = 1 << 40
	MaxPieces     = 8 // of one answer
)

// ErrPiece reports a piece that does not lead to the root.
var ErrPiece = errors.New("cbfs: the piece is not the blob's")

// Pieces is how many pieces the blob has; one that is whole has none.
func (b *BlobRef) Pieces() uint64 {
	if b.ChunkSize == 0 {
		return 0
	}
	return (b.Size + uint64(b.ChunkSize) - 1) / uint64(b.ChunkSize)
}

// PieceRoot is the root over a blob's pieces of a size: a leaf is BLAKE3 of a piece, the last one shorter, and leaves are padded and joined as those of a
// manifest are. That of no bytes is the zero hash.
//
// Spec: storage-cbfs §2.4, §7 (chunking).
func PieceRoot(data []byte, size uint32) digest.Hash { return padded(pieceLeaves(data, size)) }

func pieceLeaves(data []byte, size uint32) (leaves []digest.Hash) {
	for at := 0; at < len(data); at += int(size) {
		leaves = append(leaves, digest.Blake3(data[at:min(at+int(size), len(data))]))
	}
	return leaves
}

// Piece is a piece of a blob with the path from it up to the root.
//
// Spec: storage-cbfs §7 (sampling, proof).
type Piece struct {
	Bytes []byte
	Path  []digest.Hash
}

// ProvePiece makes the piece with a number out of the whole blob.
func ProvePiece(data []byte, size uint32, number uint64) Piece {
	leaves := pieceLeaves(data, size)
	from := int(number) * int(size)
	p := Piece{Bytes: data[from:min(from+int(size), len(data))]}
	level := make([]digest.Hash, 1<<bits.Len(uint(len(leaves)-1)))
	for copy(level, leaves); len(level) > 1; number /= 2 {
		p.Path = append(p.Path, level[number^1])
		for i := range len(level) / 2 {
			level[i] = join(level[2*i], level[2*i+1])
		}
		level = level[:len(level)/2]
	}
	return p
}

// Verify holds the piece to its place in a blob, which has such a piece. Reject: ErrPiece.
//
// Spec: storage-cbfs §7.
func (p *Piece) Verify(b *BlobRef, root digest.Hash, number uint64) error {
	count := b.Pieces()
	length := uint64(b.ChunkSize)
	if number == count-1 {
		length = b.Size - number*length
	}
	if number >= count || uint64(len(p.Bytes)) != length || len(p.Path) != bits.Len64(count-1) {
		return ErrPiece
	}
	h := digest.Blake3(p.Bytes)
	for level, sibling := range p.Path {
		if number>>level&1 == 1 {
			h = join(sibling, h)
		} else {
			h = join(h, sibling)
		}
	}
	if h != root {
		return ErrPiece
	}
	return nil
}

// AppendPieces appends an answer: a list of Bytes piece ‖ list of the path, from the piece up.
func AppendPieces(dst []byte, list []Piece) []byte {
	dst = codec.AppendLen(dst, len(list))
	for i := range list {
		dst = codec.AppendLen(codec.AppendBytes(dst, list[i].Bytes), len(list[i].Path))
		for _, h := range list[i].Path {
			dst = codec.AppendFixed(dst, h[:])
		}
	}
	return dst
}

// DecodePieces reads what AppendPieces wrote. Reject: ErrProofForm.
func DecodePieces(data []byte) ([]Piece, error) {
	r := codec.NewReader(data)
	list := make([]Piece, r.Len(0, MaxPieces, 2))
	for i := range list {
		list[i].Bytes = r.Bytes(MaxPieceBytes)
		if n := r.Len(0, 64, digest.Size); n > 0 {
			list[i].Path = make([]digest.Hash, n)
		}
		for j := range list[i].Path {
			r.Into(list[i].Path[j][:])
		}
	}
	if err := r.Finish(); err != nil {
		return nil, errors.Join(ErrProofForm, err)
	}
	return list, nil
}
