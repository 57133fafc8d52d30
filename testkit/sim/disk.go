package sim

import (
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// powered is a machine's disk while one life lasts: the power may go at any operation, and afterwards nothing reaches it any more.
type powered struct {
	life *life
	disk.Disk
}

// burn counts an operation and cuts the power when it is the one; then what was not synced is on the disk in part.
func (l *life) burn() error {
	if l.over {
		return disk.ErrInjected
	}
	m := l.m
	if m.fuse == 0 {
		return nil
	}
	if m.fuse--; m.fuse > 0 {
		return nil
	}
	m.crash()
	return disk.ErrInjected
}

// Create implements disk.Disk.
func (p *powered) Create(name string) (disk.File, error) {
	if err := p.life.burn(); err != nil {
		return nil, err
	}
	return p.file(p.Disk.Create(name))
}

// Open implements disk.Disk.
func (p *powered) Open(name string) (disk.File, error) { return p.file(p.Disk.Open(name)) }

func (p *powered) file(f disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return &file{f, p.life}, nil
}

// Rename implements disk.Disk.
func (p *powered) Rename(from, to string) error {
	if err := p.life.burn(); err != nil {
		return err
	}
	return p.Disk.Rename(from, to)
}

// Remove implements disk.Disk.
func (p *powered) Remove(name string) error {
	if err := p.life.burn(); err != nil {
		return err
	}
	return p.Disk.Remove(name)
}

// Sync implements disk.Disk.
func (p *powered) Sync() error {
	if err := p.life.burn(); err != nil {
		return err
	}
	return p.Disk.Sync()
}

// file is an open file of a powered disk.
type file struct {
	disk.File
	life *life
}

// WriteAt implements disk.File. When the power goes after the write, any part of it may have reached the disk.
func (f *file) WriteAt(p []byte, off int64) (int, error) {
	if f.life.over {
		return 0, disk.ErrInjected
	}
	n, err := f.File.WriteAt(p, off)
	if burnt := f.life.burn(); burnt != nil {
		return 0, burnt
	}
	return n, err
}

// Truncate implements disk.File.
func (f *file) Truncate(size int64) error {
	if err := f.life.burn(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Sync implements disk.File. The power may go before anything is synced, or right after.
func (f *file) Sync() error {
	if f.life.m.w.rnd.IntN(2) == 0 {
		if err := f.life.burn(); err != nil {
			return err
		}
		return f.File.Sync()
	}
	if f.life.over {
		return disk.ErrInjected
	}
	err := f.File.Sync()
	if burnt := f.life.burn(); burnt != nil {
		return burnt
	}
	return err
}
