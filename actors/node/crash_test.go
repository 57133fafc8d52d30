package node

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// machine is the disks of a computer that can lose its power.
type machine struct {
	t       *testing.T
	spec    *genesis.Spec
	chain   *disk.Memory
	journal *disk.Memory
	draw    uint64
}

func newMachine(t *testing.T, seed uint64) *machine {
	t.Helper()
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &machine{t, spec, disk.NewMemory(), disk.NewMemory(), mix(seed)}
}

// boot starts a node on what the disks hold.
func (m *machine) boot(seed uint64) *stage {
	m.t.Helper()
	s, err := ledger.OpenDisk(m.chain, "", m.spec, store.Options{Window: store.WindowMin})
	if err != nil {
		m.t.Fatalf("seed %d: the store does not open after a crash: %v", seed, err)
	}
	st := newStageOn(m.t, seed, func(c *Config) { c.Store, c.Journal = s, m.journal })
	st.node.supervisor.Spawn()
	return st
}

// crash cuts the power: of every write that was not synced, any part may be on the disk or not.
func (m *machine) crash() {
	keep := func(_ string, length int) int {
		m.draw = mix(m.draw)
		return int(m.draw % uint64(length+1))
	}
	m.chain, m.journal = m.chain.Crash(keep), m.journal.Crash(keep)
}

// The power fails at any step of the node, again and again. Every restart goes on: no block that was final is lost or replaced, no round is voted
// in twice, and the chain executes to its own roots.
//
// Spec: commonware §3.5, §5.10; WP "Storage and State Persistence".
func TestPowerCutsAnywhere(t *testing.T) {
	cuts := 0
	for seed := uint64(1); seed <= uint64(max(*rounds/8, 4)); seed++ {
		m := newMachine(t, seed)
		final := map[unit.Height]digest.Hash{}
		ended := false
		for life := uint64(0); !ended; life++ {
			s := m.boot(seed<<8 | life)
			m.draw = mix(m.draw)
			left := int(1 + m.draw%70)
			ended = s.run(func() bool {
				left--
				return left < 0 && life < 12 || s.done()
			}) && s.done()
			checkFinal(t, s, seed, final)
			if h := s.halted(); h != nil {
				t.Fatalf("seed %d, life %d: %v", seed, life, h)
			}
			if ended {
				s.check()
				s.stop()
				break
			}
			cuts++
			m.crash()
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d power cuts", cuts)
}

// checkFinal holds what is final now against what was final before, and remembers it.
func checkFinal(t *testing.T, s *stage, seed uint64, final map[unit.Height]digest.Hash) {
	t.Helper()
	tip := s.node.Ledger.Tip()
	if tip == nil {
		return
	}
	for h := range final {
		if h > tip.Header.Height {
			t.Fatalf("seed %d: block %d was final and is gone; the tip is %d", seed, h, tip.Header.Height)
		}
	}
	for h := unit.Height(0); h <= tip.Header.Height; h++ {
		b, err := s.node.Ledger.Block(h)
		if err != nil {
			t.Fatal(err)
		}
		if before, known := final[h]; known && before != b.Hash() {
			t.Fatalf("seed %d: block %d was %v and is %v", seed, h, before, b.Hash())
		}
		final[h] = b.Hash()
	}
}
