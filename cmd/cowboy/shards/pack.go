package shards

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The bounds of what is packed.
//
// Spec: storage-cbfs §8.
const (
	maxObject = page.MaxFile
	maxVolume = 100 << 30
)

// lengthSize is how many bytes the length of the first page takes, which stands before it.
const lengthSize = 8

// Pack is what was packed: what a commit says of it. Roots are in hex.
type Pack struct {
	VolumeID string `json:"volume_id"`
	K        int    `json:"erasure_k"`
	M        int    `json:"erasure_m"`
	Manifest string `json:"manifest_root"`
	Shards   string `json:"shard_root"`
	Raw      uint64 `json:"raw_size"`
	Objects  uint64 `json:"objects"`
	Chunks   uint64 `json:"chunks"`
}

const (
	packFile = "pack.json"
	treeFile = "tree"
)

// packer makes a packed folder.
type packer struct {
	*stripe.Code
	out    string
	volume digest.Hash
	next   uint64 // number of the next chunk of each slot
	raw    uint64
	leaves []cbfs.Chunk
	tree   bytes.Buffer
}

// Make packs a folder as the content of a public volume, into a folder that there is not yet. Files, links and folders become entries; anything else is
// refused.
//
// Spec: storage-cbfs §2.3, §2.4, §3.1 (step one).
func Make(dir, out string, owner account.Address, name string, k, m int) (*Pack, error) {
	if err := cbfs.CheckName(name); err != nil {
		return nil, err
	}
	c, err := stripe.New(k, m)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		return nil, err
	}
	p := &packer{Code: c, out: out, volume: cbfs.VolumeID(owner, name), next: 1} // 0 is the first page's
	for slot := range k + m {
		if err := os.Mkdir(slotFolder(out, slot), 0o755); err != nil {
			return nil, err
		}
	}
	entries, err := p.list(dir)
	if err != nil {
		return nil, err
	}
	return p.pack(dir, entries)
}

