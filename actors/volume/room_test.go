package volume

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"testing/iotest"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// A room has all that is read, whatever was said of the length; one byte more than may be is told by the length.
func TestReadRoom(t *testing.T) {
	for _, test := range []struct{ size, likely, most, want int }{
		{0, 0, 10, 0}, {10, 10, 10, 10}, {10, 0, 10, 10}, {11, 10, 10, 11}, {12, 3, 10, 11}, {9 << 20, 0, 10 << 20, 9 << 20},
		{9 << 20, 5 << 20, 10 << 20, 9 << 20}, {5 << 20, 100 << 20, 10 << 20, 5 << 20}, {11 << 20, 11 << 20, 10 << 20, 10<<20 + 1},
	} {
		t.Run(fmt.Sprintf("%d of %d", test.size, test.likely), func(t *testing.T) {
			data := random(uint64(test.size), test.size)
			r, size, err := readRoom(bytes.NewReader(data), test.likely, test.most)
			if err != nil || size != test.want || !bytes.Equal(r.bytes[:size], data[:size]) {
				t.Fatal(size, err)
			}
			r.leave()
		})
	}
	broken := errors.New("broken")
	if _, _, err := readRoom(iotest.ErrReader(broken), 5<<20, 10<<20); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// What is kept of rooms is the next one's, and bounded.
func TestRoomsAreKept(t *testing.T) {
	var all []*room
	for range 3 {
		r, err := takeRoom(roomsKept / 2)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	for _, r := range all {
		r.leave()
	}
	rooms.mu.Lock()
	size, free := rooms.size, len(rooms.free)
	rooms.mu.Unlock()
	if size > roomsKept || free == 0 {
		t.Errorf("%d bytes of %d rooms are kept", size, free)
	}
	again, err := takeRoom(roomsKept / 2)
	if err != nil || &again.bytes[0] != &all[0].bytes[0] && &again.bytes[0] != &all[1].bytes[0] {
		t.Error("a room that was kept is not used again", err)
	}
	again.leave()
}

// An answer is late after 250 ms, and after twice of what chunks take where they take longer, unless the client says otherwise.
func TestLateWhereAllIsSlow(t *testing.T) {
	c := &Client{}
	if c.late() != lateAfter {
		t.Error(c.late())
	}
	for range 100 {
		c.took(time.Second)
	}
	if l := c.late(); l < 1_990*time.Millisecond || l > 2*time.Second {
		t.Error(l)
	}
	for range 100 {
		c.took(10 * time.Millisecond)
	}
	if c.late() != lateAfter {
		t.Error(c.late())
	}
	if c.Late = 100 * time.Millisecond; c.late() != c.Late {
		t.Error(c.late())
	}
}

// What a client remembers of a commit is that commit's alone, and is not for an account that may no more read it.
//
// Spec: storage-cbfs §2.4 (read rule), §2.5.
func TestRemembered(t *testing.T) {
	w := newWorld(t, 6)
	id, owner := w.Owned("docs", true)
	must(t, owner.Apply(t.Context(), id, []Change{file("a", []byte("one"))}))
	bob := w.Granted(id, 7, cbfs.ReadOnly, "", 0)
	before, err := bob.Open(t.Context(), id)
	must(t, err)
	if again, err := bob.Open(t.Context(), id); err != nil || again.tree != before.tree {
		t.Error("it is read again", err)
	}
	must(t, owner.Apply(t.Context(), id, []Change{file("b", []byte("two"))}))
	if after, err := bob.Open(t.Context(), id); err != nil || after.Count() != 2 || before.Count() != 1 {
		t.Error(err)
	}
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	if bob.remembered(v) == nil {
		t.Error("nothing is remembered")
	}
	for what, change := range map[string]func(v *reach.Volume){
		"another commit": func(v *reach.Volume) { v.Manifest[0]++ },
		"no token":       func(v *reach.Volume) { v.Tokens = nil },
		"deleted":        func(v *reach.Volume) { v.Status = "DELETED" },
		"another volume": func(v *reach.Volume) { v.ID[0]++ },
	} {
		t.Run(what, func(t *testing.T) {
			other := *v
			if change(&other); bob.remembered(&other) != nil {
				t.Error("it is read from memory")
			}
		})
	}
}
