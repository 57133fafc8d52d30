package shards

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/klauspost/reedsolomon"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// code cuts bytes into stripes and codes them: systematic, with the matrix of Backblaze and klauspost, which is derived from Vandermonde's.
//
// Spec: storage-cbfs §5.
type code struct {
	k, m int
	rs   reedsolomon.Encoder
}

func newCode(k, m int) (*code, error) {
	c := &code{k: k, m: m}
	if m == 0 && k == 1 { // a developer's network of one relay
		return c, nil
	}
	rs, err := reedsolomon.New(k, m)
	c.rs = rs
	return c, err
}

// stripe is how many bytes of a file a stripe holds.
func (c *code) stripe() int { return c.k * cbfs.ChunkBytes }

// split codes a stripe: k + m chunks of one size, the data padded with zeros.
func (c *code) split(data []byte) ([][]byte, error) {
	size := (len(data) + c.k - 1) / c.k
	whole := make([]byte, size*(c.k+c.m))
	copy(whole, data)
	chunks := make([][]byte, c.k+c.m)
	for i := range chunks {
		chunks[i] = whole[i*size : (i+1)*size]
	}
	if c.rs == nil {
		return chunks, nil
	}
	return chunks, c.rs.Encode(chunks)
}

// errFew reports that fewer than k slots have a chunk.
var errFew = errors.New("too few slots have this chunk")

// join makes a stripe of the chunks there are; a missing one is nil.
func (c *code) join(chunks [][]byte) ([]byte, error) {
	there := 0
	for _, one := range chunks {
		if one != nil {
			there++
		}
	}
	if there < c.k {
		return nil, errFew
	}
	if c.rs != nil {
		if err := c.rs.ReconstructData(chunks); err != nil {
			return nil, err
		}
	}
	var data []byte
	for _, one := range chunks[:c.k] {
		data = append(data, one...)
	}
	return data, nil
}

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
