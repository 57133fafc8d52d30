package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The log is one address space cut into segments, each a file that starts with
// a segment header; a byte's offset in the log is its segment's start plus its
// offset in the file.
const (
	segmentMagic  = 0x43424c53 // "CBLS"
	segmentHeader = 64
	segmentPrefix = "log-"
)

// segment is one file of the log.
type segment struct {
	name   string
	start  uint64 // offset of its first byte
	end    uint64 // offset after its last frame
	file   disk.File
	hollow bool // its operations were given back
	pieces bool // it begins with a piece of a snapshot

	operations uint64 // location after its last operation
}

func segmentName(start uint64) string { return fmt.Sprintf("%s%016x", segmentPrefix, start) }

func encodeSegmentHeader(id Identity, start uint64) []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, segmentHeader), segmentMagic)
	b = binary.BigEndian.AppendUint32(b, uint32(Segments.Now))
	b = binary.BigEndian.AppendUint64(b, id.ChainID)
	b = append(b, id.Genesis[:]...)
	b = binary.BigEndian.AppendUint64(b, start)
	b = binary.BigEndian.AppendUint32(b, 0)
	return binary.BigEndian.AppendUint32(b, checksum(b))
}

// checkSegmentHeader reads the header of an opened segment.
func checkSegmentHeader(s *segment, id Identity) error {
	b := make([]byte, segmentHeader)
	if _, err := s.file.ReadAt(b, 0); err != nil {
		return &CorruptError{s.name, 0, "segment header is cut", nil}
	}
	if checksum(b[:segmentHeader-4]) != binary.BigEndian.Uint32(b[segmentHeader-4:]) || binary.BigEndian.Uint32(b) != segmentMagic {
		return &CorruptError{s.name, 0, "segment header fails its checksum", nil}
	}
	if err := Segments.Check(s.name, format.Version(binary.BigEndian.Uint32(b[4:]))); err != nil {
		return err
	}
	have := Identity{ChainID: binary.BigEndian.Uint64(b[8:]), Genesis: digest.Hash(b[16:48])}
	if have != id {
		return &ForeignError{Want: id, Have: have}
	}
	if start := binary.BigEndian.Uint64(b[48:]); start != s.start {
		return &CorruptError{s.name, 48, fmt.Sprintf("segment starts at %d", start), nil}
	}
	// A segment is made hollow as a whole, so its first frame tells.
	first := make([]byte, headerSize)
	n, err := s.file.ReadAt(first, segmentHeader)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	h, what := decodeHeader(first[:n], frameMax)
	s.hollow = what == "" && h.kind == frameHollow
	s.pieces = what == "" && h.isPiece()
	return nil
}

// openSegments opens the files of the log in order.
func openSegments(d disk.Disk) ([]*segment, error) {
	names, err := d.List()
	if err != nil {
		return nil, err
	}
	var list []*segment
	for _, name := range names {
		text, ok := strings.CutPrefix(name, segmentPrefix)
		if !ok || strings.HasSuffix(name, temporary) {
			continue
		}
		s := &segment{name: name}
		if n, err := fmt.Sscanf(text, "%016x", &s.start); n != 1 || err != nil || segmentName(s.start) != name {
			continue
		}
		if s.file, err = d.Open(name); err != nil {
			return nil, err
		}
		size, err := s.file.Size()
		if err != nil {
			return nil, err
		}
		s.end = s.start + uint64(size)
		list = append(list, s)
	}
	return list, nil
}

// temporary ends the name of a file that is not finished.
const temporary = ".tmp"

// createSegment makes an empty segment durable under its name.
func createSegment(d disk.Disk, id Identity, start uint64) (*segment, error) {
	s := &segment{name: segmentName(start), start: start, end: start + segmentHeader}
	var err error
	if s.file, err = d.Create(s.name + temporary); err != nil {
		return nil, err
	}
	if _, err = s.file.WriteAt(encodeSegmentHeader(id, start), 0); err != nil {
		return nil, err
	}
	if err = s.file.Sync(); err != nil {
		return nil, err
	}
	if err = d.Rename(s.name+temporary, s.name); err != nil {
		return nil, err
	}
	return s, d.Sync()
}

// find gives the segment that holds an offset.
func find(list []*segment, offset uint64) *segment {
	low, high := 0, len(list)
	for low < high {
		mid := (low + high) / 2
		if list[mid].start <= offset {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return nil
	}
	return list[low-1]
}

// readAt reads at an offset of the log; fewer bytes are given only at the end of
// a segment.
func readAt(list []*segment, b []byte, offset uint64) (int, error) {
	s := find(list, offset)
	if s == nil {
		return 0, &CorruptError{segmentName(offset), -1, "segment is missing", nil}
	}
	n, err := s.file.ReadAt(b, int64(offset-s.start))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func exists(err error) bool { return !errors.Is(err, fs.ErrNotExist) }
