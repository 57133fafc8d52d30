package format

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// next ends the name of a file that a step has not finished.
const next = ".next"

// Upgrade takes a file of a disk to the present version, step by step, and tells of each. A file that is not there is none of another version. The
// caller has the disk to itself. Errors: an *Error for a file the ladder does not reach; what Read or a step says; the disk's.
func (k *Kind) Upgrade(d disk.Disk, name string, told Told) error {
	for {
		f, err := d.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		note, err := k.climb(d, f, name)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		if note == nil {
			return nil
		}
		told.Tell(*note)
	}
}

// climb takes a file one step up; the note is nil for a file of the present version.
func (k *Kind) climb(d disk.Disk, f disk.File, name string) (*Note, error) {
	have, err := k.Read(f)
	if err != nil {
		return nil, err
	}
	way, err := k.Way(name, have)
	if err != nil || way == Stays {
		return nil, err
	}
	if way == Anew {
		return nil, fmt.Errorf("format: %s is made anew by its owner", name)
	}
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	step := &k.Steps[have-k.Oldest()]
	if err := replace(d, name, func(to io.Writer) error { return step.Change(to, io.NewSectionReader(f, 0, size)) }); err != nil {
		return nil, fmt.Errorf("%s: from format %d to %d: %w", name, have, have+1, err)
	}
	return &Note{Kind: k.Name, File: name, From: have, To: have + 1, What: step.What}, nil
}

// replace writes a file beside another and puts it in its place, durably.
func replace(d disk.Disk, name string, write func(io.Writer) error) error {
	f, err := disk.Replace(d, name, name+next, func(f disk.File) error {
		b := bufio.NewWriterSize(&appender{file: f}, 1<<16)
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
	})
	if err != nil {
		return err
	}
	return f.Close()
}

// appender writes a file from its beginning on.
type appender struct {
	file disk.File
	at   int64
}

// Write implements io.Writer.
func (a *appender) Write(b []byte) (int, error) {
	n, err := a.file.WriteAt(b, a.at)
	a.at += int64(n)
	return n, err
}
