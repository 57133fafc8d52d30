package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// oneStripe is how many bytes a table of one stripe with one slot takes: a page of 6 + 4 + 32, a branch of 1 + 4 + 4 + 32, and a directory of 6 + 32 + 4 + 32
// for the page, 68 for the branch, and 32 for the sum.
const oneStripe = 42 + 41 + 174

// volume is that of the tables of tests.
var volume = digest.Hash{8}

// change makes a change to a table of the tests' volume and keeps what comes of it.
func change(s *Store, base digest.Hash, c *protocol.Change) (Name, error) {
	d, err := s.Draft(Name{volume, base}, nil)
	if err != nil {
		return Name{}, err
	}
	defer d.Close()
	if err := d.Apply(c); err != nil {
		return Name{}, err
	}
	return d.Keep()
}

// keep keeps a whole table.
func keep(s *Store, t *protocol.Table) (Name, error) {
	c, _ := t.Change(&protocol.Table{})
	return change(s, digest.Hash{}, c)
}

// same holds a table that is kept to what it should be, which is in memory whole: its outline, all stripes, the paths of some numbers, and that nothing of it
// is lost.
func same(t *testing.T, s *Store, n Name, want *protocol.Table) {
	t.Helper()
	if root := want.Root(); n.Root != root {
		t.Fatalf("the root is %s, want %s", n.Root, root)
	}
	got, err := s.Table(n)
	if err != nil {
		t.Fatal(err)
	}
	o := got.Outline()
	if !got.Is(want.K, want.M, uint64(len(want.Stripes))) || len(o.Pages) != protocol.Pages(uint64(len(want.Stripes))) {
		t.Fatalf("%+v", o)
	}
	var all []protocol.Stripe
	for at := range o.Pages {
		page, err := got.Page(at)
		if err != nil || digest.Blake3(protocol.EncodePage(page.K, page.M, page.Stripes)) != o.Pages[at] {
			t.Fatal(err)
		}
		all = append(all, page.Stripes...)
	}
	if !reflect.DeepEqual(all, want.Stripes) {
		t.Fatal("the pages are not the table")
	}
	numbers := []uint64{0, uint64(len(all)) / 2, uint64(len(all)) - 1, uint64(len(all)), protocol.MaxStripes - 1}
	p, err := got.Paths(protocol.Keys(int(want.K+want.M), numbers))
	if err != nil || p.Root() != n.Root {
		t.Fatal(p.Root(), err)
	}
	for _, number := range numbers {
		for slot := range want.K + want.M {
			c, there, err := p.Get(cbfs.ShardKey(slot, number))
			if err != nil || there != (number < uint64(len(all))) || there && c.Root != all[number].Roots[slot] {
				t.Fatalf("stripe %d, slot %d: %+v %v %v", number, slot, c, there, err)
			}
		}
	}
	if lacks, err := got.Lacks(true); lacks || err != nil {
		t.Fatal("branches are lost", err)
	}
	if one, err := got.Stripe(numbers[1]); err != nil || !one.Same(&all[numbers[1]]) {
		t.Fatal(err)
	}
	for _, beyond := range numbers[3:] {
		if _, err := got.Stripe(beyond); !errors.Is(err, ErrMissing) {
			t.Fatal(err)
		}
	}
}

// tables are made at random.
type dice struct{ *rand.Rand }

func (d dice) stripe(slots uint8) protocol.Stripe {
	s := protocol.Stripe{Size: 1 + d.Uint32N(cbfs.ChunkBytes), Roots: make([]digest.Hash, slots)}
	for i := range s.Roots {
		for j := range s.Roots[i] {
			s.Roots[i][j] = byte(d.Uint32())
		}
	}
	return s
}

// change gives a change of a table, and the table after it.
func (d dice) change(t *protocol.Table, touched, more int) (*protocol.Change, *protocol.Table) {
	next := &protocol.Table{K: t.K, M: t.M, Stripes: slices.Clone(t.Stripes)}
	numbers := map[uint64]bool{}
	for range touched {
		if len(t.Stripes) > 0 {
			numbers[d.Uint64N(uint64(len(t.Stripes)))] = true
		}
	}
	for range more {
		numbers[uint64(len(next.Stripes))] = true
		next.Stripes = append(next.Stripes, protocol.Stripe{})
	}
	c := &protocol.Change{K: t.K, M: t.M, Count: uint64(len(next.Stripes))}
	for n := range numbers {
		next.Stripes[n] = d.stripe(t.K + t.M)
		c.List = append(c.List, protocol.Numbered{Number: n, Stripe: next.Stripes[n]})
	}
	slices.SortFunc(c.List, func(a, b protocol.Numbered) int { return int(a.Number) - int(b.Number) })
	return c, next
}

