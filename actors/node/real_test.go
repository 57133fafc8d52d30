package node

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// directory is a node's data on a real disk.
type directory struct {
	t    testing.TB
	path string
	spec *genesis.Spec
}

func newDirectory(t testing.TB) *directory {
	t.Helper()
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &directory{t, t.TempDir(), spec}
}

// config opens the data as a starting process would.
func (d *directory) config() Config {
	d.t.Helper()
	chain, err := disk.NewDirectory(filepath.Join(d.path, "chain"))
	if err != nil {
		d.t.Fatal(err)
	}
	journal, err := disk.NewDirectory(filepath.Join(d.path, "journal"))
	if err != nil {
		d.t.Fatal(err)
	}
	s, err := ledger.OpenDisk(chain, "", d.spec, store.Options{Window: store.WindowMin})
	if err != nil {
		d.t.Fatal(err)
	}
	v, err := DevValidator(0, 1)
	if err != nil {
		d.t.Fatal(err)
	}
	return Config{
		Genesis: d.spec, Validator: v, Store: s, Journal: journal, Shares: disk.NewMemory(), Interval: time.Millisecond, Workers: 2, Cores: 2,
		NewRunner: func() drain.Runner { return scripted{} },
		Restarts:  supervision.Limit{Restarts: 1000, Within: time.Minute},
		Backoff:   supervision.Backoff{Initial: time.Millisecond, Max: 5 * time.Millisecond},
	}
}

// saboteur panics once in each chosen subsystem.
type saboteur struct {
	mu   sync.Mutex
	due  map[string]int
	seen map[string]int
	done []string
}

func (s *saboteur) inject(subsystem string, _ any) {
	s.mu.Lock()
	s.seen[subsystem]++
	hit := s.due[subsystem] == s.seen[subsystem]
	if hit {
		s.done = append(s.done, subsystem)
	}
	s.mu.Unlock()
	if hit {
		panic("injected")
	}
}

// tell submits one transaction until the node has it.
func tell(t testing.TB, n *Node, raw []byte) {
	t.Helper()
	for range 1_000 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		errs, err := n.Lanes.Submit(ctx, [][]byte{raw})
		cancel()
		if err == nil {
			err = errs[0]
		}
		var nonce *tx.NonceError
		switch {
		case err == nil, errors.Is(err, lanes.ErrKnown), errors.As(err, &nonce) && !nonce.Gap():
			return
		case errors.Is(err, lanes.ErrBusy), errors.Is(err, supervision.ErrAbandoned), errors.Is(err, context.DeadlineExceeded):
		default:
			t.Fatal(err)
		}
	}
	t.Fatal("the node is always busy")
}

// The same on real goroutines, a real disk and the machine's clock: panics anywhere, then an orderly stop, then a second process on
// the same data, which panics elsewhere and goes on.
func TestPanicsOnARealDisk(t *testing.T) {
	d := newDirectory(t)
	w := &wallet{key: genesis.DevFaucet()}
	raws := story(w)
	places := [][]string{
		{"node/core/ledger", "node/core/pvm/worker-0", "node/intake/lanes/user"},
		{"node/core/replica", "node/core/system/0x09", "node/intake/verifier"},
		{"node/core/executor", "node/core/signatures", "node/core/proposer", "node/intake/lanes/router", "node/core/timers/ring"},
	}
	for round, paths := range places {
		s := &saboteur{due: map[string]int{}, seen: map[string]int{}}
		for i, p := range paths {
			s.due[p] = 2 + round + i
		}
		c := d.config()
		c.Supervision.Inject = s.inject
		n, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		from, to := round*len(raws)/len(places), (round+1)*len(raws)/len(places)
		for _, raw := range raws[from:to] {
			tell(t, n, raw)
		}
		awaitNonce(t, n, uint64(to))
		await(t, n, n.Ledger.Finalized()+10)
		check := &stage{t: t, node: n, seed: uint64(round)}
		check.check()
		select {
		case h := <-n.Halted():
			t.Errorf("round %d, %v: needless halt: %v", round, s.done, h)
		default:
		}
		if err := n.Stop(t.Context()); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		t.Logf("round %d: panicked %v, height %d", round, s.done, n.Ledger.Finalized())
	}
}

func awaitNonce(t testing.TB, n *Node, want uint64) {
	t.Helper()
	check := stage{node: n}
	for h := n.Ledger.Finalized(); check.nonce() < want; h++ {
		await(t, n, h+1)
	}
}

// The first block on an empty directory comes without waiting for an interval.
func TestFirstBlockIsNotDelayed(t *testing.T) {
	c := newDirectory(t).config()
	c.Interval = time.Hour
	n := start(t, c)
	await(t, n, 1)
	if got := n.Ledger.Finalized(); got != unit.Height(1) {
		t.Errorf("height %d", got)
	}
}
