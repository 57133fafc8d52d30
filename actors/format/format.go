package format

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// Version numbers the formats of one kind of file, from 1.
type Version uint32

// Kind is one kind of file. It is not modified.
type Kind struct {
	Name  string
	Files []string // where they lie, as patterns of path.Match below the data directory; none for files that lie elsewhere
	Now   Version  // what this program writes
	Steps []Step   // the last leads to Now, each one before it to the version the next begins with
	// Source is what a file of another version is made anew from. A kind with a source has no steps.
	Source string
	// Older is what to do about a file older than the first step; only kinds without a source need it.
	Older string
	// Read finds the version of a file that belongs to this kind. Nil for what is no plain file: then Inspect.
	Read func(f io.ReaderAt) (Version, error)
	// Inspect is Read for a path, without changing or locking the file for long.
	Inspect func(path string) (Version, error)
}

// Step leads from one version to the next.
type Step struct {
	What string // is different in the next
	// Change writes the next version of a file that it reads. It is a pure function of what it reads.
	Change func(to io.Writer, old io.Reader) error
}

// Oldest is the oldest version this program reads, by its steps.
func (k *Kind) Oldest() Version { return k.Now - Version(len(k.Steps)) }

// Way is what becomes of a file of some version when it is opened.
type Way uint8

// The ways.
const (
	Stays   Way = iota // it is of the present version
	Changes            // steps lead to the present version
	Anew               // it is made anew from the kind's source
)

// Way says what becomes of a file of a version, or gives an *Error where no way leads to the present one.
func (k *Kind) Way(file string, have Version) (Way, error) {
	switch {
	case have == k.Now:
		return Stays, nil
	case k.Source != "":
		return Anew, nil
	case have >= k.Oldest() && have < k.Now:
		return Changes, nil
	}
	return Stays, k.Refuse(file, have)
}

// Check is Way for files that are changed before they are read or not at all: nil for the present version, else an *Error.
func (k *Kind) Check(file string, have Version) error {
	if have == k.Now {
		return nil
	}
	return k.Refuse(file, have)
}

// Refuse makes the *Error of a file.
func (k *Kind) Refuse(file string, have Version) error {
	e := &Error{Kind: k.Name, File: file, Have: have, Now: k.Now, Oldest: k.Oldest(), Do: k.Older}
	switch {
	case k.Source != "":
		e.Do = "it is made anew from " + k.Source
	case have > k.Now:
		e.Do = "start the cowboyd that wrote it, or a newer one"
	}
	return e
}

// Error reports a file of a version that this program neither reads nor leads to one it reads. The file is as it was.
type Error struct {
	Kind, File  string
	Have        Version
	Now, Oldest Version // what this program writes, and the oldest it reads
	Do          string  // about it
}

// Error implements error.
func (e *Error) Error() string {
	reads := fmt.Sprintf("format %d", e.Now)
	if e.Oldest != e.Now {
		reads = fmt.Sprintf("formats %d to %d", e.Oldest, e.Now)
	}
	text := fmt.Sprintf("%s has format %d of %s, this program reads %s", e.File, e.Have, e.Kind, reads)
	if e.Do != "" {
		text += ": " + e.Do
	}
	return text
}

// Note is one file that got another version.
type Note struct {
	Kind, File string
	From, To   Version
	What       string // is different; "" when the file is made anew
	Source     string // it is made anew from; "" when it was changed
}

// String says it in a line.
func (n Note) String() string {
	if n.Source != "" {
		return fmt.Sprintf("%s had format %d of %s; it is made anew from %s in format %d", n.File, n.From, n.Kind, n.Source, n.To)
	}
	return fmt.Sprintf("%s had format %d of %s, it has format %d now: %s", n.File, n.From, n.Kind, n.To, n.What)
}

// Told is told of each file that gets another version; it may be nil.
type Told func(Note)

// Tell tells of a note, if there is somebody to tell.
func (t Told) Tell(n Note) {
	if t != nil {
		t(n)
	}
}

// Made is the note of a file that is made anew.
func (k *Kind) Made(file string, have Version) Note {
	return Note{Kind: k.Name, File: file, From: have, To: k.Now, Source: k.Source}
}

// markBytes bounds a mark: "cowboy-", a name, a space, a number and the end of the line.
const markBytes = 64

// Mark is the first line of a file of a version, for kinds without a header of their own.
func (k *Kind) Mark(v Version) []byte {
	return []byte("cowboy-" + k.Name + " " + strconv.FormatUint(uint64(v), 10) + "\n")
}

// Marked reads the mark that data begins with; ok is false for data without one.
func (k *Kind) Marked(data []byte) (v Version, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte("cowboy-"+k.Name+" "))
	if !ok {
		return 0, false
	}
	digits, _, ok := bytes.Cut(rest[:min(len(rest), markBytes)], []byte("\n"))
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(string(digits), 10, 32)
	return Version(n), err == nil && n > 0
}

// Unmarked is Read for kinds whose version 1 has no mark and whose later ones begin with one.
func (k *Kind) Unmarked(f io.ReaderAt) (Version, error) {
	head := make([]byte, markBytes)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return 0, err
	}
	if v, ok := k.Marked(head[:n]); ok {
		return v, nil
	}
	return 1, nil
}
