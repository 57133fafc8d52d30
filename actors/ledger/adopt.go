package ledger

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Snapshots is a Store that can be replaced by a snapshot of the chain.
type Snapshots interface {
	// Stage opens the place where the next snapshot is collected, as far as it had come. One goroutine at a time may have it open. Errors are
	// those of store.OpenStage.
	Stage() (*store.Stage, error)
	// Load builds the state of the sealed snapshot, beside everything else, and checks that it has the root it was sealed with.
	Load() (*Loaded, error)
	// Adopt makes a loaded snapshot the chain that is kept; what was kept before is removed. The writer's goroutine calls it. When it returns, a
	// crash at any instant keeps the snapshot.
	Adopt(*Loaded) error
}

// Loaded is a snapshot that is ready to be adopted.
type Loaded struct {
	Header     *block.Header
	Hash       digest.Hash
	generation uint64
	store      *store.Store
}

// Close gives a snapshot up that was not adopted.
func (l *Loaded) Close() error { return l.store.Close() }

// ErrSnapshot reports a snapshot that cannot be adopted any more.
var ErrSnapshot = errors.New("ledger: snapshot is not above the chain that is kept")

// Sealing describes the block a snapshot is of, as Stage.Seal wants it.
func Sealing(b *block.Block, certificates []*sig.Certificate, extent *state.Extent) *store.Seal {
	return &store.Seal{
		Height: b.Header.Height, Hash: b.Hash(), Block: encodeBlock(b, certificates), Root: b.Header.StateRoot, Floor: extent.Floor,
	}
}

// Stage implements Snapshots.
func (l *Disk) Stage() (*store.Stage, error) {
	return store.OpenStage(generation(l.base, l.generation.Load()+1), l.identified())
}

func (l *Disk) identified() store.Options {
	o := l.options
	o.Identity = store.Identity{ChainID: l.first.Block.Header.ChainID, Genesis: l.first.Hash}
	return o
}

// Load implements Snapshots.
func (l *Disk) Load() (*Loaded, error) {
	next := l.generation.Load() + 1
	image := generationImage(l.imagePath, next)
	if err := removeImage(l.imagePath, next); err != nil { // of an attempt before
		return nil, err
	}
	s, err := store.OpenDisk(generation(l.base, next), image, l.identified())
	if err != nil {
		return nil, err
	}
	loaded := &Loaded{generation: next, store: s}
	if err := loaded.read(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return loaded, nil
}

func (l *Loaded) read() error {
	height, ok := l.store.Head().Height()
	if !ok {
		return fmt.Errorf("%w: it is empty", ErrSnapshot)
	}
	data, err := l.store.Head().Block(height)
	if err != nil {
		return err
	}
	b, _, err := decodeBlock(data)
	if err != nil {
		return err
	}
	l.Header, l.Hash = &b.Header, b.Hash()
	return nil
}

// Adopt implements Snapshots.
func (l *Disk) Adopt(s *Loaded) error {
	if s.generation != l.generation.Load()+1 || s.Header.Height <= l.header.Height {
		return fmt.Errorf("%w: block %d, and block %d is held", ErrSnapshot, s.Header.Height, l.header.Height)
	}
	if err := moveTo(l.base, s.generation); err != nil {
		return err
	}
	l.retired = append(l.retired, l.now.Load())
	l.generation.Store(s.generation)
	l.header = s.Header
	l.now.Store(s.store)
	return sweep(l.base, l.imagePath, s.generation)
}

// Adopted is what the ledger renews itself with after it took a snapshot over: whatever was made from the state before has to be made again, and a restart is
// how that is done.
type Adopted struct{ Height unit.Height }

// Error implements error.
func (a *Adopted) Error() string {
	return fmt.Sprintf("ledger: the snapshot of block %d took the place of the chain; what stands on it starts again", a.Height)
}
