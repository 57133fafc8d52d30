package ledger

import (
	"errors"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var kept = store.Options{Window: store.WindowMin}

// source is a chain of some blocks to take a snapshot of.
func source(t testing.TB, blocks int) *Disk {
	t.Helper()
	from, err := OpenDisk(disk.NewMemory(), "", devnet(t), kept)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = from.Close() })
	for range blocks {
		if err := from.Append(follow(t, from)); err != nil {
			t.Fatal(err)
		}
	}
	return from
}

// stage puts a chain's newest state on the stage of another.
func stage(t testing.TB, from, to *Disk) {
	t.Helper()
	c := from.State()
	target, err := c.Target()
	if err != nil {
		t.Fatal(err)
	}
	extent, err := state.Config{}.VerifyTarget(c.Root(), target)
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := c.Foundation(extent.Length, extent.Boundary())
	if err != nil {
		t.Fatal(err)
	}
	data, n, err := c.Operations(extent.Boundary(), extent.Length, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	s, err := to.Stage()
	if err != nil {
		t.Fatal(err)
	}
	height := from.Header().Height
	b, err := from.Block(height)
	if err != nil {
		t.Fatal(err)
	}
	certificates, err := from.Certificates(height)
	if err == nil {
		err = errors.Join(s.Begin(extent.Boundary(), nodes.Pinned), s.Append(data, n), s.Seal(Sealing(b, certificates, extent)), s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A snapshot takes a chain's place: its state, its newest block with what made it final, nothing older but the genesis, and the chain goes on; another one
// takes its place in turn, and one that is not above is refused.
//
// Spec: commonware §5.7; WP "Storage and State Persistence".
func TestAdopt(t *testing.T) {
	from, d := source(t, 40), disk.NewMemory()
	to, err := OpenDisk(d, "", devnet(t), kept)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	genesis := to.Header().Hash()
	for round := range unit.Height(3) {
		stage(t, from, to)
		loaded, err := to.Load()
		if err != nil {
			t.Fatal(err)
		}
		if err := to.Adopt(loaded); err != nil {
			t.Fatal(err)
		}
		first := 40 + 10*round
		if to.First() != first || to.Header().Hash() != from.Header().Hash() || to.State().Root() != from.State().Root() {
			t.Fatalf("round %d: first %d, block %d", round, to.First(), to.Header().Height)
		}
		if c, err := to.Certificates(first); err != nil || len(c) != 1 {
			t.Errorf("certificates of the snapshot's block: %v", err)
		}
		var pruned *store.PrunedError
		if _, err := to.Block(first - 1); !errors.As(err, &pruned) || !errors.Is(err, ErrAbsent) || pruned.First != first {
			t.Errorf("block %d: %v", first-1, err)
		}
		if b, err := to.Block(0); err != nil || b.Hash() != genesis {
			t.Errorf("genesis: %v", err)
		}
		for range 5 {
			if err := to.Append(follow(t, to)); err != nil {
				t.Fatal(err)
			}
		}
		for range 10 {
			if err := from.Append(follow(t, from)); err != nil {
				t.Fatal(err)
			}
		}
	}
	low := source(t, 20)
	stage(t, low, to)
	loaded, err := to.Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Adopt(loaded); !errors.Is(err, ErrSnapshot) {
		t.Errorf("an older snapshot: %v", err)
	}
	if err := loaded.Close(); err != nil {
		t.Error(err)
	}
}

// Whatever instant the machine stops at while a snapshot takes the chain's place, and whatever it loses of what was not synced, it finds the chain
// before or the one after, whole, and goes on.
//
// Spec: WP "Storage and State Persistence"; commonware §5.7.
func TestAdoptCrash(t *testing.T) {
	from, d := source(t, 30), disk.NewMemory()
	d.Record = true
	to, err := OpenDisk(d, "", devnet(t), kept)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := to.Append(follow(t, to)); err != nil {
			t.Fatal(err)
		}
	}
	stage(t, from, to)
	began := d.Clock()
	loaded, err := to.Load()
	if err == nil {
		err = to.Adopt(loaded)
	}
	if err != nil {
		t.Fatal(err)
	}
	adopted := d.Clock()
	if err := to.Append(follow(t, to)); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	first, err := Genesis(devnet(t), kept.State, state.NewMemory(kept.State))
	if err != nil {
		t.Fatal(err)
	}
	for instant := began; instant <= d.Clock(); instant++ {
		past := d.Until(instant)
		for _, left := range []*disk.Memory{
			past.Crash(nil), past.Crash(func(string, int) int { return 0 }), past.Crash(func(_ string, n int) int { return r.Intn(n + 1) }),
		} {
			again, err := OpenDiskFrom(left, "", first, kept)
			if err != nil {
				t.Fatalf("crash at %d of [%d, %d]: %v", instant, began, adopted, err)
			}
			h := again.Header().Height
			if h != 3 && h != 30 && h != 31 || instant >= adopted && h == 3 {
				t.Fatalf("crash at %d of [%d, %d]: block %d", instant, began, adopted, h)
			}
			if again.State().Root() != again.Header().StateRoot {
				t.Fatalf("crash at %d: root %v", instant, again.State().Root())
			}
			if err := again.Append(follow(t, again)); err != nil {
				t.Fatalf("crash at %d: %v", instant, err)
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// epochProof makes the way out of an epoch of a chain with the genesis registry, as if its last block were the one with the header.
func epochProof(t testing.TB, s Store, epoch uint64) *light.EpochProof {
	t.Helper()
	h := &block.Header{Version: 1, ChainID: 1, Height: unit.Height(epoch) + 1, Epoch: epoch}
	e, err := light.Prove(s.State(), []byte("height"))
	if err != nil {
		t.Fatal(err)
	}
	certificate := &sig.Certificate{Kind: sig.Finalization, Signers: sig.NewSigners(1)}
	return &light.EpochProof{Header: h, Certificate: certificate, Handover: &light.Handover{Record: *e}}
}

// Epoch proofs are kept over crashes: those that were added are there, one that was being added is there or is not.
func TestEpochProofsCrash(t *testing.T) {
	s, d := source(t, 2), disk.NewMemory()
	d.Record = true
	c, err := openEpochProofs(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	var added []int64
	for epoch := range uint64(4) {
		if err := c.add(epochProof(t, s, epoch)); err != nil {
			t.Fatal(err)
		}
		added = append(added, d.Clock())
	}
	if err := c.add(epochProof(t, s, 2)); err != nil || d.Clock() != added[3] {
		t.Errorf("an epoch proof is written twice, %v", err)
	}
	for instant := int64(0); instant <= d.Clock(); instant += 7 {
		again, err := openEpochProofs(d.Until(instant).Crash(func(_ string, n int) int { return n / 2 }), nil)
		if err != nil {
			t.Fatal(err)
		}
		for epoch := range uint64(4) {
			x, err := again.of(epoch)
			if errors.Is(err, ErrAbsent) && added[epoch] > instant {
				continue
			}
			if err != nil || x.Header.Epoch != epoch {
				t.Fatalf("crash at %d: epoch %d: %v", instant, epoch, err)
			}
		}
		if err := again.add(epochProof(t, s, 9)); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzEpochProofsFile holds that no bytes on a disk break the file of epoch proofs.
func FuzzEpochProofsFile(f *testing.F) {
	s, d := source(f, 2), disk.NewMemory()
	c, err := openEpochProofs(d, nil)
	if err == nil {
		err = c.add(epochProof(f, s, 0))
	}
	if err != nil {
		f.Fatal(err)
	}
	d.Edit(epochProofsName, func(data []byte) []byte {
		f.Add(append([]byte(nil), data...))
		return data
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := disk.NewMemory()
		file, err := d.Create(epochProofsName)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt(data, 0); err != nil {
			t.Fatal(err)
		}
		c, err := openEpochProofs(d, nil)
		var other *format.Error
		var corrupt *store.CorruptError
		if errors.As(err, &other) || errors.As(err, &corrupt) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for epoch := range c.places {
			_, _ = c.of(epoch)
		}
		if err := c.add(epochProof(t, s, 77)); err != nil {
			t.Fatal(err)
		}
		if !c.has(77) {
			t.Error("not kept")
		}
	})
}
