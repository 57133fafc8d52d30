package state

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"sort"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// mirror is what an overlay must look like: a plain map.
type mirror map[string]string

func (m mirror) clone() mirror {
	out := mirror{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// scan is the obvious Scan.
func (m mirror) scan(prefix, after string, hasAfter bool, limit int) (out []string) {
	var keys []string
	for k := range m {
		if len(k) >= len(prefix) && k[:len(prefix)] == prefix && (!hasAfter || k > after) {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	for _, k := range keys {
		if limit > 0 && len(out) == limit {
			break
		}
		out = append(out, k+"="+m[k])
	}
	return out
}

// An overlay is a map with nested frames, whatever the order of writes, marks,
// reverts and reads; and what it commits is that map.
func TestOverlayAgainstMap(t *testing.T) {
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		key := func() string { return fmt.Sprintf("%c%d", 'a'+rune(r.Intn(3)), r.Intn(60)) }
		memory := NewMemory(Config{})
		base := New(Config{}, memory)
		now := mirror{}
		for range 4 {
			o := base.Overlay()
			type frame struct {
				mark Mark
				then mirror
			}
			var frames []frame
			for range 400 {
				k := key()
				switch r.Intn(9) {
				case 0, 1, 2:
					v := fmt.Sprint(r.Intn(1000))
					o.Set([]byte(k), []byte(v))
					now[k] = v
				case 3, 4:
					o.Delete([]byte(k))
					delete(now, k)
				case 5:
					frames = append(frames, frame{o.Mark(), now.clone()})
				case 6:
					if len(frames) > 0 {
						i := r.Intn(len(frames))
						o.Revert(frames[i].mark)
						now, frames = frames[i].then, frames[:i]
					}
				case 7:
					v, ok, err := o.Lookup([]byte(k))
					want, present := now[k]
					if err != nil || ok != present || string(v) != want || o.Has([]byte(k)) != present {
						t.Fatalf("seed %d: %q is %q %v %v, want %q", seed, k, v, ok, err, want)
					}
				case 8:
					checkScan(t, r, o, now, key())
				}
			}
			checkChanges(t, base, o, now)
			next, err := o.Commit(0)
			if err != nil {
				t.Fatal(err)
			}
			checkScan(t, r, next, now, "")
			base = next
		}
	}
}

func checkScan(t *testing.T, r *rand.Rand, o Reader, now mirror, k string) {
	t.Helper()
	prefix, limit := k[:min(len(k), r.Intn(3))], r.Intn(8)
	var after []byte
	if r.Intn(2) == 0 {
		after = []byte(k)
	}
	var got []string
	if err := o.Scan([]byte(prefix), after, limit, func(k, v []byte) bool {
		got = append(got, string(k)+"="+string(v))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if want := now.scan(prefix, k, after != nil, limit); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("scan %q after %q limit %d: %v, want %v", prefix, after, limit, got, want)
	}
}

// checkChanges compares the listed changes with the difference of two maps.
func checkChanges(t *testing.T, base *Commit, o *Overlay, now mirror) {
	t.Helper()
	after := mirror{}
	if err := base.Scan(nil, nil, 0, func(k, v []byte) bool {
		after[string(k)] = string(v)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	last := ""
	o.Changes(func(c Change) bool {
		k := string(c.Key)
		if last != "" && k <= last {
			t.Fatalf("change of %q after %q", k, last)
		}
		last = k
		if _, existed := after[k]; existed != c.Existed || c.Deleted && !existed {
			t.Fatalf("change of %q: existed %v, deleted %v", k, c.Existed, c.Deleted)
		}
		if c.Deleted {
			delete(after, k)
		} else {
			after[k] = string(c.Value)
		}
		return true
	})
	if fmt.Sprint(after) != fmt.Sprint(now) {
		t.Fatal("the changes do not lead from the base to the overlay")
	}
}

// The callback of a scan may write: passed keys do not come again, later writes
// are seen.
func TestScanWhileWriting(t *testing.T) {
	c := next(t, New(Config{}, NewMemory(Config{})), "a", "1", "c", "3", "e", "5")
	o := c.Overlay()
	o.Set([]byte("b"), []byte("2"))
	var got []string
	err := o.Scan(nil, nil, 0, func(k, v []byte) bool {
		got = append(got, string(k)+string(v))
		switch string(k) {
		case "a":
			o.Delete([]byte("b"))
			o.Set([]byte("0"), []byte("passed"))
			o.Set([]byte("bb"), []byte("new"))
		case "bb":
			o.Set([]byte("c"), []byte("33"))
			o.Set([]byte("f"), []byte("6"))
		case "c":
			o.Delete([]byte("c"))
			o.Set([]byte("a"), []byte("again"))
		}
		return true
	})
	if want := "[a1 bbnew c33 e5 f6]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v %v, want %s", got, err, want)
	}
}

// Writes that cancel out leave no operation; a write of the same value does.
//
// Spec: commonware §5.3.
func TestWhatBecomesAnOperation(t *testing.T) {
	base := next(t, New(Config{}, NewMemory(Config{})), "a", "1", "b", "2")
	empty := next(t, base)
	cancelled := base.Overlay()
	cancelled.Delete([]byte("nothing"))
	m := cancelled.Mark()
	cancelled.Set([]byte("a"), []byte("9"))
	cancelled.Delete([]byte("b"))
	cancelled.Set([]byte("new"), []byte("9"))
	cancelled.Revert(m)
	cancelled.Set([]byte("fleeting"), nil)
	cancelled.Delete([]byte("fleeting"))
	got, err := cancelled.commit(nil)
	if err != nil || got.Root() != empty.Root() {
		t.Errorf("cancelled writes left a trace: %v", err)
	}
	if same := next(t, base, "a", "1"); same.Root() == empty.Root() || same.Delta().Len() != 1+2+1 {
		t.Errorf("a write of the same value: %d operations", same.Delta().Len())
	}
}

// A Source that fails gives an error, never an absent key.
func TestSourceFailure(t *testing.T) {
	broken := errors.New("disk on fire")
	memory := NewMemory(Config{})
	base := New(Config{}, memory)
	c := next(t, base, "a", "1", "b", "2")
	for _, d := range c.tail {
		if err := memory.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	failing := c.Settled(&faulty{memory, broken})
	if _, ok, err := failing.Lookup([]byte("a")); ok || !errors.Is(err, broken) {
		t.Errorf("lookup: %v %v", ok, err)
	}
	if _, ok, err := failing.Lookup([]byte("absent")); ok || err != nil {
		t.Errorf("absent key: %v %v", ok, err)
	}
	o := failing.Overlay()
	if _, ok, err := o.Lookup([]byte("a")); ok || !errors.Is(err, broken) {
		t.Errorf("overlay lookup: %v %v", ok, err)
	}
	if err := o.Scan(nil, nil, 0, func(_, _ []byte) bool { return true }); !errors.Is(err, broken) {
		t.Errorf("scan: %v", err)
	}
	o.Set([]byte("a"), []byte("3"))
	if _, err := o.Commit(1); !errors.Is(err, broken) {
		t.Errorf("commit: %v", err)
	}
	if _, err := failing.ProveAbsent([]byte("zz")); !errors.Is(err, broken) {
		t.Errorf("proof: %v", err)
	}
}

type faulty struct {
	*Memory
	err error
}

func (f *faulty) Operation(uint64) ([]byte, error) { return nil, f.err }

func (f *faulty) Ascending() func(uint64) ([]byte, error) { return f.Operation }

// Pieces handed to Spread may run in any order.
func TestSpreadOrder(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	shuffled := Config{Spread: func(pieces int, do func(int)) {
		for _, i := range r.Perm(pieces) {
			do(i)
		}
	}}
	a, b := New(Config{}, NewMemory(Config{})), New(shuffled, NewMemory(shuffled))
	for range 4 {
		oa, ob := a.Overlay(), b.Overlay()
		for range 3000 {
			k, v := be8(uint64(r.Intn(5000))), be8(r.Uint64())
			oa.Set(k, v)
			ob.Set(k, v)
		}
		var errA, errB error
		a, errA = oa.Commit(1)
		b, errB = ob.Commit(1)
		if errA != nil || errB != nil || a.Roots() != b.Roots() {
			t.Fatalf("%v %v", errA, errB)
		}
	}
}

func TestLimitsPanic(t *testing.T) {
	o := New(Config{}, NewMemory(Config{})).Overlay()
	o.Set(bytes.Repeat([]byte{1}, KeyMax), make([]byte, ValueMax))
	if c, err := o.Commit(0); err != nil || c.Len() != 1 {
		t.Errorf("largest entry: %v", err)
	}
	for name, write := range map[string]func(){
		"key":   func() { o.Set(make([]byte, KeyMax+1), nil) },
		"value": func() { o.Set(nil, make([]byte, ValueMax+1)) },
	} {
		t.Run(name, func(t *testing.T) {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s above its limit was accepted", name)
					}
				}()
				write()
			}()
		})
	}
}

// Positions by the formulas agree with counting nodes one by one.
//
// Spec: commonware §5.4.
func TestPositions(t *testing.T) {
	pos := uint64(0)
	for leaf := range uint64(3000) {
		if mmr.LeafPosition(leaf) != pos {
			t.Fatalf("leaf %d at %d, want %d", leaf, mmr.LeafPosition(leaf), pos)
		}
		pos++
		for h := uint8(1); (leaf+1)%(1<<h) == 0; h++ {
			n := mmr.Node{Start: leaf + 1 - 1<<h, Height: h}
			if n.Position() != pos || n.Right().Position() != pos-1 || n.Left().Position() != pos-1<<h {
				t.Fatalf("node %+v at %d, want %d", n, n.Position(), pos)
			}
			pos++
		}
		if mmr.Size(leaf+1) != pos {
			t.Fatalf("%d leaves: size %d, want %d", leaf+1, mmr.Size(leaf+1), pos)
		}
	}
}

// A scan tells of the keys that the block has removed each time, and passes what was never there once: written and removed, or written and undone.
func TestScanOver(t *testing.T) {
	o := next(t, New(Config{}, NewMemory(Config{})), "a", "1", "b", "2", "c", "3").Overlay()
	for _, k := range []string{"a", "c"} {
		o.Delete([]byte(k))
	}
	mark := o.Mark()
	for i := range 300 {
		o.Set(fmt.Appendf(nil, "a%03d", i), []byte("x"))
	}
	o.Revert(mark)
	for i := range 300 {
		o.Set(fmt.Appendf(nil, "b%03d", i), []byte("x"))
		o.Delete(fmt.Appendf(nil, "b%03d", i))
	}
	for range 2 {
		gone, got := 0, ""
		err := o.ScanOver(nil, nil, 0, func() bool { gone++; return true }, func(k, v []byte) bool { got += string(k) + string(v); return true })
		if err != nil {
			t.Fatal(err)
		}
		if gone != 2 || got != "b2" || o.sorted.len != 2 {
			t.Fatalf("%q, %d gone, %d in the list", got, gone, o.sorted.len)
		}
	}
	gone := 0
	err := o.ScanOver(nil, nil, 0, func() bool { gone++; return false }, func(_, _ []byte) bool { t.Error("went on"); return true })
	if err != nil || gone != 1 {
		t.Fatal(gone, err)
	}
	o.Set([]byte("a007"), []byte("y"))
	got := ""
	if err := o.Scan([]byte("a"), nil, 0, func(k, v []byte) bool { got += string(k) + string(v); return true }); err != nil || got != "a007y" {
		t.Fatal(got, err)
	}
}

// What a scan took out of the list comes back with the undoing of its removal.
func TestScanThenRevert(t *testing.T) {
	o := next(t, New(Config{}, NewMemory(Config{})), "b", "2").Overlay()
	o.Set([]byte("a"), []byte("1"))
	mark := o.Mark()
	o.Delete([]byte("a"))
	read := func() (got string) {
		if err := o.Scan(nil, nil, 0, func(k, v []byte) bool { got += string(k) + string(v); return true }); err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := read(); got != "b2" {
		t.Fatal(got)
	}
	o.Revert(mark)
	if got := read(); got != "a1b2" {
		t.Fatal(got)
	}
	c, err := o.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	if v, ok, err := c.Lookup([]byte("a")); err != nil || !ok || string(v) != "1" {
		t.Fatal(v, ok, err)
	}
}
