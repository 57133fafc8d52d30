package store

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

const acknowledgedName = "acknowledged"

// acknowledged is the offset of the log up to which callers were told that their
// blocks are safe. It is never synced: it must outlive the process, not the
// machine.
type acknowledged struct{ file disk.File }

// openAcknowledged gives the remembered offset, 0 when nothing usable is there.
func openAcknowledged(d disk.Disk) (acknowledged, uint64, error) {
	f, err := d.Open(acknowledgedName)
	if err != nil {
		if exists(err) {
			return acknowledged{}, 0, err
		}
		f, err = d.Create(acknowledgedName)
		return acknowledged{f}, 0, err
	}
	have, err := Acknowledged.Read(f)
	if err == nil {
		err = Acknowledged.Check(acknowledgedName, have)
	}
	if err != nil {
		return acknowledged{}, 0, errors.Join(err, f.Close())
	}
	var b [12]byte
	if n, _ := f.ReadAt(b[:], 0); n != len(b) || checksum(b[:8]) != binary.BigEndian.Uint32(b[8:]) {
		return acknowledged{f}, 0, nil
	}
	return acknowledged{f}, binary.BigEndian.Uint64(b[:]), nil
}

func (a acknowledged) write(offset uint64) error {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, 12), offset)
	b = binary.BigEndian.AppendUint32(b, checksum(b))
	_, err := a.file.WriteAt(b, 0)
	return err
}
