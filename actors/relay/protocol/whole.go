package protocol

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// MaxTable bounds an encoded table: 350,000 stripes of six slots.
const MaxTable = 64 << 20

// TableHead is how many bytes stand before the stripes.
const TableHead = 6

// Encode is k u8 ‖ m u8 ‖ stripes be4, and for each: size be4 ‖ k + m roots.
func (t *Table) Encode() []byte {
	dst := binary.BigEndian.AppendUint32([]byte{t.K, t.M}, uint32(len(t.Stripes)))
	for i := range t.Stripes {
		dst = binary.BigEndian.AppendUint32(dst, t.Stripes[i].Size)
		for j := range t.Stripes[i].Roots {
			dst = append(dst, t.Stripes[i].Roots[j][:]...)
		}
	}
	return dst
}

// Size is the length of the encoding.
func (t *Table) Size() int { return TableHead + len(t.Stripes)*(4+digest.Size*(int(t.K)+int(t.M))) }

// Entry is where the root of a slot's chunk stands in a table with this head; false where the table has none.
func Entry(head []byte, slot uint8, number uint64) (offset uint64, ok bool) {
	if len(head) != TableHead {
		return 0, false
	}
	slots := uint64(head[0]) + uint64(head[1])
	if uint64(slot) >= slots || number >= uint64(binary.BigEndian.Uint32(head[2:])) {
		return 0, false
	}
	return TableHead + number*(4+digest.Size*slots) + 4 + digest.Size*uint64(slot), true
}

// DecodeTable reads what Encode wrote. Reject: ErrTable.
func DecodeTable(data []byte) (*Table, error) {
	if len(data) < TableHead || len(data) > MaxTable {
		return nil, ErrTable
	}
	t := &Table{K: data[0], M: data[1]}
	slots, count := int(t.K)+int(t.M), int(binary.BigEndian.Uint32(data[2:]))
	if each := 4 + digest.Size*slots; t.K == 0 || slots > MaxSlots || count > MaxTable/each || len(data) != TableHead+count*each {
		return nil, ErrTable
	}
	t.Stripes = make([]Stripe, count)
	data = data[TableHead:]
	for i := range t.Stripes {
		s := &t.Stripes[i]
		if s.Size = binary.BigEndian.Uint32(data); s.Size == 0 || s.Size > cbfs.ChunkBytes {
			return nil, ErrTable
		}
		data = data[4:]
		s.Roots = make([]digest.Hash, slots)
		for j := range s.Roots {
			s.Roots[j] = digest.Hash(data[:digest.Size])
			data = data[digest.Size:]
		}
	}
	return t, nil
}

// Slot lists the roots of a slot's chunks.
func (t *Table) Slot(slot uint8) []digest.Hash {
	list := make([]digest.Hash, len(t.Stripes))
	for n := range list {
		list[n] = t.Stripes[n].Roots[slot]
	}
	return list
}

// Apply is the table with a change that follows on it.
func (t *Table) Apply(c *Change) *Table {
	next := &Table{K: c.K, M: c.M, Stripes: make([]Stripe, c.Count)}
	copy(next.Stripes, t.Stripes)
	for i := range c.List {
		next.Stripes[c.List[i].Number] = c.List[i].Stripe
	}
	return next
}
