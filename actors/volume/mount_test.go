package volume_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/actors/volume/mount"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// system is the file system of a client, without a kernel.
func system(t testing.TB, c *volume.Client, id digest.Hash) *mount.System {
	t.Helper()
	s, err := mount.New(t.Context(), c, id, mount.Options{Dir: filepath.Join(t.TempDir(), "cache"), Now: time.Now})
	must(t, err)
	return s
}

func put(t testing.TB, s *mount.System, folder, name string, data []byte) {
	t.Helper()
	f, err := s.Create(t.Context(), folder, name, os.O_WRONLY|os.O_TRUNC)
	must(t, err)
	defer f.Close()
	if n, err := f.WriteAt(t.Context(), data, 0); err != nil || n != len(data) {
		t.Fatal(n, err)
	}
}

// Each refusal is the one that the document names, or POSIX where it names none.
//
// Spec: storage-cbfs §3.5.
func TestErrorsOfAMount(t *testing.T) {
	w := volume.NewWorld(t, 6)
	id, c := w.Owned("docs", true)
	s := system(t, c, id)
	put(t, s, "", "a", []byte("text"))
	must(t, s.Make(t.Context(), "", "dir", cbfs.Directory, ""))
	must(t, s.Make(t.Context(), "", "link", cbfs.Symlink, "a"))
	must(t, s.Make(t.Context(), "", "out", cbfs.Directory, ""))
	must(t, s.Sync(t.Context()))
	reader := system(t, w.Granted(id, 210, cbfs.ReadOnly, "", 0), id)
	writer := system(t, w.Granted(id, 211, cbfs.WriteOnly, "out", 5_000), id)
	long := string(bytes.Repeat([]byte{'x'}, 256))
	open := func(s *mount.System, path string, flags int) error {
		f, err := s.Open(t.Context(), path, flags)
		if err == nil {
			f.Close()
		}
		return err
	}
	create := func(s *mount.System, folder, name string, flags int) error {
		f, err := s.Create(t.Context(), folder, name, flags)
		if err == nil {
			f.Close()
		}
		return err
	}
	second := func(_ any, err error) error { return err }
	for name, c := range map[string]struct {
		got  error
		want syscall.Errno
	}{
		"unlink":                            {s.Remove(t.Context(), "", "a"), syscall.EPERM},
		"unlink what is not there":          {s.Remove(t.Context(), "", "b"), syscall.ENOENT},
		"rmdir":                             {s.Remove(t.Context(), "", "dir"), syscall.EPERM},
		"rename":                            {s.Rename(), syscall.ENOTSUP},
		"open what is not there":            {open(s, "b", os.O_RDONLY), syscall.ENOENT},
		"open a folder":                     {open(s, "dir", os.O_RDONLY), syscall.EISDIR},
		"below a file":                      {create(s, "a", "b", os.O_RDWR), syscall.ENOTDIR},
		"list a file":                       {second(s.List(t.Context(), "a")), syscall.ENOTDIR},
		"make what is there":                {s.Make(t.Context(), "", "a", cbfs.Directory, ""), syscall.EEXIST},
		"create what is there":              {create(s, "", "a", os.O_RDWR|os.O_EXCL), syscall.EEXIST},
		"a long name":                       {create(s, "", long, os.O_RDWR), syscall.ENAMETOOLONG},
		"a long path":                       {create(s, long[:250]+"/"+long[:250], long[:20], os.O_RDWR), syscall.ENAMETOOLONG},
		"a name that is none":               {create(s, "", "..", os.O_RDWR), syscall.EINVAL},
		"a name that is no text":            {create(s, "", "\xff", os.O_RDWR), syscall.EINVAL},
		"a reader writes":                   {open(reader, "a", os.O_WRONLY), syscall.EACCES},
		"a reader creates":                  {create(reader, "", "n", os.O_RDWR), syscall.EACCES},
		"a reader makes":                    {reader.Make(t.Context(), "", "n", cbfs.Directory, ""), syscall.EACCES},
		"a writer outside of its prefix":    {create(writer, "", "n", os.O_WRONLY), syscall.EACCES},
		"a writer sees what is not its":     {second(writer.Stat(t.Context(), "a")), syscall.EACCES},
		"a writer reads":                    {create(writer, "out", "n", os.O_RDWR), syscall.EACCES},
		"a writer lists":                    {second(writer.List(t.Context(), "out")), syscall.EACCES},
		"more than an object":               {s.Truncate(t.Context(), "a", 1<<30), syscall.ENOSPC},
		"a reader truncates":                {reader.Truncate(t.Context(), "a", 0), syscall.EACCES},
		"the way to the prefix is a folder": {open(writer, "out", os.O_WRONLY), syscall.EISDIR},
	} {
		t.Run(name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%v, want %v", c.got, c.want)
			}
		})
	}
	if f, err := reader.Open(t.Context(), "a", os.O_RDONLY); err != nil {
		t.Error(err)
	} else if _, err := f.WriteAt(t.Context(), []byte("x"), 0); err != syscall.EBADF {
		t.Error(err)
	}
}

