package mount

import (
	"context"
	"errors"
	"hash/maphash"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// believed is how long the kernel believes names and attributes.
const believed = time.Second

// Mounted is a file system that programs see.
type Mounted struct {
	*System
	at     string
	server *fuse.Server
	stop   context.CancelFunc
	all    sync.WaitGroup
}

// Serve shows a System at a folder. others lets programs of other users in. It commits at the interval from then on.
//
// Spec: storage-cbfs §3.5.
func Serve(s *System, at string, others bool) (*Mounted, error) {
	young := believed
	s.others = others
	root := &node{system: s, seed: maphash.MakeSeed()}
	options := &fs.Options{
		EntryTimeout: &young, AttrTimeout: &young,
		MountOptions: fuse.MountOptions{
			FsName: "cowboy:" + s.snapshot.Volume.Name, Name: "cbfs", AllowOther: others, DirectMount: true, DisableXAttrs: true, MaxWrite: 1 << 20,
			Options: []string{"default_permissions", "nosuid", "nodev"},
		},
	}
	server, err := fs.Mount(at, root, options)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := &Mounted{System: s, at: at, server: server, stop: cancel}
	m.all.Go(func() { s.Run(ctx) })
	return m, nil
}

// Gone is closed when somebody else has unmounted the folder, or Unmount has.
func (m *Mounted) Gone() <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		m.server.Wait()
		close(gone)
	}()
	return gone
}

// Unmount commits what is left and takes the file system away, from programs that use it too.
//
// Spec: storage-cbfs §3.5.
func (m *Mounted) Unmount(ctx context.Context) error {
	m.stop()
	m.all.Wait()
	if m.server.Unmount() != nil { // a program uses it
		if err := Detach(m.at); err != nil {
			return errors.Join(err, m.Close(ctx))
		}
	}
	return m.Close(ctx)
}

// Detach takes a folder away, in use or left behind by a process that was killed. One that is gone already is no error.
func Detach(at string) error {
	err := exec.Command("fusermount3", "-u", "-z", at).Run()
	if err != nil {
		err = syscall.Unmount(at, 2) // MNT_DETACH, for who has no fusermount3
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOENT) {
		return nil
	}
	return err
}
