package stripe

import (
	"errors"

	"github.com/klauspost/reedsolomon"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// ErrFew reports that fewer than k slots have a chunk.
var ErrFew = errors.New("too few slots have this chunk")

// Code codes stripes. It is safe for many goroutines.
type Code struct {
	K, M int
	rs   reedsolomon.Encoder // nil for one slot
}

// New gives the code of k and m; those of a developer's network of one relay are 1 and 0.
func New(k, m int) (*Code, error) {
	c := &Code{K: k, M: m}
	if m == 0 && k == 1 {
		return c, nil
	}
	rs, err := reedsolomon.New(k, m)
	c.rs = rs
	return c, err
}

// Bytes is how many bytes a stripe holds.
func (c *Code) Bytes() int { return c.K * cbfs.ChunkBytes }

// Count is how many stripes so many bytes take.
func (c *Code) Count(size uint64) uint64 { return (size + uint64(c.Bytes()) - 1) / uint64(c.Bytes()) }

// Room is how many bytes a buffer for Encode has.
func (c *Code) Room() int { return (c.K + c.M) * cbfs.ChunkBytes }

// Encode codes the first size bytes of a buffer, where it stands: it gives k + m chunks of one size, which lie in the buffer, the data padded with zeros. What
// lay behind the data is overwritten.
func (c *Code) Encode(buffer []byte, size int) ([][]byte, error) {
	each := (size + c.K - 1) / c.K
	clear(buffer[size : each*c.K])
	chunks := make([][]byte, c.K+c.M)
	for i := range chunks {
		chunks[i] = buffer[i*each : (i+1)*each : (i+1)*each]
	}
	if c.rs == nil {
		return chunks, nil
	}
	return chunks, c.rs.Encode(chunks)
}

// Split is Encode of a copy.
func (c *Code) Split(data []byte) ([][]byte, error) {
	each := (len(data) + c.K - 1) / c.K
	buffer := make([]byte, each*(c.K+c.M))
	copy(buffer, data)
	return c.Encode(buffer, len(data))
}

// enough reports whether k chunks are there.
func (c *Code) enough(chunks [][]byte) bool {
	there := 0
	for _, one := range chunks {
		if one != nil {
			there++
		}
	}
	return there >= c.K
}

// Join makes a stripe of the chunks there are; a missing one is nil. Error: ErrFew.
func (c *Code) Join(chunks [][]byte) ([]byte, error) {
	if !c.enough(chunks) {
		return nil, ErrFew
	}
	if c.rs != nil {
		if err := c.rs.ReconstructData(chunks); err != nil {
			return nil, err
		}
	}
	var data []byte
	for _, one := range chunks[:c.K] {
		data = append(data, one...)
	}
	return data, nil
}

// Rebuild makes the chunk of one slot of those there are. Error: ErrFew.
func (c *Code) Rebuild(chunks [][]byte, slot int) ([]byte, error) {
	if !c.enough(chunks) {
		return nil, ErrFew
	}
	if chunks[slot] != nil || c.rs == nil {
		return chunks[slot], nil
	}
	again := c.rs.Reconstruct // and not ReconstructSome, which fails for a chunk of parity where one of data is missing too
	if slot < c.K {
		again = c.rs.ReconstructData
	}
	err := again(chunks)
	return chunks[slot], err
}
