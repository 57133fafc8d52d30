package store

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
)

// What rots of a table, or goes, is found by its hash and is as if it had not come; kept again or made anew it is what it was.
//
// Spec: storage-cbfs §4 (self-heal).
func TestRottenTables(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		for how, rotten := range map[string]func(old []byte) []byte{
			"a bit":   func(old []byte) []byte { old[len(old)/2] ^= 1; return old },
			"cut off": func(old []byte) []byte { return old[:len(old)-1] },
			"longer":  func(old []byte) []byte { return append(old, 0) },
			"empty":   func([]byte) []byte { return nil },
		} {
			t.Run(how, func(t *testing.T) {
				want, s := large(700), open(t, g, 1<<30)
				n, err := keep(s, want)
				if err != nil {
					t.Fatal(err)
				}
				r := &rotting{t, g, s, n, rotten}
				r.parts(want)
				r.branch()
				r.directory(want)
				if err := r.s.Close(); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

// rotting is a table of which parts rot.
type rotting struct {
	t      *testing.T
	g      *ground
	s      *Store
	n      Name
	rotten func(old []byte) []byte
}

func (r *rotting) spoil(name string) {
	r.t.Helper()
	raw, _, err := r.s.place.get(name, 1<<20, nil, false)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.g.write(name, r.rotten(raw)); err != nil {
		r.t.Fatal(err)
	}
}

// reopened gives the table after a restart, which remembers nothing.
func (r *rotting) reopened() *Table {
	r.t.Helper()
	if err := r.s.Close(); err != nil {
		r.t.Fatal(err)
	}
	r.s = open(r.t, r.g, 1<<30)
	table, err := r.s.Table(r.n)
	if err != nil {
		r.t.Fatal(err)
	}
	return table
}

func (r *rotting) parts(want *protocol.Table) {
	t := r.t
	pageNames, branchNames := partsOf(t, r.s, r.n)
	r.spoil(pageNames[1])
	r.spoil(branchNames[2])
	table := r.reopened()
	if _, err := table.Stripe(300); !errors.Is(err, ErrLost) || !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
	if _, err := table.Stripe(100); err != nil {
		t.Error(err)
	}
	if _, err := table.Paths(protocol.Keys(6, numbersTo(0, 63))); !errors.Is(err, ErrLost) {
		t.Error(err)
	}
	if err := table.Rebuild(); !errors.Is(err, ErrLost) {
		t.Error("branches are made without a page", err)
	}
	if err := table.KeepPage(1, want.Page(0)); !errors.Is(err, protocol.ErrTable) {
		t.Error("another page is kept", err)
	}
	if err := table.KeepPage(1, want.Page(1)); err != nil {
		t.Fatal(err)
	}
	if lacks, err := table.Lacks(false); !lacks || err != nil {
		t.Error(lacks, err)
	}
	if err := table.Rebuild(); err != nil {
		t.Fatal(err)
	}
	if r.reopened(); r.s.Usage().Rotten != 0 {
		t.Error("it is rotten still")
	}
	same(t, r.s, r.n, want)
}

func (r *rotting) branch() {
	_, branchNames := partsOf(r.t, r.s, r.n)
	table := r.reopened()
	r.spoil(branchNames[0])
	if lacks, err := table.Lacks(false); lacks || err != nil {
		r.t.Error("a branch is not read, and found rotten", err)
	}
	if lacks, err := table.Lacks(true); !lacks || err != nil {
		r.t.Error("a rotten branch is not found", err)
	}
	if err := table.Rebuild(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rotting) directory(want *protocol.Table) {
	t := r.t
	r.spoil(tableName(r.n))
	if _, err := r.s.ReadTable(r.n); !errors.Is(err, ErrLost) {
		t.Error(err)
	}
	if _, err := r.s.Table(r.n); !errors.Is(err, ErrMissing) || errors.Is(err, ErrLost) {
		t.Error(err)
	}
	if _, err := keep(r.s, want); err != nil {
		t.Fatal(err)
	}
	r.reopened() // which counts what is there
	same(t, r.s, r.n, want)
	exact(t, r.g, r.s, r.n)
}

// cutting is a place whose machine loses its power when so many files were written: what was not synced is torn.
type cutting struct {
	*disk
	mu   sync.Mutex
	left int
	torn map[string]bool
}

var errPower = errors.New("no power")

// used counts one more, and reports whether there was power for it.
func (c *cutting) used(more int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left -= more
	return c.left >= 0
}

func (c *cutting) put(name string, durable bool, parts ...[]byte) error {
	if !c.used(1) {
		return errPower
	}
	err := c.disk.put(name, durable, parts...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && !durable {
		c.torn[name] = true
	}
	return err
}

func (c *cutting) settle(names []string) ([]bool, error) {
	if !c.used(1) {
		return nil, errPower
	}
	for _, name := range names {
		delete(c.torn, name)
	}
	return c.disk.settle(names)
}

func (c *cutting) remove(name string) error { // nothing is removed without power
	if !c.used(0) {
		return errPower
	}
	return c.disk.remove(name)
}

// Wherever the power is lost while a table is kept, the one before is whole, the new one is there whole or not at all, and what is done again comes out right,
// whatever is left of the first time.
//
// Spec: storage-cbfs §3.1 (step one).
func TestPowerCutsBetweenFiles(t *testing.T) {
	before := large(600)
	c, after := dice{rand.New(rand.NewPCG(1, 1))}.change(before, 3, 40)
	cuts := 0
	for done := false; !done; cuts++ {
		t.Run(fmt.Sprint("after ", cuts), func(t *testing.T) {
			dir := t.TempDir()
			s, err := Open(dir, 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			n, err := keep(s, before)
			if err != nil {
				t.Fatal(err)
			}
			power := &cutting{disk: s.place.(*disk), left: cuts, torn: map[string]bool{}}
			s.place = power
			_, err = change(s, n.Root, c)
			if done = err == nil; !done && !errors.Is(err, errPower) {
				t.Fatal(err)
			}
			for name := range power.torn {
				if err := os.Truncate(filepath.Join(dir, name), 7); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s, err = Open(dir, 1<<30); err != nil {
				t.Fatal(err)
			}
			same(t, s, n, before)
			next := Name{volume, after.Root()}
			if _, err := s.Table(next); err == nil {
				same(t, s, next, after)
			} else if !errors.Is(err, ErrMissing) || done {
				t.Fatal(err)
			}
			if _, err := change(s, n.Root, c); err != nil {
				t.Fatal(err)
			}
			same(t, s, next, after)
			if err := s.Named(n, time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
			if _, _, err := s.Collect(time.Now().Add(-time.Hour)); err != nil {
				t.Fatal(err)
			}
			exact(t, &ground{look: func() (Usage, error) { return Look(dir) }}, s, next)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
	if cuts < 8 { // 1 or 3 pages, 4 branches, the syncing, the directory
		t.Errorf("it was over after %d", cuts)
	}
}
