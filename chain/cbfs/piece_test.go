package cbfs

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// sampled is a reference to bytes in pieces of a KiB, and the root over them.
func sampled(data []byte) (*BlobRef, digest.Hash) {
	ref := RefOf(SHA256, data)
	ref.ChunkSize = 1_024
	return ref, PieceRoot(data, 1_024)
}

// The root over three pieces by hand, and every piece of blobs of several sizes against it: each leads to the root at its own place and at no other, and no
// byte of it may be another.
//
// Spec: storage-cbfs §7 (chunking, sampling).
func TestPieces(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 250)
	a, b, c := digest.Blake3(data[:1_024]), digest.Blake3(data[1_024:2_048]), digest.Blake3(data[2_048:])
	ab, cz := digest.Blake3(a[:], b[:]), digest.Blake3(c[:], make([]byte, 32))
	if got := PieceRoot(data, 1_024); got != digest.Blake3(ab[:], cz[:]) {
		t.Errorf("%x", got)
	}
	for _, size := range []int{1, 1_023, 1_024, 1_025, 2_048, 5_000, 70_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			data := bytes.Repeat([]byte("abcdefg"), size/7+1)[:size]
			ref, root := sampled(data)
			for n := range ref.Pieces() {
				p := ProvePiece(data, 1_024, n)
				if err := p.Verify(ref, root, n); err != nil {
					t.Errorf("piece %d: %v", n, err)
				}
				for _, wrong := range []uint64{n + 1, n ^ 1, ref.Pieces(), 1<<64 - 1} {
					if wrong != n && !errors.Is(p.Verify(ref, root, wrong), ErrPiece) {
						t.Errorf("piece %d passes for %d", n, wrong)
					}
				}
				if err := p.Verify(ref, digest.Hash{}, n); !errors.Is(err, ErrPiece) {
					t.Errorf("another root: %v", err)
				}
				rotten := Piece{slices.Clone(p.Bytes), p.Path}
				rotten.Bytes[len(rotten.Bytes)-1]++
				longer := Piece{append(slices.Clone(p.Bytes), 0), p.Path}
				deeper := Piece{p.Bytes, append(slices.Clone(p.Path), digest.Hash{})}
				if !errors.Is(rotten.Verify(ref, root, n), ErrPiece) || !errors.Is(longer.Verify(ref, root, n), ErrPiece) ||
					!errors.Is(deeper.Verify(ref, root, n), ErrPiece) {
					t.Errorf("a piece %d that is rotten, longer or deeper passes", n)
				}
			}
		})
	}
	whole := RefOf(SHA256, data)
	if p := ProvePiece(data, 1_024, 0); whole.Pieces() != 0 || !errors.Is(p.Verify(whole, PieceRoot(data, 1_024), 0), ErrPiece) {
		t.Error("a blob without pieces has one")
	}
}

// Spec: WP §2.5; storage-cbfs §7 (proof).
func TestPiecesAreReadAsTheyWereWritten(t *testing.T) {
	data := bytes.Repeat([]byte("abcdefgh"), 1_024)
	list := []Piece{ProvePiece(data, 1_024, 7), ProvePiece(data[:9], 1_024, 0)}
	raw := AppendPieces(nil, list)
	back, err := DecodePieces(raw)
	if err != nil || !reflect.DeepEqual(back, list) {
		t.Errorf("%v %v", back, err)
	}
	for cut := range raw {
		if _, err := DecodePieces(raw[:cut]); !errors.Is(err, ErrProofForm) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	for name, bad := range map[string][]byte{
		"a byte over": append(slices.Clone(raw), 0), "9 pieces": AppendPieces(nil, make([]Piece, 9)),
		"8,193 bytes": AppendPieces(nil, []Piece{{make([]byte, 8_193), nil}}),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := DecodePieces(bad); !errors.Is(err, ErrProofForm) {
				t.Error(err)
			}
		})
	}
	if _, err := DecodePieces(AppendPieces(nil, make([]Piece, 8))); err != nil {
		t.Error("8 pieces: ", err)
	}
}
