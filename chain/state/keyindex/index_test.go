package keyindex

import (
	"errors"
	"fmt"
	"math/rand"
	"sort"
	"testing"
)

// check compares an index with a plain map through every way of reading it.
func check(t *testing.T, x Index, want map[string]uint64, probes []string) {
	t.Helper()
	keys := make([]string, 0, len(want))
	for k := range want {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	if x.Len() != len(keys) {
		t.Fatalf("%d keys, want %d", x.Len(), len(keys))
	}
	i := 0
	for c := x.First(); c.Valid(); c.Next() {
		if k := string(c.AppendKey(nil)); k != keys[i] || c.Location() != want[k] {
			t.Fatalf("key %d is %q at %d, want %q at %d", i, k, c.Location(), keys[i], want[keys[i]])
		}
		i++
	}
	for c := x.Last(); c.Valid(); c.Prev() {
		i--
		if k := string(c.AppendKey(nil)); k != keys[i] {
			t.Fatalf("backward: %q, want %q", k, keys[i])
		}
	}
	if i != 0 {
		t.Fatalf("%d keys missing backward", i)
	}
	at := func(c Cursor) string {
		if !c.Valid() {
			return "none"
		}
		return "=" + string(c.AppendKey(nil))
	}
	pick := func(i int) string {
		if i < 0 || i >= len(keys) {
			return "none"
		}
		return "=" + keys[i]
	}
	for _, p := range probes {
		i := sort.SearchStrings(keys, p)
		_, present := want[p]
		after := i
		if present {
			after++
		}
		loc, ok := x.Find([]byte(p))
		if ok != present || loc != want[p] {
			t.Fatalf("find %q: %d %v", p, loc, ok)
		}
		for name, got := range map[string][2]string{
			"seek":   {at(x.Seek([]byte(p))), pick(i)},
			"after":  {at(x.After([]byte(p))), pick(after)},
			"before": {at(x.Before([]byte(p))), pick(i - 1)},
		} {
			if got[0] != got[1] {
				t.Fatalf("%s %q: %s, want %s", name, p, got[0], got[1])
			}
		}
	}
}

func TestIndexAgainstMap(t *testing.T) {
	for seed := range int64(6) {
		r := rand.New(rand.NewSource(seed))
		space := []int{10, 300, 3000, 20000, 300, 9000}[seed]
		name := func() string {
			n := r.Intn(space)
			if seed%2 == 0 {
				return fmt.Sprintf("prefix/%05d", n)
			}
			return fmt.Sprint(n * 7919)
		}
		type version struct {
			index Index
			want  map[string]uint64
		}
		var versions []version
		now := version{want: map[string]uint64{}}
		for stamp := uint64(1); stamp < 30; stamp++ {
			next := version{want: map[string]uint64{}}
			for k, v := range now.want {
				next.want[k] = v
			}
			e := now.index.Edit(stamp)
			shrinking := stamp%10 > 6
			for range r.Intn(space) + 1 {
				k := name()
				before, present := next.want[k]
				var was uint64
				var existed bool
				if shrinking != (r.Intn(4) == 0) {
					was, existed = e.Remove([]byte(k))
					delete(next.want, k)
				} else {
					loc := uint64(r.Int63n(LocationMax))
					was, existed = e.Put([]byte(k), loc)
					next.want[k] = loc
				}
				if existed != present || was != before {
					t.Fatalf("%q was at %d (%v), want %d (%v)", k, was, existed, before, present)
				}
			}
			if stamp == 20 { // down to nothing
				for k := range next.want {
					e.Remove([]byte(k))
				}
				next.want = map[string]uint64{}
			}
			next.index = e.Index()
			now = next
			versions = append(versions, next)
		}
		var probes []string
		for range 200 {
			probes = append(probes, name())
		}
		probes = append(probes, "", "\xff", "prefix/", "prefix")
		for _, v := range versions { // none was changed by later edits
			check(t, v.index, v.want, probes)
			leaves := v.index.Leaves(0)
			built, err := Build(len(leaves), func(i int) []byte { return leaves[i].Append(nil) })
			if err != nil {
				t.Fatal(err)
			}
			check(t, built, v.want, probes)
		}
	}
}

func TestLeavesSince(t *testing.T) {
	e := Index{}.Edit(1)
	for i := range 10000 {
		e.Put(fmt.Appendf(nil, "%05d", i), uint64(i))
	}
	x := e.Index()
	e = x.Edit(2)
	e.Put([]byte("05000"), 1)
	if got := len(e.Index().Leaves(1)); got != 1 {
		t.Errorf("%d leaves changed, want 1", got)
	}
	if got := len(x.Leaves(1)); got != 0 {
		t.Errorf("%d leaves of the old index changed", got)
	}
}

func TestBuildRefuses(t *testing.T) {
	e := Index{}.Edit(1)
	for i := range 500 {
		e.Put(fmt.Appendf(nil, "%05d", i), uint64(i))
	}
	leaves := e.Index().Leaves(0)
	if _, err := Build(2, func(i int) []byte { return leaves[1-i].Append(nil) }); !errors.Is(err, ErrLeaf) {
		t.Errorf("leaves out of order: %v", err)
	}
	whole := leaves[0].Append(nil)
	for n := range whole {
		if _, err := Build(1, func(int) []byte { return whole[:n] }); !errors.Is(err, ErrLeaf) {
			t.Fatalf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}

func FuzzBuild(f *testing.F) {
	e := Index{}.Edit(1)
	for i := range 40 {
		e.Put(fmt.Appendf(nil, "key %d", i*i), uint64(i))
	}
	f.Add(e.Index().Leaves(0)[0].Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := Build(1, func(int) []byte { return data })
		if err != nil {
			return
		}
		if got := x.Leaves(0)[0].Append(nil); string(got) != string(data) {
			t.Fatalf("%x encodes as %x", data, got)
		}
	})
}

// An index that is built holds its keys, also where every inner node is exactly full, or one leaf more or less.
func TestBuildAtTheEdges(t *testing.T) {
	for _, n := range []int{0, 1, nodeFill - 1, nodeFill, nodeFill + 1, 2 * nodeFill, nodeFill*nodeFill - 1, nodeFill * nodeFill, nodeFill*nodeFill + 1} {
		key := func(i int) []byte { return []byte{byte(i >> 16), byte(i >> 8), byte(i)} }
		x, err := Build(n, func(i int) []byte {
			l := &leaf{keys: packAll([][]byte{key(i)})}
			l.locs[locationSize-1] = byte(i)
			return Leaf{leaf: l}.Append(nil)
		})
		if err != nil || x.Len() != n {
			t.Fatalf("%d leaves: %d keys, %v", n, x.Len(), err)
		}
		for i := range n {
			if _, ok := x.Find(key(i)); !ok {
				t.Fatalf("%d leaves: key %d is missing", n, i)
			}
		}
		if _, ok := x.Find(key(n)); ok {
			t.Fatalf("%d leaves: a key too many", n)
		}
	}
}
