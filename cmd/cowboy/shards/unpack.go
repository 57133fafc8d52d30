package shards

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
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
	next  uint64
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
	entries, err := u.manifest(root)
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
	for i := range entries {
		if err := u.entry(into, &entries[i]); err != nil {
			return fmt.Errorf("%q: %w", entries[i].Path, err)
		}
	}
	for i := range entries { // last, so that nothing is written through a link
		if entries[i].Kind == cbfs.Symlink {
			if err := into.Symlink(entries[i].Target, filepath.FromSlash(entries[i].Path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// read reads a stripe out of the slots that are not left out. Chunks of another size than the first have no part in it.
func (u *unpacker) read(number uint64, leave func(slot int) bool) ([]byte, error) {
	chunks, size := make([][]byte, len(u.slots)), 0
	for i, slot := range u.slots {
		if slot == "" || leave(i) {
			continue
		}
		data := readChunk(slot, number)
		if size == 0 {
			size = len(data)
		}
		if len(data) == size {
			chunks[i] = data
		}
	}
	data, err := u.Join(chunks)
	if err != nil {
		err = fmt.Errorf("chunk %d: %w", number, err)
	}
	return data, err
}

// manifest reads the first stripes, and holds them to the root. Which slot is rotten it finds by leaving out one after the other.
func (u *unpacker) manifest(root digest.Hash) (entries []cbfs.Entry, err error) {
	for without := -1; without < len(u.slots); without++ {
		one, next, failed := u.manifestOf(root, func(slot int) bool { return slot == without })
		if failed == nil {
			u.next = next
			return one, nil
		}
		if without < 0 {
			err = failed
		}
	}
	return nil, err
}

func (u *unpacker) manifestOf(root digest.Hash, leave func(slot int) bool) (entries []cbfs.Entry, next uint64, err error) {
	var data []byte
	for need := uint64(8); uint64(len(data)) < need; next++ {
		one, err := u.read(next, leave)
		if err != nil {
			return nil, 0, err
		}
		if data = append(data, one...); len(data) < 8 {
			return nil, 0, ErrRoot
		}
		length := binary.LittleEndian.Uint64(data)
		if length > cbfs.MaxManifestBytes {
			return nil, 0, ErrRoot
		}
		need = 8 + length
	}
	if entries, err = cbfs.DecodeManifest(data[8 : 8+binary.LittleEndian.Uint64(data)]); err != nil {
		return nil, 0, errors.Join(ErrRoot, err)
	}
	if got, err := cbfs.ManifestRoot(entries); err != nil || got != root {
		return nil, 0, ErrRoot
	}
	return entries, next, nil
}

func (u *unpacker) entry(into *os.Root, e *cbfs.Entry) error {
	switch e.Kind {
	case cbfs.Directory:
		return into.Mkdir(filepath.FromSlash(e.Path), 0o755)
	case cbfs.File:
		f, err := into.Create(filepath.FromSlash(e.Path))
		if err != nil {
			return err
		}
		return errors.Join(u.file(f, e.Object), f.Close())
	}
	return nil
}

// file writes a file out of the slots whose chunks are those of the manifest.
func (u *unpacker) file(f *os.File, o *cbfs.Object) error {
	if int(o.K) != u.K || int(o.M) != u.M || len(o.ShardHashes) != u.K+u.M || o.Size > maxObject {
		return ErrFile
	}
	length := uint64(u.Bytes())
	count := (o.Size + length - 1) / length
	rotten := make([]bool, len(u.slots))
	for i, slot := range u.slots {
		hash := digest.NewBlake3()
		for n := range count {
			_, _ = hash.Write(readChunk(slot, u.next+n)) // a hash takes everything
		}
		rotten[i] = !bytes.Equal(hash.Sum(nil), o.ShardHashes[i][:])
	}
	hash, left := digest.NewBlake3(), o.Size
	for range count {
		data, err := u.read(u.next, func(slot int) bool { return rotten[slot] })
		if err != nil {
			return err
		}
		u.next++
		want := min(left, length)
		if uint64(len(data)) < want {
			return ErrFile
		}
		if _, err := f.Write(data[:want]); err != nil {
			return err
		}
		_, _ = hash.Write(data[:want])
		left -= want
	}
	if !bytes.Equal(hash.Sum(nil), o.ContentHash[:]) {
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