// A token that only writes writes a private volume, and the owner reads it; what the token does not cover is refused when it is written, and nothing is lost.
//
// Spec: storage-cbfs §2.5 (WO), §3.5 (ENOSPC), §11 (10).
func TestAWriterThatMayNotRead(t *testing.T) {
	w := volume.NewWorld(t, 6)
	id, owner := w.Owned("docs", true)
	must(t, owner.Apply(t.Context(), id, []volume.Change{
		{Path: "secret", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte("nothing for others"))), nil }, Size: 18},
	}))
	theirs := w.Granted(id, 211, cbfs.WriteOnly, "out", 50_000)
	s := system(t, theirs, id)
	put(t, s, "out", "n", []byte("by the writer"))
	f, err := s.Open(t.Context(), "out/n", os.O_WRONLY|os.O_APPEND)
	must(t, err)
	if _, err := f.WriteAt(t.Context(), []byte(", and more"), 0); err != nil {
		t.Error(err)
	}
	if _, err := f.WriteAt(t.Context(), make([]byte, 60_000), 0); err != syscall.ENOSPC {
		t.Error(err)
	}
	if _, err := f.ReadAt(t.Context(), make([]byte, 3), 0); err != syscall.EBADF {
		t.Error(err)
	}
	f.Close()
	must(t, s.Close(t.Context()))
	if got, err := w.Bytes(t.Context(), owner, id, "out/n"); err != nil || string(got) != "by the writer, and more" {
		t.Errorf("%q %v", got, err)
	}
	snapshot, err := theirs.Open(t.Context(), id)
	must(t, err)
	if err := snapshot.Read(t.Context(), "secret", io.Discard); err == nil {
		t.Error("who may only write reads what others wrote")
	}
}

// Whatever is written, cut, lengthened and appended in random order reads as in a slice of bytes, before and after it is committed, and in another mount.
//
// Spec: storage-cbfs §3.5.
func TestMountAgainstBytes(t *testing.T) {
	w := volume.NewWorld(t, 6)
	for _, private := range []bool{false, true} {
		t.Run(fmt.Sprint("private ", private), func(t *testing.T) {
			id, c := w.Owned(fmt.Sprint("v-", private), private)
			s, r := system(t, c, id), rand.New(rand.NewPCG(11, 12))
			want := map[string][]byte{}
			for round := range 300 {
				name := fmt.Sprint("f", r.IntN(6))
				if _, there := want[name]; !there {
					f, err := s.Create(t.Context(), "", name, os.O_RDWR)
					must(t, err)
					f.Close()
					want[name] = nil
				}
				random(t, s, r, name, want)
				if round%60 == 59 {
					must(t, s.Sync(t.Context()))
				}
			}
			check := func(s *mount.System) {
				t.Helper()
				list, err := s.List(t.Context(), "")
				must(t, err)
				if len(list) != len(want) {
					t.Errorf("%d names, want %d", len(list), len(want))
				}
				for _, e := range list {
					same(t, s, e.Name, want[e.Name])
				}
			}
			check(s)
			must(t, s.Close(t.Context()))
			check(system(t, c, id))
		})
	}
}

