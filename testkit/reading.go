package testkit

import (
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/cowboyinc/cowboy-go/chain/account"
)

// Advance makes blocks until so much time has passed on the chain, a second a block; a part of a second is a whole block. Timers on the way fire.
func (c *Chain) Advance(d time.Duration) {
	c.t.Helper()
	for range (d + time.Second - 1) / time.Second {
		c.Mine()
	}
}

// Stored reads what an actor keeps under a key of at most 32 bytes as a Go value: an integer, string, []byte, slice, map or struct with cbor tags.
// ok is false if nothing is there; what does not fit the type fails the test.
func Stored[T any](c *Chain, actor account.Address, key string) (value T, ok bool) {
	c.t.Helper()
	raw := c.Storage(actor, key)
	if raw == nil {
		return value, false
	}
	if err := cbor.Unmarshal(raw, &value); err != nil {
		c.t.Fatalf("what %v keeps under %q is not a %T: %v", actor, key, value, err)
	}
	return value, true
}
