package store

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/state"
)

// aheadSize is how much of the log is read at once when operations are read in
// ascending order, in bytes.
const aheadSize = 32 << 10

// ahead reads operations in ascending order, many with one read of the file.
type ahead struct {
	source *source
	buffer []byte
	start  uint64 // offset in the log of buffer
	filled int
}

// Ascending implements state.Source.
func (s *source) Ascending() func(location uint64) ([]byte, error) {
	a := &ahead{source: s}
	return a.operation
}

func (a *ahead) operation(location uint64) ([]byte, error) {
	s := a.source
	if err := s.failed(); err != nil {
		return nil, err
	}
	if length := s.length.Load(); location >= length {
		return nil, fmt.Errorf("operation %d of %d: %w", location, length, ErrUnknown)
	}
	from, err := s.offset(location)
	if err != nil {
		return nil, err
	}
	if op, ok := a.take(from); ok {
		return op, nil
	}
	for _, size := range [...]uint64{aheadSize, operationMax} {
		if err := a.fill(from, size); err != nil {
			return nil, err
		}
		if op, ok := a.take(from); ok {
			return op, nil
		}
	}
	return nil, s.corrupt(from, fmt.Sprintf("operation %d", location), state.ErrOperation)
}

// take gives the operation at an offset if the buffer holds it whole.
func (a *ahead) take(offset uint64) ([]byte, bool) {
	if offset < a.start || offset >= a.start+uint64(a.filled) {
		return nil, false
	}
	b := a.buffer[offset-a.start : a.filled]
	_, rest, err := a.source.config.SplitOperation(b)
	if err != nil {
		return nil, false
	}
	return b[: len(b)-len(rest) : len(b)-len(rest)], true
}

// fill reads size bytes of the log from an offset on.
func (a *ahead) fill(offset, size uint64) (err error) {
	if uint64(len(a.buffer)) < size {
		a.buffer = make([]byte, size)
	}
	a.start = offset
	a.filled, err = readAt(*a.source.segments.Load(), a.buffer[:size], offset)
	return err
}
