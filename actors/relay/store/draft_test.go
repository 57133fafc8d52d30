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
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A draft that is not kept leaves nothing, unless another one that is kept wrote the same; and what it found there stays.
//
// Spec: storage-cbfs §3.3 (PutPlacement).
func TestDraftsThatAreGivenUp(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 1<<30)
		before := large(300)
		n, err := keep(s, before)
		if err != nil {
			t.Fatal(err)
		}
		used := s.Usage().Bytes
		c, after := dice{rand.New(rand.NewPCG(2, 2))}.change(before, 9, 300)
		begun := func() *Draft {
			t.Helper()
			d, err := s.Draft(n, nil)
			if err != nil {
				t.Fatal(err)
			}
			d.most = 1_000 // so that it writes as it goes
			if err := d.Apply(c); err != nil {
				t.Fatal(err)
			}
			return d
		}
		left := begun()
		if s.Usage().Bytes == used {
			t.Fatal("it writes nothing before it is kept")
		}
		left.Close()
		if s.Usage().Bytes != used {
			t.Errorf("%d bytes are left", s.Usage().Bytes-used)
		}
		exact(t, g, s, n)
		for _, order := range [][2]int{{0, 1}, {1, 0}} {
			t.Run(fmt.Sprint(order), func(t *testing.T) {
				two := [2]*Draft{begun(), begun()}
				next, err := two[1].Keep()
				if err != nil {
					t.Fatal(err)
				}
				two[order[0]].Close()
				two[order[1]].Close()
				same(t, s, next, after)
				again := begun()
				again.Close()
				same(t, s, next, after)
				if err := s.Named(next, time.Unix(1, 0)); err != nil {
					t.Fatal(err)
				}
				if _, _, err := s.Collect(time.Now().Add(-time.Hour)); err != nil {
					t.Fatal(err)
				}
				exact(t, g, s, n)
			})
		}
		if len(s.held) != 0 || len(s.drafts) != 0 {
			t.Error("files are held for nobody")
		}
	})
}

