package frame

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// Title is the title of a file that belongs to one owner: mark ‖ version(1) ‖ owner.
type Title struct {
	Kind  *format.Kind
	Mark  string
	Owner []byte // of one length for the kind
}

// Bytes is the payload of the first frame.
func (t Title) Bytes() []byte { return append(append([]byte(t.Mark), byte(t.Kind.Now)), t.Owner...) }

// Check gives damaged, with why, for the title of another file, and a *format.Error for one of another version.
func (t Title) Check(name string, damaged error, title []byte) error {
	head := len(t.Mark)
	if len(title) != head+1+len(t.Owner) || string(title[:head]) != t.Mark {
		return fmt.Errorf("%w: no title", damaged)
	}
	if err := t.Kind.Check(name, format.Version(title[head])); err != nil {
		return err
	}
	if !bytes.Equal(title[head+1:], t.Owner) {
		return fmt.Errorf("%w: its title names another", damaged)
	}
	return nil
}

// ReadOf is Read of the file of an owner.
func (f *File) ReadOf(title Title, damaged error, each func(payload []byte) error) error {
	return f.Read(damaged, func(data []byte) error { return title.Check(f.names.File, damaged, data) }, each)
}

// Make begins a file with a title and payloads. present where there is one already.
func Make(d disk.Disk, names Names, present error, title Title, payloads ...[]byte) error {
	if is, err := Present(d, names); err != nil || is {
		if err == nil {
			err = present
		}
		return err
	}
	f, err := Open(d, names)
	if err != nil {
		return err
	}
	return errors.Join(f.Rewrite(title.Bytes(), payloads...), f.Close())
}
