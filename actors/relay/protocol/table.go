package protocol

import (
	"encoding/binary"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of tables.
const (
	// MaxStripes is how many stripes a table has at most, more than the chain takes of any volume: twice the 1,000,000 of as many objects and the 51,200 of
	// 100 GiB where k is 2, and 256. The hashes of their pages fill a quarter of a frame.
	MaxStripes = 2_200_000
	// MaxSlots is k + m at most.
	MaxSlots = 24
	// PageStripes is how many stripes a page has, but the last one of a table.
	PageStripes = 256

	pageHead = 6
)

// Stripe is a chunk of each slot, all of one size.
type Stripe struct {
	Size  uint32 // bytes of each chunk
	Roots []digest.Hash
}

// Table is what a volume's slots hold: its shard_root is of all its chunks.
//
// Spec: storage-cbfs §2.2 (shard_root), §2.3 (shard_hashes).
type Table struct {
	K, M    uint8
	Stripes []Stripe
}

// stripeSize is the length of a stripe's encoding.
func stripeSize(slots int) int { return 4 + digest.Size*slots }

func appendStripe(dst []byte, s *Stripe) []byte {
	dst = binary.BigEndian.AppendUint32(dst, s.Size)
	for i := range s.Roots {
		dst = append(dst, s.Roots[i][:]...)
	}
	return dst
}

// readStripe reads a stripe into roots, which are as many as there are slots.
func readStripe(data []byte, roots []digest.Hash) (Stripe, bool) {
	s := Stripe{Size: binary.BigEndian.Uint32(data), Roots: roots}
	for i := range roots {
		roots[i] = digest.Hash(data[4+digest.Size*i:])
	}
	return s, s.Size > 0 && s.Size <= cbfs.ChunkBytes
}

// EncodePage is k u8 ‖ m u8 ‖ stripes be4, and for each: size be4 ‖ k + m roots.
func EncodePage(k, m uint8, stripes []Stripe) []byte {
	dst := append(make([]byte, 0, pageHead+len(stripes)*stripeSize(int(k)+int(m))), k, m)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(stripes)))
	for i := range stripes {
		dst = appendStripe(dst, &stripes[i])
	}
	return dst
}

// DecodePage reads what EncodePage wrote of 1 to PageStripes stripes. Reject: ErrTable.
func DecodePage(data []byte) (*Table, error) {
	if len(data) < pageHead {
		return nil, ErrTable
	}
	t := &Table{K: data[0], M: data[1]}
	slots, count := int(t.K)+int(t.M), binary.BigEndian.Uint32(data[2:])
	each := stripeSize(slots)
	if t.K == 0 || slots > MaxSlots || count == 0 || count > PageStripes || len(data) != pageHead+int(count)*each {
		return nil, ErrTable
	}
	t.Stripes = make([]Stripe, count)
	roots := make([]digest.Hash, int(count)*slots)
	for i := range t.Stripes {
		var ok bool
		if t.Stripes[i], ok = readStripe(data[pageHead+i*each:], roots[i*slots:(i+1)*slots:(i+1)*slots]); !ok {
			return nil, ErrTable
		}
	}
	return t, nil
}

// Page is the encoding of a page of the table.
func (t *Table) Page(at int) []byte {
	return EncodePage(t.K, t.M, t.Stripes[at*PageStripes:min((at+1)*PageStripes, len(t.Stripes))])
}

// Pages is how many pages so many stripes have.
func Pages(stripes uint64) int { return int((stripes + PageStripes - 1) / PageStripes) }

// Leaves are the leaves of the tree of shards.
func (t *Table) Leaves() []cbfs.Chunk {
	list := make([]cbfs.Chunk, 0, len(t.Stripes)*int(t.K+t.M))
	for n := range t.Stripes {
		for slot, root := range t.Stripes[n].Roots {
			list = append(list, cbfs.Chunk{Key: cbfs.ShardKey(uint8(slot), uint64(n)), Root: root, Size: uint64(t.Stripes[n].Size)})
		}
	}
	return list
}

// Root is the shard_root.
func (t *Table) Root() digest.Hash { return cbfs.ShardRoot(t.Leaves()) }

// Change is what the table becomes from a base; false where it cannot, since it is shorter or of another code.
func (t *Table) Change(base *Table) (*Change, bool) {
	c := &Change{K: t.K, M: t.M, Count: uint64(len(t.Stripes))}
	if len(t.Stripes) < len(base.Stripes) || len(base.Stripes) > 0 && (t.K != base.K || t.M != base.M) {
		return nil, false
	}
	for n := range t.Stripes {
		if n >= len(base.Stripes) || !t.Stripes[n].Same(&base.Stripes[n]) {
			c.List = append(c.List, Numbered{uint64(n), t.Stripes[n]})
		}
	}
	return c, true
}

// Same reports whether two stripes are of the same chunks.
func (s *Stripe) Same(other *Stripe) bool {
	return s.Size == other.Size && slices.Equal(s.Roots, other.Roots)
}

// Outline is what a table is made of.
type Outline struct {
	K, M  uint8
	Count uint64        // stripes
	Base  digest.Hash   // the root of the table that it was made from; zero for none
	Pages []digest.Hash // the BLAKE3 of each page's encoding
}

const outlineHead = 6 + digest.Size

// Encode is k u8 ‖ m u8 ‖ stripes be4 ‖ base ‖ the hashes.
func (o *Outline) Encode() []byte {
	dst := binary.BigEndian.AppendUint32([]byte{o.K, o.M}, uint32(o.Count))
	dst = append(dst, o.Base[:]...)
	for i := range o.Pages {
		dst = append(dst, o.Pages[i][:]...)
	}
	return dst
}

// DecodeOutline reads what Encode wrote. Reject: ErrTable.
func DecodeOutline(data []byte) (*Outline, error) {
	if len(data) < outlineHead {
		return nil, ErrTable
	}
	o := &Outline{K: data[0], M: data[1], Count: uint64(binary.BigEndian.Uint32(data[2:])), Base: digest.Hash(data[6:])}
	if o.K == 0 || int(o.K)+int(o.M) > MaxSlots || o.Count > MaxStripes || len(data) != outlineHead+digest.Size*Pages(o.Count) {
		return nil, ErrTable
	}
	o.Pages = make([]digest.Hash, Pages(o.Count))
	for i := range o.Pages {
		o.Pages[i] = digest.Hash(data[outlineHead+digest.Size*i:])
	}
	return o, nil
}

// Fits reports whether a page is of the outline's form: of its code, and with as many stripes as the table has there.
func (o *Outline) Fits(page *Table, at int) bool {
	return page.K == o.K && page.M == o.M && uint64(len(page.Stripes)) == min(PageStripes, o.Count-uint64(at)*PageStripes)
}
