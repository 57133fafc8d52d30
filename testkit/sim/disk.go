package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// The disks of a machine, as plans name them.
const (
	chainDisk   = "chain"
	journalDisk = "journal"
	sharesDisk  = "shares"
)

// simDisk is one of a machine's disks over all its lives, and what was ever asked of it.
type simDisk struct {
	*disk.Memory
	name                 string
	writes, syncs, bytes uint64
	limits               []Fault // tears and fillings at a byte
}

func (m *machine) newDisk(name string) *simDisk {
	p := &simDisk{Memory: disk.NewMemory(), name: name}
	for _, f := range m.w.plan.Faults {
		if f.Node == m.name && f.What == name && f.Unit == "byte" {
			p.limits = append(p.limits, f)
		}
	}
	return p
}

// keep decides what of the writes that were not synced is on the disks after a fault; nil keeps everything, as killing a process does.
func (f Fault) keep() func(string, int) int {
	switch f.Kind {
	case Power:
		r := rand.New(rand.NewPCG(f.Keep, 0x51))
		return func(_ string, length int) int { return r.IntN(length + 1) }
	case Tear:
		return func(_ string, length int) int { return length }
	}
	return nil
}

// powered is a machine's disk while one life lasts: the power may go at any operation, and afterwards nothing reaches it any more.
type powered struct {
	*simDisk
	life *life
}

// burn counts an operation and cuts the power when it is the one.
func (l *life) burn() error {
	if l.over {
		return disk.ErrInjected
	}
	m := l.m
	m.ops++
	f, ok := m.w.due(m.name, "", "op", m.ops)
	if !ok && m.fuse.N == m.ops {
		f, ok = m.fuse, true
	}
	if !ok {
		return nil
	}
	m.crash(f)
	return disk.ErrInjected
}

// Create implements disk.Disk.
func (p *powered) Create(name string) (disk.File, error) {
	if err := p.life.burn(); err != nil {
		return nil, err
	}
	return p.file(p.Memory.Create(name))
}

// Open implements disk.Disk.
func (p *powered) Open(name string) (disk.File, error) { return p.file(p.Memory.Open(name)) }

func (p *powered) file(f disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return &file{f, p}, nil
}

// Rename implements disk.Disk.
func (p *powered) Rename(from, to string) error {
	if err := p.life.burn(); err != nil {
		return err
	}
	return p.Memory.Rename(from, to)
}

// Remove implements disk.Disk.
func (p *powered) Remove(name string) error {
	if err := p.life.burn(); err != nil {
		return err
	}
	return p.Memory.Remove(name)
}

// Sync implements disk.Disk.
func (p *powered) Sync() error {
	if err := p.life.burn(); err != nil {
		return err
	}
	return p.Memory.Sync()
}

// file is an open file of a powered disk.
type file struct {
	disk.File
	disk *powered
}

// WriteAt implements disk.File. When the power goes after the write, any part of it may have reached the disk.
func (f *file) WriteAt(p []byte, off int64) (int, error) {
	l, d := f.disk.life, f.disk.simDisk
	if l.over {
		return 0, disk.ErrInjected
	}
	d.writes++
	if x, ok := l.m.w.due(l.m.name, d.name, "write", d.writes); ok {
		l.m.w.happened(x)
		return 0, fmt.Errorf("write: %w", disk.ErrInjected)
	}
	from := d.bytes
	d.bytes += uint64(len(p))
	if l.m.w.chaos {
		for _, x := range d.limits {
			if from < x.N && x.N <= d.bytes {
				return f.cut(x, p[:x.N-from], off)
			}
		}
	}
	n, err := f.File.WriteAt(p, off)
	if burnt := l.burn(); burnt != nil {
		return 0, burnt
	}
	return n, err
}

// cut writes what a fault leaves of a write: then the power goes, or the disk is full.
func (f *file) cut(x Fault, p []byte, off int64) (int, error) {
	n, err := f.File.WriteAt(p, off)
	if err != nil {
		return n, err
	}
	m := f.disk.life.m
	if x.Kind == Full {
		m.spoil(x)
		return n, fmt.Errorf("write: %w", disk.ErrFull)
	}
	m.crash(x)
	return 0, disk.ErrInjected
}

// Truncate implements disk.File.
func (f *file) Truncate(size int64) error {
	if err := f.disk.life.burn(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Sync implements disk.File. The power may go before anything is synced, or right after.
func (f *file) Sync() error {
	l, d := f.disk.life, f.disk.simDisk
	if err := l.burn(); err != nil {
		return err
	}
	d.syncs++
	if x, ok := l.m.w.due(l.m.name, d.name, "sync", d.syncs); ok {
		l.m.w.happened(x)
		return fmt.Errorf("sync: %w", disk.ErrInjected)
	}
	return errors.Join(f.File.Sync(), l.burn())
}