// random does something to a file, and to the bytes it should have.
func random(t *testing.T, s *mount.System, r *rand.Rand, name string, want map[string][]byte) {
	t.Helper()
	flags := os.O_RDWR
	if r.IntN(4) == 0 {
		flags |= os.O_APPEND
	}
	f, err := s.Open(t.Context(), name, flags)
	must(t, err)
	defer f.Close()
	old := want[name]
	data := make([]byte, r.IntN(20_000))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	switch at := r.IntN(30_000); r.IntN(5) {
	case 0:
		must(t, f.Truncate(t.Context(), uint64(at)))
		want[name] = append(slices.Clone(old[:min(at, len(old))]), make([]byte, max(0, at-len(old)))...)
	case 1:
		same(t, s, name, old)
	default:
		if flags&os.O_APPEND != 0 {
			at = len(old)
		}
		if n, err := f.WriteAt(t.Context(), data, int64(at)); err != nil || n != len(data) {
			t.Fatal(n, err)
		}
		if len(data) == 0 {
			at = min(at, len(old))
		}
		next := append(slices.Clone(old), make([]byte, max(0, at+len(data)-len(old)))...)
		copy(next[at:], data)
		want[name] = next
	}
}

func same(t *testing.T, s *mount.System, path string, want []byte) {
	t.Helper()
	f, err := s.Open(t.Context(), path, os.O_RDONLY)
	must(t, err)
	defer f.Close()
	got := make([]byte, len(want)+10)
	n, err := f.ReadAt(t.Context(), got, 0)
	if err != nil || !bytes.Equal(got[:n], want) {
		t.Errorf("%s: %d bytes that differ from %d (%v)", path, n, len(want), err)
	}
	if e, err := s.Stat(t.Context(), path); err != nil || e.Size != uint64(len(want)) {
		t.Errorf("%s: size %d %v, want %d", path, e.Size, err, len(want))
	}
}

// mounted is a volume at a folder, and who reads what is committed.
type mounted struct {
	*volume.World
	*mount.Mounted
	at     string
	cache  string
	id     digest.Hash
	client *volume.Client
}

func mountOf(t *testing.T) *mounted {
	t.Helper()
	if _, err := os.Stat("/dev/fuse"); err != nil {
		t.Skip("this machine has no /dev/fuse: the kernel's side of a mount is not tested")
	}
	w := volume.NewWorld(t, 6)
	m := &mounted{World: w, at: t.TempDir(), cache: filepath.Join(t.TempDir(), "cache")}
	m.id, m.client = w.Owned("docs", true)
	s, err := mount.New(t.Context(), m.client, m.id, mount.Options{Dir: m.cache, Now: time.Now, Every: time.Hour})
	must(t, err)
	if m.Mounted, err = mount.Serve(s, m.at, false); err != nil {
		t.Skipf("this machine lets nobody mount: %v", err)
	}
	var once sync.Once
	end := func() { once.Do(func() { _ = m.Unmount(t.Context()) }) }
	context := t.Context()
	go func() { <-context.Done(); end() }()
	t.Cleanup(end)
	return m
}

func (m *mounted) path(name string) string { return filepath.Join(m.at, name) }

