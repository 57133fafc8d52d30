package state

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// raise moves the inactivity floor up: one present operation is appended again
// for every step of the batch, and one more, so that the log between floor and
// tip stays in proportion to the number of keys.
//
// Spec: commonware §5.3 (floor raise).
func (b *batch) raise() error {
	if b.index.View().Len() == 0 {
		b.floor = b.tip()
		return nil
	}
	tip := b.tip()
	at := b.floor
	read := b.base.source.Ascending()
	for moves := b.steps + 1; moves > 0; {
		at = b.candidate(at)
		if at >= tip {
			return nil
		}
		location := at
		at++
		b.floor = at
		if !b.bit(location) || location == b.start-1 {
			continue // superseded by this batch, or the latest commit
		}
		if err := b.move(location, read); err != nil {
			return err
		}
		moves--
	}
	return nil
}

// candidate is the first location from at that was active before the batch or
// belongs to it.
func (b *batch) candidate(at uint64) uint64 {
	for at < b.start {
		chunk := b.base.bits.at(at / ChunkBits)
		word := binary.LittleEndian.Uint64(chunk[at%ChunkBits/64*8:]) >> (at % 64)
		if word != 0 {
			at += uint64(bits.TrailingZeros64(word))
			return at
		}
		at = min(at/64*64+64, b.start)
	}
	return at
}

// move appends the present operation at location once more; read reads from the
// Source.
func (b *batch) move(location uint64, read func(uint64) ([]byte, error)) error {
	var data []byte
	var err error
	if location >= b.start {
		data = b.own(location - b.start)
	} else if data, err = b.base.operationBy(location, read); err != nil {
		return err
	}
	op, err := b.config.DecodeOperation(data)
	if err != nil || op.Kind != Update {
		return fmt.Errorf("%w: location %d is no update", ErrSource, location)
	}
	if b.place(op.Key) != location {
		return fmt.Errorf("%w: location %d holds a key that is elsewhere", ErrSource, location)
	}
	b.data = append(b.data, data...)
	b.ends = append(b.ends, len(b.data))
	return nil
}
