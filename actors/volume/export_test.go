package volume

import (
	"context"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/net/mutual"
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

// Revoke ends the tokens of a volume.
func (w *world) Revoke(id digest.Hash) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	list, err := volume.Tokens(w.registry.State, id)
	must(w.t, err)
	for _, token := range list {
		must(w.t, w.manager.Revoke(ann.Address(), token))
	}
}

// Vanish ends all relays, which keep their disks.
func (w *world) Vanish() {
	for i, n := range w.relays {
		if w.wire != nil {
			w.wire.set(byte(i+1), true)
		}
		n.end()
	}
}

// Bytes reads a file whole as it is committed now.
func (w *world) Bytes(ctx context.Context, c *Client, id digest.Hash, path string) ([]byte, error) {
	return read(ctx, c, id, path)
}

// Fill puts so many files into a volume in one commit: a hundred in each folder, all of the same few bytes, so that only what is told of them counts.
func (w *world) Fill(c *Client, id digest.Hash, count int) {
	w.t.Helper()
	paths := make([]string, count)
	for i := range paths {
		paths[i] = fmt.Sprintf("folder%04d/file%02d", i/100, i%100)
	}
	w.share(c, id, paths)
}

// shared are the bytes of files that are put by share.
var shared = []byte("of a few bytes")

// share puts files into a volume in one commit whose chunks are those of one file, which is sent once. Those of a private volume cannot be read.
func (w *world) share(c *Client, id digest.Hash, paths []string) {
	w.t.Helper()
	ctx := context.Background()
	s, err := c.Open(ctx, id)
	must(w.t, err)
	right, err := c.credit(s.Volume, true)
	must(w.t, err)
	one := file("first", shared)
	u := newUploader(s, []Change{one})
	first, err := u.file(ctx, &one)
	must(w.t, err)
	changes, files := make([]Change, 0, len(paths)), map[string]*placed{}
	for _, path := range paths {
		o := *first.object
		o.Path = path
		changes = append(changes, Change{Path: path, Kind: cbfs.File})
		files[path] = &placed{&o, first.stripes}
	}
	_, err = u.commit(ctx, changes, files, right)
	must(w.t, err)
}

// NewWired has relays that are reached over memory, each with room for the shards and tables of a million objects, and with time for them, as they share the
// cores.
func NewWired(t testing.TB, relays int) *World {
	over := &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}, patient: true}
	return newWorldOf(&world{t: t, wire: over, limits: mutual.DefaultLimits(), room: 1 << 36}, relays)
}

// Borrow commits a file whose entry has the shard identity of another file's.
func (w *world) Borrow(c *Client, id digest.Hash, path string, data []byte, of string) {
	w.t.Helper()
	ctx := context.Background()
	s, err := c.Open(ctx, id)
	must(w.t, err)
	right, err := c.credit(s.Volume, true)
	must(w.t, err)
	from, err := s.Find(ctx, of)
	must(w.t, err)
	change := file(path, data)
	u := newUploader(s, []Change{change})
	one, err := u.file(ctx, &change)
	must(w.t, err)
	one.object.ShardID = from.Object.ShardID
	_, err = u.commit(ctx, []Change{change}, map[string]*placed{path: one}, right)
	must(w.t, err)
}

// Hear counts from now on what clients send to relays and get from them; each call gives what came since the one before, in bytes.
func (w *world) Hear() func() (sent, fetched int) {
	e := &ear{}
	w.wire.listen(e)
	return func() (sent, fetched int) {
		_, sent, fetched = e.heard()
		return sent, fetched
	}
}

// Another is another client of the owner's.
func (w *world) Another() *Client { return w.client(ann) }

// File is a change that puts bytes.
func File(path string, data []byte) Change { return file(path, data) }