// What programs do with files goes through the kernel: a slice of what pjdfstest asks, with the refusals the document names.
//
// Spec: storage-cbfs §3.5.
func TestFilesThroughTheKernel(t *testing.T) {
	m := mountOf(t)
	must(t, os.MkdirAll(m.path("a/b/c"), 0o755))
	must(t, os.WriteFile(m.path("a/b/f"), []byte("one"), 0o644))
	must(t, os.Symlink("b/f", m.path("a/link")))
	if got, err := os.ReadFile(m.path("a/link")); err != nil || string(got) != "one" {
		t.Errorf("%q %v", got, err)
	}
	f, err := os.OpenFile(m.path("a/b/f"), os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	_, err = f.WriteString(" two")
	must(t, err)
	must(t, f.Sync())
	must(t, f.Close())
	if got, err := m.Bytes(t.Context(), m.client, m.id, "a/b/f"); err != nil || string(got) != "one two" {
		t.Errorf("committed is %q %v", got, err)
	}
	must(t, os.Truncate(m.path("a/b/f"), 3))
	must(t, os.Truncate(m.path("a/b/f"), 5))
	if got, err := os.ReadFile(m.path("a/b/f")); err != nil || string(got) != "one\x00\x00" {
		t.Errorf("%q %v", got, err)
	}
	list, err := os.ReadDir(m.path("a"))
	if err != nil || len(list) != 2 || list[0].Name() != "b" || !list[0].IsDir() || list[1].Type()&fs.ModeSymlink == 0 {
		t.Error(list, err)
	}
	_, open := os.OpenFile(m.path("a/b/f"), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	_, missing := os.Stat(m.path("none"))
	_, below := os.Stat(m.path("a/b/f/x"))
	long := string(bytes.Repeat([]byte{'x'}, 256))
	for name, c := range map[string]struct {
		got  error
		want syscall.Errno
	}{
		"unlink": {syscall.Unlink(m.path("a/b/f")), syscall.EPERM}, "rmdir": {syscall.Rmdir(m.path("a/b/c")), syscall.EPERM},
		"rename": {syscall.Rename(m.path("a/b/f"), m.path("g")), syscall.ENOTSUP}, "link": {syscall.Link(m.path("a/b/f"), m.path("g")), syscall.ENOTSUP},
		"chmod": {syscall.Chmod(m.path("a/b/f"), 0o777), syscall.ENOTSUP}, "chown": {syscall.Chown(m.path("a/b/f"), 12, 12), syscall.ENOTSUP},
		"fifo": {syscall.Mkfifo(m.path("p"), 0o644), syscall.ENOTSUP}, "exclusive": {open, syscall.EEXIST}, "missing": {missing, syscall.ENOENT},
		"below a file": {below, syscall.ENOTDIR}, "mkdir again": {syscall.Mkdir(m.path("a"), 0o755), syscall.EEXIST},
		"a long name": {syscall.Mkdir(m.path(long), 0o755), syscall.ENAMETOOLONG},
	} {
		t.Run(name, func(t *testing.T) {
			if !errors.Is(c.got, c.want) {
				t.Errorf("%v, want %v", c.got, c.want)
			}
		})
	}
	var room syscall.Statfs_t
	if err := syscall.Statfs(m.at, &room); err != nil || room.Bfree == 0 || room.Files != 1_000_000 {
		t.Errorf("%+v %v", room, err)
	}
	must(t, m.Unmount(t.Context()))
	if got, err := m.Bytes(t.Context(), m.client, m.id, "a/b/f"); err != nil || string(got) != "one\x00\x00" {
		t.Errorf("after the end of the mount it is %q %v", got, err)
	}
	if list, err := os.ReadDir(m.at); err != nil || len(list) > 0 {
		t.Error("the folder is mounted still", list, err)
	}
}

// Blocks written at random places by several programs at a time read as they were written, before and after the commit: what fio does with --verify.
//
// Spec: storage-cbfs §3.5.
func TestVerifiedBlocks(t *testing.T) {
	const block, blocks, programs = 4_096, 200, 3
	m := mountOf(t)
	want := make([][]byte, programs)
	var all sync.WaitGroup
	for p := range programs {
		want[p] = make([]byte, block*blocks)
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(p), 5))
			f, err := os.Create(m.path(fmt.Sprint("f", p)))
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			if err := f.Truncate(block * blocks); err != nil {
				t.Error(err)
			}
			for range 2 * blocks {
				at := r.IntN(blocks) * block
				for i := range block {
					want[p][at+i] = byte(r.Uint32())
				}
				if _, err := f.WriteAt(want[p][at:at+block], int64(at)); err != nil {
					t.Error(err)
				}
				at = r.IntN(blocks) * block
				got := make([]byte, block)
				if _, err := f.ReadAt(got, int64(at)); err != nil || !bytes.Equal(got, want[p][at:at+block]) {
					t.Errorf("a block of %d is not what was written (%v)", p, err)
					return
				}
			}
		})
	}
	all.Wait()
	must(t, m.Sync(t.Context()))
	for p := range programs {
		if got, err := os.ReadFile(m.path(fmt.Sprint("f", p))); err != nil || !bytes.Equal(got, want[p]) {
			t.Error("mounted", p, err)
		}
		if got, err := m.Bytes(t.Context(), m.client, m.id, fmt.Sprint("f", p)); err != nil || !bytes.Equal(got, want[p]) {
			t.Error("committed", p, err)
		}
	}
}