// list finds the entries of a folder, in the order of their paths, and describes its files.
func (p *packer) list(dir string) (entries []cbfs.Entry, err error) {
	err = filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err != nil || full == dir {
			return err
		}
		rel, err := filepath.Rel(dir, full)
		if err != nil {
			return err
		}
		e := cbfs.Entry{Path: filepath.ToSlash(rel)}
		switch {
		case len(entries) == cbfs.MaxManifest:
			return fmt.Errorf("a volume has at most %d objects", cbfs.MaxManifest)
		case cbfs.CheckPath(e.Path) != nil:
			return fmt.Errorf("%q: %w", e.Path, cbfs.ErrPath)
		case d.IsDir():
			e.Kind = cbfs.Directory
		case d.Type()&fs.ModeSymlink != 0:
			e.Kind = cbfs.Symlink
			if e.Target, err = os.Readlink(full); err == nil && len(e.Target) > cbfs.MaxPathBytes {
				err = fmt.Errorf("%q leads to a path that is too long", e.Path)
			}
		case d.Type().IsRegular():
			e.Kind = cbfs.File
			e.Object, err = p.describe(full, e.Path)
		default:
			err = fmt.Errorf("%q is neither a file, a link nor a folder", e.Path)
		}
		entries = append(entries, e)
		return err
	})
	slices.SortFunc(entries, func(a, b cbfs.Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, err
}

// describe reads a file for its hashes. In a public volume the ciphertext is the plaintext.
func (p *packer) describe(full, path string) (*cbfs.Object, error) {
	o := &cbfs.Object{Path: path, K: uint8(p.K), M: uint8(p.M)}
	if _, err := rand.Read(o.WriteID[:]); err != nil {
		return nil, err
	}
	o.ShardID = cbfs.ShardID(p.volume, path, o.WriteID)
	whole, each := digest.NewBlake3(), make([]io.Writer, p.K+p.M)
	slots := make([]interface{ Sum([]byte) []byte }, len(each))
	for i := range each {
		h := digest.NewBlake3()
		each[i], slots[i] = h, h
	}
	err := p.stripes(full, func(data []byte, chunks [][]byte) error {
		o.Size += uint64(len(data))
		_, _ = whole.Write(data) // a hash takes everything
		for i := range chunks {
			_, _ = each[i].Write(chunks[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if o.CiphertextSize = o.Size; o.Size > maxObject {
		return nil, fmt.Errorf("%q is larger than a GiB", path)
	}
	copy(o.ContentHash[:], whole.Sum(nil))
	o.CiphertextHash = o.ContentHash
	o.ShardHashes = make([]digest.Hash, len(slots))
	for i := range slots {
		copy(o.ShardHashes[i][:], slots[i].Sum(nil))
	}
	return o, nil
}

// stripes reads a file stripe by stripe.
func (p *packer) stripes(full string, each func(data []byte, chunks [][]byte) error) error {
	f, err := os.Open(full)
	if err != nil {
		return err
	}
	defer f.Close()
	return p.stripesOf(f, each)
}

func (p *packer) stripesOf(r io.Reader, each func(data []byte, chunks [][]byte) error) error {
	buffer := make([]byte, p.Bytes())
	for {
		n, err := io.ReadFull(r, buffer)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
			return err
		}
		chunks, failed := p.Split(buffer[:n])
		if failed == nil {
			failed = each(buffer[:n], chunks)
		}
		if failed != nil || err != nil {
			return failed
		}
	}
}

// write keeps the chunks of the next stripe.
func (p *packer) write(data []byte, chunks [][]byte) (protocol.Numbered, error) {
	s := protocol.Numbered{Number: p.next}
	p.next++
	return s, p.writeAt(&s, data, chunks)
}

// writeAt keeps the chunks of a stripe with a number.
func (p *packer) writeAt(s *protocol.Numbered, data []byte, chunks [][]byte) error {
	if p.raw += uint64(len(data)); p.raw > maxVolume {
		return errors.New("a volume has at most 100 GiB")
	}
	for slot, chunk := range chunks {
		if err := os.WriteFile(chunkFile(slotFolder(p.out, slot), s.Number), chunk, 0o644); err != nil {
			return err
		}
		one := cbfs.Chunk{Key: cbfs.ShardKey(uint8(slot), s.Number), Root: cbfs.ChunkRoot(chunk), Size: uint64(len(chunk))}
		p.leaves = append(p.leaves, one)
		s.Size, s.Roots = uint32(one.Size), append(s.Roots, one.Root)
		fmt.Fprintf(&p.tree, "%d %d %s %d\n", slot, s.Number, one.Root.Hex(), one.Size)
	}
	return nil
}

// file writes the stripes of a file, which has to be what it was when it was described, and says in its record where they lie.
func (p *packer) file(full string, r *page.Record) error {
	hash, size := digest.NewBlake3(), uint64(0)
	err := p.stripes(full, func(data []byte, chunks [][]byte) error {
		size += uint64(len(data))
		_, _ = hash.Write(data)
		s, err := p.write(data, chunks)
		r.Stripes = append(r.Stripes, s)
		return err
	})
	if err == nil && (size != r.Object.Size || !bytes.Equal(hash.Sum(nil), r.Object.ContentHash[:])) {
		err = fmt.Errorf("%q changed while it was packed", r.Path)
	}
	return err
}

// manifest writes the pages of records.
func (p *packer) manifest(records []page.Record) error {
	shape := page.Shape{K: uint8(p.K), M: uint8(p.M)}
	first := &page.First{Numbers: p.next, Records: records}
	raw := first.Encode()
	if room := p.Bytes() - lengthSize; len(raw) > room {
		first.Records = nil
		for _, list := range page.Split(records, shape, page.Bytes-lengthSize) {
			raw, r := page.EncodeLeaf(list), page.SumOf(list)
			chunks, err := p.Split(raw)
			if err == nil {
				r.Page, err = p.write(raw, chunks)
			}
			if err != nil {
				return err
			}
			r.Length, r.Hash = uint64(len(raw)), digest.Blake3(raw)
			first.Pages = append(first.Pages, r)
		}
		first.Numbers = p.next
		if raw = first.Encode(); len(raw) > room {
			return page.ErrFull
		}
	}
	raw = append(binary.LittleEndian.AppendUint64(nil, uint64(len(raw))), raw...)
	chunks, err := p.Split(raw)
	if err != nil {
		return err
	}
	return p.writeAt(&protocol.Numbered{}, raw, chunks)
}

// pack writes the stripes of the files and the pages of the manifest.
func (p *packer) pack(dir string, entries []cbfs.Entry) (*Pack, error) {
	root, err := cbfs.ManifestRoot(entries)
	if err != nil {
		return nil, err
	}
	records, files := make([]page.Record, len(entries)), uint64(0)
	for i := range entries {
		records[i].Entry = entries[i]
		if entries[i].Kind != cbfs.File {
			continue
		}
		files++
		if err := p.file(filepath.Join(dir, filepath.FromSlash(entries[i].Path)), &records[i]); err != nil {
			return nil, err
		}
	}
	if err := p.manifest(records); err != nil {
		return nil, err
	}
	shards := cbfs.ShardRoot(p.leaves)
	pack := &Pack{
		VolumeID: p.volume.String(), K: p.K, M: p.M, Manifest: root.String(), Shards: shards.String(), Raw: p.raw, Objects: max(files, 1), Chunks: p.next,
	}
	text, err := json.MarshalIndent(pack, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(p.out, treeFile), p.tree.Bytes(), 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(p.out, packFile), append(text, '\n'), 0o644)
	}
	return pack, err
}

// Read reads what was packed.
func Read(dir string) (*Pack, error) {
	raw, err := os.ReadFile(filepath.Join(dir, packFile))
	if err != nil {
		return nil, err
	}
	p := new(Pack)
	return p, json.Unmarshal(raw, p)
}
