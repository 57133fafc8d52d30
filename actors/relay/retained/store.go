package retained

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"

	"github.com/zeebo/blake3"
	"golang.org/x/crypto/sha3"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/retention"
)

// ErrMissing reports a piece that is not here, or that is not what was kept any more.
var ErrMissing = errors.New("retained: the piece is not here, or is damaged")

// Store is a directory of retained blobs. Its zero value but for Dir is ready.
type Store struct{ Dir string }

func (s *Store) folder(contract digest.Hash) string { return filepath.Join(s.Dir, contract.Hex()) }

func (s *Store) file(contract digest.Hash, number int, kind string) string {
	return filepath.Join(s.folder(contract), strconv.Itoa(number)+kind)
}

// Contracts lists the contracts of which blobs are here, ascending.
func (s *Store) Contracts() (list []digest.Hash, err error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		raw, bad := hex.DecodeString(e.Name())
		if bad == nil && len(raw) == digest.Size && e.IsDir() {
			list = append(list, digest.Hash(raw))
		}
	}
	return list, err
}

// Drop takes away what is kept for a contract.
func (s *Store) Drop(contract digest.Hash) error { return os.RemoveAll(s.folder(contract)) }

// Blob tells of the blob that is kept under a number. Error: ErrMissing.
func (s *Store) Blob(contract digest.Hash, number int) (*retention.Blob, error) {
	raw, err := os.ReadFile(s.file(contract, number, ".ref"))
	if err != nil || len(raw) != retention.BlobBytes {
		return nil, ErrMissing
	}
	ref, err := cbfs.DecodeBlobRef(raw[:cbfs.BlobRefSize])
	if err != nil || ref.ChunkSize == 0 {
		return nil, ErrMissing
	}
	return &retention.Blob{Ref: *ref, Root: digest.Hash(raw[cbfs.BlobRefSize:])}, nil
}

// Keep reads a blob and keeps it for a contract, which has it under a number. Errors: cbfs.ErrBlob for bytes that are not what the contract refers to.
//
// Spec: storage-cbfs §7 (blob_refs); WP §7.2 (content-addressed).
func (s *Store) Keep(contract digest.Hash, number int, b *retention.Blob, from io.Reader) (err error) {
	if b.Ref.ChunkSize == 0 || b.Ref.Pieces() == 0 {
		return cbfs.ErrBlob
	}
	if err := os.MkdirAll(s.folder(contract), 0o700); err != nil {
		return err
	}
	blob, err := os.CreateTemp(s.Dir, ".coming-*")
	if err != nil {
		return err
	}
	defer discard(blob, &err)
	tree, err := os.CreateTemp(s.Dir, ".coming-*")
	if err != nil {
		return err
	}
	defer discard(tree, &err)
	if err := take(&b.Ref, from, blob, tree); err != nil {
		return err
	}
	root, err := grow(tree, b.Ref.Pieces())
	if err != nil {
		return err
	}
	if root != b.Root {
		return fmt.Errorf("%w: its pieces have another root", cbfs.ErrBlob)
	}
	ref, err := os.CreateTemp(s.Dir, ".coming-*")
	if err != nil {
		return err
	}
	defer discard(ref, &err)
	if _, err := ref.Write(append(b.Ref.Encode(), b.Root[:]...)); err != nil {
		return err
	}
	for _, one := range [...]struct {
		file *os.File
		kind string
	}{{tree, ".tree"}, {blob, ".blob"}, {ref, ".ref"}} { // the last says that the others are there
		if err := errors.Join(one.file.Sync(), one.file.Close()); err != nil {
			return err
		}
		if err := os.Rename(one.file.Name(), s.file(contract, number, one.kind)); err != nil {
			return err
		}
	}
	return errors.Join(synced(s.folder(contract)), synced(s.Dir))
}

// discard takes a file away that did not come to be one of the store's.
func discard(f *os.File, err *error) {
	if *err != nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
}

