package ledger

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/params"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Disk is the Store of a data directory.
type Disk struct {
	base        disk.Disk
	imagePath   string
	options     store.Options
	first       *Final // the genesis, which is known without the disk
	generation  atomic.Uint64
	now         atomic.Pointer[store.Store]
	header      *block.Header
	epochProofs *epochProofs
	retired     []*store.Store // readers may still be in them
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
	g, err := presentGeneration(d)
	if err != nil {
		return nil, err
	}
	l := &Disk{base: d, imagePath: imagePath, options: o, first: first}
	l.generation.Store(g)
	s, err := store.OpenDisk(generation(d, g), generationImage(imagePath, g), o)
	if err != nil {
		return nil, err
	}
	l.now.Store(s)
	if err := l.start(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return l, nil
}

// Rebuilt says why the file of checkpoints was made anew when the store was opened; nil if it was not.
func (l *Disk) Rebuilt() error { return l.now.Load().Rebuilt() }

// start brings what lies beside the store in order. The store is open, so the disk is this process's.
func (l *Disk) start() (err error) {
	if err := sweep(l.base, l.imagePath, l.generation.Load()); err != nil {
		return err
	}
	if err := l.begin(l.first); err != nil {
		return err
	}
	if l.epochProofs, err = openEpochProofs(l.base, l.options.Told); err != nil {
		return err
	}
	return l.rebuildEpochProof()
}

// rebuildEpochProof makes the way out of the last complete epoch again if a crash lost it.
func (l *Disk) rebuildEpochProof() error {
	calendar, err := params.LoadCalendar(l.State())
	if err != nil {
		return err
	}
	epoch := calendar.Epoch(l.header.Height + 1)
	if epoch == 0 || l.epochProofs.has(epoch-1) {
		return nil
	}
	last := calendar.Last(epoch - 1)
	after, err := l.At(last)
	if errors.Is(err, ErrAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	b, err := l.Block(last)
	if err != nil {
		return err
	}
	certificates, err := l.Certificates(last)
	if err != nil {
		return err
	}
	return l.cross(&b.Header, certificates, after)
}

// cross keeps the way out of a block's epoch if it is the last one.
func (l *Disk) cross(h *block.Header, certificates []*sig.Certificate, after *state.Commit) error {
	x, err := leaving(h, certificates, after)
	if err != nil || x == nil {
		return err
	}
	return l.epochProofs.add(x)
}

// begin writes the genesis into an empty store and reads the newest header.
func (l *Disk) begin(first *Final) error {
	head := l.now.Load().Head()
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

// Append implements Store. The way out of an epoch is durable before the next epoch's first block is, so that a crash loses that of the last one only.
func (l *Disk) Append(list ...*Final) error {
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Block.Header.Epoch == list[0].Block.Header.Epoch {
			n++
		}
		if err := l.append(list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// append makes blocks of one epoch durable.
func (l *Disk) append(list []*Final) error {
	records := make([]*store.Record, len(list))
	for i, f := range list {
		records[i] = newRecord(f)
	}
	if err := l.now.Load().Append(records...); err != nil {
		return err
	}
	last := list[len(list)-1]
	l.header = &last.Block.Header
	if last.Height() == 0 {
		return nil
	}
	return l.cross(l.header, last.Certificates, last.State)
}

func newRecord(f *Final) *store.Record {
	ids := make([]digest.Hash, len(f.Receipts))
	for i, r := range f.Receipts {
		ids[i] = r.ID
	}
	return &store.Record{
		Commit: f.State, Hash: f.Hash, Block: encodeBlock(f.Block, f.Certificates), Receipts: encodeReceipts(f.Receipts, f.Flows), Transactions: ids,
	}
}

// State implements Store.
func (l *Disk) State() *state.Commit { return l.now.Load().Head().State() }

// Header implements Store. Like Append it is for the writer alone.
func (l *Disk) Header() *block.Header { return l.header }

// Block implements Store.
func (l *Disk) Block(height unit.Height) (*block.Block, error) {
	if height == 0 {
		return l.first.Block, nil
	}
	data, err := l.now.Load().Head().Block(height)
	if err != nil {
		return nil, absent(err)
	}
	b, _, err := decodeBlock(data)
	return b, err
}

// Certificates implements Store.
func (l *Disk) Certificates(height unit.Height) ([]*sig.Certificate, error) {
	if height == 0 {
		return nil, nil
	}
	data, err := l.now.Load().Head().Block(height)
	if err != nil {
		return nil, absent(err)
	}
	_, certificates, err := decodeBlock(data)
	return certificates, err
}

// Encoded implements Store.
func (l *Disk) Encoded(height unit.Height) ([]byte, []*sig.Certificate, error) {
	if height == 0 {
		return nil, nil, nil
	}
	data, err := l.now.Load().Head().Block(height)
	if err != nil {
		return nil, nil, absent(err)
	}
	return splitBlock(data)
}

// Receipts implements Store.
func (l *Disk) Receipts(height unit.Height) ([]*block.Receipt, error) {
	if height == 0 {
		return nil, nil
	}
	list, _, err := l.outcomes(height)
	return list, err
}

// Flows implements Store.
func (l *Disk) Flows(height unit.Height) (*flow.Sheet, error) {
	if height == 0 {
		return nil, nil
	}
	_, sheet, err := l.outcomes(height)
	return sheet, err
}

func (l *Disk) outcomes(height unit.Height) ([]*block.Receipt, *flow.Sheet, error) {
	data, err := l.now.Load().Head().Receipts(height)
	if err != nil {
		return nil, nil, absent(err)
	}
	return decodeReceipts(data)
}

// HeightOf implements Store.
func (l *Disk) HeightOf(hash digest.Hash) (unit.Height, error) {
	if hash == l.first.Hash {
		return 0, nil
	}
	height, err := l.now.Load().Head().Find(hash)
	return height, absent(err)
}

// Transaction implements Store.
func (l *Disk) Transaction(id digest.Hash) (Place, error) {
	p, err := l.now.Load().Head().Transaction(id)
	return Place{Height: p.Height, Index: p.Index}, absent(err)
}

// At implements Store.
func (l *Disk) At(height unit.Height) (*state.Commit, error) {
	c, err := l.now.Load().Head().At(height)
	return c, absent(err)
}

// Back implements Rewinder.
func (l *Disk) Back(height unit.Height) uint64 { return l.now.Load().Head().Back(height) }

// Due implements Maintainer.
func (l *Disk) Due() bool { return l.now.Load().Due() }

// Maintain implements Maintainer: it saves a checkpoint, so that opening replays less.
func (l *Disk) Maintain() error { return l.now.Load().Checkpoint() }

// Close implements Store. An orderly end saves a checkpoint if one is due.
func (l *Disk) Close() error {
	s := l.now.Load()
	var err error
	if s.Err() == nil && s.Due() {
		err = s.Checkpoint()
	}
	err = errors.Join(err, s.Close(), l.epochProofs.close())
	for _, old := range l.retired {
		err = errors.Join(err, old.Close())
	}
	return err
}

// First implements Store.
func (l *Disk) First() unit.Height { return l.now.Load().First() }

// EpochProof implements Store.
func (l *Disk) EpochProof(epoch uint64) (*light.EpochProof, error) { return l.epochProofs.of(epoch) }

// Keep implements Store.
func (l *Disk) Keep(x *light.EpochProof) error { return l.epochProofs.add(x) }

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
func encodeBlock(b *block.Block, certificates []*sig.Certificate) []byte {
	out := codec.AppendBytes(nil, b.Encode())
	out = codec.AppendLen(out, len(certificates))
	for _, c := range certificates {
		out = c.Append(out)
	}
	return out
}

func decodeBlock(data []byte) (*block.Block, []*sig.Certificate, error) {
	encoded, certificates, err := splitBlock(data)
	if err != nil {
		return nil, nil, err
	}
	b, err := block.Decode(encoded)
	return b, certificates, err
}

// splitBlock takes a kept block apart; the encoding aliases data.
func splitBlock(data []byte) (encoded []byte, certificates []*sig.Certificate, err error) {
	r := codec.NewReader(data)
	encoded = r.Bytes(params.MaxBlockBytes)
	n := r.Len(0, certificatesMax, 1)
	for range n {
		c := sig.ReadCertificate(r)
		certificates = append(certificates, &c)
	}
	if err := r.Finish(); err != nil {
		return nil, nil, fmt.Errorf("ledger: kept block: %w", err)
	}
	return encoded, certificates, nil
}

// textMax bounds the human-readable text of a fault that is kept.
const textMax = 4 << 10

// encodeReceipts is how receipts are kept: each with the text of its fault, which consensus does not know. Behind them stands what became of the block's
// coins, where somebody knows; blocks that were kept before anybody did end with their receipts.
func encodeReceipts(list []*block.Receipt, flows *flow.Sheet) []byte {
	out := codec.AppendLen(nil, len(list))
	for _, x := range list {
		out = codec.AppendBytes(out, x.Encode())
		text := x.Fault.Text
		out = codec.AppendBytes(out, []byte(text[:min(len(text), textMax)]))
	}
	if flows != nil {
		out = flows.Append(out)
	}
	return out
}

// minReceiptSize is a lower bound of a kept receipt.
const minReceiptSize = 110

func decodeReceipts(data []byte) ([]*block.Receipt, *flow.Sheet, error) {
	r := codec.NewReader(data)
	n := r.Len(0, len(data), minReceiptSize)
	list := make([]*block.Receipt, 0, n)
	for range n {
		encoded := r.Bytes(len(data))
		text := r.Bytes(textMax)
		if err := r.Err(); err != nil {
			return nil, nil, fmt.Errorf("ledger: kept receipts: %w", err)
		}
		x, err := block.DecodeReceipt(encoded)
		if err != nil {
			return nil, nil, fmt.Errorf("ledger: kept receipt: %w", err)
		}
		x.Fault.Text = string(text)
		list = append(list, x)
	}
	var flows *flow.Sheet
	if r.Err() == nil && r.Remaining() > 0 {
		sheet, err := flow.Read(r)
		if err != nil {
			return nil, nil, fmt.Errorf("ledger: kept flows: %w", err)
		}
		flows = &sheet
	}
	if err := r.Finish(); err != nil {
		return nil, nil, fmt.Errorf("ledger: kept receipts: %w", err)
	}
	return list, flows, nil
}
