package image

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// item is an entry of an archive: a directory where the name ends with a slash, a link where to is given, or a file.
type item struct {
	name, to, data string
	kind           byte
	mode           int64
}

func archive(t *testing.T, items ...item) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, i := range items {
		h := &tar.Header{Name: i.name, Linkname: i.to, Typeflag: i.kind, Mode: i.mode, Size: int64(len(i.data)), Uid: 7, Gid: 70_000}
		switch {
		case h.Typeflag != 0:
		case strings.HasSuffix(i.name, "/"):
			h.Typeflag = tar.TypeDir
		case i.to != "":
			h.Typeflag = tar.TypeSymlink
		default:
			h.Typeflag = tar.TypeReg
		}
		if h.Mode == 0 {
			h.Mode = 0o755
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(i.data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// place is a root between two files that must not change.
func place(t *testing.T) (u *unpacker, root, outside string) {
	t.Helper()
	dir := t.TempDir()
	root, outside = filepath.Join(dir, "root"), filepath.Join(dir, "outside")
	if err := errors.Join(os.Mkdir(root, 0o755), os.WriteFile(outside, []byte("as it was"), 0o644)); err != nil {
		t.Fatal(err)
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return &unpacker{root: r, owned: os.Geteuid() == 0, bytes: 1 << 20, entries: 1000}, root, outside
}

func (u *unpacker) layers(t *testing.T, layers ...[]item) error {
	t.Helper()
	for _, l := range layers {
		if err := u.layer(bytes.NewReader(archive(t, l...))); err != nil {
			return err
		}
	}
	return nil
}

// told lists a tree: what each name is, with the data of files and the targets of links.
func told(t *testing.T, root string) string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, _ := filepath.Rel(root, path)
		switch {
		case d.IsDir():
			name += "/"
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			name += "→" + to
		default:
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name += "=" + string(data)
		}
		list = append(list, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, " ")
}

// Layers lie one upon the other: what is later replaces, marks delete what is below, links lead where they lead inside the container.
//
// Spec: runner-marketplace §2.9; CIP-10.
func TestLayers(t *testing.T) {
	for _, c := range []struct {
		name   string
		layers [][]item
		want   string
	}{
		{"plain", [][]item{{{name: "./bin/"}, {name: "bin/a", data: "1"}, {name: "/etc/b", data: "2"}}}, "bin/ bin/a=1 etc/ etc/b=2"},
		{"replaced", [][]item{{{name: "a", data: "1"}, {name: "d/x", data: "1"}}, {{name: "a", data: "22"}, {name: "d", data: "none"}}}, "a=22 d=none"},
		{"directory stays", [][]item{{{name: "d/x", data: "1"}}, {{name: "d/"}, {name: "d/y", data: "2"}}}, "d/ d/x=1 d/y=2"},
		{"a link becomes a directory", [][]item{{{name: "d", to: "/etc"}}, {{name: "d/"}, {name: "d/y", data: "2"}}}, "d/ d/y=2"},
		{"whiteout", [][]item{{{name: "a", data: "1"}, {name: "d/x", data: "1"}}, {{name: ".wh.a"}, {name: "d/.wh.x"}}}, "d/"},
		{"whiteout of nothing", [][]item{{{name: ".wh.a"}}}, ""},
		{"opaque", [][]item{{{name: "d/x", data: "1"}}, {{name: "d/y", data: "2"}, {name: "d/.wh..wh..opq"}}}, "d/ d/y=2"},
		{"hard link", [][]item{{{name: "a", data: "1"}, {name: "b", to: "/a", kind: tar.TypeLink}}}, "a=1 b=1"},
		{"relative link", [][]item{{{name: "lib", to: "usr/lib"}, {name: "usr/lib/"}, {name: "lib/a", data: "1"}}}, "lib→usr/lib usr/ usr/lib/ usr/lib/a=1"},
		{"absolute link", [][]item{{{name: "var/run", to: "/run"}, {name: "var/run/a", data: "1"}}}, "run/ run/a=1 var/ var/run→/run"},
		{"link above the root", [][]item{{{name: "d", to: "../../../e"}, {name: "d/a", data: "1"}}}, "d→../../../e e/ e/a=1"},
		{"link upon link", [][]item{{{name: "a", to: "b/c"}, {name: "b", to: "/x/../y"}, {name: "a/f", data: "1"}}}, "a→b/c b→/x/../y x/ y/ y/c/ y/c/f=1"},
		{"dangling", [][]item{{{name: "a", to: "/etc/passwd"}}}, "a→/etc/passwd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, root, _ := place(t)
			if err := u.layers(t, c.layers...); err != nil {
				t.Fatal(err)
			}
			if got := told(t, root); got != c.want {
				t.Errorf("%s", got)
			}
		})
	}
}

// What would leave the root, or is of a kind that nobody may have, is refused, and nothing outside of the root changes.
//
// Spec: CIP-10.
func TestEscapes(t *testing.T) {
	for _, c := range []struct {
		name  string
		items []item
		want  error
	}{
		{"parent", []item{{name: "../outside", data: "x"}}, ErrPath}, {"parent below", []item{{name: "a/../../outside", data: "x"}}, ErrPath},
		{"absolute parent", []item{{name: "/../outside", data: "x"}}, ErrPath}, {"parent alone", []item{{name: "..", kind: tar.TypeDir}}, ErrPath},
		{"inside parent", []item{{name: "a/../b", data: "x"}}, ErrPath},
		{"link, then through it", []item{{name: "l", to: ".."}, {name: "l/outside", data: "x"}}, nil},
		{"link to a file, then upon it", []item{{name: "l", to: "../outside"}, {name: "l", data: "x"}}, nil},
		{"links in a ring", []item{{name: "a", to: "b"}, {name: "b", to: "a"}, {name: "a/x", data: "x"}}, ErrPath},
		{"hard link out", []item{{name: "l", to: "../outside", kind: tar.TypeLink}}, ErrPath},
		{"hard link through a link", []item{{name: "l", to: ".."}, {name: "h", to: "l/outside", kind: tar.TypeLink}}, fs.ErrNotExist},
		{"hard link to a link", []item{{name: "l", to: "../outside"}, {name: "h", to: "l", kind: tar.TypeLink}}, ErrPath},
		{"hard link to a directory", []item{{name: "d/"}, {name: "h", to: "d", kind: tar.TypeLink}}, ErrPath},
		{"hard link to nothing", []item{{name: "h", to: "d", kind: tar.TypeLink}}, fs.ErrNotExist},
		{"character device", []item{{name: "d", kind: tar.TypeChar}}, ErrKind}, {"block device", []item{{name: "d", kind: tar.TypeBlock}}, ErrKind},
		{"pipe", []item{{name: "d", kind: tar.TypeFifo}}, ErrKind}, {"below a file", []item{{name: "f", data: "1"}, {name: "f/x", data: "2"}}, ErrPath},
		{"root as a file", []item{{name: ".", kind: tar.TypeReg}}, ErrPath}, {"empty link", []item{{name: "l", kind: tar.TypeSymlink}}, ErrPath},
		{"whiteout of the parent", []item{{name: "d/.wh..."}}, ErrPath}, {"whiteout of itself", []item{{name: "d/.wh.."}}, ErrPath},
		{"whiteout through a link", []item{{name: "l", to: ".."}, {name: "l/.wh.outside"}}, nil},
		{"deepest name", []item{{name: strings.Repeat("a/", maxDepth) + "a", data: "x"}}, nil},
		{"deeper name", []item{{name: strings.Repeat("a/", maxDepth+1) + "a", data: "x"}}, ErrPath},
		{"longer name", []item{{name: strings.Repeat("a", maxPath+1), data: "x"}}, ErrPath},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, root, outside := place(t)
			if err := u.layers(t, c.items); !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
			data, err := os.ReadFile(outside)
			if err != nil || string(data) != "as it was" {
				t.Errorf("what is outside of the root is %q now, %v", data, err)
			}
			if list, err := os.ReadDir(filepath.Dir(root)); err != nil || len(list) != 2 {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}

// Bytes and entries are counted over all layers, and refused before they are written.
func TestUnpackedBounds(t *testing.T) {
	for _, c := range []struct {
		name    string
		bytes   int64
		entries int
		want    error
	}{{"enough", 10, 4, nil}, {"a byte less", 9, 4, ErrLarge}, {"an entry less", 10, 3, ErrLarge}} {
		t.Run(c.name, func(t *testing.T) {
			u, _, _ := place(t)
			u.bytes, u.entries = c.bytes, c.entries
			err := u.layers(t, []item{{name: "a", data: "12345"}, {name: "d/"}}, []item{{name: "a", data: "1234"}, {name: "c", data: "1"}})
			if !errors.Is(err, c.want) {
				t.Error(err)
			}
		})
	}
	u, root, _ := place(t)
	u.bytes = 100
	if err := u.layers(t, []item{{name: "a", data: strings.Repeat("x", 101)}}); !errors.Is(err, ErrLarge) || told(t, root) != "" {
		t.Errorf("%v, %s", err, told(t, root))
	}
}

// Permissions stay but for the bits that give others' rights; owners are moved to the range of containers where that can be done.
func TestOwners(t *testing.T) {
	u, root, _ := place(t)
	err := u.layers(t, []item{{name: "s", data: "x", mode: 0o6755}, {name: "d/", mode: 0o1111}, {name: "w", data: "x", mode: 0o222}, {name: "l", to: "s"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"s": 0o755, "d": 0o711 | fs.ModeDir, "w": 0o622} {
		t.Run(name, func(t *testing.T) {
			info, err := os.Lstat(filepath.Join(root, name))
			if err != nil || info.Mode() != want {
				t.Fatalf("%v, %v", info, err)
			}
			uid, gid := owner(info)
			if os.Geteuid() == 0 && (uid != Base+7 || gid != Base+nobody) {
				t.Errorf("it is of %d and %d", uid, gid)
			}
		})
	}
	info, err := os.Lstat(filepath.Join(root, "l"))
	if err != nil {
		t.Fatal(err)
	}
	if uid, _ := owner(info); os.Geteuid() == 0 && uid != Base+7 {
		t.Error(fmt.Sprint("the link is of ", uid))
	}
}
