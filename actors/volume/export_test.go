package volume

import (
	"context"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// World is a network of relays, for tests of packages that build on this one.
type World = world

// NewWorld has so many relays, all up.
func NewWorld(t testing.TB, relays int) *World { return newWorld(t, relays) }

// Owned makes a volume of four and two, and a client of its owner.
func (w *world) Owned(name string, private bool) (digest.Hash, *Client) {
	return w.create(name, private, 4, 2), w.client(ann)
}

// Granted gives a client of somebody to whom a token is granted.
func (w *world) Granted(id digest.Hash, number byte, mode cbfs.Mode, prefix string, most uint64) *Client {
	w.t.Helper()
	key := walletOf(number)
	w.mu.Lock()
	p := volume.Permission{Grantee: key.Address(), Mode: mode, Prefix: prefix, MaxBytes: most, Until: w.manager.Height + 100_000}
	_, err := w.manager.Grant(ann.Address(), id, digest.Hash{number}, p)
	w.mu.Unlock()
	must(w.t, err)
	c := w.client(key)
	w.until("relays know of the token", func() bool { // they look at most once a second
		_, err := c.Open(context.Background(), id)
		return err == nil
	})
	return c
}

// Vanish ends all relays, which keep their disks.
func (w *world) Vanish() {
	for _, n := range w.relays {
		n.end()
	}
}

// Bytes reads a file whole as it is committed now.
func (w *world) Bytes(ctx context.Context, c *Client, id digest.Hash, path string) ([]byte, error) {
	return read(ctx, c, id, path)
}
