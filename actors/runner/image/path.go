package image

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// maxLinks bounds the symbolic links on the way to a file, as kernels do.
const maxLinks = 40

// maxPath bounds a name, in bytes, and maxDepth the directories on the way to it: each costs a look from the root on.
const (
	maxPath  = 4096
	maxDepth = 128
)

var (
	// ErrPath reports a name that leaves the image, or cannot be in it.
	ErrPath = errors.New("image: a name leaves the image")
	// ErrKind reports an entry of a kind that images may not have here.
	ErrKind = errors.New("image: devices, pipes and sockets are refused")
)

// clean gives the name of an entry from the root on, without a slash before it; "." is the root.
func clean(name string) (string, error) {
	if len(name) > maxPath || strings.Count(name, "/") > maxDepth || strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("%w: %.80q", ErrPath, name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", fmt.Errorf("%w: %.80q", ErrPath, name)
		}
	}
	return strings.TrimPrefix(path.Clean("/"+name), "/"), nil
}

// follow gives where a name leads inside the root, with no symbolic link left on the way; the last part is followed too if whole is true. Parts that are not
// there yet are made as directories if make is true.
func follow(root *os.Root, name string, whole, make bool) (string, error) {
	parts, at, links := strings.Split(name, "/"), ".", 0
	for len(parts) > 0 {
		part := parts[0]
		parts = parts[1:]
		switch part {
		case "", ".":
			continue
		case "..": // of a link; the root's own parent is the root
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, part)
		if len(parts) == 0 && !whole {
			return next, nil
		}
		info, err := root.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist) && make:
			if err := root.Mkdir(next, 0o755); err != nil {
				return "", err
			}
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return "", fmt.Errorf("%w: too many links at %.80q", ErrPath, name)
			}
			target, err := root.Readlink(next)
			if err != nil {
				return "", err
			}
			if strings.HasPrefix(target, "/") {
				at = "."
			}
			if parts = append(strings.Split(target, "/"), parts...); len(parts) > 2*maxDepth {
				return "", fmt.Errorf("%w: a link that is too long at %.80q", ErrPath, name)
			}
			continue
		case len(parts) > 0 && !info.IsDir():
			return "", fmt.Errorf("%w: %.80q is below a file", ErrPath, name)
		}
		at = next
	}
	return at, nil
}
