package index

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

var flips = flag.Uint64("flips", 60, "seeds of TestFlippedBytes")

func nobody(error) {}

// pairs are blocks of a transaction and its message each.
func pairs(n int, address func() account.Address) (blocks source) {
	for h := range n {
		blocks = append(blocks, []*block.Receipt{
			{Kind: block.Transaction, ID: digest.Hash{byte(h), byte(h >> 8), 1}, Sender: address(), Target: address()},
			{Kind: block.Message, ID: digest.Hash{byte(h), byte(h >> 8), 2}, Cause: digest.Hash{byte(h), byte(h >> 8), 1}, Sender: address(),
				Target: address()},
		})
	}
	return blocks
}

// question and answer are of a list of entries.
type question struct {
	of   account.Address
	role Role
}

type answer struct {
	list  []Place
	total uint64
}

// answersOf asks a whole file for all lists of thirty addresses.
func answersOf(t *testing.T, f *file) map[question]answer {
	t.Helper()
	all := map[question]answer{}
	for i := range byte(30) {
		for _, role := range []Role{Sender, Target, Signer} {
			list, total, err := f.newest(account.Address{9, i}, role, 0, 1_000)
			if err != nil || total == 0 || uint64(len(list)) != total {
				t.Fatalf("%d: %d of %d, %v", i, len(list), total, err)
			}
			all[question{account.Address{9, i}, role}] = answer{list, total}
		}
	}
	return all
}

// TestFlippedBytes: a file in which one byte, twenty or two hundred are not what was written gives right answers or says that it is damaged, and gives them
// once it was made anew. bbolt's panics stay inside.
func TestFlippedBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	address := func() account.Address { return account.Address{9, byte(random.IntN(30))} }
	blocks := pairs(600, address)
	whole := &Subsystem{Path: filepath.Join(t.TempDir(), "index.db"), Source: blocks, Handle: NewHandle()}
	goOn := func(s *Subsystem) {
		for range 2*len(blocks)/batch + 4 {
			s.catchUp()
		}
	}
	whole.open()
	goOn(whole)
	want := answersOf(t, whole.file)
	whole.close()
	if err := Check(whole.Path); err != nil {
		t.Fatalf("the check of a whole file: %v", err)
	}
	if err := Check(whole.Path + ".none"); err != nil {
		t.Fatalf("the check of no file: %v", err)
	}
	image, err := os.ReadFile(whole.Path)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for seed := range *flips {
		random := rand.New(rand.NewPCG(seed, 2))
		spoilt := slices.Clone(image)
		for range []int{1, 20, 200}[seed%3] {
			spoilt[random.IntN(len(spoilt))] ^= byte(1 + random.IntN(255))
		}
		s := &Subsystem{Path: filepath.Join(t.TempDir(), "index.db"), Source: blocks, Handle: NewHandle(), Damaged: func(err error) { told++ }}
		if err := os.WriteFile(s.Path, spoilt, 0o644); err != nil {
			t.Fatal(err)
		}
		checked := Check(s.Path)
		if now, err := os.ReadFile(s.Path); err != nil || !slices.Equal(now, spoilt) {
			t.Fatalf("seed %d: who only looks changed the file: %v", seed, err)
		}
		before := told
		s.open()
		if told > before && checked == nil {
			t.Errorf("seed %d: the index was made anew, and the check finds nothing", seed)
		}
		goOn(s)
		for round := 0; ; round++ {
			err := func(f *file) error {
				for q, w := range want {
					list, total, err := f.newest(q.of, q.role, 0, 1_000)
					if err != nil {
						return err
					}
					if total != w.total || !reflect.DeepEqual(list, w.list) {
						t.Errorf("seed %d: %v has %d entries, want %d: silently wrong", seed, q, total, w.total)
					}
					oldest, err := f.from(q.of, q.role, Place{}, 1_000)
					if err != nil {
						return err
					}
					slices.Reverse(oldest)
					if !reflect.DeepEqual(oldest, w.list) {
						t.Errorf("seed %d: %v from the oldest on: silently wrong", seed, q)
					}
				}
				return nil
			}(s.file)
			if err == nil {
				break
			}
			var damaged *DamagedError
			if !errors.As(err, &damaged) || round == 1 {
				t.Fatalf("seed %d, round %d: %v", seed, round, err)
			}
			if checked == nil {
				t.Errorf("seed %d: %v, and the check found nothing", seed, err)
			}
			s.replace(s.file, err)
			goOn(s)
		}
		s.close()
	}
	if told == 0 {
		t.Error("nothing was ever told")
	}
	t.Logf("%d files, %d found damaged", *flips, told)
}

// TestTemporaryFileHasNoName: while the index is open nothing of it is in the directory, and it is made again by a restart.
func TestTemporaryFileHasNoName(t *testing.T) {
	dir := t.TempDir()
	blocks := source{{{Kind: block.Transaction, ID: digest.Hash{1}, Sender: account.Address{9}, Target: account.Address{8}}}}
	s := &Subsystem{Path: filepath.Join(dir, "index.db"), Temporary: true, Source: blocks, Handle: NewHandle()}
	for range 2 {
		s.open()
		if list, total, err := s.file.newest(account.Address{9}, Signer, 0, 10); err != nil || total != 1 || len(list) != 1 {
			t.Errorf("%v %d %v", list, total, err)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
			t.Errorf("%v is left, %v", names, err)
		}
		s.close()
	}
}
