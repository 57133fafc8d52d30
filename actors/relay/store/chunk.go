package store

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/cowboyinc/cowboy-go/actors/direct"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A chunk's file is the chunk ‖ zeros ‖ the chunk's size be4 ‖ the CRC-32C be4 of its root and its bytes. The zeros fill blocks of a disk, and are there from
// largeFrom bytes on alone. The root is in the checksum so that another chunk's file is not taken for this one's.
const (
	trailerBytes = 8
	largeFrom    = 64 << 10
)

// ChunkRoom is how much memory Read takes at most.
const ChunkRoom = cbfs.ChunkBytes + direct.BlockBytes

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// trailerOf is what follows a chunk in its file.
func trailerOf(root digest.Hash, data []byte) []byte {
	fill := 0
	if len(data) >= largeFrom {
		fill = -(len(data) + trailerBytes) & (direct.BlockBytes - 1)
	}
	sum := crc32.Update(crc32.Checksum(root[:], castagnoli), castagnoli, data)
	trailer := binary.BigEndian.AppendUint32(make([]byte, fill, fill+trailerBytes), uint32(len(data)))
	return binary.BigEndian.AppendUint32(trailer, sum)
}

// chunkIn gives the chunk in a file; false says that the file is no longer what was written.
func chunkIn(root digest.Hash, file []byte) ([]byte, bool) {
	if len(file) <= trailerBytes {
		return nil, false
	}
	size := uint64(binary.BigEndian.Uint32(file[len(file)-trailerBytes:]))
	if size == 0 || size > uint64(len(file)-trailerBytes) {
		return nil, false
	}
	data := file[:size:size]
	return data, bytes.Equal(trailerOf(root, data), file[size:])
}
