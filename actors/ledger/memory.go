package ledger

import (
	"fmt"
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// Memory is a Store that forgets everything with the process: for nodes without a data directory and for tests. It stays usable
// after Close, so a restarted subsystem finds it again.
type Memory struct {
	mu     sync.RWMutex
	source *lockedSource
	state  *state.Commit
	finals []*Final
	blocks map[digest.Hash]unit.Height
	places map[digest.Hash]Place

	epochProofs *epochProofs
}

// NewMemory makes a store that holds the genesis of a network.
func NewMemory(spec *genesis.Spec, config state.Config) (*Memory, error) {
	m := &Memory{
		source: &lockedSource{memory: state.NewMemory(config)},
		blocks: map[digest.Hash]unit.Height{}, places: map[digest.Hash]Place{}, epochProofs: newEpochProofs(),
	}
	first, err := Genesis(spec, config, m.source)
	if err != nil {
		return nil, err
	}
	return m, m.Append(first)
}

// Genesis builds block 0 of a network on an empty source.
func Genesis(spec *genesis.Spec, config state.Config, source state.Source) (*Final, error) {
	empty := state.New(config, source)
	overlay := empty.Overlay()
	if err := system.Found(spec, overlay); err != nil {
		return nil, err
	}
	commit, err := overlay.Commit(0)
	if err != nil {
		return nil, err
	}
	header := spec.Header(commit.Root())
	return &Final{Block: &block.Block{Header: *header}, Hash: header.Hash(), State: commit}, nil
}

// Append implements Store.
func (m *Memory) Append(list ...*Final) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range list {
		if err := m.append(f); err != nil {
			return err
		}
	}
	return nil
}

func (m *Memory) append(f *Final) error {
	if want := unit.Height(len(m.finals)); f.Height() != want {
		return fmt.Errorf("ledger: block %d after %d", f.Height(), want-1)
	}
	if f.Height() == 0 { // an empty state has one operation of its own
		if err := m.source.add(state.New(*f.State.Config(), m.source).Delta()); err != nil {
			return err
		}
	}
	if err := m.source.add(f.State.Delta()); err != nil {
		return err
	}
	m.state = f.State.Settled(m.source)
	m.finals = append(m.finals, f)
	m.blocks[f.Hash] = f.Height()
	for i, r := range f.Receipts {
		m.places[r.ID] = Place{Height: f.Height(), Index: uint32(i)}
	}
	if f.Height() == 0 {
		return nil
	}
	x, err := leaving(&f.Block.Header, f.Certificates, m.state)
	if err != nil || x == nil {
		return err
	}
	return m.epochProofs.add(x)
}

// First implements Store: a Memory keeps everything.
func (m *Memory) First() unit.Height { return 0 }

// EpochProof implements Store.
func (m *Memory) EpochProof(epoch uint64) (*light.EpochProof, error) { return m.epochProofs.of(epoch) }

// Keep implements Store.
func (m *Memory) Keep(x *light.EpochProof) error { return m.epochProofs.add(x) }

// State implements Store.
func (m *Memory) State() *state.Commit {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.state
}

// Header implements Store.
func (m *Memory) Header() *block.Header {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return &m.finals[len(m.finals)-1].Block.Header
}

func (m *Memory) at(height unit.Height) (*Final, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if height >= unit.Height(len(m.finals)) {
		return nil, ErrAbsent
	}
	return m.finals[height], nil
}

// Block implements Store.
func (m *Memory) Block(height unit.Height) (*block.Block, error) {
	f, err := m.at(height)
	if err != nil {
		return nil, err
	}
	return f.Block, nil
}

// Receipts implements Store.
func (m *Memory) Receipts(height unit.Height) ([]*block.Receipt, error) {
	f, err := m.at(height)
	if err != nil {
		return nil, err
	}
	return f.Receipts, nil
}

// Flows implements Store.
func (m *Memory) Flows(height unit.Height) (*flow.Sheet, error) {
	f, err := m.at(height)
	if err != nil {
		return nil, err
	}
	return f.Flows, nil
}

// Certificates implements Store.
func (m *Memory) Certificates(height unit.Height) ([]*sig.Certificate, error) {
	f, err := m.at(height)
	if err != nil {
		return nil, err
	}
	return f.Certificates, nil
}

// Encoded implements Store.
func (m *Memory) Encoded(height unit.Height) ([]byte, []*sig.Certificate, error) {
	f, err := m.at(height)
	if err != nil || height == 0 {
		return nil, nil, err
	}
	return f.Block.Encode(), f.Certificates, nil
}

// HeightOf implements Store.
func (m *Memory) HeightOf(hash digest.Hash) (unit.Height, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	h, ok := m.blocks[hash]
	if !ok {
		return 0, ErrAbsent
	}
	return h, nil
}

// Transaction implements Store.
func (m *Memory) Transaction(id digest.Hash) (Place, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	p, ok := m.places[id]
	if !ok {
		return Place{}, ErrAbsent
	}
	return p, nil
}

// At implements Store: a Memory keeps everything.
func (m *Memory) At(height unit.Height) (*state.Commit, error) {
	f, err := m.at(height)
	if err != nil {
		return nil, err
	}
	return f.State.Settled(m.source), nil
}

// Close implements Store.
func (m *Memory) Close() error { return nil }

// lockedSource is a state.Memory that may be read while it is filled.
type lockedSource struct {
	mu     sync.RWMutex
	memory *state.Memory
}

func (s *lockedSource) add(d *state.Delta) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.memory.Add(d)
}

// Length implements state.Source.
func (s *lockedSource) Length() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.memory.Length()
}

// Boundary implements state.Source.
func (s *lockedSource) Boundary() uint64 { return 0 }

// Shelved implements state.Source.
func (s *lockedSource) Shelved() uint64 { return 0 }

// Node implements state.Source.
func (s *lockedSource) Node(level int, index uint64) (digest.Hash, error) {
	return s.memory.Node(level, index)
}

// Operation implements state.Source.
func (s *lockedSource) Operation(location uint64) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.memory.Operation(location)
}

// Ascending implements state.Source.
func (s *lockedSource) Ascending() func(location uint64) ([]byte, error) { return s.Operation }

// Subtree implements state.Source.
func (s *lockedSource) Subtree(chunk uint64) (*state.Subtree, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.memory.Subtree(chunk)
}
