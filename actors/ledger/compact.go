package ledger

import "github.com/cowboyinc/cowboy-go/actors/boltfile"

// Compacter is a Store with a file that can be made anew without its unused pages while it is used.
type Compacter interface {
	// ImageSpace is what the file takes.
	ImageSpace() (boltfile.Space, error)
	// CompactImage makes it anew; free is what the disk has left for the copy. An error leaves the file as it was.
	CompactImage(free int64) error
}

// ImageSpace implements Compacter.
func (l *Disk) ImageSpace() (boltfile.Space, error) { return l.now.Load().ImageSpace() }

// CompactImage implements Compacter.
func (l *Disk) CompactImage(free int64) error { return l.now.Load().CompactImage(free) }
