package store

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A chunk's file ends with a checksum, which finds what rots at a tenth of what a hash costs.
const sumBytes = 4

// ChunkRoom is how much memory Read takes at most.
const ChunkRoom = cbfs.ChunkBytes + sumBytes

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf is the CRC-32C of a chunk's root and its bytes, be4. The root is in it so that another chunk's file is not taken for this one's.
func sumOf(root digest.Hash, data []byte) []byte {
	sum := crc32.Update(crc32.Checksum(root[:], castagnoli), castagnoli, data)
	return binary.BigEndian.AppendUint32(nil, sum)
}
