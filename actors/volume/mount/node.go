package mount

import (
	"context"
	"hash/maphash"
	"os"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/volume"
)

// node is a path as the kernel knows it.
type node struct {
	fs.Inode
	system *System
	seed   maphash.Seed // of the numbers of inodes, so that nobody outside makes two the same
	path   string
}

// handle is an open file as the kernel knows it.
type handle struct{ *File }

var (
	_ fs.NodeLookuper   = (*node)(nil)
	_ fs.NodeReaddirer  = (*node)(nil)
	_ fs.NodeGetattrer  = (*node)(nil)
	_ fs.NodeSetattrer  = (*node)(nil)
	_ fs.NodeOpener     = (*node)(nil)
	_ fs.NodeCreater    = (*node)(nil)
	_ fs.NodeMkdirer    = (*node)(nil)
	_ fs.NodeSymlinker  = (*node)(nil)
	_ fs.NodeReadlinker = (*node)(nil)
	_ fs.NodeUnlinker   = (*node)(nil)
	_ fs.NodeRmdirer    = (*node)(nil)
	_ fs.NodeRenamer    = (*node)(nil)
	_ fs.NodeFsyncer    = (*node)(nil)
	_ fs.NodeStatfser   = (*node)(nil)
	_ fs.FileReader     = handle{}
	_ fs.FileWriter     = handle{}
	_ fs.FileReleaser   = handle{}
)

func answer(err error) syscall.Errno {
	if known, ok := err.(syscall.Errno); ok {
		return known
	}
	return errnoOf(err)
}

// mode is the kind of an entry with who may do what: the manifest keeps neither.
func (n *node) mode(e *Entry) uint32 {
	n.system.mu.Lock()
	writes := n.system.rights.Writes
	n.system.mu.Unlock()
	kind, may := uint32(syscall.S_IFREG), uint32(0o444)
	switch e.Kind {
	case cbfs.Symlink:
		return syscall.S_IFLNK | 0o777
	case cbfs.Directory:
		kind, may = syscall.S_IFDIR, 0o555
	}
	switch {
	case writes && n.system.others:
		may |= 0o222
	case writes:
		may |= 0o200
	}
	return kind | may
}

func (n *node) fill(e *Entry, out *fuse.Attr) {
	out.Mode, out.Size, out.Nlink, out.Blocks, out.Blksize = n.mode(e), e.Size, 1, (e.Size+511)/512, 4096
	if e.Kind == cbfs.Symlink {
		out.Size = uint64(len(e.Target))
	}
	out.Uid, out.Gid = uint32(os.Getuid()), uint32(os.Getgid())
	out.SetTimes(nil, &e.Modified, &e.Modified)
}

// child makes the inode of an entry.
func (n *node) child(ctx context.Context, path string, e *Entry, out *fuse.EntryOut) *fs.Inode {
	n.fill(e, &out.Attr)
	number := maphash.String(n.seed, path+string(rune(e.Kind)))&(1<<63-1) | 2 // 1 is the root's
	return n.NewInode(ctx, &node{system: n.system, seed: n.seed, path: path}, fs.StableAttr{Mode: out.Mode & syscall.S_IFMT, Ino: number})
}

// Lookup implements fs.NodeLookuper.
func (n *node) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	path, err := child(n.path, name)
	if err == syscall.EINVAL {
		err = syscall.ENOENT // there is no such name
	}
	if err != nil {
		return nil, answer(err)
	}
	e, err := n.system.Stat(ctx, path)
	if err != nil {
		return nil, answer(err)
	}
	return n.child(ctx, path, &e, out), 0
}

// Readdir implements fs.NodeReaddirer.
func (n *node) Readdir(ctx context.Context) (fs.DirStream, syscall.Errno) {
	list, err := n.system.List(ctx, n.path)
	if err != nil {
		return nil, answer(err)
	}
	entries := make([]fuse.DirEntry, len(list))
	for i := range list {
		entries[i] = fuse.DirEntry{Name: list[i].Name, Mode: n.mode(&list[i]) & syscall.S_IFMT}
	}
	return fs.NewListDirStream(entries), 0
}

// Getattr implements fs.NodeGetattrer.
func (n *node) Getattr(ctx context.Context, f fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	if h, ok := f.(handle); ok {
		e := h.Stat()
		n.fill(&e, &out.Attr)
		return 0
	}
	e, err := n.system.Stat(ctx, n.path)
	if err != nil {
		return answer(err)
	}
	n.fill(&e, &out.Attr)
	return 0
}