func synced(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// hasher is the function that a reference's digest is of.
func hasher(a cbfs.HashAlg) hash.Hash {
	switch a {
	case cbfs.Keccak:
		return sha3.NewLegacyKeccak256()
	case cbfs.Blake3:
		return blake3.New()
	}
	return sha256.New()
}

// take copies a blob and writes the hash of each of its pieces.
func take(ref *cbfs.BlobRef, from io.Reader, blob, leaves io.Writer) error {
	if !ref.Alg.Known() {
		return cbfs.ErrBlob
	}
	whole, out := hasher(ref.Alg), bufio.NewWriter(leaves)
	piece := make([]byte, ref.ChunkSize)
	for left := ref.Size; left > 0; {
		part := piece[:min(left, uint64(len(piece)))]
		if _, err := io.ReadFull(from, part); err != nil {
			return fmt.Errorf("%w: it has less than %d bytes: %w", cbfs.ErrBlob, ref.Size, err)
		}
		leaf := digest.Blake3(part)
		if _, err := out.Write(leaf[:]); err != nil {
			return err
		}
		if _, err := blob.Write(part); err != nil {
			return err
		}
		whole.Write(part) // which never fails
		left -= uint64(len(part))
	}
	if n, _ := io.CopyN(io.Discard, from, 1); n > 0 {
		return fmt.Errorf("%w: it has more than %d bytes", cbfs.ErrBlob, ref.Size)
	}
	if digest.Hash(whole.Sum(nil)) != ref.Digest {
		return fmt.Errorf("%w: it has another digest", cbfs.ErrBlob)
	}
	return out.Flush()
}

// padding are the hashes of subtrees of which every leaf is padding, from a leaf up.
func padding(levels int) []digest.Hash {
	list := make([]digest.Hash, levels+1)
	for i := range levels {
		list[i+1] = digest.Blake3(list[i][:], list[i][:])
	}
	return list
}

// grow writes the levels over the leaves of a tree behind each other, and gives the root.
//
// Spec: storage-cbfs §2.4, §7.
func grow(tree *os.File, pieces uint64) (root digest.Hash, err error) {
	levels := bits.Len64(pieces - 1)
	pad := padding(levels)
	from, count := int64(0), pieces
	for level := range levels {
		in := bufio.NewReader(io.NewSectionReader(tree, from, int64(count)*digest.Size))
		from += int64(count) * digest.Size
		out := bufio.NewWriter(io.NewOffsetWriter(tree, from))
		next := (count + 1) / 2
		for i := range next {
			var left, right digest.Hash
			if _, err := io.ReadFull(in, left[:]); err != nil {
				return root, err
			}
			if right = pad[level]; 2*i+1 < count {
				if _, err := io.ReadFull(in, right[:]); err != nil {
					return root, err
				}
			}
			above := digest.Blake3(left[:], right[:])
			if _, err := out.Write(above[:]); err != nil {
				return root, err
			}
		}
		if err := out.Flush(); err != nil {
			return root, err
		}
		count = next
	}
	_, err = tree.ReadAt(root[:], from)
	return root, err
}

// Piece reads a piece with its path. One that does not lead to the root is none: who brings it would be struck for it. Error: ErrMissing.
//
// Spec: storage-cbfs §7 (sampling, proof).
func (s *Store) Piece(contract digest.Hash, number int, b *retention.Blob, at uint64) (p cbfs.Piece, err error) {
	p, err = s.read(contract, number, &b.Ref, at)
	if err == nil {
		err = p.Verify(&b.Ref, b.Root, at)
	}
	if err != nil {
		return cbfs.Piece{}, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	return p, nil
}

func (s *Store) read(contract digest.Hash, number int, ref *cbfs.BlobRef, at uint64) (p cbfs.Piece, err error) {
	pieces := ref.Pieces()
	if at >= pieces {
		return p, cbfs.ErrPiece
	}
	blob, err := os.Open(s.file(contract, number, ".blob"))
	if err != nil {
		return p, err
	}
	defer blob.Close()
	tree, err := os.Open(s.file(contract, number, ".tree"))
	if err != nil {
		return p, err
	}
	defer tree.Close()
	from := at * uint64(ref.ChunkSize)
	p.Bytes = make([]byte, min(uint64(ref.ChunkSize), ref.Size-from))
	if _, err := blob.ReadAt(p.Bytes, int64(from)); err != nil {
		return p, err
	}
	levels := bits.Len64(pieces - 1)
	pad, below, count := padding(levels), int64(0), pieces
	for level := range levels {
		sibling := pad[level]
		if beside := at ^ 1; beside < count {
			if _, err := tree.ReadAt(sibling[:], below+int64(beside)*digest.Size); err != nil {
				return p, err
			}
		}
		p.Path = append(p.Path, sibling)
		below += int64(count) * digest.Size
		count, at = (count+1)/2, at/2
	}
	return p, nil
}
