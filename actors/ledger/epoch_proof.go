package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// epochProofs keeps the way out of every epoch: a few kilobytes each, for ever, so that whoever starts from the genesis or an old trusted block can follow
// although the blocks themselves are gone. One file of a mark and records:
//
//	"cowboy-crossings 2\n"
//	length(4) ‖ CRC-32C(4) ‖ epoch(8) ‖ encoded light.EpochProof
//
// A record that was cut by a crash is cut off; it can be made again while the state after the epoch's last block is still there. Any goroutine may use it.
type epochProofs struct {
	mu     sync.Mutex
	file   disk.File // nil: everything is in memory
	end    int64
	places map[uint64]place
	kept   map[uint64]*light.EpochProof // without a file
}

type place struct {
	at   int64
	size int
}

const (
	epochProofsName  = "crossings"
	epochProofHeader = 16
	epochProofMax    = 8 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newEpochProofs() *epochProofs { return &epochProofs{kept: map[uint64]*light.EpochProof{}} }

// openEpochProofs opens the file, or makes it, in the present format.
func openEpochProofs(d disk.Disk, told format.Told) (*epochProofs, error) {
	if err := EpochProofs.Upgrade(d, epochProofsName, told); err != nil {
		return nil, err
	}
	f, err := d.Open(epochProofsName)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = createEpochProofs(d)
	}
	if err != nil {
		return nil, err
	}
	c := &epochProofs{file: f, places: map[uint64]place{}, end: int64(len(EpochProofs.Mark(EpochProofs.Now)))}
	if err := c.scan(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

// createEpochProofs makes a file without records. Its mark is durable before the file has its name: a file without one is of format 1.
func createEpochProofs(d disk.Disk) (disk.File, error) {
	return disk.Replace(d, epochProofsName, epochProofsName+".tmp", func(f disk.File) error {
		_, err := f.WriteAt(EpochProofs.Mark(EpochProofs.Now), 0)
		return err
	})
}

// scan finds the whole records and cuts the rest off.
func (c *epochProofs) scan() error {
	size, err := c.file.Size()
	if err != nil {
		return err
	}
	for c.end+epochProofHeader <= size {
		var head [epochProofHeader]byte
		if _, err := c.file.ReadAt(head[:], c.end); err != nil {
			return err
		}
		n := int64(binary.BigEndian.Uint32(head[:]))
		if n > epochProofMax || c.end+epochProofHeader+n > size {
			break
		}
		record := make([]byte, 8+n)
		if _, err := c.file.ReadAt(record, c.end+8); err != nil {
			return err
		}
		if crc32.Checksum(record, castagnoli) != binary.BigEndian.Uint32(head[4:]) {
			break
		}
		c.places[binary.BigEndian.Uint64(record)] = place{c.end + epochProofHeader, int(n)}
		c.end += epochProofHeader + n
	}
	if c.end == size {
		return nil
	}
	if err := c.file.Truncate(c.end); err != nil {
		return err
	}
	return c.file.Sync()
}

// add keeps an epoch proof durably; one that is there already is left as it is.
func (c *epochProofs) add(x *light.EpochProof) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	epoch := x.Header.Epoch
	if c.file == nil {
		c.kept[epoch] = x
		return nil
	}
	if _, ok := c.places[epoch]; ok {
		return nil
	}
	data := x.Encode()
	record := binary.BigEndian.AppendUint32(make([]byte, 0, epochProofHeader+len(data)), uint32(len(data)))
	record = binary.BigEndian.AppendUint64(append(record, 0, 0, 0, 0), epoch)
	record = append(record, data...)
	binary.BigEndian.PutUint32(record[4:], crc32.Checksum(record[8:], castagnoli))
	if _, err := c.file.WriteAt(record, c.end); err != nil {
		return errors.Join(err, c.file.Truncate(c.end))
	}
	if err := c.file.Sync(); err != nil {
		return err
	}
	c.places[epoch] = place{c.end + epochProofHeader, len(data)}
	c.end += int64(len(record))
	return nil
}

// has reports whether the way out of an epoch is kept.
func (c *epochProofs) has(epoch uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, filed := c.places[epoch]
	_, kept := c.kept[epoch]
	return filed || kept
}

// of gives the way out of an epoch, or ErrAbsent.
func (c *epochProofs) of(epoch uint64) (*light.EpochProof, error) {
	c.mu.Lock()
	p, ok := c.places[epoch]
	x := c.kept[epoch]
	c.mu.Unlock()
	if x != nil {
		return x, nil
	}
	if !ok {
		return nil, fmt.Errorf("the way out of epoch %d: %w", epoch, ErrAbsent)
	}
	data := make([]byte, p.size)
	if _, err := c.file.ReadAt(data, p.at); err != nil {
		return nil, err
	}
	x, err := light.DecodeEpochProof(data)
	if err != nil {
		return nil, fmt.Errorf("ledger: kept proof of epoch %d: %w", epoch, err)
	}
	return x, nil
}

func (c *epochProofs) close() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}

// leaving makes the way out of a block's epoch if the block is its last: nil for any other block, and where the chain has no validator registry.
func leaving(h *block.Header, certificates []*sig.Certificate, after *state.Commit) (*light.EpochProof, error) {
	next, ok, err := after.Lookup(stake.EpochKey(h.Epoch + 1))
	if err != nil || !ok || len(next) == 0 {
		return nil, err
	}
	hash := h.Hash()
	for _, c := range certificates {
		if c.Kind == sig.Finalization && c.Subject.BlockHash == hash {
			return light.NewEpochProof(h, c, after)
		}
	}
	return nil, nil
}
