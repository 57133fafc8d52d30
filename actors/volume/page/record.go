package page

import (
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds.
const (
	// MaxNumbers is how many stripes a volume has at most.
	MaxNumbers = protocol.MaxStripes
	// Bytes is how many bytes a leaf page has, or fewer, as long as references to all pages have space.
	Bytes = 256 << 10
	// MaxBytes is how many bytes a leaf page has at most.
	MaxBytes = cbfs.ChunkBytes
	// MaxFile is how many bytes a file has at most as it lies on relays.
	//
	// Spec: storage-cbfs §8.
	MaxFile = 1 << 30
)

// Shape is how a volume's bytes are coded.
type Shape struct{ K, M uint8 }

// Bytes is how many bytes a stripe holds.
func (s Shape) Bytes() uint64 { return uint64(s.K) * cbfs.ChunkBytes }

// Slots is how many chunks a stripe has.
func (s Shape) Slots() int { return int(s.K) + int(s.M) }

// Count is how many stripes so many bytes take.
func (s Shape) Count(size uint64) uint64 { return (size + s.Bytes() - 1) / s.Bytes() }

// Chunk is how many bytes each chunk of a stripe has that holds so many.
func (s Shape) Chunk(size uint64) uint32 { return uint32((size + uint64(s.K) - 1) / uint64(s.K)) }

// Record is an entry and where its bytes lie.
type Record struct {
	cbfs.Entry
	Stripes []protocol.Numbered // of a file, in the order of its bytes
}

// Size is how many bytes the record takes at most, whatever its numbers.
func (r *Record) Size(shape Shape) int {
	const number, text = 4, 2 // bytes of the largest UInt below MaxNumbers, and of the length of an entry without hashes
	size := 8 + len(r.Path) + 4
	switch r.Kind {
	case cbfs.File:
		o := r.Object
		size += 8 + len(o.Path) + cbfs.WriteIDSize + 3*digest.Size + cbfs.NonceSize + 8 + 8 + 2 + 8 + digest.Size*len(o.ShardHashes)
	case cbfs.Symlink:
		size += 8 + len(r.Target)
	}
	return size + text + 1 + len(r.Stripes)*(number+digest.Size*shape.Slots())
}

// SizeOf is how many bytes records take at most.
func SizeOf(list []Record, shape Shape) (size int) {
	for i := range list {
		size += list[i].Size(shape)
	}
	return size
}

// Split shares records out evenly among as few pages as hold them, of at most so many bytes each, or of one record.
func Split(list []Record, shape Shape, most int) (pages [][]Record) {
	total := SizeOf(list, shape)
	even := total/max(1, (total+most-1)/most) + 1
	for len(list) > 0 {
		n, size := 0, 0
		for n < len(list) && size < even {
			next := list[n].Size(shape)
			if n > 0 && size+next > most {
				break
			}
			size += next
			n++
		}
		pages, list = append(pages, list[:n:n]), list[n:]
	}
	return pages
}

func (r *Record) append(dst []byte) []byte {
	dst = codec.AppendBytes(dst, r.Encode())
	for i := range r.Stripes {
		dst = appendRoots(codec.AppendUint(dst, r.Stripes[i].Number), r.Stripes[i].Roots)
	}
	return dst
}

func appendRoots(dst []byte, roots []digest.Hash) []byte {
	for i := range roots {
		dst = codec.AppendFixed(dst, roots[i][:])
	}
	return dst
}

// readStripe reads a stripe that holds so many bytes.
func readStripe(in *codec.Reader, shape Shape, size uint64) protocol.Numbered {
	s := protocol.Numbered{Number: in.Uint(), Stripe: protocol.Stripe{Size: shape.Chunk(size)}}
	raw := in.Fixed(digest.Size * shape.Slots())
	if in.Err() != nil {
		return s
	}
	s.Roots = make([]digest.Hash, shape.Slots())
	for i := range s.Roots {
		s.Roots[i] = digest.Hash(raw[i*digest.Size:])
	}
	return s
}

// readRecord reads a record. Rejects: ErrForm, ErrLength.
func readRecord(in *codec.Reader, shape Shape) (r Record, err error) {
	raw := in.Bytes(MaxBytes)
	if in.Err() != nil {
		return r, ErrForm
	}
	if r.Entry, err = cbfs.DecodeEntry(raw); err != nil || r.Check() != nil {
		return r, ErrForm
	}
	if r.Kind != cbfs.File {
		return r, nil
	}
	o := r.Object
	switch {
	case o.K != shape.K || o.M != shape.M:
		return r, ErrForm
	case o.CiphertextSize > MaxFile:
		return r, ErrLength
	}
	for left := o.CiphertextSize; left > 0 && in.Err() == nil; left -= min(left, shape.Bytes()) {
		r.Stripes = append(r.Stripes, readStripe(in, shape, min(left, shape.Bytes())))
	}
	if in.Err() != nil {
		return r, ErrForm
	}
	return r, nil
}

// used notes numbers, each of which is used once.
type used struct {
	seen  map[uint64]bool
	first *First
}

// take notes a number. Rejects: ErrNumber, ErrFree.
func (u *used) take(number uint64) error {
	switch {
	case number == 0 || number >= u.first.Numbers || u.seen[number] || u.first.own[number]:
		return ErrNumber
	case u.first.Free.Has(number):
		return ErrFree
	}
	u.seen[number] = true
	return nil
}

// takeAll notes the numbers of records. Rejects: ErrNumber, ErrFree.
func (u *used) takeAll(list []Record) error {
	for i := range list {
		for j := range list[i].Stripes {
			if err := u.take(list[i].Stripes[j].Number); err != nil {
				return err
			}
		}
	}
	return nil
}

// readRecords reads a list of records, which ends the page. Rejects: ErrForm, ErrOrder, ErrLength.
func readRecords(in *codec.Reader, shape Shape) ([]Record, error) {
	const least = 8 + 1 + 4 + 1 // bytes of a record
	list := make([]Record, 0, in.Len(0, cbfs.MaxManifest, least))
	for range cap(list) {
		r, err := readRecord(in, shape)
		if err != nil {
			return nil, err
		}
		if n := len(list); n > 0 && list[n-1].Path >= r.Path {
			return nil, ErrOrder
		}
		list = append(list, r)
	}
	if in.Finish() != nil {
		return nil, ErrForm
	}
	return list, nil
}
