package ledger

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Disk is the Store of a data directory.
type Disk struct {
	store  *store.Store
	header *block.Header
}

// OpenDisk opens the store of a network on a disk, or makes it there with the network's genesis. imagePath is the file of checkpoints,
// "" for none. The errors are those of package store.
func OpenDisk(d disk.Disk, imagePath string, spec *genesis.Spec, o store.Options) (*Disk, error) {
	first, err := Genesis(spec, o.State, state.NewMemory(o.State))
	if err != nil {
		return nil, err
	}
	return OpenDiskFrom(d, imagePath, first, o)
}

// OpenDiskFrom is OpenDisk for whoever has made the network's block 0 already, with Genesis and the same state configuration.
func OpenDiskFrom(d disk.Disk, imagePath string, first *Final, o store.Options) (*Disk, error) {
	o.Identity = store.Identity{ChainID: first.Block.Header.ChainID, Genesis: first.Hash}
	s, err := store.OpenDisk(d, imagePath, o)
	if err != nil {
		return nil, err
	}
	l := &Disk{store: s}
	if err := l.begin(first); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return l, nil
}

// begin writes the genesis into an empty store and reads the newest header.
func (l *Disk) begin(first *Final) error {
	head := l.store.Head()
	height, ok := head.Height()
	if ok {
		b, err := l.Block(height)
		if err == nil {
			l.header = &b.Header
		}
		return err
	}
	operations, _ := first.State.Delta().Bytes()
	commit, err := head.State().Replay(0, operations)
	if err != nil {
		return err
	}
	return l.Append(&Final{Block: first.Block, Hash: first.Hash, State: commit})
}

// Append implements Store.
func (l *Disk) Append(f *Final) error {
	ids := make([]digest.Hash, len(f.Receipts))
	for i, r := range f.Receipts {
		ids[i] = r.ID
	}
	err := l.store.Append(&store.Record{
		Commit: f.State, Hash: f.Hash, Block: encodeBlock(f), Receipts: encodeReceipts(f.Receipts), Transactions: ids,
	})
	if err == nil {
		l.header = &f.Block.Header
	}
	return err
}

// State implements Store.
func (l *Disk) State() *state.Commit { return l.store.Head().State() }

// Header implements Store. Like Append it is for the writer alone.
func (l *Disk) Header() *block.Header { return l.header }

// Block implements Store.
func (l *Disk) Block(height unit.Height) (*block.Block, error) {
	data, err := l.store.Head().Block(height)
	if err != nil {
		return nil, absent(err)
	}
	b, _, err := decodeBlock(data)
	return b, err
}

// Certificates implements Store.
func (l *Disk) Certificates(height unit.Height) ([]*sig.Certificate, error) {
	data, err := l.store.Head().Block(height)
	if err != nil {
		return nil, absent(err)
	}
	_, certificates, err := decodeBlock(data)
	return certificates, err
}

// Receipts implements Store.
func (l *Disk) Receipts(height unit.Height) ([]*block.Receipt, error) {
	data, err := l.store.Head().Receipts(height)
	if err != nil {
		return nil, absent(err)
	}
	return decodeReceipts(data)
}

// HeightOf implements Store.
func (l *Disk) HeightOf(hash digest.Hash) (unit.Height, error) {
	height, err := l.store.Head().Find(hash)
	return height, absent(err)
}

// Transaction implements Store.
func (l *Disk) Transaction(id digest.Hash) (Place, error) {
	p, err := l.store.Head().Transaction(id)
	return Place{Height: p.Height, Index: p.Index}, absent(err)
}

// At implements Store.
func (l *Disk) At(height unit.Height) (*state.Commit, error) {
	c, err := l.store.Head().At(height)
	return c, absent(err)
}

// Due implements Maintainer.
func (l *Disk) Due() bool { return l.store.Due() }

// Maintain implements Maintainer: it saves a checkpoint, so that opening replays less.
func (l *Disk) Maintain() error { return l.store.Checkpoint() }

// Close implements Store. An orderly end saves a checkpoint if one is due.
func (l *Disk) Close() error {
	var err error
	if l.store.Err() == nil && l.store.Due() {
		err = l.store.Checkpoint()
	}
	return errors.Join(err, l.store.Close())
}

// absent turns what the store does not hold into ErrAbsent.
func absent(err error) error {
	if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrPruned) {
		return fmt.Errorf("%w: %w", ErrAbsent, err)
	}
	return err
}

// certificatesMax bounds the certificates kept with a block.
const certificatesMax = 4

// encodeBlock is how a block is kept: its encoding, then its certificates.
func encodeBlock(f *Final) []byte {
	out := codec.AppendBytes(nil, f.Block.Encode())
	out = codec.AppendLen(out, len(f.Certificates))
	for _, c := range f.Certificates {
		out = c.Append(out)
	}
	return out
}

func decodeBlock(data []byte) (*block.Block, []*sig.Certificate, error) {
	r := codec.NewReader(data)
	encoded := r.Bytes(params.MaxBlockBytes)
	n := r.Len(0, certificatesMax, 1)
	var certificates []*sig.Certificate
	for range n {
		c := sig.ReadCertificate(r)
		certificates = append(certificates, &c)
	}
	if err := r.Finish(); err != nil {
		return nil, nil, fmt.Errorf("ledger: kept block: %w", err)
	}
	b, err := block.Decode(encoded)
	return b, certificates, err
}

// textMax bounds the human-readable text of a fault that is kept.
const textMax = 4 << 10

// encodeReceipts is how receipts are kept: each with the text of its fault, which consensus does not know.
func encodeReceipts(list []*block.Receipt) []byte {
	out := codec.AppendLen(nil, len(list))
	for _, x := range list {
		out = codec.AppendBytes(out, x.Encode())
		text := x.Fault.Text
		out = codec.AppendBytes(out, []byte(text[:min(len(text), textMax)]))
	}
	return out
}

// minReceiptSize is a lower bound of a kept receipt.
const minReceiptSize = 110

func decodeReceipts(data []byte) ([]*block.Receipt, error) {
	r := codec.NewReader(data)
	n := r.Len(0, len(data), minReceiptSize)
	list := make([]*block.Receipt, 0, n)
	for range n {
		encoded := r.Bytes(len(data))
		text := r.Bytes(textMax)
		if err := r.Err(); err != nil {
			return nil, fmt.Errorf("ledger: kept receipts: %w", err)
		}
		x, err := block.DecodeReceipt(encoded)
		if err != nil {
			return nil, fmt.Errorf("ledger: kept receipt: %w", err)
		}
		x.Fault.Text = string(text)
		list = append(list, x)
	}
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("ledger: kept receipts: %w", err)
	}
	return list, nil
}
