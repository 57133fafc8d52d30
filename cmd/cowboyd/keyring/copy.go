package keyring

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/net/book"
)

// usedText is what the file says to whoever finds it.
const usedText = "A node has voted with these keys. Without its journal they must not vote before the epoch ends.\n"

// usedPath is the file that says so.
func (r Ring) usedPath() string { return filepath.Join(r.Dir, "used") }

// Used reports whether a node has voted with the keys.
func (r Ring) Used() bool {
	_, err := os.Stat(r.usedPath())
	return err == nil
}

// MarkUsed notes that a node is about to vote with the keys.
func (r Ring) MarkUsed() error {
	if r.Used() {
		return nil
	}
	return book.File{Path: r.usedPath()}.Save([]byte(usedText))
}

// Backup copies every key, still sealed, into a new directory.
func (r Ring) Backup(to string) error {
	if err := r.private(); err != nil {
		return err
	}
	if _, err := os.Stat(to); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w; name a directory that does not exist", to, ErrPresent)
	}
	return copyKeys(r, Ring{Dir: to})
}

// Restore copies the keys of a backup into a directory that has none, and marks them used.
func (r Ring) Restore(from string) error {
	for _, name := range append([]string{Network}, Sealed...) {
		if r.Has(name) {
			return fmt.Errorf("%s: %w", r.Path(name), ErrPresent)
		}
	}
	source := Ring{Dir: from}
	if !source.Has(Vote) && !source.Has(Network) {
		return fmt.Errorf("%s: %w", from, ErrAbsent)
	}
	if err := copyKeys(source, r); err != nil {
		return err
	}
	if !r.Has(Vote) {
		return nil
	}
	return r.MarkUsed()
}

func copyKeys(from, to Ring) error {
	if err := to.Make(); err != nil {
		return err
	}
	for _, name := range append([]string{Network}, Sealed...) {
		data, err := os.ReadFile(from.Path(name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := (book.File{Path: to.Path(name)}).Save(data); err != nil {
			return err
		}
	}
	return nil
}
