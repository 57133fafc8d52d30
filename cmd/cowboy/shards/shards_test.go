package shards

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// folder is one with files of all sorts: empty, of a byte, of two stripes and a bit, in folders with dots, and a link.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "in")
	r := rand.New(rand.NewPCG(1, 2))
	for name, size := range map[string]int{"empty": 0, "a.b": 1, "d.e/f.g": 70_000, "d.e/.h/i": 5, "large": 2*2*cbfs.ChunkBytes + 12_345} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		write(t, filepath.Join(dir, name), data)
	}
	if err := os.Symlink("large", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// look reads a folder: what is in each file, where each link leads.
func look(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(full string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, full)
		switch {
		case d.IsDir():
			all[rel] = "folder"
		case d.Type().IsRegular():
			data, err := os.ReadFile(full)
			all[rel] = fmt.Sprintf("%x", digest.SHA256(data))
			return err
		default:
			all[rel], err = os.Readlink(full)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func packed(t *testing.T, dir string, k, m int) (string, *Pack, digest.Hash) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "packed")
	p, err := Make(dir, out, account.Address{1}, "docs", k, m)
	if err != nil {
		t.Fatal(err)
	}
	root, err := digest.ParseHash(p.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	return out, p, root
}

// Any two of four slots give the folder back, and one alone does not.
//
// Spec: storage-cbfs §5, §2.4.
func TestAnyKSlots(t *testing.T) {
	dir := folder(t)
	out, p, root := packed(t, dir, 2, 2)
	want := look(t, dir)
	if again, err := Read(out); err != nil || *again != *p {
		t.Errorf("%+v %v", again, err)
	}
	// Three stripes of the large file, one of each other that is not empty, one of the manifest.
	if p.Chunks != 7 || p.Objects != 5 {
		t.Errorf("%+v", p)
	}
	for lost := range 16 {
		t.Run(fmt.Sprintf("%04b", lost), func(t *testing.T) {
			some := filepath.Join(t.TempDir(), "some")
			if err := os.Mkdir(some, 0o755); err != nil {
				t.Fatal(err)
			}
			there := 0
			for slot := range 4 {
				if lost>>slot&1 == 0 {
					there++
					if err := os.Symlink(slotFolder(out, slot), slotFolder(some, slot)); err != nil {
						t.Fatal(err)
					}
				}
			}
			back := filepath.Join(t.TempDir(), "back")
			err := Unpack(some, back, root, 2, 2)
			if there < 2 {
				if !errors.Is(err, stripe.ErrFew) {
					t.Error(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := look(t, back); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// A folder of more entries than the first page has room for is packed in pages, and restored of any of the slots.
//
// Spec: storage-cbfs §2.4.
func TestManyEntries(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "in")
	below := filepath.Join(dir, strings.Repeat("d", 250))
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	target := strings.Repeat("t", 512)
	for i := range 1_100 { // of more than 1,000 bytes each, where a stripe has a MiB
		if err := os.Symlink(target, filepath.Join(below, fmt.Sprintf("%0250d", i))); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "x"), []byte("x"))
	out, p, root := packed(t, dir, 1, 1)
	if least := uint64(1_100*1_000/(256<<10)) + 2; p.Chunks < least || p.Objects != 1 {
		t.Errorf("%+v, want %d chunks", p, least)
	}
	want := look(t, dir)
	for slot := range 2 {
		t.Run(fmt.Sprint("slot ", slot), func(t *testing.T) {
			some, back := filepath.Join(t.TempDir(), "some"), filepath.Join(t.TempDir(), "back")
			if err := errors.Join(os.Mkdir(some, 0o755), os.Symlink(slotFolder(out, slot), slotFolder(some, slot))); err != nil {
				t.Fatal(err)
			}
			if err := Unpack(some, back, root, 1, 1); err != nil {
				t.Fatal(err)
			}
			if got := look(t, back); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Error("another folder")
			}
		})
	}
}

// A slot whose chunks are rotten, cut off or missing does no harm while enough others are well; where they are not, nothing false is given back as true.
//
// Spec: storage-cbfs §2.4 (read rule), §5.
func TestRottenShards(t *testing.T) {
	dir := folder(t)
	want := look(t, dir)
	for name, spoil := range map[string]func(data []byte) []byte{
		"a bit":   func(data []byte) []byte { data[0] ^= 1; return data },
		"cut off": func(data []byte) []byte { return data[:len(data)/2] },
		"longer":  func(data []byte) []byte { return append(data, 1) },
		"nothing": func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			out, p, root := packed(t, dir, 2, 2)
			ruin := func(slot int) {
				for n := range p.Chunks {
					file := chunkFile(slotFolder(out, slot), n)
					data, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					write(t, file, spoil(data))
				}
			}
			ruin(0)
			back := filepath.Join(t.TempDir(), "back")
			if err := Unpack(out, back, root, 2, 2); err != nil {
				t.Fatal(err)
			}
			if got := look(t, back); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%v, want %v", got, want)
			}
			ruin(1)
			ruin(2)
			if err := Unpack(out, filepath.Join(t.TempDir(), "back"), root, 2, 2); err == nil {
				t.Error("three rotten slots of four were believed")
			}
			if err := Unpack(out, filepath.Join(t.TempDir(), "back"), digest.Hash{1}, 2, 2); !errors.Is(err, ErrRoot) && !errors.Is(err, stripe.ErrFew) {
				t.Errorf("another root: %v", err)
			}
		})
	}
}

// Parity is that of the common construction, by hand for 2 + 1: Vandermonde's rows are (1 0) (1 1) (1 2); made systematic by the inverse of the first two,
// which is themselves, the third is (3 2). With the polynomial 0x11d 2·0x80 is 0x1d and 3·0x80 is 0x9d.
//
// Spec: storage-cbfs §5.
func TestParityByHand(t *testing.T) {
	c, err := stripe.New(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := c.Split([]byte{1, 0, 0x80, 0, 1}) // and a zero
	if want := [][]byte{{1, 0, 0x80}, {0, 1, 0}, {3, 2, 0x9d}}; err != nil || fmt.Sprint(chunks) != fmt.Sprint(want) {
		t.Errorf("%x %v, want %x", chunks, err, want)
	}
}

// A challenge is answered out of what was packed, by each slot for each chunk, and not out of what has rotted.
//
// Spec: storage-cbfs §6.
func TestProve(t *testing.T) {
	out, p, _ := packed(t, folder(t), 2, 1)
	root, err := digest.ParseHash(p.Shards)
	if err != nil {
		t.Fatal(err)
	}
	for slot := range uint8(3) {
		for n := range p.Chunks {
			a := cbfs.Ask{Root: root, Slot: slot, Ordinal: n, Draw: 1_000_003 * n}
			proof, err := Prove(out, a)
			if err != nil || proof.Verify(a) != nil {
				t.Fatalf("slot %d chunk %d: %v", slot, n, err)
			}
		}
	}
	a := cbfs.Ask{Root: root, Slot: 1, Ordinal: 2}
	file := chunkFile(slotFolder(out, 1), 2)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, append([]byte{data[0] ^ 1}, data[1:]...))
	if _, err := Prove(out, a); !errors.Is(err, cbfs.ErrProof) {
		t.Error(err)
	}
	if _, err := Prove(out, cbfs.Ask{Root: root, Slot: 3}); err == nil {
		t.Error("a slot that there is not")
	}
}

// What cannot be a volume is refused, and a manifest does not write outside of its folder.
//
// Spec: storage-cbfs §2.1, §2.4, §5.
func TestWhatIsRefused(t *testing.T) {
	dir := folder(t)
	for name, run := range map[string]func(out string) error{
		"a name":         func(out string) error { _, err := Make(dir, out, account.Address{1}, ".docs", 2, 1); return err },
		"no folder":      func(out string) error { _, err := Make(dir+"x", out, account.Address{1}, "docs", 2, 1); return err },
		"no data shards": func(out string) error { _, err := Make(dir, out, account.Address{1}, "docs", 0, 1); return err },
		"there already":  func(string) error { _, err := Make(dir, dir, account.Address{1}, "docs", 2, 1); return err },
		"a path too long": func(out string) error {
			long := filepath.Join(t.TempDir(), "long")
			write(t, filepath.Join(long, strings.Repeat("x", 200), strings.Repeat("y", 200), strings.Repeat("z", 200)), nil)
			_, err := Make(long, out, account.Address{1}, "docs", 2, 1)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := run(filepath.Join(t.TempDir(), "out")); err == nil {
				t.Error("taken")
			}
		})
	}
	in := filepath.Join(t.TempDir(), "in")
	write(t, filepath.Join(in, "a"), []byte("x"))
	if err := os.Symlink("../../elsewhere", filepath.Join(in, "b")); err != nil {
		t.Fatal(err)
	}
	out, _, root := packed(t, in, 2, 1)
	back := filepath.Join(t.TempDir(), "back")
	if err := Unpack(out, back, root, 2, 1); err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range look(t, back) {
			if !yield(name) {
				return
			}
		}
	})
	if fmt.Sprint(names) != "[. a b]" {
		t.Errorf("%v", names)
	}
}
