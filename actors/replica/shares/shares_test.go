package shares

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

var chain = digest.Hash{1}

func secret(t testing.TB, name string, n byte) *bls.PrivateKey {
	t.Helper()
	raw := genesis.DevKey(name, n)
	k, err := bls.ParsePrivateKey(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// deal is a dealer's to the player of rank 2, of another polynomial for each number.
func deal(t testing.TB, number byte) beacon.Deal {
	t.Helper()
	a, b := secret(t, "a", number), secret(t, "b", number)
	sharing, list, err := bls.Deal([][]byte{a.Bytes(), b.Bytes()}, 4)
	if err != nil {
		t.Fatal(err)
	}
	return beacon.Deal{Dealer: uint32(number), Commitment: sharing, Share: list[2], Signature: a.Sign([]byte("mine"))}
}

func open(t testing.TB, d disk.Disk) *Store {
	t.Helper()
	s, err := Open(d, chain, secret(t, "vote", 0))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func holds(s *Store, epoch uint64, want ...beacon.Deal) bool {
	got := s.Deals(epoch)
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !bytes.Equal(got[i].Encode(), want[i].Encode()) {
			return false
		}
	}
	return true
}

// What was kept is there again, what was forgotten is not, and nobody reads either without the voting key.
//
// Spec: commonware §4.3 (2, 4).
func TestStore(t *testing.T) {
	d := disk.NewMemory()
	s := open(t, d)
	share := bls.Share{Index: 3, Key: secret(t, "share", 3)}
	for _, err := range []error{
		s.Put(0, bls.Share{Index: 1, Key: secret(t, "share", 1)}), s.Put(5, share), s.Put(5, share),
		s.Keep(5, deal(t, 0)), s.Keep(6, deal(t, 0)), s.Keep(6, deal(t, 1)), s.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []*bls.PrivateKey{share.Key, deal(t, 1).Share.Key} {
		names, _ := d.List()
		for _, name := range names {
			if bytes.Contains(contents(t, d, name), key.Bytes()) {
				t.Errorf("%s shows a secret", name)
			}
		}
	}
	s = open(t, d)
	if got := s.Share(5); got == nil || got.Index != 3 || !bytes.Equal(got.Key.Bytes(), share.Key.Bytes()) || s.Share(4) != nil {
		t.Errorf("share %+v", got)
	}
	if !holds(s, 6, deal(t, 0), deal(t, 1)) || !holds(s, 5, deal(t, 0)) || !holds(s, 7) {
		t.Error("the deals are others")
	}
	if err := s.Forget(5, 6); err != nil {
		t.Fatal(err)
	}
	if s.Share(0) != nil || !holds(s, 5) || s.Share(5) == nil || !holds(s, 6, deal(t, 0), deal(t, 1)) {
		t.Error("forgot too little or too much")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if names, _ := d.List(); len(names) != 2 {
		t.Errorf("files %v", names)
	}
	for name, who := range map[string]func() (*Store, error){
		"another key":   func() (*Store, error) { return Open(d, chain, secret(t, "vote", 1)) },
		"another chain": func() (*Store, error) { return Open(d, digest.Hash{2}, secret(t, "vote", 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := who(); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

func contents(t testing.TB, d disk.Disk, name string) []byte {
	t.Helper()
	f, err := d.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, _ := f.Size()
	data := make([]byte, size)
	if _, err := f.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	return data
}

// The power fails after any operation and any part of what was not synced is on the disk: what was acknowledged is there, what is being erased is gone or
// there whole, and the store opens.
//
// Spec: commonware §4.3 (2).
func TestStoreSurvivesPowerCuts(t *testing.T) {
	steps := []func(s *Store) error{
		func(s *Store) error { return s.Put(0, bls.Share{Index: 1, Key: secret(t, "share", 1)}) },
		func(s *Store) error { return s.Keep(1, deal(t, 0)) },
		func(s *Store) error { return s.Keep(1, deal(t, 1)) },
		func(s *Store) error { return s.Put(1, bls.Share{Index: 2, Key: secret(t, "share", 2)}) },
		func(s *Store) error { return s.Forget(1, 2) },
		func(s *Store) error { return s.Keep(2, deal(t, 2)) },
	}
	for cut := 0; ; cut++ {
		d := disk.NewMemory()
		fused := &fuse{Disk: d, left: cut}
		done := 0
		if s, err := Open(fused, chain, secret(t, "vote", 0)); err == nil {
			for _, step := range steps {
				if step(s) != nil {
					break
				}
				done++
			}
		}
		for _, part := range []int{0, 1, 3, 30, 1 << 20} {
			after := d.Crash(func(_ string, length int) int { return min(part, length) })
			s, err := Open(after, chain, secret(t, "vote", 0))
			if err != nil {
				t.Fatalf("cut after %d operations, %d bytes kept: %v", cut, part, err)
			}
			if done >= 1 && done < 4 && s.Share(0) == nil || done >= 4 && s.Share(1) == nil || done >= 5 && s.Share(0) != nil {
				t.Errorf("cut after %d operations: shares %v, %v", cut, s.Share(0), s.Share(1))
			}
			if done == 2 && len(s.Deals(1)) == 0 || done == 3 && !holds(s, 1, deal(t, 0), deal(t, 1)) || done >= 5 && len(s.Deals(1)) > 0 {
				t.Errorf("cut after %d operations: %d deals", cut, len(s.Deals(1)))
			}
			if err := s.Keep(1, deal(t, 3)); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if list := open(t, after).Deals(1); len(list) == 0 || list[len(list)-1].Dealer != 3 {
				t.Errorf("cut after %d operations: %d deals after one more", cut, len(list))
			}
		}
		if done == len(steps) {
			t.Logf("%d operations", cut)
			return
		}
	}
}

// Damage that no power cut makes is named.
func TestStoreNamesDamage(t *testing.T) {
	for name, spoil := range map[string]struct {
		file string
		at   int64
	}{"a share": {"share-1", 20}, "an inner deal": {"deals-1", 20}} {
		t.Run(name, func(t *testing.T) {
			d := disk.NewMemory()
			s := open(t, d)
			for _, err := range []error{
				s.Put(1, bls.Share{Index: 1, Key: secret(t, "share", 1)}), s.Keep(1, deal(t, 0)), s.Keep(1, deal(t, 1)), s.Close(),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			f, err := d.Open(spoil.file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteAt([]byte{0xff}, spoil.at); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(d, chain, secret(t, "vote", 0)); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// fuse is a disk whose power goes after so many operations.
type fuse struct {
	disk.Disk
	left int
}

func (f *fuse) burn() error {
	if f.left == 0 {
		return disk.ErrInjected
	}
	f.left--
	return nil
}

func (f *fuse) Create(name string) (disk.File, error) {
	if err := f.burn(); err != nil {
		return nil, err
	}
	x, err := f.Disk.Create(name)
	return &fusedFile{x, f}, err
}

func (f *fuse) Open(name string) (disk.File, error) {
	x, err := f.Disk.Open(name)
	return &fusedFile{x, f}, err
}

func (f *fuse) Rename(from, to string) error {
	if err := f.burn(); err != nil {
		return err
	}
	return f.Disk.Rename(from, to)
}

func (f *fuse) Remove(name string) error {
	if err := f.burn(); err != nil {
		return err
	}
	return f.Disk.Remove(name)
}

func (f *fuse) Sync() error {
	if err := f.burn(); err != nil {
		return err
	}
	return f.Disk.Sync()
}

type fusedFile struct {
	disk.File
	fuse *fuse
}

func (f *fusedFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.fuse.burn(); err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, off)
}

func (f *fusedFile) Sync() error {
	if err := f.fuse.burn(); err != nil {
		return err
	}
	return f.File.Sync()
}
