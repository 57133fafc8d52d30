package protocol

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// MaxChange bounds an encoded change: 335,000 stripes of six slots.
const MaxChange = 64 << 20

// Change is what becomes of a table, the base: it has other stripes at some numbers, and more of them behind the last one. No stripe goes.
//
// Spec: storage-cbfs §2.2 (shard_root).
type Change struct {
	K, M  uint8
	Count uint64     // stripes afterwards
	List  []Numbered // by ascending numbers
}

// Numbered is a stripe at its number.
type Numbered struct {
	Number uint64
	Stripe
}

const changeHead = 10

// Encode is k u8 ‖ m u8 ‖ stripes afterwards be4 ‖ stripes that follow be4, and for each of these: number be4 ‖ size be4 ‖ k + m roots.
func (c *Change) Encode() []byte {
	dst := append(make([]byte, 0, c.Size()), c.K, c.M)
	dst = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(dst, uint32(c.Count)), uint32(len(c.List)))
	for i := range c.List {
		dst = appendStripe(binary.BigEndian.AppendUint32(dst, uint32(c.List[i].Number)), &c.List[i].Stripe)
	}
	return dst
}

// Size is the length of the encoding.
func (c *Change) Size() int { return changeHead + len(c.List)*(4+stripeSize(int(c.K)+int(c.M))) }

// DecodeChange reads what Encode wrote. Numbers that do not ascend, or are beyond the table, are none of a change. Reject: ErrTable.
func DecodeChange(data []byte) (*Change, error) {
	if len(data) < changeHead || len(data) > MaxChange {
		return nil, ErrTable
	}
	c := &Change{K: data[0], M: data[1], Count: uint64(binary.BigEndian.Uint32(data[2:]))}
	slots, listed := int(c.K)+int(c.M), int(binary.BigEndian.Uint32(data[6:]))
	each := 4 + stripeSize(slots)
	if c.K == 0 || slots > MaxSlots || c.Count > MaxStripes || listed > MaxChange/each || len(data) != changeHead+listed*each {
		return nil, ErrTable
	}
	c.List = make([]Numbered, listed)
	roots := make([]digest.Hash, listed*slots)
	for i := range c.List {
		one := data[changeHead+i*each:]
		s, ok := readStripe(one[4:], roots[i*slots:(i+1)*slots:(i+1)*slots])
		c.List[i] = Numbered{uint64(binary.BigEndian.Uint32(one)), s}
		if !ok || c.List[i].Number >= c.Count || i > 0 && c.List[i].Number <= c.List[i-1].Number {
			return nil, ErrTable
		}
	}
	return c, nil
}

// Follows reports whether the change can be made to a table of so many stripes: it takes none away, and has all that come behind them.
func (c *Change) Follows(stripes uint64) bool {
	added := c.Count - stripes
	if c.Count < stripes || added > uint64(len(c.List)) {
		return false
	}
	for i, one := range c.List[uint64(len(c.List))-added:] {
		if one.Number != stripes+uint64(i) {
			return false
		}
	}
	return true
}

// MaxPathChunks is how many chunks one GetPaths asks about at most, since each lies in another part of the tree: 64 stripes of six slots.
const MaxPathChunks = 384

// EncodeNumbers is be4 for each number of a stripe.
func EncodeNumbers(numbers []uint64) []byte {
	var dst []byte
	for _, n := range numbers {
		dst = binary.BigEndian.AppendUint32(dst, uint32(n))
	}
	return dst
}

// DecodeNumbers reads what EncodeNumbers wrote: 1 to MaxPathChunks numbers that ascend. Reject: ErrTable.
func DecodeNumbers(data []byte) ([]uint64, error) {
	if len(data) == 0 || len(data)%4 != 0 || len(data) > 4*MaxPathChunks {
		return nil, ErrTable
	}
	list := make([]uint64, len(data)/4)
	for i := range list {
		if list[i] = uint64(binary.BigEndian.Uint32(data[4*i:])); i > 0 && list[i] <= list[i-1] {
			return nil, ErrTable
		}
	}
	return list, nil
}

// PathNumbers is how many numbers one GetPaths asks about at most, of a volume with so many slots.
func PathNumbers(slots int) int { return MaxPathChunks / slots }

// Keys are where the chunks at some numbers lie in the tree of shards, in all slots.
func Keys(slots int, numbers []uint64) []digest.Hash {
	keys := make([]digest.Hash, 0, slots*len(numbers))
	for _, n := range numbers {
		for slot := range slots {
			keys = append(keys, cbfs.ShardKey(uint8(slot), n))
		}
	}
	return keys
}