// Several changes of one draft make the table that they make one by one, and the numbers of all of them are told.
func TestDraftOfManyChanges(t *testing.T) {
	s, err := Open(t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r := dice{rand.New(rand.NewPCG(3, 3))}
	table := large(500)
	n, err := keep(s, table)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Draft(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	d.most = 10_000
	touched := map[uint64]bool{}
	for range 5 {
		var c *protocol.Change
		c, table = r.change(table, 7, 300)
		if err := d.Apply(c); err != nil {
			t.Fatal(err)
		}
		for i := range c.List {
			touched[c.List[i].Number] = true
		}
	}
	next, err := d.Keep()
	if err != nil {
		t.Fatal(err)
	}
	same(t, s, next, table)
	got, err := s.ReadTable(next)
	if err != nil {
		t.Fatal(err)
	}
	numbers, known := got.Since(n)
	if !known || len(numbers) != len(touched) || !slices.IsSorted(numbers) || slices.ContainsFunc(numbers, func(n uint64) bool { return !touched[n] }) {
		t.Errorf("%d numbers are told, want %d", len(numbers), len(touched))
	}
}

// Of a table that was made of an earlier one, by way of others, it is told what differs; where too much lies between, or one in between is gone, it is not.
func TestSinceAnEarlierTable(t *testing.T) {
	s, err := Open(t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	base := &protocol.Table{K: 1, Stripes: []protocol.Stripe{{Size: 1, Roots: []digest.Hash{{1}}}}}
	r := dice{rand.New(rand.NewPCG(4, 4))}
	first, err := keep(s, base)
	if err != nil {
		t.Fatal(err)
	}
	list := []Name{first}
	for range tablesBack + 1 {
		var c *protocol.Change
		c, base = r.change(base, 0, 1)
		n, err := change(s, list[len(list)-1].Root, c)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	since := func(later, earlier Name) []uint64 {
		t.Helper()
		table, err := s.Table(later)
		if err != nil {
			t.Fatal(err)
		}
		numbers, known := table.Since(earlier)
		if !known {
			return nil
		}
		return numbers
	}
	for name, c := range map[string]struct {
		later, earlier int
		want           []uint64
	}{
		"the one before": {3, 2, []uint64{3}}, "three before": {4, 1, []uint64{2, 3, 4}}, "itself": {2, 2, nil}, "a later one": {2, 5, nil},
		"as far as it looks": {tablesBack, 0, numbersTo(1, tablesBack)}, "further": {tablesBack + 1, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := since(list[c.later], list[c.earlier]); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	if got := since(first, Name{Volume: volume}); got != nil {
		t.Error("of no table nothing is known", got)
	}
	if err := s.remove(tableName(list[3]), 0); err != nil {
		t.Fatal(err)
	}
	if got := since(list[5], list[1]); got != nil {
		t.Error("one in between is gone", got)
	}
	if got := since(list[5], list[4]); !reflect.DeepEqual(got, []uint64{5}) {
		t.Error(got)
	}
}

func numbersTo(first, last uint64) (list []uint64) {
	for n := first; n <= last; n++ {
		list = append(list, n)
	}
	return list
}

// A change that does not follow on its base is none, and a base that is not here makes nothing. What is kept takes room, which may be refused, and then nothing
// is left.
//
// Spec: storage-cbfs §9 (ErrCapacity, ErrInvalid).
func TestChangesThatAreNotTaken(t *testing.T) {
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 100_000)
		table := large(3)
		n, err := keep(s, table)
		if err != nil {
			t.Fatal(err)
		}
		used := s.Usage().Bytes
		stripe := table.Stripes[0]
		three := protocol.Stripe{Size: 1, Roots: make([]digest.Hash, 3)}
		all, _ := large(600).Change(table) // 117,000 bytes of pages
		for name, c := range map[string]struct {
			base digest.Hash
			c    protocol.Change
			want error
		}{
			"a gap":            {n.Root, protocol.Change{K: 4, M: 2, Count: 5, List: []protocol.Numbered{{Number: 4, Stripe: stripe}}}, protocol.ErrTable},
			"shorter":          {n.Root, protocol.Change{K: 4, M: 2, Count: 2}, protocol.ErrTable},
			"another code":     {n.Root, protocol.Change{K: 2, M: 1, Count: 4, List: []protocol.Numbered{{Number: 3, Stripe: three}}}, protocol.ErrTable},
			"too many":         {n.Root, protocol.Change{K: 4, M: 2, Count: protocol.MaxStripes + 1}, protocol.ErrTable},
			"nothing":          {digest.Hash{}, protocol.Change{K: 4, M: 2}, protocol.ErrTable},
			"a base not here":  {digest.Hash{1}, protocol.Change{K: 4, M: 2, Count: 3}, ErrMissing},
			"no room":          {n.Root, *all, ErrFull},
			"no room, from 0":  {digest.Hash{}, *first(large(600).Change(&protocol.Table{})), ErrFull},
			"the same as here": {n.Root, protocol.Change{K: 4, M: 2, Count: 3, List: []protocol.Numbered{{Number: 0, Stripe: stripe}}}, nil},
		} {
			t.Run(name, func(t *testing.T) {
				if _, err := change(s, c.base, &c.c); !errors.Is(err, c.want) {
					t.Errorf("%v, want %v", err, c.want)
				}
				if s.Usage().Bytes != used {
					t.Errorf("%d bytes are left", s.Usage().Bytes-used)
				}
			})
		}
		some, next := dice{rand.New(rand.NewPCG(5, 5))}.change(table, 0, 2)
		asked := 0
		for _, most := range []int{0, 500, 5_000, 50_000} {
			t.Run(fmt.Sprint(most, " may be claimed"), func(t *testing.T) {
				asked = 0
				d, err := s.Draft(n, func(size int) bool {
					if asked+size > most {
						return false
					}
					asked += size
					return true
				})
				if err != nil {
					t.Fatal(err)
				}
				defer d.Close()
				err = d.Apply(some)
				if err == nil {
					_, err = d.Keep()
				}
				claimed := 0
				for part, size := range d.Claimed() {
					claimed += size
					if table, failed := s.Table(Name{volume, d.Root()}); failed == nil && part != d.Root() && !slices.Contains(table.Parts(), part) {
						t.Errorf("%s is none of the table's parts", part)
					}
				}
				if (err == nil) != (most > 2_000) || err != nil && !errors.Is(err, ErrFull) || claimed != asked {
					t.Error(err, asked, claimed)
				}
			})
		}
		if grown := s.Usage().Bytes - used; grown == 0 || asked != 0 { // what was claimed last was there by then
			t.Errorf("%d bytes came, %d were claimed the last time", grown, asked)
		}
		same(t, s, Name{volume, next.Root()}, next)
		if err := s.Named(n, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Collect(time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		exact(t, g, s, Name{volume, next.Root()})
	})
}

func first[T, U any](v T, _ U) T { return v }