// fio writes blocks at random places and reads each of them again, by its own sums; then the volume has what fio left in the mount.
//
// Spec: storage-cbfs §3.5.
func TestFio(t *testing.T) {
	fio, err := exec.LookPath("fio")
	if err != nil {
		t.Skip("this machine has no fio: the test before does what it would do")
	}
	m := mountOf(t)
	for name, pattern := range map[string][]string{
		"random":     {"--rw=randwrite", "--bs=4k", "--size=2m", "--numjobs=2"},
		"in order":   {"--rw=write", "--bs=64k", "--size=4m"},
		"odd blocks": {"--rw=randwrite", "--bs=1k-9k", "--bs_unaligned=1", "--size=1m"},
		"mixed":      {"--rw=randrw", "--bs=4k", "--size=1m", "--fsync=64"},
	} {
		t.Run(name, func(t *testing.T) {
			where := m.path(strings.ReplaceAll(name, " ", "-"))
			must(t, os.Mkdir(where, 0o755))
			args := append([]string{"--name=f", "--directory=" + where, "--ioengine=psync", "--fallocate=none", "--verify=crc32c", "--do_verify=1",
				"--verify_fatal=1", "--verify_state_save=0", "--unlink=0", "--randseed=18"}, pattern...)
			command := exec.CommandContext(t.Context(), fio, args...)
			command.Dir = t.TempDir()
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			must(t, m.Sync(t.Context()))
			files, err := os.ReadDir(where)
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			for _, f := range files {
				mounted, err := os.ReadFile(filepath.Join(where, f.Name()))
				must(t, err)
				if got, err := m.Bytes(t.Context(), m.client, m.id, filepath.Base(where)+"/"+f.Name()); err != nil || !bytes.Equal(got, mounted) {
					t.Errorf("%s: %d bytes are committed and %d mounted (%v)", f.Name(), len(got), len(mounted), err)
				}
			}
		})
	}
}

// When all relays are gone, what is at hand is read, what is not is EIO, and so is a commit; nothing waits for ever, and what is not committed is kept.
//
// Spec: storage-cbfs §3.5.
func TestRelaysVanish(t *testing.T) {
	m := mountOf(t)
	must(t, os.WriteFile(m.path("near"), []byte("at hand"), 0o644))
	must(t, m.client.Apply(t.Context(), m.id, []volume.Change{
		{Path: "far", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte("far away"))), nil }, Size: 8},
	}))
	must(t, m.Sync(t.Context()))
	m.Vanish()
	if got, err := os.ReadFile(m.path("near")); err != nil || string(got) != "at hand" {
		t.Errorf("%q %v", got, err)
	}
	if got, err := os.ReadFile(m.path("far")); !errors.Is(err, syscall.EIO) {
		t.Errorf("%q %v", got, err)
	}
	f, err := os.Create(m.path("late"))
	must(t, err)
	_, err = f.WriteString("too late")
	must(t, err)
	if err := f.Sync(); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
	must(t, f.Close())
	if got, err := os.ReadFile(m.path("late")); err != nil || string(got) != "too late" {
		t.Errorf("%q %v", got, err)
	}
	if err := m.Unmount(t.Context()); err == nil {
		t.Error("the end of the mount does not tell what is not committed")
	}
	names, err := os.ReadFile(filepath.Join(m.cache, "paths"))
	file, path, _ := bytes.Cut(bytes.TrimSpace(names), []byte(" "))
	left, failed := os.ReadFile(filepath.Join(m.cache, string(file)))
	if err != nil || failed != nil || string(path) != `"late"` || string(left) != "too late" {
		t.Errorf("%q %q %v %v", names, left, err, failed)
	}
}
