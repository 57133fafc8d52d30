package mount

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// away is a chain that does not answer.
type away struct{ volume.Chain }

var errAway = errors.New("away")

func (away) Volume(context.Context, digest.Hash) (*reach.Volume, error) { return nil, errAway }

// alone is a file system that commits nothing. reached is closed when its end comes to what is left.
func alone(t *testing.T) (s *System, reached chan struct{}) {
	t.Helper()
	reached = make(chan struct{})
	s = &System{
		client: &volume.Client{Chain: away{}}, dir: filepath.Join(t.TempDir(), "cache"), local: map[string]*item{}, now: time.Now,
		cancel: func() { close(reached) }, rights: volume.Rights{Reads: true, Writes: true, Left: 1 << 20},
	}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return s, reached
}

// A write that is under way when a mount ends is kept or fails: the end waits for it before it looks what is not committed.
//
// Spec: storage-cbfs §3.5.
func TestTheEndWaitsForAWrite(t *testing.T) {
	s, reached := alone(t)
	i := &item{system: s, path: "late"}
	if err := i.begin(nil, 0); err != nil {
		t.Fatal(err)
	}
	s.local[i.path] = i
	i.mu.Lock() // a write goes on from here
	done := make(chan error)
	go func() { done <- s.Close(context.WithoutCancel(t.Context())) }()
	<-reached
	for s.mu.TryLock() { // until the end has it
		s.mu.Unlock()
		select {
		case err := <-done:
			t.Fatal("the end has not waited:", err)
		default:
			runtime.Gosched()
		}
	}
	_, err := i.staged.WriteAt([]byte("text"), 0)
	i.generation++
	i.mu.Unlock()
	if ended := <-done; err != nil || !errors.Is(ended, errAway) {
		t.Fatal(err, ended)
	}
	left, err := os.ReadFile(i.staged.Name())
	names, failed := os.ReadFile(filepath.Join(s.dir, "paths"))
	if err != nil || failed != nil || string(left) != "text" || string(names) != fmt.Sprintf("%s \"late\"\n", filepath.Base(i.staged.Name())) {
		t.Errorf("%q %q %v %v", left, names, err, failed)
	}
}

// Folders and links that are not committed are listed at the end, and nothing is taken any more that would not be.
//
// Spec: storage-cbfs §3.5.
func TestTheEndListsFoldersAndLinks(t *testing.T) {
	s, _ := alone(t)
	open := &item{system: s, path: "open"}
	for _, one := range []*item{
		{system: s, path: "link", kind: cbfs.Symlink, target: "here or not", generation: 1}, {system: s, path: "a folder", kind: cbfs.Directory, generation: 1},
		{system: s, path: "committed", kind: cbfs.Directory, generation: 1, committed: 1}, open,
	} {
		s.local[one.path] = one
	}
	if err := s.Close(t.Context()); !errors.Is(err, errAway) {
		t.Error(err)
	}
	if names, err := os.ReadFile(filepath.Join(s.dir, "paths")); err != nil || string(names) != "folder \"a folder\"\nlink \"link\" \"here or not\"\n" {
		t.Errorf("%q %v", names, err)
	}
	if err := open.truncate(0); err != syscall.EIO {
		t.Errorf("after the end it is written: %v", err)
	}
	if err := s.Make(t.Context(), "", "n", cbfs.Directory, ""); err != syscall.EIO {
		t.Errorf("after the end a folder is made: %v", err)
	}
	if left, err := os.ReadDir(s.dir); err != nil || len(left) != 1 {
		t.Error(left, err)
	}
}