// Whatever changes come, in any order and on any table that is still here, what is kept is what a table in memory becomes; after a restart too, and after
// collections, which leave the tables that are named and what they are made of, and nothing else.
//
// Spec: storage-cbfs §2.2 (shard_root), §3.3 (PutPlacement), §4 (orphan shard).
func TestTablesAgainstMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		for seed := range uint64(3) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				d := dice{rand.New(rand.NewPCG(seed, 9))}
				s := open(t, g, 1<<30)
				base := &protocol.Table{K: 1 + uint8(d.IntN(2)), M: uint8(d.IntN(3))}
				known, order := map[Name]*protocol.Table{}, []Name(nil)
				last := Name{Volume: volume}
				for step := range 18 {
					if len(known) > 0 && d.IntN(4) == 0 { // another one than the last
						last = order[d.IntN(len(order))]
						base = known[last]
					}
					c, next := d.change(base, d.IntN(40), 1+d.IntN(1+600*d.IntN(2)))
					n, err := change(s, last.Root, c)
					if err != nil {
						t.Fatalf("step %d: %v", step, err)
					}
					same(t, s, n, next)
					known[n], last, base, order = next, n, next, append(order, n)
					switch d.IntN(4) {
					case 0:
						if err := s.Close(); err != nil {
							t.Fatal(err)
						}
						s = open(t, g, 1<<30)
					case 1:
						stays := last
						order = []Name{stays}
						for n := range known {
							if n == stays {
								continue
							}
							if err := s.Named(n, time.Now().Add(-2*time.Hour)); err != nil {
								t.Fatal(err)
							}
							delete(known, n)
						}
						if _, _, err := s.Collect(time.Now().Add(-time.Hour)); err != nil {
							t.Fatal(err)
						}
						exact(t, g, s, stays)
					}
					for n, want := range known {
						if step%6 == 5 {
							same(t, s, n, want)
						}
					}
				}
				if _, _, err := s.Collect(time.Now().Add(time.Hour)); err != nil || s.Usage().Bytes != 0 { // nothing was named for long
					t.Errorf("%+v %v", s.Usage(), err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

// exact holds what a store has to one table, and its account to what lies there.
func exact(t *testing.T, g *ground, s *Store, n Name) {
	t.Helper()
	table, err := s.ReadTable(n)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{tableName(n): true}
	for _, hash := range table.dir.pages {
		want[partName(pages, hash)] = true
	}
	for _, b := range table.dir.branches {
		if !b.hash.IsZero() {
			want[partName(branches, b.hash)] = true
		}
	}
	for _, folder := range []string{tables, pages, branches} {
		if err := s.place.walk(folder, func(f file) error {
			if !want[f.name] {
				t.Errorf("%s is left", f.name)
			}
			delete(want, f.name)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for name := range want {
		t.Errorf("%s went", name)
	}
	if there, err := g.look(); err != nil || there.Bytes != s.Usage().Bytes {
		t.Errorf("%d bytes are there, %d are counted; %v", there.Bytes, s.Usage().Bytes, err)
	}
}

// large gives a table of so many stripes with six slots.
func large(stripes int) *protocol.Table {
	t := &protocol.Table{K: 4, M: 2, Stripes: make([]protocol.Stripe, stripes)}
	for n := range t.Stripes {
		roots := make([]digest.Hash, 6)
		for slot := range roots {
			roots[slot] = digest.Hash{byte(n), byte(n >> 8), byte(n >> 16), byte(slot)}
		}
		t.Stripes[n] = protocol.Stripe{Size: 1_000, Roots: roots}
	}
	return t
}

// partsOf lists the pages and the branches of a table.
func partsOf(t *testing.T, s *Store, n Name) (pageNames, branchNames []string) {
	t.Helper()
	table, err := s.Table(n)
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range table.dir.pages {
		pageNames = append(pageNames, partName(pages, hash))
	}
	for _, b := range table.dir.branches {
		branchNames = append(branchNames, partName(branches, b.hash))
	}
	return pageNames, branchNames
}
