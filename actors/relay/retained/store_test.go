package retained

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
)

var contract = digest.Hash{7}

// blobOf is bytes of a size with what a contract says of them.
func blobOf(alg cbfs.HashAlg, size int) ([]byte, *retention.Blob) {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i ^ i>>8 ^ i>>16)
	}
	ref := cbfs.RefOf(alg, data)
	ref.ChunkSize = 1_024
	return data, &retention.Blob{Ref: *ref, Root: cbfs.PieceRoot(data, 1_024)}
}

// Every piece of blobs of many sizes is the one that the chain's own rule makes of the whole blob, which holds it to the root.
//
// Spec: storage-cbfs §7 (sampling, proof); WP §7.2.
func TestPieces(t *testing.T) {
	for _, alg := range []cbfs.HashAlg{cbfs.SHA256, cbfs.Keccak, cbfs.Blake3} {
		for _, size := range []int{1, 1_023, 1_024, 1_025, 2_048, 3_000, 5_127, 8_192, 33 * 1_024, 100_001} {
			t.Run(fmt.Sprintf("%#x/%d", byte(alg), size), func(t *testing.T) {
				s := &Store{Dir: t.TempDir()}
				data, b := blobOf(alg, size)
				if err := s.Keep(contract, 3, b, bytes.NewReader(data)); err != nil {
					t.Fatal(err)
				}
				kept, err := s.Blob(contract, 3)
				if err != nil || *kept != *b {
					t.Fatalf("%+v %v", kept, err)
				}
				for at := range b.Ref.Pieces() {
					got, err := s.Piece(contract, 3, kept, at)
					want := cbfs.ProvePiece(data, 1_024, at)
					if err != nil || !bytes.Equal(cbfs.AppendPieces(nil, []cbfs.Piece{got}), cbfs.AppendPieces(nil, []cbfs.Piece{want})) {
						t.Fatalf("piece %d: %v", at, err)
					}
				}
				if _, err := s.Piece(contract, 3, kept, b.Ref.Pieces()); !errors.Is(err, ErrMissing) {
					t.Errorf("beyond the last piece: %v", err)
				}
			})
		}
	}
}

// What is not the contract's blob is refused, and nothing of it stays.
//
// Spec: storage-cbfs §7 (blob_refs); WP §7.2 (content-addressed).
func TestOtherBytes(t *testing.T) {
	data, b := blobOf(cbfs.SHA256, 5_000)
	flipped := bytes.Clone(data)
	flipped[4_999] ^= 1
	root := *b
	root.Root[0] ^= 1
	whole := *b
	whole.Ref.ChunkSize = 0
	unknown := *b
	unknown.Ref.Alg = 0
	for name, c := range map[string]struct {
		blob *retention.Blob
		data []byte
	}{
		"a byte less": {b, data[:4_999]}, "a byte more": {b, append(bytes.Clone(data), 0)}, "another byte": {b, flipped}, "another root": {&root, data},
		"without pieces": {&whole, data}, "another function": {&unknown, data},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Store{Dir: t.TempDir()}
			if err := s.Keep(contract, 0, c.blob, bytes.NewReader(c.data)); !errors.Is(err, cbfs.ErrBlob) {
				t.Fatal(err)
			}
			if _, err := s.Blob(contract, 0); !errors.Is(err, ErrMissing) {
				t.Error("it is kept")
			}
			left, err := filepath.Glob(filepath.Join(s.Dir, ".coming-*"))
			if err != nil || len(left) > 0 {
				t.Errorf("%q is left, %v", left, err)
			}
		})
	}
}

// A byte of the blob, or of the tree, that is not what it was makes the pieces that need it no pieces, and no others.
//
// Spec: storage-cbfs §7 (every sample must pass).
func TestDamage(t *testing.T) {
	for kind, c := range map[string]struct{ at, bad, good int64 }{".blob": {2_050, 2, 3}, ".tree": {5, 1, 2}} {
		t.Run(kind, func(t *testing.T) {
			s := &Store{Dir: t.TempDir()}
			data, b := blobOf(cbfs.Blake3, 4_096)
			if err := s.Keep(contract, 0, b, bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(s.file(contract, 0, kind), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			one := make([]byte, 1)
			if _, err := f.ReadAt(one, c.at); err != nil {
				t.Fatal(err)
			}
			one[0] ^= 0x80
			if _, err := f.WriteAt(one, c.at); err != nil || f.Close() != nil {
				t.Fatal(err)
			}
			if _, err := s.Piece(contract, 0, b, uint64(c.bad)); !errors.Is(err, ErrMissing) {
				t.Errorf("a damaged piece: %v", err)
			}
			if _, err := s.Piece(contract, 0, b, uint64(c.good)); err != nil {
				t.Errorf("a whole piece: %v", err)
			}
			if err := s.Keep(contract, 0, b, bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Piece(contract, 0, b, uint64(c.bad)); err != nil {
				t.Errorf("put there again: %v", err)
			}
			if list, err := s.Contracts(); err != nil || len(list) != 1 || list[0] != contract {
				t.Errorf("%v %v", list, err)
			}
			if err := s.Drop(contract); err != nil {
				t.Fatal(err)
			}
			if list, err := s.Contracts(); err != nil || len(list) != 0 {
				t.Errorf("%v %v", list, err)
			}
		})
	}
}

// A blob is read from providers of whom one is away, one lies and one has half of it; with none that has the rest nothing more is written.
//
// Spec: storage-cbfs §7; WP §7.2.
func TestFetch(t *testing.T) {
	data, b := blobOf(cbfs.SHA256, 40_000)
	serve := func(below uint64, lies bool) Ask {
		return func(_ context.Context, q *protocol.Request) (*protocol.Answer, error) {
			if q.Op != protocol.GetPieces || q.Root != contract || q.Slot != 2 || q.Number >= below {
				return &protocol.Answer{Status: protocol.ErrNotFound}, nil
			}
			var list []cbfs.Piece
			for at := q.Number; at < min(q.Number+q.Length, b.Ref.Pieces()); at++ {
				p := cbfs.ProvePiece(data, 1_024, at)
				if lies {
					p.Bytes = append([]byte{p.Bytes[0] ^ 1}, p.Bytes[1:]...)
				}
				list = append(list, p)
			}
			return &protocol.Answer{Data: cbfs.AppendPieces(nil, list)}, nil
		}
	}
	away := func(context.Context, *protocol.Request) (*protocol.Answer, error) { return nil, errors.New("away") }
	var got bytes.Buffer
	if err := Fetch(t.Context(), []Ask{away, serve(100, true), serve(20, false), serve(100, false)}, contract, 2, b, &got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), data) {
		t.Error("other bytes")
	}
	for name, list := range map[string][]Ask{"half": {away, serve(16, false)}, "a liar": {serve(100, true)}, "nobody": nil} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := Fetch(t.Context(), list, contract, 2, b, &got); err == nil || !bytes.HasPrefix(data, got.Bytes()) || got.Len() > 16*1_024 {
				t.Errorf("%d bytes, %v", got.Len(), err)
			}
		})
	}
}
