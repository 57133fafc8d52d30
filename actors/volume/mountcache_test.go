package volume_test

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// A file reads as its own entry says, whatever was read or written before: who may write below b/ and names the shard identity of a/config there gets no bytes
// of theirs to where a/config is read, and none of a/config to where they read.
//
// Spec: storage-cbfs §2.1 (shard_id), §2.4 (read rule), §3.5 (cache).
func TestAShardIdentityOfAnotherFile(t *testing.T) {
	w := volume.NewWorld(t, 6)
	const hers, theirs = "what ann wrote", "what bob wrote"
	for _, private := range []bool{false, true} {
		t.Run(fmt.Sprint("private ", private), func(t *testing.T) {
			id, ann := w.Owned(fmt.Sprint("v-", private), private)
			must(t, ann.Apply(t.Context(), id, []volume.Change{volume.File("a/config", []byte(hers))}))
			bob := w.Granted(id, 211, cbfs.ReadWrite, "b", 1<<20)
			w.Borrow(bob, id, "b/x", []byte(theirs), "a/config")
			for name, order := range map[string][]string{"his first": {"b/x", "a/config"}, "hers first": {"a/config", "b/x"}} {
				t.Run(name, func(t *testing.T) {
					s := system(t, ann, id)
					for _, path := range order {
						same(t, s, path, []byte(map[string]string{"a/config": hers, "b/x": theirs}[path]))
					}
				})
			}
		})
	}
}

// Who may only write changes a file in part that this mount has at hand, and no other with the same shard identity.
//
// Spec: storage-cbfs §2.5 (WO), §3.5 (cache).
func TestAWriterHasItsOwnFilesAtHand(t *testing.T) {
	w := volume.NewWorld(t, 6)
	id, owner := w.Owned("docs", true)
	s := system(t, w.Granted(id, 211, cbfs.WriteOnly, "out", 1<<20), id)
	put(t, s, "out", "mine", []byte("mine"))
	must(t, s.Sync(t.Context()))
	w.Borrow(owner, id, "out/other", []byte("other"), "out/mine")
	must(t, s.Sync(t.Context()))
	for name, want := range map[string]error{"out/mine": nil, "out/other": syscall.EACCES} {
		t.Run(name, func(t *testing.T) {
			f, err := s.Open(t.Context(), name, os.O_WRONLY)
			must(t, err)
			defer f.Close()
			if _, err := f.WriteAt(t.Context(), []byte("M"), 0); err != want {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

// Whoever has no right any more is told so by the client itself, and what is written stays.
//
// Spec: storage-cbfs §3.5 (no right: EACCES).
func TestATokenThatEnds(t *testing.T) {
	w := volume.NewWorld(t, 6)
	for _, private := range []bool{false, true} {
		t.Run(fmt.Sprint("private ", private), func(t *testing.T) {
			id, _ := w.Owned(fmt.Sprint("v-", private), private)
			s := system(t, w.Granted(id, 211, cbfs.ReadWrite, "", 1<<20), id)
			put(t, s, "", "n", []byte("text"))
			w.Revoke(id)
			if err := s.Sync(t.Context()); !errors.Is(err, volume.ErrToken) {
				t.Error(err)
			}
			if e, err := s.Stat(t.Context(), "n"); err != nil || e.Size != 4 {
				t.Error(e, err)
			}
		})
	}
}
