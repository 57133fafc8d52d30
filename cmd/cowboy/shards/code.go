package shards

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// slotFolder and chunkFile name the files of a packed folder.
func slotFolder(dir string, slot int) string { return filepath.Join(dir, "slot-"+strconv.Itoa(slot)) }

func chunkFile(slot string, number uint64) string {
	return filepath.Join(slot, fmt.Sprintf("%08d", number))
}

// readChunk reads a chunk; it is nil where there is none, or it is longer than one may be.
func readChunk(slot string, number uint64) []byte {
	info, err := os.Stat(chunkFile(slot, number))
	if err != nil || info.Size() == 0 || info.Size() > cbfs.ChunkBytes {
		return nil
	}
	data, err := os.ReadFile(chunkFile(slot, number))
	if err != nil || int64(len(data)) != info.Size() {
		return nil
	}
	return data
}
