package disk

import (
	"io"
	"strings"
)

// Part is the files of a disk whose names begin with a prefix, as a disk of its own
// without the prefix.
type Part struct {
	whole  Disk
	prefix string
}

// NewPart gives the part of a disk under a prefix.
func NewPart(whole Disk, prefix string) *Part { return &Part{whole, prefix} }

// Create implements [Disk].
func (p *Part) Create(name string) (File, error) { return p.whole.Create(p.prefix + name) }

// Open implements [Disk].
func (p *Part) Open(name string) (File, error) { return p.whole.Open(p.prefix + name) }

// Rename implements [Disk].
func (p *Part) Rename(from, to string) error { return p.whole.Rename(p.prefix+from, p.prefix+to) }

// Remove implements [Disk].
func (p *Part) Remove(name string) error { return p.whole.Remove(p.prefix + name) }

// List implements [Disk].
func (p *Part) List() ([]string, error) {
	all, err := p.whole.List()
	var names []string
	for _, name := range all {
		if own, ok := strings.CutPrefix(name, p.prefix); ok {
			names = append(names, own)
		}
	}
	return names, err
}

// Sync implements [Disk].
func (p *Part) Sync() error { return p.whole.Sync() }

// Lock implements [Disk].
func (p *Part) Lock(name string) (io.Closer, error) { return p.whole.Lock(p.prefix + name) }
