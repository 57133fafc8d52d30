package state

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/zeebo/blake3"
)

// Limits of what may be stored, in bytes.
//
// Spec: commonware §5.10.
const (
	KeyMax   = 256
	ValueMax = 1<<20 + 64<<10
)

// LocationMax is the highest location a log can reach.
const LocationMax = 1<<40 - 1

// ErrSource reports a Source whose answer is not the operation that the state
// knows to be there: the machine that keeps it is broken.
var ErrSource = errors.New("state source gave a wrong operation")

// Reader reads a state.
type Reader interface {
	// Lookup gives the value of key; ok is false when the key is absent. The
	// value must not be modified. err means that a Source failed.
	Lookup(key []byte) (value []byte, ok bool, err error)

	// Scan calls fn with the entries whose key starts with prefix and is above
	// after (all, when after is nil), ascending, until limit entries were given
	// (no bound when limit is 0 or less) or fn answers false. Key and value may be
	// kept but not modified. err means that a Source failed.
	Scan(prefix, after []byte, limit int, fn func(key, value []byte) (more bool)) error
}

// Store is a state that may be written: what every rule that changes state is
// given. *Overlay is one. Key and value may be used again after a call.
type Store interface {
	Reader

	// Set writes a value. Keys above KeyMax and values above ValueMax are a
	// caller's bug.
	Set(key, value []byte)

	// Delete removes key; deleting an absent key changes nothing.
	Delete(key []byte)
}

// Config fixes how a state is encoded and hashed. The zero value is the chain's:
// BLAKE3, byte strings for keys and values.
type Config struct {
	// Hash is the hash function; nil means BLAKE3.
	Hash digest.Function

	// KeySize and ValueSize, when not zero, make keys and values arrays of that
	// many bytes, encoded without a length.
	KeySize, ValueSize int

	// Spread runs do for every piece in [0, pieces) and returns when all are
	// done. Pieces are independent, so a caller may run them at the same time;
	// nil runs them in order.
	Spread func(pieces int, do func(piece int))
}

// Blake3 is the hash function of the chain's state.
func Blake3(data []byte) digest.Hash { return blake3.Sum256(data) }

func (c Config) withDefaults() *Config {
	if c.Hash == nil {
		c.Hash = Blake3
	}
	if c.Spread == nil {
		c.Spread = func(pieces int, do func(int)) {
			for i := range pieces {
				do(i)
			}
		}
	}
	return &c
}
