package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// crossings keeps the way out of every epoch: a few kilobytes each, for ever, so that whoever starts from the genesis or an old trusted block can follow
// although the blocks themselves are gone. One file of records:
//
//	length(4) ‖ CRC-32C(4) ‖ epoch(8) ‖ encoded light.Crossing
//
// A record that was cut by a crash is cut off; it can be made again while the state after the epoch's last block is still there. Any goroutine may use it.
type crossings struct {
	mu     sync.Mutex
	file   disk.File // nil: everything is in memory
	end    int64
	places map[uint64]place
	kept   map[uint64]*light.Crossing // without a file
}

type place struct {
	at   int64
	size int
}

const (
	crossingsName  = "crossings"
	crossingHeader = 16
	crossingMax    = 8 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newCrossings() *crossings { return &crossings{kept: map[uint64]*light.Crossing{}} }

// openCrossings opens the file, or makes it.
func openCrossings(d disk.Disk) (*crossings, error) {
	f, err := d.Open(crossingsName)
	if errors.Is(err, fs.ErrNotExist) {
		if f, err = d.Create(crossingsName); err == nil {
			err = d.Sync()
		}
	}
	if err != nil {
		return nil, err
	}
	c := &crossings{file: f, places: map[uint64]place{}}
	if err := c.scan(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

// scan finds the whole records and cuts the rest off.
func (c *crossings) scan() error {
	size, err := c.file.Size()
	if err != nil {
		return err
	}
	for c.end+crossingHeader <= size {
		var head [crossingHeader]byte
		if _, err := c.file.ReadAt(head[:], c.end); err != nil {
			return err
		}
		n := int64(binary.BigEndian.Uint32(head[:]))
		if n > crossingMax || c.end+crossingHeader+n > size {
			break
		}
		record := make([]byte, 8+n)
		if _, err := c.file.ReadAt(record, c.end+8); err != nil {
			return err
		}
		if crc32.Checksum(record, castagnoli) != binary.BigEndian.Uint32(head[4:]) {
			break
		}
		c.places[binary.BigEndian.Uint64(record)] = place{c.end + crossingHeader, int(n)}
		c.end += crossingHeader + n
	}
	if c.end == size {
		return nil
	}
	if err := c.file.Truncate(c.end); err != nil {
		return err
	}
	return c.file.Sync()
}

// add keeps a crossing durably; one that is there already is left as it is.
func (c *crossings) add(x *light.Crossing) error {
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
	record := binary.BigEndian.AppendUint32(make([]byte, 0, crossingHeader+len(data)), uint32(len(data)))
	record = binary.BigEndian.AppendUint64(append(record, 0, 0, 0, 0), epoch)
	record = append(record, data...)
	binary.BigEndian.PutUint32(record[4:], crc32.Checksum(record[8:], castagnoli))
	if _, err := c.file.WriteAt(record, c.end); err != nil {
		return errors.Join(err, c.file.Truncate(c.end))
	}
	if err := c.file.Sync(); err != nil {
		return err
	}
	c.places[epoch] = place{c.end + crossingHeader, len(data)}
	c.end += int64(len(record))
	return nil
}

// has reports whether the way out of an epoch is kept.
func (c *crossings) has(epoch uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, filed := c.places[epoch]
	_, kept := c.kept[epoch]
	return filed || kept
}

// of gives the way out of an epoch, or ErrAbsent.
func (c *crossings) of(epoch uint64) (*light.Crossing, error) {
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
	x, err := light.DecodeCrossing(data)
	if err != nil {
		return nil, fmt.Errorf("ledger: kept crossing of epoch %d: %w", epoch, err)
	}
	return x, nil
}

func (c *crossings) close() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}

// leaving makes the way out of a block's epoch if the block is its last: nil for any other block, and where the chain has no validator registry.
func leaving(h *block.Header, certificates []*sig.Certificate, after *state.Commit) (*light.Crossing, error) {
	next, ok, err := after.Lookup(stake.EpochKey(h.Epoch + 1))
	if err != nil || !ok || len(next) == 0 {
		return nil, err
	}
	hash := h.Hash()
	for _, c := range certificates {
		if c.Kind == sig.Finalization && c.Subject.BlockHash == hash {
			return light.NewCrossing(h, c, after)
		}
	}
	return nil, nil
}
