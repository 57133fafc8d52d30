package volume

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

func random(seed uint64, size int) []byte {
	r, data := rand.New(rand.NewPCG(seed, 7)), make([]byte, size)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// What is put is got again, through six relays, in a public and in a private volume: empty, of a byte, of several stripes; what is put over it and removed too.
//
// Spec: storage-cbfs §2.4, §3.1, §5.
func TestPutAndGet(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	for _, private := range []bool{false, true} {
		t.Run(fmt.Sprint("private ", private), func(t *testing.T) {
			id := w.create(fmt.Sprint("docs-", private), private, 4, 2)
			want := map[string][]byte{"empty": nil, "a/b/one": {7}, "a/large": random(1, 9<<20+123), "z": random(2, 70_000)}
			var all []Change
			for path, data := range want {
				all = append(all, file(path, data))
			}
			must(t, c.Apply(t.Context(), id, all))
			check := func() {
				t.Helper()
				for path, data := range want {
					t.Run(path, func(t *testing.T) {
						if got, err := read(t.Context(), c, id, path); err != nil || !bytes.Equal(got, data) {
							t.Errorf("%d bytes, %v", len(got), err)
						}
					})
				}
			}
			check()
			w.confirmed(id)
			want["z"] = random(3, 5_000)
			delete(want, "a/b/one")
			must(t, c.Apply(t.Context(), id, []Change{file("z", want["z"]), {Path: "a/b", Remove: true}, {Path: "link", Kind: cbfs.Symlink, Target: "z"}}))
			check()
			w.confirmed(id)
			s, err := c.Open(t.Context(), id)
			must(t, err)
			var paths []string
			for e, err := range s.Entries(t.Context(), "") {
				must(t, err)
				paths = append(paths, e.Path)
			}
			if fmt.Sprint(paths) != "[a a/large empty link z]" {
				t.Error(paths)
			}
			if _, err := read(t.Context(), c, id, "a/b/one"); !errors.Is(err, ErrPath) {
				t.Error(err)
			}
		})
	}
}

// Nothing of a private volume's files and paths is in what relays keep.
//
// Spec: storage-cbfs §1, §3.1.
func TestNothingOfAPrivateVolumeIsOnRelays(t *testing.T) {
	w := newWorld(t, 6)
	c := w.client(ann)
	secret, public := []byte("a word that nobody but ann may read"), []byte("a word that everybody may read, to show that the search finds")
	private, open := w.create("private", true, 4, 2), w.create("public", false, 4, 2)
	must(t, c.Apply(t.Context(), private, []Change{file("a/telling/path", bytes.Repeat(secret, 40))}))
	must(t, c.Apply(t.Context(), open, []Change{file("x", bytes.Repeat(public, 40))}))
	found := map[string]int{}
	for _, n := range w.relays {
		must(t, filepath.WalkDir(n.dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			for name, word := range map[string][]byte{"secret": secret, "path": []byte("telling"), "public": public} {
				if bytes.Contains(data, word) {
					found[name]++
				}
			}
			return err
		}))
	}
	if found["secret"] != 0 || found["path"] != 0 || found["public"] == 0 {
		t.Error(found)
	}
	other := w.client(ann)
	other.Key = &[KeySize]byte{43}
	if _, err := other.Open(t.Context(), private); !errors.Is(err, ErrKey) {
		t.Error(err)
	}
	if other.Key = nil; other.Key == nil {
		if _, err := other.Open(t.Context(), private); !errors.Is(err, ErrKey) {
			t.Error(err)
		}
	}
	if _, err := w.client(walletOf(201)).Open(t.Context(), private); !errors.Is(err, ErrToken) {
		t.Error(err)
	}
}

// Two of five relays lose their disks and never come back. All is read from the other three. The chain gives their slots to others, which make their shards of
// those that are left, confirm them, and prove them when they are asked.
//
// Spec: storage-cbfs §4 (repair), §6.
func TestTwoRelaysAreLost(t *testing.T) {
	w := newWorld(t, 8)
	c := w.client(ann)
	c.Least = 3
	id := w.create("docs", true, 2, 3)
	data := random(5, 5<<20)
	must(t, c.Apply(t.Context(), id, []Change{file("a", data)}))
	w.confirmed(id)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	lost := map[account.Address]bool{v.Slots[0].Relay: true, v.Slots[3].Relay: true}
	for i, n := range w.relays {
		if lost[n.self] {
			w.kill(i)
		}
	}
	must(t, c.Apply(t.Context(), id, []Change{file("b", []byte("later"))}))
	if got, err := read(t.Context(), c, id, "a"); err != nil || !bytes.Equal(got, data) {
		t.Fatal(len(got), err)
	}
	w.confirmed(id)
	w.pass(3_601)
	w.until("the slots are with others", func() bool {
		v, err = w.Volume(t.Context(), id)
		must(t, err)
		for _, s := range v.Slots {
			if lost[s.Relay] || s.Root != v.Root {
				return false
			}
		}
		return true
	})
	for _, slot := range []uint8{0, 3} {
		w.mu.Lock()
		challenge, err := w.registry.Challenge(ann.Address(), id, slot, w.registry.Terms.Proof.Bond+w.registry.Terms.Proof.Fee)
		w.mu.Unlock()
		must(t, err)
		w.until("the challenge is answered", func() bool {
			r, err := w.Relay(t.Context(), v.Slots[slot].Relay)
			must(t, err)
			for _, one := range r.Challenges {
				if one.ID == challenge {
					return false
				}
			}
			return true
		})
	}
	// The two that were read from before go too: what was repaired is enough.
	for i, n := range w.relays {
		if n.self == v.Slots[1].Relay || n.self == v.Slots[2].Relay || n.self == v.Slots[4].Relay {
			w.kill(i)
		}
	}
	if got, err := read(t.Context(), c, id, "a"); err != nil || !bytes.Equal(got, data) {
		t.Error(len(got), err)
	}
}