// Setattr implements fs.NodeSetattrer. Times are the mount's own; modes and owners have no place in a manifest.
//
// Spec: storage-cbfs §3.5.
func (n *node) Setattr(ctx context.Context, f fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	e, err := n.system.Stat(ctx, n.path)
	if err != nil {
		return answer(err)
	}
	mode, hasMode := in.GetMode()
	uid, hasUID := in.GetUID()
	gid, hasGID := in.GetGID()
	if hasMode && mode&0o777 != n.mode(&e)&0o777 || hasUID && int(uid) != os.Getuid() || hasGID && int(gid) != os.Getgid() {
		return syscall.ENOTSUP
	}
	if size, ok := in.GetSize(); ok {
		if h, open := f.(handle); open && h.writes {
			err = h.Truncate(ctx, size)
		} else {
			err = n.system.Truncate(ctx, n.path, size)
		}
		if err != nil {
			return answer(err)
		}
	}
	return n.Getattr(ctx, f, out)
}

// Open implements fs.NodeOpener.
func (n *node) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	f, err := n.system.Open(ctx, n.path, int(flags))
	if err != nil {
		return nil, 0, answer(err)
	}
	return handle{f}, 0, 0
}

// Create implements fs.NodeCreater.
func (n *node) Create(ctx context.Context, name string, flags, _ uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	f, err := n.system.Create(ctx, n.path, name, int(flags))
	if err != nil {
		return nil, nil, 0, answer(err)
	}
	e := f.Stat()
	return n.child(ctx, f.item.path, &e, out), handle{f}, 0, 0
}

func (n *node) make(ctx context.Context, name string, kind cbfs.EntryKind, target string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if err := n.system.Make(ctx, n.path, name, kind, target); err != nil {
		return nil, answer(err)
	}
	return n.Lookup(ctx, name, out)
}

// Mkdir implements fs.NodeMkdirer.
func (n *node) Mkdir(ctx context.Context, name string, _ uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.make(ctx, name, cbfs.Directory, "", out)
}

// Symlink implements fs.NodeSymlinker.
func (n *node) Symlink(ctx context.Context, target, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.make(ctx, name, cbfs.Symlink, target, out)
}

// Readlink implements fs.NodeReadlinker.
func (n *node) Readlink(ctx context.Context) ([]byte, syscall.Errno) {
	e, err := n.system.Stat(ctx, n.path)
	return []byte(e.Target), answer(err)
}

// Unlink implements fs.NodeUnlinker.
func (n *node) Unlink(ctx context.Context, name string) syscall.Errno {
	return answer(n.system.Remove(ctx, n.path, name))
}

// Rmdir implements fs.NodeRmdirer.
func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno {
	return answer(n.system.Remove(ctx, n.path, name))
}

// Rename implements fs.NodeRenamer.
func (n *node) Rename(context.Context, string, fs.InodeEmbedder, string, uint32) syscall.Errno {
	return answer(n.system.Rename())
}

// Fsync implements fs.NodeFsyncer: what was written is anchored when it returns.
func (n *node) Fsync(ctx context.Context, _ fs.FileHandle, _ uint32) syscall.Errno {
	return answer(n.system.SyncPath(ctx, n.path))
}

// Statfs implements fs.NodeStatfser.
func (n *node) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	const block = 4096
	used, free, files := n.system.Room()
	out.Bsize, out.Frsize, out.NameLen = block, block, maxName
	out.Blocks, out.Bfree = (used+free)/block, free/block
	out.Bavail = out.Bfree
	out.Files, out.Ffree = volume.MaxObjects, volume.MaxObjects-min(files, volume.MaxObjects)
	return 0
}

// Read implements fs.FileReader.
func (h handle) Read(ctx context.Context, dest []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	n, err := h.ReadAt(ctx, dest, at)
	if err != nil {
		return nil, answer(err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

// Write implements fs.FileWriter.
func (h handle) Write(ctx context.Context, data []byte, at int64) (uint32, syscall.Errno) {
	n, err := h.WriteAt(ctx, data, at)
	return uint32(n), answer(err)
}

// Release implements fs.FileReleaser.
func (h handle) Release(context.Context) syscall.Errno {
	h.Close()
	return 0
}
