package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// A frame is one block in the log:
//
//	magic(4) ‖ kind(1) ‖ follow(1) ‖ zero(2) ‖ sequence(8) ‖ sections × (length(8) ‖ crc(4)) ‖ crc of the header(4) ‖ sections
//
// Integers are big-endian, checksums CRC-32C. follow is how many frames after it were written before anything was synced.
const (
	frameMagic  = 0x43424c46 // "CBLF"
	headerSize  = 16 + sections*12 + 4
	frameWhole  = 1
	frameHollow = 2 // the sections of operations were given back

	// A log that begins with a snapshot begins with these, in this order.
	frameBase = 3 // where the log begins; the last section holds the nodes below
	framePart = 4 // operations without their blocks
	frameSeal = 5 // the block after which the operations are the state
)

// The sections of a frame.
const (
	sectionMeta       = iota
	sectionOperations // operations, end to end
	sectionPrevious   // 5 bytes per operation: the location it took the place of
	sectionBlock
	sectionReceipts
	sectionTransactions // 32 bytes per transaction hash
	sections
)

const (
	frameMax     = 1 << 40 // bytes; more than any frame has
	metaSize     = 8 + 4 + 8 + 32 + 32
	previousSize = 5
	previousNone = 1<<40 - 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// header is the decoded start of a frame.
type header struct {
	kind     byte
	follow   byte
	sequence uint64 // 0 for the empty store, else height + 1
	lengths  [sections]uint64
	sums     [sections]uint32
}

func (h *header) encode() []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, headerSize), frameMagic)
	b = append(b, h.kind, h.follow, 0, 0)
	b = binary.BigEndian.AppendUint64(b, h.sequence)
	for i := range sections {
		b = binary.BigEndian.AppendUint64(b, h.lengths[i])
		b = binary.BigEndian.AppendUint32(b, h.sums[i])
	}
	return binary.BigEndian.AppendUint32(b, checksum(b))
}

// decodeHeader reads a header of a frame that has at most room bytes; what says
// what is wrong with it.
func decodeHeader(b []byte, room uint64) (h header, what string) {
	if len(b) < headerSize {
		return h, "frame header is cut"
	}
	if checksum(b[:headerSize-4]) != binary.BigEndian.Uint32(b[headerSize-4:]) || binary.BigEndian.Uint32(b) != frameMagic {
		return h, "frame header fails its checksum"
	}
	h.kind, h.follow, h.sequence = b[4], b[5], binary.BigEndian.Uint64(b[8:])
	total := uint64(headerSize)
	for i := range sections {
		h.lengths[i] = binary.BigEndian.Uint64(b[16+12*i:])
		h.sums[i] = binary.BigEndian.Uint32(b[24+12*i:])
		if h.lengths[i] > room || total+h.lengths[i] > room {
			return h, "frame is cut"
		}
		total += h.lengths[i]
	}
	return h, ""
}

func (h *header) size() (n uint64) {
	n = headerSize
	for _, l := range h.lengths {
		n += l
	}
	return n
}

// section gives the place of a section relative to the frame.
func (h *header) section(which int) (offset, length uint64) {
	offset = headerSize
	for i := range which {
		offset += h.lengths[i]
	}
	return offset, h.lengths[which]
}

// meta is the first section: what the operations lead to.
type meta struct {
	start uint64 // location of the first operation
	count uint32
	floor uint64
	root  digest.Hash
	hash  digest.Hash // of the block
}

func (m *meta) encode() []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, metaSize), m.start)
	b = binary.BigEndian.AppendUint32(b, m.count)
	b = binary.BigEndian.AppendUint64(b, m.floor)
	b = append(b, m.root[:]...)
	return append(b, m.hash[:]...)
}

func decodeMeta(b []byte) (m meta, ok bool) {
	if len(b) != metaSize {
		return m, false
	}
	m.start = binary.BigEndian.Uint64(b)
	m.count = binary.BigEndian.Uint32(b[8:])
	m.floor = binary.BigEndian.Uint64(b[12:])
	copy(m.root[:], b[20:])
	copy(m.hash[:], b[52:])
	return m, true
}

// frameLengths are those of a block's sections.
func frameLengths(d *state.Delta, r *Record) [sections]uint64 {
	operations, _ := d.Bytes()
	return [sections]uint64{
		metaSize, uint64(len(operations)), uint64(previousSize * d.Len()),
		uint64(len(r.Block)), uint64(len(r.Receipts)), uint64(len(r.Transactions) * digest.Size),
	}
}

// frameSize is how many bytes encodeFrame makes of a block.
func frameSize(d *state.Delta, r *Record) uint64 {
	h := header{lengths: frameLengths(d, r)}
	return h.size()
}

// encodeFrame lays a block out as a frame.
func encodeFrame(sequence uint64, d *state.Delta, r *Record) ([]byte, header) {
	operations, _ := d.Bytes()
	m := meta{start: d.Start, count: uint32(d.Len()), floor: d.Floor, root: d.Root, hash: r.Hash}
	h := header{kind: frameWhole, sequence: sequence, lengths: frameLengths(d, r)}
	b := make([]byte, headerSize, h.size())
	b = append(b, m.encode()...)
	b = append(b, operations...)
	for _, p := range d.Previous {
		p = min(p, previousNone)
		b = binary.BigEndian.AppendUint32(append(b, byte(p>>32)), uint32(p))
	}
	b = append(append(b, r.Block...), r.Receipts...)
	for i := range r.Transactions {
		b = append(b, r.Transactions[i][:]...)
	}
	for i := range sections {
		at, n := h.section(i)
		h.sums[i] = checksum(b[at : at+n])
	}
	copy(b, h.encode())
	return b, h
}

// encodePiece lays a frame of a snapshot out. What operations took the place of,
// and receipts, are not in one.
func encodePiece(kind byte, sequence uint64, m *meta, operations, block, nodes []byte) []byte {
	h := header{kind: kind, sequence: sequence}
	list := [sections][]byte{
		sectionMeta: m.encode(), sectionOperations: operations, sectionBlock: block, sectionTransactions: nodes,
	}
	for i, data := range list {
		h.lengths[i], h.sums[i] = uint64(len(data)), checksum(data)
	}
	b := append(make([]byte, 0, h.size()), h.encode()...)
	for _, data := range list {
		b = append(b, data...)
	}
	return b
}

// isPiece reports whether a frame belongs to the snapshot a log begins with.
func (h *header) isPiece() bool { return h.kind >= frameBase && h.kind <= frameSeal }

// check compares a section with its checksum.
func (h *header) check(which int, data []byte) error {
	if uint64(len(data)) != h.lengths[which] || checksum(data) != h.sums[which] {
		return fmt.Errorf("section %d of frame %d fails its checksum", which, h.sequence)
	}
	return nil
}

func decodePrevious(b []byte) []uint64 {
	out := make([]uint64, len(b)/previousSize)
	for i := range out {
		p := b[i*previousSize:]
		out[i] = uint64(p[0])<<32 | uint64(binary.BigEndian.Uint32(p[1:]))
		if out[i] == previousNone {
			out[i] = state.NoLocation
		}
	}
	return out
}
