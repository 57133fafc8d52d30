package frame

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

const (
	// Head is the size of what stands before a payload.
	Head = 8
	// Max bounds a payload, in bytes.
	Max = 64 << 20
)

// Err reports bytes that begin with no whole frame.
var Err = errors.New("no valid frame")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Append appends a frame; a payload has 1 to Max bytes.
func Append(dst, payload []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(payload)))
	dst = binary.BigEndian.AppendUint32(dst, crc32.Checksum(payload, castagnoli))
	return append(dst, payload...)
}

// Cut takes the first frame off data, or gives Err.
func Cut(data []byte) (payload, rest []byte, err error) {
	if len(data) < Head {
		return nil, nil, Err
	}
	length := binary.BigEndian.Uint32(data)
	if length == 0 || length > Max || int(length) > len(data)-Head {
		return nil, nil, Err
	}
	payload, rest = data[Head:Head+length], data[Head+length:]
	if crc32.Checksum(payload, castagnoli) != binary.BigEndian.Uint32(data[4:]) {
		return nil, nil, Err
	}
	return payload, rest, nil
}

// Within reports whether a whole frame begins anywhere in data. Where a frame does not open, that tells damage from a torn end.
func Within(data []byte) bool {
	for ; len(data) > Head; data = data[1:] {
		if _, _, err := Cut(data); err == nil {
			return true
		}
	}
	return false
}
