package image

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// ErrLarge reports an image beyond its bounds.
var ErrLarge = errors.New("image: larger than it may be")

// Marks of a layer that delete what is below it. As the OCI image specification has them (whiteouts).
const (
	whiteout = ".wh."
	opaque   = ".wh..wh..opq"
)

// Base is the first of the 65,536 user ids that files have where the runner is root, and IDs is how many there are.
const (
	Base   = 1_900_000_000
	IDs    = 65_536
	nobody = 65_534
)

// unpacker unpacks layers into a directory, one upon the other.
type unpacker struct {
	root    *os.Root
	owned   bool  // files are moved to Base
	bytes   int64 // left
	entries int   // left
	fresh   map[string]bool
}

// layer unpacks one archive.
func (u *unpacker) layer(from io.Reader) error {
	u.fresh = map[string]bool{}
	archive := tar.NewReader(from)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if u.entries--; u.entries < 0 {
			return fmt.Errorf("%w: too many files", ErrLarge)
		}
		if err := u.entry(h, archive); err != nil {
			return fmt.Errorf("%.80q: %w", h.Name, err)
		}
	}
}

func (u *unpacker) entry(h *tar.Header, data io.Reader) error {
	name, err := clean(h.Name)
	if err != nil {
		return err
	}
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	if name == "" {
		if h.Typeflag != tar.TypeDir {
			return ErrPath
		}
		return nil
	}
	at, err := follow(u.root, name, false, true)
	if err != nil {
		return err
	}
	if base := path.Base(at); strings.HasPrefix(base, whiteout) {
		return u.delete(path.Dir(at), base)
	}
	if err := u.clear(at, h.Typeflag == tar.TypeDir); err != nil {
		return err
	}
	if err := u.create(at, h, data); err != nil {
		return err
	}
	u.fresh[at] = true
	return u.own(at, h)
}

// create makes what an entry is.
func (u *unpacker) create(at string, h *tar.Header, data io.Reader) error {
	switch h.Typeflag {
	case tar.TypeDir:
		err := u.root.Mkdir(at, 0o755)
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	case tar.TypeReg:
		return u.file(at, h, data)
	case tar.TypeSymlink:
		if len(h.Linkname) > maxPath || h.Linkname == "" {
			return ErrPath
		}
		return u.root.Symlink(h.Linkname, at)
	case tar.TypeLink:
		target, err := clean(h.Linkname)
		if err != nil {
			return err
		}
		if target, err = follow(u.root, target, false, false); err != nil {
			return err
		}
		if info, err := u.root.Lstat(target); err != nil {
			return err
		} else if !info.Mode().IsRegular() {
			return fmt.Errorf("%w: a hard link to what is no file", ErrPath)
		}
		return u.root.Link(target, at)
	}
	return fmt.Errorf("%w: kind %q", ErrKind, h.Typeflag)
}

func (u *unpacker) file(at string, h *tar.Header, data io.Reader) error {
	if u.bytes -= h.Size; h.Size < 0 || u.bytes < 0 {
		return ErrLarge
	}
	f, err := u.root.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, io.LimitReader(data, h.Size))
	if err == nil && n != h.Size {
		err = io.ErrUnexpectedEOF
	}
	return errors.Join(err, f.Close())
}

// own gives an entry its owner and its permissions. What may be written by nobody can still be removed by its owner.
func (u *unpacker) own(at string, h *tar.Header) error {
	if u.owned {
		uid, gid := h.Uid, h.Gid
		if uid < 0 || uid >= IDs {
			uid = nobody
		}
		if gid < 0 || gid >= IDs {
			gid = nobody
		}
		if err := u.root.Lchown(at, Base+uid, Base+gid); err != nil {
			return err
		}
	}
	mode := fs.FileMode(h.Mode) & fs.ModePerm
	switch h.Typeflag {
	case tar.TypeDir:
		return u.root.Chmod(at, mode|0o700)
	case tar.TypeReg:
		return u.root.Chmod(at, mode|0o400)
	}
	return nil
}

// clear takes away what is at a place; a directory stays for a directory.
func (u *unpacker) clear(at string, forDirectory bool) error {
	info, err := u.root.Lstat(at)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() && forDirectory {
		return nil
	}
	if err != nil {
		return err
	}
	return u.root.RemoveAll(at)
}

// delete does what a mark of a layer says, to what the layers below have.
func (u *unpacker) delete(in, mark string) error {
	if mark != opaque {
		name := strings.TrimPrefix(mark, whiteout)
		if name == "" || name == "." || name == ".." {
			return ErrPath
		}
		return u.root.RemoveAll(path.Join(in, name))
	}
	d, err := u.root.Open(in)
	if err != nil {
		return err
	}
	names, err := d.Readdirnames(-1)
	if err = errors.Join(err, d.Close()); err != nil {
		return err
	}
	for _, name := range names {
		if at := path.Join(in, name); !u.fresh[at] {
			err = errors.Join(err, u.root.RemoveAll(at))
		}
	}
	return err
}
