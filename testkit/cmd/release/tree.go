package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file, or with a mode of a directory an empty one.
type entry struct {
	path  string // without a leading slash
	mode  int64  // permissions
	dir   bool
	owner int // user and group
	data  []byte
}

// tree is what an archive holds.
type tree []entry

// file adds a file of the repository or of the programs.
func (t *tree) file(at, from string, mode int64) error {
	data, err := os.ReadFile(from)
	if err == nil {
		*t = append(*t, entry{path: at, mode: mode, data: data})
	}
	return err
}

// text adds a file that is made here.
func (t *tree) text(at, text string) {
	*t = append(*t, entry{path: at, mode: 0o644, data: []byte(text)})
}

// complete adds the directories above every entry and sorts all.
func (t tree) complete() tree {
	there := map[string]bool{}
	for _, e := range t {
		there[e.path] = true
	}
	for _, e := range slices.Clone(t) {
		for dir := path.Dir(e.path); dir != "." && !there[dir]; dir = path.Dir(dir) {
			there[dir] = true
			t = append(t, entry{path: dir, mode: 0o755, dir: true})
		}
	}
	slices.SortFunc(t, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return t
}

// tar archives a tree; prefix stands before every path, as "./" does in a Debian package.
func (t tree) tar(at time.Time, prefix string) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range t {
		h := &tar.Header{
			Name: prefix + e.path, Mode: e.mode, Uid: e.owner, Gid: e.owner, ModTime: at, Format: tar.FormatUSTAR, Typeflag: tar.TypeReg,
			Size: int64(len(e.data)),
		}
		if e.dir {
			h.Name, h.Typeflag = h.Name+"/", tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// squeeze is gzip without a name or a time.
func squeeze(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// deploy is a file of the directory with what operators need.
func (r *release) deploy(name string) string {
	return filepath.Join(r.root, "cmd", "cowboyd", "deploy", filepath.FromSlash(name))
}
