package stripe

import (
	"errors"
	"slices"

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

// Encode codes the data of a stripe: it gives k + m chunks of one size. Those of the data lie where it stands, or, if it has to be padded with zeros, at the
// beginning of the buffer, and the others behind that place in the buffer; the data may lie at the buffer's beginning itself.
func (c *Code) Encode(buffer, data []byte) ([][]byte, error) {
	each := (len(data) + c.K - 1) / c.K
	if len(data) < each*c.K {
		size := copy(buffer, data)
		data = buffer[:each*c.K]
		clear(data[size:])
	}
	chunks := make([][]byte, c.K+c.M)
	for i := range chunks {
		from := data
		if i >= c.K {
			from = buffer
		}
		chunks[i] = from[i*each : (i+1)*each : (i+1)*each]
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
	return c.Encode(buffer, buffer[:copy(buffer, data)])
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

// Data gives the k chunks of a stripe's data, one after another the data, of the chunks there are; a missing one is nil. Error: ErrFew.
func (c *Code) Data(chunks [][]byte) ([][]byte, error) {
	if !c.enough(chunks) {
		return nil, ErrFew
	}
	if c.rs != nil {
		if err := c.rs.ReconstructData(chunks); err != nil {
			return nil, err
		}
	}
	return chunks[:c.K], nil
}

// Join makes a stripe of the chunks there are; a missing one is nil. Error: ErrFew.
func (c *Code) Join(chunks [][]byte) ([]byte, error) {
	data, err := c.Data(chunks)
	return slices.Concat(data...), err
}

// Rebuild makes the chunk of one slot of those there are, into memory of its size. Error: ErrFew.
func (c *Code) Rebuild(chunks [][]byte, slot int, into []byte) error {
	if !c.enough(chunks) {
		return ErrFew
	}
	if chunks[slot] != nil || c.rs == nil {
		copy(into, chunks[slot])
		return nil
	}
	chunks[slot] = into[:0] // the library takes it for missing, and for the place where it belongs
	if slot >= c.K {        // ReconstructSome fails for a chunk of parity where one of data is missing too
		return c.rs.Reconstruct(chunks)
	}
	wanted := make([]bool, c.K+c.M)
	wanted[slot] = true
	return c.rs.ReconstructSome(chunks, wanted)
}
