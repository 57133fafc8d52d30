package shards

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Errors of what is unpacked.
var (
	ErrRoot = errors.New("the manifest is not the one of this root")
	ErrFile = errors.New("a file is not the one of the manifest")
)

// unpacker reads stripes out of slots.
type unpacker struct {
	*stripe.Code
	slots []string // the folder of each slot; "" where there is none
}

// Unpack makes a folder of the slots below a packed folder that there are, at least k of them. The folder is made, and it is what the root says or an error
// tells: it may be there in part then.
//
// Spec: storage-cbfs §2.4 (read rule), §5 (any k).
func Unpack(packed, out string, root digest.Hash, k, m int) error {
	c, err := stripe.New(k, m)
	if err != nil {
		return err
	}
	u := &unpacker{Code: c, slots: make([]string, k+m)}
	for i := range u.slots {
		if info, err := os.Stat(slotFolder(packed, i)); err == nil && info.IsDir() {
			u.slots[i] = slotFolder(packed, i)
		}
	}
	records, err := u.manifest(root)
	if err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		return err
	}
	into, err := os.OpenRoot(out)
	if err != nil {
		return err
	}
	defer into.Close()
	for i := range records {
		if err := u.entry(into, &records[i]); err != nil {
			return fmt.Errorf("%q: %w", records[i].Path, err)
		}
	}
	for i := range records { // last, so that nothing is written through a link
		if records[i].Kind == cbfs.Symlink {
			if err := into.Symlink(records[i].Target, filepath.FromSlash(records[i].Path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// first reads the stripe of the first page out of the slots but one. Chunks of another size than the first have no part in it.
func (u *unpacker) first(but int) ([]byte, error) {
	chunks, size := make([][]byte, len(u.slots)), 0
	for i, slot := range u.slots {
		if slot == "" || i == but {
			continue
		}
		data := readChunk(slot, 0)
		if size == 0 {
			size = len(data)
		}
		if len(data) == size {
			chunks[i] = data
		}
	}
	return u.Join(chunks)
}

// read reads a stripe out of the slots whose chunks are those of its roots.
func (u *unpacker) read(s *protocol.Numbered) ([]byte, error) {
	chunks := make([][]byte, len(u.slots))
	for i, slot := range u.slots {
		if slot == "" {
			continue
		}
		if data := readChunk(slot, s.Number); uint32(len(data)) == s.Size && cbfs.ChunkRoot(data) == s.Roots[i] {
			chunks[i] = data
		}
	}
	data, err := u.Join(chunks)
	if err != nil {
		err = fmt.Errorf("chunk %d: %w", s.Number, err)
	}
	return data, err
}

// manifest reads the pages, and holds them to the root. Which slot has a rotten first page it finds by leaving out one after the other.
func (u *unpacker) manifest(root digest.Hash) (records []page.Record, err error) {
	for but := -1; but < len(u.slots); but++ {
		one, failed := u.manifestOf(root, but)
		if failed == nil {
			return one, nil
		}
		if but < 0 {
			err = failed
		}
	}
	return nil, err
}

func (u *unpacker) manifestOf(root digest.Hash, but int) ([]page.Record, error) {
	data, err := u.first(but)
	if err != nil {
		return nil, err
	}
	if len(data) < lengthSize || binary.LittleEndian.Uint64(data) > uint64(len(data)-lengthSize) {
		return nil, ErrRoot
	}
	shape := page.Shape{K: uint8(u.K), M: uint8(u.M)}
	first, err := page.DecodeFirst(data[lengthSize:lengthSize+binary.LittleEndian.Uint64(data)], shape)
	if err != nil {
		return nil, errors.Join(ErrRoot, err)
	}
	records := first.Records
	for place := range first.Pages {
		r := &first.Pages[place]
		data, err := u.read(&r.Page)
		if err != nil {
			return nil, err
		}
		if uint64(len(data)) < r.Length || digest.Blake3(data[:r.Length]) != r.Hash {
			return nil, errors.Join(ErrRoot, page.ErrHash)
		}
		list, err := page.DecodeLeaf(data[:r.Length], shape, first, place)
		if err != nil {
			return nil, errors.Join(ErrRoot, err)
		}
		records = append(records, list...)
	}
	leaves := make([]digest.Hash, len(records))
	for i := range records {
		leaves[i] = records[i].Leaf()
	}
	if cbfs.RootOfLeaves(leaves) != root {
		return nil, ErrRoot
	}
	return records, nil
}

func (u *unpacker) entry(into *os.Root, r *page.Record) error {
	switch r.Kind {
	case cbfs.Directory:
		return into.Mkdir(filepath.FromSlash(r.Path), 0o755)
	case cbfs.File:
		f, err := into.Create(filepath.FromSlash(r.Path))
		if err != nil {
			return err
		}
		return errors.Join(u.file(f, r), f.Close())
	}
	return nil
}

// file writes a file out of its stripes.
func (u *unpacker) file(f *os.File, r *page.Record) error {
	hash, left := digest.NewBlake3(), r.Object.CiphertextSize
	for i := range r.Stripes {
		data, err := u.read(&r.Stripes[i])
		if err != nil {
			return err
		}
		data = data[:min(left, uint64(len(data)))]
		left -= uint64(len(data))
		if _, err := f.Write(data); err != nil {
			return err
		}
		_, _ = hash.Write(data) // a hash takes everything
	}
	if left > 0 || !bytes.Equal(hash.Sum(nil), r.Object.ContentHash[:]) {
		return ErrFile
	}
	return nil
}

// Leaves reads what the tree of shards is made of.
func Leaves(packed string) ([]cbfs.Chunk, error) {
	f, err := os.Open(filepath.Join(packed, treeFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []cbfs.Chunk
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var slot uint8
		var number uint64
		var text string
		var one cbfs.Chunk
		if _, err := fmt.Sscanf(lines.Text(), "%d %d %s %d", &slot, &number, &text, &one.Size); err != nil {
			return nil, fmt.Errorf("%s: %w", treeFile, err)
		}
		if one.Root, err = digest.ParseHash(text); err != nil {
			return nil, err
		}
		one.Key = cbfs.ShardKey(slot, number)
		list = append(list, one)
	}
	return list, lines.Err()
}

// Prove answers a challenge out of a packed folder. Of the shards it reads one chunk.
//
// Spec: storage-cbfs §6.
func Prove(packed string, a cbfs.Ask) (*cbfs.Proof, error) {
	leaves, err := Leaves(packed)
	if err != nil {
		return nil, err
	}
	data := readChunk(slotFolder(packed, int(a.Slot)), a.Ordinal)
	if data == nil {
		return nil, fmt.Errorf("slot %d has no chunk %d", a.Slot, a.Ordinal)
	}
	p, err := cbfs.Prove(leaves, data, a)
	if err == nil {
		err = p.Verify(a)
	}
	if err != nil {
		return nil, fmt.Errorf("what lies here is not what was committed: %w", err)
	}
	return p, nil
}
