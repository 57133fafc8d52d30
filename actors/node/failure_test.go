package node

import (
	"errors"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/supervision"
)

var errInput = errors.New("input/output error")

// failingStore cannot append any more after some blocks.
type failingStore struct {
	ledger.Store
	left int
}

func (f *failingStore) Append(list ...*ledger.Final) error {
	if f.left -= len(list); f.left < 0 {
		return errInput
	}
	return f.Store.Append(list...)
}

// failingDisk makes files whose syncs fail after some time.
type failingDisk struct {
	disk.Disk
	left int
}

type failingFile struct {
	disk.File
	disk *failingDisk
}

func (d *failingDisk) Create(name string) (disk.File, error) {
	f, err := d.Disk.Create(name)
	return &failingFile{f, d}, err
}

func (f *failingFile) Sync() error {
	if f.disk.left--; f.disk.left < 0 {
		return errInput
	}
	return f.File.Sync()
}

// halts runs a node that is to stop itself, and returns why.
func halts(t *testing.T, edit func(*Config)) (*stage, *supervision.Halt) {
	t.Helper()
	s := newStageOn(t, 3, edit)
	s.node.supervisor.Spawn()
	s.ends()
	h := s.halted()
	if h == nil {
		t.Fatalf("the node goes on\n%s", s.node.Status().Text())
	}
	if s.node.Status().State != "stopped" {
		t.Errorf("the tree is %s after its halt", s.node.Status().State)
	}
	return s, h
}

// Nothing is restarted over a failed write or sync: the node stops in order, with the reason, and what was final stays final.
//
// Spec: ARCHITECTURE "The supervision tree"; commonware §3.5, §5.10.
func TestFailedSyncHalts(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*Config)
		who  string
	}{
		"ledger":  {func(c *Config) { c.Store = &failingStore{c.Store, 2} }, "node/core/ledger"},
		"journal": {func(c *Config) { c.Journal = &failingDisk{c.Journal, 5} }, "node/core/replica"},
		"opening": {func(c *Config) { c.Journal = &failingDisk{c.Journal, 0} }, "node/core/replica"},
	} {
		t.Run(name, func(t *testing.T) {
			s, h := halts(t, c.edit)
			if h.Subsystem != c.who || !strings.Contains(h.Reason, errInput.Error()) || h.Report.Cause != supervision.Broken {
				t.Errorf("halt %+v", h)
			}
			if got := s.node.Status().Children[0].Restarts; got != 0 {
				t.Errorf("core was restarted %d times over it", got)
			}
			s.check()
		})
	}
}

// blindRunner cannot read the state.
type blindRunner struct{ scripted }

func (b blindRunner) Run(t *drain.Turn) (drain.Outcome, error) {
	if t.Block.Height >= 2 {
		return drain.Outcome{}, errInput
	}
	return b.scripted.Run(t)
}

// A machine that cannot execute a block does not guess: validity is unknown, so the node stops.
//
// Spec: ARCHITECTURE "Errors".
func TestFailingExecutionHalts(t *testing.T) {
	_, h := halts(t, func(c *Config) { c.NewRunner = func() drain.Runner { return blindRunner{} } })
	if h.Subsystem != "node/core/executor" || !strings.Contains(h.Reason, errInput.Error()) {
		t.Errorf("halt %+v", h)
	}
}

// A subsystem that fails at every start spends its group's budget, and the node says so.
func TestBudgetIsSpent(t *testing.T) {
	s := newStageOn(t, 3, nil)
	s.node.config.NewRunner = func() drain.Runner { panic("no such machine") }
	s.node.supervisor.Spawn()
	s.ends()
	h := s.halted()
	if h == nil || !strings.Contains(h.Reason, "more than 20 restarts within 10m0s") || !strings.Contains(h.Reason, "no such machine") {
		t.Errorf("halt %+v", h)
	}
}
