package dev

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Snapshots keeps copies of a stopped node's data directory, under its subdirectory dev.
type Snapshots struct{ Dir string }

// parts are what a node's chain is made of: the log, the validator's votes and shares, the index.
var parts = [...]string{"chain", "journal", "shares", "index.db"}

// MaxDump bounds a dump that is brought in, in bytes.
const MaxDump = 8 << 30

var snapshotName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// Rejects of Snapshots.
var (
	ErrName     = errors.New("a snapshot's name is up to 64 lower-case letters, digits, dots, dashes and underscores, and begins with a letter or digit")
	ErrSnapshot = errors.New("there is no such snapshot")
	ErrTaken    = errors.New("there is a snapshot of that name already")
	ErrDump     = errors.New("these bytes are no dump of a chain")
)

func (s *Snapshots) at(elem ...string) string {
	return filepath.Join(append([]string{s.Dir, "dev"}, elem...)...)
}

func (s *Snapshots) home(name string) (string, error) {
	if !snapshotName.MatchString(name) {
		return "", ErrName
	}
	return s.at("snapshots", name), nil
}

// Find errs with ErrName or ErrSnapshot unless there is a snapshot of that name.
func (s *Snapshots) Find(name string) error {
	home, err := s.home(name)
	if err != nil {
		return err
	}
	if info, err := os.Stat(home); err != nil || !info.IsDir() {
		return ErrSnapshot
	}
	return nil
}

// List gives the names of the snapshots in order.
func (s *Snapshots) List() []string {
	names := []string{}
	entries, err := os.ReadDir(s.at("snapshots"))
	if err != nil {
		return names
	}
	for _, e := range entries {
		if snapshotName.MatchString(e.Name()) && !strings.HasSuffix(e.Name(), partial) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// partial ends the name of a copy that is being made.
const partial = ".part"

// Save copies the chain. No node may have it open.
func (s *Snapshots) Save(name string) error {
	return s.make(name, func(dir string) error { return copyParts(s.Dir, dir) })
}

// make fills a directory and gives it its name when it is complete.
func (s *Snapshots) make(name string, fill func(dir string) error) error {
	home, err := s.home(name)
	if err != nil {
		return err
	}
	if s.Find(name) == nil {
		return ErrTaken
	}
	unfinished := home + partial
	if err := errors.Join(os.RemoveAll(unfinished), os.MkdirAll(unfinished, 0o755)); err != nil {
		return err
	}
	if err := fill(unfinished); err != nil {
		return errors.Join(err, os.RemoveAll(unfinished))
	}
	return os.Rename(unfinished, home)
}

// Drop forgets a snapshot.
func (s *Snapshots) Drop(name string) error {
	if err := s.Find(name); err != nil {
		return err
	}
	return os.RemoveAll(s.at("snapshots", name))
}

// Restore puts a snapshot in the chain's place. What was there is kept aside until Settle or Undo.
func (s *Snapshots) Restore(name string) error {
	if err := s.Find(name); err != nil {
		return err
	}
	next := s.at("next")
	if err := errors.Join(os.RemoveAll(next), os.RemoveAll(s.at("before")), os.MkdirAll(next, 0o755)); err != nil {
		return err
	}
	if err := copyParts(s.at("snapshots", name), next); err != nil {
		return err
	}
	if err := moveParts(s.Dir, s.at("before")); err != nil {
		return err
	}
	return errors.Join(moveParts(next, s.Dir), os.RemoveAll(next))
}

// Settle forgets what was in the chain's place before the last Restore.
func (s *Snapshots) Settle() error { return os.RemoveAll(s.at("before")) }

// Undo puts back what the last Restore replaced, also after a process that ended between the two; without one it does nothing.
func (s *Snapshots) Undo() error {
	before := s.at("before")
	if _, err := os.Stat(before); err != nil {
		return nil
	}
	for _, part := range parts {
		if _, err := os.Stat(filepath.Join(before, part)); err != nil {
			continue
		}
		if err := errors.Join(os.RemoveAll(filepath.Join(s.Dir, part)), os.Rename(filepath.Join(before, part), filepath.Join(s.Dir, part))); err != nil {
			return err
		}
	}
	return os.RemoveAll(before)
}

func moveParts(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, part := range parts {
		if err := os.Rename(filepath.Join(from, part), filepath.Join(to, part)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func copyParts(from, to string) error {
	for _, part := range parts {
		err := filepath.WalkDir(filepath.Join(from, part), func(at string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(from, at)
			if err != nil {
				return err
			}
			if d.IsDir() {
				return os.MkdirAll(filepath.Join(to, rel), 0o755)
			}
			in, err := os.Open(at)
			if err != nil {
				return err
			}
			defer in.Close()
			return writeFile(filepath.Join(to, rel), in)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func writeFile(name string, from io.Reader) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	return errors.Join(err, out.Sync(), out.Close())
}

// Dump writes a snapshot as a tar archive.
func (s *Snapshots) Dump(name string, to io.Writer) error {
	if err := s.Find(name); err != nil {
		return err
	}
	w := tar.NewWriter(to)
	return errors.Join(w.AddFS(os.DirFS(s.at("snapshots", name))), w.Close())
}

// Load makes a snapshot of a dump. Errors wrap ErrDump for bytes that are none.
func (s *Snapshots) Load(name string, from io.Reader) error {
	return s.make(name, func(dir string) error { return unpack(tar.NewReader(io.LimitReader(from, MaxDump)), dir) })
}

func unpack(r *tar.Reader, dir string) error {
	for found := false; ; found = true {
		header, err := r.Next()
		if errors.Is(err, io.EOF) && found {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDump, err)
		}
		name := path.Clean(header.Name)
		first, _, _ := strings.Cut(name, "/")
		if !filepath.IsLocal(name) || !slices.Contains(parts[:], first) {
			if header.Typeflag == tar.TypeDir && name == "." {
				continue
			}
			return fmt.Errorf("%w: it holds %q", ErrDump, header.Name)
		}
		at := filepath.Join(dir, filepath.FromSlash(name))
		switch header.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(at, 0o755)
		case tar.TypeReg:
			if err = os.MkdirAll(filepath.Dir(at), 0o755); err == nil {
				err = writeFile(at, r)
			}
		default:
			return fmt.Errorf("%w: %q is neither file nor directory", ErrDump, header.Name)
		}
		if err != nil {
			return err
		}
	}
}
